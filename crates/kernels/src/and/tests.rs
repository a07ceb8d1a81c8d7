//! The truth table, in every block and at every length.

use crate::logic::tests::check_table;

#[test]
fn the_truth_table_holds_everywhere() {
    check_table("And", [0, 0, 0, 1]);
}

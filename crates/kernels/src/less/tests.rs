//! The comparison against that of wider native types.

use crate::comparison::tests::check_all;

#[test]
fn every_type_is_ordered_as_its_numbers_are() {
    check_all("Less", |a, b| a < b, |a, b| a < b);
}

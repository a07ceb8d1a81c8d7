//! Of indices.

use super::*;

#[test]
fn columns_are_counted_by_the_spatial_dimensions_or_by_all() {
    let of = |shape: &[usize], place| column_major(shape, place).collect::<Vec<_>>();
    assert_eq!(of(&[1, 1, 2, 3], 4), [3]);
    assert_eq!(of(&[1, 1, 7], 4), [4]);
    assert_eq!(of(&[2, 3, 2, 2], 13), [14, 13]);
}

//! Shape of every type, and of every part of the dimensions.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::*;

#[test]
fn places_count_from_the_end_or_are_the_nearest_ones() {
    let data = tensor(Uint8, &[2, 3, 4], &[0_u8; 24]);
    let part = |start: i64, end: i64| -> Vec<i64> {
        let ends = [("start", start), ("end", end)];
        let ends = ends.map(|(name, place)| (name.to_owned(), Attribute::Int(place)));
        read(&run(find("Shape", 25).unwrap(), &[&data], &Attributes::from(ends)).unwrap())
    };
    for (start, end, sizes) in [
        (0, 3, &[2, 3, 4][..]),
        (1, 2, &[3]),
        (-1, 9, &[4]),
        (-500, -1, &[2, 3]),
        (2, 1, &[]),
        (3, 3, &[]),
        (i64::MIN, i64::MAX, &[2, 3, 4]),
        (i64::MAX, i64::MIN, &[]),
    ] {
        assert_eq!(part(start, end), sizes, "{start} {end}");
    }
}

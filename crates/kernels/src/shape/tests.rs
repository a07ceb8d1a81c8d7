//! Shape of every type, and of every part of the dimensions.

use crate::tests::{SONNX_NUMBERS, Statement, Trial, moved, read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::{self, *};

#[test]
fn the_kernel_does_what_is_stated_here() {
    let [int, ints] = [Attribute::Int(0), Attribute::Ints(vec![0])];
    let ends = [("start", int.clone(), ints.clone()), ("end", int, ints)];
    let others = [Bool, String, Bfloat16, Int2, Int4, Uint2, Uint4];
    let sonnx = [&SONNX_NUMBERS[..], &others].concat();
    Statement {
        name: "Shape",
        versions: &[
            (1, &moved(15), &[]),
            (13, &moved(16), &[]),
            (15, &moved(16), &ends),
            (19, &moved(20), &ends),
            (21, &moved(22), &ends),
            (23, &moved(23), &ends),
            (24, &moved(24), &ends),
            (25, &DType::ALL, &ends),
        ],
        sonnx: Some(&sonnx),
        is_elementwise: false,
        keeps_ones: true,
    }
    .check_by(&Trial { output: |_| Int64, shape: &[2], ..Trial::PLAIN });
}

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

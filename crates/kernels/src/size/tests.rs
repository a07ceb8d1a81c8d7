//! Size of every type and shape.

use crate::tests::{Statement, Trial, moved, read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::{self, Int64, Uint8};

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "Size",
        versions: &[
            (1, &moved(15), &[]),
            (13, &moved(16), &[]),
            (19, &moved(20), &[]),
            (21, &moved(22), &[]),
            (23, &moved(23), &[]),
            (24, &moved(24), &[]),
            (25, &DType::ALL, &[]),
        ],
        sonnx: None,
        is_elementwise: false,
        keeps_ones: true,
    }
    .check_by(&Trial { output: |_| Int64, shape: &[], ..Trial::PLAIN });
}

#[test]
fn elements_are_counted_whatever_their_dimensions() {
    for (shape, count) in [(&[][..], 1), (&[7], 7), (&[2, 0, 3], 0), (&[2, 3, 4], 24)] {
        let data = tensor(Uint8, shape, &vec![0_u8; count]);
        let size = run(find("Size", 25).unwrap(), &[&data], &Attributes::new()).unwrap();
        assert_eq!(read::<i64>(&size), [count as i64]);
    }
}

//! SpaceToDepth of every type, and as the reverse of DepthToSpace.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, find};
use values::dtype::DType::Uint8;

#[test]
fn the_other_operator_gives_back_what_was_there() {
    let block = Attributes::from([("blocksize".to_owned(), Attribute::Int(3))]);
    let bytes: Vec<u8> = (0..216).collect();
    let data = tensor(Uint8, &[2, 2, 6, 9], &bytes);
    let deep = run(find("SpaceToDepth", 13).unwrap(), &[&data], &block).unwrap();
    assert_eq!(deep.shape(), [2, 18, 2, 3]);
    assert_eq!([1, 6, 12].map(|at| deep.element(at)), [Some(3), Some(54), Some(1)]);
    assert_eq!(run(find("DepthToSpace", 13).unwrap(), &[&deep], &block).unwrap(), data);
}

#[test]
fn blocks_that_are_not_whole_are_refused() {
    for (shape, block) in
        [(&[1, 1, 2, 3][..], 2), (&[1, 1, 3, 2], 2), (&[2, 2, 2], 2), (&[1, 1, 2, 2], i64::MAX)]
    {
        let bytes = vec![0_u8; shape.iter().product()];
        let block = Attributes::from([("blocksize".to_owned(), Attribute::Int(block))]);
        let data = tensor(Uint8, shape, &bytes);
        let error = run(find("SpaceToDepth", 1).unwrap(), &[&data], &block).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{shape:?}");
    }
}

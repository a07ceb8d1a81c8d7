//! DepthToSpace of every type, in both modes.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::Uint8;
use values::tensor::Tensor;

fn in_space(shape: &[usize], block: i64, mode: &str) -> Result<Tensor, KernelError> {
    let bytes: Vec<u8> = (0..shape.iter().product::<usize>() as u8).collect();
    let attributes = Attributes::from([
        ("blocksize".to_owned(), Attribute::Int(block)),
        ("mode".to_owned(), Attribute::Text(mode.to_owned())),
    ]);
    run(find("DepthToSpace", 13).unwrap(), &[&tensor(Uint8, shape, &bytes)], &attributes)
}

#[test]
fn places_within_a_block_are_the_outer_or_the_inner_channels() {
    let outer = tensor(Uint8, &[1, 2, 2, 2], &[0_u8, 2, 4, 6, 1, 3, 5, 7]);
    assert_eq!(in_space(&[1, 8, 1, 1], 2, "DCR").unwrap(), outer);
    let inner = tensor(Uint8, &[1, 2, 2, 2], &[0_u8, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(in_space(&[1, 8, 1, 1], 2, "CRD").unwrap(), inner);
    let rows = tensor(Uint8, &[1, 1, 2, 4], &[0_u8, 2, 1, 3, 4, 6, 5, 7]);
    assert_eq!(in_space(&[1, 4, 1, 2], 2, "DCR").unwrap(), rows);
}

#[test]
fn channels_that_make_no_whole_blocks_are_refused() {
    for (shape, block) in
        [(&[1, 8, 1, 1][..], 3), (&[1, 8, 1, 1], 1 << 32), (&[8, 1, 1], 1), (&[1, 2, 1, 1], 2)]
    {
        let error = in_space(shape, block, "DCR").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{shape:?}");
    }
    let data = tensor(Uint8, &[1, 1, 1, 1], &[0_u8]);
    assert!(run(find("DepthToSpace", 13).unwrap(), &[&data], &Attributes::new()).is_err());
}

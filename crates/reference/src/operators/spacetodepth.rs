//! SpaceToDepth: blocks of height and width become channels.
//!
//! Versions 1 and 13 state no order of the channels; it is the one of which DepthToSpace is the reverse, by its default:
//! the places within a block are the outer part. Version 28 has a mode, as DepthToSpace has. Sources: ONNX's schemas of
//! SpaceToDepth-1, 13 and 28, and of DepthToSpace-13.

use values::element::Element;
use values::tensor::{coordinates, row_major};

use super::depthtospace::{BLOCK_SIZE, MODE, blocks, is_inner, ports};
use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source};
use crate::families::reshaping::moved;
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, TensorType, Version};

/// SpaceToDepth in ONNX's default domain.
pub static SPACETODEPTH: Operator = Operator {
    documents: &[Document {
        key: "onnx-spacetodepth",
        catalogue: include_str!("spacetodepth/onnx-spacetodepth.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &SPACETODEPTH, &[include_str!("spacetodepth/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("SpaceToDepth", OperatorKind::Exact, &VERSIONS, &Picking(in_depth))
};

const VERSIONS: [Version; 3] = [
    const { ports(moved(15)) }.since(1, &[BLOCK_SIZE]),
    const { ports(moved(16)) }.since(13, &[BLOCK_SIZE]),
    const { ports(moved(16)) }.since(28, &[BLOCK_SIZE, MODE]),
];

fn in_depth(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let (data, [batches, channels, height, width], size) = blocks(call)?;
    let refused = || {
        call.invalid(&format!("cannot make blocks of size {size} of the shape {:?}", data.shape()))
    };
    if height % size != 0 || width % size != 0 {
        return Err(refused());
    }
    let area = size.checked_mul(size);
    let area = area.ok_or_else(refused)?;
    let depth = area.checked_mul(channels).ok_or_else(refused)?;
    let is_inner = is_inner(call);
    let shape = vec![batches, depth, height / size, width / size];
    let output = TensorType::new(data.dtype(), shape.clone())?;
    let source = move |index: usize| {
        let [batch, at, y, x] = coordinates(index, &shape).try_into().ok()?;
        let (within, channel) = match is_inner {
            true => (at % area, at / area),
            false => (at.checked_div(channels)?, at % channels),
        };
        let from = [batch, channel, y * size + within / size, x * size + within % size];
        Element::of(data, row_major(&from, data.shape())?)
    };
    Ok((output, Box::new(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType::Uint8;
    use values::tensor::Tensor;

    fn moved(shape: &[usize], size: i64, mode: &str) -> Option<(Vec<usize>, Vec<u128>)> {
        let count: usize = shape.iter().product();
        let data = Tensor::from_values(Uint8, shape.to_vec(), (0..count as u8).collect()).ok();
        let attributes = Attributes::from([
            ("blocksize".to_owned(), AttributeValue::Int(size)),
            ("mode".to_owned(), AttributeValue::Text(mode.to_owned())),
        ]);
        let version = SPACETODEPTH.newest();
        let (call, types) =
            Call::new(&SPACETODEPTH, version, Specification::Onnx, attributes, vec![data]).ok()?;
        let allowed = SPACETODEPTH.reference.allowed(&call, &types);
        let elements = (0..count).map(|index| allowed[0].at(index).example().unwrap()).collect();
        Some((types[0].shape.clone(), elements))
    }

    #[test]
    fn places_within_a_block_are_the_outer_or_the_inner_part_of_the_channels() {
        let of_two = vec![0, 4, 1, 5, 2, 6, 3, 7];
        assert_eq!(moved(&[1, 2, 2, 2], 2, "DCR"), Some((vec![1, 8, 1, 1], of_two)));
        let of_two = (0..8).collect();
        assert_eq!(moved(&[1, 2, 2, 2], 2, "CRD"), Some((vec![1, 8, 1, 1], of_two)));
        let of_one = vec![0, 2, 1, 3, 4, 6, 5, 7];
        for mode in ["DCR", "CRD"] {
            assert_eq!(moved(&[1, 1, 2, 4], 2, mode), Some((vec![1, 4, 1, 2], of_one.clone())));
        }
    }

    #[test]
    fn what_has_no_whole_blocks_is_refused() {
        for size in [0, -2, 3, i64::MAX, i64::MIN, 1 << 32] {
            assert_eq!(moved(&[1, 2, 2, 2], size, "DCR"), None, "{size}");
        }
        assert_eq!(moved(&[2, 2, 2], 1, "DCR"), None);
        assert_eq!(moved(&[1, 1, 2, 3], 2, "CRD"), None);
        assert_eq!(moved(&[1, 2, 2, 2], 2, "crd"), None);
    }
}

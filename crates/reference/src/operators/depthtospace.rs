//! DepthToSpace: channels become blocks of height and width.
//!
//! By the mode DCR the places within a block are the outer part of the channels, by CRD the inner one. Version 1
//! has no mode and states the operator as the reverse of SpaceToDepth, which is what DCR is. Sources: ONNX's schemas of
//! DepthToSpace-1, 11, 13 and 28.

use values::dtype::DType;
use values::element::Element;
use values::tensor::{Tensor, coordinates, row_major};

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source};
use crate::families::reshaping::moved;
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Ports,
    TensorType, Version,
};

/// DepthToSpace in ONNX's default domain.
pub static DEPTHTOSPACE: Operator = Operator {
    documents: &[Document {
        key: "onnx-depthtospace",
        catalogue: include_str!("depthtospace/onnx-depthtospace.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &DEPTHTOSPACE, &[include_str!("depthtospace/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("DepthToSpace", OperatorKind::Exact, &VERSIONS, &Picking(in_space))
};

const VERSIONS: [Version; 4] = [
    const { ports(moved(15)) }.since(1, &[BLOCK_SIZE]),
    const { ports(moved(15)) }.since(11, &[BLOCK_SIZE, MODE]),
    const { ports(moved(16)) }.since(13, &[BLOCK_SIZE, MODE]),
    const { ports(moved(16)) }.since(28, &[BLOCK_SIZE, MODE]),
];

/// The height and the width of a block.
pub(super) const BLOCK_SIZE: Attribute =
    Attribute::new("blocksize", AttributeType::Int).otherwise(Otherwise::Invalid);
/// Which part of the channels says the place within a block.
pub(super) const MODE: Attribute =
    Attribute::new("mode", AttributeType::Text(&["DCR", "CRD"])).otherwise(Otherwise::Text("DCR"));

/// Whether the places within a block are the inner part of the channels, as by the mode CRD.
pub(super) fn is_inner(call: &Call) -> bool {
    call.text("mode") == Some("CRD")
}

/// One input and one output of these types.
pub(super) const fn ports(types: &'static [DType]) -> Ports<1> {
    Ports::new(["input"], "output", types)
}

/// The data, its four sizes and the size of a block.
pub(super) fn blocks(call: &Call) -> Result<(&Tensor, [usize; 4], usize), Invalid> {
    let data = call.input(0)?;
    let Ok(sizes) = <[usize; 4]>::try_from(data.shape()) else {
        return Err(call.invalid(&format!("takes four dimensions, not {:?}", data.shape())));
    };
    let size = call.int("blocksize").and_then(|size| usize::try_from(size).ok());
    match size {
        Some(size @ 1..) => Ok((data, sizes, size)),
        _ => Err(call.invalid("takes blocks of size 1 and more")),
    }
}

fn in_space(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let (data, [batches, channels, height, width], size) = blocks(call)?;
    let refused = || {
        call.invalid(&format!("cannot make blocks of size {size} of the shape {:?}", data.shape()))
    };
    let area = size.checked_mul(size).ok_or_else(refused)?;
    if channels % area != 0 {
        return Err(refused());
    }
    let depth = channels / area;
    let high = height.checked_mul(size).ok_or_else(refused)?;
    let wide = width.checked_mul(size).ok_or_else(refused)?;
    let output = TensorType::new(data.dtype(), vec![batches, depth, high, wide])?;
    let is_inner = is_inner(call);
    let source = move |index: usize| {
        let at = coordinates(index, &[batches, depth, high, wide]);
        let [batch, channel, y, x] = at.try_into().ok()?;
        let within = y % size * size + x % size;
        let from = if is_inner { channel * area + within } else { within * depth + channel };
        Element::of(data, row_major(&[batch, from, y / size, x / size], data.shape())?)
    };
    Ok((output, Box::new(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType::Uint8;

    fn moved(shape: &[usize], size: i64, mode: &str) -> Option<(Vec<usize>, Vec<u128>)> {
        let count: usize = shape.iter().product();
        let data = Tensor::from_values(Uint8, shape.to_vec(), (0..count as u8).collect()).unwrap();
        let attributes = Attributes::from([
            ("blocksize".to_owned(), AttributeValue::Int(size)),
            ("mode".to_owned(), AttributeValue::Text(mode.to_owned())),
        ]);
        let inputs = vec![Some(data)];
        let version = DEPTHTOSPACE.newest();
        let (call, types) =
            Call::new(&DEPTHTOSPACE, version, Specification::Onnx, attributes, inputs).ok()?;
        let allowed = DEPTHTOSPACE.reference.allowed(&call, &types);
        let elements = (0..count).map(|index| allowed[0].at(index).example().unwrap()).collect();
        Some((types[0].shape.clone(), elements))
    }

    #[test]
    fn a_block_is_made_of_outer_or_of_inner_channels() {
        let shape = vec![1, 2, 2, 2];
        let outer = vec![0, 2, 4, 6, 1, 3, 5, 7];
        assert_eq!(moved(&[1, 8, 1, 1], 2, "DCR"), Some((shape.clone(), outer)));
        assert_eq!(moved(&[1, 8, 1, 1], 2, "CRD"), Some((shape, (0..8).collect())));
    }

    #[test]
    fn what_makes_no_blocks_is_refused() {
        for size in [0, -2, 3, i64::MAX, i64::MIN, 1 << 32] {
            assert_eq!(moved(&[1, 8, 1, 1], size, "DCR"), None, "{size}");
        }
        assert_eq!(moved(&[8, 1, 1], 1, "DCR"), None);
        assert_eq!(moved(&[1, 8, 1, 1], 2, "dcr"), None);
    }
}

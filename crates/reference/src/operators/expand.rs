//! Expand: the elements repeated along dimensions of size 1, by the rule of broadcasting.
//!
//! The list says a shape that the input is broadcast with, in both directions: where it has a 1, or no dimension at
//! all, the input's own size stays. A negative entry is no size. Source: ONNX's schemas of Expand-8 and 13.

use values::element::Element;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source, bounded, sizes};
use crate::families::reshaping::{Lists, list, moved};
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, TensorType, Version};

/// Expand in ONNX's default domain.
pub static EXPAND: Operator = Operator {
    documents: &[Document {
        key: "onnx-expand",
        catalogue: include_str!("expand/onnx-expand.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &EXPAND, &[include_str!("expand/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Expand", OperatorKind::Exact, &VERSIONS, &Picking(expanded))
};

const VERSIONS: [Version; 2] =
    [const { ports(15) }.since(8, &[]), const { ports(16) }.since(13, &[])];

const fn ports(types: usize) -> Lists<2> {
    Lists::one(["input", "shape"], "output", moved(types))
}

fn expanded(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let data = call.input(0)?;
    let list = list(call, "shape")?.unwrap_or_default();
    let wanted = sizes(call, "shape", &list)?;
    let broadcast = Broadcast::multidirectional(&[data.shape(), &wanted])?;
    let output = bounded(call, data.dtype(), broadcast.shape().to_vec())?;
    Ok((output, Box::new(move |index| Element::of(data, broadcast.source(0, index)))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{Attributes, Specification};
    use values::dtype::DType;
    use values::tensor::Tensor;

    fn expand(from: &[usize], list: &[i64]) -> Option<(Vec<usize>, Vec<u128>)> {
        let bytes: Vec<u8> = (0..from.iter().product::<usize>() as u8).collect();
        let data = Tensor::from_values(DType::Uint8, from.to_vec(), bytes).ok();
        let list = Tensor::from_values(DType::Int64, vec![list.len()], list.to_vec()).ok();
        let (version, attributes) = (EXPAND.newest(), Attributes::new());
        let inputs = vec![data, list];
        let (call, types) =
            Call::new(&EXPAND, version, Specification::Onnx, attributes, inputs).ok()?;
        let allowed = EXPAND.reference.allowed(&call, &types);
        let count = types[0].shape.iter().product();
        let elements = (0..count).map(|index| allowed[0].at(index).example().unwrap()).collect();
        Some((types[0].shape.clone(), elements))
    }

    #[test]
    fn sizes_of_1_are_repeated_and_others_stay() {
        assert_eq!(expand(&[2, 1], &[2, 3]), Some((vec![2, 3], vec![0, 0, 0, 1, 1, 1])));
        assert_eq!(expand(&[2, 1], &[3]), Some((vec![2, 3], vec![0, 0, 0, 1, 1, 1])));
        assert_eq!(expand(&[3], &[2, 1]), Some((vec![2, 3], vec![0, 1, 2, 0, 1, 2])));
        assert_eq!(expand(&[2], &[]), Some((vec![2], vec![0, 1])));
        assert_eq!(expand(&[1, 3], &[0, 1]), Some((vec![0, 3], vec![])));
    }

    #[test]
    fn what_does_not_go_together_or_into_memory_is_refused() {
        for list in [&[2, 2][..], &[0, 3], &[2, -1], &[-1, 3], &[i64::MIN, 3], &[1 << 62, 1, 1]] {
            assert_eq!(expand(&[2, 3], list), None, "{list:?}");
        }
        assert_eq!(expand(&[1], &[1 << 62]), None);
        assert_eq!(expand(&[1], &[1 << 62, 1 << 62]), None);
        assert_eq!(expand(&[1], &[1; 65]), None);
    }
}

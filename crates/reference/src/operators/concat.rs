//! Concat: tensors one behind the other along one of their dimensions. Elements of every type are moved, not computed.
//!
//! The tensors have the same sizes in all other dimensions: versions 11 and 13 and SONNX say so, and without it the
//! older ones have no result either. Without an axis version 1 takes the second dimension. Sources: ONNX's schemas of
//! Concat-1, 4, 11 and 13; SONNX's Concat.

use values::dtype::DType;
use values::dtype::DType::{Bfloat16, Bool, String as Text};
use values::element::Element;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source};
use crate::families::reshaping::{dimension, moved};
use crate::families::sections::Sections;
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    Ports, TensorType, Version,
};
use crate::signature::{IEEE_FLOATS, NUMERIC_SONNX};

/// Concat in ONNX's default domain.
pub static CONCAT: Operator = Operator {
    documents: &[
        Document { key: "sonnx-concat", catalogue: include_str!("concat/sonnx-concat.toml") },
        Document { key: "onnx-concat", catalogue: include_str!("concat/onnx-concat.toml") },
    ],
    cases: Some(|of| {
        case_table::cases(of, &CONCAT, &[include_str!("concat/cases.toml")], Own::NONE)
    }),
    readings: Some(include_str!("concat/readings.toml")),
    ..Operator::onnx("Concat", OperatorKind::Exact, &VERSIONS, &Picking(joined))
};

const VERSIONS: [Version; 4] = [
    const { ports(IEEE_FLOATS) }.since(1, &[Attribute::new("axis", AttributeType::Int)]),
    const { ports(moved(15)) }.since(4, &[AXIS]),
    const { ports(moved(15)) }.since(11, &[AXIS]),
    const { ports(moved(16)) }.since(13, &[AXIS]),
];

const AXIS: Attribute = Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Invalid);

const fn ports(types: &'static [DType]) -> Ports<1> {
    let mut ports = Ports::new(["inputs"], "concat_result", types);
    ports.inputs = [Port::new("inputs", types, "T").variadic()];
    ports
}

/// Refuses what SONNX does not name.
fn restrict(call: &Call, axis: i64) -> Result<(), Invalid> {
    if !call.specification.is_restricted() {
        return Ok(());
    }
    call.restrict_types(&[NUMERIC_SONNX, &[Bfloat16, Bool, Text]].concat())?;
    match axis {
        ..0 => Err(call.invalid(&format!("of this specification takes no `axis` of {axis}"))),
        _ => Ok(()),
    }
}

/// The output, each of whose elements is one of an input.
fn joined(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let first = call.input(0)?;
    let axis = call.int("axis").unwrap_or(1);
    restrict(call, axis)?;
    let axis = dimension(call, 11, axis, first.shape().len())?;
    let inputs: Vec<&Tensor> = call.inputs.iter().flatten().collect();
    let mut shape = first.shape().to_vec();
    for input in &inputs {
        let is_of_rank = input.shape().len() == shape.len();
        let mut sizes = input.shape().iter().zip(&shape).enumerate();
        if !is_of_rank || sizes.any(|(at, (own, size))| at != axis && own != size) {
            let shapes = (first.shape(), input.shape());
            return Err(call.invalid(&format!("cannot join {shapes:?} along dimension {axis}")));
        }
    }
    let sections = Sections::new(&shape, axis, inputs.iter().map(|input| input.shape()[axis]));
    let sections = sections.ok_or_else(|| call.invalid("has no output of this size"))?;
    shape[axis] = sections.size();
    let output = TensorType::new(first.dtype(), shape)?;
    let source = move |index| {
        let (input, place) = sections.in_section(index)?;
        Element::of(inputs.get(input)?, place)
    };
    Ok((output, Box::new(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType::{Float32, Uint8};

    /// Shape and elements of bytes that are numbered from one input to the next.
    fn of(
        shapes: &[&[usize]],
        axis: Option<i64>,
        (opset, specification): (i64, Specification),
    ) -> Result<(Vec<usize>, Vec<u128>), Invalid> {
        let dtype = if opset < 4 { Float32 } else { Uint8 };
        let mut next = 0_u32;
        let inputs = shapes.iter().map(|shape| {
            let count: u32 = shape.iter().product::<usize>() as u32;
            let elements: Vec<u32> = (next..next + count).collect();
            next += count;
            let bytes: Vec<u8> = elements.iter().map(|&it| it as u8).collect();
            match dtype {
                Uint8 => Tensor::from_values(dtype, shape.to_vec(), bytes).ok(),
                _ => Tensor::from_values(dtype, shape.to_vec(), elements).ok(),
            }
        });
        let inputs = inputs.collect();
        let axis = axis.map(|axis| ("axis".to_owned(), AttributeValue::Int(axis)));
        let version = CONCAT.version(opset).unwrap();
        let attributes = Attributes::from_iter(axis);
        let (call, types) = Call::new(&CONCAT, version, specification, attributes, inputs)?;
        let allowed = CONCAT.reference.allowed(&call, &types);
        let count = types[0].shape.iter().product();
        let elements = (0..count).map(|index| allowed[0].at(index).example().unwrap());
        Ok((types[0].shape.clone(), elements.collect()))
    }

    const NEWEST: (i64, Specification) = (13, Specification::Onnx);

    #[test]
    fn tensors_lie_one_behind_the_other() {
        let (shape, elements) = of(&[&[2, 2], &[2, 0], &[2, 1]], Some(1), NEWEST).unwrap();
        assert_eq!((shape, elements), (vec![2, 3], vec![0, 1, 4, 2, 3, 5]));
        let (shape, elements) = of(&[&[1, 2], &[2, 2]], Some(-2), NEWEST).unwrap();
        assert_eq!((shape, elements), (vec![3, 2], (0..6).collect()));
        assert_eq!(of(&[&[0, 2], &[0, 3]], Some(1), NEWEST), Ok((vec![0, 5], vec![])));
        let by_default = of(&[&[2, 1], &[2, 1]], None, (1, Specification::Onnx)).unwrap();
        assert_eq!(by_default, (vec![2, 2], vec![0, 2, 1, 3]));
    }

    #[test]
    fn shapes_that_differ_elsewhere_and_axes_that_are_not_there_are_refused() {
        for (shapes, axis) in [
            (&[&[2, 3][..], &[3][..]][..], Some(0)),
            (&[&[2, 3], &[1, 3]], Some(1)),
            (&[&[], &[]], Some(0)),
            (&[&[2], &[2]], Some(1)),
            (&[&[2], &[2]], Some(-2)),
            (&[&[2], &[2]], Some(i64::MIN)),
            (&[&[0, 1 << 62], &[0, 1 << 62], &[0, 1 << 62], &[0, 1 << 62]], Some(1)),
            (&[&[2]], None),
            (&[], Some(0)),
        ] {
            assert!(of(shapes, axis, NEWEST).is_err(), "{shapes:?} {axis:?}");
        }
        assert!(of(&[&[2]], Some(-1), (4, Specification::Onnx)).is_err());
        assert!(of(&[&[2]], Some(-1), (13, Specification::Sonnx)).is_err());
        assert!(of(&[&[2]], Some(0), (13, Specification::Sonnx)).is_ok());
    }
}

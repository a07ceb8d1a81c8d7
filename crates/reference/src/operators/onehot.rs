//! OneHot: along a new dimension the value that stands for on at the place that an index says, and that for off elsewhere.
//!
//! Since version 11 negative indices count from the end. Version 9 both asks for indices that are not negative and gives those
//! outside the range a row of off: nothing is decided of a negative one. Indices and depths that are floats are cast to int64, which
//! truncates them; of what int64 does not hold, no text says what that gives. A scalar is an index too, which no text excludes, but
//! ONNX's inference of shapes refuses; no case has one. Source: ONNX's schemas of OneHot-9, 11 and 28.

use num_traits::ToPrimitive;
use values::dtype::{DType, Kind, integer};
use values::element::Element;
use values::tensor::{Tensor, coordinates, row_major};

use crate::case_table::{self, Own};
use crate::exact::real::value;
use crate::families::picked_or_open::{Controlled, Picked};
use crate::families::picking::bounded;
use crate::families::reshaping::{dimension, moved};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};
use crate::signature::NUMERIC_SONNX;

/// OneHot in ONNX's default domain.
pub static ONEHOT: Operator = Operator {
    documents: &[Document {
        key: "onnx-onehot",
        catalogue: include_str!("onehot/onnx-onehot.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &ONEHOT, &[include_str!("onehot/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("OneHot", OperatorKind::Exact, &VERSIONS, &Controlled(hot))
};

const VERSIONS: [Version; 3] = [
    const { Hot::new(moved(15)) }.since(9),
    const { Hot::new(moved(15)) }.since(11),
    const { Hot::new(moved(16)) }.since(28),
];

/// The ports of a version with values of these types.
struct Hot([Port; 3], [Port; 1]);

impl Hot {
    const fn new(types: &'static [DType]) -> Self {
        let numbers =
            [Port::new("indices", NUMERIC_SONNX, "T1"), Port::new("depth", NUMERIC_SONNX, "T2")];
        let [indices, depth] = numbers;
        let values = Port::new("values", types, "T3");
        Self([indices, depth, values], [Port::new("output", types, "T3")])
    }

    const fn since(&'static self, since: i64) -> Version {
        const AXIS: Attribute =
            Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(-1));
        Version { since, inputs: &self.0, outputs: &self.1, attributes: &[AXIS] }
    }
}

fn hot(call: &Call) -> Result<Picked<'_>, Invalid> {
    let (indices, depth, values) = (call.input(0)?, call.input(1)?, call.input(2)?);
    if !matches!(depth.shape(), [] | [1]) {
        return Err(call.invalid("takes a single number for `depth`"));
    }
    if values.shape() != [2] {
        return Err(call.invalid("takes two `values`"));
    }
    let mut shape = indices.shape().to_vec();
    let axis = call.int("axis").unwrap_or(-1);
    // Version 9 speaks of no other negative number.
    let negative_since = if axis == -1 { 1 } else { 11 };
    let axis = dimension(call, negative_since, axis, shape.len() + 1)?;
    shape.insert(axis, 1);
    let Some(count) = as_int64(depth, 0) else {
        let any = TensorType::new(values.dtype(), vec![1; shape.len()])?;
        return Ok(Picked::Open(any, "int64 does not hold the depth"));
    };
    shape[axis] = usize::try_from(count)
        .map_err(|_| call.invalid(&format!("takes no `depth` of {count}")))?;
    let output = bounded(call, values.dtype(), shape.clone())?;
    let counts_back = call.version.since >= 11;
    let source = move |index: usize| {
        let mut at = coordinates(index, &shape);
        let own = at.remove(axis) as i128;
        let place = match as_int64(indices, row_major(&at, indices.shape())?)? {
            negative @ ..0 if counts_back => negative + count,
            ..0 => return None,
            place => place,
        };
        Element::of(values, usize::from(place == own))
    };
    Ok(Picked::From(output, Box::new(source)))
}

/// The integer that an element is, or a float becomes where int64 holds it.
fn as_int64(tensor: &Tensor, at: usize) -> Option<i128> {
    let bits = tensor.element(at)?;
    match tensor.dtype().kind() {
        Kind::Int { signed, bits: width } => Some(integer(bits, signed, width)),
        _ => {
            let number = value(tensor.dtype(), u64::try_from(bits).ok()?)?;
            number.to_integer().to_i64().map(i128::from)
        }
    }
}

#[cfg(test)]
mod tests {
    use values::dtype::DType::{Float32, Int64, Uint8, Uint64};

    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};

    fn made(
        since: i64,
        indices: Tensor,
        depth: Tensor,
        axis: i64,
    ) -> Option<(Vec<usize>, Vec<Option<u128>>)> {
        let values = Tensor::from_values(Uint8, vec![2], vec![0_u8, 1]).unwrap();
        let axis = Attributes::from([("axis".to_owned(), AttributeValue::Int(axis))]);
        let inputs = vec![Some(indices), Some(depth), Some(values)];
        let version = ONEHOT.version(since).unwrap();
        let (call, types) = Call::new(&ONEHOT, version, Specification::Onnx, axis, inputs).ok()?;
        let allowed = ONEHOT.reference.allowed(&call, &types);
        let one = |index| {
            let one = allowed[0].at(index);
            one.is_decided().then(|| one.example().unwrap())
        };
        let count = types[0].shape.iter().product();
        Some((types[0].shape.clone(), (0..count).map(one).collect()))
    }

    fn ints(shape: &[usize], all: &[i64]) -> Tensor {
        Tensor::from_values(Int64, shape.to_vec(), all.to_vec()).unwrap()
    }

    fn some(all: &[u128]) -> Vec<Option<u128>> {
        all.iter().copied().map(Some).collect()
    }

    #[test]
    fn the_place_of_the_index_is_on() {
        let two = || ints(&[], &[2]);
        let rows = made(11, ints(&[3], &[1, -2, 2]), two(), -1).unwrap();
        assert_eq!(rows, (vec![3, 2], some(&[0, 1, 1, 0, 0, 0])));
        let columns = made(11, ints(&[3], &[1, -2, -3]), two(), 0).unwrap();
        assert_eq!(columns, (vec![2, 3], some(&[0, 1, 0, 1, 0, 0])));
        let early = made(9, ints(&[2], &[1, -1]), two(), -1).unwrap();
        assert_eq!(early.1, [Some(0), Some(1), None, None]);
    }

    #[test]
    fn floats_are_truncated_and_what_int64_does_not_hold_is_open() {
        let floats = |all: &[f32]| Tensor::from_values(Float32, vec![all.len()], all.to_vec());
        let indices = floats(&[-0.9, 1.9, f32::NAN, 1e30]).unwrap();
        let (_, all) = made(28, indices, floats(&[2.9]).unwrap(), -1).unwrap();
        let open = [None; 4];
        assert_eq!(all, [&some(&[1, 0, 0, 1])[..], &open].concat());
        let depth = floats(&[f32::INFINITY]).unwrap();
        assert_eq!(made(28, ints(&[1], &[0]), depth, -1).unwrap().1, [None]);
        // No cast takes place: the number is outside.
        let large = Tensor::from_values(Uint64, vec![1], vec![u64::MAX]).unwrap();
        assert_eq!(made(28, large, ints(&[], &[1]), -1).unwrap().1, some(&[0]));
    }

    #[test]
    fn depths_that_are_no_size_and_axes_beyond_the_rank_are_refused() {
        let made = |depth, axis| made(28, ints(&[2], &[0, 1]), depth, axis);
        assert_eq!(made(ints(&[1], &[0]), 0), Some((vec![0, 2], vec![])));
        for (depth, axis) in [
            (ints(&[], &[-1]), 0),
            (ints(&[], &[i64::MAX]), 0),
            (ints(&[2], &[1, 1]), 0),
            (ints(&[1, 1], &[1]), 0),
            (ints(&[], &[1]), 2),
            (ints(&[], &[1]), -3),
            (ints(&[], &[1]), i64::MIN),
        ] {
            assert_eq!(made(depth, axis), None);
        }
    }
}

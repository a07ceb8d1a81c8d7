//! ReverseSequence: of each sample the first so many elements along the dimension of time backwards, the others as they are.
//!
//! No sentence says what a length is that is negative or more than there is, and what becomes of a call whose dimensions of time and
//! of samples are the same one. Source: ONNX's schemas of ReverseSequence-10 and 28.

use values::dtype::DType::Int64;
use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::families::along::flag;
use crate::families::picked_or_open::{Picked, PickedOrOpen, single};
use crate::families::picking::integers;
use crate::families::reshaping::moved;
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};

/// ReverseSequence in ONNX's default domain.
pub static REVERSESEQUENCE: Operator = Operator {
    documents: &[Document {
        key: "onnx-reversesequence",
        catalogue: include_str!("reversesequence/onnx-reversesequence.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("reversesequence/cases.toml");
        case_table::cases(of, &REVERSESEQUENCE, &[table], Own::NONE)
    }),
    ..Operator::onnx("ReverseSequence", OperatorKind::Exact, &VERSIONS, &PickedOrOpen(reversed))
};

const VERSIONS: [Version; 2] =
    [const { Sequences::new(15) }.since(10), const { Sequences::new(16) }.since(28)];

/// The ports of a version that takes the first so many types.
struct Sequences([Port; 2], [Port; 1]);

impl Sequences {
    const fn new(types: usize) -> Self {
        let lengths = Port::new("sequence_lens", &[Int64], "tensor(int64)");
        let [input, output] =
            [Port::new("input", moved(types), "T"), Port::new("Y", moved(types), "T")];
        Self([input, lengths], [output])
    }

    const fn since(&'static self, since: i64) -> Version {
        const ATTRIBUTES: &[Attribute] = &[
            Attribute::new("batch_axis", AttributeType::Int).otherwise(Otherwise::Int(1)),
            Attribute::new("time_axis", AttributeType::Int).otherwise(Otherwise::Int(0)),
        ];
        Version { since, inputs: &self.0, outputs: &self.1, attributes: ATTRIBUTES }
    }
}

fn reversed(call: &Call) -> Result<Picked<'_>, Invalid> {
    let (data, lengths) = (call.input(0)?, call.input(1)?);
    let shape = data.shape();
    if shape.len() < 2 {
        return Err(call.invalid(&format!("takes two dimensions or more, not {shape:?}")));
    }
    let axis = |name| flag(call, name).map(usize::from);
    let (batch, time) = (axis("batch_axis")?, axis("time_axis")?);
    if lengths.shape() != [shape[batch]] {
        return Err(call.invalid("takes one length for each sample"));
    }
    if batch == time {
        return Ok(Picked::Open(
            single(call)?,
            "a sample along the dimension of time is not stated",
        ));
    }
    let lengths: Vec<i64> = integers(lengths).collect();
    let is_there = |length: &i64| usize::try_from(*length).is_ok_and(|all| all <= shape[time]);
    if !lengths.iter().all(is_there) {
        return Ok(Picked::Open(single(call)?, "a length beyond the dimension is not stated"));
    }
    let source = move |index: usize| {
        let mut at = coordinates(index, shape);
        let length = usize::try_from(*lengths.get(at[batch])?).ok()?;
        if at[time] < length {
            at[time] = length - 1 - at[time];
        }
        Element::of(data, row_major(&at, shape)?)
    };
    Ok(Picked::From(TensorType::of(data), Box::new(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType::Uint8;
    use values::tensor::Tensor;

    fn turned(
        shape: &[usize],
        lengths: &[i64],
        [batch, time]: [i64; 2],
    ) -> Option<Vec<Option<u128>>> {
        let count: usize = shape.iter().product();
        let bytes = (0..count).map(|at| at as u8).collect();
        let data = Tensor::from_values(Uint8, shape.to_vec(), bytes).ok();
        let lengths = Tensor::from_values(Int64, vec![lengths.len()], lengths.to_vec()).ok();
        let axes = [("batch_axis", batch), ("time_axis", time)];
        let attributes = axes.map(|(name, value)| (name.to_owned(), AttributeValue::Int(value)));
        let (version, inputs) = (REVERSESEQUENCE.newest(), vec![data, lengths]);
        let attributes = Attributes::from(attributes);
        let (call, types) =
            Call::new(&REVERSESEQUENCE, version, Specification::Onnx, attributes, inputs).ok()?;
        let allowed = REVERSESEQUENCE.reference.allowed(&call, &types);
        let one = |index| {
            let one = allowed[0].at(index);
            one.is_decided().then(|| one.example().unwrap())
        };
        Some((0..types[0].shape.iter().product()).map(one).collect())
    }

    fn some(all: [u128; 6]) -> Option<Vec<Option<u128>>> {
        Some(all.map(Some).to_vec())
    }

    #[test]
    fn the_first_so_many_are_turned_around() {
        assert_eq!(turned(&[3, 2], &[3, 2], [1, 0]), some([4, 3, 2, 1, 0, 5]));
        assert_eq!(turned(&[2, 3], &[0, 3], [0, 1]), some([0, 1, 2, 5, 4, 3]));
        assert_eq!(turned(&[1, 3, 2], &[2], [0, 1]), some([2, 3, 0, 1, 4, 5]));
    }

    #[test]
    fn lengths_beyond_and_one_dimension_for_both_are_open_and_others_refused() {
        let open = Some(vec![None]);
        for (lengths, axes) in [([4, 1], [1, 0]), ([-1, 1], [1, 0]), ([1, 1], [1, 1])] {
            assert_eq!(turned(&[3, 2], &lengths, axes), open);
        }
        assert_eq!(turned(&[3, 2], &[1, 1, 1], [1, 0]), None);
        assert_eq!(turned(&[3, 2], &[1, 1], [2, 0]), None);
        assert_eq!(turned(&[3, 2], &[1, 1], [1, -1]), None);
        assert_eq!(turned(&[6], &[1], [1, 0]), None);
    }
}

//! NonZero: the indices of the elements that are not zero, a row for each dimension, in the order of the elements.
//!
//! As in NumPy, to which the text refers, both zeros of floats are zeros and a NaN is none; a complex number is zero where both parts
//! are. What a zero among strings is, no sentence says. A scalar has no row. Source: ONNX's schemas of NonZero-9 and 13.

use values::dtype::DType::{Int64, String as Text};
use values::dtype::Kind;
use values::element::Element;
use values::tensor::{Tensor, coordinates};

use crate::case_table::{self, Own};
use crate::families::picked_or_open::{Controlled, Picked};
use crate::families::reshaping::moved;
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, Port, TensorType, Version};

/// NonZero in ONNX's default domain.
pub static NONZERO: Operator = Operator {
    documents: &[Document {
        key: "onnx-nonzero",
        catalogue: include_str!("nonzero/onnx-nonzero.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &NONZERO, &[include_str!("nonzero/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("NonZero", OperatorKind::Exact, &VERSIONS, &Controlled(indices))
};

const VERSIONS: [Version; 2] = [version(9, &[input(15)]), version(13, &[input(16)])];

const fn input(types: usize) -> Port {
    Port::new("X", moved(types), "T")
}

const fn version(since: i64, inputs: &'static [Port]) -> Version {
    const OUTPUTS: &[Port] = &[Port::new("Y", &[Int64], "tensor(int64)")];
    Version { since, inputs, outputs: OUTPUTS, attributes: &[] }
}

fn indices(call: &Call) -> Result<Picked<'_>, Invalid> {
    let data = call.input(0)?;
    let rank = data.shape().len();
    if data.dtype() == Text && data.elements() > 0 {
        let any = TensorType::new(Int64, vec![rank.max(1), 1])?;
        return Ok(Picked::Open(any, "what a zero among strings is, is not stated"));
    }
    let places: Vec<usize> = (0..data.elements()).filter(|at| !is_zero(data, *at)).collect();
    let output = TensorType::new(Int64, vec![rank, places.len()])?;
    let source = move |index: usize| {
        let (along, at) = (index / places.len(), index % places.len());
        let index = *coordinates(places[at], data.shape()).get(along)?;
        Some(Element::Bits(Int64, index as u128))
    };
    Ok(Picked::From(output, Box::new(source)))
}

fn is_zero(data: &Tensor, at: usize) -> bool {
    let Some(bits) = data.element(at) else { return false };
    match data.dtype().kind() {
        Kind::Float(format) | Kind::Complex(format) => {
            format.parts(bits).iter().all(|part| format.magnitude(*part) == 0)
        }
        _ => bits == 0,
    }
}

#[cfg(test)]
mod tests {
    use values::dtype::DType::{self, Complex64, Float32};

    use super::*;
    use crate::operator::{Attributes, Specification};

    fn found(data: Tensor) -> (Vec<usize>, Vec<Option<u128>>) {
        let (version, onnx) = (NONZERO.newest(), Specification::Onnx);
        let made = Call::new(&NONZERO, version, onnx, Attributes::new(), vec![Some(data)]);
        let (call, types) = made.unwrap();
        let allowed = NONZERO.reference.allowed(&call, &types);
        let one = |index| {
            let one = allowed[0].at(index);
            one.is_decided().then(|| one.example().unwrap())
        };
        (types[0].shape.clone(), (0..types[0].shape.iter().product()).map(one).collect())
    }

    fn bits(dtype: DType, shape: &[usize], words: &[u32]) -> Tensor {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Tensor::from_bits(dtype, shape.to_vec(), bytes.into()).unwrap()
    }

    fn some(all: &[u128]) -> Vec<Option<u128>> {
        all.iter().copied().map(Some).collect()
    }

    #[test]
    fn a_nan_and_the_least_number_count_and_zeros_of_both_signs_do_not() {
        let data = bits(Float32, &[2, 3], &[0, 1 << 31, 0x7fc0_0001, 1, 0, 0x8000_0001]);
        assert_eq!(found(data), (vec![2, 3], some(&[0, 1, 1, 2, 0, 2])));
        let parts = [0, 0, 1 << 31, 0, 0, 1 << 31, 1, 0, 0, 1];
        assert_eq!(found(bits(Complex64, &[5], &parts)), (vec![1, 2], some(&[3, 4])));
    }

    #[test]
    fn scalars_have_no_row_and_no_elements_no_column() {
        assert_eq!(found(bits(Float32, &[], &[5])), (vec![0, 1], vec![]));
        assert_eq!(found(bits(Float32, &[], &[0])), (vec![0, 0], vec![]));
        assert_eq!(found(bits(Float32, &[0, usize::MAX], &[])), (vec![2, 0], vec![]));
    }

    #[test]
    fn strings_are_open_but_for_none() {
        let one = Tensor::from_strings(vec![1], vec!["a".into()]).unwrap();
        assert_eq!(found(one).1, [None]);
        let none = Tensor::from_strings(vec![0], vec![]).unwrap();
        assert_eq!(found(none), (vec![1, 0], vec![]));
    }
}

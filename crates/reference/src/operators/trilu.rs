//! Trilu: the upper or the lower triangular part of each matrix; other elements are zeros.
//!
//! What a zero among strings is, the text does not say. Source: ONNX's schema of Trilu-14.

use values::dtype::DType::{Int64, String as Text};
use values::element::Element;
use values::tensor::coordinates;

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source, integers};
use crate::families::reshaping::moved;
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};

/// Trilu in ONNX's default domain.
pub static TRILU: Operator = Operator {
    documents: &[Document { key: "onnx-trilu", catalogue: include_str!("trilu/onnx-trilu.toml") }],
    cases: Some(|of| case_table::cases(of, &TRILU, &[include_str!("trilu/cases.toml")], Own::NONE)),
    ..Operator::onnx("Trilu", OperatorKind::Exact, &VERSIONS, &Picking(triangle))
};

const VERSIONS: [Version; 1] = [Version {
    since: 14,
    inputs: &[Port::new("input", moved(16), "T"), Port::new("k", &[Int64], "K").optional()],
    outputs: &[Port::new("output", moved(16), "T")],
    attributes: &[UPPER],
}];

const UPPER: Attribute = Attribute::new("upper", AttributeType::Int).otherwise(Otherwise::Int(1));

fn triangle(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let data = call.input(0)?;
    let [.., _, _] = data.shape() else {
        return Err(call.invalid(&format!("takes matrices, not the shape {:?}", data.shape())));
    };
    let diagonal = match call.inputs.get(1).and_then(Option::as_ref) {
        None => 0,
        Some(k) if k.shape().is_empty() => integers(k).next().unwrap_or_default(),
        Some(_) => return Err(call.invalid("takes a scalar for `k`")),
    };
    let is_upper = match call.int("upper") {
        None | Some(1) => true,
        Some(0) => false,
        Some(_) => return Err(call.invalid("takes 0 or 1 for `upper`")),
    };
    let source = move |index: usize| {
        let at = coordinates(index, data.shape());
        let [.., row, column] = at[..] else { return None };
        let above = column as i128 - row as i128 - i128::from(diagonal);
        match (if is_upper { above >= 0 } else { above <= 0 }, data.dtype()) {
            (true, _) => Element::of(data, index),
            (false, Text) => None,
            (false, dtype) => Some(Element::Bits(dtype, 0)),
        }
    };
    Ok((TensorType::of(data), Box::new(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType;
    use values::tensor::Tensor;

    fn kept(shape: &[usize], k: Option<Tensor>, upper: i64) -> Option<Vec<u128>> {
        let count = shape.iter().product::<usize>();
        let data = Tensor::from_values(DType::Uint8, shape.to_vec(), vec![1_u8; count]).ok();
        let attributes = Attributes::from([("upper".to_owned(), AttributeValue::Int(upper))]);
        let version = TRILU.newest();
        let (call, types) =
            Call::new(&TRILU, version, Specification::Onnx, attributes, vec![data, k]).ok()?;
        let allowed = TRILU.reference.allowed(&call, &types);
        Some((0..count).map(|index| allowed[0].at(index).example().unwrap()).collect())
    }

    fn by(k: i64, upper: i64) -> Vec<u128> {
        let k = Tensor::from_values(Int64, Vec::new(), vec![k]).ok();
        kept(&[2, 3], k, upper).unwrap()
    }

    #[test]
    fn elements_on_and_beyond_the_diagonal_are_kept() {
        assert_eq!(kept(&[2, 3], None, 1).unwrap(), [1, 1, 1, 0, 1, 1]);
        assert_eq!(by(1, 1), [0, 1, 1, 0, 0, 1]);
        assert_eq!(by(0, 0), [1, 0, 0, 1, 1, 0]);
        assert_eq!(by(-1, 0), [0, 0, 0, 1, 0, 0]);
        for end in [i64::MIN, i64::MAX] {
            assert_eq!(by(end, 1), [u128::from(end < 0); 6]);
            assert_eq!(by(end, 0), [u128::from(end > 0); 6]);
        }
    }

    #[test]
    fn what_is_no_matrix_and_what_is_no_scalar_is_refused() {
        assert_eq!(kept(&[3], None, 1), None);
        assert_eq!(kept(&[], None, 1), None);
        assert_eq!(kept(&[2, 2], None, 2), None);
        let two = Tensor::from_values(Int64, vec![2], vec![0_i64, 0]).ok();
        assert_eq!(kept(&[2, 2], two, 1), None);
    }
}

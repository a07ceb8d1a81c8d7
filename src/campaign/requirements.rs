//! Which requirements the inputs of a campaign speak for: those on the results of the elements.

use crate::dtype::{DType, Kind};
use crate::profile::Operator;

/// What inputs of an operator and a type speak for.
struct Spoken {
    /// Those of every campaign: that quotients of numbers and roots of positive ones are as
    /// specified.
    always: &'static [&'static str],
    /// Those of the special values, which every input there is and the hard ones have among them.
    by_specials: &'static [&'static str],
}

const DIV_FLOAT: Spoken = Spoken {
    always: &["E_DIV_FLOAT_FUNC_0010", "P_DIV_FLOAT_ACC_0010", "P_DIV_FLOAT_FUNC_0011"],
    by_specials: &["P_DIV_FLOAT_ERR_0010", "P_DIV_FLOAT_FUNC_0012", "P_DIV_FLOAT_FUNC_0013"],
};
const DIV_INT: Spoken =
    Spoken { always: &["E_DIV_INT_FUNC_0010", "P_DIV_INT_ACC_0010"], by_specials: &[] };
const SQRT_FLOAT: Spoken = Spoken {
    always: &["P_SQRT_FLOAT_ACC_0010", "P_SQRT_FLOAT_FUNC_0050"],
    by_specials: &[
        "P_SQRT_FLOAT_ERR_0010",
        "P_SQRT_FLOAT_ERR_0020",
        "P_SQRT_FLOAT_ERR_0030",
        "P_SQRT_FLOAT_FUNC_0010",
        "P_SQRT_FLOAT_FUNC_0020",
        "P_SQRT_FLOAT_FUNC_0030",
        "P_SQRT_FLOAT_FUNC_0040",
        "P_SQRT_FLOAT_FUNC_0060",
    ],
};
const ONNX_DIV_FLOAT: Spoken = Spoken { always: &["P_ONNX_DIV14_FUNC_0010"], by_specials: &[] };
const ONNX_DIV_INT: Spoken =
    Spoken { always: &["P_ONNX_DIV14_FUNC_0010", "P_ONNX_DIV14_INT_0010"], by_specials: &[] };
const ONNX_SQRT: Spoken =
    Spoken { always: &["P_ONNX_SQRT13_FUNC_0010"], by_specials: &["P_ONNX_SQRT13_FUNC_0020"] };

/// The ids of the requirements that inputs of an operator and a type speak for, special values
/// among them or not, in order. SONNX has no bfloat16.
pub(super) fn of(operator: Operator, dtype: DType, specials: bool) -> Vec<String> {
    let float = matches!(dtype.kind(), Kind::Float(_));
    let (sonnx, onnx) = match operator {
        Operator::Div if float => (DIV_FLOAT, ONNX_DIV_FLOAT),
        Operator::Div => (DIV_INT, ONNX_DIV_INT),
        Operator::Sqrt => (SQRT_FLOAT, ONNX_SQRT),
    };
    let spoken = [(dtype != DType::Bfloat16).then_some(sonnx), Some(onnx)];
    let ids = spoken.into_iter().flatten().flat_map(|spoken| {
        let by_specials = if specials { spoken.by_specials } else { &[] };
        spoken.always.iter().chain(by_specials)
    });
    let mut ids: Vec<String> = ids.map(|id| (*id).to_owned()).collect();
    ids.sort();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::Catalogue;

    #[test]
    fn every_requirement_is_in_a_catalogue_and_can_be_tested() {
        let catalogue = Catalogue::embedded().unwrap();
        for operator in Operator::ALL {
            for &dtype in operator.types() {
                assert!(!of(operator, dtype, false).is_empty());
                for id in of(operator, dtype, true) {
                    assert!(catalogue.get(&id).unwrap().untestable.is_none(), "{id}");
                }
            }
        }
    }
}

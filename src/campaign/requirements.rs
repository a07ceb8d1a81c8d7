//! Which requirements the inputs of a campaign speak for: those on the results of the elements.

use crate::dtype::{DType, Kind};
use crate::profile::Operator;

const DIV_FLOAT: [&str; 3] =
    ["E_DIV_FLOAT_FUNC_0010", "P_DIV_FLOAT_ACC_0010", "P_DIV_FLOAT_FUNC_0011"];
const DIV_INT: [&str; 2] = ["E_DIV_INT_FUNC_0010", "P_DIV_INT_ACC_0010"];
const SQRT_FLOAT: [&str; 2] = ["P_SQRT_FLOAT_ACC_0010", "P_SQRT_FLOAT_FUNC_0050"];

const ONNX_DIV: [&str; 1] = ["P_ONNX_DIV14_FUNC_0010"];
const ONNX_DIV_INT: [&str; 2] = ["P_ONNX_DIV14_FUNC_0010", "P_ONNX_DIV14_INT_0010"];
const ONNX_SQRT: [&str; 1] = ["P_ONNX_SQRT13_FUNC_0010"];

/// The ids of the requirements that every campaign on an operator and a type speaks for: that
/// quotients of numbers and roots of positive ones are as specified. SONNX has no bfloat16.
pub(super) fn of(operator: Operator, dtype: DType) -> Vec<String> {
    let float = matches!(dtype.kind(), Kind::Float(_));
    let (sonnx, onnx): (&[&str], &[&str]) = match operator {
        Operator::Div if float => (&DIV_FLOAT, &ONNX_DIV),
        Operator::Div => (&DIV_INT, &ONNX_DIV_INT),
        Operator::Sqrt => (&SQRT_FLOAT, &ONNX_SQRT),
    };
    let sonnx = if dtype == DType::Bfloat16 { &[] } else { sonnx };
    sonnx.iter().chain(onnx).map(|id| (*id).to_owned()).collect()
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
                let ids = of(operator, dtype);
                assert!(!ids.is_empty());
                for id in ids {
                    assert!(catalogue.get(&id).unwrap().untestable.is_none(), "{id}");
                }
            }
        }
    }
}

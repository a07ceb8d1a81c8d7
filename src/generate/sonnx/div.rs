//! Div of SONNX within its constraints.

use super::{FLOATS, INTS, SHAPES, div_node};
use crate::case::Expect;
use crate::dtype::{DType, Kind};
use crate::float::Class;
use crate::generate::GenerateError;
use crate::generate::answer::Answer;
use crate::generate::boundaries;
use crate::generate::case::Case;
use crate::generate::floats::{pairs, specials};
use crate::generate::integers::{self, Int};
use crate::generate::sizes;
use crate::random::Random;
use crate::suite::Suite;
use crate::tensor::Tensor;
use reference::elements::{counting, decimal, operand, tensor, whole};
use reference::operators::div::DIV;

/// What every case within the constraints verifies of the output: it has the shape and type of the
/// inputs.
const FLOAT: [&str; 4] = [
    "E_DIV_FLOAT_FUNC_0010",
    "E_DIV_FLOAT_CONSTR_C_0010",
    "E_DIV_FLOAT_CONSTR_C_0020",
    "P_DIV_FLOAT_TYPES_0010",
];
const INT: [&str; 5] = [
    "E_DIV_INT_FUNC_0010",
    "E_DIV_INT_CONSTR_C_0010",
    "E_DIV_INT_CONSTR_C_0020",
    "P_DIV_INT_TYPES_0010",
    "P_DIV_INT_ACC_0010",
];
/// What a case of integers with zero divisors verifies.
const INT_ZERO_DIVISOR: [&str; 1] = ["P_DIV_INT_ERR_0010"];

/// A document's example: its shape, and the operands as integers to be divided by a power of ten.
struct Example {
    name: &'static str,
    shape: &'static [usize],
    places: u32,
    dividends: &'static [i128],
    divisors: &'static [i128],
}

const REAL_EXAMPLES: [Example; 2] = [
    Example {
        name: "example_1",
        shape: &[1, 3],
        places: 1,
        dividends: &[61, 95, 357],
        divisors: &[30, 33, 51],
    },
    Example {
        name: "example_2",
        shape: &[3, 2],
        places: 1,
        dividends: &[37, 44, 162, 5, 253, 248],
        divisors: &[30, 22, 41, 10, 52, 40],
    },
];

const FLOAT_EXAMPLES: [Example; 2] = [
    Example {
        name: "example_1",
        shape: &[3, 2],
        places: 2,
        dividends: &[300, 450, 1600, 100, 2550, 2425],
        divisors: &[300, 200, 400, 0, 500, 400],
    },
    Example {
        name: "example_2",
        shape: &[3, 2],
        places: 2,
        dividends: &[325, 450, 1600, 0, 2550, 2425],
        divisors: &[300, 200, 400, 0, 500, 400],
    },
];

const INT_EXAMPLES: [Example; 2] = [
    Example {
        name: "example_1",
        shape: &[1, 3],
        places: 0,
        dividends: &[6, 5, -35],
        divisors: &[3, 3, 3],
    },
    Example {
        name: "example_2",
        shape: &[3, 2],
        places: 0,
        dividends: &[10, 10, 21, 1, 30, 9],
        divisors: &[3, 2, 4, 1, 5, 4],
    },
];

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for example in &REAL_EXAMPLES {
        let note = "a real example of the document, its operands rounded to float64";
        cases.push(example.case("real", DType::Float64, note)?);
    }
    for dtype in FLOATS {
        for example in &FLOAT_EXAMPLES {
            cases.push(example.case(dtype.name(), dtype, "an example of the document")?);
        }
        cases.extend(float_classes(dtype)?);
    }
    for dtype in INTS {
        let signed = matches!(dtype.kind(), Kind::Int { signed: true, .. });
        for example in INT_EXAMPLES.iter().filter(|e| signed || e.dividends.iter().all(|&a| a >= 0))
        {
            cases.push(example.case(dtype.name(), dtype, "an example of the document")?);
        }
        cases.extend(int_classes(dtype)?);
    }
    for dtype in FLOATS.into_iter().chain(INTS) {
        let pairs = boundaries::operands(&DIV, dtype)?;
        cases.push(case_of_pairs(dtype, boundaries::NAME, &pairs, boundaries::NOTE)?);
    }
    cases.extend(sizes::cases("div", 2, true, |dtype, name, operands, note| {
        let [a, b] = <[Tensor; 2]>::try_from(operands).map_err(|_| boundaries::arity(&DIV))?;
        case(dtype.name(), name, a, b, note)
    })?);
    for dtype in [DType::Float32, DType::Int32] {
        for (name, shape) in SHAPES {
            let (a, b) = (counting(dtype, shape, 100)?, counting(dtype, shape, 1)?);
            let note = "the output has the shape of the inputs";
            cases.push(case(dtype.name(), name, a, b, note)?);
        }
    }
    Ok(cases)
}

impl Example {
    fn case(&self, folder: &str, dtype: DType, note: &str) -> Result<Case, GenerateError> {
        let operand = |digits: &[i128]| {
            let elements = digits.iter().map(|&digits| decimal(dtype, digits, self.places));
            tensor(dtype, self.shape, &elements.collect::<Result<Vec<_>, _>>()?)
        };
        case(folder, self.name, operand(self.dividends)?, operand(self.divisors)?, note)
    }
}

/// Every pair of classes of special values, and the classes of quotients.
fn float_classes(dtype: DType) -> Result<Vec<Case>, GenerateError> {
    let Kind::Float(format) = dtype.kind() else { return Ok(Vec::new()) };
    let mut cases = Vec::new();
    for (a_class, dividends) in specials(format) {
        for (b_class, divisors) in specials(format) {
            let name = format!("{a_class}_by_{b_class}");
            let pairs = dividends.iter().flat_map(|&a| divisors.iter().map(move |&b| [a, b]));
            let note = format!("special values: each {a_class} divided by each {b_class}");
            cases.push(case_of_pairs(dtype, &name, &pairs.collect::<Vec<_>>(), &note)?);
        }
    }
    for class in &pairs::CLASSES {
        let mut random = Random::for_case(&format!("sonnx/div/{dtype}/{}", class.name));
        let pairs = (class.draw)(format, &mut random);
        cases.push(case_of_pairs(dtype, class.name, &pairs, class.note)?);
    }
    Ok(cases)
}

fn int_classes(dtype: DType) -> Result<Vec<Case>, GenerateError> {
    let Kind::Int { signed, bits } = dtype.kind() else { return Ok(Vec::new()) };
    let mut cases = Vec::new();
    for class in &integers::CLASSES {
        let mut random = Random::for_case(&format!("sonnx/div/{dtype}/{}", class.name));
        let pairs = (class.draw)(Int { signed, bits }, &mut random);
        if pairs.is_empty() {
            continue;
        }
        let element = |value| whole(dtype, value);
        let pairs = pairs.into_iter().map(|[a, b]| Ok([element(a)?, element(b)?]));
        let pairs = pairs.collect::<Result<Vec<_>, GenerateError>>()?;
        cases.push(case_of_pairs(dtype, class.name, &pairs, class.note)?);
    }
    Ok(cases)
}

fn case_of_pairs(
    dtype: DType,
    name: &str,
    pairs: &[[u64; 2]],
    note: &str,
) -> Result<Case, GenerateError> {
    case(dtype.name(), name, operand(dtype, pairs, 0)?, operand(dtype, pairs, 1)?, note)
}

fn case(folder: &str, name: &str, a: Tensor, b: Tensor, note: &str) -> Result<Case, GenerateError> {
    let answer = Answer::of(Suite::Sonnx, &div_node(), &[a.clone(), b.clone()])?;
    // No document decides a quotient that the type does not have, so nothing else is verified by it.
    let requirements = match answer.expect {
        Expect::ValuesOrRefusal => vec!["E_DIV_INT_FUNC_0010"],
        _ => requirements(&a, &b),
    };
    let path = format!("sonnx/div/{folder}/{name}");
    Ok(Case::new(path, &div_node(), vec![a, b], answer, &requirements, note))
}

/// What a case of these operands verifies: for floats the rows of the document's case analysis that
/// its elements are of.
fn requirements(a: &Tensor, b: &Tensor) -> Vec<&'static str> {
    let pairs = || (0..a.elements()).filter_map(|k| Some([a.element(k)?, b.element(k)?]));
    let Kind::Float(format) = a.dtype().kind() else {
        let outside = pairs().any(|[_, b]| b == 0);
        return if outside { INT_ZERO_DIVISOR.to_vec() } else { INT.to_vec() };
    };
    let zero = |bits: u128| format.class(bits as u64) == Class::Zero;
    let number = |bits: u128| matches!(format.class(bits as u64), Class::Subnormal | Class::Normal);
    // The formula of the second row says infinity, which is not meant of NaN.
    let nan = |bits: u128| format.class(bits as u64) == Class::Nan;
    let rows = [
        ("P_DIV_FLOAT_FUNC_0011", pairs().any(|[a, b]| !zero(a) && !zero(b))),
        ("P_DIV_FLOAT_FUNC_0012", pairs().any(|[a, b]| !zero(a) && !nan(a) && zero(b))),
        ("P_DIV_FLOAT_FUNC_0013", pairs().any(|[a, b]| zero(a) && zero(b))),
        ("P_DIV_FLOAT_ERR_0010", pairs().any(|[a, b]| zero(a) && zero(b))),
        ("P_DIV_FLOAT_ACC_0010", pairs().any(|[a, b]| number(a) && number(b))),
    ];
    FLOAT.into_iter().chain(rows.into_iter().filter_map(|(id, is)| is.then_some(id))).collect()
}

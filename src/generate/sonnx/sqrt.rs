//! Sqrt of SONNX within its constraints.

use std::collections::BTreeSet;

use super::{FLOATS, SHAPES, sqrt_node};
use crate::dtype::{DType, Kind};
use crate::float::{Class, FloatFormat};
use crate::generate::GenerateError;
use crate::generate::answer::Answer;
use crate::generate::boundaries;
use crate::generate::case::Case;
use crate::generate::floats::{radicands, specials};
use crate::generate::sizes;
use crate::random::Random;
use crate::suite::Suite;
use crate::tensor::Tensor;
use reference::elements::{counting, decimal, operand, tensor};
use reference::operators::sqrt::SQRT;

/// What every case within the constraints verifies: the output has the shape and type of the input.
const FLOAT: [&str; 3] =
    ["P_SQRT_FLOAT_CONSTR_Y_0010", "P_SQRT_FLOAT_CONSTR_Y_0020", "P_SQRT_FLOAT_TYPES_0010"];

/// A finite element of an example, in hundredths.
type Hundredths = i128;

const REAL_EXAMPLES: [(&str, &[usize], &[Hundredths]); 2] = [
    ("example_1", &[1, 3], &[100, 200, 400]),
    ("example_2", &[3, 2], &[25, 225, 0, 10, 1000, 100_000]),
];

/// The third example holds no finite numbers.
const FLOAT_EXAMPLES: [(&str, &[usize], &[Hundredths]); 2] = [
    ("example_1", &[1, 3], &[100, 200, 400]),
    ("example_2", &[3, 2], &[25, -100, 0, 10, 1000, -100_000]),
];

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for (name, shape, hundredths) in REAL_EXAMPLES {
        let x = example(DType::Float64, shape, hundredths)?;
        let note = "a real example of the document, its operands rounded to float64";
        cases.push(case("real", name, x, note)?);
    }
    for dtype in FLOATS {
        let Kind::Float(format) = dtype.kind() else { continue };
        let mut push = |name: &str, x, note: &str| {
            case(dtype.name(), name, x, note).map(|case| cases.push(case))
        };
        for (name, shape, hundredths) in FLOAT_EXAMPLES {
            push(name, example(dtype, shape, hundredths)?, "an example of the document")?;
        }
        let third = tensor(dtype, &[1, 4], &third_example(format))?;
        push("example_3", third, "an example of the document")?;
        for (name, values) in specials(format) {
            let x = tensor(dtype, &[values.len()], &values)?;
            push(&format!("special_{name}"), x, &format!("special values: each {name}"))?;
        }
        for class in &radicands::CLASSES {
            let mut random = Random::for_case(&format!("sonnx/sqrt/{dtype}/{}", class.name));
            let x = (class.draw)(format, &mut random);
            push(class.name, tensor(dtype, &[x.len()], &x)?, class.note)?;
        }
        let x = operand(dtype, &boundaries::operands(&SQRT, dtype)?, 0)?;
        push(boundaries::NAME, x, boundaries::NOTE)?;
    }
    cases.extend(sizes::cases("sqrt", 1, false, |dtype, name, operands, note| {
        let [x] = <[Tensor; 1]>::try_from(operands).map_err(|_| boundaries::arity(&SQRT))?;
        case(dtype.name(), name, x, note)
    })?);
    for (name, shape) in SHAPES {
        let x = counting(DType::Float32, shape, 2)?;
        cases.push(case("float32", name, x, "the output has the shape of the input")?);
    }
    Ok(cases)
}

fn example(
    dtype: DType,
    shape: &[usize],
    hundredths: &[Hundredths],
) -> Result<Tensor, GenerateError> {
    let elements = hundredths.iter().map(|&hundredths| decimal(dtype, hundredths, 2));
    Ok(tensor(dtype, shape, &elements.collect::<Result<Vec<_>, _>>()?)?)
}

/// Positive infinity, a NaN, negative infinity and negative zero.
fn third_example(format: &FloatFormat) -> [u64; 4] {
    let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
    let nan = infinity | 1 << (format.significand_bits - 1);
    [infinity, nan, format.negated(infinity), format.negated(0)]
}

fn case(folder: &str, name: &str, x: Tensor, note: &str) -> Result<Case, GenerateError> {
    let answer = Answer::of(Suite::Sonnx, &sqrt_node(), std::slice::from_ref(&x))?;
    let requirements = requirements(&x);
    let path = format!("sonnx/sqrt/{folder}/{name}");
    Ok(Case::new(path, &sqrt_node(), vec![x], answer, &requirements, note))
}

/// What a case of this operand verifies: the rows of the document's case analysis, in their order,
/// that its elements are of.
fn requirements(x: &Tensor) -> Vec<&'static str> {
    let Kind::Float(format) = x.dtype().kind() else { return Vec::new() };
    let mut requirements = BTreeSet::from(FLOAT);
    for bits in (0..x.elements()).filter_map(|k| x.element(k)) {
        let row: &[&str] = match (format.class(bits as u64), format.is_negative(bits as u64)) {
            (Class::Infinite, true) => &["P_SQRT_FLOAT_FUNC_0010", "P_SQRT_FLOAT_ERR_0010"],
            (Class::Zero, true) => &["P_SQRT_FLOAT_FUNC_0020"],
            (Class::Infinite, false) => &["P_SQRT_FLOAT_FUNC_0030", "P_SQRT_FLOAT_ERR_0030"],
            (Class::Nan, _) => &["P_SQRT_FLOAT_FUNC_0040", "P_SQRT_FLOAT_ERR_0020"],
            (_, false) => &["P_SQRT_FLOAT_FUNC_0050", "P_SQRT_FLOAT_ACC_0010"],
            (_, true) => &["P_SQRT_FLOAT_FUNC_0060", "P_SQRT_FLOAT_ERR_0010"],
        };
        requirements.extend(row);
    }
    requirements.into_iter().collect()
}

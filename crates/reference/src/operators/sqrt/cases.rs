//! The cases of Sqrt: what unary operators have in common, SONNX's, and elements of every class for each
//! version of ONNX.

mod radicands;

use std::collections::BTreeSet;

use values::dtype::{DType, Kind};
use values::float::{Class, FloatFormat};
use values::random::Random;
use values::tensor::Tensor;

use super::SQRT;
use crate::case_list::CaseList;
use crate::case_spec::Stated;
use crate::elements::{ElementError, counting, decimal, tensor};
use crate::inputs::specials;
use crate::operators::size_cases::{self, LONG, LONG_NOTE, SHAPES};
use crate::operators::{boundary_cases, unary};
use crate::signature::Version;

const FLOATS: [DType; 3] = [DType::Float16, DType::Float32, DType::Float64];

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

pub(super) fn cases() -> Stated {
    let mut cases = unary::cases::cases(&SQRT)?;
    cases.extend(sonnx()?);
    for version in SQRT.versions {
        cases.extend(of_version(version)?);
    }
    let ids = ["FUNC_0010", "FUNC_0020", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
    cases.extend(boundary_cases::onnx(&SQRT, &ids)?);
    Ok(cases)
}

fn sonnx() -> Stated {
    let mut list = CaseList::sonnx(&SQRT);
    let mut add = |folder: &str, name: &str, x: Tensor, note: &str| {
        let requirements = requirements(&x);
        list.add_below(folder, name, vec![x], &requirements, note);
    };
    for (name, shape, hundredths) in REAL_EXAMPLES {
        let x = example(DType::Float64, shape, hundredths)?;
        add("real", name, x, "a real example of the document, its operands rounded to float64");
    }
    for dtype in FLOATS {
        let Kind::Float(format) = dtype.kind() else { continue };
        let folder = dtype.name();
        for (name, shape, hundredths) in FLOAT_EXAMPLES {
            let x = example(dtype, shape, hundredths)?;
            add(folder, name, x, "an example of the document");
        }
        let third = tensor(dtype, &[1, 4], &third_example(format))?;
        add(folder, "example_3", third, "an example of the document");
        for (name, values) in specials(format) {
            let x = tensor(dtype, &[values.len()], &values)?;
            add(folder, &format!("special_{name}"), x, &format!("special values: each {name}"));
        }
        for class in &radicands::CLASSES {
            let mut random = Random::for_case(&format!("sonnx/sqrt/{dtype}/{}", class.name));
            let x = (class.draw)(format, &mut random);
            add(folder, class.name, tensor(dtype, &[x.len()], &x)?, class.note);
        }
        for x in boundary_cases::inputs(&SQRT, dtype)? {
            add(folder, boundary_cases::NAME, x, boundary_cases::NOTE);
        }
    }
    for sized in size_cases::operands("sqrt", 1, false)? {
        for x in sized.operands {
            add(sized.dtype.name(), &sized.name, x, size_cases::NOTE);
        }
    }
    for (name, shape) in SHAPES {
        let x = counting(DType::Float32, shape, 2)?;
        add("float32", name, x, "the output has the shape of the input");
    }
    Ok(list.into_cases())
}

fn of_version(version: &Version) -> Stated {
    let mut list = CaseList::onnx(&SQRT, version);
    for &dtype in version.inputs.first().map_or(&[][..], |port| port.types) {
        let Kind::Float(format) = dtype.kind() else { continue };
        let random = |name| Random::for_case(&format!("onnx/{}", list.path(dtype, name)));
        let every_class = |step, mut random: Random| -> Vec<u64> {
            let specials = specials(format).into_iter().flat_map(|(_, values)| values);
            let classes = radicands::CLASSES.iter();
            let drawn = classes
                .flat_map(|class| (class.draw)(format, &mut random).into_iter().step_by(step));
            specials.chain(drawn).collect()
        };
        let long: Vec<u64> = every_class(1, random("long"));
        let elements = every_class(2, random("elements"));
        let ids = ["FUNC_0010", "FUNC_0020", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
        // A kernel's own code is asked once for each type.
        if version.since == SQRT.newest().since {
            let count = LONG.iter().product();
            let long: Vec<u64> = long.into_iter().cycle().take(count).collect();
            list.add(dtype, "long", vec![tensor(dtype, &LONG, &long)?], &ids[..4], LONG_NOTE);
        }
        let x = tensor(dtype, &[elements.len()], &elements)?;
        list.add(dtype, "elements", vec![x], &ids, "elements of every class");
    }
    Ok(list.into_cases())
}

fn example(
    dtype: DType,
    shape: &[usize],
    hundredths: &[Hundredths],
) -> Result<Tensor, ElementError> {
    let elements = hundredths.iter().map(|&hundredths| decimal(dtype, hundredths, 2));
    tensor(dtype, shape, &elements.collect::<Result<Vec<_>, _>>()?)
}

/// Positive infinity, a NaN, negative infinity and negative zero.
fn third_example(format: &FloatFormat) -> [u64; 4] {
    let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
    let nan = infinity | 1 << (format.significand_bits - 1);
    [infinity, nan, format.negated(infinity), format.negated(0)]
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

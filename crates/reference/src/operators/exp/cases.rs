//! The cases of Exp: special values, the thresholds of overflow and underflow, operands of all sizes,
//! and those whose results are hardest to round.

use values::dtype::DType::{self, Float16, Float32, Float64};
use values::dtype::Kind;
use values::float::{Class, FloatFormat};
use values::random::Random;

use super::super::unary::cases::cases as common;
use super::EXP;
use crate::case_list::CaseList;
use crate::case_spec::Stated;
use crate::elements::{counting, scaled, tensor, whole};
use crate::exact::exponential::{hardest, operands_around};
use crate::exact::number::{Value, largest, smallest_exponent};
use crate::exact::real::{overflow_threshold, power_of_two};
use crate::inputs::specials;
use crate::operators::boundary_cases;
use crate::operators::size_cases::LONG;

const SHAPES: [(&str, &[usize]); 4] = [
    ("rank_0", &[]),
    ("rank_3_long", &LONG),
    ("rank_6", &[2, 1, 2, 1, 3, 2]),
    ("empty_2x0x3", &[2, 0, 3]),
];
const FLOATS: [DType; 3] = [Float16, Float32, Float64];
/// The examples of the document.
const EXAMPLES: [(&str, &[usize], &[i128]); 2] =
    [("example_1", &[3], &[0, 1, -1]), ("example_2", &[3, 2], &[-2, 0, 1, 2, -4, 4])];

pub(super) fn cases() -> Stated {
    let mut cases = common(&EXP)?;
    cases.extend(sonnx()?);
    let ids = ["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
    cases.extend(boundary_cases::onnx(&EXP, &ids)?);
    for version in EXP.versions {
        let mut list = CaseList::onnx(&EXP, version);
        for &dtype in version.inputs.first().map_or(&[][..], |port| port.types) {
            let Kind::Float(format) = dtype.kind() else { continue };
            let mut random = Random::for_case(&list.path(dtype, "elements"));
            let drawn = classes(format, &mut random).into_iter();
            let elements: Vec<u64> = drawn.flat_map(|class| class.operands).collect();
            let x = tensor(dtype, &[elements.len()], &elements)?;
            let ids = ["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
            list.add(dtype, "elements", vec![x], &ids, "elements of every class");
        }
        for (name, shape) in SHAPES {
            let x = counting(Float32, shape, 0)?;
            let note = "the output has the shape of the input";
            list.add(Float32, name, vec![x], &["RESULT_0010"], note);
        }
        cases.extend(list.into_cases());
    }
    Ok(cases)
}

fn sonnx() -> Stated {
    let mut list = CaseList::sonnx(&EXP);
    let shape_ids = ["CONSTR_Y_0010", "CONSTR_Y_0020", "TYPES_0010"];
    for dtype in FLOATS {
        let Kind::Float(format) = dtype.kind() else { continue };
        let ids = |own: &[&str]| -> Vec<String> {
            shape_ids.iter().chain(own).map(|id| format!("P_EXP_FLOAT_{id}")).collect()
        };
        let mut random = Random::for_case(&list.path(dtype, "classes"));
        for class in classes(format, &mut random) {
            let x = tensor(dtype, &[class.operands.len()], &class.operands)?;
            list.add(dtype, class.name, vec![x], &ids(&[class.row]), class.note);
        }
        let note = "an example of the document";
        for (name, shape, values) in EXAMPLES {
            let elements = values.iter().map(|&value| whole(dtype, value));
            let x = tensor(dtype, shape, &elements.collect::<Result<Vec<_>, _>>()?)?;
            list.add(dtype, name, vec![x], &ids(&["FUNC_0040"]), note);
        }
        let infinity = largest(format) + 1;
        let nan = infinity | 1 << (format.significand_bits - 1);
        let x = tensor(dtype, &[3], &[infinity, nan, format.negated(infinity)])?;
        let rows = ids(&["FUNC_0010", "FUNC_0020", "FUNC_0030"]);
        list.add(dtype, "example_3", vec![x], &rows, note);
        if dtype == Float32 {
            for (name, shape) in SHAPES {
                let x = counting(dtype, shape, 0)?;
                list.add(dtype, name, vec![x], &ids(&[]), "the output has the shape of the input");
            }
        }
    }
    Ok(list.into_cases())
}

/// Operands of one row of SONNX's case analysis.
struct Operands {
    name: &'static str,
    note: &'static str,
    /// The row, by the end of its id.
    row: &'static str,
    operands: Vec<u64>,
}

fn classes(format: &FloatFormat, random: &mut Random) -> Vec<Operands> {
    let special = |wanted: &dyn Fn(u64) -> bool| -> Vec<u64> {
        let all = specials(format).into_iter().flat_map(|(_, values)| values);
        all.filter(|&bits| wanted(bits)).collect()
    };
    let infinity = largest(format) + 1;
    let numbers = |x: &u64| matches!(Value::of(format, *x), Value::Zero | Value::Finite(_));
    let class = |name, note, row, operands| Operands { name, note, row, operands };
    // Every boundary of the result with the operands next to it.
    let around = |boundary| -> Vec<u64> {
        let Some([below, above]) = operands_around(format, &boundary) else { return Vec::new() };
        let steps =
            |bits: u64| [bits.wrapping_sub(2), bits.wrapping_sub(1), bits, bits + 1, bits + 2];
        steps(below).into_iter().chain(steps(above)).filter(numbers).collect()
    };
    let threshold = overflow_threshold(format);
    let first_infinite = operands_around(format, &threshold).map_or(infinity, |[_, above]| above);
    let is_above = |x: &u64| !format.is_negative(*x) && *x >= first_infinite;
    let (smallest, field) = (smallest_exponent(format), format.significand_bits as i32);
    let mut sizes = Vec::new();
    // Above these all results are infinities or zeros; below 2^-p they are 1 or next to it.
    let exponents = smallest + field..=format.bias.ilog2() as i32 + 1;
    for exponent in exponents.filter(|exponent| *exponent > -field - 2 || exponent % 16 == 0) {
        for _ in 0..4 {
            let significand = random.bits() >> (64 - format.precision()) | 1 << field;
            let bits = scaled(format, significand, exponent - field);
            sizes.extend(bits.into_iter().flat_map(|bits| [bits, format.negated(bits)]));
        }
    }
    let (above, sizes): (Vec<u64>, Vec<u64>) = sizes.into_iter().partition(is_above);
    let over: Vec<u64> = around(threshold.clone());
    let (over, under_threshold): (Vec<u64>, Vec<u64>) = over.into_iter().partition(is_above);
    let mut binades = under_threshold;
    for exponent in [smallest - 1, smallest, smallest + 1, smallest + field, -1, 0, 1, format.bias]
    {
        binades.extend(around(power_of_two(exponent)));
    }
    binades.retain(|x| !is_above(x));
    let exact_point = special(&|x| format.class(x) == Class::Zero);
    let others = special(&|x| matches!(format.class(x), Class::Subnormal | Class::Normal));
    let (special_above, others): (Vec<u64>, Vec<u64>) = others.into_iter().partition(is_above);
    vec![
        class("special_nan", "each NaN", "FUNC_0010", special(&|x| format.class(x) == Class::Nan)),
        class("special_negative_infinity", "positive zero", "FUNC_0020", vec![format.negated(infinity)]),
        class("special_infinity", "infinity", "FUNC_0030", vec![infinity]),
        class(
            "overflow",
            "the first operands whose exponential is an infinity, and any above them",
            "FUNC_0031",
            [over, special_above, above].concat(),
        ),
        class("zero", "the exponential of both zeros is 1 exactly", "FUNC_0040", exact_point),
        class("special_numbers", "the smallest numbers of each kind", "FUNC_0040", others),
        class(
            "thresholds",
            "results on both sides of the largest number, of powers of two, of the smallest normal and \
             subnormal numbers and of half of that",
            "FUNC_0040",
            binades,
        ),
        class("sizes", "operands of all sizes", "FUNC_0040", sizes),
        class(
            "hardest",
            "operands whose results lie closest to halfway between two numbers",
            "FUNC_0040",
            hardest(format).filter(|x| numbers(x) && !is_above(x)).collect(),
        ),
    ]
    .into_iter()
    .filter(|class| !class.operands.is_empty())
    .collect()
}

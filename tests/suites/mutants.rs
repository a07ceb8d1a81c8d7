//! Wrong kernels, each of which must fail a suite in every type that it is wrong in.

use std::collections::BTreeSet;

use half::f16;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::dtype::DType::{
    self, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;
use onnx_conformance::suite::Suite;
use onnx_conformance::verdict::Verdict;

use crate::judge::{Loaded, cases, judge};
use crate::kernels::{Kernels, RIGHT, div, int, is_float, nearest, sqrt, value};

/// A wrong kernel and the types in which it is wrong.
pub(crate) struct Mutant {
    pub(crate) says: &'static str,
    pub(crate) kernels: Kernels,
    wrong_in: &'static [DType],
}

const fn of_div(
    says: &'static str,
    wrong_in: &'static [DType],
    div: fn(DType, u64, u64) -> Option<u64>,
) -> Mutant {
    Mutant { says, kernels: Kernels { div, ..RIGHT }, wrong_in }
}

const fn of_sqrt(
    says: &'static str,
    wrong_in: &'static [DType],
    sqrt: fn(DType, u64) -> u64,
) -> Mutant {
    Mutant { says, kernels: Kernels { sqrt, ..RIGHT }, wrong_in }
}

const FLOATS: &[DType] = &[Float16, Float32, Float64];
const WIDE_FLOATS: &[DType] = &[Float32, Float64];

fn through_float16(dtype: DType, bits: u64) -> u64 {
    nearest(dtype, f16::from_f64(value(dtype, bits)).to_f64())
}

fn class(dtype: DType, bits: u64) -> Class {
    match dtype.kind() {
        Kind::Float(format) => format.class(bits),
        _ => panic!("{dtype} is no float type"),
    }
}

fn flushed(dtype: DType, bits: u64) -> u64 {
    match class(dtype, bits) {
        Class::Subnormal => nearest(dtype, 0_f64.copysign(value(dtype, bits))),
        _ => bits,
    }
}

/// A quotient of `bits` significant bits, ties to even, for a quotient that is normal there.
fn rounded_to(bits: u32, value: f64) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let unit = 2_f64.powi(value.abs().log2().floor() as i32 + 1 - bits as i32);
    (value / unit).round_ties_even() * unit
}

/// The value rounded towards zero to binary32.
fn truncated_to_float32(value: f64) -> f64 {
    let near = value as f32;
    let away = f64::from(near).abs() > value.abs();
    f64::from(if away { f32::from_bits(near.to_bits() - 1) } else { near })
}

/// The value rounded towards zero to binary16.
fn truncated_to_float16(value: f64) -> u64 {
    let near = f16::from_f64(value);
    let away = near.to_f64().abs() > value.abs();
    u64::from(near.to_bits() - u16::from(away))
}

/// Of floats something else, of integers the right quotient.
macro_rules! float_div {
    (|$dtype:ident, $a:ident, $b:ident| $result:expr) => {
        |$dtype, $a, $b| if is_float($dtype) { Some($result) } else { div($dtype, $a, $b) }
    };
}

/// Of one type something else, of the others the right quotient.
macro_rules! div_of {
    ($only:pat, |$dtype:ident, $a:ident, $b:ident| $result:expr) => {
        |$dtype, $a, $b| if matches!($dtype, $only) { $result } else { div($dtype, $a, $b) }
    };
}

fn right(dtype: DType, a: u64, b: u64) -> f64 {
    value(dtype, a) / value(dtype, b)
}

pub(crate) const SONNX: [Mutant; 31] = [
    of_div(
        "operands are rounded through float16",
        WIDE_FLOATS,
        float_div!(|t, a, b| div(t, through_float16(t, a), through_float16(t, b))?),
    ),
    of_div(
        "the quotient is rounded through float16",
        WIDE_FLOATS,
        float_div!(|t, a, b| through_float16(t, div(t, a, b)?)),
    ),
    of_sqrt("the operand is rounded through float16", WIDE_FLOATS, |t, x| {
        sqrt(t, through_float16(t, x))
    }),
    of_sqrt("the root is rounded through float16", WIDE_FLOATS, |t, x| {
        through_float16(t, sqrt(t, x))
    }),
    of_div(
        "it multiplies by the reciprocal",
        FLOATS,
        float_div!(|t, a, b| {
            let reciprocal = value(t, nearest(t, 1.0 / value(t, b)));
            nearest(t, value(t, a) * reciprocal)
        }),
    ),
    of_div(
        "the quotient is scaled by 1 + 2^-20",
        FLOATS,
        float_div!(|t, a, b| nearest(t, right(t, a, b) * (1.0 + 2_f64.powi(-20)))),
    ),
    of_sqrt("the root is scaled by 1 + 2^-20", FLOATS, |t, x| {
        nearest(t, value(t, x).sqrt() * (1.0 + 2_f64.powi(-20)))
    }),
    of_div(
        "zeros lose their sign",
        FLOATS,
        float_div!(|t, a, b| nearest(t, value(t, div(t, a, b)?) + 0.0)),
    ),
    of_sqrt("negative zero loses its sign", FLOATS, |t, x| nearest(t, value(t, x).sqrt() + 0.0)),
    of_div(
        "x/0 gives 0",
        FLOATS,
        float_div!(|t, a, b| if class(t, b) == Class::Zero { 0 } else { div(t, a, b)? }),
    ),
    of_div(
        "x/0 gives an infinity without sign",
        FLOATS,
        float_div!(|t, a, b| {
            let divisor = value(t, b);
            nearest(t, value(t, a) / if divisor == 0.0 { 0.0 } else { divisor })
        }),
    ),
    of_div(
        "0/0 gives 1",
        FLOATS,
        float_div!(|t, a, b| match (class(t, a), class(t, b)) {
            (Class::Zero, Class::Zero) => nearest(t, 1.0),
            _ => div(t, a, b)?,
        }),
    ),
    of_div(
        "subnormal operands are flushed",
        FLOATS,
        float_div!(|t, a, b| div(t, flushed(t, a), flushed(t, b))?),
    ),
    of_div(
        "subnormal quotients are flushed",
        FLOATS,
        float_div!(|t, a, b| flushed(t, div(t, a, b)?)),
    ),
    of_sqrt("subnormal operands are flushed", FLOATS, |t, x| sqrt(t, flushed(t, x))),
    of_div(
        "float64 is divided in float32",
        &[Float64],
        div_of!(Float64, |t, a, b| {
            let quotient = value(t, a) as f32 / value(t, b) as f32;
            Some(f64::from(quotient).to_bits())
        }),
    ),
    of_sqrt("float64 roots are taken in float32", &[Float64], |t, x| match t {
        Float64 => f64::from((value(t, x) as f32).sqrt()).to_bits(),
        _ => sqrt(t, x),
    }),
    of_div(
        "64-bit integers are divided as doubles",
        &[Int64, Uint64],
        div_of!(Int64 | Uint64, |t, a, b| {
            let (a, b) = (int(t, a), int(t, b));
            (b != 0).then(|| (a as f64 / b as f64) as i128 as u64)
        }),
    ),
    of_div(
        "int64 is divided as int32",
        &[Int64],
        div_of!(Int64, |_t, a, b| (a as i32).checked_div(b as i32).map(|c| i64::from(c) as u64)),
    ),
    of_div(
        "32-bit integers are divided in float32",
        &[Int32, Uint32],
        div_of!(Int32 | Uint32, |t, a, b| {
            let (a, b) = (int(t, a), int(t, b));
            (b != 0).then(|| (a as f32 / b as f32) as i128 as u64)
        }),
    ),
    of_div("integers are floored", &[Int8, Int16, Int32, Int64], |t, a, b| {
        if is_float(t) || int(t, b) == 0 {
            return div(t, a, b);
        }
        let (a, b) = (int(t, a), int(t, b));
        Some((a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)) as u64)
    }),
    of_div("integers are rounded to the nearest", INTS, |t, a, b| {
        if is_float(t) || int(t, b) == 0 {
            return div(t, a, b);
        }
        let (a, b) = (int(t, a), int(t, b));
        let away = 2 * (a % b).abs() >= b.abs();
        Some((a / b + i128::from(away) * a.signum() * b.signum()) as u64)
    }),
    of_div("unsigned is treated as signed", &[Uint8, Uint16, Uint32, Uint64], |t, a, b| {
        let signed = match t {
            Uint8 => Int8,
            Uint16 => Int16,
            Uint32 => Int32,
            Uint64 => Int64,
            other => other,
        };
        div(signed, a, b)
    }),
    of_div("signed is treated as unsigned", &[Int8, Int16, Int32, Int64], |t, a, b| {
        let unsigned = match t {
            Int8 => Uint8,
            Int16 => Uint16,
            Int32 => Uint32,
            Int64 => Uint64,
            other => other,
        };
        div(unsigned, a, b)
    }),
    of_sqrt("the root is that of the absolute value", FLOATS, |t, x| {
        nearest(t, value(t, x).abs().sqrt())
    }),
    of_sqrt("the root is exp2(log2(x) / 2)", FLOATS, |t, x| match t {
        Float32 => ((value(t, x) as f32).log2() / 2.0).exp2().to_bits().into(),
        _ => nearest(t, (value(t, x).log2() / 2.0).exp2()),
    }),
    of_div(
        "float16 is rounded to 12 bits first",
        &[Float16],
        div_of!(Float16, |t, a, b| Some(nearest(t, rounded_to(12, right(t, a, b))))),
    ),
    of_sqrt("float16 roots are rounded to 12 bits first", &[Float16], |t, x| match t {
        Float16 => nearest(t, rounded_to(12, value(t, x).sqrt())),
        _ => sqrt(t, x),
    }),
    of_div(
        "float16 is truncated to float32 and then to float16",
        &[Float16],
        div_of!(Float16, |t, a, b| Some(truncated_to_float16(truncated_to_float32(right(
            t, a, b
        ))))),
    ),
    of_div(
        "the conversion to float16 truncates",
        &[Float16],
        div_of!(Float16, |t, a, b| Some(truncated_to_float16(right(t, a, b)))),
    ),
    of_sqrt("the conversion of roots to float16 truncates", &[Float16], |t, x| match t {
        Float16 => truncated_to_float16(value(t, x).sqrt()),
        _ => sqrt(t, x),
    }),
];

const INTS: &[DType] = &[Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64];

/// Wrong broadcasting, which `sonnx` does not have.
pub(crate) const ONNX: [Mutant; 2] = [
    Mutant {
        says: "`axis` is ignored",
        kernels: Kernels { attributes: |attributes| drop(attributes.remove("axis")), ..RIGHT },
        wrong_in: &[Float32],
    },
    Mutant {
        says: "`axis` is taken for 0",
        kernels: Kernels {
            attributes: |attributes| {
                if let Some(value) = attributes.get_mut("axis") {
                    *value = onnx_conformance::kernels::Attribute::Int(0);
                }
            },
            ..RIGHT
        },
        wrong_in: &[Float32],
    },
];

/// The types of the cases that a kernel fails.
fn failed_types(kernels: &Kernels, cases: &[Loaded]) -> BTreeSet<DType> {
    cases
        .iter()
        .filter(|case| judge(kernels, case).verdict == Verdict::Fail)
        .flat_map(|case| case.case.data_sets[0].inputs[0].tensors())
        .map(onnx_conformance::tensor::Tensor::dtype)
        .collect()
}

fn assert_all_are_found(mutants: &[Mutant], suite: Suite) {
    let cases = cases(suite);
    assert_eq!(failed_types(&RIGHT, &cases), BTreeSet::new(), "right kernels fail {suite}");
    let mut missed = Vec::new();
    for mutant in mutants {
        let failed = failed_types(&mutant.kernels, &cases);
        let wanted: BTreeSet<DType> = mutant.wrong_in.iter().copied().collect();
        if failed != wanted {
            missed.push(format!("{}: fails in {failed:?}, not {wanted:?}", mutant.says));
        }
    }
    assert!(missed.is_empty(), "{suite}:\n{}", missed.join("\n"));
}

#[test]
fn every_wrong_kernel_fails_the_sonnx_suite_in_every_type_it_is_wrong_in() {
    assert_all_are_found(&SONNX, Suite::Sonnx);
}

#[test]
fn a_wrong_broadcasting_axis_fails_the_onnx_suite() {
    assert_all_are_found(&ONNX, Suite::Onnx);
}

#[test]
fn the_built_in_backend_fails_no_case() {
    for suite in Suite::ALL {
        for case in cases(suite) {
            let result = judge(&Builtin, &case);
            let decided = matches!(result.verdict, Verdict::Pass | Verdict::OutOfDomain);
            assert!(decided, "{suite}/{}: {:?} {:?}", case.name, result.verdict, result.message);
        }
    }
}

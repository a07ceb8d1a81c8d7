//! What the profiles accept: kernels of known error, the edges of domains, and flushed results.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use onnx_conformance::dtype::DType;
use onnx_conformance::judge::compare::{Element, OutputComparison, ReferenceOutput, compare};
use onnx_conformance::judge::profile::{Profile, Tolerance};
use onnx_conformance::oracle::Conforming;
use onnx_conformance::reference::operator::{Attributes, Call, Operator, Specification};
use onnx_conformance::reference::operators::{
    acosh::ACOSH, add::ADD, asin::ASIN, cos::COS, div::DIV, divide::DIVIDE, erf::ERF, exp::EXP,
    gelu::GELU, log::LOG, sin::SIN, sqrt::SQRT, tan::TAN,
};
use onnx_conformance::tensor::{Tensor, Value};
use proptest::prelude::*;

/// One element of a type.
fn element(dtype: DType, bits: u64) -> Tensor {
    let bytes = bits.to_le_bytes()[..dtype.bits().unwrap() as usize / 8].to_vec();
    Tensor::from_bits(dtype, vec![1], bytes.into()).unwrap()
}

/// Compares `actual` with the operator on the operands, where all zeros were expected.
fn judged(
    profile: &str,
    operator: &'static Operator,
    dtype: DType,
    operands: &[u64],
    actual: u64,
) -> OutputComparison {
    let inputs = operands.iter().map(|&bits| Some(element(dtype, bits))).collect();
    let (version, attributes) = (operator.newest(), Attributes::new());
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    let reference = ReferenceOutput { operator, allowed: &*allowed[0], is_expected: false };
    let profile = Profile::named(profile).unwrap();
    let [expected, actual] = [0, actual].map(|bits| Value::from(element(dtype, bits)));
    let mut outputs =
        compare(&profile, Tolerance::default(), "y", &expected, &actual, Some(&reference));
    assert_eq!(outputs.len(), 1);
    outputs.remove(0)
}

/// `+` conforms, `-` violates, `?` undecided.
fn verdict(output: &OutputComparison) -> char {
    match (output.elements, output.undecided, output.mismatches) {
        (1, 0, 0) => '+',
        (1, 0, 1) => '-',
        (0, 1, 0) => '?',
        other => panic!("one element counted as {other:?}"),
    }
}

fn div32(profile: &str, a: f32, b: f32, actual: f32) -> char {
    let operands = [a, b].map(|x| x.to_bits().into());
    verdict(&judged(profile, &DIV, DType::Float32, &operands, actual.to_bits().into()))
}

fn sqrt32(profile: &str, x: f32, actual: f32) -> char {
    let operands = [x.to_bits().into()];
    verdict(&judged(profile, &SQRT, DType::Float32, &operands, actual.to_bits().into()))
}

fn steps(x: f32, by: i32) -> f32 {
    f32::from_bits(x.to_bits().wrapping_add_signed(by))
}

const LIMITED: [&str; 4] = ["opencl-full", "opencl-embedded", "webgpu", "cuda-approx"];

/// What the profiles say of one element, in the order of [`LIMITED`].
fn all(judge: impl Fn(&str) -> char) -> String {
    LIMITED.iter().map(|profile| judge(profile)).collect()
}

#[test]
fn a_quotient_some_steps_off_passes_as_far_as_each_limit_goes() {
    // 1/3 is a third of a step below its nearest float, so errors upwards are n + 1/3 steps.
    let off = |by| all(|profile| div32(profile, 1.0, 3.0, steps(1.0 / 3.0, by)));
    assert_eq!(off(0), "++++");
    assert_eq!(off(2), "++++");
    assert_eq!(off(3), "----");
    assert_eq!(off(-2), "++++");
    assert_eq!(off(-3), "-+--", "2.67 ULP are more than 2.5, not more than 3");
    assert_eq!(off(-4), "----");
    let strict = |by| div32("sonnx", 1.0, 3.0, steps(1.0 / 3.0, by));
    assert_eq!((strict(0), strict(1), strict(-1)), ('+', '-', '-'));
}

#[test]
fn a_root_some_steps_off_passes_as_far_as_each_limit_goes() {
    // An exact root, so its error is its distance.
    let off = |by| all(|profile| sqrt32(profile, 2.25, steps(1.5, by)));
    assert_eq!(off(1), "++++");
    assert_eq!(off(2), "+++-");
    assert_eq!(off(3), "+++-");
    assert_eq!(off(-4), "-++-");
    assert_eq!(off(9), "--+-");
    assert_eq!(off(10), "----");
    assert_eq!((sqrt32("sonnx", 2.25, 1.5), sqrt32("sonnx", 2.25, steps(1.5, 1))), ('+', '-'));
}

#[test]
fn half_and_double_have_their_own_limits() {
    let half = |profile: &str, by: u64| {
        verdict(&judged(profile, &DIV, DType::Float16, &[0x4200, 0x4000], 0x3e00 + by))
    };
    assert_eq!(all(|profile| half(profile, 1)), "+++-");
    assert_eq!(all(|profile| half(profile, 2)), "--+-");
    let double = |profile: &str, by: u64| {
        let [three, two] = [3.0_f64, 2.0].map(f64::to_bits);
        verdict(&judged(profile, &DIV, DType::Float64, &[three, two], 1.5_f64.to_bits() + by))
    };
    assert_eq!(all(|profile| double(profile, 0)), "++?+");
    assert_eq!(all(|profile| double(profile, 3)), "-+?-");
    assert_eq!(all(|profile| double(profile, 4)), "--?-");
}

#[test]
fn outside_its_domain_webgpu_decides_nothing() {
    let wrong = 7.0;
    for (divisor, decided) in [
        (f32::MIN_POSITIVE, true),
        (f32::from_bits(f32::MIN_POSITIVE.to_bits() - 1), false),
        (2_f32.powi(126), true),
        (steps(2_f32.powi(126), 1), false),
        (-2_f32.powi(126), true),
        (0.0, false),
        (f32::INFINITY, false),
        (f32::NAN, false),
    ] {
        let verdict = div32("webgpu", 0.01 * divisor, divisor, wrong);
        assert_eq!(verdict == '-', decided, "{divisor:e}: {verdict}");
        assert_eq!(verdict == '?', !decided, "{divisor:e}: {verdict}");
    }
    assert_eq!(sqrt32("webgpu", 0.0, 7.0), '?', "1 / inverseSqrt(0) is 1 / infinity");
    assert_eq!(sqrt32("webgpu", f32::MIN_POSITIVE, 7.0), '-');
    assert_eq!(sqrt32("webgpu", -1.0, 7.0), '?');
}

#[test]
fn special_operands_are_as_in_ieee_754_or_undecided() {
    let inf = f32::INFINITY;
    assert_eq!(all(|profile| div32(profile, 1.0, 0.0, inf)), "++?+");
    assert_eq!(all(|profile| div32(profile, -1.0, 0.0, inf)), "--?-");
    assert_eq!(all(|profile| div32(profile, 0.0, 0.0, f32::NAN)), "++?+");
    assert_eq!(all(|profile| div32(profile, f32::NAN, 1.0, 0.0)), "--?-");
    assert_eq!(all(|profile| div32(profile, inf, 2.0, inf)), "++?+");
    assert_eq!(all(|profile| sqrt32(profile, -1.0, f32::NAN)), "++?+");
    assert_eq!(all(|profile| sqrt32(profile, -1.0, 1.0)), "--?-");
    assert_eq!(all(|profile| sqrt32(profile, -0.0, -0.0)), "++?+");
    assert_eq!(all(|profile| sqrt32(profile, -0.0, 0.0)), "--?-");
    // An exact zero is no matter of accuracy; its sign is one of the profile.
    assert_eq!(all(|profile| div32(profile, 0.0, -3.0, -0.0)), "++++");
    assert_eq!(all(|profile| div32(profile, 0.0, -3.0, 0.0)), "--+-");
    assert_eq!(all(|profile| div32(profile, 0.0, 3.0, 1e-45)), "----");
}

#[test]
fn a_result_that_may_overflow_may_be_the_infinity_after_the_largest() {
    let (max, inf) = (f32::MAX, f32::INFINITY);
    // The quotient is the largest number, so an infinity is one unit off.
    assert_eq!(all(|profile| div32(profile, max, 1.0, inf)), "++?+");
    assert_eq!(all(|profile| div32(profile, max, 1.0, -inf)), "--?-");
    assert_eq!(all(|profile| div32(profile, max, 1.0, max)), "++?+");
    assert_eq!(div32("sonnx", max, 1.0, inf), '-');
    // Three units below the infinity only the embedded profile's limit reaches it.
    let below = steps(max, -2);
    assert_eq!(all(|profile| div32(profile, below, 1.0, inf)), "-+--");
    assert_eq!(all(|profile| div32(profile, below, 1.0, max)), "++++");
    // Beyond the largest the largest is far off.
    assert_eq!(all(|profile| div32(profile, max, 0.125, inf)), "++?+");
    assert_eq!(all(|profile| div32(profile, max, 0.125, max)), "--?-");
    assert_eq!(all(|profile| div32(profile, max, 1.0, f32::NAN)), "--?-");
}

#[test]
fn subnormal_results_may_be_zeros_where_that_is_permitted() {
    let subnormal = f32::MIN_POSITIVE / 4.0;
    let flushed = |a: f32, zero: f32| all(|profile| div32(profile, a, 4.0, zero));
    assert_eq!(flushed(f32::MIN_POSITIVE, subnormal), "++++");
    assert_eq!(flushed(f32::MIN_POSITIVE, 0.0), "++++");
    assert_eq!(flushed(f32::MIN_POSITIVE, -0.0), "+++-", "CUDA keeps the sign");
    assert_eq!(flushed(-f32::MIN_POSITIVE, -0.0), "++++");
    // The smallest normal number is no subnormal one, but one within each limit is.
    assert_eq!(flushed(4.0 * f32::MIN_POSITIVE, 0.0), "++++");
    assert_eq!(flushed(4.0 * steps(f32::MIN_POSITIVE, 3), 0.0), "----");
    assert_eq!(div32("sonnx", f32::MIN_POSITIVE, 4.0, 0.0), '-');
    // Double is not flushed.
    let [a, b] = [f64::MIN_POSITIVE, 4.0].map(f64::to_bits);
    let double = |profile: &str| verdict(&judged(profile, &DIV, DType::Float64, &[a, b], 0));
    assert_eq!(all(double), "--?-");
}

#[test]
fn subnormal_operands_may_be_read_as_zeros_where_that_is_permitted() {
    let subnormal = f32::MIN_POSITIVE / 2.0;
    assert_eq!(all(|profile| div32(profile, subnormal, subnormal, 1.0)), "++?+");
    assert_eq!(all(|profile| div32(profile, subnormal, subnormal, f32::NAN)), "++?+", "0 / 0");
    assert_eq!(all(|profile| div32(profile, 1.0, subnormal, f32::INFINITY)), "++?+");
    assert_eq!(all(|profile| div32(profile, 1.0, subnormal, -f32::INFINITY)), "++?-");
    assert_eq!(all(|profile| div32(profile, subnormal, f32::MIN_POSITIVE, 0.5)), "++++");
    assert_eq!(all(|profile| div32(profile, subnormal, f32::MIN_POSITIVE, 0.0)), "++++");
    assert_eq!(all(|profile| div32(profile, subnormal, f32::MIN_POSITIVE, 0.25)), "----");
    assert_eq!(all(|profile| sqrt32(profile, subnormal, 0.0)), "++?+");
    assert_eq!(all(|profile| sqrt32(profile, -subnormal, f32::NAN)), "++?+");
    assert_eq!(all(|profile| sqrt32(profile, -subnormal, -0.0)), "++?+");
    assert_eq!(all(|profile| sqrt32(profile, -subnormal, 0.0)), "++?-");
    for strict in ["sonnx", "ieee754"] {
        assert_eq!(div32(strict, subnormal, f32::MIN_POSITIVE, 0.25), '-', "{strict}");
    }
    assert_eq!(div32("sonnx", subnormal, f32::MIN_POSITIVE, 0.0), '-');
}

#[test]
fn the_oracle_judges_whatever_was_expected() {
    // All zeros were expected: under sonnx they fail, and the quotient conforms.
    assert_eq!(div32("sonnx", 6.0, 3.0, 2.0), '+');
    assert_eq!(div32("sonnx", 6.0, 3.0, 0.0), '-');
    assert_eq!(div32("ieee754", 6.0, 3.0, 2.0), '-');
    assert_eq!(div32("ieee754", 6.0, 3.0, 0.0), '+');
    let output = judged("opencl-full", &DIV, DType::Float32, &[0x3f80_0000, 0x4040_0000], 0);
    assert_eq!(output.max_error.unwrap().to_string(), "11184810.666667");
}

#[test]
fn integers_are_truncated_and_undecided_where_the_documents_are() {
    let int8 = |profile: &str, a: u64, b: u64, actual: u64| {
        verdict(&judged(profile, &DIV, DType::Int8, &[a, b], actual))
    };
    assert_eq!(int8("sonnx", 0xf9, 0x02, 0xfd), '+', "-7 / 2 is -3");
    assert_eq!(int8("sonnx", 0xf9, 0x02, 0xfc), '-');
    assert_eq!(int8("sonnx", 0x80, 0xff, 0x80), '+');
    assert_eq!(int8("sonnx", 0x80, 0xff, 0x7f), '-');
    assert_eq!(int8("opencl-full", 0x80, 0xff, 0x7f), '?');
    assert_eq!(int8("sonnx", 1, 0, 0x2a), '?');
    assert_eq!(int8("webgpu", 6, 2, 3), '?', "WGSL has no int8");
}

#[test]
fn another_division_is_judged_as_asked() {
    let output = judged("sonnx", &DIVIDE, DType::Int8, &[0xf9, 0x02], 0xfc);
    assert_eq!(verdict(&output), '+', "-7 / 2 is -4");
    let output = judged("sonnx", &DIVIDE, DType::Float32, &[0x3f80_0000, 0], 0);
    assert_eq!(verdict(&output), '?', "Divide-1 does not define x / 0");
}

#[test]
fn without_operands_the_fallback_decides() {
    let [expected, actual] = [1, 2].map(|bits| Value::from(element(DType::Float32, bits)));
    let judged = |profile: &str| {
        let profile = Profile::named(profile).unwrap();
        verdict(&compare(&profile, Tolerance::default(), "y", &expected, &actual, None)[0])
    };
    assert_eq!((judged("sonnx"), judged("ieee754"), judged("onnx")), ('-', '-', '+'));
    assert_eq!(all(judged), "????");
}

fn correct(operator: &'static Operator, dtype: DType, operands: &[u64]) -> Option<u64> {
    let function = operator.reference.elementwise(Specification::Onnx, &Attributes::new()).unwrap();
    let elements: Vec<_> = operands.iter().map(|&bits| Element::Bits(dtype, bits.into())).collect();
    match function.conforming(dtype, &elements) {
        Conforming::One(bits) | Conforming::RefusalOr(bits) => Some(bits),
        Conforming::AnyNan(format) => Some(format.magnitude(u64::MAX)),
        _ => None,
    }
}

fn of32(profile: &str, operator: &'static Operator, x: f32, actual: f32) -> char {
    verdict(&judged(
        profile,
        operator,
        DType::Float32,
        &[x.to_bits().into()],
        actual.to_bits().into(),
    ))
}

fn of16(profile: &str, operator: &'static Operator, x: u64, actual: u64) -> char {
    verdict(&judged(profile, operator, DType::Float16, &[x], actual))
}

#[test]
fn in_webgpu_a_sine_is_as_far_off_as_an_absolute_limit_from_minus_pi_to_pi() {
    let sin = |x: f32, off: f64| of32("webgpu", &SIN, x, (f64::from(x).sin() + off) as f32);
    let limit = 2_f64.powi(-11);
    for (off, expected) in [(0.0, '+'), (0.99, '+'), (-0.99, '+'), (1.01, '-'), (-1.01, '-')] {
        assert_eq!(sin(1.0, off * limit), expected, "{off}");
        assert_eq!(sin(-3.0, off * limit), expected, "{off}");
    }
    let below_pi = 3.141_592_5_f32;
    assert_eq!((sin(below_pi, 0.5), sin(below_pi, 1e-5)), ('-', '+'));
    assert_eq!((sin(below_pi.next_up(), 0.5), sin(-below_pi.next_up(), 0.5)), ('?', '?'));
    // Of float16 the largest number below pi is 3.140625, and the limit 2^-7.
    assert_eq!(
        (of16("webgpu", &COS, 0x4248, 0xbc00), of16("webgpu", &COS, 0x4248, 0xba00)),
        ('+', '-')
    );
    assert_eq!(of16("webgpu", &COS, 0x4249, 0x0000), '?');
    // An exact zero is no matter of accuracy, and an infinity has no sine.
    assert_eq!(
        (sin(0.0, 0.0), of32("webgpu", &SIN, 0.0, 1e-5), sin(f32::INFINITY, 0.0)),
        ('+', '-', '?')
    );
}

#[test]
fn in_webgpu_the_limit_of_exp_grows_with_the_operand_and_that_of_log_is_absolute_next_to_one() {
    let exp = |x: f32, by| of32("webgpu", &EXP, x, steps(f64::from(x).exp() as f32, by));
    assert_eq!(
        (exp(10.0, 22), exp(10.0, 24), exp(-10.0, -22), exp(-10.0, 24)),
        ('+', '-', '+', '-')
    );
    assert_eq!((exp(0.25, 3), exp(0.25, 5)), ('+', '-'));
    let log = |x: f32, off: f64| of32("webgpu", &LOG, x, (f64::from(x).ln() + off) as f32);
    for (x, off, expected) in
        [(1.5, 4e-7, '+'), (1.5, 6e-7, '-'), (2.0, 4e-7, '+'), (2.01, 8e-7, '-')]
    {
        assert_eq!(log(x, off), expected, "{x} {off}");
    }
    let by = |by| of32("webgpu", &LOG, 20.0, steps(20_f64.ln() as f32, by));
    assert_eq!((by(2), by(4)), ('+', '-'));
}

#[test]
fn what_webgpu_inherits_from_an_expression_is_undecided_beyond_the_absolute_error() {
    let asin = |off: f64| of32("webgpu", &ASIN, 0.5, (0.5_f64.asin() + off) as f32);
    assert_eq!(
        (asin(0.0), asin(6.8e-5), asin(-6.8e-5), asin(6.9e-5), asin(1.0)),
        ('+', '+', '+', '?', '?')
    );
    assert_eq!(of32("webgpu", &ACOSH, 2.0, 7.0), '?');
    assert_eq!(of32("webgpu", &TAN, 2.0, 7.0), '?');
    assert_eq!(of32("webgpu", &ERF, 2.0, 7.0), '?', "WGSL has no such function");
}

#[test]
fn a_sum_may_be_either_number_around_it_where_the_rounding_is_open_but_none_off_by_a_whole_unit() {
    let add = |profile: &str, b: f32, by| {
        let operands = [1.5, b].map(|x: f32| x.to_bits().into());
        let actual = steps(1.5 + b, by).to_bits().into();
        verdict(&judged(profile, &ADD, DType::Float32, &operands, actual))
    };
    let tiny = 2_f32.powi(-40);
    for (profile, up) in [("webgpu", '+'), ("opencl-embedded", '+'), ("opencl-full", '-')] {
        assert_eq!((add(profile, tiny, 0), add(profile, tiny, 1)), ('+', up), "{profile}");
        assert_eq!((add(profile, tiny, 2), add(profile, tiny, -1)), ('-', '-'), "{profile}");
        assert_eq!((add(profile, 1.0, 1), add(profile, 1.0, -1)), ('-', '-'), "{profile}: exact");
    }
}

#[test]
fn functions_have_the_limits_of_opencl_and_its_exact_results() {
    let sin = |profile: &str, by| of32(profile, &SIN, 1.0, steps(1_f64.sin() as f32, by));
    let erf = |profile: &str, by| of32(profile, &ERF, 0.5, steps(0.520_499_9, by));
    for profile in ["opencl-full", "opencl-embedded", "onnx-exact"] {
        assert_eq!((sin(profile, 3), sin(profile, 5)), ('+', '-'), "{profile}");
        assert_eq!((erf(profile, 15), erf(profile, 18)), ('+', '-'), "{profile}");
    }
    // The tangent of 1 is 1.5574: of float16, 0x3e3b and 0.1 units of it.
    let tan = |profile: &str, by: u64| of16(profile, &TAN, 0x3c00, 0x3e3b + by);
    assert_eq!((tan("opencl-full", 2), tan("opencl-full", 3)), ('+', '-'));
    assert_eq!((tan("opencl-embedded", 2), tan("opencl-embedded", 4)), ('+', '-'));
    // No limit admits another zero than that of the operand, nor a number for what there is none.
    let zero = all(|profile| of32(profile, &SIN, -0.0, 0.0));
    assert_eq!(zero, "--+?");
    assert_eq!(all(|profile| of32(profile, &ASIN, 2.0, 1.570_796_4)), "--??");
    // A sine next to 0 may be flushed.
    let subnormal = f32::MIN_POSITIVE / 2.0;
    assert_eq!(all(|profile| of32(profile, &SIN, subnormal, 0.0)), "+++?");
}

#[test]
fn gelu_is_judged_by_its_body_where_the_sum_of_that_cancels_out() {
    // At -5 the function is -1.43e-6; in its body 1 is added to an erf of nearly -1, which may be off by some units of 2^-24.
    let gelu = |profile, actual| of32(profile, &GELU, -5.0, actual);
    let of = |profile| [-1.433_258e-6, 0.0, -3e-6, -1e-5, 1e-5].map(|actual| gelu(profile, actual));
    assert_eq!(of("onnx-exact"), ['+', '+', '+', '-', '-']);
    assert_eq!(of("exact")[1..], ['-'; 4]);
}

/// The example in `docs/verdicts.md`, for readers to copy.
#[test]
fn the_profile_that_is_shown_to_readers_is_one() {
    let page = include_str!("../../docs/verdicts.md");
    let text = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let profile = Profile::own("mine.toml", text).unwrap();
    assert!(profile.is_laxer_than(&Profile::named("sonnx").unwrap()));
    let layer = profile.of_case("onnx-1.22.0/node/test_layer_normalization_2d_axis0");
    assert_eq!(layer.decision(None, DType::Float32).source, "the order of the sum is not ours");
    assert_eq!(layer.decision(None, DType::Float64).source, "a choice");
}

proptest! {
    #[test]
    fn a_correct_result_violates_no_profile(
        a: u64, b: u64,
        dtype in proptest::sample::select(vec![DType::Float16, DType::Bfloat16, DType::Float32,
            DType::Float64, DType::Int8, DType::Uint32, DType::Int64]),
        divide: bool,
    ) {
        let mask = u64::MAX >> (64 - dtype.bits().unwrap());
        let operands = [a & mask, b & mask];
        let (operator, arity) = if divide { (&DIV, 2) } else { (&SQRT, 1) };
        let operands = &operands[..arity];
        if !operator.types().contains(&dtype) {
            return Ok(());
        }
        if let Some(actual) = correct(operator, dtype, operands) {
            for profile in LIMITED.into_iter().chain(["sonnx"]) {
                let output = judged(profile, operator, dtype, operands, actual & mask);
                prop_assert_eq!(output.mismatches, 0, "{}", profile);
            }
        }
    }
}

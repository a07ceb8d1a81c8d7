//! Tests: the hard inputs of the operators are hard, and none harder is missing.

mod undecided;

use std::collections::BTreeSet;

use values::dtype::DType;

use crate::check::Check;
use crate::inputs::Column;
use crate::inputs::{Space, Tuple};
use crate::operator::{AttributeValue, Attributes, Call, Domain, Operator, OperatorKind};
use crate::operators::OPERATORS;
use crate::operators::add::ADD;
use crate::operators::clip::CLIP;
use crate::operators::dequantizelinear::DEQUANTIZELINEAR;
use crate::operators::div::DIV;
use crate::operators::exp::EXP;
use crate::operators::mul::MUL;
use crate::operators::quantizelinear::QUANTIZELINEAR;
use crate::operators::reciprocal::RECIPROCAL;
use crate::operators::sqrt::SQRT;
use crate::operators::sub::SUB;
use crate::signature::Specification;
use crate::signature::types_of;
use values::float::FloatFormat;

const FLOAT16: FloatFormat = FloatFormat::FLOAT16;

/// What several operators share is in `families`.
#[test]
fn every_module_here_is_an_operator() {
    let (modules, list) = include_str!("../operators.rs").split_once("OPERATORS").unwrap();
    let names = modules.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let others: Vec<_> = names.filter(|name| !list.contains(&format!("&{name}::"))).collect();
    assert_eq!(others, [""; 0]);
    assert_eq!(
        modules.matches("mod ").count(),
        OPERATORS.len() + 1,
        "beside them only these tests"
    );
}

/// The number of a format that is nearest to one of binary64, by the processor's own rounding to integers:
/// in units of the last place, of which those of subnormal numbers are the least.
pub(crate) fn nearest(format: &FloatFormat, number: f64) -> f64 {
    let exponent = (number.abs().to_bits() >> 52) as i32 - 1023;
    let unit = 2_f64.powi(exponent.max(1 - format.bias) - format.significand_bits as i32);
    let rounded = (number / unit).round_ties_even() * unit;
    let is_infinite = rounded.abs() >= 2_f64.powi(format.bias) * 2.0;
    if is_infinite { f64::INFINITY.copysign(number) } else { rounded }
}

/// The tuples of a part.
fn part(operator: &Operator, dtype: DType, name: &str) -> Vec<Tuple> {
    let chain = operator.hard(dtype).unwrap();
    let (parts, mut first) = (chain.parts(), 0);
    let part = parts.iter().find(|part| {
        let found = part.name == name;
        first += if found { 0 } else { part.size };
        found
    });
    let len = part.unwrap().size as usize;
    let mut operands = vec![Column::new(dtype); 2];
    operands.iter_mut().for_each(|column| column.resize(len));
    chain.fill(first, &mut operands);
    (0..len).map(|at| [operands[0].element(at), operands[1].element(at)]).collect()
}

fn quotients(name: &str) -> Vec<Tuple> {
    let found = part(&DIV, DType::Float16, name);
    assert!(found.len() > 1000, "{name}: {}", found.len());
    found
}

/// A float16 quotient or root in units of its last place, which binary64 holds to 40 bits more.
fn in_ulps(value: f64) -> f64 {
    let exponent = (value.abs().to_bits() >> 52) as i32 - 1023;
    value.abs() / 2_f64.powi(exponent.max(-14) - 10)
}

fn quotient([a, b]: Tuple) -> f64 {
    FLOAT16.to_f64(a) / FLOAT16.to_f64(b)
}

/// How far a number of units is from a boundary.
type Distance = fn(f64) -> f64;

/// Distance from the nearest midpoint.
fn from_midpoint(ulps: f64) -> f64 {
    (ulps - ulps.floor() - 0.5).abs()
}

/// Distance from the nearest number.
fn from_number(ulps: f64) -> f64 {
    (ulps - ulps.round()).abs()
}

#[test]
fn the_nearest_float16_quotients_are_those_that_a_search_over_all_significands_finds() {
    let [one, two] = [0x3c00_u64, 0x4000];
    let significands = || one..two;
    let parts: [(&str, Distance, f64); 2] =
        [("nearest to midpoints", from_midpoint, 2.0), ("nearest to numbers", from_number, 1.0)];
    for (name, distance, ulps) in parts {
        let all = significands().flat_map(|a| significands().map(move |b| [a, b]));
        let near = all.filter(|&pair| {
            let distance = distance(in_ulps(quotient(pair)));
            distance > 0.0 && distance * ulps < 1.0 / 1024.0
        });
        let searched: BTreeSet<Tuple> = near.collect();
        let found = quotients(name).into_iter();
        let positive = found.filter(|pair| pair.iter().all(|bits| bits >> 15 == 0));
        // Some dividends are of the binade above.
        let found: Vec<Tuple> = positive.map(|pair| pair.map(|bits| bits & 0x3ff | one)).collect();
        assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), searched, "{name}");
        assert_eq!(found.len(), searched.len());
    }
}

#[test]
fn quotients_and_roots_near_midpoints_or_numbers_are_near_and_never_on_them() {
    let parts: [(&str, Distance, f64); 4] = [
        ("near midpoints", from_midpoint, 31.0 / 2.0),
        ("near numbers", from_number, 16.0),
        ("near subnormal midpoints", from_midpoint, 7.0),
        ("near subnormal numbers", from_number, 4.0),
    ];
    for (name, distance, rest) in parts {
        for pair in quotients(name) {
            let distance = distance(in_ulps(quotient(pair)));
            assert!(0.0 < distance && distance <= rest / 1024.0, "{name}: {pair:x?}");
        }
    }
    let roots: [(&str, Distance); 2] =
        [("near midpoints", from_midpoint), ("near numbers", from_number)];
    for (name, distance) in roots {
        let found = part(&SQRT, DType::Float16, name);
        assert!(found.len() > 100);
        for [radicand, _] in found {
            let distance = distance(in_ulps(FLOAT16.to_f64(radicand).sqrt()));
            assert!(0.0 < distance && distance <= 0.04, "{name}: {radicand:x}");
        }
    }
}

#[test]
fn subnormal_ties_are_ties_of_every_length_and_parity() {
    let mut classes = BTreeSet::new();
    for pair in quotients("subnormal ties") {
        let halves = in_ulps(quotient(pair)) * 2.0;
        assert_eq!(halves % 2.0, 1.0, "{pair:x?}");
        let halves = halves as u64;
        assert!(halves < 1 << 11);
        classes.insert((halves.ilog2(), halves & 2 == 0));
    }
    // Half the smallest number, three halves of it, and both parities of longer ones.
    assert_eq!(classes.len(), 2 + 2 * 9);
}

#[test]
fn no_quotient_comes_closer_to_a_threshold_than_those_of_the_part() {
    let tiny = 2_f64.powi(-25);
    let (overflow, normal) = (65520.0, 2_f64.powi(-14));
    let found: Vec<f64> =
        quotients("thresholds").into_iter().map(quotient).filter(|&q| q > 0.0).collect();
    for (threshold, above) in [(overflow, 16), (normal, -14), (tiny, -25), (2.0 * tiny, -24)] {
        let significands = || (0x3c00..0x4000).map(|bits| FLOAT16.to_f64(bits));
        let mut closest = [0.0_f64, f64::INFINITY];
        for b in significands() {
            for a in significands() {
                for quotient in [-1, 0, 1].map(|by| a / b * 2_f64.powi(above + by)) {
                    if quotient < threshold {
                        closest[0] = closest[0].max(quotient);
                    } else if quotient > threshold {
                        closest[1] = closest[1].min(quotient);
                    }
                }
            }
        }
        assert!(closest.iter().all(|quotient| found.contains(quotient)), "{closest:?}");
    }
}

#[test]
fn special_values_are_of_every_class_and_meet_each_other() {
    let pairs: BTreeSet<Tuple> = quotients("special values").into_iter().collect();
    let [quiet, signalling, infinity, largest] = [0x7e01, 0x7c01, 0x7c00, 0x7bff];
    let finite = [0, 1, 0x3ff, 0x400, 0x3bff, 0x3c00, 0x3c01, largest];
    let values = finite.into_iter().chain([quiet, signalling, infinity, 0x7e00, 0x7fff]);
    let values: Vec<u64> = values.flat_map(|bits| [bits, bits | 0x8000]).collect();
    for a in &values {
        assert!(values.iter().all(|b| pairs.contains(&[*a, *b])));
    }
}

#[test]
fn exponents_are_all_pairs_with_boundary_significands() {
    let pairs = quotients("exponents");
    let distinct: BTreeSet<Tuple> = pairs.iter().copied().collect();
    assert_eq!((pairs.len(), distinct.len()), (31 * 31 * 9, 31 * 31 * 9));
    let fields = [0, 1, 0x3ff];
    let is_boundary = |bits: &u64| fields.contains(&(bits & 0x3ff)) && bits >> 10 < 31;
    assert!(pairs.iter().flatten().all(is_boundary));
}

#[test]
fn integers_hold_the_boundaries_and_the_neighbours_of_multiples() {
    let signed = |[a, b]: Tuple| [a as i8, b as i8];
    let tuples = |name| part(&DIV, DType::Int8, name).into_iter().map(signed);
    let boundaries: BTreeSet<[i8; 2]> = tuples("boundaries").collect();
    for pair in [[-128, -1], [-128, 0], [127, -128], [0, 0], [-1, 63], [-65, 33]] {
        assert!(boundaries.contains(&pair), "{pair:?}");
    }
    let multiples: BTreeSet<[i8; 2]> = tuples("next to multiples").collect();
    for (q, b) in [(3, 7), (-3, 7), (3, -7), (-8, -9), (1, 127), (31, 4_i16)] {
        let sign = if (q < 0) == (b < 0) { 1 } else { -1 };
        for rest in [-1, 0, 1, b.abs() - 1] {
            let a = q * b + sign * rest;
            let inside = i8::try_from(a).map(|a| multiples.contains(&[a, b as i8]));
            assert_ne!(inside, Ok(false), "{a} / {b}");
        }
    }
}

#[test]
fn every_operator_and_type_has_hard_inputs_and_states_how_many() {
    let sizes: Vec<String> = [
        (&DIV, DType::Float16),
        (&DIV, DType::Bfloat16),
        (&SQRT, DType::Float16),
        (&SQRT, DType::Bfloat16),
        (&SQRT, DType::Float32),
        (&SQRT, DType::Float64),
        (&DIV, DType::Int8),
        (&DIV, DType::Uint64),
        (&EXP, DType::Bfloat16),
        (&EXP, DType::Float16),
        (&EXP, DType::Float64),
        (&MUL, DType::Float16),
        (&MUL, DType::Float32),
        (&MUL, DType::Float64),
        (&MUL, DType::Int8),
        (&MUL, DType::Uint64),
        (&ADD, DType::Float16),
        (&ADD, DType::Bfloat16),
        (&ADD, DType::Float32),
        (&ADD, DType::Float64),
        (&ADD, DType::Int8),
        (&ADD, DType::Uint64),
        (&SUB, DType::Float32),
        (&SUB, DType::Int8),
        (&RECIPROCAL, DType::Float16),
        (&RECIPROCAL, DType::Float64),
    ]
    .into_iter()
    .map(|(operator, dtype)| format!("{operator} {dtype} {}", operator.hard(dtype).unwrap().len()))
    .collect();
    insta::assert_snapshot!(sizes.join("\n"), @r"
    Div float16 1412029
    Div bfloat16 1034581
    Sqrt float16 4535
    Sqrt bfloat16 12700
    Sqrt float32 8578497
    Sqrt float64 1233873
    Div int8 3578
    Div uint64 106128
    Exp bfloat16 12851
    Exp float16 2396
    Exp float64 835369
    Mul float16 441850
    Mul float32 1013770
    Mul float64 38136580
    Mul int8 8412
    Mul uint64 217696
    Add float16 245537
    Add bfloat16 1412005
    Add float32 5070185
    Add float64 16585955
    Add int8 1707
    Add uint64 38202
    Sub float32 5070185
    Sub int8 1705
    Reciprocal float16 34290
    Reciprocal float64 1097652
    ");
    assert!(SQRT.hard(DType::Int8).is_none());
    for operator in OPERATORS.iter().filter(|operator| operator.reference.boundaries().is_some()) {
        let is_asked =
            operator.domain == Domain::Onnx && operator.kind != OperatorKind::Accumulated;
        for &dtype in operator.types().iter().filter(|_| is_asked) {
            let chain = operator.hard(dtype).unwrap();
            assert!(chain.parts().iter().all(|part| part.size > 0), "{operator} {dtype}");
        }
    }
}

#[test]
fn products_near_midpoints_are_on_them_or_next_to_them() {
    let found = part(&MUL, DType::Float16, "near midpoints");
    let [mut on, mut beside] = [0, 0];
    for &pair in &found {
        let product = pair.map(|bits| FLOAT16.to_f64(bits)).iter().product::<f64>().abs();
        // Beyond the largest number a binade goes on, and below the normal numbers bits are lost.
        if product >= 2_f64.powi(-14) {
            let distance = from_midpoint(in_ulps(product));
            assert!(distance <= 1.0 / 1024.0, "{pair:x?}: {distance}");
            *(if distance == 0.0 { &mut on } else { &mut beside }) += 1;
        }
    }
    assert!(on > 10_000 && beside > 10_000, "{on} {beside} of {}", found.len());
}

#[test]
fn sums_of_integers_lie_on_both_sides_of_each_end() {
    let pairs = part(&ADD, DType::Int8, "next to ends");
    let sums: BTreeSet<i32> =
        pairs.iter().map(|&[a, b]| i32::from(a as i8) + i32::from(b as i8)).collect();
    for end in [-256, -255, -129, -128, -127, 126, 127, 128, 253, 254] {
        assert!(sums.contains(&end), "{end}");
    }
}

#[test]
fn products_of_integers_lie_on_both_sides_of_each_end() {
    let pairs = part(&MUL, DType::Int8, "next to multiples");
    let products: BTreeSet<i32> =
        pairs.iter().map(|&[a, b]| i32::from(a as i8) * i32::from(b as i8)).collect();
    for end in [-129, -128, -127, 126, 127, 128, 254, 255, 256, -256] {
        assert!(products.contains(&end), "{end}");
    }
}

#[test]
fn what_sweeps_speak_for_is_said_of_types_that_are_known() {
    for operator in OPERATORS {
        let lines = operator.coverage.lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let (word, ids) = line.split_once(' ').unwrap();
            assert!(types_of(word).is_some() && !ids.is_empty(), "{operator}: {line}");
        }
    }
}

#[test]
fn what_conforms_and_how_far_elements_are_from_it_are_the_same_together_as_apart() {
    let mut judged = BTreeSet::new();
    for operator in OPERATORS {
        let Some(cases) = operator.cases else { continue };
        for case in Specification::ALL.into_iter().flat_map(|of| cases(of).unwrap()) {
            let version = operator.version(case.opset).unwrap();
            let attributes = case.attributes.into_iter().collect();
            let Ok((call, types)) = Call::for_outputs(
                case.outputs,
                operator,
                version,
                case.specification,
                attributes,
                case.inputs,
            ) else {
                continue;
            };
            for (allowed, output) in operator.reference.allowed(&call, &types).iter().zip(&types) {
                let count: usize = output.shape.iter().product();
                for index in (0..count).step_by(count / 3 + 1) {
                    let conforming = allowed.at(index);
                    let Some(example) = conforming.example() else { continue };
                    let actual = [example as u64, example as u64 ^ 1];
                    let apart = actual.map(|actual| allowed.deviation(index, actual));
                    assert_eq!(allowed.judged(index, actual), (conforming, apart), "{}", case.path);
                    judged.insert(operator.name);
                }
            }
        }
    }
    assert!(judged.contains("MatMul") && judged.contains("QLinearConv"), "{judged:?}");
}

#[test]
fn an_element_with_scalars_has_the_results_that_a_call_with_them_has() {
    let output = |dtype: DType| {
        let to = AttributeValue::Int(dtype.onnx_code().into());
        Attributes::from([("output_dtype".to_owned(), to)])
    };
    for (operator, dtype, attributes) in [
        (&CLIP, DType::Float16, Attributes::new()),
        (&CLIP, DType::Int8, Attributes::new()),
        (&QUANTIZELINEAR, DType::Float32, Attributes::new()),
        (&QUANTIZELINEAR, DType::Float16, output(DType::Float8E5M2)),
        (&QUANTIZELINEAR, DType::Int32, output(DType::Int2)),
        (&DEQUANTIZELINEAR, DType::Uint8, Attributes::new()),
        (&DEQUANTIZELINEAR, DType::Float4E2M1, output(DType::Bfloat16)),
        (&DEQUANTIZELINEAR, DType::Float6E3M2, output(DType::Float16)),
        (&QUANTIZELINEAR, DType::Bfloat16, output(DType::Float6E2M3)),
    ] {
        let check = Check::of(operator, dtype, attributes).unwrap();
        let space = check.stratified(7, 1).unwrap();
        let mut columns = check.columns();
        columns.iter_mut().for_each(|column| column.resize(space.len().min(400) as usize));
        space.fill(space.len() / 3, &mut columns);
        for at in 0..columns[0].len() {
            let bits: Vec<u64> = columns.iter().map(|column| column.element(at)).collect();
            let typed = check.operands().iter().zip(&bits).enumerate();
            let tensors = typed.map(|(place, (&dtype, &bits))| {
                Some(crate::elements::tensor(dtype, check.shape(place, &[1]), &[bits]).unwrap())
            });
            let (call, types) = Call::new(
                operator,
                operator.newest(),
                Specification::Onnx,
                check.attributes().clone(),
                tensors.collect(),
            )
            .unwrap();
            assert_eq!(types[0].dtype, check.result());
            let allowed = operator.reference.allowed(&call, &types);
            assert_eq!(allowed[0].at(0), check.conforming(&bits), "{operator} {bits:x?}");
            let actual = bits[0] & 3;
            assert_eq!(allowed[0].judged(0, [actual; 2]).0, check.judged(&bits, actual).0);
            assert_eq!(allowed[0].deviation(0, actual), check.deviation(&bits, actual));
        }
    }
}

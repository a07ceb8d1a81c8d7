//! Tests: what brackets tell of sums is what exact arithmetic tells of them.

use std::hint::black_box;
use std::time::Instant;

use reference::brackets::{Checked, Outside};
use reference::conditioned;
use reference::elements::tensor_of;
use reference::exact::bracket::{Bracket, Brackets};
use reference::exact::sum::Terms;
use reference::exact::{Conforming, Deviation, Share};
use reference::operator::{
    Allowed, AttributeValue, Attributes, Call, Domain, Specification, TensorType,
};
use reference::operators;
use reference::real::Real;
use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::FloatFormat;
use values::random::Random;
use values::tensor::{Tensor, Value};

use crate::compare::{OutputComparison, ReferenceOutput, compare};
use crate::outcome::Outcome;
use crate::profile::{Profile, Tolerance};
use crate::trial::Trial;

const DTYPES: [DType; 3] = [DType::Float32, DType::Float16, DType::Bfloat16];

/// What is allowed, with the brackets of other sums, or none.
struct Bracketed<'a>(&'a dyn Allowed, Option<&'a dyn Allowed>);

impl Allowed for Bracketed<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.0.at(index)
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.0.real(index, bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.0.deviation(index, actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        self.0.judged(index, actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.0.share(index, actual)
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        self.1?.brackets()
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.0.operands(index)
    }
}

/// The same, without its brackets.
fn exactly(allowed: &dyn Allowed) -> Bracketed<'_> {
    Bracketed(allowed, None)
}

fn format_of(dtype: DType) -> &'static FloatFormat {
    let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
    format
}

fn tensor(dtype: DType, shape: &[usize], bits: impl IntoIterator<Item = u64>) -> Tensor {
    let elements = bits.into_iter().map(|bits| Element::Bits(dtype, bits.into())).collect();
    tensor_of(dtype, shape, elements).unwrap()
}

fn call_of(
    operator: &str,
    attributes: &[(&str, AttributeValue)],
    inputs: Vec<Tensor>,
) -> (Call, Vec<TensorType>) {
    let operator = operators::find(Domain::Onnx, operator).unwrap();
    let attributes: Attributes =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let inputs = inputs.into_iter().map(Some).collect();
    Call::new(operator, operator.newest(), Specification::Onnx, attributes, inputs).unwrap()
}

/// How many elements were judged, and of how many a bracket told something.
#[derive(Default, Debug)]
struct Told {
    elements: usize,
    bracketed: usize,
}

/// Judges outputs of a call by brackets and without.
fn assert_alike(
    (call, types): &(Call, Vec<TensorType>),
    expected: &Tensor,
    actual: &Tensor,
    profiles: &[&str],
    told: &mut Told,
) -> Vec<OutputComparison> {
    let allowed = call.operator.reference.allowed(call, types);
    let allowed = &*allowed[0];
    let brackets = Checked::of(allowed).unwrap();
    for at in 0..brackets.tiles() {
        let tile = brackets.tile(at).unwrap();
        told.elements += tile.len();
        told.bracketed += bracketed(&tile);
        for (index, bracket) in tile {
            let Some(bracket) = bracket else { continue };
            let Some(real) = allowed.real(index, 0) else {
                assert!(bracket.is_open(), "{index} of {call:?}");
                continue;
            };
            let (sum, bound) = (real.enclosure.exact().unwrap(), &real.sum.as_ref().unwrap().bound);
            assert!(bracket.holds(sum, Some(bound)), "{index} of {call:?}: {bracket:?}");
        }
    }
    let [expected, actual] = [expected, actual].map(|it| Value::from(it.clone()));
    let compared = |profile: &Profile, is_expected: bool, allowed: &dyn Allowed| {
        let reference = ReferenceOutput { operator: call.operator, allowed, is_expected };
        compare(profile, Tolerance::default(), "y", &expected, &actual, Some(&reference)).remove(0)
    };
    let of_profile = |name: &&str| {
        let profile = Profile::named(name).unwrap();
        [false, true].map(|is_expected| {
            let quick = compared(&profile, is_expected, allowed);
            let exact = compared(&profile, is_expected, &exactly(allowed));
            assert_eq!(quick, exact, "{name} {call:?} {expected:?} {actual:?}");
            quick
        })
    };
    profiles.iter().flat_map(of_profile).collect()
}

/// The elements nearest to the exact results, as bits; 0 where nothing is specified.
fn nearest((call, types): &(Call, Vec<TensorType>)) -> Vec<u64> {
    let allowed = call.operator.reference.allowed(call, types);
    let count = types[0].shape.iter().product();
    let examples = reference::brackets::examples(&*allowed[0], count);
    let bits = |index: usize| {
        let exact = allowed[0].at(index).example_element(types[0].dtype);
        let told = examples[index].conforming();
        if let Some(told) = told {
            assert_eq!(told.example_element(types[0].dtype), exact, "{index} of {call:?}");
            assert_eq!(told.is_decided(), allowed[0].at(index).is_decided());
        }
        let Element::Bits(_, bits) = exact else { panic!("{exact}") };
        bits as u64
    };
    (0..count).map(bits).collect()
}

/// A number of a format with an exponent between these, or a zero now and then.
fn number(format: &FloatFormat, exponents: [i32; 2], random: &mut Random) -> u64 {
    let [least, most] = exponents.map(i128::from);
    let exponent = random.between(least, most) as i32;
    let biased = (exponent + format.bias).clamp(0, 2 * format.bias) as u64;
    let magnitude = biased << format.significand_bits | random.below(1 << format.significand_bits);
    if random.below(2) == 0 { magnitude } else { format.negated(magnitude) }
}

/// Pairs of factors of a sum, of a kind.
fn factors(kind: u64, dtype: DType, length: usize, random: &mut Random) -> Vec<[u64; 2]> {
    let format = format_of(dtype);
    let bias = format.bias;
    let zero = |random: &mut Random| if random.below(2) == 0 { 0 } else { format.negated(0) };
    let any = |exponents: [i32; 2], random: &mut Random| {
        [number(format, exponents, random), number(format, exponents, random)]
    };
    match kind {
        0 => {
            let condition = random.below(2 * u64::from(format.precision())) as u32;
            conditioned::drawn(format, Terms::Products, length.max(4), condition, random)
        }
        // Each term has its opposite, but for the last ones.
        1 => {
            let half: Vec<_> = (0..length / 2).map(|_| any([-3, 3], random)).collect();
            let opposite = half.iter().map(|&[a, b]| [format.negated(a), b]);
            let mut all: Vec<_> = half.iter().copied().chain(opposite).collect();
            all.extend((0..length % 3).map(|_| any([-12, 0], random)));
            all
        }
        // Of all magnitudes, subnormal ones too.
        2 => (0..length).map(|_| any([-bias, bias / 2 - 2], random)).collect(),
        // Products that are subnormal.
        3 => (0..length).map(|_| any([-bias / 2 - 8, -bias / 2 + 2], random)).collect(),
        // Near overflow.
        4 => (0..length).map(|_| any([bias / 2 - 4, bias / 2], random)).collect(),
        // Integers, of which some are zeros.
        5 => {
            let integer = |random: &mut Random| match random.below(9) {
                0 => zero(random),
                count => {
                    let bits = f64::from(count as u32).to_bits();
                    let rebias = ((1023 - bias) as u64) << 52;
                    let magnitude = (bits - rebias) >> (52 - format.significand_bits);
                    if random.below(2) == 0 { magnitude } else { format.negated(magnitude) }
                }
            };
            (0..length).map(|_| [integer(random), integer(random)]).collect()
        }
        // Zeros among numbers, and sums of zeros.
        6 => (0..length)
            .map(|_| match random.below(3) {
                0 => any([-2, 2], random),
                _ => [zero(random), number(format, [-2, 2], random)],
            })
            .collect(),
        // Any bits.
        7 => {
            let bits = |random: &mut Random| random.below(1 << format.width());
            (0..length).map(|_| [bits(random), bits(random)]).collect()
        }
        _ => (0..length).map(|_| any([-4, 1], random)).collect(),
    }
}

/// An element instead of the nearest one: itself, some steps from it, the result of adding in single precision, or
/// anything.
fn answer(kind: u64, dtype: DType, nearest: u64, random: &mut Random) -> u64 {
    let format = format_of(dtype);
    let step = |steps: u64| {
        let width = format.width();
        (nearest.wrapping_add(steps) & ((1 << (width - 1)) - 1)) | nearest & (1 << (width - 1))
    };
    match kind {
        0 => nearest,
        1 => step(random.below(3).wrapping_sub(1)),
        2 => {
            let steps = 1 << random.below(12);
            step(random.below(2 * steps + 1).wrapping_sub(steps))
        }
        3 => random.below(1 << format.width()),
        4 => {
            let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
            let specials = [0, infinity, infinity + 1].map(|bits| [bits, format.negated(bits)]);
            let one = [nearest, step(1)];
            let [a, b, c] = specials;
            [a, b, c, one][random.below(4) as usize][random.below(2) as usize]
        }
        _ if random.below(20) == 0 => step(random.below(40).wrapping_sub(20)),
        _ => nearest,
    }
}

fn answers(kind: u64, dtype: DType, nearest: &[u64], random: &mut Random) -> Vec<u64> {
    nearest.iter().map(|&bits| answer(kind, dtype, bits, random)).collect()
}

/// Judges so many sums of drawn terms, as stacks of products of a row and a column.
fn judge_drawn(sums: usize, seed: u64) -> Told {
    const STACK: usize = 100;
    let (mut told, mut random) = (Told::default(), Random::new(seed));
    for round in 0..(sums / STACK) as u64 {
        let dtype = DTYPES[if random.below(2) == 0 { 0 } else { random.below(3) as usize }];
        let length = 2 + random.below(if round % 50 == 0 { 300 } else { 14 }) as usize;
        let kind = |random: &mut Random| match round % 3 {
            0 => round / 3 % 9,
            _ => random.below(9),
        };
        let mut columns = [Vec::new(), Vec::new()];
        for _ in 0..STACK {
            let mut pairs = factors(kind(&mut random), dtype, length, &mut random);
            pairs.resize(length, [0; 2]);
            for [a, b] in pairs {
                columns[0].push(a);
                columns[1].push(b);
            }
        }
        let [a, b] = columns;
        let inputs =
            vec![tensor(dtype, &[STACK, 1, length], a), tensor(dtype, &[STACK, length, 1], b)];
        let called = call_of("MatMul", &[], inputs);
        let right = nearest(&called);
        let shape = [STACK, 1, 1];
        let expected = match round % 4 {
            0 => answers(5, dtype, &right, &mut random),
            _ => right.clone(),
        };
        let actual = answers(round % 6, dtype, &right, &mut random);
        let [expected, actual] = [expected, actual].map(|bits| tensor(dtype, &shape, bits));
        let profiles = ["exact", ["onnx", "ieee754", "sonnx", "webgpu"][round as usize / 2 % 4]];
        assert_alike(&called, &expected, &actual, &profiles[..1 + round as usize % 2], &mut told);
    }
    told
}

#[test]
fn sums_are_judged_by_brackets_as_they_are_exactly() {
    let told = judge_drawn(100_000, 1);
    assert!(told.bracketed * 2 > told.elements, "{told:?}");
}

#[test]
#[ignore = "a minute in a release build: ten times as many sums of other seeds"]
fn a_million_sums_are_judged_by_brackets_as_they_are_exactly() {
    for seed in 2..12 {
        judge_drawn(100_000, seed);
    }
}

fn ints(values: &[usize]) -> AttributeValue {
    AttributeValue::Ints(values.iter().map(|&value| value as i64).collect())
}

/// A tensor of ordinary numbers, with zeros, or with a special value.
fn operand(dtype: DType, shape: &[usize], kind: u64, random: &mut Random) -> Tensor {
    let format = format_of(dtype);
    let count: usize = shape.iter().product();
    let mut bits: Vec<u64> = (0..count)
        .map(|_| match kind {
            1 if random.below(2) == 0 => 0,
            _ => number(format, [-6, 1], random),
        })
        .collect();
    if let (2, Some(len)) = (kind, (count as u64).checked_sub(1)) {
        let special = format.ordinal(number(format, [format.bias + 1; 2], random));
        assert!(special.is_some());
        let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
        bits[random.below(len + 1) as usize] = infinity + random.below(2);
    }
    tensor(dtype, shape, bits)
}

/// A call of an operator with drawn shapes, or of none where they do not fit.
fn drawn_call(operator: &str, dtype: DType, random: &mut Random) -> (Call, Vec<TensorType>) {
    let kind = random.below(6);
    let mut below = |limit: u64| random.below(limit) as usize;
    let flag = |value: usize| AttributeValue::Int(value as i64);
    match operator {
        "MatMul" => {
            let [rows, terms, columns] = [1 + below(9), 2 + below(12), 1 + below(20)];
            let [a, b]: [&[usize]; 2] =
                [[&[][..], &[]], [&[3], &[]], [&[2, 1], &[3]], [&[], &[2]]][below(4)];
            let a = [a, &[rows, terms]].concat();
            let b = [b, &[terms, columns]].concat();
            let (a, b) = match below(5) {
                0 => (vec![terms], b),
                1 => (a, vec![terms]),
                _ => (a, b),
            };
            let [a, b] = [a, b].map(|shape| operand(dtype, &shape, kind, random));
            call_of(operator, &[], vec![a, b])
        }
        "Gemm" => {
            let [rows, terms, columns] = [1 + below(9), 1 + below(12), 1 + below(20)];
            let turned = [below(2), below(2)];
            let a = if turned[0] == 1 { [terms, rows] } else { [rows, terms] };
            let b = if turned[1] == 1 { [columns, terms] } else { [terms, columns] };
            let c = [vec![], vec![columns], vec![rows, 1], vec![1], vec![rows, columns]];
            let c = c.get(below(6)).cloned();
            let mut attributes = vec![("transA", flag(turned[0])), ("transB", flag(turned[1]))];
            if below(6) == 0 {
                attributes.push(("alpha", AttributeValue::Float(0.5_f32.to_bits())));
            }
            if below(6) == 0 {
                attributes
                    .push(("beta", AttributeValue::Float([0.0, 3.0_f32][below(2)].to_bits())));
            }
            let shapes = [Some(a.to_vec()), Some(b.to_vec()), c];
            let inputs = shapes.into_iter().flatten();
            let inputs = inputs.map(|shape| operand(dtype, &shape, kind, random)).collect();
            call_of(operator, &attributes, inputs)
        }
        "Conv" | "ConvTranspose" => {
            let (rank, groups) = (1 + below(2), 1 + below(3));
            let [batch, own, depth] = [1 + below(2), 1 + below(5), 1 + below(3)];
            let mut list = |least: usize, limit: u64, count: usize| {
                (0..count).map(|_| least + below(limit)).collect::<Vec<_>>()
            };
            let kernel = list(1, 3, rank);
            let [sizes, strides] = [list(5, 4, rank), list(1, 3, rank)];
            let [dilations, pads] = [list(1, 2, rank), list(0, 3, 2 * rank)];
            let bias = below(2) == 0;
            let data = [&[batch, groups * depth], sizes.as_slice()].concat();
            let weights = match operator {
                "Conv" => [&[groups * own, depth], kernel.as_slice()].concat(),
                _ => [&[groups * depth, own], kernel.as_slice()].concat(),
            };
            let attributes = [
                ("group", flag(groups)),
                ("strides", ints(&strides)),
                ("dilations", ints(&dilations)),
                ("pads", ints(&pads)),
            ];
            let mut shapes = vec![data, weights];
            if bias {
                shapes.push(vec![groups * own]);
            }
            let inputs = shapes.iter().map(|shape| operand(dtype, shape, kind, random)).collect();
            call_of(operator, &attributes, inputs)
        }
        "AveragePool" => {
            let [high, wide] = [1 + below(3), 1 + below(4)];
            let attributes = [
                ("kernel_shape", ints(&[high, wide])),
                ("strides", ints(&[1 + below(2), 1 + below(3)])),
                ("pads", ints(&[0, 0, below(high as u64), below(wide as u64)])),
                ("count_include_pad", flag(below(2))),
                ("ceil_mode", flag(below(2))),
            ];
            let shape = [1 + below(2), 1 + below(3), 5 + below(4), 5 + below(4)];
            call_of(operator, &attributes, vec![operand(dtype, &shape, kind, random)])
        }
        "GlobalAveragePool" => {
            let shape = [1 + below(3), 1 + below(6), 1 + below(7), 1 + below(7)];
            call_of(operator, &[], vec![operand(dtype, &shape, kind, random)])
        }
        _ => {
            let shape = [1 + below(4), 1 + below(9), 1 + below(6)];
            let axes: &[i64] = [&[0][..], &[1], &[2], &[0, 2], &[1, 2], &[0, 1, 2]][below(6)];
            let axes = Tensor::from_vec(vec![axes.len()], axes.to_vec()).unwrap();
            let keeps = [("keepdims", flag(below(2)))];
            call_of(operator, &keeps, vec![operand(dtype, &shape, kind, random), axes])
        }
    }
}

const OPERATORS: [&str; 8] = [
    "MatMul",
    "Gemm",
    "Conv",
    "ConvTranspose",
    "AveragePool",
    "GlobalAveragePool",
    "ReduceSum",
    "ReduceMean",
];

#[test]
fn operators_of_any_shape_are_judged_by_brackets_as_they_are_exactly() {
    for (at, operator) in OPERATORS.into_iter().enumerate() {
        let (mut told, mut random) = (Told::default(), Random::new(100 + at as u64));
        let mut without = 0;
        for round in 0..60 {
            let dtype = DTYPES[random.below(3) as usize];
            let called = drawn_call(operator, dtype, &mut random);
            let (call, types) = &called;
            let allowed = call.operator.reference.allowed(call, types);
            if Checked::of(&*allowed[0]).is_none() {
                without += 1;
                continue;
            }
            let right = nearest(&called);
            let actual = answers(round % 6, dtype, &right, &mut random);
            let shape = &types[0].shape;
            let [expected, actual] = [right, actual].map(|bits| tensor(dtype, shape, bits));
            assert_alike(&called, &expected, &actual, &["exact", "onnx"], &mut told);
        }
        assert!(
            told.bracketed * 3 > told.elements && without < 30,
            "{operator} {told:?} {without}"
        );
    }
}

#[test]
fn a_layer_of_several_tiles_is_judged_by_brackets_as_it_is_exactly() {
    let (dtype, mut random) = (DType::Float32, Random::new(7));
    let mut operand = |shape: &[usize]| operand(dtype, shape, 0, &mut random);
    let called = call_of("MatMul", &[], vec![operand(&[150, 3]), operand(&[3, 140])]);
    let conv = [operand(&[1, 130, 12]), operand(&[131, 130, 3]), operand(&[131])];
    let convolved = call_of("Conv", &[("pads", ints(&[1, 1]))], conv.to_vec());
    for called in [called, convolved] {
        let right = nearest(&called);
        let shape = &called.1[0].shape;
        for kind in 0..6 {
            let actual = answers(kind, dtype, &right, &mut random_of(kind));
            let [expected, actual] = [right.clone(), actual].map(|bits| tensor(dtype, shape, bits));
            let mut told = Told::default();
            assert_alike(&called, &expected, &actual, &["exact"], &mut told);
            assert_eq!(told.elements, right.len());
            assert!(told.bracketed * 10 > told.elements * 9, "{told:?}");
        }
    }
}

#[test]
fn the_order_of_terms_that_loses_most_is_within_the_brackets() {
    // After a term of 1, each of 2^-53 is rounded to nothing.
    let line = |small: i32, count: usize| {
        let terms = std::iter::once(1.0).chain(std::iter::repeat_n(2.0_f32.powi(small), count - 1));
        terms.collect::<Vec<_>>()
    };
    for count in [3, 256, 257, 1500] {
        let [a, b] = [line(-27, count), line(-26, count)];
        let [a, b] = [
            Tensor::from_vec(vec![1, count], a).unwrap(),
            Tensor::from_vec(vec![count, 1], b).unwrap(),
        ];
        let right = Tensor::from_vec(vec![1, 1], vec![1.0_f32]).unwrap();
        let mut told = Told::default();
        assert_alike(&call_of("MatMul", &[], vec![a, b]), &right, &right, &["exact"], &mut told);
        let small =
            Tensor::from_vec(vec![count], [vec![1.0], line(-53, count)[1..].to_vec()].concat());
        let called =
            call_of("ReduceSum", &[("keepdims", AttributeValue::Int(0))], vec![small.unwrap()]);
        let right = Tensor::from_vec(vec![], vec![1.0_f32]).unwrap();
        assert_alike(&called, &right, &right, &["exact"], &mut told);
        assert_eq!(told.bracketed, 2);
    }
}

fn random_of(seed: u64) -> Random {
    Random::new(1000 + seed)
}

#[test]
fn where_a_bracket_is_found_wrong_none_is_trusted() {
    let (dtype, mut random) = (DType::Float32, Random::new(8));
    let mut operand = |shape: &[usize]| operand(dtype, shape, 0, &mut random);
    let [a, b] = [operand(&[70, 9]), operand(&[9, 70])];
    let other = operand(&[9, 70]);
    let (call, types) = call_of("MatMul", &[], vec![a.clone(), b]);
    let (others, _) = call_of("MatMul", &[], vec![a, other]);
    let [own, other] = [&call, &others].map(|call| call.operator.reference.allowed(call, &types));
    let wrong = Bracketed(&*own[0], Some(&*other[0]));
    let brackets = Checked::of(&wrong).unwrap();
    assert!(matches!(brackets.tile(0), Err(Outside { .. })));
    assert!(reference::brackets::examples(&wrong, 4900).is_empty());
    let right = nearest(&(call.clone(), types.clone()));
    let output = Value::from(tensor(dtype, &[70, 70], right));
    let compared = |allowed: &dyn Allowed| {
        let reference = ReferenceOutput { operator: call.operator, allowed, is_expected: false };
        let (profile, tolerance) = (Profile::named("exact").unwrap(), Tolerance::default());
        compare(&profile, tolerance, "y", &output, &output, Some(&reference)).remove(0)
    };
    let exact = compared(&exactly(&wrong));
    assert_eq!(exact.mismatches, 0);
    assert_eq!(compared(&wrong), exact);
}

/// A tile of brackets that counts how many there are.
fn bracketed(tile: &[(usize, Option<Bracket>)]) -> usize {
    tile.iter().filter(|(_, bracket)| bracket.is_some()).count()
}

/// The seconds that a trial of an output takes, which is right, of zeros or of NaNs; of drawn operands.
fn seconds(
    operator: &str,
    dtype: DType,
    attributes: &[(&str, AttributeValue)],
    shapes: &[&[usize]],
) {
    let profile = Profile::named("exact").unwrap();
    for kind in [0, 1, 5] {
        let mut random = Random::new(10 + kind);
        let format = format_of(dtype);
        let of_kind = |shape: &&[usize], random: &mut Random| match kind {
            5 => {
                let count = shape.iter().product::<usize>().div_ceil(2);
                let all = factors(5, dtype, count, random).into_iter().flatten();
                tensor(dtype, shape, all.take(shape.iter().product()))
            }
            _ => operand(dtype, shape, kind, random),
        };
        let mut inputs: Vec<_> = shapes.iter().map(|shape| of_kind(shape, &mut random)).collect();
        if operator.starts_with("Reduce") {
            inputs.push(Tensor::from_vec(vec![1], vec![1_i64]).unwrap());
        }
        let (call, types) = call_of(operator, attributes, inputs);
        let count = types[0].shape.iter().product();
        let allowed = call.operator.reference.allowed(&call, &types);
        let start = Instant::now();
        let examples = reference::brackets::examples(&*allowed[0], count);
        let told = start.elapsed().as_secs_f64();
        let bits = |at: usize| match examples[at].conforming().and_then(|it| it.example()) {
            Some(bits) => bits as u64,
            None => 0,
        };
        let right: Vec<u64> = (0..count).map(bits).collect();
        let near = right.iter().map(|&bits| bits.saturating_add(random.below(5)));
        let near = near.map(|bits| bits.saturating_sub(2)).collect();
        let wrong = right.iter().map(|&bits| bits ^ 1 << (format.significand_bits - 4)).collect();
        let nan = vec![(1 << (format.width() - 1)) - 1; count];
        let outputs = [right, near, wrong, vec![0; count], nan];
        let mut times = Vec::new();
        for output in outputs {
            let output = Value::from(tensor(dtype, &types[0].shape, output));
            let trial = Trial::of_call(call.clone(), types.clone());
            let start = Instant::now();
            black_box(trial.judge(&profile, &Outcome::Outputs(vec![output])));
            times.push(format!("{:.2}", start.elapsed().as_secs_f64()));
        }
        println!("{operator} {dtype} {shapes:?} operands {kind}: {told:.2} brackets, {times:?}");
    }
}

#[test]
#[ignore = "a benchmark: `cargo test --release -p onnx-conformance-judge -- --ignored --nocapture layers`"]
fn layers_of_many_kinds_are_judged_in_seconds() {
    for dtype in DTYPES {
        seconds("MatMul", dtype, &[], &[&[512, 200], &[200, 512]]);
    }
    seconds("MatMul", DType::Float32, &[], &[&[64, 64, 32], &[64, 32, 64]]);
    seconds("MatMul", DType::Float32, &[], &[&[1, 2048], &[2048, 2048]]);
    seconds("Gemm", DType::Float32, &[], &[&[512, 200], &[200, 512], &[512]]);
    let group = ("group", AttributeValue::Int(128));
    seconds("Conv", DType::Float32, &[group], &[&[1, 128, 48, 48], &[128, 1, 5, 5]]);
    let strides = ("strides", ints(&[2, 2]));
    seconds("ConvTranspose", DType::Float32, &[strides], &[&[1, 64, 16, 16], &[64, 64, 4, 4]]);
    let kernel = ("kernel_shape", ints(&[3, 3]));
    seconds("AveragePool", DType::Float32, &[kernel], &[&[1, 64, 64, 64]]);
    seconds("GlobalAveragePool", DType::Float32, &[], &[&[16, 1024, 14, 14]]);
    seconds("ReduceSum", DType::Float32, &[], &[&[64, 512, 64]]);
    seconds("ReduceMean", DType::Float32, &[], &[&[512, 64, 64]]);
}

#[test]
#[ignore = "a benchmark: `cargo test --release -p onnx-conformance-judge -- --ignored --nocapture a_layer`"]
fn a_layer_of_a_third_of_a_billion_products_is_judged_in_the_time_of_some_plain_loops() {
    let (dtype, mut random) = (DType::Float32, Random::new(9));
    let (channels, own, kernel, size) = (256, 512, 5, 512);
    let places = size - kernel + 1;
    let mut operand = |shape: &[usize]| operand(dtype, shape, 0, &mut random);
    let inputs = vec![operand(&[1, channels, size]), operand(&[own, channels, kernel])];
    let [x, w] = [0, 1].map(|at: usize| inputs[at].as_slice::<f32>().unwrap().into_owned());
    let start = Instant::now();
    let mut output = vec![0.0_f32; own * places];
    for m in 0..own {
        for c in 0..channels {
            for k in 0..kernel {
                let weight = w[(m * channels + c) * kernel + k];
                let data = &x[c * size + k..][..places];
                for (sum, x) in output[m * places..][..places].iter_mut().zip(data) {
                    *sum += weight * x;
                }
            }
        }
    }
    black_box(&output);
    let plain = start.elapsed().as_secs_f64();
    let (call, types) = call_of("Conv", &[], inputs);
    let value = Value::from(Tensor::from_vec(vec![1, own, places], output).unwrap());
    let profile = Profile::named("exact").unwrap();

    let start = Instant::now();
    let trial = Trial::of_call(call.clone(), types.clone());
    let judgement = trial.judge(&profile, &Outcome::Outputs(vec![value.clone()]));
    let quick = start.elapsed().as_secs_f64();
    println!("plain loop {plain:.3} s; trial {quick:.3} s, {:.1} times", quick / plain);
    println!("{judgement}: {:?}", judgement.outputs[0].share_of_bound);

    let allowed = call.operator.reference.allowed(&call, &types);
    let start = Instant::now();
    let brackets = Checked::of(&*allowed[0]).unwrap();
    let all: usize = (0..brackets.tiles()).map(|at| bracketed(&brackets.tile(at).unwrap())).sum();
    println!("brackets of {all} alone: {:.3} s", start.elapsed().as_secs_f64());

    let compared = |allowed: &dyn Allowed| {
        let start = Instant::now();
        let reference = ReferenceOutput { operator: call.operator, allowed, is_expected: false };
        let compared =
            compare(&profile, Tolerance::default(), "y", &value, &value, Some(&reference));
        (start.elapsed().as_secs_f64(), compared)
    };
    let (quick, by_brackets) = compared(&*allowed[0]);
    let (exact, exactly) = compared(&exactly(&*allowed[0]));
    println!("comparison {quick:.3} s by brackets, {exact:.3} s exactly");
    assert_eq!(by_brackets, exactly);
}

//! What the committed cases hold of the boundaries of results, and of sizes: computed from the files alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use onnx_conformance::case::Expect;
use onnx_conformance::dtype::{DType, Kind, integer};
use onnx_conformance::generate;
use onnx_conformance::reference::boundaries::{BoundaryInputs, Side, Solution, Solved, solved};
use onnx_conformance::reference::elements::whole;
use onnx_conformance::reference::exact::real::Rational;
use onnx_conformance::reference::operator::Call;
use onnx_conformance::reference::operators::OPERATORS;
use onnx_conformance::suite::Suite;
use onnx_conformance::tensor::Value;
use values::element::Element;

use crate::support::suites::{Loaded, cases};

/// What the cases of an operator and a type in a suite compute: the operands of each element.
#[derive(Default)]
struct Held {
    /// Of the case named for boundaries.
    boundaries: Vec<Vec<Element>>,
    /// Of all cases but those of sizes, whose elements are many and not chosen for their results.
    all: Vec<Vec<Element>>,
}

/// A case as a call of the operator's newest version, with the operands of each element; `None` where it is
/// none, or of an operator without boundaries.
fn elements(suite: Suite, case: &Loaded) -> Option<(Call, Vec<Vec<Element>>)> {
    let inputs = &case.case.data_sets[0].inputs;
    let (call, types) = Call::of(&case.case.model, inputs, suite).ok()?;
    call.operator.reference.boundaries()?;
    let decided = case.case.manifest.expect == Expect::Values;
    if call.version.since != call.operator.newest().since || !decided {
        return None;
    }
    let allowed = call.operator.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    let operands = (0..count).map(|index| allowed[0].operands(index)).collect();
    drop(allowed);
    Some((call, operands))
}

/// The element of a type that is so many places above one, by value; `None` beyond the integers of the type.
fn above(dtype: DType, x: &Element, places: i64) -> Option<Element> {
    let Element::Bits(_, bits) = x else { panic!("{x}") };
    match dtype.kind() {
        Kind::Float(format) => {
            let next = format.ordinal(*bits as u64).unwrap() + places;
            let sign = u64::from(next < 0) << (format.width() - 1);
            Some(Element::Bits(dtype, (next.unsigned_abs() | sign).into()))
        }
        Kind::Int { signed, bits: width } => {
            let next = integer(*bits, signed, width) + i128::from(places);
            let bits = next as u128 & (u128::MAX >> (128 - width));
            (integer(bits, signed, width) == next).then_some(Element::Bits(dtype, bits))
        }
        _ => panic!("{dtype}"),
    }
}

/// Whether the results of a function of one operand rise with it, as those of 1 and 2 tell.
fn rises(inputs: &dyn BoundaryInputs, dtype: DType) -> bool {
    let result = |number: i128| {
        let bits = whole(dtype, number).unwrap();
        inputs.exact(dtype, &[Element::Bits(dtype, bits.into())]).unwrap()
    };
    result(1).upper < result(2).lower
}

/// Holds the cases of one operand to a boundary.
fn check_one(
    inputs: &dyn BoundaryInputs,
    dtype: DType,
    held: &Held,
    solved: &Solved,
) -> Result<(), Side> {
    let at = &solved.boundary.at;
    let rises = rises(inputs, dtype);
    // Whether no operand is closer: the next one in the direction of the boundary is on another side.
    let is_nearest = |x: &Element, side| {
        let places = if (side == Side::Below) == rises { 1 } else { -1 };
        let next = above(dtype, x, places);
        next.is_none_or(|next| inputs.side(dtype, &[next], at) != Some(side))
    };
    for (side, solution) in Side::ALL.into_iter().zip(&solved.sides) {
        let there = |operands: &&Vec<Element>| inputs.side(dtype, operands, at) == Some(side);
        let holds = match solution {
            Solution::Operands(_) => held
                .boundaries
                .iter()
                .filter(there)
                .any(|operands| side == Side::On || is_nearest(&operands[0], side)),
            Solution::Impossible(_) => !held.all.iter().any(|operands| there(&operands)),
        };
        if !holds {
            return Err(side);
        }
    }
    Ok(())
}

/// Holds the exact results of cases of two operands to a boundary: those of the case for boundaries are as
/// close as any in the suite.
fn check_two([own, all]: [&BTreeSet<Rational>; 2], solved: &Solved) -> Result<(), Side> {
    let at = &solved.boundary.at;
    let nearest = |set: &BTreeSet<Rational>, side| match side {
        Side::Below => set.range(..at.clone()).next_back().cloned(),
        Side::On => set.get(at).cloned(),
        Side::Above => set.range((Bound::Excluded(at), Bound::Unbounded)).next().cloned(),
    };
    for (side, solution) in Side::ALL.into_iter().zip(&solved.sides) {
        let (own, all) = (nearest(own, side), nearest(all, side));
        let is_possible = matches!(solution, Solution::Operands(_));
        if own != all || own.is_some() != is_possible {
            return Err(side);
        }
    }
    Ok(())
}

#[test]
fn every_side_of_every_boundary_is_in_a_committed_case_or_proven_impossible() {
    let mut asked = BTreeSet::new();
    for suite in [Suite::Sonnx, Suite::Onnx, Suite::OpenVino] {
        let mut held: BTreeMap<(&str, DType), Held> = BTreeMap::new();
        let mut operators = BTreeMap::new();
        for case in cases(suite) {
            if case.case.manifest.class.starts_with("size_") {
                continue;
            }
            let Some((call, operands)) = elements(suite, &case) else { continue };
            let dtype = call.inputs[0].as_ref().unwrap().dtype();
            operators.insert(call.operator.name, call.operator);
            let held = held.entry((call.operator.name, dtype)).or_default();
            if case.case.manifest.class.ends_with("boundaries") {
                held.boundaries.extend(operands.iter().cloned());
            }
            held.all.extend(operands);
        }
        assert!(!operators.is_empty());
        for ((name, dtype), held) in held {
            // Some operators have these cases in the suite of ONNX only; each has them in one.
            if held.boundaries.is_empty() {
                continue;
            }
            asked.insert((name, dtype));
            let inputs = operators[name].reference.boundaries().unwrap();
            let exact = |operands: &Vec<Element>| Some(inputs.exact(dtype, operands)?.lower);
            let sets = match operators[name].arity() {
                1 => Default::default(),
                _ => [&held.boundaries, &held.all]
                    .map(|all| all.iter().filter_map(exact).collect::<BTreeSet<_>>()),
            };
            for solved in solved(inputs, dtype).unwrap() {
                let result = match operators[name].arity() {
                    1 => check_one(inputs, dtype, &held, &solved),
                    _ => check_two(sets.each_ref(), &solved),
                };
                let boundary = &solved.boundary;
                assert_eq!(
                    result,
                    Ok(()),
                    "{suite}: {name} {dtype} {}, {}",
                    boundary.name,
                    boundary.at
                );
            }
        }
    }
    for operator in OPERATORS {
        if operator.reference.boundaries().is_some() {
            for &dtype in operator.newest().inputs[0].types {
                assert!(asked.contains(&(operator.name, dtype)), "{} {dtype}", operator.name);
            }
        }
    }
}

#[test]
fn the_page_on_boundaries_is_as_the_search_finds_them() {
    let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boundaries.md");
    let page = generate::boundaries_page().unwrap();
    assert_eq!(std::fs::read_to_string(committed).unwrap(), page, "run `cargo xtask generate`");
}

#[test]
fn results_of_cases_for_sizes_repeat_no_stretch_and_have_every_size_around_blocks() {
    const STRETCH: usize = 16;
    const SONNX: [DType; 11] = [
        DType::Float16,
        DType::Float32,
        DType::Float64,
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::Uint8,
        DType::Uint16,
        DType::Uint32,
        DType::Uint64,
    ];
    let mut sizes: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut longest: BTreeMap<&str, BTreeMap<DType, usize>> = BTreeMap::new();
    for case in [Suite::Sonnx, Suite::Onnx, Suite::OpenVino].into_iter().flat_map(cases) {
        let Some(data) = case.case.data_sets.first() else { continue };
        let Ok((call, _)) = Call::of(&case.case.model, &data.inputs, case.suite) else { continue };
        let outputs = data.outputs.first().map(Value::tensors);
        let Some(output) = outputs.as_ref().and_then(|tensors| tensors.first()) else { continue };
        let name = call.operator.name;
        let longest = longest.entry(name).or_default().entry(output.dtype()).or_default();
        *longest = output.elements().max(*longest);
        let Some(size) = case.case.manifest.class.strip_prefix("size_") else { continue };
        let Ok(size) = size.parse::<usize>() else { continue };
        assert_eq!(output.elements(), size, "{}", case.name);
        let elements: Vec<u128> = (0..size).map(|k| output.element(k).unwrap()).collect();
        let mut seen = BTreeSet::new();
        let again = elements.windows(STRETCH).find(|stretch| !seen.insert(stretch.to_vec()));
        assert_eq!(again, None, "{}", case.name);
        sizes.entry(name).or_default().insert(size);
    }
    let around = BTreeSet::from([255, 256, 257, 1_023, 1_024, 1_025, 4_095, 4_096, 4_097, 65_537]);
    for operator in OPERATORS {
        let name = operator.name;
        let longest = &longest[name];
        assert!(longest.values().any(|elements| *elements > 1 << 16), "{name}: {longest:?}");
        // What a sum gives is as many elements as its two dimensions have; its cases are of these.
        let is_sum = operator.kind == reference::signature::Kind::Accumulated;
        let types = operator.newest().inputs.last().unwrap().types.iter();
        for dtype in types.filter(|dtype| SONNX.contains(dtype)) {
            let least = if is_sum { 513 } else { 4_097 };
            assert!(longest[dtype] >= least, "{name} {dtype}: {}", longest[dtype]);
        }
        if !is_sum {
            assert!(sizes[name].is_superset(&around), "{name}: {:?}", sizes[name]);
        }
    }
}

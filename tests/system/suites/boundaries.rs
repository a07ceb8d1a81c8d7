//! What the committed cases hold of the boundaries of results, and of sizes: computed from the files alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use onnx_conformance::corpus::case::Expect;
use onnx_conformance::corpus::generate;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::dtype::{DType, Kind, integer};
use onnx_conformance::reference::boundaries::{Boundary, BoundaryInputs, Side, Solved, known};
use onnx_conformance::reference::exact::real::{Enclosure, Rational};
use onnx_conformance::reference::operator::{Call, Operator};
use onnx_conformance::reference::operators::OPERATORS;
use onnx_conformance::tensor::{Tensor, Value};
use rayon::prelude::*;
use values::element::Element;

use crate::support::suites::{Loaded, cases};

/// What the cases of an operator and a type in a suite compute, but for those of sizes, whose elements are many and not
/// chosen for their results: the operands of each element, and whether they are of the case named for boundaries.
type Held = BTreeMap<Vec<Element>, bool>;

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

/// The place of an element among those of its type, by value; `None` of a NaN.
fn ordinal(dtype: DType, x: &Element) -> Option<i128> {
    let Element::Bits(_, bits) = x else { panic!("{x}") };
    match dtype.kind() {
        Kind::Float(format) => format.ordinal(*bits as u64).map(i128::from),
        Kind::Int { signed, bits: width } => Some(integer(*bits, signed, width)),
        _ => panic!("{dtype}"),
    }
}

/// The element of a place; `None` beyond the integers of the type.
fn element(dtype: DType, ordinal: i128) -> Option<Element> {
    match dtype.kind() {
        Kind::Float(format) => {
            let sign = u128::from(ordinal < 0) << (format.width() - 1);
            Some(Element::Bits(dtype, ordinal.unsigned_abs() | sign))
        }
        Kind::Int { signed, bits: width } => {
            let bits = ordinal as u128 & (u128::MAX >> (128 - width));
            (integer(bits, signed, width) == ordinal).then_some(Element::Bits(dtype, bits))
        }
        _ => panic!("{dtype}"),
    }
}

/// The place of an operand, and what its exact result lies between, where that is known.
#[derive(Clone)]
struct Placed {
    place: i128,
    exact: Option<Enclosure>,
}

impl Placed {
    fn lower(&self) -> Option<&Rational> {
        self.exact.as_ref().map(|exact| &exact.lower)
    }
}

/// The operands of cases of one operand in the order of their results, those first that are too small or too large to be enclosed.
fn placed(dtype: DType, all: &[(&[Element], bool, Option<Enclosure>)]) -> Vec<(Placed, bool)> {
    let of = |(operands, is_own, exact): &(&[Element], bool, Option<Enclosure>)| {
        Some((Placed { place: ordinal(dtype, &operands[0])?, exact: exact.clone() }, *is_own))
    };
    let mut placed: Vec<_> = all.iter().filter_map(of).collect();
    placed.sort_by(|(a, _), (b, _)| a.lower().cmp(&b.lower()));
    placed
}

/// Those with a result next to a number, and those that are not enclosed.
fn around<'a>(placed: &'a [Placed], at: &Rational) -> impl Iterator<Item = &'a Placed> {
    /// Results that are told apart by fewer bits than there are come in any order.
    const NEAREST: usize = 4;
    let beyond = placed.partition_point(|it| it.exact.is_none());
    let middle = placed.partition_point(|it| it.lower() < Some(at));
    let near = beyond.max(middle.saturating_sub(NEAREST))..placed.len().min(middle + NEAREST);
    placed[..beyond].iter().chain(&placed[near])
}

/// Holds the operands of cases of one operand, by their results, to a boundary: one of the case for
/// boundaries is next to it, and where none are possible, no case has any.
fn check_one(
    inputs: &dyn BoundaryInputs,
    dtype: DType,
    [own, all]: [&[Placed]; 2],
    solved: &Solved,
) -> Result<(), Side> {
    let at = &solved.boundary.at;
    let side = |place| inputs.side(dtype, &[element(dtype, place)?], at);
    let of = |placed: &Placed| {
        let known = placed.exact.as_ref().and_then(|Enclosure { lower, upper }| {
            let [lower, upper] = [lower, upper].map(|it| Side::of(it.cmp(at)));
            (lower == upper).then_some(lower)
        });
        known.or_else(|| side(placed.place))
    };
    let turns = |place: i128| {
        let exact = |place| Some(inputs.exact(dtype, &[element(dtype, place)?])?.lower);
        let around: Option<Vec<Rational>> = (place - 2..=place + 2).map(exact).collect();
        around.is_some_and(|all| !all.is_sorted() && !all.iter().rev().is_sorted())
    };
    for (wanted, solution) in Side::ALL.into_iter().zip(&solved.sides) {
        let are_there = |all| around(all, at).any(|it| of(it) == Some(wanted));
        let holds = match (solution, wanted) {
            (Err(_), _) => !are_there(all),
            (Ok(_), Side::On) => are_there(own),
            (Ok(_), _) => {
                // A next operand is on another side, or the function turns there.
                around(own, at).filter(|it| of(it) == Some(wanted)).any(|it| {
                    let next = [it.place - 1, it.place + 1];
                    next.into_iter().any(|next| side(next) != Some(wanted)) || turns(it.place)
                })
            }
        };
        if !holds {
            return Err(wanted);
        }
    }
    Ok(())
}

/// Holds the exact results of cases to a boundary: those of the case for boundaries are as
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
        if own != all || own.is_some() != solution.is_ok() {
            return Err(side);
        }
    }
    Ok(())
}

/// Holds what the cases of a suite compute to every boundary of an operator and a type.
fn check(suite: Suite, operator: &Operator, dtype: DType, held: &Held) {
    let inputs = operator.reference.boundaries().unwrap();
    let all: Vec<_> = held
        .iter()
        .map(|(operands, is_own)| (&operands[..], *is_own, inputs.exact(dtype, operands)))
        .collect();
    let is_enclosed =
        |exact: &Option<Enclosure>| exact.as_ref().is_some_and(|exact| exact.lower != exact.upper);
    let (mut places, mut results) = <([Vec<Placed>; 2], [BTreeSet<_>; 2])>::default();
    // Results that are no rational numbers are ordered by their operands.
    let by_operands = all.iter().any(|(.., exact)| is_enclosed(exact));
    if by_operands {
        let mut all = placed(dtype, &all);
        // What is proven of tangents is so of one period, in which the operands for boundaries lie.
        if operator.name == "Tan" {
            let own: BTreeSet<_> =
                all.iter().filter(|(_, is_own)| *is_own).map(|(it, _)| it.place).collect();
            all.retain(|(it, _)| own.range(..=it.place).next().is_some());
            all.retain(|(it, _)| own.range(it.place..).next().is_some());
        }
        let own = all.iter().filter(|(_, is_own)| *is_own).map(|(it, _)| it.clone()).collect();
        places = [own, all.into_iter().map(|(it, _)| it).collect()];
    } else {
        for (_, is_own, exact) in all {
            let Some(exact) = exact else { continue };
            if is_own {
                results[0].insert(exact.lower.clone());
            }
            results[1].insert(exact.lower);
        }
    }
    for solved in &*known::of(operator, dtype).unwrap() {
        let result = if by_operands {
            check_one(inputs, dtype, places.each_ref().map(Vec::as_slice), solved)
        } else {
            check_two(results.each_ref(), solved)
        };
        let Boundary { name, at } = &solved.boundary;
        assert_eq!(result, Ok(()), "{suite}: {operator} {dtype} {name}, {at}");
    }
}

#[test]
fn every_side_of_every_boundary_is_in_a_committed_case_or_proven_impossible() {
    let mut checked = BTreeSet::new();
    for suite in [Suite::Sonnx, Suite::Onnx, Suite::OpenVino] {
        let mut held: BTreeMap<(&str, DType), (&Operator, Held)> = BTreeMap::new();
        for case in cases(suite) {
            let class = &case.case.manifest.class;
            if class.starts_with("size_") {
                continue;
            }
            let Some((call, operands)) = elements(suite, case) else { continue };
            let dtype = call.inputs[0].as_ref().unwrap().dtype();
            let of = held.entry((call.operator.name, dtype));
            let (_, held) = of.or_insert_with(|| (call.operator, Held::new()));
            for operands in operands {
                *held.entry(operands).or_default() |= class.ends_with("boundaries");
            }
        }
        assert!(!held.is_empty());
        // Some operators have these cases in the suite of ONNX only; each has them in one.
        held.retain(|_, (_, held)| held.values().any(|is_own| *is_own));
        checked.extend(held.keys().copied());
        held.into_par_iter()
            .for_each(|((_, dtype), (operator, held))| check(suite, operator, dtype, &held));
    }
    let missing: Vec<_> = OPERATORS
        .iter()
        .filter(|operator| operator.reference.boundaries().is_some())
        .flat_map(|operator| {
            operator.newest().inputs[0].types.iter().map(|it| (operator.name, *it))
        })
        .filter(|of| !checked.contains(of))
        .collect();
    assert_eq!(missing, [], "no case states `boundaries`");
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
    /// One operator of each form: of two operands, of one, computed and moved, selected, and summed up. Of the
    /// others, whose results are often the same, one case is longer than any block.
    const OF_EVERY_SIZE: [&str; 6] = ["Div", "MatMul", "Mul", "Neg", "Transpose", "Where"];
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
    let mut most_given: BTreeMap<&str, usize> = BTreeMap::new();
    for case in [Suite::Sonnx, Suite::Onnx, Suite::OpenVino].into_iter().flat_map(cases) {
        let Some(data) = case.case.data_sets.first() else { continue };
        let Ok((call, _)) = Call::of(&case.case.model, &data.inputs, case.suite) else { continue };
        let outputs = data.outputs.first().map(Value::tensors);
        let Some(output) = outputs.as_ref().and_then(|tensors| tensors.first()) else { continue };
        let name = call.operator.name;
        let longest = longest.entry(name).or_default().entry(output.dtype()).or_default();
        *longest = output.elements().max(*longest);
        let most = most_given.entry(name).or_default();
        *most = call.inputs.iter().flatten().map(Tensor::elements).fold(*most, usize::max);
        let Some(size) = case.case.manifest.class.strip_prefix("size_") else { continue };
        let Ok(size) = size.parse::<usize>() else { continue };
        assert_eq!(output.elements(), size, "{}", case.name);
        sizes.entry(name).or_default().insert(size);
        if !OF_EVERY_SIZE.contains(&name) {
            continue;
        }
        let elements: Vec<u128> = (0..size).map(|k| output.element(k).unwrap()).collect();
        let mut seen = BTreeSet::new();
        let again = elements.windows(STRETCH).find(|stretch| !seen.insert(stretch.to_vec()));
        assert_eq!(again, None, "{}", case.name);
    }
    // In one type; the others have one case that is longer than a block.
    let blocks = BTreeSet::from([255, 256, 257, 1_023, 1_024, 1_025, 4_095, 4_096, 4_097]);
    let mut short = Vec::new();
    for operator in OPERATORS {
        let name = operator.name;
        let longest = &longest[name];
        if !OF_EVERY_SIZE.contains(&name) {
            // What is given the shape alone, or nothing, has many elements where it gives them.
            let given_none = matches!(name, "Constant" | "ConstantOfShape" | "Range")
                || name.ends_with("Window");
            let given = longest.values().filter(|_| given_none).chain([&most_given[name]]);
            if given.max().is_some_and(|most| *most <= 1_024) {
                short.push(name);
            }
            continue;
        }
        assert!(longest.values().any(|elements| *elements > 1 << 16), "{name}: {longest:?}");
        // What a sum gives is as many elements as its two dimensions have; its cases are of these.
        let is_sum = operator.kind == reference::signature::OperatorKind::Accumulated;
        let types = operator.newest().inputs.last().unwrap().types.iter();
        for dtype in types.filter(|dtype| SONNX.contains(dtype)) {
            let least = if is_sum { 513 } else { 1_025 };
            assert!(longest[dtype] >= least, "{name} {dtype}: {}", longest[dtype]);
        }
        // More than an index of 16 bits has values.
        assert!(sizes[name].last() > Some(&(1 << 16)), "{name}: {:?}", sizes[name]);
        assert!(is_sum || sizes[name].is_superset(&blocks), "{name}: {:?}", sizes[name]);
    }
    assert_eq!(short, [""; 0]);
}

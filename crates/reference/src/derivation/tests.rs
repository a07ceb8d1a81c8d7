//! Tests of derived cases.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::*;
use crate::operator::Specification;
use crate::operators::OPERATORS;

/// An operator with the cases that it states, and what follows from them.
type Stated = (&'static Operator, Vec<CaseSpec>, Derived);

static ALL: LazyLock<Vec<Stated>> = LazyLock::new(|| {
    let of = |operator: &&'static Operator| {
        let stated = operator.cases.map_or_else(|| Ok(Vec::new()), |it| it(Specification::Onnx));
        let stated = stated.unwrap();
        let derived = derived(operator, &stated);
        (*operator, stated, derived)
    };
    OPERATORS.par_iter().map(of).collect()
});

#[test]
fn every_target_is_stated_derived_or_excluded_and_every_case_is_of_one_and_decided() {
    for (operator, stated, derived) in &*ALL {
        let derivation = Derivation::of(operator, stated);
        let mut named = BTreeSet::new();
        for (class, targets) in &derived.targets {
            let names: BTreeSet<&str> = targets.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names.len(), targets.len(), "{operator} {class}");
            for (_, reached) in targets {
                if let Reached::Derived(path) = reached {
                    let name = path.rsplit('/').next().unwrap();
                    assert!(name.starts_with(class.name()), "{path} is of {class}");
                    named.insert(path.clone());
                }
            }
        }
        let paths: BTreeSet<String> = derived.cases.iter().map(|case| case.path.clone()).collect();
        assert_eq!((paths.len(), &paths), (derived.cases.len(), &named), "{operator}");
        assert!(stated.iter().all(|case| !paths.contains(&case.path)), "{operator}");
        for case in &derived.cases {
            let judged = derivation.judged_within(case, whole::MOST_ELEMENTS);
            assert!(judged.is_some(), "{} is open", case.path);
            assert!(case.requirements.iter().eq([&derivation.requirement]), "{}", case.path);
        }
    }
}

#[test]
fn what_the_signature_has_room_for_is_planned() {
    let of = |name: &str, class: Class| {
        let (_, _, derived) = ALL.iter().find(|(operator, ..)| operator.name == name).unwrap();
        derived.targets.get(&class).map_or(&[][..], Vec::as_slice)
    };
    // Two values of `keepdims` besides none, and the same of the other, with and without axes.
    let pairs = of("ReduceMax", Class::Pairs);
    assert_eq!(pairs.len(), 3 * 3 + 2 * (3 * 2));
    assert!(of("LSTM", Class::Pairs).iter().any(|(name, _)| name == "no hidden_size, input P"));
    assert_eq!(of("LSTM", Class::Absent).len(), 32);
    assert_eq!(of("Abs", Class::Absent), []);
    // An open result is none: what is no number has no sign.
    assert_eq!(of("Sign", Class::Nan), [("last_input".to_owned(), Reached::Excluded)]);
    let types: Vec<&str> =
        of("MatMul", Class::ExactInAnyOrder).iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(types.len(), 4, "{types:?}");
    assert!(of("Abs", Class::ExactInAnyOrder).is_empty());
    let whole = of("MatMul", Class::WholeOutput);
    assert!(whole.len() == 4 && whole.iter().all(|(_, it)| matches!(it, Reached::Derived(_))));
    // Their elements are partial sums of others, whose errors they share.
    assert!(of("CumSum", Class::WholeOutput).iter().all(|(_, it)| *it == Reached::Excluded));
    let all = ALL.iter().filter_map(|(.., it)| it.targets.get(&Class::WholeOutput));
    // By so many outputs the probability of a false alarm in a run is stated.
    assert!(all.map(Vec::len).sum::<usize>() < 500);
    let gather = of("Gather", Class::SubnormalResults);
    assert!(gather.len() > 3 && gather.iter().all(|(_, it)| *it != Reached::Excluded));
}

#[test]
fn cases_of_few_bits_refuse_the_neighbours_of_each_result() {
    let (operator, stated, derived) =
        ALL.iter().find(|(operator, ..)| operator.name == "GlobalAveragePool").unwrap();
    let derivation = Derivation::of(operator, stated);
    let exact = derived.cases.iter().find(|case| case.path.contains("exact_in_any_order")).unwrap();
    for conforming in &derivation.judged(exact).unwrap().all[0] {
        let bits = conforming.example().unwrap() as u64;
        assert!(conforming.accepts(bits), "{conforming:?}");
        assert!(!conforming.accepts(bits + 1) && !conforming.accepts(bits.wrapping_sub(1)));
    }
}

/// The table of `docs/suites.md`, which counts the targets of each class.
#[test]
fn the_page_on_suites_counts_the_targets_of_each_class() {
    let mut rows = String::new();
    for class in Class::ALL {
        let targets = || ALL.iter().filter_map(|(_, _, it)| it.targets.get(&class)).flatten();
        let count = |is: fn(&Reached) -> bool| targets().filter(|(_, it)| is(it)).count();
        let stated = count(|it| *it == Reached::Stated);
        let derived = count(|it| matches!(it, Reached::Derived(_)));
        let excluded = count(|it| *it == Reached::Excluded);
        let is_of = |path: &&str| path.starts_with(class.name());
        let names = ALL.iter().flat_map(|(_, _, it)| &it.cases);
        let names = names.filter_map(|case| case.path.rsplit('/').next());
        let cases = names.filter(is_of).count();
        let planned = targets().count();
        rows +=
            &format!("| `{class}` | {planned} | {stated} | {derived} | {excluded} | {cases} |\n");
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/suites.md");
    let page = std::fs::read_to_string(page).unwrap().replace(',', "");
    assert!(page.contains(&rows), "the page has other counts than\n{rows}");
}

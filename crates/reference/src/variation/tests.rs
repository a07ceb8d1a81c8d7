//! Varied cases keep what their cases are about.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rayon::prelude::*;
use values::dtype::Kind;

use super::*;
use crate::operator::AttributeValue;
use crate::operators::OPERATORS;
use crate::signature::Specification;

type Pair = (&'static Operator, CaseSpec, CaseSpec);

/// Every case that any operator states, with what one seed makes of it.
static ALL: LazyLock<Vec<Pair>> = LazyLock::new(|| {
    let stated = OPERATORS.iter().flat_map(|&operator| {
        let stated =
            Specification::ALL.into_iter().flat_map(|of| operator.cases.unwrap()(of).unwrap());
        stated.map(move |spec| (operator, spec))
    });
    let stated: Vec<_> = stated.collect();
    let pair = |(operator, spec)| (operator, other(operator, &spec, 1), spec);
    let pairs = stated.into_par_iter().map(pair);
    pairs.map(|(operator, other, spec)| (operator, spec, other)).collect()
});

fn other(operator: &'static Operator, spec: &CaseSpec, seed: u64) -> CaseSpec {
    let text = format!("{seed} {} {}", spec.specification, spec.path);
    varied(operator, spec, &mut Random::for_case(&text)).unwrap()
}

/// What a case expects of the elements of its output, in no order.
fn expected(operator: &'static Operator, spec: &CaseSpec) -> Vec<String> {
    let random = &mut Random::new(0);
    let (call, types) = Varied { operator, spec, random }.call(spec.inputs.clone()).unwrap();
    let allowed = operator.reference.allowed(&call, &types).remove(0);
    let count = types[0].shape.iter().product();
    let told = |at: usize| match (allowed.at(at), types[0].dtype.kind()) {
        (Conforming::One(bits), Kind::Float(format)) => format!("{:?}", format.class(bits)),
        (Conforming::One(bits), _) => format!("one {}", bits == 0),
        (Conforming::Same(_), _) => "moved".to_owned(),
        (Conforming::AnyNan(_), _) => "NaN".to_owned(),
        (Conforming::RefusalOr(_), _) => "refusal".to_owned(),
        (Conforming::OneOf(_), _) => "open".to_owned(),
        (Conforming::Within { accumulated, nearest }, Kind::Float(format)) => {
            format!("{:?} {} {:?}", format.class(nearest), accumulated.nan, accumulated.infinities)
        }
        (other, _) => format!("{other:?}"),
    };
    let mut all: Vec<String> = (0..count).map(told).collect();
    all.sort();
    all
}

/// Sign and class of the elements of each input, in no order.
fn classes(spec: &CaseSpec) -> Vec<Vec<String>> {
    let of = |elements: Vec<Element>| {
        let class = |element: &Element| match (element, element.dtype().kind()) {
            (Element::Bits(_, bits), Kind::Float(format)) => {
                let bits = *bits as u64;
                format!("{:?} {}", format.class(bits), format.is_negative(bits))
            }
            (_, kind) => format!("{kind:?}"),
        };
        let mut all: Vec<String> = elements.iter().map(class).collect();
        all.sort();
        all
    };
    elements_of(&spec.inputs).into_iter().map(of).collect()
}

#[test]
fn nothing_but_the_elements_changes_and_these_keep_their_classes() {
    for (_, spec, other) in &*ALL {
        let of = |spec: &CaseSpec| CaseSpec {
            inputs: Vec::new(),
            attributes: spec
                .attributes
                .iter()
                .filter(|(_, own)| !is_element(spec, own))
                .cloned()
                .collect(),
            ..spec.clone()
        };
        assert_eq!(format!("{:?}", of(spec)), format!("{:?}", of(other)));
        let types = |spec: &CaseSpec| -> Vec<TensorType> {
            spec.inputs.iter().flatten().map(TensorType::of).collect()
        };
        assert_eq!(types(spec), types(other), "{}", spec.path);
        if spec.refusal.is_none() {
            assert_eq!(classes(spec), classes(other), "{}", spec.path);
        }
    }
}

/// Whether an attribute holds elements of the output.
fn is_element(spec: &CaseSpec, value: &AttributeValue) -> bool {
    let is_tensor = matches!(value, AttributeValue::Tensor(_) | AttributeValue::Sparse(_));
    spec.refusal.is_none() && (is_tensor || spec.inputs.is_empty())
}

#[test]
fn elements_in_attributes_become_others_of_their_classes() {
    let (mut all, mut kept) = (0, Vec::new());
    let with_attributes = ALL.iter().filter(|(_, spec, _)| !spec.attributes.is_empty());
    for (operator, spec, other) in with_attributes {
        let pairs = spec.attributes.iter().zip(&other.attributes);
        let pairs = pairs.filter(|((_, value), _)| is_element(spec, value));
        for ((name, value), (other_name, other_value)) in pairs {
            assert_eq!(name, other_name);
            match (value, other_value) {
                (AttributeValue::Tensor(value), AttributeValue::Tensor(other)) => {
                    let given = |tensor: &Tensor| CaseSpec {
                        inputs: vec![Some(tensor.clone())],
                        ..spec.clone()
                    };
                    assert_eq!(TensorType::of(value), TensorType::of(other));
                    assert_eq!(classes(&given(value)), classes(&given(other)), "{}", spec.path);
                }
                (AttributeValue::Sparse(value), AttributeValue::Sparse(other)) => {
                    assert_eq!((&value.indices, &value.dims), (&other.indices, &other.dims));
                }
                _ => assert_eq!(operator.name, "Constant"),
            }
            all += 1;
            if value == other_value {
                kept.push(&*spec.path);
            }
        }
    }
    // Empty ones, and special values alone.
    assert!(all > 100 && kept.len() * 4 < all, "{} of {all}: {kept:#?}", kept.len());
}

#[test]
fn as_many_results_are_of_each_kind_as_before() {
    ALL.par_iter().filter(|(_, spec, _)| spec.refusal.is_none()).for_each(
        |(operator, spec, other)| {
            assert_eq!(expected(operator, spec), expected(operator, other), "{}", spec.path);
        },
    );
}

/// Empty inputs, and those whose every element is one of its kind, stay as they are, and so do calls without data.
#[test]
fn nineteen_of_twenty_cases_have_other_inputs() {
    let has_data = |(operator, spec, _): &&Pair| {
        (0..spec.inputs.len()).any(|at| may_differ(operator, spec, at))
    };
    let all: Vec<&Pair> = ALL.iter().filter(has_data).collect();
    let is_kept =
        |(_, spec, other): &&&Pair| elements_of(&spec.inputs) == elements_of(&other.inputs);
    let kept: Vec<&str> = all.iter().filter(is_kept).map(|(_, spec, _)| &*spec.path).collect();
    assert!(kept.len() * 20 <= all.len(), "{} of {}: {kept:#?}", kept.len(), all.len());
}

#[test]
fn two_fifths_of_all_operands_are_not_among_those_of_the_case_before() {
    let tuples = |spec: &CaseSpec| -> Vec<Vec<Key>> {
        let inputs = elements_of(&spec.inputs);
        let at = |at| inputs.iter().filter_map(move |input| input.get(at)).map(key).collect();
        (0..inputs.first().map_or(0, Vec::len)).map(at).collect()
    };
    let (mut all, mut new) = (0, 0);
    for (_, spec, other) in &*ALL {
        let known: BTreeSet<_> = tuples(spec).into_iter().collect();
        let others = tuples(other);
        all += others.len();
        new += others.iter().filter(|tuple| !known.contains(*tuple)).count();
    }
    // Of truth values and of 8 bits there are few others.
    assert!(5 * new > 2 * all, "{new} of {all}");
}

#[test]
fn the_same_numbers_make_the_same_inputs_and_others_make_others() {
    let some = ALL.iter().filter(|(_, spec, _)| spec.path.contains("float16")).step_by(7);
    let (mut count, mut others) = (0, 0);
    for (operator, spec, made) in some {
        assert_eq!(elements_of(&other(operator, spec, 1).inputs), elements_of(&made.inputs));
        let next = other(operator, spec, 2);
        others += usize::from(elements_of(&next.inputs) != elements_of(&made.inputs));
        count += 1;
    }
    assert!(count > 20 && others * 10 > count * 8, "{others} of {count}");
}

//! What the outputs of a case cannot say: counts that are none of their shapes, elements that are none of
//! their types, and a verdict that does not follow from them.

use std::collections::BTreeSet;

use super::{Contradiction, ensure};
use crate::documents::report::document::{Case, Output, Worst};
use crate::dtype::DType;
use crate::float::FloatFormat;
use crate::judge::compare::{Element, RETURNED_KEPT, WORST_KEPT, distance, is_count_of_more};
use crate::judge::verdict::{self, AspectResult, Verdict};
use crate::oracle::Ulps;

/// The outputs agree with themselves and with the verdict that rests on them.
pub(super) fn check(case: &Case) -> Result<(), Contradiction> {
    of_pass(case)?;
    let mut names = BTreeSet::new();
    case.outputs.iter().try_for_each(|output| {
        let (id, name) = (&case.id, &output.name);
        ensure(names.insert(name), || format!("the case `{id}` has the output `{name}` twice"))?;
        let told = of_output(case, output);
        told.map_err(|what| {
            Contradiction(format!("the case `{id}` has, in the output `{name}`, {what}"))
        })
    })
}

/// A pass has an answer, and an output that was compared is what it rests on; its message, if any, tells
/// what was not decided.
fn of_pass(case: &Case) -> Result<(), Contradiction> {
    let id = &case.id;
    if case.verdict != Verdict::Pass {
        return ensure(case.message.is_some() || !case.verdict.is_failure(), || {
            format!("the case `{id}` has `verdict` {}, but no `message`", case.verdict)
        });
    }
    let aspects = &case.aspects;
    let answered = match case.outputs.is_empty() {
        true => aspects.refusal == AspectResult::Passed && aspects.value == AspectResult::NotAsked,
        false => aspects.value == AspectResult::Passed,
    };
    ensure(answered, || {
        format!("the case `{id}` has `verdict` pass, but neither outputs nor a refusal that passed")
    })?;
    let undecided = case.outputs.iter().map(|output| output.undecided);
    let all = undecided.fold(0, u64::saturating_add);
    ensure(all == 0 || case.elements_compared() > 0, || {
        format!("the case `{id}` has `verdict` pass, but all its elements are undecided")
    })?;
    let is_of_pass = |message| verdict::is_of_pass(message, case.elements_compared(), all);
    ensure(case.message.as_deref().is_none_or(is_of_pass), || {
        format!("the case `{id}` has `verdict` pass, but the `message` of another one")
    })
}

fn of_output(case: &Case, output: &Output) -> Result<(), String> {
    let Output { elements, undecided, mismatches, worst, .. } = output;
    let told = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    let dtype = output.type_name.parse::<DType>().ok();
    let answered = elements.checked_add(*undecided);
    let promised = match (dtype, &output.shape[..]) {
        (Some(_), shape) => shape.iter().try_fold(1_u64, |all, &dim| all.checked_mul(dim)),
        // A sequence or an optional that holds no tensor.
        (None, []) => Some(0),
        (None, _) => None,
    };
    // Of a tensor of another shape or type, no element was compared.
    let is_whole = answered == promised;
    let is_pass = case.verdict == Verdict::Pass;
    told(
        promised.is_some() && (is_whole || !is_pass && answered == Some(0)),
        "`elements` and `undecided` that are not those of its `type` and `shape`",
    )?;
    let kept = WORST_KEPT as u64;
    let differing = worst.len() as u64;
    told(
        ((*mismatches).min(kept)..=(*elements).min(kept)).contains(&differing),
        "a number of `worst` elements that is not that of its `mismatches` and `elements`",
    )?;
    told(
        output.nan_sign_or_payload_differs <= *elements,
        "more NaNs in `nan_sign_or_payload_differs` than `elements`",
    )?;
    told(output.max_ulp.is_none() || *elements > 0, "a `max_ulp`, but no `elements`")?;
    let furthest = worst.iter().filter_map(|worst| worst.ulp).max().unwrap_or(0);
    let max_ulp = output.max_ulp.unwrap_or(0);
    // Where not all that differ are kept, one that is further away may be missing among the mismatches.
    let is_furthest = if differing < kept { furthest == max_ulp } else { furthest <= max_ulp };
    told(is_furthest, "a `max_ulp` that is not the largest `ulp` of its `worst` elements")?;
    let indices: BTreeSet<_> = worst.iter().map(|worst| &worst.index).collect();
    told(indices.len() == worst.len(), "one of its `worst` elements twice")?;
    for error in [&output.max_error_ulp, &output.expected_max_error_ulp].into_iter().flatten() {
        told(Ulps::parse(error).is_some(), "an error in ULP that is no number")?;
    }
    for error in [&output.max_abs_error, &output.max_rel_error].into_iter().flatten() {
        told(is_error(error), "an absolute or relative error that is no number")?;
    }
    for one in worst {
        told(is_in(&one.index, &output.shape), "a `worst` element outside its `shape`")?;
        told(
            is_element_of(dtype, one),
            "a `worst` element that is none of its `type`, or has another distance",
        )?;
        let is_operand = |text: &String| case.types.iter().any(|name| is_written(name, text));
        let operands = one.inputs.split_last().filter(|(last, _)| is_count_of_more(last));
        let operands = operands.map_or(&one.inputs[..], |(_, told)| told);
        told(operands.iter().all(is_operand), "a `worst` element of operands of no type")?;
    }
    let first = output.returned.len() <= RETURNED_KEPT;
    told(first, "more `returned` elements than are kept")?;
    let is_known = is_whole && answered != Some(0);
    let is_own = |text: &String| is_written(&output.type_name, text);
    let are_own =
        output.returned.len() as u64 <= promised.unwrap_or(0) && output.returned.iter().all(is_own);
    told(!is_known || are_own, "`returned` elements that are not of its `type` and `shape`")
}

/// Whether coordinates are those of an element.
fn is_in(index: &[u64], shape: &[u64]) -> bool {
    index.len() == shape.len() && index.iter().zip(shape).all(|(at, dim)| at < dim)
}

/// Whether an element and the expected one are of this type, and as far apart as is said.
fn is_element_of(dtype: Option<DType>, worst: &Worst) -> bool {
    match dtype {
        None => false,
        Some(DType::String) => worst.ulp.is_none(),
        Some(dtype) => {
            let read = |text| Element::parse(dtype, text);
            let elements = read(&worst.expected).zip(read(&worst.actual));
            elements.is_some_and(|(expected, actual)| distance(&expected, &actual) == worst.ulp)
        }
    }
}

/// Whether a text is one as elements of the type of this name are written.
fn is_written(type_name: &str, text: &str) -> bool {
    match type_name.parse() {
        Ok(DType::String) => text.starts_with('"'),
        Ok(dtype) => Element::parse(dtype, text).is_some(),
        Err(_) => false,
    }
}

/// Whether a text is that of an error as decimal and binary64 bits.
fn is_error(text: &str) -> bool {
    let bits = match Element::parse(DType::Float64, text) {
        Some(Element::Bits(_, bits)) => bits as u64,
        Some(Element::String(_)) | None => return false,
    };
    !FloatFormat::FLOAT64.is_negative(bits)
}

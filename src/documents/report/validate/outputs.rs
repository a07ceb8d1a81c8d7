//! Bounds on the outputs of a case: counts by their shapes, elements by their types, and what a verdict needs.

use std::collections::BTreeSet;

use crate::document::{Contradiction, ensure, ensure_all};
use crate::documents::report::document::{Case, Output, Worst};
use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use crate::judge::compare::{Element, RETURNED_KEPT, WORST_KEPT, distance, is_count_of_more};
use crate::judge::profile::Strictness;
use crate::judge::verdict::{self, AspectResult, Verdict};
use crate::oracle::{Share, Ulps};

/// Checks the bounds of a case's outputs and of the verdict that rests on them.
pub(super) fn check(case: &Case) -> Result<(), Contradiction> {
    let id = &case.id;
    of_pass(case)?;
    let mut names = BTreeSet::new();
    case.outputs.iter().try_for_each(|output| {
        let name = &output.name;
        ensure(names.insert(name), || format!("the case `{id}` has the output `{name}` twice"))?;
        of_output(case, output)
    })
}

/// A pass has outputs, or a refusal where that is allowed; a failure has a message, and that of a pass counts what
/// was not decided.
fn of_pass(case: &Case) -> Result<(), Contradiction> {
    use AspectResult::{NotAsked, Passed};
    let Case { id, verdict, aspects, outputs, message, .. } = case;
    if *verdict != Verdict::Pass {
        return ensure(message.is_some() || !verdict.is_failure(), || {
            format!("the case `{id}` has `verdict` {verdict}, but no `message`")
        });
    }
    let answered = match outputs.is_empty() {
        true => (aspects.refusal, aspects.value) == (Passed, NotAsked),
        false => aspects.value == Passed,
    };
    let undecided = outputs.iter().fold(0, |all: u64, output| all.saturating_add(output.undecided));
    let decided = case.elements_compared();
    let is_of_pass = |message: &String| verdict::is_of_pass(message, decided, undecided);
    ensure_all(
        format_args!("the case `{id}` has `verdict` pass, but"),
        [
            (answered, "neither outputs nor a refusal that passed"),
            (undecided == 0 || decided > 0, "all its elements are undecided"),
            (message.as_ref().is_none_or(is_of_pass), "the `message` of another one"),
        ],
    )
}

fn of_output(case: &Case, output: &Output) -> Result<(), Contradiction> {
    let Output { elements, undecided, mismatches, worst, .. } = output;
    let dtype = output.type_name.parse::<DType>().ok();
    let answered = elements.checked_add(*undecided);
    let planned = match (dtype, &output.shape[..]) {
        (Some(_), shape) => shape.iter().try_fold(1_u64, |all, &dim| all.checked_mul(dim)),
        // A sequence or an optional that holds no tensor.
        (None, []) => Some(0),
        (None, _) => None,
    };
    // Of a tensor of another shape or type, no element was compared.
    let is_whole = answered == planned;
    let may_be_none = case.verdict != Verdict::Pass && answered == Some(0);
    let (kept, differing) = (WORST_KEPT as u64, worst.len() as u64);
    let furthest = worst.iter().filter_map(|worst| worst.ulp).max().unwrap_or(0);
    let max_ulp = output.max_ulp.unwrap_or(0);
    // Where not all that differ are kept, one that is further away may be missing among the mismatches.
    let is_furthest = if differing < kept { furthest == max_ulp } else { furthest <= max_ulp };
    let indices: BTreeSet<_> = worst.iter().map(|worst| &worst.index).collect();
    let mut ulps = [&output.max_error_ulp, &output.expected_max_error_ulp].into_iter().flatten();
    let mut errors = [&output.max_abs_error, &output.max_rel_error].into_iter().flatten();
    let share = output.share_of_bound.as_deref();
    // Of elements that a bound decides the share alone says whether they conform.
    let is_judged =
        |text| Share::parse(text).is_some_and(|it| (it > Share::ALL) == (*mismatches > 0));
    let is_bounded = case.strictness.is_some_and(|it| it <= Strictness::Accumulated);
    let is_float = dtype.is_some_and(|dtype| matches!(dtype.kind(), Kind::Float(_)));
    let is_operand = |text: &String| case.types.iter().any(|name| is_written(name, text));
    let are_operands = |one: &Worst| {
        let shown = one.inputs.split_last().filter(|(last, _)| is_count_of_more(last));
        shown.map_or(&one.inputs[..], |(_, shown)| shown).iter().all(is_operand)
    };
    let are_own = || {
        output.returned.len() as u64 <= planned.unwrap_or(0)
            && output.returned.iter().all(|text| is_written(&output.type_name, text))
    };
    let is_failed = case.aspects.value == AspectResult::Failed;
    let is_known = is_whole && answered != Some(0);
    ensure_all(
        format_args!("the case `{}` has, in the output `{}`,", case.id, output.name),
        [
            (
                planned.is_some() && (is_whole || may_be_none),
                "`elements` and `undecided` that are not those of its `type` and `shape`",
            ),
            (
                ((*mismatches).min(kept)..=(*elements).min(kept)).contains(&differing),
                "a number of `worst` elements that is not that of its `mismatches` and `elements`",
            ),
            (
                output.nan_sign_or_payload_differs <= *elements,
                "more NaNs in `nan_sign_or_payload_differs` than `elements`",
            ),
            (output.max_ulp.is_none() || *elements > 0, "a `max_ulp`, but no `elements`"),
            (is_furthest, "a `max_ulp` that is not the largest `ulp` of its `worst` elements"),
            (indices.len() == worst.len(), "one of its `worst` elements twice"),
            (ulps.all(|error| Ulps::parse(error).is_some()), "an error in ULP that is no number"),
            (
                share.is_none_or(is_judged),
                "a `share_of_bound` that is no share, or not that of its `mismatches`",
            ),
            (
                share.is_none() || (is_float && *elements > 0 && output.max_error_ulp.is_some()),
                "a `share_of_bound`, but no `elements` of a float type with a `max_error_ulp`",
            ),
            (
                share.is_none() || is_bounded,
                "a `share_of_bound`, but a `strictness` that no bound has",
            ),
            (
                output.whole.as_ref().is_none_or(|whole| {
                    let is_judged = is_bounded && is_float && *mismatches == 0;
                    is_judged && (1..=*elements).contains(&whole.elements)
                }),
                "a `whole`, but no sums that conform one by one",
            ),
            (
                output.exceeds_as_a_whole().is_some_and(|exceeds| !exceeds || is_failed),
                "a `whole` that is no share, or exceeds what it may in a case that passes",
            ),
            (
                errors.all(|error| is_error(error)),
                "an absolute or relative error that is no number",
            ),
            (
                worst.iter().all(|one| is_in(&one.index, &output.shape)),
                "a `worst` element outside its `shape`",
            ),
            (
                worst.iter().all(|one| is_element_of(dtype, one)),
                "a `worst` element that is none of its `type`, or has another distance",
            ),
            (worst.iter().all(are_operands), "a `worst` element of operands of no type"),
            (output.returned.len() <= RETURNED_KEPT, "more `returned` elements than are kept"),
            (!is_known || are_own(), "`returned` elements that are not of its `type` and `shape`"),
        ],
    )
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

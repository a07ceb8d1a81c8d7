//! NonMaxSuppression: of each batch and class the boxes with the highest scores that overlap none chosen before by more than a threshold.
//!
//! Intersection over union is computed exactly, and enclosed for every evaluation that rounds to float32 or a wider format
//! (`overlap`): a box is suppressed or kept where both say the same, and else either may be. Scores are compared exactly; a
//! score equal to `score_threshold` stays, as the text removes those that are less. No sentence says which of equal scores comes
//! first. So all selections are found that may come out: where they differ in boxes, each may be in its place, where they differ in their
//! number, nothing is decided. In which order rows come the text does not say either; ONNX's cases have them by batch, class and
//! falling score. What is done with NaN, with a negative maximum, with sizes below 0 and with boxes that meet but have no area
//! together, no sentence says. Single numbers may be lists of one, as in ONNX's cases. Source: ONNX's schemas of NonMaxSuppression-10 and 11.

mod overlap;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use values::dtype::DType::{Float32, Int64};
use values::element::Element;
use values::tensor::Tensor;

use self::overlap::{Decision, Overlaps};
use crate::case_table::{self, Own};
use crate::exact::{Conforming, Deviation, distance};
use crate::families::along::{any_place, flag, order, order_at};
use crate::families::picked_or_open::Open;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::real::Real;

/// NonMaxSuppression in ONNX's default domain.
pub static NONMAXSUPPRESSION: Operator = Operator {
    documents: &[Document {
        key: "onnx-nonmaxsuppression",
        catalogue: include_str!("nonmaxsuppression/onnx-nonmaxsuppression.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("nonmaxsuppression/cases.toml");
        case_table::cases(of, &NONMAXSUPPRESSION, &[table], Own::NONE)
    }),
    ..Operator::onnx("NonMaxSuppression", OperatorKind::Exact, &VERSIONS, &NonMaxSuppression)
};

const VERSIONS: [Version; 2] = [version(10), version(11)];

const fn version(since: i64) -> Version {
    const INPUTS: &[Port] = &[
        Port::new("boxes", &[Float32], "tensor(float)"),
        Port::new("scores", &[Float32], "tensor(float)"),
        Port::new("max_output_boxes_per_class", &[Int64], "tensor(int64)").optional(),
        Port::new("iou_threshold", &[Float32], "tensor(float)").optional(),
        Port::new("score_threshold", &[Float32], "tensor(float)").optional(),
    ];
    const OUTPUTS: &[Port] = &[Port::new("selected_indices", &[Int64], "tensor(int64)")];
    const ATTRIBUTES: &[Attribute] =
        &[Attribute::new("center_point_box", AttributeType::Int).otherwise(Otherwise::Int(0))];
    Version { since, inputs: INPUTS, outputs: OUTPUTS, attributes: ATTRIBUTES }
}

const NAN: &str = "how a NaN is compared is not stated";
const NEGATIVE: &str = "what a negative maximum is, is not stated";
const TOO_MANY: &str = "so many selections may come out that nothing here lists them";
const NUMBER: &str =
    "the number of boxes follows from what is not stated, or from how it is rounded";

/// The most steps that are taken to find the selections of a class, without those that no two selections differ by.
const MOST_STEPS: usize = 1 << 10;

/// What may come out.
enum Selection {
    /// Rows of a batch, a class, and any of these boxes.
    Rows(Vec<Row>),
    /// Anything, for this reason.
    Open(&'static str),
}

struct Row {
    batch: usize,
    class: usize,
    boxes: BTreeSet<usize>,
}

/// The bits of an input that is a single number; `None` where it is left out.
fn single(call: &Call, at: usize) -> Result<Option<u64>, Invalid> {
    let Some(input) = call.inputs.get(at).and_then(Option::as_ref) else { return Ok(None) };
    match input.shape() {
        [] | [1] => Ok(input.element(0).map(|bits| bits as u64)),
        shape => {
            let name = call.version.input(at).map_or("", |port| port.name);
            Err(call.invalid(&format!("takes a single number, and no {shape:?}, for `{name}`")))
        }
    }
}

/// The selections of one class.
struct Class<'a> {
    scores: &'a Tensor,
    /// The place of the score of the first box.
    first: usize,
    overlaps: &'a Overlaps<'a>,
    limit: usize,
}

impl Class<'_> {
    fn score(&self, at: usize) -> Option<i128> {
        order_at(self.scores, self.first + at)
    }

    /// All selections that may come out of these candidates, the ones with the highest scores at the end.
    fn selections(&self, candidates: Vec<usize>) -> Option<BTreeSet<Vec<usize>>> {
        let (mut found, mut steps) = (BTreeSet::new(), 0);
        let mut states = vec![(candidates, Vec::new())];
        while let Some((mut rest, mut selected)) = states.pop() {
            if selected.len() == self.limit || rest.is_empty() {
                found.insert(selected);
                continue;
            }
            let equal = self.equal(&rest);
            let of = |at: usize| self.overlaps.decision(at, &selected);
            let decisions: Vec<_> = rest.drain(equal..).map(|at| (at, of(at))).collect();
            // Those that are suppressed in any case are so whenever their turn comes.
            let all: Vec<_> =
                decisions.into_iter().filter(|(_, own)| *own != Decision::Suppressed).collect();
            match all[..] {
                [] => states.push((rest, selected)),
                [(only, Decision::Kept)] => {
                    selected.push(only);
                    states.push((rest, selected));
                }
                _ => {
                    steps += all.len();
                    if steps > MOST_STEPS {
                        return None;
                    }
                    for &(at, decision) in &all {
                        let others = all.iter().map(|(other, _)| *other).filter(|it| *it != at);
                        let rest: Vec<_> = rest.iter().copied().chain(others).collect();
                        if decision == Decision::Either {
                            states.push((rest.clone(), selected.clone()));
                        }
                        states.push((rest, [&selected[..], &[at]].concat()));
                    }
                }
            }
        }
        Some(found)
    }

    /// Where those begin that have the same score as the last one.
    fn equal(&self, candidates: &[usize]) -> usize {
        let last = candidates.last().and_then(|at| self.score(*at));
        let is_equal = |at: &&usize| self.score(**at) == last;
        candidates.len() - candidates.iter().rev().take_while(is_equal).count()
    }
}

/// What may come out of a call.
fn selection(call: &Call) -> Result<Selection, Invalid> {
    let (boxes, scores) = (call.input(0)?, call.input(1)?);
    let is_centered = flag(call, "center_point_box")?;
    let (&[batches, count, 4], &[of_batches, classes, of_boxes]) = (boxes.shape(), scores.shape())
    else {
        let shapes = call.shapes();
        return Err(call.invalid(&format!("takes no boxes and scores of shapes {shapes:?}")));
    };
    if (batches, count) != (of_batches, of_boxes) {
        return Err(call.invalid(&format!("takes no scores of {:?} for boxes", scores.shape())));
    }
    let (limit, overlap, least) = (single(call, 2)?, single(call, 3)?, single(call, 4)?);
    let threshold = overlap.unwrap_or(0);
    let is_share = |bits: u64| order(Float32, bits).is_some_and(|it| (0..=ONE).contains(&it));
    if !is_share(threshold) {
        return Err(call.invalid("takes an `iou_threshold` from 0 to 1"));
    }
    // As a signed integer.
    let limit = limit.unwrap_or(0).cast_signed();
    let least = least.map(|bits| order(Float32, bits));
    let (Ok(limit), least) = (usize::try_from(limit), least.unwrap_or(Some(i128::MIN))) else {
        return Ok(Selection::Open(NEGATIVE));
    };
    if limit == 0 {
        return Ok(Selection::Rows(Vec::new()));
    }
    let mut rows = Vec::new();
    for batch in 0..batches {
        let overlaps = Overlaps::new(boxes, batch * count, is_centered, threshold);
        for class in 0..classes {
            let first = (batch * classes + class) * count;
            let own = Class { scores, first, overlaps: &overlaps, limit };
            let orders: Option<Vec<_>> = (0..count).map(|at| own.score(at)).collect();
            let (Some(orders), Some(least)) = (orders, least) else {
                return Ok(Selection::Open(NAN));
            };
            let mut candidates: Vec<_> = (0..count).filter(|at| orders[*at] >= least).collect();
            candidates.sort_by_key(|at| (orders[*at], Reverse(*at)));
            let Some(all) = own.selections(candidates) else {
                return Ok(Selection::Open(TOO_MANY));
            };
            let length = all.first().map_or(0, Vec::len);
            if all.iter().any(|one| one.len() != length) {
                return Ok(Selection::Open(overlaps.reason().unwrap_or(NUMBER)));
            }
            let row = |at: usize| Row {
                batch,
                class,
                boxes: all.iter().map(|selected| selected[at]).collect(),
            };
            rows.extend((0..length).map(row));
        }
    }
    Ok(Selection::Rows(rows))
}

/// Where 1 lies in the order of float32.
const ONE: i128 = 0x3f80_0000;

/// What is allowed of the rows.
struct Rows<'a> {
    scores: &'a Tensor,
    rows: Vec<Row>,
}

impl Rows<'_> {
    /// What an index may be: the first is the example.
    fn numbers(&self, index: usize) -> Vec<usize> {
        let Some(row) = self.rows.get(index / 3) else { return Vec::new() };
        match index % 3 {
            0 => vec![row.batch],
            1 => vec![row.class],
            _ => row.boxes.iter().copied().collect(),
        }
    }
}

impl Allowed for Rows<'_> {
    fn at(&self, index: usize) -> Conforming {
        any_place(self.numbers(index))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(Int64, *self.numbers(index).first()? as u64)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let numbers = self.numbers(index);
        let Some(&first) = numbers.first() else { return Deviation::NoRealResult };
        let nearest = if self.at(index).accepts(actual) { actual } else { first as u64 };
        distance(Int64, nearest, actual)
    }

    /// The score of the box.
    fn operands(&self, index: usize) -> Vec<Element> {
        let place = self.rows.get(index / 3).and_then(|row| {
            let &[_, classes, count] = self.scores.shape() else { return None };
            Some((row.batch * classes + row.class) * count + row.boxes.first()?)
        });
        place.and_then(|place| Element::of(self.scores, place)).into_iter().collect()
    }

    fn sources(&self, _: usize) -> Option<Vec<usize>> {
        Some(vec![1])
    }
}

struct NonMaxSuppression;

impl Reference for NonMaxSuppression {
    /// Every input decides which boxes are chosen.
    fn is_control(&self, _: &Version, _: usize) -> bool {
        true
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let rows = match selection(call)? {
            Selection::Rows(rows) => rows.len(),
            // Where nothing is decided, the shape is not either.
            Selection::Open(_) => 1,
        };
        Ok(vec![TensorType::new(Int64, vec![rows, 3])?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (selection(call), call.input(1)) {
            (Ok(Selection::Rows(rows)), Ok(scores)) => vec![Box::new(Rows { scores, rows })],
            (Ok(Selection::Open(reason)), _) => vec![Box::new(Open(reason))],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;

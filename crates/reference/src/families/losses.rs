//! What NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss have in common: of each sample the negative logarithm of the probability of its class, times
//! the weight of the class, and the sum or the mean of these losses.
//!
//! Products are rounded once, sums are in any order, and quotients may be products with a reciprocal. A mean without weights may be one of terms that
//! are divided before they are added, as ReduceMean's. Zeros that a sum gives may have either sign, as it may be one of losses or of logarithms.
//!
//! **Ignored samples.** Their loss is 0, whatever the logarithms are. By the function, and by ONNX's cases, a mean does not count them: their weight is 0. The text
//! has `mean(loss)` without weights, and with weights a divisor that has the weights of the classes of all samples. Each of these readings conforms: an ignored
//! sample counts as 1, or with the weight of its class where `ignore_index` is one.
//!
//! **What is open.** The text asks for classes from 0 to one less than their number, or the one that is ignored. It does not say what another one gives, whose place the
//! function counts from the end where it is negative: of such a call nothing is decided. Neither is the mean of no samples.
//!
//! Sources: ONNX's schemas and functions of these operators' versions 12, 13 and 22.

use std::rc::Rc;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::computation::{Elements, format_of, value};
use super::picked_or_open::Open;
use super::picking::{INDICES, integers};
use super::readings::Readings;
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Invalid, Otherwise, Port, TensorType,
};

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("losses/cases.toml");

/// Their attributes.
pub(crate) const ATTRIBUTES: [Attribute; 2] = [
    Attribute::new("ignore_index", AttributeType::Int),
    Attribute::new("reduction", AttributeType::Text(&["none", "sum", "mean"]))
        .otherwise(Otherwise::Text("mean")),
];

/// The inputs of a version by their names: scores and weights of these types, and classes between them.
pub(crate) const fn inputs(names: [&'static str; 3], types: &'static [DType]) -> [Port; 3] {
    let [scores, classes, weights] = names;
    let classes = Port::new(classes, INDICES, "Tind");
    [Port::new(scores, types, "T"), classes, Port::new(weights, types, "T").optional()]
}

/// Why a loss is not decided.
const UNKNOWN: &str = "a class is to be one of those that there are, and nothing is said of others";
const NO_SAMPLES: &str = "a mean of no elements is undefined";

/// What becomes of the losses of all samples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    None,
    Sum,
    Mean,
}

/// The class of a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// One of those that there are.
    Of(usize),
    /// That of samples which are ignored.
    Ignored,
}

/// How a mean counts samples that are ignored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// It does not, as the function has it.
    Others,
    /// As it counts the others, as the text has it.
    All,
}

/// The samples of a call.
pub(crate) struct Samples<'a> {
    /// Of batches, classes and any dimensions more.
    pub(crate) scores: &'a Tensor,
    pub(crate) format: &'static FloatFormat,
    labels: &'a Tensor,
    classes: Vec<Class>,
    /// Whether each sample has a class that there is, or is ignored.
    are_known: bool,
    weights: Option<&'a Tensor>,
    /// The class that is ignored, whether there is such a class or not.
    ignored: Option<i64>,
    reduction: Reduction,
    /// How many classes there are, and how many samples a batch has.
    sizes: [usize; 2],
}

impl<'a> Samples<'a> {
    pub(crate) fn of(call: &'a Call) -> Result<Self, Invalid> {
        let (scores, labels) = (call.input(0)?, call.input(1)?);
        let [batches, count, spatial @ ..] = scores.shape() else {
            return Err(call.invalid("takes scores of at least 2 dimensions"));
        };
        if *labels.shape() != [&[*batches], spatial].concat() {
            let shapes = format!("{:?} for scores of {:?}", labels.shape(), scores.shape());
            return Err(call.invalid(&format!("takes no classes of {shapes}")));
        }
        let weights = call.inputs.get(2).and_then(Option::as_ref);
        if weights.is_some_and(|weights| *weights.shape() != [*count]) {
            return Err(call.invalid(&format!("takes a list of weights for {count} classes")));
        }
        let reduction = match call.text("reduction") {
            Some("none") => Reduction::None,
            Some("sum") => Reduction::Sum,
            _ => Reduction::Mean,
        };
        let format = format_of(scores.dtype()).ok_or_else(|| call.invalid("takes floats"))?;
        let ignored = call.int("ignore_index");
        let class = |class: i64| match usize::try_from(class).ok().filter(|class| class < count) {
            _ if ignored == Some(class) => Some(Class::Ignored),
            Some(class) => Some(Class::Of(class)),
            None => None,
        };
        let classes: Option<Vec<Class>> = integers(labels).map(class).collect();
        let are_known = classes.is_some();
        let classes = classes.unwrap_or_default();
        let sizes = [*count, labels.elements().checked_div(*batches).unwrap_or(0)];
        Ok(Self { scores, format, labels, classes, are_known, weights, ignored, reduction, sizes })
    }

    /// The type of the losses, or of what they are reduced to.
    pub(crate) fn output(&self) -> Result<TensorType, Invalid> {
        let shape = match self.reduction {
            Reduction::None => self.labels.shape().to_vec(),
            Reduction::Sum | Reduction::Mean => Vec::new(),
        };
        TensorType::new(self.scores.dtype(), shape)
    }

    /// The class that ignored samples have, where it is one of those that there are.
    fn ignored_class(&self) -> Option<usize> {
        usize::try_from(self.ignored?).ok().filter(|class| *class < self.sizes[0])
    }

    /// The place of a sample's score of a class.
    fn place(&self, sample: usize, class: usize) -> usize {
        let [count, of_batch] = self.sizes;
        let (batch, within) = (sample / of_batch.max(1), sample % of_batch.max(1));
        (batch * count + class) * of_batch + within
    }

    /// The first of the samples that the element of the output at an index is made of, and their classes.
    fn entering(&self, index: usize) -> (usize, &[Class]) {
        match self.reduction {
            Reduction::None => (index, self.classes.get(index..=index).unwrap_or_default()),
            Reduction::Sum | Reduction::Mean => (0, &self.classes),
        }
    }

    fn readings(&self) -> &'static [Counted] {
        let may_be_counted = self.weights.is_none() || self.ignored_class().is_some();
        let is_mean = self.reduction == Reduction::Mean;
        match is_mean && may_be_counted && self.classes.contains(&Class::Ignored) {
            true => &[Counted::Others, Counted::All],
            false => &[Counted::Others],
        }
    }

    /// What conforms of the outputs of a call with a class that there is not; `None` of others.
    pub(crate) fn open(&self) -> Option<Box<dyn Allowed + 'a>> {
        (!self.are_known).then(|| Box::new(Open(UNKNOWN)) as Box<dyn Allowed>)
    }

    /// What conforms of the losses, by the logarithm of the probability at a place of the scores, computed to so many bits, and by the places of the scores
    /// that enter it.
    pub(crate) fn losses<L, P>(
        self: &Rc<Self>,
        logarithm: &Rc<L>,
        places: &Rc<P>,
    ) -> Box<dyn Allowed + 'a>
    where
        L: Fn(usize, u32) -> Computed + 'a,
        P: Fn(usize) -> Vec<usize> + 'a,
    {
        if let Some(open) = self.open() {
            return open;
        }
        let by = |counted: &Counted| {
            let (own, other, counted) = (Rc::clone(self), Rc::clone(self), *counted);
            let (logarithm, places) = (Rc::clone(logarithm), Rc::clone(places));
            let compute = move |index: usize, bits: u32| {
                own.element(&Arithmetic::of(own.format, bits), &*logarithm, index, counted)
            };
            let operands = move |index: usize| other.operands(index, &*places);
            Elements::new(self.format, compute, operands)
        };
        Box::new(Readings(self.readings().iter().map(by).collect()))
    }

    fn element(
        &self,
        a: &Arithmetic,
        logarithm: &impl Fn(usize, u32) -> Computed,
        index: usize,
        counted: Counted,
    ) -> Computed {
        let loss = |(sample, class): (usize, &Class)| match *class {
            Class::Ignored => Computed::zero(a.bits()),
            Class::Of(class) => {
                let loss = -logarithm(self.place(sample, class), a.bits());
                match self.weight(a, class) {
                    Some(weight) => a.mul(&loss, &weight),
                    None => loss,
                }
            }
        };
        let (first, classes) = self.entering(index);
        let losses: Vec<Computed> = (first..).zip(classes).map(loss).collect();
        match (self.reduction, losses.as_slice()) {
            (Reduction::None, [only]) => only.clone(),
            (Reduction::None, _) => Computed::open(Exact::Undefined, UNKNOWN),
            (Reduction::Sum, all) => of_either_sign(a.sum(all)),
            (Reduction::Mean, all) => of_either_sign(self.mean(a, all, counted)),
        }
    }

    fn weight(&self, a: &Arithmetic, class: usize) -> Option<Computed> {
        Some(value(self.weights?, class, a.bits()))
    }

    fn mean(&self, a: &Arithmetic, losses: &[Computed], counted: Counted) -> Computed {
        let sum = a.sum(losses);
        if self.weights.is_some() {
            let weight = |class: &Class| match (*class, counted) {
                (Class::Of(class), _) => self.weight(a, class),
                (Class::Ignored, Counted::All) => self.weight(a, self.ignored_class()?),
                (Class::Ignored, _) => None,
            };
            let weights: Vec<Computed> = self.classes.iter().filter_map(weight).collect();
            return a.quotient(&sum, &a.divisor(a.sum(&weights)));
        }
        if losses.is_empty() {
            return Computed::open(Exact::Undefined, NO_SAMPLES);
        }
        let count = match (self.ignored, counted) {
            // The function adds up ones.
            (Some(_), Counted::Others) => {
                let others = self.classes.iter().filter(|class| **class != Class::Ignored);
                let ones = others.map(|_| a.integer(1));
                a.sum(&ones.collect::<Vec<_>>())
            }
            _ => a.converted(&a.integer(i64::try_from(losses.len()).unwrap_or(i64::MAX))),
        };
        let divisor = a.divisor(count);
        let terms: Vec<Computed> = losses.iter().map(|loss| a.quotient(loss, &divisor)).collect();
        a.quotient(&sum, &divisor).or(&a.sum(&terms))
    }

    /// The operands of the element of the output at an index: of each sample that enters it the score, the class, the weight, and what else there is at places
    /// that enter the logarithm.
    fn operands(&self, index: usize, places: &impl Fn(usize) -> Vec<usize>) -> Vec<Element> {
        let of_sample = |(sample, class): (usize, &Class)| {
            let Class::Of(class) = *class else { return Vec::new() };
            let place = self.place(sample, class);
            let own = [Element::of(self.scores, place), Element::of(self.labels, sample)];
            let weight = self.weights.and_then(|weights| Element::of(weights, class));
            let others = places(place).into_iter().filter(|other| *other != place);
            let others = others.filter_map(|other| Element::of(self.scores, other));
            own.into_iter().flatten().chain(weight).chain(others).collect()
        };
        let (first, classes) = self.entering(index);
        (first..).zip(classes).flat_map(of_sample).collect()
    }
}

/// The same where a zero may have either sign.
fn of_either_sign(value: Computed) -> Computed {
    match value.numbers.as_ref().is_some_and(Interval::has_zero) {
        true => Computed { signs: [true; 2], ..value },
        false => value,
    }
}

//! What is charted: operators on types, and which inputs.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use crate::check::Check;
use crate::corpus::shard::Shard;
use crate::dtype::DType;
use crate::measure::campaign::{
    Column, Implementation, Plan, PlanError, Strategy, Work, attributes,
};
use crate::reference::operator::{Attribute, Attributes, Operator, Otherwise};
use crate::reference::operators;
use crate::reference::survey::{Pieces, Record, Survey};

/// Inputs of which all are taken, whatever it takes to look at one of them.
const FEW: u64 = 1 << 16;

/// Inputs that may be left to exact arithmetic where all 2^32 are taken.
const LEFT: u64 = 1 << 23;

/// Inputs of a stratum where nothing else is asked for: of one operand, and of two, which have 30 times as many strata.
const COUNTS: [NonZeroU64; 2] = [NonZeroU64::new(10_000).unwrap(), NonZeroU64::new(300).unwrap()];

/// Which operators and types are charted, and how.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of operators; none stands for all.
    pub operators: Vec<String>,
    /// Element types of operands; none stands for all.
    pub types: Vec<DType>,
    /// Attributes, each as the text that a campaign takes.
    pub attributes: BTreeMap<String, String>,
    /// How much is taken of domains of more than 65,536 inputs.
    pub extent: Extent,
    /// Inputs of a stratum, where they are sampled.
    pub count: Option<NonZeroU64>,
    /// The part of the inputs of each row.
    pub shard: Option<Shard>,
}

/// How much of a large domain is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All of it where nearly all results can be decided fast, else a sample.
    #[default]
    Decidable,
    /// All of it, however long it takes.
    All,
    /// A sample, for runtimes that are slow.
    Sample,
}

/// One operator on one type.
pub struct Sheet {
    /// Its inputs.
    pub plan: Plan,
    pieces: Option<Pieces>,
}

/// What can be charted, by name: operators that compute element by element from one or two operands of one type, on each type, with the attributes of the choice. Where a type
/// is what an operator needs, as Cast does, and none is chosen, with each type: but only operators that are named.
pub fn sheets(choice: &Choice) -> Vec<Check> {
    let is_named = |operator: &Operator| choice.operators.iter().any(|name| name == operator.name);
    let is_chosen = |operator: &Operator| {
        is_named(operator) || choice.operators.is_empty() && !needs_type(operator)
    };
    let mut operators: Vec<_> = operators::onnx().filter(|operator| is_chosen(operator)).collect();
    operators.sort_by_key(|operator| operator.name);
    let of = |operator: &'static Operator| {
        let types = DType::ALL.into_iter();
        let types = types.filter(|dtype| choice.types.is_empty() || choice.types.contains(dtype));
        let all = attributes(operator, choice);
        types.flat_map(move |dtype| {
            let check =
                |attributes: &Attributes| Check::of(operator, dtype, attributes.clone()).ok();
            all.iter().filter_map(check).filter(Sheet::is_of).collect::<Vec<_>>()
        })
    };
    operators.into_iter().flat_map(of).collect()
}

/// The attributes that an operator is charted with: those of the choice, each type in the place of one that is needed; none
/// where it has no such attributes.
fn attributes(operator: &'static Operator, choice: &Choice) -> Vec<Attributes> {
    let given = |more: Option<DType>| {
        let mut texts = choice.attributes.clone();
        texts.extend(more.map(|dtype| (attributes::TYPE.to_owned(), dtype.name().to_owned())));
        attributes::read(operator, &texts).ok()
    };
    if needs_type(operator) && !choice.attributes.contains_key(attributes::TYPE) {
        DType::ALL.into_iter().filter_map(|dtype| given(Some(dtype))).collect()
    } else {
        given(None).into_iter().collect()
    }
}

/// Whether an operator has to be told the type of its results.
fn needs_type(operator: &Operator) -> bool {
    let is_type =
        |it: &Attribute| it.name == attributes::TYPE && it.otherwise == Otherwise::Invalid;
    operator.newest().attributes.iter().any(is_type)
}

impl Sheet {
    /// Whether there are sheets of what a check is of: its operands are one or two, of one type, and it is of no strings.
    pub(super) fn is_of(check: &Check) -> bool {
        !check.has_strings()
            && check.operands().len() <= 2
            && check.operands().iter().all(|dtype| *dtype == check.dtype())
    }

    /// The sheets of what a check is of: of all inputs there are, or of a sample and, where there are such, of the
    /// hard ones.
    pub fn all(check: &Check, choice: &Choice) -> Result<Vec<Self>, PlanError> {
        let plan = |strategy| Plan::of(check.clone(), strategy, None, choice.shard);
        let all = plan(Strategy::Exhaustive);
        if let Ok(plan) = all {
            let is_small = plan.space.len() <= FEW;
            let pieces = match choice.extent {
                Extent::Sample => None,
                Extent::Decidable | Extent::All => Pieces::of(&plan.check),
            };
            let is_fast =
                plan.check.is_fast() || pieces.as_ref().is_some_and(|pieces| pieces.left() <= LEFT);
            let is_whole = match choice.extent {
                Extent::Decidable => is_small || is_fast,
                Extent::All => true,
                Extent::Sample => is_small,
            };
            if is_whole {
                return Ok(vec![Self { plan, pieces }]);
            }
        } else if choice.extent == Extent::All {
            return all.map(|plan| vec![Self { plan, pieces: None }]);
        }
        let count = choice.count.unwrap_or(COUNTS[usize::from(check.operator().arity() > 1)]);
        let mut plans = vec![plan(Strategy::Stratified { count, seed: Strategy::SEED })?];
        if check.operator().hard_inputs.is_some() {
            plans.push(plan(Strategy::Hard)?);
        }
        Ok(plans.into_iter().map(|plan| Self { plan, pieces: None }).collect())
    }

    /// The survey of its results.
    pub(super) fn survey(&self) -> Survey<'_> {
        let survey = Survey::new(&self.plan.check, self.pieces.as_ref());
        if self.plan.strategy == Strategy::Exhaustive { survey.of_all() } else { survey }
    }

    /// Whether the inputs are all there are, and it is known how the results of a number and of its negation go together.
    pub(super) fn knows_symmetry(&self) -> bool {
        self.plan.strategy == Strategy::Exhaustive && self.survey().knows_symmetry()
    }

    /// Whether the inputs are in the order of their bits, and it is known which order their results are to have.
    pub(super) fn knows_order(&self) -> bool {
        self.plan.strategy == Strategy::Exhaustive && self.survey().knows_order()
    }
}

/// A sheet that a backend fills.
pub(super) struct Task<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) survey: Survey<'a>,
    pub(super) implementation: &'a dyn Implementation,
}

impl Task<'_> {
    /// Asks for the results of the negations of operands, in the same places, and compares them with theirs.
    fn compare(&self, record: &mut Record, lead: usize, operands: &Column, results: &Column) {
        let [mut negations, mut others] =
            [(); 2].map(|()| Column::new(self.sheet.plan.check.dtype()));
        negations.resize(operands.len());
        others.resize(operands.len());
        let bytes = operands.bytes();
        if !self.survey.negate(bytes, lead, negations.bytes_mut()) {
            return;
        }
        match self.implementation.compute(&[negations], &mut others) {
            Ok(()) => self.survey.compare(bytes, results.bytes(), others.bytes(), lead, record),
            // Whether they are given at all, is told where they are asked for themselves.
            Err(_) => record.is_half = true,
        }
    }
}

impl Work for Task<'_> {
    type Findings = Record;

    fn plan(&self) -> &Plan {
        &self.sheet.plan
    }

    fn implementation(&self) -> &dyn Implementation {
        self.implementation
    }

    /// That of the neighbour before.
    fn lead(&self) -> u64 {
        u64::from(self.sheet.knows_order())
    }

    fn begin(&self, earlier: Option<&Record>) -> Record {
        earlier.map_or_else(Record::default, Record::after)
    }

    fn add(&self, record: &mut Record, _: u64, lead: usize, operands: &[Column], results: &Column) {
        let bytes: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
        self.survey.add(&bytes, results.bytes(), lead, record);
        if let ([operands], true) = (operands, self.sheet.knows_symmetry()) {
            self.compare(record, lead, operands, results);
        }
    }

    fn merge(&self, record: &mut Record, other: &Record) {
        self.survey.merge(record, other);
    }
}

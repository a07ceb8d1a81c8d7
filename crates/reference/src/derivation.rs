//! Cases that follow from an operator's signature and from the cases that it states, so that no class of them is
//! forgotten of a new operator.
//!
//! A class plans targets: a pair of attribute values, a set of inputs that are left out, a type of which a result is to
//! be subnormal. A target that a stated case reaches is [`Reached::Stated`]. Else stated cases of the newest version are
//! changed until one reaches it, and that is the derived case. What the reference calls invalid or leaves open in all of
//! these is [`Reached::Excluded`], and counted.

mod absent;
mod pairs;
mod shapes;
mod values;
mod whole;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ::values::dtype::{DType, Kind};
use ::values::element::Element;
use ::values::float::Class as FloatClass;
use ::values::tensor::Tensor;

use crate::case_spec::{CaseSpec, LastInput};
use crate::exact::Conforming;
use crate::operator::{Call, Domain, Operator, TensorType, Version};

/// A class of derived cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Two attributes with these values together, or one of them with an input that is given or left out.
    Pairs,
    /// These optional inputs left out, and no others.
    Absent,
    /// Operands of a type that are subnormal, of which zeros would give another result.
    SubnormalOperands,
    /// A result of a type that is subnormal, and not zero in any order of evaluation.
    SubnormalResults,
    /// A result of float64 that float32 does not hold, by more than the bound allows.
    BeyondFloat32,
    /// Results of a bounded operator that no order of evaluation rounds.
    ExactInAnyOrder,
    /// A NaN in the first place of an operand, or in the last one.
    Nan,
    /// A dimension of an operand of size 0.
    Empty,
    /// An output of a float type of so many sums that their errors show together how they are rounded.
    WholeOutput,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 9] = [
        Self::Pairs,
        Self::Absent,
        Self::SubnormalOperands,
        Self::SubnormalResults,
        Self::BeyondFloat32,
        Self::ExactInAnyOrder,
        Self::Nan,
        Self::Empty,
        Self::WholeOutput,
    ];

    /// What the names of its cases begin with.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Absent => "absent",
            Self::SubnormalOperands => "subnormal_operands",
            Self::SubnormalResults => "subnormal_results",
            Self::BeyondFloat32 => "beyond_float32",
            Self::ExactInAnyOrder => "exact_in_any_order",
            Self::Nan => "nan",
            Self::Empty => "empty",
            Self::WholeOutput => "whole_output",
        }
    }

    const fn note(self) -> &'static str {
        match self {
            Self::Pairs => "values of attributes that no other case has together",
            Self::Absent => "optional inputs are left out that no other case leaves out together",
            Self::SubnormalOperands => {
                "operands that are subnormal, in place of which zeros would give another result"
            }
            Self::SubnormalResults => {
                "a result that is subnormal, and zero in no order of evaluation"
            }
            Self::BeyondFloat32 => "results that float32 does not hold",
            Self::ExactInAnyOrder => {
                "numbers of so few bits that no order of evaluation rounds anything"
            }
            Self::Nan => "a NaN among the elements of an operand",
            Self::Empty => "an operand without elements",
            Self::WholeOutput => {
                "so many sums that their errors show together how they are rounded"
            }
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What became of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A stated case reaches it; of values two do, or no change makes a second.
    Stated,
    /// The derived case of this path does.
    Derived(String),
    /// No change of a stated case that was tried does: the call is invalid, or its results are open or too loose.
    Excluded,
}

/// The derived cases of an operator, and what became of each target.
#[derive(Debug, Default)]
pub struct Derived {
    /// The cases, of which one may reach several targets.
    pub cases: Vec<CaseSpec>,
    /// The targets of each class, each by its name.
    pub targets: BTreeMap<Class, Vec<(String, Reached)>>,
}

/// Elements of an input or output of a case that others are derived from, at most.
const MOST_ELEMENTS: usize = 240;

/// Cases that are changed for a target, at most.
const MOST_BASES: usize = 10;

/// The cases that follow from those that an operator states for ONNX.
pub fn derived(operator: &'static Operator, stated: &[CaseSpec]) -> Derived {
    let mut derivation = Derivation::of(operator, stated);
    if operator.domain == Domain::Onnx && !derivation.stated.is_empty() {
        pairs::derive(&mut derivation);
        absent::derive(&mut derivation);
        values::derive(&mut derivation);
        shapes::derive(&mut derivation);
        whole::derive(&mut derivation);
    }
    derivation.derived
}

/// The stated cases of an operator's newest version, and what has been derived from them.
struct Derivation<'a> {
    operator: &'static Operator,
    version: &'static Version,
    /// Those that expect values.
    stated: Vec<&'a CaseSpec>,
    /// What is allowed of each of them, once that has been wanted.
    judged: Vec<OnceCell<Option<Judged>>>,
    /// The requirement that most of these verify, and so what is derived from them: it states the results in general.
    requirement: String,
    paths: BTreeSet<String>,
    derived: Derived,
}

/// A case with what the reference allows of its outputs.
struct Judged {
    types: Vec<TensorType>,
    all: Vec<Vec<Conforming>>,
}

impl<'a> Derivation<'a> {
    fn of(operator: &'static Operator, stated: &'a [CaseSpec]) -> Self {
        let version = operator.newest();
        let is_plain = |case: &&CaseSpec| {
            case.opset == version.since
                && case.refusal.is_none()
                && case.last_input == LastInput::Typed
        };
        let paths = stated.iter().map(|case| case.path.clone()).collect();
        let stated: Vec<_> = stated.iter().filter(is_plain).collect();
        let mut counts = BTreeMap::<&str, usize>::new();
        for id in stated.iter().flat_map(|case| case.requirements.iter().collect::<BTreeSet<_>>()) {
            *counts.entry(id).or_default() += 1;
        }
        // The first of those that are as frequent.
        let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
        let requirement = most.map(|(id, _)| id.to_owned()).unwrap_or_default();
        let judged = stated.iter().map(|_| OnceCell::new()).collect();
        Self { operator, version, stated, judged, requirement, paths, derived: Derived::default() }
    }

    /// The stated cases of moderate size, each with other attributes or other shapes than those before it: float32, which
    /// most implementations take, before other types.
    fn bases(&self) -> Vec<&'a CaseSpec> {
        let mut seen = Vec::new();
        let mut bases = self.stated.clone();
        bases.retain(|case| {
            let is_small = |tensor: &Tensor| tensor.elements() <= MOST_ELEMENTS;
            let form = |tensor: &Option<Tensor>| {
                tensor.as_ref().map(|it| (it.dtype(), it.shape().to_vec()))
            };
            let own = (&case.attributes, case.inputs.iter().map(form).collect::<Vec<_>>());
            let is_new = !seen.contains(&own);
            let is_taken = is_new && case.inputs.iter().flatten().all(is_small);
            if is_taken {
                seen.push(own);
            }
            is_taken
        });
        bases.sort_by_key(|case| case.path.split('/').nth(1) != Some("float32"));
        bases
    }

    /// The types of the outputs of a case; `None` where the call is invalid, or too large.
    fn types(&self, case: &CaseSpec) -> Option<(Call, Vec<TensorType>)> {
        self.call(case, MOST_ELEMENTS)
    }

    /// The call of a case, with the types of its outputs; `None` where it is invalid, or one has more elements than so many.
    fn call(&self, case: &CaseSpec, most: usize) -> Option<(Call, Vec<TensorType>)> {
        let attributes = case.attributes.iter().cloned().collect();
        let (asked, inputs) = (case.requested(), case.inputs.clone());
        let (operator, of) = (self.operator, case.specification);
        let (call, types) =
            Call::asking_for(&asked, operator, self.version, of, attributes, inputs).ok()?;
        if operator.reference.is_disputed(&call) {
            return None;
        }
        let count = |output: &TensorType| output.shape.iter().product::<usize>();
        types.iter().all(|output| count(output) <= most).then_some((call, types))
    }

    /// What is allowed of the outputs of a case; `None` where the call is invalid or too large, or an element is open.
    fn judged(&self, case: &CaseSpec) -> Option<Judged> {
        self.judged_within(case, MOST_ELEMENTS)
    }

    /// The stated cases of which the reference decides every element, with what is allowed of them.
    fn decided(&self) -> impl Iterator<Item = (&'a CaseSpec, &Judged)> {
        self.stated.iter().zip(&self.judged).filter_map(|(case, judged)| {
            judged.get_or_init(|| self.judged(case)).as_ref().map(|judged| (*case, judged))
        })
    }

    /// What is allowed of outputs that have so many elements at most.
    fn judged_within(&self, case: &CaseSpec, most: usize) -> Option<Judged> {
        let (call, types) = self.call(case, most)?;
        let mut all = Vec::new();
        for (allowed, output) in self.operator.reference.allowed(&call, &types).iter().zip(&types) {
            let count = output.shape.iter().product();
            let mut own = Vec::with_capacity(count);
            for index in 0..count {
                own.push(allowed.at(index));
                if !own.last().is_some_and(Conforming::is_decided) {
                    return None;
                }
            }
            all.push(own);
        }
        (all.len() == types.len()).then_some(Judged { types, all })
    }

    /// Adds a case beside the one that it was made of, under a name of its own, and gives its path.
    fn add(&mut self, class: Class, name: &str, case: CaseSpec) -> String {
        let folder = case.path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let mut path = format!("{folder}/{name}");
        while self.paths.contains(&path) {
            path.push_str("_derived");
        }
        self.paths.insert(path.clone());
        let requirements = vec![self.requirement.clone()];
        let note = class.note().to_owned();
        self.derived.cases.push(CaseSpec { path: path.clone(), requirements, note, ..case });
        path
    }

    fn target(&mut self, class: Class, name: String, reached: Reached) {
        self.derived.targets.entry(class).or_default().push((name, reached));
    }
}

impl Judged {
    /// Whether an element of an output is a NaN.
    fn has_nan(&self) -> bool {
        let is_nan = |output: &TensorType, conforming: &Conforming| match (
            conforming,
            output.dtype.kind(),
        ) {
            (Conforming::AnyNan(_), _) => true,
            (Conforming::Same(Element::Bits(_, bits)), Kind::Float(format)) => {
                u64::try_from(*bits).is_ok_and(|bits| format.class(bits) == FloatClass::Nan)
            }
            (Conforming::Within { accumulated, .. }, _) => accumulated.nan,
            _ => false,
        };
        let outputs = self.types.iter().zip(&self.all);
        { outputs }.any(|(output, all)| all.iter().any(|it| is_nan(output, it)))
    }

    /// Whether an element of an output of a type is such.
    fn has(&self, dtype: DType, is_such: impl Fn(&Conforming) -> bool) -> bool {
        let of_type = self.types.iter().zip(&self.all).filter(|(output, _)| output.dtype == dtype);
        of_type.flat_map(|(_, elements)| elements).any(is_such)
    }
}

#[cfg(test)]
mod tests;

//! What findings have in common: one cause, and what it was found in.

use super::Finding;

/// Why something is a finding, in a sentence for all that share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A row gives what the exact rules do not.
    #[default]
    NotExact,
    /// A row gives what no value of the result's type is.
    NotOfType,
    /// A row decides what a constraint excludes.
    Excluded,
    /// A constraint excludes what nothing else decides.
    Undecided,
    /// A row leaves open what a constraint allows.
    LeftOpen,
    /// Rows give different results for the same operands.
    Ambiguous,
    /// Two documents of one operation differ.
    OtherDocument,
    /// No row applies.
    NoRow,
    /// A row applies but states no result.
    NoResult,
    /// Types of the document that this one is based on are missing.
    MissingTypes,
    /// There are types that the document that this one is based on has not.
    SurplusTypes,
    /// The contents announce other types than the sections have.
    Contents,
    /// The version that the document is based on does not exist.
    NoVersion,
    /// A tag names another operator.
    ForeignTag,
    /// A section is about operands that the type does not have.
    NoOperands,
    /// A constraint does not guarantee what it is said to.
    NoGuarantee,
    /// Shapes that other documents show are excluded.
    EqualShapes,
    /// A printed result is not the exact one.
    PrintedDigits,
    /// Printed outputs are not those that the operator gives.
    PrintedTensor,
    /// An example is refused.
    RefusedExample,
    /// A printed result is of another type.
    PrintedType,
    /// A bound on an error does not hold.
    UnsoundBound,
    /// A formula is not the error.
    WrongError,
    /// A tolerance allows more than a bound.
    LooseTolerance,
    /// A bound on an error is not reached.
    LooseBound,
    /// A constraint excludes more than it has to.
    Overstrict,
    /// Rows repeat one another.
    Repeated,
}

impl Cause {
    /// The cause in a sentence.
    pub const fn says(self) -> &'static str {
        match self {
            Self::NotExact => "A row gives another result than exact arithmetic.",
            Self::NotOfType => "A row gives what no value of the result's type is.",
            Self::Excluded => {
                "A row decides operands that a constraint of the same document excludes."
            }
            Self::Undecided => {
                "A constraint excludes operands that the type has, and nothing says what becomes of them."
            }
            Self::LeftOpen => {
                "A row leaves undefined what a constraint of the same document allows."
            }
            Self::Ambiguous => "Two rows apply to the same operands, with different results.",
            Self::OtherDocument => "Two documents of one operation give different results.",
            Self::NoRow => "No row applies, so that nothing says the result.",
            Self::NoResult => "A row applies, but does not say its result.",
            Self::MissingTypes => {
                "Types of the operator that the document is based on are passed over."
            }
            Self::SurplusTypes => {
                "The document has types that the operator has not on which it is based."
            }
            Self::Contents => "The contents and the sections name different types.",
            Self::NoVersion => {
                "The version of the operator on which the document is based does not exist."
            }
            Self::ForeignTag => "A tag names another operator than that of its document.",
            Self::NoOperands => "A section is about operands that the type does not have.",
            Self::NoGuarantee => "A constraint does not guarantee what it is said to guarantee.",
            Self::EqualShapes => {
                "Only equal shapes are allowed, where other documents of the operation broadcast."
            }
            Self::PrintedDigits => "A printed result is not the exact one, rounded.",
            Self::PrintedTensor => "An example prints other outputs than the operator gives.",
            Self::RefusedExample => "An example is a call that the operator does not take.",
            Self::PrintedType => "A printed result is of another type than the document says.",
            Self::UnsoundBound => "A bound on the error does not hold.",
            Self::WrongError => "A formula for the error does not give the error.",
            Self::LooseTolerance => {
                "A tolerance for tests allows more than the accuracy note of an operator."
            }
            Self::LooseBound => "A bound on the error is far from every error.",
            Self::Overstrict => {
                "A constraint excludes more than what it is said to guarantee needs."
            }
            Self::Repeated => "Two rows apply to the same operands, with the same result.",
        }
    }
}

/// Findings that have one cause in one requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance<'a> {
    /// The first of them.
    pub first: &'a Finding,
    /// What they were found on, such as element types, in the order of the findings.
    pub domains: Vec<&'a str>,
    /// How many operands, shapes or printed results they affect.
    pub count: u64,
}

/// Findings that have one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'a> {
    /// The cause.
    pub cause: Cause,
    /// All of them.
    pub findings: usize,
    /// Where they are: requirement by requirement, in the order of the findings.
    pub instances: Vec<Instance<'a>>,
}

/// The findings by their cause, in the order of the causes.
pub fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut causes: Vec<Cause> = findings.iter().map(|finding| finding.cause).collect();
    causes.sort_unstable();
    causes.dedup();
    let group = |cause| {
        let mut instances: Vec<Instance<'_>> = Vec::new();
        let of_cause = || findings.iter().filter(move |finding| finding.cause == cause);
        for finding in of_cause() {
            let key = |finding: &Finding| (finding.document.clone(), finding.requirement.clone());
            let known = instances.iter_mut().find(|known| key(known.first) == key(finding));
            match known {
                Some(known) => {
                    if !known.domains.contains(&finding.domain) {
                        known.domains.push(finding.domain);
                    }
                    known.count = known.count.saturating_add(finding.count);
                }
                None => instances.push(Instance {
                    first: finding,
                    domains: vec![finding.domain],
                    count: finding.count,
                }),
            }
        }
        Group { cause, findings: of_cause().count(), instances }
    };
    causes.into_iter().map(group).collect()
}

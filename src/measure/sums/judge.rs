//! The reference's judgement of sums.

use super::document::Witness;
use super::summation::Summation;
use super::vector::{Vector, format, terms};
use crate::dtype::DType;
use crate::measure::campaign::notation;
use crate::oracle::{Deviation, Share};
use reference::conditioned::{Order, Term, condition};
use reference::operator::{Call, Specification};

/// What was judged of the result of one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) vector: Vector,
    /// The logarithm of its condition number to base 2, rounded down.
    pub(super) condition: u32,
    pub(super) error: Deviation,
    /// None where the reference has no bound, or no part of it is enough.
    pub(super) share: Option<Share>,
    /// Whether it conforms; none if the specification does not decide.
    pub(super) conforms: Option<bool>,
    pub(super) result: u64,
    /// The correctly rounded sum.
    pub(super) expected: Option<u64>,
}

impl Judged {
    /// What a document says of it.
    pub(super) fn witness(&self, dtype: DType) -> Witness {
        Witness {
            length: self.vector.length as u64,
            asked_log2: self.vector.asked,
            order: self.vector.order.name().to_owned(),
            condition_log2: self.condition,
            error_ulp: notation::error(self.error),
            share: self.share.map(|share| share.to_string()),
            conforms: self.conforms,
            result: notation::number(dtype, self.result),
            expected: self.expected.map(|bits| notation::number(dtype, bits)),
        }
    }
}

/// The vectors of a length and a condition number, in all orders, with the condition number that they have.
pub(super) struct Group {
    pub(super) vectors: Vec<Vector>,
    pub(super) terms: Vec<Vec<Term>>,
    condition: u32,
}

impl Group {
    /// The vectors of these orders; none where the type has none.
    pub(super) fn of(
        summation: &Summation,
        dtype: DType,
        seed: u64,
        (length, asked): (usize, u32),
        orders: &[Order],
    ) -> Option<Self> {
        let format = format(dtype)?;
        let drawn = terms(format, summation.terms, (length, asked), (seed, dtype));
        Some(Self {
            vectors: orders.iter().map(|&order| Vector { length, asked, order }).collect(),
            condition: condition(format, &drawn)?,
            terms: orders.iter().map(|order| order.of(format, &drawn)).collect(),
        })
    }

    /// The judgement of their sums; none if the reference does not know the call.
    pub(super) fn judged(
        &self,
        summation: &Summation,
        dtype: DType,
        results: &[u64],
    ) -> Option<Vec<Judged>> {
        let question = summation.question(dtype, &self.terms).ok()?;
        let inputs = question.data.into_iter().chain(question.axes).map(Some).collect();
        let (operator, specification) = (summation.operator, Specification::Onnx);
        let version = operator.newest();
        let call = Call::new(operator, version, specification, question.attributes, inputs);
        let (call, types) = call.ok()?;
        let allowed = operator.reference.allowed(&call, &types);
        let allowed = allowed.first()?;
        let of = |(row, (&vector, &result)): (usize, (&Vector, &u64))| {
            let place = summation.place(row, self.vectors.len());
            let (conforming, [error, _]) = allowed.judged(place, [result; 2]);
            let real = allowed.real(place, 0).filter(|_| conforming.is_decided());
            let share = real.as_ref().and_then(|real| {
                let exact = real.enclosure.exact()?;
                Share::of(dtype, exact, &real.sum.as_ref()?.bound, result)
            });
            Judged {
                vector,
                condition: self.condition,
                error,
                share,
                conforms: conforming.is_decided().then(|| conforming.accepts(result)),
                result,
                expected: conforming.example().and_then(|bits| u64::try_from(bits).ok()),
            }
        };
        Some(self.vectors.iter().zip(results).enumerate().map(of).collect())
    }
}

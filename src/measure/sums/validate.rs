//! Validation of the document of sums.

use super::document::{Accumulator, FORMAT_VERSION, Row, Sums, Witness};
use super::driver::{DECADE, DOCUMENT};
use super::judge::Group;
use super::summation::Summation;
use super::vector::Vector;
use crate::document::{Contradiction, JsonDocument, Sealed, agrees, ascend};
use crate::dtype::DType;
use crate::measure::campaign::notation;
use crate::oracle::Share;
use reference::conditioned::Order;

impl JsonDocument for Sums {
    const NAME: &'static str = "document of sums";
    const FILE: &'static str = "`sums.json`, or of a folder with one";
    const IN_FOLDER: Option<&'static str> = Some(DOCUMENT);
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SEALED: bool = true;
    const REMEDY: &'static str = "run `sums` again";
    const SCHEMA: &'static str = "reports/schema/sums.schema.json";

    fn consistent(&self) -> Result<(), Contradiction> {
        agrees("digest", &self.digest, &self.contents_digest()?)?;
        ascend("rows", &self.rows, Row::key)?;
        let impossible = |at: usize, what| {
            Contradiction::Impossible(format!("no results give `rows[{at}]` such {what}"))
        };
        let all = self.rows.iter().enumerate();
        { all }.try_for_each(|(at, row)| {
            row.is_possible(self.seed).map_err(|what| impossible(at, what))
        })
    }
}

fn is_so(holds: bool, member: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(member) }
}

impl Row {
    /// Finds out anew whatever can be without the backend; else the member that cannot be as it is.
    fn is_possible(&self, seed: u64) -> Result<(), &'static str> {
        let summation = Summation::all().find(|it| it.operator.name == self.operator);
        let dtype: Option<DType> = self.type_name.parse().ok();
        let known = summation.zip(dtype).filter(|(summation, dtype)| summation.has(*dtype));
        let (summation, dtype) = known.ok_or("operator and type")?;
        is_so(self.vectors == Vector::count(dtype) && self.executed <= self.vectors, "counts")?;
        let judged = self.not_conforming.checked_add(self.reference_undecided);
        is_so(judged.is_some_and(|judged| judged <= self.executed), "counts")?;
        let has_ended = self.executed == self.vectors && self.accumulator.is_some();
        is_so(self.failure.is_none() == has_ended, "failure")?;
        let largest = self.max_error.iter().chain(&self.max_share);
        for witness in largest.chain(&self.counterexample) {
            is_so(witness.is_of(&summation, dtype, seed), "largest errors")?;
        }
        let refuted = self.counterexample.as_ref().map(|witness| witness.conforms == Some(false));
        is_so(refuted == (self.not_conforming > 0).then_some(true), "counterexample")?;
        self.decades_are_possible()?;
        self.accumulator.as_ref().map_or(Ok(()), Accumulator::is_possible)
    }

    fn decades_are_possible(&self) -> Result<(), &'static str> {
        let mut count = 0_u64;
        let (mut errors, mut shares) = (Vec::new(), Vec::new());
        let ascends =
            self.decades.is_sorted_by(|one, next| one.condition_log2 < next.condition_log2);
        for decade in &self.decades {
            let places = decade
                .orders
                .iter()
                .map(|largest| Order::ALL.iter().position(|order| order.name() == largest.order));
            let places: Option<Vec<_>> = places.collect();
            let in_order = places.is_some_and(|it| it.is_sorted_by(|one, next| one < next));
            is_so(in_order && decade.condition_log2.is_multiple_of(DECADE), "condition numbers")?;
            for largest in &decade.orders {
                count = count.checked_add(largest.vectors).ok_or("counts")?;
                is_so(largest.vectors > 0, "counts")?;
                errors.push(notation::read_error(&largest.error_ulp).ok_or("errors")?);
                let share = largest.share.as_deref();
                shares.extend(share.map(|it| Share::parse(it).ok_or("shares")).transpose()?);
            }
        }
        is_so(ascends && count == self.executed, "condition numbers")?;
        let error = self.max_error.as_ref().and_then(|it| notation::read_error(&it.error_ulp));
        is_so(errors.into_iter().max() == error, "errors")?;
        let share = self.max_share.as_ref().and_then(|it| Share::parse(it.share.as_deref()?));
        is_so(shares.into_iter().max() == share, "shares")
    }
}

impl Witness {
    /// Whether the reference judges the vector and the result in the same way.
    fn is_of(&self, summation: &Summation, dtype: DType, seed: u64) -> bool {
        let group = Vector::groups(dtype)
            .into_iter()
            .find(|&(length, asked)| (length as u64, asked) == (self.length, self.asked_log2));
        let order = Order::ALL.into_iter().find(|order| order.name() == self.order);
        let result = notation::read_number(dtype, &self.result);
        let (Some(group), Some(order), Some(result)) = (group, order, result) else {
            return false;
        };
        let judged = Group::of(summation, dtype, seed, group, &[order])
            .and_then(|group| group.judged(summation, dtype, &[result]));
        judged.is_some_and(|judged| judged.iter().any(|one| one.witness(dtype) == *self))
    }
}

impl Accumulator {
    fn is_possible(&self) -> Result<(), &'static str> {
        let ascends = self.bits.is_sorted_by(|one, next| one < next);
        let told = usize::from(!self.bits.is_empty()) + usize::from(self.more_than.is_some());
        is_so(ascends && (told == 1 || told == 0 && self.reason.is_some()), "accumulator")
    }
}

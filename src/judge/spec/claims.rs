//! What a constraint on sizes guarantees, by the document's own word, tried on every combination of small sizes in
//! exact arithmetic.

use num_rational::Ratio;

use super::documents::Reading;
use super::relations::{Claim, Counted, Definition, Number, Relations, Through};
use super::{Cause, DefectKind, Finding, Level, grouped};

/// Numbers by name, and the definitions of other names.
struct Names<'a> {
    known: Vec<(&'a str, Number)>,
    given: &'a [Definition],
}

impl Names<'_> {
    fn find(&self, name: &str) -> Option<Number> {
        if let Some((_, number)) = self.known.iter().find(|(known, _)| *known == name) {
            return Some(*number);
        }
        // A definition uses those before it alone.
        let at = self.given.iter().position(|definition| definition.name == name)?;
        let (given, definition) = (self.given.get(..at)?, self.given.get(at)?);
        let earlier = Names { known: self.known.clone(), given };
        definition.is.value(&|name| earlier.find(name))
    }

    fn hold(&self, relations: &Relations) -> Option<bool> {
        let find = |name: &str| self.find(name);
        let mut relations = relations.all.iter();
        relations.try_fold(true, |all, (left, holds, right)| {
            Some(all && holds(&left.value(&find)?, &right.value(&find)?))
        })
    }

    /// The numbers that are counted through.
    fn counted(&self, counted: &Counted) -> Option<std::ops::Range<i64>> {
        Some(0..counted.below.value(&|name| self.find(name))?.ceil().to_integer())
    }
}

impl Claim {
    /// Whether the constraint holds for some sizes, and whether the guarantee does; `None` where nothing is said of
    /// them.
    fn judge(&self, sizes: &[(&str, i64)]) -> Option<[bool; 2]> {
        let known = sizes.iter().map(|(name, size)| (*name, Ratio::from_integer(*size))).collect();
        let mut names = Names { known, given: &self.given };
        if !names.hold(&self.provided)? {
            return None;
        }
        let states = names.hold(&self.states)?;
        let Some(Through { every, some }) = &self.through else {
            return Some([states, names.hold(&self.guarantees)?]);
        };
        let sizes = names.known.len();
        for each in names.counted(every)? {
            names.known.push((&every.name, Ratio::from_integer(each)));
            let mut has_one = false;
            for one in names.counted(some)? {
                names.known.push((&some.name, Ratio::from_integer(one)));
                has_one |= names.hold(&self.guarantees)?;
                names.known.pop();
            }
            names.known.truncate(sizes);
            if !has_one {
                return Some([states, false]);
            }
        }
        Some([states, true])
    }

    /// Every combination of the sizes; the last one changes first.
    fn combinations<'a>(&'a self) -> Vec<Vec<(&'a str, i64)>> {
        self.over.iter().fold(vec![Vec::new()], |all, range| {
            let longer = |sizes: Vec<(&'a str, i64)>| {
                (range.from..=range.to).map(move |size| {
                    let mut sizes = sizes.clone();
                    sizes.push((&*range.name, size));
                    sizes
                })
            };
            all.into_iter().flat_map(longer).collect()
        })
    }
}

/// Constraints that do not guarantee what they are said to, and those that exclude more than they have to.
pub(super) fn check(sections: &[Reading<'_>]) -> Vec<Finding> {
    let claims =
        sections.iter().filter_map(|reading| Some((reading, reading.section.claim.as_ref()?)));
    claims.flat_map(|(reading, claim)| of_claim(reading, claim)).collect()
}

fn of_claim(reading: &Reading<'_>, claim: &Claim) -> Vec<Finding> {
    let combinations = claim.combinations();
    let judged: Vec<_> =
        combinations.iter().filter_map(|sizes| Some((sizes, claim.judge(sizes)?))).collect();
    let (states, guarantees) = (&claim.states.text, &claim.guarantees.text);
    let all_have = match &claim.through {
        Some(Through { every, some }) => {
            format!("that every {} has a {} with {guarantees}", every.name, some.name)
        }
        None => guarantees.clone(),
    };
    let told = |is_allowed: bool| {
        let of_side = judged.iter().filter(|(_, [allowed, _])| *allowed == is_allowed);
        let contrary = of_side.clone().filter(|(_, [allowed, met])| allowed != met);
        let (count, all) = (contrary.clone().count() as u64, of_side.count() as u64);
        let (sizes, _) = contrary.into_iter().next()?;
        let (of, all) = (grouped(count), grouped(all));
        let (kind, level, cause, message) = if is_allowed {
            let message = format!(
                "the constraint {states} is said to guarantee {all_have}: of {all} combinations of sizes that it allows, \
                 among those that were tried, {of} do not have it"
            );
            (DefectKind::Contradiction, Level::Error, Cause::NoGuarantee, message)
        } else {
            let message = format!(
                "the constraint {states} excludes {all} of the combinations of sizes that were tried, and {of} of these \
                 have all the same what it is said to guarantee: {all_have}"
            );
            (DefectKind::Contradiction, Level::Note, Cause::Overstrict, message)
        };
        let example: Vec<String> =
            sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
        let finding = reading.finding("sizes", (kind, level), count, example.join(", "), message);
        Some(Finding { against: guarantees.clone(), cause, ..finding })
    };
    [true, false].into_iter().filter_map(told).collect()
}

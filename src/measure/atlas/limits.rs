//! What published profiles say of what was seen.

use std::cmp::Reverse;
use std::sync::Arc;

use super::document::Limit;
use crate::check::Check;
use crate::judge::profile::{self, Profile, Strictness};
use crate::measure::campaign::{Example, Judge};
use crate::oracle::{Deviation, Ulps};
use crate::reference::survey::{Record, Worst};
use values::element::Element;

/// Correct rounding, and the profiles with limits on errors.
const PROFILES: [&str; 4] = ["exact", "opencl-full", "opencl-embedded", "webgpu"];

impl Limit {
    /// What it says, in words.
    pub(crate) fn stated(&self) -> String {
        let holds = match self.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "is not known to hold",
        };
        format!("{}: {}, {holds}", self.profile, self.limit)
    }
}

/// The limits of those profiles that have one for an operator and a type, and whether they hold for all results in a record: what
/// is not known of none.
pub(super) fn limits(check: &Check, record: &Record) -> Vec<Limit> {
    let largest = record.largest().map_or(Deviation::Ulps(Ulps::ZERO), |worst| worst.deviation);
    let of = |name: &&str| {
        let profile = Profile::named(name).ok()?;
        let strictness = profile.strictness(Some(check.operator()), check.result());
        let within =
            |limit: profile::Limit| is_near(limit, largest) && record.special_mismatches == 0;
        let holds = match strictness {
            Strictness::Exact => Some(record.not_correctly_rounded == 0),
            Strictness::Limit(Reverse(limit)) => Some(within(limit)),
            // Zeros in the place of subnormal numbers may be all that is beyond the limit, unless one of the worst results
            // is beyond it in any case.
            Strictness::Flushed(Reverse(limit)) => {
                if within(limit) {
                    Some(true)
                } else {
                    is_violated(&profile, check, record).then_some(false)
                }
            }
            Strictness::Undecided
            | Strictness::Partly
            | Strictness::Close
            | Strictness::Accumulated
            | Strictness::ByBody(_) => return None,
        };
        let holds = holds.filter(|_| record.executed > record.undecided);
        Some(Limit { profile: (*name).to_owned(), limit: strictness.to_string(), holds })
    };
    PROFILES.iter().filter_map(of).collect()
}

fn is_near(limit: profile::Limit, deviation: Deviation) -> bool {
    matches!(deviation, Deviation::Ulps(ulps) if limit.admits(ulps))
}

/// Whether a profile does not let one of the worst results pass.
fn is_violated(profile: &Arc<Profile>, check: &Check, record: &Record) -> bool {
    let example = |Worst { deviation, operands, result }: &Worst| Example {
        index: 0,
        operands: check.elements(&operands[..check.operator().arity()]),
        actual: Element::Bits(check.result(), (*result).into()),
        error: *deviation,
    };
    let worst: Vec<_> = record.worst.values().map(example).collect();
    let judge = Judge::new(Arc::clone(profile), check.operator(), check.result());
    judge.is_ok_and(|judge| judge.violations(check, &worst) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::reference::operator::Domain;
    use crate::reference::operators;
    use crate::reference::survey::{binade, tells_apart};

    #[test]
    fn an_error_beyond_a_limit_is_excused_by_flushing_only_where_something_is_subnormal() {
        let tanh = operators::find(Domain::Onnx, "Tanh").unwrap();
        let check = Check::new(tanh, DType::Float32).unwrap();
        let holds = |all: &[(f32, f32)]| {
            let mut record = Record {
                executed: 9,
                not_correctly_rounded: all.len() as u64,
                ..Record::default()
            };
            for (operand, result) in all {
                let [operand, result] = [operand, result].map(|number| u64::from(number.to_bits()));
                let deviation = check.deviation(&[operand], result);
                let worst = Worst { deviation, operands: [operand, 0, 0], result };
                record.worst.insert(binade(DType::Float32, operand), worst);
            }
            let limits = limits(&check, &record);
            limits.into_iter().find(|limit| limit.profile == "opencl-full").unwrap().holds
        };
        assert_eq!(holds(&[]), Some(true));
        assert_eq!(holds(&[(0.5, 0.462_117_17)]), Some(true));
        assert_eq!(holds(&[(1e-40, 0.0)]), None);
        assert_eq!(holds(&[(0.5, 0.462_117_17), (1e-40, 0.0)]), None);
        assert_eq!(holds(&[(0.5, 0.4621), (1e-40, 0.0)]), Some(false));
        // A normal number whose hyperbolic tangent is one as well.
        assert_eq!(holds(&[(2e-38, 0.0)]), Some(false));
        // A subnormal number whose result is neither near it nor that of zero.
        assert_eq!(holds(&[(1e-40, 1e-39)]), Some(false));
    }

    #[test]
    fn of_no_results_or_of_such_as_nothing_is_specified_of_no_limit_is_known_to_hold() {
        let tanh = operators::find(Domain::Onnx, "Tanh").unwrap();
        let check = Check::new(tanh, DType::Float32).unwrap();
        for undecided in [0, 7] {
            let record = Record { executed: undecided, undecided, ..Record::default() };
            let limits = limits(&check, &record);
            assert_eq!(limits.len(), 3, "{limits:?}");
            assert!(limits.iter().all(|limit| limit.holds.is_none()));
        }
    }

    #[test]
    fn records_tell_errors_within_every_limit_that_is_stated_from_those_beyond_it() {
        let mut count = 0;
        for profile in PROFILES.map(|name| Profile::named(name).unwrap()) {
            for operator in operators::onnx() {
                for dtype in DType::ALL {
                    let strictness = profile.strictness(Some(operator), dtype);
                    if let Strictness::Limit(Reverse(limit)) | Strictness::Flushed(Reverse(limit)) =
                        strictness
                    {
                        count += 1;
                        // All limits are halves of units.
                        let mut halves = (1..).map(|half| half << (Ulps::FRACTION_BITS - 1));
                        let steps = halves.find(|s| !limit.admits(Ulps::new(s + 1, true))).unwrap();
                        assert!(limit.admits(Ulps::new(steps, false)), "{operator} {dtype}");
                        assert!(tells_apart(Ulps::new(steps, true)), "{operator} {dtype}");
                    }
                }
            }
        }
        assert!(count > 100, "{count}");
    }
}

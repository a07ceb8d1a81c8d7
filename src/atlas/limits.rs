//! What published profiles say of what was seen.

use std::cmp::Reverse;

use super::document::Limit;
use crate::check::Check;
use crate::oracle::{Deviation, Ulps};
use crate::profile::{Profile, Strictness};
use crate::reference::survey::Record;

/// Correct rounding, and the profiles with limits on errors.
const PROFILES: [&str; 4] = ["exact", "opencl-full", "opencl-embedded", "webgpu"];

impl Limit {
    /// What it says, in words.
    pub(super) fn told(&self) -> String {
        let holds = match self.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "is not known to hold",
        };
        format!("{}: {}, {holds}", self.profile, self.limit)
    }
}

/// The limits of those profiles that have one for an operator and a type, and whether they hold for all results in a record.
pub(super) fn limits(check: &Check, record: &Record) -> Vec<Limit> {
    let largest = record.largest().map_or(Deviation::Ulps(Ulps::ZERO), |worst| worst.deviation);
    let of = |name: &&str| {
        let profile = Profile::named(name).ok()?;
        let strictness = profile.strictness(Some(check.operator()), check.dtype());
        let within = |limit: crate::profile::Limit| {
            let is_near = matches!(largest, Deviation::Ulps(ulps) if limit.admits(ulps));
            is_near && record.special_mismatches == 0
        };
        let holds = match strictness {
            Strictness::Exact => Some(record.not_correctly_rounded == 0),
            Strictness::Limit(Reverse(limit)) => Some(within(limit)),
            // Zeros in the place of subnormal numbers may be what is beyond the limit.
            Strictness::Flushed(Reverse(limit)) => {
                (within(limit) || record.flushed == 0).then(|| within(limit))
            }
            Strictness::Undecided
            | Strictness::Partly
            | Strictness::Close
            | Strictness::Accumulated => return None,
        };
        Some(Limit { profile: (*name).to_owned(), limit: strictness.to_string(), holds })
    };
    PROFILES.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::reference::operators;
    use crate::reference::survey::tells_apart;

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

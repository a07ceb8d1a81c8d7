//! Where and when: the platform, as found by looking and computing, and the time.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};

use super::document::{Provenance, Tool};
use crate::run::Run;

/// This program, as it was built.
#[must_use]
pub(crate) fn tool() -> Tool {
    Tool {
        name: env!("CARGO_PKG_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("BUILD_COMMIT").to_owned(),
        dirty: env!("BUILD_DIRTY").parse().ok(),
    }
}

/// The provenance of a run that ends now.
#[must_use]
pub(super) fn of(run: &Run) -> Provenance {
    let executed = run.cases.iter().filter(|case| !case.outputs.is_empty());
    let durations = executed
        .map(|case| (case.id.clone(), seconds(case.duration)))
        .chain([("run".to_owned(), seconds(run.duration))])
        .collect();
    let spoke = run.cases.iter().filter(|case| !case.stderr.is_empty());
    let stderr = spoke.map(|case| (case.id.clone(), case.stderr.clone())).collect();
    Provenance { stderr, ..since(run.duration, durations) }
}

/// The provenance of what began so long ago and ends now, with durations by name.
#[must_use]
pub(crate) fn since(duration: Duration, durations: BTreeMap<String, String>) -> Provenance {
    let started = SystemTime::now().checked_sub(duration).unwrap_or(SystemTime::UNIX_EPOCH);
    Provenance {
        clock: DateTime::<Utc>::from(started).to_rfc3339_opts(SecondsFormat::Secs, true),
        host: host(),
        toolchain: env!("BUILD_TOOLCHAIN").to_owned(),
        rounding_mode: rounding_mode().to_owned(),
        subnormal_policy: subnormal_policy().to_owned(),
        seeds: BTreeMap::new(),
        durations,
        stderr: BTreeMap::new(),
    }
}

/// A duration in seconds, as provenance has it.
#[must_use]
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.6}", duration.as_secs_f64())
}

fn host() -> BTreeMap<String, String> {
    let cpus = std::thread::available_parallelism().map_or(0, usize::from);
    [
        ("target", env!("BUILD_TARGET").to_owned()),
        ("os", std::env::consts::OS.to_owned()),
        ("arch", std::env::consts::ARCH.to_owned()),
        ("cpus", cpus.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

/// The rounding direction of float32 addition, told from sums that lie between two neighbours:
/// 1 + 1.5u and its negative lie nearer the larger magnitude, 1 + u is a tie with the even one
/// below (u = 2^-24, half the distance from 1 to the next value).
fn rounding_mode() -> &'static str {
    const U: f32 = f32::EPSILON / 2.0;
    let one: f32 = black_box(1.0);
    let up = one + black_box(1.5 * U) > 1.0;
    let down = -one - black_box(1.5 * U) < -1.0;
    let tie_up = one + black_box(U) > 1.0;
    match (up, down, tie_up) {
        (true, true, false) => "roundTiesToEven",
        (true, true, true) => "roundTiesToAway",
        (true, false, _) => "roundTowardPositive",
        (false, true, _) => "roundTowardNegative",
        (false, false, _) => "roundTowardZero",
    }
}

/// What becomes of subnormal float32 results and operands.
fn subnormal_policy() -> &'static str {
    let result = black_box(f32::MIN_POSITIVE) * black_box(0.5);
    let operand = black_box(f32::from_bits(1)) * black_box(f32::MAX);
    match (result.to_bits() != 0, operand.to_bits() != 0) {
        (true, true) => "preserved",
        (false, true) => "results flushed to zero",
        (true, false) => "operands read as zero",
        (false, false) => "results and operands flushed to zero",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_rounds_to_nearest_even_and_preserves_subnormals() {
        assert_eq!(rounding_mode(), "roundTiesToEven");
        assert_eq!(subnormal_policy(), "preserved");
    }
}

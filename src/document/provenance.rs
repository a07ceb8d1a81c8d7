//! Where and when: the platform, as found by looking and computing, and the time.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::foundation::digest::Digest;
use crate::foundation::platform;

/// The program that wrote the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// `onnx-conformance`.
    pub name: String,
    /// Package version.
    pub version: String,
    /// Commit it was built from, or `unknown`.
    pub commit: String,
    /// Whether the checkout had uncommitted changes when it was built; null where unknown.
    pub dirty: Option<bool>,
}

/// Where and when the report was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Start of the run, RFC 3339 in UTC.
    pub clock: String,
    /// Target, operating system, CPU count and features.
    pub host: BTreeMap<String, String>,
    /// Compiler the tool was built with.
    pub toolchain: String,
    /// Rounding mode found by computing.
    pub rounding_mode: String,
    /// Treatment of subnormals found by computing.
    pub subnormal_policy: String,
    /// Seeds of whatever was drawn at random.
    pub seeds: BTreeMap<String, u64>,
    /// Seconds by phase and, for executed cases, by id.
    pub durations: BTreeMap<String, String>,
    /// What the backend wrote to its standard error, by case: the end of it, where it was much.
    pub stderr: BTreeMap<String, String>,
}

/// This program, as it was built.
pub(crate) fn tool() -> Tool {
    Tool {
        name: env!("CARGO_PKG_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("BUILD_COMMIT").to_owned(),
        dirty: env!("BUILD_DIRTY").parse().ok(),
    }
}

/// The provenance of what began so long ago and ends now, with durations by name.
pub(crate) fn since(duration: Duration, durations: BTreeMap<String, String>) -> Provenance {
    Provenance {
        clock: clock(duration),
        host: host(),
        toolchain: env!("BUILD_TOOLCHAIN").to_owned(),
        rounding_mode: of_both(float32::rounding_mode(), float64::rounding_mode()),
        subnormal_policy: of_both(float32::subnormal_policy(), float64::subnormal_policy()),
        seeds: BTreeMap::new(),
        durations,
        stderr: BTreeMap::new(),
    }
}

/// The time of so long ago.
pub(crate) fn clock(ago: Duration) -> String {
    let then = SystemTime::now().checked_sub(ago).unwrap_or(SystemTime::UNIX_EPOCH);
    DateTime::<Utc>::from(then).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// What of one provenance holds of others too: the same host, program, compiler and arithmetic. What
/// differs is left out.
pub(crate) fn agreed<'a>(
    one: Provenance,
    others: impl IntoIterator<Item = &'a Provenance>,
) -> Provenance {
    let others: Vec<_> = others.into_iter().collect();
    let same = |text: String, of: fn(&Provenance) -> &String| {
        if others.iter().all(|other| *of(other) == text) { text } else { String::new() }
    };
    let mut host = one.host;
    host.retain(|name, value| others.iter().all(|other| other.host.get(name) == Some(value)));
    Provenance {
        host,
        toolchain: same(one.toolchain, |one| &one.toolchain),
        rounding_mode: same(one.rounding_mode, |one| &one.rounding_mode),
        subnormal_policy: same(one.subnormal_policy, |one| &one.subnormal_policy),
        ..one
    }
}

/// A duration in seconds, as provenance has it.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.6}", duration.as_secs_f64())
}

/// The member of `host` that holds the digest of the program that ran.
pub(crate) const EXECUTABLE: &str = "executable";

/// The member of `host` that holds what the CPU can do.
pub(crate) const FEATURES: &str = "cpu features";

fn host() -> BTreeMap<String, String> {
    let cpus = std::thread::available_parallelism().map_or(0, usize::from);
    let known = [
        ("target", env!("BUILD_TARGET").to_owned()),
        ("os", std::env::consts::OS.to_owned()),
        ("arch", std::env::consts::ARCH.to_owned()),
        ("cpus", cpus.to_string()),
        (FEATURES, features().join(" ")),
    ];
    known
        .into_iter()
        .chain(executable().map(|digest| (EXECUTABLE, digest.to_string())))
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// Begins to read the program's own file, whose digest every report has, beside other work.
pub fn prepare() {
    // Without the thread it is read when it is asked for.
    let _ = std::thread::Builder::new().spawn(executable);
}

/// The digest of the running program's file; none where it cannot be read.
pub(crate) fn executable() -> Option<Digest> {
    static DIGEST: LazyLock<Option<Digest>> = LazyLock::new(|| {
        let path = platform::executable().ok()?;
        Digest::of_reader(std::fs::File::open(path).ok()?).ok().map(|(digest, _)| digest)
    });
    *DIGEST
}

/// Those of these features that the CPU has.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! detected {
    ($detect:ident: $($name:tt)*) => {{
        let all = [$(($name, std::arch::$detect!($name))),*];
        all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
    }};
}

/// What the CPU can do beyond its architecture's least, as far as arithmetic may depend on it.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    detected! { is_x86_feature_detected:
        "sse" "sse2" "sse3" "ssse3" "sse4.1" "sse4.2" "sse4a" "popcnt" "lzcnt" "bmi1" "bmi2" "adx"
        "avx" "avx2" "f16c" "fma" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
        "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vnni" "avx512bitalg" "avx512vpopcntdq"
        "avx512bf16"
    }
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<&'static str> {
    detected! { is_aarch64_feature_detected:
        "neon" "fp" "fp16" "fhm" "bf16" "frintts" "fcma" "jsconv" "rdm" "dotprod" "i8mm" "f32mm"
        "f64mm" "sve" "sve2"
    }
}

/// Nothing is known of other architectures.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

/// The probes of a type's arithmetic. Nothing is assumed: `black_box` keeps the compiler from
/// computing them.
macro_rules! probes {
    ($module:ident, $float:ident) => {
        mod $module {
            use std::hint::black_box;

            /// The rounding direction of addition, told from sums that lie between two neighbours:
            /// 1 + 1.5u and its negative lie nearer the larger magnitude, 1 + u is a tie with the
            /// even one below (u is half the distance from 1 to the next value).
            pub(super) fn rounding_mode() -> &'static str {
                const U: $float = $float::EPSILON / 2.0;
                let one: $float = black_box(1.0);
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

            /// What becomes of subnormal results and operands.
            pub(super) fn subnormal_policy() -> &'static str {
                let result = black_box($float::MIN_POSITIVE) * black_box(0.5);
                let operand = black_box($float::from_bits(1)) * black_box($float::MAX);
                match (result.to_bits() != 0, operand.to_bits() != 0) {
                    (true, true) => "preserved",
                    (false, true) => "results flushed to zero",
                    (true, false) => "operands read as zero",
                    (false, false) => "results and operands flushed to zero",
                }
            }
        }
    };
}

probes!(float32, f32);
probes!(float64, f64);

/// What was found for both types.
fn of_both(float32: &str, float64: &str) -> String {
    format!("float32 {float32}, float64 {float64}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_rounds_to_nearest_even_and_preserves_subnormals() {
        assert_eq!([float32::rounding_mode(), float64::rounding_mode()], ["roundTiesToEven"; 2]);
        assert_eq!([float32::subnormal_policy(), float64::subnormal_policy()], ["preserved"; 2]);
    }
}

//! The platforms that the tests ran on, as the provenance of reports and campaigns has them.
//!
//! `platform.json` holds what may bear on results and is the same for every run on a machine. What is
//! different from run to run or bears on nothing (time, durations, number of CPUs, standard error) stays
//! in `provenance.json`.

use super::document::{FORMAT_VERSION, Origin, PLATFORM, Platform, Platforms};
use crate::report::document::Provenance;
use crate::report::provenance::FEATURES;

impl Platforms {
    /// The platforms of documents.
    pub(super) fn of(origins: &[Origin]) -> Self {
        let mut platforms: Vec<Platform> = Vec::new();
        for Origin { path, provenance, .. } in origins {
            let found = Platform::of(provenance);
            let same = |known: &&mut Platform| {
                Platform { documents: Vec::new(), ..(**known).clone() } == found
            };
            match platforms.iter_mut().find(same) {
                Some(known) => known.documents.push(path.clone()),
                None => platforms.push(Platform { documents: vec![path.clone()], ..found }),
            }
        }
        Self { format_version: FORMAT_VERSION, kind: PLATFORM.to_owned(), platforms }
    }
}

impl Platform {
    fn of(provenance: &Provenance) -> Self {
        let known = |text: &String| (!text.is_empty()).then(|| text.clone());
        let host = |name: &str| provenance.host.get(name).and_then(known);
        Self {
            documents: Vec::new(),
            target: host("target"),
            os: host("os"),
            arch: host("arch"),
            cpu_features: host(FEATURES),
            toolchain: known(&provenance.toolchain),
            rounding_mode: known(&provenance.rounding_mode),
            subnormal_policy: known(&provenance.subnormal_policy),
        }
    }
}

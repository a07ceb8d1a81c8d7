//! What the tool is built from, as a CycloneDX 1.6 document made from its own `Cargo.lock`.
//!
//! A lock does not tell which dependencies are for other systems or only for building: the list holds
//! every package that a build may use, without those that only the tests need. It has no serial number
//! and no time, so that the same sources give the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use askama::Template;
use serde::Deserialize;

use crate::foundation::text::percent_encoded;

const LOCK: &str = include_str!("../../../Cargo.lock");
const MANIFEST: &str = include_str!("../../../Cargo.toml");
const ROOT: &str = env!("CARGO_PKG_NAME");

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

#[derive(Deserialize)]
struct Manifest {
    dependencies: BTreeMap<String, toml::Value>,
    features: BTreeMap<String, Vec<String>>,
}

/// The document; its template shows its form.
#[derive(Template)]
#[template(path = "sbom.cdx.json", escape = "none", whitespace = "preserve")]
struct Bom<'a> {
    root: &'a Package,
    components: Vec<&'a Package>,
    /// What each package needs, by their package URLs.
    dependencies: BTreeMap<String, BTreeSet<String>>,
}

/// The bytes of `sbom.cdx.json`. A test keeps them from failing.
pub(super) fn sbom() -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let lock: Lock = toml::from_str(LOCK)?;
    let manifest: Manifest = toml::from_str(MANIFEST)?;
    let root = lock.find(ROOT)?;
    let mut reached = BTreeSet::from([root]);
    let mut to_visit = vec![root];
    let mut dependencies = BTreeMap::new();
    while let Some(at) = to_visit.pop() {
        let package = &lock.package[at];
        let mut needed = BTreeSet::new();
        for entry in &package.dependencies {
            if at == root && !is_needed(&manifest, entry) {
                continue;
            }
            let dependency = lock.find(entry)?;
            needed.insert(lock.package[dependency].purl());
            if reached.insert(dependency) {
                to_visit.push(dependency);
            }
        }
        dependencies.insert(package.purl(), needed);
    }
    reached.remove(&root);
    let mut components: Vec<_> = reached.into_iter().map(|at| &lock.package[at]).collect();
    components.sort_by_key(|package| package.purl());
    Ok((Bom { root: &lock.package[root], components, dependencies }.render()? + "\n").into_bytes())
}

/// Whether the tool itself needs this direct dependency: its tests may need more, and what is optional
/// only its features do.
fn is_needed(manifest: &Manifest, entry: &str) -> bool {
    let name = entry.split(' ').next().unwrap_or_default();
    manifest.dependencies.get(name).is_some_and(|dependency| {
        let optional = dependency.get("optional").and_then(toml::Value::as_bool);
        optional != Some(true) || is_of_features(manifest, name)
    })
}

/// Whether a feature that this program is built with needs an optional dependency.
fn is_of_features(manifest: &Manifest, dependency: &str) -> bool {
    let features = [
        ("cli", true),
        ("fetch", true),
        ("harness", cfg!(feature = "harness")),
        ("mpfr", cfg!(feature = "mpfr")),
    ];
    let needed = format!("dep:{dependency}");
    let is_of = |name: &str| manifest.features.get(name).is_some_and(|of| of.contains(&needed));
    features.into_iter().any(|(name, is_on)| is_on && is_of(name))
}

impl Lock {
    /// Where the package is that an entry such as `name`, `name version` or
    /// `name version (source)` names.
    fn find(&self, entry: &str) -> Result<usize, String> {
        let found = self.package.iter().position(|Package { name, version, source, .. }| {
            let Some(rest) = entry.strip_prefix(name.as_str()) else { return false };
            let source = source.as_deref().unwrap_or_default();
            rest.is_empty()
                || rest == format!(" {version}")
                || rest == format!(" {version} ({source})")
        });
        found.ok_or_else(|| format!("`Cargo.lock` has no package `{entry}`"))
    }
}

impl Package {
    /// Its package URL. Versions may hold `+`, which has to be escaped there.
    fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, percent_encoded(&self.version))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn document() -> Value {
        serde_json::from_slice(&sbom().unwrap()).unwrap()
    }

    #[test]
    fn what_the_tool_needs_is_listed_and_what_only_tests_need_is_not() {
        let document = document();
        let components = document["components"].as_array().unwrap();
        let names: BTreeSet<_> =
            components.iter().map(|one| one["name"].as_str().unwrap()).collect();
        for name in
            ["serde", "serde_json", "sha2", "askama", "rayon", "zip", "roxmltree", "libtest-mimic"]
        {
            assert!(names.contains(name), "{name}");
        }
        for name in ["insta", "divan", "proptest", "jsonschema", "rug", ROOT] {
            assert!(!names.contains(name), "{name}");
        }
        assert!(
            components.iter().all(|one| one["hashes"][0]["content"].as_str().unwrap().len() == 64)
        );
    }

    #[test]
    fn every_dependency_is_a_component_and_every_component_is_needed() {
        let document = document();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let components = document["components"].as_array().unwrap();
        let refs: BTreeSet<_> = components.iter().map(|one| text(&one["bom-ref"])).collect();
        assert_eq!(refs.len(), components.len());
        let graph = document["dependencies"].as_array().unwrap();
        let needed: BTreeSet<_> =
            graph.iter().flat_map(|one| one["dependsOn"].as_array().unwrap()).map(text).collect();
        assert_eq!(needed, refs);
    }

    #[test]
    fn a_version_is_escaped() {
        let package = Package {
            name: "zstd-sys".to_owned(),
            version: "2.0.15+zstd.1.5.7".to_owned(),
            source: None,
            checksum: None,
            dependencies: vec![],
        };
        assert_eq!(package.purl(), "pkg:cargo/zstd-sys@2.0.15%2Bzstd.1.5.7");
    }
}

//! What the tool is built from, as a CycloneDX 1.6 document made from its own `Cargo.lock`.
//!
//! A lock does not tell which dependencies are for other systems or only for building: the list holds
//! every package that a build may use, without those that only the tests need. It has no serial number
//! and no time, so that the same sources give the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::canonical;
use crate::text::percent_encoded;

const LOCK: &str = include_str!("../../Cargo.lock");
const MANIFEST: &str = include_str!("../../Cargo.toml");
const ROOT: &str = env!("CARGO_PKG_NAME");

/// Why the list cannot be made; a test keeps it from happening.
#[derive(Debug, thiserror::Error)]
pub enum SbomError {
    #[error("failed to read the `Cargo.lock` or `Cargo.toml` that the program was built from")]
    Read(#[from] toml::de::Error),
    #[error("the `Cargo.lock` that the program was built from has no package `{0}`")]
    NoPackage(String),
    #[error("failed to serialise the list of dependencies")]
    Serialise(#[from] serde_json::Error),
}

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
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Bom {
    bom_format: &'static str,
    spec_version: &'static str,
    version: u32,
    metadata: Metadata,
    components: Vec<Component>,
    dependencies: Vec<Dependency>,
}

#[derive(Serialize)]
struct Metadata {
    component: Component,
}

#[derive(Serialize)]
struct Component {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "bom-ref")]
    bom_ref: String,
    name: String,
    version: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hashes: Vec<Hash>,
    purl: String,
}

#[derive(Serialize)]
struct Hash {
    alg: &'static str,
    content: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dependency {
    #[serde(rename = "ref")]
    package: String,
    depends_on: Vec<String>,
}

/// The bytes of `sbom.cdx.json`.
pub(super) fn sbom() -> Result<Vec<u8>, SbomError> {
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
    let components = reached.iter().filter(|&&at| at != root);
    let mut components: Vec<_> =
        components.map(|&at| lock.package[at].component("library")).collect();
    components.sort_by(|a, b| a.purl.cmp(&b.purl));
    let dependencies = dependencies
        .into_iter()
        .map(|(package, needed)| Dependency { package, depends_on: needed.into_iter().collect() });
    Ok(canonical::to_bytes(&Bom {
        bom_format: "CycloneDX",
        spec_version: "1.6",
        version: 1,
        metadata: Metadata { component: lock.package[root].component("application") },
        components,
        dependencies: dependencies.collect(),
    })?)
}

/// Whether the tool itself needs this direct dependency: its tests may need more, and what is optional
/// only its features do.
fn is_needed(manifest: &Manifest, entry: &str) -> bool {
    let name = entry.split(' ').next().unwrap_or_default();
    manifest.dependencies.get(name).is_some_and(|dependency| {
        let optional = dependency.get("optional").and_then(toml::Value::as_bool);
        optional != Some(true) || cfg!(feature = "mpfr")
    })
}

impl Lock {
    /// Where the package is that an entry such as `name`, `name version` or
    /// `name version (source)` names.
    fn find(&self, entry: &str) -> Result<usize, SbomError> {
        let mut words = entry.splitn(3, ' ');
        let (name, version, source) = (words.next(), words.next(), words.next());
        let source = source.map(|source| source.trim_matches(['(', ')']));
        let found = self.package.iter().position(|package| {
            Some(package.name.as_str()) == name
                && version.is_none_or(|version| package.version == version)
                && source.is_none_or(|source| package.source.as_deref() == Some(source))
        });
        found.ok_or_else(|| SbomError::NoPackage(entry.to_owned()))
    }
}

impl Package {
    fn component(&self, kind: &'static str) -> Component {
        let checksum = self.checksum.iter();
        Component {
            kind,
            bom_ref: self.purl(),
            name: self.name.clone(),
            version: self.version.clone(),
            hashes: checksum.map(|sum| Hash { alg: "SHA-256", content: sum.clone() }).collect(),
            purl: self.purl(),
        }
    }

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
        for name in ["serde", "serde_json", "sha2", "askama", "rayon"] {
            assert!(names.contains(name), "{name}");
        }
        for name in ["insta", "divan", "proptest", "jsonschema", ROOT] {
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

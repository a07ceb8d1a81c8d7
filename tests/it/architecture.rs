//! The invariants of `docs/architecture.md` that can be read off the sources.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use walkdir::WalkDir;

/// The wings of the harness from the ground up, and the modules of each that have a place of their own; each line may
/// import the lines above it and its own. A wing's other modules have its own place.
const LAYERS: &[&[&str]] = &[
    &["foundation::platform"],
    &["foundation::embedded", "foundation::printable", "foundation::text"],
    &["foundation::cleanup"],
    &["foundation::files", "foundation::guide", "foundation::trust"],
    &["document"],
    &["corpus::case", "corpus::selection", "corpus::shard", "corpus::suite"],
    &["corpus"],
    &["corpus::generate", "corpus::variant"],
    &["judge"],
    &["backend"],
    &["backend::protocol_check", "backend::serve"],
    &["backend::c_abi"],
    &["run"],
    &["run::harness"],
    &["measure::campaign"],
    &["measure::atlas"],
    &["measure::sums"],
    &["documents::report"],
    &["documents::explain"],
    &["documents::audit", "documents::challenge"],
    &["documents::gate", "documents::expectations"],
    &["documents::scoreboard"],
    &["documents::site"],
    &["documents::matrix"],
    &["documents::qualification"],
    &["models::file", "models::graph"],
    &["models"],
    &["models::types"],
    &["models::restrictions", "models::uses"],
    &["models::coverage"],
    &["models::inspect"],
    &["documents::evidence"],
];

/// The modules of the program above it, likewise.
const PROGRAM: &[&[&str]] = &[&["terminal"], &["cli"], &["commands"]];

/// Modules of the harness that touch neither files nor network. Of the crates below it, only the reading
/// of files within limits does.
const PURE: &[&str] = &[
    "foundation::embedded",
    "foundation::printable",
    "foundation::text",
    "corpus::selection",
    "judge",
    "documents::gate",
    "documents::expectations",
];

/// What may name the kernels: the built-in backend, and the campaigns' in-process path.
const USES_KERNELS: &[&str] = &["backend", "measure/campaign/implementation.rs", "lib.rs"];

struct Source {
    /// Relative to the root of the checkout.
    path: String,
    /// `values`, `reference`, `judge`, `kernels`, `suites`, `crate` for the harness, or `program`.
    krate: &'static str,
    /// Names of the modules from the crate's root to this one.
    module: Vec<String>,
    /// The code without comments and unit tests, which may import what they like.
    code: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources of all crates.
fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(read);
    &SOURCES
}

fn read() -> Vec<Source> {
    let crates = [
        ("values", "crates/values/src"),
        ("reference", "crates/reference/src"),
        ("judge", "crates/judge/src"),
        ("kernels", "crates/kernels/src"),
        ("suites", "crates/suites/src"),
        ("crate", "src"),
        ("program", "src"),
    ];
    let comments = Regex::new(r"(?m)//.*$").unwrap();
    let mut sources = Vec::new();
    for (krate, folder) in crates {
        for entry in WalkDir::new(root().join(folder)).sort_by_file_name() {
            let path = entry.unwrap().into_path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let within = path.strip_prefix(root().join(folder)).unwrap().with_extension("");
            let mut module: Vec<String> =
                within.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            // The library and the program share a folder.
            let is_of_program = module == ["main"] || level(PROGRAM, &module).is_some();
            if folder == "src" && is_of_program != (krate == "program") {
                continue;
            }
            if module == ["lib"] || module == ["main"] {
                module.clear();
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let is_test =
                module.last().is_some_and(|name| name == "tests") || text.starts_with("//! Tests:");
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let code = if is_test { String::new() } else { comments.replace_all(code, "").into() };
            let path = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            sources.push(Source { path, krate, module, code, text });
        }
    }
    sources
}

/// The wings of the harness, from the ground up; those of several layers several times.
fn wings() -> impl Iterator<Item = &'static str> {
    let name = |module: &&'static str| module.split("::").next().unwrap_or_default();
    LAYERS.iter().copied().flatten().map(name)
}

/// The layer of a path; none where it leads to none.
fn level(layers: &[&[&str]], path: &[String]) -> Option<usize> {
    let at = |length: usize| {
        let module = path.get(..length)?.join("::");
        layers.iter().position(|layer| layer.contains(&module.as_str()))
    };
    at(2).or_else(|| at(1))
}

/// Whether a module is one of these, or lies in one.
fn is_in(module: &[String], these: &[&str]) -> bool {
    let path = module.join("::");
    let within = |name: &&str| {
        path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    these.iter().any(within)
}

/// The paths that a source names, each from the root of a crate: in `use` with its braces, and inline.
fn paths(source: &Source) -> BTreeSet<(String, Vec<String>)> {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?-u)\b((?:crate|super|values|reference|judge|kernels|suites|onnx_conformance)(?:::\w+)*)(::\{)?",
        )
        .unwrap()
    });
    let mut found = BTreeSet::new();
    for captures in NAMED.captures_iter(&source.code) {
        let start: Vec<String> = captures[1].split("::").map(str::to_owned).collect();
        if start.len() == 1 && captures.get(2).is_none() {
            continue;
        }
        let ends = match captures.get(2) {
            Some(brace) => expanded(&source.code[brace.end()..]),
            None => vec![Vec::new()],
        };
        for end in ends {
            found.extend(absolute(source, &[start.clone(), end].concat()));
        }
    }
    found
}

/// The paths in braces, of which the first is open; `a as b` is read as `a::as::b`.
fn expanded(text: &str) -> Vec<Vec<String>> {
    let (mut prefixes, mut current, mut word) = (Vec::new(), Vec::new(), String::new());
    let mut found = Vec::new();
    for character in text.chars() {
        match character {
            '{' => prefixes.push(current.clone()),
            ',' | '}' => {
                if !word.is_empty() {
                    current.push(std::mem::take(&mut word));
                    found.push(current.clone());
                }
                match (character, prefixes.last()) {
                    (',', Some(prefix)) => current.clone_from(prefix),
                    (',', None) => current.clear(),
                    (_, None) => break,
                    _ => {
                        prefixes.pop();
                    }
                }
            }
            ':' | ' ' if !word.is_empty() => current.push(std::mem::take(&mut word)),
            character if character.is_alphanumeric() || character == '_' => word.push(character),
            _ => {}
        }
    }
    found
}

/// The crate and the path within it that a path in a source means.
fn absolute(source: &Source, path: &[String]) -> Option<(String, Vec<String>)> {
    match path.first()?.as_str() {
        root @ ("crate" | "onnx_conformance") => {
            let own = if root == "crate" { source.krate } else { "crate" };
            // The harness hands on the crates below it under its own name.
            let handed_on = [
                ("kernels", &["kernels"][..]),
                ("suites", &["suites"]),
                ("reference", &["accuracy", "check", "hard", "sweep", "oracle", "reference"]),
                (
                    "values",
                    &["dtype", "float", "limits", "model", "onnx", "openvino", "random", "tensor"],
                ),
            ];
            let first = path.get(1).map_or("", String::as_str);
            let below = handed_on.iter().find(|(_, names)| names.contains(&first));
            let krate = below.filter(|_| own == "crate").map_or(own, |(krate, _)| krate);
            Some((krate.to_owned(), path[1..].to_vec()))
        }
        "super" => {
            let ups = path.iter().take_while(|name| *name == "super").count();
            let kept = source.module.len().checked_sub(ups)?;
            Some((source.krate.to_owned(), [&source.module[..kept], &path[ups..]].concat()))
        }
        // A module of this name is nearer than the crate.
        krate @ ("values" | "reference" | "judge" | "kernels" | "suites")
            if !source.code.contains(&format!("mod {krate};")) =>
        {
            Some((krate.to_owned(), path[1..].to_vec()))
        }
        first => {
            let within = if first == "self" { &path[1..] } else { path };
            Some((source.krate.to_owned(), [&source.module[..], within].concat()))
        }
    }
}

/// The names that a source's `use` brings into its module, and from there into those within it or, with
/// `pub`, others; each with the crate and the path that it stands for.
fn names_in_use(source: &Source) -> BTreeMap<String, (String, Vec<String>)> {
    static USE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^(?:pub(?:\([a-z ]+\))? )?use ([^;]+);").unwrap());
    let mut names = BTreeMap::new();
    for captures in USE.captures_iter(&source.code) {
        for path in expanded(&format!("{}}}", &captures[1])) {
            // `a::{self}` is `a`, and `a::as::b` is `a` by another name.
            let end = path.iter().skip(1).position(|part| part == "self" || part == "as");
            let original = &path[..end.map_or(path.len(), |at| at + 1)];
            let name = path.iter().rfind(|part| *part != "self").unwrap_or(&path[0]);
            if let Some(meant) = absolute(source, original) {
                names.insert(name.clone(), meant);
            }
        }
    }
    names
}

/// Which file imports which; a module and those within it are one. A name that a module has from another
/// one, as [`names_in_use`] says, is imported from both.
fn imports(sources: &[Source]) -> BTreeMap<usize, BTreeSet<usize>> {
    let by_module: BTreeMap<(&str, &[String]), usize> =
        sources.iter().enumerate().map(|(at, s)| ((s.krate, &s.module[..]), at)).collect();
    let names: Vec<_> = sources.iter().map(names_in_use).collect();
    let files_of = |mut krate: String, mut path: Vec<String>| {
        let mut files = Vec::new();
        loop {
            let file = |length| Some((*by_module.get(&(krate.as_str(), &path[..length]))?, length));
            let Some((at, length)) = (0..=path.len()).rev().find_map(file) else { break };
            if files.contains(&at) {
                break;
            }
            files.push(at);
            let Some(meant) = path.get(length).and_then(|name| names[at].get(name)) else { break };
            path = [&meant.1[..], &path[length + 1..]].concat();
            krate.clone_from(&meant.0);
        }
        files
    };
    let mut imports = BTreeMap::<usize, BTreeSet<usize>>::new();
    for (at, source) in sources.iter().enumerate() {
        for to in paths(source).into_iter().flat_map(|(krate, path)| files_of(krate, path)) {
            let other = &sources[to];
            let is_family = source.krate == other.krate
                && (source.module.starts_with(&other.module)
                    || other.module.starts_with(&source.module));
            if !is_family {
                imports.entry(at).or_default().insert(to);
            }
        }
    }
    imports
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let sources = sources();
    let imports = imports(sources);
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 500, "the imports are read");
    let reached = |from: usize| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(at) = next.pop() {
            for &to in imports.get(&at).into_iter().flatten() {
                if seen.insert(to) {
                    next.push(to);
                }
            }
        }
        seen
    };
    let circular: Vec<&str> = (0..sources.len())
        .filter(|&at| reached(at).contains(&at))
        .map(|at| sources[at].path.as_str())
        .collect();
    assert!(circular.is_empty(), "these files import each other in a circle: {circular:#?}");
}

#[test]
fn paths_in_nested_braces_are_read_whole() {
    let path = |names: &str| names.split("::").map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        expanded("a, b::{C, d::E}, f::G};\nuse x::y;"),
        ["a", "b::C", "b::d::E", "f::G"].map(path)
    );
}

#[test]
fn names_are_followed_to_where_they_come_from() {
    let source = |module: &str, code: &str| Source {
        path: module.to_owned(),
        krate: "kernels",
        module: module.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        code: code.to_owned(),
        text: String::new(),
    };
    let sources = [
        source("", "use self::call::Call as Request;\npub use error::{Error, self as failure};"),
        source("call", "pub(super) use super::error::Error;"),
        source("error", ""),
        source("kernel", "use super::{Request, BLOCK};"),
        source("div", "use super::call::Error;"),
        source("exp", "use super::{failure, kernel::{self}};"),
    ];
    let expected = [(1, vec![2]), (3, vec![1]), (4, vec![1, 2]), (5, vec![2, 3])];
    let expected = expected.map(|(from, to)| (from, to.into_iter().collect()));
    assert_eq!(imports(&sources), BTreeMap::from(expected));
}

#[test]
fn every_module_of_the_harness_and_of_the_program_is_placed() {
    let module = Regex::new(r"(?m)^(?:pub(?:\(crate\))? )?mod (\w+);$").unwrap();
    let declared = |file: &str| -> BTreeSet<String> {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        module.captures_iter(&text).map(|captures| captures[1].to_owned()).collect()
    };
    let of_program = PROGRAM.iter().copied().flatten().map(ToString::to_string);
    assert_eq!(declared("src/main.rs"), of_program.collect());
    let of_wings: BTreeSet<String> = wings().map(str::to_owned).collect();
    assert_eq!(declared("src/lib.rs"), of_wings);
    for wing in of_wings {
        let modules = declared(&format!("src/{wing}.rs"));
        let own = LAYERS.iter().copied().flatten().filter_map(|module| module.split_once("::"));
        let own: BTreeSet<String> =
            own.filter(|(of, _)| *of == wing).map(|(_, module)| module.to_owned()).collect();
        let is_placed = level(LAYERS, std::slice::from_ref(&wing)).is_some();
        assert!(own.is_subset(&modules), "{wing}: {:?}", own.difference(&modules));
        assert!(is_placed || own == modules, "{wing}: {:?}", modules.difference(&own));
    }
}

#[test]
fn imports_point_downwards_only() {
    for source in sources() {
        let layers = match source.krate {
            "crate" => LAYERS,
            "program" => PROGRAM,
            _ => continue,
        };
        // The page of a wing imports nothing but what lies in it.
        let Some(own) = level(layers, &source.module) else { continue };
        for (krate, path) in paths(source) {
            let level = level(layers, &path).filter(|_| krate == source.krate);
            let is_family = path.starts_with(&source.module);
            let (file, name) = (&source.path, path.join("::"));
            assert!(
                level.is_none_or(|level| level <= own) || is_family,
                "{file} imports `{name}`, which lies above it"
            );
        }
    }
}

#[test]
fn platform_alone_asks_which_system_it_is() {
    let asks =
        r"cfg!?\((?:not\()?(?:unix|windows|target_os)|\bstd::os::|\b(?:rustix|signal_hook)::";
    let asks = Regex::new(asks).unwrap();
    let mut asking = 0;
    for source in sources() {
        let path = &source.path;
        let found = asks.find(&source.code);
        asking += usize::from(found.is_some());
        let may = ["src/foundation/platform", "src/backend/adapter/sandbox", "src/main.rs"];
        let may = may.iter().any(|place| path.starts_with(place));
        assert!(may || found.is_none(), "{path} asks: {}", found.unwrap().as_str());
    }
    assert!(asking > 5, "they are found where they are");
}

#[test]
fn arithmetic_and_judgement_do_no_input_or_output() {
    for source in sources() {
        let is_pure = match source.krate {
            "crate" => is_in(&source.module, PURE),
            "program" => false,
            _ => source.path != "crates/values/src/limits/file.rs",
        };
        for forbidden in ["std::fs", "std::net", "std::process", "std::env", "println!", "ureq"] {
            let path = &source.path;
            assert!(!is_pure || !source.code.contains(forbidden), "{path} uses {forbidden}");
        }
    }
}

#[test]
fn only_fetch_starts_a_network_client() {
    for source in sources() {
        let is_fetch = source.module.starts_with(&["corpus".to_owned(), "fetch".to_owned()]);
        assert!(
            is_fetch || !source.text.contains("ureq"),
            "{} starts a network client",
            source.path
        );
    }
}

#[test]
fn every_module_says_what_lives_there() {
    for source in sources() {
        assert!(source.text.starts_with("//! "), "{} does not open with a sentence", source.path);
    }
}

/// The names of a table in the manifest of a crate.
fn needed(krate: &str, table: &str) -> BTreeSet<String> {
    let manifest: PathBuf = root().join("crates").join(krate).join("Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(manifest).unwrap().parse().unwrap();
    let names = manifest.get(table).and_then(toml::Value::as_table).into_iter().flatten();
    names.map(|(name, _)| name.clone()).collect()
}

/// Asserts which of the other crates here one depends on, other than to be tested or built: for that it needs none.
fn assert_depends_on(krate: &str, others: &[&str]) {
    for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let mut own = needed(krate, table);
        own.retain(|name| {
            ["values", "reference", "judge", "kernels", "suites"].contains(&name.as_str())
        });
        let expected = if table == "dependencies" { others } else { &[] };
        assert!(own.iter().eq(expected), "{krate}: {table}: {own:?}");
    }
}

#[test]
fn reference_and_kernels_depend_on_the_values_alone_and_never_on_each_other() {
    assert_depends_on("reference", &["values"]);
    assert_depends_on("kernels", &["values"]);
}

#[test]
fn the_suites_depend_on_none_of_the_other_crates() {
    assert_depends_on("suites", &[]);
}

#[test]
fn the_judge_needs_little_more_than_values_and_reference() {
    assert_depends_on("judge", &["reference", "values"]);
    let below = &needed("values", "dependencies") | &needed("reference", "dependencies");
    let more = &needed("judge", "dependencies") - &below;
    assert!(more.iter().eq(["natord", "reference", "schemars", "sha2", "similar"]), "{more:?}");
}

#[test]
fn nothing_that_judges_names_the_kernels() {
    for source in sources().iter().filter(|source| ["crate", "program"].contains(&source.krate)) {
        let within = source.path.strip_prefix("src/").unwrap();
        let may = USES_KERNELS.iter().any(|allowed| within.starts_with(allowed));
        let names = paths(source).iter().any(|(krate, _)| krate == "kernels");
        assert!(may || !names, "{} names the kernels", source.path);
    }
}

//! The requirement catalogues, their strict reading, and the matrix.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use onnx_conformance::corpus::case::Manifest;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::judge::profile::Strictness;
use onnx_conformance::judge::requirements::{
    Catalogue, CatalogueError, Requirement, RequirementKind, Row, Status, Support, Tested, Verified,
};
use onnx_conformance::judge::verdict::{Aspect, AspectResult, Aspects, Verdict};
use onnx_conformance::reference::operators;

use crate::support::aspects::aspects;
use crate::support::suites::corpus;

fn embedded() -> Catalogue {
    Catalogue::embedded().unwrap()
}

/// A catalogue of one document `doc`, of which only the entries are given.
fn document(entries: &str) -> Result<Catalogue, CatalogueError> {
    let head = "key = \"doc\"\ntitle = \"Doc\"\nsource = \"nowhere\"\n";
    Catalogue::from_files(&[("doc.toml", &format!("{head}{entries}"))])
}

/// An entry of nine lines, the first of which is blank.
fn entry(id: &str, more: &str) -> String {
    let provisional = id.starts_with("P_");
    format!(
        "\n[[requirement]]\nid = \"{id}\"\nsection = \"one\"\nkind = \"function\"\n\
         provisional = {provisional}\nstatement = \"It holds.\"\n{more}\n\
         aspect = [\"value\"]\n"
    )
}

/// An entry with nothing special about it.
fn plain(id: &str) -> String {
    entry(id, "aliases = []")
}

/// The requirement to which a document gives this label.
fn labelled<'c>(catalogue: &'c Catalogue, document: &str, label: &str) -> Option<&'c Requirement> {
    let mut of_document = catalogue.requirements().iter().filter(|one| one.document == document);
    of_document.find(|one| one.aliases.iter().any(|alias| alias == label))
}

/// The line of a defect, and what it is.
fn defect(entries: &str) -> (usize, String) {
    let error = document(entries).unwrap_err();
    assert_eq!(error.file, "doc.toml");
    (error.line, error.defect)
}

/// What is said of an id whose entry has this flaw.
fn flaw(id: &str, flaw: &str) -> String {
    format!("`{id}` {flaw}")
}

#[test]
fn every_catalogue_in_an_operators_folder_is_part_of_the_binary() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/reference/src/operators");
    let files: BTreeSet<String> = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned())
        .filter(|name| name.ends_with(".toml"))
        .filter(|name| !name.ends_with("cases.toml") && name != "readings.toml")
        .collect();
    let embedded: BTreeSet<String> = Catalogue::files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(files, embedded);
}

#[test]
fn every_tag_of_the_working_group_is_there_with_its_older_label() {
    let catalogue = embedded();
    let tensors = |domain: &str, number: &str, tensors: &str| -> Vec<String> {
        let tag = |tensor| format!("E_DIV_{domain}_CONSTR_{tensor}_{number}");
        tensors.chars().map(tag).collect()
    };
    let functions = ["REAL", "FLOAT", "INT"].map(|domain| format!("E_DIV_{domain}_FUNC_0010"));
    let labels = [
        (functions[0].clone(), "informal specification, real"),
        (functions[1].clone(), "informal specification, float"),
        (functions[2].clone(), "informal specification, int"),
    ];
    let constraints = [
        (tensors("REAL", "0010", "ABC"), "C1 (real)"),
        (tensors("REAL", "0020", "B"), "C2 (real)"),
        (tensors("FLOAT", "0010", "ABC"), "C1 (float)"),
        (tensors("FLOAT", "0020", "ABC"), "C2 (float)"),
        (tensors("INT", "0010", "ABC"), "C1 (int)"),
        (tensors("INT", "0020", "ABC"), "C2 (int)"),
        (tensors("INT", "0030", "B"), "C3 (int)"),
    ];
    for (tag, label) in labels {
        assert_eq!(labelled(&catalogue, "sonnx-div", label).unwrap().id, tag);
        assert_eq!(catalogue.get(&tag).unwrap().kind, RequirementKind::Function);
    }
    for (tags, label) in constraints {
        for tag in tags {
            let requirement = catalogue.get(&tag).unwrap_or_else(|| panic!("{tag}"));
            assert!(!requirement.provisional, "{tag}");
            assert_eq!(requirement.kind, RequirementKind::Constraint, "{tag}");
            assert!(requirement.aliases[0].starts_with(label), "{tag}");
        }
    }
    for tag in ["GR1", "GR2", "GR3", "GR4"] {
        let requirement = catalogue.get(tag).unwrap_or_else(|| panic!("{tag}"));
        assert_eq!(
            (requirement.provisional, requirement.kind),
            (false, RequirementKind::Restriction)
        );
    }
    let of_div = catalogue.requirements().iter().filter(|one| one.document == "sonnx-div");
    assert_eq!(of_div.filter(|one| !one.provisional).count(), 3 + 17 + 4);
}

#[test]
fn every_row_of_the_case_analysis_of_the_square_root_is_a_requirement() {
    let catalogue = embedded();
    for row in 1..=6 {
        let requirement = catalogue.get(&format!("P_SQRT_FLOAT_FUNC_00{row}0")).unwrap();
        assert_eq!(requirement.aliases, [format!("row {row}, float")]);
    }
    assert!(catalogue.get("P_SQRT_FLOAT_FUNC_0070").is_none());
}

#[test]
fn the_restrictions_of_the_draft_are_found_by_their_labels() {
    let catalogue = embedded();
    for label in ["R1", "R2", "R3", "R4", "R5", "C1", "C2"] {
        let requirement = labelled(&catalogue, "sonnx-div-draft", label).unwrap();
        assert_eq!(requirement.id, format!("P_DIVDRAFT_{label}"));
        assert!(labelled(&catalogue, "sonnx-div", label).is_none(), "{label}");
    }
}

#[test]
fn every_version_of_the_onnx_operators_has_its_types() {
    let catalogue = embedded();
    let mut versions = 0;
    for operator in operators::onnx() {
        for version in operator.versions {
            let (name, since) = (operator.name.to_uppercase(), version.since);
            let id = format!("P_ONNX_{name}{since}_TYPES_0010");
            assert!(catalogue.get(&id).is_some(), "{id}");
            versions += 1;
        }
    }
    assert!(versions >= 27, "{versions}");
}

#[test]
fn every_statement_is_one_short_sentence() {
    for requirement in embedded().requirements() {
        let statement = &requirement.statement;
        assert!(statement.ends_with('.'), "{}", requirement.id);
        assert!(statement.chars().count() <= 200, "{}", requirement.id);
        if let Some(reason) = &requirement.untestable {
            assert!(reason.ends_with('.'), "{}", requirement.id);
        }
    }
}

#[test]
fn only_requirements_on_real_numbers_and_on_others_than_the_operator_are_untestable() {
    /// On the caller, on errors of operands, and on what comes with an implementation.
    const ON_OTHERS: [&str; 5] = [
        "E_DIV_INT_CONSTR_B_0030",
        "P_BATCHNORM_FLOAT_CONSTR_VAR_0030",
        "P_WHERE_FLOAT_ACC_0010",
        "P_MATMUL_FLOAT_ACC_0030",
        // On NaN, which no integer is.
        "P_RELU_INT_ERR_0010",
    ];
    for requirement in embedded().requirements() {
        let real = requirement.id.contains("_REAL_");
        assert!(!real || requirement.untestable.is_some(), "{}", requirement.id);
        if requirement.id.contains("_FLOAT_") || requirement.id.contains("_INT_") {
            let is_untestable = requirement.untestable.is_some();
            assert_eq!(is_untestable, ON_OTHERS.contains(&&*requirement.id), "{}", requirement.id);
        }
    }
}

#[test]
fn every_document_that_is_kept_has_a_digest_and_onnxs_but_that_of_div_have_none() {
    for document in embedded().documents() {
        let is_kept = !document.key.starts_with("onnx-") || document.key == "onnx-div";
        assert_eq!(document.sha256.is_some(), is_kept, "{}", document.key);
    }
}

#[test]
fn requirements_come_in_natural_order() {
    let entries = ["P_X10", "P_X9", "GR1", "E_X"].map(plain).concat();
    let catalogue = document(&entries).unwrap();
    let ids: Vec<_> = catalogue.requirements().iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["E_X", "GR1", "P_X9", "P_X10"]);
    assert!(ids.iter().all(|id| catalogue.get(id).unwrap().id == **id));
}

#[test]
fn a_defect_is_told_with_file_line_and_remedy() {
    let error = document(&(plain("P_A") + &plain("P_A"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to read the requirements in `doc.toml`, line 15: `P_A` already exists in \
         `doc.toml`, line 6; every requirement needs its own"
    );
}

#[test]
fn fields_too_many_or_too_few_are_refused() {
    let (line, message) = defect(&entry("P_A", "aliases = []\ncolour = \"red\""));
    assert_eq!(line, 12);
    assert!(message.contains("unknown field `colour`"), "{message}");
    let (line, message) = defect("colour = \"red\"\nrequirement = []\n");
    assert_eq!(line, 4);
    assert!(message.contains("unknown field `colour`"), "{message}");
    let (line, message) = defect(&entry("P_A", ""));
    assert_eq!(line, 5);
    assert!(message.contains("missing field `aliases`"), "{message}");
}

#[test]
fn what_is_no_toml_kind_or_digest_is_refused() {
    assert_eq!(defect("requirement = [").0, 4);
    assert_eq!(defect("sha256 = \"abc\"\nrequirement = []\n").0, 4);
    let (line, message) = defect(&plain("P_A").replace("function", "rumour"));
    assert_eq!(line, 8);
    assert!(message.contains("unknown variant `rumour`"), "{message}");
}

#[test]
fn an_aspect_that_is_missing_empty_unknown_or_there_twice_is_refused() {
    let with = |aspect: &str| plain("P_A").replace("aspect = [\"value\"]", aspect);
    let (line, message) = defect(&with(""));
    assert_eq!(line, 5);
    assert!(message.contains("missing field `aspect`"), "{message}");
    let (line, message) = defect(&with("aspect = [\"colour\"]"));
    assert_eq!(line, 12);
    assert!(message.contains("unknown variant `colour`"), "{message}");
    for aspect in ["aspect = []", "aspect = [\"type\", \"type\"]"] {
        let twice = "has no aspect, or one twice; name what it states: type, shape, value, refusal, accuracy";
        assert_eq!(defect(&with(aspect)), (12, flaw("P_A", twice)));
    }
    let both = document(&with("aspect = [\"type\", \"refusal\"]")).unwrap();
    let aspects: Vec<_> = both.requirements()[0].aspects.iter().copied().collect();
    assert_eq!(aspects, [Aspect::Type, Aspect::Refusal]);
}

#[test]
fn a_strictness_is_the_documents_unless_the_requirement_has_its_own() {
    let entries = "strictness = \"close\"\n".to_owned()
        + &plain("P_A")
        + &entry("P_B", "strictness = \"2.5 ULP\"\naliases = []");
    let catalogue = document(&entries).unwrap();
    let strictness = |id| catalogue.get(id).unwrap().strictness.to_string();
    assert_eq!((strictness("P_A"), strictness("P_B")), ("close".to_owned(), "2.5 ULP".to_owned()));
    assert_eq!(document(&plain("P_A")).unwrap().requirements()[0].strictness, Strictness::Exact);
    let (line, message) = defect(&entry("P_A", "strictness = \"sloppy\"\naliases = []"));
    assert_eq!(line, 11);
    assert!(message.contains("`sloppy` is not a strictness"), "{message}");
    let idle = entry("P_A", "strictness = \"close\"\naliases = []").replace("value", "shape");
    let told = flaw("P_A", "has a strictness, but neither value nor accuracy is among its aspects");
    assert_eq!(defect(&idle), (11, told));
}

#[test]
fn ids_of_another_form_are_refused() {
    for id in ["", "GR", "GRX", "P_", "X_A", "E_a", "P_A__B", "P_A_", "P_É", "E_A B"] {
        let no_id =
            "is not an id; they read GR1, E_DIV_INT_FUNC_0010 or, provisional, P_DIVDRAFT_R4";
        assert_eq!(defect(&plain(id)), (6, flaw(id, no_id)));
    }
}

#[test]
fn provisional_is_true_for_this_projects_tags_and_no_others() {
    for (id, contradicted) in [
        ("P_A", plain("P_A").replace("true", "false")),
        ("GR1", plain("GR1").replace("false", "true")),
    ] {
        let told = format!(
            "`provisional` does not go with `{id}`; it is true for ids with P_ and for no others"
        );
        assert_eq!(defect(&contradicted), (9, told));
    }
}

#[test]
fn texts_that_say_nothing_are_refused() {
    let empty = "is empty; write it or leave it out";
    let silent = plain("P_A").replace("It holds.", " ");
    assert_eq!(defect(&silent), (10, flaw("statement", empty)));
    let silent = entry("P_A", "aliases = [\"\"]");
    assert_eq!(defect(&silent), (11, flaw("aliases", empty)));
    let silent = entry("P_A", "untestable = \"\"\naliases = []");
    assert_eq!(defect(&silent), (11, flaw("untestable", empty)));
}

#[test]
fn an_alias_is_unique_in_its_document_and_an_id_everywhere() {
    let file = |key: &str, id: &str| {
        let entry = entry(id, "aliases = [\"C1\"]");
        format!("key = \"{key}\"\ntitle = \"T\"\nsource = \"S\"\n{entry}")
    };
    let read = |first: &str, second: &str| {
        Catalogue::from_files(&[("a.toml", &file("a", first)), ("b.toml", &file("b", second))])
    };
    let catalogue = read("P_A", "P_B").unwrap();
    assert_eq!(labelled(&catalogue, "b", "C1").unwrap().id, "P_B");
    let taken = |name: &str, file: &str, line: usize| {
        let place = format!("already exists in `{file}`, line {line}");
        flaw(name, &format!("{place}; every requirement needs its own"))
    };
    let error = read("P_A", "P_A").unwrap_err();
    assert_eq!((error.file.as_str(), error.line), ("b.toml", 6));
    assert_eq!(error.defect, taken("P_A", "a.toml", 6));
    let twice = entry("P_A", "aliases = [\"C1\"]") + &entry("P_B", "aliases = [\"C1\"]");
    assert_eq!(defect(&twice), (20, taken("C1", "doc.toml", 11)));
}

#[test]
fn an_entry_for_several_versions_is_a_requirement_of_each() {
    let stated = entry("P_A{since}_B", "aliases = [\"version {since}\"]\nsince = [7, 13]");
    let catalogue = document(&stated).unwrap();
    let ids: Vec<&str> = catalogue.requirements().iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["P_A7_B", "P_A13_B"]);
    assert_eq!(labelled(&catalogue, "doc", "version 13").unwrap().id, "P_A13_B");
    let twice = stated.replace("[7, 13]", "[7, 7]");
    assert!(defect(&twice).1.starts_with("`P_A7_B` already exists in `doc.toml`, line 6"));
    let none = stated.replace("[7, 13]", "[]");
    assert!(defect(&none).1.ends_with("stated for so many versions; name 1 to 32"));
}

#[test]
fn the_key_is_the_name_of_the_file() {
    let text = "title = \"T\"\nkey = \"b\"\nsource = \"S\"\nrequirement = []\n";
    let error = Catalogue::from_files(&[("a.toml", text)]).unwrap_err();
    let told = "the key `b` is not the file's name without `.toml`; rename one of them";
    assert_eq!((error.line, error.defect.as_str()), (2, told));
}

/// A case on values with a verdict under the profile `sonnx`.
fn tested<'a>(id: &'a str, requirements: &'a [String], verdict: Verdict) -> Tested<'a> {
    let (aspects, strictness) = (aspects(verdict), Some(Strictness::Exact));
    Tested { id, requirements, aspects, profile: "sonnx", strictness }
}

/// The status of a requirement whose cases got these verdicts.
fn status(untestable: bool, verdicts: &[Verdict]) -> Status {
    let more = if untestable { "untestable = \"So.\"\naliases = []" } else { "aliases = []" };
    let catalogue = document(&entry("P_A", more)).unwrap();
    let ids = ["P_A".to_owned()];
    let names: Vec<_> = (0..verdicts.len()).map(|at| format!("case{at}")).collect();
    let cases = names.iter().zip(verdicts).map(|(name, &verdict)| tested(name, &ids, verdict));
    Row::all(&catalogue, cases).unwrap()[0].verified.status
}

#[test]
fn a_requirement_is_verified_by_a_pass_beside_which_nothing_failed_or_was_left_out() {
    use Verdict::{Crash, Fail, Fault, OutOfDomain, Pass, Skipped, Timeout, Unsupported};
    assert_eq!(status(false, &[Pass]), Status::Verified);
    assert_eq!(status(false, &[Pass, OutOfDomain]), Status::Verified);
    for not_run in [Unsupported, Skipped] {
        assert_eq!(status(false, &[Pass, not_run]), Status::Partly);
        assert_eq!(status(false, &[OutOfDomain, not_run]), Status::Partly);
        assert_eq!(status(false, &[not_run]), Status::Uncovered);
    }
    assert_eq!(status(false, &[OutOfDomain]), Status::OutOfDomain);
    assert_eq!(status(false, &[]), Status::Uncovered);
    for failure in [Fail, Crash, Timeout, Fault] {
        assert_eq!(status(false, &[Pass, failure, Unsupported]), Status::Failed);
    }
}

/// The status of a requirement with these aspects by one case.
fn verified(aspects: &str, case: Aspects, strictness: &str) -> Verified {
    let entry = plain("P_A").replace("[\"value\"]", aspects);
    let catalogue = document(&entry).unwrap();
    let ids = ["P_A".to_owned()];
    let strictness = Some(Strictness::try_from(strictness.to_owned()).unwrap());
    let case = Tested { id: "s/c", requirements: &ids, aspects: case, profile: "own", strictness };
    Row::all(&catalogue, [case]).unwrap().remove(0).verified
}

#[test]
fn a_requirement_is_judged_by_what_it_states_alone() {
    use AspectResult::{Failed, NotAsked, NotJudged, Passed};
    let wrong_value = aspects(Verdict::Fail);
    let wrong_shape = Aspects { shape: Failed, value: NotJudged, ..aspects(Verdict::Pass) };
    let refused = Aspects { refusal: Passed, ..Aspects::all(NotAsked) };
    for (stated, case, status) in [
        ("[\"shape\"]", wrong_value, Status::Verified),
        ("[\"type\"]", wrong_value, Status::Verified),
        ("[\"value\"]", wrong_value, Status::Failed),
        ("[\"accuracy\"]", wrong_value, Status::Failed),
        ("[\"shape\", \"value\"]", wrong_value, Status::Failed),
        ("[\"shape\"]", wrong_shape, Status::Failed),
        ("[\"type\"]", wrong_shape, Status::Verified),
        ("[\"value\"]", wrong_shape, Status::Uncovered),
        ("[\"type\", \"value\"]", wrong_shape, Status::Partly),
        ("[\"shape\", \"refusal\"]", refused, Status::Verified),
        ("[\"shape\"]", refused, Status::Uncovered),
        ("[\"refusal\"]", aspects(Verdict::Pass), Status::Uncovered),
        ("[\"type\"]", aspects(Verdict::Crash), Status::Failed),
        ("[\"refusal\"]", aspects(Verdict::Timeout), Status::Failed),
    ] {
        assert_eq!(verified(stated, case, "exact").status, status, "{stated} {case:?}");
    }
}

#[test]
fn values_verify_nothing_that_asks_for_more_than_their_profile() {
    let pass = aspects(Verdict::Pass);
    for strictness in ["close", "undecided", "2.5 ULP", "0.5 ULP or flushed"] {
        for stated in ["[\"value\"]", "[\"accuracy\"]", "[\"type\", \"value\"]"] {
            let Verified { status, reason } = verified(stated, pass, strictness);
            assert_eq!(status, Status::Partly, "{stated} {strictness}");
            assert_eq!(
                reason.unwrap(),
                "judged by `own`, which is laxer than the requirement (exact)"
            );
        }
        let refusal = Aspects { refusal: AspectResult::Passed, ..pass };
        for stated in ["[\"type\"]", "[\"shape\"]", "[\"refusal\"]"] {
            assert_eq!(verified(stated, refusal, strictness).status, Status::Verified);
        }
    }
    assert_eq!(verified("[\"value\"]", pass, "exact").status, Status::Verified);
}

#[test]
fn a_laxer_case_beside_a_strict_one_leaves_the_requirement_partly_verified() {
    let catalogue = document(&plain("P_A")).unwrap();
    let ids = ["P_A".to_owned()];
    let strict = tested("s/a", &ids, Verdict::Pass);
    let lax = Tested { id: "s/b", strictness: Some(Strictness::Close), ..strict };
    let row = Row::all(&catalogue, [strict, lax]).unwrap().remove(0);
    assert_eq!(row.verified.status, Status::Partly);
    let said: Vec<_> = row.cases.iter().map(|(_, support)| support.unwrap()).collect();
    assert_eq!(said, [Support::Passed, Support::Lax]);
}

#[test]
fn every_case_of_the_suites_asks_about_an_aspect_of_each_requirement_that_it_names() {
    let catalogue = embedded();
    let (mut links, mut not_asked) = (0, BTreeMap::new());
    for suite in Suite::ALL {
        for dir in corpus(suite).cases() {
            let files = dir.load().unwrap();
            let manifest = Manifest::from_json(&files.files()["case.json"]).unwrap();
            let Manifest { requirements, expect, .. } = manifest;
            let aspects = Aspects::asked(expect, AspectResult::Passed);
            let strictness = Some(Strictness::Exact);
            for id in &requirements {
                let case =
                    Tested { id, requirements: &requirements, aspects, profile: "", strictness };
                let said = catalogue.get(id).unwrap().support(&case);
                if said != Some(Support::Passed) {
                    not_asked.entry(id.clone()).or_insert_with(|| dir.name().to_owned());
                }
                links += 1;
            }
        }
    }
    assert_eq!(not_asked, BTreeMap::new());
    assert!(links > 2_000, "{links}");
}

#[test]
fn an_untestable_requirement_stays_so_unless_a_case_fails() {
    assert_eq!(status(true, &[]), Status::Untestable);
    assert_eq!(status(true, &[Verdict::Pass]), Status::Untestable);
    assert_eq!(status(true, &[Verdict::Unsupported]), Status::Untestable);
    assert_eq!(status(true, &[Verdict::Pass, Verdict::Fail]), Status::Failed);
}

#[test]
fn the_cases_of_a_requirement_stand_in_natural_order() {
    let catalogue = document(&["P_A", "P_B"].map(plain).concat()).unwrap();
    let both = ["P_B".to_owned(), "P_A".to_owned(), "P_B".to_owned()];
    let cases = [
        tested("s/c10", &both[..], Verdict::Pass),
        tested("s/c9", &both[..1], Verdict::Fail),
        tested("s/d10", &[], Verdict::Pass),
        tested("s/d9", &[], Verdict::Fail),
    ];
    let rows = Row::all(&catalogue, cases).unwrap();
    let of = |row: &Row<'_>| row.cases.iter().map(|(case, _)| case.clone()).collect::<Vec<_>>();
    assert_eq!(of(&rows[0]), ["s/c10"]);
    assert_eq!(of(&rows[1]), ["s/c9", "s/c10"]);
}

#[test]
fn a_requirement_that_is_in_no_catalogue_is_fatal() {
    let catalogue = document(&plain("P_A")).unwrap();
    let ids = ["P_A".to_owned(), "P_B".to_owned()];
    let error = Row::all(&catalogue, [tested("s/c", &ids, Verdict::Pass)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "case `s/c` names the requirement `P_B`, which is in no catalogue; correct the case or add it to \
         the operator's catalogue"
    );
}

//! Profiles of a user's own: a pack holds their text, which is known by the name in its documents.

use std::fs;
use std::path::{Path, PathBuf};

use onnx_conformance::documents::evidence::{self, GatherError, Inputs, Redactor};
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::verdict::Verdict;
use tempfile::TempDir;

use super::packs::{files, packed, problems, read, reseal, told, tool, under, write};
use super::synthetic::{case, report};

/// Rules as those of `ieee754`, under a name of their own.
fn rules() -> String {
    let text =
        Profile::embedded("ieee754").unwrap().replace("name = \"ieee754\"", "name = \"Mine\"");
    assert!(Profile::parse("mine.toml", &text).is_ok());
    text
}

/// Where a pack has them.
fn path_in_pack() -> String {
    format!("profiles/mine_{}.toml", Profile::mark(&rules()))
}

/// A report under them.
fn judged_by_them() -> Report {
    let report = report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)]);
    under(&format!("Mine@{}", Profile::mark(&rules())), report)
}

/// What comes of a report and a profile that are given together.
fn gathered(report: &Report, rules: &str) -> Result<TempDir, GatherError> {
    let (folder, report) = write(report);
    let profile: PathBuf = folder.path().join("mine.toml");
    fs::write(&profile, rules).unwrap();
    let inputs = Inputs { reports: vec![report], profiles: vec![profile], ..Inputs::default() };
    let redactor = Redactor::of_this_machine().unwrap();
    let gathered = evidence::gather(&inputs, &redactor)?;
    let out = tempfile::tempdir().unwrap();
    evidence::pack(&gathered, out.path(), &redactor).unwrap();
    Ok(out)
}

fn limitations(dir: &Path) -> String {
    read(dir, "limitations.json").to_string()
}

#[test]
fn the_way_from_a_run_under_a_profile_of_ones_own_to_its_pack() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (mine, out, pack) = (at("mine.toml"), at("run"), at("pack"));
    fs::write(&mine, rules()).unwrap();
    let run =
        ["run", "--suite", "sonnx", "--filter", "sqrt/float16/", "--profile", &mine, "--out", &out];
    assert_eq!(told(&tool(&run)).0, 0);
    let report = format!("{out}/report.json");
    let pack_it = ["evidence", "--report", &report, "--profile", &mine, "--out", &pack];
    let (code, _, complaint) = told(&tool(&pack_it));
    assert_eq!(code, 0, "{complaint}");
    let held = fs::read_to_string(Path::new(&pack).join(path_in_pack())).unwrap();
    assert_eq!(held, rules());
    let (code, verified, _) = told(&tool(&["verify", &pack]));
    assert_eq!(code, 0, "{verified}");
    // Other rules of the same name are of no report.
    fs::write(&mine, rules() + "# changed\n").unwrap();
    let again = ["evidence", "--report", &report, "--profile", &mine, "--out", &at("again")];
    let (code, _, complaint) = told(&tool(&again));
    assert_eq!(code, 2);
    assert!(complaint.contains("no report and no campaign was made under `Mine@"), "{complaint}");
    assert!(!Path::new(&at("again")).exists());
}

#[test]
fn a_pack_says_whether_it_holds_the_rules() {
    let without = packed(&[&judged_by_them()]);
    assert!(!files(without.path()).contains_key(&path_in_pack()));
    assert!(limitations(without.path()).contains("the pack does not hold its rules"));
    assert_eq!(problems(without.path()), [""; 0]);
    let with = gathered(&judged_by_them(), &rules()).unwrap();
    assert!(limitations(with.path()).contains("nobody but its author has reviewed its rules"));
    assert_eq!(problems(with.path()), [""; 0]);
    let page = String::from_utf8(files(with.path())["index.html"].clone()).unwrap();
    assert!(page.contains(&format!("<td><a href=\"{}\">Mine@", path_in_pack())), "{page}");
}

#[test]
fn rules_that_are_exchanged_in_a_pack_are_found_by_the_name_of_the_profile() {
    let pack = gathered(&judged_by_them(), &rules()).unwrap();
    fs::write(pack.path().join(path_in_pack()), rules() + "# changed\n").unwrap();
    reseal(pack.path());
    let found = problems(pack.path());
    assert!(
        found.iter().any(|problem| problem.contains("is not the text of the profile `Mine@")),
        "{found:?}"
    );
    fs::remove_file(pack.path().join(path_in_pack())).unwrap();
    reseal(pack.path());
    assert!(!problems(pack.path()).is_empty(), "the limitations say that it is there");
}

#[test]
fn rules_that_tell_of_the_machine_are_refused() {
    let telling = rules() + "# as in /home/somebody/profiles/mine.toml\n";
    let report = judged_by_them();
    let report = under(&format!("Mine@{}", Profile::mark(&telling)), report);
    let error = gathered(&report, &telling).unwrap_err();
    let is_told = matches!(error, GatherError::Unusable { what: "profile", .. });
    assert!(is_told && error.to_string().contains("it names a path"), "{error}");
}

#[test]
fn a_profile_that_is_laxer_than_a_suites_own_is_a_limitation() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let limitations_under = |profile: &str| {
        let (out, pack) = (at(profile), at(&format!("{profile}-pack")));
        let filter = ["--suite", "sonnx", "--filter", "sqrt/float16/", "--profile", profile];
        assert_eq!(told(&tool(&[&["run", "--out", &out], &filter[..]].concat())).0, 0);
        let pack_it = ["evidence", "--report", &format!("{out}/report.json"), "--out", &pack];
        let (code, text, _) = told(&tool(&pack_it));
        assert!(code == 0 && text.contains(&format!("profile   {profile}\n")), "{text}");
        assert_eq!(problems(Path::new(&pack)), Vec::<String>::new());
        limitations(Path::new(&pack))
    };
    let lax = limitations_under("onnx");
    assert!(
        lax.contains("suite sonnx is judged by `onnx`, which is laxer than its default"),
        "{lax}"
    );
    let not_verified = "Not verified, as judged by `onnx`, which is laxer than the requirement";
    assert!(lax.contains(not_verified) && lax.contains("P_SQRT_FLOAT_ACC_0010"), "{lax}");
    let own = limitations_under("sonnx");
    assert!(!own.contains("laxer"), "{own}");
}

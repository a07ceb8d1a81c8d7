//! What others wrote, as it is printed: nothing of it acts on a terminal or a CI system, whichever way it
//! takes into the tool.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use onnx_conformance::onnx::proto::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};
use prost::Message;
use tempfile::TempDir;

use crate::packed::unpacked;
use crate::support::{float32, model, write_case};

/// What strangers could put into names and messages.
const HOSTILE: [&str; 16] = [
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}]8;;http:evil\u{7}link\u{1b}]8;;\u{7}",
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "\u{1b}]0;title\u{1b}\\",
    "\u{1b}[31mred",
    "over\rwritten",
    "back\u{8}\u{8}space",
    "\u{9b}2J\u{9d}0;title\u{9c}",
    "\u{202e}txt.exe\u{2066}\u{2069}\u{61c}\u{200e}\u{200f}",
    "zero\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}width\u{ad}",
    "\u{2028}::error::line\u{2029}::error::paragraph",
    "tag\u{e0001}\u{e0041}",
    "::error::x",
    "x\n::set-output name=a::b\nThe pack is as it was made.\n",
    "\r::error::x",
    "\n##[error]x ##vso[task.complete result=Succeeded]\n  ::stop-commands::x",
];

/// All of it in one string.
fn all() -> String {
    HOSTILE.concat()
}

/// As a string of JSON or TOML.
fn quoted(text: &str) -> String {
    let escaped = |c: char| match u32::from(c) {
        code @ (0x20..=0x7e) if c != '"' && c != '\\' => char::from_u32(code).unwrap().to_string(),
        code @ 0..=0xffff => format!("\\u{code:04x}"),
        // TOML knows no surrogates, so that the character stands for itself.
        _ => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

fn is_raw(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Panics where something acts. A line of its own that a stranger wrote is one that begins as none of ours.
#[track_caller]
fn assert_clean(text: &str, of: &str) {
    let raw: Vec<_> = text.matches(is_raw).collect();
    assert!(raw.is_empty(), "{of}: {raw:?} in\n{text:?}");
    for line in text.lines() {
        assert!(!line.trim_start().starts_with("::"), "{of}: {line:?}");
        assert!(!line.contains("##[") && !line.contains("##vso["), "{of}: {line:?}");
        assert_ne!(line, "The pack is as it was made.", "{of}");
    }
}

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path().join(file), contents).unwrap();
    }

    fn output(&self, arguments: &[&str], color: bool) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
        command.args(arguments).current_dir(self.path()).env_remove("GITHUB_STEP_SUMMARY");
        if color {
            command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
        } else {
            command.env("NO_COLOR", "1");
        }
        command.output().unwrap()
    }

    /// Runs the tool without colours and with them; gives its exit code and all that it printed without.
    #[track_caller]
    fn clean(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let styles = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
        let [plain, colored] = [false, true].map(|color| {
            let output = self.output(arguments, color);
            let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
            let of = arguments.join(" ");
            for text in &text {
                if color {
                    assert_clean(&styles.replace_all(text, ""), &of);
                } else {
                    assert_clean(text, &of);
                }
            }
            (output.status.code(), text.concat())
        });
        assert_eq!(plain.0, colored.0, "{arguments:?}");
        plain
    }
}

/// An adapter that says what lies in files: its greeting, its refusal behind the id, and standard error.
const ADAPTER: &str = "read -r line\ncat stderr >&2\ncat greeting\n\
    while read -r line; do\n\
      id=${line#*\\\"id\\\":}; id=${id%%[!0-9]*}\n\
      cat stderr >&2\n\
      printf '{\"id\":%s,' \"$id\"; cat refusal\n\
    done\n";

fn adapter(place: &Place, name: &str, refusal: &str) {
    place.write("adapter.sh", ADAPTER);
    place.write("stderr", all());
    let (name, message) = (quoted(name), quoted(&all()));
    let details = format!("{{{message}:{message}}}");
    let greeting = format!(
        "{{\"backend\":{{\"name\":{name},\"version\":{message},\"details\":{details}}}}}\n"
    );
    place.write("greeting", greeting.replace(['\u{e0001}', '\u{e0041}'], ""));
    place.write("refusal", refusal);
    let values = [float32(&[1.0])];
    write_case(&place.path().join("cases/case"), "Identity", &values, &values);
}

const RUN: [&str; 7] = ["run", "--corpus", "cases", "--adapter", "sh adapter.sh", "--out", "out"];

#[test]
fn what_an_adapter_says_is_shown_and_does_nothing() {
    let message = quoted(&all());
    let refusals = [
        format!("\"refused\":{{\"stage\":\"run\",\"kind\":\"invalid\",\"message\":{message}}}}}\n"),
        format!("\"refused\":{{\"stage\":{message},\"kind\":{message},\"message\":1}}}}\n"),
        all() + "\n",
    ];
    // What a name does is the same whatever is refused.
    let names = [HOSTILE[0], HOSTILE[8], HOSTILE[13]];
    for (name, refusal) in names.into_iter().chain(["honest"; 3]).zip(refusals.iter().cycle()) {
        let place = Place::new();
        adapter(&place, name, refusal);
        place.clean(&RUN);
        let explain = ["explain", "cases/case", "--corpus", "cases", "--adapter"];
        let (code, text) = place.clean(&[&explain[..], &["sh adapter.sh"]].concat());
        // Whose greeting is refused is not asked.
        assert!(matches!(code, Some(0 | 5)), "{code:?}");
        assert!(text.contains("2J"), "what was said is shown: {text}");
        place.clean(&["adapter-check", "sh adapter.sh"]);
        place.clean(&["matrix", "--corpus", "cases", "--adapter", "sh adapter.sh"]);
    }
}

/// What a corpus and its cases may be called: names with control characters are refused.
const NAME: &str = "::error::\u{202e}fdp\u{2066}\u{200b}\u{feff}\u{e0041}##[error]";

/// Two cases whose folders, operators and ports have hostile names; one is computed, and differs.
fn hostile_cases(place: &Place, corpus: &str) {
    let values = [float32(&[1.0, 2.0])];
    for (op_type, outputs) in [("Identity", &values), ("Sqrt", &[float32(&[5.0, 5.0])])] {
        let folder = place.path().join(corpus).join(format!("{NAME}{op_type}"));
        write_case(&folder, op_type, &values, outputs);
        let mut own = ModelProto::decode(&*model(op_type, &values, &values)).unwrap();
        let graph: &mut GraphProto = own.graph.as_mut().unwrap();
        let rename = |ports: &mut Vec<ValueInfoProto>| {
            for port in ports {
                port.name = Some(all() + port.name.as_deref().unwrap());
            }
        };
        rename(&mut graph.input);
        rename(&mut graph.output);
        let node: &mut NodeProto = &mut graph.node[0];
        node.input = vec![graph.input[0].name.clone().unwrap()];
        node.output = vec![graph.output[0].name.clone().unwrap()];
        if op_type == "Identity" {
            node.op_type = Some(all());
            node.domain = Some(all());
            own.opset_import.push(OperatorSetIdProto { domain: Some(all()), version: Some(1) });
        }
        fs::write(folder.join("model.onnx"), own.encode_to_vec()).unwrap();
    }
}

#[test]
fn names_of_corpora_cases_operators_and_outputs_are_shown_and_do_nothing() {
    let place = Place::new();
    hostile_cases(&place, NAME);
    let (code, text) = place.clean(&["run", "--corpus", NAME, "--out", "out"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("\\u{202e}fdp") && text.contains("\\u{1b}[2J"), "{text}");
    let (code, ids) = place.clean(&["list", "--corpus", NAME]);
    assert_eq!((code, ids.lines().count()), (Some(0), 2), "{ids}");
    for case in ["Identity", "Sqrt"] {
        let (code, text) =
            place.clean(&["explain", &format!("{NAME}/{NAME}{case}"), "--corpus", NAME]);
        assert_eq!(code, Some(0), "{text}");
    }
    place.clean(&["explain", &format!("{NAME}/{}", all()), "--corpus", NAME]);
    for hostile in HOSTILE {
        let folder = place.path().join("refused").join(hostile.replace('/', "_"));
        fs::create_dir_all(folder).unwrap();
        place.clean(&["list", "--corpus", "refused"]);
        fs::remove_dir_all(place.path().join("refused")).unwrap();
    }

    // The same from the documents.
    let report = "out/report.json";
    place.clean(&["gate", "--baseline", report, "--report", report, "--markdown", "gate.md"]);
    assert_clean(&fs::read_to_string(place.path().join("gate.md")).unwrap(), "gate.md");
    place.clean(&["matrix", "--report", report]);
    place.clean(&["scoreboard", report, report, "--out", "scoreboard"]);
    place.clean(&["evidence", "--report", report, "--out", "pack"]);
    place.clean(&["verify", "pack"]);
    for file in ["out/junit.xml", "out/report.html", "out/matrix.html"] {
        let text = unpacked(&fs::read_to_string(place.path().join(file)).unwrap());
        let raw: Vec<_> = text.matches(is_raw).collect();
        assert!(raw.is_empty(), "{file}: {raw:?}");
    }
}

#[test]
fn a_regression_of_hostile_names_is_told_on_the_page_of_a_job() {
    let place = Place::new();
    hostile_cases(&place, "cases");
    place.clean(&["run", "--corpus", "cases", "--out", "out"]);
    fs::remove_dir_all(place.path().join("cases")).unwrap();
    let values = [float32(&[1.0])];
    write_case(&place.path().join("cases/other"), "Sqrt", &values, &values);
    place.clean(&["run", "--corpus", "cases", "--out", "new"]);
    let gate = ["gate", "--baseline", "out/report.json", "--report", "new/report.json"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.args(gate).current_dir(place.path()).env("GITHUB_STEP_SUMMARY", "summary.md");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = fs::read_to_string(place.path().join("summary.md")).unwrap();
    assert!(page.contains("\\u{202e}fdp"), "{page}");
    assert_clean(&page, "summary.md");
    place.clean(&gate);
}

#[test]
fn what_files_say_is_shown_and_does_nothing() {
    let place = Place::new();
    let values = [float32(&[1.0])];
    write_case(&place.path().join("cases/case"), "Sqrt", &values, &values);
    let text = quoted(&all());
    // Known failures: stale, passing, and unreadable.
    place.write(
        "known.toml",
        format!(
            "[[known]]\ncases = \"cases/case\"\nverdict = \"fail\"\nreason = {text}\nlink = {text}\n\
             [[known]]\ncases = \"cases/none*\"\nverdict = \"fail\"\nreason = {text}\n"
        ),
    );
    place.write(
        "bad.toml",
        format!("[[known]]\ncases = {text}\nverdict = {text}\nreason = {text}\n"),
    );
    let run = ["run", "--corpus", "cases", "--out", "out"];
    for list in ["known.toml", "bad.toml"] {
        place.clean(&[&run[..], &["--strict", "--expectations", list]].concat());
    }
    place.write(
        "profile.toml",
        format!("format_version = 1\nname = {text}\ntitle = {text}\n{text} = 1\n"),
    );
    place.clean(&[&run[..], &["--profile", "profile.toml"]].concat());
    // Documents.
    for kind in ["report", "campaign", "manifest", "baseline"] {
        for text in HOSTILE {
            let text = quoted(text);
            place.write(
                &format!("{kind}.json"),
                format!("{{\"format_version\":1,\"kind\":{text},\"tool\":{text},{text}:{text}}}"),
            );
        }
    }
    place.clean(&["gate", "--baseline", "baseline.json", "--report", "report.json"]);
    place.clean(&["merge", "campaign.json", "campaign.json", "--out", "merged"]);
    place.clean(&["regress", "campaign.json", "--out", "cases"]);
    place.clean(&["scoreboard", "report.json", "report.json", "--out", "scoreboard"]);
    place.clean(&["evidence", "--report", "report.json", "--out", "pack"]);
    place.clean(&["matrix", "--report", "report.json", "--campaign", "campaign.json"]);
    place.clean(&["verify", "."]);
    // A case of our own layout.
    place.write(
        "cases/case/case.json",
        format!("{{\"requirements\":[{text}],\"class\":{text},\"expect\":{text},\"note\":{text}}}"),
    );
    place.clean(&run);
}

#[test]
fn a_pack_cannot_say_that_it_is_as_it_was_made() {
    let place = Place::new();
    place.clean(&["run", "--suite", "sonnx", "--filter", "example_1$", "--out", "out"]);
    let evidence = ["evidence", "--report", "out/report.json", "--out", "pack"];
    let (code, text) = place.clean(&evidence);
    assert_eq!(code, Some(0), "{text}");
    let manifest = place.path().join("pack/manifest.json");
    let whole = fs::read_to_string(&manifest).unwrap();
    assert!(whole.contains("\"kind\""), "{whole}");
    for hostile in HOSTILE {
        let kind = format!("\"kind\":{},\"kind_was\"", quoted(hostile));
        let text = whole.replacen("\"kind\"", &kind, 1);
        fs::write(&manifest, text).unwrap();
        assert_ne!(place.clean(&["verify", "pack"]).0, Some(0));
    }
    fs::write(&manifest, &whole).unwrap();
    // A stranger's file in it.
    let name = all().replace('/', "_").chars().take(60).collect::<String>();
    place.write(&format!("pack/{name}"), "");
    assert_ne!(place.clean(&["verify", "pack"]).0, Some(0));
    place.clean(&evidence);
}

#[test]
fn arguments_are_quoted_and_do_nothing() {
    let place = Place::new();
    // Suites that are searched for names would take most of the time: a corpus of one case does as well.
    let values = [float32(&[1.0])];
    write_case(&place.path().join("cases/case"), "Sqrt", &values, &values);
    for text in [&*all(), HOSTILE[12], HOSTILE[13]] {
        let file = format!("{text}.toml");
        for arguments in [
            &[text][..],
            &["run", "--jobs", text],
            &["run", "--filter", &format!("({text}")],
            &["run", "--corpus", text],
            &["run", "--suite", text],
            &["run", "--backend", text],
            &["run", "--profile", text],
            &["run", "--profile", &file, "--corpus", "cases"],
            &["run", "--expectations", &file, "--corpus", "cases"],
            &["run", "--corpus", "cases", "--filter", text],
            &["run", "--adapter", text],
            &["explain", text, "--corpus", "cases"],
            &["explain", "cases/case", "--corpus", "cases", "--adapter", &format!("{text}'")],
            &["adapter-check", &format!("sh -c 'printf \"{text}\"; exit 1'")],
            &["gate", "--baseline", text, "--report", text],
            &["scoreboard", text, text],
            &["campaign", "--op", text, "--type", "float16"],
            &["campaign", "--op", "Sqrt", "--type", text],
            &["merge", text, text, "--out", "out"],
            &["evidence", "--report", text, "--out", "pack"],
            &["verify", text],
            &["fetch", "--release", text],
            &["c-abi", text],
        ] {
            place.clean(arguments);
        }
    }
    place.clean(&["explain", &all()]);
}

//! What tells of a machine, taken out of text: absolute paths, host and user names.
//!
//! A path keeps its last part, as in `<path>/model.onnx`, unless that is the name of somebody's
//! folder. Addresses such as `https://host/path` stay as they are.

use regex::{Captures, Regex, RegexBuilder};

use super::machine::Machine;
use crate::campaign::Document as Campaign;
use crate::report::document::{
    Backend, Case, Corpus, Expectation, ExpectationsList, Output, Provenance, Report, Requirement,
    Suite, Tool, Worst,
};

/// What stands for the folders of a path.
pub(super) const PATH: &str = "<path>";
/// What stands for the name of the machine.
pub(super) const HOST: &str = "<host>";
/// What stands for the name of its user.
pub(super) const USER: &str = "<user>";

/// Absolute paths, and what looks like them and is none.
const PATHS: &str = r#"(?x)
  # Addresses stay, and so does what was taken out before.
  (?P<keep> \b(?:https?|ftp|ssh|git|wss?)://[^\s"'`<>]* | <path>(?:/[^\s"'`<>]*)? )
  # In quotes a path may hold spaces.
| (?P<open>["'`]) (?P<quoted> (?:file:)? (?: /+[^\s"'`/] | ~[\w.-]*/ | [A-Za-z]:[\\/] | \\\\[^\s\\] ) [^"'`\r\n]* )
| (?P<file> \bfile:/+ (?: [^\s"'`<>/\\]+ [/\\]* )+ )
  # Windows: a drive, or a share; somebody's folder may hold a space.
| (?P<edge>^|[^\w.\-/\\~]) (?P<path>
      (?: [A-Za-z]:[\\/]+ | \\\\+ (?:[?.]\\+)? (?:[A-Za-z]:\\+)? )
      (?: (?i:users|documents\ and\ settings)[\\/]+ [^\s\\/:*?"'`<>|][^\\/:*?"'`<>|\r\n]*? [\\/]+ )?
      (?: [^\s\\/:*?"'`<>|,;()\[\]{}]+ [\\/]* )+
    | ~[\w.-]* (?: /+ [^\s/\\:;,"'`<>|()\[\]{}*?]+ )+ /*
    | (?: /+ [^\s/\\:;,"'`<>|()\[\]{}*?]+ ){2,} /*
  )
| (?P<before> ^ | [\s=:,"'`(>|] | -[A-Z] ) (?P<rooted>
      (?: /+ [^\s/\\:;,"'`<>|()\[\]{}*?]+ )+ /*
  )
"#;

/// Takes out of text what tells of a machine.
#[derive(Debug)]
pub struct Redactor {
    paths: Regex,
    /// Names of this machine, with what stands for each.
    names: Vec<(Regex, &'static str)>,
    /// Folders of this machine, longest first.
    folders: Vec<String>,
}

impl Redactor {
    /// For this machine and its user.
    ///
    /// # Errors
    ///
    /// Never; an expression as such may fail.
    pub fn of_this_machine() -> Result<Self, regex::Error> {
        Self::of(&Machine::this())
    }

    /// For a machine.
    pub(super) fn of(machine: &Machine) -> Result<Self, regex::Error> {
        let word = |name: &String| {
            let pattern = format!(r"\b{}\b", regex::escape(name));
            RegexBuilder::new(&pattern).case_insensitive(true).build()
        };
        let hosts = machine.hosts.iter().map(|name| Ok((word(name)?, HOST)));
        let users = machine.users.iter().map(|name| Ok((word(name)?, USER)));
        let mut folders = machine.folders.clone();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        Ok(Self {
            paths: Regex::new(PATHS)?,
            names: hosts.chain(users).collect::<Result<_, regex::Error>>()?,
            folders,
        })
    }

    /// The text without absolute paths and the names of this machine and its user.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut text = self.paths.replace_all(text, replacement).into_owned();
        // Where a path began in the middle of a word it was not seen.
        for folder in &self.folders {
            if folder.matches(['/', '\\']).count() > 1 && text.contains(folder.as_str()) {
                text = text.replace(folder.as_str(), PATH);
            }
        }
        for (name, stand_in) in &self.names {
            text = self.outside_of_addresses(name, &text, stand_in);
        }
        text
    }

    fn outside_of_addresses(&self, name: &Regex, text: &str, stand_in: &str) -> String {
        if !name.is_match(text) {
            return text.to_owned();
        }
        let mut kept = String::with_capacity(text.len());
        let mut at = 0;
        let addresses = self.paths.captures_iter(text).filter_map(|found| found.name("keep"));
        for address in addresses.filter(|found| found.as_str().contains("://")) {
            kept += &name.replace_all(&text[at..address.start()], stand_in);
            kept += address.as_str();
            at = address.end();
        }
        kept + &name.replace_all(&text[at..], stand_in)
    }

    fn each<'a>(&self, texts: impl IntoIterator<Item = &'a mut String>) {
        for text in texts {
            *text = self.text(text);
        }
    }

    /// The provenance without what tells of the machine; of the host it keeps what the tool itself
    /// writes, and not what others may have added.
    #[must_use]
    pub fn provenance(&self, provenance: &Provenance) -> Provenance {
        const KNOWN: [&str; 6] = ["arch", "cpu features", "cpus", "executable", "os", "target"];
        // Each member is named, so that none that is new is forgotten.
        let Provenance {
            clock,
            host,
            toolchain,
            rounding_mode,
            subnormal_policy,
            seeds,
            durations,
            stderr,
        } = provenance;
        let host = host.iter().filter(|(name, _)| KNOWN.contains(&name.as_str()));
        Provenance {
            clock: self.text(clock),
            host: host.map(|(name, value)| (name.clone(), self.text(value))).collect(),
            toolchain: self.text(toolchain),
            rounding_mode: self.text(rounding_mode),
            subnormal_policy: self.text(subnormal_policy),
            seeds: seeds.iter().map(|(name, seed)| (self.text(name), *seed)).collect(),
            durations: durations.iter().map(|(id, time)| (id.clone(), self.text(time))).collect(),
            stderr: stderr.iter().map(|(id, text)| (id.clone(), self.text(text))).collect(),
        }
    }

    /// Takes it out of a report, but for the ids of cases and the provenance.
    pub(super) fn report(&self, report: &mut Report) {
        let Report {
            format_version: _,
            tool,
            backend,
            profile,
            suites,
            corpora,
            summary: _,
            cases,
            expectations_list,
            expectations,
            requirements,
            provenance: _,
        } = report;
        self.tool(tool);
        self.backend(backend);
        self.each([profile]);
        for Suite { name, profile, default, laxer: _ } in suites {
            self.each([name, profile, default]);
        }
        for Corpus { name: _, digest, cases: _ } in corpora {
            self.each([digest]);
        }
        cases.iter_mut().for_each(|case| self.case(case));
        if let Some(ExpectationsList { name, sha256 }) = expectations_list {
            self.each([name, sha256]);
        }
        for Expectation {
            cases: _,
            verdict: _,
            reason,
            link,
            matched: _,
            failures: _,
            unexpected_passes: _,
            stale: _,
        } in expectations
        {
            self.each([reason].into_iter().chain(link));
        }
        for Requirement { id, status, reason, cases: _ } in requirements {
            self.each([id, status].into_iter().chain(reason));
        }
    }

    fn case(&self, case: &mut Case) {
        let Case {
            id: _,
            suite,
            operator,
            opset: _,
            types,
            profile,
            strictness: _,
            verdict: _,
            aspects: _,
            expected: _,
            requirements,
            message,
            outputs,
            stderr: _,
            duration: _,
        } = case;
        self.each(
            [suite, operator, profile].into_iter().chain(types).chain(requirements).chain(message),
        );
        for output in outputs {
            let Output {
                name,
                type_name,
                shape: _,
                elements: _,
                undecided: _,
                mismatches: _,
                max_ulp: _,
                max_error_ulp,
                expected_max_error_ulp,
                max_abs_error,
                max_rel_error,
                nan_sign_or_payload_differs: _,
                worst,
                returned,
            } = output;
            let errors = [max_error_ulp, expected_max_error_ulp, max_abs_error, max_rel_error];
            let errors = errors.into_iter().flatten();
            self.each([name, type_name].into_iter().chain(errors).chain(returned));
            for Worst { index: _, inputs, expected, actual, ulp: _ } in worst {
                self.each([expected, actual].into_iter().chain(inputs));
            }
        }
    }

    fn tool(&self, Tool { name, version, commit, dirty: _ }: &mut Tool) {
        self.each([name, version, commit]);
    }

    /// Takes it out of what a backend says of itself.
    pub(super) fn backend(&self, Backend { name, version, details }: &mut Backend) {
        self.each([name, version]);
        *details = std::mem::take(details)
            .into_iter()
            .map(|(name, value)| (self.text(&name), self.text(&value)))
            .collect();
    }

    /// Takes it out of a campaign, but for its provenance. What is checked by its digest gets a new
    /// one where anything was taken out.
    pub(super) fn campaign(&self, mut campaign: Campaign) -> Result<Campaign, serde_json::Error> {
        let before = campaign.clone();
        // What is not text of others is checked against the rest of the document as it is read.
        let Campaign {
            format_version: _,
            tool,
            backend,
            profile,
            operator: _,
            type_name: _,
            strategy,
            parameters,
            inputs: _,
            parts,
            range: _,
            shard: _,
            promised: _,
            executed: _,
            ranges: _,
            mismatches: _,
            violations: _,
            confidence: _,
            max_error_ulp: _,
            histogram: _,
            classes: _,
            counterexamples: _,
            heat_map: _,
            requirements,
            failure,
            digest: _,
            provenance: _,
        } = &mut campaign;
        self.tool(tool);
        self.backend(backend);
        self.each([profile, strategy].into_iter().chain(failure).chain(parameters.values_mut()));
        self.each(parts.iter_mut().map(|part| &mut part.name).chain(requirements));
        if campaign == before { Ok(campaign) } else { campaign.sealed() }
    }
}

/// What stands for something that was found.
fn replacement(found: &Captures<'_>) -> String {
    let part = |name| found.name(name).map_or("", |part| part.as_str());
    if found.name("keep").is_some() {
        return part("keep").to_owned();
    }
    let front = [part("open"), part("edge"), part("before")].concat();
    let path = [part("quoted"), part("file"), part("path"), part("rooted")].concat();
    front + &last_part(&path)
}

/// A path with its last part alone, or without any where that is somebody's folder.
fn last_part(path: &str) -> String {
    const FOLDERS_OF_PEOPLE: [&str; 4] = ["home", "users", "documents and settings", "profiles"];
    let is_of_file = path.starts_with("file:");
    let mut parts = path.split(['/', '\\']).filter(|part| !part.is_empty());
    let Some(last) = parts.next_back() else { return path.to_owned() };
    let folder = parts.next_back().unwrap_or_default().to_lowercase();
    let is_nothing_but_scheme = is_of_file && last == "file:";
    if is_nothing_but_scheme
        || FOLDERS_OF_PEOPLE.contains(&folder.as_str())
        || last.starts_with('~')
    {
        PATH.to_owned()
    } else {
        format!("{PATH}/{last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Redactor::of(&Machine {
            hosts: names(&["lab-7.example.org", "lab-7"]),
            users: names(&["mstein"]),
            folders: names(&["/home/mstein", "/data/jobs/x"]),
        })
        .unwrap()
    }

    #[track_caller]
    fn becomes(text: &str, expected: &str) {
        let redactor = redactor();
        let once = redactor.text(text);
        assert_eq!(once, expected);
        assert_eq!(redactor.text(&once), once, "a second time it is the same");
    }

    #[test]
    fn absolute_paths_keep_their_last_part() {
        becomes("/home/alice/models/a.onnx", "<path>/a.onnx");
        becomes("failed to open `/srv/x/y.so`: no", "failed to open `<path>/y.so`: no");
        becomes(
            "a (/srv/x/y), b [/srv/x/z] c=/srv/u/v:/srv/w",
            "a (<path>/y), b [<path>/z] c=<path>/v:<path>/w",
        );
        becomes("-I/usr/include/c++ -L/home/alice/lib/", "-I<path>/c++ -L<path>/lib");
        becomes("/tmp", "<path>/tmp");
        becomes("a: /etc b", "a: <path>/etc b");
        becomes("//server/share/file", "<path>/file");
        becomes("~/x/y and ~alice/z/w", "<path>/y and <path>/w");
        becomes("/a/b /c/d\n/e/f\t/g/h", "<path>/b <path>/d\n<path>/f\t<path>/h");
        becomes("File \"/home/alice/my files/x.py\", line 3", "File \"<path>/x.py\", line 3");
        becomes("'/opt/x y/z'", "'<path>/z'");
        becomes("{\"p\":\"/opt/a/b\"}", "{\"p\":\"<path>/b\"}");
        becomes("/usr/lib/libc.so(abort+0x1)", "<path>/libc.so(abort+0x1)");
    }

    #[test]
    fn windows_paths_too() {
        becomes(r"C:\Users\Alice Smith\x\y.dll", "<path>/y.dll");
        becomes(r"in D:\work\z.onnx: no", "in <path>/z.onnx: no");
        becomes("at c:/temp/a/b.pb, c:/t", "at <path>/b.pb, <path>/t");
        becomes(r"C:\\Users\\alice\\x.dll", "<path>/x.dll");
        becomes(r"\\server\share\dir\f.txt", "<path>/f.txt");
        becomes(r"\\?\C:\a\b.c", "<path>/b.c");
        becomes(r#""C:\Program Files\x y\z.exe" -v"#, r#""<path>/z.exe" -v"#);
    }

    #[test]
    fn addresses_of_files_too() {
        becomes("file:///home/alice/x.onnx", "<path>/x.onnx");
        becomes("see file://lab/share/x.onnx.", "see <path>/x.onnx.");
        becomes("file:///C:/Users/alice/x", "<path>/x");
        becomes("'file:///home/alice/a b/c'", "'<path>/c'");
    }

    #[test]
    fn the_folder_of_somebody_keeps_nothing() {
        becomes("/home/alice", "<path>");
        becomes("/Users/alice/ and C:\\Users\\alice", "<path> and <path>");
        becomes("/export/home/alice", "<path>");
        becomes("~alice/", "~alice/");
    }

    #[test]
    fn what_is_no_path_stays() {
        for text in [
            "onnx-1.22.0/node/test_div",
            "https://example.org/home/alice/x?a=/b/c",
            "see http://localhost:8080/a/b, and more",
            "and/or 1/2 (1/8, 1/4] a / b // c",
            "rtol=1e-3 text/html ./a/b ../c/d",
            "x[0]/y f(a)/g(b)",
            "sonnx/div/float32/example_1 is 0.1 (0x3dcccccd)",
        ] {
            becomes(text, text);
        }
    }

    #[test]
    fn names_of_the_machine_and_its_user_are_taken_out_as_words() {
        becomes("on lab-7.example.org as mstein: LAB-7", "on <host> as <user>: <host>");
        becomes("mstein's armstein /var/mail/mstein", "<user>'s armstein <path>/<user>");
        becomes("https://lab-7/x", "https://lab-7/x");
        becomes("prefix/home/mstein/x", "prefix<path>/x");
        becomes("x/data/jobs/x/y", "x<path>/y");
    }
}

//! What tells of a machine, taken out of text: absolute paths, host and user names.
//!
//! A path keeps its last part, as in `<path>/model.onnx`, unless that is the name of somebody's
//! folder. Addresses such as `https://host/path` stay as they are.

use regex::{Captures, Regex};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::document::Sealed;
use crate::documents::report::document::{Provenance, Report};
use crate::measure::campaign::Campaign;

/// What stands for the folders of a path.
pub(super) const PATH: &str = "<path>";
/// What stands for the name of the machine.
pub(super) const HOST: &str = "<host>";
/// What stands for the name of its user.
pub(super) const USER: &str = "<user>";

/// What stays as it is of a report but for its cases: the ids of cases, and what no stranger wrote.
/// The text of any other member is searched, so that none that is new is forgotten.
const KEPT_OF_REPORT: &str = "/challenge /corpora/name /expectations/cases /expectations/verdict \
    /expectations/failures /expectations/unexpected_passes /requirements/cases /provenance";

const KEPT_OF_CASE: &str = "/id /strictness /verdict /aspects /expected";

/// What stays of a campaign: what is checked against the rest of the document as it is read.
const KEPT_OF_CAMPAIGN: &str = "/operator /type /strategy /parameters /parts /requirements /confidence /max_error_ulp /histogram /counterexamples \
    /heat_map /digest /provenance";

/// Members whose own members have names that others gave.
const NAMES_OF_OTHERS: [&str; 2] = ["/details", "/seeds"];

/// Names that tell of nobody.
const ANYBODY: &str = "admin build builder ci container debian docker fedora guest jenkins linux localhost \
    macos nobody onnx root runner sandbox system test ubuntu user vagrant windows";

/// Absolute paths, and what looks like them and is none.
const PATHS: &str = include_str!("paths.regex");

/// Addresses, which stay as they are.
const ADDRESS: &str = r#"\b(?:https?|ftp|ssh|git|wss?)://[^\s"'`<>]*"#;

/// Takes out of text what tells of a machine.
#[derive(Debug)]
pub struct Redactor {
    paths: Regex,
    /// Addresses, and the names of this machine and its user.
    names: Regex,
    /// Folders of this machine, longest first.
    folders: Vec<String>,
}

impl Redactor {
    /// For this machine and its user, as far as it tells of them.
    pub fn of_this_machine() -> Result<Self, regex::Error> {
        let host = whoami::hostname().ok();
        let short = host.as_deref().and_then(|host| host.split_once('.'));
        let short = short.map(|(short, _)| short.to_owned());
        let variables = ["USER", "LOGNAME", "USERNAME"];
        let users = variables.into_iter().filter_map(|name| std::env::var(name).ok());
        let homes = ["HOME", "USERPROFILE"].into_iter().filter_map(std::env::var_os);
        let folders = homes
            .map(Into::into)
            .chain(std::env::current_dir())
            .chain([std::env::temp_dir()])
            .filter_map(|folder| folder.into_os_string().into_string().ok());
        let is_telling = |name: &String| {
            let name = name.to_lowercase();
            name.chars().count() > 2 && !ANYBODY.split(' ').any(|anybody| anybody == name)
        };
        Self::of(
            host.into_iter().chain(short).filter(is_telling),
            whoami::username().into_iter().chain(users).filter(is_telling),
            folders.filter(|folder| folder.len() > 1),
        )
    }

    /// For a machine of these names, whole and without their domain, users, and folders: the home, the
    /// current one, the one for temporary files.
    fn of(
        hosts: impl Iterator<Item = String>,
        users: impl Iterator<Item = String>,
        folders: impl Iterator<Item = String>,
    ) -> Result<Self, regex::Error> {
        let [hosts, users] = [alternatives(hosts), alternatives(users)];
        let names = format!(r"{ADDRESS}|\b(?i:(?P<host>{hosts})|(?P<user>{users}))\b");
        let mut folders: Vec<_> = folders.collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        let paths = PATHS.replace("ADDRESS", ADDRESS);
        Ok(Self { paths: Regex::new(&paths)?, names: Regex::new(&names)?, folders })
    }

    /// The text without absolute paths and the names of this machine and its user.
    pub(super) fn text(&self, text: &str) -> String {
        let mut text = self.paths.replace_all(text, replacement).into_owned();
        // Where a path began in the middle of a word it was not seen.
        for folder in &self.folders {
            if folder.matches(['/', '\\']).count() > 1 && text.contains(folder) {
                text = text.replace(folder.as_str(), PATH);
            }
        }
        let stand_in = |found: &Captures<'_>| match (found.name("host"), found.name("user")) {
            (Some(_), _) => HOST.to_owned(),
            (None, Some(_)) => USER.to_owned(),
            (None, None) => found[0].to_owned(),
        };
        self.names.replace_all(&text, stand_in).into_owned()
    }

    /// The provenance without what tells of the machine; of the host it keeps what the tool itself
    /// writes, and not what others may have added.
    pub(super) fn provenance(&self, mut provenance: Provenance) -> serde_json::Result<Provenance> {
        const KNOWN: [&str; 6] = ["arch", "cpu features", "cpus", "executable", "os", "target"];
        provenance.host.retain(|name, _| KNOWN.contains(&name.as_str()));
        Ok(self.without(&provenance, "")?.unwrap_or(provenance))
    }

    /// Takes it out of a report, but for the ids of cases and the provenance.
    pub(super) fn report(&self, report: Report) -> serde_json::Result<Report> {
        // One by one, as a tree of all their members would take up to fifty times their size.
        let mut cases = Vec::with_capacity(report.cases.len());
        for case in report.cases {
            cases.push(self.without(&case, KEPT_OF_CASE)?.unwrap_or(case));
        }
        let rest = Report { cases: Vec::new(), ..report };
        let rest = self.without(&rest, KEPT_OF_REPORT)?.unwrap_or(rest);
        Ok(Report { cases, ..rest })
    }

    /// Takes it out of a campaign, but for its provenance. What is checked by its digest gets a new
    /// one where anything was taken out.
    pub(super) fn campaign(&self, campaign: Campaign) -> serde_json::Result<Campaign> {
        match self.without(&campaign, KEPT_OF_CAMPAIGN)? {
            Some(changed) => changed.sealed(),
            None => Ok(campaign),
        }
    }

    /// The document with it taken out of all texts but those of the members to keep; none where nothing
    /// had to be.
    fn without<T: Serialize + DeserializeOwned>(
        &self,
        document: &T,
        kept: &str,
    ) -> serde_json::Result<Option<T>> {
        let given = serde_json::to_value(document)?;
        let mut value = given.clone();
        self.walk(&mut value, "", kept);
        if value == given { Ok(None) } else { serde_json::from_value(value).map(Some) }
    }

    fn walk(&self, value: &mut Value, path: &str, kept: &str) {
        match value {
            _ if kept.split_whitespace().any(|kept| kept == path) => {}
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.walk(item, path, kept)),
            Value::Object(members) => {
                let has_names_of_others = NAMES_OF_OTHERS.iter().any(|end| path.ends_with(end));
                let each = |(name, mut value): (String, Value)| {
                    self.walk(&mut value, &format!("{path}/{name}"), kept);
                    (if has_names_of_others { self.text(&name) } else { name }, value)
                };
                *members = std::mem::take(members).into_iter().map(each).collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// A pattern that any of the names matches.
fn alternatives(names: impl Iterator<Item = String>) -> String {
    let names: Vec<_> = names.map(|name| regex::escape(&name)).collect();
    // An empty pattern would match everywhere; the empty class has no cases to fold.
    if names.is_empty() { "(?-i:[^\\s\\S])".to_owned() } else { names.join("|") }
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
    let mut parts = path.split(['/', '\\']).filter(|part| !part.is_empty());
    let Some(last) = parts.next_back() else { return path.to_owned() };
    let folder = parts.next_back().unwrap_or_default().to_lowercase();
    let is_scheme = path.starts_with("file:") && last == "file:";
    if is_scheme || FOLDERS_OF_PEOPLE.contains(&folder.as_str()) || last.starts_with('~') {
        PATH.to_owned()
    } else {
        format!("{PATH}/{last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        let [hosts, users, folders]: [&[&str]; 3] =
            [&["lab-7.example.org", "lab-7"], &["mstein"], &["/home/mstein", "/data/jobs/x"]];
        let [hosts, users, folders] =
            [hosts, users, folders].map(|names| names.iter().map(|&name| name.to_owned()));
        Redactor::of(hosts, users, folders).unwrap()
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

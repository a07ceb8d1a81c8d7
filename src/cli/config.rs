//! `conformance.toml`: the options of `run` that the command line leaves open.
//!
//! Each key is an option's long name. What the file says becomes words of the command line, so that the parser of
//! options judges it, and an option that is given in words leaves out what the file says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command, CommandFactory, Parser};
use onnx_conformance::corpus::selection::nearest;
use onnx_conformance::foundation::trust::{self, Untrusted};
use onnx_conformance::limits::{self, TOML_LIMIT};
use toml::{Spanned, Value};

use super::Cli;

/// The name of the file.
pub(crate) const FILE: &str = "conformance.toml";

/// The option that leaves it out.
const NO_CONFIG: &str = "no-config";

/// The options that a file gives a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The file's path.
    pub(crate) path: PathBuf,
    /// Their names, without those that the command line gives itself.
    pub(crate) options: Vec<String>,
}

/// The path as it is shown.
impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, options) = (self.path.display(), self.options.join(", "));
        write!(f, "from {path}: {}", if options.is_empty() { "nothing" } else { &options })
    }
}

/// A file of options cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("failed to read `{}`: {source}; use --no-config to ignore it", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{0}; use --no-config to ignore it")]
    Untrusted(#[from] Untrusted),
    #[error("{}:{line}: {problem}", path.display())]
    Content { path: PathBuf, line: usize, problem: String },
}

/// The words of a command line with those of the file that holds for it, and what was taken of the file; the words
/// alone where they are of no run, leave the file out, or there is none.
pub(crate) fn completed(
    words: Vec<OsString>,
) -> Result<(Vec<OsString>, Option<Taken>), ConfigError> {
    let Some((at, given)) = run_in(&words) else { return Ok((words, None)) };
    let folder = std::env::current_dir().unwrap_or_default();
    let Some(above) = found_above(&folder) else { return Ok((words, None)) };
    let file = File::read(&above)?;
    let options = file.options(&given)?;
    let mut completed = words;
    let more = options.iter().flat_map(|(_, words)| words.iter().map(OsString::from));
    completed.splice(at..at, more.collect::<Vec<_>>());
    let options = options.into_iter().map(|(name, _)| name).collect();
    Ok((completed, Some(Taken { path: file.path, options })))
}

/// Where the options of `run` begin, and the long names of those that are there; none where the words are of another
/// command, ask for help, or leave the file out.
fn run_in(words: &[OsString]) -> Option<(usize, BTreeSet<String>)> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let words: Vec<String> = words.iter().map(text).collect();
    let mut at = 1;
    while words.get(at)?.starts_with('-') {
        at += if words.get(at)? == "--color" { 2 } else { 1 };
    }
    if words.get(at)? != "run" {
        return None;
    }
    let options = words.iter().skip(1).take_while(|word| *word != "--");
    let mut given = BTreeSet::new();
    for word in options {
        match word.strip_prefix("--") {
            Some(option) => {
                let name = option.split_once('=').map_or(option, |(name, _)| name);
                given.insert(name.to_owned());
            }
            None if word == "-x" => drop(given.insert("maxfail".to_owned())),
            None if word == "-h" => return None,
            None => {}
        }
    }
    let is_run = !given.contains("help") && !given.contains(NO_CONFIG);
    is_run.then_some((at + 1, given))
}

/// The folder with a file, as seen from this one: itself, or one above it up to the root of the repository that it is
/// in; outside a repository only itself.
fn found_above(folder: &Path) -> Option<PathBuf> {
    let depth = folder.ancestors().position(|above| above.join(".git").exists()).unwrap_or(0);
    let mut within = folder.ancestors().take(depth + 1).enumerate();
    let (levels, _) = within.find(|(_, above)| above.join(FILE).is_file())?;
    Some(std::iter::repeat_n("..", levels).collect())
}

/// A file, read.
struct File {
    path: PathBuf,
    /// The folder that it lies in, as seen from the current one.
    folder: PathBuf,
    text: String,
}

/// A key with what it is set to.
type Entry<'a> = (&'a Spanned<String>, &'a Spanned<Value>);

impl File {
    fn read(folder: &Path) -> Result<Self, ConfigError> {
        let path = folder.join(FILE);
        trust::check(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }, &[FILE])?;
        match limits::read_text(&path, TOML_LIMIT) {
            Ok(text) => Ok(Self { path, folder: folder.to_owned(), text }),
            Err(source) => Err(ConfigError::Read { path, source }),
        }
    }

    /// What is wrong at an offset in the text.
    fn error(&self, at: usize, problem: impl Into<String>) -> ConfigError {
        let before = self.text.bytes().take(at);
        let line = 1 + before.filter(|&byte| byte == b'\n').count();
        ConfigError::Content { path: self.path.clone(), line, problem: problem.into() }
    }

    /// The options that it gives beside these, each with its words.
    fn options(&self, given: &BTreeSet<String>) -> Result<Vec<(String, Vec<String>)>, ConfigError> {
        let entries: BTreeMap<Spanned<String>, Spanned<Value>> = limits::from_toml(&self.text)
            .map_err(|error| {
                let at = error.span().map_or(0, |span| span.start);
                self.error(at, error.message().replace('\n', " "))
            })?;
        let mut root = Cli::command();
        root.build();
        let Some(run) = root.find_subcommand("run") else { return Ok(Vec::new()) };
        let mut options = Vec::new();
        for entry in &entries {
            let (key, _) = entry;
            let argument = self.argument(run, key)?;
            let words = self.words(argument, entry)?;
            let name = key.get_ref();
            if !given.contains(name) && !is_left_out(run, argument, given) {
                options.push((name.clone(), words));
            }
        }
        // Drops the Python of a module that is not used.
        let is_asked = given.contains("onnx-backend")
            || options.iter().any(|(name, _)| name == "onnx-backend");
        options.retain(|(name, _)| name != "python" || is_asked);
        Ok(options)
    }

    /// The option of this name.
    fn argument<'a>(
        &self,
        run: &'a Command,
        key: &Spanned<String>,
    ) -> Result<&'a Arg, ConfigError> {
        const OTHERS: [&str; 3] = ["help", "color", NO_CONFIG];
        let known = || {
            let named = run.get_arguments().filter_map(|one| Some((one.get_long()?, one)));
            named.filter(|(name, _)| !OTHERS.contains(name))
        };
        let found = known().find(|(name, _)| name == key.get_ref());
        found.map(|(_, argument)| argument).ok_or_else(|| {
            let key_name = key.get_ref();
            let mut names: Vec<_> = known().map(|(name, _)| name).collect();
            names.sort_unstable();
            let help = nearest(key_name, names.iter().copied()).map_or_else(
                || format!("the keys are the options of `run`: {}", names.join(", ")),
                |name| format!("did you mean `{name}`?"),
            );
            self.error(key.span().start, format!("unknown key `{key_name}`; {help}"))
        })
    }

    /// What an entry is in words, which are tried by themselves.
    fn words(&self, argument: &Arg, (key, value): Entry<'_>) -> Result<Vec<String>, ConfigError> {
        let name = key.get_ref();
        let wrong = |problem: String| self.error(value.span().start, problem);
        let all = match (value.get_ref(), argument.get_action()) {
            (Value::Boolean(is_set), ArgAction::SetTrue) => {
                return Ok(if *is_set { vec![format!("--{name}")] } else { Vec::new() });
            }
            (_, ArgAction::SetTrue) => {
                return Err(wrong(format!("`{name}` is true or false")));
            }
            (Value::Array(all), ArgAction::Append) => all.as_slice(),
            (one, _) => std::slice::from_ref(one),
        };
        let text = |value: &Value| match value {
            Value::String(text) => Ok(self.seen_from_here(argument, text)),
            Value::Integer(number) => Ok(number.to_string()),
            Value::Float(number) => Ok(number.to_string()),
            _ => Err(wrong(format!("`{name}` takes a text or a number{}", several(argument)))),
        };
        let words = all.iter().map(|value| Ok(format!("--{name}={}", text(value)?)));
        let words: Vec<String> = words.collect::<Result<_, ConfigError>>()?;
        let line = [env!("CARGO_PKG_NAME"), "run"].into_iter().map(str::to_owned);
        match Cli::try_parse_from(line.chain(words.iter().cloned())) {
            // Whether options go together is told of all.
            Err(told) if told.kind() != ErrorKind::MissingRequiredArgument => {
                let told = told.render().to_string();
                let problem = told.split("\n\n").next().unwrap_or_default();
                let problem = problem.trim_start_matches("error: ").trim_end().replace('\n', " ");
                Err(wrong(problem))
            }
            _ => Ok(words),
        }
    }

    /// A text of the file, where it names files as seen from the file's folder: as seen from the current one.
    fn seen_from_here(&self, argument: &Arg, text: &str) -> String {
        let seen_from_here = |path: &str| self.folder.join(path).to_string_lossy().into_owned();
        let is_path = argument.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
        match argument.get_long() {
            _ if self.folder.as_os_str().is_empty() => text.to_owned(),
            // A program without a folder is looked for where programs are.
            Some("python") if !text.contains('/') => text.to_owned(),
            Some("profile") if !text.ends_with(".toml") => text.to_owned(),
            Some("corpus") if !self.folder.join(text).is_dir() => text.to_owned(),
            Some("profile" | "corpus") => seen_from_here(text),
            Some("adapter") => {
                let Some(words) = shlex::split(text) else { return text.to_owned() };
                let words = words.iter().map(|word| match self.folder.join(word).is_file() {
                    true => seen_from_here(word),
                    false => word.clone(),
                });
                let words: Vec<_> = words.collect();
                let joined = shlex::try_join(words.iter().map(String::as_str));
                joined.unwrap_or_else(|_| text.to_owned())
            }
            _ if is_path => seen_from_here(text),
            _ => text.to_owned(),
        }
    }
}

/// Whether the options that are given leave no room for one of the file: they exclude it, or it speaks of the backend
/// that they replace.
fn is_left_out(run: &Command, argument: &Arg, given: &BTreeSet<String>) -> bool {
    let excludes = |one: &Arg, other: &Arg| {
        run.get_arg_conflicts_with(one).iter().any(|found| found.get_id() == other.get_id())
    };
    let is_given = |other: &&Arg| other.get_long().is_some_and(|name| given.contains(name));
    let mut others = run.get_arguments().filter(is_given);
    const BACKENDS: [&str; 4] = ["backend", "adapter", "c-abi", "onnx-backend"];
    let is_of_other = argument.get_long() == Some("expectations")
        && BACKENDS.iter().any(|one| given.contains(*one));
    is_of_other || others.any(|other| excludes(argument, other) || excludes(other, argument))
}

/// That a list is as good, where it is.
fn several(argument: &Arg) -> &'static str {
    match argument.get_action() {
        ArgAction::Append => ", or a list of them",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Command {
        let mut root = Cli::command();
        root.build();
        root.find_subcommand("run").unwrap().clone()
    }

    #[test]
    fn every_option_of_a_run_is_a_key_but_the_one_that_leaves_the_file_out() {
        let file = File { path: FILE.into(), folder: PathBuf::new(), text: String::new() };
        let (run, key) = (run(), |name: &str| Spanned::new(0..1, name.to_owned()));
        let names: Vec<_> = run.get_arguments().filter_map(Arg::get_long).collect();
        for name in ["adapter", "suite", "corpus", "profile", "expectations", "jobs", "timeout"] {
            assert!(names.contains(&name), "{name}");
        }
        for name in names {
            let is_key = file.argument(&run, &key(name)).is_ok();
            assert_eq!(is_key, !["help", "color", "no-config"].contains(&name), "{name}");
        }
    }

    #[test]
    fn what_names_files_from_a_folder_above_names_them_seen_from_here() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["adapter.py", "my profile.toml"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("cases")).unwrap();
        let above = folder.path().to_owned();
        let file = File { path: above.join(FILE), folder: above.clone(), text: String::new() };
        let run = run();
        let seen_from_here = |name: &str, text: &str| {
            let argument = run.get_arguments().find(|one| one.get_long() == Some(name)).unwrap();
            file.seen_from_here(argument, text)
        };
        let at = |path: &str| above.join(path).to_str().unwrap().to_owned();
        assert_eq!(seen_from_here("out", "reports/mine"), at("reports/mine"));
        assert_eq!(seen_from_here("corpus", "cases"), at("cases"));
        assert_eq!(seen_from_here("corpus", "onnx-1.22.0"), "onnx-1.22.0");
        assert_eq!(seen_from_here("profile", "mine.toml"), at("mine.toml"));
        assert_eq!(seen_from_here("profile", "ieee754"), "ieee754");
        assert_eq!(seen_from_here("python", "python3"), "python3");
        assert_eq!(seen_from_here("python", ".venv/bin/python"), at(".venv/bin/python"));
        let adapter = seen_from_here("adapter", "python3 adapter.py --quiet other.py");
        assert_eq!(adapter, format!("python3 {} --quiet other.py", at("adapter.py")));
        let quoted = seen_from_here("adapter", "sh 'my profile.toml' 'a b'");
        assert_eq!(shlex::split(&quoted).unwrap(), ["sh", &at("my profile.toml"), "a b"]);
    }

    #[test]
    fn words_of_other_commands_or_that_leave_it_out_are_no_run_with_options() {
        let of = |line: &str| run_in(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let names = |line: &str| of(line).map(|(_, given)| given.into_iter().collect::<Vec<_>>());
        assert_eq!(names("tool run"), Some(vec![]));
        assert_eq!(of("tool --color always run --out x").unwrap().0, 4);
        assert_eq!(of("tool --color=never run").unwrap().0, 3);
        let given = ["color", "maxfail", "out"].map(str::to_owned);
        assert_eq!(names("tool run -x --out=y --color never"), Some(given.to_vec()));
        for line in ["tool", "tool list", "tool matrix --op run", "tool run --help", "tool run -h"]
        {
            assert_eq!(of(line), None, "{line}");
        }
        assert_eq!(of("tool run --no-config"), None);
    }
}

//! What this machine and its user are called, and where they live: what must not leave it.

/// Names that tell of nobody.
const ANYBODY: [&str; 24] = [
    "admin",
    "build",
    "builder",
    "ci",
    "container",
    "debian",
    "docker",
    "fedora",
    "guest",
    "jenkins",
    "linux",
    "localhost",
    "macos",
    "nobody",
    "onnx",
    "root",
    "runner",
    "sandbox",
    "system",
    "test",
    "ubuntu",
    "user",
    "vagrant",
    "windows",
];

/// Names and folders of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Machine {
    /// Host name, as a whole and without its domain.
    pub(super) hosts: Vec<String>,
    /// Name of the user.
    pub(super) users: Vec<String>,
    /// Folders: home, the current one, the one for temporary files.
    pub(super) folders: Vec<String>,
}

impl Machine {
    /// This machine, as far as it tells.
    pub(super) fn this() -> Self {
        let host = whoami::hostname().ok();
        let short = host.as_deref().and_then(|host| host.split_once('.')).map(|(short, _)| short);
        let hosts = host.iter().map(String::as_str).chain(short).filter(|name| is_telling(name));
        let variables = ["USER", "LOGNAME", "USERNAME"];
        let users = variables.into_iter().filter_map(|name| std::env::var(name).ok());
        let users = whoami::username().into_iter().chain(users).filter(|name| is_telling(name));
        let homes = ["HOME", "USERPROFILE"].into_iter().filter_map(std::env::var_os);
        let folders = homes
            .map(Into::into)
            .chain(std::env::current_dir())
            .chain([std::env::temp_dir()])
            .filter_map(|folder| folder.into_os_string().into_string().ok());
        Self {
            hosts: hosts.map(str::to_owned).collect(),
            users: users.collect(),
            folders: folders.filter(|folder| folder.len() > 1).collect(),
        }
    }
}

/// Whether a name tells of somebody: words that may stand in any text do not.
fn is_telling(name: &str) -> bool {
    name.chars().count() > 2 && !ANYBODY.contains(&name.to_lowercase().as_str())
}

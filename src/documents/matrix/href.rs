//! From a page to a file beside it.

use std::path::{Component, Path, PathBuf};

use crate::foundation::text::percent_encoded;

/// The relative address of a file as a page in a folder links to it: percent-encoded, with slashes.
/// None where the two have nothing but the root of the file system in common, as then the address
/// would tell where on this machine they lie; where a path is no Unicode; or where the working folder
/// is not known.
pub fn href(folder: &Path, file: &Path) -> Option<String> {
    let (folder, file) = (plain(folder)?, plain(file)?);
    let (folder, file): (Vec<_>, Vec<_>) = (names(&folder), names(&file));
    let common = folder.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let roots = file.iter().take_while(|part| !matches!(part, Component::Normal(_))).count();
    if common <= roots {
        return None;
    }
    let up = folder.iter().skip(common).map(|_| Some("..".to_owned()));
    // A colon would make a scheme of a name.
    let down = file.iter().skip(common).map(|part| part.as_os_str().to_str().map(percent_encoded));
    let all: Option<Vec<String>> = up.chain(down).collect();
    Some(all?.join("/"))
}

fn names(path: &Path) -> Vec<Component<'_>> {
    path.components().collect()
}

/// The absolute path without `.` and `..`, as a browser sees it.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    Some(plain)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_relative_encoded_and_tells_nothing_of_the_machine() {
        for (folder, file, address) in [
            ("/a/out", "/a/out/report.html", Some("report.html")),
            ("/a/out/", "/a/./runs/x/report.html", Some("../runs/x/report.html")),
            ("/a/b/../out", "/a/out/report.html", Some("report.html")),
            ("/a/out", "/a/out/sub/../r 1/é:#?.html", Some("r%201/%C3%A9%3A%23%3F.html")),
            ("/a/out", "/b/report.html", None),
            ("/out", "/home/someone/report.html", None),
            ("out", "in/report.html", Some("../in/report.html")),
        ] {
            let found = href(Path::new(folder), Path::new(file));
            assert_eq!(found.as_deref(), address, "{folder} {file}");
        }
    }
}

//! Packs the suites into what the program carries, and computes their digests.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};

#[path = "src/canonical.rs"]
#[expect(unreachable_pub, dead_code, reason = "it is the library's, too, which also writes")]
mod canonical;

/// Where the suites are: in a package; in a checkout; and there where links are not made.
const PLACES: [&str; 2] = ["suites", "../../testdata/suites"];

/// The archives of the suites by their paths without the ending, such as `onnx/abs`.
type Archives = BTreeMap<String, Vec<u8>>;

/// The files of a group by their paths in it, in byte order, by the path of the group, such as `onnx/abs_13`.
type Groups<'a> = BTreeMap<String, Vec<canonical::Content<'a>>>;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let place = PLACES.iter().find(|place| root.join(place).is_dir()).ok_or(PLACES[1])?;
    // Where a link leads, so that what lies there is watched.
    let suites = root.join(place).canonicalize()?;
    for path in [Path::new("build.rs"), Path::new("src/canonical.rs"), &suites] {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let archives = read(&suites)?;
    let groups = groups(&archives)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut packed = fs::File::create(out.join("suites.deflate"))?;
    let (mut table, mut digests) = (String::from("[\n"), BTreeMap::new());
    for (group, members) in &groups {
        let [mut index, mut content] =
            [(); 2].map(|()| DeflateEncoder::new(Vec::new(), compression()));
        for (path, bytes) in members {
            writeln!(index, "{} {path}", bytes.len())?;
            content.write_all(bytes)?;
        }
        let [index, content] = [index.finish()?, content.finish()?];
        writeln!(table, "    ({group:?}, {}, {}),", index.len(), content.len())?;
        packed.write_all(&[index, content].concat())?;
        add_digests(group, members, &mut digests)?;
    }
    table.push_str("]\n");
    fs::write(out.join("groups.rs"), table)?;
    Ok(fs::write(out.join("digests.rs"), table_of(digests)?)?)
}

/// What the archives hold, by the folders in them.
fn groups(archives: &Archives) -> Result<Groups<'_>, Box<dyn Error>> {
    let mut groups = Groups::new();
    for (path, archive) in archives {
        let members = canonical::members(archive, u64::MAX).ok_or_else(|| {
            format!("{}/{path}.zip is not as `cargo xtask generate` writes it: run it", PLACES[1])
        })?;
        let (suite, _) = path.split_once('/').ok_or("an archive is of no suite")?;
        for (path, content) in members {
            let (version, file) = path.split_once('/').ok_or("a file lies beside the folders")?;
            groups.entry(format!("{suite}/{version}")).or_default().push((file, content));
        }
    }
    Ok(groups)
}

/// The archives of the suites.
fn read(suites: &Path) -> Result<Archives, Box<dyn Error>> {
    let mut archives = Archives::new();
    for suite in fs::read_dir(suites)? {
        let suite = suite?.path();
        for archive in fs::read_dir(&suite)? {
            let path = archive?.path();
            let name =
                |path: &Path| path.file_stem().and_then(|name| name.to_str()).map(str::to_owned);
            let is_archive = path.extension().is_some_and(|ending| ending == "zip");
            let [suite, operator] =
                [name(&suite), name(&path).filter(|_| is_archive)].map(|name| {
                    name.ok_or_else(|| {
                        format!("{} is no archive of a suite: remove it", path.display())
                    })
                });
            archives.insert(format!("{}/{}", suite?, operator?), fs::read(&path)?);
        }
    }
    Ok(archives)
}

/// For each suite and case the lines of its files' digests.
type Digests = BTreeMap<String, BTreeMap<String, Vec<String>>>;

fn add_digests(
    group: &str,
    members: &[canonical::Content<'_>],
    digests: &mut Digests,
) -> Result<(), Box<dyn Error>> {
    let (suite, version) = group.split_once('/').ok_or("a group is of no suite")?;
    let cases = digests.entry(suite.to_owned()).or_default();
    for (path, content) in members {
        // The folder of a case holds its data sets and files besides.
        let end = path.find("/test_data_set_").or_else(|| path.rfind('/'));
        let (case, file) = path.split_at(end.ok_or("a file lies beside the cases")?);
        let line = format!("{}  {}\n", hex(content), file.trim_start_matches('/'));
        cases.entry(format!("{version}/{case}")).or_default().push(line);
    }
    Ok(())
}

/// The digests of the suites by name, as `corpus::Digest` of the harness has them: over the digests of the cases, each
/// over those of its files.
fn table_of(digests: Digests) -> Result<String, std::fmt::Error> {
    // Paths came in byte order, and so do the lines.
    let over = |lines: Vec<String>| hex(lines.concat().as_bytes());
    let mut table = String::from("[\n");
    for (suite, cases) in digests {
        let line = |(case, files)| format!("{}  {case}\n", over(files));
        writeln!(table, "    ({suite:?}, {:?}),", over(cases.into_iter().map(line).collect()))?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// The SHA-256 of some bytes, as text.
fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is released is small; what is tested is built soon.
fn compression() -> Compression {
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        Compression::best()
    } else {
        Compression::fast()
    }
}

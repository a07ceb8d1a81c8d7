//! The documents lead where they say: links, anchors, the book's table of contents, and the pages that
//! the sources name.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;
use walkdir::WalkDir;

/// Folders without documents of this project, wherever they are: what is built, fetched or generated.
const SKIPPED: [&str; 4] = [".git", "target", "node_modules", "corpora"];

/// What a document links to and can be linked to by.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
    code: Vec<String>,
}

impl Page {
    fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.add_anchor(&heading.take().unwrap()),
                Event::Text(text) | Event::Code(text) if heading.is_some() => {
                    heading.as_mut().unwrap().push_str(&text);
                }
                Event::Code(text) => page.code.push(text.into_string()),
                _ => {}
            }
        }
        page
    }

    /// Adds a heading's anchor, as mdBook and the forges make it.
    fn add_anchor(&mut self, heading: &str) {
        let kept = heading.chars().filter_map(|c| match c {
            c if c.is_whitespace() => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
            _ => None,
        });
        let name: String = kept.collect();
        let numbered = (1..).map(|count| format!("{name}-{count}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free = names.find(|name| !self.anchors.contains(name)).unwrap();
        self.anchors.insert(free);
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The project's files below the root that have an extension, by their paths from there.
fn files(extension: &str) -> Vec<PathBuf> {
    let relative = |path: &Path| path.strip_prefix(root()).unwrap().to_owned();
    let walk = WalkDir::new(root()).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|entry| !SKIPPED.iter().any(|name| entry.file_name() == *name));
    let paths = entries.map(|entry| relative(entry.unwrap().path()));
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

/// Every document, by its path from the root.
fn pages() -> BTreeMap<PathBuf, Page> {
    let pages = files("md").into_iter().map(|path| {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        (path, Page::parse(&text))
    });
    pages.collect()
}

/// The file and the anchor that a link on a page leads to; `None` for one that leaves the project.
fn target(page: &Path, link: &str) -> Option<(PathBuf, Option<String>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (link, None),
    };
    if path.is_empty() {
        return Some((page.to_owned(), anchor));
    }
    let mut target = PathBuf::new();
    for part in page.parent().unwrap().join(path).components() {
        match part {
            Component::ParentDir => assert!(target.pop(), "{}: {link}", page.display()),
            part => target.push(part),
        }
    }
    Some((target, anchor))
}

/// The links of the pages that lead nowhere.
fn broken(pages: &BTreeMap<PathBuf, Page>, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, page) in pages {
        for link in &page.links {
            let Some((target, anchor)) = target(path, link) else { continue };
            let leads = match (pages.get(&target), anchor) {
                (Some(page), Some(anchor)) => page.anchors.contains(&anchor),
                (None, Some(_)) => false,
                (page, None) => page.is_some() || exists(&target),
            };
            if !leads {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    broken
}

#[test]
fn every_link_leads_to_a_file_and_an_anchor_that_exist() {
    let pages = pages();
    assert!(pages.values().map(|page| page.links.len()).sum::<usize>() > 50);
    let none: [String; 0] = [];
    assert_eq!(broken(&pages, |path| root().join(path).exists()), none);
}

#[test]
fn a_link_that_leads_nowhere_is_noticed() {
    let text =
        "# A `b`, c\n\n## D\n\n## D\n\n[1](#a-b-c) [2](a.md#d-1) [3](b/c.txt) [4](https://e.org)";
    let wrong =
        "\n[5](#e) [6](a.md#d-2) [7](c.txt) [8](../x/f.md)\n\n| |\n| --- |\n| ![9](g.png) |\n";
    let page = |text: &str| BTreeMap::from([(PathBuf::from("x/a.md"), Page::parse(text))]);
    let found = |text: &str| broken(&page(text), |path| path == Path::new("x/b/c.txt"));
    assert_eq!(found(text), [""; 0]);
    let noticed = ["#e", "a.md#d-2", "c.txt", "../x/f.md", "g.png"];
    let noticed = noticed.map(|link| format!("x/a.md: {link}"));
    assert_eq!(found(&format!("{text}{wrong}")), noticed);
}

#[test]
fn a_page_of_the_book_links_to_nothing_outside_the_book() {
    for (path, page) in pages().iter().filter(|(path, _)| path.starts_with("docs")) {
        for link in &page.links {
            let inside = target(path, link).is_none_or(|(target, _)| target.starts_with("docs"));
            assert!(
                inside,
                "{}: {link} is not part of the built book; name the file instead",
                path.display()
            );
        }
    }
}

#[test]
fn every_page_in_docs_has_one_entry_in_the_table_of_contents() {
    let pages = pages();
    let contents = Path::new("docs/SUMMARY.md");
    let mut listed: Vec<_> =
        pages[contents].links.iter().map(|link| Path::new("docs").join(link)).collect();
    listed.sort();
    let there = pages.keys().filter(|path| path.starts_with("docs") && *path != contents);
    assert_eq!(listed, there.cloned().collect::<Vec<_>>());
}

#[test]
fn every_committed_file_that_a_document_names_exists() {
    let folders = "adapters|crates|deploy|docs|fuzz|reports/schema|src|testdata|tests|xtask";
    let name = Regex::new(&format!(r"^(?:{folders})/[a-z0-9_./-]+\.[a-z0-9]+$")).unwrap();
    let mut named = 0;
    for (path, page) in pages().iter().filter(|(path, _)| !path.ends_with("CHANGELOG.md")) {
        for file in page.code.iter().filter(|code| name.is_match(code)) {
            assert!(root().join(file).is_file(), "{}: {file}", path.display());
            named += 1;
        }
    }
    assert!(named > 20, "{named}");
}

#[test]
fn every_page_that_the_sources_name_exists() {
    let name = Regex::new(r"\bdocs/[a-z-]+\.md\b").unwrap();
    let mut named = BTreeSet::new();
    for folder in ["src", "crates", "xtask/src"] {
        for entry in WalkDir::new(root().join(folder)).into_iter().filter_map(Result::ok) {
            let Ok(text) = fs::read_to_string(entry.path()) else { continue };
            named.extend(name.find_iter(&text).map(|found| found.as_str().to_owned()));
        }
    }
    assert!(named.contains("docs/adapter-protocol.md"));
    for page in named {
        assert!(root().join(&page).exists(), "{page}");
    }
}

#[test]
fn the_readme_is_short_and_shows_a_report() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 150);
    let picture = fs::metadata(root().join("docs/report.png")).unwrap();
    assert!(Page::parse(&text).links.contains(&"docs/report.png".to_owned()));
    assert!(picture.len() < 200_000);
}

#[test]
fn the_threat_model_names_tests_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = Page::parse(&fs::read_to_string(root.join("docs/threat-model.md")).unwrap());
    let path = Regex::new("^[a-z_]+(::[a-z_0-9]+)*(::)?$").unwrap();
    let named = page.code.iter().filter(|code| code.contains("::") && path.is_match(code));
    let mut found = 0;
    for name in named {
        let parts: Vec<&str> = name.trim_end_matches("::").split("::").collect();
        let is_there = ["it", "system"].iter().any(|binary| {
            let folder = root.join("tests").join(binary);
            let file = |parts: &[&str]| folder.join(parts.join("/")).with_extension("rs");
            let (test, module) = parts.split_last().unwrap();
            file(&parts).is_file()
                || fs::read_to_string(file(module))
                    .is_ok_and(|source| source.contains(&format!("fn {test}()")))
        });
        assert!(is_there, "docs/threat-model.md names `{name}`, and there is no such test");
        found += 1;
    }
    assert!(found > 20, "{found}");
}

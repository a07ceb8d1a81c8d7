//! `guide`: the book outside a checkout.

use super::{in_folder, stderr, stdout};

#[test]
fn chapters_are_listed_with_their_titles_and_printed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let list = in_folder(folder.path(), &["guide"]);
    assert_eq!(list.status.code(), Some(0), "{}", stderr(&list));
    let lines: Vec<_> = stdout(&list).lines().collect();
    assert!(lines.len() > 20 && lines[0].starts_with("getting-started "), "{lines:?}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:?}");
    for name in ["running", "docs/running.md"] {
        let chapter = in_folder(folder.path(), &["guide", name]);
        assert!(stdout(&chapter).starts_with("# Runs\n"), "{}", stderr(&chapter));
    }
}

#[test]
fn an_unknown_chapter_is_told_with_the_one_that_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [("runing", "did you mean `running`?"), ("qqqqqqqq", "guide` lists them")]
    {
        let output = in_folder(folder.path(), &["guide", name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn every_chapter_that_a_message_or_help_names_is_there() {
    let sources = walkdir::WalkDir::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let named = regex::Regex::new("[`( ]guide ([a-z-]+)[`)]").unwrap();
    let mut seen = 0;
    for file in sources.into_iter().map(Result::unwrap).filter(|file| file.path().is_file()) {
        let text = std::fs::read_to_string(file.path()).unwrap();
        for name in named.captures_iter(&text) {
            let folder = tempfile::tempdir().unwrap();
            let output = in_folder(folder.path(), &["guide", &name[1]]);
            assert_eq!(output.status.code(), Some(0), "{:?} {}", file.path(), &name[1]);
            seen += 1;
        }
    }
    assert!(seen >= 4, "{seen}");
}

#[test]
fn no_text_of_the_program_sends_its_reader_to_a_file_of_the_checkout() {
    let sources = walkdir::WalkDir::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let page = regex::Regex::new(r"docs/[a-z-]+\.md").unwrap();
    let is_comment =
        |line: &str| ["//", "#"].iter().any(|mark| line.trim_start().starts_with(mark));
    for file in sources.into_iter().map(Result::unwrap).filter(|file| file.path().is_file()) {
        let Ok(text) = std::fs::read_to_string(file.path()) else { continue };
        let lines = text.lines().filter(|line| !is_comment(line));
        let named: Vec<_> = lines.filter(|line| page.is_match(line)).collect();
        assert!(
            named.is_empty(),
            "{}: name the chapter as `guide` does: {named:?}",
            file.path().display()
        );
    }
}

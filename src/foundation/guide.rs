//! The book, as the program carries it.

use crate::foundation::embedded;

/// The folder of the book in the checkout.
const BOOK: &str = "docs";

/// A chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// Its name, which is that of its file without the ending.
    pub name: &'static str,
    /// The chapter's title.
    pub title: &'static str,
    /// Its text, in Markdown.
    pub text: &'static str,
}

/// The chapters in the order of the book.
pub fn chapters() -> Vec<Chapter> {
    let summary = text("SUMMARY.md").unwrap_or_default();
    summary.lines().filter_map(chapter).collect()
}

/// The chapter that a line of the summary links to, such as `- [Runs](running.md)`.
fn chapter(line: &'static str) -> Option<Chapter> {
    let (title, rest) = line.trim_start_matches([' ', '-']).strip_prefix('[')?.split_once("](")?;
    let file = rest.strip_suffix(')')?;
    let name = file.strip_suffix(".md").filter(|name| *name != "README")?;
    Some(Chapter { name, title, text: text(file)? })
}

fn text(file: &str) -> Option<&'static str> {
    str::from_utf8(embedded::file(&format!("{BOOK}/{file}"))?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_of_the_book_is_a_chapter() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(BOOK);
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut pages: Vec<String> = files
            .filter_map(|file| Some(file.to_str().unwrap().strip_suffix(".md")?.to_owned()))
            .filter(|name| name != "README" && name != "SUMMARY")
            .collect();
        pages.sort();
        let mut chapters: Vec<_> = chapters().iter().map(|chapter| chapter.name).collect();
        chapters.sort_unstable();
        assert_eq!(chapters, pages);
    }

    #[test]
    fn a_chapter_has_its_title_and_text() {
        let runs = chapters().into_iter().find(|chapter| chapter.name == "running").unwrap();
        assert_eq!(runs.title, "Runs");
        assert!(runs.text.starts_with("# Runs\n"));
    }
}

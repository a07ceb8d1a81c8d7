//! The files that the program carries, for use outside a checkout: what `build.rs` lists. Its suites are
//! in [`suites::embedded`].
//!
//! They are served from memory, so that there is no copy on disk that could be out of date or
//! tampered with.

/// Path in the checkout and content of each file.
type Files = [(&'static str, &'static [u8])];

/// The files, in byte order of the paths.
static FILES: &Files = &include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The content of the file at this path.
pub(crate) fn file(path: &str) -> Option<&'static [u8]> {
    let at = FILES.binary_search_by_key(&path, |&(path, _)| path).ok()?;
    Some(FILES[at].1)
}

/// The files below a folder, at any depth, by their paths in it.
pub(crate) fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().filter_map(move |&(path, content)| {
        let path = path.strip_prefix(folder)?.strip_prefix('/')?;
        Some((path, content))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_whole_path_alone() {
        let catalogue = file("adapters/backends.toml").unwrap();
        assert_eq!(catalogue, include_bytes!("../../adapters/backends.toml"));
        assert_eq!(file("adapters"), None);
        assert_eq!(file("adapters/backends"), None);
    }

    #[test]
    fn a_folder_is_not_mistaken_for_one_whose_name_it_begins() {
        assert!(below("testdata/locks").count() > 0);
        assert_eq!(below("testdata/lock").count(), 0);
    }
}

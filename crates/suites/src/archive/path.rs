//! Paths of entries, which have to stay below the archive's root on every system.

/// The parts of an entry's path, or what is wrong with it.
pub fn parts(path: &str) -> Result<Vec<&str>, &'static str> {
    if path.starts_with('/') {
        return Err("is an absolute path");
    }
    if path.contains(|char: char| matches!(char, '\\' | ':') || char.is_control()) {
        return Err("holds a backslash, colon or control character");
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    let parts: Vec<_> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
    if parts.contains(&"..") {
        return Err("climbs out of its folder");
    }
    // `./` alone is the root itself.
    if parts != [""] && parts.iter().any(|part| part.is_empty() || *part == ".") {
        return Err("has an empty part");
    }
    Ok(parts)
}

/// Whether a link's target, seen from so many folders below the root, is outside.
pub fn climbs(target: &str, folders: usize) -> bool {
    let depth = target.split('/').try_fold(folders, |depth, part| match part {
        "" | "." => Some(depth),
        ".." => depth.checked_sub(1),
        _ => Some(depth + 1),
    });
    target.starts_with('/') || target.contains(['\\', ':']) || depth.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_could_leave_the_archive_are_refused() {
        for path in
            ["/etc/passwd", "../x", "a/../b", "a/..", "C:/x", "C:x", "a\\b", "a//b", "a/./b"]
        {
            assert!(parts(path).is_err(), "{path}");
        }
        assert_eq!(parts("./onnx/backend/"), Ok(vec!["onnx", "backend"]));
    }

    #[test]
    fn a_link_climbs_where_its_target_is_above_the_root() {
        assert!(climbs("/etc/passwd", 3));
        assert!(climbs("../../x", 1));
        assert!(climbs("a/../../x", 0));
        assert!(!climbs("../x", 1));
        assert!(!climbs("a/../x", 0));
    }
}

//! The form in which suites are kept: a zip archive whose bytes follow from the files in it alone.
//!
//! Members are stored in byte order of their paths, without compression, so that no compressor's version shows and
//! git finds what two versions have in common. All have the date of 1 January 1980 and the mode 644, and nothing
//! has an extra field or a comment. The build script reads suites by this module alone.

use flate2::Crc;

/// What each member's headers have in common: needed version 1.0, names in UTF-8, stored, midnight, 1 January 1980.
const COMMON: [u16; 5] = [10, 0x0800, 0, 0, 0x0021];

/// Made on Unix, by version 2.0 of the format.
const MADE_BY: u16 = 3 << 8 | 20;

/// A plain file that its owner may write and everybody read.
const MODE: u32 = 0o100_644 << 16;

/// Bytes of a member's local header before its name.
const LOCAL: usize = 30;

/// The archive of these members, given in byte order of their paths; none where a number of the format is too
/// small for them.
pub fn pack(members: &[(&str, &[u8])]) -> Option<Vec<u8>> {
    let mut archive = Vec::new();
    write(members, &mut |part| archive.extend(part))?;
    Some(archive)
}

/// Gives `take` the archive of these members, part after part.
fn write(members: &[(&str, &[u8])], take: &mut dyn FnMut(&[u8])) -> Option<()> {
    let (mut directory, mut offset) = (Vec::new(), 0_usize);
    for &(path, content) in members {
        let mut crc = Crc::new();
        crc.update(content);
        let length = u32::try_from(content.len()).ok()?;
        let mut header = COMMON.map(u16::to_le_bytes).concat();
        header.extend([crc.sum(), length, length].map(u32::to_le_bytes).concat());
        header.extend(u16::try_from(path.len()).ok()?.to_le_bytes());
        header.extend([0; 2]);
        for part in [b"PK\x03\x04", &header[..], path.as_bytes(), content] {
            take(part);
        }
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&header);
        directory.extend([0; 6]);
        directory.extend([MODE, u32::try_from(offset).ok()?].map(u32::to_le_bytes).concat());
        directory.extend(path.as_bytes());
        offset += LOCAL + path.len() + content.len();
    }
    let [length, offset] = [directory.len(), offset].map(u32::try_from);
    let count = u16::try_from(members.len()).ok().filter(|count| *count < u16::MAX)?;
    directory.extend(b"PK\x05\x06\0\0\0\0");
    directory.extend([count; 2].map(u16::to_le_bytes).concat());
    directory.extend([length.ok()?, offset.ok()?].map(u32::to_le_bytes).concat());
    directory.extend([0; 2]);
    take(&directory);
    Some(())
}

/// The members of an archive that [`pack`] would make of them just so.
pub fn members(archive: &[u8]) -> Option<Vec<(&str, &[u8])>> {
    let (mut members, mut rest) = (Vec::<(&str, _)>::new(), archive);
    while rest.starts_with(b"PK\x03\x04") {
        let (header, after) = rest.split_at_checked(LOCAL)?;
        let length = u32::from_le_bytes(*header.get(18..)?.first_chunk()?);
        let path = u16::from_le_bytes(*header.get(26..)?.first_chunk()?);
        let (path, after) = after.split_at_checked(usize::from(path))?;
        let (content, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
        members.push((str::from_utf8(path).ok()?, content));
        rest = after;
    }
    let mut unmatched = Some(archive);
    write(&members, &mut |part| unmatched = unmatched.and_then(|rest| rest.strip_prefix(part)))?;
    let is_ordered = members.is_sorted_by(|(a, _), (b, _)| a < b);
    (is_ordered && unmatched == Some(&[])).then_some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_is_read_back_and_nothing_else_is() {
        for files in
            [&[][..], &[("a", b"" as &[u8])], &[("a/b", b"1"), ("a/c", b"PK\x03\x04"), ("b", b"3")]]
        {
            let archive = pack(files).unwrap();
            assert_eq!(members(&archive).unwrap(), files);
            // No byte may be another, none may be missing, and none may follow.
            for at in 0..archive.len() {
                let mut other = archive.clone();
                other[at] ^= 1;
                assert_ne!(members(&other).as_deref(), Some(files), "byte {at}");
                assert_eq!(members(&archive[..at]), None, "{at} bytes");
            }
            assert_eq!(members(&[&archive[..], b"\0"].concat()), None);
        }
        let unordered = pack(&[("b", b""), ("a", b"")]).unwrap();
        assert_eq!(members(&unordered), None);
        let twice = pack(&[("a", b""), ("a", b"")]).unwrap();
        assert_eq!(members(&twice), None);
    }

    #[test]
    fn too_many_members_are_not_packed() {
        let names: Vec<String> = (0..u16::MAX).map(|at| format!("{at:05}")).collect();
        let files: Vec<_> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert!(pack(&files).is_none());
        assert!(pack(&files[1..]).is_some());
    }
}

//! The form in which suites are kept: a zip archive whose form follows from the files in it.
//!
//! Members stand in byte order of their paths, so that git finds what two versions have in common. Small ones are
//! stored; those of 1 KiB and more are deflated, by the compressor that `Cargo.lock` names, where that makes
//! them smaller. All have the date of 1 January 1980 and the mode 644, and nothing has an extra field or a comment.
//! The build script reads suites by this module alone.

use std::borrow::Cow;
use std::io::{Read, Write as _};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// Bytes of the smallest member that is deflated: a fortieth of the members have as many, and a third of all bytes.
const LARGE: usize = 1 << 10;

/// How a member begins whose content is stored: needed version 1.0, names in UTF-8, the method, and midnight, 1 January
/// 1980.
const STORED: [u16; 5] = [10, 0x0800, 0, 0, 0x0021];

/// The same where it is deflated, which needs version 2.0.
const DEFLATED: [u16; 5] = [20, 0x0800, 8, 0, 0x0021];

/// Made on Unix, by version 2.0 of the format.
const MADE_BY: u16 = 3 << 8 | 20;

/// A plain file that its owner may write and everybody read.
const MODE: u32 = 0o100_644 << 16;

/// Bytes of a member's local header before its name.
const LOCAL: usize = 30;

/// A member by its path, with its content.
pub type Content<'a> = (&'a str, Cow<'a, [u8]>);

/// A member as it stands in an archive.
struct Member<'a> {
    path: &'a str,
    content: Cow<'a, [u8]>,
    /// What is kept of the content where it is deflated.
    deflated: Option<Cow<'a, [u8]>>,
}

impl<'a> Member<'a> {
    fn new(path: &'a str, content: &'a [u8]) -> Option<Self> {
        let mut deflated = None;
        if content.len() >= LARGE {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(content).ok()?;
            deflated = Some(encoder.finish().ok()?).filter(|kept| kept.len() < content.len());
        }
        Some(Self { path, content: content.into(), deflated: deflated.map(Cow::from) })
    }

    /// The member of this method whose content has so many bytes, of what is kept of it.
    fn read(path: &'a str, method: u16, length: usize, kept: &'a [u8]) -> Option<Self> {
        if method != DEFLATED[2] {
            return (length == kept.len()).then(|| Self {
                path,
                content: kept.into(),
                deflated: None,
            });
        }
        if length < LARGE || kept.len() >= length {
            return None;
        }
        let mut decoder = DeflateDecoder::new(kept).take(length as u64 + 1);
        let mut content = Vec::new();
        decoder.read_to_end(&mut content).ok()?;
        let is_whole = content.len() == length && decoder.get_ref().total_in() == kept.len() as u64;
        is_whole.then(|| Self { path, content: content.into(), deflated: Some(kept.into()) })
    }

    /// What stands in the archive, after the header.
    fn kept(&self) -> &[u8] {
        self.deflated.as_ref().unwrap_or(&self.content)
    }
}

/// The archive of these members, given in byte order of their paths; none where a number of the format is too
/// small for them.
pub fn pack(members: &[(&str, &[u8])]) -> Option<Vec<u8>> {
    let members: Option<Vec<_>> =
        members.iter().map(|(path, content)| Member::new(path, content)).collect();
    let mut archive = Vec::new();
    write(&members?, &mut |part| archive.extend(part))?;
    Some(archive)
}

/// Gives `take` the archive of these members, part after part.
fn write(members: &[Member<'_>], take: &mut dyn FnMut(&[u8])) -> Option<()> {
    let (mut directory, mut offset) = (Vec::new(), 0_usize);
    for member in members {
        let (path, kept) = (member.path, member.kept());
        let mut crc = Crc::new();
        crc.update(&member.content);
        let [length, content] =
            [kept.len(), member.content.len()].map(|length| u32::try_from(length).ok());
        let begin = if member.deflated.is_some() { DEFLATED } else { STORED };
        let mut header = begin.map(u16::to_le_bytes).concat();
        header.extend([crc.sum(), length?, content?].map(u32::to_le_bytes).concat());
        header.extend(u16::try_from(path.len()).ok()?.to_le_bytes());
        header.extend([0; 2]);
        for part in [b"PK\x03\x04", &header[..], path.as_bytes(), kept] {
            take(part);
        }
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&header);
        directory.extend([0; 6]);
        directory.extend([MODE, u32::try_from(offset).ok()?].map(u32::to_le_bytes).concat());
        directory.extend(path.as_bytes());
        offset += LOCAL + path.len() + kept.len();
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

/// The members of an archive in the form that [`pack`] gives it, where all that is deflated has at most so many bytes.
pub fn members(archive: &[u8], bytes: u64) -> Option<Vec<Content<'_>>> {
    let (mut members, mut rest, mut left) = (Vec::<Member<'_>>::new(), archive, bytes);
    while rest.starts_with(b"PK\x03\x04") {
        let (header, after) = rest.split_at_checked(LOCAL)?;
        let [method, path] =
            [8, 26].map(|at| header.get(at..)?.first_chunk().map(|it| u16::from_le_bytes(*it)));
        let [kept, length] = [18, 22].map(|at| {
            let length = u32::from_le_bytes(*header.get(at..)?.first_chunk()?);
            usize::try_from(length).ok()
        });
        let (path, after) = after.split_at_checked(usize::from(path?))?;
        let (kept, after) = after.split_at_checked(kept?)?;
        if method? == DEFLATED[2] {
            left = left.checked_sub(length? as u64)?;
        }
        members.push(Member::read(str::from_utf8(path).ok()?, method?, length?, kept)?);
        rest = after;
    }
    let mut unmatched = Some(archive);
    write(&members, &mut |part| unmatched = unmatched.and_then(|rest| rest.strip_prefix(part)))?;
    let is_ordered = members.is_sorted_by(|a, b| a.path < b.path);
    let members = members.into_iter().map(|member| (member.path, member.content)).collect();
    (is_ordered && unmatched == Some(&[])).then_some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model that is said twice, so that it can be deflated, and bytes that cannot.
    fn large() -> [Vec<u8>; 2] {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let noise: Vec<u8> = (0..LARGE).map(|_| next()).collect();
        [[&noise[..LARGE / 2]; 2].concat(), noise]
    }

    #[test]
    fn what_was_packed_is_read_back_and_nothing_else_is() {
        let [deflated, stored] = large();
        for files in [
            &[][..],
            &[("a", b"" as &[u8])],
            &[("a/b", b"1"), ("a/c", b"PK\x03\x04"), ("b", b"3")],
            &[("a", &deflated), ("b", &stored), ("c", b"3")],
        ] {
            let archive = pack(files).unwrap();
            let read = |archive: &[u8]| -> Option<Vec<(String, Vec<u8>)>> {
                let owned = |(path, content): Content<'_>| (path.into(), content.into());
                Some(members(archive, u64::MAX)?.into_iter().map(owned).collect())
            };
            let owned = |(path, content): &(&str, &[u8])| ((*path).into(), content.to_vec());
            let files: Vec<(String, Vec<u8>)> = files.iter().map(owned).collect();
            assert_eq!(read(&archive).as_ref(), Some(&files));
            // No byte may be another, none may be missing, and none may follow.
            for at in 0..archive.len() {
                let mut other = archive.clone();
                other[at] ^= 1;
                assert_ne!(read(&other).as_ref(), Some(&files), "byte {at}");
                assert_eq!(read(&archive[..at]), None, "{at} bytes");
            }
            assert_eq!(read(&[&archive[..], b"\0"].concat()), None);
        }
        let unordered = pack(&[("b", b""), ("a", b"")]).unwrap();
        assert_eq!(members(&unordered, u64::MAX), None);
        let twice = pack(&[("a", b""), ("a", b"")]).unwrap();
        assert_eq!(members(&twice, u64::MAX), None);
    }

    #[test]
    fn large_members_are_deflated_where_that_makes_them_smaller_and_within_a_limit() {
        let [deflated, stored] = large();
        let sizes = [&deflated, &stored].map(|content| pack(&[("a", content)]).unwrap().len());
        let headers = pack(&[("a", b"")]).unwrap().len();
        assert!(sizes[0] < headers + LARGE * 3 / 4, "{sizes:?}");
        assert_eq!(sizes[1], headers + LARGE);
        let archive = pack(&[("a", &deflated), ("b", &stored)]).unwrap();
        assert!(members(&archive, LARGE as u64).is_some());
        assert_eq!(members(&archive, LARGE as u64 - 1), None);
    }

    #[test]
    fn too_many_members_are_not_packed() {
        let names: Vec<String> = (0..u16::MAX).map(|at| format!("{at:05}")).collect();
        let files: Vec<_> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert!(pack(&files).is_none());
        assert!(pack(&files[1..]).is_some());
    }
}

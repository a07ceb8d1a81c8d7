//! What SONNX restricts Slice to: all dimensions are listed, once each, and starts and ends lie within them.

use super::{EMPTY, Entry, REPEATED, SONNX_OTHERS};
use crate::families::reshaping::restrict_data;
use crate::operator::{Call, Invalid};

/// Refuses what the document excludes. Given why ONNX leaves the call open, tells why SONNX does.
pub(super) fn check(
    call: &Call,
    entries: &[Entry],
    open: Option<&'static str>,
) -> Result<Option<&'static str>, Invalid> {
    restrict_data(call, SONNX_OTHERS)?;
    let sizes = call.input(0)?.shape();
    for (at, port) in call.version.inputs.iter().enumerate() {
        if call.inputs.get(at).is_none_or(Option::is_none) {
            return Err(call.invalid(&format!("of SONNX needs `{}`", port.name)));
        }
    }
    if sizes.is_empty() {
        return Err(call.invalid("of SONNX takes no scalar"));
    }
    if entries.len() != sizes.len() {
        return Err(call.invalid("of SONNX takes an entry for each dimension"));
    }
    if open == Some(REPEATED) {
        return Err(call.invalid("of SONNX takes each dimension once"));
    }
    let mut is_empty = false;
    for &Entry { axis, start, end, step } in entries {
        let size = sizes[axis] as i128;
        let within = |index: i64, ends: std::ops::RangeInclusive<i128>| match ends
            .contains(&i128::from(index))
        {
            true => Ok(Entry::from_end(index, sizes[axis])),
            false => Err(call.invalid(&format!("of SONNX takes no {index} along {size}"))),
        };
        let start = within(start, -size..=size - 1)?;
        // Of a step backward the lowest end is the place before the first.
        let end = match step > 0 {
            true => within(end, -size..=size)?,
            false => within(end, -size - 1..=size - 1)?,
        };
        let way = if step > 0 { end - start } else { start - end };
        if way < 0 {
            return Err(call.invalid("of SONNX takes no end on the other side of its start"));
        }
        is_empty |= way == 0;
    }
    Ok(is_empty.then_some(EMPTY))
}

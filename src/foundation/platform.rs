//! What the operating system does for the tool, where systems differ: processes with whatever they start, the
//! streams to them, folders and files that others may have changed, interruptions. Nothing above asks which
//! system it is, but the sandbox, which only Linux has.
//!
//! Both halves offer the same. What a system cannot do it refuses with an error of the kind `Unsupported`, or its
//! documentation says what is done instead.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs::File;
use std::io::{self, Read};

use bytes::Bytes;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::files::{
    VENV_PYTHON, device, executable, is_disk, is_executable, is_private, is_same, is_stream,
    open_wary, places, private, publish, readable, resolved, stranger, sync_folder,
};
pub(crate) use system::folder::Folder;
#[cfg(feature = "cli")]
pub use system::interruptions::watch as watch_interruptions;
pub(crate) use system::process::{
    Group, adopt_orphans, crash, has_ended, is_running, kill_marked, kill_orphans, reap, spawn,
};
pub(crate) use system::streams::{Incoming, Outgoing, take_stdout};

/// The bytes of a file of so many, which may be no more than the limit, or what is wrong with it.
fn read_within(file: File, size: u64, limit: u64) -> Result<Bytes, String> {
    let mut bytes = Vec::new();
    if size <= limit {
        // One byte more, so that the read that finds the end needs no more memory.
        bytes.reserve_exact(usize::try_from(size).unwrap_or(0).saturating_add(1));
        // It may grow meanwhile.
        let mut most = file.take(limit.saturating_add(1));
        most.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    }
    if size > limit || bytes.len() as u64 > limit {
        return Err(format!("has more than {limit} bytes, far more than was expected"));
    }
    Ok(bytes.into())
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// A number that nobody can guess: hashers have keys of the operating system's.
fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(())
}

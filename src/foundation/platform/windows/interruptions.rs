//! What asks a process to end: Ctrl-C, Ctrl-Break, the end of its console or session.

use std::io;

/// Calls this whenever the process is asked to end, in a thread of its own.
pub fn watch(interrupted: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(interrupted).map_err(io::Error::other)
}

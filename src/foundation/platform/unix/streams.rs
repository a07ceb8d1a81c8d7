//! The streams to and from a process, read and written without waiting.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::ioctl_fionread;

/// A stream that a process writes to.
#[derive(Debug)]
pub(crate) struct Incoming(File);

impl Incoming {
    pub(crate) fn new(stream: impl Into<OwnedFd>) -> io::Result<Self> {
        nonblocking(stream.into()).map(Self)
    }

    /// Reads what is there: nothing at its end, `WouldBlock` where nothing comes within so long.
    pub(crate) fn read(&mut self, into: &mut [u8], time: Duration) -> io::Result<usize> {
        match self.0.read(into) {
            Err(error) if would_wait(&error, time) => {
                await_ready(&self.0, PollFlags::IN, time);
                self.0.read(into)
            }
            read => read,
        }
    }
}

/// A stream that a process reads.
#[derive(Debug)]
pub(crate) struct Outgoing(File);

impl Outgoing {
    pub(crate) fn new(stream: impl Into<OwnedFd>) -> io::Result<Self> {
        nonblocking(stream.into()).map(Self)
    }

    /// Writes as much as is taken: `WouldBlock` where nothing is within so long.
    pub(crate) fn write(&mut self, bytes: &[u8], time: Duration) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if would_wait(&error, time) => {
                await_ready(&self.0, PollFlags::OUT, time);
                self.0.write(bytes)
            }
            written => written,
        }
    }

    /// How many bytes the process has not read yet.
    pub(crate) fn unread(&self) -> Option<u64> {
        ioctl_fionread(self.0.as_fd()).ok()
    }
}

/// What standard output is now. From here on it is standard error, so that what else is printed does not get there.
pub(crate) fn take_stdout() -> io::Result<File> {
    let taken = rustix::io::fcntl_dupfd_cloexec(io::stdout(), 3)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(taken))
}

/// A stream, what is read from or written to which at once is all that is. The other end, which the process has,
/// stays as it is.
fn nonblocking(stream: OwnedFd) -> io::Result<File> {
    fcntl_setfl(&stream, fcntl_getfl(&stream)? | OFlags::NONBLOCK)?;
    Ok(stream.into())
}

fn would_wait(error: &io::Error, time: Duration) -> bool {
    error.kind() == io::ErrorKind::WouldBlock && !time.is_zero()
}

/// Waits until a stream can be read or written, or has ended, but no longer than so.
fn await_ready(stream: &File, readiness: PollFlags, time: Duration) {
    let time = Timespec::try_from(time).ok();
    // Whatever it says, the next read or write tells.
    let _ = poll(&mut [PollFd::new(stream, readiness)], time.as_ref());
}

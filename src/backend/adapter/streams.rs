//! What a process writes: standard output as bounded lines, of standard error the end.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::backend::protocol::Said;
use crate::foundation::platform::Incoming;

/// How much of standard error is kept, in bytes.
const STDERR_KEPT: usize = 8 << 10;

/// How much of standard output is read at a time, in bytes: what a pipe holds.
const CHUNK: usize = 64 << 10;

/// What a process does next.
#[derive(Debug)]
pub(super) enum ReadEvent {
    /// Output of the process.
    Said(Said),
    /// It ended, or closed its standard output.
    Ended,
    /// It wrote nothing in time.
    Nothing,
}

/// Standard output. It is read on demand: a process that writes faster has to wait.
#[derive(Debug)]
pub(super) struct Lines {
    stdout: Incoming,
    /// What was read, and not taken yet.
    read: Vec<u8>,
}

impl Lines {
    pub(super) const fn new(stdout: Incoming) -> Self {
        Self { stdout, read: Vec::new() }
    }

    /// What comes next, within so long.
    pub(super) fn next(&mut self, time: Duration) -> ReadEvent {
        let deadline = Instant::now() + time;
        loop {
            if let Some(said) = Said::take(&mut self.read) {
                return ReadEvent::Said(said);
            }
            let mut chunk = [0; CHUNK];
            let left = deadline.saturating_duration_since(Instant::now());
            match self.stdout.read(&mut chunk, left) {
                Ok(read @ 1..) => self.read.extend_from_slice(&chunk[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if left.is_zero() {
                        return ReadEvent::Nothing;
                    }
                }
                Ok(0) | Err(_) if self.read.is_empty() => return ReadEvent::Ended,
                Ok(0) | Err(_) => {
                    return ReadEvent::Said(Said::Half(std::mem::take(&mut self.read)));
                }
            }
        }
    }
}

/// Time that is given to the last words of a process that has ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The end of what came on standard error since it was last taken.
#[derive(Debug)]
pub(super) struct Stderr {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when the stream has ended.
    end: Receiver<()>,
}

impl Stderr {
    /// Reads a stream in a thread of its own, which ends with the stream.
    pub(super) fn read(mut stderr: impl Read + Send + 'static) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (sender, end) = sync_channel(0);
        let reader = Arc::clone(&kept);
        thread::Builder::new().name("adapter-stderr".to_owned()).spawn(move || {
            let _ended_with_the_thread = sender;
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = stderr.read(&mut buffer) {
                let mut bytes = locked(&reader);
                bytes.extend_from_slice(&buffer[..read]);
                // Cut seldom: twice what is kept is held at most.
                if bytes.len() > 2 * STDERR_KEPT {
                    let surplus = bytes.len() - STDERR_KEPT;
                    bytes.drain(..surplus);
                }
            }
        })?;
        Ok(Self { kept, end })
    }

    /// Takes the text that is there; bytes that are not UTF-8 are replaced.
    pub(super) fn take(&self) -> String {
        let bytes = std::mem::take(&mut *locked(&self.kept));
        let surplus = bytes.len().saturating_sub(STDERR_KEPT);
        String::from_utf8_lossy(&bytes[surplus..]).into_owned()
    }

    /// Takes the text of a process that has ended, to its end.
    pub(super) fn rest(&self) -> String {
        // A descendant that left the group may hold the stream open: it is not waited for long.
        let _ = self.end.recv_timeout(LAST_WORDS);
        self.take()
    }
}

/// Bytes are whole whatever happened to their last writer.
fn locked(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::{Write, pipe};

    /// What is read of a stream that is written in pieces.
    fn said(pieces: &[&[u8]]) -> Vec<Said> {
        let (reader, mut writer) = pipe().unwrap();
        let mut lines = Lines::new(Incoming::new(reader).unwrap());
        assert!(matches!(lines.next(Duration::ZERO), ReadEvent::Nothing));
        let pieces: Vec<_> = pieces.iter().map(|piece| piece.to_vec()).collect();
        let writer = thread::spawn(move || {
            pieces.iter().for_each(|piece| {
                let _ = writer.write_all(piece);
            });
        });
        let mut said = Vec::new();
        while let ReadEvent::Said(one) = lines.next(Duration::from_secs(60)) {
            let is_last = one == Said::TooLong;
            said.push(one);
            if is_last {
                break;
            }
        }
        drop(lines);
        writer.join().unwrap();
        said
    }

    #[test]
    fn lines_end_with_a_line_feed_and_what_does_not_is_half_a_line() {
        assert!(matches!(&said(&[b"a", b"\n\n", b"b"])[..],
            [Said::Line(a), Said::Line(empty), Said::Half(b)]
                if a == b"a" && empty.is_empty() && b == b"b"));
        assert!(said(&[b""]).is_empty());
    }

    #[test]
    fn a_line_without_an_end_is_not_read_to_its_end() {
        let endless = vec![b'x'; 4 << 20];
        assert_eq!(said(&[&endless]), [Said::TooLong]);
    }

    #[test]
    fn the_end_of_standard_error_is_kept() {
        let text = "-".repeat(100_000) + "last words";
        let stderr = Stderr::read(io::Cursor::new(text)).unwrap();
        let taken = stderr.rest();
        assert!(taken.ends_with("last words"));
        assert_eq!(taken.len(), STDERR_KEPT);
        assert_eq!(stderr.take(), "");
    }
}

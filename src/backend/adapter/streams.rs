//! What a process writes: standard output as bounded lines, of standard error the end.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::backend::protocol::Said;

/// How much of standard error is kept, in bytes.
const STDERR_KEPT: usize = 8 << 10;

/// Reads standard output in a thread of its own. The channel holds one line: a process that writes
/// faster than it is listened to has to wait.
pub(super) fn lines(stdout: impl Read + Send + 'static) -> io::Result<Receiver<Said>> {
    let (sender, receiver) = sync_channel(1);
    thread::Builder::new().name("adapter-stdout".to_owned()).spawn(move || {
        read_lines(BufReader::new(stdout), &sender);
    })?;
    Ok(receiver)
}

fn read_lines(mut stdout: impl BufRead, sender: &SyncSender<Said>) {
    while let Some(said) = Said::read(&mut stdout) {
        let is_last = !matches!(said, Said::Line(_));
        if sender.send(said).is_err() || is_last {
            return;
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

    fn said(text: &[u8]) -> Vec<Said> {
        lines(io::Cursor::new(text.to_vec())).unwrap().into_iter().collect()
    }

    #[test]
    fn lines_end_with_a_line_feed_and_what_does_not_is_half_a_line() {
        assert!(matches!(&said(b"a\n\nb")[..],
            [Said::Line(a), Said::Line(empty), Said::Half(b)]
                if a == b"a" && empty.is_empty() && b == b"b"));
        assert!(said(b"").is_empty());
    }

    #[test]
    fn a_line_without_an_end_is_not_read_to_its_end() {
        let endless = io::repeat(b'x').take(1 << 40);
        let said: Vec<_> = lines(endless).unwrap().into_iter().collect();
        assert!(matches!(said[..], [Said::TooLong]));
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

//! The streams to and from a process. Pipes are waited for by a thread each, which ends with its pipe: one cannot wait
//! for them and for something else.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::windows::io::{AsHandle, OwnedHandle};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How much is read at a time, in bytes.
const CHUNK: usize = 64 << 10;

/// Interval at which a stream is looked at that should be written to.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// What standard output is. It stays that, too: what else is printed gets there, between the lines of others.
pub(crate) fn take_stdout() -> io::Result<File> {
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// A stream that a process writes to. So much is read ahead as one chunk holds, and the next.
#[derive(Debug)]
pub(crate) struct Incoming {
    chunks: Receiver<io::Result<Vec<u8>>>,
    /// What is left of a chunk.
    rest: Vec<u8>,
}

impl Incoming {
    pub(crate) fn new(stream: impl Into<OwnedHandle>) -> io::Result<Self> {
        let mut stream = File::from(stream.into());
        let (sender, chunks) = sync_channel(0);
        let read = move || loop {
            let mut chunk = vec![0; CHUNK];
            let read = stream.read(&mut chunk).map(|read| {
                chunk.truncate(read);
                chunk
            });
            let is_last = !matches!(&read, Ok(chunk) if !chunk.is_empty());
            if sender.send(read).is_err() || is_last {
                return;
            }
        };
        thread::Builder::new().name("adapter-stdout".to_owned()).spawn(read)?;
        Ok(Self { chunks, rest: Vec::new() })
    }

    /// Reads what is there: nothing at its end, `WouldBlock` where nothing comes within so long.
    pub(crate) fn read(&mut self, into: &mut [u8], time: Duration) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = match self.chunks.recv_timeout(time) {
                Ok(chunk) => chunk?,
                Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::WouldBlock.into()),
                // The thread has told the end.
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
        }
        let read = self.rest.as_slice().read(into)?;
        self.rest.drain(..read);
        Ok(read)
    }
}

/// A stream that a process reads. What is written is on its way when a write returns.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// Closed with the last that is on its way when this is dropped.
    lines: SyncSender<Vec<u8>>,
    /// How many bytes are on their way.
    unread: Arc<AtomicUsize>,
}

impl Outgoing {
    pub(crate) fn new(stream: impl Into<OwnedHandle>) -> io::Result<Self> {
        let mut stream = File::from(stream.into());
        let (lines, receiver) = sync_channel::<Vec<u8>>(1);
        let unread = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&unread);
        let write = move || {
            for line in receiver {
                if stream.write_all(&line).is_err() {
                    return;
                }
                left.fetch_sub(line.len(), Ordering::Release);
            }
        };
        thread::Builder::new().name("adapter-stdin".to_owned()).spawn(write)?;
        Ok(Self { lines, unread })
    }

    /// Writes all, once what was written before has been taken: `WouldBlock` where it is not within so long.
    pub(crate) fn write(&mut self, bytes: &[u8], time: Duration) -> io::Result<usize> {
        let deadline = Instant::now() + time;
        let mut line = bytes.to_vec();
        self.unread.fetch_add(bytes.len(), Ordering::Release);
        loop {
            let error = match self.lines.try_send(line) {
                Ok(()) => return Ok(bytes.len()),
                Err(TrySendError::Full(back)) if Instant::now() < deadline => {
                    line = back;
                    thread::sleep(POLL_INTERVAL);
                    continue;
                }
                Err(TrySendError::Full(_)) => io::ErrorKind::WouldBlock,
                Err(TrySendError::Disconnected(_)) => io::ErrorKind::BrokenPipe,
            };
            self.unread.fetch_sub(bytes.len(), Ordering::Release);
            return Err(error.into());
        }
    }

    /// How many bytes the process has not let into the pipe yet. What lies in there the system does not tell.
    pub(crate) fn unread(&self) -> Option<u64> {
        u64::try_from(self.unread.load(Ordering::Acquire)).ok()
    }
}

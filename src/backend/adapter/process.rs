//! A supervised child process: started as the leader of a group of its own, listened to with a
//! deadline, and ended with whatever it has started.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::sandbox::Confined;
use super::streams::{Lines, ReadEvent, Stderr};
use crate::foundation::cleanup;
use crate::foundation::platform::{self, Group, Incoming, Outgoing};

/// Time that a process has to end by itself after its standard input or output was closed.
const TO_END: Duration = Duration::from_secs(2);

/// Interval at which a process is looked at that should end.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Interval at which a process is looked at that should come to rest.
const REST_INTERVAL: Duration = Duration::from_micros(200);

/// Interval at which a process is looked at that should read or write: it may have ended, and its
/// streams be held open by what it has started.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// Time that a process has to come to rest after an answer.
const TO_REST: Duration = Duration::from_millis(200);

/// A child process. Dropping it kills its whole group and reaps it.
pub(super) struct Process {
    child: Child,
    stdin: Option<Outgoing>,
    stdout: Lines,
    /// Whether it is waited for to come to rest: it has done so yet.
    comes_to_rest: bool,
    stderr: Stderr,
    /// The folder that its descendants are known by.
    owned: PathBuf,
    is_reaped: bool,
}

impl Process {
    /// Starts a program, whose processes are known as those of the owner of a private folder. From then on
    /// this process adopts what its descendants leave behind, where the system lets it. In a sandbox it may use
    /// that folder.
    pub(super) fn start(confined: &Confined, owned: &Path) -> io::Result<Self> {
        let program = confined.program();
        platform::adopt_orphans()?;
        let mut command = Command::new(&program.path);
        command.args(&program.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let mut child = confined.spawn(&mut command, owned)?;
        let missing = || io::Error::other("a stream of the process is missing");
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Self {
            child,
            stdin: Some(Outgoing::new(stdin.ok_or_else(missing)?)?),
            stdout: Lines::new(Incoming::new(stdout.ok_or_else(missing)?)?),
            comes_to_rest: true,
            stderr: Stderr::read(stderr.ok_or_else(missing)?)?,
            owned: owned.to_owned(),
            is_reaped: false,
        };
        if let Some(bytes) = program.memory_limit {
            let limit = |group: &mut Group| group.limit_memory(bytes);
            cleanup::with_group(&process.child, limit).unwrap_or(Ok(()))?;
        }
        Ok(process)
    }

    /// Writes a line to its standard input. It may not read it: after the deadline the error is
    /// `TimedOut`.
    pub(super) fn send(&mut self, line: &[u8], deadline: Instant) -> io::Result<()> {
        let mut rest = line;
        while !rest.is_empty() {
            let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            let left = deadline.saturating_duration_since(Instant::now());
            match stdin.write(rest, left.min(LOOK_INTERVAL)) {
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if left.is_zero() {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    if self.has_ended() {
                        return Err(io::ErrorKind::BrokenPipe.into());
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether nothing has been read of a line of this length, the last that was sent.
    pub(super) fn has_not_read(&self, line: usize) -> bool {
        let unread = self.stdin.as_ref().and_then(Outgoing::unread);
        unread.is_some_and(|unread| unread >= line as u64)
    }

    /// What it writes or that it ends, until the deadline.
    pub(super) fn listen(&mut self, deadline: Instant) -> ReadEvent {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.stdout.next(left.min(LOOK_INTERVAL)) {
                // A daemon may hold the stream open; what is in it now was written before.
                ReadEvent::Nothing if self.has_ended() => return self.last(),
                ReadEvent::Nothing if !left.is_zero() => {}
                event => return event,
            }
        }
    }

    /// What it wrote without a request, or that it exited.
    pub(super) fn unasked(&mut self) -> ReadEvent {
        self.rest();
        match self.stdout.next(Duration::ZERO) {
            ReadEvent::Nothing if self.has_ended() => self.last(),
            event => event,
        }
    }

    /// What an ended process has written.
    fn last(&mut self) -> ReadEvent {
        match self.stdout.next(Duration::ZERO) {
            ReadEvent::Nothing => ReadEvent::Ended,
            event => event,
        }
    }

    /// Waits until the process waits, as it does for the next request: by then it has written whatever it
    /// was going to. One that never waits is not waited for again.
    fn rest(&mut self) {
        let deadline = Instant::now() + TO_REST;
        while self.comes_to_rest && platform::is_running(&self.child) {
            thread::sleep(REST_INTERVAL);
            self.comes_to_rest = Instant::now() < deadline;
        }
    }

    /// The end of what it wrote to its standard error since the last call.
    pub(super) fn stderr(&self) -> String {
        self.stderr.take()
    }

    /// Tells it that there is nothing more to do.
    pub(super) fn dismiss(&mut self) {
        self.stdin = None;
    }

    /// Waits until it has ended by itself, a little while, then kills it. Its exit status, where it
    /// did end by itself, and the end of what it wrote to its standard error.
    pub(super) fn end(mut self) -> (Option<ExitStatus>, String) {
        self.dismiss();
        let deadline = Instant::now() + TO_END;
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        let has_ended = self.has_ended();
        let status = self.reap();
        (status.filter(|_| has_ended), self.stderr.rest())
    }

    /// Kills it. The end of what it wrote to its standard error.
    pub(super) fn kill(mut self) -> (Option<ExitStatus>, String) {
        self.reap();
        (None, self.stderr.rest())
    }

    /// Whether it has ended; it is not reaped yet.
    pub(super) fn has_ended(&mut self) -> bool {
        platform::has_ended(&mut self.child)
    }

    /// Kills the whole group, whether its leader lives or not, reaps the leader, and ends what has
    /// left the group.
    fn reap(&mut self) -> Option<ExitStatus> {
        self.stdin = None;
        self.is_reaped = true;
        cleanup::with_group(&self.child, Group::kill);
        cleanup::forget(&self.child);
        let status = platform::reap(&mut self.child);
        platform::kill_orphans(cleanup::MARK, self.owned.as_os_str());
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.reap();
        }
    }
}

/// How a process ended.
pub(super) fn described(status: ExitStatus) -> String {
    match (platform::crash(status), status.code()) {
        (Some(crash), _) => format!("was terminated by {crash}"),
        (None, Some(code)) => format!("ended with exit status {code}"),
        (None, None) => "ended".to_owned(),
    }
}

//! A supervised child process: started as the leader of a group of its own, listened to with a
//! deadline, and ended with whatever it has started.

use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process_group, waitid, waitpgid,
};
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, getpid, prlimit, set_child_subreaper};

use super::Program;
use super::streams::{self, Stderr};
use crate::backend::protocol::Said;

/// Time that a process has to end by itself after its standard input or output was closed.
const TO_END: Duration = Duration::from_secs(2);

/// Time that is given to the rest of a group that was killed.
const KILL_GRACE: Duration = Duration::from_millis(500);

/// Interval at which a process is looked at that should end.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What a process does next.
#[derive(Debug)]
pub(super) enum ReadEvent {
    /// It wrote something.
    Said(Said),
    /// It closed its standard output.
    Ended,
    /// It wrote nothing before the deadline.
    Nothing,
}

/// The processes that are alive, so that they can be killed from outside. A process leaves the list
/// before it is reaped: the id of a listed one is never that of another.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessRegistry(Arc<Mutex<Vec<Pid>>>);

impl ProcessRegistry {
    fn list(&self) -> MutexGuard<'_, Vec<Pid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills all of them with whatever they have started.
    pub(super) fn kill(&self) {
        for pid in self.list().iter() {
            // Its group may be gone already.
            let _ = kill_process_group(*pid, Signal::KILL);
        }
    }
}

/// A child process. Dropping it kills its whole group and reaps it.
pub(super) struct Process {
    child: Child,
    pid: Pid,
    stdin: Option<ChildStdin>,
    said: Receiver<Said>,
    stderr: Stderr,
    registry: ProcessRegistry,
    is_reaped: bool,
}

impl Process {
    /// Starts a program. From then on this process adopts what its descendants leave behind: whoever
    /// else would, a container's first process for one, may not reap it. In a sandbox it may use this
    /// private folder.
    pub(super) fn start(
        program: &Program,
        registry: &ProcessRegistry,
        private: &Path,
    ) -> io::Result<Self> {
        adopt_orphans()?;
        let mut command = Command::new(&program.path);
        command.args(&program.arguments).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let mut child = program.sandbox.spawn(&mut command, program, private)?;
        let pid = Pid::from_child(&child);
        registry.list().push(pid);
        let missing = || io::Error::other("a stream of the process is missing");
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Self {
            child,
            pid,
            stdin,
            said: streams::lines(stdout.ok_or_else(missing)?)?,
            stderr: Stderr::read(stderr.ok_or_else(missing)?)?,
            registry: registry.clone(),
            is_reaped: false,
        };
        if let Some(bytes) = program.memory_limit {
            limit_memory(pid, bytes)?;
        }
        Ok(process)
    }

    pub(super) fn send(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(&line)?;
        stdin.flush()
    }

    pub(super) fn listen(&self, deadline: Instant) -> ReadEvent {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.said.recv_timeout(patience) {
            Ok(said) => ReadEvent::Said(said),
            Err(RecvTimeoutError::Timeout) => ReadEvent::Nothing,
            Err(RecvTimeoutError::Disconnected) => ReadEvent::Ended,
        }
    }

    /// What it wrote, or that it ended, without having been asked.
    pub(super) fn unasked(&self) -> ReadEvent {
        match self.said.try_recv() {
            Ok(said) => ReadEvent::Said(said),
            Err(TryRecvError::Empty) => ReadEvent::Nothing,
            Err(TryRecvError::Disconnected) => ReadEvent::Ended,
        }
    }

    /// The end of what it wrote to its standard error since this was last asked.
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
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    /// Kills the whole group, whether its leader lives or not, and reaps the leader.
    fn reap(&mut self) -> Option<ExitStatus> {
        self.stdin = None;
        self.is_reaped = true;
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.registry.list().retain(|pid| *pid != self.pid);
        let status = self.child.wait().ok();
        // The others of the group die on their own time, and are this process' to reap.
        let deadline = Instant::now() + KILL_GRACE;
        loop {
            match waitpgid(self.pid, WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
                Ok(None) | Err(_) => return status,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.reap();
        }
    }
}

/// Makes this process the parent of those that its descendants leave behind.
#[cfg(target_os = "linux")]
fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Other systems leave orphans to the first process.
#[cfg(not(target_os = "linux"))]
fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Limits the address space of a process.
#[cfg(target_os = "linux")]
fn limit_memory(pid: Pid, bytes: u64) -> io::Result<()> {
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    prlimit(Some(pid), Resource::As, limit)?;
    Ok(())
}

/// Only Linux limits a process from outside.
#[cfg(not(target_os = "linux"))]
fn limit_memory(_: Pid, _: u64) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "only Linux can limit an adapter's memory"))
}

/// How a process ended.
pub(super) fn described(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => match signal_name(signal) {
            Some(name) => format!("was terminated by signal {signal} ({name})"),
            None => format!("was terminated by signal {signal}"),
        },
        (None, Some(code)) => format!("ended with exit status {code}"),
        (None, None) => "ended".to_owned(),
    }
}

/// The names of the signals that a crash comes with.
fn signal_name(signal: i32) -> Option<&'static str> {
    let named = [
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::ILL, "SIGILL"),
        (Signal::KILL, "SIGKILL"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::TERM, "SIGTERM"),
        (Signal::TRAP, "SIGTRAP"),
    ];
    named.into_iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| name)
}

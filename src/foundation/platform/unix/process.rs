//! Processes and their groups.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid,
    waitpgid,
};

#[cfg(target_os = "linux")]
pub(crate) use linux::{adopt_orphans, is_running, kill_marked, kill_orphans};
#[cfg(not(target_os = "linux"))]
pub(crate) use others::{adopt_orphans, is_running, kill_marked, kill_orphans};

/// Time that is given to the rest of a group that was killed.
const KILL_GRACE: Duration = Duration::from_millis(500);

/// Interval at which a group is looked at that was killed.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A process that is not reaped yet, with whatever it has started.
#[derive(Debug)]
pub(crate) struct Group(Pid);

/// Starts a process as the leader of a group of its own.
pub(crate) fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
    let child = command.process_group(0).spawn()?;
    let group = Group(Pid::from_child(&child));
    Ok((child, group))
}

impl Group {
    /// The id of its leader.
    pub(crate) fn leader(&self) -> u32 {
        self.0.as_raw_nonzero().get().unsigned_abs()
    }

    /// Kills the leader and all others.
    pub(crate) fn kill(&mut self) {
        // The group may be gone already, or the process have gone over to another.
        let _ = kill_process_group(self.0, Signal::KILL);
        let _ = kill_process(self.0, Signal::KILL);
    }

    /// Limits the address space of the leader, and so of what it starts from now on.
    #[cfg(target_os = "linux")]
    pub(crate) fn limit_memory(&mut self, bytes: u64) -> io::Result<()> {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        prlimit(Some(self.0), Resource::As, limit)?;
        Ok(())
    }

    /// Only Linux limits a process from outside.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "it is that of other systems")]
    pub(crate) fn limit_memory(&mut self, _: u64) -> io::Result<()> {
        let message = "this system cannot limit the memory of an adapter";
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }
}

/// Whether a process has ended; it is not reaped yet, and its id not another's.
pub(crate) fn has_ended(child: &mut Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

/// Reaps a process that was killed, with those of its group, which die on their own time.
pub(crate) fn reap(child: &mut Child) -> Option<ExitStatus> {
    let leader = Pid::from_child(child);
    let status = child.wait().ok();
    let deadline = Instant::now() + KILL_GRACE;
    loop {
        match waitpgid(leader, WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
            Ok(None) | Err(_) => break,
        }
    }
    status
}

/// How a process crashed, where the system ended it.
pub(crate) fn crash(status: ExitStatus) -> Option<String> {
    let signal = status.signal()?;
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
    let name = named.into_iter().find(|(known, _)| known.as_raw() == signal);
    let name = name.map(|(_, name)| format!(" ({name})")).unwrap_or_default();
    Some(format!("signal {signal}{name}"))
}

/// An entry of an environment.
#[cfg(target_os = "linux")]
fn entry(name: &str, value: &OsStr) -> Vec<u8> {
    [name.as_bytes(), b"=", value.as_encoded_bytes()].concat()
}

/// Processes are known by an entry of the environment that they were started with; one that has removed it is not
/// found.
#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    use rustix::process::{
        PidfdFlags, getpid, pidfd_open, pidfd_send_signal, set_child_subreaper, waitpid,
    };

    use super::*;

    /// Time that the end of orphans may take.
    const TIME: Duration = Duration::from_millis(500);

    /// Makes this process the parent of those that its descendants leave behind: whoever else would, a container's
    /// first process for one, may not reap it.
    pub(crate) fn adopt_orphans() -> io::Result<()> {
        Ok(set_child_subreaper(Some(getpid()))?)
    }

    /// Kills and reaps the adopted processes that were started with this variable, with what they in turn leave
    /// behind.
    pub(crate) fn kill_orphans(name: &str, value: &OsStr) {
        let (deadline, entry) = (Instant::now() + TIME, entry(name, value));
        while Instant::now() < deadline {
            let mut marked = children().filter(|pid| has_entry(*pid, &entry)).peekable();
            if marked.peek().is_none() {
                return;
            }
            for pid in marked {
                // It is this process' own child: until it is reaped, the id is no other's.
                if kill_process(pid, Signal::KILL).is_ok() {
                    let _ = waitpid(Some(pid), WaitOptions::empty());
                }
            }
        }
    }

    /// Kills the processes that were started with this variable, whosever children they are.
    pub(crate) fn kill_marked(name: &str, value: &OsStr) {
        let mark = entry(name, value);
        for found in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let id = found.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(pid) = id.and_then(Pid::from_raw).filter(|pid| *pid != getpid()) else {
                continue;
            };
            // From here on it is this process that is killed, and no other of its id.
            let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
            if has_entry(pid, &mark) {
                // It may be gone already.
                let _ = pidfd_send_signal(&process, Signal::KILL);
            }
        }
    }

    /// Whether a process is on a processor or about to be, by its first thread.
    pub(crate) fn is_running(child: &Child) -> bool {
        let stat = fs::read(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        // Its name, which may hold anything, is in parentheses; the state follows it.
        let name_end = stat.iter().rposition(|byte| *byte == b')');
        name_end.and_then(|end| stat.get(end + 2)) == Some(&b'R')
    }

    /// The children of this process.
    fn children() -> impl Iterator<Item = Pid> {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists =
            threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        let ids =
            lists.flat_map(|list| list.split_whitespace().map(str::parse).collect::<Vec<_>>());
        ids.filter_map(|id| Pid::from_raw(id.ok()?))
    }

    /// Whether a process was started with this entry in its environment.
    fn has_entry(pid: Pid, entry: &[u8]) -> bool {
        let path = format!("/proc/{}/environ", pid.as_raw_nonzero());
        let environment = fs::read(path).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|found| found == entry)
    }
}

/// Other systems leave orphans to the first process, do not show how a process was started, and do not tell so
/// easily whether it runs.
#[cfg(not(target_os = "linux"))]
mod others {
    use super::*;

    pub(crate) fn adopt_orphans() -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn kill_orphans(_: &str, _: &OsStr) {}

    pub(crate) fn kill_marked(_: &str, _: &OsStr) {}

    pub(crate) fn is_running(_: &Child) -> bool {
        false
    }
}

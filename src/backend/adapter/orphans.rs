//! What an adapter's process leaves behind outside its group: daemons, which become children of this
//! process when their parents have ended. The folder that their environment names tells whose they are; one
//! that has removed it is not found.

use std::path::Path;

/// Kills and reaps the adopted processes that are known as those of the owner of this folder, with what
/// they in turn leave behind.
#[cfg(target_os = "linux")]
pub(super) fn kill(owned: &Path) {
    use std::time::{Duration, Instant};

    use rustix::process::{Signal, WaitOptions, kill_process, waitpid};

    use crate::leftovers;

    /// Time that this may take.
    const TIME: Duration = Duration::from_millis(500);

    let (deadline, entry) = (Instant::now() + TIME, leftovers::mark_of(owned));
    while Instant::now() < deadline {
        let mut marked = linux::children().filter(|pid| linux::has_entry(*pid, &entry)).peekable();
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

/// Other systems leave orphans to the first process.
#[cfg(not(target_os = "linux"))]
pub(super) fn kill(_: &Path) {}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    use rustix::process::Pid;

    /// The children of this process.
    pub(super) fn children() -> impl Iterator<Item = Pid> {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists =
            threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        let ids =
            lists.flat_map(|list| list.split_whitespace().map(str::parse).collect::<Vec<_>>());
        ids.filter_map(|id| Pid::from_raw(id.ok()?))
    }

    /// Whether a process was started with this entry in its environment.
    pub(super) fn has_entry(pid: Pid, entry: &[u8]) -> bool {
        let path = format!("/proc/{}/environ", pid.as_raw_nonzero());
        let environment = fs::read(path).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|found| found == entry)
    }
}

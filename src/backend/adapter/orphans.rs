//! What an adapter's process leaves behind outside its group: daemons, which become children of this
//! process when their parents have ended. A mark in their environment tells whose they are; one that
//! has removed it is not found.

use super::folder::random;

/// The variable of the environment that holds the mark.
pub(super) const VARIABLE: &str = "ONNX_CONFORMANCE_PROCESS";

/// A mark that no other process of an adapter has.
pub(super) fn mark() -> String {
    format!("{:016x}", random())
}

/// Kills and reaps the adopted processes that have this mark, with what they in turn leave behind.
#[cfg(target_os = "linux")]
pub(super) fn kill(mark: &str) {
    use std::time::{Duration, Instant};

    use rustix::process::{Signal, WaitOptions, kill_process, waitpid};

    /// Time that this may take.
    const TIME: Duration = Duration::from_millis(500);

    let (deadline, entry) = (Instant::now() + TIME, format!("{VARIABLE}={mark}"));
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
pub(super) fn kill(_: &str) {}

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
    pub(super) fn has_entry(pid: Pid, entry: &str) -> bool {
        let path = format!("/proc/{}/environ", pid.as_raw_nonzero());
        let environment = fs::read(path).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|found| found == entry.as_bytes())
    }
}

//! Processes and the jobs that hold them.

use std::ffi::OsStr;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::{Child, Command, ExitStatus};

use win32job::{ExtendedLimitInfo, Job};

/// From here on, an exit status is the exception that ended the process.
const EXCEPTIONS: u32 = 0xc000_0000;

/// A process with whatever it has started: a job, which ends with its last handle, and so with this process,
/// however that ends.
#[derive(Debug)]
pub(crate) struct Group {
    leader: u32,
    job: Option<Job>,
}

/// Starts a process in a job of its own. What it starts in the microseconds before it is in there is not of the job.
pub(crate) fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
    let mut child = command.spawn()?;
    if let Err(error) = job.assign_process(child.as_raw_handle() as isize)
        // One that has ended already has nothing to be killed.
        && !has_ended(&mut child)
    {
        // Without the job it would not be ended with all that it starts.
        let _ = child.kill();
        let _ = child.wait();
        return Err(io::Error::other(error));
    }
    let leader = child.id();
    Ok((child, Group { leader, job: Some(job) }))
}

impl Group {
    /// The id of its leader.
    pub(crate) const fn leader(&self) -> u32 {
        self.leader
    }

    /// Kills the leader and all others.
    pub(crate) fn kill(&mut self) {
        self.job = None;
    }

    /// Only Linux limits a process from outside.
    #[expect(clippy::unused_self, reason = "it is that of other systems")]
    pub(crate) fn limit_memory(&mut self, _: u64) -> io::Result<()> {
        let message = "this system cannot limit the memory of an adapter";
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }
}

/// Whether a process has ended. Its id stays its own as long as there is a handle of it.
pub(crate) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// The status of a process that was killed.
pub(crate) fn reap(child: &mut Child) -> Option<ExitStatus> {
    child.wait().ok()
}

/// How a process crashed, where an exception ended it.
pub(crate) fn crash(status: ExitStatus) -> Option<String> {
    let code = status.code()?.cast_unsigned();
    let name = match code {
        0xc000_0005 => " (access violation)",
        0xc000_001d => " (illegal instruction)",
        0xc000_008e => " (division of a float by zero)",
        0xc000_0094 => " (division of an integer by zero)",
        0xc000_0095 => " (integer overflow)",
        0xc000_00fd => " (stack overflow)",
        0xc000_013a => " (Ctrl-C)",
        0xc000_0374 => " (heap corruption)",
        0xc000_0409 => " (abort)",
        _ => "",
    };
    (code >= EXCEPTIONS).then(|| format!("exception {code:#010x}{name}"))
}

/// Nothing leaves its job, so there are no orphans.
pub(crate) const fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Nothing leaves its job.
pub(crate) const fn kill_orphans(_: &str, _: &OsStr) {}

/// What a killed process has left running ended with its jobs.
pub(crate) const fn kill_marked(_: &str, _: &OsStr) {}

/// The system does not tell so easily.
pub(crate) const fn is_running(_: &Child) -> bool {
    false
}

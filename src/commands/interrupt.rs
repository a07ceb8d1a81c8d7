//! Signals: the first one ends any command, in whatever phase, within a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use std::{process, thread};

use onnx_conformance::foundation::cleanup;
use onnx_conformance::foundation::platform;

use super::exit;
use crate::terminal;

/// Time that a command has to end in order.
const GRACE: Duration = Duration::from_millis(500);

/// Time that a reader of standard error has, who may be waiting for us.
const MESSAGE: Duration = Duration::from_millis(100);

/// Whether a signal came.
static CAME: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the command looks at the flag above.
static IS_ORDERLY: AtomicBool = AtomicBool::new(false);

/// Watches for signals from now on, in a thread of its own.
pub(super) fn watch() {
    let came = || {
        let is_first = !CAME.swap(true, Ordering::Relaxed);
        if !is_first || !IS_ORDERLY.load(Ordering::Relaxed) {
            end(true);
        }
        // It goes on listening: a second signal ends the process at once.
        thread::spawn(|| {
            thread::sleep(GRACE);
            end(true);
        });
    };
    if let Err(error) = platform::watch_interruptions(came) {
        terminal::eprint(&format!("warning: failed to watch for signals: {error}"));
    }
}

/// A flag that the first signal sets. From now on the command has a little time to end in order.
pub(super) fn flag() -> Arc<AtomicBool> {
    IS_ORDERLY.store(true, Ordering::Relaxed);
    Arc::clone(&CAME)
}

/// Ends the process where a signal came meanwhile, of which the command may have told already.
pub(super) fn check(is_told: bool) {
    if CAME.load(Ordering::Relaxed) {
        end(!is_told);
    }
}

/// Ends the process with nothing left behind.
fn end(tell: bool) {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        // Another thread does it.
        loop {
            thread::park();
        }
    }
    cleanup::end();
    if tell {
        let (sender, told) = channel();
        thread::spawn(move || {
            terminal::eprint("error: interrupted");
            sender.send(())
        });
        // Who does not read it goes without.
        let _ = told.recv_timeout(MESSAGE);
    }
    process::exit(exit::INTERRUPTED.into());
}

//! Corpora on disk: what is accepted, what is noticed, and how they get there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod archives;
// Its stand-in for Python is a shell script.
#[cfg(unix)]
mod computed;
mod export;
mod fetch;
mod hostile;
mod kinds;
mod layout;
mod locks;
mod synthetic;
mod tampering;
mod url;

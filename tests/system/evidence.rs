//! Evidence packs: what they hold, what they keep to themselves, and that nothing in them can be changed
//! unnoticed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod claims;
mod consumers;
mod inputs;
mod leaks;
mod packing;
pub(crate) mod packs;
mod profiles;
mod tampering;

use crate::support::reports as synthetic;

//! BlackmanWindow: 0.42 - 0.5 cos x + 0.08 cos 2x, where x are the parts of a turn.

use super::Kernel;
use super::windows::{kernel, run};

pub(super) static BLACKMANWINDOW: Kernel =
    kernel("BlackmanWindow", |call| run(call, [21.0, 25.0, 4.0, 50.0]));

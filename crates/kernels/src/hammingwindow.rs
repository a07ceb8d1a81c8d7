//! HammingWindow: (25 - 21 cos x) / 46, where x are the parts of a turn.

use super::Kernel;
use super::windows::{kernel, run};

pub(super) static HAMMINGWINDOW: Kernel =
    kernel("HammingWindow", |call| run(call, [25.0, 21.0, 0.0, 46.0]));

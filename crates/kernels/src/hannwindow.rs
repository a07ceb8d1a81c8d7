//! HannWindow: (1 - cos x) / 2, where x are the parts of a turn.

use super::Kernel;
use super::windows::{kernel, run};

pub(super) static HANNWINDOW: Kernel = kernel("HannWindow", |call| run(call, [1.0, 1.0, 0.0, 2.0]));

//! Scatter: ScatterElements without a reduction, under its older name.

use super::Kernel;
use super::gather::AXIS;
use super::reshaping::moving;
use super::scattering::along_axis;
use super::signature::{Domain, Input};

pub(super) static SCATTER: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Scatter",
    inputs: &[Input::new("data"), Input::index("indices"), Input::new("updates")],
    is_elementwise: false,
    slices: None,
    versions: &[moving(9, 15, &[AXIS]), moving(11, 15, &[AXIS])],
    restricted: &[],
    run: along_axis,
};

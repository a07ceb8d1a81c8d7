//! ScatterElements: each update goes to the element that lies where it does itself, but for one dimension.

use super::Kernel;
use super::gather::AXIS;
use super::reshaping::moving;
use super::scattering::{REDUCTION, SUM_OR_PRODUCT, along_axis};
use super::signature::{Domain, Input};

pub(super) static SCATTERELEMENTS: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ScatterElements",
    inputs: &[Input::new("data"), Input::index("indices"), Input::new("updates")],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(11, 15, &[AXIS]),
        moving(13, 16, &[AXIS]),
        moving(16, 16, &[AXIS, SUM_OR_PRODUCT]),
        moving(18, 16, &[AXIS, REDUCTION]),
    ],
    restricted: &[],
    run: along_axis,
};

#[cfg(test)]
mod tests;

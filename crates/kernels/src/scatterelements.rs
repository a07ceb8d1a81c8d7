//! ScatterElements: each update goes to the element that lies where it does itself, but for one dimension.

use super::Kernel;
use super::gather::AXIS;
use super::gatherelements::elements;
use super::reshaping::{axis_of, integers, moving, refused};
use super::scattering::{REDUCTION, SUM_OR_PRODUCT, scattered};
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
    run: |call| {
        let [data, indices, updates] = call.inputs()?;
        let axis = axis_of(call, call.int("axis", 0), data.shape().len(), 11)?;
        if updates.shape() != indices.shape() {
            return Err(refused(call, "there is an index for each update"));
        }
        let indices = (indices.shape(), integers(indices));
        let targets = elements(call, data.shape(), indices.0, &indices.1, axis)?;
        scattered(call, 1, &targets)
    },
};

#[cfg(test)]
mod tests;

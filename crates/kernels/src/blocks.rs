//! What DepthToSpace and SpaceToDepth share: square blocks of height and width.

use super::reshaping::refused;
use super::signature::AttributeSpec;
use super::{Attribute, Call, KernelError};
use values::tensor::Tensor;

pub(super) const BLOCK_SIZE: AttributeSpec = AttributeSpec {
    name: "blocksize",
    accepts: |value| matches!(value, Attribute::Int(1..)),
    expected: EXPECTED,
};

/// Which part of the channels says the place within a block.
pub(super) const MODE: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| matches!(value, Attribute::Text(mode) if mode == "DCR" || mode == "CRD"),
    expected: "`DCR` or `CRD`",
};

/// Whether that is the inner part.
pub(super) fn is_column_first(call: &Call<'_>) -> bool {
    call.attributes.get("mode") == Some(&Attribute::Text("CRD".to_owned()))
}

const EXPECTED: &str = "the height of a block, 1 or more";

/// The data, their batches, channels, height and width, and the height of a block.
pub(super) fn parts<'a>(call: &Call<'a>) -> Result<(&'a Tensor, [usize; 4], usize), KernelError> {
    let [data] = call.inputs()?;
    let (operator, name, expected) = (call.operator, "blocksize", EXPECTED);
    let Ok(block @ 1..) = usize::try_from(call.int(name, 0)) else {
        return Err(KernelError::BadAttribute { operator, name, expected });
    };
    match *data.shape() {
        [batches, channels, height, width] => Ok((data, [batches, channels, height, width], block)),
        _ => Err(refused(call, "there are not four dimensions")),
    }
}

/// The quotient of a size, where nothing is left.
pub(super) fn divided(call: &Call<'_>, size: usize, by: usize) -> Result<usize, KernelError> {
    match (size / by, size % by) {
        (quotient, 0) => Ok(quotient),
        _ => Err(refused(call, "the last block is not whole")),
    }
}

/// The product of sizes.
pub(super) fn multiplied(call: &Call<'_>, sizes: &[usize]) -> Result<usize, KernelError> {
    let product = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
    product.ok_or_else(|| refused(call, "there are no blocks as large"))
}

//! OpenVINO's Divide-1: Div, with integer quotients rounded down, as Python's `//` does, unless it is
//! told otherwise.

use super::div::{self, divided};
use super::elementwise::{computed, on_bytes};
use super::signature::{AttributeSpec, Domain, Input, Slices, Version};
use super::types::{NUMBERS, with_type};
use super::{Attribute, Kernel};
use values::dtype::DType;

pub(super) static DIVIDE: Kernel = Kernel {
    domain: Domain::OpenVino,
    name: "Divide",
    inputs: &[Input::new("0"), Input::new("1")],
    is_elementwise: true,
    slices: None,
    versions: &[Version::with(1, NUMBERS, &[AUTO_BROADCAST, M_PYTHONDIV])],
    restricted: &[],
    run: |call| {
        let truncates = call.attributes.get("m_pythondiv").is_some_and(|value| is(value, "false"));
        computed::<2>(call, if truncates { div::SLICES } else { FLOORED })
    },
};

const FLOORED: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], quotients| divided::<T, true>(a, b, quotients))
    }, else None)
};

/// How shapes may differ.
const AUTO_BROADCAST: AttributeSpec = AttributeSpec {
    name: "auto_broadcast",
    accepts: |value| is(value, "none") || is(value, "numpy"),
    expected: "`none` or `numpy`",
};

/// Whether integer quotients are rounded down; they are where it is not said.
const M_PYTHONDIV: AttributeSpec = AttributeSpec {
    name: "m_pythondiv",
    accepts: |value| is(value, "true") || is(value, "false"),
    expected: "`true` or `false`",
};

fn is(value: &Attribute, text: &str) -> bool {
    matches!(value, Attribute::Text(value) if value == text)
}

#[cfg(test)]
mod tests;

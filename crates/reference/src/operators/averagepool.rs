//! AveragePool: the mean of each window.
//!
//! `pooling.rs` has the windows. A mean is divided by the number of the window's elements within the input, or with
//! `count_include_pad` by the number of those within the padded input: a window that `ceil_mode` lets reach beyond the
//! padding is cut off there. A window without elements of the input has no mean unless the padding is counted. Of
//! `auto_pad` without `ceil_mode` version 11 says that sizes are rounded down, and that there are as many windows as the input has
//! room for, or as it has strides, rounded up: where these differ, nothing is decided.
//! Sources: ONNX's schemas of AveragePool-1, 7, 10, 11, 19 and 22.

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::maxpool::AUTO_PAD;
use crate::case_table::{self, Own};
use crate::exact::bracket::Brackets;
use crate::exact::bracket::float_sum::floats;
use crate::exact::dot::NoBound;
use crate::exact::sum::{Scale, Sum, Terms};
use crate::exact::{Conforming, Number};
use crate::families::along::flag;
use crate::families::pooling::{OUTSIDE_REASON, Windows, is_disputed};
use crate::families::summing::{Accumulated, Summed, bits_at, elements_at};
use crate::families::sums_of_elements::{Summands, SumsOfElements};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// AveragePool in ONNX's default domain.
pub static AVERAGEPOOL: Operator = Operator {
    documents: &[Document {
        key: "onnx-averagepool",
        catalogue: include_str!("averagepool/onnx-averagepool.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("averagepool/cases.toml");
        case_table::cases(of, &AVERAGEPOOL, &[table], Own::NONE)
    }),
    readings: Some(include_str!("averagepool/readings.toml")),
    ..Operator::onnx("AveragePool", OperatorKind::Accumulated, &VERSIONS, &AveragePool)
};

const VERSIONS: [Version; 6] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, ATTRIBUTES.split_at(3).1),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(7, ATTRIBUTES.split_at(2).1),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(10, ATTRIBUTES.split_at(1).1),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(11, ATTRIBUTES.split_at(1).1),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(19, &ATTRIBUTES),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &ATTRIBUTES),
];

const ATTRIBUTES: [Attribute; 7] = [
    Attribute::new("dilations", AttributeType::Ints),
    Attribute::new("ceil_mode", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("count_include_pad", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("pads", AttributeType::Ints),
    Attribute::new("auto_pad", AttributeType::Text(AUTO_PAD)).otherwise(Otherwise::Text("NOTSET")),
    Attribute::new("strides", AttributeType::Ints),
    Attribute::new("kernel_shape", AttributeType::Ints).otherwise(Otherwise::Invalid),
];

/// The means of windows.
pub(super) struct Means<'a> {
    pub(super) data: &'a Tensor,
    pub(super) windows: Windows,
    pub(super) counts_padding: bool,
    /// Why no element is decided, if so.
    pub(super) open: Option<&'static str>,
}

impl Means<'_> {
    fn count(&self, index: usize) -> u64 {
        match self.counts_padding {
            true => self.windows.padded_count(index),
            false => self.windows.places(index).len() as u64,
        }
    }
}

impl Summed for Means<'_> {
    fn dtype(&self) -> DType {
        self.data.dtype()
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let mut sum = Sum::new(format, Terms::Elements, Scale::Divisor(self.count(index)))?;
        let places = self.windows.places(index).into_iter();
        places.filter_map(|place| bits_at(self.data, place)).for_each(|it| sum.add_element(it));
        Ok(vec![sum])
    }

    fn integer(&self, _: usize) -> Conforming {
        Conforming::Unspecified("integers have no windows")
    }

    fn open(&self, index: usize) -> Option<&'static str> {
        self.open.or_else(|| (self.count(index) == 0).then_some(OUTSIDE_REASON))
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        let Number::Float(format) = Number::of(self.dtype())? else { return None };
        if self.open.is_some() {
            return None;
        }
        let elements = floats(self.data)?;
        Some(Box::new(SumsOfElements { summands: self, elements, format }))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        elements_at(self.data, self.windows.places(index).into_iter())
    }
}

impl Summands for Means<'_> {
    fn count(&self) -> usize {
        self.windows.shape.iter().product()
    }

    fn summands(&self, index: usize) -> Option<(impl Iterator<Item = usize>, u64)> {
        let places = self.windows.places(index);
        let count = match self.counts_padding {
            true => self.windows.padded_count(index),
            false => places.len() as u64,
        };
        (count != 0).then(|| (places.into_iter(), count))
    }
}

const ROUNDED_DOWN: &str = "version 11 states two shapes for `auto_pad`: one rounded down, another that all \
                            windows of the input make";

/// The windows of a call, and whether padding counts.
pub(crate) fn windows(call: &Call) -> Result<(Windows, bool), Invalid> {
    let (is_ceil, counts_padding) = (flag(call, "ceil_mode")?, flag(call, "count_include_pad")?);
    Ok((Windows::of(call, is_ceil)?, counts_padding))
}

fn means(call: &Call) -> Result<Means<'_>, Invalid> {
    let (windows, counts_padding) = windows(call)?;
    let is_ceil = flag(call, "ceil_mode")?;
    let auto = call.text("auto_pad").unwrap_or("NOTSET");
    let is_open = call.version.since == 11
        && !is_ceil
        && auto != "NOTSET"
        && windows.are_others_rounded_down(auto == "VALID");
    let open = is_open.then_some(ROUNDED_DOWN);
    Ok(Means { data: call.input(0)?, windows, counts_padding, open })
}

struct AveragePool;

impl Reference for AveragePool {
    fn is_disputed(&self, call: &Call) -> bool {
        is_disputed(call)
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(0)?.dtype(), means(call)?.windows.shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        means(call).map_or_else(|_| Vec::new(), |means| vec![Box::new(Accumulated(means)) as _])
    }
}

//! What Resize and Upsample have in common: elements of the output that are those of the input at a coordinate, or weighted means of
//! those around it.
//!
//! A [`Plan`] has the shape of the output and of each dimension how places become coordinates (`coordinate`), in every way that a
//! document can be read. With `nearest` the element there is moved (`nearest`); else the elements around it are weighted (`weights`), and
//! the products summed up (`blend`) in any order.

mod blend;
mod coordinate;
mod latest;
mod nearest;
mod weights;

use num_traits::{One, Signed};
use values::dtype::DType;
use values::float::FloatFormat;
use values::tensor::Tensor;

pub(crate) use self::coordinate::{Map, Scale, Transformation, whole};

use self::blend::Blend;
use self::nearest::Nearest;
use crate::exact::extended::Extended;
use crate::exact::number::Value;
use crate::exact::real::{Enclosure, Rational, value};
use crate::exact::{Conforming, Number, enclosed};
use crate::operator::{Allowed, Call, Invalid, TensorType};

/// What is done with the elements around a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    Nearest(Rounding),
    Linear,
    /// With this coefficient, as the bits of a float32.
    Cubic(u32),
}

/// Which of the two elements next to a coordinate is the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rounding {
    PreferFloor,
    PreferCeil,
    Floor,
    Ceil,
    /// Nothing says it.
    Either,
}

/// How a call resizes.
pub(crate) struct Plan {
    pub(crate) output: TensorType,
    pub(crate) axes: Vec<Axis>,
    pub(crate) mode: Mode,
    /// In how many ways the document is read: as many maps as every dimension has.
    pub(crate) readings: usize,
    pub(crate) exclude_outside: bool,
    pub(crate) antialias: bool,
    /// The bits of the float32 outside of a region.
    pub(crate) extrapolation: u32,
}

/// A dimension, by each reading.
pub(crate) struct Axis(pub(crate) Vec<Map>);

impl Plan {
    /// What is allowed of the output of these data, which the lists of numbers that are given have decided.
    pub(crate) fn allowed<'a>(
        self,
        data: &'a Tensor,
        lists: Vec<&'a Tensor>,
    ) -> Box<dyn Allowed + 'a> {
        match self.mode {
            Mode::Nearest(_) => Box::new(Nearest::new(data, self)),
            Mode::Linear | Mode::Cubic(_) => Box::new(Blend::new(data, lists, self)),
        }
    }

    /// What is outside of a region.
    fn extrapolated(&self) -> Conforming {
        let value = Extended::of(DType::Float32, self.extrapolation.into());
        let conforming = match (value, Number::of(self.output.dtype)) {
            (Some(value), Some(Number::Float(format))) => Some(value.rounded(format)),
            (Some(value), Some(Number::Int(int))) => value
                .finite()
                .filter(|number| number.is_integer())
                .and_then(|number| int.element(i128::try_from(number.to_integer()).ok()?))
                .map(Conforming::One),
            _ => None,
        };
        conforming.unwrap_or(Conforming::Unspecified(
            "it is not stated what element of this type `extrapolation_value` is",
        ))
    }
}

impl Map {
    /// Whether a coordinate has the value outside of regions.
    fn is_outside(&self, x: &Rational) -> bool {
        matches!(self.transformation, Transformation::TfCropAndResize(_))
            && (x.is_negative() || *x > whole(self.input) - Rational::one())
    }
}

/// How a dimension of a size is kept as it is.
pub(crate) fn identity(size: usize) -> Map {
    let (scale, length) = (Scale::Quotient([size, size]), whole(size));
    Map { transformation: Transformation::Identity, input: size, output: size, scale, length }
}

/// The float32 next to a number, or the number where it is beyond them.
pub(crate) fn in_float32(number: Rational) -> Rational {
    match enclosed::nearest(&FloatFormat::FLOAT32, |_| Enclosure::point(number.clone()), false) {
        Conforming::One(bits) => match Value::of(&FloatFormat::FLOAT32, bits) {
            Value::Finite(_) | Value::Zero => value(DType::Float32, bits).unwrap_or(number),
            Value::Nan | Value::Infinite => number,
        },
        _ => number,
    }
}

/// The numbers of an input that is a list.
pub(crate) fn numbers(call: &Call, at: usize, tensor: &Tensor) -> Result<Vec<Rational>, Invalid> {
    let name = call.version.input(at).map_or("", |port| port.name);
    if tensor.shape().len() != 1 {
        return Err(call.invalid(&format!("takes a list for its input {name}")));
    }
    let number = |at| value(tensor.dtype(), tensor.element(at)? as u64);
    let all: Option<Vec<_>> = (0..tensor.elements()).map(number).collect();
    all.ok_or_else(|| call.invalid(&format!("takes finite numbers for its input {name}")))
}

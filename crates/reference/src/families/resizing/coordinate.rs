//! Where an element of the output lies along a dimension of the input: exactly, and as floats compute it.

use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use values::dtype::DType;
use values::float::FloatFormat;

use crate::exact::real::{Enclosure, Rational, value};
use crate::exact::{Conforming, enclosed};

/// How the place in the output becomes a coordinate of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Transformation {
    /// `x`: the dimension is not resized.
    Identity,
    /// `(x + 0.5) / scale - 0.5`.
    HalfPixel,
    /// The same, made symmetric where the output is not as long as the scale says.
    HalfPixelSymmetric,
    /// As the first, and 0 where the output has a single element.
    PytorchHalfPixel,
    /// `x * (input - 1) / (length - 1)`.
    AlignCorners,
    /// `x / scale`.
    Asymmetric,
    /// `(x + 0.5) / scale`.
    TfHalfPixelForNn,
    /// From the start to the end of a region, which are parts of the last coordinate.
    TfCropAndResize([Rational; 2]),
}

/// By what a dimension is stretched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// This number, which is a float32.
    Given(Rational),
    /// The quotient of two lengths.
    Quotient([usize; 2]),
}

/// What a document says of a dimension, read in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Map {
    pub(crate) transformation: Transformation,
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) scale: Scale,
    /// The length that `align_corners` puts the corners to: the output's, or a fraction of an element more.
    pub(crate) length: Rational,
}

/// The lengths tell most apart.
impl Hash for Map {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.input, self.output).hash(state);
    }
}

/// With which numbers a coordinate is computed.
#[derive(Clone, Copy)]
enum Arithmetic {
    Exact,
    /// Each step rounded to the format; by the reciprocal of the scale where it says so.
    Rounded(&'static FloatFormat, DType, bool),
}

/// The exact one first.
const ARITHMETICS: [Arithmetic; 5] = [
    Arithmetic::Exact,
    Arithmetic::Rounded(&FloatFormat::FLOAT32, DType::Float32, false),
    Arithmetic::Rounded(&FloatFormat::FLOAT32, DType::Float32, true),
    Arithmetic::Rounded(&FloatFormat::FLOAT64, DType::Float64, false),
    Arithmetic::Rounded(&FloatFormat::FLOAT64, DType::Float64, true),
];

/// A length as a number.
pub(crate) fn whole(number: usize) -> Rational {
    Rational::from(BigInt::from(number))
}

fn half() -> Rational {
    Rational::new(BigInt::one(), BigInt::from(2))
}

impl Arithmetic {
    /// The number as this arithmetic has it; numbers beyond the format stay as they are.
    fn rounded(self, number: Rational) -> Rational {
        let Self::Rounded(format, dtype, _) = self else { return number };
        // An integer of so few bits, or such a number of halves, is a number of the format.
        if number.is_integer() && number.numer().bits() <= u64::from(format.precision()) {
            return number;
        }
        match enclosed::nearest(format, |_| Enclosure::point(number.clone()), false) {
            Conforming::One(bits) => value(dtype, bits).unwrap_or_else(|| number.reduced()),
            _ => number.reduced(),
        }
    }

    /// The number divided by the scale, or multiplied by its reciprocal.
    fn divided(self, number: Rational, scale: &Scale) -> Rational {
        let (dividend, divisor) = match scale {
            Scale::Given(scale) => (Rational::one(), scale.clone()),
            Scale::Quotient([output, input]) => (whole(*input), whole(*output)),
        };
        match self {
            Self::Exact => number * dividend / divisor,
            Self::Rounded(_, _, false) => {
                let scale = self.rounded(quotient(&divisor, &dividend));
                self.rounded(quotient(&number, &scale))
            }
            Self::Rounded(_, _, true) => {
                let reciprocal = self.rounded(quotient(&dividend, &divisor));
                self.rounded(product(&number, &reciprocal))
            }
        }
    }
}

/// The quotient by a number above 0, not in lowest terms: what rounds it does not need them, and they take long to find.
fn quotient(a: &Rational, b: &Rational) -> Rational {
    Rational::new_raw(a.numer() * b.denom(), a.denom() * b.numer())
}

/// The product, likewise.
fn product(a: &Rational, b: &Rational) -> Rational {
    Rational::new_raw(a.numer() * b.numer(), a.denom() * b.denom())
}

impl Map {
    /// The exact coordinate of a place first, then those that floats make of it, each once.
    pub(super) fn coordinates(&self, place: usize) -> Vec<Rational> {
        let mut all: Vec<Rational> = Vec::with_capacity(1);
        for arithmetic in ARITHMETICS {
            let coordinate = self.coordinate(place, arithmetic);
            if !all.contains(&coordinate) {
                all.push(coordinate);
            }
        }
        all
    }

    /// The exact scale.
    pub(super) fn exact_scale(&self) -> Rational {
        match &self.scale {
            Scale::Given(scale) => scale.clone(),
            Scale::Quotient([output, input]) => whole((*output).max(1)) / whole((*input).max(1)),
        }
    }

    /// The least and the greatest of the exact scale and the float32 and float64 next to it.
    pub(super) fn scales(&self) -> [Rational; 2] {
        let exact = self.exact_scale();
        let all = ARITHMETICS.map(|arithmetic| arithmetic.rounded(exact.clone()));
        let least = all.iter().min().cloned().unwrap_or_else(|| exact.clone());
        [least, all.into_iter().max().unwrap_or(exact)]
    }

    /// Whether places are the same in the output and in the input.
    pub(super) fn is_identity(&self) -> bool {
        self.transformation == Transformation::Identity
    }

    fn coordinate(&self, place: usize, by: Arithmetic) -> Rational {
        let round = |number| by.rounded(number);
        let last = whole(self.input) - Rational::one();
        let x = whole(place);
        let half_pixel = || round(by.divided(round(&x + half()), &self.scale) - half());
        match &self.transformation {
            Transformation::Identity => x,
            Transformation::HalfPixel => half_pixel(),
            Transformation::PytorchHalfPixel if self.output > 1 => half_pixel(),
            Transformation::PytorchHalfPixel => Rational::zero(),
            Transformation::HalfPixelSymmetric => {
                let width = match &self.scale {
                    // One that keeps the ratio of two lengths is rounded itself.
                    Scale::Given(scale) => round(round(scale.clone()) * whole(self.input)),
                    Scale::Quotient([output, _]) => whole(*output),
                };
                let adjustment = round(whole(self.output) / width);
                let center = whole(self.input) * half();
                let offset = round(center * round(Rational::one() - adjustment));
                let stretched = by.divided(round(&x + half()), &self.scale);
                round(round(offset + stretched) - half())
            }
            Transformation::Asymmetric => by.divided(x, &self.scale),
            Transformation::TfHalfPixelForNn => by.divided(round(x + half()), &self.scale),
            Transformation::AlignCorners => {
                let length = round(round(self.length.clone()) - Rational::one());
                if x.is_zero() || !length.is_positive() {
                    return Rational::zero();
                }
                match by {
                    Arithmetic::Rounded(_, _, true) => round(x * round(last / length)),
                    _ => round(round(x * last) / length),
                }
            }
            Transformation::TfCropAndResize([start, end]) => {
                let [start, end] = [start, end].map(|end| round(end.clone()));
                if self.output <= 1 {
                    return round(round(half() * round(start + end)) * last);
                }
                let first = round(&start * &last);
                let extent = round(end - start);
                let length = whole(self.output) - Rational::one();
                let way = match by {
                    Arithmetic::Rounded(_, _, true) => {
                        round(x * round(round(extent * last) / length))
                    }
                    _ => round(round(round(x * extent) * last) / length),
                };
                round(first + way)
            }
        }
    }
}

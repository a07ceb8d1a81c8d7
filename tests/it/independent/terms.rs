//! Drawn sizes, attributes and elements, of kinds that make sums and normalizations hard.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::FloatFormat;
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{AttributeValue, Attributes};
use onnx_conformance::tensor::Tensor;

use super::check::tensor;
use super::operands::{any, directed};

/// What is drawn, the same from the same seed.
pub(super) struct Draw {
    random: Random,
}

/// Which elements a tensor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// From -1 to 1 in steps of 1/64, which often cancel out.
    Steps,
    /// With all bits of the significand, within 2^5 of 1.
    Ordinary,
    /// Anything.
    Any,
    /// Zeros of both signs, and few others.
    Zeros,
    /// Subnormal numbers and those next to them.
    Small,
    /// Whose products are subnormal.
    Roots,
    /// Near the end of the range.
    Large,
    /// Ordinary ones with their negatives, but for the last bits.
    Cancelling,
    /// Ordinary ones with infinities and NaN.
    Special,
}

/// Every kind, those that are of ordinary size more often.
pub(super) const MIXED: [Elements; 14] = [
    Elements::Steps,
    Elements::Steps,
    Elements::Ordinary,
    Elements::Ordinary,
    Elements::Any,
    Elements::Zeros,
    Elements::Small,
    Elements::Roots,
    Elements::Large,
    Elements::Cancelling,
    Elements::Cancelling,
    Elements::Special,
    Elements::Special,
    Elements::Special,
];

impl Draw {
    pub(super) const fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }

    /// A number between two, both included.
    pub(super) fn size(&mut self, least: usize, most: usize) -> usize {
        self.random.between(least as i128, most as i128) as usize
    }

    /// Whether one of so many is hit.
    pub(super) fn one_of(&mut self, many: u64) -> bool {
        self.random.below(many) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len() as u64) as usize]
    }

    /// So many numbers between two.
    pub(super) fn sizes(&mut self, count: usize, least: usize, most: usize) -> Vec<usize> {
        (0..count).map(|_| self.size(least, most)).collect()
    }

    /// Enters an attribute in two of three cases; it has its default otherwise.
    pub(super) fn perhaps(
        &mut self,
        attributes: &mut Attributes,
        name: &str,
        value: AttributeValue,
    ) -> bool {
        let is_given = !self.one_of(3);
        if is_given {
            attributes.insert(name.to_owned(), value);
        }
        is_given
    }

    /// A flag that is left out, 0 or 1.
    pub(super) fn flag(&mut self, attributes: &mut Attributes, name: &str) -> bool {
        let value = self.one_of(2);
        self.perhaps(attributes, name, AttributeValue::Int(value.into())) && value
    }

    /// A tensor of a shape and such elements.
    pub(super) fn tensor(&mut self, dtype: DType, shape: &[usize], of: Elements) -> Tensor {
        let count = shape.iter().product();
        tensor(dtype, shape.to_vec(), &self.elements(dtype, count, of))
    }

    fn elements(&mut self, dtype: DType, count: usize, of: Elements) -> Vec<u128> {
        let Kind::Float(format) = dtype.kind() else {
            return (0..count).map(|_| self.integer(dtype, of)).collect();
        };
        let directed = directed(dtype);
        let mut elements: Vec<u128> = Vec::with_capacity(count);
        for at in 0..count {
            let element = match of {
                Elements::Cancelling if at % 2 == 1 => {
                    let sign = 1 << (format.width() - 1);
                    elements[at - 1] ^ sign ^ u128::from(self.random.below(4) / 2 * 3)
                }
                Elements::Special if self.one_of(6) => self.pick(&directed),
                _ => self.float(dtype, format, of),
            };
            elements.push(element);
        }
        elements
    }

    fn integer(&mut self, dtype: DType, of: Elements) -> u128 {
        let bits = dtype.bits().unwrap();
        if dtype == DType::Bool {
            return self.random.below(2).into();
        }
        match of {
            Elements::Any | Elements::Cancelling => any(dtype, &mut self.random),
            // Of which some make a sum that the type holds.
            Elements::Large => u128::from(self.random.bits()) >> (64 - bits + 6),
            Elements::Special => self.pick(&directed(dtype)),
            _ => (self.random.between(-9, 40) as u128) & (u128::MAX >> (128 - bits)),
        }
    }

    fn float(&mut self, dtype: DType, format: &FloatFormat, of: Elements) -> u128 {
        let (field, bias) = (format.significand_bits, i64::from(format.bias));
        let most = (1_i64 << format.exponent_bits) - 2;
        let mut between = |low: i64, high: i64| {
            let exponent = self.random.between(low.into(), high.into()) as i64;
            let bits = self.random.bits();
            let fraction = bits >> 1 & ((1 << field) - 1);
            let sign = u128::from(bits & 1) << (format.width() - 1);
            sign | (exponent.clamp(0, most) as u128) << field | u128::from(fraction)
        };
        match of {
            Elements::Any => any(dtype, &mut self.random),
            Elements::Ordinary | Elements::Special | Elements::Cancelling => {
                between(bias - 5, bias + 4)
            }
            Elements::Small => between(0, i64::from(field) / 2),
            Elements::Roots => between(bias / 2 - i64::from(field), bias / 2 + 2),
            Elements::Large => between(most - 3, most),
            Elements::Zeros if !self.one_of(5) => {
                u128::from(self.random.below(2)) << (format.width() - 1)
            }
            Elements::Steps | Elements::Zeros => {
                let value = self.random.between(-64, 64) as f64 / 64.0;
                let values = Tensor::from_values(DType::Float64, vec![1], vec![value]).unwrap();
                let bits = values.element(0).unwrap() as u64;
                narrowed(bits, format)
            }
        }
    }
}

/// The bits in a narrower format of a float64 that it holds.
pub(super) fn narrowed(bits: u64, format: &FloatFormat) -> u128 {
    let magnitude = bits & !(1 << 63);
    let sign = u128::from(bits >> 63) << (format.width() - 1);
    if magnitude == 0 {
        return sign;
    }
    let exponent = (magnitude >> 52) as i64 - 1023 + i64::from(format.bias);
    let fraction = (magnitude & ((1 << 52) - 1)) >> (52 - format.significand_bits);
    sign | (exponent as u128) << format.significand_bits | u128::from(fraction)
}

/// The text of an attribute.
pub(super) fn text(text: &str) -> AttributeValue {
    AttributeValue::Text(text.to_owned())
}

/// The list of an attribute.
pub(super) fn ints(values: &[usize]) -> AttributeValue {
    AttributeValue::Ints(values.iter().map(|value| *value as i64).collect())
}

/// The float of an attribute.
pub(super) const fn float(value: f32) -> AttributeValue {
    AttributeValue::Float(value.to_bits())
}

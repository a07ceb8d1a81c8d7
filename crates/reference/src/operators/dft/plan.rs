//! The operands of a call: which dimension is transformed, and of which length.

use values::dtype::{Kind, integer};
use values::tensor::Tensor;

use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::families::along::flag;
use crate::families::computation::value;
use crate::families::fourier::{Sample, Signal};
use crate::families::lines::Lines;
use crate::operator::{Call, Invalid};

const NOT_REAL: &str = "a value of the spectrum that the symmetry makes real has an imaginary part, and no sentence says what comes of it";

/// What a call asks for.
pub(super) struct Plan<'a> {
    pub(super) input: &'a Tensor,
    /// The length of the transform.
    pub(super) length: usize,
    pub(super) is_inverse: bool,
    is_one_sided: bool,
    axis: usize,
    /// Parts of each number of the input: 1 or 2.
    parts: usize,
    /// The numbers of the input along the dimension, and those of the output.
    lines: [Lines; 2],
}

/// The integer of an optional input, which is a scalar.
fn scalar(call: &Call, at: usize) -> Result<Option<i128>, Invalid> {
    let Some(tensor) = call.inputs.get(at).and_then(Option::as_ref) else { return Ok(None) };
    match (tensor.shape(), tensor.element(0), tensor.dtype().kind()) {
        ([], Some(element), Kind::Int { signed, bits }) => Ok(Some(integer(element, signed, bits))),
        _ => Err(call.invalid(&format!("takes no list of {:?} for a scalar", tensor.shape()))),
    }
}

impl<'a> Plan<'a> {
    pub(super) fn of(call: &'a Call) -> Result<Self, Invalid> {
        let input = call.input(0)?;
        let (is_inverse, is_one_sided) = (flag(call, "inverse")?, flag(call, "onesided")?);
        let shape = input.shape();
        let Some((&parts @ (1 | 2), signal @ [_, ..])) = shape.split_last() else {
            return Err(call.invalid(&format!("takes no real or complex signal of {shape:?}")));
        };
        if is_one_sided && parts != usize::from(is_inverse) + 1 {
            let kind = if is_inverse { "complex" } else { "real" };
            return Err(call.invalid(&format!("takes a one-sided transform of {kind} input alone")));
        }
        let rank = shape.len() as i128;
        let axis = match call.version.since {
            ..20 => call.int("axis").map(i128::from),
            _ => scalar(call, 2)?.or(Some(-2)),
        };
        let axis = axis.unwrap_or(1);
        let place = if axis < 0 { axis + rank } else { axis };
        let place = usize::try_from(place).ok().filter(|place| *place < signal.len());
        let axis =
            place.ok_or_else(|| call.invalid(&format!("has no axis {axis} to transform")))?;
        let size = signal.get(axis).copied().unwrap_or_default();
        let otherwise = match is_one_sided && is_inverse {
            true => 2 * (size as i128 - 1),
            false => size as i128,
        };
        let length = scalar(call, 1)?.unwrap_or(otherwise);
        let length = u32::try_from(length);
        let length =
            length.map_err(|_| call.invalid("has no such length of the transform"))? as usize;
        let mut output = signal.to_vec();
        if let Some(size) = output.get_mut(axis) {
            *size = if is_one_sided && !is_inverse { length / 2 + 1 } else { length };
        }
        let lines = [signal, &output].map(|shape| Lines::along(shape, axis));
        Ok(Self { input, length, is_inverse, is_one_sided, axis, parts, lines })
    }

    /// Parts of each number of the output.
    const fn parts_of_output(&self) -> usize {
        if self.is_one_sided && self.is_inverse { 1 } else { 2 }
    }

    /// The shape of the output.
    pub(super) fn shape(&self) -> Vec<usize> {
        let mut shape = self.input.shape().to_vec();
        let sizes = [(self.axis, self.lines[1].length), (shape.len() - 1, self.parts_of_output())];
        for (at, size) in sizes {
            if let Some(own) = shape.get_mut(at) {
                *own = size;
            }
        }
        shape
    }

    /// How many lines there are.
    pub(super) fn count(&self) -> usize {
        let numbers = self.input.elements() / self.parts;
        numbers.checked_div(self.lines[0].length).unwrap_or_else(|| {
            let others = self.shape().into_iter().enumerate();
            let others = others.filter(|(at, _)| *at != self.axis).map(|(_, size)| size);
            others.product::<usize>() / self.parts_of_output()
        })
    }

    /// Of an element of the output its line, its place in that, and which part it is.
    pub(super) fn place(&self, index: usize) -> (usize, usize, usize) {
        let parts = self.parts_of_output();
        let (line, at) = self.lines[1].of(index / parts);
        (line, at, index % parts)
    }

    /// How many numbers of a line are used.
    fn used(&self) -> usize {
        let most = match self.is_one_sided && self.is_inverse {
            true => self.length / 2 + 1,
            false => self.length,
        };
        self.lines[0].length.min(most)
    }

    /// The places in the input of the parts of the numbers of a line that are used.
    pub(super) fn places(
        &self,
        line: usize,
    ) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let parts = self.parts;
        let places = self.lines[0].places(line).take(self.used());
        places.map(move |place| place * parts..(place + 1) * parts)
    }

    /// The numbers that are transformed.
    pub(super) fn signal(&self, line: usize) -> Signal {
        let bits = Signal::bits();
        let (mut samples, mut open) = (Vec::new(), None);
        for (at, places) in self.places(line).enumerate() {
            let mut parts = places.map(|place| value(self.input, place, bits));
            let real = parts.next().unwrap_or_else(|| Computed::zero(bits));
            let imaginary = parts.next().unwrap_or_else(|| Computed::zero(bits));
            if self.is_one_sided && self.is_inverse {
                if at == 0 || 2 * at == self.length {
                    let is_real = imaginary.numbers.as_ref().is_some_and(Interval::is_zero);
                    open = open.or((!is_real).then_some(NOT_REAL));
                } else {
                    let parts = [real.clone(), -imaginary.clone()];
                    samples.push(Sample { place: self.length - at, parts });
                }
            }
            samples.push(Sample { place: at, parts: [real, imaginary] });
        }
        Signal::new(samples, open)
    }
}

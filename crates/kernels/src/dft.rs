//! DFT: stages of the prime factors of the length, the smallest first, each of which adds up as many numbers as its factor says.
//!
//! Stages are those of J. Cooley and J. Tukey (Mathematics of Computation 19, 1965), in the order in which no number has to be moved to its place at the end.
//! Numbers of an odd stage are added up in pairs whose factors are conjugates. All of it is binary64 for float64, and binary32
//! for narrower types, as it is in NumPy.

use super::arg_extremum::switch;
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::FLOATS;
use super::{Call, Kernel, KernelError};
use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};
use values::dtype::DType::{Float64, Int64};
use values::tensor::Tensor;

pub(super) static DFT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "DFT",
    inputs: &[
        Input::new("input"),
        Input::index("dft_length").optional(),
        Input::of("axis", Int64).optional().since(20),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(17, FLOATS, &[integer("axis"), INVERSE, ONESIDED]),
        Version::with(20, FLOATS, &[INVERSE, ONESIDED]),
    ],
    restricted: &[],
    run,
};

const INVERSE: AttributeSpec = switch("inverse");
const ONESIDED: AttributeSpec = switch("onesided");

/// The most elements that an output may have.
const MOST: usize = 1 << 24;

/// A scalar input, if it is given.
fn scalar(call: &Call<'_>, at: usize) -> Result<Option<i64>, KernelError> {
    let Some(input) = call.input(at) else { return Ok(None) };
    match (input.shape(), &integers(input)[..]) {
        ([], [number]) => Ok(Some(*number)),
        _ => Err(refused(call, "length and axis are scalars")),
    }
}

/// A complex number.
#[derive(Clone, Copy)]
struct Complex<T>(T, T);

/// A type that is computed in.
trait Part: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn rounded(number: f64) -> Self;
    fn number(self) -> f64;
}

impl Part for f64 {
    fn rounded(number: f64) -> Self {
        number
    }

    fn number(self) -> f64 {
        self
    }
}

impl Part for f32 {
    fn rounded(number: f64) -> Self {
        number as Self
    }

    fn number(self) -> f64 {
        self.into()
    }
}

impl<T: Part> Complex<T> {
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }

    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn scaled(self, by: T) -> Self {
        Self(self.0 * by, self.1 * by)
    }

    /// The number a quarter of a turn farther.
    fn turned(self) -> Self {
        Self(T::rounded(0.0) - self.1, self.0)
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let input = call.input(0).ok_or_else(|| refused(call, "there is no input"))?;
    let format = format_of(call, input)?;
    let shape = input.shape();
    let rank = shape.len();
    let parts = match (rank, shape.last()) {
        (2.., Some(parts @ (1 | 2))) => *parts,
        _ => return Err(refused(call, "the last dimension is of one or two parts")),
    };
    let is_inverse = call.int("inverse", 0) == 1;
    let is_one_sided = call.int("onesided", 0) == 1;
    if is_one_sided && (parts == 2) != is_inverse {
        return Err(refused(call, "a one-sided transform is of real input, or to real output"));
    }
    let axis = match call.operator.since_version() {
        20.. => scalar(call, 2)?.unwrap_or(-2),
        _ => call.int("axis", 1),
    };
    let axis = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
    let axis = usize::try_from(axis).ok().filter(|axis| *axis < rank - 1);
    let axis = axis.ok_or_else(|| refused(call, "the axis is one of the signal's"))?;
    let size = shape[axis];
    let is_to_real = is_one_sided && is_inverse;
    let otherwise = if is_to_real { 2 * (size as i64 - 1) } else { size as i64 };
    let length = usize::try_from(scalar(call, 1)?.unwrap_or(otherwise)).ok();
    let length = length.ok_or_else(|| refused(call, "the length is negative"))?;
    let places = if is_one_sided && !is_inverse { length / 2 + 1 } else { length };
    let output_parts = if is_to_real { 1 } else { 2 };
    let mut output = shape.to_vec();
    output[axis] = places;
    output[rank - 1] = output_parts;
    let elements = output.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    let elements = elements.filter(|count| *count <= MOST);
    let elements = elements.ok_or_else(|| refused(call, "the output is too large"))?;
    let stride: usize = shape[axis + 1..rank - 1].iter().product();
    let lines = elements / (places * output_parts).max(1);
    let mut results = vec![0.0; elements];
    for line in 0..lines {
        let number = |at: usize| {
            let place = (line / stride * size + at) * stride + line % stride;
            let of =
                |part: usize| if part < parts { value(input, place * parts + part) } else { 0.0 };
            Complex(of(0), of(1))
        };
        let mut signal: Vec<_> = match is_to_real {
            false => (0..size.min(length)).map(number).collect(),
            true => symmetric(size, length, number),
        };
        signal.resize(length, Complex(0.0, 0.0));
        let mut transformed = match input.dtype() {
            Float64 => transform::<f64>(signal, is_inverse),
            _ => transform::<f32>(signal, is_inverse),
        };
        if parts == 1 {
            // Of real numbers the sum of all is real, and so is that with alternating signs.
            let middle = (length % 2 == 0).then_some(length / 2);
            for at in [Some(0), middle].into_iter().flatten() {
                transformed.get_mut(at).into_iter().for_each(|number| number.1 = 0.0);
            }
        }
        for (at, Complex(real, imaginary)) in transformed.into_iter().take(places).enumerate() {
            let place = ((line / stride * places + at) * stride + line % stride) * output_parts;
            results[place] = real;
            if output_parts == 2 {
                results[place + 1] = imaginary;
            }
        }
    }
    Ok(vec![packed(input.dtype(), &output, |at| encoded(format, results[at], false))?])
}

/// All values of a spectrum of which the first half is given; the first and the middle one are real.
fn symmetric(
    size: usize,
    length: usize,
    number: impl Fn(usize) -> Complex<f64>,
) -> Vec<Complex<f64>> {
    let of = |at: usize| {
        let own = at.min(length - at);
        let Complex(real, imaginary) = if own < size { number(own) } else { Complex(0.0, 0.0) };
        match own {
            _ if own == 0 || 2 * own == length => Complex(real, 0.0),
            _ if own < at => Complex(real, -imaginary),
            _ => Complex(real, imaginary),
        }
    };
    (0..length).map(of).collect()
}

/// The sums of all numbers, divided by how many these are if it is an inverse transform.
fn transform<T: Part>(numbers: Vec<Complex<f64>>, is_inverse: bool) -> Vec<Complex<f64>> {
    let count = numbers.len();
    let factor = |part: usize, parts: usize| {
        let (cosine, sine) = turn(part as u128 % parts as u128, parts as u128);
        Complex(T::rounded(cosine), T::rounded(if is_inverse { sine } else { -sine }))
    };
    let round = |Complex(a, b): Complex<f64>| Complex(T::rounded(a), T::rounded(b));
    let mut numbers: Vec<Complex<T>> = numbers.into_iter().map(round).collect();
    let (mut before, mut rest) = (1, count);
    while rest > 1 {
        let radix = prime_factor(rest);
        rest /= radix;
        // The factors inside the stage.
        let inside: Vec<Complex<T>> = (0..radix).map(|at| factor(at, radix)).collect();
        let mut next = numbers.clone();
        for block in 0..before {
            for within in 0..rest {
                let of = |at: usize| numbers[within + rest * (at + radix * block)];
                let terms: Vec<Complex<T>> = (0..radix).map(of).collect();
                for (at, sum) in stage(&terms, &inside).into_iter().enumerate() {
                    let is_turned = at > 0 && within > 0;
                    let sum = if is_turned {
                        sum.times(factor(at * within * before, count))
                    } else {
                        sum
                    };
                    next[within + rest * (block + before * at)] = sum;
                }
            }
        }
        numbers = next;
        before *= radix;
    }
    let share = T::rounded(if is_inverse { 1.0 / count as f64 } else { 1.0 });
    let scaled = numbers.into_iter().map(|number| number.scaled(share));
    scaled.map(|Complex(a, b)| Complex(a.number(), b.number())).collect()
}

/// The smallest prime factor of a number above 1.
fn prime_factor(number: usize) -> usize {
    let factors = (2..).take_while(|factor| factor * factor <= number);
    factors.into_iter().find(|factor| number.is_multiple_of(*factor)).unwrap_or(number)
}

/// The sums of few numbers with factors, which are the powers of one.
fn stage<T: Part>(terms: &[Complex<T>], factors: &[Complex<T>]) -> Vec<Complex<T>> {
    if let [a, b] = *terms {
        return vec![a.plus(b), a.minus(b)];
    }
    let radix = terms.len();
    let half = radix / 2;
    let sums: Vec<_> = (1..=half).map(|at| terms[at].plus(terms[radix - at])).collect();
    let differences: Vec<_> = (1..=half).map(|at| terms[at].minus(terms[radix - at])).collect();
    let mut results = vec![sums.iter().fold(terms[0], |all, sum| all.plus(*sum)); radix];
    for at in 1..=half {
        let factor = |pair: usize| factors[at * (pair + 1) % radix];
        let even = sums.iter().enumerate();
        let even = even.fold(terms[0], |all, (pair, sum)| all.plus(sum.scaled(factor(pair).0)));
        let odd = differences.iter().enumerate();
        let odd = odd.map(|(pair, difference)| difference.scaled(factor(pair).1));
        let odd = odd.reduce(Complex::plus).unwrap_or(terms[0]).turned();
        (results[at], results[radix - at]) = (even.plus(odd), even.minus(odd));
    }
    results
}

/// Cosine and sine of a part of a turn, from an angle of an eighth of a turn at most.
fn turn(part: u128, parts: u128) -> (f64, f64) {
    // The nearest quarter, and what is left, in parts of which a turn has four times as many.
    let quarter = (8 * part + parts) / (2 * parts);
    let rest = (4 * part) as f64 - (quarter * parts) as f64;
    let angle = TAU * (rest / (4 * parts) as f64);
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    match quarter % 4 {
        0 => (cosine, sine),
        1 => (-sine, cosine),
        2 => (-cosine, -sine),
        _ => (sine, -cosine),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{ones, read, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Float32, Float64, Int64};
    use values::tensor::Tensor;

    type Made = (Vec<usize>, Vec<f64>);

    fn made(inputs: &[Option<&Tensor>], since: i64, attributes: &[(&str, i64)]) -> Option<Made> {
        let named = attributes.iter().map(|(name, it)| ((*name).to_owned(), Attribute::Int(*it)));
        let attributes: Attributes = named.collect();
        let output = find("DFT", since).unwrap().run(inputs, &attributes).ok()?.remove(0);
        Some((output.shape().to_vec(), read(&output)))
    }

    fn scalar(number: i64) -> Tensor {
        tensor(Int64, &[], &[number])
    }

    #[test]
    fn a_transform_and_its_inverse_are_exact_for_quarters() {
        let x = tensor(Float64, &[1, 4, 1], &[1.0, 2.0, 3.0, 4.0]);
        let (shape, all) = made(&[Some(&x)], 20, &[]).unwrap();
        let spectrum = [10.0, 0.0, -2.0, 2.0, -2.0, 0.0, -2.0, -2.0];
        assert_eq!((&shape[..], &all[..]), (&[1, 4, 2][..], &spectrum[..]));
        let back = made(&[Some(&tensor(Float64, &[1, 4, 2], &spectrum))], 17, &[("inverse", 1)]);
        assert_eq!(back.unwrap().1, [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0]);
    }

    #[test]
    fn one_half_is_enough_of_real_signals() {
        let sided = [("onesided", 1), ("inverse", 0)];
        let x = tensor(Float64, &[5, 1], &[3.0, -1.0, 4.0, 1.0, -5.0]);
        let (shape, half) = made(&[Some(&x), None, Some(&scalar(0))], 20, &sided).unwrap();
        assert_eq!(shape, [3, 2]);
        let half = tensor(Float64, &[3, 2], &half);
        let back = [("onesided", 1), ("inverse", 1)];
        let (shape, all) = made(&[Some(&half), Some(&scalar(5))], 20, &back).unwrap();
        assert_eq!(shape, [5, 1]);
        let off = all.iter().zip([3.0, -1.0, 4.0, 1.0, -5.0]).map(|(a, b)| (a - b).abs());
        assert!(off.sum::<f64>() < 1e-14, "{all:?}");
        assert_eq!(made(&[Some(&half)], 20, &back).unwrap().0, [4, 1]);
    }

    #[test]
    fn stages_of_all_factors_give_the_sums() {
        for count in [1, 2, 3, 5, 6, 8, 9, 15, 16, 30, 67] {
            let of = |at: usize| ((at * 37 + 11) % 19) as f64 - 9.0;
            let numbers: Vec<f64> = (0..2 * count).map(of).collect();
            let (_, all) =
                made(&[Some(&tensor(Float64, &[1, count, 2], &numbers))], 20, &[]).unwrap();
            for at in 0..count {
                let mut sum = [0.0; 2];
                for (place, pair) in numbers.chunks(2).enumerate() {
                    let angle = -std::f64::consts::TAU * (at * place % count) as f64 / count as f64;
                    sum[0] += pair[0] * angle.cos() - pair[1] * angle.sin();
                    sum[1] += pair[0] * angle.sin() + pair[1] * angle.cos();
                }
                let off = (sum[0] - all[2 * at]).abs() + (sum[1] - all[2 * at + 1]).abs();
                assert!(off < 1e-11, "{count} {at}");
            }
        }
    }

    #[test]
    fn other_dimensions_and_lengths_are_transformed() {
        let x = tensor(Float64, &[2, 2, 1], &[1.0, 2.0, 3.0, 4.0]);
        let (shape, all) = made(&[Some(&x)], 17, &[("axis", 0)]).unwrap();
        assert_eq!((&shape[..], all[0], all[2], all[4]), (&[2, 2, 2][..], 4.0, 6.0, -2.0));
        let (shape, all) = made(&[Some(&x), Some(&scalar(3))], 17, &[("axis", -2)]).unwrap();
        assert_eq!((&shape[..], all[0], all[6]), (&[2, 3, 2][..], 3.0, 7.0));
        let (shape, all) = made(&[Some(&x), Some(&scalar(1))], 20, &[]).unwrap();
        assert_eq!((&shape[..], &all[..]), (&[2, 1, 2][..], &[1.0, 0.0, 3.0, 0.0][..]));
    }

    #[test]
    fn signals_and_numbers_that_do_not_fit_are_refused() {
        let complex = ones(Float32, &[1, 4, 2]);
        let real = ones(Float32, &[1, 4, 1]);
        assert_eq!(made(&[Some(&complex)], 20, &[("onesided", 1)]), None);
        assert_eq!(made(&[Some(&real)], 20, &[("onesided", 1), ("inverse", 1)]), None);
        assert_eq!(made(&[Some(&ones(Float32, &[4]))], 20, &[]), None);
        assert_eq!(made(&[Some(&ones(Float32, &[1, 4, 3]))], 20, &[]), None);
        for axis in [2, -1, -4, i64::MIN] {
            assert_eq!(made(&[Some(&real)], 17, &[("axis", axis)]), None);
            assert_eq!(made(&[Some(&real), None, Some(&scalar(axis))], 20, &[]), None);
        }
        for length in [-1, i64::MAX] {
            assert_eq!(made(&[Some(&real), Some(&scalar(length))], 20, &[]), None);
        }
    }
}

//! DFT: sums of all numbers of a line turned by parts of a turn, in binary64 and by their definition, rounded once.

use super::arg_extremum::switch;
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::FLOATS;
use super::{Call, Kernel, KernelError};
use std::f64::consts::TAU;
use values::dtype::DType::Int64;
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
const MOST: usize = 1 << 26;

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
struct Complex(f64, f64);

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
        let signal = match is_to_real {
            false => (0..size.min(length)).map(number).collect(),
            true => symmetric(size, length, number),
        };
        for at in 0..places {
            let Complex(real, imaginary) = sum(&signal, at, length, is_inverse, parts == 1);
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
fn symmetric(size: usize, length: usize, number: impl Fn(usize) -> Complex) -> Vec<Complex> {
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

/// The sum at a place.
fn sum(signal: &[Complex], at: usize, length: usize, is_inverse: bool, is_real: bool) -> Complex {
    let mut sum = Complex(0.0, 0.0);
    for (place, Complex(real, imaginary)) in signal.iter().enumerate() {
        let (cosine, sine) = turn(at as u128 * place as u128 % length as u128, length as u128);
        let sine = if is_inverse { sine } else { -sine };
        sum.0 += real * cosine;
        sum.1 += real * sine;
        if !is_real {
            sum.0 -= imaginary * sine;
            sum.1 += imaginary * cosine;
        }
    }
    let divisor = if is_inverse { length as f64 } else { 1.0 };
    Complex(sum.0 / divisor, sum.1 / divisor)
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

//! CausalConvWithState: for each channel the products of its weights with the elements up to each place, summed up in binary64 and rounded once, and
//! once more after SiLU.

use super::moving::Moving;
use super::quantization::{encoded, format_of, packed, rounded, value};
use super::reshaping::refused;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, first};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static CAUSALCONVWITHSTATE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "CausalConvWithState",
    inputs: &[
        Input::new("input"),
        Input::new("weight"),
        Input::new("bias").optional(),
        Input::new("past_state").optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(27, first(FLOATS, 3), &[ACTIVATION])],
    restricted: &[],
    run,
};

const ACTIVATION: AttributeSpec = AttributeSpec {
    name: "activation",
    accepts: |value| {
        let Attribute::Text(text) = value else { return false };
        ["none", "silu", "swish"].contains(&text.as_str())
    },
    expected: "`none`, `silu` or `swish`",
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (Some(input), Some(weight)) = (call.input(0), call.input(1)) else {
        let (operator, actual) = (call.operator, call.given.len());
        return Err(KernelError::Arity { operator, expected: 2, actual });
    };
    let (&[batch, channels, length], &[own, 1, kernel]) = (input.shape(), weight.shape()) else {
        return Err(refused(call, "the input and the weights are no lines of channels"));
    };
    let (bias, past) = (call.input(2), call.input(3));
    let before = kernel.saturating_sub(1);
    let state = [batch, channels, before];
    let fit = own == channels
        && kernel > 0
        && bias.is_none_or(|bias| bias.shape() == [channels])
        && past.is_none_or(|past| past.shape() == state);
    if !fit {
        return Err(refused(call, "the sizes of the operands do not fit together"));
    }
    let format = format_of(call, input)?;
    // The element at a place of a line that begins with the state.
    let element = |line: usize, place: usize| match (place.checked_sub(before), past) {
        (Some(place), _) => value(input, line * length + place),
        (None, Some(past)) => value(past, line * before + place),
        (None, None) => 0.0,
    };
    let is_activated =
        matches!(call.attributes.get("activation"), Some(Attribute::Text(name)) if name != "none");
    let output = packed(input.dtype(), input.shape(), |at| {
        let (line, place) = (at / length, at % length);
        let channel = line % channels;
        // Without a state there is nothing in front.
        let from = if past.is_some() { 0 } else { before.saturating_sub(place) };
        let terms = (from..kernel)
            .map(|tap| value(weight, channel * kernel + tap) * element(line, place + tap));
        let start = bias.map_or(0.0, |bias| value(bias, channel));
        let sum = terms.fold(start, |sum, term| sum + term);
        match is_activated {
            true => encoded(format, activated(rounded(format, sum)), false),
            false => encoded(format, sum, false),
        }
    })?;
    let mut present = Moving::new(input.dtype(), state.to_vec())?;
    let zeros = packed(input.dtype(), &[before.min(present.elements)], |_| 0)?;
    let kept = before.saturating_sub(length);
    for line in 0..if before == 0 { 0 } else { batch * channels } {
        match past {
            Some(past) => present.take(past, (line + 1) * before - kept, kept),
            None => present.take(&zeros, 0, kept),
        }
        present.take(input, (line + 1) * length - (before - kept), before - kept);
    }
    Ok(vec![output, present.done()?])
}

/// x / (1 + e^-x), by the power of e that is at most 1.
fn activated(x: f64) -> f64 {
    let power = libm::exp(-x.abs());
    x * (if x < 0.0 { power } else { 1.0 } / (1.0 + power))
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
    use values::dtype::DType::{Float16, Float32};
    use values::tensor::Tensor;

    fn run(
        inputs: &[Option<&Tensor>],
        activation: Option<&str>,
    ) -> Result<Vec<Tensor>, KernelError> {
        let text = |name: &str| ("activation".to_owned(), Attribute::Text(name.to_owned()));
        let attributes: Attributes = activation.map(text).into_iter().collect();
        find("CausalConvWithState", 27).unwrap().run(inputs, &attributes)
    }

    #[test]
    fn a_state_comes_in_front_and_the_end_is_the_next_one() {
        let input = tensor(Float32, &[1, 2, 2], &[1_f32, 2.0, 3.0, 4.0]);
        let weight = tensor(Float32, &[2, 1, 4], &[1000_f32, 100.0, 10.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        let bias = tensor(Float32, &[2], &[0.5_f32, 0.0]);
        let past = tensor(Float32, &[1, 2, 3], &[5_f32, 6.0, 7.0, 8.0, 9.0, 10.0]);
        let all = run(&[Some(&input), Some(&weight), Some(&bias), Some(&past)], None).unwrap();
        assert_eq!(read::<f32>(&all[0]), [5671.5, 6712.5, 30.0, 26.0]);
        assert_eq!(read::<f32>(&all[1]), [7.0, 1.0, 2.0, 10.0, 3.0, 4.0]);
        let all = run(&[Some(&input), Some(&weight)], Some("none")).unwrap();
        assert_eq!(read::<f32>(&all[0]), [1.0, 12.0, 3.0, 7.0]);
        assert_eq!(read::<f32>(&all[1]), [0.0, 1.0, 2.0, 0.0, 3.0, 4.0]);
        // Whatever comes after the place, and the weights of what is not there.
        let weight = tensor(Float32, &[2, 1, 2], &[f32::NAN, 1.0, 0.0, 1.0]);
        let all = run(&[Some(&input), Some(&weight)], None).unwrap();
        assert_eq!(read::<f32>(&all[0])[0], 1.0);
        assert!(read::<f32>(&all[0])[1].is_nan());
        assert_eq!(read::<f32>(&all[1]), [2.0, 4.0]);
    }

    #[test]
    fn both_names_of_the_activation_are_silu() {
        let input = tensor(Float32, &[1, 1, 3], &[1_f32, -2.0, 100.0]);
        let weight = tensor(Float32, &[1, 1, 1], &[1_f32]);
        let of = |x: f64| (x / (1.0 + (-x).exp())) as f32;
        for name in ["silu", "swish"] {
            let all = run(&[Some(&input), Some(&weight)], Some(name)).unwrap();
            assert_eq!(read::<f32>(&all[0]), [1.0, -2.0, 100.0].map(of));
            assert_eq!(all[1].shape(), [1, 1, 0]);
        }
        let halves = tensor(Float16, &[1, 1, 1], &[0x3c00_u16]);
        let all = run(&[Some(&halves), Some(&halves)], Some("silu")).unwrap();
        assert_eq!(read::<u16>(&all[0]), [0x39d9]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let ones = |shape: &[usize]| tensor(Float32, shape, &vec![1_f32; shape.iter().product()]);
        let input = ones(&[2, 3, 4]);
        for shape in [&[3, 2][..], &[2, 1, 2], &[3, 2, 2], &[3, 1, 0]] {
            let error = run(&[Some(&input), Some(&ones(shape))], None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{shape:?}");
        }
        let weight = ones(&[3, 1, 2]);
        let past = ones(&[2, 3, 2]);
        assert!(run(&[Some(&input), Some(&weight), None, Some(&past)], None).is_err());
        assert!(run(&[Some(&input), Some(&weight), Some(&ones(&[2]))], None).is_err());
        assert!(run(&[Some(&input), Some(&weight)], Some("relu")).is_err());
    }
}

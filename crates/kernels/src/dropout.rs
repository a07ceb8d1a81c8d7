//! Dropout: in inference the data, and a mask that is true everywhere. In training elements are dropped as ONNX's
//! own cases have it, by the numbers of NumPy's `RandomState`, and the others scaled.

use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, refused};
use super::signature::{AttributeSpec, CONSUMED_INPUTS, Domain, Input, Types, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::{
    self, Bfloat16, Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16,
    Float32, Float64,
};
use values::tensor::Tensor;

pub(super) static DROPOUT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Dropout",
    inputs: &[
        Input::new("data"),
        Input { types: Types::Since(OF_RATIO), ..Input::new("ratio") }.optional().since(12),
        Input::of("training_mode", Bool).optional().since(12),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[IS_TEST, CONSUMED_INPUTS, RATIO]),
        Version::with(6, without_bfloat16(FLOATS), &[IS_TEST, RATIO]),
        Version::with(7, without_bfloat16(FLOATS), &[RATIO]),
        Version::with(10, without_bfloat16(FLOATS), &[RATIO]),
        Version::with(12, without_bfloat16(FLOATS), &[SEED]),
        Version::with(13, FLOATS, &[SEED]),
        Version::with(22, ALL, &[SEED]),
    ],
    restricted: &[],
    run,
};

const RATIO: AttributeSpec = AttributeSpec::number("ratio");
const IS_TEST: AttributeSpec = integer("is_test");
const SEED: AttributeSpec = integer("seed");

#[rustfmt::skip]
const ALL: &[DType] = &[
    Bfloat16, Float16, Float32, Float64,
    Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
];

const OF_RATIO: &[(i64, &[DType])] = &[(12, without_bfloat16(FLOATS)), (22, ALL)];

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let data = call.input(0).ok_or_else(|| refused(call, "there are no data"))?;
    let since = call.operator.since_version();
    let others = [call.input(1), call.input(2)];
    if others.iter().flatten().any(|other| !other.shape().is_empty()) {
        return Err(refused(call, "the ratio and the mode are scalars"));
    }
    let is_training = match since {
        ..7 => call.int("is_test", 0) == 0,
        _ => others[1].is_some_and(|mode| mode.element(0) == Some(1)),
    };
    let ratio = match others[0] {
        _ if !is_training => 0.0,
        Some(ratio) => value(ratio, 0),
        None => call.float("ratio", 0.5).into(),
    };
    let format = format_of(call, data)?;
    let mut random = Twister::new(call.int("seed", 0) as u32);
    let count = if ratio == 0.0 { 0 } else { data.elements() };
    let kept: Vec<bool> = (0..count).map(|_| random.share() >= ratio).collect();
    let is_kept = |at: usize| kept.get(at).is_none_or(|kept| *kept);
    let mut outputs = vec![match ratio == 0.0 {
        true => data.clone(),
        false => packed(data.dtype(), data.shape(), |at| {
            let mask = if is_kept(at) { 1.0 } else { 0.0 };
            encoded(format, value(data, at) / (1.0 - ratio) * mask, false)
        })?,
    }];
    if call.outputs > 1 {
        let dtype = if since < 10 { data.dtype() } else { Bool };
        let one = if dtype == Bool { 1 } else { encoded(format, 1.0, false) };
        outputs.push(packed(dtype, data.shape(), |at| if is_kept(at) { one } else { 0 })?);
    }
    Ok(outputs)
}

/// The Mersenne Twister MT19937 of Matsumoto and Nishimura, seeded by a number.
struct Twister {
    state: [u32; 624],
    next: usize,
}

impl Twister {
    fn new(seed: u32) -> Self {
        let mut state = [seed; 624];
        for at in 1..state.len() {
            let last = state[at - 1];
            state[at] = (last ^ last >> 30).wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        Self { state, next: 624 }
    }

    fn word(&mut self) -> u32 {
        if self.next == self.state.len() {
            for at in 0..624 {
                let joined = self.state[at] & 1 << 31 | self.state[(at + 1) % 624] & !(1 << 31);
                let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[at] = self.state[(at + 397) % 624] ^ joined >> 1 ^ odd;
            }
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// A number from 0 to below 1, of 53 bits.
    fn share(&mut self) -> f64 {
        let [high, low] = [self.word() >> 5, self.word() >> 6];
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, KernelError, find};
    use values::dtype::DType::{Bool, Float32};
    use values::tensor::Tensor;

    fn dropped(
        since: i64,
        ratio: Option<f32>,
        mode: Option<u8>,
        is_test: Option<i64>,
    ) -> Result<Vec<Tensor>, KernelError> {
        let data = tensor(Float32, &[2], &[0x7fa0_0001_u32, 1]);
        let ratio = ratio.map(|ratio| tensor(Float32, &[], &[ratio]));
        let mode = mode.map(|mode| tensor(Bool, &[], &[mode]));
        let mut inputs = vec![Some(&data)];
        inputs
            .extend((since >= 12).then_some([ratio.as_ref(), mode.as_ref()]).into_iter().flatten());
        let is_test = is_test.map(|it| ("is_test".to_owned(), Attribute::Int(it)));
        find("Dropout", since).unwrap().run_for(2, &inputs, &Attributes::from_iter(is_test))
    }

    #[test]
    fn inference_copies() {
        for (since, ratio, mode, is_test) in [
            (1, None, None, Some(1)),
            (7, None, None, None),
            (10, None, None, None),
            (12, Some(0.9), None, None),
            (13, Some(0.9), Some(0), None),
            (22, Some(-0.0), Some(1), None),
        ] {
            let outputs = dropped(since, ratio, mode, is_test).unwrap();
            let bits = [0, 1].map(|at| outputs[0].element(at).unwrap());
            assert_eq!(bits, [0x7fa0_0001, 1]);
            let one = if since < 10 { 0x3f80_0000 } else { 1 };
            assert_eq!(outputs[1].element(1), Some(one), "{since}");
        }
    }

    #[test]
    fn random_numbers_are_those_of_numpy() {
        let mut random = super::Twister::new(0);
        assert_eq!(
            [random.share(), random.share()],
            [0.548_813_503_927_324_8, 0.715_189_366_372_419_5]
        );
    }

    #[test]
    fn training_drops_some_elements_and_scales_the_others() {
        let data = tensor(Float32, &[400], &[1.0_f32; 400]);
        let [ratio, mode] = [tensor(Float32, &[], &[0.75_f32]), tensor(Bool, &[], &[1_u8])];
        let inputs = [Some(&data), Some(&ratio), Some(&mode)];
        let outputs = find("Dropout", 22).unwrap().run_for(2, &inputs, &Attributes::new()).unwrap();
        let (output, mask) = (read::<f32>(&outputs[0]), read::<u8>(&outputs[1]));
        let kept = mask.iter().filter(|kept| **kept == 1).count();
        assert!((60..140).contains(&kept), "{kept}");
        assert!(output.iter().zip(&mask).all(|(it, kept)| *it == f32::from(*kept) * 4.0));
        assert!(dropped(6, None, None, None).is_ok());
    }
}

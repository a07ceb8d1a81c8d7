//! States by hand, and the recurrence in float32 token by token and by chunks, which conform, beside what is far from it.

use values::dtype::DType::{self, Bfloat16, Float16, Float32};
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

fn floats(shape: &[usize], all: &[f32]) -> Option<Tensor> {
    let all: Vec<f32> = all.iter().copied().cycle().take(shape.iter().product()).collect();
    Tensor::from_values(Float32, shape.to_vec(), all).ok()
}

fn halves(dtype: DType, shape: &[usize], all: &[u16]) -> Option<Tensor> {
    Tensor::from_values(dtype, shape.to_vec(), all.to_vec()).ok()
}

/// A call with its numbers of heads, update rule and scale.
fn call(
    inputs: Vec<Option<Tensor>>,
    heads: [i64; 2],
    rule: &str,
    scale: f32,
) -> Result<(Call, Vec<TensorType>), Invalid> {
    let attributes = Attributes::from([
        ("q_num_heads".to_owned(), AttributeValue::Int(heads[0])),
        ("kv_num_heads".to_owned(), AttributeValue::Int(heads[1])),
        ("update_rule".to_owned(), AttributeValue::Text(rule.to_owned())),
        ("scale".to_owned(), AttributeValue::Float(scale.to_bits())),
    ]);
    let (operator, version) = (&LINEARATTENTION, LINEARATTENTION.newest());
    Call::new(operator, version, Specification::Onnx, attributes, inputs)
}

/// What conforms of both outputs.
fn outputs(
    inputs: Vec<Option<Tensor>>,
    heads: [i64; 2],
    rule: &str,
    scale: f32,
) -> Result<[Vec<Conforming>; 2], Invalid> {
    let (call, types) = call(inputs, heads, rule, scale)?;
    let allowed = LINEARATTENTION.reference.allowed(&call, &types);
    let all = |at: usize| {
        let count = types[at].shape.iter().product();
        (0..count).map(|index| allowed[at].at(index)).collect()
    };
    Ok([all(0), all(1)])
}

/// Those that are the only ones which conform.
fn certain(all: &[Conforming]) -> Option<Vec<f32>> {
    let of = |one: &Conforming| match one {
        Conforming::One(bits) => Some(f32::from_bits(*bits as u32)),
        _ => None,
    };
    all.iter().map(of).collect()
}

fn accepts(conforming: &Conforming, actual: f32) -> bool {
    conforming.accepts(actual.to_bits().into())
}

#[test]
fn whole_numbers_are_exact_in_every_order() {
    let q = || floats(&[1, 2, 2], &[1.0, 10.0, 100.0, 1.0]);
    let k = || floats(&[1, 2, 2], &[1.0, 2.0, 3.0, -1.0]);
    let v = || floats(&[1, 2, 1], &[5.0, 7.0]);
    let past = floats(&[1, 1, 2, 1], &[1000.0, 2000.0]);
    let [output, state] = outputs(vec![q(), k(), v(), past], [1, 1], "linear", 1.0).unwrap();
    assert_eq!(certain(&output), Some(vec![21_105.0, 104_603.0]));
    assert_eq!(certain(&state), Some(vec![1026.0, 2003.0]));
    let beta = floats(&[1, 2, 1], &[0.5, 1.0]);
    let inputs = vec![q(), k(), v(), None, None, beta];
    let [output, state] = outputs(inputs, [1, 1], "delta", 2.0).unwrap();
    // 2.5 and 5, then 7 - 2.5 times 3 and -1 more.
    assert_eq!(certain(&state), Some(vec![16.0, 0.5]));
    assert_eq!(certain(&output), Some(vec![105.0, 3201.0]));
}

#[test]
fn decays_are_of_heads_or_of_rows_and_read_with_the_token_that_they_come_with() {
    let ones = || floats(&[1, 1, 4], &[1.0]);
    let zeros = || floats(&[1, 1, 4], &[0.0]);
    let past = || floats(&[1, 2, 2, 2], &[8.0, 16.0]);
    let of = |decay: Option<Tensor>| {
        outputs(vec![ones(), zeros(), ones(), past(), decay], [2, 2], "gated", 1.0).unwrap()
    };
    let hidden = f32::NEG_INFINITY;
    let [output, state] = of(floats(&[1, 1, 2], &[0.0, hidden]));
    assert_eq!(certain(&state[..4]), Some(vec![8.0, 16.0, 8.0, 16.0]));
    assert_eq!(certain(&output[..2]), Some(vec![16.0, 32.0]));
    assert!(
        state[4..].iter().chain(&output[2..]).all(|one| accepts(one, 0.0) && !accepts(one, 1.0))
    );
    let log = 0.5_f32.ln();
    let [_, state] = of(floats(&[1, 1, 4], &[log, 0.0, hidden, 0.0]));
    assert!(accepts(&state[0], 4.0) && accepts(&state[1], 8.0));
    assert!(!accepts(&state[0], 4.000_01) && !accepts(&state[0], 8.0));
    assert_eq!(certain(&state[2..4]), Some(vec![8.0, 16.0]));
}

#[test]
fn heads_of_queries_share_those_of_keys_in_order() {
    let q = floats(&[1, 1, 4], &[1.0, 2.0, 3.0, 4.0]);
    let inputs = vec![q, floats(&[1, 1, 2], &[1.0]), floats(&[1, 1, 2], &[10.0, 100.0])];
    let [output, state] = outputs(inputs, [4, 2], "linear", 1.0).unwrap();
    assert_eq!(certain(&output), Some(vec![10.0, 20.0, 300.0, 400.0]));
    assert_eq!(certain(&state), Some(vec![10.0, 100.0]));
}

#[test]
fn the_scale_is_one_over_the_root_of_the_depth_where_it_is_zero() {
    for (depth, scale, expected) in [(4, 0.0, 2.0), (4, -0.0, 2.0), (4, 3.0, 12.0)] {
        let ones = || floats(&[1, 1, depth], &[1.0]);
        let inputs = vec![ones(), ones(), floats(&[1, 1, 1], &[1.0])];
        let [output, _] = outputs(inputs, [1, 1], "linear", scale).unwrap();
        assert_eq!(certain(&output), Some(vec![expected]));
    }
    let ones = || floats(&[1, 1, 2], &[1.0]);
    let [output, _] =
        outputs(vec![ones(), ones(), floats(&[1, 1, 1], &[1.0])], [1, 1], "linear", 0.0).unwrap();
    assert!(accepts(&output[0], 2.0_f32.sqrt()) && !accepts(&output[0], 1.0));
}

/// Operands of one head, drawn.
struct Drawn {
    depth: usize,
    width: usize,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    g: Vec<f32>,
    beta: Vec<f32>,
    past: Vec<f32>,
}

impl Drawn {
    fn new(tokens: usize, depth: usize, width: usize, seed: u32) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut all = |count: usize, from: f32, to: f32| -> Vec<f32> {
            (0..count).map(|_| from + (to - from) * next()).collect()
        };
        let root = (depth as f32).sqrt();
        Self {
            depth,
            width,
            q: all(tokens * depth, -2.0, 2.0),
            k: all(tokens * depth, -1.5 / root, 1.5 / root),
            v: all(tokens * width, -2.0, 2.0),
            g: all(tokens, -0.5, 0.0),
            beta: all(tokens, 0.0, 1.0),
            past: all(depth * width, -1.0, 1.0),
        }
    }

    fn tokens(&self) -> usize {
        self.g.len()
    }

    fn inputs(&self, rule: &str) -> Vec<Option<Tensor>> {
        let (tokens, depth, width) = (self.tokens(), self.depth, self.width);
        let is_gated = rule.starts_with("gated");
        let is_delta = rule.ends_with("delta");
        vec![
            floats(&[1, tokens, depth], &self.q),
            floats(&[1, tokens, depth], &self.k),
            floats(&[1, tokens, width], &self.v),
            floats(&[1, 1, depth, width], &self.past),
            floats(&[1, tokens, 1], &self.g).filter(|_| is_gated),
            floats(&[1, tokens, 1], &self.beta).filter(|_| is_delta),
        ]
    }

    /// Token by token, each step rounded by a function.
    fn recurrence(&self, rule: &str, rounded: impl Fn(f64) -> f64) -> [Vec<f32>; 2] {
        let (depth, width) = (self.depth, self.width);
        let wide = |x: f32| f64::from(x);
        let mut state: Vec<f64> = self.past.iter().map(|x| wide(*x)).collect();
        let mut output = Vec::new();
        for t in 0..self.tokens() {
            if rule.starts_with("gated") {
                let decay = rounded(wide(self.g[t]).exp());
                state.iter_mut().for_each(|x| *x = rounded(*x * decay));
            }
            for m in 0..width {
                let mut written = wide(self.v[t * width + m]);
                if rule.ends_with("delta") {
                    let known = (0..depth).fold(0.0, |sum, d| {
                        rounded(sum + rounded(state[d * width + m] * wide(self.k[t * depth + d])))
                    });
                    written = rounded(wide(self.beta[t]) * rounded(written - known));
                }
                for d in 0..depth {
                    let more = rounded(wide(self.k[t * depth + d]) * written);
                    state[d * width + m] = rounded(state[d * width + m] + more);
                }
            }
            for m in 0..width {
                let sum = (0..depth).fold(0.0, |sum, d| {
                    rounded(sum + rounded(wide(self.q[t * depth + d]) * state[d * width + m]))
                });
                output.push(rounded(sum * 0.3_f32 as f64) as f32);
            }
        }
        [output, state.into_iter().map(|x| x as f32).collect()]
    }

    /// All tokens as one chunk in float32: products of keys with each other, of which what each token writes follows by substitution.
    fn chunk(&self, rule: &str) -> [Vec<f32>; 2] {
        let (tokens, depth, width) = (self.tokens(), self.depth, self.width);
        let is_gated = rule.starts_with("gated");
        let mut sums = Vec::new();
        let mut sum = 0.0_f32;
        for g in &self.g {
            sum += if is_gated { *g } else { 0.0 };
            sums.push(sum);
        }
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).fold(0.0_f32, |sum, (a, b)| sum + a * b);
        let of = |all: &'static str, t: usize| -> &[f32] {
            let all = if all == "q" { &self.q } else { &self.k };
            &all[t * depth..(t + 1) * depth]
        };
        let column =
            |m: usize| -> Vec<f32> { (0..depth).map(|d| self.past[d * width + m]).collect() };
        let mut written = vec![0.0_f32; tokens * width];
        for i in 0..tokens {
            for m in 0..width {
                let mut own = self.v[i * width + m];
                if rule.ends_with("delta") {
                    let mut known = sums[i].exp() * dot(of("k", i), &column(m));
                    for j in 0..i {
                        let product = dot(of("k", i), of("k", j)) * (sums[i] - sums[j]).exp();
                        known += product * written[j * width + m];
                    }
                    own = self.beta[i] * (own - known);
                }
                written[i * width + m] = own;
            }
        }
        let mut output = Vec::new();
        for t in 0..tokens {
            for m in 0..width {
                let mut sum = sums[t].exp() * dot(of("q", t), &column(m));
                for i in 0..=t {
                    let product = dot(of("q", t), of("k", i)) * (sums[t] - sums[i]).exp();
                    sum += product * written[i * width + m];
                }
                output.push(sum * 0.3);
            }
        }
        let last = sums[tokens - 1];
        let mut state = Vec::new();
        for d in 0..depth {
            for m in 0..width {
                let mut sum = last.exp() * self.past[d * width + m];
                for i in 0..tokens {
                    sum +=
                        self.k[i * depth + d] * ((last - sums[i]).exp() * written[i * width + m]);
                }
                state.push(sum);
            }
        }
        [output, state]
    }
}

const RULES: [&str; 4] = ["linear", "gated", "delta", "gated_delta"];

#[test]
fn the_recurrence_and_chunks_of_it_conform_in_float32() {
    for (seed, tokens) in [(1, 1), (2, 3), (3, 6), (4, 8)] {
        let drawn = Drawn::new(tokens, 5, 3, seed);
        for rule in RULES {
            let all = outputs(drawn.inputs(rule), [1, 1], rule, 0.3).unwrap();
            let single = |x: f64| f64::from(x as f32);
            let results =
                [drawn.recurrence(rule, single), drawn.recurrence(rule, |x| x), drawn.chunk(rule)];
            for (way, results) in results.iter().enumerate() {
                for (own, results) in all.iter().zip(results) {
                    for (at, (own, result)) in own.iter().zip(results).enumerate() {
                        assert!(own.is_decided(), "{rule} {tokens} {at}");
                        assert!(
                            accepts(own, *result),
                            "{rule} {tokens} {way} {at} {result} {own:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_far_from_it_does_not_conform() {
    for (tokens, far) in [(1, 2e-5_f32), (4, 1e-4)] {
        let drawn = Drawn::new(tokens, 4, 2, 9);
        for rule in RULES {
            let all = outputs(drawn.inputs(rule), [1, 1], rule, 0.3).unwrap();
            let results = drawn.recurrence(rule, |x| x);
            for (own, results) in all.iter().zip(&results) {
                for (own, result) in own.iter().zip(results) {
                    assert!(!accepts(own, result + far), "{rule} {tokens} {result} {own:?}");
                    assert!(!accepts(own, result - far), "{rule} {tokens} {result} {own:?}");
                }
            }
        }
    }
}

#[test]
fn one_token_is_known_to_few_units() {
    let of = |x: f32| floats(&[1, 1, 1], &[x]);
    let past = floats(&[1, 1, 1, 1], &[0.7]);
    let (q, k, v) = (1.1_f32, 0.9_f32, 1.3_f32);
    let [output, state] = outputs(vec![of(q), of(k), of(v), past], [1, 1], "linear", 1.0).unwrap();
    let state_of = 0.7_f32 + k * v;
    for (own, result) in [(&state[0], state_of), (&output[0], q * state_of)] {
        assert!(accepts(own, result));
        for far in [-8, 8] {
            let far = f32::from_bits(result.to_bits().saturating_add_signed(far));
            assert!(!accepts(own, far), "{result} {far} {own:?}");
        }
    }
}

#[test]
fn a_state_of_its_own_type_keeps_what_it_has() {
    let half = |all: &[u16]| halves(Float16, &[1, 1, all.len()], all);
    let past = || floats(&[1, 1, 1, 1], &[2049.0]);
    // A key of 0 changes nothing, but that it may be read in float16.
    let inputs = vec![half(&[0x3c00]), half(&[0]), half(&[0x3c00]), past()];
    let [output, state] = outputs(inputs, [1, 1], "linear", 1.0).unwrap();
    assert!(accepts(&state[0], 2049.0) && !accepts(&state[0], 2060.0));
    assert!(output[0].accepts(0x6800) || output[0].accepts(0x6801));
    // Without tokens the state is that before them.
    let none = || halves(Float16, &[1, 0, 1], &[]);
    let inputs = vec![none(), none(), none(), past()];
    let [output, state] = outputs(inputs, [1, 1], "linear", 1.0).unwrap();
    assert_eq!((output.len(), certain(&state)), (0, Some(vec![2049.0])));
    let (call, types) = call(vec![none(), none(), none()], [1, 1], "linear", 1.0).unwrap();
    assert_eq!(types[1].dtype, Float16);
    assert!(!LINEARATTENTION.reference.is_disputed(&call));
}

#[test]
fn infinities_are_those_of_the_recurrence_or_of_another_order() {
    let ones = |all: &[f32]| floats(&[1, all.len(), 1], all);
    let inputs = vec![ones(&[1.0, 1.0]), ones(&[1.0, 0.0]), ones(&[2.0, f32::INFINITY])];
    let [output, state] = outputs(inputs, [1, 1], "linear", 1.0).unwrap();
    assert_eq!(certain(&output[..1]), Some(vec![2.0]));
    assert!(accepts(&output[1], f32::NAN) && accepts(&output[1], f32::INFINITY));
    assert!(!accepts(&output[1], 2.0) && !accepts(&state[0], 2.0));
    let inputs = vec![ones(&[1.0]), ones(&[1.0]), ones(&[f32::INFINITY])];
    let [_, state] = outputs(inputs, [1, 1], "linear", 1.0).unwrap();
    assert!(accepts(&state[0], f32::INFINITY) && !accepts(&state[0], f32::NAN));
    let inputs = vec![ones(&[f32::NAN]), ones(&[1.0]), ones(&[1.0])];
    let [output, state] = outputs(inputs, [1, 1], "linear", 1.0).unwrap();
    assert!(accepts(&output[0], f32::NAN) && !accepts(&output[0], f32::INFINITY));
    assert_eq!(certain(&state), Some(vec![1.0]));
}

#[test]
fn overflow_conforms_where_the_recurrence_may_overflow() {
    let half = |all: &[u16]| halves(Float16, &[1, 1, all.len()], all);
    // 300 times 300 in float16.
    let inputs = vec![half(&[0x3c00]), half(&[0x5cb0]), half(&[0x5cb0])];
    let [output, state] = outputs(inputs, [1, 1], "linear", 1.0).unwrap();
    assert!(state[0].accepts(0x7c00) && !state[0].accepts(0x7bff) && output[0].accepts(0x7c00));
    let inputs = vec![half(&[0x3c00]), half(&[0x3c00]), half(&[0x5cb0])];
    let [output, _] = outputs(inputs, [1, 1], "linear", 1.0).unwrap();
    assert!(!output[0].accepts(0x7c00) && output[0].accepts(0x5cb0));
}

#[test]
fn so_many_roundings_of_few_bits_are_undecided() {
    let tokens = 64;
    let all: Vec<u16> = (0..tokens).map(|at| 0x3f80 + at as u16).collect();
    let of = || halves(Bfloat16, &[1, tokens, 1], &all);
    let [output, state] =
        outputs(vec![of(), of(), of(), None, None, of()], [1, 1], "delta", 1.0).unwrap();
    assert!(output[0].is_decided());
    assert!(!output[tokens - 1].is_decided() && !state[0].is_decided());
}

#[test]
fn what_does_not_fit_is_refused() {
    let ones = |shape: &[usize]| floats(shape, &[1.0]);
    let all = || vec![ones(&[1, 2, 8]), ones(&[1, 2, 4]), ones(&[1, 2, 6])];
    let of = |inputs, heads, rule| outputs(inputs, heads, rule, 1.0).is_ok();
    assert!(of(all(), [4, 2], "linear"));
    for heads in [[3, 2], [0, 0], [4, -2], [4, 3], [2, 2]] {
        assert!(!of(all(), heads, "linear"), "{heads:?}");
    }
    for rule in ["gated", "delta", "gated_delta", "Linear"] {
        assert!(!of(all(), [4, 2], rule), "{rule}");
    }
    let with = |at: usize, shape: &[usize], rule: &str| {
        let mut inputs = all();
        inputs.resize(6, None);
        inputs[at] = ones(shape);
        outputs(inputs, [4, 2], rule, 1.0).is_ok()
    };
    assert!(with(3, &[1, 2, 2, 3], "linear") && with(4, &[1, 2, 2], "gated"));
    assert!(with(4, &[1, 2, 4], "gated") && with(5, &[1, 2, 1], "delta"));
    assert!(!with(3, &[1, 2, 2, 2], "linear") && !with(3, &[2, 2, 3], "linear"));
    assert!(!with(4, &[1, 2, 6], "gated") && !with(4, &[1, 1, 2], "gated"));
    assert!(!with(5, &[1, 2, 3], "delta") && !with(5, &[1, 2, 4], "delta"));
    assert!(!with(0, &[2, 8], "linear") && !with(1, &[1, 2, 6], "linear"));
    assert!(!with(2, &[1, 3, 6], "linear") && !with(2, &[1, 2, 5], "linear"));
}

#[test]
fn a_decay_that_no_rule_uses_is_disputed() {
    let ones = |shape: &[usize]| floats(shape, &[1.0]);
    let mut inputs = vec![ones(&[1, 2, 2]), ones(&[1, 2, 2]), ones(&[1, 2, 2]), None];
    inputs.push(ones(&[1, 2, 1]));
    let (call, _) = call(inputs, [1, 1], "linear", 1.0).unwrap();
    assert!(LINEARATTENTION.reference.is_disputed(&call));
}

//! Wrong kernels are found by challenges of every seed, as they are by the committed cases.

use std::collections::BTreeMap;

use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Answer, Backend, Identity, Outcome, Task};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::dtype::DType;
use onnx_conformance::tensor::{Tensor, Value};

use super::{SEEDS, challenge, executed, made};

/// The built-in kernels, but for elements of a type: operands and the right result give a wrong one.
struct Wrong {
    dtype: DType,
    result: fn(&[u64], u64) -> u64,
}

impl Backend for Wrong {
    fn identity(&self) -> Identity {
        Identity { name: "wrong".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let Answer { outcome, stderr } = Builtin.run(task);
        let outcome = match outcome {
            Outcome::Outputs(outputs) => {
                Outcome::Outputs(outputs.into_iter().map(|it| self.altered(task, it)).collect())
            }
            other => other,
        };
        Answer { outcome, stderr }
    }
}

impl Wrong {
    fn altered(&self, task: &Task<'_>, output: Value) -> Value {
        let Value::Tensor(right) = &output else { return output };
        let of_one_shape = task
            .inputs
            .iter()
            .all(|input| matches!(input, Value::Tensor(input) if input.shape() == right.shape()));
        if right.dtype() != self.dtype || !of_one_shape {
            return output;
        }
        let width = self.dtype.bits().unwrap() as usize / 8;
        let element = |at: usize| {
            let operands = task.inputs.iter().map(|input| match input {
                Value::Tensor(input) => input.element(at).unwrap() as u64,
                _ => panic!("{input:?}"),
            });
            let result = right.element(at).unwrap() as u64;
            (self.result)(&operands.collect::<Vec<_>>(), result)
        };
        let bytes: Vec<u8> = (0..right.elements())
            .flat_map(|at| element(at).to_le_bytes().into_iter().take(width))
            .collect();
        Tensor::from_bits(self.dtype, right.shape().to_vec(), bytes.into()).unwrap().into()
    }
}

fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits(value: f32) -> u64 {
    value.to_bits().into()
}

/// Defects by name, the cases that are run and the kernels.
fn defects() -> Vec<(&'static str, &'static str, Wrong)> {
    let float32 = |result| Wrong { dtype: DType::Float32, result };
    vec![
        (
            "subnormal results are flushed",
            "/div/float32/",
            float32(|_, right| if float(right).is_subnormal() { right & 1 << 31 } else { right }),
        ),
        (
            "subnormal operands are flushed",
            "/sqrt/float32/",
            float32(
                |operands, right| {
                    if float(operands[0]).is_subnormal() { operands[0] & 1 << 31 } else { right }
                },
            ),
        ),
        (
            "ties go away from zero",
            "/div/float32/",
            float32(|operands, right| {
                let exact = f64::from(float(operands[0])) / f64::from(float(operands[1]));
                let units = exact.abs() * 2_f64.powi(149);
                let is_tie = units < 8_388_608.0 && units.fract() == 0.5;
                if is_tie { units.ceil() as u64 | right & 1 << 31 } else { right }
            }),
        ),
        (
            "a reciprocal is multiplied",
            "/div/float32/",
            float32(|operands, right| {
                let [a, b] = [operands[0], operands[1]].map(float);
                let product = a * (1.0 / b);
                if product.is_normal() && float(right).is_normal() { bits(product) } else { right }
            }),
        ),
        (
            "roots are rounded twice",
            "/sqrt/float16/",
            Wrong {
                dtype: DType::Float16,
                result: |operands, right| {
                    right - u64::from(operands[0] & 0x3ff == 0x3ff && right > 1)
                },
            },
        ),
        (
            "overflow is saturated",
            "/mul/float32/",
            float32(|operands, right| {
                let are_finite = operands.iter().all(|&operand| float(operand).is_finite());
                if are_finite && float(right).is_infinite() { right - 1 } else { right }
            }),
        ),
        (
            "integers are divided as float32",
            "/div/int32/",
            Wrong {
                dtype: DType::Int32,
                result: |operands, right| match operands[1] {
                    0 | 0xffff_ffff => right,
                    _ => {
                        let [a, b] = [operands[0], operands[1]].map(|bits| bits as i32 as f32);
                        (a / b) as i32 as u32 as u64
                    }
                },
            },
        ),
        (
            "payloads are lost",
            "/where/float32/special",
            float32(|_, right| if float(right).is_nan() { bits(f32::NAN) } else { right }),
        ),
        (
            "the sign of a zero is lost",
            "/div/float32/",
            float32(|_, right| if right == 1 << 31 { 0 } else { right }),
        ),
    ]
}

#[test]
fn every_defect_is_found_by_challenges_of_every_seed() {
    let third = [(Suite::Sonnx, challenge("three").corpus(Suite::Sonnx).unwrap())];
    let of = |at| [(Suite::Sonnx, Corpus::clone(made(at, Suite::Sonnx)))];
    for (seed, corpora) in [(SEEDS[0], of(0)), (SEEDS[1], of(1)), ("three", third)] {
        for (defect, filter, wrong) in defects() {
            let run = executed(seed, &corpora, wrong, Some(filter));
            assert!(run.has_failed(), "{defect} by the seed {seed}");
        }
    }
}

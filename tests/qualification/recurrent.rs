//! RNN, GRU and LSTM computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::Float32;
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::defect::{Defect, Wrong};
use crate::request::{Request, picked};

const ALL: &[&str] = &["GRU", "LSTM", "RNN"];
const LSTM: &[&str] = &["LSTM"];
const GRU: &[&str] = &["GRU"];
const RNN: &[&str] = &["RNN"];

/// The places of the inputs.
const W: usize = 1;
const R: usize = 2;
const B: usize = 3;
const P: usize = 7;

/// The outcome with something changed of a request of float32 that is not refused.
fn changed(
    request: &Request<'_>,
    right: Outcome,
    change: impl FnOnce(&mut Request<'_>),
) -> Outcome {
    if !matches!(right, Outcome::Outputs(_)) {
        return right;
    }
    let mut other = request.clone();
    change(&mut other);
    other.computed()
}

/// The tensor with the parts of its second dimension, so many of each direction, in another order.
fn reordered(tensor: &Tensor, order: &[usize]) -> Tensor {
    let shape = tensor.shape().to_vec();
    let (directions, rows) = (shape[0], shape[1]);
    let inner = tensor.elements() / (directions * rows).max(1);
    let part = rows / order.len() * inner;
    let place = |at: usize| {
        let (direction, within) = (at / (rows * inner), at % (rows * inner));
        direction * rows * inner + order[within / part] * part + within % part
    };
    let indices: Vec<usize> = (0..tensor.elements()).map(place).collect();
    picked(tensor, &indices, &shape)
}

/// The tensor of float32 with each element made anew of its place and what it was.
fn floats(tensor: &Tensor, element: impl Fn(usize, f32) -> f32) -> Tensor {
    let value = |at: usize| f32::from_bits(tensor.element(at).unwrap() as u32);
    let values = (0..tensor.elements()).map(|at| element(at, value(at))).collect::<Vec<_>>();
    Tensor::from_values(Float32, tensor.shape().to_vec(), values).unwrap()
}

/// Applies a change to an operand, if it is given.
fn operand(request: &mut Request<'_>, input: usize, change: impl FnOnce(&Tensor) -> Tensor) {
    if let Some(tensor) = request.given(input) {
        *tensor = change(tensor);
    }
}

const fn defect(
    id: &'static str,
    says: &'static str,
    operators: &'static [&'static str],
    caught_by: &'static str,
    wrong: Wrong,
) -> Defect {
    Defect { id, class: Arithmetic, says, operators, types: &[Float32], caught_by, wrong }
}

pub(crate) const DEFECTS: &[Defect] = &[
    defect(
        "lstm-gates-ifco",
        "The gates of W, R and B are read as input, forget, cell, output.",
        LSTM,
        "sonnx onnx",
        Wrong::Tensors(|request, right| {
            changed(request, right, |other| {
                for input in [W, R] {
                    operand(other, input, |tensor| reordered(tensor, &[0, 3, 1, 2]));
                }
                operand(other, B, |tensor| reordered(tensor, &[0, 3, 1, 2, 4, 7, 5, 6]));
            })
        }),
    ),
    defect(
        "lstm-peepholes-ifo",
        "The weights of peepholes are read as input, forget, output.",
        LSTM,
        "sonnx onnx",
        Wrong::Tensors(|request, right| {
            changed(request, right, |other| {
                operand(other, P, |tensor| reordered(tensor, &[0, 2, 1]));
            })
        }),
    ),
    defect(
        "gru-shares-swapped",
        "The update gate is the share of what is new.",
        GRU,
        "onnx onnx-1.22.0 onnx-1.22.0-exact",
        Wrong::Tensors(|request, right| {
            if request.attributes.contains_key("activations") {
                return right;
            }
            // The sigmoid function of -x is 1 less that of x.
            changed(request, right, |other| {
                for (input, parts) in [(W, 3), (R, 3), (B, 6)] {
                    operand(other, input, |tensor| {
                        let all = tensor.elements() / tensor.shape()[0].max(1);
                        let part = (all / parts).max(1);
                        floats(tensor, |at, value| {
                            if (at % all.max(1) / part).is_multiple_of(3) { -value } else { value }
                        })
                    });
                }
            })
        }),
    ),
    defect(
        "rnn-recurrent-bias-left-out",
        "The second half of B is left out.",
        RNN,
        "onnx onnx-1.22.0-exact",
        Wrong::Tensors(|request, right| {
            changed(request, right, |other| {
                operand(other, B, |tensor| {
                    let all = (tensor.elements() / tensor.shape()[0].max(1)).max(1);
                    floats(tensor, |at, value| if at % all < all / 2 { value } else { 0.0 })
                });
            })
        }),
    ),
    Defect {
        class: Indexing,
        ..defect(
            "recurrent-reverse-not-turned",
            "In the direction reverse Y is in the order of the steps.",
            ALL,
            "onnx",
            Wrong::Tensors(|request, right| {
                let reverse = Attribute::Text("reverse".to_owned());
                let is_batch_first = request.attributes.get("layout") == Some(&Attribute::Int(1));
                if request.attributes.get("direction") != Some(&reverse) || is_batch_first {
                    return right;
                }
                let Outcome::Outputs(mut outputs) = right else { return right };
                if let Some(Value::Tensor(y)) = outputs.first()
                    && let &[steps, _, batch, hidden] = y.shape()
                {
                    let step = batch * hidden;
                    let place = |at: usize| (steps - 1 - at / step) * step + at % step;
                    let indices: Vec<usize> = (0..y.elements()).map(place).collect();
                    outputs[0] = picked(y, &indices, y.shape()).into();
                }
                Outcome::Outputs(outputs)
            }),
        )
    },
    Defect {
        class: Indexing,
        ..defect(
            "recurrent-last-of-all-steps",
            "Y_h is what Y holds last, though a sequence ends before.",
            LSTM,
            "onnx",
            Wrong::Tensors(|request, right| {
                let is_forward = !request.attributes.contains_key("direction")
                    || request.attributes.get("direction")
                        == Some(&Attribute::Text("forward".to_owned()));
                if !is_forward || request.attributes.contains_key("layout") {
                    return right;
                }
                let Outcome::Outputs(mut outputs) = right else { return right };
                if let [Value::Tensor(y), Value::Tensor(last), ..] = outputs.as_slice()
                    && y.elements() > 0
                {
                    let from = y.elements() - last.elements();
                    let indices: Vec<usize> = (from..y.elements()).collect();
                    outputs[1] = picked(y, &indices, last.shape()).into();
                }
                Outcome::Outputs(outputs)
            }),
        )
    },
];

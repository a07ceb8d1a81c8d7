//! RNN, GRU and LSTM against ONNX's evaluator, which computes them in float64 where they are of that type. It knows
//! neither other activation functions nor `clip`, `sequence_lens` and `input_forget`, which cases and tests by hand have;
//! before release 1.23 neither `direction` and `layout` nor the third output of LSTM.

use std::process::Command;

use onnx_conformance::dtype::DType::Float64;
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{AttributeValue, Attributes, Domain, Operator};
use onnx_conformance::reference::operators;
use onnx_conformance::tensor::Tensor;
use values::element::Element;

use super::ask::{self, Answer};
use super::check::Check;
use crate::support;

/// Numbers from -1 to 1 in steps of 1/64.
pub(super) fn numbers(random: &mut Random, shape: &[usize]) -> Option<Tensor> {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|_| random.between(-64, 64) as f64 / 64.0).collect::<Vec<_>>();
    Tensor::from_values(Float64, shape.to_vec(), values).ok()
}

/// What an evaluator knows of layers.
#[derive(Clone, Copy)]
struct Knows {
    /// Every direction and layout, and every output.
    directions: bool,
}

impl Knows {
    fn of(python: &str) -> Self {
        let asked = "import onnx; print(*onnx.__version__.split('.')[:2])";
        let output = Command::new(python).args(["-c", asked]).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        let release: Vec<u32> = told.split_whitespace().map(|part| part.parse().unwrap()).collect();
        Self { directions: release.as_slice() >= [1, 23].as_slice() }
    }
}

/// A call of random sizes, with or without what may be left out.
fn call(operator: &'static Operator, gates: usize, knows: Knows, random: &mut Random) -> Check {
    let mut size = |most: i128| random.between(1, most) as usize;
    let [steps, batch, inputs, hidden] = [size(4), size(3), size(4), size(3)];
    let words = ["forward", "reverse", "bidirectional"];
    let word = words[size(if knows.directions { 3 } else { 1 }) - 1];
    let directions = if word == "bidirectional" { 2 } else { 1 };
    let is_batch_first = knows.directions && size(2) == 2;
    let [has_bias, has_state, has_peepholes] = [(); 3].map(|()| size(2) == 2);
    let mut attributes = Attributes::new();
    attributes.insert("direction".to_owned(), AttributeValue::Text(word.to_owned()));
    attributes.insert("layout".to_owned(), AttributeValue::Int(is_batch_first.into()));
    attributes.insert("hidden_size".to_owned(), AttributeValue::Int(hidden as i64));
    if operator.name == "GRU" {
        let linear = AttributeValue::Int((size(2) == 2).into());
        attributes.insert("linear_before_reset".to_owned(), linear);
    }
    let [x, state] = match is_batch_first {
        true => [[batch, steps, inputs], [batch, directions, hidden]],
        false => [[steps, batch, inputs], [directions, batch, hidden]],
    };
    let mut given = |is_given: bool, shape: &[usize]| {
        if is_given { numbers(random, shape) } else { None }
    };
    let mut all = vec![
        given(true, &x),
        given(true, &[directions, gates * hidden, inputs]),
        given(true, &[directions, gates * hidden, hidden]),
        given(has_bias, &[directions, 2 * gates * hidden]),
        None,
        given(has_state, &state),
    ];
    if operator.name == "LSTM" {
        all.push(given(has_state, &state));
        all.push(given(has_peepholes, &[directions, 3 * hidden]));
    }
    let mut check = Check::new(operator, Float64, attributes, all);
    if !knows.directions {
        check.outputs.truncate(2);
    }
    check
}

/// Holds the calls against the evaluator: how many elements were compared.
pub(super) fn compared(python: &str, checks: &[Check]) -> usize {
    let mut compared = 0;
    for (check, answers) in checks.iter().zip(ask::answers(python, checks)) {
        let call = &check.call;
        let told = || format!("{} {:?}", call.operator, call.attributes);
        let Some(Answer::Elements(elements)) = answers.get("evaluator") else {
            panic!("{}: {answers:?}", told());
        };
        let allowed = call.operator.reference.allowed(call, &check.outputs);
        let mut elements = elements.iter();
        for (output, (own, allowed)) in check.outputs.iter().zip(&allowed).enumerate() {
            for index in 0..own.shape.iter().product() {
                let Some(Element::Bits(_, actual)) = elements.next() else { panic!("{}", told()) };
                let actual = *actual as u64;
                let conforming = allowed.at(index);
                assert!(conforming.is_decided(), "{} {output} {index}", told());
                let value = f64::from_bits(actual);
                assert!(
                    conforming.accepts(actual),
                    "{} {output} {index}: {value}, not {conforming:?}",
                    told()
                );
                compared += 1;
            }
        }
        assert!(elements.next().is_none(), "{}", told());
    }
    compared
}

#[test]
fn layers_are_as_the_evaluator_has_them() {
    let Some(python) = support::python("onnx and numpy") else { return };
    let (mut random, knows) = (Random::new(71), Knows::of(&python));
    for (name, gates) in [("RNN", 1), ("GRU", 3), ("LSTM", 4)] {
        let operator = operators::find(Domain::Onnx, name).unwrap();
        let checks: Vec<Check> =
            (0..40).map(|_| call(operator, gates, knows, &mut random)).collect();
        let count = compared(&python, &checks);
        eprintln!("{name}: {count} elements of {} calls", checks.len());
        assert!(count > 400, "{name}: {count}");
    }
}

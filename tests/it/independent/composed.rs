//! What is composed of several operations: the expected outputs of the own cases against ONNX's evaluator in float64, which
//! shares nothing with the reference.

use std::process::Command;

use crate::support;

const OPERATORS: [&str; 9] = [
    "batchnormalization",
    "instancenormalization",
    "layernormalization",
    "logsoftmax",
    "lpnormalization",
    "range",
    "rmsnormalization",
    "rotaryembedding",
    "softmax",
];

const ONE_DIMENSION: &str = "it takes one dimension as a line in every version";
const LOGARITHM: &str = "it takes the logarithm of a share that is rounded, to 0 or 1 at last";
const SIGNED: &str = "it adds up elements instead of their magnitudes";
const OUTPUTS: &str = "it fails on one output of more, and on features";

/// Cases, by parts of their paths, of which the evaluator is known to make something else, and why.
const STATED: [(&[&str], &str); 23] = [
    (&["range_27/int64/", "/ends"], "it counts the elements with a quotient that is rounded"),
    (&["softmax_1/"], ONE_DIMENSION),
    (&["softmax_11/"], ONE_DIMENSION),
    (&["logsoftmax_13/", "/axis_2"], LOGARITHM),
    (&["logsoftmax_13/", "/axis_minus_1"], LOGARITHM),
    (&["logsoftmax_13/", "/ends"], LOGARITHM),
    (&["logsoftmax_13/", "/far_apart"], LOGARITHM),
    (&["logsoftmax_13/", "/large"], LOGARITHM),
    (&["logsoftmax_13/", "/small_shares"], LOGARITHM),
    (&["sonnx/softmax/", "none_but_minus_infinity"], "ONNX's formula gives NaN, SONNX's text 0"),
    (&["lpnormalization_", "_p_1"], SIGNED),
    // These have `p` 1 as well.
    (&["lpnormalization_22/", "/subnormal_operands"], SIGNED),
    (&["lpnormalization_22/float32/nan_"], SIGNED),
    (&["lpnormalization_22/float32/pairs_1"], SIGNED),
    (&["lpnormalization_", "/axis_2"], SIGNED),
    (&["lpnormalization_", "/axis_minus_1"], SIGNED),
    (&["lpnormalization_", "/axis_rank_5"], SIGNED),
    (&["batchnormalization_1/"], "it does not have the version"),
    (&["batchnormalization_6/"], OUTPUTS),
    (&["batchnormalization_7/"], OUTPUTS),
    (&["batchnormalization_9/"], OUTPUTS),
    (&["instancenormalization_1/"], "it does not know `consumed_inputs`"),
    (&["batchnormalization_15/", "training_rank_1"], "it does not take one dimension"),
];

#[test]
fn expected_outputs_of_composed_operators_are_those_of_the_evaluator_in_float64() {
    let Some(python) = support::python("onnx and numpy") else { return };
    let root = support::suites::unpacked(|case| {
        OPERATORS.contains(&case.split(['_', '/']).next().unwrap())
    });
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/independent/composed.py");
    let output =
        Command::new(python).arg(script).arg(root.path()).args(OPERATORS).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut seen, mut agreeing, mut wrong) = ([0; STATED.len()], 0, Vec::new());
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [path, right, differing, refusal @ ..] = fields.as_slice() else { panic!("{line}") };
        let counts = [right, differing].map(|count| count.parse::<usize>().unwrap());
        agreeing += counts[0];
        if counts[1] == 0 && refusal.is_empty() {
            continue;
        }
        let is_stated = |(parts, _): &(&[&str], &str)| parts.iter().all(|part| path.contains(part));
        match STATED.iter().position(is_stated) {
            Some(at) => seen[at] += 1,
            None => wrong.push(line.to_owned()),
        }
    }
    for ((parts, reason), count) in STATED.iter().zip(seen) {
        assert!(count > 0, "{parts:?} agrees: {reason}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(agreeing > 20_000, "{agreeing}");
}

//! The suite `sonnx-draft`: the earlier draft of Div, with its restrictions R1 to R5.

use super::answer::Answer;
use super::case::Case;
use super::graph::{Node, make_last_input_sparse};
use super::{GenerateError, NUMERIC};
use crate::dtype::{DType, Kind};
use crate::suite::Suite;
use crate::tensor::Tensor;
use reference::elements::{counting, ones, tensor, whole};

/// What every case within the restrictions verifies.
const WITHIN: [&str; 6] = [
    "P_DIVDRAFT_TYPES_0010",
    "P_DIVDRAFT_TYPES_0020",
    "P_DIVDRAFT_C1",
    "P_DIVDRAFT_ATTR_0010",
    "P_DIVDRAFT_FORMAL_0020",
    "P_DIVDRAFT_FORMAL_0030",
];
/// What it verifies besides, where no divisor is zero, and where one is.
const QUOTIENT: [&str; 1] = ["P_DIVDRAFT_FUNC_0010"];
const INFINITY: [&str; 3] = ["P_DIVDRAFT_R5", "P_DIVDRAFT_FUNC_0020", "P_DIVDRAFT_C2"];

/// An example of the document.
struct Example {
    name: &'static str,
    shape: &'static [usize],
    dividends: &'static [i128],
    divisors: &'static [i128],
}

const EXAMPLES: [Example; 2] = [
    Example { name: "example_1", shape: &[1, 3], dividends: &[6, 9, 35], divisors: &[3, 3, 5] },
    Example {
        name: "example_2",
        shape: &[3, 2],
        dividends: &[3, 4, 16, 0, 25, 24],
        divisors: &[3, 2, 4, 1, 5, 4],
    },
];

/// The examples in Python, which divide floats; the second one has a zero divisor.
const FLOAT_EXAMPLES: [Example; 2] = [
    Example {
        name: "example_numpy",
        shape: &[3, 2],
        dividends: &[1, 3, 5, 7, 9, 12],
        divisors: &[11, 22, 33, -44, -55, 66],
    },
    Example {
        name: "example_numpy_zero",
        shape: &[1, 3],
        dividends: &[6, 9, 35],
        divisors: &[3, 3, 0],
    },
];

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for dtype in NUMERIC {
        let float = matches!(dtype.kind(), Kind::Float(_));
        let more: &[Example] = if float { &FLOAT_EXAMPLES } else { &[] };
        for Example { name, shape, dividends, divisors } in EXAMPLES.iter().chain(more) {
            let [a, b] = [integers(dtype, shape, dividends)?, integers(dtype, shape, divisors)?];
            let zero: &[&str] = if divisors.contains(&0) { &INFINITY } else { &[] };
            cases.push(within(name, a, b, &[&QUOTIENT, zero], "an example of the document")?);
        }
        cases.extend(zero_divisors(dtype)?);
    }
    cases.extend(refused()?);
    Ok(cases)
}

fn node() -> Node {
    Node::new("Div", 14)
}

fn integers(dtype: DType, shape: &[usize], values: &[i128]) -> Result<Tensor, GenerateError> {
    let elements = values.iter().map(|&value| whole(dtype, value));
    Ok(tensor(dtype, shape, &elements.collect::<Result<Vec<_>, _>>()?)?)
}

/// Zeros as divisors: of everything but zero, and of zero.
fn zero_divisors(dtype: DType) -> Result<Vec<Case>, GenerateError> {
    let Kind::Float(format) = dtype.kind() else {
        let (a, b) = (integers(dtype, &[3], &[0, 1, 7])?, integers(dtype, &[3], &[0; 3])?);
        let note = "an integer type has no infinity, so a refusal or any value may come back";
        return Ok(vec![within("zero_divisor", a, b, &[&INFINITY], note)?]);
    };
    let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
    let positive = [1, 1 << format.significand_bits, whole(dtype, 7)?, infinity - 1, infinity];
    let signs = |bits| [bits, format.negated(bits)];
    let pairs = |dividends: &[u64]| {
        let signed: Vec<u64> = dividends.iter().copied().flat_map(signs).collect();
        let a: Vec<u64> = signed.iter().flat_map(|&bits| [bits, bits]).collect();
        let b: Vec<u64> = signed.iter().flat_map(|_| signs(0)).collect();
        let shape = [a.len()];
        Ok::<_, GenerateError>((tensor(dtype, &shape, &a)?, tensor(dtype, &shape, &b)?))
    };
    let (number, zero) = (pairs(&positive)?, pairs(&[0])?);
    Ok(vec![
        within(
            "zero_divisor",
            number.0,
            number.1,
            &[&INFINITY],
            "the infinity has the sign that IEEE 754 gives it",
        )?,
        within(
            "zero_by_zero",
            zero.0,
            zero.1,
            &[&INFINITY],
            "an infinity by the draft's formula, NaN by IEEE 754: any value may come back",
        )?,
    ])
}

fn within(
    name: &str,
    a: Tensor,
    b: Tensor,
    requirements: &[&[&str]],
    note: &str,
) -> Result<Case, GenerateError> {
    let path = format!("sonnx-draft/div/{}/{name}", a.dtype());
    let inputs = vec![a, b];
    let answer = Answer::of(Suite::SonnxDraft, &node(), &inputs)?;
    let requirements = [&WITHIN[..], &requirements.concat()].concat();
    Ok(Case::new(path, &node(), inputs, answer, &requirements, note))
}

/// Cases that break a restriction.
fn refused() -> Result<Vec<Case>, GenerateError> {
    let dtype = DType::Float32;
    let case = |name: &str, operands: [Tensor; 2], answer, requirements: &[&str], note| {
        let path = format!("sonnx-draft/div/{}/refused_{name}", operands[0].dtype());
        Case::new(path, &node(), operands.into(), answer, requirements, note)
    };
    let divisor = counting(dtype, &[3], 1)?;
    let mut cases = vec![
        case(
            "shapes",
            [counting(dtype, &[2, 3], 10)?, counting(dtype, &[3, 2], 1)?],
            Answer::refusal(dtype, &[2, 3])?,
            &["P_DIVDRAFT_R1", "P_DIVDRAFT_C1", "P_DIVDRAFT_FORMAL_0010"],
            "A and B do not have the same shape",
        ),
        case(
            "broadcast",
            [counting(dtype, &[2, 3], 10)?, counting(dtype, &[3], 1)?],
            Answer::refusal(dtype, &[2, 3])?,
            &["P_DIVDRAFT_R1", "P_DIVDRAFT_R4", "P_DIVDRAFT_C1", "P_DIVDRAFT_FORMAL_0010"],
            "B could be broadcast to the shape of A, but nothing is",
        ),
        case(
            "sparse",
            [counting(dtype, &[3], 10)?, divisor.clone()],
            Answer::refusal(dtype, &[3])?,
            &["P_DIVDRAFT_R2"],
            "B is a sparse tensor",
        )
        .without_last_input()
        .with_graph(|graph| make_last_input_sparse(graph, &divisor)),
    ];
    for other in [DType::Bool, DType::String] {
        cases.push(case(
            "elements",
            [ones(other, &[3])?, ones(other, &[3])?],
            Answer::refusal(other, &[3])?,
            &["P_DIVDRAFT_R3", "P_DIVDRAFT_TYPES_0010"],
            "the elements are no numbers",
        ));
    }
    Ok(cases)
}

//! The suite `sonnx-draft`: the earlier draft of Div, with its restrictions R1 to R5.

use values::dtype::{DType, Kind};
use values::tensor::Tensor;

use super::super::DIV;
use crate::case_list::CaseList;
use crate::case_spec::{LastInput, Stated};
use crate::elements::{ElementError, counting, ones, tensor, whole};
use crate::operators::binary::NUMERIC;

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

pub(super) fn cases() -> Stated {
    let mut list = CaseList::sonnx_draft(&DIV);
    for dtype in NUMERIC {
        let float = matches!(dtype.kind(), Kind::Float(_));
        let more: &[Example] = if float { &FLOAT_EXAMPLES } else { &[] };
        for Example { name, shape, dividends, divisors } in EXAMPLES.iter().chain(more) {
            let [a, b] = [integers(dtype, shape, dividends)?, integers(dtype, shape, divisors)?];
            let zero: &[&str] = if divisors.contains(&0) { &INFINITY } else { &[] };
            let more = [&QUOTIENT, zero].concat();
            within(&mut list, name, [a, b], &more, "an example of the document");
        }
        zero_divisors(&mut list, dtype)?;
    }
    refused(&mut list)?;
    Ok(list.into_cases())
}

fn integers(dtype: DType, shape: &[usize], values: &[i128]) -> Result<Tensor, ElementError> {
    let elements = values.iter().map(|&value| whole(dtype, value));
    tensor(dtype, shape, &elements.collect::<Result<Vec<_>, _>>()?)
}

/// Zeros as divisors: of everything but zero, and of zero.
fn zero_divisors(list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
    let Kind::Float(format) = dtype.kind() else {
        let inputs = [integers(dtype, &[3], &[0, 1, 7])?, integers(dtype, &[3], &[0; 3])?];
        let note = "an integer type has no infinity, so a refusal or any value may come back";
        within(list, "zero_divisor", inputs, &INFINITY, note);
        return Ok(());
    };
    let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
    let positive = [1, 1 << format.significand_bits, whole(dtype, 7)?, infinity - 1, infinity];
    let signs = |bits| [bits, format.negated(bits)];
    let pairs = |dividends: &[u64]| {
        let signed: Vec<u64> = dividends.iter().copied().flat_map(signs).collect();
        let a: Vec<u64> = signed.iter().flat_map(|&bits| [bits, bits]).collect();
        let b: Vec<u64> = signed.iter().flat_map(|_| signs(0)).collect();
        let shape = [a.len()];
        Ok::<_, ElementError>([tensor(dtype, &shape, &a)?, tensor(dtype, &shape, &b)?])
    };
    let note = "the infinity has the sign that IEEE 754 gives it";
    within(list, "zero_divisor", pairs(&positive)?, &INFINITY, note);
    let note = "an infinity by the draft's formula, NaN by IEEE 754: any value may come back";
    within(list, "zero_by_zero", pairs(&[0])?, &INFINITY, note);
    Ok(())
}

fn within(list: &mut CaseList, name: &str, inputs: [Tensor; 2], more: &[&str], note: &str) {
    let requirements = [&WITHIN[..], more].concat();
    list.add(inputs[0].dtype(), name, inputs.into(), &requirements, note);
}

/// Cases that break a restriction.
fn refused(list: &mut CaseList) -> Result<(), ElementError> {
    let dtype = DType::Float32;
    let inputs = vec![counting(dtype, &[2, 3], 10)?, counting(dtype, &[3, 2], 1)?];
    let ids = ["P_DIVDRAFT_R1", "P_DIVDRAFT_C1", "P_DIVDRAFT_FORMAL_0010"];
    list.add(dtype, "refused_shapes", inputs, &ids, "A and B do not have the same shape")
        .refused(dtype, &[2, 3]);
    let inputs = vec![counting(dtype, &[2, 3], 10)?, counting(dtype, &[3], 1)?];
    let ids = ["P_DIVDRAFT_R1", "P_DIVDRAFT_R4", "P_DIVDRAFT_C1", "P_DIVDRAFT_FORMAL_0010"];
    let note = "B could be broadcast to the shape of A, but nothing is";
    list.add(dtype, "refused_broadcast", inputs, &ids, note).refused(dtype, &[2, 3]);
    let inputs = vec![counting(dtype, &[3], 10)?, counting(dtype, &[3], 1)?];
    list.add(dtype, "refused_sparse", inputs, &["P_DIVDRAFT_R2"], "B is a sparse tensor")
        .refused(dtype, &[3])
        .given(LastInput::Sparse);
    for other in [DType::Bool, DType::String] {
        let inputs = vec![ones(other, &[3])?, ones(other, &[3])?];
        let ids = ["P_DIVDRAFT_R3", "P_DIVDRAFT_TYPES_0010"];
        list.add(other, "refused_elements", inputs, &ids, "the elements are no numbers")
            .refused(other, &[3]);
    }
    Ok(())
}

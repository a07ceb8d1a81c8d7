//! Calls of Cast and CastLike: from each type to each that a document says something of.

use onnx_conformance::dtype::{DType, Kind, integer};
use onnx_conformance::float::Specials;
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{AttributeValue, Attributes, Operator};
use onnx_conformance::tensor::Tensor;

use super::check::{Check, narrow, vector};
use super::operands::{any, columns};
use AttributeValue::{Int, Text};

/// To each type: of every element of a narrow one where many are wanted, else of a share of the number.
pub(super) fn checks(operator: &'static Operator, from: DType, wanted: usize) -> Vec<Check> {
    let share = wanted / 5;
    let share = if wanted >= 1 << 16 { narrow(from, share) } else { share };
    let mut operands = columns(&[from], share, 11).remove(0);
    operands.extend(past_a_middle(from));
    let operands = vector(from, &operands);
    let mut checks = Vec::new();
    for to in operator.newest().outputs[0].types.iter().filter(|to| is_said(from, **to)) {
        let modes: &[Option<(&str, AttributeValue)>] = match to {
            DType::Float8E4M3Fn
            | DType::Float8E4M3Fnuz
            | DType::Float8E5M2
            | DType::Float8E5M2Fnuz => &[None, Some(("saturate", Int(0)))],
            DType::Float8E8M0 => &[
                None,
                Some(("round_mode", Text("down".to_owned()))),
                Some(("round_mode", Text("nearest".to_owned()))),
            ],
            _ => &[None],
        };
        let operands = match (from, to) {
            (DType::String, DType::String) => operands.clone(),
            (DType::String, to) => numerals(*to, share),
            _ => operands.clone(),
        };
        for mode in modes {
            let mut attributes = Attributes::new();
            if let Some((name, value)) = mode {
                attributes.insert((*name).to_owned(), value.clone());
            }
            let mut inputs = vec![Some(operands.clone())];
            if operator.name == "Cast" {
                attributes.insert("to".to_owned(), Int(i64::from(to.onnx_code())));
            } else {
                inputs.push(Some(vector(*to, &[0])));
            }
            checks.push(Check::new(operator, from, attributes, inputs));
        }
    }
    checks
}

/// What lies so little past the middle of two elements of bfloat16 that float32 has the middle.
fn past_a_middle(from: DType) -> Option<u128> {
    Some(match from {
        DType::Int32 | DType::Uint32 => (1 << 30) + (1 << 22) + 1,
        DType::Int64 | DType::Uint64 => (1 << 62) + (1 << 54) + 1,
        DType::Float64 => u128::from((1.0 + 2.0_f64.powi(-8) + f64::EPSILON).to_bits()),
        _ => return None,
    })
}

/// Whether a document says anything of this conversion: of strings it does of those of numbers.
fn is_said(from: DType, to: DType) -> bool {
    let is_integer = |dtype: DType| matches!(dtype.kind(), Kind::Int { .. });
    match (from, to.kind()) {
        (DType::String, Kind::Float(format)) => {
            !matches!(format.specials, Specials::Finite | Specials::ExponentOnly)
        }
        (DType::String, kind) => matches!(kind, Kind::Int { .. } | Kind::String),
        (from, Kind::String) => is_integer(from),
        _ => true,
    }
}

/// Strings that are numbers which a type has, or which lie between two that it has.
fn numerals(to: DType, count: usize) -> Tensor {
    let mut random = Random::for_case(&format!("numerals of {to}"));
    let numeral = |_| match to.kind() {
        Kind::Int { signed, bits } => integer(any(to, &mut random), signed, bits).to_string(),
        _ => decimal(&mut random),
    };
    let numerals: Vec<String> = (0..count).map(numeral).collect();
    let strings = numerals.into_iter().map(Into::into).collect();
    Tensor::from_strings(vec![count], strings).unwrap()
}

/// A number with a fraction and an exponent, without them, or a word.
fn decimal(random: &mut Random) -> String {
    const WORDS: [&str; 10] =
        ["NaN", "nan", "INF", "inf", "+INF", "-INF", "0", "-0", "0.0", "-0.0e5"];
    if random.below(12) == 0 {
        return WORDS[random.below(10) as usize].to_owned();
    }
    let mut digits = |most: u64| {
        let count = 1 + random.below(most);
        (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect::<String>()
    };
    let [whole, fraction] = [digits(4), digits(20)];
    let sign = ["", "-"][random.below(2) as usize];
    let fraction = if random.below(4) == 0 { String::new() } else { format!(".{fraction}") };
    let exponent = match random.below(4) {
        0 => String::new(),
        1 => format!("e{}", random.between(-320, 300)),
        2 => format!("E{}", random.between(-50, 35)),
        _ => format!("e{}", random.between(-8, 4)),
    };
    format!("{sign}{whole}{fraction}{exponent}")
}

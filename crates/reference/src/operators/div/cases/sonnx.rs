//! Div of SONNX within its constraints.

use values::dtype::{DType, Kind};
use values::float::Class;
use values::random::Random;
use values::tensor::Tensor;

use super::super::{DIV, FLOATS, INTEGERS};
use super::float_pairs::{self, Pair};
use super::int_pairs;
use crate::case_list::CaseList;
use crate::case_spec::Stated;
use crate::elements::{ElementError, counting, decimal, operand, tensor, whole};
use crate::exact::number::Int;
use crate::inputs::specials;
use crate::operators::{boundary_cases, size_cases};

/// What every case within the constraints verifies of the output: it has the shape and type of the
/// inputs.
const FLOAT: [&str; 4] = [
    "E_DIV_FLOAT_FUNC_0010",
    "E_DIV_FLOAT_CONSTR_C_0010",
    "E_DIV_FLOAT_CONSTR_C_0020",
    "P_DIV_FLOAT_TYPES_0010",
];
const INT: [&str; 5] = [
    "E_DIV_INT_FUNC_0010",
    "E_DIV_INT_CONSTR_C_0010",
    "E_DIV_INT_CONSTR_C_0020",
    "P_DIV_INT_TYPES_0010",
    "P_DIV_INT_ACC_0010",
];
/// What a case of integers with zero divisors verifies.
const INT_ZERO_DIVISOR: [&str; 1] = ["P_DIV_INT_ERR_0010"];

/// A document's example: its shape, and the operands as integers to be divided by a power of ten.
struct Example {
    name: &'static str,
    shape: &'static [usize],
    places: u32,
    dividends: &'static [i128],
    divisors: &'static [i128],
}

const REAL_EXAMPLES: [Example; 2] = [
    Example {
        name: "example_1",
        shape: &[1, 3],
        places: 1,
        dividends: &[61, 95, 357],
        divisors: &[30, 33, 51],
    },
    Example {
        name: "example_2",
        shape: &[3, 2],
        places: 1,
        dividends: &[37, 44, 162, 5, 253, 248],
        divisors: &[30, 22, 41, 10, 52, 40],
    },
];

const FLOAT_EXAMPLES: [Example; 2] = [
    Example {
        name: "example_1",
        shape: &[3, 2],
        places: 2,
        dividends: &[300, 450, 1600, 100, 2550, 2425],
        divisors: &[300, 200, 400, 0, 500, 400],
    },
    Example {
        name: "example_2",
        shape: &[3, 2],
        places: 2,
        dividends: &[325, 450, 1600, 0, 2550, 2425],
        divisors: &[300, 200, 400, 0, 500, 400],
    },
];

const INT_EXAMPLES: [Example; 2] = [
    Example {
        name: "example_1",
        shape: &[1, 3],
        places: 0,
        dividends: &[6, 5, -35],
        divisors: &[3, 3, 3],
    },
    Example {
        name: "example_2",
        shape: &[3, 2],
        places: 0,
        dividends: &[10, 10, 21, 1, 30, 9],
        divisors: &[3, 2, 4, 1, 5, 4],
    },
];

pub(super) fn cases() -> Stated {
    let mut list = CaseList::sonnx(&DIV);
    for example in &REAL_EXAMPLES {
        let note = "a real example of the document, its operands rounded to float64";
        example.add(&mut list, "real", DType::Float64, note)?;
    }
    for &dtype in FLOATS {
        for example in &FLOAT_EXAMPLES {
            example.add(&mut list, dtype.name(), dtype, "an example of the document")?;
        }
        float_classes(&mut list, dtype)?;
    }
    for &dtype in INTEGERS {
        let signed = matches!(dtype.kind(), Kind::Int { signed: true, .. });
        for example in INT_EXAMPLES.iter().filter(|e| signed || e.dividends.iter().all(|&a| a >= 0))
        {
            example.add(&mut list, dtype.name(), dtype, "an example of the document")?;
        }
        int_classes(&mut list, dtype)?;
    }
    for &dtype in FLOATS.iter().chain(INTEGERS) {
        let inputs = boundary_cases::inputs(&DIV, dtype)?;
        add(&mut list, dtype.name(), boundary_cases::NAME, inputs, boundary_cases::NOTE);
    }
    for sized in size_cases::operands("div", 2, true)? {
        add(&mut list, sized.dtype.name(), &sized.name, sized.operands, size_cases::NOTE);
    }
    for dtype in [DType::Float32, DType::Int32] {
        for (name, shape) in size_cases::SHAPES {
            let inputs = vec![counting(dtype, shape, 100)?, counting(dtype, shape, 1)?];
            let note = "the output has the shape of the inputs";
            add(&mut list, dtype.name(), name, inputs, note);
        }
    }
    Ok(list.into_cases())
}

impl Example {
    fn add(
        &self,
        list: &mut CaseList,
        folder: &str,
        dtype: DType,
        note: &str,
    ) -> Result<(), ElementError> {
        let operand = |digits: &[i128]| {
            let elements = digits.iter().map(|&digits| decimal(dtype, digits, self.places));
            tensor(dtype, self.shape, &elements.collect::<Result<Vec<_>, _>>()?)
        };
        let inputs = vec![operand(self.dividends)?, operand(self.divisors)?];
        add(list, folder, self.name, inputs, note);
        Ok(())
    }
}

/// Every pair of classes of special values, and the classes of quotients.
fn float_classes(list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
    let Kind::Float(format) = dtype.kind() else { return Ok(()) };
    for (a_class, dividends) in specials(format) {
        for (b_class, divisors) in specials(format) {
            let name = format!("{a_class}_by_{b_class}");
            let pairs = dividends.iter().flat_map(|&a| divisors.iter().map(move |&b| [a, b]));
            let note = format!("special values: each {a_class} divided by each {b_class}");
            add_pairs(list, dtype, &name, &pairs.collect::<Vec<_>>(), &note)?;
        }
    }
    for class in &float_pairs::CLASSES {
        let pairs = (class.draw)(format, &mut drawn_for(dtype, class.name));
        add_pairs(list, dtype, class.name, &pairs, class.note)?;
    }
    Ok(())
}

fn int_classes(list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
    let Kind::Int { signed, bits } = dtype.kind() else { return Ok(()) };
    for class in &int_pairs::CLASSES {
        let pairs = (class.draw)(Int { signed, bits }, &mut drawn_for(dtype, class.name));
        if pairs.is_empty() {
            continue;
        }
        let pairs = pairs.into_iter().map(|[a, b]| Ok([whole(dtype, a)?, whole(dtype, b)?]));
        let pairs = pairs.collect::<Result<Vec<_>, ElementError>>()?;
        add_pairs(list, dtype, class.name, &pairs, class.note)?;
    }
    Ok(())
}

/// What draws the operands of a class.
fn drawn_for(dtype: DType, class: &str) -> Random {
    Random::for_case(&format!("sonnx/div/{dtype}/{class}"))
}

fn add_pairs(
    list: &mut CaseList,
    dtype: DType,
    name: &str,
    pairs: &[Pair],
    note: &str,
) -> Result<(), ElementError> {
    let inputs = vec![operand(dtype, pairs, 0)?, operand(dtype, pairs, 1)?];
    add(list, dtype.name(), name, inputs, note);
    Ok(())
}

fn add(list: &mut CaseList, folder: &str, name: &str, inputs: Vec<Tensor>, note: &str) {
    let requirements = match inputs.as_slice() {
        [a, b] => requirements(a, b),
        _ => Vec::new(),
    };
    list.add_below(folder, name, inputs, &requirements, note);
}

/// What a case of these operands verifies: for floats the rows of the document's case analysis that
/// its elements are of.
fn requirements(a: &Tensor, b: &Tensor) -> Vec<&'static str> {
    let pairs = || (0..a.elements()).filter_map(|k| Some([a.element(k)?, b.element(k)?]));
    let format = match a.dtype().kind() {
        Kind::Float(format) => format,
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            let is_wrapped = |[a, b]: [u128; 2]| {
                signed && int.value(a as u64) == int.min() && int.value(b as u64) == -1
            };
            return match () {
                () if pairs().any(|[_, b]| b == 0) => INT_ZERO_DIVISOR.to_vec(),
                // No document decides a quotient that the type does not have, so nothing else is verified.
                () if pairs().any(is_wrapped) => vec!["E_DIV_INT_FUNC_0010"],
                () => INT.to_vec(),
            };
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => return Vec::new(),
    };
    let zero = |bits: u128| format.class(bits as u64) == Class::Zero;
    let number = |bits: u128| matches!(format.class(bits as u64), Class::Subnormal | Class::Normal);
    // The formula of the second row says infinity, which is not meant of NaN.
    let nan = |bits: u128| format.class(bits as u64) == Class::Nan;
    let rows = [
        ("P_DIV_FLOAT_FUNC_0011", pairs().any(|[a, b]| !zero(a) && !zero(b))),
        ("P_DIV_FLOAT_FUNC_0012", pairs().any(|[a, b]| !zero(a) && !nan(a) && zero(b))),
        ("P_DIV_FLOAT_FUNC_0013", pairs().any(|[a, b]| zero(a) && zero(b))),
        ("P_DIV_FLOAT_ERR_0010", pairs().any(|[a, b]| zero(a) && zero(b))),
        ("P_DIV_FLOAT_ACC_0010", pairs().any(|[a, b]| number(a) && number(b))),
    ];
    FLOAT.into_iter().chain(rows.into_iter().filter_map(|(id, is)| is.then_some(id))).collect()
}

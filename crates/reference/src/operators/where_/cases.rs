//! The cases of Where: elements of every type that are moved as they are, and how the three tensors are
//! broadcast.

use values::dtype::DType::{
    self, Bfloat16, Bool, Complex64, Complex128, Float8E4M3Fn, Float16, Float32, Float64, Int8,
    Int16, Int32, Int64, String as Text, Uint8, Uint16, Uint32, Uint64,
};
use values::dtype::Kind;
use values::tensor::{Tensor, element_count};

use super::WHERE;
use crate::case_spec::{CaseList, CaseSpec, LastInput};
use crate::elements::{ElementError, counting, decimal, ones, patterns, tensor};
use crate::inputs::specials;
use crate::operator::Version;
use crate::signature::AttributeValue;

const FLOATS: [DType; 3] = [Float16, Float32, Float64];
const INTS: [DType; 8] = [Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64];

/// A type of each width, and that without one, which are asked by more elements than a block holds.
const LONG: [DType; 6] = [Uint8, Int16, Float32, Int64, Complex128, Text];

/// Shapes of condition, X and Y that go together, by name.
const BROADCAST: [(&str, [&[usize]; 3]); 11] = [
    ("scalar_condition", [&[], &[2, 3], &[2, 3]]),
    ("scalar_x", [&[2, 3], &[], &[2, 3]]),
    ("scalar_y", [&[2, 3], &[2, 3], &[]]),
    ("condition_alone", [&[2, 3], &[], &[1]]),
    ("row_condition", [&[3], &[2, 3], &[2, 3]]),
    ("column_condition", [&[2, 1], &[2, 3], &[3]]),
    ("three_ways", [&[2, 1, 1], &[3, 1], &[4]]),
    ("cube", [&[3, 1, 3], &[3, 3, 1], &[1, 3, 3]]),
    ("rank_6", [&[2, 1, 2, 1, 3, 1], &[1, 3, 1, 2, 1, 2], &[2]]),
    ("scalars", [&[], &[], &[]]),
    ("empty", [&[0, 1], &[1, 3], &[3]]),
];

/// Shapes that do not.
const REFUSED: [(&str, [&[usize]; 3]); 4] = [
    ("condition", [&[4], &[3], &[3]]),
    ("x_and_y", [&[1], &[2, 3], &[3, 2]]),
    ("prefix", [&[2], &[2, 3], &[2, 3]]),
    ("empty", [&[0], &[2], &[1]]),
];

/// Shapes that SONNX refuses, most of which could be broadcast, and whose shape is another one.
const DIFFERENT: [(&str, [&[usize]; 3], &str); 6] = [
    ("scalar_condition", [&[], &[2, 3], &[2, 3]], "CONDITION"),
    ("row_condition", [&[3], &[2, 3], &[2, 3]], "CONDITION"),
    ("row_x", [&[2, 3], &[3], &[2, 3]], "X"),
    ("size_1_x", [&[2, 3], &[2, 1], &[2, 3]], "X"),
    ("scalar_y", [&[2, 3], &[2, 3], &[]], "Y"),
    ("transposed_y", [&[2, 3], &[2, 3], &[3, 2]], "Y"),
];

pub(super) fn cases() -> Result<Vec<CaseSpec>, ElementError> {
    let mut cases = sonnx()?;
    for version in WHERE.versions {
        cases.extend(onnx(version)?);
    }
    Ok(cases)
}

/// Truth values of a shape that take no period of a vector.
fn condition(shape: &[usize]) -> Result<Tensor, ElementError> {
    let count = element_count(shape)?;
    let bits: Vec<u64> = (0..count as u64).map(|k| k * k / 3 & 1 ^ k / 7 & 1).collect();
    tensor(Bool, shape, &bits)
}

/// X and Y of all elements that are told from each other, with the condition.
fn elements(dtype: DType, shape: &[usize]) -> Result<Vec<Tensor>, ElementError> {
    Ok(vec![condition(shape)?, patterns(dtype, shape, 0)?, patterns(dtype, shape, 1000)?])
}

/// Special values against each other: each is chosen from X and from Y, next to every kind of value.
fn special(dtype: DType) -> Result<Vec<Tensor>, ElementError> {
    let Kind::Float(format) = dtype.kind() else { return elements(dtype, &[5]) };
    let all: Vec<u64> = specials(format).into_iter().flat_map(|(_, values)| values).collect();
    let shape = [2, all.len()];
    let x: Vec<u64> = all.iter().chain(&all).copied().collect();
    let y: Vec<u64> = all.iter().rev().chain(&all[5..]).chain(&all[..5]).copied().collect();
    let truth: Vec<u64> = (0..x.len() as u64).map(|at| (at + at / shape[1] as u64) & 1).collect();
    Ok(vec![tensor(Bool, &shape, &truth)?, tensor(dtype, &shape, &x)?, tensor(dtype, &shape, &y)?])
}

fn onnx(version: &Version) -> Result<Vec<CaseSpec>, ElementError> {
    let mut list = CaseList::onnx(&WHERE, version);
    let types = version.inputs.last().map_or(&[][..], |port| port.types);
    let chosen = ["FUNC_0010", "FUNC_0020", "FUNC_0030", "TYPES_0010", "RESULT_0020"];
    let is_newest = version.since == WHERE.newest().since;
    for &dtype in types {
        let note = "elements that are told from each other, as far as the type has so many";
        let is_long = is_newest && LONG.contains(&dtype);
        let shape: &[usize] = if is_long { &[3, 7, 61] } else { &[3, 7] };
        list.add(dtype, "elements", elements(dtype, shape)?, &chosen, note);
        if is_newest && matches!(dtype.kind(), Kind::Float(_)) {
            let note = "special values next to each other, NaNs with their payloads";
            list.add(dtype, "special", special(dtype)?, &chosen, note);
        }
    }
    let inputs = |dtype, shapes: [&[usize]; 3]| {
        let [truth, x, y] = shapes;
        Ok::<_, ElementError>(vec![
            condition(truth)?,
            counting(dtype, x, 1)?,
            counting(dtype, y, 1000)?,
        ])
    };
    for (name, shapes) in BROADCAST {
        let ids = ["BCAST_0010", "RESULT_0010"];
        let note = "aligned at the last dimension, sizes of 1 are repeated";
        list.add(Float32, format!("broadcast_{name}"), inputs(Float32, shapes)?, &ids, note);
    }
    for (name, shapes) in REFUSED {
        let note = "the shapes do not go together";
        let name = format!("refused_broadcast_{name}");
        list.add(Float32, name, inputs(Float32, shapes)?, &["BCAST_0020"], note)
            .refused(Float32, shapes[1]);
    }
    let others = if types.contains(&Bfloat16) { Float8E4M3Fn } else { Bfloat16 };
    let shape = [2];
    for (name, types, id, note) in [
        ("type", [Bool, others, others], "TYPES_0010", "the version does not take this type"),
        (
            "condition",
            [Int32, Float32, Float32],
            "TYPES_0020",
            "the condition is not of truth values",
        ),
        ("condition", [Uint8, Int32, Int32], "TYPES_0020", "the condition is not of truth values"),
        ("types", [Bool, Float32, Float64], "TYPES_0030", "X and Y are of different types"),
        ("types", [Bool, Int32, Uint32], "TYPES_0030", "X and Y are of different types"),
    ] {
        let inputs = types.into_iter().map(|dtype| ones(dtype, &shape));
        let inputs = inputs.collect::<Result<_, _>>()?;
        list.add(types[1], format!("refused_{name}"), inputs, &[id], note)
            .refused(types[1], &shape);
    }
    Ok(list.into_cases())
}

fn sonnx() -> Result<Vec<CaseSpec>, ElementError> {
    let mut list = CaseList::sonnx(&WHERE);
    for dtype in FLOATS.into_iter().chain(INTS) {
        let is_float = FLOATS.contains(&dtype);
        let kind = if is_float { "FLOAT" } else { "INT" };
        let ids = |ends: &[&str]| -> Vec<String> {
            ends.iter().map(|end| format!("P_WHERE_{kind}_{end}")).collect()
        };
        let chosen =
            ids(&["FUNC_0010", "FUNC_0020", "TYPES_0010", "CONSTR_Z_0010", "CONSTR_Z_0020"]);
        list.add(
            dtype,
            "elements",
            elements(dtype, &[3, 7, 11])?,
            &chosen,
            "elements of all kinds",
        );
        if is_float {
            let ids = ids(&["FUNC_0010", "FUNC_0020", "FUNC_0030"]);
            let note = "special values next to each other, NaNs with their payloads";
            list.add(dtype, "special", special(dtype)?, &ids, note);
            let note = "an example of the document";
            list.add(dtype, "example_1", example(dtype)?, &ids, note);
        } else {
            let truth = tensor(Bool, &[3, 2], &[1, 1, 1, 0, 0, 1])?;
            let x = tensor(dtype, &[3, 2], &[1, 20, 3, 40, 5, 60])?;
            let y = tensor(dtype, &[3, 2], &[12, 110, 10, 90, 8, 70])?;
            let note = "an example of the document";
            list.add(dtype, "example_1", vec![truth, x, y], &chosen, note);
        }
        if !matches!(dtype, Float32 | Int32) {
            continue;
        }
        for (name, shape) in
            [("rank_0", &[][..]), ("rank_6", &[2, 1, 2, 1, 3, 2]), ("empty_2x0x3", &[2, 0, 3])]
        {
            let note = "the output has the shape of the inputs";
            list.add(dtype, name, elements(dtype, shape)?, &chosen, note);
        }
        for (name, [truth, x, y], of) in DIFFERENT {
            let inputs = vec![condition(truth)?, counting(dtype, x, 1)?, counting(dtype, y, 50)?];
            let note = "the inputs do not have one shape, and nothing is broadcast";
            let ids = ids(&[&format!("CONSTR_{of}_0010")]);
            list.add(dtype, format!("refused_shape_{name}"), inputs, &ids, note)
                .refused(dtype, &[2, 3]);
        }
        let note = "the model declares another shape for the output than the inputs have";
        let inputs = || elements(dtype, &[2, 3]);
        list.add(dtype, "refused_shape_output", inputs()?, &ids(&["CONSTR_Z_0010"]), note)
            .refused(dtype, &[3, 2]);
        let other = if is_float { Float64 } else { Int64 };
        let mut type_ids = ids(&["CONSTR_Z_0020"]);
        type_ids.push("GR3".to_owned());
        let note = "the model declares another type for the output than X and Y have";
        list.add(dtype, "refused_type_output", inputs()?, &type_ids, note).refused(other, &[2, 3]);
        let mut type_ids = ids(&["CONSTR_X_0020", "CONSTR_Y_0020"]);
        type_ids.push("GR3".to_owned());
        let different = vec![condition(&[3])?, ones(dtype, &[3])?, ones(other, &[3])?];
        let note = "X and Y are of different types, and nothing is converted implicitly";
        list.add(dtype, "refused_types", different, &type_ids, note).refused(dtype, &[3]);
        let numbers = vec![ones(Uint8, &[3])?, ones(dtype, &[3])?, ones(dtype, &[3])?];
        let note = "the condition is not of truth values";
        list.add(dtype, "refused_condition", numbers, &ids(&["TYPES_0010"]), note)
            .refused(dtype, &[3]);
        list.add(dtype, "refused_sparse_y", inputs()?, &["GR1"], "Y is a sparse tensor")
            .refused(dtype, &[2, 3])
            .given(LastInput::Sparse);
        let note = "the model leaves the element type of Y open";
        list.add(dtype, "refused_untyped_y", inputs()?, &["GR2"], note)
            .refused(dtype, &[2, 3])
            .given(LastInput::Untyped);
        let note = "the node carries an attribute";
        list.add(dtype, "refused_attribute", inputs()?, &["P_WHERE_ATTR_0010"], note)
            .refused(dtype, &[2, 3])
            .with("axis", AttributeValue::Int(0));
    }
    for dtype in [Bfloat16, Text, Complex64, Bool] {
        let ids = ["P_WHERE_FLOAT_TYPES_0010", "P_WHERE_INT_TYPES_0010"];
        // The document's conditions are of truth values, its elements are not.
        let inputs = elements(dtype, &[3])?;
        let note = "the document names no such type for X and Y";
        list.add(dtype, "refused_type", inputs, &ids, note).refused(dtype, &[3]);
    }
    Ok(list.into_cases())
}

/// The document's first example of floats, and its second, which has special values.
fn example(dtype: DType) -> Result<Vec<Tensor>, ElementError> {
    let Kind::Float(format) = dtype.kind() else { return elements(dtype, &[3]) };
    let [finite_x, finite_y] = [[190, 280, 371], [160, 250, 340]]
        .map(|row| row.into_iter().map(|tenths| decimal(dtype, tenths, 1)));
    let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
    let nan = infinity | 1 << (format.significand_bits - 1);
    let minus = |bits| format.negated(bits);
    let mut x = finite_x.collect::<Result<Vec<_>, _>>()?;
    let mut y = finite_y.collect::<Result<Vec<_>, _>>()?;
    x.extend([0, 0, infinity, infinity, nan]);
    y.extend([0, minus(0), minus(infinity), minus(infinity), decimal(dtype, 1, 0)?]);
    let truth = tensor(Bool, &[8], &[1, 0, 1, 1, 0, 1, 0, 1])?;
    Ok(vec![truth, tensor(dtype, &[8], &x)?, tensor(dtype, &[8], &y)?])
}

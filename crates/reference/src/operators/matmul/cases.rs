//! The cases of MatMul: products that single out one term, sums whose exact result is known by
//! construction, special values, and the shapes that go together.

use values::dtype::DType::{self, Bfloat16, Bool, Float32, Float64, Int8, Int32, Int64, Uint16};
use values::dtype::Kind;
use values::float::FloatFormat;
use values::random::Random;
use values::tensor::{Tensor, element_count};

use super::{MATMUL, SONNX};
use crate::case_list::CaseList;
use crate::case_spec::{LastInput, Stated};
use crate::elements::{ElementError, counting, ones, scaled, tensor, whole};
use crate::exact::number::largest;
use crate::operator::Version;
use crate::signature::AttributeValue;

/// Shapes of A and B by name, and what they verify.
type Form = (&'static str, &'static [usize], &'static [usize], &'static [&'static str]);

/// Shapes that go together as `numpy.matmul` takes them.
const FORMS: [Form; 18] = [
    ("matrices", &[2, 3], &[3, 4], &["NUMPY_0010"]),
    ("matrices_1x1", &[1, 1], &[1, 1], &["NUMPY_0010"]),
    ("row_by_column", &[1, 3], &[3, 1], &["NUMPY_0010"]),
    ("column_by_row", &[3, 1], &[1, 3], &["NUMPY_0010"]),
    ("vector_by_matrix", &[3], &[3, 4], &["NUMPY_0020"]),
    ("vector_by_stack", &[3], &[2, 3, 4], &["NUMPY_0020", "NUMPY_0040"]),
    ("matrix_by_vector", &[2, 3], &[3], &["NUMPY_0030"]),
    ("stack_by_vector", &[2, 2, 3], &[3], &["NUMPY_0030", "NUMPY_0040"]),
    ("vectors", &[3], &[3], &["NUMPY_0020", "NUMPY_0030"]),
    ("stacks", &[2, 2, 3], &[2, 3, 2], &["NUMPY_0040"]),
    ("stack_by_matrix", &[4, 2, 3], &[3, 2], &["NUMPY_0040"]),
    ("matrix_by_stack", &[2, 3], &[4, 3, 2], &["NUMPY_0040"]),
    ("stack_of_one", &[1, 2, 3], &[4, 3, 2], &["NUMPY_0040"]),
    ("stacks_both_ways", &[2, 1, 2, 3], &[3, 3, 2], &["NUMPY_0040"]),
    ("stacks_rank_6", &[2, 1, 1, 2, 2, 3], &[3, 2, 1, 3, 2], &["NUMPY_0040"]),
    ("no_terms", &[2, 0], &[0, 3], &["NUMPY_0010"]),
    ("no_rows", &[0, 3], &[3, 2], &["NUMPY_0010"]),
    ("no_stack", &[0, 2, 3], &[3, 2], &["NUMPY_0040"]),
];

/// Matrices that are larger than any block in one dimension.
const SIZES: [(&str, &[usize], &[usize]); 3] = [
    ("size_513_rows", &[513, 2], &[2, 1]),
    ("size_513_terms", &[2, 513], &[513, 1]),
    ("size_513_columns", &[1, 2], &[2, 513]),
];

/// Shapes that do not.
const REFUSED: [Form; 8] = [
    ("scalar_a", &[], &[3, 2], &["NUMPY_0050"]),
    ("scalar_b", &[2, 3], &[], &["NUMPY_0050"]),
    ("inner", &[2, 3], &[2, 3], &["NUMPY_0060"]),
    ("inner_one", &[2, 1], &[3, 2], &["NUMPY_0060"]),
    ("vectors", &[3], &[4], &["NUMPY_0060"]),
    ("matrix_by_vector", &[2, 3], &[2], &["NUMPY_0060"]),
    ("stacks", &[2, 2, 2], &[3, 2, 2], &["NUMPY_0070"]),
    ("stacks_within", &[2, 3, 1, 2], &[2, 2, 1], &["NUMPY_0070"]),
];

/// Shapes of another rank or inner dimension than SONNX has, by the constraints that they break.
const NOT_SONNX: [Form; 6] = [
    ("vector_a", &[3], &[3, 2], &["CONSTR_A_0010"]),
    ("vector_b", &[2, 3], &[3], &["CONSTR_B_0010"]),
    ("vectors", &[3], &[3], &["CONSTR_A_0010", "CONSTR_B_0010"]),
    ("stack_a", &[2, 2, 3], &[3, 2], &["CONSTR_A_0010"]),
    ("stack_b", &[2, 3], &[2, 3, 2], &["CONSTR_B_0010"]),
    ("inner", &[2, 3], &[2, 3], &["CONSTR_A_0020", "CONSTR_B_0020"]),
];

pub(super) fn cases() -> Stated {
    let mut cases = sonnx()?;
    for version in MATMUL.versions {
        cases.extend(onnx(version)?);
    }
    Ok(cases)
}

fn onnx(version: &Version) -> Stated {
    let mut list = CaseList::onnx(&MATMUL, version);
    let types = version.inputs.first().map_or(&[][..], |port| port.types);
    let is_newest = version.since == MATMUL.newest().since;
    for &dtype in types {
        let mut ids = vec!["FUNC_0010", "TYPES_0010", "RESULT_0020"];
        ids.extend(matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010"));
        let mut random = Random::for_case(&list.path(dtype, "products"));
        let products = products(dtype, &mut random)?.into_iter();
        // A kernel's own code is asked once for each type.
        for product in products.take(if is_newest { usize::MAX } else { 1 }) {
            list.add(dtype, product.name, product.inputs.into(), &ids, product.note);
        }
    }
    for dtype in [Float32, Int32].into_iter().filter(|dtype| types.contains(dtype)) {
        for (name, a, b, ids) in FORMS {
            let note = "rows by columns, as NumPy takes the shapes";
            list.add(dtype, format!("form_{name}"), numbers(dtype, a, b)?, ids, note);
        }
    }
    for (name, a, b, ids) in REFUSED {
        let note = "the shapes do not go together";
        list.add(Float32, format!("refused_shape_{name}"), numbers(Float32, a, b)?, ids, note)
            .refused(Float32, &[2, 2]);
    }
    let others = [Int8, Uint16, Bool, Int32, Bfloat16];
    for dtype in others.into_iter().filter(|dtype| !types.contains(dtype)) {
        let note = "the version does not take this type";
        let inputs = vec![ones(dtype, &[2, 2])?, ones(dtype, &[2, 2])?];
        list.add(dtype, "refused_type", inputs, &["TYPES_0010"], note).refused(dtype, &[2, 2]);
    }
    let inputs = vec![ones(Float32, &[2, 2])?, ones(Float64, &[2, 2])?];
    let note = "A and B are of different types";
    list.add(Float32, "refused_types", inputs, &["TYPES_0020"], note).refused(Float32, &[2, 2]);
    Ok(list.into_cases())
}

fn sonnx() -> Stated {
    let mut list = CaseList::sonnx(&MATMUL);
    for dtype in SONNX {
        let is_float = matches!(dtype.kind(), Kind::Float(_));
        let kind = if is_float { "FLOAT" } else { "INT" };
        let ids = |ends: &[&str]| -> Vec<String> {
            ends.iter().map(|end| format!("P_MATMUL_{kind}_{end}")).collect()
        };
        let shapes = [
            "CONSTR_A_0030",
            "CONSTR_B_0030",
            "CONSTR_Y_0010",
            "CONSTR_Y_0020",
            "TYPES_0010",
            "TYPES_0020",
        ];
        let mut random = Random::for_case(&list.path(dtype, "products"));
        for product in products(dtype, &mut random)? {
            let ids = ids(&[&shapes[..], product.ids].concat());
            list.add(dtype, product.name, product.inputs.into(), &ids, product.note);
        }
        let own: &[&str] = &["FUNC_0010"];
        let note = "an example of the document";
        for (name, rows, terms, columns) in [("example_1", 2, 2, 2), ("example_2", 3, 2, 3)] {
            let b = counting(dtype, &[terms, columns], (rows * terms) as u64 + 1)?;
            let inputs = vec![counting(dtype, &[rows, terms], 1)?, b];
            list.add(dtype, name, inputs, &ids(&[&shapes[..], own].concat()), note);
        }
        if !matches!(dtype, Float32 | Int32) {
            continue;
        }
        for (name, a, b) in SIZES {
            let note = "more rows, terms or columns than a kernel takes together";
            let inputs = numbers(dtype, a, b)?;
            list.add(dtype, name, inputs, &ids(&[&shapes[..], own].concat()), note);
        }
        for (name, a, b, constraints) in NOT_SONNX {
            let rank = a.len() != 2 || b.len() != 2;
            let restriction: &[&str] = if rank && !is_float { &["INT_R1"] } else { &[] };
            let ids: Vec<String> = ids(constraints)
                .into_iter()
                .chain(restriction.iter().map(|id| format!("P_MATMUL_{id}")))
                .collect();
            let note = "A and B are no matrices that go together";
            list.add(dtype, format!("refused_shape_{name}"), numbers(dtype, a, b)?, &ids, note)
                .refused(dtype, &[2, 2]);
        }
        let square =
            |dtype| Ok::<_, ElementError>(vec![ones(dtype, &[2, 2])?, ones(dtype, &[2, 2])?]);
        let other = if is_float { Float64 } else { Int64 };
        let mut types = ids(&["TYPES_0020"]);
        types.push("GR3".to_owned());
        let inputs = vec![ones(dtype, &[2, 2])?, ones(other, &[2, 2])?];
        let note = "A and B are of different types, and nothing is converted implicitly";
        list.add(dtype, "refused_types", inputs, &types, note).refused(dtype, &[2, 2]);
        let note = "the model declares another type for Y than A and B have";
        list.add(dtype, "refused_type_output", square(dtype)?, &types, note)
            .refused(other, &[2, 2]);
        list.add(dtype, "refused_sparse_b", square(dtype)?, &["GR1"], "B is a sparse tensor")
            .refused(dtype, &[2, 2])
            .given(LastInput::Sparse);
        let note = "the model leaves the element type of B open";
        list.add(dtype, "refused_untyped_b", square(dtype)?, &["GR2"], note)
            .refused(dtype, &[2, 2])
            .given(LastInput::Untyped);
        let note = "the node carries an attribute";
        list.add(dtype, "refused_attribute", square(dtype)?, &["P_MATMUL_ATTR_0010"], note)
            .refused(dtype, &[2, 2])
            .with("axis", AttributeValue::Int(0));
    }
    for (dtype, kind) in [(Bfloat16, "FLOAT"), (Int8, "INT"), (Uint16, "INT"), (Bool, "INT")] {
        let inputs = vec![ones(dtype, &[2, 2])?, ones(dtype, &[2, 2])?];
        let ids = [format!("P_MATMUL_{kind}_TYPES_0010")];
        let note = "the document does not name this type";
        list.add(dtype, "refused_type", inputs, &ids, note).refused(dtype, &[2, 2]);
    }
    Ok(list.into_cases())
}

/// Small numbers, each of which is another one.
fn numbers(dtype: DType, a: &[usize], b: &[usize]) -> Result<Vec<Tensor>, ElementError> {
    Ok(vec![counting(dtype, a, 1)?, counting(dtype, b, 1 + element_count(a)? as u64)?])
}

/// Operands, and what their product is about.
struct Product {
    name: &'static str,
    note: &'static str,
    /// What of SONNX it verifies beside types and shapes, by the ends of the ids.
    ids: &'static [&'static str],
    inputs: [Tensor; 2],
}

/// Whole numbers as a matrix of so many columns.
fn matrix(dtype: DType, columns: usize, values: &[i128]) -> Result<Tensor, ElementError> {
    let elements = values.iter().map(|&value| whole(dtype, value));
    tensor(dtype, &[values.len() / columns, columns], &elements.collect::<Result<Vec<_>, _>>()?)
}

fn products(dtype: DType, random: &mut Random) -> Result<Vec<Product>, ElementError> {
    let signed = !matches!(dtype.kind(), Kind::Int { signed: false, .. });
    let ids: &[&str] = match dtype.kind() {
        Kind::Float(_) => &["FUNC_0010", "ACC_0010", "ACC_0020"],
        _ => &["FUNC_0010"],
    };
    let mut products = Vec::new();
    let mut push = |name, note, ids, inputs| products.push(Product { name, note, ids, inputs });
    let mut small = |count: usize| -> Vec<i128> {
        let low = if signed { -100 } else { 1 };
        (0..count).map(|_| random.between(low, 100)).collect()
    };
    let (a, b) = (small(7 * 9), small(9 * 5));
    push(
        "interior",
        "small numbers of all signs",
        ids,
        [matrix(dtype, 9, &a)?, matrix(dtype, 5, &b)?],
    );
    // Row k has its only number in the place that is k times 7 modulo 17, of one sign or the other.
    let sign = |k: usize| if signed && k % 2 == 1 { -1 } else { 1 };
    let single: Vec<i128> = (0..17 * 17)
        .map(|at| (at / 17, at % 17))
        .map(|(row, term)| if term == row * 7 % 17 { sign(row) } else { 0 })
        .collect();
    let b = small(17 * 3);
    let note = "one product of each sum is not zero, each time another one";
    push("single_terms", note, ids, [matrix(dtype, 17, &single)?, matrix(dtype, 3, &b)?]);
    let long = match dtype.kind() {
        Kind::Float(format) if format.precision() < 16 => 3 << (format.precision() / 2),
        _ => 1031,
    };
    let note = "many terms of one size, whose sum has more bits than narrower types hold";
    let [row, column] = [3, 1].map(|value| vec![value; long]);
    push("long", note, ids, [matrix(dtype, long, &row)?, matrix(dtype, 1, &column)?]);
    match dtype.kind() {
        Kind::Float(format) => floats(dtype, format, ids, &mut push)?,
        Kind::Int { signed, bits } => integers(dtype, signed, bits, &mut push)?,
        Kind::Bool | Kind::Complex(_) | Kind::String => {}
    }
    Ok(products)
}

type Push<'a> = &'a mut dyn FnMut(&'static str, &'static str, &'static [&'static str], [Tensor; 2]);

fn floats(
    dtype: DType,
    format: &FloatFormat,
    ids: &'static [&'static str],
    push: Push<'_>,
) -> Result<(), ElementError> {
    let p = format.precision();
    let large = 1_i128 << (p - 4);
    let note = "large terms that cancel each other, beside small ones that remain";
    let a = [large, 1, -large, -large, large, 1, 1, large, -large, large, large, -2 * large];
    push("cancelling", note, ids, [matrix(dtype, 3, &a)?, matrix(dtype, 1, &[1; 3])?]);
    // Both factors need half of the bits, and their product all of them.
    let most = (1_i128 << (p / 2)) - 1;
    let note = "factors and products that need all bits of the type";
    let factors = [most, -most, most - 2, most - 1];
    push(
        "precise",
        note,
        ids,
        [matrix(dtype, 1, &factors)?, matrix(dtype, 3, &[most, most - 2, 1])?],
    );
    let number = |significand: u64, exponent: i32| {
        let bits = scaled(format, significand, exponent);
        bits.ok_or_else(|| ElementError::NotAnElement { value: format!("2^{exponent}"), dtype })
    };
    // Products of the smallest normal number and a half, a quarter, .. are subnormal, and exact.
    let least = number(1, 1 - format.bias)?;
    let parts = [number(1, -1)?, number(1, -2)?, number(3, -2)?, format.negated(number(1, -3)?)];
    let note = "subnormal operands and products, none of which is flushed to zero";
    let rows = [least, format.negated(least), least + 1, least - 1];
    push("subnormal", note, ids, [tensor(dtype, &[4, 1], &rows)?, tensor(dtype, &[1, 4], &parts)?]);
    let (max, one, two) = (largest(format), whole(dtype, 1)?, whole(dtype, 2)?);
    let (infinity, minus) = (max + 1, |bits| format.negated(bits));
    let nan = infinity | 1 << (format.significand_bits - 1);
    let note = "products and sums above the largest number";
    let rows = [max, max, minus(max), minus(max), max, 0];
    push(
        "overflow",
        note,
        &["FUNC_0010"],
        [tensor(dtype, &[3, 2], &rows)?, tensor(dtype, &[2, 1], &[two, two])?],
    );
    let note = "examples of the document: infinities of one sign and NaN among the products";
    let rows = [infinity, infinity, nan, infinity, minus(infinity), one];
    let columns = [1, 2, 3, 4, 4, 5, 6, 7].map(|value| whole(dtype, value));
    let columns = columns.into_iter().collect::<Result<Vec<_>, _>>()?;
    push(
        "infinities",
        note,
        &["FUNC_0020", "FUNC_0030"],
        [tensor(dtype, &[3, 2], &rows)?, tensor(dtype, &[2, 4], &columns)?],
    );
    let note = "NaN and infinities of both signs among the products, and an infinity by a zero";
    let rows = [infinity, minus(infinity), nan, nan, infinity, minus(infinity), 0, 0, infinity];
    let columns = [one, two, two, one, 0, two];
    push(
        "nan",
        note,
        &["FUNC_0020", "FUNC_0030"],
        [tensor(dtype, &[3, 3], &rows)?, tensor(dtype, &[3, 2], &columns)?],
    );
    let note = "zeros by NaN and by infinities, which no zero makes up for";
    let columns = [nan, infinity, minus(infinity), one, one, one];
    let rows = [0, one, minus(0), one];
    push(
        "zero_by_infinity",
        note,
        &["FUNC_0030"],
        [tensor(dtype, &[2, 2], &rows)?, tensor(dtype, &[2, 3], &columns)?],
    );
    Ok(())
}

fn integers(dtype: DType, signed: bool, bits: u32, push: Push<'_>) -> Result<(), ElementError> {
    let top = 1_i128 << (bits - u32::from(signed));
    let (min, max) = (if signed { -top } else { 0 }, top - 1);
    let note = "products and sums that leave the range of the type and wrap";
    let a = [max, max, max, 1, max, 2, min, 1, min, min, top / 2, top / 2];
    let b = [max, 2, 1, 3, min, max];
    push(
        "wrapped",
        note,
        &["FUNC_0010", "FUNC_0020"],
        [matrix(dtype, 2, &a)?, matrix(dtype, 3, &b)?],
    );
    let precise = [(1 << 24) + 1, max / 3, max / 5 - 1, max - 2];
    let note = "numbers that no float type of as many bits or fewer holds";
    let column = matrix(dtype, 1, &precise)?;
    push("precise", note, &["FUNC_0010"], [column, matrix(dtype, 2, &[1, 0])?]);
    Ok(())
}

//! Gemm: a product of matrices times `alpha`, and a third matrix times `beta`.
//!
//! As in MatMul the sum is made from the first product to the last, in float32 for float16 and bfloat16; it is
//! multiplied by `alpha`, and the third matrix times `beta` is added.

use super::elementwise::{output, tensor};
use super::matmul::{Accumulate, Steps};
use super::operand::values;
use super::reshaping::{integer, refused};
use super::signature::{AttributeSpec, Document, Domain, Input, Restriction, Shapes, Version};
use super::types::{FLOATS, LONG_NUMBERS, with_type, without_bfloat16};
use super::{Attribute, Attributes, Broadcast, Call, Kernel, KernelError};
use bytemuck::Zeroable;
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static GEMM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Gemm",
    inputs: &[Input::new("A"), Input::new("B"), Input::new("C").optional()],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &ATTRIBUTES_1),
        Version::with(6, without_bfloat16(FLOATS), &ATTRIBUTES_1),
        Version::with(7, without_bfloat16(FLOATS), &ATTRIBUTES_7),
        Version::with(9, without_bfloat16(LONG_NUMBERS), &ATTRIBUTES_7),
        Version::with(11, without_bfloat16(LONG_NUMBERS), &ATTRIBUTES_7),
        Version::with(13, LONG_NUMBERS, &ATTRIBUTES_7),
    ],
    restricted: &[Restriction {
        document: Document::Sonnx,
        types: &[without_bfloat16(FLOATS); 3],
        shapes: Shapes::Rank(2),
        needed: &["C"],
        problem: Some(restricted),
    }],
    run,
};

const fn float(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Float(_));
    AttributeSpec { name, accepts, expected: "a float" }
}

const ATTRIBUTES_7: [AttributeSpec; 4] =
    [float("alpha"), float("beta"), integer("transA"), integer("transB")];
const ATTRIBUTES_1: [AttributeSpec; 5] = {
    let [alpha, beta, trans_a, trans_b] = ATTRIBUTES_7;
    [alpha, beta, integer("broadcast"), trans_a, trans_b]
};

/// What SONNX wants of a call and does not find.
fn restricted(operands: &[Option<&Tensor>], attributes: &Attributes) -> Option<&'static str> {
    if !attributes.is_empty() {
        return Some("there are no attributes");
    }
    let shape = |at: usize| operands.get(at).copied().flatten().map_or(&[][..], Tensor::shape);
    match [shape(0), shape(1), shape(2)] {
        [&[rows, _], &[_, columns], third] if third != [rows, columns] => {
            Some("C has the shape of Y")
        }
        _ => None,
    }
}

/// How the matrices lie.
struct Form {
    rows: usize,
    inner: usize,
    columns: usize,
    is_turned: [bool; 2],
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (Some(a), Some(b)) = (call.input(0), call.input(1)) else {
        return Err(refused(call, "there are two matrices"));
    };
    let since = call.operator.since_version();
    if call.input(2).is_none() && since < 11 {
        let (operator, actual) = (call.operator, call.given.len());
        return Err(KernelError::Arity { operator, expected: 3, actual });
    }
    let (&[a0, a1], &[b0, b1]) = (a.shape(), b.shape()) else {
        return Err(refused(call, "the operands are matrices"));
    };
    let is_turned = ["transA", "transB"].map(|name| call.int(name, 0) != 0);
    let (rows, inner) = if is_turned[0] { (a1, a0) } else { (a0, a1) };
    let (other, columns) = if is_turned[1] { (b1, b0) } else { (b0, b1) };
    if inner != other {
        return Err(refused(call, "the rows of the one and the columns of the other differ"));
    }
    let shape = [rows, columns];
    if let Some(c) = call.input(2) {
        let fits = c.shape() == shape || since >= 7 || call.int("broadcast", 0) != 0;
        let own = c.shape().iter().rev().zip(shape.iter().rev());
        if !fits || c.shape().len() > 2 || own.into_iter().any(|(c, y)| *c != 1 && c != y) {
            return Err(refused(call, "the third matrix has another shape than the output"));
        }
    }
    let form = Form { rows, inner, columns, is_turned };
    let foreign = KernelError::Type { operator: call.operator, dtype: a.dtype() };
    with_type!(long_numbers, a.dtype(), T => multiplied::<T>(call, &form, [a, b]),
        else Err(foreign))
}

fn multiplied<T: Accumulate + Send + Sync>(
    call: &Call<'_>,
    form: &Form,
    [a, b]: [&Tensor; 2],
) -> Result<Vec<Tensor>, KernelError> {
    let &Form { rows, inner, columns, is_turned } = form;
    let shape = [rows, columns];
    let mut results = output::<T>(&shape, a.dtype())?;
    if results.is_empty() {
        return tensor(a.dtype(), &shape, results);
    }
    let (alpha, beta) = (call.float("alpha", 1.0), call.float("beta", 1.0));
    let third = call.input(2);
    let third = third.map(|third| (values::<T>(third), third.shape()));
    let plan = match &third {
        Some((_, own)) => Broadcast::multidirectional(&[&shape[..], own]).ok(),
        None => None,
    };
    let (a_all, b_all) = (values::<T>(a), values::<T>(b));
    for (at, result) in results.iter_mut().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let mut sum = T::Sum::zeroed();
        for k in 0..inner {
            let left = if is_turned[0] { k * rows + row } else { row * inner + k };
            let right = if is_turned[1] { column * inner + k } else { k * columns + column };
            sum = T::add_product(sum, a_all[left].widen(), b_all[right].widen());
        }
        let mut sum = sum.scaled(alpha);
        if let Some((elements, _)) = &third {
            let from = plan.as_ref().and_then(|plan| plan.operand_index(1, at)).unwrap_or_default();
            sum = sum.plus(elements[from].widen().scaled(beta));
        }
        *result = T::narrow(sum);
    }
    tensor(a.dtype(), &shape, results)
}

#[cfg(test)]
mod tests;

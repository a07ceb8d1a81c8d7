//! MatMul: the matrix product, in any order of summation.
//!
//! An element of a float type is a [dot product](crate::exact::dot), held to its a-priori bound;
//! integers are summed modulo 2^n. Operands of one dimension are rows or columns, and the dimensions
//! before the last two are broadcast. Sources: ONNX's schemas of MatMul-1, 9 and 13, which refer to
//! `numpy.matmul`; SONNX's MatMul, which takes matrices alone.

use std::ops::Range;

use values::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};
use values::element::Element;

use super::mul::boundaries::Products;
use crate::boundaries::BoundaryInputs;
use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::exact::bracket::Brackets;
use crate::exact::bracket::float_sum::floats;
use crate::exact::dot::{DotProduct, wrapping};
use crate::exact::{Conforming, Deviation, Number, Share, distance, each_once};
use crate::families::integer_products::Layout;
use crate::families::matrix_products::{self, Extent, MatrixProducts};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Ports, Reference, TensorType, Version,
};
use crate::real::{Real, Sum};

/// MatMul in ONNX's default domain.
pub static MATMUL: Operator = Operator {
    documents: &[
        Document { key: "sonnx-matmul", catalogue: include_str!("matmul/sonnx-matmul.toml") },
        Document { key: "onnx-matmul", catalogue: include_str!("matmul/onnx-matmul.toml") },
    ],
    cases: Some(|of| {
        case_table::cases(of, &MATMUL, &[include_str!("matmul/cases.toml")], Own::NONE)
    }),
    readings: Some(include_str!("matmul/readings.toml")),
    ..Operator::onnx("MatMul", OperatorKind::Accumulated, &VERSIONS, &MatMul)
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(["A", "B"], "Y", TYPES.split_at(3).0) }.since(1, &[]),
    const { Ports::new(["A", "B"], "Y", TYPES.split_at(7).0) }.since(9, &[]),
    const { Ports::new(["A", "B"], "Y", &TYPES) }.since(13, &[]),
];

const TYPES: [DType; 8] = [Float16, Float32, Float64, Int32, Int64, Uint32, Uint64, Bfloat16];

/// The types that SONNX's document names.
const SONNX: [DType; 7] = [Float16, Float32, Float64, Int32, Int64, Uint32, Uint64];

/// Why an element has no bound.
const TOO_MANY_TERMS: &str =
    "so many terms may lose every bit in an accumulator of the elements' own precision";

/// The operands as stacks of matrices.
pub(super) struct Plan {
    /// Which matrix of each operand a matrix of the output is computed from.
    stacks: Broadcast,
    /// None where an operand of one dimension stands for a row, or a column, which the output lacks.
    rows: Option<usize>,
    terms: usize,
    columns: Option<usize>,
}

impl Plan {
    fn of(call: &Call) -> Result<Self, Invalid> {
        let [a, b] = [call.input(0)?.shape(), call.input(1)?.shape()];
        if call.specification.is_restricted() {
            call.restrict_types(&SONNX)?;
            if a.len() != 2 || b.len() != 2 {
                return Err(call.invalid("of SONNX takes matrices alone"));
            }
        }
        Self::between(call, a, b)
    }

    /// Operands of these shapes, by NumPy's rule.
    pub(super) fn between(call: &Call, a: &[usize], b: &[usize]) -> Result<Self, Invalid> {
        let (a_stack, rows, terms) = match a {
            [] => return Err(call.invalid("takes no scalars")),
            [terms] => (&[][..], None, *terms),
            [stack @ .., rows, terms] => (stack, Some(*rows), *terms),
        };
        let (b_stack, b_terms, columns) = match b {
            [] => return Err(call.invalid("takes no scalars")),
            [terms] => (&[][..], *terms, None),
            [stack @ .., terms, columns] => (stack, *terms, Some(*columns)),
        };
        if terms != b_terms {
            return Err(call.invalid(&format!("cannot multiply shapes {a:?} and {b:?}")));
        }
        let stacks = Broadcast::multidirectional(&[a_stack, b_stack])?;
        Ok(Self { stacks, rows, terms, columns })
    }

    pub(super) fn shape(&self) -> Vec<usize> {
        self.stacks.shape().iter().copied().chain(self.rows).chain(self.columns).collect()
    }

    fn width(&self) -> usize {
        self.columns.unwrap_or(1).max(1)
    }

    /// The row of A and the column of B, both counted through the stack, that make an element of the output.
    fn lines(&self, index: usize) -> [usize; 2] {
        let (rows, columns) = (self.rows.unwrap_or(1).max(1), self.width());
        let (above, column) = (index / columns, index % columns);
        let (matrix, row) = (above / rows, above % rows);
        let [a, b] = [0, 1].map(|operand| self.stacks.source(operand, matrix));
        [a * rows + row, b * columns + column]
    }

    /// The places in A and B of the factors of each product that an element of the output is a sum of.
    fn places(&self, index: usize) -> impl Iterator<Item = [usize; 2]> + use<> {
        let ([row, column], terms, columns) = (self.lines(index), self.terms, self.width());
        let above = column / columns * terms;
        (0..terms)
            .map(move |term| [row * terms + term, (above + term) * columns + column % columns])
    }
}

impl Layout for Plan {
    fn lines(&self, index: usize) -> [usize; 2] {
        self.lines(index)
    }

    fn places<'a>(&'a self, index: usize) -> Box<dyn Iterator<Item = [usize; 2]> + 'a> {
        Box::new(self.places(index))
    }
}

struct MatMul;

impl Reference for MatMul {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(0)?.dtype(), Plan::of(call)?.shape())?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (Plan::of(call), outputs) {
            (Ok(plan), [output]) => vec![Box::new(Product { call, plan, dtype: output.dtype })],
            _ => Vec::new(),
        }
    }

    /// Those of sums of one term.
    fn boundaries(&self) -> Option<&'static dyn BoundaryInputs> {
        Some(&Products)
    }
}

/// The product of two tensors.
struct Product<'a> {
    call: &'a Call,
    plan: Plan,
    dtype: DType,
}

impl Product<'_> {
    /// The pairs of elements that are multiplied for an element of the output.
    fn pairs(&self, index: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        let element = |operand: usize, index: usize| {
            let tensor = self.call.inputs.get(operand)?.as_ref()?;
            Some(tensor.element(index)? as u64)
        };
        let places = self.plan.places(index);
        places.filter_map(move |[a, b]| Some((element(0, a)?, element(1, b)?)))
    }

    /// The dot product of an element, of a float type.
    fn dot(&self, index: usize) -> Option<DotProduct> {
        let Number::Float(format) = Number::of(self.dtype)? else { return None };
        let mut dot = DotProduct::new(format, format).ok()?;
        dot.extend(self.pairs(index));
        Some(dot)
    }

    /// The sum of an element of an integer type, modulo 2^n.
    fn integer(&self, index: usize) -> Option<u64> {
        let Number::Int(int) = Number::of(self.dtype)? else { return None };
        Some(wrapping(int.bits, self.pairs(index)))
    }
}

impl Allowed for Product<'_> {
    fn at(&self, index: usize) -> Conforming {
        if let Some(sum) = self.integer(index) {
            return Conforming::One(sum);
        }
        let Some(dot) = self.dot(index) else {
            return Conforming::Unspecified("the type has no exact arithmetic");
        };
        dot.conforming().unwrap_or(Conforming::Unspecified(TOO_MANY_TERMS))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        if let Some(sum) = self.integer(index) {
            return Real::of_element(self.dtype, sum);
        }
        let dot = self.dot(index)?;
        let (magnitude, bound) = (dot.magnitudes()?, dot.bound()?);
        let sum = Sum { terms: dot.terms(), magnitude, bound, shared: Some(0) };
        Some(Real { sum: Some(sum), ..Real::exactly(dot.sum()?) })
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        match (self.integer(index), self.dot(index)) {
            (Some(sum), _) => distance(self.dtype, sum, actual),
            (None, Some(dot)) => dot.error(actual),
            (None, _) => Deviation::NoRealResult,
        }
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        if let Some(sum) = self.integer(index) {
            let of = |actual| distance(self.dtype, sum, actual);
            return (Conforming::One(sum), each_once(actual, of));
        }
        let Some(dot) = self.dot(index) else {
            return (self.at(index), [Deviation::NoRealResult; 2]);
        };
        let conforming = dot.conforming().unwrap_or(Conforming::Unspecified(TOO_MANY_TERMS));
        (conforming, each_once(actual, |actual| dot.error(actual)))
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.real(index, 0)?.share_of_sum(self.dtype, actual)
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        let Number::Float(format) = Number::of(self.dtype)? else { return None };
        let floats = |at: usize| floats(self.call.inputs.get(at)?.as_ref()?);
        let matrices = Operands { plan: &self.plan, operands: [floats(0)?, floats(1)?] };
        Some(Box::new(MatrixProducts { matrices, format }))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let element = |bits: u64| Element::Bits(self.dtype, bits.into());
        self.pairs(index).flat_map(|(a, b)| [element(a), element(b)]).collect()
    }
}

/// The operands in float32.
struct Operands<'a> {
    plan: &'a Plan,
    operands: [Vec<f32>; 2],
}

impl Operands<'_> {
    /// The element of an operand at a place; a NaN where there is none.
    fn at(&self, operand: usize, place: usize) -> f32 {
        self.operands[operand].get(place).copied().unwrap_or(f32::NAN)
    }
}

impl matrix_products::Matrices for Operands<'_> {
    fn extent(&self) -> Extent {
        let Plan { rows, terms, columns, .. } = *self.plan;
        let matrices = self.plan.stacks.shape().iter().product();
        Extent { matrices, rows: rows.unwrap_or(1), terms, columns: columns.unwrap_or(1) }
    }

    fn left(
        &self,
        matrix: usize,
        rows: Range<usize>,
        terms: Range<usize>,
        mut put: impl FnMut(usize, usize, f32),
    ) {
        let Extent { rows: height, terms: length, .. } = self.extent();
        let first = self.plan.stacks.source(0, matrix) * height;
        for (line, row) in rows.enumerate() {
            for (place, term) in terms.clone().enumerate() {
                put(line, place, self.at(0, (first + row) * length + term));
            }
        }
    }

    fn right(
        &self,
        matrix: usize,
        columns: Range<usize>,
        terms: Range<usize>,
        mut put: impl FnMut(usize, usize, f32),
    ) {
        let Extent { terms: length, columns: width, .. } = self.extent();
        let first = self.plan.stacks.source(1, matrix) * length;
        for (place, term) in terms.enumerate() {
            for (line, column) in columns.clone().enumerate() {
                put(line, place, self.at(1, (first + term) * width + column));
            }
        }
    }

    fn addend(&self, _: usize) -> f32 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use values::tensor::Tensor;

    use super::*;
    use crate::operator::{Attributes, Specification};

    fn product(a: &[usize], b: &[usize]) -> Result<(Vec<usize>, Vec<u128>), Invalid> {
        let tensor = |shape: &[usize]| {
            let count: usize = shape.iter().product();
            let values = (1..=count as i32).collect();
            Tensor::from_values(Int32, shape.to_vec(), values).map(Some).unwrap()
        };
        let inputs = vec![tensor(a), tensor(b)];
        let attributes = Attributes::new();
        let version = MATMUL.newest();
        let (call, types) = Call::new(&MATMUL, version, Specification::Onnx, attributes, inputs)?;
        let allowed = MATMUL.reference.allowed(&call, &types);
        let shape = types[0].shape.clone();
        let count: usize = shape.iter().product();
        Ok((shape, (0..count).map(|index| allowed[0].at(index).example().unwrap()).collect()))
    }

    #[test]
    fn matrices_rows_columns_and_stacks_are_multiplied() {
        assert_eq!(product(&[2, 2], &[2, 2]), Ok((vec![2, 2], vec![7, 10, 15, 22])));
        assert_eq!(product(&[3], &[3]), Ok((vec![], vec![14])));
        assert_eq!(product(&[2], &[2, 3]), Ok((vec![3], vec![9, 12, 15])));
        assert_eq!(product(&[2, 3], &[3]), Ok((vec![2], vec![14, 32])));
        assert_eq!(product(&[2, 1, 2], &[2, 1]), Ok((vec![2, 1, 1], vec![5, 11])));
        assert_eq!(product(&[1, 0], &[0, 2]), Ok((vec![1, 2], vec![0, 0])));
    }

    #[test]
    fn what_cannot_be_multiplied_is_refused() {
        for (a, b) in [(&[][..], &[1][..]), (&[2, 3], &[2, 3]), (&[2, 1, 2], &[3, 2, 1])] {
            assert!(product(a, b).is_err(), "{a:?} {b:?}");
        }
    }
}

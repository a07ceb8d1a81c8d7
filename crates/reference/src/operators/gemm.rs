//! Gemm: `alpha` times the product of two matrices, and `beta` times a third.
//!
//! An element is held to the bound of `exact/sum.rs`, wherever the factors are applied: they are of type float32, and
//! rounded to the elements' type or not. With a factor of 0 what it multiplies may be left out, as BLAS does, or make a
//! NaN of infinities. Integers are summed modulo 2^n where both factors are 1; where they are other integers, a result
//! within the type is exact, and everything else is open. SONNX specifies real numbers alone, without attributes and
//! with a third matrix of the output's shape; its floats are taken to be those of its MatMul.
//! Sources: ONNX's schemas of Gemm-1, 6, 7, 9, 11 and 13; SONNX's Gemm.

use std::ops::Range;

use num_bigint::BigInt;
use values::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::exact::bracket::Brackets;
use crate::exact::bracket::float_sum::floats;
use crate::exact::dot::{NoBound, wrapping};
use crate::exact::number::Int;
use crate::exact::sum::{Factor, Scale, Sum, Terms};
use crate::exact::{Conforming, Number};
use crate::families::matrix_products::{self, Extent, MatrixProducts};
use crate::families::summing::{Accumulated, Summed, bits_at};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::signature::IEEE_FLOATS;

/// Gemm in ONNX's default domain.
pub static GEMM: Operator = Operator {
    documents: &[
        Document { key: "sonnx-gemm", catalogue: include_str!("gemm/sonnx-gemm.toml") },
        Document { key: "onnx-gemm", catalogue: include_str!("gemm/onnx-gemm.toml") },
    ],
    cases: Some(|of| case_table::cases(of, &GEMM, &[include_str!("gemm/cases.toml")], Own::NONE)),
    ..Operator::onnx("Gemm", OperatorKind::Accumulated, &VERSIONS, &Gemm)
};

const TYPES: [DType; 8] = [Float16, Float32, Float64, Int32, Int64, Uint32, Uint64, Bfloat16];

const ATTRIBUTES: [Attribute; 5] = [
    Attribute::new("broadcast", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(ONE)),
    Attribute::new("beta", AttributeType::Float).otherwise(Otherwise::Float(ONE)),
    Attribute::new("transA", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("transB", AttributeType::Int).otherwise(Otherwise::Int(0)),
];
const ONE: u32 = 0x3f80_0000;

const VERSIONS: [Version; 6] = [
    const { Matrices::new(3) }.since(1, &ATTRIBUTES),
    const { Matrices::new(3) }.since(6, &ATTRIBUTES),
    const { Matrices::new(3) }.since(7, ATTRIBUTES.split_at(1).1),
    const { Matrices::new(7) }.since(9, ATTRIBUTES.split_at(1).1),
    const { Matrices::new(7).optional() }.since(11, ATTRIBUTES.split_at(1).1),
    const { Matrices::new(8).optional() }.since(13, ATTRIBUTES.split_at(1).1),
];

/// The ports of a version.
struct Matrices {
    inputs: [Port; 3],
    output: [Port; 1],
}

impl Matrices {
    const fn new(types: usize) -> Self {
        let types = TYPES.split_at(types).0;
        let inputs =
            [Port::new("A", types, "T"), Port::new("B", types, "T"), Port::new("C", types, "T")];
        Self { inputs, output: [Port::new("Y", types, "T")] }
    }

    const fn optional(mut self) -> Self {
        self.inputs[2] = self.inputs[2].optional();
        self
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

/// How the elements of the matrices meet.
struct Plan<'a> {
    operands: [&'a Tensor; 2],
    addend: Option<(&'a Tensor, Broadcast)>,
    shape: [usize; 2],
    inner: usize,
    /// From one element of a row, or a column, to the next, and from one of these to the next.
    strides: [[usize; 2]; 2],
    factors: [Option<Factor>; 2],
}

impl<'a> Plan<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let operands = [call.input(0)?, call.input(1)?];
        let third = call.inputs.get(2).and_then(Option::as_ref);
        let is_turned = ["transA", "transB"].map(|name| call.int(name).is_some_and(|it| it != 0));
        let ([a0, a1], [b0, b1]) = (operands[0].shape(), operands[1].shape()) else {
            return Err(call.invalid("takes matrices alone"));
        };
        let (rows, inner, a) =
            if is_turned[0] { (*a1, *a0, [*a1, 1]) } else { (*a0, *a1, [1, *a1]) };
        let (other, columns, b) =
            if is_turned[1] { (*b1, *b0, [1, *b1]) } else { (*b0, *b1, [*b1, 1]) };
        if inner != other {
            let shapes = operands.map(Tensor::shape);
            return Err(call.invalid(&format!("cannot multiply matrices of {shapes:?}")));
        }
        let shape = [rows, columns];
        if call.specification.is_restricted() {
            call.restrict_types(IEEE_FLOATS)?;
            if let Some(name) = call.attributes.keys().next() {
                return Err(call.invalid(&format!("of SONNX has no `{name}`")));
            }
            if third.map(Tensor::shape) != Some(&shape[..]) {
                return Err(call.invalid("of SONNX takes a third matrix of the output's shape"));
            }
        }
        let is_broadcast = call.version.since >= 7 || call.int("broadcast").unwrap_or(0) != 0;
        let addend = third.map(|third| {
            let broadcast = Broadcast::multidirectional(&[&shape, third.shape()])?;
            let fits = broadcast.shape() == shape && (is_broadcast || third.shape() == shape);
            match fits {
                true => Ok((third, broadcast)),
                false => {
                    let own = third.shape();
                    Err(call.invalid(&format!("has no place for {own:?} in {shape:?}")))
                }
            }
        });
        let factor = |name| Factor::of(&FloatFormat::FLOAT32, call.float(name)?.into());
        let factors = ["alpha", "beta"].map(factor);
        Ok(Self { operands, addend: addend.transpose()?, shape, inner, strides: [a, b], factors })
    }

    /// The pairs of elements that are multiplied for an element of the output.
    fn pairs(&self, index: usize) -> impl Iterator<Item = [usize; 2]> + '_ {
        let columns = self.shape[1].max(1);
        let place = [index / columns, index % columns];
        let [[a_step, a_line], [b_step, b_line]] = self.strides;
        (0..self.inner)
            .map(move |at| [place[0] * a_line + at * a_step, place[1] * b_line + at * b_step])
    }

    fn products(&self, index: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        let [a, b] = self.operands;
        self.pairs(index).filter_map(|[at, to]| Some((bits_at(a, at)?, bits_at(b, to)?)))
    }

    fn third(&self, index: usize) -> Option<u64> {
        let (third, broadcast) = self.addend.as_ref()?;
        bits_at(third, broadcast.source(1, index))
    }

    /// The sum with the terms that are named: the products, and the third matrix.
    fn sum(
        &self,
        format: &'static FloatFormat,
        index: usize,
        [alpha, beta]: [Factor; 2],
        has: [bool; 2],
    ) -> Result<Sum, NoBound> {
        let mut sum = Sum::new(format, Terms::Products, Scale::Factor(alpha))?;
        if has[0] {
            self.products(index).for_each(|(a, b)| sum.add(a, b));
        }
        // The sum may be +0 whatever its terms, from an accumulator that starts there.
        if alpha.is_negative() {
            sum.allow_negative_zero();
        }
        if let (true, Some(third)) = (has[1], self.third(index)) {
            sum.add_scaled(third, beta)?;
        }
        Ok(sum)
    }
}

impl Summed for Plan<'_> {
    const PAIRED: bool = true;

    fn dtype(&self) -> DType {
        self.operands[0].dtype()
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let [Some(alpha), Some(beta)] = self.factors else { return Err(NoBound::Scale) };
        let factors = [alpha, beta];
        let mut sums = vec![self.sum(format, index, factors, [true; 2])?];
        let has = factors.map(|factor| !factor.is_zero());
        if has != [true; 2] && sums.iter().all(|sum| sum.sum().is_none()) {
            sums.push(self.sum(format, index, factors, has)?);
        }
        Ok(sums)
    }

    fn integer(&self, index: usize) -> Conforming {
        let open = Conforming::Unspecified("how a fraction scales integers is not said");
        let Some(Number::Int(int)) = Number::of(self.dtype()) else { return open };
        if self.factors == [Some(Factor::ONE); 2] {
            let third = self.third(index).map(|third| (third, 1));
            return Conforming::One(wrapping(int.bits, self.products(index).chain(third)));
        }
        let value = |bits| BigInt::from(Int::value(int, bits));
        let products: BigInt = self.products(index).map(|(a, b)| value(a) * value(b)).sum();
        let third = self.third(index).map_or_else(BigInt::default, value);
        let scaled = |number: BigInt, factor: Option<Factor>| Some(number * factor?.integer()?);
        match (scaled(products, self.factors[0]), scaled(third, self.factors[1])) {
            (Some(products), Some(third)) => {
                let sum = i128::try_from(&(products + third)).ok();
                match sum.and_then(|sum| int.element(sum)) {
                    Some(bits) => Conforming::One(bits),
                    None => Conforming::Unspecified("the scaled sum leaves the type"),
                }
            }
            _ => open,
        }
    }

    fn open(&self, _: usize) -> Option<&'static str> {
        self.factors.contains(&None).then_some("`alpha` or `beta` is no number")
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        let Number::Float(format) = Number::of(self.dtype())? else { return None };
        Some(Box::new(MatrixProducts { matrices: Operands::of(self)?, format }))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let [a, b] = self.operands;
        let pairs = self.pairs(index).flat_map(|[at, to]| [Element::of(a, at), Element::of(b, to)]);
        let third = self
            .addend
            .as_ref()
            .and_then(|(third, broadcast)| Element::of(third, broadcast.source(1, index)));
        pairs.flatten().chain(third).collect()
    }
}

/// The operands in float32, where neither factor changes anything.
struct Operands<'a> {
    plan: &'a Plan<'a>,
    operands: [Vec<f32>; 2],
    third: Option<Vec<f32>>,
}

impl<'a> Operands<'a> {
    fn of(plan: &'a Plan<'a>) -> Option<Self> {
        let [Some(Factor::ONE), Some(beta)] = plan.factors else { return None };
        if plan.addend.is_some() && beta != Factor::ONE {
            return None;
        }
        let [a, b] = plan.operands;
        let third = match &plan.addend {
            Some((third, _)) => Some(floats(third)?),
            None => None,
        };
        Some(Self { plan, operands: [floats(a)?, floats(b)?], third })
    }

    /// Gives the elements of an operand on these lines, each with its place; a NaN where there is none.
    fn give(
        &self,
        operand: usize,
        lines: Range<usize>,
        terms: Range<usize>,
        mut put: impl FnMut(usize, usize, f32),
    ) {
        let [step, line_step] = self.plan.strides[operand];
        for (place, line) in lines.enumerate() {
            for (at, term) in terms.clone().enumerate() {
                let element = self.operands[operand].get(line * line_step + term * step);
                put(place, at, element.copied().unwrap_or(f32::NAN));
            }
        }
    }
}

impl matrix_products::Matrices for Operands<'_> {
    fn extent(&self) -> Extent {
        let Plan { shape: [rows, columns], inner, .. } = *self.plan;
        Extent { matrices: 1, rows, terms: inner, columns }
    }

    fn left(
        &self,
        _: usize,
        rows: Range<usize>,
        terms: Range<usize>,
        put: impl FnMut(usize, usize, f32),
    ) {
        self.give(0, rows, terms, put);
    }

    fn right(
        &self,
        _: usize,
        columns: Range<usize>,
        terms: Range<usize>,
        put: impl FnMut(usize, usize, f32),
    ) {
        self.give(1, columns, terms, put);
    }

    fn addend(&self, index: usize) -> f32 {
        match (&self.third, &self.plan.addend) {
            (Some(third), Some((_, broadcast))) => {
                third.get(broadcast.source(1, index)).copied().unwrap_or(f32::NAN)
            }
            _ => 0.0,
        }
    }
}

struct Gemm;

impl Reference for Gemm {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = Plan::of(call)?.shape;
        Ok(vec![TensorType::new(call.input(0)?.dtype(), shape.to_vec())?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match Plan::of(call) {
            Ok(plan) => vec![Box::new(Accumulated(plan))],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};

    #[test]
    fn a_negative_alpha_makes_either_zero_of_products_that_round_to_it() {
        // A product of -1e-60 rounds to -0, which an accumulator that starts at +0 leaves at +0.
        let matrix = |value: f32| Tensor::from_values(Float32, vec![1, 1], vec![value]).ok();
        let accepts = |alpha: f32, a: f32| {
            let alpha = AttributeValue::Float(alpha.to_bits());
            let attributes = Attributes::from([("alpha".to_owned(), alpha)]);
            let inputs = vec![matrix(a), matrix(-1e-30)];
            let (version, of) = (GEMM.newest(), Specification::Onnx);
            let (call, types) = Call::new(&GEMM, version, of, attributes, inputs).unwrap();
            let conforming = GEMM.reference.allowed(&call, &types)[0].at(0);
            [0.0_f32, -0.0].map(|zero| conforming.accepts(zero.to_bits().into()))
        };
        assert_eq!(accepts(-1.0, 1e-30), [true, true]);
        assert_eq!(accepts(-1.0, -1e-30), [true, true]);
        assert_eq!(accepts(1.0, -1e-30), [true, false]);
        assert_eq!(accepts(-1.0, -1.0), [false, false]);
    }
}

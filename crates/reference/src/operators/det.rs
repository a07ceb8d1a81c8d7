//! Det: the determinant of each of the square matrices that the last two dimensions are.
//!
//! What conforms is what elimination with pivots may give, as far as it is [bounded](crate::exact::determinant), and of at most four rows what the
//! sum of all products of the definition may, in any order and expanded by minors. Nothing is decided of more than [`MOST`] rows, where sums may overflow on the
//! way, of infinities, and of a NaN beside a row or a column of zeros, which elimination may leave for. Sums of logarithms are
//! not covered. The determinant of a matrix of one element is this one, and that of a matrix without elements 1, the product of nothing. Source:
//! ONNX's schemas of Det-11 and 22.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::element::Element;
use values::float::{Class, FloatFormat};
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::determinant::{MOST, Matrix};
use crate::exact::real::Enclosure;
use crate::exact::sum_of_products::{Orders, Partial, SumOfProducts};
use crate::exact::{Conforming, Deviation, Share, distance};
use crate::families::computation::format_of;
use crate::families::function::one;
use crate::families::summing::{bits_at, elements_at};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Ports, Reference, TensorType, Version,
};
use crate::real::Real;

/// Det in ONNX's default domain.
pub static DET: Operator = Operator {
    documents: &[Document { key: "onnx-det", catalogue: include_str!("det/onnx-det.toml") }],
    cases: Some(|of| case_table::cases(of, &DET, &[include_str!("det/cases.toml")], Own::NONE)),
    ..Operator::onnx("Det", OperatorKind::Accumulated, &VERSIONS, &Det)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", TYPES.split_at(3).0) }.since(11, &[]),
    const { Ports::new(["X"], "Y", &TYPES) }.since(22, &[]),
];

const LARGE: &str = "no bound holds for elimination of so many rows";
const WIDE: &str = "sums may overflow on the way, or every bit may be lost";
const INFINITE: &str = "what comes of infinities depends on the order of the operations";
const LEFT: &str = "elimination may leave for the zeros before it meets the NaN";

/// The rows of matrices whose determinants may be computed by the definition.
const BY_DEFINITION: usize = 4;

/// The rows of each of the matrices.
fn size(call: &Call) -> Result<usize, Invalid> {
    match call.input(0)?.shape() {
        [.., rows, columns] if rows == columns => Ok(*rows),
        shape => Err(call.invalid(&format!("takes square matrices, not {shape:?}"))),
    }
}

/// All permutations of so many columns, each with whether it is odd.
fn permutations(size: usize) -> Vec<(Vec<usize>, bool)> {
    let mut all = vec![(Vec::new(), false)];
    for column in 0..size {
        let next = |(columns, is_odd): (Vec<usize>, bool)| {
            (0..=column).map(move |at| {
                let mut columns = columns.clone();
                columns.insert(at, column);
                (columns, is_odd ^ ((column - at) % 2 == 1))
            })
        };
        all = all.into_iter().flat_map(next).collect();
    }
    all
}

/// The determinants of matrices of so many rows.
struct Determinants<'a> {
    data: &'a Tensor,
    size: usize,
    format: &'static FloatFormat,
    /// How the sum of the definition may be computed.
    orders: Orders,
}

impl Determinants<'_> {
    fn places(&self, index: usize) -> std::ops::Range<usize> {
        let count = self.size * self.size;
        index * count..(index + 1) * count
    }

    fn elements(&self, index: usize) -> Vec<u64> {
        self.places(index).filter_map(|place| bits_at(self.data, place)).collect()
    }

    /// What conforms without a computation, and why nothing is decided.
    fn special(&self, elements: &[u64]) -> Option<Conforming> {
        let class = |bits: &u64| self.format.class(*bits);
        let has = |wanted: Class| elements.iter().any(|bits| class(bits) == wanted);
        match (self.size, elements) {
            (0, _) => return Some(Conforming::One(one(self.format))),
            (1, [only]) if class(only) == Class::Nan => {}
            // A sum of one product may begin with +0.
            (1, [only]) if class(only) == Class::Zero => {
                let zeros = [*only, self.format.negated(*only)].map(Conforming::One);
                return Conforming::one_of(zeros);
            }
            (1, [only]) => return Some(Conforming::One(*only)),
            _ => {}
        }
        if has(Class::Nan) {
            let is_zero = |place: usize| class(&elements[place]) == Class::Zero;
            let has_zeros = (0..self.size).any(|line| {
                (0..self.size).all(|at| is_zero(line * self.size + at))
                    || (0..self.size).all(|at| is_zero(at * self.size + line))
            });
            return Some(match has_zeros {
                true => Conforming::Unspecified(LEFT),
                false => Conforming::AnyNan(self.format),
            });
        }
        let open = [(has(Class::Infinite), INFINITE), (self.size > MOST, LARGE)];
        open.into_iter().find(|(is_open, _)| *is_open).map(|(_, why)| Conforming::Unspecified(why))
    }

    /// The sum of the products of the definition.
    fn by_definition(&self, elements: &[u64]) -> Option<Conforming> {
        let size = self.size;
        if size > BY_DEFINITION {
            return None;
        }
        let mut sum = SumOfProducts::new(self.format, size, &self.orders);
        for (columns, is_odd) in permutations(size) {
            let places = columns.iter().enumerate().map(|(row, column)| row * size + column);
            let mut factors: Vec<u64> = places.map(|place| elements[place]).collect();
            if is_odd && let Some(first) = factors.first_mut() {
                *first = self.format.negated(*first);
            }
            sum.add(&factors);
        }
        sum.judged([0; 2]).0.ok()
    }

    fn matrix(&self, index: usize) -> Option<Matrix> {
        let elements = self.elements(index);
        match self.special(&elements) {
            None => Matrix::of(self.format, self.size, &elements),
            Some(_) => None,
        }
    }
}

impl Allowed for Determinants<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.judged(index, [0; 2]).0
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        let elements = self.elements(index);
        if let Some(special) = self.special(&elements) {
            return Real::of_element(self.data.dtype(), special.number()?);
        }
        let determinant = self.matrix(index)?.determinant();
        let composed = determinant.bound.map(|bound| Enclosure {
            lower: &determinant.exact - &bound,
            upper: &determinant.exact + &bound,
        });
        Some(Real { composed, ..Real::exactly(determinant.exact) })
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.judged(index, [actual; 2]).1[0]
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let elements = self.elements(index);
        if let Some(special) = self.special(&elements) {
            let of = |actual| match special.number() {
                Some(exact) => distance(self.data.dtype(), exact, actual),
                None => Deviation::NoRealResult,
            };
            return (special.clone(), actual.map(of));
        }
        let Some(matrix) = Matrix::of(self.format, self.size, &elements) else {
            return (Conforming::Unspecified(INFINITE), [Deviation::NoRealResult; 2]);
        };
        let (by_elimination, deviations) = matrix.determinant().judged(actual);
        let open = Conforming::Unspecified(WIDE);
        let conforming = by_elimination.and_then(|by_elimination| {
            Conforming::one_of(
                [Some(by_elimination), self.by_definition(&elements)].into_iter().flatten(),
            )
        });
        (conforming.unwrap_or(open), deviations)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        let determinant = self.matrix(index)?.determinant();
        let is_number = Real::of_element(self.data.dtype(), actual).is_some();
        let bound = determinant.bound.filter(|_| is_number)?;
        Share::of(self.data.dtype(), &determinant.exact, &bound, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        elements_at(self.data, self.places(index))
    }

    fn sources(&self, _: usize) -> Option<Vec<usize>> {
        Some(vec![0; self.size * self.size])
    }
}

struct Det;

impl Reference for Det {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        size(call)?;
        let data = call.input(0)?;
        let shape = data.shape()[..data.shape().len() - 2].to_vec();
        Ok(vec![crate::families::picking::bounded(call, data.dtype(), shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok(size)) = (call.input(0), size(call)) else { return Vec::new() };
        let Some(format) = format_of(data.dtype()) else { return Vec::new() };
        let products = (1..size.min(BY_DEFINITION) as u64).product();
        let partials = (0..size.min(BY_DEFINITION)).filter(|_| size > 2);
        let partials = partials.map(|without| Partial { without, products }).collect();
        let orders = Orders { partials, is_factored: size > 2, begins_anew: size > 2 };
        vec![Box::new(Determinants { data, size, format, orders })]
    }
}

#[cfg(test)]
mod tests;

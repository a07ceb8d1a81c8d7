//! Einsum: sums of products of elements, whose indices an equation names.
//!
//! Each element is the sum over all indices that the output lacks of the products of one element of each operand. Sums of products of floats
//! are added up in any order, in which sums of some operands may be multiplied by others ([`sum_of_products`](crate::exact::sum_of_products));
//! without an index to sum over, an element is a product in any order, and of a single operand the element itself. As a sum may begin with +0,
//! -0 may be +0. Integers are computed modulo 2^n. Source: ONNX's schemas of Einsum, versions 12 and 28.
//!
//! The text leaves open what several sizes of one letter mean of which one is 1, a letter that the output repeats, an ellipsis that the output
//! lacks or that it alone has, an equation without any term, and spaces within `->` and `...`: nothing is decided of these.

mod equation;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::{Tensor, coordinates};

use crate::case_table::{self, Own};
use crate::exact::dot::NoBound;
use crate::exact::number::Int;
use crate::exact::product::Product;
use crate::exact::sum_of_products::{Orders, Partial, SumOfProducts};
use crate::exact::{Conforming, Deviation, Number, Share, distance};
use crate::families::picking::bounded;
use crate::families::summing::{TOO_MANY_TERMS, bits_at};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::real::{Real, Sum};
use crate::signature::{NUMERIC, NUMERIC_SONNX};
use equation::Equation;

/// Einsum in ONNX's default domain.
pub static EINSUM: Operator = Operator {
    documents: &[Document {
        key: "onnx-einsum",
        catalogue: include_str!("einsum/onnx-einsum.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &EINSUM, &[include_str!("einsum/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Einsum", OperatorKind::Accumulated, &VERSIONS, &Einsum)
};

const EQUATION: Attribute =
    Attribute::new("equation", AttributeType::AnyText).otherwise(Otherwise::Invalid);

const VERSIONS: [Version; 2] = [
    Version {
        since: 12,
        inputs: &[Port::new("Inputs", NUMERIC_SONNX, "T").variadic()],
        outputs: &[Port::new("Output", NUMERIC_SONNX, "T")],
        attributes: &[EQUATION],
    },
    Version {
        since: 28,
        inputs: &[Port::new("Inputs", &NUMERIC, "T").variadic()],
        outputs: &[Port::new("Output", &NUMERIC, "T")],
        attributes: &[EQUATION],
    },
];

/// More terms of an element than are computed here.
const LARGE: &str = "the element is a sum of more terms than the reference computes";

/// Terms of an element that are computed at most.
const MOST_TERMS: usize = 1 << 24;

/// Which elements make an element of the output.
struct Contraction<'a> {
    operands: Vec<&'a Tensor>,
    /// The sizes of the output, and of the indices that are summed over.
    shape: Vec<usize>,
    summed: Vec<usize>,
    /// Of each operand by how much its place grows with each of these.
    strides: Vec<[Vec<usize>; 2]>,
    orders: Orders,
    /// Why nothing is decided, if nothing is.
    open: Option<&'static str>,
}

impl<'a> Contraction<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let operands: Vec<&Tensor> = call.inputs.iter().flatten().collect();
        let shapes: Vec<&[usize]> = operands.iter().map(|it| it.shape()).collect();
        let text = call.text(EQUATION.name).unwrap_or_default();
        let equation = Equation::of(text, &shapes).map_err(|why| call.invalid(&why))?;
        let Equation { sizes, terms, output, open } = equation;
        let is_summed = |index: &usize| !output.contains(index);
        let indices: Vec<usize> = (0..sizes.len()).filter(is_summed).collect();
        // Of an index that a term has several times, its place grows with all of them, and of one of size 1 with none.
        let strides_of = |(term, shape): (&Vec<usize>, &&[usize])| {
            let grows = |index: &usize| {
                let own =
                    term.iter().enumerate().filter(|(at, own)| *own == index && shape[*at] > 1);
                own.map(|(at, _)| shape[at + 1..].iter().product::<usize>()).sum()
            };
            [&output, &indices].map(|all| all.iter().map(grows).collect::<Vec<usize>>())
        };
        let strides = terms.iter().zip(&shapes).map(strides_of).collect();
        let sizes_of = |all: &[usize]| all.iter().map(|index| sizes[*index]).collect::<Vec<_>>();
        // Sums over what an operand lacks may be computed of the others, and with several others their products.
        let lacked = |term: &Vec<usize>| -> Vec<usize> {
            indices.iter().copied().filter(|index| !term.contains(index)).collect()
        };
        let partials = terms.iter().enumerate().filter_map(|(without, term)| {
            let products = sizes_of(&lacked(term))
                .into_iter()
                .fold(1_u64, |product, size| product.saturating_mul(size as u64));
            (terms.len() > 2 || products > 1).then_some(Partial { without, products })
        });
        let several = terms.len() > 1;
        let is_factored = several && terms.iter().any(|term| !lacked(term).is_empty());
        let orders = Orders {
            partials: if several { partials.collect() } else { Vec::new() },
            is_factored,
            begins_anew: is_factored || several && indices.iter().any(|it| sizes[*it] == 1),
        };
        let (shape, summed) = (sizes_of(&output), sizes_of(&indices));
        Ok(Self { operands, shape, summed, strides, orders, open })
    }

    /// The number of terms of an element.
    fn terms(&self) -> Option<usize> {
        let product = |all: Option<usize>, size: &usize| all?.checked_mul(*size);
        let is_empty = self.summed.contains(&0);
        if is_empty { Some(0) } else { self.summed.iter().fold(Some(1), product) }
    }

    fn open(&self) -> Option<&'static str> {
        let is_large = self.terms().is_none_or(|terms| terms > MOST_TERMS);
        let is_of_none = self.orders.is_factored && self.terms() == Some(0);
        self.open.or(is_large.then_some(LARGE)).or(is_of_none
            .then_some("nothing says whether other operands are multiplied by a sum of no terms"))
    }

    /// Sees the places in the operands of the factors of each term of an element.
    fn visit(&self, index: usize, mut see: impl FnMut(&[usize])) {
        let at = coordinates(index, &self.shape);
        let along = |strides: &[usize], at: &[usize]| -> usize {
            strides.iter().zip(at).map(|(stride, at)| stride * at).sum()
        };
        let first: Vec<usize> = self.strides.iter().map(|[own, _]| along(own, &at)).collect();
        let mut places = first.clone();
        for term in 0..self.terms().unwrap_or_default() {
            let at = coordinates(term, &self.summed);
            for ((place, first), [_, strides]) in places.iter_mut().zip(&first).zip(&self.strides) {
                *place = first + along(strides, &at);
            }
            see(&places);
        }
    }

    /// Sees the bits of the factors of each term of an element.
    fn factors(&self, index: usize, mut see: impl FnMut(&[u64])) {
        let mut factors = vec![0; self.operands.len()];
        self.visit(index, |places| {
            for ((factor, operand), place) in factors.iter_mut().zip(&self.operands).zip(places) {
                *factor = bits_at(operand, *place).unwrap_or_default();
            }
            see(&factors);
        });
    }

    fn dtype(&self) -> DType {
        self.operands.first().map_or(DType::Float32, |operand| operand.dtype())
    }

    /// The element at an index as a sum, or as a product.
    fn computed(&self, index: usize) -> Computed<'_> {
        match Number::of(self.dtype()) {
            None => Computed::Open("the type has no exact arithmetic"),
            _ if let Some(reason) = self.open() => Computed::Open(reason),
            Some(Number::Int(int)) => Computed::Integer(self.integer(int, index)),
            Some(Number::Float(format)) if self.summed.is_empty() => {
                let mut product = Product::new(format);
                let multiply =
                    |factors: &[u64]| factors.iter().for_each(|it| product.multiply(*it));
                self.factors(index, multiply);
                let has_minus = self.operands.len() > 2 && self.has_negative_factor(format, index);
                Computed::Product { product, format, has_minus }
            }
            Some(Number::Float(format)) => {
                let count = self.operands.len();
                let mut sum = SumOfProducts::new(format, count, &self.orders);
                self.factors(index, |factors| sum.add(factors));
                Computed::Sum(sum)
            }
        }
    }

    /// Whether a factor of an element has a negative sign.
    fn has_negative_factor(&self, format: &FloatFormat, index: usize) -> bool {
        let mut has_minus = false;
        self.factors(index, |factors| {
            has_minus |= factors.iter().any(|it| format.is_negative(*it));
        });
        has_minus
    }

    /// The sum of products of integers modulo 2^n.
    fn integer(&self, int: Int, index: usize) -> u64 {
        let mut sum = 0_i128;
        self.factors(index, |factors| {
            let values = factors.iter().map(|bits| int.value(*bits));
            sum = sum.wrapping_add(values.fold(1, i128::wrapping_mul));
        });
        int.wrap(sum)
    }
}

/// What conforms of a product that may be added to +0, and with `has_minus` of one that may have the other sign of a zero.
fn with_zeros(product: Conforming, format: &FloatFormat, has_minus: bool) -> Conforming {
    let zeros = [0, format.negated(0)];
    let [is_plus, is_minus] = zeros.map(|zero| product.accepts(zero));
    let [plus, minus] = zeros.map(Conforming::One);
    let others = [(is_minus && !is_plus, plus), (has_minus && is_plus && !is_minus, minus)];
    let others = others.into_iter().filter(|(is_added, _)| *is_added).map(|(_, zero)| zero);
    let all: Vec<Conforming> = std::iter::once(product.clone()).chain(others).collect();
    Conforming::one_of(all).unwrap_or(product)
}

/// What an element is.
enum Computed<'a> {
    Open(&'static str),
    Integer(u64),
    /// With whether a product of some of the factors may be turned round after it was added to +0.
    Product {
        product: Product,
        format: &'static FloatFormat,
        has_minus: bool,
    },
    Sum(SumOfProducts<'a>),
}

impl Computed<'_> {
    fn judged(&self, dtype: DType, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let (conforming, deviations) = match self {
            Self::Open(reason) => {
                return (Conforming::Unspecified(reason), [Deviation::NoRealResult; 2]);
            }
            Self::Integer(exact) => {
                let deviations = actual.map(|actual| distance(dtype, *exact, actual));
                return (Conforming::One(*exact), deviations);
            }
            Self::Product { product, format, has_minus } => {
                let conforming = product.conforming();
                let conforming = conforming.map(|it| with_zeros(it, format, *has_minus));
                (conforming, actual.map(|actual| product.error(actual)))
            }
            Self::Sum(sum) => sum.judged(actual),
        };
        let open = |_: NoBound| Conforming::Unspecified(TOO_MANY_TERMS);
        (conforming.unwrap_or_else(open), deviations)
    }
}

impl Allowed for Contraction<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.judged(index, [0; 2]).0
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        match self.computed(index) {
            Computed::Open(_) => None,
            Computed::Integer(exact) => Real::of_element(self.dtype(), exact),
            Computed::Product { product, .. } => Some(Real::exactly(product.product()?)),
            Computed::Sum(sum) => {
                let [exact, magnitude, bound] = sum.numbers()?;
                // Where products of other operands are made first, elements have them in common.
                let shared = self.orders.partials.is_empty().then_some(0);
                let of_terms = Sum { terms: sum.terms(), magnitude, bound, shared };
                Some(Real { sum: Some(of_terms), ..Real::exactly(exact) })
            }
        }
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.judged(index, [actual; 2]).1[0]
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        self.computed(index).judged(self.dtype(), actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        match self.computed(index) {
            Computed::Product { product, .. } => product.share(actual),
            _ => self.real(index, 0)?.share_of_sum(self.dtype(), actual),
        }
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let mut elements = Vec::new();
        self.visit(index, |places| {
            let all = self.operands.iter().zip(places);
            elements.extend(all.filter_map(|(operand, place)| Element::of(operand, *place)));
        });
        elements
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        let count = self.operands.len();
        Some((0..self.operands(index).len()).map(|at| at % count).collect())
    }
}

struct Einsum;

impl Reference for Einsum {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let contraction = Contraction::of(call)?;
        Ok(vec![bounded(call, contraction.dtype(), contraction.shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match Contraction::of(call) {
            Ok(contraction) => vec![Box::new(contraction)],
            Err(_) => Vec::new(),
        }
    }

    /// That inference gives the sizes of letters as their first operand has them.
    fn is_disputed(&self, call: &Call) -> bool {
        Contraction::of(call).is_ok_and(|contraction| contraction.open.is_some())
    }
}

#[cfg(test)]
mod tests;

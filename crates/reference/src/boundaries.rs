//! The boundaries of results: the numbers of a type at which rounding, overflow, underflow or the sign
//! changes, and operands whose exact results lie just below, on and just above each.
//!
//! The operands are found by exact search. *Just* means: no other operands that the search looks at have
//! an exact result on that side that is closer. For functions of one operand it looks at all of them, as
//! they are monotone; for those of two, at a family of second operands (all of them in 8 bits), and for
//! each at the first operands that are next to the exact solution.

pub mod known;
mod numbers;
pub(crate) mod search;

use std::cmp::Ordering;

use num_traits::Signed;
use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::FloatFormat;

use crate::elementwise::Elementwise;
use crate::exact::real::{Enclosure, Rational};
use crate::inputs::Tuple;

pub use numbers::of;

/// Bits that irrational results are known to.
const BITS: u32 = 128;

/// A number at which results of a type change in kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// What it is, without the sign; the powers of two of integers have one name.
    pub name: &'static str,
    /// The number.
    pub at: Rational,
}

/// Where an exact result lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Less than the boundary.
    Below,
    /// Equal to it.
    On,
    /// Greater.
    Above,
}

/// Operands whose exact result lies on one side of a boundary, and just there, or why none have such a result.
pub type Solution = Result<Tuple, &'static str>;

/// A boundary with what there is on its sides, in the order of [`Side::ALL`].
#[derive(Clone, Debug)]
pub struct Solved {
    /// The boundary.
    pub boundary: Boundary,
    /// One solution a side.
    pub sides: [Solution; 3],
}

/// Search and proofs disagree, or neither has anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{side:?} the boundary {name} ({at}) of {dtype} there are {found} that there are none")]
pub struct Unsolved {
    dtype: DType,
    name: &'static str,
    at: Rational,
    side: Side,
    found: &'static str,
}

/// An element-wise operator's operands at boundaries of its results.
pub trait BoundaryInputs: Sync {
    /// The function that the operands are for.
    fn function(&self) -> &dyn Elementwise;

    /// Whether results of floats have both signs, and change theirs where operands are [`Self::negated`].
    fn is_odd(&self) -> bool {
        false
    }

    /// Operands of the negative result: those with the sign of the first one flipped.
    fn negated(&self, format: &FloatFormat, [a, b]: Tuple) -> Tuple {
        [format.negated(a), b]
    }

    /// The exact result, before integers wrap and anything is rounded; `None` where a specification
    /// decides none.
    fn exact(&self, dtype: DType, operands: &[Element]) -> Option<Enclosure> {
        let is_decided = self.function().conforming(dtype, operands).is_decided();
        is_decided.then(|| self.function().real(dtype, operands, BITS))?.map(|real| real.enclosure)
    }

    /// On which side of a number the exact result lies; `None` where there is none, and where more than
    /// 128 bits of it would tell.
    fn side(&self, dtype: DType, operands: &[Element], at: &Rational) -> Option<Side> {
        let Enclosure { lower, upper } = self.exact(dtype, operands)?;
        let [lower, upper] = [lower, upper].map(|bound| Side::of(bound.cmp(at)));
        (lower == upper).then_some(lower)
    }

    /// Operands of a type with exact results below, on and above a number, each as close as the search
    /// finds any.
    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3];

    /// Why no operands of a type have an exact result on a side of a boundary, where none have.
    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str>;
}

impl Side {
    /// Every side, from below.
    pub const ALL: [Self; 3] = [Self::Below, Self::On, Self::Above];

    /// The side of a number with this order to a boundary.
    pub const fn of(order: Ordering) -> Self {
        match order {
            Ordering::Less => Self::Below,
            Ordering::Equal => Self::On,
            Ordering::Greater => Self::Above,
        }
    }
}

/// Every boundary of a type, with operands or a proof for each side. The boundaries of odd functions of
/// floats come with both signs.
pub fn solved(inputs: &dyn BoundaryInputs, dtype: DType) -> Result<Vec<Solved>, Unsolved> {
    let mut all = Vec::new();
    for boundary in of(dtype) {
        let found = inputs.closest(dtype, &boundary.at);
        let mut sides = [Err(""); 3];
        for ((side, found), solution) in Side::ALL.into_iter().zip(found).zip(&mut sides) {
            let proof = inputs.proof(dtype, &boundary, side);
            *solution = match (found, proof) {
                (Some(operands), None) => Ok(operands),
                (None, Some(proof)) => Err(proof),
                (found, _) => {
                    let Boundary { name, at } = boundary;
                    let both = "operands, and a proof";
                    let found = found.map_or("no operands, and no proof", |_| both);
                    return Err(Unsolved { dtype, name, at, side, found });
                }
            };
        }
        let solved = Solved { boundary, sides };
        let negative = solved.negated(inputs, dtype).filter(|_| inputs.is_odd());
        all.push(solved);
        all.extend(negative);
    }
    Ok(all)
}

impl Solved {
    /// The negative boundary of floats, by negated operands; zero has none.
    fn negated(&self, inputs: &dyn BoundaryInputs, dtype: DType) -> Option<Self> {
        let Kind::Float(format) = dtype.kind() else { return None };
        let negated = |tuple| inputs.negated(format, tuple);
        let [below, on, above] = self.sides.map(|side| side.map(negated));
        let Boundary { name, at } = &self.boundary;
        at.is_positive().then(|| Self {
            boundary: Boundary { name, at: -at.clone() },
            sides: [above, on, below],
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::Bound;

    use values::dtype::integer;

    use super::*;
    use crate::exact::real::value;
    use crate::exact::{Conforming, Number};
    use crate::operator::{Attributes, Operator, Port, Specification};
    use crate::operators::OPERATORS;

    /// The operators with boundaries.
    fn all() -> impl Iterator<Item = (&'static Operator, &'static dyn BoundaryInputs)> {
        OPERATORS.iter().filter_map(|operator| Some((*operator, operator.reference.boundaries()?)))
    }

    fn elements(operator: &Operator, dtype: DType, pair: Tuple) -> Vec<Element> {
        pair[..operator.arity()].iter().map(|&bits| Element::Bits(dtype, bits.into())).collect()
    }

    /// Whether an operator computes each element of its output, a number, from one of each input: it does not where
    /// it moves elements.
    fn computes(operator: &Operator) -> bool {
        let attributes = Attributes::new();
        let function = operator.reference.elementwise(Specification::Onnx, &attributes);
        let one = |port: &Port| Element::Bits(port.types[0], 1);
        let ones: Vec<Element> = operator.newest().inputs.iter().map(one).collect();
        let moves = |conforming: Conforming| matches!(conforming, Conforming::Same(element) if ones.contains(&element));
        !matches!(operator.types(), [DType::Bool | DType::String])
            && function.is_some_and(|it| !moves(it.conforming(operator.types()[0], &ones)))
    }

    #[test]
    fn every_operator_that_computes_elements_has_its_boundaries() {
        for operator in OPERATORS {
            let computes = computes(operator);
            // Sums of products have those of a single one, which MatMul is asked.
            let is_product = operator.name == "MatMul";
            let has_boundaries = operator.reference.boundaries().is_some();
            assert_eq!(has_boundaries, computes || is_product, "{operator:?}");
        }
    }

    #[test]
    fn every_side_of_every_boundary_has_operands_there_or_a_proof() {
        for (operator, inputs) in all() {
            for &dtype in operator.types() {
                for Solved { boundary: Boundary { name, at }, sides } in solved(inputs, dtype)
                    .unwrap_or_else(|unsolved| panic!("{operator}: {unsolved}"))
                {
                    for (side, solution) in Side::ALL.into_iter().zip(sides) {
                        let Ok(tuple) = solution else { continue };
                        let found = inputs.side(dtype, &elements(operator, dtype, tuple), &at);
                        assert_eq!(found, Some(side), "{operator:?} {dtype} {name} {tuple:x?}");
                    }
                }
            }
        }
    }

    #[test]
    fn in_eight_bits_no_pairs_are_closer_than_those_found_and_proofs_hold() {
        let types = [DType::Int8, DType::Uint8, DType::Float8E5M2, DType::Float8E4M3Fn];
        // Of powers a few exponents alone are looked at.
        let is_searched = |operator: &Operator| operator.arity() == 2 && operator.name != "Pow";
        for (operator, inputs) in all().filter(|(operator, _)| is_searched(operator)) {
            // Products of such small factors reach no point between the largest number and its threshold.
            let multiplies = operator.name.contains("Mul") || operator.name == "PRelu";
            let has_no_floats =
                !operator.types().iter().any(|dtype| matches!(dtype.kind(), Kind::Float(_)));
            let types = if multiplies || has_no_floats { &types[..2] } else { &types };
            for &dtype in types {
                let pairs = (0..256).flat_map(|a| (0..256).map(move |b| [a, b]));
                let result = |pair| {
                    let exact = inputs.exact(dtype, &elements(operator, dtype, pair));
                    exact.map(|exact| exact.lower)
                };
                let results: BTreeSet<Rational> = pairs.filter_map(result).collect();
                for Solved { boundary: Boundary { name, at }, sides } in
                    solved(inputs, dtype).unwrap_or_else(|error| panic!("{operator}: {error}"))
                {
                    let nearest = [
                        results.range(..at.clone()).next_back(),
                        results.get(&at),
                        results.range((Bound::Excluded(&at), Bound::Unbounded)).next(),
                    ];
                    let found = sides.map(|side| result(side.ok()?));
                    let nearest = nearest.map(Option::<&_>::cloned);
                    assert_eq!(found, nearest, "{operator:?} {dtype} {name}");
                }
            }
        }
    }

    /// The place of an element among those of its type, by value.
    fn ordinal(dtype: DType, bits: u64) -> i128 {
        match dtype.kind() {
            Kind::Float(format) => format.ordinal(bits).unwrap().into(),
            Kind::Int { signed, bits: width } => integer(bits.into(), signed, width),
            _ => panic!("{dtype}"),
        }
    }

    /// The element of a place; `None` beyond the integers of the type.
    fn element(dtype: DType, ordinal: i128) -> Option<u64> {
        match Number::of(dtype)? {
            Number::Float(format) => Some(search::element(format, ordinal as i64)),
            Number::Int(int) => int.element(ordinal),
        }
    }

    #[test]
    fn no_single_operand_lies_between_those_found_for_a_boundary() {
        for (operator, inputs) in all().filter(|(operator, _)| operator.arity() == 1) {
            for &dtype in operator.types() {
                for Solved { boundary: Boundary { name, at }, sides } in solved(inputs, dtype)
                    .unwrap_or_else(|unsolved| panic!("{operator}: {unsolved}"))
                {
                    let found = sides.into_iter().flatten();
                    let mut ordinals: Vec<i128> = found.map(|[x, _]| ordinal(dtype, x)).collect();
                    // Results may fall where operands rise.
                    ordinals.sort_unstable();
                    let result = |ordinal| {
                        let bits = element(dtype, ordinal)?;
                        inputs.exact(dtype, &elements(operator, dtype, [bits, 0]))
                    };
                    // Between those that are no neighbours the function has no third result.
                    let are_neighbours = ordinals.windows(2).all(|pair| {
                        let [low, high] = [pair[0], pair[1]];
                        let ends = [result(low), result(high)];
                        // Through infinity, where a function is 0, the first number and the last one meet.
                        let meet = low == -high && result(high + 1).is_none();
                        low + 1 == high
                            || meet
                            || [low + 1, high - 1].map(result).iter().all(|it| ends.contains(it))
                    });
                    assert!(are_neighbours, "{operator:?} {dtype} {name} {ordinals:?}");
                    // Where a side has none, the next operand has no result, or is on another side.
                    let next =
                        [ordinals[0].checked_sub(1), ordinals[ordinals.len() - 1].checked_add(1)];
                    for next in next.into_iter().flatten() {
                        let Some(next) = element(dtype, next) else { continue };
                        let next = elements(operator, dtype, [next, 0]);
                        if let Some(side) = inputs.side(dtype, &next, &at) {
                            let there = sides[side as usize];
                            assert!(there.is_ok(), "{operator:?} {dtype} {name}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_neighbours_of_numbers_are_those_of_the_ordered_bits() {
        use search::around;
        let number =
            |numerator: i64, denominator: i64| Rational::new(numerator.into(), denominator.into());
        let float16 = DType::Float16;
        assert_eq!(around(float16, &number(0, 1)), [0x8001, 0, 1]);
        assert_eq!(around(float16, &number(1, 1)), [0x3bff, 0x3c00, 0x3c01]);
        assert_eq!(around(float16, &number(-1, 3)), [0xb555, 0xb556]);
        assert_eq!(around(float16, &number(65504, 1)), [0x7bfe, 0x7bff]);
        assert_eq!(around(float16, &number(-99999, 1)), [0xfbff]);
        assert_eq!(around(float16, &number(1, 1 << 30)), [0, 1]);
        assert_eq!(around(DType::Int8, &number(-257, 2)), [0x80]);
        assert_eq!(around(DType::Int8, &number(127, 1)), [0x7e, 0x7f]);
        for bits in 1..0x7bff {
            let [this, next] = [bits, bits + 1].map(|bits| value(float16, bits).unwrap());
            assert_eq!(around(float16, &this), [bits - 1, bits, bits + 1]);
            assert_eq!(around(float16, &((this + next) / number(2, 1))), [bits, bits + 1]);
        }
    }
}

//! Element-wise functions: from the operands of one element to what conforms.

use values::dtype::DType;
use values::element::Element;

use crate::exact::interval::Interval;
use crate::exact::number::largest;
use crate::exact::series::Series;
use crate::exact::{Conforming, Deviation, each_once};
use crate::inputs::{Parts, Space};
use crate::real::Real;
use values::float::FloatFormat;

/// What an element-wise operator computes from the operands of one element.
pub trait Elementwise: Send + Sync {
    /// Which results of the type conform; anything where the operands are not the function's own.
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming;

    /// The exact result, known to `bits` bits at least; `None` where there is none.
    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real>;

    /// How far the element `actual` of the type is from the exact result.
    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation;

    /// Both: which results conform, and how far each of these is from the exact one. For those that find them out
    /// together.
    fn judged(
        &self,
        dtype: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        let of = |actual| self.deviation(dtype, operands, actual);
        (self.conforming(dtype, operands), each_once(actual, of))
    }

    /// Whether the exact result is a number of the type that every implementation has to give, however
    /// large an error it is allowed elsewhere, such as e^0.
    fn is_exact_point(&self, _dtype: DType, _operands: &[Element]) -> bool {
        false
    }

    /// Which results the function body that ONNX gives the operator may make of these operands, step by step; `None` where
    /// it has no body whose steps are far from the function.
    fn by_body(&self, _dtype: DType, _operands: &[Element]) -> Option<Conforming> {
        None
    }

    /// It as a function of one real number, if it is one whose series are known.
    fn smooth(&self) -> Option<&dyn Smooth> {
        None
    }

    /// How the results of a number and of its negation go together, where they do for every float.
    fn symmetry(&self) -> Option<Symmetry> {
        None
    }

    /// What operands are told apart by where the result does not tell it, such as which of two numbers that are
    /// not equal is greater.
    fn distinction(&self, _operands: &[Element]) -> u64 {
        0
    }
}

/// A function of an element and of the scalars after it, of which a call has one each for all elements.
pub struct WithScalars {
    /// The element types of all operands: of the element, then of each scalar.
    pub operands: Vec<DType>,
    /// What it computes from all of them.
    pub function: Box<dyn Elementwise>,
    /// Inputs of these types.
    pub inputs: Inputs,
}

/// Inputs of operands of these types, of which results of a type are computed: of an element and scalars, where those with the same scalars
/// follow each other, or of strings.
#[derive(Clone, Copy)]
pub struct Inputs {
    /// Those that are hardest to get right, in named parts; none where it states none.
    pub hard: fn(&[DType], DType) -> Option<Parts>,
    /// So many random ones of every stratum, drawn from a seed; none where they are more than can be numbered.
    pub stratified: Drawn,
}

/// Random inputs of operands of these types, for results of a type: their number in a stratum, and the seed.
pub type Drawn = fn(&[DType], DType, u64, u64) -> Option<Box<dyn Space>>;

/// How the results of a number and of its negation go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// They are the same.
    Even,
    /// One is the negation of the other.
    Odd,
}

impl Symmetry {
    /// That of a function that is even, or odd, or neither.
    pub(crate) const fn of(is_even: bool, is_odd: bool) -> Option<Self> {
        match (is_even, is_odd) {
            (true, _) => Some(Self::Even),
            (false, true) => Some(Self::Odd),
            (false, false) => None,
        }
    }
}

/// Operands between which a function never falls, or never rises: those in which boundaries are searched.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The first, as [`FloatFormat::ordinal`] counts.
    pub low: i64,
    /// The last.
    pub high: i64,
    /// Whether it never rises.
    pub falls: bool,
}

impl Stretch {
    /// All numbers of a format.
    pub(crate) const fn whole(format: &FloatFormat) -> Self {
        let end = largest(format).cast_signed();
        Self { low: -end, high: end, falls: false }
    }

    /// The numbers from one of these bits on.
    pub(crate) const fn from(format: &FloatFormat, bits: u64) -> Self {
        Self { low: bits.cast_signed(), ..Self::whole(format) }
    }

    /// The numbers from the next above a minimum on, which is so many steps of 2^-52 below 0, between -2 and -1.
    pub(crate) fn rising_from(format: &FloatFormat, minimum: u64) -> Self {
        let bits = format.significand_bits;
        let low = format.encode(minimum >> (52 - bits), -(bits as i32)).unwrap_or(0);
        Self { low: -low.cast_signed(), ..Self::whole(format) }
    }

    /// The numbers up to the negative one whose magnitude has these bits, at which a function falls.
    pub(crate) const fn falling_to(format: &FloatFormat, magnitude: u64) -> Self {
        let Self { high, .. } = Self::whole(format);
        Self { low: -high, high: -magnitude.cast_signed(), falls: true }
    }
}

/// A function of angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the functions' own names")]
pub enum Periodic {
    Sine,
    Cosine,
    Tangent,
}

/// A function of one real number that has derivatives, as many as are asked for, nearly everywhere.
pub trait Smooth {
    /// What contains its values at the numbers of an interval; `None` where one of them has none, or one beyond every
    /// format.
    fn enclosure(&self, x: &Interval) -> Option<Interval>;

    /// The first coefficients of its series at the numbers of an interval, all of one sign, given those of the number itself: sets that
    /// contain those at each of its numbers. `None` where it has none, or none is known.
    fn series(&self, x: &Series) -> Option<Series>;

    /// Numbers of a format between which it never falls, or never rises.
    fn stretches(&self, format: &FloatFormat) -> Vec<Stretch>;

    /// Whether its value at a number of a format, other than 0, is irrational and beside that number, by less than 2^-100 of it: farther from zero,
    /// or nearer. `None` where it is not. It is the same for all numbers of one binade and one sign.
    fn beside(&self, _format: &'static FloatFormat, _number: u64) -> Option<bool> {
        None
    }

    /// Which function of angles it is, if it is one.
    fn periodic(&self) -> Option<Periodic> {
        None
    }
}

/// Why elements are not decided whose operands are not those of the function.
pub(crate) const FOREIGN: Conforming =
    Conforming::Unspecified("the operands are not those of the operator");

/// The bits of operands, all of one type.
#[inline]
pub fn bits_of<const N: usize>(dtype: DType, operands: &[Element]) -> Option<[u64; N]> {
    let operands: &[Element; N] = operands.try_into().ok()?;
    let mut bits = [0; N];
    for (bits, operand) in bits.iter_mut().zip(operands) {
        match operand {
            Element::Bits(of, operand) if *of == dtype => *bits = u64::try_from(*operand).ok()?,
            Element::Bits(..) | Element::String(_) => return None,
        }
    }
    Some(bits)
}

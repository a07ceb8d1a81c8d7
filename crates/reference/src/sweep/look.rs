//! A look at an element: what can be told of it in integers of its own width and twice that.

/// A check of one element in integers, without a branch.
///
/// `look` and what it calls must be `#[inline(always)]`: only what is inlined into a copy of the
/// loop is compiled for its instruction set.
pub(super) trait Look<const W: usize>: Copy {
    /// Looks at an element of `W` bytes; an operation on one operand has it twice.
    fn look(self, a: [u8; W], b: [u8; W], result: [u8; W]) -> Seen;
}

/// What is seen of one element. All but `settled` are to be relied on only if it is.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// The result conforms, and its error is not beyond the
    /// [`Reach`](super::reach::Reach).
    pub(super) settled: bool,
    pub(super) class: Class,
    /// There is a real result, in the domain.
    pub(super) real: bool,
    /// The error, if there is a real result, is above so many eighths of a unit.
    pub(super) above: [bool; EIGHTHS],
    /// The error is half a unit.
    pub(super) half: bool,
}

/// The class of the result that conforms.
#[derive(Clone, Copy)]
pub(super) struct Class {
    pub(super) nan: bool,
    /// Infinite, or a NaN.
    pub(super) huge: bool,
    /// Subnormal, or a zero.
    pub(super) tiny: bool,
    pub(super) zero: bool,
    pub(super) out_of_domain: bool,
}

/// Edges of bins below 1.
pub(super) const EIGHTHS: usize = 8;

//! What became of one element under a profile.

/// What became of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Conforms,
    Violates,
    /// The profile does not decide it.
    Undecided,
}

impl Judgement {
    pub(super) const fn of(conforms: bool) -> Self {
        if conforms { Self::Conforms } else { Self::Violates }
    }
}

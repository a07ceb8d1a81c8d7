//! What binary operators call their operands in names of cases.

/// A form of broadcasting by name, with the shapes of A and B.
pub type Shapes = (&'static str, &'static [usize], &'static [usize]);

/// What the operands are called in names of cases.
#[derive(Clone, Copy, Debug)]
pub struct Roles<'a> {
    /// The first one.
    pub a: &'a str,
    /// The second one.
    pub b: &'a str,
}

impl Roles<'_> {
    /// A name with the operands' own in place of `{a}` and `{b}`.
    #[must_use]
    pub fn in_name(&self, name: &str) -> String {
        name.replace("{a}", self.a).replace("{b}", self.b)
    }
}

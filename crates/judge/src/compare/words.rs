//! A comparison in words.

use std::fmt::{self, Debug, Display};

use super::OutputComparison;
use crate::text::{counted, grouped, unit};

/// Whether the output conforms, and the worst of its elements that do not, a line each.
impl Display for OutputComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, type_name, .. } = self;
        match &self.problem {
            Some(problem) => return write!(f, "{name}: {problem}"),
            None if self.conforms() => write!(f, "{name}: conforms")?,
            None if self.mismatches == 0 => {
                write!(f, "{name}: the errors of all elements do not conform")?;
            }
            None => {
                let (mismatches, elements) = (grouped(self.mismatches), self.elements);
                write!(f, "{name}: {mismatches} of {} differ", counted(elements, "element"))?;
            }
        }
        for (_, worst) in (0..self.mismatches).zip(&self.worst) {
            let elements = [&worst.expected, &worst.actual];
            let line =
                element_line(name, &worst.index, &worst.inputs, elements, worst.ulp, type_name);
            write!(f, "\n  {line}")?;
        }
        self.text_difference.iter().try_for_each(|text| write!(f, "\n{text}"))
    }
}

/// An element that differs, in a line: where it is, what was expected and what returned, how far these are from each
/// other, and its operands.
pub fn element_line(
    output: &str,
    index: &[impl Debug],
    operands: &[String],
    [expected, actual]: [impl Display; 2],
    ulp: Option<u64>,
    type_name: &str,
) -> String {
    let ulp = ulp
        .filter(|&ulp| ulp > 0)
        .map(|ulp| format!(", {}{} apart", grouped(ulp), unit(type_name)));
    let operands = match operands {
        [] => String::new(),
        operands => format!(", from {}", operands.join(", ")),
    };
    let ulp = ulp.unwrap_or_default();
    format!("{output}{index:?}: expected {expected}, got {actual}{ulp}{operands}")
}

#[cfg(test)]
mod tests {
    use crate::compare::compare;
    use crate::profile::{Profile, Tolerance};
    use values::tensor::{Tensor, Value};

    fn singles(values: &[f32]) -> Value {
        Tensor::from_vec(vec![values.len()], values.to_vec()).unwrap().into()
    }

    fn compared(expected: &[f32], actual: &[f32]) -> String {
        let profile = Profile::named("ieee754").unwrap();
        let (expected, actual) = (singles(expected), singles(actual));
        compare(&profile, Tolerance::default(), "y", &expected, &actual, None)[0].to_string()
    }

    #[test]
    fn a_difference_is_printed_with_its_elements() {
        assert_eq!(compared(&[1.0], &[1.0]), "y: conforms");
        insta::assert_snapshot!(compared(&[1.0, 2.0, f32::NAN], &[1.0, 2.000_000_2, 3.0]), @r"
        y: 2 of 3 elements differ
          y[2]: expected NaN (0x7fc00000), got 3 (0x40400000)
          y[1]: expected 2 (0x40000000), got 2.0000002 (0x40000001), 1 ULP apart
        ");
        assert_eq!(compared(&[1.0], &[1.0, 1.0]), "y: expected shape [1], got [2]");
    }
}

//! Results in words, for whoever reads a terminal.

use std::fmt;

use super::{CaseResult, Output, Worst};
use crate::foundation::printable::{indented, visible};
use crate::foundation::text::words;
use crate::judge::compare::element_line;

/// The verdict with its reason, the elements that do not conform, and what the backend wrote to its standard error.
impl fmt::Display for CaseResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} under the profile `{}`", words(self.verdict), self.profile)?;
        if let Some(message) = &self.message {
            write!(f, ": {}", visible(message))?;
        }
        for output in self.outputs.iter().filter(|output| output.mismatches > 0) {
            write!(f, "\n{output}")?;
        }
        let stderr = self.stderr.trim_end();
        if stderr.is_empty() {
            return Ok(());
        }
        write!(f, "\n  standard error:\n  {}", indented(&visible(stderr)))
    }
}

/// The worst of its elements that do not conform, a line each.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, worst) in (0..self.mismatches).zip(&self.worst) {
            let Worst { index, inputs, expected, actual, ulp } = worst;
            let name = visible(&self.name);
            let line =
                element_line(&name, index, inputs, [expected, actual], *ulp, &self.type_name);
            write!(f, "{}  {line}", if at == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

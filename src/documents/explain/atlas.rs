//! The largest error of each row explained: its operands, the exact result, what is allowed, and what came back.

use super::{Applied, line};
use crate::check::Check;
use crate::document::text::short;
use crate::dtype::DType;
use crate::foundation::text::{counted, grouped};
use crate::judge::spec::{Documents, Unreadable};
use crate::measure::atlas::{Atlas, Row, Run};
use crate::measure::campaign::notation;

/// Tells of the rows of these operators and types, of which none stands for all, and explains the largest error of
/// each. Nothing is executed: what came back is in the atlas.
pub fn explain(
    document: &Atlas,
    operators: &[String],
    types: &[DType],
) -> Result<String, Unreadable> {
    let documents = Documents::load()?;
    let is_chosen = |row: &&Row| {
        (operators.is_empty() || operators.contains(&row.operator))
            && (types.is_empty() || types.iter().any(|dtype| dtype.name() == row.type_name))
    };
    let mut text = String::new();
    for row in document.rows.iter().filter(is_chosen) {
        if !text.is_empty() {
            text.push('\n');
        }
        row.explain(&documents, &mut text);
    }
    Ok(text)
}

impl Row {
    fn explain(&self, documents: &Documents, text: &mut String) {
        let Self { operator, backend, version, strategy, .. } = self;
        let of = self.applied_to();
        line(text, 0, "row", &format!("{operator} of {of} on {backend} {version}"));
        let (executed, inputs) = (grouped(self.executed), counted(self.inputs, "input"));
        line(text, 0, "executed", &format!("{executed} of {inputs}, {strategy}"));
        if let Some(failure) = &self.failure {
            line(text, 0, "because", failure);
        }
        if self.executed == 0 {
            return;
        }
        let (wrong, special) = (self.not_correctly_rounded, self.special_mismatches);
        let special = match special {
            0 => String::new(),
            special => format!(", {} of them where everything is exact", grouped(special)),
        };
        line(text, 0, "not rounded", &format!("{}{special}", counted(wrong, "result")));
        if let Some((operands, Run { first, last, result })) = self.clamped() {
            let count = counted(operands, "operand");
            line(text, 0, "clamped", &format!("{count} where the function is not as constant"));
            line(text, 0, "longest", &format!("{first} to {last}, all {result}"));
        }
        for limit in &self.limits {
            line(text, 0, "limit", &limit.stated());
        }
        let error = self.max_error_ulp.as_deref().map_or("none was measured", short);
        line(text, 0, "largest error", error);
        if let Some((check, operands, actual)) = self.worst() {
            Applied { check: &check, operands: &operands, actual }.explain(documents, text);
        }
    }

    /// The check of the results, and the operands and the result of the largest error.
    fn worst(&self) -> Option<(Check, Vec<u64>, u64)> {
        let check = self.check()?;
        let bits = |text: &String| notation::read_number(check.dtype(), text);
        let operands: Option<Vec<u64>> = self.at.iter().map(bits).collect();
        let actual = notation::read_number(check.result(), self.result.as_ref()?)?;
        Some((check, operands?, actual))
    }
}

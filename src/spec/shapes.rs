//! Shape constraints run over the shapes that the documents themselves show.

use super::{Finding, Kind, Level};

/// Which pairs of shapes a document allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Equal shapes alone.
    Same,
    /// B has one element and no higher rank than A, or its shape is a contiguous part of A's that
    /// starts at `axis`, by default the last part.
    Limited,
    /// Aligned at the last dimension, dimensions are equal or one of the two is 1.
    Numpy,
}

/// A shape constraint of a document.
struct Statement {
    document: &'static str,
    section: &'static str,
    requirement: &'static str,
    rule: Rule,
}

/// Shapes that a document shows as allowed.
struct Example {
    document: &'static str,
    /// Where the document shows it.
    place: &'static str,
    /// The name of the test, where it has one.
    name: &'static str,
    a: &'static [usize],
    b: &'static [usize],
    axis: Option<usize>,
}

const STATEMENTS: [Statement; 6] = [
    Statement {
        document: "sonnx-div",
        section: "Div (float, float), constraints of A",
        requirement: "E_DIV_FLOAT_CONSTR_A_0010",
        rule: Rule::Same,
    },
    Statement {
        document: "sonnx-div",
        section: "Div (int, int), constraints of A",
        requirement: "E_DIV_INT_CONSTR_A_0010",
        rule: Rule::Same,
    },
    Statement {
        document: "sonnx-div-draft",
        section: "Restrictions",
        requirement: "P_DIVDRAFT_R1",
        rule: Rule::Same,
    },
    Statement {
        document: "onnx-div",
        section: "Div - 6, summary",
        requirement: "P_ONNX_DIV6_BCAST_0030",
        rule: Rule::Limited,
    },
    Statement {
        document: "onnx-div",
        section: "Div - 14, summary",
        requirement: "P_ONNX_DIV14_BCAST_0020",
        rule: Rule::Numpy,
    },
    Statement {
        document: "openvino-divide-1",
        section: "Attributes, auto_broadcast",
        requirement: "P_OV_DIVIDE1_BCAST_NUMPY_0020",
        rule: Rule::Numpy,
    },
];

const EXAMPLES: [Example; 10] = [
    onnx_14("test_div_example", &[2], &[2]),
    onnx_14("test_div", &[3, 4, 5], &[3, 4, 5]),
    onnx_14("test_div_bcast", &[3, 4, 5], &[5]),
    onnx_6(&[], None),
    onnx_6(&[1, 1], None),
    onnx_6(&[5], None),
    onnx_6(&[4, 5], None),
    onnx_6(&[3, 4], Some(1)),
    onnx_6(&[2], Some(0)),
    Example {
        document: "openvino-divide-1",
        place: "example 2",
        name: "",
        a: &[8, 1, 6, 1],
        b: &[7, 1, 5],
        axis: None,
    },
];

const fn onnx_14(name: &'static str, a: &'static [usize], b: &'static [usize]) -> Example {
    Example { document: "onnx-div", place: "Div - 14", name, a, b, axis: None }
}

const fn onnx_6(b: &'static [usize], axis: Option<usize>) -> Example {
    let place = "Div - 1 and Div - 6";
    Example { document: "onnx-div", place, name: "", a: &[2, 3, 4, 5], b, axis }
}

impl Rule {
    fn allows(self, a: &[usize], b: &[usize], axis: Option<usize>) -> bool {
        match self {
            Self::Same => a == b,
            Self::Limited => {
                let single = b.len() <= a.len() && b.iter().product::<usize>() == 1;
                let start = axis.or_else(|| a.len().checked_sub(b.len()));
                single || start.is_some_and(|start| a.get(start..start + b.len()) == Some(b))
            }
            Self::Numpy => {
                a.iter().rev().zip(b.iter().rev()).all(|(&a, &b)| a == b || a == 1 || b == 1)
            }
        }
    }
}

impl Example {
    fn describe(&self) -> String {
        let axis = self.axis.map_or_else(String::new, |axis| format!(" with axis {axis}"));
        let name = if self.name.is_empty() { "" } else { " of " };
        format!("{:?} and {:?}{axis}{name}{}", self.a, self.b, self.name)
    }
}

/// Constraints that exclude what another document, or another version, shows as allowed: one finding
/// for each constraint and each rule that it is at odds with.
pub(super) fn check() -> Vec<Finding> {
    let mut findings = Vec::new();
    for statement in &STATEMENTS {
        for shown in EXAMPLES.chunk_by(|a, b| a.place == b.place) {
            findings.extend(excluded(statement, shown));
        }
    }
    findings
}

/// Those examples of one place that a constraint excludes.
fn excluded(statement: &Statement, shown: &[Example]) -> Option<Finding> {
    let Example { document, place, .. } = shown.first()?;
    let excluded: Vec<String> = shown
        .iter()
        .filter(|example| !statement.rule.allows(example.a, example.b, example.axis))
        .map(Example::describe)
        .collect();
    let first = excluded.first()?;
    Some(Finding {
        document: statement.document,
        section: statement.section,
        domain: "shapes",
        requirement: statement.requirement,
        kind: Kind::Contradiction,
        level: Level::Warning,
        count: excluded.len() as u64,
        example: first.clone(),
        against: format!("{document}, {place}"),
        message: format!(
            "{} excludes {} of {} pairs of shapes that {document} shows in {place}: {}",
            match statement.rule {
                Rule::Same => "the constraint that all shapes are the same",
                Rule::Limited => "broadcasting of B alone, from a given axis on,",
                Rule::Numpy => "broadcasting aligned at the last dimension",
            },
            excluded.len(),
            shown.len(),
            excluded.join("; "),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_allowed_by_the_rule_of_its_own_document() {
        for example in &EXAMPLES {
            let rule = match example.place {
                "Div - 1 and Div - 6" => Rule::Limited,
                _ => Rule::Numpy,
            };
            let allowed = rule.allows(example.a, example.b, example.axis);
            assert!(allowed, "{}", example.describe());
        }
    }

    #[test]
    fn each_rule_excludes_what_it_should() {
        assert!(!Rule::Same.allows(&[3, 4, 5], &[5], None));
        assert!(!Rule::Limited.allows(&[2, 3], &[1, 3], None), "no dimension of 1 is expanded");
        assert!(!Rule::Limited.allows(&[3], &[1, 1], None), "the rank is higher");
        assert!(!Rule::Limited.allows(&[2, 3, 4], &[3], None), "the suffix is 4");
        assert!(Rule::Limited.allows(&[2, 3, 4], &[3], Some(1)));
        assert!(!Rule::Limited.allows(&[2, 3], &[3], Some(9)));
        assert!(!Rule::Numpy.allows(&[2, 3], &[2], None));
        assert!(Rule::Numpy.allows(&[2, 1], &[3], None));
    }
}

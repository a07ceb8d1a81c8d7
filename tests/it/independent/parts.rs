//! Many elements of operators that are not element-wise, in parts of drawn calls that a script computes.

use std::path::{Path, PathBuf};

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::{Domain, Operator};
use onnx_conformance::reference::operators;
use rayon::prelude::*;

use super::ask::{Answers, answers_of};
use super::check::Check;
use super::disagreements::Disagreement;
use super::{Figures, is_asked_for, judge};
use crate::support;

/// What is held against a script, and how.
pub(super) struct Suite {
    pub(super) operators: &'static [&'static str],
    pub(super) types: fn(&Operator) -> Vec<DType>,
    /// Calls of so many elements at least, from a seed.
    pub(super) checks: fn(&'static Operator, DType, usize, u64) -> Vec<Check>,
    pub(super) script: &'static str,
    pub(super) known: &'static [Disagreement],
    /// Enters a check, with its answers and what begins the names of its files.
    pub(super) enter: fn(&mut Figures, &Check, &Answers, &Path),
}

/// So many elements of each operator and type show every disagreement.
pub(super) const MANY: usize = 100_000;

/// So many elements of an operator and a type, with a seed.
#[derive(Clone, Copy)]
struct Part {
    operator: &'static Operator,
    dtype: DType,
    wanted: usize,
    seed: u64,
}

impl Suite {
    fn held(&self, python: &str, parts: &[Part]) -> Vec<Figures> {
        let made = parts
            .iter()
            .map(|part| (self.checks)(part.operator, part.dtype, part.wanted, part.seed));
        let made: Vec<Vec<Check>> = made.collect();
        let lengths: Vec<usize> = made.iter().map(Vec::len).collect();
        let made: Vec<Check> = made.into_iter().flatten().collect();
        let (answers, folder) = answers_of(python, self.script, &made);
        let mut answered = made.iter().zip(answers).enumerate();
        let figures = lengths.into_iter().zip(parts).map(|(length, part)| {
            let mut figures = Figures::knowing(self.known.iter());
            for (at, (check, answers)) in answered.by_ref().take(length) {
                let path: PathBuf = folder.path().join(at.to_string());
                (self.enter)(&mut figures, check, &answers, &path);
            }
            let Part { operator, dtype, wanted, .. } = part;
            assert!(figures.planned >= *wanted, "{operator} {dtype}");
            eprintln!(
                "{operator} {dtype}: {} elements, {} decided, {:?}; computed, disagreeing, refused: {:?}",
                figures.planned, figures.decided, figures.counts, figures.by
            );
            figures
        });
        figures.collect()
    }

    /// Holds so many elements of each operator and type, in parts, and so many parts at a time: the figures of each part.
    pub(super) fn hold(
        &self,
        wanted: usize,
        in_part: usize,
        at_a_time: usize,
    ) -> Vec<(&'static Operator, DType, Figures)> {
        let Some(python) = support::python("onnx and numpy") else { return Vec::new() };
        let mut parts = Vec::new();
        for name in self.operators.iter().filter(|name| is_asked_for(name)) {
            let operator = operators::find(Domain::Onnx, name).unwrap();
            for (at, dtype) in (self.types)(operator).into_iter().enumerate() {
                for part in 0..wanted.div_ceil(in_part) {
                    let seed = 0x5355_4d53 + (part * 32 + at) as u64;
                    parts.push(Part { operator, dtype, wanted: in_part.min(wanted), seed });
                }
            }
        }
        let figures: Vec<Figures> =
            parts.par_chunks(at_a_time).flat_map_iter(|parts| self.held(&python, parts)).collect();
        let all: Vec<_> = parts.iter().map(|part| (part.operator, part.dtype)).collect();
        if !all.is_empty() {
            // Few elements show none of what is rare.
            judge(&all, &figures, wanted >= MANY);
        }
        let all = all.into_iter().zip(figures);
        all.map(|((operator, dtype), figures)| (operator, dtype, figures)).collect()
    }
}

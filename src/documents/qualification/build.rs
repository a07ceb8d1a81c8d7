//! The document of what the kit found, whether one is consistent, and its bytes.

use std::collections::BTreeSet;

use serde::Serialize;

use super::PATH;
use super::document::{
    Cell, Class, ClassTally, Clean, Column, ColumnKind, Defect, FORMAT_VERSION, Qualification,
    Status, Tally, Tool,
};
use crate::document::{Contradiction, JsonDocument, agrees, all_agree};

impl Qualification {
    /// The document of what was found. The counts of the columns are set here.
    pub fn of(mut columns: Vec<Column>, clean: Vec<Clean>, mut defects: Vec<Defect>) -> Self {
        // A stable sort: within a class the defects keep the order that the kit states them in.
        defects.sort_by_key(|defect| defect.class);
        for (at, column) in columns.iter_mut().enumerate() {
            let of_status = |status: Status| {
                let cells = defects.iter().filter_map(|defect| defect.cells.get(at));
                cells.filter(|cell| cell.status == status).count() as u64
            };
            column.killed = of_status(Status::Killed);
            column.applicable = column.killed + of_status(Status::Survived);
        }
        Self {
            format_version: FORMAT_VERSION,
            tool: Tool {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            summary: Tally::of(&columns, defects.iter()),
            classes: Class::ALL
                .map(|class| {
                    let of_class = defects.iter().filter(|defect| defect.class == class);
                    ClassTally { class, tally: Tally::of(&columns, of_class) }
                })
                .into(),
            columns,
            clean,
            defects,
        }
    }

    /// The defects that nothing of this project finds.
    pub fn survivors(&self) -> impl Iterator<Item = &Defect> {
        let is_own = ColumnKind::is_own;
        self.defects.iter().filter(move |defect| !defect.is_killed_by(&self.columns, is_own))
    }
}

impl Tally {
    fn of<'a>(columns: &[Column], defects: impl Iterator<Item = &'a Defect>) -> Self {
        let mut tally = Self::default();
        for defect in defects {
            let killed = |is_meant: fn(ColumnKind) -> bool| {
                u64::from(defect.is_killed_by(columns, is_meant))
            };
            tally.defects += 1;
            tally.killed += killed(ColumnKind::is_own);
            tally.killed_by_suites += killed(|kind| kind == ColumnKind::Suite);
            tally.killed_by_official += killed(|kind| kind == ColumnKind::Official);
        }
        tally
    }
}

impl JsonDocument for Qualification {
    const NAME: &'static str = "qualification";
    const FILE: &'static str = PATH;
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const REMEDY: &'static str = "run `cargo xtask mutants`";
    const SCHEMA: &'static str = "reports/schema/qualification.schema.json";

    fn consistent(&self) -> Result<(), Contradiction> {
        let wrong =
            |what: &str, problem| Err(Contradiction::Impossible(format!("`{what}`: {problem}")));
        let ids: BTreeSet<&str> = self.defects.iter().map(|defect| defect.id.as_str()).collect();
        if ids.len() != self.defects.len() {
            return wrong("defects", "two have one id");
        }
        let is_of_columns = |cells: &mut dyn Iterator<Item = &str>| {
            cells.eq(self.columns.iter().map(|column| column.id.as_str()))
        };
        for clean in &self.clean {
            if !is_of_columns(&mut clean.cells.iter().map(|cell| cell.column.as_str())) {
                return wrong(&clean.id, "its cells are not those of the columns");
            }
        }
        for defect in &self.defects {
            if !is_of_columns(&mut defect.cells.iter().map(|cell| cell.column.as_str())) {
                return wrong(&defect.id, "its cells are not those of the columns");
            }
            if !self.clean.iter().any(|clean| clean.id == defect.seeded_into) {
                return wrong(&defect.id, "what it was seeded into was not found right");
            }
            for cell in &defect.cells {
                let Cell { column, cases, failed, lost, first, .. } = cell;
                let derived = Cell::of(column, *cases, *failed, *lost, first.clone());
                if *cell != derived || first.is_some() != (cell.found() > 0) {
                    return wrong(&defect.id, "a status does not follow from its counts");
                }
                if cell.found() > *cases {
                    return wrong(&defect.id, "more cases find it than there are");
                }
            }
            if !defect.killers().eq(defect.promised.iter().map(String::as_str)) {
                return wrong(&defect.id, "it is not found by the checks declared for it");
            }
        }
        let Self { columns, clean, defects, .. } = self.clone();
        let derived = Self::of(columns, clean, defects);
        all_agree("columns", &self.columns, derived.columns)?;
        all_agree("classes", &self.classes, derived.classes)?;
        agrees("summary", &self.summary, &derived.summary)?;
        all_agree("defects", &self.defects, derived.defects)
    }

    /// Indented, but for a line for each cell, so that a difference in version control shows which
    /// changed.
    fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let (mut outer, mut lines) = (self.clone(), Vec::new());
        for Clean { cells, .. } in &mut outer.clean {
            lines.push(lines_of(&std::mem::take(cells))?);
        }
        for Defect { cells, .. } in &mut outer.defects {
            lines.push(lines_of(&std::mem::take(cells))?);
        }
        let outer = serde_json::to_string_pretty(&outer)?;
        // Every empty list of cells stands for the lines of one.
        let mut parts = outer.split(EMPTY);
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (part, lines) in parts.zip(lines) {
            text += &format!("\"cells\": [{lines}]{part}");
        }
        Ok((text + "\n").into_bytes())
    }
}

/// A list of cells that are written elsewhere. Within a string its quotes would be escaped.
const EMPTY: &str = "\"cells\": []";

fn lines_of(cells: &[impl Serialize]) -> Result<String, serde_json::Error> {
    const INDENT: &str = "\n        ";
    let lines = cells.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    if lines.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("{INDENT}{}\n      ", lines.join(&format!(",{INDENT}"))))
}

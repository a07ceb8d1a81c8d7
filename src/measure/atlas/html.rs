//! `atlas.html`: one self-contained page for readers, in the style of the report's.

use askama::Template;

use super::document::{Atlas, Binade, Row};
use crate::document::page::{PAGE_SCRIPT, content_security_policy};
use crate::document::text::short;
use crate::foundation::text::grouped;
use crate::measure::campaign::notation::read_error;
use crate::oracle::{Deviation, Ulps};

const STYLE: &str = concat!(
    include_str!("../../documents/report/templates/report.css"),
    include_str!("templates/atlas.css")
);

/// `atlas.html` as text.
pub fn page(document: &Atlas) -> Result<String, askama::Error> {
    Page { document, policy: content_security_policy(STYLE, Some(PAGE_SCRIPT)) }.render()
}

#[derive(Template)]
#[template(path = "atlas.html")]
struct Page<'a> {
    document: &'a Atlas,
    policy: String,
}

/// The largest errors of a row, by the size of the operand: negative operands to the left, from far to near, and positive ones to the right.
struct Plot<'a> {
    bars: Vec<Bar<'a>>,
}

/// One size, as it is drawn.
struct Bar<'a> {
    x: i32,
    height: u32,
    class: &'static str,
    binade: &'a Binade,
}

impl Plot<'_> {
    /// Pixels of a doubling of the error, and of the whole plot.
    const OCTAVE: u32 = 6;
    const HEIGHT: u32 = 72;
    const BAR: i32 = 2;

    fn width(&self) -> i32 {
        self.bars.last().map_or(Self::BAR, |bar| bar.x + Self::BAR)
    }
}

impl Row {
    /// Its largest errors, where it has several.
    fn plot<'a>(&'a self) -> Option<Plot<'a>> {
        let binades = self.binades.as_ref()?;
        let least = binades.first()?.binade;
        let bar = |binade: &'a Binade| {
            let error = read_error(&binade.max_error_ulp)?;
            let (height, class) = match error {
                Deviation::NoRealResult => return None,
                Deviation::Unbounded => (Plot::HEIGHT, "fail"),
                // 2^-8 ULP is where the axis begins.
                Deviation::Ulps(ulps) => {
                    let octaves =
                        ulps.steps().max(1).ilog2().saturating_sub(Ulps::FRACTION_BITS - 8);
                    let height = (octaves * Plot::OCTAVE).clamp(1, Plot::HEIGHT);
                    (height, if ulps <= Ulps::HALF { "pass" } else { "out_of_domain" })
                }
            };
            let x = (binade.binade - least) * Plot::BAR;
            Some(Bar { x, height, class, binade })
        };
        let bars: Vec<_> = binades.iter().filter_map(bar).collect();
        (bars.len() > 1).then_some(Plot { bars })
    }

    /// An anchor.
    fn anchor(&self) -> String {
        let hard = if self.is_hard() { "-hard" } else { "" };
        let of = self.applied_to().replace([' ', ','], "-");
        format!("{}-{}-{of}{hard}", self.backend, self.operator)
    }
}

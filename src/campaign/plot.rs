//! The plots of the page: their geometry, in the units of their view boxes.

use super::document::{Document, HeatCell};
use super::notation;
use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use crate::oracle::Deviation;
use crate::sweep;
use crate::text::grouped;

/// Number of bins that correct results may be in: up to half a unit in the last place for floats, up
/// to one for integers, whose fractions are dropped.
pub(super) fn correct_bins(document: &Document) -> usize {
    if is_integer(document) { 10 } else { 6 }
}

/// Whether the results are integers.
pub(super) fn is_integer(document: &Document) -> bool {
    document.check().is_ok_and(|check| matches!(check.dtype().kind(), Kind::Int { .. }))
}

/// Bars of the histogram, from the left, one below the other.
pub(super) struct Bar {
    /// The errors of its results.
    pub(super) label: String,
    /// How many these are.
    pub(super) results: String,
    /// Its length among [`Bar::LENGTH`]: the logarithm of the number.
    pub(super) length: f64,
    /// Where it lies from the top.
    pub(super) y: usize,
    /// Whether no correct result has such an error.
    pub(super) is_large: bool,
}

impl Bar {
    /// The longest bar.
    pub(super) const LENGTH: f64 = 500.0;
    /// From one bar to the next.
    pub(super) const STEP: usize = 22;

    /// The bars of a histogram, up to the last one that is not empty or may be of correct results.
    pub(super) fn of(document: &Document) -> Vec<Self> {
        let bins = &document.histogram;
        let last = bins.iter().rposition(|bin| bin.results > 0).unwrap_or(0);
        let longest = bins.iter().map(|bin| logarithm(bin.results)).fold(1.0, f64::max);
        let correct = correct_bins(document);
        let bars = bins.iter().take((last + 1).max(correct)).enumerate();
        bars.map(|(at, bin)| Self {
            label: bin.ulp.clone(),
            results: grouped(bin.results),
            length: Self::LENGTH * logarithm(bin.results) / longest,
            y: at * Self::STEP,
            is_large: at >= correct,
        })
        .collect()
    }
}

/// A measure of a count in a picture: 0 for none, 1 for one, one more for each power of ten.
#[expect(clippy::cast_precision_loss, reason = "a length in a picture")]
fn logarithm(count: u64) -> f64 {
    if count == 0 { 0.0 } else { 1.0 + (count as f64).log10() }
}

/// The heat map: cells from the left by the first operand, from the bottom by the second.
pub(super) struct Map {
    /// The cells with an error.
    pub(super) tiles: Vec<Tile>,
    /// Marks along the first axis.
    pub(super) columns: Vec<Tick>,
    /// Marks along the second axis; none where there is a single operand.
    pub(super) rows: Vec<Tick>,
    /// Width and height of a cell.
    pub(super) cell: u64,
    /// Width of all cells.
    pub(super) width: u64,
    /// Height of all cells.
    pub(super) height: u64,
}

/// A cell of the heat map.
pub(super) struct Tile {
    pub(super) x: u64,
    pub(super) y: u64,
    /// What it means, in words.
    pub(super) title: String,
    /// Which of [`SHADES`] it has.
    pub(super) shade: usize,
}

/// A mark on an axis.
pub(super) struct Tick {
    pub(super) at: u64,
    pub(super) label: String,
}

/// The errors of each shade, in units in the last place.
pub(super) const SHADES: [&str; 9] = [
    "0",
    "up to 1/8",
    "up to 1/4",
    "up to 3/8",
    "up to 1/2",
    "up to 1",
    "up to 64",
    "above 64",
    "no number",
];

/// The shade of an error.
fn shade(error: Deviation) -> usize {
    match sweep::bin(error) {
        // Zero and the eighths below a half; a half shares its shade with what is just below it.
        Some(bin @ 0..=4) => bin,
        Some(5) => 4,
        Some(6..=9) => 5,
        Some(10..=15) => 6,
        Some(16..=20) => 7,
        Some(_) | None => SHADES.len() - 1,
    }
}

impl Map {
    /// Width of all cells, about.
    const WIDTH: u64 = 448;

    /// The heat map of a document; none where no type has one.
    pub(super) fn of(document: &Document) -> Option<Self> {
        let check = document.check().ok()?;
        let group = document.heat_map.group.max(1);
        let axis = Axis::of(check.dtype(), group)?;
        let unary = document.operator == "Sqrt";
        let cell_size = (Self::WIDTH / axis.len).max(2);
        let height = if unary { 1 } else { axis.len };
        let tile = |cell: &HeatCell| {
            let error = notation::read_error(cell.worst_error_ulp.as_deref()?)?;
            let (a, b) = (axis.name(cell.a), axis.name(cell.b));
            let operands = if unary { a } else { format!("{a} by {b}") };
            let shown = cell.worst_error_ulp.as_deref().unwrap_or_default();
            let ulp = shown.split_once(" (").map_or(shown, |(decimal, _)| decimal);
            let mismatches = match cell.mismatches {
                0 => "no mismatch".to_owned(),
                1 => "1 mismatch".to_owned(),
                more => format!("{} mismatches", grouped(more)),
            };
            Some(Tile {
                x: cell.a.min(axis.len - 1) * cell_size,
                y: if unary { 0 } else { (axis.len - 1).saturating_sub(cell.b) * cell_size },
                title: format!("{operands}: at worst {ulp} ULP, {mismatches}"),
                shade: shade(error.0),
            })
        };
        let tick = |&at: &u64| Tick { at: at * cell_size, label: axis.mark(at) };
        let row = |&at: &u64| Tick { at: (axis.len - 1 - at) * cell_size, label: axis.mark(at) };
        Some(Self {
            cell: cell_size,
            tiles: document.heat_map.cells.iter().filter_map(tile).collect(),
            columns: axis.ticks.iter().map(tick).collect(),
            rows: if unary { Vec::new() } else { axis.ticks.iter().map(row).collect() },
            width: axis.len * cell_size,
            height: height * cell_size,
        })
    }
}

/// The sizes of an operand.
struct Axis {
    format: Option<&'static FloatFormat>,
    group: u64,
    len: u64,
    ticks: Vec<u64>,
}

impl Axis {
    fn of(dtype: DType, group: u64) -> Option<Self> {
        let (format, len) = match dtype.kind() {
            Kind::Float(format) => (Some(format), (1 << format.exponent_bits) / group),
            Kind::Int { bits, .. } => (None, u64::from(bits) + 1),
            Kind::Bool | Kind::Complex(_) | Kind::String => return None,
        };
        let step = (len / 8).max(1);
        let mut ticks: Vec<u64> = (0..len).step_by(usize::try_from(step).ok()?).collect();
        if len % step != 1 {
            ticks.push(len - 1);
        }
        Some(Self { format, group, len, ticks })
    }

    /// The size in words: the exponents of a group, or the bits of an integer.
    fn name(&self, at: u64) -> String {
        let Some(format) = self.format else { return at.to_string() };
        let top = (1 << format.exponent_bits) - 1;
        let last = (at * self.group + self.group - 1).min(top);
        let (first, last) = (self.mark(at), power(format, last));
        if first == last { first } else { format!("{first} .. {last}") }
    }

    /// The least of a size.
    fn mark(&self, at: u64) -> String {
        self.format.map_or_else(|| at.to_string(), |format| power(format, at * self.group))
    }
}

/// What a biased exponent stands for.
fn power(format: &FloatFormat, biased: u64) -> String {
    match biased {
        0 => "subnormal".to_owned(),
        biased if biased == (1 << format.exponent_bits) - 1 => "inf, NaN".to_owned(),
        biased => format!("2^{}", i128::from(biased) - i128::from(format.bias)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Ulps;

    #[test]
    fn every_error_has_the_shade_that_its_legend_names() {
        let shade_of = |eighths: u128| {
            let ulps = Ulps::new(eighths * (Ulps::ONE.steps() / 8), true);
            SHADES[shade(Deviation::Ulps(ulps))]
        };
        let shades = [0, 1, 2, 3, 4, 5, 8, 9, 512, 513].map(shade_of);
        assert_eq!(
            shades,
            [
                "0",
                "up to 1/8",
                "up to 1/4",
                "up to 3/8",
                "up to 1/2",
                "up to 1",
                "up to 1",
                "up to 64",
                "up to 64",
                "above 64"
            ]
        );
        assert_eq!(SHADES[shade(Deviation::Unbounded)], "no number");
        assert_eq!(SHADES[shade(Deviation::NoRealResult)], "no number");
    }

    #[test]
    fn sizes_are_named_by_their_exponents_or_their_length_in_bits() {
        let float16 = Axis::of(DType::Float16, 1).unwrap();
        assert_eq!(
            [0, 1, 15, 31].map(|at| float16.name(at)),
            ["subnormal", "2^-14", "2^0", "inf, NaN"]
        );
        let float32 = Axis::of(DType::Float32, 8).unwrap();
        assert_eq!(
            [0, 31].map(|at| float32.name(at)),
            ["subnormal .. 2^-120", "2^121 .. inf, NaN"]
        );
        let int8 = Axis::of(DType::Int8, 1).unwrap();
        assert_eq!((int8.len, int8.name(8)), (9, "8".to_owned()));
    }
}

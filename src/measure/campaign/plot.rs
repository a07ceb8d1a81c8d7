//! The plots of the page: their geometry, in the units of their view boxes.

use super::document::{Bin, Campaign, HeatCell};
use super::findings::{first_wrong, group, sizes};
use super::notation;
use crate::check::Check;
use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use crate::oracle::Deviation;
use crate::sweep;

/// The histogram: a bar for each of the bins, from the left, one below the other.
pub(super) struct Histogram<'a> {
    /// The bins up to the last one that is not empty or may be of correct results.
    pub(super) bins: &'a [Bin],
    /// How many of them correct results may be in.
    pub(super) correct: usize,
}

impl<'a> Histogram<'a> {
    /// The longest bar, in hundredths of the picture's width, beside which the labels have room on a phone.
    const LENGTH: f64 = 52.0;

    pub(super) fn of(document: &'a Campaign, check: Option<&Check>) -> Self {
        let bins = &document.histogram;
        let correct = check.map_or(0, first_wrong);
        let filled = bins.iter().rposition(|bin| bin.results > 0).map_or(0, |last| last + 1);
        Self { bins: &bins[..filled.max(correct).min(bins.len())], correct }
    }

    /// Whether no result has an error.
    pub(super) fn is_empty(&self) -> bool {
        self.bins.iter().all(|bin| bin.results == 0)
    }

    /// The length of a bin's bar: the logarithm of the number of its results.
    pub(super) fn length(&self, bin: &Bin) -> f64 {
        let longest = self.bins.iter().map(|bin| logarithm(bin.results)).fold(1.0, f64::max);
        Self::LENGTH * logarithm(bin.results) / longest
    }
}

/// A measure of a count in a picture: 0 for none, 1 for one, one more for each power of ten.
#[expect(clippy::cast_precision_loss, reason = "a length in a picture")]
fn logarithm(count: u64) -> f64 {
    if count == 0 { 0.0 } else { 1.0 + (count as f64).log10() }
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

/// The heat map: cells from the left by the size of the first operand, from the bottom by that of the
/// second.
pub(super) struct Map {
    format: Option<&'static FloatFormat>,
    /// Exponents of a size.
    group: u64,
    /// Sizes of an operand.
    len: u64,
    /// Those that are marked on the first axis.
    pub(super) ticks: Vec<u64>,
    /// Whether there is a single operand, and so a single row.
    unary: bool,
    /// Width and height of a cell.
    pub(super) cell: u64,
}

impl Map {
    /// Width of all cells, about.
    const WIDTH: u64 = 448;

    /// The heat map of results of an operator and a type; none where the type has none.
    pub(super) fn of(check: &Check) -> Option<Self> {
        Self::with(check.dtype(), check.axes().len() == 1)
    }

    fn with(dtype: DType, unary: bool) -> Option<Self> {
        let (group, len) = (group(dtype), sizes(dtype)?);
        let format = match dtype.kind() {
            Kind::Float(format) => Some(format),
            _ => None,
        };
        let step = (len / 8).max(1);
        let mut ticks: Vec<u64> = (0..len).step_by(usize::try_from(step).ok()?).collect();
        if len % step != 1 {
            ticks.push(len - 1);
        }
        Some(Self { format, group, len, ticks, unary, cell: (Self::WIDTH / len).max(2) })
    }

    /// The sizes that are marked on the second axis; none where there is a single operand.
    pub(super) fn rows(&self) -> &[u64] {
        if self.unary { &[] } else { &self.ticks }
    }

    /// Width of all cells.
    pub(super) fn width(&self) -> u64 {
        self.len * self.cell
    }

    /// Height of all cells.
    pub(super) fn height(&self) -> u64 {
        if self.unary { self.cell } else { self.width() }
    }

    /// Where a size of the first operand lies from the left.
    pub(super) fn x(&self, size: u64) -> u64 {
        size.min(self.len - 1) * self.cell
    }

    /// Where a size of the second operand lies from the top.
    pub(super) fn y(&self, size: u64) -> u64 {
        if self.unary { 0 } else { (self.len - 1).saturating_sub(size) * self.cell }
    }

    /// The worst error of a cell and its shade, by the place among [`SHADES`]; none without an error.
    pub(super) fn worst<'c>(&self, cell: &'c HeatCell) -> Option<(&'c str, usize)> {
        let error = cell.worst_error_ulp.as_deref()?;
        Some((error, shade(notation::read_error(error)?)))
    }

    /// The operands of a cell in words.
    pub(super) fn operands(&self, cell: &HeatCell) -> String {
        let a = self.name(cell.a);
        if self.unary { a } else { format!("{a} by {}", self.name(cell.b)) }
    }

    /// A size in words: the exponents of a group, or the bits of an integer.
    fn name(&self, size: u64) -> String {
        let Some(format) = self.format else { return size.to_string() };
        let top = (1 << format.exponent_bits) - 1;
        let last = size.saturating_add(1).saturating_mul(self.group) - 1;
        let (first, last) = (self.mark(size), power(format, last.min(top)));
        if first == last { first } else { format!("{first} .. {last}") }
    }

    /// The least of a size.
    pub(super) fn mark(&self, size: u64) -> String {
        let least = size.saturating_mul(self.group);
        self.format.map_or_else(|| size.to_string(), |format| power(format, least))
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
        let float16 = Map::with(DType::Float16, false).unwrap();
        assert_eq!(
            [0, 1, 15, 31].map(|at| float16.name(at)),
            ["subnormal", "2^-14", "2^0", "inf, NaN"]
        );
        let float32 = Map::with(DType::Float32, false).unwrap();
        assert_eq!(
            [0, 31].map(|at| float32.name(at)),
            ["subnormal .. 2^-120", "2^121 .. inf, NaN"]
        );
        // No document that is read holds such a size.
        assert_eq!(float32.name(u64::MAX), float32.name(u64::MAX - 1));
        let int8 = Map::with(DType::Int8, false).unwrap();
        assert_eq!((int8.len, int8.name(8)), (9, "8".to_owned()));
    }
}

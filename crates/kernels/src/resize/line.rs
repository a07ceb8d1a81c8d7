//! One dimension: where places of the output lie in the input, and what the elements around them count.

/// How a place becomes a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Transformation {
    /// The dimension stays as it is.
    Kept,
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    /// Half a pixel, without the step back.
    HalfPixelUnshifted,
    /// From the start to the end of a region.
    Region([f64; 2]),
}

/// A dimension that is resized.
pub(in super::super) struct Line {
    pub(in super::super) input: usize,
    pub(in super::super) output: usize,
    pub(in super::super) scale: f64,
    /// What the scale makes of the input's length, a fraction of an element more than the output's at most.
    pub(in super::super) width: f64,
    pub(in super::super) transformation: Transformation,
}

/// What the elements around a coordinate count.
pub(in super::super) struct Filter {
    /// The coefficient of the cubic, if it is one.
    pub(in super::super) cubic: Option<f64>,
    pub(in super::super) antialias: bool,
    pub(in super::super) exclude_outside: bool,
}

/// More elements than these are not weighted.
const MOST: f64 = 1e6;

impl Line {
    pub(in super::super) fn kept(size: usize) -> Self {
        let (scale, width) = (1.0, size as f64);
        Self { input: size, output: size, scale, width, transformation: Transformation::Kept }
    }

    pub(super) const fn is_kept(&self) -> bool {
        matches!(self.transformation, Transformation::Kept)
    }

    pub(super) const fn is_cropped(&self) -> bool {
        matches!(self.transformation, Transformation::Region(_))
    }

    /// The coordinate of a place; none outside of a region.
    pub(super) fn coordinate(&self, place: usize) -> Option<f64> {
        let (place, last) = (place as f64, self.input as f64 - 1.0);
        let (length, scale) = (self.output as f64, self.scale);
        let half_pixel = (place + 0.5) / scale - 0.5;
        Some(match self.transformation {
            Transformation::Kept => place,
            Transformation::HalfPixel => half_pixel,
            Transformation::PytorchHalfPixel if self.output <= 1 => 0.0,
            Transformation::PytorchHalfPixel => half_pixel,
            Transformation::HalfPixelSymmetric => {
                let adjustment = length / self.width;
                self.input as f64 / 2.0 * (1.0 - adjustment) + half_pixel
            }
            Transformation::AlignCorners if self.output <= 1 => 0.0,
            // As ONNX's own cases have it, to the end of what the scale makes.
            Transformation::AlignCorners => place * last / (self.width - 1.0),
            Transformation::Asymmetric => place / scale,
            Transformation::HalfPixelUnshifted => (place + 0.5) / scale,
            Transformation::Region([start, end]) => {
                let coordinate = match self.output {
                    0 | 1 => 0.5 * (start + end) * last,
                    _ => start * last + place * (end - start) * last / (length - 1.0),
                };
                return (0.0..=last).contains(&coordinate).then_some(coordinate);
            }
        })
    }

    /// The nearest element of a place; none outside of a region.
    pub(in super::super) fn nearest(&self, place: usize, mode: &str) -> Option<usize> {
        let coordinate = self.coordinate(place)?;
        let nearest = match mode {
            "floor" => coordinate.floor(),
            "ceil" => coordinate.ceil(),
            "round_prefer_ceil" => (coordinate + 0.5).floor(),
            _ => (coordinate - 0.5).ceil(),
        };
        Some((nearest.max(0.0) as usize).min(self.input.saturating_sub(1)))
    }

    /// The elements that count for a place, and what; none outside of a region, and no element where they are too
    /// many.
    pub(super) fn weights(&self, place: usize, filter: &Filter) -> Option<Vec<(usize, f64)>> {
        let coordinate = self.coordinate(place)?;
        if self.is_kept() {
            return Some(vec![(place, 1.0)]);
        }
        let stretch = if filter.antialias { self.scale.min(1.0) } else { 1.0 };
        let reach = if filter.cubic.is_some() { 2.0 } else { 1.0 } / stretch;
        if reach > MOST {
            return Some(Vec::new());
        }
        let (first, last) =
            ((coordinate - reach).floor() as i64, (coordinate + reach).ceil() as i64);
        let end = self.input as i64 - 1;
        let counted = (first..=last).filter(|at| !filter.exclude_outside || (0..=end).contains(at));
        let weight = |at: i64| (at, filter.weight((stretch * (at as f64 - coordinate)).abs()));
        let weights: Vec<(i64, f64)> =
            counted.map(weight).filter(|(_, weight)| *weight != 0.0).collect();
        let is_whole = stretch == 1.0 && !filter.exclude_outside;
        let sum = if is_whole { 1.0 } else { weights.iter().map(|(_, weight)| weight).sum() };
        let clamped =
            weights.into_iter().map(|(at, weight)| (at.clamp(0, end) as usize, weight / sum));
        Some(clamped.collect())
    }
}

impl Filter {
    /// What an element at this distance counts.
    fn weight(&self, x: f64) -> f64 {
        match self.cubic {
            None => (1.0 - x).max(0.0),
            Some(a) if x <= 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
            Some(a) if x < 2.0 => a * (((x - 5.0) * x + 8.0) * x - 4.0),
            Some(_) => 0.0,
        }
    }
}

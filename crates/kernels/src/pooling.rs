//! What the pooling operators have in common: how windows lie, and the largest element of each and its place.

use bytemuck::Pod;
use half::{bf16, f16};

/// A spatial dimension of the input, and how windows lie along it.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) size: usize,
    /// Number of windows.
    pub(super) windows: usize,
    /// Elements of a window, from the first one of which to the next it is so far.
    pub(super) kernel: i128,
    pub(super) step: i128,
    /// From a window to the next.
    pub(super) stride: i128,
    /// Padding at the beginning.
    pub(super) padding: i128,
    /// Padding at the end.
    pub(super) after: i128,
}

impl Axis {
    /// All elements, in a single window.
    pub(super) const fn whole(size: usize) -> Self {
        let kernel = size as i128;
        Self { size, windows: 1, kernel, step: 1, stride: 1, padding: 0, after: 0 }
    }

    /// The number of elements of a window that are of the input or of the padding.
    pub(super) fn padded(&self, window: usize) -> usize {
        let origin = self.stride * window as i128 - self.padding;
        let room = self.size as i128 + self.after - origin;
        let elements = if room <= 0 { 0 } else { (room - 1) / self.step + 1 };
        elements.min(self.kernel) as usize
    }

    /// The first element of a window that is one of the input, and the number of those that are.
    fn elements(&self, window: usize) -> (usize, usize) {
        let origin = self.stride * window as i128 - self.padding;
        let skipped = if origin >= 0 { 0 } else { 1 + (-origin - 1) / self.step };
        let first = origin + skipped * self.step;
        if first >= self.size as i128 {
            return (0, 0);
        }
        let room = 1 + (self.size as i128 - 1 - first) / self.step;
        (first as usize, room.min(self.kernel - skipped).max(0) as usize)
    }
}

/// The largest element of each window and its place in the input, window by window; a window without elements
/// has neither.
pub(super) fn largest<T: Larger>(
    data: &[T],
    channels: usize,
    axes: &[Axis],
    mut found: impl FnMut(Option<(T, usize)>),
) {
    each_window(channels, axes, |_, places| {
        let mut best = None;
        places.visit(&mut |place| {
            let element = data[place];
            if best.is_none_or(|(largest, _)| element.is_larger(largest)) {
                best = Some((element, place));
            }
        });
        found(best);
    });
}

/// The elements of a window.
pub(super) struct Places<'a> {
    axes: &'a [Axis],
    spans: &'a [(usize, usize)],
    from: usize,
    size: usize,
}

impl Places<'_> {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.spans.iter().map(|(_, count)| count).product()
    }

    /// Sees the place of each in the input.
    pub(super) fn visit(&self, see: &mut impl FnMut(usize)) {
        if self.spans.iter().all(|(_, count)| *count > 0) {
            visit(self.axes, self.spans, self.from, self.size, see);
        }
    }
}

/// Goes through the windows of all channels, of each of which it tells the number among those of its channel.
pub(super) fn each_window(
    channels: usize,
    axes: &[Axis],
    mut found: impl FnMut(usize, Places<'_>),
) {
    let size = axes.iter().fold(1_usize, |size, axis| size.wrapping_mul(axis.size));
    let windows: usize = axes.iter().map(|axis| axis.windows).product();
    let mut spans = vec![(0, 0); axes.len()];
    for channel in 0..channels {
        for window in 0..windows {
            let mut rest = window;
            for (axis, span) in axes.iter().zip(&mut spans).rev() {
                *span = axis.elements(rest % axis.windows);
                rest /= axis.windows;
            }
            found(window, Places { axes, spans: &spans, from: channel * size, size });
        }
    }
}

/// Goes through the places of a window: those of the first axis, and for each those of the others. `size` is the
/// number of elements of all of these.
fn visit(
    axes: &[Axis],
    spans: &[(usize, usize)],
    from: usize,
    size: usize,
    see: &mut impl FnMut(usize),
) {
    let ([axis, axes @ ..], [(first, count), spans @ ..]) = (axes, spans) else { return see(from) };
    let inner = size / axis.size;
    for at in 0..*count {
        let place = first + at * axis.step as usize;
        visit(axes, spans, from + place * inner, inner, see);
    }
}

/// An element type that elements are compared of.
pub(super) trait Larger: Pod {
    /// The least of all.
    const LEAST: Self;

    /// Whether it is larger than another: a NaN than every number, and 0 than -0.
    fn is_larger(self, than: Self) -> bool;
}

macro_rules! floats {
    ($($type:ty: $infinity:expr;)*) => {$(
        impl Larger for $type {
            const LEAST: Self = $infinity;

            fn is_larger(self, than: Self) -> bool {
                let is_sign_larger = than.is_sign_negative() && !self.is_sign_negative();
                !than.is_nan() && (self.is_nan() || self > than || self == than && is_sign_larger)
            }
        }
    )*};
}

floats! {
    f64: Self::NEG_INFINITY;
    f32: Self::NEG_INFINITY;
    f16: Self::NEG_INFINITY;
    bf16: Self::NEG_INFINITY;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Larger for $type {
            const LEAST: Self = Self::MIN;

            fn is_larger(self, than: Self) -> bool {
                self > than
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

//! Convolutions as matrix products: the weights on the left, and on the right the elements of the data that they meet, in a
//! column for each place of the output.

use std::ops::Range;

use values::tensor::Tensor;

use crate::exact::bracket::float_sum::floats;
use crate::families::integer_products::convolution::{Sizes, Taps};
use crate::families::matrix_products::{Extent, Matrices};
use values::tensor::coordinates;

/// Data and weights in float32.
pub(super) struct Patches<'a, L> {
    layout: &'a L,
    data: Vec<f32>,
    weights: Vec<f32>,
    bias: Option<Vec<f32>>,
}

impl<'a, L: Taps> Patches<'a, L> {
    pub(super) fn of(
        layout: &'a L,
        [data, weights]: [&Tensor; 2],
        bias: Option<&Tensor>,
    ) -> Option<Self> {
        let bias = match bias {
            Some(bias) => Some(floats(bias)?),
            None => None,
        };
        Some(Self { layout, data: floats(data)?, weights: floats(weights)?, bias })
    }

    /// The place in a channel of the data that a weight meets for an element of the output; none of a zero.
    fn place(&self, at: &[usize], tap: &[usize]) -> Option<usize> {
        let axes = at.iter().zip(tap).zip(self.layout.sizes().data).enumerate();
        axes.into_iter().try_fold(0, |place, (axis, ((at, tap), size))| {
            let met = self.layout.meets(axis, *at, *tap).filter(|met| met < size)?;
            Some(place * size + met)
        })
    }
}

impl<L: Taps + Sync> Matrices for Patches<'_, L> {
    fn extent(&self) -> Extent {
        let Sizes { batch, groups, channels: [rows, depth], kernel, output, .. } =
            self.layout.sizes();
        Extent {
            matrices: batch * groups,
            rows,
            terms: if depth == 0 { 0 } else { kernel.iter().product::<usize>() * depth },
            columns: output.iter().product(),
        }
    }

    fn left(
        &self,
        matrix: usize,
        rows: Range<usize>,
        terms: Range<usize>,
        mut put: impl FnMut(usize, usize, f32),
    ) {
        let Sizes { groups, kernel, .. } = self.layout.sizes();
        let (group, within) = (matrix % groups, kernel.iter().product::<usize>());
        for (line, row) in rows.enumerate() {
            for (place, term) in terms.clone().enumerate() {
                let weight = self.layout.weight(group, [row, term / within], term % within);
                put(line, place, self.weights.get(weight).copied().unwrap_or(f32::NAN));
            }
        }
    }

    fn right(
        &self,
        matrix: usize,
        columns: Range<usize>,
        terms: Range<usize>,
        mut put: impl FnMut(usize, usize, f32),
    ) {
        let Sizes { channels: [_, depth], data, kernel, output, .. } = self.layout.sizes();
        let [within, area] = [kernel, data].map(|sizes| sizes.iter().product::<usize>());
        let first = matrix * depth;
        let at: Vec<_> = columns.map(|column| coordinates(column, output)).collect();
        // The terms that a weight at one place of the kernel makes with each channel follow at this distance.
        for (start, term) in terms.clone().enumerate().take(within) {
            let tap = coordinates(term % within, kernel);
            for (line, at) in at.iter().enumerate() {
                let met = self.place(at, &tap);
                for place in (start..terms.len()).step_by(within) {
                    let channel = first + (terms.start + place) / within;
                    let element = match met {
                        Some(met) => self.data.get(channel * area + met).copied(),
                        None => Some(0.0),
                    };
                    put(line, place, element.unwrap_or(f32::NAN));
                }
            }
        }
    }

    fn addend(&self, index: usize) -> f32 {
        let Some(bias) = &self.bias else { return 0.0 };
        bias.get(self.layout.channel(index)).copied().unwrap_or(f32::NAN)
    }
}

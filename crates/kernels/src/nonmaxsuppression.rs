//! NonMaxSuppression: boxes by falling score without those that overlap one chosen before, by areas in binary64. Of equal scores the
//! first box comes first; boxes with a NaN for a score come last of all, and overlap nothing where their own numbers are NaN.

use super::arg_extremum::switch;
use super::operand::values;
use super::reshaping::{integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::{Float32, Int64};
use values::tensor::Tensor;

pub(super) static NONMAXSUPPRESSION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "NonMaxSuppression",
    inputs: &[
        Input::of("boxes", Float32),
        Input::of("scores", Float32),
        Input::of("max_output_boxes_per_class", Int64).optional(),
        Input::of("iou_threshold", Float32).optional(),
        Input::of("score_threshold", Float32).optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(10, &[Int64], ATTRIBUTES), Version::with(11, &[Int64], ATTRIBUTES)],
    restricted: &[],
    run,
};

const ATTRIBUTES: &[AttributeSpec] = &[switch("center_point_box")];

/// A box by its corners.
#[derive(Clone, Copy)]
struct Corners {
    low: [f64; 2],
    high: [f64; 2],
}

impl Corners {
    fn of(numbers: &[f32], is_centered: bool) -> Self {
        let numbers = [numbers[0], numbers[1], numbers[2], numbers[3]].map(f64::from);
        let [a, b, c, d] = numbers;
        match is_centered {
            true => Self { low: [a - c / 2.0, b - d / 2.0], high: [a + c / 2.0, b + d / 2.0] },
            false => Self { low: [a.min(c), b.min(d)], high: [a.max(c), b.max(d)] },
        }
    }

    fn area(&self) -> f64 {
        (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])
    }

    /// Whether the intersection is a larger part of the union than this.
    fn overlaps(&self, other: &Self, threshold: f64) -> bool {
        let common = [0, 1].map(|at| {
            let (low, high) = (self.low[at].max(other.low[at]), self.high[at].min(other.high[at]));
            (high - low).max(0.0)
        });
        let common = common[0] * common[1];
        common / (self.area() + other.area() - common) > threshold
    }
}

/// A single number, if one is given.
fn single<'a>(call: &Call<'a>, at: usize) -> Result<Option<&'a Tensor>, KernelError> {
    match call.input(at) {
        Some(input) if !matches!(input.shape(), [] | [1]) => {
            Err(refused(call, "limits and thresholds are single numbers"))
        }
        input => Ok(input),
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (Some(boxes), Some(scores)) = (call.input(0), call.input(1)) else {
        return Err(refused(call, "there are boxes and scores"));
    };
    let (&[batches, count, 4], &[of_batches, classes, of_boxes]) = (boxes.shape(), scores.shape())
    else {
        return Err(refused(call, "there are four numbers of each box, and scores of classes"));
    };
    if (batches, count) != (of_batches, of_boxes) {
        return Err(refused(call, "each box has a score"));
    }
    let limit = single(call, 2)?.map_or(0, |limit| integers(limit)[0]);
    let limit = usize::try_from(limit.max(0)).unwrap_or(usize::MAX);
    let threshold = single(call, 3)?.map_or(0.0, |it| values::<f32>(it)[0]);
    let least = single(call, 4)?.map(|it| values::<f32>(it)[0]);
    if !(0.0..=1.0).contains(&threshold) {
        return Err(refused(call, "the threshold of overlaps is from 0 to 1"));
    }
    let is_centered = call.int("center_point_box", 0) == 1;
    let (boxes, scores) = (values::<f32>(boxes), values::<f32>(scores));
    let mut rows: Vec<i64> = Vec::new();
    // Without elements, or boxes to choose, there are no places to go through.
    let classes = if scores.is_empty() || limit == 0 { 0 } else { classes };
    for batch in (0..batches).take_while(|_| classes > 0) {
        let own = &boxes[batch * count * 4..(batch + 1) * count * 4];
        let own: Vec<_> = own.chunks(4).map(|it| Corners::of(it, is_centered)).collect();
        for class in 0..classes {
            let scores = &scores[(batch * classes + class) * count..][..count];
            let is_high = |at: &usize| least.is_none_or(|least| scores[*at] >= least);
            let mut candidates: Vec<usize> = (0..count).filter(is_high).collect();
            // The two zeros are equal, and no NaN is above a number.
            let rank = |at: &usize| match scores[*at] {
                score if score.is_nan() => f32::NEG_INFINITY,
                score => score + 0.0,
            };
            candidates.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
            let mut chosen: Vec<usize> = Vec::new();
            for at in candidates {
                if chosen.len() == limit {
                    break;
                }
                let overlaps = |other: &usize| own[at].overlaps(&own[*other], threshold.into());
                if !chosen.iter().any(overlaps) {
                    chosen.push(at);
                }
            }
            rows.extend(chosen.into_iter().flat_map(|at| [batch, class, at].map(|it| it as i64)));
        }
    }
    Ok(vec![Tensor::from_values(Int64, vec![rows.len() / 3, 3], rows)?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
    use values::dtype::DType::{Float32, Int64};

    const BOXES: [f32; 16] =
        [0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 10.0, 1.0, 11.0, 0.0, 0.0, 1.0, 1.0];

    fn chosen(
        scores: &[f32],
        limit: i64,
        [overlap, least]: [Option<f32>; 2],
        is_centered: i64,
    ) -> Result<Vec<i64>, KernelError> {
        let count = scores.len();
        let (boxes, scores) =
            (tensor(Float32, &[1, 4, 4], &BOXES), tensor(Float32, &[1, 1, count], scores));
        let limit = tensor(Int64, &[1], &[limit]);
        let [overlap, least] = [overlap, least].map(|it| it.map(|it| tensor(Float32, &[], &[it])));
        let inputs = [Some(&boxes), Some(&scores), Some(&limit), overlap.as_ref(), least.as_ref()];
        let centered = ("center_point_box".to_owned(), Attribute::Int(is_centered));
        let kernel = find("NonMaxSuppression", 11).unwrap();
        let output = kernel.run(&inputs, &Attributes::from([centered]))?.remove(0);
        assert_eq!(output.shape()[1], 3);
        Ok(read::<i64>(&output).chunks(3).map(|row| row[2]).collect())
    }

    #[test]
    fn boxes_that_overlap_one_with_a_higher_score_are_left_out() {
        let scores = [0.5, 0.75, -1.0, 0.9];
        assert_eq!(chosen(&scores, 9, [Some(0.5), None], 0).unwrap(), [3, 1, 2]);
        assert_eq!(chosen(&scores, 9, [Some(0.25), None], 0).unwrap(), [3, 2]);
        assert_eq!(chosen(&scores, 9, [Some(1.0), Some(0.5)], 0).unwrap(), [3, 1, 0]);
        assert_eq!(chosen(&scores, 1, [None, None], 0).unwrap(), [3]);
        assert_eq!(chosen(&scores, -1, [None, None], 0).unwrap(), Vec::<i64>::new());
        assert_eq!(chosen(&[f32::NAN, 0.0, -0.0, -1.0], 9, [Some(0.0), None], 0).unwrap(), [1, 2]);
    }

    #[test]
    fn boxes_have_a_centre_and_sizes_where_it_is_asked() {
        // The second and the fourth have no area.
        let scores = [4.0, 3.0, 2.0, 1.0];
        assert_eq!(chosen(&scores, 9, [Some(0.0), None], 1).unwrap(), [0, 1, 2]);
    }

    #[test]
    fn thresholds_beyond_the_range_and_other_shapes_are_refused() {
        for overlap in [-0.5, 1.5, f32::NAN] {
            let error = chosen(&[1.0; 4], 1, [Some(overlap), None], 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
        }
        assert_eq!(chosen(&[1.0; 3], 1, [None; 2], 0).unwrap_err().kind(), ErrorKind::Invalid);
    }
}

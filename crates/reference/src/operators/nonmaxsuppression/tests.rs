//! Boxes that are chosen, suppressed, and neither for certain.

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

/// The numbers that each box may have, in rows of one batch and class; `None` where nothing is decided.
type Chosen = Option<Vec<Vec<usize>>>;

struct Given<'a> {
    boxes: &'a [[f32; 4]],
    scores: &'a [f32],
    limit: Option<i64>,
    overlap: Option<f32>,
    least: Option<f32>,
    is_centered: i64,
}

/// What is given unless something else is.
const ALL: Given<'_> = Given {
    boxes: &[],
    scores: &[],
    limit: Some(9),
    overlap: Some(0.5),
    least: None,
    is_centered: 0,
};

fn number(number: Option<f32>) -> Option<Tensor> {
    number.and_then(|it| Tensor::from_values(Float32, vec![], vec![it]).ok())
}

fn chosen(given: &Given<'_>) -> Option<Chosen> {
    let Given { boxes, scores, .. } = given;
    let shape = vec![1, boxes.len(), 4];
    let limit = given.limit.and_then(|it| Tensor::from_values(Int64, vec![1], vec![it]).ok());
    let inputs = vec![
        Tensor::from_values(Float32, shape, boxes.concat()).ok(),
        Tensor::from_values(Float32, vec![1, 1, scores.len()], scores.to_vec()).ok(),
        limit,
        number(given.overlap),
        number(given.least),
    ];
    let centered = ("center_point_box".to_owned(), AttributeValue::Int(given.is_centered));
    let (version, onnx) = (NONMAXSUPPRESSION.newest(), Specification::Onnx);
    let made =
        Call::new(&NONMAXSUPPRESSION, version, onnx, Attributes::from([centered]), inputs).ok();
    let (call, types) = made?;
    let allowed = NONMAXSUPPRESSION.reference.allowed(&call, &types);
    let numbers = |index: usize| -> Option<Vec<usize>> {
        let conforming = allowed[0].at(index);
        conforming.is_decided().then_some(())?;
        let all = (0..boxes.len()).filter(|at| conforming.accepts(*at as u64));
        Some(all.collect())
    };
    let rows = 0..types[0].shape[0];
    Some(rows.map(|row| numbers(3 * row + 2)).collect())
}

/// The boxes where each is certain.
fn certain(given: &Given<'_>) -> Option<Vec<usize>> {
    let rows = chosen(given)??;
    rows.into_iter().map(|row| <[usize; 1]>::try_from(row).ok().map(|[only]| only)).collect()
}

const UNIT: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
/// Half of it, so that a half of their union is common to both.
const HALF: [f32; 4] = [0.0, 0.0, 1.0, 0.5];
const AWAY: [f32; 4] = [0.0, 10.0, 1.0, 11.0];

#[test]
fn boxes_are_chosen_by_falling_scores_unless_they_overlap_by_more_than_the_threshold() {
    let (boxes, scores) = (&[HALF, UNIT, AWAY, UNIT][..], &[0.5_f32, 0.75, -1.0, 0.9][..]);
    let all = Given { boxes, scores, ..ALL };
    assert_eq!(certain(&all), Some(vec![3, 0, 2]), "as much as the threshold is kept");
    assert_eq!(certain(&Given { overlap: Some(0.499), ..all }), Some(vec![3, 2]));
    assert_eq!(certain(&Given { overlap: None, ..all }), Some(vec![3, 2]));
    assert_eq!(certain(&Given { overlap: Some(1.0), ..all }), Some(vec![3, 1, 0, 2]));
    assert_eq!(certain(&Given { limit: Some(1), ..all }), Some(vec![3]));
    assert_eq!(certain(&Given { limit: None, ..all }), Some(vec![]));
    assert_eq!(
        certain(&Given { least: Some(0.5), ..all }),
        Some(vec![3, 0]),
        "an equal score stays"
    );
    assert_eq!(certain(&Given { least: Some(0.51), ..all }), Some(vec![3]));
}

#[test]
fn corners_come_in_any_order_and_centres_with_sizes() {
    let flipped = &[[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.25]];
    let given = Given { boxes: flipped, scores: &[1.0, 0.5], ..ALL };
    assert_eq!(certain(&given), Some(vec![0]));
    let centered = &[[0.5, 0.5, 1.0, 1.0], [0.5, 0.75, 1.0, 0.5], [1.5, 0.5, 1.0, 1.0]];
    let given = Given { boxes: centered, scores: &[1.0, 0.9, 0.8], is_centered: 1, ..ALL };
    assert_eq!(certain(&given), Some(vec![0, 1, 2]));
    assert_eq!(certain(&Given { overlap: Some(0.25), ..given }), Some(vec![0, 2]));
}

#[test]
fn equal_scores_leave_open_which_box_is_in_a_place() {
    let boxes = &[UNIT, UNIT, AWAY, HALF];
    let given = Given { boxes, scores: &[0.5, 0.5, 0.25, 0.25], ..ALL };
    assert_eq!(chosen(&given), Some(Some(vec![vec![0, 1], vec![2, 3], vec![2, 3]])));
    let zeros = Given { boxes: &[AWAY, UNIT], scores: &[-0.0, 0.0], limit: Some(1), ..ALL };
    assert_eq!(chosen(&zeros), Some(Some(vec![vec![0, 1]])));
    // Where the first is one that overlaps both others, there are fewer.
    let chain = &[UNIT, [0.0, 0.25, 1.0, 1.25], [0.0, 0.5, 1.0, 1.5]];
    let given = Given { boxes: chain, scores: &[0.5; 3], ..ALL };
    assert_eq!(chosen(&given), Some(None));
    let alike = Given { boxes: &[AWAY; 40], scores: &[0.5; 40], overlap: Some(1.0), ..ALL };
    assert_eq!(chosen(&alike), Some(None));
}

#[test]
fn rounding_near_the_threshold_leaves_open_what_is_kept() {
    // Intersection over union is 7/10, of which the nearest float32 is below.
    let boxes = &[[0.0, 0.0, 1.0, 10.0], [0.0, 0.0, 1.0, 7.0]];
    let given = Given { boxes, scores: &[1.0, 0.5], overlap: Some(0.7), ..ALL };
    assert_eq!(chosen(&given), Some(None));
    assert_eq!(certain(&Given { overlap: Some(0.7_f32.next_up()), ..given }), Some(vec![0, 1]));
    assert_eq!(certain(&Given { overlap: Some(0.7_f32.next_down()), ..given }), Some(vec![0]));
    assert_eq!(certain(&Given { limit: Some(1), ..given }), Some(vec![0]));
}

#[test]
fn what_is_not_stated_is_open() {
    let point = [2.0; 4];
    for boxes in [[UNIT, [0.0, 0.0, 1.0, f32::NAN]], [UNIT, [f32::INFINITY; 4]], [point, point]] {
        let given = Given { boxes: &boxes, scores: &[1.0, 0.5], ..ALL };
        assert_eq!(chosen(&given), Some(None), "{boxes:?}");
    }
    let kept = Given { boxes: &[UNIT, point], scores: &[1.0, 0.5], overlap: None, ..ALL };
    assert_eq!(certain(&kept), Some(vec![0, 1]));
    let apart = Given { boxes: &[point, [3.0; 4]], ..kept };
    assert_eq!(certain(&apart), Some(vec![0, 1]));
    let given = Given { boxes: &[UNIT, AWAY], scores: &[1.0, f32::NAN], ..ALL };
    assert_eq!(chosen(&given), Some(None));
    let given = Given { scores: &[1.0, 0.5], ..given };
    assert_eq!(chosen(&Given { limit: Some(-1), ..given }), Some(None));
    assert_eq!(chosen(&Given { least: Some(f32::NAN), ..given }), Some(None));
    let narrow = &[[0.5, 0.5, -1.0, 1.0], UNIT];
    assert_eq!(chosen(&Given { boxes: narrow, is_centered: 1, ..given }), Some(None));
    let vast = [f32::MIN, f32::MIN, f32::MAX, f32::MAX];
    assert_eq!(chosen(&Given { boxes: &[vast, vast], ..given }), Some(None));
}

#[test]
fn thresholds_beyond_the_range_and_shapes_that_do_not_fit_are_refused() {
    let given = Given { boxes: &[UNIT], scores: &[1.0], ..ALL };
    for overlap in [-0.5, 1.5, f32::NAN, f32::INFINITY] {
        assert_eq!(chosen(&Given { overlap: Some(overlap), ..given }), None);
    }
    assert_eq!(certain(&Given { overlap: Some(-0.0), ..given }), Some(vec![0]));
    assert_eq!(chosen(&Given { is_centered: 2, ..given }), None);
    assert_eq!(chosen(&Given { scores: &[1.0, 2.0], ..given }), None);
}

//! Grids by edges and by corners, and what fits no size.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::{Float32, Int64};

fn grid(
    shape: &[usize],
    theta: &[f32],
    size: &[i64],
    align: i64,
) -> Option<(Vec<usize>, Vec<Conforming>)> {
    let theta = Tensor::from_values(Float32, shape.to_vec(), theta.to_vec()).ok();
    let size = Tensor::from_values(Int64, vec![size.len()], size.to_vec()).ok();
    let attributes = Attributes::from([("align_corners".to_owned(), AttributeValue::Int(align))]);
    let (version, onnx) = (AFFINEGRID.newest(), Specification::Onnx);
    let (call, types) =
        Call::new(&AFFINEGRID, version, onnx, attributes, vec![theta, size]).ok()?;
    let allowed = AFFINEGRID.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Some((types[0].shape.clone(), (0..count).map(|at| allowed[0].at(at)).collect()))
}

fn accept(all: &[Conforming], numbers: &[f32]) -> bool {
    let accepts = |(one, number): (&Conforming, &f32)| {
        one.is_decided()
            && one.accepts(number.to_bits().into())
            && !one.accepts((number + 0.1).to_bits().into())
    };
    all.len() == numbers.len() && all.iter().zip(numbers).all(accepts)
}

#[test]
fn positions_are_the_centres_of_pixels_with_the_last_dimension_first() {
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let (shape, all) = grid(&[1, 2, 3], &identity, &[1, 1, 1, 2], 0).unwrap();
    assert_eq!(shape, [1, 1, 2, 2]);
    assert!(accept(&all, &[-0.5, 0.0, 0.5, 0.0]), "{all:?}");
    let (_, all) = grid(&[1, 2, 3], &[2.0, 0.0, 1.0, 0.0, 10.0, 3.0], &[1, 1, 2, 3], 1).unwrap();
    let rows = [-7.0, 13.0].map(|y| [[-1.0, y], [1.0, y], [3.0, y]].concat());
    assert!(accept(&all, &rows.concat()), "{all:?}");
    let deep = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.0];
    let (shape, all) = grid(&[1, 3, 4], &deep, &[1, 9, 2, 1, 1], 0).unwrap();
    assert_eq!(shape, [1, 2, 1, 1, 3]);
    assert!(accept(&all, &[-0.5, 0.0, 7.0, 0.5, 0.0, 7.0]), "{all:?}");
}

#[test]
fn a_single_pixel_has_a_centre_but_no_corners() {
    let theta = [1.0; 6];
    assert!(accept(&grid(&[1, 2, 3], &theta, &[1, 1, 1, 1], 0).unwrap().1, &[1.0, 1.0]));
    let (_, all) = grid(&[1, 2, 3], &theta, &[1, 1, 1, 2], 1).unwrap();
    assert!(all.iter().all(|one| !one.is_decided()));
}

#[test]
fn matrices_that_do_not_fit_and_sizes_that_are_none_are_refused() {
    let theta = [1.0; 6];
    for size in
        [&[1, 1, 2][..], &[2, 1, 2, 2], &[1, 1, 1, 2, 2], &[1, 1, -1, 2], &[1, 1, i64::MAX, 2]]
    {
        assert_eq!(grid(&[1, 2, 3], &theta, size, 0), None, "{size:?}");
    }
    assert_eq!(grid(&[1, 2, 3], &theta, &[1, 1, 2, 2], 2), None);
    assert_eq!(grid(&[1, 2, 3], &theta, &[1, 1, 0, 3], 0).map(|it| it.1), Some(vec![]));
}

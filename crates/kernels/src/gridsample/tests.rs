//! Samples of every mode and padding.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int32};
use values::tensor::Tensor;

/// Samples of a row of elements at these x.
fn sampled(x: &Tensor, at: &[f32], attributes: &[(&str, &str)], align: i64) -> Tensor {
    let grid: Vec<f32> = at.iter().flat_map(|x| [*x, 0.0]).collect();
    let grid = tensor(Float32, &[1, 1, at.len(), 2], &grid);
    run(x, &grid, attributes, align).unwrap()
}

fn run(
    x: &Tensor,
    grid: &Tensor,
    attributes: &[(&str, &str)],
    align: i64,
) -> Result<Tensor, KernelError> {
    let text =
        |(name, text): &(&str, &str)| ((*name).to_owned(), Attribute::Text((*text).to_owned()));
    let align = ("align_corners".to_owned(), Attribute::Int(align));
    let attributes: Attributes = attributes.iter().map(text).chain([align]).collect();
    Ok(find("GridSample", 22).unwrap().run(&[Some(x), Some(grid)], &attributes)?.remove(0))
}

const FOUR: [f32; 4] = [1.0, 2.0, 4.0, 8.0];

#[test]
fn means_are_weighted_and_padded() {
    let x = tensor(Float32, &[1, 1, 1, 4], &FOUR);
    let linear = |padding: &str, at: &[f32], align: i64| -> Vec<f32> {
        read(&sampled(&x, at, &[("padding_mode", padding)], align))
    };
    assert_eq!(linear("zeros", &[-1.0, -0.75, -0.5, 1.0, 2.0], 0), [0.5, 1.0, 1.5, 4.0, 0.0]);
    assert_eq!(linear("border", &[-1.0, 1.0, 40.0], 0), [1.0, 8.0, 8.0]);
    assert_eq!(linear("reflection", &[-1.25, -1.5, 1.75], 0), [1.0, 1.5, 4.0]);
    assert_eq!(linear("reflection", &[-1.0, 1.0, 5.0 / 3.0], 1)[..2], [1.0, 8.0]);
    let cubic = sampled(&x, &[0.0, -0.75, -1.0], &[("mode", "cubic")], 0);
    assert_eq!(read::<f32>(&cubic), [2.71875, 1.0, 0.40625]);
    let ints = tensor(Int32, &[1, 1, 1, 4], &[-3, 0, 5, 1 << 24]);
    assert_eq!(read::<i32>(&sampled(&ints, &[-0.5, 0.25], &[], 0)), [-1, 5]);
}

#[test]
fn the_nearest_element_is_moved() {
    let x = tensor(Float32, &[1, 1, 1, 4], &FOUR);
    let nearest = |padding: &str| -> Vec<f32> {
        let attributes = [("mode", "nearest"), ("padding_mode", padding)];
        read(&sampled(&x, &[-1.0, -0.5, 0.0, 0.5, 1.0, 1.75], &attributes, 0))
    };
    assert_eq!(nearest("zeros"), [1.0, 1.0, 4.0, 4.0, 0.0, 0.0]);
    assert_eq!(nearest("border"), [1.0, 1.0, 4.0, 4.0, 8.0, 8.0]);
    assert_eq!(nearest("reflection")[4..], [8.0, 4.0]);
}

#[test]
fn the_last_dimension_comes_first_in_a_location() {
    let x = tensor(Float32, &[1, 1, 2, 2], &FOUR);
    let grid = tensor(Float32, &[1, 1, 1, 2], &[0.5_f32, -0.5]);
    assert_eq!(read::<f32>(&run(&x, &grid, &[], 0).unwrap()), [2.0]);
    let cube = tensor(Float32, &[1, 1, 2, 1, 1], &[1.0_f32, 3.0]);
    let grid = tensor(Float32, &[1, 1, 1, 1, 3], &[0.0_f32, 0.0, 0.5]);
    assert_eq!(read::<f32>(&run(&cube, &grid, &[], 0).unwrap()), [3.0]);
}

#[test]
fn grids_that_do_not_fit_are_refused() {
    let x = tensor(Float32, &[1, 1, 2, 2], &FOUR);
    for shape in [&[1, 1, 1, 3][..], &[2, 1, 1, 2], &[1, 1, 2]] {
        let grid = tensor(Float32, shape, &vec![0.0_f32; shape.iter().product()]);
        assert_eq!(run(&x, &grid, &[], 0).unwrap_err().kind(), ErrorKind::Invalid);
    }
}

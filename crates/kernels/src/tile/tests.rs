//! Tile of every type, by lists and by the two numbers of the first version.

use crate::tests::{run, tensor};
use crate::{Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int64, Uint8};
use values::tensor::Tensor;

fn tiled(from: &[usize], list: &[i64]) -> Result<Tensor, KernelError> {
    let bytes: Vec<u8> = (0..from.iter().product::<usize>() as u8).collect();
    let (data, list) = (tensor(Uint8, from, &bytes), tensor(Int64, &[list.len()], list));
    run(find("Tile", 13).unwrap(), &[&data, &list], &Attributes::new())
}

#[test]
fn copies_lie_side_by_side() {
    let both = [0_u8, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3];
    assert_eq!(tiled(&[2, 2], &[2, 2]).unwrap(), tensor(Uint8, &[4, 4], &both));
    assert_eq!(tiled(&[2], &[3]).unwrap(), tensor(Uint8, &[6], &[0_u8, 1, 0, 1, 0, 1]));
    assert_eq!(tiled(&[], &[]).unwrap(), tensor(Uint8, &[], &[0_u8]));
    assert_eq!(tiled(&[2, 2], &[0, 3]).unwrap().shape(), [0, 6]);
}

#[test]
fn lists_without_an_entry_for_each_dimension_are_refused() {
    for list in [&[2][..], &[2, 2, 2], &[1, -1], &[1 << 62, 8], &[1 << 62, 4]] {
        assert_eq!(tiled(&[2, 2], list).unwrap_err().kind(), ErrorKind::Invalid, "{list:?}");
    }
}

#[test]
fn the_first_version_goes_along_one_dimension() {
    let of = |tiles: f32, axis: f32| {
        let data = tensor(Float32, &[2, 1], &[1_f32, 2.0]);
        let (tiles, axis) = (tensor(Float32, &[], &[tiles]), tensor(Float32, &[1], &[axis]));
        run(find("Tile", 5).unwrap(), &[&data, &tiles, &axis], &Attributes::new())
    };
    assert_eq!(of(2.0, 1.0).unwrap(), tensor(Float32, &[2, 2], &[1_f32, 1.0, 2.0, 2.0]));
    for (tiles, axis) in
        [(1.5, 0.0), (-1.0, 0.0), (1.0, 2.0), (1.0, -1.0), (1.0, 0.5), (f32::INFINITY, 0.0)]
    {
        assert_eq!(of(tiles, axis).unwrap_err().kind(), ErrorKind::Invalid, "{tiles} {axis}");
    }
}

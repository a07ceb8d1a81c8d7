//! Blocks that overlap, are apart, and lie in the padding; and columns that are none of an image.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int8, Int64};
use values::tensor::Tensor;

fn image(
    data: &Tensor,
    [image, block]: [&[i64]; 2],
    attributes: &[(&str, &[i64])],
) -> Result<Tensor, KernelError> {
    let [image, block] = [image, block].map(|list| tensor(Int64, &[list.len()], list));
    let ints = |(name, list): &(&str, &[i64])| ((*name).to_owned(), Attribute::Ints(list.to_vec()));
    let attributes: Attributes = attributes.iter().map(ints).collect();
    let inputs = [Some(data), Some(&image), Some(&block)];
    Ok(find("Col2Im", 18).unwrap().run(&inputs, &attributes)?.remove(0))
}

#[test]
fn blocks_are_added_up_where_they_lie() {
    let data = tensor(Float32, &[1, 2, 4], &[1_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let of = |lists, attributes: &[_]| read::<f32>(&image(&data, lists, attributes).unwrap());
    assert_eq!(of([&[2, 3], &[1, 2]], &[]), [1.0, 7.0, 6.0, 3.0, 11.0, 8.0]);
    let apart = [("strides", &[1, 3][..]), ("pads", &[0, 0, 0, 2]), ("dilations", &[1, 2])];
    assert_eq!(of([&[2, 4], &[1, 2]], &apart), [1.0, 0.0, 5.0, 2.0, 3.0, 0.0, 7.0, 4.0]);
    let bytes = tensor(Int8, &[1, 2, 2], &[100_i8, 1, 2, 100]);
    let sums = image(&bytes, [&[1, 1], &[2, 1]], &[("pads", &[1, 0, 1, 0])]).unwrap();
    assert_eq!(read::<i8>(&sums), [3]);
}

#[test]
fn what_makes_no_image_is_refused() {
    let data = tensor(Int8, &[1, 4, 2], &[0_i8; 8]);
    assert!(image(&data, [&[2, 3], &[2, 2]], &[]).is_ok());
    for (lists, attributes) in [
        ([&[2, 4][..], &[2, 2][..]], &[][..]),
        ([&[2], &[4]], &[]),
        ([&[2, -3], &[2, 2]], &[]),
        ([&[2, 3], &[2, 0]], &[]),
        ([&[2, 3], &[2, 2]], &[("strides", &[0, 1][..])]),
        ([&[i64::MAX, i64::MAX], &[2, 2]], &[]),
        ([&[2, 3], &[i64::MAX, i64::MAX]], &[("dilations", &[i64::MAX, 1])]),
    ] {
        let error = image(&data, lists, attributes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{lists:?} {attributes:?}");
    }
    let empty = tensor::<i8>(Int8, &[1, 1 << 40, 0], &[]);
    let zeros = image(&empty, [&[1, 2], &[1 << 20, 1 << 20]], &[]).unwrap();
    assert_eq!(read::<i8>(&zeros), [0, 0]);
}

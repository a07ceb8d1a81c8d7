//! Of windows, and of what is the largest element of one.

use super::*;
use crate::operator::{Attributes, Operator, Specification, TensorType};
use crate::operators::globalmaxpool::GLOBALMAXPOOL;
use crate::operators::maxpool::MAXPOOL;
use values::dtype::DType::{Float32, Int8, Int64};

fn ints(list: &[i64]) -> AttributeValue {
    AttributeValue::Ints(list.to_vec())
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::Text(text.to_owned())
}

const INT: AttributeValue = AttributeValue::Int(1);

fn call(
    operator: &'static Operator,
    since: i64,
    data: Tensor,
    attributes: &[(&str, AttributeValue)],
) -> Result<(Call, Vec<TensorType>), Invalid> {
    let owned = |(name, value): &(&str, AttributeValue)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(owned).collect();
    let restricted = attributes.contains_key("dilations") && attributes.len() == 7;
    let specification = if restricted { Specification::Sonnx } else { Specification::Onnx };
    let version = operator.version(since).unwrap();
    Call::new(operator, version, specification, attributes, vec![Some(data)])
}

fn row(values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, vec![1, 1, values.len()], values.to_vec()).unwrap()
}

/// The places in a row of so many elements that each window of a kernel of so many has.
fn places(
    since: i64,
    count: usize,
    kernel: i64,
    others: &[(&str, AttributeValue)],
) -> Result<Vec<Vec<usize>>, Invalid> {
    let attributes = [&[("kernel_shape", ints(&[kernel]))], others].concat();
    let (call, types) = call(&MAXPOOL, since, row(&vec![0.0; count]), &attributes)?;
    let is_ceil = call.int("ceil_mode") == Some(1);
    let windows = Windows::of(&call, is_ceil)?;
    assert_eq!(windows.shape, types[0].shape);
    Ok((0..windows.shape[2]).map(|index| windows.places(index)).collect())
}

#[test]
fn windows_lie_where_the_attributes_say() {
    let of = |count, kernel, others: &[(&str, AttributeValue)]| {
        places(22, count, kernel, others).unwrap()
    };
    let (stride, ceil) = (("strides", ints(&[2])), ("ceil_mode", INT));
    let same = |end: &str| ("auto_pad", text(&format!("SAME_{end}")));
    assert_eq!(of(3, 2, &[]), [[0, 1], [1, 2]]);
    assert_eq!(of(6, 3, std::slice::from_ref(&stride)), [[0, 1, 2], [2, 3, 4]]);
    assert_eq!(of(6, 3, &[stride.clone(), ceil.clone()])[2], [4, 5]);
    assert_eq!(of(5, 3, &[("dilations", ints(&[2]))]), [[0, 2, 4]]);
    assert_eq!(of(2, 2, &[("pads", ints(&[1, 2]))]), [vec![0], vec![0, 1], vec![1], vec![]]);
    assert_eq!(of(2, 2, &[same("UPPER")]), [vec![0, 1], vec![1]]);
    assert_eq!(of(2, 2, &[same("LOWER")]), [vec![0], vec![0, 1]]);
    assert_eq!(of(5, 1, &[same("UPPER"), ("strides", ints(&[3]))]), [[0], [3]]);
    let valid = [("auto_pad", text("VALID")), ceil.clone(), stride.clone()];
    assert_eq!(of(5, 2, &valid), [[0, 1], [2, 3]]);
    assert_eq!(of(0, 2, &[same("UPPER")]), Vec::<Vec<usize>>::new());
    // The middle of a window that is spread out may be all that there is.
    let apart = [("dilations", ints(&[2])), ("pads", ints(&[1, 1]))];
    assert_eq!(of(1, 2, &apart), [Vec::<usize>::new()]);
    let beyond = [stride, ceil, ("pads", ints(&[0, 1]))];
    assert_eq!(of(4, 1, &beyond), [[0], [2]]);
    assert_eq!(places(12, 4, 1, &beyond).unwrap().len(), 3);
}

#[test]
fn windows_of_several_dimensions_are_told_in_their_order() {
    let data = Tensor::from_values(Int8, vec![1, 2, 3, 3], (0..18).collect::<Vec<i8>>()).unwrap();
    let attributes = [("kernel_shape", ints(&[2, 2])), ("strides", ints(&[1, 1]))];
    let (call, _) = call(&MAXPOOL, 22, data, &attributes).unwrap();
    let windows = Windows::of(&call, false).unwrap();
    assert_eq!(windows.shape, [1, 2, 2, 2]);
    assert_eq!(windows.places(7), [13, 14, 16, 17]);
}

#[test]
fn no_attribute_overflows_and_what_has_no_windows_is_refused() {
    let far = [("dilations", ints(&[i64::MAX])), ("pads", ints(&[i64::MAX, 0]))];
    assert_eq!(places(22, 1, 2, &far), Ok(vec![vec![0]]));
    let step = [("strides", ints(&[i64::MAX])), ("ceil_mode", INT), ("pads", ints(&[1, i64::MAX]))];
    assert_eq!(places(22, 2, i64::MAX, &step).unwrap()[0], [0, 1]);
    for kernel in [0, -1, 3, i64::MAX, i64::MIN] {
        assert!(places(22, 2, kernel, &[]).is_err(), "{kernel}");
    }
    let short = [("strides", ints(&[0])), ("dilations", ints(&[0])), ("pads", ints(&[-1, 0]))];
    let long = [("strides", ints(&[1, 1])), ("dilations", ints(&[])), ("pads", ints(&[1]))];
    let text = |value: &str| ("auto_pad", text(value));
    let others = [("ceil_mode", AttributeValue::Int(2)), text("SAME")];
    for attribute in short.into_iter().chain(long).chain(others) {
        assert!(places(22, 2, 1, std::slice::from_ref(&attribute)).is_err(), "{attribute:?}");
    }
    assert!(places(22, 2, 1, &[text("VALID"), ("pads", ints(&[0, 0]))]).is_err());
    assert!(places(22, 2, 1, &[text("NOTSET"), ("pads", ints(&[0, 0]))]).is_ok());
    let most = places(22, 2, 1, &[("pads", ints(&[i64::MAX, i64::MAX]))]);
    assert!(most.is_err());
    for shape in [vec![], vec![1], vec![1, 1]] {
        let data = || Tensor::from_values(Float32, shape.clone(), vec![0_f32]).unwrap();
        assert!(call(&MAXPOOL, 22, data(), &[("kernel_shape", ints(&[1]))]).is_err());
        assert!(call(&GLOBALMAXPOOL, 22, data(), &[]).is_err());
    }
    let wide =
        Tensor::from_values::<f32>(Float32, vec![1, 1, 1 << 40, 1 << 40, 0], vec![]).unwrap();
    let (call, types) = call(&GLOBALMAXPOOL, 22, wide, &[]).unwrap();
    let allowed = GLOBALMAXPOOL.reference.allowed(&call, &types);
    assert_eq!((types[0].shape.as_slice(), allowed[0].at(0)), (&[1; 5][..], OUTSIDE));
}

/// What one window of these values allows: whether each of some values conforms, and the indices that do.
fn of_window(
    values: &[f32],
    shape: &[usize],
    others: &[(&str, AttributeValue)],
    results: &[f32],
) -> (Vec<bool>, Vec<u64>) {
    let data = Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).unwrap();
    let kernel: Vec<i64> = shape[2..].iter().map(|size| *size as i64).collect();
    let attributes = [&[("kernel_shape", ints(&kernel))], others].concat();
    let (call, types) = call(&MAXPOOL, 22, data, &attributes).unwrap();
    assert_eq!(types[1].dtype, Int64);
    let allowed = MAXPOOL.reference.allowed(&call, &types);
    let last = types[0].shape.iter().product::<usize>() - 1;
    let accepts = |value: &f32| allowed[0].at(last).accepts(value.to_bits().into());
    let places = (0..99).filter(|place| allowed[1].at(last).accepts(*place));
    (results.iter().map(accepts).collect(), places.collect())
}

#[test]
fn a_nan_or_the_largest_number_conforms_either_zero_and_any_place_of_it() {
    let results = [2.0, f32::NAN, -0.0, 0.0];
    let of = |values: &[f32]| of_window(values, &[1, 1, values.len()], &[], &results);
    assert_eq!(of(&[2.0, 1.0, 2.0]), (vec![true, false, false, false], vec![0, 2]));
    assert_eq!(of(&[1.0, f32::NAN, 2.0]), (vec![true, true, false, false], vec![1, 2]));
    assert_eq!(of(&[-0.0, -1.0, 0.0]), (vec![false, false, true, true], vec![0, 2]));
    assert_eq!(of(&[-0.0, -1.0]), (vec![false, false, true, false], vec![0]));
    // Two columns of three.
    let columns = [("storage_order", INT)];
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 9.0];
    assert_eq!(of_window(&values, &[1, 1, 2, 3], &columns, &[9.0]).1, [5]);
    assert_eq!(of_window(&[0.0, 2.0, 1.0, 0.0], &[1, 1, 2, 2], &columns, &[2.0]).1, [2]);
    // By the spatial dimensions, or by all.
    let two = [0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    assert_eq!(of_window(&two, &[1, 2, 2, 2], &columns, &[3.0]).1, [5, 6]);
}

#[test]
fn sonnx_takes_the_first_place_has_nan_absorb_and_pads_with_the_least() {
    let all = |dilation: i64, pads: &[i64]| {
        vec![
            ("strides", ints(&[1, 1])),
            ("dilations", ints(&[dilation, 1])),
            ("pads", ints(pads)),
            ("auto_pad", text("NOTSET")),
            ("ceil_mode", AttributeValue::Int(0)),
            ("storage_order", AttributeValue::Int(0)),
        ]
    };
    let of = |values: &[f32]| {
        of_window(values, &[1, 1, 2, 2], &all(1, &[0; 4]), &[2.0, f32::NAN, -0.0, 0.0])
    };
    assert_eq!(of(&[1.0, 2.0, 2.0, 0.0]), (vec![true, false, false, false], vec![1]));
    assert_eq!(of(&[2.0, f32::NAN, 1.0, f32::NAN]), (vec![false, true, false, false], vec![1, 3]));
    assert_eq!(of(&[-0.0, -0.0, 0.0, 0.0]), (vec![false, false, false, true], vec![0, 2]));
    let lone = Tensor::from_values(Float32, vec![1, 1, 1, 1], vec![5_f32]).unwrap();
    let with_kernel = |dilation, pads: &[i64]| {
        [all(dilation, pads), vec![("kernel_shape", ints(&[2, 1]))]].concat()
    };
    let (call, types) =
        self::call(&MAXPOOL, 22, lone.clone(), &with_kernel(2, &[1, 0, 1, 0])).unwrap();
    let allowed = MAXPOOL.reference.allowed(&call, &types);
    assert!(allowed[0].at(0).accepts(f32::NEG_INFINITY.to_bits().into()));
    assert!(!allowed[1].at(0).is_decided());
    for (dilation, pads) in [(1, [2, 0, 0, 0]), (1, [0, 0, 0, 1]), (2, [0, 0, 3, 0])] {
        assert!(self::call(&MAXPOOL, 22, lone.clone(), &with_kernel(dilation, &pads)).is_err());
    }
}

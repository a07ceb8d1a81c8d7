//! Cast of every element of at most 16 bits to every type but strings: what the built-in kernel gives is held against
//! the reference, which shares nothing with it.

use onnx_conformance::dtype::DType;
use onnx_conformance::kernels::{self, Attribute};
use onnx_conformance::reference::operator::{AttributeValue, Attributes, Call, Specification};
use onnx_conformance::reference::operators::cast::CAST;
use onnx_conformance::tensor::Tensor;
use rayon::prelude::*;

/// Every element of a type, in the order of its bits.
fn all(dtype: DType) -> Tensor {
    let count = if dtype == DType::Bool { 2 } else { 1 << dtype.bits().unwrap() };
    Tensor::from_elements(dtype, vec![count], 0..count as u128).unwrap()
}

/// How many elements are decided, after each that is has been found to conform.
fn check(from: DType, to: DType, version: i64, [saturate, round_mode]: [&str; 2]) -> usize {
    let x = all(from);
    let code = i64::from(to.onnx_code());
    let mut given = kernels::Attributes::from([("to".to_owned(), Attribute::Int(code))]);
    let mut attributes = Attributes::from([("to".to_owned(), AttributeValue::Int(code))]);
    if let Ok(saturate) = saturate.parse() {
        given.insert("saturate".to_owned(), Attribute::Int(saturate));
        attributes.insert("saturate".to_owned(), AttributeValue::Int(saturate));
    }
    if !round_mode.is_empty() {
        given.insert("round_mode".to_owned(), Attribute::Text(round_mode.to_owned()));
        let mode = AttributeValue::Text(round_mode.to_owned());
        attributes.insert("round_mode".to_owned(), mode);
    }
    let outputs = kernels::find("Cast", version).unwrap().run(&[Some(&x)], &given).unwrap();
    let inputs = vec![Some(x.clone())];
    let version = CAST.version(version).unwrap();
    let (call, types) = Call::new(&CAST, version, Specification::Onnx, attributes, inputs).unwrap();
    assert_eq!((types[0].dtype, &types[0].shape[..]), (to, outputs[0].shape()));
    let allowed = CAST.reference.allowed(&call, &types);
    let decided = |&at: &usize| {
        let (conforming, actual) = (allowed[0].at(at), outputs[0].element(at).unwrap());
        assert!(
            conforming.accepts(u64::try_from(actual).unwrap()),
            "{from} {:#x} to {to} is {actual:#x}, and {conforming:x?} conforms ({saturate} {round_mode})",
            x.element(at).unwrap()
        );
        conforming.is_decided()
    };
    (0..x.elements()).filter(decided).count()
}

#[test]
fn every_narrow_element_is_converted_to_every_type_as_the_reference_has_it() {
    let types = CAST.types().iter().copied().filter(|dtype| *dtype != DType::String);
    let narrow = types.clone().filter(|dtype| dtype.bits().is_some_and(|bits| bits <= 16));
    let pairs: Vec<_> = narrow.flat_map(|from| types.clone().map(move |to| (from, to))).collect();
    let decided = |&(from, to): &(DType, DType)| -> usize {
        let modes: &[[&str; 2]] = match to {
            DType::Float8E4M3Fn
            | DType::Float8E4M3Fnuz
            | DType::Float8E5M2
            | DType::Float8E5M2Fnuz => &[["1", ""], ["0", ""]],
            DType::Float8E8M0 => {
                &[["", ""], ["0", "up"], ["1", "down"], ["1", "nearest"], ["0", "nearest"]]
            }
            _ => &[["", ""]],
        };
        modes.iter().map(|modes| check(from, to, 28, *modes)).sum()
    };
    let decided: usize = pairs.par_iter().map(decided).sum();
    assert!(decided > 5_000_000, "{decided}");
}

#[test]
fn infinities_became_nans_of_formats_with_unsigned_zeros_before_version_24() {
    for to in [DType::Float8E4M3Fnuz, DType::Float8E5M2Fnuz, DType::Float8E5M2] {
        for from in [DType::Float16, DType::Bfloat16] {
            assert_eq!(check(from, to, 19, ["1", ""]), 1 << 16);
        }
    }
}

//! Tests: where a text says two things, or nothing, no element is decided.

use values::dtype::DType;
use values::tensor::Tensor;

use crate::operator::{AttributeValue, Call, Operator};
use crate::operators::{averagepool, conv, convtranspose, maxpool};
use crate::signature::Specification;

/// Whether an element of a call is decided, with an input of ones of each shape and attributes as tables state them.
fn is_decided(
    operator: &'static Operator,
    since: i64,
    shapes: &[&[usize]],
    attributes: &[(&str, AttributeValue)],
) -> bool {
    let ones = |shape: &&[usize]| {
        let count = shape.iter().product();
        Tensor::from_values(DType::Float32, shape.to_vec(), vec![1.0_f32; count]).ok()
    };
    let version = operator.versions.iter().find(|version| version.since == since).unwrap();
    let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let (attributes, inputs) = (attributes.collect(), shapes.iter().map(ones).collect());
    let onnx = Specification::Onnx;
    let (call, types) = Call::new(operator, version, onnx, attributes, inputs).unwrap();
    operator.reference.allowed(&call, &types)[0].at(0).is_decided()
}

#[test]
fn shapes_of_which_a_text_says_two_things_or_nothing_are_not_decided() {
    let ints = |values: &[i64]| AttributeValue::Ints(values.to_vec());
    let auto = |word: &str| ("auto_pad", AttributeValue::Text(word.to_owned()));
    let strides = |stride: i64| ("strides", ints(&[stride]));
    let pool = |since: i64, size: usize, word: &str, ceil: i64| {
        let ceil = ("ceil_mode", AttributeValue::Int(ceil));
        let attributes = [("kernel_shape", ints(&[2])), strides(2), auto(word), ceil];
        [&averagepool::AVERAGEPOOL, &maxpool::MAXPOOL].map(|operator| {
            let version = operator.version(since).unwrap();
            is_decided(operator, version.since, &[&[1, 1, size]], &attributes)
        })
    };
    // Rounded down or up: of AveragePool-11 alone, where the two differ, and without `ceil_mode`.
    for word in ["SAME_UPPER", "SAME_LOWER"] {
        assert_eq!(pool(11, 5, word, 0), [false, true]);
        assert_eq!(pool(11, 6, word, 0), [true, true]);
        assert_eq!(pool(11, 5, word, 1), [true, true]);
        assert_eq!([pool(10, 5, word, 0), pool(19, 5, word, 0)], [[true, true]; 2]);
    }
    assert_eq!([pool(11, 6, "VALID", 0), pool(11, 5, "VALID", 0)], [[false, true], [true, true]]);
    assert_eq!([pool(10, 6, "VALID", 0), pool(19, 6, "VALID", 0)], [[true, true]; 2]);

    let conv = |operator: &'static Operator, since: i64, attributes: &[(&str, AttributeValue)]| {
        is_decided(operator, since, &[&[1, 1, 4], &[1, 1, 3]], attributes)
    };
    for operator in [&conv::CONV, &convtranspose::CONVTRANSPOSE] {
        // What an output that matches the input is with strides.
        assert!(!conv(operator, 1, &[auto("SAME_UPPER"), strides(2)]), "{operator}");
        assert!(conv(operator, 1, &[auto("SAME_UPPER")]), "{operator}");
        assert!(conv(operator, 11, &[auto("SAME_UPPER"), strides(2)]), "{operator}");
    }
    let more = |more: i64| ("output_padding", ints(&[more]));
    let transposed = |since: i64, attributes: &[(&str, AttributeValue)]| {
        conv(&convtranspose::CONVTRANSPOSE, since, attributes)
    };
    let dilations = ("dilations", ints(&[3]));
    for since in [11, 22] {
        // Times the stride, or longer by what is added.
        assert!(!transposed(since, &[auto("SAME_LOWER"), strides(2), more(1)]));
        let size = ("output_shape", ints(&[8]));
        assert!(transposed(since, &[auto("SAME_LOWER"), strides(2), more(1), size]));
        // Less than the stride, or less than the dilation.
        assert!(transposed(since, &[strides(2), more(1), dilations.clone()]));
        assert!(!transposed(since, &[strides(2), more(2), dilations.clone()]));
    }
    assert!(transposed(1, &[strides(2), more(5), dilations]));
}

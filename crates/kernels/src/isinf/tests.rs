//! Every element of 8 and 16 bits, the neighbours of the infinities of the others, and the attributes.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::{self, *};

/// The elements of a type that are infinite, with these attributes.
fn infinite<T: bytemuck::Pod + Send + Sync>(
    dtype: DType,
    elements: &[T],
    attributes: &[(&str, i64)],
) -> Vec<T> {
    let x = tensor(dtype, &[elements.len()], elements);
    let list: Attributes =
        attributes.iter().map(|&(name, value)| (name.to_owned(), Attribute::Int(value))).collect();
    let y = run(find("IsInf", 20).unwrap(), &[&x], &list).unwrap();
    let both = elements.iter().zip(read::<u8>(&y));
    both.filter(|(_, truth)| *truth == 1).map(|(x, _)| *x).collect()
}

#[test]
fn of_8_bits_one_format_has_infinities() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    assert_eq!(infinite(Float8E5M2, &all, &[]), [0x7c, 0xfc]);
    for dtype in [Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2Fnuz] {
        assert!(infinite(dtype, &all, &[]).is_empty(), "{dtype}");
    }
}

#[test]
fn of_all_elements_two_are_infinite_and_each_may_be_left_out() {
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let neighbours = |infinity: u32| [0, infinity - 1, infinity, infinity + 1];
    let singles = [neighbours(0x7f80_0000), neighbours(0xff80_0000)].concat();
    let doubles: Vec<u64> = [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::NAN, 0.0]
        .map(f64::to_bits)
        .to_vec();
    let [plus, minus] = [("detect_positive", 0), ("detect_negative", 0)];
    for (attributes, kept) in [
        (&[][..], [true, true]),
        (&[plus], [false, true]),
        (&[minus], [true, false]),
        (&[plus, minus], [false, false]),
        (&[("detect_positive", 1), minus], [true, false]),
    ] {
        macro_rules! check {
            ($($dtype:ident, $elements:expr, $infinities:expr;)*) => {$(
                let expected: Vec<_> =
                    $infinities.into_iter().zip(kept).filter(|(_, kept)| *kept).collect();
                let expected: Vec<_> = expected.into_iter().map(|(x, _)| x).collect();
                assert_eq!(infinite($dtype, $elements, attributes), expected);
            )*};
        }
        check! {
            Float16, &halves, [0x7c00, 0xfc00];
            Bfloat16, &halves, [0x7f80, 0xff80];
            Float32, &singles, [0x7f80_0000, 0xff80_0000];
            Float64, &doubles, [f64::INFINITY, f64::NEG_INFINITY].map(f64::to_bits);
        }
    }
}

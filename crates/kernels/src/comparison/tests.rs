//! What the tests of the comparisons have in common: every pair of 8-bit integers, and more than 100,000
//! pairs of each other type, against comparisons of wider native types.

use half::{bf16, f16};

use crate::tests::{read, run, tensor};
use crate::{Attributes, newest};
use values::dtype::DType::{self, *};
use values::random::Random;

/// Checks the results of an operator by the same comparison of float64 and of 128-bit integers.
pub(crate) fn check_all(name: &str, floats: fn(f64, f64) -> bool, ints: fn(i128, i128) -> bool) {
    macro_rules! check {
        ($compare:ident: $($dtype:ident $type:ty, $make:expr, $wide:expr;)*) => {$({
            let pairs: Vec<[u64; 2]> = pairs($dtype);
            let operand = |at: usize| -> Vec<$type> {
                pairs.iter().map(|pair| ($make)(pair[at])).collect()
            };
            let (a, b) = (operand(0), operand(1));
            let inputs = [&a, &b].map(|values| tensor($dtype, &[values.len()], values));
            let operator = newest(name).unwrap();
            let c = run(operator, &[&inputs[0], &inputs[1]], &Attributes::new()).unwrap();
            for ((a, b), holds) in a.into_iter().zip(b).zip(read::<u8>(&c)) {
                let expected = $compare(($wide)(a), ($wide)(b));
                assert_eq!(holds, u8::from(expected), "{name} {} {a:?} {b:?}", $dtype);
            }
        })*};
    }
    check! { floats:
        Float16 f16, |x| f16::from_bits(x as u16), f16::to_f64;
        Bfloat16 bf16, |x| bf16::from_bits(x as u16), bf16::to_f64;
        Float32 f32, |x| f32::from_bits(x as u32), f64::from;
        Float64 f64, f64::from_bits, |x| x;
    }
    check! { ints:
        Int8 i8, |x| x as i8, i128::from;
        Int16 i16, |x| x as i16, i128::from;
        Int32 i32, |x| x as i32, i128::from;
        Int64 i64, |x| x as i64, i128::from;
        Uint8 u8, |x| x as u8, i128::from;
        Uint16 u16, |x| x as u16, i128::from;
        Uint32 u32, |x| x as u32, i128::from;
        Uint64 u64, |x| x, i128::from;
    }
}

/// Pairs of bits: all of 8 bits; else drawn ones, and equal, neighbouring and opposite ones.
fn pairs(dtype: DType) -> Vec<[u64; 2]> {
    let width = dtype.bits().unwrap();
    let mask = u64::MAX >> (64 - width);
    if width == 8 {
        return (0..256).flat_map(|a| (0..256).map(move |b| [a, b])).collect();
    }
    let mut random = Random::new(7);
    let powers = (0..width).map(|bit| 1 << bit);
    let directed: Vec<u64> = powers.flat_map(|x: u64| [x.wrapping_sub(1), x, x + 1]).collect();
    let near = |x: u64| {
        let others = [x, x ^ 1, x.wrapping_add(1), !x, x.wrapping_neg(), x ^ 1 << (width - 1)];
        others.map(|other| [x & mask, other & mask])
    };
    let mut all: Vec<[u64; 2]> = directed.iter().flat_map(|&x| near(x)).collect();
    all.extend(directed.iter().flat_map(|&a| directed.iter().map(move |&b| [a & mask, b & mask])));
    for _ in 0..20_000 {
        let x = random.bits();
        all.extend(near(x));
        all.push([x & mask, random.bits() & mask]);
    }
    all
}

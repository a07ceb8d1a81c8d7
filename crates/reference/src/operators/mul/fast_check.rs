//! The fast checks of products. `docs/numerics.md` derives them.

use num_traits::{PrimInt, WrappingAdd, WrappingMul, WrappingSub};
use values::dtype::DType;

use crate::sweep::float_lanes::{self, Exact, FloatLanes, FloatOperation};
use crate::sweep::int_lanes::{self, IntOperation};
use crate::sweep::run::{FastChecks, Run};

/// Those of Mul.
pub(super) struct FastProducts;

impl FastChecks for FastProducts {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        float_lanes::run::<Product>(dtype, run, columns)
            || int_lanes::run::<Product>(dtype, run, columns)
    }
}

/// The product.
#[derive(Clone, Copy)]
pub(in crate::operators) struct Product;

impl FloatOperation for Product {
    #[inline(always)]
    fn exact<const FIELD: u32, const BIAS: u32>(a: u32, b: u32) -> Exact {
        let infinity = FloatLanes::<FIELD, BIAS>::INFINITY;
        let x = FloatLanes::<FIELD, BIAS>::magnitude(a);
        let y = FloatLanes::<FIELD, BIAS>::magnitude(b);
        let (larger, smaller) = (x.max(y), x.min(y));

        let (of_x, x_exponent) = FloatLanes::<FIELD, BIAS>::normalized(x);
        let (of_y, y_exponent) = FloatLanes::<FIELD, BIAS>::normalized(y);
        let significands = Significands::<FIELD> { a: of_x, b: of_y };
        let carry = significands.cut(Significands::<FIELD>::BITS - 1).0;
        let exponent = x_exponent + y_exponent - BIAS as i32 + carry as i32;
        // Subnormal products have the unit of the binade above them.
        let binade = exponent.max(1);
        let below = (FIELD + carry) as i32 + binade - exponent;
        let (kept, rest) = significands.cut(below.min(Significands::<FIELD>::MOST as i32) as u32);
        let zero = smaller == 0;
        Exact {
            negative: (a ^ b) & FloatLanes::<FIELD, BIAS>::SIGN != 0,
            floor: if zero { 0 } else { (((binade - 1) as u32) << FIELD) + kept },
            rest,
            slack: rest & 1,
            infinite: larger == infinity,
            nan: (larger > infinity) | (zero & (larger == infinity)),
        }
    }
}

/// Two significands, 2^FIELD at least and below twice that, or 0.
#[derive(Clone, Copy)]
struct Significands<const FIELD: u32> {
    a: u32,
    b: u32,
}

impl<const FIELD: u32> Significands<FIELD> {
    /// Bits of their product, or one more than it has.
    const BITS: u32 = 2 * FIELD + 2;
    /// Of so many bits below the unit in the last place a product is a 16th of a unit at most.
    const MOST: u32 = Self::BITS + 4;

    /// What is above the lowest bits of their product, and these in 2^-32 of what they are below.
    #[inline(always)]
    fn cut(self, bits: u32) -> (u32, u32) {
        if Self::MOST < u32::BITS {
            let product = self.a * self.b;
            (product >> bits, product << (u32::BITS - bits))
        } else {
            let product = u64::from(self.a) * u64::from(self.b);
            let rest = product << (u64::BITS - bits);
            // The last bit is set for those after it.
            let more = u32::from(rest as u32 != 0);
            ((product >> bits) as u32, (rest >> u32::BITS) as u32 | more)
        }
    }
}

impl IntOperation for Product {
    #[inline(always)]
    fn of<T: PrimInt + WrappingAdd + WrappingSub + WrappingMul>(a: T, b: T) -> T {
        a.wrapping_mul(&b)
    }
}

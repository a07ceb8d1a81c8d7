//! The fast checks of products. `docs/numerics.md` derives them.

use num_traits::{PrimInt, WrappingAdd, WrappingMul, WrappingSub};
use values::dtype::DType;

use crate::sweep::fast_check::Cut;
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
    fn slack<const FIELD: u32>() -> u32 {
        1
    }

    #[inline(always)]
    fn exact<const FIELD: u32, const BIAS: u32>(a: u32, b: u32) -> Exact {
        let infinity = FloatLanes::<FIELD, BIAS>::INFINITY;
        let x = FloatLanes::<FIELD, BIAS>::magnitude(a);
        let y = FloatLanes::<FIELD, BIAS>::magnitude(b);
        let (larger, smaller) = (x.max(y), x.min(y));

        let (of_x, x_exponent) = FloatLanes::<FIELD, BIAS>::normalized(x);
        let (of_y, y_exponent) = FloatLanes::<FIELD, BIAS>::normalized(y);
        let product = Significands::<FIELD>::multiplied(of_x, of_y);
        let exponent = x_exponent + y_exponent - BIAS as i32;
        // Subnormal products have the unit of the binade above them.
        let binade = (exponent + product.carry()).max(1);
        let below = binade - exponent;
        let (kept, rest) = product.cut(below);
        let zero = smaller == 0;
        let floor = if zero { 0 } else { (((binade - 1) as u32) << FIELD) + kept };
        Exact {
            negative: (a ^ b) & FloatLanes::<FIELD, BIAS>::SIGN != 0,
            cut: Cut { floor, rest },
            infinite: larger == infinity,
            nan: (larger > infinity) | (zero & (larger == infinity)),
        }
    }
}

/// The product of two significands, 2^FIELD at least and below twice that, or 0: in one word if they have half its bits, else in two.
#[derive(Clone, Copy)]
struct Significands<const FIELD: u32> {
    high: u32,
    low: u32,
}

impl<const FIELD: u32> Significands<FIELD> {
    const IS_NARROW: bool = 2 * FIELD + 2 <= u32::BITS - 4;
    /// Bits of the higher word below the unit in the last place of a product that carries nothing: those that the product
    /// has, or so many that the first four bits are free.
    const UNIT: u32 = if Self::IS_NARROW { FIELD } else { u32::BITS - 4 - (FIELD + 2) };
    /// With so many bits more below the unit a product is less than an eighth of a unit.
    const MOST: i32 = 31 - Self::UNIT as i32;

    #[inline(always)]
    fn multiplied(a: u32, b: u32) -> Self {
        if Self::IS_NARROW {
            return Self { high: a * b, low: 0 };
        }
        let shift = u32::BITS + Self::UNIT - FIELD;
        let (a, b) = (a << (shift / 2), b << shift.div_ceil(2));
        let product = u64::from(a) * u64::from(b);
        Self { high: (product >> u32::BITS) as u32, low: a.wrapping_mul(b) }
    }

    /// 1 if the product is in the upper of the two binades that it can be in, else 0, or less if it is 0.
    #[inline(always)]
    fn carry(self) -> i32 {
        (31 - Self::UNIT - FIELD) as i32 - self.high.leading_zeros() as i32
    }

    /// What is above the unit in the last place, which is so many bits above that of a product that carries
    /// nothing, and 32 bits of what is below.
    #[inline(always)]
    fn cut(self, bits: i32) -> (u32, u32) {
        let Self { high, low } = self;
        // A product of 0 is cut anywhere.
        let bits = bits.min(Self::MOST) + Self::UNIT as i32;
        let (right, left) = (bits as u32 & 31, -bits as u32 & 31);
        // The last bit is set for those after it.
        let more = low << left != 0;
        (high >> right, high << left | low >> right | u32::from(more))
    }
}

impl IntOperation for Product {
    #[inline(always)]
    fn of<T: PrimInt + WrappingAdd + WrappingSub + WrappingMul>(a: T, b: T) -> T {
        a.wrapping_mul(&b)
    }
}

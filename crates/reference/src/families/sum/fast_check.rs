//! The fast checks of sums and differences. `docs/numerics.md` derives them.

use num_traits::{PrimInt, WrappingAdd, WrappingMul, WrappingSub};
use values::dtype::DType;

use super::Addition;
use crate::sweep::fast_check::Cut;
use crate::sweep::float_lanes::{self, Exact, FloatLanes, FloatOperation};
use crate::sweep::int_lanes::{self, IntOperation};
use crate::sweep::run::{FastChecks, Run};

/// Those of Add or Sub.
pub(crate) struct FastSums(pub(crate) Addition);

impl FastChecks for FastSums {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        match self.0 {
            Addition::Sum => of::<Sum<false>>(dtype, run, columns),
            Addition::Difference => of::<Sum<true>>(dtype, run, columns),
        }
    }
}

fn of<O: FloatOperation + IntOperation>(
    dtype: DType,
    run: &mut Run<'_>,
    columns: [&[u8]; 3],
) -> bool {
    float_lanes::run::<O>(dtype, run, columns) || int_lanes::run::<O>(dtype, run, columns)
}

/// The sum, of which the second operand is negated or not.
#[derive(Clone, Copy)]
struct Sum<const NEGATED: bool>;

impl<const NEGATED: bool> FloatOperation for Sum<NEGATED> {
    /// Where bits are shifted out, a sum is moved to the left by two at most.
    #[inline(always)]
    fn slack<const FIELD: u32>() -> u32 {
        4 << (FIELD + 1)
    }

    #[inline(always)]
    fn exact<const FIELD: u32, const BIAS: u32>(a: u32, b: u32) -> Exact {
        let (sign, infinity) =
            (FloatLanes::<FIELD, BIAS>::SIGN, FloatLanes::<FIELD, BIAS>::INFINITY);
        let b = if NEGATED { b ^ sign } else { b };
        let x = FloatLanes::<FIELD, BIAS>::magnitude(a);
        let y = FloatLanes::<FIELD, BIAS>::magnitude(b);
        let (larger, smaller) = (x.max(y), x.min(y));
        let differ = (a ^ b) & sign != 0;

        let (of_larger, exponent) = FloatLanes::<FIELD, BIAS>::parts(larger);
        let (of_smaller, lower) = FloatLanes::<FIELD, BIAS>::parts(smaller);
        // The bit before the first is for what a sum carries.
        let extra = 30 - FIELD;
        let shift = (exponent - lower).min(31);
        let addend = of_smaller << extra;
        let shifted = addend >> shift;
        // The last bit is set for those that are shifted out.
        let inexact = shifted << shift != addend;
        let shifted = shifted | u32::from(inexact);
        let augend = of_larger << extra;
        let sum = if differ { augend - shifted } else { augend + shifted };

        let normalize = sum.leading_zeros().min(exponent).min(31);
        let number = sum << normalize;
        let floor = ((exponent - normalize) << FIELD) + (number >> (31 - FIELD));
        let zero = sum == 0;
        let of_larger = if x < y { b } else { a };
        let signs = if zero { a & b } else { of_larger };
        Exact {
            negative: signs & sign != 0,
            cut: Cut { floor: if zero { 0 } else { floor }, rest: number << (FIELD + 1) },
            infinite: larger == infinity,
            nan: (larger > infinity) | (differ & (smaller == infinity)),
        }
    }
}

impl<const NEGATED: bool> IntOperation for Sum<NEGATED> {
    #[inline(always)]
    fn of<T: PrimInt + WrappingAdd + WrappingSub + WrappingMul>(a: T, b: T) -> T {
        if NEGATED { a.wrapping_sub(&b) } else { a.wrapping_add(&b) }
    }
}

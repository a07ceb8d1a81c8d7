//! The fast checks of PRelu: those of a product where the element is negative, else that it stays.

use values::dtype::DType;

use crate::operators::mul::fast_check::Product;
use crate::sweep::fast_check::Cut;
use crate::sweep::float_lanes::{self, Exact, FloatLanes, FloatOperation};
use crate::sweep::run::{FastChecks, Run};

/// Those of PRelu, of floats.
pub(super) struct FastLeaks;

impl FastChecks for FastLeaks {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        float_lanes::run::<Leak>(dtype, run, columns)
    }
}

/// An element, or where it is negative the product with a slope.
#[derive(Clone, Copy)]
pub(in crate::operators) struct Leak;

impl FloatOperation for Leak {
    #[inline(always)]
    fn slack<const FIELD: u32>() -> u32 {
        Product::slack::<FIELD>()
    }

    #[inline(always)]
    fn exact<const FIELD: u32, const BIAS: u32>(x: u32, slope: u32) -> Exact {
        let infinity = FloatLanes::<FIELD, BIAS>::INFINITY;
        let magnitude = FloatLanes::<FIELD, BIAS>::magnitude(x);
        let product = Product::exact::<FIELD, BIAS>(x, slope);
        let negative = x > FloatLanes::<FIELD, BIAS>::SIGN;
        let nan = magnitude > infinity;
        Exact {
            // An element that stays and has a sign is -0.
            negative: if negative { product.negative } else { x > magnitude },
            cut: if negative { product.cut } else { Cut { floor: magnitude, rest: 0 } },
            infinite: if negative { product.infinite } else { magnitude == infinity },
            nan: nan | (negative & product.nan),
        }
    }
}

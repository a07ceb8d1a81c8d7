//! The activation functions of recurrent layers, in float32 or float64.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::reshaping::refused;
use crate::{Attribute, Call, KernelError};

/// A float that is computed with.
pub(crate) trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    fn of(value: f32) -> Self;
    fn exp(self) -> Self;
    fn tanh(self) -> Self;
    fn ln_1p(self) -> Self;
    fn abs(self) -> Self;
}

macro_rules! numbers {
    ($($type:ident),*) => {$(
        impl Number for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            fn of(value: f32) -> Self {
                value.into()
            }

            fn exp(self) -> Self {
                $type::exp(self)
            }

            fn tanh(self) -> Self {
                $type::tanh(self)
            }

            fn ln_1p(self) -> Self {
                $type::ln_1p(self)
            }

            fn abs(self) -> Self {
                $type::abs(self)
            }
        }
    )*};
}

numbers!(f32, f64);

/// A function with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Activation {
    Relu,
    Tanh,
    Sigmoid,
    Affine(f32, f32),
    LeakyRelu(f32),
    ThresholdedRelu(f32),
    ScaledTanh(f32, f32),
    HardSigmoid(f32, f32),
    Elu(f32),
    Softsign,
    Softplus,
}

impl Activation {
    /// So many functions: those that are named, or these again and again.
    pub(crate) fn list(
        call: &Call<'_>,
        count: usize,
        otherwise: &[&str],
    ) -> Result<Vec<Self>, KernelError> {
        let names: Vec<&str> = match call.attributes.get("activations") {
            Some(Attribute::Texts(names)) => names.iter().map(String::as_str).collect(),
            _ => otherwise.iter().copied().cycle().take(count).collect(),
        };
        if names.len() != count {
            return Err(refused(call, "there is not one activation for each place"));
        }
        let floats = |name| match call.attributes.get(name) {
            Some(Attribute::Floats(list)) => list.as_slice(),
            _ => &[],
        };
        let mut alphas = floats("activation_alpha").iter().copied();
        let mut betas = floats("activation_beta").iter().copied();
        let each = names.into_iter().map(|name| {
            Some(match name {
                "Relu" => Self::Relu,
                "Tanh" => Self::Tanh,
                "Sigmoid" => Self::Sigmoid,
                "Softsign" => Self::Softsign,
                "Softplus" => Self::Softplus,
                "Affine" => Self::Affine(alphas.next()?, betas.next()?),
                "ScaledTanh" => Self::ScaledTanh(alphas.next()?, betas.next()?),
                "LeakyRelu" => Self::LeakyRelu(alphas.next().unwrap_or(0.01)),
                "ThresholdedRelu" => Self::ThresholdedRelu(alphas.next().unwrap_or(1.0)),
                "Elu" => Self::Elu(alphas.next().unwrap_or(1.0)),
                "HardSigmoid" => {
                    Self::HardSigmoid(alphas.next().unwrap_or(0.2), betas.next().unwrap_or(0.5))
                }
                _ => return None,
            })
        });
        let all: Option<_> = each.collect();
        all.ok_or_else(|| refused(call, "an activation is unknown or lacks its parameters"))
    }

    pub(crate) fn of<N: Number>(self, x: N) -> N {
        let [zero, one] = [N::ZERO, N::ONE];
        match self {
            // A NaN stays one.
            Self::Relu if x < zero => zero,
            Self::Relu => x,
            Self::Tanh => x.tanh(),
            Self::Sigmoid if x < zero => {
                let power = x.exp();
                power / (one + power)
            }
            Self::Sigmoid => one / (one + (-x).exp()),
            Self::Affine(alpha, beta) => N::of(alpha) * x + N::of(beta),
            Self::LeakyRelu(alpha) if x < zero => N::of(alpha) * x,
            Self::LeakyRelu(_) => x,
            Self::ThresholdedRelu(alpha) if x < N::of(alpha) => zero,
            Self::ThresholdedRelu(_) => x,
            Self::ScaledTanh(alpha, beta) => N::of(alpha) * (N::of(beta) * x).tanh(),
            Self::HardSigmoid(alpha, beta) => bounded(N::of(alpha) * x + N::of(beta), zero, one),
            Self::Elu(alpha) if x < zero => N::of(alpha) * (x.exp() - one),
            Self::Elu(_) => x,
            Self::Softsign => x / (one + x.abs()),
            Self::Softplus if x > zero => x + (-x).exp().ln_1p(),
            Self::Softplus => x.exp().ln_1p(),
        }
    }
}

/// A number that is at least one and at most another.
pub(crate) fn bounded<N: Number>(x: N, least: N, most: N) -> N {
    if x < least {
        least
    } else if x > most {
        most
    } else {
        x
    }
}

//! What the function body that ONNX gives an operator makes: its steps, each rounded.
//!
//! ONNX states some operators twice, by a formula and by a body of other operators. Evaluated step by step in the type
//! of the elements, a body may be far from the function: ln(1 + e^x) of 100 is infinite in float32, and e^x - 1 next to 0
//! has lost most of its digits. A body is therefore a permission of its own, beside the limit on the error against the
//! function: a result conforms that its steps may give, each rounded in the type or in a wider one, and functions among
//! them within the limits of the profiles. Source: the function bodies of ONNX's schemas, as of operator set 18 where a
//! schema states none of its own.

use crate::exact::composed::{Arithmetic, Computed};
use crate::exact::interval::Interval;
use crate::operators::erf::ErrorFunction;
use crate::operators::sigmoid::Logistic;
use crate::operators::tanh::HyperbolicTangent;
use values::float::FloatFormat;

use super::{RealFunction, is_below};

/// The operations of a body.
pub(crate) struct Body {
    format: &'static FloatFormat,
    by: Arithmetic,
}

/// The binade of numbers beyond which powers of e are beyond every format, or next to nothing in it.
const FAR: i64 = 11;

impl Body {
    pub(super) fn new(format: &'static FloatFormat, bits: u32) -> Self {
        Self { format, by: Arithmetic::of(format, bits) }
    }

    /// The sums, products and quotients.
    pub(crate) const fn by(&self) -> &Arithmetic {
        &self.by
    }

    /// An attribute or a constant of type float32, which CastLike makes one of the elements' type.
    pub(crate) fn constant(&self, bits: u32) -> Computed {
        self.by.converted(&self.by.element(&FloatFormat::FLOAT32, bits.into()))
    }

    /// Whether an operand is below 0.
    pub(crate) fn is_below_zero(x: &Computed) -> bool {
        x.infinities[1] || x.numbers.as_ref().is_some_and(Interval::is_negative)
    }

    /// e^x.
    pub(crate) fn exp(&self, x: &Computed) -> Computed {
        let far = x.numbers.as_ref().filter(|numbers| !is_below(numbers, FAR));
        match far {
            Some(numbers) if numbers.is_positive() => Computed::infinite(false),
            Some(_) => self.by.exp(&self.by.integer(-(1 << FAR)), self.by.published()),
            None => self.by.exp(x, self.by.published()),
        }
    }

    /// ln x.
    pub(crate) fn ln(&self, x: &Computed) -> Computed {
        self.by.ln(x, self.by.published())
    }

    /// x^3.
    pub(crate) fn cube(&self, x: &Computed) -> Computed {
        let limits = [true, false].map(Computed::infinite);
        self.by.function(x, self.by.published(), limits, |x| Some(&x.square() * x))
    }

    /// tanh x.
    pub(crate) fn tanh(&self, x: &Computed) -> Computed {
        self.within_one(x, self.by.published(), |x| HyperbolicTangent::IEEE.enclosure(x))
    }

    /// 1 / (1 + e^-x).
    pub(crate) fn sigmoid(&self, x: &Computed) -> Computed {
        let ends = [self.by.integer(0), self.by.integer(1)];
        self.between(x, self.by.published(), ends, |x| Logistic.enclosure(x))
    }

    /// erf x, to within OpenCL's limit, as in the profiles.
    pub(crate) fn erf(&self, x: &Computed) -> Computed {
        let ulps = if self.format.precision() > 11 { 16 } else { 4 };
        self.within_one(x, ulps, |x| ErrorFunction.enclosure(x))
    }

    /// A rising function from -1 to 1.
    fn within_one(
        &self,
        x: &Computed,
        ulps: u32,
        function: impl Fn(&Interval) -> Option<Interval>,
    ) -> Computed {
        self.between(x, ulps, [self.by.integer(-1), self.by.integer(1)], function)
    }

    /// A rising function that is next to its limits at the infinities far from 0.
    fn between(
        &self,
        x: &Computed,
        ulps: u32,
        limits: [Computed; 2],
        function: impl Fn(&Interval) -> Option<Interval>,
    ) -> Computed {
        let near = |x: &Interval| {
            let end = Interval::integer(1 << FAR, x.precision());
            function(&(-&(-x).at_most(&end)).at_most(&end))
        };
        self.by.function(x, ulps, limits, near)
    }
}

#[cfg(test)]
mod tests {
    use crate::exact::Conforming;
    use crate::operator::{Attributes, Domain, Operator, Specification};
    use crate::operators::find;
    use crate::signature::AttributeValue;
    use values::dtype::DType;
    use values::element::Element;

    fn given(operator: &Operator, attributes: &Attributes, x: f32) -> Conforming {
        let function = operator.reference.elementwise(Specification::Onnx, attributes).unwrap();
        let x = Element::Bits(DType::Float32, x.to_bits().into());
        function.by_body(DType::Float32, &[x]).unwrap()
    }

    fn softplus(x: f32) -> f32 {
        (x.exp() + 1.0).ln()
    }

    fn sigmoid(x: f32) -> f32 {
        let power = (-x.abs()).exp();
        if x < 0.0 { power / (1.0 + power) } else { 1.0 / (1.0 + power) }
    }

    type Steps = fn(f32) -> f32;

    /// The steps of each body in the machine's float32.
    const BODIES: [(&str, Steps); 7] = [
        ("Elu", |x| if x < 0.0 { x.exp() - 1.0 } else { x }),
        ("HardSigmoid", |x| (0.2 * x + 0.5).clamp(0.0, 1.0)),
        ("HardSwish", |x| x * (x * (1.0 / 6.0) + 0.5).clamp(0.0, 1.0)),
        ("Mish", |x| x * softplus(x).tanh()),
        ("Selu", |x| {
            let [alpha, gamma] = [1.673_263_2, 1.050_701_f32];
            gamma * if x < 0.0 { alpha * x.exp() - alpha } else { x }
        }),
        ("Softplus", softplus),
        ("Swish", |x| x * sigmoid(x)),
    ];

    #[test]
    fn what_the_machine_makes_of_each_body_conforms() {
        let ends = [f32::MIN, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1e-45, -1e-45];
        let drawn = (0..3000).map(|at| (at as f32 - 1500.0) * 0.083_7);
        let small = (0..400).map(|at| -(1.07_f32.powi(-at)));
        for x in ends.into_iter().chain(drawn).chain(small) {
            for (name, body) in BODIES {
                let conforming = given(find(Domain::Onnx, name).unwrap(), &Attributes::new(), x);
                let actual = body(x);
                assert!(conforming.is_decided(), "{name} {x:e}");
                assert!(
                    conforming.accepts(actual.to_bits().into()),
                    "{name} {x:e} {actual:e} {conforming:?}"
                );
            }
        }
    }

    #[test]
    fn a_body_is_far_from_its_function_where_its_steps_are_and_nowhere_else() {
        let accepts = |name: &str, x: f32, actual: f32| {
            given(find(Domain::Onnx, name).unwrap(), &Attributes::new(), x)
                .accepts(actual.to_bits().into())
        };
        assert!(
            accepts("Softplus", 100.0, f32::INFINITY) && !accepts("Softplus", 80.0, f32::INFINITY)
        );
        assert!(accepts("Softplus", -20.0, 0.0) && !accepts("Softplus", -10.0, 0.0));
        assert!(accepts("Elu", -1e-9, 0.0) && !accepts("Elu", -1e-6, 0.0));
        assert!(accepts("Mish", f32::NEG_INFINITY, f32::NAN) && !accepts("Mish", -5.0, f32::NAN));
        assert!(!accepts("Selu", 1.0, 1.050_71) && !accepts("Gelu", 1.0, 0.841_35));
        assert!(accepts("Gelu", -6.0, 0.0) && !accepts("Gelu", -4.0, 0.0));
        let tanh =
            Attributes::from([("approximate".to_owned(), AttributeValue::Text("tanh".to_owned()))]);
        let gelu = |x| given(find(Domain::Onnx, "Gelu").unwrap(), &tanh, x);
        let x = -1.7_f32;
        let by_steps =
            0.5 * x * (1.0 + (0.636_619_75_f32.sqrt() * (x + 0.044_715 * x.powi(3))).tanh());
        assert!(gelu(x).accepts(by_steps.to_bits().into()));
        assert!(!gelu(x).accepts((by_steps * 1.0001).to_bits().into()));
    }
}

//! The operators: ONNX Div and Sqrt in each of their versions and OpenVINO Divide-1, on dense
//! tensors.
//!
//! [`find`] gives the version that an operator set of ONNX has, [`find_in_openvino`] that of
//! OpenVINO's; [`Operator::run`] computes it. Floats follow IEEE 754 with round to nearest, ties to
//! even, for every operand; integer quotients are truncated towards zero, or rounded down where
//! Divide-1 is asked for it, and a quotient that no value of the type is (a divisor of zero, a
//! signed type's minimum divided by -1) is refused, naming the element. Nothing here shares
//! arithmetic with an oracle that judges it.

mod broadcast;
mod div;
mod elementwise;
mod error;
#[cfg(test)]
mod exactness;
mod floor;
mod narrow;
mod operand;
mod simd;
mod sqrt;

use std::collections::BTreeMap;
use std::fmt;

pub use self::broadcast::Broadcast;
use self::broadcast::Mismatch;
pub use self::div::{Divide, divide};
pub use self::error::{ErrorKind, KernelError};
pub use self::floor::{FloorDivide, floor_divide};
pub use self::sqrt::{SquareRoot, square_root};
use values::dtype::DType;
use values::tensor::Tensor;

/// Elements worked on at a time, in several passes: the blocks of two operands and the output stay
/// in the first-level cache, at 8 bytes an element too.
const BLOCK: usize = 1024;

/// Value of an operator's attribute, as far as the operators here have any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// `INT`
    Int(i64),
    /// `INTS`
    Ints(Vec<i64>),
    /// Text, as which OpenVINO writes every attribute.
    Text(String),
    /// Any other kind.
    Other,
}

/// Attributes of a node by name.
pub type Attributes = BTreeMap<String, Attribute>;

/// One version of an operator of ONNX's default domain, or of OpenVINO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator {
    function: Function,
    since_version: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Div,
    Sqrt,
    /// OpenVINO's.
    Divide,
}

/// What the attributes say.
struct Form {
    rule: Rule,
    rounding: Rounding,
}

/// How an integer quotient is made of the exact one.
#[derive(Clone, Copy)]
enum Rounding {
    Truncate,
    Floor,
}

/// How a version's operands may differ in shape.
enum Rule {
    Equal,
    Limited { axis: Option<usize> },
    Multidirectional,
}

/// The operator's version in an operator set of ONNX's default domain; `None` where these kernels
/// do not have the operator. A set newer than the newest version here has that version.
#[must_use]
pub fn find(op_type: &str, opset: i64) -> Option<Operator> {
    let (function, versions): (_, &[i64]) = match op_type {
        "Div" => (Function::Div, &[1, 6, 7, 13, 14]),
        "Sqrt" => (Function::Sqrt, &[1, 6, 13]),
        _ => return None,
    };
    let since_version = versions.iter().copied().rfind(|&version| version <= opset)?;
    Some(Operator { function, since_version })
}

/// The operator's version in an operator set of OpenVINO (1 for `opset1`); `None` where these
/// kernels do not have the operator.
#[must_use]
pub fn find_in_openvino(op_type: &str, opset: i64) -> Option<Operator> {
    (op_type == "Divide" && opset >= 1)
        .then_some(Operator { function: Function::Divide, since_version: 1 })
}

impl Operator {
    /// The operator's name, e.g. `Div`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.function {
            Function::Div => "Div",
            Function::Sqrt => "Sqrt",
            Function::Divide => "Divide",
        }
    }

    /// The operator set that brought this version.
    #[must_use]
    pub const fn since_version(&self) -> i64 {
        self.since_version
    }

    /// The element types that this version is defined for.
    #[must_use]
    #[rustfmt::skip]
    pub const fn types(&self) -> &'static [DType] {
        use DType::{
            Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
            Uint64,
        };
        match (self.function, self.since_version) {
            (Function::Div, ..6) | (Function::Sqrt, ..13) => &[Float16, Float32, Float64],
            (Function::Div, ..13) => &[Float16, Float32, Float64, Int32, Int64, Uint32, Uint64],
            (Function::Div, ..14) => {
                &[Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64]
            }
            (Function::Div | Function::Divide, _) => &[
                Bfloat16, Float16, Float32, Float64,
                Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
            ],
            (Function::Sqrt, _) => &[Bfloat16, Float16, Float32, Float64],
        }
    }

    /// The output's shape for inputs of these shapes, and from which input elements each output
    /// element is computed.
    ///
    /// In Div-1 and Div-6 a negative `axis`, of which their documents do not speak, is refused;
    /// `axis` has no effect without `broadcast`, nor where B has a single element.
    ///
    /// # Errors
    ///
    /// When the number of inputs, an attribute or a shape is not what this version asks for, or the
    /// output would have more elements than memory can address.
    pub fn broadcast(
        &self,
        attributes: &Attributes,
        shapes: &[&[usize]],
    ) -> Result<Broadcast, KernelError> {
        self.plan(&self.form(attributes)?, shapes)
    }

    fn plan(&self, form: &Form, shapes: &[&[usize]]) -> Result<Broadcast, KernelError> {
        match (self.function, shapes) {
            (Function::Sqrt, [x]) => Broadcast::unary(x).map_err(KernelError::Tensor),
            (Function::Div | Function::Divide, [a, b]) => {
                let plan = match form.rule {
                    Rule::Equal => Broadcast::equal(a, b),
                    Rule::Limited { axis } => Broadcast::limited(a, b, axis),
                    Rule::Multidirectional => Broadcast::multidirectional(a, b),
                };
                plan.map_err(|mismatch| match mismatch {
                    Mismatch::Size(error) => KernelError::Tensor(error),
                    Mismatch::Rule(reason) => KernelError::Shapes {
                        operator: *self,
                        left: a.to_vec(),
                        right: b.to_vec(),
                        reason,
                    },
                })
            }
            _ => Err(self.wrong_arity(shapes.len())),
        }
    }

    /// Computes the operator.
    ///
    /// # Errors
    ///
    /// When the number of inputs, a type, an attribute or a shape is not what this version asks
    /// for; when the output would take more than 2 GiB; and for integers when a quotient is
    /// undefined, naming the first one in the order of the output.
    pub fn run(&self, inputs: &[&Tensor], attributes: &Attributes) -> Result<Tensor, KernelError> {
        let shapes: Vec<_> = inputs.iter().map(|input| input.shape()).collect();
        let form = self.form(attributes)?;
        let plan = self.plan(&form, &shapes)?;
        for input in inputs {
            self.check_type(input.dtype())?;
        }
        match (self.function, inputs) {
            (Function::Sqrt, [x]) => elementwise::run_sqrt(*self, &plan, x),
            (Function::Div | Function::Divide, [a, b]) if a.dtype() == b.dtype() => {
                elementwise::run_div(*self, form.rounding, &plan, a, b)
            }
            (Function::Div | Function::Divide, [a, b]) => {
                Err(KernelError::TypesDiffer { operator: *self, left: a.dtype(), right: b.dtype() })
            }
            _ => Err(self.wrong_arity(inputs.len())),
        }
    }

    /// Reads the attributes, all of which this version must have.
    fn form(&self, attributes: &Attributes) -> Result<Form, KernelError> {
        match self.function {
            Function::Divide => self.openvino_form(attributes),
            Function::Div | Function::Sqrt => {
                Ok(Form { rule: self.onnx_rule(attributes)?, rounding: Rounding::Truncate })
            }
        }
    }

    fn openvino_form(&self, attributes: &Attributes) -> Result<Form, KernelError> {
        let bad = |name, expected| KernelError::BadAttribute { operator: *self, name, expected };
        let mut form = Form { rule: Rule::Multidirectional, rounding: Rounding::Floor };
        for (name, value) in attributes {
            let text = if let Attribute::Text(text) = value { text.as_str() } else { "" };
            match (name.as_str(), text) {
                ("m_pythondiv", "true") => form.rounding = Rounding::Floor,
                ("m_pythondiv", "false") => form.rounding = Rounding::Truncate,
                ("m_pythondiv", _) => return Err(bad("m_pythondiv", "`true` or `false`")),
                ("auto_broadcast", "numpy") => form.rule = Rule::Multidirectional,
                ("auto_broadcast", "none") => form.rule = Rule::Equal,
                ("auto_broadcast", _) => return Err(bad("auto_broadcast", "`none` or `numpy`")),
                _ => return Err(self.unknown_attribute(name)),
            }
        }
        Ok(form)
    }

    fn onnx_rule(&self, attributes: &Attributes) -> Result<Rule, KernelError> {
        let legacy = self.since_version < 6;
        let limited = self.function == Function::Div && self.since_version < 7;
        let bad = |name, expected| KernelError::BadAttribute { operator: *self, name, expected };
        let (mut broadcast, mut first) = (false, None);
        for (name, value) in attributes {
            match (name.as_str(), value) {
                ("consumed_inputs", Attribute::Ints(_)) if legacy => {}
                ("consumed_inputs", _) if legacy => {
                    return Err(bad("consumed_inputs", "a list of integers"));
                }
                ("broadcast", Attribute::Int(0)) if limited => {}
                ("broadcast", Attribute::Int(1)) if limited => broadcast = true,
                ("broadcast", _) if limited => return Err(bad("broadcast", "0 or 1")),
                ("axis", &Attribute::Int(value)) if limited => {
                    let axis = usize::try_from(value);
                    first = Some(axis.map_err(|_| bad("axis", "a dimension, counted from 0"))?);
                }
                ("axis", _) if limited => return Err(bad("axis", "an integer")),
                _ => return Err(self.unknown_attribute(name)),
            }
        }
        Ok(match (limited, broadcast) {
            (false, _) => Rule::Multidirectional,
            (true, false) => Rule::Equal,
            (true, true) => Rule::Limited { axis: first },
        })
    }

    fn unknown_attribute(&self, name: &str) -> KernelError {
        KernelError::UnknownAttribute { operator: *self, name: name.to_owned() }
    }

    fn check_type(&self, dtype: DType) -> Result<(), KernelError> {
        if self.types().contains(&dtype) {
            return Ok(());
        }
        Err(KernelError::Type { operator: *self, dtype })
    }

    fn wrong_arity(&self, actual: usize) -> KernelError {
        let expected = match self.function {
            Function::Div | Function::Divide => 2,
            Function::Sqrt => 1,
        };
        KernelError::Arity { operator: *self, expected, actual }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.name(), self.since_version)
    }
}

#[cfg(test)]
mod tests;

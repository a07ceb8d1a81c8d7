//! Subjects: what computes the results of a campaign.
//!
//! Integer quotients that no value of the type is (a divisor of zero, a signed type's minimum
//! divided by -1) are nobody's to compute: processors trap on them, and no specification decides
//! them. A subject is given the divisor 1 in their place, its result is dropped, and the element
//! counts as out of the domain.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use half::{bf16, f16};

use super::Column;
use crate::backend::{Backend, Identity, Outcome, RefusalKind, Task, builtin::Builtin};
use crate::dtype::DType;
use crate::generate::single_node;
use crate::kernels::{Divide, SquareRoot, divide, square_root};
use crate::model::Model;
use crate::onnx;
use crate::profile::Operator;
use crate::suite::Suite;
use crate::tensor::{Tensor, Value};

/// What computes the results.
pub trait Subject: Sync {
    /// Who it is.
    fn identity(&self) -> Identity;

    /// Inputs that it is best given at a time.
    fn batch(&self) -> usize;

    /// Inputs that count as executed together, and are lost together when the process is killed.
    fn chunk(&self) -> u64 {
        1 << 20
    }

    /// Computes the results of the operands, element by element.
    ///
    /// # Errors
    ///
    /// When it does not give them.
    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure>;
}

/// A subject does not give results.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It has no implementation.
    #[error("the backend does not support the campaign: {0}")]
    Unsupported(String),
    /// It refused operands of the operator's domain.
    #[error("the backend refused valid operands: {0}")]
    Refused(String),
    /// It died.
    #[error("the backend crashed: {0}")]
    Crashed(String),
    /// It took too long.
    #[error("the backend did not answer within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// It gave something else than one tensor of the operands' type and length.
    #[error("the backend gave no tensor of results: {0}")]
    Unusable(String),
}

/// The built-in kernels, called on slices.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    operator: Operator,
    dtype: DType,
}

impl Kernels {
    /// Elements of a batch: operands and results stay in the second-level cache.
    const BATCH: usize = 1 << 14;

    /// The kernel of an operator and a type.
    #[must_use]
    pub const fn new(operator: Operator, dtype: DType) -> Self {
        Self { operator, dtype }
    }
}

impl Subject for Kernels {
    fn identity(&self) -> Identity {
        Builtin.identity()
    }

    fn batch(&self) -> usize {
        Self::BATCH
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        match (self.operator, operands) {
            (Operator::Div, [a, b]) => match self.dtype {
                DType::Float16 => quotients::<f16>(a, b, results),
                DType::Bfloat16 => quotients::<bf16>(a, b, results),
                DType::Float32 => quotients::<f32>(a, b, results),
                DType::Float64 => quotients::<f64>(a, b, results),
                DType::Int8 => quotients::<i8>(a, b, results),
                DType::Int16 => quotients::<i16>(a, b, results),
                DType::Int32 => quotients::<i32>(a, b, results),
                DType::Int64 => quotients::<i64>(a, b, results),
                DType::Uint8 => quotients::<u8>(a, b, results),
                DType::Uint16 => quotients::<u16>(a, b, results),
                DType::Uint32 => quotients::<u32>(a, b, results),
                DType::Uint64 => quotients::<u64>(a, b, results),
                _ => Err(self.unsupported()),
            },
            (Operator::Sqrt, [x]) => match self.dtype {
                DType::Float16 => roots::<f16>(x, results),
                DType::Bfloat16 => roots::<bf16>(x, results),
                DType::Float32 => roots::<f32>(x, results),
                DType::Float64 => roots::<f64>(x, results),
                _ => Err(self.unsupported()),
            },
            (Operator::Div | Operator::Sqrt, _) => Err(self.unsupported()),
        }
    }
}

impl Kernels {
    fn unsupported(&self) -> Failure {
        Failure::Unsupported(format!("there is no kernel for {} of {}", self.operator, self.dtype))
    }
}

fn quotients<T: Divide>(a: &Column, b: &Column, results: &mut Column) -> Result<(), Failure> {
    if divide::<T>(a.values(), b.values(), results.values_mut()).is_err() {
        let undefined = Undefined::find::<T>(a, b);
        // No quotient is undefined any more.
        let _ = divide::<T>(a.values(), undefined.divisors(b).values(), results.values_mut());
        undefined.drop_results(a, results);
    }
    Ok(())
}

fn roots<T: SquareRoot>(x: &Column, results: &mut Column) -> Result<(), Failure> {
    square_root::<T>(x.values(), results.values_mut());
    Ok(())
}

/// The places of the quotients that no value of an integer type is.
#[derive(Default)]
struct Undefined(Vec<usize>);

impl Undefined {
    /// The places of a type's quotients.
    fn find<T: Divide>(a: &Column, b: &Column) -> Self {
        let pairs = a.values::<T>().iter().zip(b.values::<T>()).enumerate();
        Self(pairs.filter(|(_, (a, b))| a.is_undefined(**b)).map(|(at, _)| at).collect())
    }

    /// Those of an operator's results.
    fn of(operator: Operator, dtype: DType, operands: &[Column]) -> Self {
        let (Operator::Div, [a, b]) = (operator, operands) else { return Self::default() };
        match dtype {
            DType::Int8 => Self::find::<i8>(a, b),
            DType::Int16 => Self::find::<i16>(a, b),
            DType::Int32 => Self::find::<i32>(a, b),
            DType::Int64 => Self::find::<i64>(a, b),
            DType::Uint8 => Self::find::<u8>(a, b),
            DType::Uint16 => Self::find::<u16>(a, b),
            DType::Uint32 => Self::find::<u32>(a, b),
            DType::Uint64 => Self::find::<u64>(a, b),
            _ => Self::default(),
        }
    }

    /// The divisors with 1 in these places.
    fn divisors<'a>(&self, b: &'a Column) -> Cow<'a, Column> {
        let mut divisors = Cow::Borrowed(b);
        for &at in &self.0 {
            divisors.to_mut().set(at, 1);
        }
        divisors
    }

    /// Puts the dividends in the place of results. That of the minimum by -1 is the minimum, to
    /// which the quotient wraps; anything will do by zero.
    fn drop_results(&self, a: &Column, results: &mut Column) {
        for &at in &self.0 {
            results.set(at, a.element(at));
        }
    }
}

/// A backend, given large tensors in a model of a single node.
pub struct Tensors {
    backend: Arc<dyn Backend>,
    operator: Operator,
    dtype: DType,
    time: Duration,
}

impl Tensors {
    /// Largest serialised output that is read: many times that of a batch.
    const OUTPUT_LIMIT: u64 = 64 << 20;

    /// Bytes of an operand: a million elements of 16 bits.
    const BYTES: usize = 2 << 20;

    /// A backend on an operator and a type, which has so long for a batch.
    #[must_use]
    pub fn new(
        backend: Arc<dyn Backend>,
        operator: Operator,
        dtype: DType,
        time: Duration,
    ) -> Self {
        Self { backend, operator, dtype, time }
    }

    /// Runs a model. Everything that a backend is told stands here.
    fn run(&self, model: &Model, file: &Bytes, inputs: &[Value]) -> Outcome {
        let task = Task {
            model,
            file,
            inputs,
            suite: Suite::Onnx,
            time: self.time,
            output_limit: Self::OUTPUT_LIMIT,
        };
        self.backend.run(&task).outcome
    }

    /// A column as a tensor of one dimension.
    fn tensor(&self, column: &Column) -> Result<Tensor, Failure> {
        let bits = Bytes::copy_from_slice(column.bytes());
        Tensor::from_bits(self.dtype, vec![column.len()], bits)
            .map_err(|error| Failure::Unusable(error.to_string()))
    }
}

impl Subject for Tensors {
    fn identity(&self) -> Identity {
        self.backend.identity()
    }

    fn batch(&self) -> usize {
        Self::BYTES / Column::new(self.dtype).width()
    }

    fn chunk(&self) -> u64 {
        self.batch() as u64
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        let undefined = Undefined::of(self.operator, self.dtype, operands);
        let tensors = match operands {
            [a, b] => vec![self.tensor(a)?, self.tensor(&undefined.divisors(b))?],
            _ => operands.iter().map(|x| self.tensor(x)).collect::<Result<_, _>>()?,
        };
        let bytes = single_node(self.operator, &tensors);
        let model = onnx::Model::decode("the model of a campaign", bytes.clone())
            .map_err(|error| Failure::Unusable(error.to_string()))?;
        let model = Model::Onnx(Box::new(model));
        let inputs: Vec<_> = tensors.into_iter().map(Value::Tensor).collect();
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run(&model, &bytes, &inputs)))
            .map_err(|_| Failure::Crashed("it panicked".to_owned()))?;
        match outcome {
            Outcome::Outputs(outputs) => {
                take(&outputs, self.dtype, results)?;
                operands.first().inspect(|a| undefined.drop_results(a, results));
                Ok(())
            }
            Outcome::Refused(refusal) if refusal.kind == RefusalKind::Unsupported => {
                Err(Failure::Unsupported(refusal.message))
            }
            Outcome::Refused(refusal) => Err(Failure::Refused(refusal.message)),
            Outcome::Crashed { message } => Err(Failure::Crashed(message)),
            Outcome::TimedOut => Err(Failure::TimedOut(self.time)),
            Outcome::Fault { message } => Err(Failure::Unusable(message)),
        }
    }
}

/// Copies the one tensor of the outputs, of this type and of the results' length.
fn take(outputs: &[Value], dtype: DType, results: &mut Column) -> Result<(), Failure> {
    let unusable = |what: String| Err(Failure::Unusable(what));
    let [Value::Tensor(tensor)] = outputs else {
        return unusable(format!("it gave {} values", outputs.len()));
    };
    if tensor.dtype() != dtype || tensor.shape() != [results.len()] {
        let (given, shape) = (tensor.dtype(), tensor.shape());
        let wanted = results.len();
        return unusable(format!("it gave {given} {shape:?} for {dtype} [{wanted}]"));
    }
    if let Some(bits) = tensor.bits() {
        results.bytes_mut().copy_from_slice(bits);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Answer;
    use crate::campaign::strategy::Strategy;

    /// The results of int8 Div from an index on.
    fn int8(subject: &dyn Subject, first: u64) -> Vec<i8> {
        let space = Strategy::Exhaustive.space(Operator::Div, DType::Int8).unwrap();
        let mut columns = vec![Column::new(DType::Int8); 3];
        columns.iter_mut().for_each(|column| column.resize(256));
        space.fill(first, &mut columns[..2]);
        let (operands, results) = columns.split_at_mut(2);
        subject.compute(operands, &mut results[0]).unwrap();
        results[0].values().to_vec()
    }

    #[test]
    fn what_has_no_quotient_is_divided_by_one_by_every_subject() {
        let kernels = Kernels::new(Operator::Div, DType::Int8);
        let (builtin, time) = (Arc::new(Builtin), Duration::MAX);
        let tensors = Tensors::new(builtin, Operator::Div, DType::Int8, time);
        for row in [0, 1, 2, 0xff] {
            let dividends = (0..=255_u8).map(|bits| bits as i8);
            let divisor = row as u8 as i8;
            let expected: Vec<i8> =
                dividends.map(|a| a.checked_div(divisor).unwrap_or(a)).collect();
            assert_eq!(int8(&kernels, row << 8), expected);
            assert_eq!(int8(&tensors, row << 8), expected);
        }
    }

    struct Odd(Outcome);

    impl Backend for Odd {
        fn identity(&self) -> Identity {
            Builtin.identity()
        }

        fn run(&self, _: &Task<'_>) -> Answer {
            self.0.clone().into()
        }
    }

    #[test]
    fn a_backend_that_gives_no_results_says_so() {
        let failure = |outcome| {
            let (odd, time) = (Arc::new(Odd(outcome)), Duration::from_secs(9));
            let subject = Tensors::new(odd, Operator::Sqrt, DType::Float32, time);
            let mut columns = vec![Column::new(DType::Float32); 2];
            columns.iter_mut().for_each(|column| column.resize(4));
            let (operands, results) = columns.split_at_mut(1);
            subject.compute(operands, &mut results[0]).unwrap_err()
        };
        let crashed = Outcome::Crashed { message: "signal 11".to_owned() };
        assert_eq!(failure(crashed), Failure::Crashed("signal 11".to_owned()));
        assert_eq!(failure(Outcome::TimedOut).to_string(), "the backend did not answer within 9 s");
        assert_eq!(
            failure(Outcome::Outputs(vec![])).to_string(),
            "the backend gave no tensor of results: it gave 0 values"
        );
        let short = Tensor::from_values(DType::Float32, vec![3], vec![1_f32; 3]).unwrap();
        assert_eq!(
            failure(Outcome::Outputs(vec![short.into()])).to_string(),
            "the backend gave no tensor of results: it gave float32 [3] for float32 [4]"
        );
    }
}

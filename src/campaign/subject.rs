//! Subjects: what computes the results of a campaign.
//!
//! Integer quotients that no value of the type is (a divisor of zero, a signed type's minimum
//! divided by -1) are nobody's to compute: processors trap on them, and no specification decides
//! them. A subject is given the divisor 1 in their place, and the element counts as out of the domain.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use half::{bf16, f16};

use super::Column;
use crate::backend::{Backend, Identity, Outcome, RefusalKind, Task, builtin::Builtin};
use crate::dtype::{DType, Kind};
use crate::generate::single_node;
use crate::kernels::{Divide, SquareRoot, divide, square_root};
use crate::model::Model;
use crate::onnx;
use crate::suite::Suite;
use crate::tensor::{Tensor, Value};
use reference::operator::Operator;

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
    operator: &'static Operator,
    dtype: DType,
}

impl Kernels {
    /// Elements of a batch: operands and results stay in the second-level cache.
    const BATCH: usize = 1 << 14;

    /// The kernel of an operator and a type.
    #[must_use]
    pub const fn new(operator: &'static Operator, dtype: DType) -> Self {
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
        match (self.operator.name, operands) {
            ("Div", [a, b]) => match self.dtype {
                DType::Float16 => self.quotients::<f16>([a, b], results),
                DType::Bfloat16 => self.quotients::<bf16>([a, b], results),
                DType::Float32 => self.quotients::<f32>([a, b], results),
                DType::Float64 => self.quotients::<f64>([a, b], results),
                DType::Int8 => self.quotients::<i8>([a, b], results),
                DType::Int16 => self.quotients::<i16>([a, b], results),
                DType::Int32 => self.quotients::<i32>([a, b], results),
                DType::Int64 => self.quotients::<i64>([a, b], results),
                DType::Uint8 => self.quotients::<u8>([a, b], results),
                DType::Uint16 => self.quotients::<u16>([a, b], results),
                DType::Uint32 => self.quotients::<u32>([a, b], results),
                DType::Uint64 => self.quotients::<u64>([a, b], results),
                _ => Err(self.unsupported()),
            },
            ("Sqrt", [x]) => match self.dtype {
                DType::Float16 => roots::<f16>(x, results),
                DType::Bfloat16 => roots::<bf16>(x, results),
                DType::Float32 => roots::<f32>(x, results),
                DType::Float64 => roots::<f64>(x, results),
                _ => Err(self.unsupported()),
            },
            _ => Err(self.unsupported()),
        }
    }
}

impl Kernels {
    fn quotients<T: Divide>(
        &self,
        pair: [&Column; 2],
        results: &mut Column,
    ) -> Result<(), Failure> {
        let [a, b] = pair;
        if divide::<T>(a.values(), b.values(), results.values_mut()).is_err() {
            let pair = [a.clone(), b.clone()];
            let operands = substituted(self.operator, self.dtype, &pair);
            // No quotient is undefined any more.
            let _ = divide::<T>(operands[0].values(), operands[1].values(), results.values_mut());
        }
        Ok(())
    }

    fn unsupported(&self) -> Failure {
        Failure::Unsupported(format!("there is no kernel for {} of {}", self.operator, self.dtype))
    }
}

fn roots<T: SquareRoot>(x: &Column, results: &mut Column) -> Result<(), Failure> {
    square_root::<T>(x.values(), results.values_mut());
    Ok(())
}

/// The operands with others in place of those whose result nothing specifies.
fn substituted<'a>(operator: &Operator, dtype: DType, operands: &'a [Column]) -> Cow<'a, [Column]> {
    let mut given = Cow::Borrowed(operands);
    if let (Some(substitute), [a, b], Kind::Int { .. }) =
        (operator.substitute, operands, dtype.kind())
    {
        for at in 0..a.len().min(b.len()) {
            if let Some(instead) = substitute(dtype, [a.element(at), b.element(at)]) {
                for (column, bits) in given.to_mut().iter_mut().zip(instead) {
                    column.set(at, bits);
                }
            }
        }
    }
    given
}

/// A backend, given large tensors in a model of a single node.
pub struct Tensors {
    backend: Arc<dyn Backend>,
    operator: &'static Operator,
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
        operator: &'static Operator,
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
        let operands = substituted(self.operator, self.dtype, operands);
        let tensors = operands.iter().map(|x| self.tensor(x)).collect::<Result<Vec<_>, _>>()?;
        let bytes = single_node(self.operator, &tensors);
        let model = onnx::Model::decode("the model of a campaign", bytes.clone())
            .map_err(|error| Failure::Unusable(error.to_string()))?;
        let model = Model::Onnx(Box::new(model));
        let inputs: Vec<_> = tensors.into_iter().map(Value::Tensor).collect();
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run(&model, &bytes, &inputs)))
            .map_err(|_| Failure::Crashed("it panicked".to_owned()))?;
        match outcome {
            Outcome::Outputs(outputs) => take(&outputs, self.dtype, results),
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
    use reference::operators::div::DIV;
    use reference::operators::sqrt::SQRT;

    /// The results of int8 Div from an index on.
    fn int8(subject: &dyn Subject, first: u64) -> Vec<i8> {
        let space = Strategy::Exhaustive.space(&DIV, DType::Int8).unwrap();
        let mut columns = vec![Column::new(DType::Int8); 3];
        columns.iter_mut().for_each(|column| column.resize(256));
        space.fill(first, &mut columns[..2]);
        let (operands, results) = columns.split_at_mut(2);
        subject.compute(operands, &mut results[0]).unwrap();
        results[0].values().to_vec()
    }

    #[test]
    fn what_has_no_quotient_is_divided_by_one_by_every_subject() {
        let kernels = Kernels::new(&DIV, DType::Int8);
        let (builtin, time) = (Arc::new(Builtin), Duration::MAX);
        let tensors = Tensors::new(builtin, &DIV, DType::Int8, time);
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
            let subject = Tensors::new(odd, &SQRT, DType::Float32, time);
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

//! Implementations: what computes the results of a campaign.
//!
//! Integer quotients that no value of the type is (a divisor of zero, a signed type's minimum
//! divided by -1) are nobody's to compute: processors trap on them, and no specification decides
//! them. An implementation is given the divisor 1 in their place, its result is dropped, and the element
//! counts as out of the domain.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::Column;
use crate::backend::{Backend, Identity, Outcome, RefusalKind, Task, builtin::Builtin};
use crate::check::Check;
use crate::corpus::generate::single_node;
use crate::corpus::suite::Suite;
use crate::dtype::{DType, Kind};
use crate::kernels;
use crate::model::Model;
use crate::onnx;
use crate::tensor::{Tensor, Value};
use reference::elements;
use reference::operator::Operator;
use values::element::Element;

/// What computes the results.
pub trait Implementation: Sync {
    /// Who it is.
    fn identity(&self) -> Identity;

    /// Inputs that it is best given at a time.
    fn batch(&self) -> usize;

    /// Inputs that count as executed together, and are lost together when the process is killed.
    fn chunk(&self) -> u64 {
        1 << 20
    }

    /// Computes the results of the operands, element by element.
    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure>;
}

/// An implementation does not give results.
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
    pub const fn new(operator: &'static Operator, dtype: DType) -> Self {
        Self { operator, dtype }
    }

    /// The kernel of what a check is of; `None` where it is not there on slices, which take no attributes and give the
    /// type that they take.
    pub fn of(check: &Check) -> Option<Self> {
        let (operator, dtype) = (check.operator(), check.dtype());
        let is_plain = check.attributes().is_empty() && check.result() == dtype;
        let kernel = kernels::slices(operator.name).filter(|_| is_plain)?;
        // It takes columns, which are aligned even where they are empty.
        let (operands, mut results) = (check.columns(), Column::new(dtype));
        let operands: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
        kernel(dtype, &operands, results.bytes_mut()).map(|_| Self::new(operator, dtype))
    }
}

impl Implementation for Kernels {
    fn identity(&self) -> Identity {
        Builtin.identity()
    }

    fn batch(&self) -> usize {
        Self::BATCH
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        let Self { operator, dtype } = *self;
        let unsupported =
            || Failure::Unsupported(format!("there is no kernel for {operator} of {dtype}"));
        let kernel = kernels::slices(operator.name).ok_or_else(unsupported)?;
        let run = |operands: &[Column], results: &mut Column| {
            let bytes: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
            kernel(dtype, &bytes, results.bytes_mut()).ok_or_else(unsupported)
        };
        if run(operands, results)?.is_ok() {
            return Ok(());
        }
        // With the substitutes no result is undefined any more.
        substituted(operator, dtype, operands, results, |operands, results| {
            run(operands, results).map(|_| ())
        })
    }
}

/// Has results computed of the operands with others in place of those whose result nothing specifies,
/// and puts the results that are checked there in the place of what the implementation gave.
fn substituted(
    operator: &Operator,
    dtype: DType,
    operands: &[Column],
    results: &mut Column,
    compute: impl FnOnce(&[Column], &mut Column) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut given = Cow::Borrowed(operands);
    let mut dropped = Vec::new();
    if let (Some(substitute), [first, ..], Kind::Int { .. }) =
        (operator.substitute, operands, dtype.kind())
    {
        let last = operands.get(1).unwrap_or(first);
        for at in 0..first.len().min(last.len()) {
            if let Some(instead) = substitute(dtype, [first.element(at), last.element(at)]) {
                for (column, bits) in given.to_mut().iter_mut().zip(instead.operands) {
                    column.set(at, bits);
                }
                dropped.push((at, instead.result));
            }
        }
    }
    compute(&given, results)?;
    dropped.into_iter().for_each(|(at, bits)| results.set(at, bits));
    Ok(())
}

/// A backend, given large tensors in a model of a single node.
pub struct Tensors {
    backend: Arc<dyn Backend>,
    check: Check,
    time: Duration,
}

impl Tensors {
    /// Bytes of an operand: a million elements of 16 bits.
    const BYTES: usize = 2 << 20;
    /// Strings of an operand, whose length is not known.
    const STRINGS: usize = 1 << 14;

    /// A backend on what a check is of, which has so long for a batch.
    pub const fn new(backend: Arc<dyn Backend>, check: Check, time: Duration) -> Self {
        Self { backend, check, time }
    }

    /// Gives the backend the operands, those at a time that have the same scalars, and takes its results.
    fn run(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        let scalars = operands.get(self.check.scalars()).unwrap_or_default();
        if scalars.is_empty() {
            return self.call(operands, results);
        }
        let are_same = |at: &usize| scalars.iter().all(|it| it.element(*at) == it.element(at - 1));
        let mut part = self.check.columns();
        let mut of_part = Column::new(self.check.result());
        let mut first = 0;
        while first < results.len() {
            let rest = first + 1..results.len();
            let end = rest.clone().find(|at| !are_same(at)).unwrap_or(rest.end);
            part.iter_mut().zip(operands).for_each(|(part, whole)| part.copy(whole, first..end));
            of_part.resize(end - first);
            self.call(&part, &mut of_part)?;
            (first..end).for_each(|at| results.set(at, of_part.element(at - first)));
            first = end;
        }
        Ok(())
    }

    /// Gives the backend a model of the operator on these operands, of whose scalars it takes the first element.
    fn call(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        let check = &self.check;
        let typed = operands.iter().zip(check.operands()).enumerate();
        let tensors = typed
            .map(|(at, (column, &dtype))| tensor(dtype, column, check.shape(at, &[column.len()])));
        let mut tensors = tensors.collect::<Result<Vec<_>, _>>()?;
        tensors.extend(check.example_of_type());
        let output = elements::blank(check.result(), &[results.len()])
            .map_err(|error| Failure::Unusable(error.to_string()))?;
        let file = single_node(check.operator(), check.attributes(), &tensors, &output);
        let inputs: Vec<_> = tensors.into_iter().map(Value::Tensor).collect();
        take(&outputs(&*self.backend, &file, &inputs, self.time)?, check.result(), results)
    }
}

/// Largest serialised output that is read: many times that of a batch.
const OUTPUT_LIMIT: u64 = 64 << 20;

/// Bytes of a resulting string that are kept: more than any has that conforms.
const LONGEST_STRING: usize = 4096;

/// What a backend gives for a model of ONNX and its inputs.
pub(crate) fn outputs(
    backend: &dyn Backend,
    file: &Bytes,
    inputs: &[Value],
    time: Duration,
) -> Result<Vec<Value>, Failure> {
    let model = onnx::Model::decode("the model of a campaign", file.clone())
        .map_err(|error| Failure::Unusable(error.to_string()))?;
    // Everything that a backend is told.
    let task = Task {
        model: &Model::Onnx(Box::new(model)),
        file,
        inputs,
        suite: Suite::Onnx,
        time,
        output_limit: OUTPUT_LIMIT,
    };
    let answer = catch_unwind(AssertUnwindSafe(|| backend.run(&task)))
        .map_err(|_| Failure::Crashed("it panicked".to_owned()))?;
    Err(match answer.outcome {
        Outcome::Outputs(outputs) => return Ok(outputs),
        Outcome::Refused(refusal) if refusal.kind == RefusalKind::Unsupported => {
            Failure::Unsupported(refusal.message)
        }
        Outcome::Refused(refusal) => Failure::Refused(refusal.message),
        Outcome::Crashed { message } => Failure::Crashed(message),
        Outcome::TimedOut(time) => Failure::TimedOut(time),
        Outcome::Fault { message } => Failure::Unusable(message),
    })
}

impl Implementation for Tensors {
    fn identity(&self) -> Identity {
        self.backend.identity()
    }

    fn batch(&self) -> usize {
        if self.check.has_strings() {
            Self::STRINGS
        } else {
            Self::BYTES / Column::new(self.check.dtype()).width()
        }
    }

    fn chunk(&self) -> u64 {
        self.batch() as u64
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        let run = |operands: &[Column], results: &mut Column| self.run(operands, results);
        substituted(self.check.operator(), self.check.dtype(), operands, results, run)
    }
}

/// The tensor of a shape of the first elements of a column, of fewer than 8 bits packed.
fn tensor(dtype: DType, column: &Column, shape: &[usize]) -> Result<Tensor, Failure> {
    let count = shape.iter().product();
    let made = if dtype == DType::String {
        let strings = column.strings().get(..count).unwrap_or_default();
        Tensor::from_strings(shape.to_vec(), strings.to_vec()).map_err(|error| error.to_string())
    } else if dtype.bits() < Some(8) {
        let bits: Vec<_> = column.bytes().iter().take(count).copied().map(u64::from).collect();
        elements::tensor(dtype, shape, &bits).map_err(|error| error.to_string())
    } else {
        let len = column.bytes().len().checked_div(column.len()).unwrap_or(0) * count;
        let bits = Bytes::copy_from_slice(column.bytes().get(..len).unwrap_or_default());
        Tensor::from_bits(dtype, shape.to_vec(), bits).map_err(|error| error.to_string())
    };
    made.map_err(Failure::Unusable)
}

/// Copies the one tensor of the outputs, of this type and of the results' length.
fn take(outputs: &[Value], dtype: DType, results: &mut Column) -> Result<(), Failure> {
    let unusable = |what| Err(Failure::Unusable(what));
    let wanted = results.len();
    match outputs {
        [Value::Tensor(tensor)] if tensor.dtype() == dtype && tensor.shape() == [wanted] => {
            if let Some(strings) = tensor.strings() {
                let cut = |string: &Bytes| string.slice(..string.len().min(LONGEST_STRING));
                let strings = strings.iter().map(|string| Element::String(cut(string)));
                strings.enumerate().for_each(|(at, string)| results.put(at, string));
            } else if dtype.bits() < Some(8) {
                let elements = (0..wanted).filter_map(|at| tensor.element(at));
                elements.enumerate().for_each(|(at, bits)| results.set(at, bits as u64));
            } else if let Some(bits) = tensor.bits() {
                results.bytes_mut().copy_from_slice(bits);
            }
            Ok(())
        }
        [Value::Tensor(tensor)] => {
            let (given, shape) = (tensor.dtype(), tensor.shape());
            unusable(format!("it gave {given} {shape:?} for {dtype} [{wanted}]"))
        }
        _ => unusable(format!("it gave {} values", outputs.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Answer;
    use crate::measure::campaign::plan::Strategy;
    use reference::operator::Domain;
    use reference::operators::{self, div::DIV, sqrt::SQRT};

    fn of(operator: &'static Operator, dtype: DType) -> Check {
        Check::new(operator, dtype).unwrap()
    }

    /// The results of int8 Div from an index on.
    fn int8(subject: &dyn Implementation, first: u64) -> Vec<i8> {
        let space = Strategy::Exhaustive.space(&of(&DIV, DType::Int8)).unwrap();
        let mut columns = vec![Column::new(DType::Int8); 3];
        columns.iter_mut().for_each(|column| column.resize(256));
        space.fill(first, &mut columns[..2]);
        let (operands, results) = columns.split_at_mut(2);
        subject.compute(operands, &mut results[0]).unwrap();
        results[0].values().to_vec()
    }

    #[test]
    fn kernels_are_there_for_every_width_of_elements() {
        for dtype in [DType::Int8, DType::Float16, DType::Float32, DType::Int64] {
            assert!(Kernels::of(&of(&DIV, dtype)).is_some(), "{dtype}");
        }
        let less = operators::find(Domain::Onnx, "Less").unwrap();
        let less = Check::of(less, DType::Float32, [].into()).unwrap();
        assert!(Kernels::of(&less).is_none());
    }

    #[test]
    fn what_has_no_quotient_is_divided_by_one_by_every_subject() {
        let kernels = Kernels::new(&DIV, DType::Int8);
        let (builtin, time) = (Arc::new(Builtin), Duration::MAX);
        let tensors = Tensors::new(builtin, of(&DIV, DType::Int8), time);
        for row in [0, 1, 2, 0xff] {
            let dividends = (0..=255_u8).map(|bits| bits as i8);
            let divisor = row as u8 as i8;
            let expected: Vec<i8> =
                dividends.map(|a| a.checked_div(divisor).unwrap_or(a)).collect();
            assert_eq!(int8(&kernels, row << 8), expected);
            assert_eq!(int8(&tensors, row << 8), expected);
        }
    }

    #[test]
    fn elements_of_less_than_a_byte_go_and_come_packed() {
        let cast = operators::find(Domain::Onnx, "Cast").unwrap();
        let converted = |from: DType, to: DType, bits: [u64; 5]| {
            let code = reference::operator::AttributeValue::Int(to.onnx_code().into());
            let check = Check::of(cast, from, [("to".to_owned(), code)].into()).unwrap();
            let [mut given, mut results] = [from, to].map(Column::new);
            given.resize(5);
            results.resize(5);
            (0..).zip(bits).for_each(|(at, bits)| given.set(at, bits));
            let subject = Tensors::new(Arc::new(Builtin), check, Duration::MAX);
            subject.compute(&[given], &mut results).unwrap();
            [0, 1, 2, 3, 4].map(|at| results.element(at))
        };
        // -1, 1, -2, 0 and 1 in each of the types.
        let of = |ones: u64| [ones, 1, ones - 1, 0, 1];
        for (from, to, ones) in [
            (DType::Int2, DType::Int4, [3, 15]),
            (DType::Int4, DType::Int2, [15, 3]),
            (DType::Int8, DType::Int2, [255, 3]),
            (DType::Int4, DType::Int64, [15, u64::MAX]),
        ] {
            assert_eq!(converted(from, to, of(ones[0])), of(ones[1]), "{from} {to}");
        }
        let of_six = [0x3f, 0x21, 0x10, 0x01, 0x1e];
        let [into, back] =
            [[DType::Float6E3M2, DType::Float16], [DType::Float16, DType::Float6E3M2]];
        let halves = converted(into[0], into[1], of_six);
        assert_eq!(halves, [0xcf00, 0xac00, 0x4000, 0x2c00, 0x4e00]);
        assert_eq!(converted(back[0], back[1], halves), of_six);
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
            let subject = Tensors::new(odd, of(&SQRT, DType::Float32), time);
            let mut columns = vec![Column::new(DType::Float32); 2];
            columns.iter_mut().for_each(|column| column.resize(4));
            let (operands, results) = columns.split_at_mut(1);
            subject.compute(operands, &mut results[0]).unwrap_err()
        };
        let crashed = Outcome::Crashed { message: "signal 11".to_owned() };
        assert_eq!(failure(crashed), Failure::Crashed("signal 11".to_owned()));
        assert_eq!(
            failure(Outcome::TimedOut(Duration::from_secs(9))).to_string(),
            "the backend did not answer within 9 s"
        );
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

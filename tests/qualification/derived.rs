//! The defects that any operator can have, derived from what the reference states of each one: its
//! attributes, its optional inputs, and the types of its outputs.

use std::sync::LazyLock;

use libtest_mimic::Failed;
use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class;
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::Class as FloatClass;
use onnx_conformance::kernels::{Attributes, find, find_in_openvino};
use onnx_conformance::reference::operator::{Domain, Operator, Otherwise, Presence, Version};
use onnx_conformance::reference::operators::OPERATORS;
use onnx_conformance::tensor::{Tensor, Value};
use rayon::prelude::*;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, nearest, value};
use crate::matrix::Kit;
use crate::request::{Request, gathered_like};

/// What is wrong with an operator of which only the signature is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The attribute of this name is taken for left out.
    IgnoresAttribute(&'static str),
    /// The optional input of this name, in this place, is taken for left out.
    IgnoresInput(&'static str, usize),
    /// The last element of each output is zero, false or empty.
    LastElement,
    /// Subnormal results become zeros of their sign.
    Flushes,
    /// Results that are NaN become zero.
    LosesNan,
    /// Results of float64 pass through float32.
    Narrows,
    /// Operands are repeated from their beginning instead of broadcast.
    Cycles,
}

impl Fault {
    /// Every fault that the signature of an operator has room for.
    fn of(operator: &Operator) -> Vec<Self> {
        let newest = operator.newest();
        let may_be_left_out =
            newest.attributes.iter().filter(|it| it.otherwise != Otherwise::Invalid);
        let mut faults: Vec<_> =
            may_be_left_out.map(|it| Self::IgnoresAttribute(it.name)).collect();
        for (at, port) in newest.inputs.iter().enumerate() {
            if port.presence == Presence::Optional {
                faults.push(Self::IgnoresInput(port.name, at));
            }
        }
        let gives = |is_such: fn(&DType) -> bool| {
            newest.outputs.iter().any(|port| port.types.iter().any(is_such))
        };
        faults.push(Self::LastElement);
        if gives(is_float) {
            faults.extend([Self::Flushes, Self::LosesNan]);
        }
        if gives(is_double) {
            faults.push(Self::Narrows);
        }
        if broadcasts(operator) {
            faults.push(Self::Cycles);
        }
        faults
    }

    /// What its id says after the operator.
    fn id(self) -> String {
        match self {
            Self::IgnoresAttribute(name) | Self::IgnoresInput(name, _) => {
                format!("ignores-{}", name.to_lowercase().replace('_', "-"))
            }
            Self::LastElement => "last-element-not-computed".to_owned(),
            Self::Flushes => "flushes-subnormals".to_owned(),
            Self::LosesNan => "loses-nan".to_owned(),
            Self::Narrows => "narrows-float64".to_owned(),
            Self::Cycles => "cycles-operands".to_owned(),
        }
    }

    const fn class(self) -> Class {
        match self {
            Self::IgnoresAttribute(_) | Self::IgnoresInput(..) => Class::Arithmetic,
            Self::LastElement => Class::Indexing,
            Self::Flushes | Self::LosesNan => Class::SpecialValues,
            Self::Narrows => Class::Conversion,
            Self::Cycles => Class::Broadcasting,
        }
    }

    fn says(self, operator: &str) -> String {
        match self {
            Self::IgnoresAttribute(name) => {
                format!("{operator} ignores `{name}`, as if it were left out.")
            }
            Self::IgnoresInput(name, _) => {
                format!("{operator} ignores its input `{name}`, as if it were left out.")
            }
            Self::LastElement => {
                format!("The last element of each output of {operator} stays zero.")
            }
            Self::Flushes => format!("Subnormal results of {operator} become zeros of their sign."),
            Self::LosesNan => format!("Results of {operator} that are NaN become zero."),
            Self::Narrows => format!("Results of {operator} in float64 pass through float32."),
            Self::Cycles => {
                format!(
                    "Shorter operands of {operator} are repeated from their beginning, whatever their shape."
                )
            }
        }
    }

    /// Whether it may be wrong in results of a type.
    fn is_in(self, dtype: &DType) -> bool {
        match self {
            Self::Flushes | Self::LosesNan => is_float(dtype),
            Self::Narrows => is_double(dtype),
            Self::IgnoresAttribute(_)
            | Self::IgnoresInput(..)
            | Self::LastElement
            | Self::Cycles => true,
        }
    }

    /// What becomes of a request, or of what the library's kernel makes of it.
    pub(crate) fn outcome(self, request: &Request<'_>, right: Outcome) -> Outcome {
        if !matches!(right, Outcome::Outputs(_)) {
            return right;
        }
        match self {
            Self::IgnoresAttribute(name) => match request.attributes.contains_key(name) {
                true => request.without(name),
                false => right,
            },
            Self::IgnoresInput(_, at) => match request.places.get(at) {
                Some(Some(_)) => {
                    let mut other = request.clone();
                    other.leave_out(at);
                    other.computed()
                }
                _ => right,
            },
            Self::LastElement => remade(right, last_element_lost),
            Self::Flushes => of_floats(right, |dtype, bits| match class(dtype, bits) {
                FloatClass::Subnormal => nearest(dtype, 0_f64.copysign(value(dtype, bits))),
                _ => bits,
            }),
            Self::LosesNan => of_floats(right, |dtype, bits| match class(dtype, bits) {
                FloatClass::Nan => 0,
                _ => bits,
            }),
            Self::Narrows => of_floats(right, |dtype, bits| match dtype {
                DType::Float64 => f64::from(f64::from_bits(bits) as f32).to_bits(),
                _ => bits,
            }),
            Self::Cycles => gathered_like(request, right, |elements, k| k % elements),
        }
    }
}

/// The columns that find a fault and are not the suite of every version of the operators.
const FOUND_ELSEWHERE: [(&str, &str); 3] = [
    // The specification of SONNX alone says that NaN stays one; a cosine of float16 alone may be subnormal.
    ("relu-loses-nan", "sonnx"),
    ("cos-flushes-subnormals", "exhaustive"),
    // The steps of the function body give 0 there, which the profile of the suite accepts.
    ("softplus-flushes-subnormals", "exhaustive"),
];

/// Of windows.
const NO_NAN: &str = "the only NaN is that of a division by 0, which is open";
const SINGLE_STEPS: &str = "the steps of the function body are of float32";

/// The faults that change no result that anything is said of, and why.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("acos-flushes-subnormals", "the arccosine next to 1 is a normal number"),
    ("acosh-flushes-subnormals", "the function next to 1 is a normal number"),
    (
        "attention-ignores-softmax-precision",
        "the kernel computes in float64, as wide as any type that it names",
    ),
    ("blackmanwindow-loses-nan", NO_NAN),
    ("blackmanwindow-narrows-float64", SINGLE_STEPS),
    ("castlike-ignores-round-mode", "the schema's function drops it"),
    ("ceil-flushes-subnormals", "the results are integers"),
    ("celu-loses-nan", "the maximum of 0 and a NaN, and the minimum, may be 0"),
    ("conv-ignores-kernel-shape", "it has to be that of the weights"),
    ("convinteger-ignores-kernel-shape", "it has to be that of the weights"),
    ("convtranspose-ignores-kernel-shape", "it has to be that of the weights"),
    ("cosh-flushes-subnormals", "no result is below 1"),
    ("deformconv-ignores-kernel-shape", "it has to be that of the weights"),
    ("divide-ignores-auto-broadcast", "with `none` the shapes are equal, or the model is refused"),
    ("dropout-ignores-seed", "what is random is not decided"),
    ("dropout-ignores-training-mode", "training is random, or drops nothing, as inference does"),
    ("dynamicquantizelinear-loses-nan", "nothing says what the range of a NaN is"),
    ("eyelike-flushes-subnormals", "the results are 0 and 1"),
    ("eyelike-loses-nan", "the results are 0 and 1"),
    ("eyelike-narrows-float64", "the results are 0 and 1"),
    ("floor-flushes-subnormals", "the results are integers"),
    ("gru-ignores-hidden-size", "it has to be that of the weights"),
    ("hammingwindow-flushes-subnormals", "no result is below 4/46"),
    ("hammingwindow-loses-nan", NO_NAN),
    ("hammingwindow-narrows-float64", SINGLE_STEPS),
    ("hannwindow-loses-nan", NO_NAN),
    ("hannwindow-narrows-float64", SINGLE_STEPS),
    ("hardmax-flushes-subnormals", "the results are 0 and 1"),
    ("hardmax-loses-nan", "the results are 0 and 1"),
    ("hardmax-narrows-float64", "the results are 0 and 1"),
    ("hardsigmoid-loses-nan", "the least of 1 and a NaN, and the greatest of that and 0, may be 0"),
    ("linearattention-ignores-chunk-size", "chunks of any size conform, and so do single tokens"),
    ("log-flushes-subnormals", "the logarithm next to 1 is a normal number"),
    (
        "logsoftmax-flushes-subnormals",
        "a result so near to 0 may be 0, since the sum may be rounded to 1",
    ),
    ("lstm-ignores-hidden-size", "it has to be that of the weights"),
    (
        "meanvariancenormalization-flushes-subnormals",
        "a result so near to 0 may be 0, since the mean may be rounded",
    ),
    ("qlinearconv-ignores-kernel-shape", "it has to be that of the weights"),
    (
        "range-ignores-stash-type",
        "the kernel computes in float64, as wide as any type that it names",
    ),
    ("range-loses-nan", "nothing says how many elements there are from, to or by a NaN"),
    ("reducel2-flushes-subnormals", "squares of numbers with so small a norm may be 0"),
    ("reducelogsum-flushes-subnormals", "the logarithm next to 1 is a normal number"),
    ("reducelogsumexp-flushes-subnormals", "the logarithm next to 1 is a normal number"),
    ("rnn-ignores-hidden-size", "it has to be that of the weights"),
    ("round-flushes-subnormals", "the results are integers"),
    ("sign-flushes-subnormals", "the results are -1, 0 and 1"),
    ("sign-loses-nan", "nothing says what the sign of a NaN is"),
    ("sign-narrows-float64", "the results are -1, 0 and 1"),
    ("size-last-element-not-computed", "the result is a single number"),
    ("sqrt-flushes-subnormals", "the root of the least number is a normal number"),
    (
        "thresholdedrelu-loses-nan",
        "a NaN is not above `alpha`, and of such elements the result is 0",
    ),
    (
        "topk-ignores-sorted",
        "the order of what need not be sorted is free, and a sorted one conforms",
    ),
    ("unique-loses-nan", "nothing says whether a NaN is equal to another"),
];

/// The one of them that the official cases find, and they alone: what NumPy dropped there is what they expect.
const OF_ONE_CHOICE: &str = "dropout-ignores-training-mode";

/// The faults that nothing of this project finds, though they may change a result, and what is missing.
const GAPS: &[(&str, &str)] = &[];

/// A defect that is derived, and the words for it.
struct Derived {
    id: String,
    says: String,
    operator: [&'static str; 1],
    types: Vec<DType>,
    caught_by: &'static str,
    fault: Fault,
}

static DERIVED: LazyLock<Vec<Derived>> = LazyLock::new(|| {
    let of = |operator: &&'static Operator| {
        let operator = *operator;
        Fault::of(operator).into_iter().map(move |fault| Derived::of(operator, fault))
    };
    OPERATORS.iter().flat_map(of).collect()
});

impl Derived {
    fn of(operator: &'static Operator, fault: Fault) -> Self {
        let id = format!("{}-{}", operator.name.to_lowercase(), fault.id());
        let elsewhere = FOUND_ELSEWHERE.iter().find(|(of, _)| *of == id);
        let suite = match operator.domain {
            Domain::Onnx => "onnx",
            Domain::OpenVino => "openvino",
        };
        Self {
            says: fault.says(operator.name),
            operator: [operator.name],
            types: types(operator, fault),
            caught_by: elsewhere.map_or(suite, |(_, column)| column),
            fault,
            id,
        }
    }

    fn is_left_out(&self) -> bool {
        [WITHOUT_EFFECT, GAPS].concat().iter().any(|(id, _)| *id == self.id)
    }

    fn defect(&'static self) -> Defect {
        Defect {
            id: &self.id,
            class: self.fault.class(),
            says: &self.says,
            operators: &self.operator,
            types: &self.types,
            caught_by: self.caught_by,
            wrong: Wrong::Derived(self.fault),
        }
    }
}

/// The derived defects.
pub(crate) fn defects() -> impl Iterator<Item = Defect> {
    DERIVED.iter().filter(|it| !it.is_left_out()).map(Derived::defect)
}

/// Whether the lists of what is left out are right: each names faults that there are, and nothing finds them, but for
/// [`OF_ONE_CHOICE`].
pub(crate) fn left_out_is_not_found(kit: &Kit, _: usize) -> Result<(), Failed> {
    let left_out: Vec<_> =
        DERIVED.iter().filter(|it| it.is_left_out()).map(Derived::defect).collect();
    let lists = [WITHOUT_EFFECT, GAPS].concat();
    if left_out.len() != lists.len() {
        let is_stale = |(id, _): &&(&str, &str)| left_out.iter().all(|defect| defect.id != *id);
        return Err(format!("no such fault, or twice: {:?}", lists.iter().find(is_stale)).into());
    }
    let otherwise: Vec<_> = left_out
        .par_iter()
        .map(|defect| (defect.id, kit.finders(defect)))
        .filter(|(id, finders)| match *id == OF_ONE_CHOICE {
            true => finders.is_empty() || finders.iter().any(|kind| kind.is_own()),
            false => !finders.is_empty(),
        })
        .collect();
    match otherwise.is_empty() {
        true => Ok(()),
        false => Err(format!("found otherwise than listed: {otherwise:?}").into()),
    }
}

/// The types of the first operand, or else of the output, that an operator may be wrong in.
fn types(operator: &Operator, fault: Fault) -> Vec<DType> {
    let newest = operator.newest();
    let output = newest.outputs.first().map(|port| port.variable);
    let is_of_output = newest.inputs.first().is_none_or(|port| Some(port.variable) == output);
    let first = |version: &'static Version| version.inputs.first().or(version.outputs.first());
    let is_taken = |dtype: &DType| {
        let mut ports = operator.versions.iter().filter_map(first);
        ports.any(|port| port.types.contains(dtype)) && (!is_of_output || fault.is_in(dtype))
    };
    DType::ALL.into_iter().filter(is_taken).collect()
}

fn is_float(dtype: &DType) -> bool {
    matches!(dtype.kind(), Kind::Float(_))
}

fn is_double(dtype: &DType) -> bool {
    *dtype == DType::Float64
}

/// Whether an operator takes several operands and broadcasts them, as the kernels know.
fn broadcasts(operator: &Operator) -> bool {
    let newest = operator.newest();
    let kernel = match operator.domain {
        Domain::Onnx => find(operator.name, newest.since),
        Domain::OpenVino => find_in_openvino(operator.name, newest.since),
    };
    let operands = match newest.inputs {
        [port] if port.presence == Presence::Variadic => 2,
        ports => ports.iter().filter(|port| port.presence == Presence::Required).count(),
    };
    let shapes = vec![&[2, 2][..]; operands];
    operands > 1 && kernel.is_some_and(|it| it.broadcast(&Attributes::new(), &shapes).is_ok())
}

/// The outcome with each of its tensors changed.
fn remade(outcome: Outcome, change: impl Fn(&Tensor) -> Tensor) -> Outcome {
    let Outcome::Outputs(outputs) = outcome else { return outcome };
    let remade = |output| match output {
        Value::Tensor(tensor) => change(&tensor).into(),
        other => other,
    };
    Outcome::Outputs(outputs.into_iter().map(remade).collect())
}

/// The outcome with each float made anew of its type and bits.
fn of_floats(outcome: Outcome, element: impl Fn(DType, u64) -> u64) -> Outcome {
    remade(outcome, |tensor| {
        let dtype = tensor.dtype();
        match dtype.kind() {
            Kind::Float(_) => of_bits(tensor, |_, bits| element(dtype, bits as u64).into()),
            _ => tensor.clone(),
        }
    })
}

/// The tensor with each element made anew of its place and bits.
fn of_bits(tensor: &Tensor, element: impl Fn(usize, u128) -> u128) -> Tensor {
    let elements = (0..tensor.elements()).map(|at| element(at, tensor.element(at).unwrap()));
    Tensor::from_elements(tensor.dtype(), tensor.shape().to_vec(), elements).unwrap()
}

fn last_element_lost(tensor: &Tensor) -> Tensor {
    let elements = tensor.elements();
    if elements < 2 {
        return tensor.clone();
    }
    if let Some(strings) = tensor.strings() {
        let mut strings = strings.to_vec();
        strings[elements - 1] = "".into();
        return Tensor::from_strings(tensor.shape().to_vec(), strings).unwrap();
    }
    of_bits(tensor, |at, bits| if at + 1 == elements { 0 } else { bits })
}

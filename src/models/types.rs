//! What is known of each value of a model: element type, shape, and its elements where it is constant and small.
//!
//! There is no second inference of shapes here: each node becomes a [`Call`] of the reference, on its inputs or on
//! zeros of their type and shape, and the reference says what its outputs are. The zeros of all tensors share one
//! buffer. Small constants have their true elements, and the built-in kernels compute on them what follows from them
//! alone, as shapes that a model puts together do. What the reference cannot infer is what the model states of it, else
//! unknown.
//!
//! Operators that the reference lacks, and whose outputs are like those of one that it has, are inferred as that one.
//!
//! Sizes that a model leaves open get stand-ins: 1 for a first dimension, and for others multiples of 32, which fit most
//! networks. They are listed, and [`Sizes`] takes others.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use reference::call;
use reference::operator::{Call, Domain, Invalid, Operator, Specification, TensorType, Version};
use reference::operators;

use super::cut::{Ports, cut, tensor_type};
use super::file::ModelFile;
use super::graph::{Graph, GraphError, Step};
use crate::backend::builtin::Builtin;
use crate::backend::{Backend, Outcome, Task};
use crate::corpus::suite::Suite;
use crate::dtype::DType;
use crate::onnx::decode_tensor;
use crate::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use crate::onnx::proto::{TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto};
use crate::tensor::{Tensor, Value, element_count};

/// The most elements of a constant that are kept and computed with.
const ELEMENTS_KEPT: usize = 4096;
/// The most bytes of a tensor that a call is made on.
const ZEROS: usize = 256 << 20;
/// The most strings of such a tensor.
const STRINGS: usize = 1 << 16;
/// The time that a kernel has, which takes no time at all on so few elements.
const TIME: Duration = Duration::from_secs(10);

/// The inputs on whose elements the shapes of outputs depend, by operator.
const DECIDING: &[(&str, &[usize])] = &[
    ("AffineGrid", &[1]),
    ("BlackmanWindow", &[0]),
    ("CenterCropPad", &[1]),
    ("Col2Im", &[1, 2]),
    ("Compress", &[0, 1]),
    ("ConstantOfShape", &[0]),
    ("DFT", &[1, 2]),
    ("Expand", &[1]),
    ("HammingWindow", &[0]),
    ("HannWindow", &[0]),
    ("MaxUnpool", &[2]),
    ("MelWeightMatrix", &[0, 1]),
    ("NonMaxSuppression", &[0, 1, 2, 3, 4]),
    ("NonZero", &[0]),
    ("OneHot", &[1]),
    ("Pad", &[1, 3]),
    ("Range", &[0, 1, 2]),
    ("ReduceL1", &[1]),
    ("ReduceL2", &[1]),
    ("ReduceLogSum", &[1]),
    ("ReduceLogSumExp", &[1]),
    ("ReduceMax", &[1]),
    ("ReduceMean", &[1]),
    ("ReduceMin", &[1]),
    ("ReduceProd", &[1]),
    ("ReduceSum", &[1]),
    ("ReduceSumSquare", &[1]),
    ("Reshape", &[1]),
    ("Resize", &[1, 2, 3]),
    ("ReverseSequence", &[1]),
    ("STFT", &[1, 3]),
    ("Slice", &[1, 2, 3, 4]),
    ("Split", &[1]),
    ("Squeeze", &[1]),
    ("StringSplit", &[0]),
    ("Tile", &[1, 2]),
    ("TopK", &[1]),
    ("Unique", &[0]),
    ("Unsqueeze", &[1]),
    ("Upsample", &[1]),
];

/// Operators that the reference may lack, and those that it has whose outputs have the same types and shapes: of the
/// second kind, those of the first input alone.
const LIKE_LARGEST: [&str; 6] =
    ["BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mean", "Sum"];
/// See [`LIKE_LARGEST`].
const LIKE_FIRST: [&str; 9] = [
    "BitwiseNot",
    "Celu",
    "Dropout",
    "Hardmax",
    "LRN",
    "LpNormalization",
    "Shrink",
    "ThresholdedRelu",
    "Trilu",
];

/// The places of the inputs of an operator on whose elements the shapes of its outputs depend.
pub fn deciding(operator: &Operator) -> &'static [usize] {
    let known = DECIDING.iter().find(|(name, _)| *name == operator.name);
    known.map_or(&[], |(_, places)| places)
}

/// What is known of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Its element type.
    pub dtype: Option<DType>,
    /// Its sizes, with stand-ins for those that are open.
    pub shape: Option<Vec<usize>>,
    /// The tensor itself, where it is constant and small.
    pub value: Option<Tensor>,
    /// Whether it is an initialiser, or follows from initialisers alone.
    pub is_constant: bool,
}

impl Known {
    fn typed(output: &TensorType) -> Self {
        Self { dtype: Some(output.dtype), shape: Some(output.shape.clone()), ..Self::default() }
    }

    /// With what else is known where this is not.
    fn or(self, other: &Self) -> Self {
        Self {
            dtype: self.dtype.or(other.dtype),
            shape: self.shape.or_else(|| other.shape.clone()),
            value: self.value,
            is_constant: self.is_constant,
        }
    }
}

/// The sizes that are given for those that a model leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// By the names of dimensions.
    pub dims: BTreeMap<String, usize>,
    /// All sizes of an input, by its name.
    pub shapes: BTreeMap<String, Vec<usize>>,
}

/// Sizes are given for what the model does not leave open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum SizesError {
    #[error("no dimension of the model is named `{name}`; {known}")]
    Dim { name: String, known: String },
    #[error("the model has no input `{name}`; its inputs are: {known}")]
    Input { name: String, known: String },
    #[error("input `{name}` is {declared}, so it cannot have the sizes {given:?}")]
    Shape { name: String, declared: String, given: Vec<usize> },
}

/// Why there is no call of a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCall {
    /// The reference does not know it.
    #[error("the reference does not know the operator, or not in this version")]
    Operator,
    /// An input is unknown.
    #[error("the type or shape of `{0}` is unknown")]
    Input(String),
    /// The elements of an input decide the shape and are unknown.
    #[error("the shape depends on the elements of `{0}`, which are unknown")]
    Elements(String),
    /// An input is too large.
    #[error("`{0}` is too large for shapes to be inferred")]
    Large(String),
    /// It breaks a rule of ONNX.
    #[error("by the reference it is invalid: {0}")]
    Invalid(String),
}

/// A node, and what is known of its values.
#[derive(Debug)]
pub struct Seen<'a> {
    /// Its name, behind those of the nodes whose graphs it is in.
    pub name: String,
    /// The node.
    pub step: &'a Step,
    /// Its inputs in order; `None` where one is left out.
    pub inputs: &'a [Option<Known>],
    /// What it is to the reference, for the outputs that it names, and their types.
    pub call: &'a Result<(Call, Vec<TensorType>), NoCall>,
    /// The types that the model states of values.
    pub stated: &'a BTreeMap<String, TypeProto>,
}

/// What is shown each graph and each node on the way.
pub trait Visitor {
    /// A graph, before its nodes; `prefix` goes before their names.
    fn graph(&mut self, prefix: &str, graph: &Graph);
    /// A node.
    fn node(&mut self, seen: Seen<'_>);
}

/// The walk through a model.
pub struct Walk<'a> {
    file: &'a ModelFile,
    sizes: &'a Sizes,
    stand_ins: BTreeMap<String, usize>,
    missing: BTreeSet<String>,
    zeros: Bytes,
}

impl<'a> Walk<'a> {
    /// Shows every graph and every node of a model, each after those that it reads from.
    pub fn through(
        file: &'a ModelFile,
        graph: &Graph,
        sizes: &'a Sizes,
        visitor: &mut dyn Visitor,
    ) -> Result<Walked, GraphError> {
        let zeros = Bytes::from(vec![0; ZEROS]);
        let (stand_ins, missing) = (BTreeMap::new(), BTreeSet::new());
        let mut walk = Self { file, sizes, stand_ins, missing, zeros };
        walk.graph(graph, "", BTreeMap::new(), Vec::new(), visitor)?;
        let Self { stand_ins, missing, .. } = walk;
        Ok(Walked { stand_ins, missing })
    }

    /// Walks a graph that sees these values of those around it and is given these inputs; what its outputs are.
    fn graph(
        &mut self,
        graph: &Graph,
        prefix: &str,
        around: BTreeMap<String, Known>,
        given: Vec<Known>,
        visitor: &mut dyn Visitor,
    ) -> Result<Vec<Known>, GraphError> {
        visitor.graph(prefix, graph);
        let mut values = around;
        for (name, tensor) in &graph.initialisers {
            values.insert(name.clone(), self.initialiser(tensor));
        }
        let mut given = given.into_iter();
        for input in &graph.inputs {
            let stated = self.stated(input.name(), input.r#type.as_ref());
            let known = given.next().unwrap_or_default();
            // What goes around in a loop may change its shape.
            values.insert(input.name().to_owned(), stated.or(&known));
        }
        for step in &graph.steps {
            self.node(graph, step, prefix, &mut values, visitor)?;
        }
        let of = |output: &ValueInfoProto| values.get(output.name()).cloned().unwrap_or_default();
        Ok(graph.outputs.iter().map(of).collect())
    }

    fn node(
        &mut self,
        graph: &Graph,
        step: &Step,
        prefix: &str,
        values: &mut BTreeMap<String, Known>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), GraphError> {
        let known = |name: &String| {
            let known = || values.get(name).cloned().unwrap_or_default();
            (!name.is_empty()).then(known)
        };
        let inputs: Vec<Option<Known>> = step.node.input.iter().map(known).collect();
        let call = self.call(step, &inputs);
        let name = format!("{prefix}{}", step.name);
        let stated = &graph.types;
        visitor.node(Seen { name: name.clone(), step, inputs: &inputs, call: &call, stated });
        let is_constant = call.is_ok()
            && step.graphs().next().is_none()
            && inputs.iter().flatten().all(|input| input.is_constant);
        let mut inner = Vec::new();
        for (attribute, held) in step.graphs() {
            let reads: BTreeSet<String> = step.reads.iter().cloned().collect();
            let around = reads.iter().filter_map(|name| Some((name.clone(), values.get(name)?)));
            let around = around.map(|(name, known)| (name, known.clone())).collect();
            let held = graph.inner(step, held, &reads)?;
            let prefix = format!("{name}/{attribute}/");
            let given = given_within(step, &inputs);
            inner.push(self.graph(&held, &prefix, around, given, visitor)?);
        }
        let mut outputs = match &call {
            Ok((call, types)) => self.outputs(graph, step, call, types, values),
            Err(NoCall::Operator) => self.like(step, &inputs).unwrap_or_default(),
            Err(_) => from_signature(step, &inputs),
        };
        if outputs.is_empty() {
            outputs = from_within(step, &inner);
        }
        for (at, output) in step.node.output.iter().enumerate() {
            if output.is_empty() {
                continue;
            }
            let mut known = outputs.get(at).cloned().unwrap_or_default();
            if known.dtype.is_none() || known.shape.is_none() {
                known = known.or(&self.stated(output, graph.types.get(output)));
            }
            known.is_constant = is_constant;
            values.insert(output.clone(), known);
        }
        Ok(())
    }

    /// The call that a node makes of these inputs.
    fn call(
        &self,
        step: &Step,
        inputs: &[Option<Known>],
    ) -> Result<(Call, Vec<TensorType>), NoCall> {
        let (operator, version) = known_version(step).ok_or(NoCall::Operator)?;
        let deciding = deciding(operator);
        let mut is_certain = true;
        let mut tensors = Vec::with_capacity(inputs.len());
        for (at, (input, name)) in inputs.iter().zip(&step.node.input).enumerate() {
            let Some(known) = input else {
                tensors.push(None);
                continue;
            };
            if let Some(value) = &known.value {
                tensors.push(Some(value.clone()));
                continue;
            }
            let (Some(dtype), Some(shape)) = (known.dtype, &known.shape) else {
                return Err(NoCall::Input(name.clone()));
            };
            if deciding.contains(&at) && element_count(shape) != Ok(0) {
                return Err(NoCall::Elements(name.clone()));
            }
            // Zeros in place of indices and counts may be what is wrong.
            is_certain &= at == 0 || !matches!(dtype, DType::Int32 | DType::Int64);
            let zeros = self.zeros(dtype, shape).ok_or_else(|| NoCall::Large(name.clone()))?;
            tensors.push(Some(zeros));
        }
        let asked: Vec<bool> = step.node.output.iter().map(|name| !name.is_empty()).collect();
        let attributes = call::attributes(&step.node);
        let specification = Specification::Onnx;
        let call = Call::asking_for(&asked, operator, version, specification, attributes, tensors);
        call.map_err(|Invalid(problem)| match is_certain {
            true => NoCall::Invalid(problem),
            false => NoCall::Elements(step.node.input.last().cloned().unwrap_or_default()),
        })
    }

    /// The first output of a node as that of another operator.
    fn like(&self, step: &Step, inputs: &[Option<Known>]) -> Option<Vec<Known>> {
        let name = step.node.op_type();
        let (other, taken) = match name {
            _ if !step.is_standard() => return None,
            _ if LIKE_LARGEST.contains(&name) => ("Max", inputs),
            _ if LIKE_FIRST.contains(&name) => ("Identity", inputs.get(..1)?),
            _ => return None,
        };
        let operator = operators::find(Domain::Onnx, other)?;
        let tensor = |input: &Option<Known>| {
            let known = input.as_ref()?;
            self.zeros(known.dtype?, known.shape.as_deref()?)
        };
        let tensors: Option<Vec<Tensor>> = taken.iter().map(tensor).collect();
        let tensors = tensors?.into_iter().map(Some).collect();
        let (version, attributes) = (operator.version(step.opset()?)?, BTreeMap::new());
        let call = Call::new(operator, version, Specification::Onnx, attributes, tensors);
        call.ok().map(|(_, types)| types.iter().take(1).map(Known::typed).collect())
    }

    /// What is known of the outputs of a call, one for each that the node names or leaves out.
    fn outputs(
        &self,
        graph: &Graph,
        step: &Step,
        call: &Call,
        types: &[TensorType],
        values: &BTreeMap<String, Known>,
    ) -> Vec<Known> {
        let computed = self.computed(graph, step, call, types, values).unwrap_or_default();
        let (mut types, mut computed) = (types.iter(), computed.into_iter());
        let of = |name: &String| {
            if name.is_empty() {
                return Known::default();
            }
            let typed = types.next().map(Known::typed).unwrap_or_default();
            let value = computed.next().filter(|value| {
                Some(value.dtype()) == typed.dtype && Some(value.shape()) == typed.shape.as_deref()
            });
            Known { value, ..typed }
        };
        step.node.output.iter().map(of).collect()
    }

    /// What the built-in kernels compute of constants alone.
    fn computed(
        &self,
        graph: &Graph,
        step: &Step,
        call: &Call,
        types: &[TensorType],
        values: &BTreeMap<String, Known>,
    ) -> Option<Vec<Tensor>> {
        let is_small = |output: &TensorType| {
            element_count(&output.shape).is_ok_and(|count| count <= ELEMENTS_KEPT)
        };
        if !types.iter().all(is_small) || step.graphs().next().is_some() {
            return None;
        }
        // What follows from the shape alone.
        let is_of_shape = matches!(call.operator.name, "Shape" | "Size");
        let mut inputs = Vec::new();
        for name in &step.reads {
            let known = values.get(name)?;
            let value = match &known.value {
                Some(value) => value.clone(),
                None if is_of_shape => self.zeros(known.dtype?, known.shape.as_deref()?)?,
                None => return None,
            };
            inputs.push((name.clone(), value));
        }
        let typed =
            |name: &str, dtype, shape: &[usize]| (name.to_owned(), tensor_type(dtype, Some(shape)));
        let ports = Ports {
            inputs: inputs
                .iter()
                .map(|(name, value)| typed(name, value.dtype(), value.shape()))
                .collect(),
            constants: Vec::new(),
            outputs: step
                .writes()
                .zip(types)
                .map(|(name, output)| typed(name, output.dtype, &output.shape))
                .collect(),
        };
        let cut = cut(graph, std::slice::from_ref(step), ports).ok()?;
        let inputs: Vec<Value> =
            inputs.into_iter().map(|(_, value)| Value::Tensor(value)).collect();
        let task = Task {
            model: &cut.model,
            file: &cut.file,
            inputs: &inputs,
            suite: Suite::Onnx,
            time: TIME,
            output_limit: ZEROS as u64,
        };
        let Outcome::Outputs(outputs) = Builtin.run(&task).outcome else { return None };
        let tensor = |output| match output {
            Value::Tensor(tensor) => Some(tensor),
            Value::Sequence(_) | Value::Optional(_) => None,
        };
        outputs.into_iter().map(tensor).collect()
    }

    fn initialiser(&mut self, proto: &TensorProto) -> Known {
        let dtype = DType::from_onnx(proto.data_type.unwrap_or_default());
        let sizes = proto.dims.iter().map(|&size| usize::try_from(size).ok());
        let shape: Option<Vec<usize>> = sizes.collect();
        let count = shape.as_deref().and_then(|shape| element_count(shape).ok());
        let mut value = None;
        if count.is_some_and(|count| count <= ELEMENTS_KEPT) {
            match self.file.whole(proto) {
                Ok(whole) => value = decode_tensor(whole).ok(),
                Err(_) => {
                    self.missing.insert(proto.name().to_owned());
                }
            }
        }
        Known { dtype, shape, value, is_constant: true }
    }

    /// A tensor of zeros, or of empty strings; `None` where it is too large.
    fn zeros(&self, dtype: DType, shape: &[usize]) -> Option<Tensor> {
        let count = element_count(shape).ok()?;
        if dtype == DType::String {
            let strings = (count <= STRINGS).then(|| vec![Bytes::new(); count])?;
            return Tensor::from_strings(shape.to_vec(), strings).ok();
        }
        let length = dtype.packed_len(count).filter(|&length| length <= ZEROS)?;
        Tensor::from_bits(dtype, shape.to_vec(), self.zeros.slice(..length)).ok()
    }

    /// What the model states of a value, with stand-ins for sizes that it leaves open.
    fn stated(&mut self, name: &str, stated: Option<&TypeProto>) -> Known {
        let Some(type_proto::Value::TensorType(tensor)) =
            stated.and_then(|stated| stated.value.as_ref())
        else {
            return Known::default();
        };
        let dtype = DType::from_onnx(tensor.elem_type());
        let chosen = self.sizes.shapes.get(name).cloned();
        let open = |shape: &TensorShapeProto| {
            let sizes = shape.dim.iter().enumerate();
            sizes.map(|(axis, dim)| self.size(dim, name, axis)).collect()
        };
        let shape = chosen.or_else(|| tensor.shape.as_ref().map(open));
        Known { dtype, shape, ..Known::default() }
    }

    fn size(&mut self, dim: &Dimension, name: &str, axis: usize) -> usize {
        let symbol = match symbol_of(dim, name, axis) {
            Ok(size) => return size,
            Err(symbol) => symbol,
        };
        if let Some(&size) = self.sizes.dims.get(&symbol).or(self.stand_ins.get(&symbol)) {
            return size;
        }
        let others = self.stand_ins.values().filter(|&&size| size > 1).count();
        let size = if axis == 0 { 1 } else { 32 * (others % 16 + 1) };
        self.stand_ins.insert(symbol, size);
        size
    }
}

/// What the walk assumed, and could not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// The sizes that stand in for those that the model leaves open, by the name of the dimension, or of the value with
    /// the place of the dimension.
    pub stand_ins: BTreeMap<String, usize>,
    /// The small constants whose data lie in other files and could not be read.
    pub missing: BTreeSet<String>,
}

/// The size of a dimension, or what it is called.
fn symbol_of(dim: &Dimension, name: &str, axis: usize) -> Result<usize, String> {
    match &dim.value {
        Some(dimension::Value::DimValue(size)) => {
            usize::try_from(*size).map_err(|_| format!("{name}[{axis}]"))
        }
        Some(dimension::Value::DimParam(symbol)) if !symbol.is_empty() => Err(symbol.clone()),
        _ => Err(format!("{name}[{axis}]")),
    }
}

impl Sizes {
    /// With the names of dimensions bound to the sizes that whole shapes give them, once all of it fits the model.
    pub fn within(mut self, graph: &Graph) -> Result<Self, SizesError> {
        let input = |name: &str| graph.inputs.iter().find(|input| input.name() == name);
        for (name, given) in &self.shapes {
            let Some(input) = input(name) else {
                let known: Vec<&str> = graph.inputs.iter().map(ValueInfoProto::name).collect();
                return Err(SizesError::Input { name: name.clone(), known: known.join(", ") });
            };
            let Some(dims) = dims_of(input.r#type.as_ref()) else { continue };
            let declared: Vec<Result<usize, String>> =
                dims.iter().enumerate().map(|(at, dim)| symbol_of(dim, name, at)).collect();
            let fits = |(size, dim): (&usize, &Result<usize, String>)| match dim {
                Ok(known) => known == size,
                Err(symbol) => self.dims.get(symbol).is_none_or(|known| known == size),
            };
            if declared.len() != given.len() || !given.iter().zip(&declared).all(fits) {
                let show = |dim: &Result<usize, String>| match dim {
                    Ok(size) => size.to_string(),
                    Err(symbol) => symbol.clone(),
                };
                let declared: Vec<String> = declared.iter().map(show).collect();
                let declared = format!("[{}]", declared.join(", "));
                let (name, given) = (name.clone(), given.clone());
                return Err(SizesError::Shape { name, declared, given });
            }
            for (&size, dim) in given.iter().zip(declared) {
                if let Err(symbol) = dim {
                    self.dims.insert(symbol, size);
                }
            }
        }
        let symbols: BTreeSet<String> = graph
            .types
            .iter()
            .flat_map(|(name, stated)| {
                let dims = dims_of(Some(stated)).unwrap_or_default().iter().enumerate();
                dims.filter_map(|(at, dim)| symbol_of(dim, name, at).err())
            })
            .collect();
        match self.dims.keys().find(|name| !symbols.contains(*name)) {
            None => Ok(self),
            Some(name) => {
                let known: Vec<&str> = symbols.iter().take(20).map(String::as_str).collect();
                let known = match known.as_slice() {
                    [] => "all of its sizes are fixed".to_owned(),
                    known => format!("those that are open: {}", known.join(", ")),
                };
                Err(SizesError::Dim { name: name.clone(), known })
            }
        }
    }
}

/// The dimensions that a type states of a tensor.
pub fn dims_of(stated: Option<&TypeProto>) -> Option<&[Dimension]> {
    match stated?.value.as_ref()? {
        type_proto::Value::TensorType(tensor) => Some(&tensor.shape.as_ref()?.dim),
        _ => None,
    }
}

/// The operator of a node in its version, where the reference knows it.
pub fn known_version(step: &Step) -> Option<(&'static Operator, &'static Version)> {
    if !step.is_standard() {
        return None;
    }
    let operator = operators::find(Domain::Onnx, step.node.op_type())?;
    Some((operator, operator.version(step.opset()?)?))
}

/// The outputs' element types as far as the signature has them.
fn from_signature(step: &Step, inputs: &[Option<Known>]) -> Vec<Known> {
    let Some((_, version)) = known_version(step) else { return Vec::new() };
    let of = |at: usize| {
        let port = version.output(at)?;
        let dtype = match port.types {
            [only] => Some(*only),
            _ => inputs.iter().enumerate().find_map(|(at, input)| {
                let same = version.input(at)?.variable == port.variable;
                input.as_ref()?.dtype.filter(|_| same)
            }),
        };
        Some(Known { dtype, ..Known::default() })
    };
    (0..step.node.output.len()).map(|at| of(at).unwrap_or_default()).collect()
}

/// What the graph within a Loop is given: the number of the round, whether it goes on, and what goes around.
fn given_within(step: &Step, inputs: &[Option<Known>]) -> Vec<Known> {
    if !step.is_standard() || step.node.op_type() != "Loop" {
        return Vec::new();
    }
    let scalar = |dtype| Known { dtype: Some(dtype), shape: Some(Vec::new()), ..Known::default() };
    let carried = inputs.iter().skip(2).map(|input| {
        let known = input.clone().unwrap_or_default();
        Known { value: None, is_constant: false, ..known }
    });
    [scalar(DType::Int64), scalar(DType::Bool)].into_iter().chain(carried).collect()
}

/// The outputs of a node by those of the graphs that it holds.
fn from_within(step: &Step, inner: &[Vec<Known>]) -> Vec<Known> {
    match (step.node.op_type(), inner) {
        ("If", [one, other]) => one
            .iter()
            .zip(other)
            .map(|(one, other)| Known {
                dtype: one.dtype.filter(|_| one.dtype == other.dtype),
                shape: one.shape.clone().filter(|_| one.shape == other.shape),
                ..Known::default()
            })
            .collect(),
        ("Loop", [body]) => {
            let carried = step.node.input.len().saturating_sub(2);
            let of = |(at, output): (usize, &Known)| Known {
                dtype: output.dtype,
                shape: output.shape.clone().filter(|_| at < carried),
                ..Known::default()
            };
            body.iter().skip(1).enumerate().map(of).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::CarriedFolder;
    use crate::corpus::case::Case;

    /// A tensor of this one's type and shape with nothing in it.
    fn blank(tensor: &Tensor) -> Tensor {
        let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
        match dtype.packed_len(tensor.elements()) {
            Some(length) => Tensor::from_bits(dtype, shape, vec![0; length].into()).unwrap(),
            None => Tensor::from_strings(shape, vec![Bytes::new(); tensor.elements()]).unwrap(),
        }
    }

    #[test]
    fn the_elements_of_other_inputs_decide_no_shape() {
        let mut calls = 0;
        for folder in CarriedFolder::all(Suite::Onnx) {
            for dir in folder.cases() {
                let case = Case::decode("", dir.load().unwrap().files()).unwrap();
                let inputs = &case.data_sets[0].inputs;
                let Ok((call, types)) = Call::of(&case.model, inputs, Suite::Onnx) else {
                    continue;
                };
                let is_deciding = |at: usize| deciding(call.operator).contains(&at);
                let inputs = call.inputs.iter().enumerate().map(|(at, input)| match input {
                    Some(input) if !is_deciding(at) => Some(blank(input)),
                    input => input.clone(),
                });
                let asked: Vec<bool> = (0..call.outputs).map(|at| call.asks_for(at)).collect();
                let Call { operator, version, attributes, .. } = call.clone();
                let again = Call::asking_for(
                    &asked,
                    operator,
                    version,
                    Suite::Onnx,
                    attributes,
                    inputs.collect(),
                );
                calls += 1;
                // Zeros may be no indices or counts of such a call, and then nothing is said.
                if let Ok((_, again)) = again {
                    assert_eq!(again, types, "{}/{}", folder.prefix(), dir.name());
                } else {
                    assert!(call.inputs.len() > 1, "{}/{}", folder.prefix(), dir.name());
                }
            }
        }
        assert!(calls > 5000, "{calls}");
    }
}

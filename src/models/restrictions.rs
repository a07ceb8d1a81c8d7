//! The restrictions of SONNX that a model breaks, by tag and node.
//!
//! A tag is that of the requirement in the [catalogues](crate::judge::requirements), whose words say what it wants. The
//! rules here are those that a call may break though ONNX allows it. What the reference refuses under SONNX alone, and no
//! requirement names, has the document's key for a tag, and the reference's words.
//!
//! Those on graphs are from the working group's document on graphs, which has one restriction, `R1`, and constraints `C1`
//! to `C6`; of these, a model that can be read may break `C1`, `C2` and `C4`.

use reference::operator::{
    AttributeValue, Attributes, Call, Invalid, Operator, Specification, Version,
};

use super::types::Known;
use crate::dtype::{DType, Kind};
use crate::tensor::Tensor;

/// What is specified by no document of SONNX.
pub const NO_OPERATOR: &str = "P_SONNX_OPERATORS";
/// See [`graph_tag`].
pub const DEAD_NODE: &str = "P_GRAPH_R1";
/// See [`graph_tag`].
pub const UNUSED_INPUT: &str = "P_GRAPH_C1";
/// See [`graph_tag`].
pub const LOOSE_OUTPUT: &str = "P_GRAPH_C2";
/// See [`graph_tag`].
pub const NO_OUTPUT: &str = "P_GRAPH_C4";

/// What the document on graphs says under a tag, in this project's words; `None` of any other tag.
pub fn graph_tag(tag: &str) -> Option<&'static str> {
    Some(match tag {
        NO_OPERATOR => "SONNX specifies the operator.",
        DEAD_NODE => "An output of each node is connected.",
        UNUSED_INPUT => "Each input of the graph is connected to a node.",
        LOOSE_OUTPUT => "Each output of the graph is the output of a node.",
        NO_OUTPUT => "A node has at least one output.",
        _ => return None,
    })
}

/// A restriction that is broken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Broken {
    /// Tag of the requirement.
    pub tag: String,
    /// Others that say the same.
    pub also: Vec<String>,
    /// What breaks it.
    pub why: String,
}

impl Broken {
    /// One of the graph's.
    pub fn of(tag: &str, why: String) -> Self {
        Self { tag: tag.to_owned(), also: Vec::new(), why }
    }
}

/// A node before the rules.
struct Node<'a> {
    version: &'static Version,
    attributes: &'a Attributes,
    inputs: &'a [Option<Known>],
}

/// A rule: the operators that it is for, the tags, in which `OP` is the operator and `KIND` FLOAT or INT, and what breaks
/// it.
struct Rule {
    operators: &'static [&'static str],
    tags: &'static [&'static str],
    broken: fn(&Node<'_>) -> Option<String>,
}

/// A rule on what `broken` finds.
const fn rule(
    operators: &'static [&'static str],
    tags: &'static [&'static str],
    broken: fn(&Node<'_>) -> Option<String>,
) -> Rule {
    Rule { operators, tags, broken }
}

const RULES: &[Rule] = &[
    rule(
        &["Add", "Sub", "Mul", "Div"],
        &["E_OP_KIND_CONSTR_A_0010", "E_OP_KIND_CONSTR_B_0010"],
        |node| node.shapes_differ(0..2),
    ),
    rule(&["Less"], &["E_LESS_KIND_CONSTR_A_010", "E_LESS_KIND_CONSTR_B_010"], |node| {
        node.shapes_differ(0..2)
    }),
    rule(&["Pow"], &["P_POW_KIND_CONSTR_0010"], |node| node.shapes_differ(0..2)),
    rule(&["Pow"], &["P_POW_KIND_CONSTR_0020", "GR3"], |node| {
        let [a, b] = [node.known(0)?.dtype?, node.known(1)?.dtype?];
        (a != b).then(|| format!("the inputs are of {a} and {b}"))
    }),
    rule(
        &["Where"],
        &[
            "P_WHERE_KIND_CONSTR_CONDITION_0010",
            "P_WHERE_KIND_CONSTR_X_0010",
            "P_WHERE_KIND_CONSTR_Y_0010",
        ],
        |node| node.shapes_differ(0..3),
    ),
    rule(&["ArgMax"], &["P_ARGMAX_R1", "GR4"], |node| node.lacks(&["axis"])),
    rule(&["ArgMax"], &["P_ARGMAX_R2", "GR4"], |node| node.lacks(&["keepdims"])),
    rule(&["ArgMax"], &["P_ARGMAX_R3", "GR4"], |node| node.lacks(&["select_last_index"])),
    rule(&["ArgMax"], &["P_ARGMAX_R4", "P_ARGMAX_CONSTR_AXIS_0010"], negative_axis),
    rule(&["ArgMax"], &["P_ARGMAX_R5", "P_ARGMAX_KIND_CONSTR_X_0020"], |node| {
        let shape = node.shape(0)?;
        let axis = node.int("axis").unwrap_or(0);
        let at = if axis < 0 { axis + shape.len() as i64 } else { axis };
        let size = shape.get(usize::try_from(at).ok()?)?;
        (*size == 0).then(|| format!("X has no elements along {axis}"))
    }),
    rule(&["BatchNormalization"], &["P_BATCHNORM_ATTR_0010", "GR4"], |node| {
        node.lacks(&["epsilon", "momentum", "training_mode"])
    }),
    rule(&["BatchNormalization"], &["P_BATCHNORM_R1"], |node| {
        (node.int("training_mode")? != 0).then(|| "`training_mode` is not 0".to_owned())
    }),
    rule(&["BatchNormalization"], &["P_BATCHNORM_FLOAT_CONSTR_EPSILON_0010"], |node| {
        let Some(AttributeValue::Float(bits)) = node.attributes.get("epsilon") else { return None };
        let epsilon = f32::from_bits(*bits);
        (epsilon.is_nan() || epsilon <= 0.0).then(|| format!("`epsilon` is {epsilon}"))
    }),
    rule(&["Clip"], &["P_CLIP_KIND_SIGNATURE_0010", "GR4"], |node| {
        node.left_out(&[(1, "min"), (2, "max")])
    }),
    rule(&["Concat"], &["P_CONCAT_ATTR_0010", "GR4"], |node| node.lacks(&["axis"])),
    rule(&["Concat"], &["P_CONCAT_R1", "P_CONCAT_ATTR_CONSTR_0020"], negative_axis),
    rule(&["Constant"], &["P_CONSTANT_R1"], |node| node.lacks(&["value"])),
    rule(&["Constant"], &["P_CONSTANT_R2", "GR1"], |node| {
        let is_sparse = node.attributes.contains_key("sparse_value");
        is_sparse.then(|| "the value is a sparse tensor".to_owned())
    }),
    rule(&["Conv"], &["GR4"], |node| {
        node.lacks(&["auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"])
    }),
    rule(&["Conv"], &["P_CONV_R1", "P_CONV_CONSTR_X_0010"], not_planar),
    rule(&["Conv"], &["P_CONV_R2", "P_CONV_CONSTR_AUTO_PAD_0020"], padded_by_itself),
    rule(&["Conv"], &["P_CONV_R3", "P_CONV_CONSTR_GROUP_0030"], |node| {
        let group = node.int("group")?;
        let channels = i64::try_from(*node.shape(0)?.get(1)?).ok()?;
        (group != 1 && group != channels)
            .then(|| format!("`group` is {group} and X has {channels} channels"))
    }),
    rule(&["Gemm"], &["P_GEMM_R2"], |node| {
        let names: Vec<String> = node.attributes.keys().map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| format!("it carries {}", names.join(", ")))
    }),
    rule(&["Gemm"], &["P_GEMM_R3", "P_GEMM_SHAPE_C_0010"], |node| {
        let is_set = |name| usize::from(node.int(name) == Some(1));
        let (a, b, c) = (node.shape(0)?, node.shape(1)?, node.shape(2)?);
        let [rows, columns] = [a.get(is_set("transA"))?, b.get(1 - is_set("transB"))?];
        (*c != [*rows, *columns])
            .then(|| format!("C of shape {c:?} is broadcast to [{rows}, {columns}]"))
    }),
    rule(&["Gemm"], &["P_GEMM_R4"], |node| node.left_out(&[(2, "C")])),
    rule(&["LeakyRelu"], &["P_LEAKYRELU_R1", "GR4"], |node| node.lacks(&["alpha"])),
    rule(&["LSTM"], &["P_LSTM_R1"], |node| {
        let is_open = |at: usize| node.known(at).is_some_and(|known| !known.is_constant);
        (is_open(1) || is_open(2)).then(|| "W or R is no constant".to_owned())
    }),
    rule(&["LSTM"], &["P_LSTM_R2"], |node| node.left_out(&[(5, "initial_h"), (6, "initial_c")])),
    rule(&["LSTM"], &["P_LSTM_R3"], |node| node.left_out(&[(3, "B")])),
    rule(&["LSTM"], &["P_LSTM_R5"], |node| node.left_out(&[(4, "sequence_lens")])),
    rule(&["LSTM"], &["P_LSTM_R6"], |node| node.left_out(&[(7, "P")])),
    rule(&["LSTM"], &["P_LSTM_R7"], |node| node.lacks(&["input_forget"])),
    rule(&["LSTM"], &["P_LSTM_R8"], |node| node.lacks(&["layout"])),
    rule(&["LSTM"], &["P_LSTM_R9"], |node| {
        let Some(AttributeValue::Texts(names)) = node.attributes.get("activations") else {
            return None;
        };
        let taken = |own: &[String]| match own {
            [f, g, h] => matches!(&**f, "Sigmoid" | "Relu") && g == "Tanh" && h == "Tanh",
            _ => false,
        };
        (!names.chunks(3).all(taken)).then(|| format!("the functions are {}", names.join(", ")))
    }),
    rule(
        &["MatMul"],
        &["P_MATMUL_KIND_CONSTR_A_0010", "P_MATMUL_KIND_CONSTR_B_0010", "P_MATMUL_INT_R1"],
        |node| {
            let [a, b] = [node.shape(0)?, node.shape(1)?];
            (a.len() != 2 || b.len() != 2)
                .then(|| format!("the operands are of shapes {a:?} and {b:?}"))
        },
    ),
    rule(&["MaxPool"], &["P_MAXPOOL_R1", "P_MAXPOOL_KIND_CONSTR_X_0010"], not_planar),
    rule(&["MaxPool"], &["P_MAXPOOL_R2", "GR4"], |node| {
        node.lacks(&[
            "auto_pad",
            "ceil_mode",
            "dilations",
            "kernel_shape",
            "pads",
            "storage_order",
            "strides",
        ])
    }),
    rule(&["MaxPool"], &["P_MAXPOOL_R3", "P_MAXPOOL_CONSTR_AUTO_PAD_0020"], padded_by_itself),
    rule(&["MaxPool"], &["P_MAXPOOL_R4", "P_MAXPOOL_CONSTR_CEIL_MODE_0020"], |node| {
        (node.int("ceil_mode")? != 0).then(|| "`ceil_mode` is not 0".to_owned())
    }),
    rule(&["MaxPool"], &["P_MAXPOOL_R5", "P_MAXPOOL_CONSTR_STORAGE_0010"], |node| {
        (node.int("storage_order")? != 0).then(|| "`storage_order` is not 0".to_owned())
    }),
    rule(&["MaxPool"], &["P_MAXPOOL_CONSTR_PADS_0020", "P_MAXPOOL_CONSTR_KERNEL_0030"], |node| {
        let [kernel, pads] = [node.ints("kernel_shape")?, node.ints("pads")?];
        let dilations = node.ints("dilations").unwrap_or(&[]);
        let extent = |at: usize| {
            let dilation = dilations.get(at).copied().unwrap_or(1);
            dilation.checked_mul(kernel.get(at)?.checked_sub(1)?)?.checked_add(1)
        };
        let axes = kernel.len();
        let at = (0..pads.len())
            .find(|&at| extent(at % axes.max(1)).is_some_and(|extent| extent <= pads[at]))?;
        Some(format!("a padding of {} is as long as the kernel", pads[at]))
    }),
    rule(&["Range"], &["P_RANGE_ATTR_0010", "GR4"], |node| node.lacks(&["stash_type"])),
    rule(&["Slice"], &["P_SLICE_R1"], |node| node.left_out(&[(3, "axes")])),
    rule(&["Slice"], &["P_SLICE_R3"], |node| node.left_out(&[(4, "steps")])),
    rule(&["Slice"], &["P_SLICE_R2", "P_SLICE_CONSTR_X_0010"], |node| {
        let (rank, axes) = (node.shape(0)?.len(), node.shape(3)?.first()?);
        (*axes != rank).then(|| format!("{axes} of {rank} dimensions are listed"))
    }),
    rule(&["Slice"], &["P_SLICE_R6", "P_SLICE_CONSTR_S_0030"], |node| {
        node.entries()?.into_iter().find_map(|entry| {
            let Entry { start, end, step, .. } = entry;
            (step > 0 && entry.is_within() && entry.place_of(end) < entry.place_of(start))
                .then(|| format!("the end {end} lies before the start {start}"))
        })
    }),
    rule(&["Slice"], &["P_SLICE_R7", "P_SLICE_CONSTR_S_0030"], |node| {
        node.entries()?.into_iter().find_map(|entry| {
            let Entry { start, end, step, .. } = entry;
            (step < 0 && entry.is_within() && entry.place_of(end) > entry.place_of(start))
                .then(|| format!("the end {end} lies after the start {start}"))
        })
    }),
    rule(&["Slice"], &["P_SLICE_R8", "P_SLICE_CONSTR_S_0020"], |node| {
        node.entries()?.into_iter().find_map(|Entry { start, size, .. }| {
            (start >= size).then(|| format!("the start {start} is not within a size of {size}"))
        })
    }),
    rule(&["Slice"], &["P_SLICE_CONSTR_S_0020"], |node| {
        node.entries()?.into_iter().find_map(|Entry { start, size, .. }| {
            (start < -size).then(|| format!("the start {start} is not within a size of {size}"))
        })
    }),
    rule(&["Slice"], &["P_SLICE_CONSTR_E_0020"], |node| {
        node.entries()?.into_iter().find_map(|entry| {
            let Entry { end, size, step, .. } = entry;
            (step > 0 && !entry.holds_end())
                .then(|| format!("the end {end} is not within a size of {size}"))
        })
    }),
    rule(&["Slice"], &["P_SLICE_CONSTR_E_0030"], |node| {
        node.entries()?.into_iter().find_map(|entry| {
            let Entry { end, size, step, .. } = entry;
            (step < 0 && !entry.holds_end())
                .then(|| format!("the end {end} is not within a size of {size}"))
        })
    }),
    rule(&["Slice"], &["P_SLICE_CONSTR_A_0030"], |node| {
        let mut axes = node.axes()?;
        let count = axes.len();
        axes.sort_unstable();
        axes.dedup();
        (axes.len() < count).then(|| "a dimension is listed twice".to_owned())
    }),
    rule(&["Slice"], &["P_SLICE_CONSTR_X_0030"], |node| {
        node.shape(0)?.is_empty().then(|| "X is a scalar".to_owned())
    }),
    rule(&["Softmax"], &["P_SOFTMAX_ATTR_0010", "GR4"], |node| node.lacks(&["axis"])),
    rule(&["Softmax"], &["P_SOFTMAX_R1", "P_SOFTMAX_CONSTR_AXIS_0010"], negative_axis),
];

impl Node<'_> {
    fn known(&self, at: usize) -> Option<&Known> {
        self.inputs.get(at)?.as_ref()
    }

    fn shape(&self, at: usize) -> Option<&[usize]> {
        self.known(at)?.shape.as_deref()
    }

    fn int(&self, name: &str) -> Option<i64> {
        match self.attributes.get(name)? {
            AttributeValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.attributes.get(name)? {
            AttributeValue::Ints(values) => Some(values),
            _ => None,
        }
    }

    fn shapes_differ(&self, inputs: std::ops::Range<usize>) -> Option<String> {
        let shapes: Vec<&[usize]> = inputs.filter_map(|at| self.shape(at)).collect();
        let shown: Vec<String> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
        let differ = shapes.windows(2).any(|pair| pair[0] != pair[1]);
        differ.then(|| format!("the inputs are of shapes {}", shown.join(", ")))
    }

    fn lacks(&self, names: &[&str]) -> Option<String> {
        let is_missing = |name: &&&str| {
            let mut specs = self.version.attributes.iter();
            specs.any(|spec| spec.name == **name) && !self.attributes.contains_key(**name)
        };
        let missing = names.iter().filter(is_missing);
        let missing: Vec<String> = missing.map(|name| format!("`{name}`")).collect();
        (!missing.is_empty()).then(|| format!("it lacks {}", missing.join(", ")))
    }

    fn left_out(&self, inputs: &[(usize, &str)]) -> Option<String> {
        let missing = inputs.iter().filter(|(at, _)| self.known(*at).is_none());
        let missing: Vec<&str> = missing.map(|(_, name)| *name).collect();
        (!missing.is_empty()).then(|| format!("it lacks its input {}", missing.join(", ")))
    }

    /// The integers of an input, where they are known.
    fn list(&self, at: usize) -> Option<Vec<i64>> {
        integers(self.known(at)?.value.as_ref()?)
    }

    /// The dimensions that a Slice lists, counted from the first.
    fn axes(&self) -> Option<Vec<i64>> {
        let rank = self.shape(0)?.len() as i64;
        let axes = match self.known(3) {
            Some(_) => self.list(3)?,
            None => (0..self.list(1)?.len() as i64).collect(),
        };
        Some(axes.into_iter().map(|axis| if axis < 0 { axis + rank } else { axis }).collect())
    }

    /// What a Slice takes along each dimension that it lists.
    fn entries(&self) -> Option<Vec<Entry>> {
        let (shape, axes) = (self.shape(0)?, self.axes()?);
        let (starts, ends) = (self.list(1)?, self.list(2)?);
        let steps = match self.known(4) {
            Some(_) => self.list(4)?,
            None => vec![1; axes.len()],
        };
        let entry = |at: usize| {
            let size = *shape.get(usize::try_from(axes[at]).ok()?)? as i64;
            let (start, end, step) = (*starts.get(at)?, *ends.get(at)?, *steps.get(at)?);
            Some(Entry { size, start, end, step })
        };
        (0..axes.len()).map(entry).collect()
    }
}

fn negative_axis(node: &Node<'_>) -> Option<String> {
    let axis = node.int("axis")?;
    (axis < 0).then(|| format!("`axis` is {axis}"))
}

fn not_planar(node: &Node<'_>) -> Option<String> {
    let rank = node.shape(0)?.len();
    (rank != 4).then(|| format!("X has {rank} dimensions, not 4"))
}

fn padded_by_itself(node: &Node<'_>) -> Option<String> {
    match node.attributes.get("auto_pad")? {
        AttributeValue::Text(text) if text != "NOTSET" => Some(format!("`auto_pad` is {text}")),
        _ => None,
    }
}

/// What a Slice takes along one dimension.
#[derive(Clone, Copy)]
struct Entry {
    size: i64,
    start: i64,
    end: i64,
    step: i64,
}

impl Entry {
    const fn place_of(self, index: i64) -> i64 {
        if index < 0 { index + self.size } else { index }
    }

    fn holds_end(self) -> bool {
        match self.step > 0 {
            true => (-self.size..=self.size).contains(&self.end),
            false => (-self.size - 1..self.size).contains(&self.end),
        }
    }

    fn is_within(self) -> bool {
        (-self.size..self.size).contains(&self.start) && self.holds_end()
    }
}

/// The integers of a tensor of int32 or int64.
fn integers(tensor: &Tensor) -> Option<Vec<i64>> {
    if let Some(wide) = tensor.as_slice::<i64>() {
        return Some(wide.to_vec());
    }
    Some(tensor.as_slice::<i32>()?.iter().map(|&value| value.into()).collect())
}

/// What SONNX wants that a use of an operator does not keep to, as far as its inputs are known; of a call also what no
/// rule names.
pub fn of_use(
    operator: &'static Operator,
    version: &'static Version,
    attributes: &Attributes,
    inputs: &[Option<Known>],
    call: Option<&Call>,
) -> Vec<Broken> {
    if !is_specified(operator) {
        return vec![not_specified(operator.name)];
    }
    let refusal = call.and_then(refusal);
    let node = Node { version, attributes, inputs };
    let mut broken = Vec::new();
    let is_of_type = |refusal: &&String| {
        let parts = refusal.rsplit_once(" has no ").or_else(|| refusal.rsplit_once(" gives no "));
        parts.is_some_and(|(_, last)| last.parse::<DType>().is_ok())
    };
    if let Some(why) = refusal.as_ref().filter(is_of_type) {
        broken.push(of_types(operator, &node, why));
    }
    let other = if kind(&node) == "INT" { "_FLOAT_" } else { "_INT_" };
    for rule in RULES.iter().filter(|rule| rule.operators.contains(&operator.name)) {
        let Some(why) = (rule.broken)(&node) else { continue };
        let tags = rule.tags.iter().map(|tag| named(tag, operator, &node));
        let mut tags = tags.filter(|tag| !tag.contains(other));
        let tag = tags.next().unwrap_or_default();
        broken.push(Broken { tag, also: tags.collect(), why });
    }
    if let (Some(why), true) = (refusal, broken.is_empty()) {
        broken.push(Broken::of(document(operator).unwrap_or_default(), why));
    }
    broken
}

/// That no document of SONNX specifies an operator.
pub fn not_specified(name: &str) -> Broken {
    Broken::of(NO_OPERATOR, format!("no document of SONNX specifies {name}"))
}

/// What the reference refuses a call for under SONNX.
fn refusal(call: &Call) -> Option<String> {
    let asked: Vec<bool> = (0..call.outputs).map(|at| call.asks_for(at)).collect();
    let Call { operator, version, attributes, inputs, .. } = call.clone();
    let restricted =
        Call::asking_for(&asked, operator, version, Specification::Sonnx, attributes, inputs);
    restricted.err().map(|Invalid(problem)| problem)
}

/// Whether SONNX specifies an operator.
pub fn is_specified(operator: &Operator) -> bool {
    document(operator).is_some()
}

/// The name of SONNX's document on an operator.
fn document(operator: &Operator) -> Option<&'static str> {
    let keys = operator.documents.iter().map(|document| document.key);
    let mut keys = keys.filter(|key| key.starts_with("sonnx-") && !key.ends_with("-draft"));
    keys.next()
}

/// The tag of an operator on an input of floats or integers.
fn named(tag: &str, operator: &Operator, node: &Node<'_>) -> String {
    tag.replace("OP", &operator.name.to_uppercase()).replace("KIND", kind(node))
}

/// The section of the documents that an element type belongs to.
fn kind(node: &Node<'_>) -> &'static str {
    // The first input of Where is its condition.
    let dtypes = node.inputs.iter().flatten().filter_map(|known| known.dtype);
    let kinds = dtypes.map(DType::kind);
    let mut kinds = kinds.filter(|kind| !matches!(kind, Kind::Bool));
    if matches!(kinds.next(), Some(Kind::Int { .. })) { "INT" } else { "FLOAT" }
}

/// That an operator has no such element type, by the tags that the catalogue has on types.
fn of_types(operator: &Operator, node: &Node<'_>, why: &str) -> Broken {
    let document = document(operator).unwrap_or_default();
    let text = operator.documents.iter().find(|own| own.key == document);
    let ids = text.map_or("", |own| own.catalogue).lines();
    let ids = ids.filter_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"'));
    let mut ids: Vec<String> =
        ids.filter(|id| id.ends_with("TYPES_0010")).map(str::to_owned).collect();
    let own = format!("_{}_", kind(node));
    ids.sort_by_key(|id| !id.contains(&own));
    let mut ids = ids.into_iter();
    let tag = ids.next().unwrap_or_else(|| document.to_owned());
    Broken { tag, also: ids.collect(), why: why.to_owned() }
}

/// A tensor that is given as an input with its elements, as the rules want it.
pub fn given(tensor: &Tensor) -> Known {
    Known {
        dtype: Some(tensor.dtype()),
        shape: Some(tensor.shape().to_vec()),
        value: Some(tensor.clone()),
        is_constant: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::CarriedFolder;
    use crate::corpus::case::Case;
    use crate::corpus::suite::Suite;

    /// The calls of a suite's cases that ONNX allows, with their ids and the requirements that they name.
    fn calls(suite: Suite, mut each: impl FnMut(&str, &[String], &Call)) {
        for folder in CarriedFolder::all(suite) {
            for dir in folder.cases() {
                let case = Case::decode("", dir.load().unwrap().files()).unwrap();
                let inputs = &case.data_sets[0].inputs;
                if let Ok((call, _)) = Call::of(&case.model, inputs, Specification::Onnx) {
                    each(dir.name(), &case.manifest.requirements, &call);
                }
            }
        }
    }

    fn known(call: &Call) -> Vec<Option<Known>> {
        call.inputs.iter().map(|input| input.as_ref().map(given)).collect()
    }

    #[test]
    fn a_refused_case_of_sonnx_breaks_a_requirement_that_it_names() {
        let mut refused = 0;
        calls(Suite::Sonnx, |id, requirements, call| {
            let Call { operator, version, attributes, .. } = call;
            let broken = of_use(operator, version, attributes, &known(call), Some(call));
            assert_eq!(broken.is_empty(), refusal(call).is_none(), "{id}: {broken:?}");
            if !broken.is_empty() {
                let names = |it: &Broken| {
                    let mut tags = it.also.iter().chain([&it.tag]);
                    tags.any(|tag| requirements.contains(tag))
                };
                assert!(broken.iter().all(names), "{id} names {requirements:?}, not {broken:?}");
                refused += 1;
            }
        });
        assert!(refused > 100, "{refused}");
    }

    #[test]
    fn what_the_reference_refuses_of_sonnx_alone_has_a_tag_of_the_catalogues() {
        let catalogue = crate::judge::requirements::Catalogue::embedded().unwrap();
        calls(Suite::Onnx, |id, _, call| {
            if !is_specified(call.operator) {
                return;
            }
            let Call { operator, version, attributes, .. } = call;
            let broken = of_use(operator, version, attributes, &known(call), Some(call));
            let (is_refused, is_newest) =
                (refusal(call).is_some(), call.version.since == call.operator.newest().since);
            // Of older versions the reference looks at less.
            assert!(!broken.is_empty() || !is_refused, "{id}");
            assert!(broken.is_empty() || is_refused || !is_newest, "{id}: {broken:?}");
            for tag in broken.iter().flat_map(|it| it.also.iter().chain([&it.tag])) {
                // Of Gemm no requirement says which types it takes.
                let is_known = catalogue.get(tag).is_some() || tag == "sonnx-gemm";
                assert!(is_known, "{id}: {tag} of {broken:?}");
            }
        });
    }
}

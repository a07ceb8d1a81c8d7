//! Distinct uses of operators, and when a case is of exactly such a use.
//!
//! Two nodes are one [`Use`] where operator, version, element types, ranks, form of broadcasting, named outputs and the
//! values of all attributes agree, those that are left out at their defaults. A case covers a use exactly where both are of
//! one [`Class`]: all of that agrees, but attributes that are sizes or numbers only have to be of one sort, as no list of
//! cases could have each of their values.
//!
//! | attributes | one class |
//! | --- | --- |
//! | `axis`, `axes` | the same dimensions, counted from either end |
//! | `kernel_shape`, `strides`, `dilations` | all 1; one size above 1 for every axis; sizes that differ |
//! | `pads`, `output_padding` | none; as many before as after; others; with negative ones |
//! | `group` | 1; one for each channel; others |
//! | `split` | parts of one size; of several |
//! | counts and sizes, such as `blocksize`, `hidden_size`, `num_outputs` | 1; more |
//! | floats | 0; 1; below 0; between 0 and 1; above 1; infinite or NaN |
//! | tensors and lists of values, such as those of Constant | element type and rank |
//! | all others | the same value |
//!
//! Sizes of tensors and elements of inputs are data and in no class, but for the form of broadcasting. Of a variadic input
//! it matters whether there is one tensor, two or more, and which types and ranks they have.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use reference::call;
use reference::operator::{
    Attribute, AttributeValue, Attributes, Operator, Otherwise, Port, Presence, Version,
};

use super::graph::Step;
use super::types::{Known, known_version};
use crate::dtype::DType;
use crate::onnx::is_default_domain;

/// The operators that broadcast all of their inputs against each other.
const BROADCAST: [&str; 24] = [
    "Add",
    "And",
    "BitShift",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Div",
    "Equal",
    "Greater",
    "GreaterOrEqual",
    "Less",
    "LessOrEqual",
    "Max",
    "Mean",
    "Min",
    "Mod",
    "Mul",
    "Or",
    "PRelu",
    "Pow",
    "Sub",
    "Sum",
    "Where",
    "Xor",
];

/// What stands for an element type that is unknown.
pub const UNKNOWN: &str = "?";

/// A use of an operator.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The domain; empty for ONNX's own.
    pub domain: String,
    /// The operator.
    pub operator: String,
    /// The operator set that brought the version; `None` where the reference does not know it.
    pub since_version: Option<i64>,
    /// The operator set that the model imports; `None` where it imports none of the domain.
    pub opset: Option<i64>,
    /// The element type of each input; empty where it is left out, `?` where it is unknown.
    pub element_types: Vec<String>,
    /// The rank of each input; `None` where it is left out or unknown.
    pub ranks: Vec<Option<u64>>,
    /// How the inputs are broadcast, of operators that do so.
    pub broadcast: Option<String>,
    /// Of each output that is named, or left out before one that is, whether it is named.
    pub outputs: Vec<bool>,
    /// The values of attributes, with those that the version has by default.
    pub attributes: BTreeMap<String, String>,
}

impl Use {
    /// The use that a node is.
    pub fn of(step: &Step, inputs: &[Option<Known>]) -> Self {
        let known = known_version(step);
        let given = call::attributes(&step.node);
        let mut attributes: BTreeMap<String, String> =
            given.iter().map(|(name, value)| (name.clone(), shown(value))).collect();
        let specs = known.map_or(&[][..], |(_, version)| version.attributes);
        for (spec, value) in specs.iter().filter_map(|spec| Some((spec, default(spec)?))) {
            attributes.entry(spec.name.to_owned()).or_insert_with(|| shown(&value));
        }
        let inputs = trimmed(inputs);
        let dtype = |input: &Option<Known>| match input {
            None => String::new(),
            Some(known) => known.dtype.map_or(UNKNOWN, DType::name).to_owned(),
        };
        let rank = |input: &Option<Known>| Some(input.as_ref()?.shape.as_ref()?.len() as u64);
        let domain = step.node.domain();
        Self {
            domain: if is_default_domain(domain) { String::new() } else { domain.to_owned() },
            operator: step.node.op_type().to_owned(),
            since_version: known.map(|(_, version)| version.since),
            opset: step.opset(),
            element_types: inputs.iter().map(dtype).collect(),
            ranks: inputs.iter().map(rank).collect(),
            broadcast: known.and_then(|(operator, _)| form(operator, &given, &typed(inputs)?)),
            outputs: step.node.output.iter().map(|name| !name.is_empty()).collect(),
            attributes,
        }
    }
}

/// The inputs without those that are left out at the end.
fn trimmed<T>(inputs: &[Option<T>]) -> &[Option<T>] {
    let given = inputs.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    &inputs[..given]
}

/// Element type and shape of an input.
pub type Typed<'a> = Option<(DType, &'a [usize])>;

/// The types and shapes of inputs, where all are known.
pub fn typed(inputs: &[Option<Known>]) -> Option<Vec<Typed<'_>>> {
    fn of(input: &Option<Known>) -> Option<Typed<'_>> {
        let Some(known) = input else { return Some(None) };
        Some(Some((known.dtype?, known.shape.as_deref()?)))
    }
    inputs.iter().map(of).collect()
}

/// Uses that one case covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    operator: &'static str,
    since: i64,
    inputs: Vec<String>,
    variadic: Option<(usize, BTreeSet<String>)>,
    broadcast: Option<String>,
    outputs: Vec<bool>,
    attributes: BTreeMap<&'static str, String>,
}

impl Class {
    /// The operator.
    pub const fn operator(&self) -> &'static str {
        self.operator
    }

    /// The class of a version with these attributes on inputs of these types and shapes, for these outputs.
    pub fn of(
        operator: &'static Operator,
        version: &'static Version,
        attributes: &Attributes,
        inputs: &[Typed<'_>],
        outputs: &[bool],
    ) -> Self {
        let inputs = trimmed(inputs);
        let is_variadic = |port: &&Port| port.presence == Presence::Variadic;
        let fixed = match version.inputs.last().filter(is_variadic) {
            Some(_) => inputs.len().min(version.inputs.len() - 1),
            None => inputs.len(),
        };
        let show = |input: &Typed<'_>| {
            input.map_or_else(String::new, |(dtype, shape)| format!("{dtype} {}", shape.len()))
        };
        let (inputs_fixed, rest) = inputs.split_at(fixed);
        let class = |spec: &Attribute| (spec.name, class_of(operator, spec, attributes, inputs));
        let named = outputs.iter().rposition(|asked| *asked).map_or(0, |last| last + 1);
        Self {
            operator: operator.name,
            since: version.since,
            inputs: inputs_fixed.iter().map(show).collect(),
            variadic: (!rest.is_empty())
                .then(|| (rest.len().min(3), rest.iter().map(show).collect())),
            broadcast: form(operator, attributes, inputs),
            outputs: outputs[..named].to_vec(),
            attributes: version.attributes.iter().map(class).collect(),
        }
    }
}

/// How inputs are broadcast: `equal` where their shapes are; else of each whether it is whole, a part that is repeated,
/// or one element.
fn form(operator: &Operator, attributes: &Attributes, inputs: &[Typed<'_>]) -> Option<String> {
    let shapes: Vec<&[usize]> = inputs.iter().flatten().map(|(_, shape)| *shape).collect();
    let product;
    let shapes: Vec<&[usize]> = match (operator.name, shapes.as_slice()) {
        (name, _) if BROADCAST.contains(&name) => shapes,
        ("MatMul", [a, b]) => [a, b].map(|shape| &shape[..shape.len().saturating_sub(2)]).to_vec(),
        ("Gemm", [a, b, c]) if a.len() == 2 && b.len() == 2 => {
            let is_set =
                |name: &str| usize::from(attributes.get(name) == Some(&AttributeValue::Int(1)));
            product = [a[is_set("transA")], b[1 - is_set("transB")]];
            vec![&product, c]
        }
        _ => return None,
    };
    if shapes.windows(2).all(|pair| pair[0] == pair[1]) {
        return Some("equal".to_owned());
    }
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or_default();
    let mut joint = vec![1; rank];
    for shape in &shapes {
        let sizes = shape.iter().rev();
        for (size, own) in joint.iter_mut().rev().zip(sizes) {
            if *size == 1 {
                *size = *own;
            }
        }
    }
    let word = |shape: &&[usize]| match shape {
        shape if **shape == joint[..] => "whole",
        shape if shape.iter().all(|&size| size == 1) => "one",
        _ => "part",
    };
    let words: Vec<&str> = shapes.iter().map(word).collect();
    Some(match words.len() {
        0..=3 => words.join(", "),
        _ => words.into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", "),
    })
}

/// What a version has where an attribute is left out, if it states that.
pub(super) fn default(spec: &Attribute) -> Option<AttributeValue> {
    Some(match spec.otherwise {
        Otherwise::Invalid | Otherwise::Unstated => return None,
        Otherwise::Int(value) => AttributeValue::Int(value),
        Otherwise::Float(bits) => AttributeValue::Float(bits),
        Otherwise::Ints(values) => AttributeValue::Ints(values.to_vec()),
        Otherwise::Text(text) => AttributeValue::Text(text.to_owned()),
        Otherwise::Texts(texts) => {
            AttributeValue::Texts(texts.iter().map(ToString::to_string).collect())
        }
    })
}

/// The class of an attribute's value, or of what holds where it is left out.
fn class_of(
    operator: &Operator,
    spec: &Attribute,
    attributes: &Attributes,
    inputs: &[Typed<'_>],
) -> String {
    use AttributeValue::{Float, Floats, Int, Ints, Sparse, Tensor, Text, Texts};
    let shape = |at: usize| inputs.get(at).copied().flatten().map_or(&[][..], |(_, shape)| shape);
    let value = attributes.get(spec.name).cloned().or_else(|| default(spec));
    let value = value.or_else(|| match spec.name {
        "kernel_shape" => Some(Ints(size_list(shape(1).get(2..)?))),
        "strides" | "dilations" => Some(Ints(vec![1])),
        "pads" | "output_padding" => Some(Ints(vec![0])),
        _ => None,
    });
    let Some(value) = value else { return String::new() };
    let rank = match (operator.name, &value) {
        ("Unsqueeze", Ints(axes)) => shape(0).len() + axes.len(),
        _ => shape(0).len(),
    };
    let along = |axis: &i64| if *axis < 0 { axis + rank as i64 } else { *axis };
    match (spec.name, &value) {
        ("axis", Int(axis)) => along(axis).to_string(),
        ("axes", Ints(axes)) => {
            let axes: BTreeSet<i64> = axes.iter().map(along).collect();
            format!("{axes:?}")
        }
        ("kernel_shape" | "strides" | "dilations", Ints(sizes)) => match sizes.as_slice() {
            [first, rest @ ..] if rest.iter().any(|size| size != first) => "several",
            [1, ..] | [] => "1",
            _ => "one",
        }
        .to_owned(),
        ("pads" | "output_padding", Ints(pads)) => {
            let (before, after) = pads.split_at(pads.len() / 2);
            if pads.iter().all(|&pad| pad == 0) {
                "none"
            } else if pads.iter().any(|&pad| pad < 0) {
                "negative"
            } else if before == after {
                "symmetric"
            } else {
                "other"
            }
            .to_owned()
        }
        ("group", Int(1)) => "1".to_owned(),
        ("group", Int(group)) => {
            let channels = shape(0).get(1).and_then(|channels| i64::try_from(*channels).ok());
            if Some(*group) == channels { "channels" } else { "other" }.to_owned()
        }
        ("split", Ints(parts)) => {
            if parts.windows(2).all(|pair| pair[0] == pair[1]) { "equal" } else { "several" }
                .to_owned()
        }
        (name, Int(count)) if is_count(name) => if *count == 1 { "1" } else { "more" }.to_owned(),
        (_, Float(bits)) => sort_of(*bits).to_owned(),
        (_, Floats(all)) => {
            let sorts: BTreeSet<&str> = all.iter().map(|bits| sort_of(*bits)).collect();
            sorts.into_iter().collect::<Vec<_>>().join(", ")
        }
        (_, Tensor(tensor)) => format!("{} {}", tensor.dtype(), tensor.shape().len()),
        (_, Sparse(_)) => "sparse".to_owned(),
        // The values of Constant.
        (name, Int(_) | Ints(_) | Text(_) | Texts(_)) if name.starts_with("value_") => {
            "given".to_owned()
        }
        _ => shown(&value),
    }
}

fn size_list(sizes: &[usize]) -> Vec<i64> {
    sizes.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect()
}

/// Whether an attribute is a count or a size.
fn is_count(name: &str) -> bool {
    name.starts_with("num_")
        || name.ends_with("_num_heads")
        || name.ends_with("_size")
        || matches!(name, "blocksize" | "size" | "rotary_embedding_dim" | "sampling_ratio")
        || matches!(name, "output_height" | "output_width" | "max_gram_length" | "min_gram_length")
}

fn sort_of(bits: u32) -> &'static str {
    let value = f32::from_bits(bits);
    match value {
        _ if !value.is_finite() => "not finite",
        0.0 => "0",
        1.0 => "1",
        _ if value < 0.0 => "below 0",
        _ if value < 1.0 => "between 0 and 1",
        _ => "above 1",
    }
}

/// The most values of a list that are shown.
const SHOWN: usize = 16;

/// An attribute's value for readers.
pub(super) fn shown(value: &AttributeValue) -> String {
    fn list<T>(all: &[T], show: impl Fn(&T) -> String) -> String {
        let mut text = all.iter().take(SHOWN).map(show).collect::<Vec<_>>().join(", ");
        if all.len() > SHOWN {
            let _ = write!(text, ", ... ({} in all)", all.len());
        }
        format!("[{text}]")
    }
    let float = |bits: &u32| f32::from_bits(*bits).to_string();
    match value {
        AttributeValue::Int(value) => value.to_string(),
        AttributeValue::Ints(values) => list(values, ToString::to_string),
        AttributeValue::Float(bits) => float(bits),
        AttributeValue::Floats(all) => list(all, float),
        AttributeValue::Text(text) => text.clone(),
        AttributeValue::Texts(texts) => list(texts, Clone::clone),
        AttributeValue::Tensor(tensor) => format!("{} {:?}", tensor.dtype(), tensor.shape()),
        AttributeValue::Sparse(_) => "a sparse tensor".to_owned(),
        AttributeValue::Other => "a graph or another value".to_owned(),
    }
}

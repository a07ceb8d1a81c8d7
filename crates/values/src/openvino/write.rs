//! The text of `model.xml` for a model of one Divide layer between two parameters and a result.

use quick_xml::escape::escape;

use super::ELEMENT_TYPES;
use crate::dtype::DType;

/// Element type and shape of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorType<'a> {
    /// Its element type.
    pub dtype: DType,
    /// Its dimensions, outermost first.
    pub shape: &'a [usize],
}

/// The model but for what its tensors and attributes are.
const TEMPLATE: &str = include_str!("divide.xml");

/// The model that divides `a` by `b`, with the attributes as given, whether the operator has them
/// or not; `None` where OpenVINO has no name for an element type.
pub fn write_model(
    attributes: &[(&str, &str)],
    a: TensorType<'_>,
    b: TensorType<'_>,
    result: TensorType<'_>,
) -> Option<String> {
    let data = attributes
        .iter()
        .map(|(name, value)| format!(" {}=\"{}\"", escape(*name), escape(*value)))
        .collect();
    // The attributes come last, for they may hold any text.
    let parts = [
        ("{a}", parameter(a)?),
        ("{b}", parameter(b)?),
        ("{a:0}", port(0, a)?),
        ("{b:0}", port(0, b)?),
        ("{b:1}", port(1, b)?),
        ("{result:0}", port(0, result)?),
        ("{result:2}", port(2, result)?),
        ("{attributes}", data),
    ];
    let replaced = |text: String, (mark, part): (&str, String)| text.replace(mark, &part);
    Some(parts.into_iter().fold(TEMPLATE.to_owned(), replaced))
}

/// The attributes of a parameter.
fn parameter(tensor: TensorType<'_>) -> Option<String> {
    let (_, element_type, _) = names(tensor.dtype)?;
    let shape: Vec<_> = tensor.shape.iter().map(usize::to_string).collect();
    Some(format!("shape=\"{}\" element_type=\"{element_type}\"", shape.join(",")))
}

/// A port of a layer.
fn port(id: usize, tensor: TensorType<'_>) -> Option<String> {
    let (.., precision) = names(tensor.dtype)?;
    let dims = tensor.shape.iter().map(|dim| format!("\n\t\t\t\t\t<dim>{dim}</dim>"));
    let dims: String = dims.collect();
    Some(format!("<port id=\"{id}\" precision=\"{precision}\">{dims}\n\t\t\t\t</port>"))
}

fn names(dtype: DType) -> Option<&'static (DType, &'static str, &'static str)> {
    ELEMENT_TYPES.iter().find(|(known, ..)| *known == dtype)
}

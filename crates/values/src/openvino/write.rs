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

/// The model that divides `a` by `b`, with the attributes as given, whether the operator has them
/// or not; `None` where OpenVINO has no name for an element type.
#[must_use]
pub fn write_model(
    attributes: &[(&str, &str)],
    a: TensorType<'_>,
    b: TensorType<'_>,
    result: TensorType<'_>,
) -> Option<String> {
    let data: String = attributes
        .iter()
        .map(|(name, value)| format!(" {}=\"{}\"", escape(*name), escape(*value)))
        .collect();
    Some(format!(
        r#"<?xml version="1.0"?>
<net name="divide" version="11">
	<layers>
{}{}		<layer id="2" name="divide" type="Divide" version="opset1">
			<data{data}/>
			<input>
{}{}			</input>
			<output>
{}			</output>
		</layer>
		<layer id="3" name="o" type="Result" version="opset1">
			<input>
{}			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
	</edges>
</net>
"#,
        parameter(0, "a", a)?,
        parameter(1, "b", b)?,
        port(0, a)?,
        port(1, b)?,
        port(2, result)?,
        port(0, result)?,
    ))
}

fn parameter(id: usize, name: &str, tensor: TensorType<'_>) -> Option<String> {
    let (element_type, _) = names(tensor.dtype)?;
    let shape: Vec<_> = tensor.shape.iter().map(usize::to_string).collect();
    Some(format!(
        r#"		<layer id="{id}" name="{name}" type="Parameter" version="opset1">
			<data shape="{}" element_type="{element_type}"/>
			<output>
{}			</output>
		</layer>
"#,
        shape.join(","),
        port(0, tensor)?,
    ))
}

fn port(id: usize, tensor: TensorType<'_>) -> Option<String> {
    let (_, precision) = names(tensor.dtype)?;
    let dims = tensor.shape.iter().map(|dim| format!("\t\t\t\t\t<dim>{dim}</dim>\n"));
    let dims: String = dims.collect();
    Some(format!("\t\t\t\t<port id=\"{id}\" precision=\"{precision}\">\n{dims}\t\t\t\t</port>\n"))
}

/// The IR's names of an element type: in attributes, and as the precision of ports.
fn names(dtype: DType) -> Option<(&'static str, &'static str)> {
    let known = ELEMENT_TYPES.iter().find(|(known, ..)| *known == dtype)?;
    Some((known.1, known.2))
}

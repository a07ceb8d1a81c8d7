//! What SONNX and its draft restrict beyond ONNX: the types and shapes that a model declares, and
//! those of operands, which each kernel states.

use super::{Refusal, RefusalKind};
use crate::corpus::suite::Suite;
use crate::kernels::{Attributes, Document, Operator, Shapes};
use crate::onnx::Model;
use crate::onnx::proto::TensorShapeProto;
use crate::onnx::proto::tensor_shape_proto::Dimension;
use crate::onnx::proto::tensor_shape_proto::dimension::Value as DimensionValue;
use crate::onnx::proto::type_proto::Value as TypeValue;
use crate::tensor::{Tensor, Value};

/// Refuses a model that leaves a type open, under a restricted suite.
pub(super) fn check_types(suite: Suite, model: &Model) -> Result<(), Refusal> {
    let mut ports = model.inputs().iter().chain(model.outputs());
    match ports.find(|port| port.value_type.dtype().is_none()) {
        Some(port) if suite.is_restricted() => Err(Refusal::load(
            RefusalKind::Invalid,
            format!("SONNX wants every type explicit: that of `{}` is not", port.name),
        )),
        _ => Ok(()),
    }
}

/// Refuses outputs of another type than the model declares and, under a restricted suite, of another shape.
pub(super) fn check_outputs(suite: Suite, model: &Model, outputs: &[Value]) -> Result<(), Refusal> {
    for (declared, output) in model.graph().output.iter().zip(outputs) {
        let Some(TypeValue::TensorType(declared_type)) =
            declared.r#type.as_ref().and_then(|declared| declared.value.as_ref())
        else {
            continue;
        };
        for tensor in output.tensors() {
            if declared_type.elem_type() != tensor.dtype().onnx_code() {
                let message = format!("`{}` is declared of another type", declared.name());
                return Err(Refusal::run(RefusalKind::Invalid, message));
            }
            let shape = declared_type.shape.as_ref().filter(|_| suite.is_restricted());
            if shape.is_some_and(|shape| !is_of(tensor, shape)) {
                let message = format!("`{}` is declared of another shape", declared.name());
                return Err(Refusal::run(RefusalKind::Invalid, message));
            }
        }
    }
    Ok(())
}

/// Whether a tensor has a declared shape, as far as that is stated.
fn is_of(tensor: &Tensor, shape: &TensorShapeProto) -> bool {
    let agrees = |(dim, size): (&Dimension, &usize)| match &dim.value {
        Some(DimensionValue::DimValue(value)) => usize::try_from(*value) == Ok(*size),
        Some(DimensionValue::DimParam(_)) | None => true,
    };
    shape.dim.len() == tensor.shape().len() && shape.dim.iter().zip(tensor.shape()).all(agrees)
}

/// Refuses what lies outside a restricted suite.
pub(super) fn check(
    suite: Suite,
    operator: Operator,
    operands: &[Option<&Tensor>],
    attributes: &Attributes,
) -> Result<(), Refusal> {
    let document = match suite {
        Suite::Sonnx => Document::Sonnx,
        Suite::SonnxDraft => Document::SonnxDraft,
        Suite::Onnx | Suite::OpenVino => return Ok(()),
    };
    let refuse = |kind, message| Err(Refusal::run(kind, message));
    let Some(restriction) = operator.restriction(document) else {
        return refuse(RefusalKind::Unsupported, format!("SONNX does not specify {operator}"));
    };
    if let Some(name) = operator.missing(restriction, operands, attributes) {
        let message = format!("SONNX wants `{name}` of {operator}, which is left out");
        return refuse(RefusalKind::Invalid, message);
    }
    if let Some(problem) = restriction.problem.and_then(|problem| problem(operands, attributes)) {
        return refuse(RefusalKind::Invalid, format!("SONNX wants of {operator} that {problem}"));
    }
    // The last operand may be variadic.
    let types = restriction.types.iter().chain(restriction.types.last().into_iter().cycle());
    for (operand, types) in operands.iter().zip(types) {
        if let Some(dtype) = operand.map(Tensor::dtype).filter(|dtype| !types.contains(dtype)) {
            return refuse(RefusalKind::Invalid, format!("SONNX has no {operator} of {dtype}"));
        }
    }
    let shapes: Vec<_> = operands.iter().flatten().map(|operand| operand.shape()).collect();
    let problem = match restriction.shapes {
        Shapes::Equal => shapes.iter().find(|shape| **shape != shapes[0]).map(|other| {
            let first = shapes[0];
            format!("SONNX does not broadcast: {operator} is given shapes {first:?} and {other:?}")
        }),
        Shapes::Rank(count) => shapes.iter().find(|shape| shape.len() != count).map(|shape| {
            format!("SONNX's {operator} takes {count} dimensions, not those of {shape:?}")
        }),
        Shapes::Free => None,
    };
    problem.map_or(Ok(()), |message| refuse(RefusalKind::Invalid, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType::{self, Bfloat16, Bool, Float32, Int8, Int32, Int64};
    use crate::kernels::Attribute;
    use crate::kernels::newest;
    use crate::reference::operator::{AttributeValue, Call, Port, Presence};
    use crate::reference::operators;

    fn zeros(dtype: DType, shape: &[usize]) -> Tensor {
        let len = dtype.packed_len(shape.iter().product()).unwrap();
        Tensor::from_bits(dtype, shape.to_vec(), vec![0; len].into()).unwrap()
    }

    /// The attributes that SONNX needs of an operator on this type.
    fn needed(op_type: &str, dtype: DType) -> Vec<(&'static str, Attribute)> {
        match op_type {
            "Constant" => vec![("value", Attribute::Tensor(zeros(dtype, &[2])))],
            "Concat" => vec![("axis", Attribute::Int(0))],
            "LeakyRelu" => vec![("alpha", Attribute::Float(0.5))],
            _ => Vec::new(),
        }
    }

    /// The refusal of operands of these types and shapes, if there is one.
    fn refused(suite: Suite, op_type: &str, operands: &[(DType, &[usize])]) -> Option<Refusal> {
        let dtype = operands.first().map_or(Float32, |(dtype, _)| *dtype);
        refused_with(suite, op_type, operands, needed(op_type, dtype))
    }

    fn refused_with(
        suite: Suite,
        op_type: &str,
        operands: &[(DType, &[usize])],
        attributes: Vec<(&str, Attribute)>,
    ) -> Option<Refusal> {
        let tensors: Vec<_> = operands.iter().map(|(dtype, shape)| zeros(*dtype, shape)).collect();
        let operands: Vec<_> = tensors.iter().map(Some).collect();
        let attribute = |(name, value): (&str, Attribute)| (name.to_owned(), value);
        let attributes = attributes.into_iter().map(attribute).collect();
        check(suite, newest(op_type).unwrap(), &operands, &attributes).err()
    }

    /// The types that kernel and reference state independently.
    #[test]
    fn each_operator_takes_exactly_the_types_that_the_reference_takes_under_sonnx() {
        let shape = &[2, 2][..];
        for operator in operators::onnx() {
            let op_type = operator.name;
            let Some(kernel) = newest(op_type) else { continue };
            let restriction = kernel.restriction(Document::Sonnx);
            let is_specified = operator.documents.iter().any(|own| own.key.starts_with("sonnx"));
            assert_eq!(restriction.is_some(), is_specified, "{op_type}");
            let Some(restriction) = restriction else { continue };
            let inputs = operator.newest().inputs;
            // A list is none of these operands; `Shapes::Free` is its operator's.
            let is_list = |port: &Port| [&[Int64][..], &[Int32, Int64]].contains(&port.types);
            if inputs.iter().any(is_list) {
                continue;
            }
            for dtype in DType::ALL.into_iter().filter(|dtype| *dtype != DType::String) {
                let ports = inputs.iter().zip(restriction.types);
                let of_port = |(port, types): (&Port, &&[DType])| {
                    let is_open = port.variable == inputs[inputs.len() - 1].variable;
                    let is_scalar = port.presence == Presence::Optional;
                    (
                        if is_open { dtype } else { types[0] },
                        if is_scalar { &[][..] } else { shape },
                    )
                };
                let operands: Vec<_> = ports.map(of_port).collect();
                let needed = needed(op_type, dtype);
                let refusal = refused_with(Suite::Sonnx, op_type, &operands, needed.clone());
                let operands = operands.iter().map(|(dtype, shape)| Some(zeros(*dtype, shape)));
                let attribute = |(name, value): (&str, Attribute)| match value {
                    Attribute::Float(value) => {
                        (name.to_owned(), AttributeValue::Float(value.to_bits()))
                    }
                    Attribute::Int(value) => (name.to_owned(), AttributeValue::Int(value)),
                    Attribute::Tensor(value) => (name.to_owned(), AttributeValue::Tensor(value)),
                    _ => (name.to_owned(), AttributeValue::Other),
                };
                let attributes = needed.into_iter().map(attribute).collect();
                let version = operator.newest();
                let call =
                    Call::new(operator, version, Suite::Sonnx, attributes, operands.collect());
                assert_eq!(refusal.is_none(), call.is_ok(), "{op_type} of {dtype}");
                assert!(refusal.is_none_or(|refusal| refusal.kind == RefusalKind::Invalid));
            }
        }
        let refusal = refused(Suite::Sonnx, "Where", &[(Int8, shape); 3]).unwrap();
        assert_eq!(refusal.message, "SONNX has no Where-16 of int8");
    }

    #[test]
    fn operands_of_several_shapes_are_refused_and_matrices_have_two_dimensions() {
        let message = |op_type, operands: &[(DType, &[usize])]| {
            refused(Suite::Sonnx, op_type, operands).map(|refusal| refusal.message)
        };
        let (row, matrix) = ((Int32, &[3][..]), (Int32, &[2, 3][..]));
        for op_type in ["Div", "Mul"] {
            let expected =
                format!("SONNX does not broadcast: {op_type}-14 is given shapes [2, 3] and [3]");
            assert_eq!(message(op_type, &[matrix, row]), Some(expected));
            assert_eq!(message(op_type, &[row, row]), None);
        }
        let condition = (Bool, &[2, 3][..]);
        assert_eq!(message("Where", &[condition, matrix, matrix]), None);
        assert!(message("Where", &[condition, matrix, row]).is_some());
        assert!(message("Where", &[(Bool, &[]), matrix, matrix]).is_some());
        // That inner dimensions are equal is the operator's own rule.
        assert_eq!(message("MatMul", &[matrix, (Int32, &[3, 5])]), None);
        assert_eq!(
            message("MatMul", &[matrix, row]).unwrap(),
            "SONNX's MatMul-13 takes 2 dimensions, not those of [3]"
        );
        assert!(message("MatMul", &[(Int32, &[1, 2, 3]), (Int32, &[3, 5])]).is_some());
    }

    #[test]
    fn attributes_and_inputs_that_sonnx_gives_no_default_have_to_be_there() {
        let (tensor, scalar) = (zeros(Float32, &[2]), zeros(Float32, &[]));
        let refused = |op_type, operands: &[Option<&Tensor>], attributes| {
            let operator = newest(op_type).unwrap();
            let refusal = check(Suite::Sonnx, operator, operands, &attributes).err();
            refusal.map(|refusal| refusal.message)
        };
        let alpha = |name: &str| [(name.to_owned(), Attribute::Float(0.5))].into();
        assert_eq!(refused("LeakyRelu", &[Some(&tensor)], alpha("alpha")), None);
        assert_eq!(
            refused("LeakyRelu", &[Some(&tensor)], Attributes::new()).unwrap(),
            "SONNX wants `alpha` of LeakyRelu-16, which is left out"
        );
        let all = [Some(&tensor), Some(&scalar), Some(&scalar)];
        assert_eq!(refused("Clip", &all, Attributes::new()), None);
        assert_eq!(
            refused("Clip", &[Some(&tensor), None, Some(&scalar)], Attributes::new()).unwrap(),
            "SONNX wants `min` of Clip-13, which is left out"
        );
        assert_eq!(
            refused("Clip", &all[..2], Attributes::new()).unwrap(),
            "SONNX wants `max` of Clip-13, which is left out"
        );
    }

    #[test]
    fn what_no_document_specifies_is_unsupported_under_its_suite_alone() {
        let data = [(Float32, &[2, 3][..])];
        let refusal = refused(Suite::Sonnx, "Transpose", &data).unwrap();
        assert_eq!(refusal.message, "SONNX does not specify Transpose-25");
        assert_eq!(refusal.kind, RefusalKind::Unsupported);
        assert_eq!(refused(Suite::Onnx, "Transpose", &data), None);
        let bfloat16 = [(Bfloat16, &[2][..]); 2];
        assert_eq!(refused(Suite::SonnxDraft, "Div", &bfloat16), None);
        assert!(refused(Suite::Sonnx, "Div", &bfloat16).is_some());
        let refusal = refused(Suite::SonnxDraft, "Mul", &bfloat16).unwrap();
        assert_eq!(refusal.kind, RefusalKind::Unsupported);
    }
}

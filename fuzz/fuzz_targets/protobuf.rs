//! Any bytes as ONNX's protobuf: a model, and values of each type. What decodes is encoded and
//! decoded again, to the same value; and variants of a model are such models.

#![no_main]

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use onnx_conformance::onnx::{
    Model, ValueType, decode_tensor, decode_value, encode_value, with_initialisers,
    with_symbolic_shapes,
};

fuzz_target!(|bytes: &[u8]| {
    let bytes = Bytes::copy_from_slice(bytes);
    let tensor = ValueType::Tensor(None);
    let sequence = ValueType::Sequence(Box::new(tensor.clone()));
    let optional = ValueType::Optional(Box::new(sequence.clone()));
    let nested = ValueType::Sequence(Box::new(ValueType::Optional(Box::new(tensor.clone()))));
    for value_type in [tensor, sequence, optional, nested] {
        let Ok(value) = decode_value("value.pb", bytes.clone(), &value_type) else { continue };
        let again = decode_value("again.pb", encode_value("value", &value), &value_type);
        assert_eq!(again.as_ref(), Ok(&value));
    }
    let _ = with_initialisers(&bytes, &[]);
    let symbolic = with_symbolic_shapes(&bytes);
    let Ok(model) = Model::decode("model.onnx", bytes) else { return };
    if let Ok(Some(varied)) = symbolic {
        assert_eq!(with_symbolic_shapes(&varied), Ok(None));
        let varied = Model::decode("varied.onnx", varied);
        assert!(varied.is_ok_and(|varied| varied.operators() == model.operators()));
    }
    let _ = (model.operators(), model.first_opset(), model.opset("ai.onnx"));
    for initialiser in &model.graph().initializer {
        let _ = decode_tensor(initialiser.clone());
    }
    for port in model.inputs().iter().chain(model.outputs()) {
        let _ = port.value_type.dtype();
    }
});

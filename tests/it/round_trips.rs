//! What is written is read back as it was, and the laws of the distance in ULP.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use bytes::Bytes;
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::{Class, FloatFormat};
use onnx_conformance::onnx::proto::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TypeProto, ValueInfoProto,
    type_proto,
};
use onnx_conformance::onnx::{Model, ValueType, decode_value, encode_value};
use onnx_conformance::openvino::{self, Operation, TensorType, write_model};
use onnx_conformance::tensor::{Tensor, Value};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use prost::Message;

/// A tensor of any type with any bits.
fn tensors() -> impl Strategy<Value = Tensor> {
    (select(DType::ALL.to_vec()), vec(0..5_usize, 0..4)).prop_flat_map(|(dtype, shape)| {
        let count = shape.iter().product();
        let length = dtype.packed_len(count).unwrap_or_default();
        let strings = vec(vec(any::<u8>(), 0..6), count);
        (Just((dtype, shape)), vec(any::<u8>(), length), strings).prop_map(
            |((dtype, shape), mut bits, strings)| {
                if dtype == DType::Bool {
                    bits.iter_mut().for_each(|byte| *byte &= 1);
                }
                if dtype == DType::String {
                    let strings = strings.into_iter().map(Bytes::from).collect();
                    return Tensor::from_strings(shape, strings).unwrap();
                }
                Tensor::from_bits(dtype, shape, bits.into()).unwrap()
            },
        )
    })
}

/// The message of a tensor with its elements in the field for its type instead of `raw_data`, as
/// `onnx.proto` describes them.
fn typed(tensor: &Tensor) -> TensorProto {
    let mut proto = TensorProto {
        data_type: Some(tensor.dtype().onnx_code()),
        dims: tensor.shape().iter().map(|&dim| dim as i64).collect(),
        ..TensorProto::default()
    };
    let bits = tensor.bits().map_or(&[][..], |bits| bits);
    let words = |width: usize| {
        bits.chunks(width).map(move |chunk| {
            let mut word = [0; 8];
            word[..width].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
    };
    match tensor.dtype() {
        DType::String => proto.string_data = tensor.strings().unwrap().to_vec(),
        DType::Float32 | DType::Complex64 => {
            proto.float_data = words(4).map(|word| f32::from_bits(word as u32)).collect();
        }
        DType::Float64 | DType::Complex128 => {
            proto.double_data = words(8).map(f64::from_bits).collect();
        }
        DType::Int64 => proto.int64_data = words(8).map(|word| word as i64).collect(),
        DType::Uint64 => proto.uint64_data = words(8).collect(),
        DType::Uint32 => proto.uint64_data = words(4).collect(),
        DType::Int32 => proto.int32_data = words(4).map(|word| word as i32).collect(),
        DType::Int16 => proto.int32_data = words(2).map(|word| word as i16 as i32).collect(),
        DType::Int8 => proto.int32_data = words(1).map(|word| word as i8 as i32).collect(),
        DType::Uint16 | DType::Float16 | DType::Bfloat16 => {
            proto.int32_data = words(2).map(|word| word as i32).collect();
        }
        // One number to each field, however they are packed.
        DType::Float6E2M3 | DType::Float6E3M2 => {
            let element = |at| tensor.element(at).unwrap() as i32;
            proto.int32_data = (0..tensor.elements()).map(element).collect();
        }
        _ => proto.int32_data = words(1).map(|word| word as i32).collect(),
    }
    proto
}

fn formats() -> impl Strategy<Value = &'static FloatFormat> {
    let formats: Vec<_> = DType::ALL
        .into_iter()
        .filter_map(|dtype| match dtype.kind() {
            Kind::Float(format) => Some(format),
            Kind::Int { .. } | Kind::Bool | Kind::Complex(_) | Kind::String => None,
        })
        .collect();
    select(formats)
}

/// A format and bits of two of its values, often neighbours.
fn pairs() -> impl Strategy<Value = (&'static FloatFormat, u64, u64)> {
    (formats(), any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(format, a, b, near)| {
        let mask = u64::MAX >> (64 - format.width());
        let a = a & mask;
        (format, a, if near { a.wrapping_add(b % 5).wrapping_sub(2) & mask } else { b & mask })
    })
}

fn is_finite(format: &FloatFormat, bits: u64) -> bool {
    !matches!(format.class(bits), Class::Nan | Class::Infinite)
}

/// Names of ports: different, and not all plain.
fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    btree_map("[a-zß]{1,8}", Just(()), count).prop_map(|names| names.into_keys().collect())
}

fn port_type(dtype: DType, depth: usize) -> (TypeProto, ValueType) {
    let tensor =
        type_proto::Tensor { elem_type: Some(dtype.onnx_code()), ..type_proto::Tensor::default() };
    let inner = |value| TypeProto { value: Some(value) };
    let leaf = (inner(type_proto::Value::TensorType(tensor)), ValueType::Tensor(Some(dtype)));
    (0..depth).fold(leaf, |(proto, value_type), level| {
        let elem_type = Some(Box::new(proto));
        if level % 2 == 0 {
            let sequence =
                type_proto::Value::SequenceType(type_proto::Sequence { elem_type }.into());
            (inner(sequence), ValueType::Sequence(value_type.into()))
        } else {
            let optional =
                type_proto::Value::OptionalType(type_proto::Optional { elem_type }.into());
            (inner(optional), ValueType::Optional(value_type.into()))
        }
    })
}

proptest! {
    #[test]
    fn a_tensor_is_the_same_whichever_field_holds_it(tensor in tensors()) {
        let value = Value::Tensor(tensor);
        let value_type = ValueType::Tensor(None);
        let Value::Tensor(tensor) = &value else { unreachable!() };
        let raw = decode_value("raw", encode_value("x", &value), &value_type);
        prop_assert_eq!(raw.as_ref(), Ok(&value));
        let typed = decode_value("typed", typed(tensor).encode_to_vec().into(), &value_type);
        prop_assert_eq!(typed.as_ref(), Ok(&value));
    }

    #[test]
    fn a_model_reads_as_it_was_written(
        ports in vec((select(DType::ALL.to_vec()), 0..4_usize), 1..6),
        given in names(6),
        initialised in 0..6_usize,
        opset in 1..30_i64,
        tensor in tensors(),
    ) {
        let info = |name: &String, (dtype, depth): (DType, usize)| ValueInfoProto {
            name: Some(name.clone()),
            r#type: Some(port_type(dtype, depth).0)
        };
        let inputs = || given.iter().zip(ports.iter().copied());
        let node = NodeProto {
            op_type: Some("Div".to_owned()), input: given.clone(), ..NodeProto::default()
        };
        let initialiser = TensorProto { name: given.get(initialised).cloned(), ..typed(&tensor) };
        let graph = GraphProto {
            node: vec![node],
            initializer: vec![initialiser],
            input: inputs().map(|(name, port)| info(name, port)).collect(),
            output: inputs().rev().map(|(name, port)| info(name, port)).collect(),
            ..GraphProto::default()
        };
        let import = OperatorSetIdProto { domain: None, version: Some(opset) };
        let proto = ModelProto {
            opset_import: vec![import], graph: Some(graph.clone()), ..ModelProto::default()
        };
        let model = Model::decode("m.onnx", proto.encode_to_vec().into()).unwrap();
        // As bytes: a NaN among the typed fields is not equal to itself.
        prop_assert_eq!(model.graph().encode_to_vec(), graph.encode_to_vec());
        prop_assert_eq!((model.opset(""), model.first_opset()), (Some(opset), opset));
        let expected = |(name, (dtype, depth)): (&String, (DType, usize))| {
            (name.clone(), port_type(dtype, depth).1)
        };
        // An input with an initialiser is none that a data set gives.
        let outer: Vec<_> = inputs()
            .enumerate()
            .filter(|(at, _)| *at != initialised)
            .map(|(_, port)| expected(port))
            .collect();
        let found = |ports: &[onnx_conformance::onnx::Port]| {
            ports.iter().map(|p| (p.name.clone(), p.value_type.clone())).collect::<Vec<_>>()
        };
        prop_assert_eq!(found(model.inputs()), outer);
        prop_assert_eq!(found(model.outputs()), inputs().rev().map(expected).collect::<Vec<_>>());
    }

    #[test]
    fn an_openvino_model_reads_as_it_was_written(
        types in (select(DType::ALL.to_vec()), select(DType::ALL.to_vec())),
        shapes in (vec(0..1000_usize, 0..5), vec(0..1000_usize, 0..5)),
        attributes in btree_map("[a-z_]{1,8}", "[ -~ßä]{0,12}", 0..4),
    ) {
        let tensor = |dtype, shape| TensorType { dtype, shape };
        let (a, b) = (tensor(types.0, &shapes.0), tensor(types.1, &shapes.1));
        let given: Vec<_> = attributes.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let Some(text) = write_model(&given, a, b, a) else {
            let known = |dtype| write_model(&[], tensor(dtype, &[]), tensor(dtype, &[]), tensor(dtype, &[]));
            prop_assert!(known(types.0).is_none() || known(types.1).is_none());
            return Ok(());
        };
        let model = openvino::Model::read("model.xml", text.as_bytes()).unwrap();
        let parameter = |TensorType { dtype, shape }: TensorType<'_>| {
            Operation::Parameter { dtype: Some(dtype), shape: Some(shape.to_vec()) }
        };
        prop_assert_eq!(&model.layers()[0].operation, &parameter(a));
        prop_assert_eq!(&model.layers()[1].operation, &parameter(b));
        let divide = Operation::Operator { op_type: "Divide".to_owned(), opset: Some(1), attributes };
        prop_assert_eq!(&model.layers()[2].operation, &divide);
        prop_assert_eq!(&model.layers()[2].operands, &[0, 1]);
    }

    #[test]
    fn the_distance_in_ulp_is_zero_of_one_value_alone_and_the_same_both_ways(
        (format, a, b) in pairs()
    ) {
        prop_assert_eq!(format.ulp_distance(a, b), format.ulp_distance(b, a));
        prop_assert_eq!(format.ulp_distance(a, a), Some(0));
        let (x, y) = (format.to_f64(a), format.to_f64(b));
        let same = x == y || x.is_nan() && y.is_nan();
        prop_assert_eq!(format.ulp_distance(a, b) == Some(0), same, "{} and {}", x, y);
        prop_assert_eq!(format.ulp_distance(a, b).is_some(),
            is_finite(format, a) == is_finite(format, b)
                && (is_finite(format, a) || format.class(a) == format.class(b) && (same || x == y)));
    }

    #[test]
    fn values_lie_on_their_line_in_the_order_of_the_numbers((format, a, b) in pairs()) {
        let (Some(p), Some(q)) = (format.ordinal(a), format.ordinal(b)) else {
            prop_assert!(format.to_f64(a).is_nan() || format.to_f64(b).is_nan());
            return Ok(());
        };
        prop_assert_eq!(p.cmp(&q), format.to_f64(a).partial_cmp(&format.to_f64(b)).unwrap());
        if is_finite(format, a) && is_finite(format, b) {
            prop_assert_eq!(format.ulp_distance(a, b), Some(p.abs_diff(q)));
        }
    }

    #[test]
    fn what_lies_between_is_nearer_to_both_ends(
        (format, a, b) in pairs(),
        c in any::<u64>(),
    ) {
        let c = c & (u64::MAX >> (64 - format.width()));
        prop_assume!([a, b, c].into_iter().all(|bits| is_finite(format, bits)));
        let mut line = [a, b, c];
        line.sort_by_key(|&bits| format.ordinal(bits));
        let distance = |from: usize, to: usize| format.ulp_distance(line[from], line[to]).unwrap();
        // On a line the distances add up; the triangle's inequality is an equality.
        prop_assert_eq!(distance(0, 1) + distance(1, 2), distance(0, 2));
    }
}

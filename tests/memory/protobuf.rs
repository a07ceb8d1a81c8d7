//! Messages whose wire form is far smaller than what becomes of them.

use std::collections::BTreeMap;

use bytes::Bytes;
use onnx_conformance::corpus::case::Case;
use onnx_conformance::dtype::DType;
use onnx_conformance::onnx::{DecodeError, Model, ValueType, decode_value};

use crate::{Came, Found, alone, measure, sizes};

/// A delimited field.
fn field(number: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = varint(u64::from(number << 3 | 2));
    bytes.extend(varint(content.len() as u64));
    bytes.extend(content);
    bytes
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A field by its numbers from the outermost, which holds this.
fn nested(path: &[u32], content: &[u8]) -> Vec<u8> {
    path.iter().rev().fold(content.to_vec(), |content, &number| field(number, &content))
}

/// A shape: fields around, and what is repeated within them.
struct Shape {
    name: String,
    around: Vec<u32>,
    unit: Vec<u8>,
}

impl Shape {
    /// Messages below the fields of a path, of which the last is repeated, each with this content.
    fn below(path: &[u32], content: &[u8]) -> Self {
        let (&last, around) = path.split_last().unwrap();
        let name = format!("field {path:?} of {content:02x?}");
        Self { name, around: around.to_vec(), unit: field(last, content) }
    }

    /// The fields of a path up to the last, with these bytes repeated.
    fn of(path: &[u32], unit: &[u8]) -> Self {
        let name = format!("{unit:02x?} in field {path:?}");
        Self { name, around: path.to_vec(), unit: unit.to_vec() }
    }

    fn bytes(&self, size: usize) -> Vec<u8> {
        nested(&self.around, &self.unit.repeat(size / self.unit.len()))
    }
}

fn check(
    prefix: &[u8],
    shapes: Vec<Shape>,
    decode: impl Fn(Bytes) -> Result<(), DecodeError>,
) -> Found {
    let mut found = Found::default();
    for shape in shapes {
        for size in sizes() {
            let mut bytes = prefix.to_vec();
            bytes.extend(shape.bytes(size));
            bytes.shrink_to_fit();
            let refused = found.refused;
            measure(&mut found, &shape.name, bytes, |bytes| Came::of(decode(bytes.into())));
            // A larger one of the shape is refused as well.
            if found.refused > refused {
                break;
            }
        }
    }
    found
}

/// Attributes within attributes: graph, node, attribute, and so on.
fn deep(levels: usize) -> Vec<u8> {
    (0..levels).fold(Vec::new(), |inner, _| nested(&[1, 5, 6], &inner))
}

#[test]
fn no_model_takes_more() {
    let _alone = alone();
    let mut shapes = vec![
        Shape::below(&[7, 1], &[]),
        Shape::below(&[7, 1], &nested(&[5], &[])),
        Shape::below(&[7, 1, 5], &[]),
        Shape::below(&[7, 1, 5], &nested(&[5], &[])),
        Shape::below(&[7, 1, 5], &nested(&[6], &[])),
        Shape::below(&[7, 1, 5], &nested(&[14, 4, 1, 4, 1], &[])),
        Shape::below(&[7, 1], &deep(10)[2..]),
        Shape::below(&[7, 1], &nested(&[1], &[])),
        Shape::below(&[7, 1], &[nested(&[1], b"a"), nested(&[2], b"b")].concat()),
        Shape::below(&[7, 1], &nested(&[10, 2, 3], &[])),
        Shape::below(&[7, 2], &[]),
        Shape::below(&[7, 5], &[]),
        Shape::below(&[7, 5], &nested(&[8], b"n")),
        Shape::below(&[7, 15], &nested(&[1], &[])),
        Shape::below(&[7, 11], &nested(&[2, 1], &[])),
        Shape::below(&[7, 11], &[field(1, b"name"), nested(&[2, 4, 1, 9, 1, 1], &[])].concat()),
        Shape::below(&[7, 11], &[field(1, &[b'n'; 300]), nested(&[2, 1], &[])].concat()),
        Shape::below(&[7, 13], &[]),
        Shape::below(&[7, 14], &nested(&[2], &[])),
        Shape::below(&[7, 16], &nested(&[1], b"k")),
        Shape::below(&[8], &[]),
        Shape::below(&[14], &[]),
        Shape::below(&[20], &[]),
        Shape::below(&[25], &[]),
        Shape::below(&[25, 7, 5], &[]),
        Shape::below(&[26, 3], &[]),
        // A graph in pieces, which are merged.
        Shape::of(&[], &nested(&[7, 1], &[])),
        Shape::of(&[], &nested(&[7, 1, 5], &[])),
        Shape::of(&[], &[nested(&[7, 1], &[]), nested(&[7, 2], b"name")].concat()),
        // A text in pieces, of which the last is kept; and one large text.
        Shape::of(&[], &field(2, &[b'n'; 1000])),
        Shape::of(&[2], b"n"),
    ];
    // Numbers, packed and one by one.
    shapes.push(Shape::of(&[7, 1, 5, 7], &[0; 8]));
    shapes.push(Shape::of(&[7, 1, 5, 8], &[0; 8]));
    shapes.push(Shape::of(&[7, 1, 5], &[7 << 3 | 5, 0, 0, 0, 0]));
    shapes.push(Shape::of(&[7, 1, 5], &[8 << 3, 0]));
    for number in [9, 10, 11, 15, 23] {
        shapes.push(Shape::below(&[7, 1, 5, number], &[]));
    }
    let found = check(&[], shapes, |bytes| Model::decode("model.onnx", bytes).map(drop));
    assert!(found.within > 60 && found.refused > 20, "{} {}", found.within, found.refused);
    found.assert_close("models", 40);
}

#[test]
fn no_tensor_takes_more() {
    let _alone = alone();
    let mut shapes = vec![
        Shape::below(&[6], &[]),
        Shape::below(&[6], b"x"),
        Shape::below(&[13], &[]),
        Shape::below(&[16], &[]),
        Shape::of(&[], &[8, 0]),
        Shape::of(&[1], &[0]),
        Shape::of(&[8], b"n"),
        Shape::of(&[9], &[0]),
    ];
    for number in [4, 5, 7, 10, 11] {
        shapes.push(Shape::of(&[number], &[0; 8]));
    }
    for number in [5_u64, 7, 11] {
        shapes.push(Shape::of(&[], &[varint(number << 3), vec![1]].concat()));
        shapes.push(Shape::of(&[], &field(number as u32, &[1, 1, 1])));
    }
    let decode = |bytes| decode_value("x.pb", bytes, &ValueType::Tensor(None)).map(drop);
    let found = check(&[0x10, 1], shapes, decode);
    assert!(found.within > 30 && found.refused > 8, "{} {}", found.within, found.refused);
    found.assert_close("tensors", 40);
    // Every type reads its own field to the end, whatever the dimensions say.
    for dtype in DType::ALL {
        let number = match dtype {
            DType::Float32 | DType::Complex64 => 4,
            DType::Float64 | DType::Complex128 => 10,
            DType::Int64 => 7,
            DType::Uint32 | DType::Uint64 => 11,
            DType::String => 6,
            _ => 5,
        };
        let prefix = [0x10, dtype.onnx_code() as u8];
        let found = check(&prefix, vec![Shape::of(&[number], &[0; 8])], decode);
        assert!(found.within > 3, "{dtype}: {}", found.within);
    }
}

#[test]
fn nothing_large_takes_more() {
    let _alone = alone();
    let mut found = Found::default();
    let raw = [&[0x10, 2, 0x08][..], &varint(64_000_000), &field(9, &vec![1; 64_000_000])].concat();
    let packed = [&[0x10, 7][..], &field(7, &vec![1; 64_000_000])].concat();
    for (shape, bytes) in [("64 MB of raw data", raw), ("64 million packed numbers", packed)] {
        measure(&mut found, shape, bytes, |bytes| {
            Came::of(decode_value("x.pb", bytes.into(), &ValueType::Tensor(None)))
        });
    }
    let text = field(2, &vec![b'n'; 64_000_000]);
    measure(&mut found, "a text of 64 MB", text, |bytes| {
        Came::of(Model::decode("m", bytes.into()))
    });
    assert_eq!((found.within, found.refused), (2, 1));
}

#[test]
fn no_sequence_or_optional_takes_more() {
    let _alone = alone();
    let tensor = ValueType::Tensor(None);
    let tensors = ValueType::Sequence(Box::new(tensor.clone()));
    let nested_sequence = ValueType::Sequence(Box::new(tensors.clone()));
    let optionals = ValueType::Sequence(Box::new(ValueType::Optional(Box::new(tensor.clone()))));
    let optional = ValueType::Optional(Box::new(tensors.clone()));
    let scalar = [&[0x10, 9][..], &field(9, &[1])].concat();
    for (value_type, kind, shapes) in [
        (tensors, 1, vec![Shape::below(&[3], &[]), Shape::below(&[3], &scalar)]),
        (nested_sequence, 3, vec![Shape::below(&[5], &[]), Shape::below(&[5, 3], &scalar)]),
        (optionals, 5, vec![Shape::below(&[7], &[]), Shape::below(&[7], &nested(&[3], &scalar))]),
        (optional, 3, vec![Shape::below(&[5, 3], &scalar), Shape::below(&[7, 7], &[])]),
    ] {
        let decode = |bytes| decode_value("x.pb", bytes, &value_type).map(drop);
        let found = check(&[0x10, kind], shapes, decode);
        assert!(found.within > 0 && found.refused > 1, "{} {}", found.within, found.refused);
    }
    let foreign = [Shape::below(&[4], &[]), Shape::below(&[6], &[]), Shape::below(&[6, 3], &[])];
    let decode = |bytes| {
        decode_value("x.pb", bytes, &ValueType::Sequence(Box::new(ValueType::Tensor(None))))
            .map(drop)
    };
    assert!(check(&[0x10, 1], foreign.into(), decode).refused >= 2);
}

/// A case is one input: many files take no more than one of their size.
#[test]
fn no_case_takes_more_however_many_files_it_has() {
    let _alone = alone();
    const FILES: usize = 64;
    let tensor_type = field(1, &[0x08, 8]);
    let ports: Vec<u8> = (0..FILES)
        .flat_map(|_| field(11, &[field(1, b"x"), field(2, &tensor_type)].concat()))
        .collect();
    let model = field(7, &ports);
    let mut found = Found::default();
    for strings in [100, 3_000, 30_000, 300_000] {
        let tensor =
            [&[0x10, 8][..], &[0x32, 0].repeat(strings), &field(1, &varint(strings as u64))];
        let tensor = tensor.concat();
        let mut files: BTreeMap<String, Bytes> = (0..FILES)
            .map(|k| (format!("test_data_set_0/input_{k}.pb"), tensor.clone().into()))
            .collect();
        files.insert("model.onnx".to_owned(), model.clone().into());
        // The files lie in memory already: their size is taken into account as that of one input.
        let size = files.values().map(Bytes::len).sum();
        let name = format!("{FILES} files of {strings} strings");
        measure(&mut found, &name, vec![0; size], |_| Came::of(Case::decode("case", &files)));
    }
    assert!(found.within >= 2 && found.refused >= 2, "{} {}", found.within, found.refused);
}

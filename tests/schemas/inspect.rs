//! The schema of inspections.

use onnx_conformance::bytes::Bytes;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::models::file::ModelFile;
use onnx_conformance::models::inspect::document::Inspection;
use onnx_conformance::models::inspect::{Against, inspect};
use onnx_conformance::tensor::Tensor;
use serde_json::Value;

use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Inspection>();
}

#[test]
fn an_inspection_is_valid_and_one_that_differs_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    std::fs::write(&path, broadcast_sum()).unwrap();
    let made = inspect(&ModelFile::read(&path).unwrap(), &Against::default()).unwrap().document;
    assert_eq!((made.uses.len(), made.restrictions.len()), (1, 1));
    let document: Value = serde_json::from_slice(&made.to_bytes().unwrap()).unwrap();
    assert_eq!(errors::<Inspection>(&document), Vec::<String>::new());
    for (member, value) in [
        ("/format_version", 2.into()),
        ("/kind", "report".into()),
        ("/model/digest", "none".into()),
        ("/uses/0/coverage", "fair".into()),
        ("/restrictions/0/tag", Value::Null),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert_eq!(errors::<Inspection>(&changed).len(), 1, "{member}");
    }
    for path in ["", "/model", "/summary", "/uses/0", "/restrictions/0"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = 1.into();
        assert_eq!(errors::<Inspection>(&changed).len(), 1, "{path}");
    }
    let mut edited = made.clone();
    edited.summary.exact += 1;
    assert!(edited.consistent().unwrap_err().to_string().contains("summary"));
}

/// A model that adds a row to a matrix.
fn broadcast_sum() -> Bytes {
    use onnx_conformance::corpus::generate::single_node;
    use onnx_conformance::reference::operator::{Attributes, Domain};
    use onnx_conformance::reference::operators;
    let zeros = |shape: &[usize]| {
        Tensor::from_vec(shape.to_vec(), vec![0.0_f32; shape.iter().product()]).unwrap()
    };
    let (matrix, row) = (zeros(&[2, 3]), zeros(&[3]));
    let add = operators::find(Domain::Onnx, "Add").unwrap();
    single_node(add, &Attributes::new(), &[matrix.clone(), row], &matrix)
}

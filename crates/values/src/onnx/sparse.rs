//! Sparse tensors as messages hold them, from and to protobuf.
//!
//! Source: the comments on `SparseTensorProto` in ONNX's schema. Whether indices, values and dimensions go
//! together is for whoever reads them to say.

use super::decode::{Problem, decode_tensor};
use super::encode::encode_tensor;
use super::proto::SparseTensorProto;
use crate::tensor::Tensor;

/// The parts of a sparse tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sparse {
    /// The elements that are stored, of the type of all.
    pub values: Tensor,
    /// Their indices; `None` if the message has none.
    pub indices: Option<Tensor>,
    /// The dimensions of the tensor that is meant, outermost first, as they are stated.
    pub dims: Vec<i64>,
}

/// The sparse tensor of a message, each of whose parts is what it should be.
pub fn decode_sparse(proto: SparseTensorProto) -> Result<Sparse, Problem> {
    let values = decode_tensor(proto.values.ok_or(Problem::NoValues)?)?;
    let indices = proto.indices.map(decode_tensor).transpose()?;
    Ok(Sparse { values, indices, dims: proto.dims })
}

/// The message of a sparse tensor under a name, which is that of its values.
pub fn encode_sparse(name: &str, sparse: &Sparse) -> SparseTensorProto {
    SparseTensorProto {
        values: Some(encode_tensor(name, &sparse.values)),
        indices: sparse.indices.as_ref().map(|indices| encode_tensor("", indices)),
        dims: sparse.dims.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::onnx::proto::TensorProto;

    fn tensor(dtype: DType, bytes: Vec<u8>) -> Tensor {
        let count = bytes.len() * 8 / dtype.bits().unwrap() as usize;
        Tensor::from_bits(dtype, vec![count], bytes.into()).unwrap()
    }

    #[test]
    fn decoding_the_encoding_gives_the_same_parts() {
        let values = tensor(DType::Int4, vec![0x21]);
        for indices in [None, Some(tensor(DType::Int64, vec![1; 16]))] {
            let sparse = Sparse { values: values.clone(), indices, dims: vec![-1, i64::MAX] };
            assert_eq!(decode_sparse(encode_sparse("x", &sparse)), Ok(sparse));
        }
    }

    #[test]
    fn parts_that_are_missing_or_no_tensors_are_refused() {
        assert_eq!(decode_sparse(SparseTensorProto::default()), Err(Problem::NoValues));
        let unknown = TensorProto { data_type: Some(99), ..TensorProto::default() };
        let values = Some(encode_tensor("", &tensor(DType::Uint8, vec![1])));
        let none = SparseTensorProto { values: Some(unknown.clone()), ..Default::default() };
        assert_eq!(decode_sparse(none), Err(Problem::UnknownType(99)));
        let at = SparseTensorProto { values, indices: Some(unknown), dims: vec![2] };
        assert_eq!(decode_sparse(at), Err(Problem::UnknownType(99)));
    }
}

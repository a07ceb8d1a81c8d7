//! Operators of which each element is a sum, how vectors are laid out for them, and where their sums come out.

use bytes::Bytes;
use prost::Message;

use super::vector::TYPES;
use crate::corpus::generate::single_node_model;
use crate::dtype::DType;
use crate::onnx::encode_tensor;
use crate::tensor::{Tensor, TensorError};
use reference::conditioned::Term;
use reference::exact::sum::Terms;
use reference::operator::{AttributeValue, Attributes, Domain, Operator};
use reference::operators;

/// An operator whose elements are sums of any number of terms.
#[derive(Clone, Copy, Debug)]
pub struct Summation {
    /// The operator, in its newest version.
    pub operator: &'static Operator,
    /// Whether its terms are elements, or products of two.
    pub terms: Terms,
    /// Whether the sum is divided by the number of terms.
    pub is_mean: bool,
    layout: Layout,
}

/// Where the terms of several vectors lie.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// Each vector is a row, which is reduced.
    Rows,
    /// Each is the one channel of an image, one element wide.
    Images,
    /// The first factors are rows, and the second ones columns: the dot products are the diagonal of the product.
    Matrices,
    /// The first factors are the channels of a filter of one pixel, the second ones those of a pixel: again the diagonal.
    Pixels,
}

/// The operators by name, with their layouts.
const ALL: [(&str, Terms, bool, Layout); 6] = [
    ("Conv", Terms::Products, false, Layout::Pixels),
    ("Gemm", Terms::Products, false, Layout::Matrices),
    ("GlobalAveragePool", Terms::Elements, true, Layout::Images),
    ("MatMul", Terms::Products, false, Layout::Matrices),
    ("ReduceMean", Terms::Elements, true, Layout::Rows),
    ("ReduceSum", Terms::Elements, false, Layout::Rows),
];

/// A call of an operator on several vectors of one length.
pub(super) struct Question {
    pub(super) attributes: Attributes,
    /// The tensors with the terms.
    pub(super) data: Vec<Tensor>,
    /// The dimensions that are reduced, which the model states.
    pub(super) axes: Option<Tensor>,
    /// A tensor of the output's type and shape.
    pub(super) output: Tensor,
}

impl Summation {
    /// Those that there are, by name.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().filter_map(|&(name, terms, is_mean, layout)| {
            let operator = operators::find(Domain::Onnx, name)?;
            Some(Self { operator, terms, is_mean, layout })
        })
    }

    /// Whether it has a type.
    pub fn has(&self, dtype: DType) -> bool {
        TYPES.contains(&dtype) && self.operator.types().contains(&dtype)
    }

    /// The call that has the sums of these vectors among its elements.
    pub(super) fn question(
        &self,
        dtype: DType,
        vectors: &[Vec<Term>],
    ) -> Result<Question, TensorError> {
        let (rows, length) = (vectors.len(), vectors.first().map_or(0, Vec::len));
        let width = dtype.bits().unwrap_or_default() as usize / 8;
        let tensor = |shape: Vec<usize>, elements: &mut dyn Iterator<Item = u64>| {
            let mut bits = Vec::with_capacity(rows * length * width);
            elements.for_each(|element| bits.extend(&element.to_le_bytes()[..width]));
            Tensor::from_bits(dtype, shape, bits.into())
        };
        let zeros = |shape: Vec<usize>| {
            let elements: usize = shape.iter().product();
            Tensor::from_bits(dtype, shape, vec![0; elements * width].into())
        };
        let by_rows = |shape| tensor(shape, &mut vectors.iter().flatten().map(|[a, _]| *a));
        let by_columns = |shape| {
            let at = |at: usize| vectors.iter().filter_map(move |vector| Some(vector.get(at)?[1]));
            tensor(shape, &mut (0..length).flat_map(at))
        };
        let (data, shape) = match self.layout {
            Layout::Rows => (vec![by_rows(vec![rows, length])?], vec![rows]),
            Layout::Images => (vec![by_rows(vec![rows, 1, length, 1])?], vec![rows, 1, 1, 1]),
            Layout::Matrices => (
                vec![by_rows(vec![rows, length])?, by_columns(vec![length, rows])?],
                vec![rows, rows],
            ),
            Layout::Pixels => (
                vec![by_columns(vec![1, length, 1, rows])?, by_rows(vec![rows, length, 1, 1])?],
                vec![1, rows, 1, rows],
            ),
        };
        let (mut attributes, mut axes) = (Attributes::new(), None);
        if let Layout::Rows = self.layout {
            attributes.insert("keepdims".to_owned(), AttributeValue::Int(0));
            axes = Some(Tensor::from_vec(vec![1], vec![1_i64])?);
        }
        Ok(Question { attributes, data, axes, output: zeros(shape)? })
    }

    /// The place of a vector's sum among the elements of the output.
    pub(super) const fn place(&self, row: usize, rows: usize) -> usize {
        match self.layout {
            Layout::Rows | Layout::Images => row,
            Layout::Matrices | Layout::Pixels => row * rows + row,
        }
    }

    /// The model of a call, whose inputs are the tensors with the terms.
    pub(super) fn model(&self, question: &Question) -> Bytes {
        let Question { attributes, data, axes, output } = question;
        let inputs: Vec<_> = data.iter().chain(axes).cloned().collect();
        let mut model = single_node_model(self.operator, attributes, &inputs, output);
        // As models have them that are not made for a test.
        if let (Some(axes), Some(graph)) = (axes, &mut model.graph)
            && let Some(port) = graph.input.pop()
        {
            graph.initializer.push(encode_tensor(port.name(), axes));
        }
        model.encode_to_vec().into()
    }
}

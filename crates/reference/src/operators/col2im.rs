//! Col2Im: blocks, each a column of elements, are added up to an image where they lie.
//!
//! The blocks lie as the windows of a convolution of the image do, in the order of its rows; what lies in the padding is dropped, and what
//! no block covers is 0. Sums are in any order, of integers modulo 2^n. Of truth values, complex numbers and strings no text says what the
//! sum is, so that only elements of one block at most are decided, and an uncovered string is not. Nor does a text say whether a single
//! element is added to 0, which makes another NaN of a NaN and +0 of -0. The text has lists of two sizes at least, and
//! so many columns as there are blocks; ONNX's inference of shapes checks neither. Source: ONNX's schema of Col2Im-18.

use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::{Class, FloatFormat};
use values::tensor::{Tensor, coordinates};

use crate::case_table::{self, Own};
use crate::exact::dot::NoBound;
use crate::exact::sum::{Scale, Sum, Terms};
use crate::exact::{Conforming, Number};
use crate::families::picking::{bounded, sizes};
use crate::families::reshaping::moved;
use crate::families::summing::{Accumulated, Summed, bits_at, elements_at};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Port,
    Reference, TensorType, Version,
};
use crate::pointwise::Moved;

/// Col2Im in ONNX's default domain.
pub static COL2IM: Operator = Operator {
    documents: &[Document {
        key: "onnx-col2im",
        catalogue: include_str!("col2im/onnx-col2im.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("col2im/cases.toml");
        case_table::cases(of, &COL2IM, &[table], Own::NONE)
    }),
    ..Operator::onnx("Col2Im", OperatorKind::Accumulated, &VERSIONS, &Col2Im)
};

const VERSIONS: [Version; 1] = [Version {
    since: 18,
    inputs: &[
        Port::new("input", moved(16), "T"),
        Port::new("image_shape", &[DType::Int64], "I"),
        Port::new("block_shape", &[DType::Int64], "I"),
    ],
    outputs: &[Port::new("output", moved(16), "T")],
    attributes: &[
        Attribute::new("dilations", AttributeType::Ints),
        Attribute::new("pads", AttributeType::Ints),
        Attribute::new("strides", AttributeType::Ints),
    ],
}];

/// Blocks and where they lie.
struct Blocks<'a> {
    data: &'a Tensor,
    /// The shape of the output.
    shape: Vec<usize>,
    axes: Vec<Axis>,
}

/// A dimension of the image.
struct Axis {
    /// Elements of a block, and blocks.
    block: i128,
    blocks: i128,
    stride: i128,
    dilation: i128,
    /// Padding at the beginning.
    before: i128,
}

impl<'a> Blocks<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let data = call.input(0)?;
        let input = |at| -> Result<Vec<usize>, Invalid> {
            let list = call.integers(at)?.unwrap_or_default();
            sizes(call, call.version.inputs[at].name, &list)
        };
        let (image, block) = (input(1)?, input(2)?);
        let &[batches, rows, columns] = data.shape() else {
            return Err(call.invalid("takes columns of three dimensions"));
        };
        let rank = image.len();
        if rank < 2 || block.len() != rank || block.contains(&0) {
            return Err(call.invalid(&format!("takes no blocks of {block:?} in {image:?}")));
        }
        let list = |name, count: usize, otherwise: i64| {
            let list = call.ints(name).map_or_else(|| vec![otherwise; count], <[i64]>::to_vec);
            match list.len() == count && list.iter().all(|number| *number >= otherwise) {
                true => Ok(list.into_iter().map(i128::from).collect::<Vec<_>>()),
                false => Err(call.invalid(&format!("takes no `{name}` of {list:?}"))),
            }
        };
        let [strides, dilations] = [list("strides", rank, 1)?, list("dilations", rank, 1)?];
        let pads = list("pads", 2 * rank, 0)?;
        let axes = (0..rank).map(|at| {
            let (stride, dilation, before) = (strides[at], dilations[at], pads[at]);
            let block = block[at] as i128;
            let rest = image[at] as i128 + before + pads[rank + at] - dilation * (block - 1) - 1;
            let blocks = rest.div_euclid(stride) + 1;
            Axis { block, blocks: blocks.max(0), stride, dilation, before }
        });
        let axes: Vec<Axis> = axes.collect();
        let product = |of: fn(&Axis) -> i128| axes.iter().map(of).fold(1, i128::saturating_mul);
        let (elements, blocks) = (product(|axis| axis.block), product(|axis| axis.blocks));
        if blocks != columns as i128 || rows as i128 % elements != 0 {
            let shape = data.shape();
            return Err(
                call.invalid(&format!("has no {blocks} columns of {elements} in {shape:?}"))
            );
        }
        let channels = (rows as i128 / elements) as usize;
        let shape = [&[batches, channels][..], &image].concat();
        Ok(Self { data, shape, axes })
    }

    /// The places of the elements that are added up at an index.
    fn places(&self, index: usize) -> Vec<usize> {
        let [batches, rows, columns] = self.data.shape() else { return Vec::new() };
        if batches * rows * columns == 0 {
            return Vec::new();
        }
        let at = coordinates(index, &self.shape);
        // The element of a block and the block, of all dimensions so far.
        let mut found = vec![(0, 0)];
        for (axis, at) in self.axes.iter().zip(&at[2..]) {
            let pairs = (0..axis.blocks).filter_map(|block| {
                let within = *at as i128 + axis.before - block * axis.stride;
                let element = within.div_euclid(axis.dilation);
                let is_hit = within % axis.dilation == 0 && (0..axis.block).contains(&element);
                is_hit.then_some((element, block))
            });
            let pairs: Vec<(i128, i128)> = pairs.collect();
            let inner = |&(element, block): &(i128, i128)| {
                let next = move |(own, other): &(i128, i128)| {
                    (element * axis.block + own, block * axis.blocks + other)
                };
                pairs.iter().map(next).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(inner).collect();
        }
        let elements = rows / self.shape[1].max(1);
        let first = at[0] * rows + at[1] * elements;
        let place =
            |(element, block): (i128, i128)| (first + element as usize) * columns + block as usize;
        found.into_iter().map(place).collect()
    }

    /// The element of a type that has no arithmetic; `None` where no text says what it is.
    fn moved(&self, index: usize) -> Option<Element> {
        match self.places(index)[..] {
            [] if self.data.dtype() == DType::String => None,
            [] => Some(Element::Bits(self.data.dtype(), 0)),
            [place] => Element::of(self.data, place).filter(|element| !is_changed_by_zero(element)),
            _ => None,
        }
    }
}

/// Whether the sum of a complex number and 0 may have other bits.
fn is_changed_by_zero(element: &Element) -> bool {
    match (element, element.dtype().kind()) {
        (Element::Bits(_, bits), Kind::Complex(format)) => {
            let negative_zero = format.negated(0);
            let mut parts = format.parts(*bits).into_iter();
            parts.any(|part| part == negative_zero || format.class(part) == Class::Nan)
        }
        _ => false,
    }
}

impl Summed for Blocks<'_> {
    fn dtype(&self) -> DType {
        self.data.dtype()
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let mut sum = Sum::new(format, Terms::Elements, Scale::Divisor(1))?;
        let places = self.places(index).into_iter();
        places.filter_map(|place| bits_at(self.data, place)).for_each(|it| sum.add_element(it));
        Ok(vec![sum])
    }

    fn integer(&self, index: usize) -> Conforming {
        let Some(Number::Int(int)) = Number::of(self.data.dtype()) else {
            return Conforming::Unspecified("the type has no exact arithmetic");
        };
        let places = self.places(index).into_iter();
        let terms = places.filter_map(|place| Some(int.value(bits_at(self.data, place)?)));
        Conforming::One(int.wrap(terms.fold(0_i128, i128::wrapping_add)))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        elements_at(self.data, self.places(index).into_iter())
    }
}

struct Col2Im;

impl Reference for Col2Im {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![bounded(call, call.input(0)?.dtype(), Blocks::of(call)?.shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(blocks) = Blocks::of(call) else { return Vec::new() };
        match Number::of(blocks.dtype()) {
            Some(_) => vec![Box::new(Accumulated(blocks))],
            None => vec![Box::new(Moved(move |index| blocks.moved(index)))],
        }
    }
}

#[cfg(test)]
mod tests;

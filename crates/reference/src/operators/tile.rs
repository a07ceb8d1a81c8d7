//! Tile: copies of the input side by side, along every dimension as many as a list says.
//!
//! Version 1 makes copies along one dimension; both numbers are of the data's float type. It says that the output has the
//! input's shape, which cannot be meant of several copies, and does not speak of their shapes: any single elements
//! are taken. A number of copies that is negative or, of a float, not whole is none. Sources: ONNX's schemas of Tile-1, 6
//! and 13.

use values::dtype::DType;
use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::exact::real::{Rational, value};
use crate::families::picking::{Picking, Source, bounded, sizes};
use crate::families::reshaping::{Lists, dimension, list, moved};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Ports, Reference, TensorType, Version,
};
use crate::signature::IEEE_FLOATS;

/// Tile in ONNX's default domain.
pub static TILE: Operator = Operator {
    documents: &[Document { key: "onnx-tile", catalogue: include_str!("tile/onnx-tile.toml") }],
    cases: Some(|of| case_table::cases(of, &TILE, &[include_str!("tile/cases.toml")], Own::NONE)),
    ..Operator::onnx("Tile", OperatorKind::Exact, &VERSIONS, &Tile)
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(["input", "tiles", "axis"], "output", IEEE_FLOATS) }.since(1, &[]),
    const { ports(15) }.since(6, &[]),
    const { ports(16) }.since(13, &[]),
];

const fn ports(types: usize) -> Lists<2> {
    Lists::one(["input", "repeats"], "output", moved(types))
}

struct Tile;

impl Reference for Tile {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Picking(tiled).infer(call)
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        Picking(tiled).allowed(call, outputs)
    }

    fn is_control(&self, _: &Version, at: usize) -> bool {
        at > 0
    }
}

fn tiled(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let data = call.input(0)?;
    let copies = copies(call, data.shape().len())?;
    let too_large = || call.invalid(&format!("cannot make {copies:?} copies"));
    let own = data.shape();
    let longer = own.iter().zip(&copies).map(|(size, copies)| size.checked_mul(*copies));
    let shape: Vec<usize> = longer.collect::<Option<_>>().ok_or_else(too_large)?;
    let output = bounded(call, data.dtype(), shape.clone())?;
    let source = move |index: usize| {
        let at = coordinates(index, &shape);
        let within = at.iter().zip(own).map(|(at, size)| at.checked_rem(*size));
        Element::of(data, row_major(&within.collect::<Option<Vec<_>>>()?, own)?)
    };
    Ok((output, Box::new(source)))
}

/// How many copies there are along each dimension.
fn copies(call: &Call, rank: usize) -> Result<Vec<usize>, Invalid> {
    if call.version.since == 1 {
        let (tiles, axis) = (whole(call, 1)?, whole(call, 2)?);
        let mut copies = vec![1; rank];
        copies[dimension(call, i64::MAX, axis, rank)?] = tiles;
        return sizes(call, "tiles", &copies);
    }
    let list = list(call, "repeats")?.unwrap_or_default();
    if list.len() != rank {
        let given = list.len();
        return Err(call.invalid(&format!("takes {rank} numbers in `repeats`, not {given}")));
    }
    sizes(call, "repeats", &list)
}

/// The whole number that an input of a float type is.
fn whole(call: &Call, at: usize) -> Result<i64, Invalid> {
    let tensor = call.input(at)?;
    let name = call.version.input(at).map_or("", |port| port.name);
    let refused = || call.invalid(&format!("takes a single whole number for its input {name}"));
    let bits = tensor.element(0).filter(|_| tensor.elements() == 1).ok_or_else(refused)?;
    let dtype: DType = tensor.dtype();
    let number = u64::try_from(bits).ok().and_then(|bits| value(dtype, bits));
    let number = number.filter(Rational::is_integer).ok_or_else(refused)?;
    i64::try_from(number.to_integer()).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{Attributes, Specification};
    use values::tensor::Tensor;

    fn tile(since: i64, inputs: Vec<Tensor>) -> Option<(Vec<usize>, Vec<u128>)> {
        let (version, attributes) = (TILE.version(since).unwrap(), Attributes::new());
        let inputs = inputs.into_iter().map(Some).collect();
        let (call, types) =
            Call::new(&TILE, version, Specification::Onnx, attributes, inputs).ok()?;
        let allowed = TILE.reference.allowed(&call, &types);
        let count = types[0].shape.iter().product();
        let elements = (0..count).map(|index| allowed[0].at(index).example().unwrap()).collect();
        Some((types[0].shape.clone(), elements))
    }

    fn by_list(from: &[usize], list: &[i64]) -> Option<(Vec<usize>, Vec<u128>)> {
        let bytes: Vec<u8> = (0..from.iter().product::<usize>() as u8).collect();
        let data = Tensor::from_values(DType::Uint8, from.to_vec(), bytes).unwrap();
        let list = Tensor::from_values(DType::Int64, vec![list.len()], list.to_vec()).unwrap();
        tile(13, vec![data, list])
    }

    #[test]
    fn copies_lie_side_by_side_along_every_dimension() {
        let both = vec![0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3];
        assert_eq!(by_list(&[2, 2], &[2, 2]), Some((vec![4, 4], both)));
        assert_eq!(by_list(&[], &[]), Some((vec![], vec![0])));
        assert_eq!(by_list(&[2, 2], &[0, 3]), Some((vec![0, 6], vec![])));
    }

    #[test]
    fn lists_that_say_no_copies_of_each_dimension_are_refused() {
        for list in [&[2][..], &[2, 2, 2], &[], &[1, -1], &[1 << 62, 8], &[i64::MAX, 1]] {
            assert_eq!(by_list(&[2, 2], list), None, "{list:?}");
        }
    }

    #[test]
    fn version_1_copies_along_one_dimension() {
        let of = |tiles: f32, axis: f32| {
            let data = Tensor::from_values(DType::Float32, vec![2, 1], vec![1_f32, 2.0]).unwrap();
            let one = |it| Tensor::from_values(DType::Float32, vec![1], vec![it]).unwrap();
            tile(1, vec![data, one(tiles), one(axis)]).map(|(shape, _)| shape)
        };
        assert_eq!(of(3.0, 1.0), Some(vec![2, 3]));
        assert_eq!(of(0.0, 0.0), Some(vec![0, 1]));
        for (tiles, axis) in
            [(-1.0, 0.0), (1.5, 0.0), (f32::NAN, 0.0), (f32::MAX, 0.0), (1.0, 2.0), (1.0, -1.0)]
        {
            assert_eq!(of(tiles, axis), None, "{tiles} {axis}");
        }
    }
}

//! TensorScatter: a cache with an update written into it along one dimension, for each sample from its own place on.
//!
//! In the mode `circular` the update wraps around. The schema's pseudocode then reduces every index by the length of the cache, and
//! not that along the dimension alone, as its sentences have it: where another one may be longer, nothing is decided. Of a negative
//! place in the mode `linear` no sentence speaks. Source: ONNX's schema of TensorScatter-24.

use values::dtype::DType::Int64;
use values::element::Element;

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source, integers};
use crate::families::reshaping::{dimension, moved};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};

/// TensorScatter in ONNX's default domain.
pub static TENSORSCATTER: Operator = Operator {
    documents: &[Document {
        key: "onnx-tensorscatter",
        catalogue: include_str!("tensorscatter/onnx-tensorscatter.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("tensorscatter/cases.toml");
        case_table::cases(of, &TENSORSCATTER, &[table], Own::NONE)
    }),
    ..Operator::onnx("TensorScatter", OperatorKind::Exact, &VERSIONS, &Picking(written))
};

const VERSIONS: [Version; 1] = [Version {
    since: 24,
    inputs: &[
        Port::new("past_cache", moved(24), "T"),
        Port::new("update", moved(24), "T"),
        Port::new("write_indices", &[Int64], "tensor(int64)").optional(),
    ],
    outputs: &[Port::new("present_cache", moved(24), "T")],
    attributes: &[
        Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(-2)),
        Attribute::new("mode", AttributeType::Text(&["linear", "circular"]))
            .otherwise(Otherwise::Text("linear")),
    ],
}];

fn written(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let (cache, update) = (call.input(0)?, call.input(1)?);
    let shape = cache.shape();
    let axis = dimension(call, 24, call.int("axis").unwrap_or(-2), shape.len())?;
    if axis == 0 {
        return Err(call.invalid("does not write along the dimension of samples"));
    }
    let length = shape[axis];
    let fits = |(at, (own, size)): (usize, (&usize, &usize))| {
        if at == axis { own <= size } else { own == size }
    };
    let others = update.shape();
    if others.len() != shape.len() || !others.iter().zip(shape).enumerate().all(fits) {
        return Err(call.invalid(&format!("takes no update of {others:?} to {shape:?}")));
    }
    let written = others[axis];
    let is_circular = call.text("mode") == Some("circular");
    let places = match call.inputs.get(2).and_then(Option::as_ref) {
        Some(places) if places.shape() != [shape[0]] => {
            return Err(call.invalid("takes one place for each sample"));
        }
        Some(places) => integers(places).map(i128::from).collect(),
        None => vec![0; if cache.elements() == 0 { 0 } else { shape[0] }],
    };
    let is_beyond = |place: &i128| place + written as i128 > length as i128;
    if !is_circular && places.iter().any(is_beyond) {
        return Err(call.invalid("writes beyond the end of the cache"));
    }
    let is_disputed = is_circular && shape[..axis].iter().any(|size| *size > length);
    let step = shape[axis + 1..].iter().fold(1_usize, |all, size| all.saturating_mul(*size));
    let source = move |index: usize| {
        let (line, at) = (index / step / length, index / step % length);
        let sample = line / shape[1..axis].iter().product::<usize>();
        let place = *places.get(sample)?;
        if is_disputed || !is_circular && place < 0 {
            return None;
        }
        let distance = at as i128 - place;
        let distance = if is_circular { distance.rem_euclid(length as i128) } else { distance };
        match usize::try_from(distance).ok().filter(|distance| *distance < written) {
            Some(from) => Element::of(update, (line * written + from) * step + index % step),
            None => Element::of(cache, index),
        }
    };
    Ok((TensorType::of(cache), Box::new(source)))
}

#[cfg(test)]
mod tests {
    use values::dtype::DType::Uint8;
    use values::tensor::Tensor;

    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};

    /// What the elements of a cache of this shape become, which are 0, 1, 2 and so on; those of the update begin at 100.
    fn scatter(
        shapes: [&[usize]; 2],
        places: Option<&[i64]>,
        mode: &str,
        axis: i64,
    ) -> Option<Vec<Option<u128>>> {
        let filled = |shape: &[usize], from: u8| {
            let bytes = (from..).take(shape.iter().product()).collect();
            Tensor::from_values(Uint8, shape.to_vec(), bytes).ok()
        };
        let attributes = Attributes::from([
            ("axis".to_owned(), AttributeValue::Int(axis)),
            ("mode".to_owned(), AttributeValue::Text(mode.to_owned())),
        ]);
        let places = places.map(|all| Tensor::from_values(Int64, vec![all.len()], all.to_vec()));
        let places = places.and_then(Result::ok);
        let inputs = vec![filled(shapes[0], 0), filled(shapes[1], 100), places];
        let (operator, version) = (&TENSORSCATTER, TENSORSCATTER.newest());
        let made = Call::new(operator, version, Specification::Onnx, attributes, inputs);
        let (call, types) = made.ok()?;
        let allowed = operator.reference.allowed(&call, &types);
        let of = |index| {
            let one = allowed[0].at(index);
            one.is_decided().then(|| one.example().unwrap())
        };
        Some((0..types[0].shape.iter().product()).map(of).collect())
    }

    fn some(all: &[u128]) -> Option<Vec<Option<u128>>> {
        Some(all.iter().copied().map(Some).collect())
    }

    #[test]
    fn each_sample_is_written_from_its_place_on() {
        let places = Some(&[0, 2][..]);
        let expected = some(&[100, 101, 2, 3, 4, 5, 102, 103]);
        assert_eq!(scatter([&[2, 4], &[2, 2]], places, "linear", 1), expected);
        let expected = some(&[100, 101, 2, 3, 102, 103, 6, 7]);
        assert_eq!(scatter([&[2, 2, 2], &[2, 1, 2]], None, "linear", -2), expected);
    }

    #[test]
    fn what_is_circular_wraps_around() {
        let expected = some(&[101, 1, 2, 100, 4, 5, 102, 103]);
        assert_eq!(scatter([&[2, 4], &[2, 2]], Some(&[3, -2]), "circular", -1), expected);
        // Of three samples the pseudocode writes the last one into another.
        let all = scatter([&[3, 2], &[3, 1]], None, "circular", 1).unwrap();
        assert!(all.iter().all(Option::is_none));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_negative_places_are_open() {
        let linear = |shapes, places, axis| scatter(shapes, places, "linear", axis);
        assert_eq!(linear([&[2, 4], &[2, 2]], Some(&[0, 3]), 1), None);
        assert_eq!(linear([&[2, 4], &[2, 5]], None, 1), None);
        assert_eq!(linear([&[2, 4], &[1, 2]], None, 1), None);
        assert_eq!(linear([&[2, 4], &[2, 2]], Some(&[0]), 1), None);
        for axis in [0, -2, 2, -3] {
            assert_eq!(linear([&[2, 4], &[2, 2]], None, axis), None, "{axis}");
        }
        let open = linear([&[2, 4], &[2, 2]], Some(&[0, -1]), 1).unwrap();
        assert!(open[..4].iter().all(Option::is_some) && open[4..].iter().all(Option::is_none));
    }
}

//! CenterCropPad: the middle of the input along some dimensions, or the input in the middle of zeros.
//!
//! Where the difference is odd, a window begins half an element before the middle, and padding has one element more at the end.
//! Of a dimension that is listed twice the text says that the behaviour is undefined, and it does not say what the zero of a string is. Source:
//! ONNX's schema and function of CenterCropPad-18.

use values::dtype::DType;
use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::families::picked_or_open::{Picked, PickedOrOpen, single};
use crate::families::picking::{INDICES, Source, bounded, sizes};
use crate::families::reshaping::{dimension, list, moved};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Port, Version,
};

/// CenterCropPad in ONNX's default domain.
pub static CENTERCROPPAD: Operator = Operator {
    documents: &[Document {
        key: "onnx-centercroppad",
        catalogue: include_str!("centercroppad/onnx-centercroppad.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("centercroppad/cases.toml");
        case_table::cases(of, &CENTERCROPPAD, &[table], Own::NONE)
    }),
    ..Operator::onnx("CenterCropPad", OperatorKind::Exact, &VERSIONS, &PickedOrOpen(centered))
};

const VERSIONS: [Version; 1] = [Version {
    since: 18,
    inputs: &[Port::new("input_data", moved(16), "T"), Port::new("shape", INDICES, "Tind")],
    outputs: &[Port::new("output_data", moved(16), "T")],
    attributes: &[Attribute::new("axes", AttributeType::Ints)],
}];

const TWICE: &str = "the behaviour is undefined where a dimension is listed twice";

fn centered(call: &Call) -> Result<Picked<'_>, Invalid> {
    let input = call.input(0)?;
    let (shape, rank) = (input.shape(), input.shape().len());
    let list = list(call, "shape")?.unwrap_or_default();
    let wanted = sizes(call, "shape", &list)?;
    let axes: Vec<usize> = match call.ints("axes") {
        Some(axes) => {
            axes.iter().map(|axis| dimension(call, 18, *axis, rank)).collect::<Result<_, _>>()?
        }
        None => (0..rank).collect(),
    };
    if wanted.len() != axes.len() {
        let problem = format!("takes {} sizes, but {} are given", axes.len(), wanted.len());
        return Err(call.invalid(&problem));
    }
    let mut output = shape.to_vec();
    let mut is_listed = vec![false; rank];
    for (axis, size) in axes.into_iter().zip(wanted) {
        if std::mem::replace(&mut is_listed[axis], true) {
            return Ok(Picked::Open(single(call)?, TWICE));
        }
        output[axis] = size;
    }
    let output = bounded(call, input.dtype(), output)?;
    let sizes = output.shape.clone();
    let source: Source<'_> = Box::new(move |index| {
        let mut place = coordinates(index, &sizes);
        for (at, (from, to)) in place.iter_mut().zip(shape.iter().zip(&sizes)) {
            // What is cut off before the window, or added before the input.
            let (cut, added) = (from.saturating_sub(*to) / 2, to.saturating_sub(*from) / 2);
            match (*at + cut).checked_sub(added).filter(|at| at < from) {
                Some(own) => *at = own,
                None if input.dtype() == DType::String => return None,
                None => return Some(Element::Bits(input.dtype(), 0)),
            }
        }
        Element::of(input, row_major(&place, shape)?)
    });
    Ok(Picked::From(output, source))
}

#[cfg(test)]
mod tests {
    use values::dtype::DType::{Int64, Uint8};
    use values::tensor::Tensor;

    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};

    /// What becomes of a tensor whose elements are 1, 2, 3 and so on.
    fn cut(
        from: &[usize],
        to: &[i64],
        axes: Option<&[i64]>,
    ) -> Option<(Vec<usize>, Vec<Option<u128>>)> {
        let bytes = (1..).take(from.iter().product()).collect::<Vec<u8>>();
        let data = Tensor::from_values(Uint8, from.to_vec(), bytes).ok();
        let to = Tensor::from_values(Int64, vec![to.len()], to.to_vec()).ok();
        let axes = axes.map(|axes| ("axes".to_owned(), AttributeValue::Ints(axes.to_vec())));
        let (operator, attributes) = (&CENTERCROPPAD, Attributes::from_iter(axes));
        let (version, of) = (operator.newest(), Specification::Onnx);
        let (call, types) = Call::new(operator, version, of, attributes, vec![data, to]).ok()?;
        let allowed = operator.reference.allowed(&call, &types);
        let element = |index| {
            let one = allowed[0].at(index);
            one.is_decided().then(|| one.example().unwrap())
        };
        let count = types[0].shape.iter().product();
        Some((types[0].shape.clone(), (0..count).map(element).collect()))
    }

    fn some(shape: &[usize], all: &[u128]) -> Option<(Vec<usize>, Vec<Option<u128>>)> {
        Some((shape.to_vec(), all.iter().copied().map(Some).collect()))
    }

    #[test]
    fn windows_begin_half_an_element_early_and_padding_ends_one_late() {
        assert_eq!(cut(&[6], &[4], None), some(&[4], &[2, 3, 4, 5]));
        assert_eq!(cut(&[6], &[3], None), some(&[3], &[2, 3, 4]));
        assert_eq!(cut(&[2], &[5], None), some(&[5], &[0, 1, 2, 0, 0]));
        assert_eq!(cut(&[2, 3], &[3, 1], None), some(&[3, 1], &[2, 5, 0]));
        assert_eq!(
            cut(&[2, 3], &[4], Some(&[-2])),
            some(&[4, 3], &[0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0])
        );
        assert_eq!(cut(&[2], &[0], None), some(&[0], &[]));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_what_is_listed_twice_open() {
        for (to, axes) in [
            (&[1][..], None),
            (&[1, 1], Some(&[0_i64][..])),
            (&[1], Some(&[2])),
            (&[1], Some(&[-3])),
            (&[-1, 1], None),
            (&[1 << 40, 1 << 40], None),
        ] {
            assert_eq!(cut(&[2, 3], to, axes), None, "{to:?} {axes:?}");
        }
        let (_, all) = cut(&[2, 3], &[1, 1], Some(&[1, -1])).unwrap();
        assert!(all.iter().all(Option::is_none));
    }
}

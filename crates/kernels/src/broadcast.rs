//! Broadcasting: which element of each input an output element is computed from.
//!
//! From Div-7 on it is ONNX's multidirectional broadcasting: NumPy's rule, shapes aligned at the
//! last dimension, a dimension of 1 repeated against any other. Div-1 and Div-6 have a limited
//! form: only B is repeated, either because it has a single element (and a rank not above A's) or
//! because its shape is a contiguous part of A's shape, the last part unless `axis` says where it
//! starts; a dimension of 1 in B is then matched like any other, never repeated.

use super::strides::{Dimension, index_of, merged};
use values::tensor::{TensorError, element_count};

/// The output's shape, and for every output element the elements it is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broadcast {
    shape: Vec<usize>,
    elements: usize,
    operands: Vec<Vec<Dimension>>,
}

/// Why shapes do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// The rule that they break.
    Rule(&'static str),
    /// The output would have too many elements.
    Size(TensorError),
}

impl From<TensorError> for Mismatch {
    fn from(error: TensorError) -> Self {
        Self::Size(error)
    }
}

impl Broadcast {
    /// No broadcasting.
    pub(super) fn equal(shapes: &[&[usize]]) -> Result<Self, Mismatch> {
        let [first, others @ ..] = shapes else { return Self::multidirectional(shapes) };
        if others.iter().any(|other| other != first) {
            return Err(Mismatch::Rule("without broadcasting they must be equal"));
        }
        Ok(Self::aligned(first.to_vec(), shapes)?)
    }

    /// Multidirectional broadcasting.
    pub(super) fn multidirectional(shapes: &[&[usize]]) -> Result<Self, Mismatch> {
        Ok(Self::aligned(broadcast_shape(shapes)?, shapes)?)
    }

    /// Multidirectional broadcasting that leaves one shape as it is.
    pub(super) fn unidirectional(to: &[usize], shapes: &[&[usize]]) -> Result<Self, Mismatch> {
        let plan = Self::multidirectional(shapes)?;
        match plan.shape == to {
            true => Ok(plan),
            false => Err(Mismatch::Rule("the first would have to be broadcast as well")),
        }
    }

    /// A second shape of a single element, or of one for each place along the first one's second dimension.
    pub(super) fn per_channel(a: &[usize], b: &[usize]) -> Result<Self, Mismatch> {
        match b {
            _ if element_count(b).is_ok_and(|elements| elements == 1) => {
                Ok(Self::aligned(a.to_vec(), &[a, &[]])?)
            }
            [_] if a.len() > 1 => Self::limited(a, b, Some(1)),
            _ => Err(Mismatch::Rule(
                "the second is neither a single element nor one for each channel",
            )),
        }
    }

    /// The limited broadcasting of the second shape to the first, from dimension `axis` on.
    pub(super) fn limited(a: &[usize], b: &[usize], axis: Option<usize>) -> Result<Self, Mismatch> {
        let Some(free) = a.len().checked_sub(b.len()) else {
            return Err(Mismatch::Rule("the second has more dimensions than the first"));
        };
        if element_count(b).is_ok_and(|elements| elements == 1) {
            return Ok(Self::aligned(a.to_vec(), &[a, &[]])?);
        }
        let axis = axis.unwrap_or(free);
        if axis > free {
            return Err(Mismatch::Rule("from `axis` on the first has too few dimensions"));
        }
        if a[axis..axis + b.len()] != *b {
            return Err(Mismatch::Rule(
                "the second is neither a single element nor, from `axis` on, a part of the first",
            ));
        }
        // Dimensions of 1 after B's own put it where `axis` says, for alignment at the last one.
        let mut placed = b.to_vec();
        placed.resize(a.len() - axis, 1);
        Ok(Self::aligned(a.to_vec(), &[a, &placed])?)
    }

    /// Shapes that, aligned at the last dimension, have the output's size or 1 everywhere.
    fn aligned(shape: Vec<usize>, operands: &[&[usize]]) -> Result<Self, TensorError> {
        let elements = element_count(&shape)?;
        let operands = operands.iter().map(|operand| dimensions(&shape, operand)).collect();
        Ok(Self { shape, elements, operands })
    }

    /// Dimensions of the output, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of elements of the output.
    pub const fn elements(&self) -> usize {
        self.elements
    }

    /// Row-major index, within the given operand, of the element that the output's element at a
    /// row-major index is computed from; `None` past the last operand or element.
    pub fn operand_index(&self, operand: usize, index: usize) -> Option<usize> {
        let dimensions = self.operands.get(operand)?;
        (index < self.elements).then(|| index_of(dimensions, index))
    }

    /// The operand's steps, outermost first, in as few dimensions as describe them; none for a
    /// single element.
    pub(super) fn operand(&self, operand: usize) -> &[Dimension] {
        self.operands.get(operand).map_or(&[], Vec::as_slice)
    }
}

/// The shape that shapes broadcast to in all directions.
pub(super) fn broadcast_shape(shapes: &[&[usize]]) -> Result<Vec<usize>, Mismatch> {
    let mut output = Vec::new();
    for shape in shapes {
        let missing = shape.len().saturating_sub(output.len());
        output.splice(..0, shape[..missing].iter().copied());
        for (dim, &other) in output.iter_mut().rev().zip(shape.iter().rev()) {
            if *dim == 1 {
                *dim = other;
            } else if other != 1 && other != *dim {
                return Err(Mismatch::Rule(
                    "aligned at the last dimension, two sizes differ and neither is 1",
                ));
            }
        }
    }
    Ok(output)
}

/// The steps of `operand` through an output of shape `output`, merged where they are regular.
/// An output without elements is not stepped through.
fn dimensions(output: &[usize], operand: &[usize]) -> Vec<Dimension> {
    if output.contains(&0) {
        return Vec::new();
    }
    // No product overflows, for none exceeds the output's number of elements.
    let mut distance = 1;
    let padded = operand.iter().rev().copied().chain(std::iter::repeat(1));
    merged(output.iter().rev().zip(padded).map(|(&size, own)| {
        let stride = if own == 1 { 0 } else { distance };
        distance *= own;
        Dimension { size, stride }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use values::tensor::coordinates;

    fn indices(plan: &Broadcast, operand: usize) -> Vec<usize> {
        (0..plan.elements()).map(|i| plan.operand_index(operand, i).unwrap()).collect()
    }

    /// NumPy's rule, literally: right-aligned coordinates, 0 where the operand's size is 1.
    fn by_coordinates(output: &[usize], operand: &[usize]) -> Vec<usize> {
        (0..element_count(output).unwrap())
            .map(|index| {
                let own = &coordinates(index, output)[output.len() - operand.len()..];
                let steps = own.iter().zip(operand);
                steps.fold(0, |at, (&c, &size)| at * size + if size == 1 { 0 } else { c })
            })
            .collect()
    }

    #[test]
    fn multidirectional_broadcasting_reads_the_elements_that_numpy_reads() {
        let shapes: [&[usize]; 14] = [
            &[],
            &[1],
            &[3],
            &[2, 3],
            &[2, 1],
            &[1, 3],
            &[1, 1],
            &[4, 2, 3],
            &[4, 1, 3],
            &[4, 2, 1],
            &[4, 1, 1],
            &[1, 2, 1],
            &[5, 1, 2, 1],
            &[5, 4, 1, 3],
        ];
        for a in shapes {
            for b in shapes {
                let plan = Broadcast::multidirectional(&[a, b]).unwrap();
                assert_eq!(indices(&plan, 0), by_coordinates(plan.shape(), a), "{a:?} {b:?}");
                assert_eq!(indices(&plan, 1), by_coordinates(plan.shape(), b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn sizes_that_differ_and_are_not_one_do_not_broadcast() {
        for (a, b) in
            [([2, 3], vec![2]), ([2, 3], vec![3, 3]), ([2, 3], vec![0]), ([2, 0], vec![2])]
        {
            assert!(matches!(
                Broadcast::multidirectional(&[&a, &b]),
                Err(Mismatch::Rule(rule)) if rule.contains("neither is 1")
            ));
        }
    }

    #[test]
    fn an_empty_dimension_makes_the_output_empty() {
        let plan = Broadcast::multidirectional(&[&[2, 1], &[1, 0]]).unwrap();
        assert_eq!((plan.shape(), plan.elements()), (&[2, 0][..], 0));
        assert_eq!(plan.operand_index(0, 0), None);
        let huge = Broadcast::multidirectional(&[&[usize::MAX, 1, 0], &[usize::MAX, 2, 1]]);
        assert_eq!(huge.unwrap().elements(), 0);
    }

    #[test]
    fn an_output_that_overflows_is_refused() {
        let half = 1 << (usize::BITS / 2);
        assert!(matches!(
            Broadcast::multidirectional(&[&[half, 1], &[1, half]]),
            Err(Mismatch::Size(TensorError::TooManyElements { .. }))
        ));
    }

    #[test]
    fn every_form_that_the_limited_rule_lists_is_taken() {
        let a = [2, 3, 4, 5];
        let forms: [(&[usize], Option<usize>, &[usize]); 8] = [
            (&[], None, &[]),
            (&[1, 1], None, &[]),
            (&[5], None, &[5]),
            (&[4, 5], None, &[4, 5]),
            (&[3, 4], Some(1), &[3, 4, 1]),
            (&[2], Some(0), &[2, 1, 1, 1]),
            (&[2, 3, 4, 5], None, &[2, 3, 4, 5]),
            (&[1, 1, 1, 1], Some(0), &[]),
        ];
        for (b, axis, as_numpy) in forms {
            let plan = Broadcast::limited(&a, b, axis).unwrap();
            assert_eq!(plan, Broadcast::multidirectional(&[&a, as_numpy]).unwrap(), "{b:?}");
        }
    }

    #[test]
    fn the_limited_rule_refuses_what_it_does_not_list() {
        let refused: [(&[usize], &[usize], Option<usize>); 8] = [
            (&[2, 3, 4, 5], &[3, 4], None),
            (&[2, 3, 4, 5], &[3, 4], Some(0)),
            (&[2, 3, 4, 5], &[5], Some(4)),
            (&[2, 3, 4, 5], &[5], Some(usize::MAX)),
            (&[2, 3, 4, 5], &[1, 5], None),
            (&[5], &[2, 5], None),
            (&[], &[1], None),
            (&[1, 3], &[2, 3], None),
        ];
        for (a, b, axis) in refused {
            let plan = Broadcast::limited(a, b, axis);
            assert!(matches!(plan, Err(Mismatch::Rule(_))), "{a:?} {b:?} {axis:?}");
        }
    }

    #[test]
    fn regular_steps_are_merged() {
        let steps = |a: &[usize], b: &[usize]| {
            let plan = Broadcast::multidirectional(&[a, b]).unwrap();
            [0, 1].map(|i| plan.operand(i).iter().map(|d| (d.size, d.stride)).collect::<Vec<_>>())
        };
        assert_eq!(steps(&[2, 3, 4], &[2, 3, 4]), [[(24, 1)], [(24, 1)]]);
        assert_eq!(steps(&[2, 3, 4], &[]), [[(24, 1)], [(24, 0)]]);
        assert_eq!(steps(&[2, 3, 4], &[3, 4]), [vec![(24, 1)], vec![(2, 0), (12, 1)]]);
        assert_eq!(
            steps(&[2, 1, 4], &[3, 1]),
            [vec![(2, 4), (3, 0), (4, 1)], vec![(2, 0), (3, 1), (4, 0)]]
        );
        assert_eq!(steps(&[1], &[]), [[], []]);
    }
}

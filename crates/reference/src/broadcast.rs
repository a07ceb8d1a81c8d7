//! Broadcasting: which element of each operand an element of the output is computed from.
//!
//! Multidirectional broadcasting is NumPy's, as ONNX's `Broadcasting.md` states it: shapes are aligned
//! at the last dimension, and a size of 1 is repeated. The limited form of ONNX's versions before 7
//! repeats the second operand alone, which lies along some contiguous dimensions of the first.

use crate::signature::Invalid;

/// An output's shape, and where each operand lies along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broadcast {
    shape: Vec<usize>,
    /// For each operand its size along every dimension of the output, 1 where it is repeated.
    operands: Vec<Vec<usize>>,
    /// For each whether it is repeated along none.
    whole: Vec<bool>,
}

impl Broadcast {
    fn new(shape: Vec<usize>, operands: Vec<Vec<usize>>) -> Self {
        let whole = operands.iter().map(|sizes| *sizes == shape).collect();
        Self { shape, operands, whole }
    }

    /// Operands of one shape.
    pub fn equal(shapes: &[&[usize]]) -> Result<Self, Invalid> {
        let shape = shapes.first().map_or_else(Vec::new, |shape| shape.to_vec());
        if shapes.iter().any(|other| **other != shape[..]) {
            return Err(Invalid(format!("the shapes {shapes:?} differ, and nothing is broadcast")));
        }
        Ok(Self::new(shape.clone(), vec![shape; shapes.len()]))
    }

    /// Operands of any number by NumPy's rule.
    pub fn multidirectional(shapes: &[&[usize]]) -> Result<Self, Invalid> {
        let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
        let placed = |shape: &&[usize]| [vec![1; rank - shape.len()], shape.to_vec()].concat();
        let operands: Vec<Vec<usize>> = shapes.iter().map(placed).collect();
        let size_along = |dimension: usize| {
            let sizes = operands.iter().map(|operand| operand[dimension]);
            let size = sizes.clone().find(|&size| size != 1).unwrap_or(1);
            sizes.clone().all(|other| other == 1 || other == size).then_some(size)
        };
        match (0..rank).map(size_along).collect::<Option<Vec<_>>>() {
            Some(shape) => Ok(Self::new(shape, operands)),
            None => Err(Invalid(format!("the shapes {shapes:?} cannot be broadcast together"))),
        }
    }

    /// The second operand along the first one's dimensions from `axis` on, or along its last ones; a
    /// single element along all.
    pub fn limited(a: &[usize], b: &[usize], axis: Option<usize>) -> Result<Self, Invalid> {
        let refused = || {
            Invalid(format!(
                "the shape {b:?} is no part of {a:?} where the attribute `axis` puts it"
            ))
        };
        let last = a.len().checked_sub(b.len()).ok_or_else(refused)?;
        let mut placed = vec![1; a.len()];
        if b.iter().any(|&size| size != 1) {
            let axis = axis.unwrap_or(last);
            let along = axis.checked_add(b.len()).and_then(|end| a.get(axis..end));
            if along != Some(b) {
                return Err(refused());
            }
            placed[axis..axis + b.len()].copy_from_slice(b);
        }
        Ok(Self::new(a.to_vec(), vec![a.to_vec(), placed]))
    }

    /// Dimensions of the output.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Row-major index within an operand of the element that the output's element at a row-major
    /// index is computed from.
    pub fn source(&self, operand: usize, index: usize) -> usize {
        let Some(sizes) = self.operands.get(operand) else { return 0 };
        if self.whole.get(operand) == Some(&true) {
            return index;
        }
        // From the last dimension on: the rest of a division is the place along it.
        let (mut above, mut stride, mut at) = (index, 1_usize, 0_usize);
        for (&length, &size) in self.shape.iter().zip(sizes).rev() {
            let length = length.max(1);
            if size != 1 {
                at = at.wrapping_add((above % length).wrapping_mul(stride));
            }
            above /= length;
            stride = stride.wrapping_mul(size);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_1_are_repeated_against_any_other_in_any_operand() {
        let shapes: [&[usize]; 3] = [&[2, 1, 3], &[4, 1], &[]];
        let broadcast = Broadcast::multidirectional(&shapes).unwrap();
        assert_eq!(broadcast.shape(), [2, 4, 3]);
        let sources = |operand| (0..24).map(move |i| (operand, i)).collect::<Vec<_>>();
        let of = |operand| -> Vec<usize> {
            sources(operand).into_iter().map(|(operand, i)| broadcast.source(operand, i)).collect()
        };
        let expected = |at: fn(usize, usize, usize) -> usize| -> Vec<usize> {
            let places =
                (0..2).flat_map(|i| (0..4).flat_map(move |j| (0..3).map(move |k| (i, j, k))));
            places.map(|(i, j, k)| at(i, j, k)).collect()
        };
        assert_eq!(of(0), expected(|i, _, k| 3 * i + k));
        assert_eq!(of(1), expected(|_, j, _| j));
        assert_eq!(of(2), vec![0; 24]);
        assert_eq!(Broadcast::multidirectional(&[&[0, 3], &[1]]).unwrap().shape(), [0, 3]);
    }

    #[test]
    fn what_does_not_go_together_is_refused_with_its_shapes() {
        let refused = Broadcast::multidirectional(&[&[2, 3], &[2]]).unwrap_err();
        assert!(refused.to_string().contains("[[2, 3], [2]]"));
        assert!(Broadcast::multidirectional(&[&[0], &[2]]).is_err());
        assert!(Broadcast::equal(&[&[2, 3], &[2, 1]]).is_err());
    }

    #[test]
    fn the_limited_form_puts_the_second_shape_where_the_axis_says() {
        let at = |axis| Broadcast::limited(&[3, 3], &[3], axis).map(|b| b.source(1, 5));
        assert_eq!([None, Some(0), Some(1)].map(at), [Ok(2), Ok(1), Ok(2)]);
        assert!(at(Some(2)).is_err() && at(Some(usize::MAX)).is_err());
        assert!(Broadcast::limited(&[3], &[2, 3], None).is_err());
        assert!(Broadcast::limited(&[2, 3], &[2, 1], None).is_err());
        assert_eq!(Broadcast::limited(&[2, 3], &[1, 1], None).map(|b| b.source(1, 5)), Ok(0));
    }
}

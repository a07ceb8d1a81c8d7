//! Which elements a mean and a variance are of.

use crate::operator::{Call, Invalid};

/// The elements of each channel, or those of one feature each in versions that have `spatial`.
#[derive(Clone)]
pub(super) struct Groups {
    /// How many there are.
    pub(super) count: usize,
    /// The shape of what there is one element of per group.
    pub(super) shape: Vec<usize>,
    instances: usize,
    /// How many elements of one group follow each other.
    inner: usize,
}

impl Groups {
    /// Those of a call, whose other inputs have one element for each.
    pub(super) fn of(call: &Call) -> Result<Self, Invalid> {
        let shape = call.input(0)?.shape();
        let since = call.version.since;
        let problem = || call.invalid(&format!("takes no input of {} dimensions", shape.len()));
        let product =
            |sizes: &[usize]| sizes.iter().fold(1_usize, |all, it| all.saturating_mul(*it));
        let (instances, channels, features): (usize, usize, &[usize]) = match shape {
            _ if since < 6 && shape.len() != 4 => return Err(problem()),
            [size] if since >= 9 => (*size, 1, &[]),
            [instances, channels, features @ ..] => (*instances, *channels, features),
            _ => return Err(problem()),
        };
        // Version 7 alone says what the other inputs are then.
        let is_spatial = since != 7 || call.int("spatial") != Some(0);
        let groups = if is_spatial {
            Self { count: channels, shape: vec![channels], instances, inner: product(features) }
        } else {
            let shape = shape.get(1..).unwrap_or_default().to_vec();
            Self { count: product(&shape), shape, instances, inner: 1 }
        };
        for at in 1..=4 {
            if call.input(at)?.shape() != groups.shape {
                let problem = format!("takes inputs of shape {:?} beside {shape:?}", groups.shape);
                return Err(call.invalid(&problem));
            }
        }
        Ok(groups)
    }

    /// The group of the element at an index.
    pub(super) fn of_index(&self, index: usize) -> usize {
        index / self.inner.max(1) % self.count.max(1)
    }

    /// How many elements a group has.
    pub(super) fn members(&self) -> usize {
        self.instances.saturating_mul(self.inner)
    }

    /// The indices of the elements of a group.
    pub(super) fn places(&self, group: usize) -> impl Iterator<Item = usize> + use<> {
        let (inner, count) = (self.inner.max(1), self.count);
        (0..self.members()).map(move |at| (at / inner * count + group) * inner + at % inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_found_in_its_group() {
        for (instances, count, inner) in [(2, 3, 4), (5, 1, 1), (1, 2, 6), (3, 6, 1)] {
            let groups = Groups { count, shape: vec![count], instances, inner };
            for group in 0..count {
                let places: Vec<usize> = groups.places(group).collect();
                assert_eq!(places.len(), instances * inner);
                assert!(places.iter().all(|place| groups.of_index(*place) == group));
            }
        }
    }
}

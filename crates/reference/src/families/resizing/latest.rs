//! What was found out of the places of a dimension, for the calls that resize one alike: there are few ways and many calls.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::rc::Rc;

use super::Axis;
use super::coordinate::Map;

/// The ways that are known at a time.
const MOST: usize = 256;

/// The longest dimension of which later calls are told.
const LONGEST: usize = 32;

/// The longest dimension of whose places anything is kept within a call.
const KEPT: usize = 1 << 14;

/// What was found out of places, by the way in which their dimension is resized.
pub(super) struct Latest<W, P, T>(RefCell<Ways<W, P, T>>);

type Ways<W, P, T> = HashMap<(W, Map), Rc<Places<P, T>>>;

/// What was found out of the places of a dimension.
pub(super) struct Places<P, T> {
    map: Map,
    found: RefCell<BTreeMap<P, Rc<T>>>,
}

impl<W, P, T> Default for Latest<W, P, T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<W: Clone + Eq + Hash, P, T> Latest<W, P, T> {
    /// What is known of dimensions that are resized so, by dimension and reading.
    pub(super) fn of_all(&self, way: &W, axes: &[Axis]) -> Vec<Vec<Rc<Places<P, T>>>> {
        axes.iter().map(|axis| axis.0.iter().map(|map| self.of(way, map)).collect()).collect()
    }

    /// What is known of a dimension that is resized so.
    fn of(&self, way: &W, map: &Map) -> Rc<Places<P, T>> {
        let places = || Rc::new(Places { map: map.clone(), found: RefCell::default() });
        if map.is_identity() || map.input.max(map.output) > LONGEST {
            return places();
        }
        let mut known = self.0.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        Rc::clone(known.entry((way.clone(), map.clone())).or_insert_with(places))
    }
}

impl<P: Ord, T> Places<P, T> {
    /// What is known of a place, or else found out now.
    pub(super) fn at(&self, place: P, find: impl FnOnce(&Map) -> T) -> Rc<T> {
        if let Some(found) = self.found.borrow().get(&place) {
            return Rc::clone(found);
        }
        let found = Rc::new(find(&self.map));
        if self.map.output <= KEPT {
            self.found.borrow_mut().insert(place, Rc::clone(&found));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::coordinate::{Scale, Transformation, whole};
    use super::*;

    fn map(output: usize) -> Map {
        Map {
            transformation: Transformation::HalfPixel,
            input: 4,
            output,
            scale: Scale::Quotient([output, 4]),
            length: whole(output),
        }
    }

    #[test]
    fn what_is_known_is_told_of_the_same_way_and_place_alone() {
        let latest: Latest<&str, usize, usize> = Latest::default();
        let found = |way, output, place, new| *latest.of(&way, &map(output)).at(place, |_| new);
        assert_eq!(found("linear", 8, 0, 1), 1);
        assert_eq!(found("linear", 8, 0, 2), 1);
        assert_eq!(found("linear", 8, 1, 3), 3);
        assert_eq!(found("linear", 9, 0, 4), 4);
        assert_eq!(found("cubic", 8, 0, 5), 5);
        // Of long dimensions nothing is told to later calls, and of many ways not of all.
        assert_eq!(found("linear", LONGEST + 1, 0, 6), 6);
        assert_eq!(found("linear", LONGEST + 1, 0, 7), 7);
        for way in 0..=2 * MOST {
            latest.of(&"linear", &Map { length: whole(way), ..map(8) });
        }
        assert!(latest.0.borrow().len() <= MOST);
    }
}

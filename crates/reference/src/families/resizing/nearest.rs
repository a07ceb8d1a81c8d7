//! Elements that are moved: those nearest to a coordinate.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use values::element::Element;
use values::tensor::{Tensor, coordinates, row_major};

use super::latest::{Latest, Places};
use super::{Map, Mode, Plan, Rounding, whole};
use crate::exact::real::Rational;
use crate::exact::{Conforming, Deviation, distance_of};
use crate::operator::Allowed;
use crate::real::Real;

/// What is allowed of elements that are moved.
pub(super) struct Nearest<'a> {
    data: &'a Tensor,
    plan: Plan,
    /// By dimension and reading.
    pixels: Vec<Vec<Rc<Found>>>,
}

/// The elements of a dimension that may be the nearest, by place.
type Found = Places<usize, Option<Pixels>>;

thread_local! {
    static LATEST: Latest<Mode, usize, Option<Pixels>> = Latest::default();
}

/// The most elements of the input of which each may be the nearest.
const MOST_NEAREST: usize = 64;

impl<'a> Nearest<'a> {
    pub(super) fn new(data: &'a Tensor, plan: Plan) -> Self {
        let pixels = LATEST.with(|latest| latest.of_all(&plan.mode, &plan.axes));
        Self { data, plan, pixels }
    }

    /// The elements of a dimension that may be the nearest of a place.
    fn pixels(&self, reading: usize, axis: usize, place: usize) -> Rc<Option<Pixels>> {
        match self.pixels.get(axis).and_then(|axis| axis.get(reading)) {
            Some(pixels) => pixels.at(place, |map| Pixels::of(map, place, self.plan.mode)),
            None => Rc::default(),
        }
    }

    /// What the element at an index may be by each reading.
    fn conforming(&self, index: usize) -> Conforming {
        let places = coordinates(index, &self.plan.output.shape);
        let mut all = Vec::new();
        for reading in 0..self.plan.readings {
            let mut sources: Vec<Vec<usize>> = vec![Vec::new()];
            for (axis, &place) in places.iter().enumerate() {
                let pixels = self.pixels(reading, axis, place);
                let Some(pixels) = pixels.as_ref() else { return self.plan.extrapolated() };
                let further = |source: &Vec<usize>| -> Vec<Vec<usize>> {
                    let each = pixels.inside.iter();
                    each.map(|pixel| [source.as_slice(), &[*pixel]].concat()).collect()
                };
                sources = sources.iter().flat_map(further).collect();
                if pixels.may_be_outside {
                    all.push(self.plan.extrapolated());
                }
                if sources.len() > MOST_NEAREST {
                    return Conforming::Unspecified("too many elements may be the nearest");
                }
            }
            let element = |source: &Vec<usize>| {
                Element::of(self.data, row_major(source, self.data.shape())?).map(Conforming::Same)
            };
            all.extend(sources.iter().filter_map(element));
        }
        Conforming::one_of(all).unwrap_or(Conforming::Unspecified("there is no such element"))
    }

    /// The element that is the example.
    fn element(&self, index: usize) -> Option<Element> {
        match self.conforming(index) {
            Conforming::Same(element) => Some(element),
            Conforming::One(bits) => Some(Element::Bits(self.data.dtype(), bits.into())),
            Conforming::OneOf(all) => all.into_iter().find_map(|one| match one {
                Conforming::Same(element) => Some(element),
                _ => None,
            }),
            _ => None,
        }
    }
}

impl Allowed for Nearest<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.conforming(index)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        self.element(index).as_ref().and_then(Real::of)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        distance_of(self.element(index).as_ref(), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.element(index).into_iter().collect()
    }
}

/// The elements of a dimension that may be the nearest, that of the exact coordinate first, each once.
struct Pixels {
    inside: Vec<usize>,
    /// Whether some arithmetic finds the coordinate outside of the region.
    may_be_outside: bool,
}

impl Pixels {
    /// The elements that may be the nearest of a place in the output; `None` where it is outside of the region.
    fn of(map: &Map, place: usize, mode: Mode) -> Option<Self> {
        if map.is_identity() {
            return Some(Self { inside: vec![place], may_be_outside: false });
        }
        let last = whole(map.input) - Rational::one();
        let (inside, outside): (Vec<_>, Vec<_>) =
            map.coordinates(place).into_iter().partition(|x| !map.is_outside(x));
        let pixel = |x: Rational| x.clamp(Rational::zero(), last.clone()).to_integer().to_usize();
        let pixels = inside.iter().flat_map(|x| nearest(x, mode)).filter_map(pixel);
        let mut inside: Vec<usize> = Vec::new();
        for pixel in pixels {
            if !inside.contains(&pixel) {
                inside.push(pixel);
            }
        }
        let may_be_outside = !outside.is_empty();
        (!inside.is_empty()).then_some(Self { inside, may_be_outside })
    }
}

/// The integers that may be the nearest of a coordinate.
fn nearest(x: &Rational, mode: Mode) -> Vec<Rational> {
    let half = Rational::new(BigInt::one(), BigInt::from(2));
    let Mode::Nearest(rounding) = mode else { return Vec::new() };
    match rounding {
        Rounding::PreferFloor => vec![(x - half).ceil()],
        Rounding::PreferCeil => vec![(x + half).floor()],
        Rounding::Floor => vec![x.floor()],
        Rounding::Ceil => vec![x.ceil()],
        Rounding::Either => vec![x.floor(), x.ceil()],
    }
}

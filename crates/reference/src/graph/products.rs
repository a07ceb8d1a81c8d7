//! Sums of products: of matrices, and of data with weights that are moved along them.
//!
//! Factors are middles and radii. With |a - A| <= r and |b - B| <= s the product a b is off from A B by |A| s + r (|B| + s) at most; the sums
//! of all three are matrix products of their own, in float64, whose rounding is part of the radius. So is what summing up
//! in the elements' format may lose, for what is permitted. `docs/numerics.md` has the proof.

use std::cell::RefCell;
use std::ops::Range;

use multiversion::multiversion;
use values::tensor::{coordinates, element_count};

use super::arithmetic::Arithmetic;
use super::elementwise::attribute;
use super::reducing::invalid;
use super::span::Span;
use super::{Between, Enclosed, NotKnown, Rule, Site};
use crate::broadcast::Broadcast;
use crate::families::integer_products::convolution::{Convolution, Sizes, Taps};
use crate::operators::{conv, convtranspose};

/// Rows and columns of which the sums are kept in registers.
const ROWS: usize = 4;
const COLUMNS: usize = 8;

/// Rows and columns of a tile, and terms that are added up before their sum is added to the others.
const TILE: usize = 128;
const TERMS: usize = 256;

/// The most products of a node.
const MOST: u128 = 1 << 38;

pub(super) fn rule(operator: &str) -> Option<Rule> {
    match operator {
        "MatMul" => Some(matmul),
        "Gemm" => Some(gemm),
        "Conv" => Some(|site| {
            let taps = conv::convolution(site.call).map_err(invalid)?;
            convolved(site, &taps)
        }),
        "MatMulInteger" => Some(|site| {
            let [a, b] = [less_zero(site, 0, 2)?, less_zero(site, 1, 3)?];
            integers(site, &matrix_products(site, &a, &b)?)
        }),
        "ConvInteger" => Some(|site| {
            let [x, w] = [less_zero(site, 0, 2)?, less_zero(site, 1, 3)?];
            let taps = Convolution::of(site.call, &x.shape, &w.shape).map_err(invalid)?;
            integers(site, &convolutions(site, &taps, [&x, &w])?)
        }),
        "ConvTranspose" => Some(|site| {
            let taps = convtranspose::transposed(site.call).map_err(invalid)?;
            if let Some(why) = taps.open() {
                return Err(NotKnown::because(why));
            }
            convolved(site, &taps)
        }),
        _ => None,
    }
}

/// Writes the places on the right of a matrix, of some columns and a term; none of a zero.
type Met<'a> = dyn Fn(usize, Range<usize>, usize, &mut [Option<usize>]) + 'a;

/// How the factors of products meet: matrices on the left and on the right, by their places in the operands.
pub(super) struct Layout<'a> {
    pub(super) matrices: usize,
    pub(super) rows: usize,
    pub(super) terms: usize,
    pub(super) columns: usize,
    /// The place of a factor on the left: of a matrix, a row and a term.
    pub(super) left: Box<dyn Fn(usize, usize, usize) -> usize + 'a>,
    /// The places of the factors on the right of a term in some columns; none of a zero.
    pub(super) right: Box<Met<'a>>,
}

/// Middles and radii of the elements of an operand, the latter of exact results and of permitted ones.
struct Balls {
    middle: Vec<f64>,
    radii: [Vec<f64>; 2],
    is_certain: bool,
}

impl Balls {
    fn of(between: &Between) -> Self {
        let middle: Vec<f64> = between
            .exact
            .iter()
            .map(|it| if it.is_point() { it.lower } else { f64::midpoint(it.lower, it.upper) })
            .collect();
        let radii = [&between.exact, &between.allowed].map(|spans| -> Vec<f64> {
            let radius = |(span, middle): (&Span, &f64)| match () {
                () if span.is_unknown() || middle.is_nan() => f64::NAN,
                () if span.lower == *middle && span.upper == *middle => 0.0,
                () => (span.upper - middle).max(middle - span.lower).next_up(),
            };
            spans.iter().zip(&middle).map(radius).collect()
        });
        let is_certain = radii.iter().flatten().all(|radius| *radius == 0.0);
        Self { middle, radii, is_certain }
    }

    /// What stands at these places in the matrices that are multiplied: the middle, and for either kind of results what the
    /// radius is multiplied by.
    fn middle(&self, at: Option<usize>) -> f64 {
        at.map_or(0.0, |at| self.middle.get(at).copied().unwrap_or(f64::NAN))
    }

    fn radius(&self, kind: usize, at: Option<usize>) -> f64 {
        at.map_or(0.0, |at| self.radii[kind].get(at).copied().unwrap_or(f64::NAN))
    }
}

/// Factors of a tile in groups of lines, the terms of each group one after the other.
struct Panel<const GROUP: usize> {
    factors: Vec<[f64; GROUP]>,
    terms: usize,
}

impl<const GROUP: usize> Panel<GROUP> {
    fn new(lines: usize, terms: usize) -> Self {
        Self { factors: vec![[0.0; GROUP]; lines.div_ceil(GROUP) * terms], terms }
    }

    fn put(&mut self, line: usize, term: usize, factor: f64) {
        self.factors[line / GROUP * self.terms + term][line % GROUP] = factor;
    }

    fn group(&self, group: usize, terms: usize) -> &[[f64; GROUP]] {
        &self.factors[group * self.terms..][..terms]
    }
}

type Sums = [[f64; COLUMNS]; ROWS];

/// Adds the products of all groups of rows and columns, by the copy for the widest instruction set that this processor has.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
fn add_all(
    left: &Panel<ROWS>,
    right: &Panel<COLUMNS>,
    columns: usize,
    terms: usize,
    sums: &mut [Sums],
) {
    for (place, sums) in sums.iter_mut().enumerate() {
        let (row, column) = (place / columns, place % columns);
        let mut own = [[0.0; COLUMNS]; ROWS];
        for (left, right) in left.group(row, terms).iter().zip(right.group(column, terms)) {
            for row in 0..ROWS {
                for column in 0..COLUMNS {
                    own[row][column] += left[row] * right[column];
                }
            }
        }
        for (sums, own) in sums.iter_mut().flatten().zip(own.iter().flatten()) {
            *sums += own;
        }
    }
}

/// More than what is lost by adding up radii, which are not negative.
fn generous(additions: usize) -> f64 {
    1.0 + (additions as f64 + 16.0) * f64::EPSILON
}

/// The sums of products, each as a middle and two radii, in the order of matrices, rows and columns.
pub(super) fn sums(
    by: &Arithmetic<'_>,
    layout: &Layout<'_>,
    operands: [&Between; 2],
    more: usize,
) -> Result<Vec<[f64; 3]>, NotKnown> {
    let Layout { matrices, rows, terms, columns, .. } = *layout;
    let products =
        [matrices, rows, terms, columns].iter().fold(1_u128, |all, it| all * *it as u128);
    if products > MOST {
        return Err(NotKnown::because("it takes too many products"));
    }
    let [a, b] = operands.map(Balls::of);
    // Additions that a term goes through in float64, and the rounding of its product.
    let additions = terms.min(TERMS) + terms.div_ceil(TERMS) + 2 + more;
    let own = additions as f64 * f64::EPSILON / 2.0 * (1.0 + 1e-6);
    let format = by.gamma(terms + more);
    let lost = [own, (own + format) * (1.0 + 1e-9)];
    let mut all = vec![[0.0; 3]; matrices * rows * columns];
    let mut met = vec![None; TILE];
    for matrix in 0..matrices {
        for wide in (0..columns).step_by(TILE) {
            let some = wide..(wide + TILE).min(columns);
            for tall in (0..rows).step_by(TILE) {
                let lines = tall..(tall + TILE).min(rows);
                let groups = [lines.len().div_ceil(ROWS), some.len().div_ceil(COLUMNS)];
                let none = || vec![[[0.0; COLUMNS]; ROWS]; groups[0] * groups[1]];
                let mut found = [none(), none(), none()];
                let depth = terms.min(TERMS);
                let panel = |lines: usize| Panel::<ROWS>::new(lines, depth);
                let mut left = [(); 4].map(|()| panel(lines.len()));
                let mut right = [(); 5].map(|()| Panel::<COLUMNS>::new(some.len(), depth));
                for first in (0..terms).step_by(TERMS) {
                    let part = first..(first + TERMS).min(terms);
                    for (line, row) in lines.clone().enumerate() {
                        for (place, term) in part.clone().enumerate() {
                            let at = Some((layout.left)(matrix, row, term));
                            let middle = a.middle(at);
                            left[0].put(line, place, middle);
                            left[1].put(line, place, middle.abs());
                            if !a.is_certain {
                                for kind in 0..2 {
                                    let radius = a.radius(kind, at) * (1.0 + lost[kind]);
                                    left[2 + kind].put(line, place, radius);
                                }
                            }
                        }
                    }
                    for (place, term) in part.clone().enumerate() {
                        (layout.right)(matrix, some.clone(), term, &mut met);
                        for (line, at) in met.iter().take(some.len()).enumerate() {
                            let middle = b.middle(*at);
                            right[0].put(line, place, middle);
                            for kind in 0..2 {
                                let radius = b.radius(kind, *at);
                                let reach = middle.abs() + radius;
                                right[1 + kind].put(line, place, radius + lost[kind] * reach);
                                if !a.is_certain {
                                    right[3 + kind].put(line, place, reach);
                                }
                            }
                        }
                    }
                    let terms = part.len();
                    add_all(&left[0], &right[0], groups[1], terms, &mut found[0]);
                    for kind in 0..2 {
                        add_all(&left[1], &right[1 + kind], groups[1], terms, &mut found[1 + kind]);
                        if !a.is_certain {
                            let (own, other) = (&left[2 + kind], &right[3 + kind]);
                            add_all(own, other, groups[1], terms, &mut found[1 + kind]);
                        }
                    }
                }
                for (row, line) in lines.clone().enumerate() {
                    for (column, place) in some.clone().enumerate() {
                        let of = |sums: &[Sums]| {
                            sums[row / ROWS * groups[1] + column / COLUMNS][row % ROWS]
                                [column % COLUMNS]
                        };
                        let radius =
                            |kind: usize| of(&found[1 + kind]) * generous(4 * additions) + 1e-290;
                        all[(matrix * rows + line) * columns + place] =
                            [of(&found[0]), radius(0), radius(1)];
                    }
                }
            }
        }
    }
    Ok(all)
}

/// What a middle and a radius enclose.
fn around(middle: f64, radius: f64) -> Span {
    if radius.is_finite() {
        Span::new((middle - radius).next_down(), (middle + radius).next_up())
    } else {
        Span::UNKNOWN
    }
}

/// The output of sums, each with one more term.
fn finished(
    site: &Site<'_>,
    sums: &[[f64; 3]],
    roundings: usize,
    addend: impl Fn(usize) -> [Span; 2],
) -> Result<Vec<Enclosed>, NotKnown> {
    let gamma = site.rounding().gamma(roundings);
    let each = sums.iter().enumerate().map(|(index, &[middle, exact, allowed])| {
        let [own, other] = addend(index);
        let with = around(middle, allowed) + other;
        (around(middle, exact) + own, with.widened(gamma * other.magnitude()))
    });
    let (exact, allowed) = each.unzip();
    site.enclosed(0, exact, allowed).map(|output| vec![output])
}

/// What underflows of so many products may lose in the format of a node's results.
fn underflow(site: &Site<'_>, products: usize) -> f64 {
    site.format(0).map_or(0.0, |format| super::arithmetic::unit(format, 0.0) * products as f64)
}

fn convolutions<L: Taps + Sync>(
    site: &Site<'_>,
    taps: &L,
    [x, w]: [&Between; 2],
) -> Result<Vec<[f64; 3]>, NotKnown> {
    let Sizes { batch, groups, channels: [rows, depth], data, kernel, output } = taps.sizes();
    let [within, area, columns] =
        [kernel, data, output].map(|sizes| sizes.iter().product::<usize>());
    // Where each place of the output meets the data along an axis, by the place in the kernel.
    let axes = output.iter().zip(kernel).zip(data).enumerate();
    let along: Vec<Vec<Option<usize>>> = axes
        .map(|(axis, ((places, taps_along), size))| {
            let at = |place| (0..*taps_along).map(move |tap| (place, tap));
            let met = |(place, tap)| taps.meets(axis, place, tap).filter(|met| met < size);
            (0..*places).flat_map(at).map(met).collect()
        })
        .collect();
    let of_taps: Vec<Vec<usize>> = (0..within).map(|tap| coordinates(tap, kernel)).collect();
    // The places in a channel that the latest columns meet, by the place in the kernel.
    let latest: RefCell<(Range<usize>, Vec<Option<usize>>)> = RefCell::default();
    let layout = Layout {
        matrices: batch * groups,
        rows,
        terms: within * depth,
        columns,
        left: Box::new(|matrix, row, term| {
            taps.weight(matrix % groups.max(1), [row, term / within], term % within)
        }),
        right: Box::new(|matrix, columns, term, met| {
            let mut latest = latest.borrow_mut();
            if latest.0 != columns {
                let places: Vec<_> = columns.clone().map(|at| coordinates(at, output)).collect();
                let place = |at: &Vec<usize>, tap: &Vec<usize>| {
                    let axes = at.iter().zip(tap).enumerate();
                    axes.into_iter().try_fold(0, |place, (axis, (at, tap))| {
                        Some(place * data[axis] + along[axis][at * kernel[axis] + tap]?)
                    })
                };
                let by_tap =
                    of_taps.iter().flat_map(|tap| places.iter().map(move |at| place(at, tap)));
                *latest = (columns.clone(), by_tap.collect());
            }
            let channel = (matrix * depth + term / within) * area;
            let own = latest.1.iter().skip(term % within * columns.len()).take(columns.len());
            for (met, own) in met.iter_mut().zip(own) {
                *met = own.map(|place| channel + place);
            }
        }),
    };
    sums(&site.rounding(), &layout, [w, x], 1)
}

fn convolved<L: Taps + Sync>(site: &Site<'_>, taps: &L) -> Result<Vec<Enclosed>, NotKnown> {
    let [x, w] = [site.between(0)?, site.between(1)?];
    let sums = convolutions(site, taps, [&x, &w])?;
    let Sizes { channels: [_, depth], kernel, .. } = taps.sizes();
    let terms = kernel.iter().product::<usize>() * depth;
    let bias = match site.operand(2) {
        Some(_) => Some(site.between(2)?),
        None => None,
    };
    let lost = underflow(site, terms);
    finished(site, &sums, terms + 1, |index| {
        let channel = taps.channel(index);
        let own = bias.as_ref().map(|bias| [bias.exact[channel], bias.allowed[channel]]);
        let [exact, allowed] = own.unwrap_or([Span::ZERO; 2]);
        [exact, allowed.widened(lost)]
    })
}

fn matmul(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    if site.format(0).is_none() {
        return Err(NotKnown::because(WRAPPED));
    }
    let [a, b] = [site.between(0)?, site.between(1)?];
    let terms = a.shape.last().copied().unwrap_or_default();
    let lost = Span::ZERO.widened(underflow(site, terms));
    finished(site, &matrix_products(site, &a, &b)?, terms, |_| [Span::ZERO, lost])
}

const WRAPPED: &str = "integers are multiplied modulo a power of two";

/// Elements less the zero point that is given at another place.
fn less_zero(site: &Site<'_>, at: usize, zero: usize) -> Result<Between, NotKnown> {
    let mut own = site.between(at)?.into_owned();
    if site.operand(zero).is_none() {
        return Ok(own);
    }
    let zero = site.between(zero)?;
    let ([exact], [allowed]) = (zero.exact.as_slice(), zero.allowed.as_slice()) else {
        return Err(NotKnown::because("it has several zero points"));
    };
    own.exact.iter_mut().for_each(|it| *it = *it - *exact);
    own.allowed.iter_mut().for_each(|it| *it = *it - *allowed);
    Ok(own)
}

/// The output of sums that are integers of 32 bits.
fn integers(site: &Site<'_>, sums: &[[f64; 3]]) -> Result<Vec<Enclosed>, NotKnown> {
    let whole = |span: Span| {
        let span = Span::new(span.lower.ceil(), span.upper.floor());
        if span.magnitude() < f64::from(i32::MAX) { span } else { Span::UNKNOWN }
    };
    let each = sums.iter().map(|&[middle, exact, allowed]| {
        (whole(around(middle, exact)), whole(around(middle, allowed)))
    });
    let (exact, allowed) = each.unzip();
    site.enclosed(0, exact, allowed).map(|output| vec![output])
}

fn matrix_products(site: &Site<'_>, a: &Between, b: &Between) -> Result<Vec<[f64; 3]>, NotKnown> {
    let split = |shape: &[usize], is_left: bool| match (shape, is_left) {
        ([own], true) => (Vec::new(), [1, *own]),
        ([own], false) => (Vec::new(), [*own, 1]),
        ([stack @ .., rows, columns], _) => (stack.to_vec(), [*rows, *columns]),
        ([], _) => (Vec::new(), [1, 1]),
    };
    let ((a_stack, [rows, terms]), (b_stack, [_, columns])) =
        (split(&a.shape, true), split(&b.shape, false));
    let stacks = Broadcast::multidirectional(&[&a_stack, &b_stack]).map_err(invalid)?;
    let matrices = element_count(stacks.shape()).unwrap_or_default();
    let layout = Layout {
        matrices,
        rows,
        terms,
        columns,
        left: Box::new(|matrix, row, term| (stacks.source(0, matrix) * rows + row) * terms + term),
        right: Box::new(|matrix, some, term, met| {
            let first = (stacks.source(1, matrix) * terms + term) * columns;
            for (met, column) in met.iter_mut().zip(some) {
                *met = Some(first + column);
            }
        }),
    };
    sums(&site.rounding(), &layout, [a, b], 0)
}

fn gemm(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let [a, b] = [site.between(0)?, site.between(1)?];
    let ([a0, a1], [b0, b1]) = (a.shape.as_slice(), b.shape.as_slice()) else {
        return Err(NotKnown::because("it takes no matrices"));
    };
    let turned = ["transA", "transB"].map(|name| site.call.int(name).is_some_and(|it| it != 0));
    let (rows, terms) = if turned[0] { (*a1, *a0) } else { (*a0, *a1) };
    let columns = if turned[1] { *b0 } else { *b1 };
    let layout = Layout {
        matrices: 1,
        rows,
        terms,
        columns,
        left: Box::new(
            move |_, row, term| if turned[0] { term * rows + row } else { row * terms + term },
        ),
        right: Box::new(move |_, some, term, met| {
            for (met, column) in met.iter_mut().zip(some) {
                *met =
                    Some(if turned[1] { column * terms + term } else { term * columns + column });
            }
        }),
    };
    if site.format(0).is_none() {
        return Err(NotKnown::because(WRAPPED));
    }
    let mut sums = sums(&site.rounding(), &layout, [&a, &b], 3)?;
    let [alpha, beta] = [attribute(site, "alpha")?, attribute(site, "beta")?];
    let lost = Span::ZERO.widened(underflow(site, terms + 2));
    let third = match site.operand(2) {
        Some(_) => Some(site.between(2)?),
        None => None,
    };
    let shape = [rows, columns];
    let broadcast = match &third {
        Some(third) => Some(Broadcast::multidirectional(&[&shape, &third.shape]).map_err(invalid)?),
        None => None,
    };
    if alpha != Span::ONE {
        for sum in &mut sums {
            let scaled = Span::point(sum[0]) * alpha;
            let middle = f64::midpoint(scaled.lower, scaled.upper);
            let radius = |radius: f64| {
                (radius * alpha.magnitude() + (scaled.upper - scaled.lower)) * generous(4)
            };
            *sum = [middle, radius(sum[1]), radius(sum[2])];
        }
    }
    let by = site.rounding();
    finished(site, &sums, terms + 3, |index| match (&third, &broadcast) {
        (Some(third), Some(broadcast)) => {
            let place = broadcast.source(1, index);
            let own = [third.exact[place] * beta, third.allowed[place] * beta];
            [own[0], by.rounded(own[1]) + lost]
        }
        _ => [Span::ZERO, lost],
    })
}

//! Where the boxes of a graph go that has no circles: in layers, each below those that it reads from.
//!
//! It is of our own, as no crate of the registry does for 1,000 nodes of a convolutional model: `rust-sugiyama` 0.4 takes 25
//! milliseconds, but gives no way for an edge past the boxes between its ends, and overflows the stack on a chain of 40,000;
//! `dagre` 0.1 takes two seconds, and thirteen for 3,000 nodes; `layout-rs` 0.1 has not ended after three minutes.
//!
//! A box lies one layer below the lowest that it reads from. Where it is read farther below, it has a bend in each layer
//! between, one for all that read it, so that a value that many boxes read is one line with branches. The layers are
//! ordered by the mean places of neighbours, the order with the fewest crossings is kept, and each is then moved as near to
//! its neighbours as its order allows. All numbers are whole, so that the same graph has the same places anywhere.

/// Width of a box.
pub(super) const WIDTH: i64 = 208;
/// Height of a box.
pub(super) const HEIGHT: i64 = 46;

/// Between the boxes of a layer.
const BESIDE: i64 = 20;
/// Between layers.
const BELOW: i64 = 34;
/// Around all of it.
const MARGIN: i64 = 16;
/// Room for a line that passes between boxes.
const BEND: i64 = 4;

/// The most layers that a line passes; one that would pass more is left out.
const FARTHEST: usize = 200;

/// How often the order of the layers is improved.
const ORDERINGS: usize = 12;
/// How often the layers are moved.
const MOVES: usize = 40;

/// What a place between two others is counted in.
const FINE: i64 = 1 << 10;

/// A point of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i64,
    pub(super) y: i64,
}

/// A graph with places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The upper left corner of each box.
    pub(super) boxes: Vec<Point>,
    /// The line from each box to all that read it, as pieces from above to below.
    pub(super) lines: Vec<Vec<(Point, Point)>>,
    /// How many edges are left out, as they pass too many layers.
    pub(super) left_out: usize,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// A box, or a bend of the line from one.
#[derive(Clone, Debug)]
struct Item {
    layer: usize,
    width: i64,
    above: Vec<usize>,
    below: Vec<usize>,
    /// Its place in its layer.
    place: i64,
    /// Its middle.
    x: i64,
}

/// Gives places to boxes, of which each reads from others before it.
pub(super) fn layout(reads: &[Vec<usize>]) -> Layout {
    let layers = layers(reads);
    let mut items: Vec<Item> = layers.iter().map(|&layer| Item::new(layer, WIDTH)).collect();
    let mut bends: Vec<Vec<usize>> = vec![Vec::new(); reads.len()];
    let mut left_out = 0;
    for (reader, sources) in reads.iter().enumerate() {
        for &source in sources {
            let (Some(&from), Some(&to)) = (layers.get(source), layers.get(reader)) else {
                continue;
            };
            let Some(between) = to.checked_sub(from + 1) else { continue };
            if between > FARTHEST {
                left_out += 1;
                continue;
            }
            let Some(bends) = bends.get_mut(source) else { continue };
            while bends.len() < between {
                let above = bends.last().copied().unwrap_or(source);
                let bend = items.len();
                items.push(Item::new(from + 1 + bends.len(), BEND));
                join(&mut items, above, bend);
                bends.push(bend);
            }
            let last = between.checked_sub(1).and_then(|at| bends.get(at)).copied();
            join(&mut items, last.unwrap_or(source), reader);
        }
    }
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        rows.resize(rows.len().max(item.layer + 1), Vec::new());
        rows.get_mut(item.layer).into_iter().for_each(|row| row.push(at));
    }
    order(&mut items, &mut rows);
    spread(&mut items, &rows);
    drawn(&items, &bends, reads.len(), rows.len(), left_out)
}

impl Item {
    fn new(layer: usize, width: i64) -> Self {
        Self { layer, width, above: Vec::new(), below: Vec::new(), place: 0, x: 0 }
    }
}

fn join(items: &mut [Item], above: usize, below: usize) {
    items.get_mut(above).into_iter().for_each(|item| item.below.push(below));
    items.get_mut(below).into_iter().for_each(|item| item.above.push(above));
}

/// The layer of each box: one below the lowest that it reads from, and, where it reads from none, just above the first that
/// reads it.
fn layers(reads: &[Vec<usize>]) -> Vec<usize> {
    let mut layers: Vec<usize> = Vec::with_capacity(reads.len());
    let mut first_read: Vec<Option<usize>> = vec![None; reads.len()];
    for sources in reads {
        let above = sources.iter().filter_map(|&source| layers.get(source)).max();
        let layer = above.map_or(0, |above| above + 1);
        for first in sources.iter().filter(|source| **source < layers.len()) {
            if let Some(first) = first_read.get_mut(*first) {
                *first = Some(first.unwrap_or(layer).min(layer));
            }
        }
        layers.push(layer);
    }
    for ((layer, sources), first) in layers.iter_mut().zip(reads).zip(first_read) {
        if let (true, Some(first)) = (sources.is_empty(), first) {
            *layer = first.saturating_sub(1);
        }
    }
    layers
}

/// Orders the layers so that few lines cross.
fn order(items: &mut [Item], rows: &mut Vec<Vec<usize>>) {
    number(items, rows);
    let mut best = (crossings(items, rows), rows.clone());
    for pass in 0..ORDERINGS {
        if best.0 == 0 {
            break;
        }
        let is_down = pass % 2 == 0;
        for at in 0..rows.len() {
            let at = if is_down { at } else { rows.len() - 1 - at };
            let Some(row) = rows.get_mut(at) else { continue };
            row.sort_by_cached_key(|&item| {
                let item = items.get(item);
                let beside = item.map(|item| if is_down { &item.above } else { &item.below });
                let mean = beside.and_then(|beside| mean(items, beside, |item| item.place));
                mean.or(item.map(|item| item.place * FINE))
            });
            number(items, std::slice::from_ref(row));
        }
        let crossings = crossings(items, rows);
        if crossings < best.0 {
            best = (crossings, rows.clone());
        }
    }
    *rows = best.1;
    number(items, rows);
}

/// Numbers the items of layers by their places.
fn number(items: &mut [Item], rows: &[Vec<usize>]) {
    for row in rows {
        for (place, &at) in (0..).zip(row) {
            items.get_mut(at).into_iter().for_each(|item| item.place = place);
        }
    }
}

/// The mean of what some items have; none of no items.
fn mean(items: &[Item], some: &[usize], of: impl Fn(&Item) -> i64) -> Option<i64> {
    let (mut sum, mut count) = (0, 0);
    for item in some.iter().filter_map(|&at| items.get(at)) {
        sum += of(item) * FINE;
        count += 1;
    }
    (count > 0).then(|| sum / count)
}

/// How many lines cross between neighbouring layers.
fn crossings(items: &[Item], rows: &[Vec<usize>]) -> u64 {
    let of_row = |row: &Vec<usize>| {
        let row = row.iter().filter_map(|&at| items.get(at));
        let ends = row.flat_map(|item| {
            let below = item.below.iter().filter_map(|&at| items.get(at));
            let mut places: Vec<i64> = below.map(|item| item.place).collect();
            places.sort_unstable();
            places
        });
        inversions(&mut ends.collect::<Vec<i64>>())
    };
    rows.iter().map(of_row).sum()
}

/// How many pairs of numbers are not in order; sorts them.
fn inversions(numbers: &mut [i64]) -> u64 {
    if numbers.len() < 2 {
        return 0;
    }
    let (first, second) = numbers.split_at_mut(numbers.len() / 2);
    let within = inversions(first) + inversions(second);
    let mut smaller = second.iter().peekable();
    let (mut passed, mut across) = (0, 0);
    for number in &*first {
        while smaller.next_if(|it| *it < number).is_some() {
            passed += 1;
        }
        across += passed;
    }
    numbers.sort_unstable();
    within + across
}

/// Moves the items of each layer towards those that they are joined to.
fn spread(items: &mut [Item], rows: &[Vec<usize>]) {
    for row in rows {
        settle(items, row, |_, item| (item.x, 1));
    }
    for pass in 0..MOVES {
        let is_down = pass % 2 == 0;
        // At last by both sides, so that what reads and what is read matter alike.
        let is_last = pass + 2 >= MOVES;
        for at in 0..rows.len() {
            let at = if is_down { at } else { rows.len() - 1 - at };
            let Some(row) = rows.get(at) else { continue };
            settle(items, row, |items, item| {
                let middle = |beside: &[usize]| median(items, beside);
                let wanted = match (is_last, is_down) {
                    (true, _) => match (middle(&item.above), middle(&item.below)) {
                        (Some(above), Some(below)) => Some(i64::midpoint(above, below)),
                        (above, below) => above.or(below),
                    },
                    (false, true) => middle(&item.above),
                    (false, false) => middle(&item.below),
                };
                // Long lines are to be straight before all else.
                let weight = if item.width == BEND { 8 } else { 2 };
                wanted.map_or((item.x, 1), |wanted| (wanted, weight))
            });
        }
    }
}

/// The middle of the middles of some items.
fn median(items: &[Item], some: &[usize]) -> Option<i64> {
    let mut all: Vec<i64> = some.iter().filter_map(|&at| items.get(at)).map(|it| it.x).collect();
    all.sort_unstable();
    let upper = all.get(all.len() / 2)?;
    let lower = all.get(all.len().checked_sub(1)? / 2)?;
    Some(i64::midpoint(*lower, *upper))
}

/// Moves the items of a layer to where each wants to be, with its weight; where they would overlap, as near as they can.
fn settle(items: &mut [Item], row: &[usize], wanted: impl Fn(&[Item], &Item) -> (i64, i64)) {
    // Less the room of those before it, items must not be before each other: what would be is merged, at the mean.
    let mut merged: Vec<(i64, i64, usize)> = Vec::with_capacity(row.len());
    let mut rooms = Vec::with_capacity(row.len());
    let (mut room, mut half_before) = (0, None);
    for item in row.iter().filter_map(|&at| items.get(at)) {
        let half = item.width / 2;
        room += half_before.map_or(0, |before| before + BESIDE + half);
        half_before = Some(half);
        rooms.push(room);
        let (x, weight) = wanted(items, item);
        let mut last = ((x - room) * weight, weight, 1);
        let is_before = |a: (i64, i64, usize), b: (i64, i64, usize)| a.0 * b.1 > b.0 * a.1;
        while let Some(before) = merged.pop_if(|before| is_before(*before, last)) {
            last = (last.0 + before.0, last.1 + before.1, last.2 + before.2);
        }
        merged.push(last);
    }
    let places = merged
        .into_iter()
        .flat_map(|(sum, weight, count)| std::iter::repeat_n(sum.div_euclid(weight), count));
    for ((at, place), room) in row.iter().zip(places).zip(rooms) {
        items.get_mut(*at).into_iter().for_each(|item| item.x = place + room);
    }
}

fn drawn(
    items: &[Item],
    bends: &[Vec<usize>],
    boxes: usize,
    rows: usize,
    left_out: usize,
) -> Layout {
    let left = items.iter().map(|item| item.x - item.width / 2).min().unwrap_or(0);
    let right = items.iter().map(|item| item.x + item.width / 2).max().unwrap_or(0);
    let x = |item: &Item| item.x - left + MARGIN;
    let top = |item: &Item| MARGIN + (item.layer as i64) * (HEIGHT + BELOW);
    let corner = |item: &Item| Point { x: x(item) - WIDTH / 2, y: top(item) };
    let ends = |item: &Item| {
        let (x, y) = (x(item), top(item));
        [Point { x, y }, Point { x, y: y + HEIGHT }]
    };
    let line = |(source, bends): (&Item, &Vec<usize>)| {
        let mut pieces = Vec::new();
        let all_bends = bends.iter().filter_map(|&bend| items.get(bend));
        for (place, item) in std::iter::once(source).chain(all_bends).enumerate() {
            let [above, below] = ends(item);
            if place > 0 {
                pieces.push((above, below));
            }
            let next = item.below.iter().filter_map(|&at| items.get(at));
            pieces.extend(next.map(|next| {
                let [above, _] = ends(next);
                (below, above)
            }));
        }
        pieces
    };
    let rows = rows as i64;
    Layout {
        boxes: items.iter().take(boxes).map(corner).collect(),
        lines: items.iter().zip(bends).map(line).collect(),
        left_out,
        width: right - left + 2 * MARGIN,
        height: 2 * MARGIN + rows * HEIGHT + (rows - 1).max(0) * BELOW,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a generator, below a bound.
    fn drawn_below(state: &mut u64, bound: usize) -> usize {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % bound
    }

    /// A graph of which each box but the first reads up to three of the few before it.
    fn random(count: usize, far: usize) -> Vec<Vec<usize>> {
        let mut state = count as u64;
        let mut reads = vec![Vec::new()];
        for at in 1..count {
            let mut sources: Vec<usize> = (0..=drawn_below(&mut state, 3))
                .map(|_| at - 1 - drawn_below(&mut state, far.min(at)))
                .collect();
            sources.sort_unstable();
            sources.dedup();
            reads.push(sources);
        }
        reads
    }

    #[test]
    fn boxes_lie_below_what_they_read_and_apart_from_each_other() {
        for reads in [random(60, 8), random(200, 40), vec![Vec::new(); 5]] {
            let Layout { boxes, width, height, .. } = layout(&reads);
            assert_eq!(boxes.len(), reads.len());
            for (corner, sources) in boxes.iter().zip(&reads) {
                assert!(sources.iter().all(|&source| boxes[source].y < corner.y));
                assert!(corner.x >= MARGIN && corner.x + WIDTH <= width - MARGIN);
                assert!(corner.y >= MARGIN && corner.y + HEIGHT <= height - MARGIN);
            }
            for (at, one) in boxes.iter().enumerate() {
                let beside = boxes.iter().skip(at + 1).filter(|other| other.y == one.y);
                assert!(beside.clone().all(|other| (other.x - one.x).abs() >= WIDTH + BESIDE));
            }
        }
    }

    #[test]
    fn lines_lead_from_each_box_to_all_that_read_it_and_past_the_boxes_between() {
        let reads = random(80, 30);
        let Layout { boxes, lines, .. } = layout(&reads);
        let middle = |corner: &Point| corner.x + WIDTH / 2;
        for (source, line) in lines.iter().enumerate() {
            let start = Point { x: middle(&boxes[source]), y: boxes[source].y + HEIGHT };
            let readers = reads.iter().enumerate().filter(|(_, sources)| sources.contains(&source));
            let ends = readers.map(|(at, _)| Point { x: middle(&boxes[at]), y: boxes[at].y });
            // Each piece begins where the line begins or another piece ends.
            assert!(
                line.iter()
                    .all(|(from, _)| { *from == start || line.iter().any(|(_, to)| to == from) })
            );
            for end in ends {
                assert!(line.iter().any(|(_, to)| *to == end), "no line from {source}");
            }
            for (from, to) in line.iter().filter(|(from, to)| to.y - from.y == HEIGHT) {
                assert_eq!(from.x, to.x);
                let beside = boxes.iter().filter(|corner| corner.y == from.y);
                assert!(beside.clone().all(|corner| (middle(corner) - from.x).abs() > WIDTH / 2));
            }
        }
    }

    #[test]
    fn a_chain_is_straight_and_an_input_lies_just_above_what_reads_it() {
        let chain: Vec<Vec<usize>> =
            (0..40_usize).map(|at| at.checked_sub(1).into_iter().collect()).collect();
        let Layout { boxes, width, .. } = layout(&chain);
        assert!(boxes.iter().all(|corner| corner.x == MARGIN));
        assert_eq!(width, WIDTH + 2 * MARGIN);
        // The second input is read by the last box alone.
        let Layout { boxes, .. } = layout(&[vec![], vec![], vec![0], vec![2], vec![1, 3]]);
        assert_eq!(boxes[1].y, boxes[3].y);
    }

    #[test]
    fn lines_that_need_not_cross_do_not() {
        // Two chains whose boxes come in turn, and in another order in every second layer.
        let mut reads = vec![Vec::new(), Vec::new()];
        for layer in 1..20 {
            let (a, b) = if layer % 2 == 1 { (1, 0) } else { (0, 1) };
            let above = 2 * (layer - 1);
            let of = |chain: usize| if layer % 2 == 1 { above + chain } else { above + 1 - chain };
            reads.push(vec![of(a)]);
            reads.push(vec![of(b)]);
        }
        let Layout { lines, .. } = layout(&reads);
        assert!(lines.iter().flatten().all(|(from, to)| from.x == to.x), "{lines:?}");
    }

    #[test]
    fn inversions_are_the_pairs_out_of_order() {
        let count = |numbers: &[i64]| inversions(&mut numbers.to_vec());
        assert_eq!(
            [count(&[]), count(&[1, 1, 2]), count(&[3, 2, 1]), count(&[2, 3, 1, 1])],
            [0, 0, 3, 4]
        );
    }

    #[test]
    fn a_line_past_too_many_layers_is_left_out_and_counted() {
        let mut reads: Vec<Vec<usize>> =
            (0..FARTHEST + 3).map(|at| at.checked_sub(1).into_iter().collect()).collect();
        reads.last_mut().unwrap().push(0);
        let layout = layout(&reads);
        assert_eq!(layout.left_out, 1);
        assert_eq!(layout.lines[0].len(), 1);
    }

    #[test]
    fn the_same_graph_has_the_same_places() {
        let reads = random(300, 50);
        assert_eq!(layout(&reads), layout(&reads));
    }

    #[test]
    fn what_reads_from_behind_it_or_from_nowhere_does_not_end_the_program() {
        let layout = layout(&[vec![1, 7], vec![0]]);
        assert_eq!(layout.boxes.len(), 2);
    }
}

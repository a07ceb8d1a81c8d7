//! The graph of a trace as it is drawn: boxes for the nodes and for what the model is given and gives, and lines from the
//! values that they compute to those that read them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::document::{Born, Input, Node, Output, Trace};
use super::layers::{self, HEIGHT, Point, WIDTH};
use super::words::operator;
use crate::foundation::printable::on_one_line;
use crate::judge::verdict::Verdict;

/// The most nodes that are drawn.
const DRAWN: usize = 3_000;
/// How many steps around a node that is wrong are drawn of a graph with more.
const AROUND: usize = 6;

/// The most graphs within each other of which values are looked for.
const NESTED: usize = 64;

/// Characters of a name that a box has room for.
const NAME_SHOWN: usize = 27;
/// Characters of an operator that a box has room for.
const OPERATOR_SHOWN: usize = 17;

/// The graph with places.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    pub(super) boxes: Vec<Shape>,
    pub(super) lines: Vec<Line>,
    /// How many nodes are drawn.
    pub(super) nodes: usize,
    /// How many edges are not, as they pass too many layers.
    pub(super) left_out: usize,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// A box.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The place of its node in the trace; none of an input or output.
    pub(super) node: Option<usize>,
    pub(super) corner: Point,
    /// Classes that say how it looks.
    pub(super) class: String,
    /// All that it says, in words.
    pub(super) title: String,
    /// Its operator, or what it is, as far as there is room.
    pub(super) head: String,
    /// What is to be seen at once, such as a verdict that is no pass.
    pub(super) mark: String,
    /// Its name, as far as there is room.
    pub(super) name: String,
}

/// The line from a box to those that read it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The place of the node that it leads from; none of an input.
    pub(super) node: Option<usize>,
    /// The path as SVG has it.
    pub(super) path: String,
    /// The values that it stands for.
    pub(super) title: String,
}

/// What a box stands for.
#[derive(Clone, Copy)]
enum Vertex<'a> {
    Input(&'a Input),
    Node(usize, &'a Node),
    Output(&'a Output),
}

impl Drawing {
    /// The graph, or of a large one what is around the nodes that are wrong, are in a group, or give the first NaN or
    /// infinity; none where there is nothing of this in a large one.
    pub(super) fn of(trace: &Trace) -> Option<Self> {
        let fused: BTreeSet<&str> =
            trace.fusions.iter().flat_map(|fusion| &fusion.nodes).map(String::as_str).collect();
        let inputs = trace.inputs.iter().map(Vertex::Input);
        let nodes = trace.nodes.iter().enumerate().map(|(at, node)| Vertex::Node(at, node));
        let all: Vec<Vertex<'_>> =
            inputs.chain(nodes).chain(trace.outputs.iter().map(Vertex::Output)).collect();
        let reads = reads(&all);
        let (all, reads) = match trace.nodes.len() > DRAWN {
            true => part(&all, &reads, &fused),
            false => (all, reads),
        };
        let nodes = all.iter().filter(|vertex| matches!(vertex, Vertex::Node(..))).count();
        if nodes == 0 {
            return None;
        }
        let layout = layers::layout(&reads);
        let boxes = all.iter().zip(layout.boxes);
        let boxes = boxes.map(|(vertex, corner)| vertex.shape(corner, &fused)).collect();
        let lines = all.iter().zip(layout.lines).filter(|(_, pieces)| !pieces.is_empty());
        let lines = lines.map(|(vertex, pieces)| vertex.line(&pieces)).collect();
        let (left_out, width, height) = (layout.left_out, layout.width, layout.height);
        Some(Self { boxes, lines, nodes, left_out, width, height })
    }
}

/// Of each vertex those before it that it reads from. A node of a graph that another holds and that reads from none is below
/// the one that holds it.
fn reads(all: &[Vertex<'_>]) -> Vec<Vec<usize>> {
    // Graphs that nodes hold may have values of the same names.
    let mut computed: BTreeMap<(Option<&str>, &str), usize> = BTreeMap::new();
    let mut places: BTreeMap<&str, (usize, Option<&str>)> = BTreeMap::new();
    let mut reads = Vec::with_capacity(all.len());
    for (at, vertex) in all.iter().enumerate() {
        let (within, names) = match vertex {
            Vertex::Input(_) => (None, &[][..]),
            Vertex::Node(_, node) => (node.within.as_deref(), &node.inputs[..]),
            Vertex::Output(output) => (None, std::slice::from_ref(&output.name)),
        };
        let holder = within.and_then(|holder| places.get(holder)).map(|(place, _)| *place);
        let find = |name: &str| {
            let around = |scope: &&str| places.get(scope).and_then(|(_, within)| *within);
            let inner = std::iter::successors(within, around).take(NESTED);
            let mut scopes = inner.map(Some).chain([None]);
            scopes.find_map(|scope| computed.get(&(scope, name)).copied())
        };
        let mut sources: Vec<usize> = names.iter().filter_map(|name| find(name)).collect();
        sources.sort_unstable();
        sources.dedup();
        if sources.is_empty() {
            sources.extend(holder);
        }
        reads.push(sources);
        match vertex {
            Vertex::Input(input) => {
                computed.insert((None, &input.name), at);
            }
            Vertex::Node(_, node) => {
                computed.extend(node.outputs.iter().map(|name| ((within, name.as_str()), at)));
                // The first of this name, whose holders come before it: the way out ends.
                places.entry(&node.node).or_insert((at, within));
            }
            Vertex::Output(_) => {}
        }
    }
    reads
}

/// What of a large graph is around the nodes that are to be seen.
fn part<'a>(
    all: &[Vertex<'a>],
    reads: &[Vec<usize>],
    fused: &BTreeSet<&str>,
) -> (Vec<Vertex<'a>>, Vec<Vec<usize>>) {
    let mut beside = reads.to_vec();
    for (reader, sources) in reads.iter().enumerate() {
        for &source in sources {
            beside.get_mut(source).into_iter().for_each(|beside| beside.push(reader));
        }
    }
    let is_seen = |vertex: &Vertex<'_>| match vertex {
        Vertex::Node(_, node) => {
            node.verdict.is_failure() || node.born.is_some() || fused.contains(node.node.as_str())
        }
        Vertex::Input(_) | Vertex::Output(_) => false,
    };
    let seen = (0..).zip(all).filter(|(_, vertex)| is_seen(vertex)).map(|(at, _)| (at, 0));
    let mut waiting: VecDeque<(usize, usize)> = seen.collect();
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    while let Some((at, steps)) = waiting.pop_front() {
        if kept.len() >= DRAWN || !kept.insert(at) || steps >= AROUND {
            continue;
        }
        waiting.extend(beside.get(at).into_iter().flatten().map(|&next| (next, steps + 1)));
    }
    let places: BTreeMap<usize, usize> =
        kept.iter().enumerate().map(|(to, &from)| (from, to)).collect();
    let moved =
        |sources: &Vec<usize>| sources.iter().filter_map(|it| places.get(it)).copied().collect();
    let of = |at: &usize| Some((*all.get(*at)?, moved(reads.get(*at)?)));
    kept.iter().filter_map(of).unzip()
}

impl Vertex<'_> {
    fn shape(&self, corner: Point, fused: &BTreeSet<&str>) -> Shape {
        let (node, class, title, head, mark, name) = match self {
            Self::Input(input) => {
                let title = format!("input {}", on_one_line(&input.name));
                (None, "port".to_owned(), title, "input".to_owned(), String::new(), &input.name)
            }
            Self::Output(output) => {
                let title = format!("output {}: {}", on_one_line(&output.name), output.verdict);
                let class = format!("port {}", output.verdict);
                (None, class, title, "output".to_owned(), mark(output.verdict), &output.name)
            }
            Self::Node(at, node) => {
                let mut class = format!("node {}", node.verdict);
                let mut title =
                    format!("{} ({}): {}", on_one_line(&node.node), operator(node), node.verdict);
                let mut marks: Vec<String> = vec![mark(node.verdict)];
                if fused.contains(node.node.as_str()) {
                    class += " fused";
                    title += "; gives other bits together with others";
                    marks.push("fused".to_owned());
                }
                if let Some(born) = node.born {
                    let (word, sign) = match born {
                        Born::Nan => ("NaN", "NaN"),
                        Born::Infinity => ("infinity", "∞"),
                    };
                    class += " born";
                    title += &format!("; gives the first {word}");
                    marks.push(sign.to_owned());
                }
                marks.retain(|mark| !mark.is_empty());
                (Some(*at), class, title, on_one_line(&node.operator), marks.join(" "), &node.node)
            }
        };
        let room = OPERATOR_SHOWN.saturating_sub(mark.chars().count().saturating_sub(8));
        Shape { node, corner, class, title, head: start(&head, room), mark, name: end(name) }
    }

    fn line(&self, pieces: &[(Point, Point)]) -> Line {
        let (node, values) = match self {
            Self::Input(input) => (None, std::slice::from_ref(&input.name)),
            Self::Node(at, node) => (Some(*at), &node.outputs[..]),
            Self::Output(output) => (None, std::slice::from_ref(&output.name)),
        };
        Line { node, path: path(pieces), title: on_one_line(&values.join(", ")) }
    }
}

/// A verdict that is to be seen at once.
fn mark(verdict: Verdict) -> String {
    match verdict {
        Verdict::Pass => String::new(),
        verdict => verdict.to_string().replace('_', " "),
    }
}

/// How much room a character takes: twice that of a Latin one where it is of another script.
fn room(c: char) -> usize {
    1 + usize::from(c >= '\u{1100}')
}

/// The start of a text, as far as there is room.
fn start(text: &str, room_left: usize) -> String {
    cut(text.chars(), room_left)
        .map_or_else(|| text.to_owned(), |kept| text.chars().take(kept).chain(['…']).collect())
}

/// The end of a name on one line, as far as there is room: names of one model begin alike.
fn end(name: &str) -> String {
    let name = on_one_line(name);
    match cut(name.chars().rev(), NAME_SHOWN) {
        None => name,
        Some(kept) => {
            let skipped = name.chars().count() - kept;
            std::iter::once('…').chain(name.chars().skip(skipped)).collect()
        }
    }
}

/// How many characters there is room for, besides a sign that some are missing; none where there is for all.
fn cut(characters: impl Iterator<Item = char>, room_left: usize) -> Option<usize> {
    let (mut taken, mut kept) = (0, 0);
    for c in characters {
        taken += room(c);
        if taken > room_left {
            return Some(kept);
        }
        if taken < room_left {
            kept += 1;
        }
    }
    None
}

/// The pieces of a line as the path of SVG: straight down, or bent to the side.
fn path(pieces: &[(Point, Point)]) -> String {
    let mut path = String::new();
    for (from, to) in pieces {
        path += &format!("M{} {}", from.x, from.y);
        path += &match from.x == to.x {
            true => format!("V{}", to.y),
            false => {
                let middle = i64::midpoint(from.y, to.y);
                format!("C{} {middle} {} {middle} {} {}", from.x, to.x, to.x, to.y)
            }
        };
    }
    path
}

impl Shape {
    /// Where its texts begin.
    pub(super) fn left(&self) -> i64 {
        self.corner.x + 12
    }

    /// Where its mark ends.
    pub(super) fn right(&self) -> i64 {
        self.corner.x + WIDTH - 10
    }

    pub(super) fn first_line(&self) -> i64 {
        self.corner.y + 19
    }

    pub(super) fn second_line(&self) -> i64 {
        self.corner.y + HEIGHT - 10
    }
}

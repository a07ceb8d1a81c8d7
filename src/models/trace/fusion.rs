//! Groups of nodes that give other bits as one model than one by one, the smallest that bisection finds.
//!
//! From a place in the order of the nodes on, a model of the first so many of them is run on the values that the nodes
//! computed one by one, and what is needed behind them is compared. The fewest nodes that differ are found by bisection,
//! which is right as long as a difference does not vanish again; then the fewest of their last ones that still do. Of these
//! the nodes that the values that differ depend on are the group. The search goes on behind it, from the values that its
//! nodes give one by one.

use std::collections::{BTreeMap, BTreeSet};

use super::TraceError;
use super::alone::Tracer;
use super::difference::between;
use super::document::{Fusion, WentOn};
use super::effect::segment;
use super::enclosure::{Encloser, hold};
use super::values::{Known, Scope};
use crate::corpus::Digest;
use crate::float;
use crate::models::graph::{Graph, Step};
use crate::models::inputs::Input;
use crate::onnx::encode_value;
use crate::onnx::proto::ValueInfoProto;
use crate::tensor::Value;

/// Values by name.
type Values = BTreeMap<String, Known>;

/// The groups from the front of the model, and why there may be others.
pub(super) fn find(
    tracer: &mut Tracer<'_, '_>,
    graph: &Graph,
    given: &[Input],
) -> Result<(Vec<Fusion>, Option<String>), TraceError> {
    if let Some(node) = tracer.nodes.iter().find(|node| node.went_on_with != WentOn::Backend) {
        let why = format!("node `{}` gave no values to compare with", node.node);
        return Ok((Vec::new(), Some(why)));
    }
    let start = given.iter().map(|input| {
        let known = Known { value: input.value.clone(), is_constant: false };
        (input.name.clone(), known)
    });
    let mut search = Search {
        tracer,
        graph,
        initialisers: Scope::of_constants(graph),
        constants: constants(graph),
        from: 0,
        at: start.collect(),
    };
    let (mut found, most) = (Vec::new(), search.tracer.options.fusions);
    let all = graph.steps.len();
    loop {
        if search.tracer.options.is_interrupted() {
            return Err(TraceError::Interrupted { done: all });
        }
        let from = search.from;
        let differing = match search.differing(from, all, &search.at) {
            Ok(differing) => differing,
            Err(Stop::Trace(error)) => return Err(error),
            Err(Stop::Nothing(why)) => return Ok((found, Some(refused(&why)))),
        };
        match differing {
            differing if differing.is_empty() => return Ok((found, None)),
            _ if found.len() == most => {
                return Ok((
                    found,
                    Some(format!("only the first {most} were looked for (--fusions)")),
                ));
            }
            _ => {}
        }
        match search.next() {
            Ok(fusion) => found.push(fusion),
            Err(Stop::Trace(error)) => return Err(error),
            Err(Stop::Nothing(why)) => return Ok((found, Some(refused(&why)))),
        }
    }
}

/// Why a search ends early.
enum Stop {
    /// The trace ends.
    Trace(TraceError),
    /// A part of the model gives nothing, for this reason.
    Nothing(String),
}

impl From<TraceError> for Stop {
    fn from(error: TraceError) -> Self {
        Self::Trace(error)
    }
}

/// That the search ended early, and why.
fn refused(why: &str) -> String {
    format!("the search ended, as a part of the model gave nothing that could be compared: {why}")
}

/// Two runs of one node on the same values gave other bits.
const NOT_REPEATED: &str = "the backend does not repeat its results";

struct Search<'s, 'a, 'e> {
    tracer: &'s mut Tracer<'a, 'e>,
    graph: &'s Graph,
    initialisers: BTreeSet<String>,
    /// The values that follow from initialisers and constants alone.
    constants: BTreeSet<String>,
    /// The place that the search has come to.
    from: usize,
    /// The values that the nodes before that computed one by one, as far as they are needed behind it.
    at: Values,
}

/// A value as a part of the model gives it, and as the node that computes it does alone.
type Differing = Vec<(String, Value)>;

/// The values of a graph that follow from its initialisers and constants alone.
fn constants(graph: &Graph) -> BTreeSet<String> {
    let mut constants = Scope::of_constants(graph);
    for step in &graph.steps {
        if step.reads.iter().all(|name| constants.contains(name)) {
            constants.extend(step.writes().map(str::to_owned));
        }
    }
    constants
}

impl Search<'_, '_, '_> {
    fn known(&self, name: &str, value: Value) -> Known {
        Known { value, is_constant: self.constants.contains(name) }
    }

    fn steps(&self, from: usize, to: usize) -> &[Step] {
        self.graph.steps.get(from..to).unwrap_or_default()
    }

    /// The names of what is read from a place on, and of what the model gives.
    fn wanted(&self, from: usize) -> BTreeSet<&str> {
        let behind = self.steps(from, self.graph.steps.len()).iter().flat_map(|step| &step.reads);
        let outputs = self.graph.outputs.iter().map(ValueInfoProto::name);
        behind.map(String::as_str).chain(outputs).collect()
    }

    /// What a part of the model gives of what is needed behind it.
    fn run(&self, from: usize, to: usize, at: &Values) -> Result<Vec<(String, Value)>, Stop> {
        let wanted = self.wanted(to);
        self.computed(from, to, at, |name| wanted.contains(name))
    }

    /// Those of the values that a part of the model computes that are wanted.
    fn computed(
        &self,
        from: usize,
        to: usize,
        at: &Values,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, Value)>, Stop> {
        let steps = self.steps(from, to);
        let names = steps.iter().flat_map(Step::writes).filter(|name| is_wanted(name));
        let names: Vec<String> = names.map(str::to_owned).collect();
        let scope = Scope::of(self.tracer.file, self.graph, &[]);
        let known = |name: &str| match at.get(name) {
            Some(known) => Ok(Some(known.clone())),
            None if self.initialisers.contains(name) => scope.get(name),
            None => Ok(None),
        };
        let values = segment(self.tracer, self.graph, steps, &known, &names)?;
        Ok(names.into_iter().zip(values.map_err(Stop::Nothing)?).collect())
    }

    /// The values that a part of the model gives otherwise than its nodes one by one.
    fn differing(&self, from: usize, to: usize, at: &Values) -> Result<Differing, Stop> {
        let values = self.run(from, to, at)?;
        let is_other = |(name, value): &(String, Value)| {
            self.tracer.digests.get(name) != Some(&Digest::of(&encode_value("", value)))
        };
        Ok(values.into_iter().filter(is_other).collect())
    }

    /// The values that are needed behind a part whose nodes give together what they give one by one.
    fn behind(&self, from: usize, to: usize, at: &Values) -> Result<Values, Stop> {
        let computed = self.run(from, to, at)?;
        let mut values = self.kept(to, at);
        for (name, value) in computed {
            let known = self.known(&name, value);
            values.insert(name, known);
        }
        Ok(values)
    }

    /// Those of some values that are needed from a place on.
    fn kept(&self, from: usize, at: &Values) -> Values {
        let wanted = self.wanted(from);
        let kept = at.iter().filter(|(name, _)| wanted.contains(name.as_str()));
        kept.map(|(name, known)| (name.clone(), known.clone())).collect()
    }

    /// The next group, and goes on to behind it.
    fn next(&mut self) -> Result<Fusion, Stop> {
        // The first so many nodes that differ.
        let (mut same, mut differs) = (self.from, self.graph.steps.len());
        while differs - same > 1 {
            let middle = same.midpoint(differs);
            match self.differing(self.from, middle, &self.at)?.is_empty() {
                true => same = middle,
                false => differs = middle,
            }
        }
        let end = differs;
        // The last so many of them that still do.
        let (mut begin, mut too_few, mut values) = (self.from, end, self.at.clone());
        while too_few - begin > 1 {
            let middle = begin.midpoint(too_few);
            let at = self.behind(begin, middle, &values)?;
            match self.differing(middle, end, &at)?.is_empty() {
                true => too_few = middle,
                false => (begin, values) = (middle, at),
            }
        }
        let differing = self.differing(begin, end, &values)?;
        // One node alone differs from itself: the backend does not repeat its results.
        if end - begin < 2 || differing.is_empty() {
            return Err(Stop::Nothing(NOT_REPEATED.to_owned()));
        }
        // What the group's nodes give one by one.
        let mut alone = values.clone();
        for place in begin..end {
            for (name, value) in self.computed(place, place + 1, &alone, |_| true)? {
                let known = self.known(&name, value);
                alone.insert(name, known);
            }
        }
        let is_within = self.is_within(begin, end, &differing, &values)?;
        let fusion = Fusion { is_within, ..self.described(begin, end, &differing, &alone) };
        (self.from, self.at) = (end, self.kept(end, &alone));
        Ok(fusion)
    }

    /// Whether the values that a group gives are within what its nodes may give one after the other.
    fn is_within(
        &self,
        begin: usize,
        end: usize,
        differing: &Differing,
        at: &Values,
    ) -> Result<Option<bool>, Stop> {
        let Tracer { file, options, .. } = &*self.tracer;
        let at = at.iter().map(|(name, known)| (name.clone(), known.value.clone())).collect();
        let names: Vec<String> = differing.iter().map(|(name, _)| name.clone()).collect();
        let encloser = Encloser::new(file, options.profile);
        let found = encloser.part(self.graph, self.steps(begin, end), &at, &names)?;
        Ok(hold(found.iter().zip(differing.iter().map(|(_, value)| value))))
    }

    fn described(&self, begin: usize, end: usize, differing: &Differing, alone: &Values) -> Fusion {
        // The nodes of the part that the values depend on.
        let mut wanted: BTreeSet<&str> = differing.iter().map(|(name, _)| name.as_str()).collect();
        let mut group = Vec::new();
        for step in self.steps(begin, end).iter().rev() {
            let is_constant = step.writes().all(|name| self.constants.contains(name));
            if !is_constant && step.writes().any(|name| wanted.contains(name)) {
                wanted.extend(step.reads.iter().map(String::as_str));
                group.push(step);
            }
        }
        group.reverse();
        let (mut max_ulp, mut max_abs) = (Some(0), None);
        for (name, value) in differing {
            let Some(known) = alone.get(name) else { continue };
            let difference = between(value, &known.value);
            max_ulp = max_ulp.zip(difference.max_ulp).map(|(most, ulp): (u64, u64)| most.max(ulp));
            max_abs = max_abs.into_iter().chain(difference.max_abs).max_by(f64::total_cmp);
        }
        Fusion {
            nodes: group.iter().map(|step| step.name.clone()).collect(),
            operators: group.iter().map(|step| step.operator()).collect(),
            outputs_differ: differing.iter().map(|(name, _)| name.clone()).collect(),
            max_ulp,
            max_abs: max_abs.map(float::with_bits),
            is_within: None,
        }
    }
}

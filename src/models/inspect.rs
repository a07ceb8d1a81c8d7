//! The inspection of a model: its uses of operators and what covers each, and the restrictions of SONNX that it breaks.
//!
//! No backend is asked, and no weights are needed. [`document::Inspection`] is the one document; [`html`] and [`text`]
//! show what stands in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use reference::call;
use reference::operator::{Call, Domain, LATEST_OPSET};
use reference::operators;

use self::document::{
    FORMAT_VERSION, Inspection, KIND, Model, Opset, Outcome, Port, Remark, Restriction, Size,
    Source, Summary, Sweep, Topic,
};
use super::coverage::Index;
use super::file::ModelFile;
use super::graph::{Graph, GraphError, Step};
use super::restrictions::{self, Broken};
use super::types::{Known, NoCall, Seen, Sizes, SizesError, Visitor, Walk, dims_of, known_version};
use super::uses::{Class, UNKNOWN, Use, typed};
use crate::corpus::Digest;
use crate::corpus::suite::{self, Suite};
use crate::corpus::{Corpus, natural_order};
use crate::document::JsonDocument;
use crate::document::provenance::{since, tool};
use crate::document::write::{Part, WriteError, write_parts};
use crate::documents::challenge::Challenge;
use crate::documents::report::document::Report;
use crate::dtype::DType;
use crate::judge::profile::Profile;
use crate::judge::requirements::{Catalogue, CatalogueError};
use crate::judge::verdict::Verdict;
use crate::measure::atlas::Atlas;
use crate::measure::campaign::Campaign;
use crate::onnx::proto::tensor_shape_proto::dimension;
use crate::onnx::proto::{TypeProto, ValueInfoProto, type_proto};

pub mod cases;
pub mod document;
pub mod html;
pub mod text;

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "inspect.json";
/// Name of the page for readers.
pub const PAGE: &str = "inspect.html";

/// The shapes of a use that are listed.
const SHAPES: usize = 4;

/// Operators of ONNX that a version of its operator sets deprecated.
const DEPRECATED: [(&str, i64); 2] = [("Scatter", 11), ("Upsample", 10)];

/// The model cannot be inspected.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum InspectError {
    #[error("the graph of `{path}` cannot be walked; export the model again")]
    Graph { path: PathBuf, source: GraphError },
    #[error(transparent)]
    Sizes(#[from] SizesError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
}

/// A document with results, and the digest of its file.
#[derive(Debug)]
pub struct Given<D> {
    /// The document.
    pub document: D,
    /// SHA-256 of its file.
    pub digest: Digest,
}

/// What a model is set against.
#[derive(Debug, Default)]
pub struct Against<'a> {
    /// Sizes for those that the model leaves open.
    pub sizes: Sizes,
    /// The profile whose rules are shown.
    pub profile: Option<&'a Profile>,
    /// Reports.
    pub reports: Vec<Given<Report>>,
    /// Corpora of their cases, beside the own suites.
    pub corpora: Vec<(Suite, Corpus)>,
    /// Campaigns.
    pub campaigns: Vec<Given<Campaign>>,
    /// Atlases.
    pub atlases: Vec<Given<Atlas>>,
}

/// A model, inspected.
#[derive(Debug)]
pub struct Inspected {
    /// The document.
    pub document: Inspection,
    /// A call of each of its uses; `None` where there is none.
    pub samples: Vec<Option<Sample>>,
}

/// A call as a node of a model makes it, on zeros in place of what is not known.
#[derive(Debug)]
pub struct Sample {
    /// The call.
    pub call: Call,
    /// The operator set that the model imports.
    pub opset: i64,
}

impl Inspected {
    /// The uses that nothing covers exactly, each with a call.
    pub fn uncovered(&self) -> impl Iterator<Item = (String, &Option<Sample>)> {
        let all = self.document.uses.iter().zip(&self.samples);
        let open = all.filter(|(one, _)| one.coverage != document::Coverage::Exact);
        open.map(|(one, sample)| (format!("{} {}", one.name(), one.inputs()), sample))
    }
}

/// Inspects a model.
pub fn inspect(file: &ModelFile, against: &Against<'_>) -> Result<Inspected, InspectError> {
    let begun = Instant::now();
    let failed = |source| InspectError::Graph { path: file.path.clone(), source };
    let graph = Graph::of(&file.model).map_err(failed)?;
    let sizes = against.sizes.clone().within(&graph)?;
    let mut found = Found::default();
    let walked = Walk::through(file, &graph, &sizes, &mut found).map_err(failed)?;
    let missing = "the data lie in other files that are not there; where shapes depend on them, they are unknown";
    found.remark(Topic::MissingData, missing, walked.missing.iter());
    let index = index(&found, against);
    let profile = against.profile;
    let uses: Vec<document::Use> =
        found.uses.iter().map(|(one, at)| documented(one, at, &index, profile)).collect();
    let given = sizes.dims.iter().map(|(name, size)| (name, *size, true));
    let stood = walked.stand_ins.iter().map(|(name, size)| (name, *size, false));
    let taken = given.chain(stood).map(|(name, size, given)| Size {
        name: name.clone(),
        size: size as u64,
        given,
    });
    let mut taken: Vec<Size> = taken.collect();
    taken.sort_by(|a, b| natural_order(&a.name, &b.name));
    // By tag, and then in the order of the nodes.
    found.restrictions.sort_by(|a, b| natural_order(&a.tag, &b.tag));
    let requirements = statements(&found.restrictions, &Catalogue::embedded()?);
    let model = &file.model;
    let opset = |import: &crate::onnx::proto::OperatorSetIdProto| Opset {
        domain: import.domain().to_owned(),
        version: import.version(),
    };
    let name = file.path.file_name().map_or_else(String::new, |name| name.display().to_string());
    let remarks = found.remarks.into_iter();
    let remarks = remarks.map(|((topic, why), names)| Remark { topic, names, why });
    let samples = found.uses.into_values().map(|places| places.sample).collect();
    let mut document = Inspection {
        format_version: FORMAT_VERSION,
        kind: KIND.to_owned(),
        tool: tool(),
        model: Model {
            name,
            digest: file.digest.to_string(),
            ir_version: graph.ir_version,
            opsets: model.imports().iter().map(opset).collect(),
            nodes: found.nodes,
            functions: model.functions().len() as u64,
            inputs: graph.inputs.iter().map(port).collect(),
            outputs: graph.outputs.iter().map(port).collect(),
        },
        sizes: taken,
        profile: profile.map(|profile| profile.name().to_owned()),
        sources: Vec::new(),
        summary: Summary::default(),
        uses,
        restrictions: found.restrictions,
        requirements,
        remarks: remarks.collect(),
        provenance: since(begun.elapsed(), BTreeMap::new()),
    };
    document.set_against(&against.results());
    Ok(Inspected { document, samples })
}

/// Writes `inspect.html` and `inspect.json` into the folder, both or none; it is created where it is missing. Gives
/// their paths.
pub fn write(inspection: &Inspection, dir: &Path) -> Result<[PathBuf; 2], WriteError> {
    let parts = vec![
        Part::new(PAGE, || html::to_text(inspection).map(String::into_bytes)),
        Part::new(DOCUMENT, || inspection.to_bytes()),
    ];
    write_parts(parts, dir)?;
    Ok([PAGE, DOCUMENT].map(|name| dir.join(name)))
}

/// Where a use is.
#[derive(Default)]
struct Places {
    nodes: Vec<String>,
    shapes: BTreeSet<String>,
    classes: BTreeSet<Class>,
    dtype: Option<DType>,
    sample: Option<Sample>,
    /// Why there is no class of some node.
    open: Option<String>,
}

/// What the walk through a model finds.
#[derive(Default)]
struct Found {
    nodes: u64,
    uses: BTreeMap<Use, Places>,
    restrictions: Vec<Restriction>,
    remarks: BTreeMap<(Topic, String), Vec<String>>,
}

impl Found {
    fn remark<'a>(&mut self, topic: Topic, why: &str, names: impl IntoIterator<Item = &'a String>) {
        let mut names = names.into_iter().peekable();
        if names.peek().is_some() {
            let known = self.remarks.entry((topic, why.to_owned())).or_default();
            known.extend(names.cloned());
        }
    }

    fn broken(&mut self, node: Option<&str>, broken: Broken) {
        let Broken { tag, also, why } = broken;
        self.restrictions.push(Restriction { tag, node: node.map(str::to_owned), why, also });
    }

    /// What the graph of the whole model breaks by its inputs and outputs.
    fn ports(&mut self, graph: &Graph, read: &BTreeSet<&str>) {
        for input in &graph.inputs {
            let name = input.name();
            if !read.contains(name) {
                let why = format!("nothing reads the input `{name}`");
                self.broken(None, Broken::of(restrictions::UNUSED_INPUT, why));
                self.remark(Topic::UnusedInput, "nothing reads them", [&name.to_owned()]);
            }
        }
        let computed: BTreeSet<&str> = graph.steps.iter().flat_map(Step::writes).collect();
        for output in graph.outputs.iter().filter(|output| !computed.contains(output.name())) {
            let why = format!("the output `{}` is that of no node", output.name());
            self.broken(None, Broken::of(restrictions::LOOSE_OUTPUT, why));
        }
        for port in graph.inputs.iter().chain(&graph.outputs) {
            let name = port.name();
            match port.r#type.as_ref().and_then(|stated| stated.value.as_ref()) {
                Some(type_proto::Value::SparseTensorType(_)) => {
                    self.broken(None, Broken::of("GR1", format!("`{name}` is a sparse tensor")));
                }
                Some(type_proto::Value::TensorType(tensor))
                    if DType::from_onnx(tensor.elem_type()).is_some() => {}
                Some(value) if !matches!(value, type_proto::Value::TensorType(_)) => {}
                _ => {
                    let why = format!("the element type of `{name}` is open");
                    self.broken(None, Broken::of("GR2", why));
                }
            }
        }
        let values = graph.steps.iter().flat_map(Step::writes);
        let open = values.filter(|value| !graph.types.contains_key(*value));
        let open: Vec<String> = open.map(str::to_owned).collect();
        let why = "the model states no type of these inner values; whether GR2 wants one of them its text leaves open";
        self.remark(Topic::UntypedValue, why, &open);
    }
}

impl Visitor for Found {
    fn graph(&mut self, prefix: &str, graph: &Graph) {
        let outputs = graph.outputs.iter().map(ValueInfoProto::name);
        let outputs: BTreeSet<&str> = outputs.collect();
        let reads = graph.steps.iter().flat_map(|step| step.reads.iter().map(String::as_str));
        let read: BTreeSet<&str> = reads.chain(outputs.iter().copied()).collect();
        if prefix.is_empty() {
            self.ports(graph, &read);
        }
        let unused = graph.initialisers.keys().chain(&graph.sparse);
        let unused: Vec<String> = unused
            .filter(|name| !read.contains(name.as_str()))
            .map(|name| format!("{prefix}{name}"))
            .collect();
        self.remark(Topic::UnusedConstant, "nothing reads them", &unused);
        // What an output depends on, from the end.
        let mut live = outputs;
        let mut dead = Vec::new();
        for step in graph.steps.iter().rev() {
            if step.writes().any(|value| live.contains(value)) {
                live.extend(step.reads.iter().map(String::as_str));
            } else {
                dead.push(format!("{prefix}{}", step.name));
            }
        }
        dead.reverse();
        self.remark(Topic::DeadNode, "no output of their graph depends on them", &dead);
        for step in &graph.steps {
            let name = format!("{prefix}{}", step.name);
            if step.writes().next().is_none() {
                let why = "it has no output".to_owned();
                self.broken(Some(&name), Broken::of(restrictions::NO_OUTPUT, why));
            } else if !step.writes().any(|value| read.contains(value)) {
                let why = "nothing reads its outputs".to_owned();
                self.broken(Some(&name), Broken::of(restrictions::DEAD_NODE, why));
            }
            let sparse = step.reads.iter().find(|value| graph.sparse.contains(*value));
            if let Some(value) = sparse {
                let why = format!("it reads `{value}`, a sparse tensor");
                self.broken(Some(&name), Broken::of("GR1", why));
            }
        }
    }

    fn node(&mut self, seen: Seen<'_>) {
        self.nodes += 1;
        let Seen { name, step, inputs, call, stated } = seen;
        let one = Use::of(step, inputs);
        let attributes = call::attributes(&step.node);
        match known_version(step) {
            None => {
                let (topic, why) = why_unknown(&one);
                self.remark(topic, &why, [&name]);
                self.broken(Some(&name), restrictions::not_specified(&step.operator()));
            }
            Some((operator, version)) => {
                let call = call.as_ref().ok().map(|(call, _)| call);
                for broken in restrictions::of_use(operator, version, &attributes, inputs, call) {
                    self.broken(Some(&name), broken);
                }
            }
        }
        let gone = DEPRECATED
            .iter()
            .find(|(deprecated, since)| *deprecated == one.operator && one.opset >= Some(*since));
        if let (Some((deprecated, since)), true) = (gone, step.is_standard()) {
            let why = format!("{deprecated} is deprecated since operator set {since}");
            self.remark(Topic::Deprecated, &why, [&name]);
        }
        match call {
            Err(NoCall::Invalid(problem)) => self.remark(Topic::Invalid, problem, [&name]),
            Err(_) => {}
            Ok((_, types)) => {
                for (value, inferred) in step.writes().zip(types) {
                    let Some(declared) = stated.get(value).and_then(dtype_of) else { continue };
                    if declared != inferred.dtype {
                        let why =
                            format!("`{value}` is stated as {declared} and is {}", inferred.dtype);
                        self.broken(Some(&name), Broken::of("GR3", why));
                    }
                }
            }
        }
        let class = known_version(step).and_then(|(operator, version)| {
            let outputs = &one.outputs;
            Some(Class::of(operator, version, &attributes, &typed(inputs)?, outputs))
        });
        let opset = one.opset;
        let places = self.uses.entry(one).or_default();
        if let (None, Ok((call, _)), Some(opset)) = (&places.sample, call, opset) {
            places.sample = Some(Sample { call: call.clone(), opset });
        }
        places.nodes.push(name);
        if places.shapes.len() < SHAPES {
            places.shapes.extend(shapes(inputs));
        }
        places.dtype = places.dtype.or(inputs.iter().flatten().find_map(|known| known.dtype));
        match (class, call) {
            (Some(class), Ok(_) | Err(NoCall::Elements(_) | NoCall::Large(_))) => {
                places.classes.insert(class);
            }
            (None, Ok(_)) => {}
            (_, Err(why)) => places.open = places.open.take().or(Some(why.to_string())),
        }
    }
}

/// The element type that a tensor is stated to have.
fn dtype_of(stated: &TypeProto) -> Option<DType> {
    match stated.value.as_ref()? {
        type_proto::Value::TensorType(tensor) => DType::from_onnx(tensor.elem_type()),
        _ => None,
    }
}

/// Why the version of a node is not known.
fn why_unknown(one: &Use) -> (Topic, String) {
    let name = &one.operator;
    match (one.domain.as_str(), one.opset) {
        ("", Some(opset)) if operators::find(Domain::Onnx, name).is_some() => {
            let known = format!("of {name} in operator set {opset} nothing is known here");
            (Topic::UnknownVersion, format!("{known}; the newest that is known is {LATEST_OPSET}"))
        }
        ("", None) => {
            (Topic::UnknownVersion, "the model imports no operator set of ONNX's domain".to_owned())
        }
        ("", _) => (Topic::UnknownOperator, format!("the reference has no {name}")),
        (domain, _) => (Topic::OtherDomain, format!("of the domain {domain}")),
    }
}

/// The shapes of inputs, as text.
fn shapes(inputs: &[Option<Known>]) -> Option<String> {
    let of = |input: &Option<Known>| match input.as_ref().map(|known| known.shape.as_ref()) {
        None => "-".to_owned(),
        Some(None) => UNKNOWN.to_owned(),
        Some(Some(shape)) => format!("{shape:?}"),
    };
    let mut all: Vec<String> = inputs.iter().map(of).collect();
    if all.len() > 8 {
        all.truncate(8);
        all.push("..".to_owned());
    }
    (!all.is_empty()).then(|| all.join(" "))
}

/// The cases that may cover these uses.
fn index(found: &Found, against: &Against<'_>) -> Index {
    let is_known = |one: &&Use| one.domain.is_empty();
    let operators = found.uses.keys().filter(is_known).map(|one| one.operator.clone());
    let operators: BTreeSet<String> = operators.collect();
    let mut index = Index::of_own(&operators);
    for (suite, corpus) in &against.corpora {
        let cases = against.reports.iter().flat_map(|given| &given.document.cases);
        let is_of = |name: &str| operators.contains(name);
        let cases = cases.filter(|case| is_of(&case.operator));
        index.add_corpus(corpus, *suite, &cases.map(|case| case.id.as_str()).collect());
    }
    index
}

/// The id of the own case whose class a case is of.
fn own_id(id: &str) -> String {
    let (corpus, name) = id.split_once('/').unwrap_or((id, ""));
    match Challenge::suite_of(corpus) {
        Some(suite) => format!("{}/{name}", suite.name()),
        None => id.to_owned(),
    }
}

/// A use as the document has it.
fn documented(
    one: &Use,
    places: &Places,
    index: &Index,
    profile: Option<&Profile>,
) -> document::Use {
    let operator = operators::find(Domain::Onnx, &one.operator).filter(|_| one.domain.is_empty());
    let of_classes: Vec<Vec<String>> =
        places.classes.iter().map(|class| index.cases(class)).collect();
    let is_covered = places.open.is_none() && of_classes.iter().all(|cases| !cases.is_empty());
    let mut cases: Vec<String> = of_classes.into_iter().flatten().collect();
    cases.sort_by(|a, b| natural_order(a, b));
    cases.dedup();
    if !is_covered {
        // Some of its nodes may be of a class that has cases.
        cases.clear();
    }
    let rule = profile.zip(places.dtype);
    let rule = rule.map(|(profile, dtype)| profile.strictness(operator, dtype).to_string());
    document::Use {
        operator: one.operator.clone(),
        domain: one.domain.clone(),
        since_version: one.since_version,
        newest_version: operator.map(|operator| operator.newest().since),
        opset: one.opset,
        element_types: one.element_types.clone(),
        attributes: one.attributes.clone(),
        ranks: one.ranks.clone(),
        broadcast: one.broadcast.clone(),
        outputs: one.outputs.clone(),
        shapes: places.shapes.iter().take(SHAPES).cloned().collect(),
        nodes: places.nodes.clone(),
        coverage: document::Coverage::None,
        results: Vec::new(),
        cases,
        operator_cases: if operator.is_some() { index.of_operator(&one.operator) } else { 0 },
        campaigns: Vec::new(),
        rule: rule.filter(|_| operator.is_some()),
        open: places.open.clone(),
    }
}

/// Documents with results, each with the digest of its file.
#[derive(Clone, Debug, Default)]
pub struct Results<'a> {
    /// Reports.
    pub reports: Vec<(&'a Report, Digest)>,
    /// Campaigns.
    pub campaigns: Vec<(&'a Campaign, Digest)>,
    /// Atlases.
    pub atlases: Vec<(&'a Atlas, Digest)>,
    /// The names of the corpora that were looked at, beside the own suites.
    pub corpora: Vec<&'a str>,
}

impl Against<'_> {
    fn results(&self) -> Results<'_> {
        fn all<D>(given: &[Given<D>]) -> Vec<(&D, Digest)> {
            given.iter().map(|given| (&given.document, given.digest)).collect()
        }
        Results {
            reports: all(&self.reports),
            campaigns: all(&self.campaigns),
            atlases: all(&self.atlases),
            corpora: self.corpora.iter().map(|(_, corpus)| corpus.name()).collect(),
        }
    }
}

impl Inspection {
    /// Sets the uses against these documents, in place of those that they were set against.
    pub fn set_against(&mut self, results: &Results<'_>) {
        for one in &mut self.uses {
            one.results = outcomes(&one.cases, results);
            one.campaigns = sweeps(one, results);
            one.coverage = one.covered();
        }
        self.sources = sources(results);
        self.summary = Summary::of(&self.uses, &self.restrictions);
    }
}

/// What each report has of these cases.
fn outcomes(cases: &[String], results: &Results<'_>) -> Vec<Outcome> {
    let wanted: BTreeSet<&str> = cases.iter().map(String::as_str).collect();
    let mut outcomes = Vec::new();
    for (source, (report, _)) in results.reports.iter().enumerate() {
        let (mut verdicts, mut not_passed) = (BTreeMap::new(), BTreeMap::new());
        for case in &report.cases {
            if !wanted.contains(own_id(&case.id).as_str()) {
                continue;
            }
            *verdicts.entry(case.verdict.to_string()).or_insert(0) += 1;
            if case.verdict != Verdict::Pass {
                not_passed.insert(case.id.clone(), case.verdict.to_string());
            }
        }
        if !verdicts.is_empty() {
            outcomes.push(Outcome { source: source as u64, verdicts, not_passed });
        }
    }
    outcomes
}

/// The campaigns and rows of atlases on a use: those of its operator in the newest version, on its element type, with
/// its attributes. They take operands one by one, so that they say nothing of broadcasting.
fn sweeps(one: &document::Use, results: &Results<'_>) -> Vec<Sweep> {
    let operator = operators::find(Domain::Onnx, &one.operator);
    let is_type = |name: &&String| !name.is_empty() && *name != UNKNOWN;
    let dtype = one.element_types.iter().find(is_type);
    let (Some(operator), Some(dtype)) = (operator, dtype) else { return Vec::new() };
    let is_plain = one.broadcast.as_deref().is_none_or(|form| form == "equal");
    if one.since_version != Some(operator.newest().since) || !one.domain.is_empty() || !is_plain {
        return Vec::new();
    }
    let is_of = |name: &str, type_name: &str, attributes: &BTreeMap<String, String>| {
        let is_same = |(name, value): (&String, &String)| one.attributes.get(name) == Some(value);
        name == operator.name
            && type_name == dtype
            && attributes.iter().all(is_same)
            && one.attributes.iter().all(|(name, value)| {
                attributes.get(name).map_or(is_default(operator, name, value), |own| own == value)
            })
    };
    let campaigns = results.campaigns.iter().map(|(campaign, _)| campaign);
    let campaigns = campaigns.filter(|it| is_of(&it.operator, &it.type_name, &it.attributes));
    let campaigns = campaigns.map(|it| Sweep {
        kind: "campaign".to_owned(),
        backend: format!("{} {}", it.backend.name, it.backend.version),
        strategy: it.strategy.clone(),
        inputs: it.promised,
        executed: it.executed,
        mismatches: it.mismatches,
        max_error_ulp: it.max_error_ulp.clone(),
    });
    let rows = results.atlases.iter().flat_map(|(atlas, _)| &atlas.rows);
    let rows = rows.filter(|it| is_of(&it.operator, &it.type_name, &it.attributes));
    let rows = rows.map(|it| Sweep {
        kind: "atlas".to_owned(),
        backend: format!("{} {}", it.backend, it.version),
        strategy: it.strategy.clone(),
        inputs: it.inputs,
        executed: it.executed,
        mismatches: it.not_correctly_rounded,
        max_error_ulp: it.max_error_ulp.clone(),
    });
    campaigns.chain(rows).collect()
}

/// Whether a version has this value where an attribute is left out.
fn is_default(operator: &reference::operator::Operator, name: &str, value: &str) -> bool {
    let specs = operator.newest().attributes.iter();
    let mut defaults = specs.filter(|spec| spec.name == name).filter_map(super::uses::default);
    defaults.any(|default| super::uses::shown(&default) == value)
}

/// The documents that results are taken from, in the order of reports, campaigns and atlases.
fn sources(results: &Results<'_>) -> Vec<Source> {
    let source = |kind: &str, backend: &str, version: &str, digest: Digest| Source {
        kind: kind.to_owned(),
        backend: backend.to_owned(),
        version: version.to_owned(),
        digest: digest.to_string(),
        unseen: 0,
    };
    let reports = results.reports.iter().map(|(report, digest)| {
        let Report { backend, cases, .. } = report;
        let is_unseen = |id: &str| {
            let corpus = id.split_once('/').map_or(id, |(corpus, _)| corpus);
            let is_own = suite::named(corpus).is_ok() || Challenge::suite_of(corpus).is_some();
            !is_own && !results.corpora.contains(&corpus)
        };
        let unseen = cases.iter().filter(|case| is_unseen(&case.id)).count() as u64;
        Source { unseen, ..source("report", &backend.name, &backend.version, *digest) }
    });
    let campaigns = results.campaigns.iter().map(|(campaign, digest)| {
        let backend = &campaign.backend;
        source("campaign", &backend.name, &backend.version, *digest)
    });
    let atlases = results.atlases.iter().map(|(atlas, digest)| {
        let backends: BTreeSet<&str> = atlas.rows.iter().map(|row| row.backend.as_str()).collect();
        let backends: Vec<&str> = backends.into_iter().collect();
        source("atlas", &backends.join(", "), "", *digest)
    });
    reports.chain(campaigns).chain(atlases).collect()
}

/// What the tags of restrictions want.
fn statements(broken: &[Restriction], catalogue: &Catalogue) -> BTreeMap<String, String> {
    let tags: BTreeSet<&str> = broken.iter().map(|broken| broken.tag.as_str()).collect();
    let of = |tag: &str| {
        let known = catalogue.get(tag).map(|requirement| requirement.statement.as_str());
        let known = known.or_else(|| restrictions::graph_tag(tag));
        known.unwrap_or("The document specifies the call.").to_owned()
    };
    tags.into_iter().map(|tag| (tag.to_owned(), of(tag))).collect()
}

/// An input or output as the model declares it.
fn port(port: &ValueInfoProto) -> Port {
    let stated = port.r#type.as_ref();
    let size = |dim: &crate::onnx::proto::tensor_shape_proto::Dimension| match &dim.value {
        Some(dimension::Value::DimValue(size)) => size.to_string(),
        Some(dimension::Value::DimParam(name)) => name.clone(),
        None => UNKNOWN.to_owned(),
    };
    Port {
        name: port.name().to_owned(),
        type_name: stated.and_then(dtype_of).map_or(UNKNOWN, DType::name).to_owned(),
        shape: dims_of(stated).map(|dims| dims.iter().map(size).collect()),
    }
}

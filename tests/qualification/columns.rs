//! What looks for defects: suites, the official corpus, campaigns, and the check of the protocol.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Backend, Outcome};
use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CaseDir, Corpus, Digest, Home};
use onnx_conformance::documents::qualification::document::{self, ColumnKind};
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::measure::campaign::{
    Ended, Judge, Plan, State, Strategy, Task, Tensors, execute as execute_campaign,
};
use onnx_conformance::model::{Format, Model};
use onnx_conformance::reference::check::Check;
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators;
use onnx_conformance::run::{CaseResult, answer, case_id, is_refuted, judge as judge_case};
use onnx_conformance::tensor::Tensor;

/// The corpus of the official node cases.
const OFFICIAL: &str = "onnx-1.22.0";

/// Inputs that are taken of each part of the hard ones, from its beginning on.
const OF_EACH_PART: u64 = 256;

/// Inputs of the largest domain that is swept as a whole.
const SMALL: u64 = 1 << 16;

/// The profile of campaigns.
const EXACT: &str = "ieee754";

/// A column, and what is in it.
pub(crate) struct Column {
    pub(crate) id: &'static str,
    pub(crate) kind: ColumnKind,
    says: &'static str,
    profile: Option<Arc<Profile>>,
    digest: Option<Digest>,
    pub(crate) holds: Holds,
}

/// What a column asks.
pub(crate) enum Holds {
    Cases(Arc<Vec<Loaded>>),
    Campaigns(Vec<Campaign>),
    Protocol,
}

/// A case, with what it is about.
pub(crate) struct Loaded {
    pub(crate) id: String,
    suite: Suite,
    case: Arc<Case>,
    /// The first operator.
    pub(crate) operator: String,
    /// The type of the first operand; where there is none, of the output.
    pub(crate) dtype: Option<DType>,
    /// Every outcome that was judged, with its verdict.
    judged: Mutex<Vec<(Vec<Outcome>, Verdict)>>,
}

/// Campaigns of an operator and a type.
pub(crate) struct Campaign {
    pub(crate) operator: &'static Operator,
    pub(crate) dtype: DType,
    plan: Plan,
    /// The inputs that are taken of it.
    ranges: Vec<Range<u64>>,
}

/// The result of a campaign.
pub(crate) struct Swept {
    pub(crate) inputs: u64,
    /// Inputs with a wrong result, or with none.
    pub(crate) wrong: u64,
    pub(crate) first: Option<String>,
}

/// Why the columns are not there.
pub(crate) type Missing = String;

/// Every column.
pub(crate) fn all() -> Result<Vec<Column>, Missing> {
    let home = Home::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata"));
    let corpus = home.corpus(OFFICIAL).map_err(|error| error.to_string())?;
    let digest = Some(corpus.lock().unwrap().digest);
    let official = load(&corpus, Suite::Onnx, is_executable);
    // What several operators compute one after the other is rounded more than once.
    let single =
        official.iter().filter(|loaded| loaded.is_single()).map(Loaded::unjudged).collect();
    let column = |id, kind, says, profile, cases: Vec<Loaded>| Column {
        id,
        kind,
        says,
        profile: Some(Profile::named(profile).unwrap()),
        digest,
        holds: Holds::Cases(Arc::new(cases)),
    };
    Ok(vec![
        suite(&home, Suite::Sonnx, "sonnx", "the operators of SONNX"),
        suite(&home, Suite::SonnxDraft, "sonnx", "the earlier draft of Div"),
        suite(&home, Suite::OpenVino, EXACT, "Divide-1 of OpenVINO"),
        suite(&home, Suite::Onnx, "onnx-exact", "every version of the operators in ONNX"),
        column(
            OFFICIAL,
            ColumnKind::Official,
            "the official node cases of these operators under the official runner's tolerance",
            "onnx",
            official,
        ),
        column(
            "onnx-1.22.0-exact",
            ColumnKind::OfficialStrict,
            "those of a single operator, whose results are to be exact",
            EXACT,
            single,
        ),
        campaigns("exhaustive", "every input of small domains", each_type(whole)),
        campaigns(
            "hard",
            "of each part of the hardest inputs of every type the first 256",
            each_type(hard),
        ),
        campaigns(
            "stratified",
            "a random input of each stratum of every type",
            each_type(stratified),
        ),
        Column {
            id: "adapter-check",
            kind: ColumnKind::Protocol,
            says: "what the command adapter-check looks at",
            profile: None,
            digest: None,
            holds: Holds::Protocol,
        },
    ])
}

impl Column {
    /// The column as the document has it; the counts of defects are not known yet. The check of
    /// protocol has as many checks as are told.
    pub(crate) fn described(&self, checks: u64) -> document::Column {
        document::Column {
            id: self.id.to_owned(),
            kind: self.kind,
            says: self.says.to_owned(),
            profile: self.profile.as_ref().map(|profile| profile.name().to_owned()),
            cases: match &self.holds {
                Holds::Cases(cases) => cases.len() as u64,
                Holds::Campaigns(campaigns) => campaigns.iter().map(Campaign::inputs).sum(),
                Holds::Protocol => checks,
            },
            digest: self.digest.map(|digest| digest.to_string()),
            applicable: 0,
            killed: 0,
        }
    }

    /// What the harness makes of a case of this column. The verdict is a function of the outcome's bytes, so
    /// each of them is judged once, whichever backends it comes from.
    pub(crate) fn verdict(
        &self,
        loaded: &Loaded,
        backend: &dyn Backend,
        time: Duration,
    ) -> Verdict {
        let Loaded { id, suite, case, judged, .. } = loaded;
        let (outcomes, _) = answer(backend, case, *suite, time);
        let is_known = |(known, _): &&(Vec<Outcome>, Verdict)| *known == outcomes;
        if let Some((_, verdict)) = judged.lock().unwrap().iter().find(is_known) {
            return *verdict;
        }
        let profile = self.profile.as_ref().unwrap();
        // What has no defect was judged first, in full: a case is right in itself.
        let verdict = match is_refuted(id, case, *suite, profile, &outcomes) {
            true => Verdict::Fail,
            false => {
                let known = CaseResult::not_run(id, *suite, case);
                judge_case(case, *suite, profile, &outcomes, known).verdict
            }
        };
        judged.lock().unwrap().push((outcomes, verdict));
        verdict
    }
}

impl Loaded {
    /// The same case for another column, which has not judged anything yet.
    fn unjudged(&self) -> Self {
        Self {
            id: self.id.clone(),
            suite: self.suite,
            case: Arc::clone(&self.case),
            operator: self.operator.clone(),
            dtype: self.dtype,
            judged: Mutex::default(),
        }
    }

    /// Whether the model is a single operator.
    fn is_single(&self) -> bool {
        match &self.case.model {
            Model::Onnx(model) => model.graph().node.len() == 1,
            Model::OpenVino(_) => true,
        }
    }
}

impl Campaign {
    pub(crate) fn inputs(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    pub(crate) fn run(&self, backend: &Arc<dyn Backend>, time: Duration) -> Swept {
        let judge = judge(self.operator, self.dtype);
        let subject = Tensors::new(Arc::clone(backend), self.plan.check.clone(), time);
        let task = Task { plan: &self.plan, implementation: &subject, judge: &judge };
        let go_on = &mut |_: &State| ControlFlow::Continue(());
        let begin = self.begin(&judge);
        let before = begin.done.len();
        let (state, ended) = execute_campaign(&task, begin, NonZeroUsize::MIN, go_on);
        let lost = match ended {
            Err(Ended::Failed { first, .. }) => Some(first),
            _ => None,
        };
        let inputs = self.inputs();
        let executed = state.done.len() - before;
        let findings = &state.findings;
        let mismatches = findings.tally.mismatches;
        let violations = findings.violations.unwrap_or(mismatches);
        // Where some of the wrong results conform, the worst one of all does not.
        let examples = match violations {
            0 => &[],
            violations if violations < mismatches => &findings.worst[..1],
            _ => findings.first.as_slice(),
        };
        let examples = examples.iter().map(|example| example.index);
        let strategy = self.plan.strategy;
        let name = format!("{}/{}/{strategy}", self.operator, self.dtype).to_lowercase();
        Swept {
            inputs,
            wrong: violations + inputs - executed,
            first: examples.chain(lost).min().map(|index| format!("{name}/{index}")),
        }
    }

    /// The state in which all other inputs are done.
    fn begin(&self, judge: &Judge) -> State {
        let mut state = State::begin(judge);
        let mut next = 0;
        for range in &self.ranges {
            assert!(state.done.insert(next..range.start));
            next = range.end;
        }
        assert!(state.done.insert(next..self.plan.space.len()));
        state
    }
}

fn judge(operator: &'static Operator, dtype: DType) -> Judge {
    Judge::new(Profile::named(EXACT).unwrap(), operator, dtype).unwrap()
}

fn suite(home: &Home, suite: Suite, profile: &str, says: &'static str) -> Column {
    let corpus = home.suite(suite).unwrap();
    Column {
        id: suite.name(),
        kind: ColumnKind::Suite,
        says,
        profile: Some(Profile::named(profile).unwrap()),
        digest: Some(corpus.verify().unwrap().digest),
        holds: Holds::Cases(Arc::new(load(&corpus, suite, |_| true))),
    }
}

/// The cases of a corpus that are meant, verified.
fn load(corpus: &Corpus, suite: Suite, is_meant: fn(&CaseDir) -> bool) -> Vec<Loaded> {
    let load = |dir: &CaseDir| {
        let case = Arc::new(Case::decode(dir.name(), dir.load().unwrap().files()).unwrap());
        // Of an operator without inputs, what it gives.
        let set = &case.data_sets[0];
        let values = set.inputs.iter().chain(&set.outputs);
        let dtype = values.flat_map(|value| value.tensors()).map(Tensor::dtype).next();
        let operator = case.model.operators().into_iter().next().unwrap_or_default();
        Loaded {
            id: case_id(corpus, dir.name()),
            suite,
            operator,
            dtype,
            case,
            judged: Mutex::default(),
        }
    };
    corpus.cases().iter().filter(|dir| is_meant(dir)).map(load).collect()
}

/// Whether the kernels can run a case. Only the model is read.
fn is_executable(dir: &CaseDir) -> bool {
    let bytes = std::fs::read(dir.path().join(Format::Onnx.file())).unwrap();
    let model = Model::decode(Format::Onnx, dir.name(), bytes.into()).unwrap();
    Builtin.supports(&model)
}

fn campaigns(id: &'static str, says: &'static str, campaigns: Vec<Campaign>) -> Column {
    Column {
        id,
        kind: ColumnKind::Campaign,
        says,
        profile: Some(Profile::named(EXACT).unwrap()),
        digest: None,
        holds: Holds::Campaigns(campaigns),
    }
}

/// The campaigns of a kind that there are of the operators and types that sweeps check.
fn each_type(campaign: fn(&'static Operator, DType) -> Option<Campaign>) -> Vec<Campaign> {
    let of = |operator: &'static Operator| {
        let is_swept = move |dtype: &&DType| Check::new(operator, **dtype).is_some();
        let swept = operator.types().iter().filter(is_swept);
        swept.filter_map(move |&dtype| campaign(operator, dtype))
    };
    operators::onnx().flat_map(of).collect()
}

fn whole(operator: &'static Operator, dtype: DType) -> Option<Campaign> {
    let campaign = planned(operator, dtype, Strategy::Exhaustive, all_of)?;
    (campaign.inputs() <= SMALL).then_some(campaign)
}

fn hard(operator: &'static Operator, dtype: DType) -> Option<Campaign> {
    planned(operator, dtype, Strategy::Hard, |all| {
        let mut ranges = Vec::new();
        let mut first = 0;
        for part in all.space.parts() {
            ranges.push(first..first + part.size.min(OF_EACH_PART));
            first += part.size;
        }
        ranges.retain(|range| !range.is_empty());
        ranges
    })
}

fn stratified(operator: &'static Operator, dtype: DType) -> Option<Campaign> {
    let strategy = Strategy::Stratified { count: 1.try_into().unwrap(), seed: Strategy::SEED };
    planned(operator, dtype, strategy, all_of)
}

/// Every input of a plan, in one range.
fn all_of(plan: &Plan) -> Vec<Range<u64>> {
    std::iter::once(0..plan.promised()).collect()
}

/// The campaign, where the operator has such inputs of the type.
fn planned(
    operator: &'static Operator,
    dtype: DType,
    strategy: Strategy,
    ranges: impl FnOnce(&Plan) -> Vec<Range<u64>>,
) -> Option<Campaign> {
    let mut plan = Plan::new(operator, dtype, strategy, None, None).ok()?;
    plan.check = plan.check.memoised();
    let ranges = ranges(&plan);
    Some(Campaign { operator, dtype, plan, ranges })
}

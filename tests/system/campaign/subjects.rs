//! Subjects that are wrong, or do not answer.

use onnx_conformance::document::JsonDocument;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{
    self, Answer, Backend, Identity, Outcome, Refusal, RefusalKind, Stage,
};
use onnx_conformance::check::Check;
use onnx_conformance::document::style::Style;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::measure::campaign::{
    Campaign, Conducted, Ended, Failure, Judge, Plan, RegressError, Shard, Strategy, Task, Tensors,
    drive, regress, summary,
};
use onnx_conformance::model::Model;
use onnx_conformance::onnx::{ValueType, decode_value};
use onnx_conformance::reference::operator::Domain;
use onnx_conformance::reference::operator::{AttributeValue, Operator};
use onnx_conformance::reference::operators::{self, div::DIV, sqrt};
use onnx_conformance::tensor::{Tensor, Value};
use tempfile::TempDir;

use super::command::tool;

/// The built-in backend, but for what a function makes of its results.
struct Spoilt<F>(F);

impl<F: Fn(&Model, &[Value], Tensor) -> Outcome + Send + Sync> Backend for Spoilt<F> {
    fn identity(&self) -> Identity {
        Identity { name: "spoilt".to_owned(), ..Builtin.identity() }
    }

    fn run(&self, task: &backend::Task<'_>) -> Answer {
        match Builtin.run(task).outcome {
            Outcome::Outputs(outputs) => match outputs.as_slice() {
                [Value::Tensor(tensor)] => (self.0)(task.model, task.inputs, tensor.clone()).into(),
                _ => panic!("one tensor"),
            },
            other => panic!("{other:?}"),
        }
    }
}

/// Changes 16-bit results by their operands, of which scalars are one for all results.
fn changed(change: impl Fn(&[u16], u16) -> u16 + Send + Sync + 'static) -> Arc<dyn Backend> {
    Arc::new(Spoilt(move |_: &Model, inputs: &[Value], tensor: Tensor| {
        let elements = |tensor: &Tensor| {
            (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as u16).collect::<Vec<_>>()
        };
        let operands: Vec<Vec<u16>> =
            inputs.iter().flat_map(|input| input.tensors()).map(elements).collect();
        let results = elements(&tensor).into_iter().enumerate().map(|(at, result)| {
            let operand = |column: &Vec<u16>| column.get(at).copied().unwrap_or(column[0]);
            let operands: Vec<u16> = operands.iter().map(operand).collect();
            change(&operands, result)
        });
        let results = results.collect();
        let shape = tensor.shape().to_vec();
        Outcome::Outputs(vec![Tensor::from_values(tensor.dtype(), shape, results).unwrap().into()])
    }))
}

pub(crate) struct Sweep {
    operator: &'static Operator,
    dtype: DType,
    range: Option<Range<u64>>,
    profile: &'static str,
}

pub(crate) const SQRT: Sweep =
    Sweep { operator: &sqrt::SQRT, dtype: DType::Float16, range: None, profile: "ieee754" };

impl Sweep {
    fn drive(&self, backend: Arc<dyn Backend>, out: &Path) -> Conducted {
        let Self { operator, dtype, .. } = *self;
        let plan = Plan::new(operator, dtype, Strategy::Exhaustive, self.range.clone(), None);
        self.conduct_plan(&plan.unwrap(), backend, out)
    }

    fn conduct_plan(&self, plan: &Plan, backend: Arc<dyn Backend>, out: &Path) -> Conducted {
        let check = &plan.check;
        let profile = Profile::named(self.profile).unwrap();
        let judge = Judge::new(profile, check.operator(), check.result()).unwrap();
        let subject = Tensors::new(backend, check.clone(), Duration::from_secs(60));
        let task = Task { plan, implementation: &subject, judge: &judge };
        let threads = NonZeroUsize::new(2).unwrap();
        drive(&task, out, threads, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    fn document(&self, backend: Arc<dyn Backend>) -> Campaign {
        self.drive(backend, tempfile::tempdir().unwrap().path()).document
    }

    /// The document of a range or a shard.
    pub(crate) fn part(
        &self,
        backend: Arc<dyn Backend>,
        range: Option<Range<u64>>,
        shard: Option<Shard>,
    ) -> Campaign {
        let out = tempfile::tempdir().unwrap();
        let plan = Plan::new(self.operator, self.dtype, Strategy::Exhaustive, range, shard);
        self.conduct_plan(&plan.unwrap(), backend, out.path()).document
    }
}

/// A backend whose float16 result is a step too large for every 977th operand.
pub(crate) fn every_977th_is_wrong() -> Arc<dyn Backend> {
    changed(|operands, result| if operands[0] % 977 == 5 { result ^ 1 } else { result })
}

/// One pair of float16 values, 5 by -3, whose quotient alone is one step too large.
fn wrong_on_one_pair() -> (u64, Arc<dyn Backend>) {
    const PAIR: [u16; 2] = [0x4500, 0xc200];
    let index = u64::from(PAIR[1]) << 16 | u64::from(PAIR[0]);
    (index, changed(|operands, result| if operands == PAIR { result + 1 } else { result }))
}

/// A campaign on a backend that is wrong on one pair, and on the pairs about it.
fn one_wrong(out: &Path) -> (u64, Conducted) {
    let (index, backend) = wrong_on_one_pair();
    let (operator, dtype) = (&DIV, DType::Float16);
    let range = Some(index - 70_000..index + 70_000);
    (index, Sweep { operator, dtype, range, profile: "sonnx" }.drive(backend, out))
}

#[test]
fn a_kernel_wrong_on_one_pair_is_caught_and_the_pair_named() {
    let out = tempfile::tempdir().unwrap();
    let (index, Conducted { document, ended, .. }) = one_wrong(out.path());
    assert_eq!(ended, Ok(()));
    assert_eq!((document.executed, document.mismatches), (140_000, 1));
    assert_eq!(document.violations, Some(1));
    assert!(!document.conforms());
    for examples in [&document.counterexamples.first, &document.counterexamples.worst] {
        let [example] = examples.as_slice() else { panic!("{examples:?}") };
        assert_eq!(example.index, index);
        assert_eq!(example.inputs, ["5 (0x4500)", "-3 (0xc200)"]);
        assert_eq!(example.expected, "-1.667 (0xbeab)");
        assert_eq!(example.actual, "-1.668 (0xbeac)");
        // -5/3 is -1706 2/3 steps of 2^-10, the result -1708.
        assert_eq!(example.error_ulp, "1.333334 (<1398102/2^20)");
    }
    assert_eq!(document.max_error_ulp.as_deref(), Some("1.333334 (<1398102/2^20)"));
    let wrong: Vec<_> = document.heat_map.cells.iter().filter(|cell| cell.mismatches > 0).collect();
    assert_eq!((wrong[0].a, wrong[0].b, wrong.len()), (0x4500 >> 10, (0xc200 & 0x7fff) >> 10, 1));
}

#[test]
fn a_mismatch_becomes_a_regression_case_by_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let (index, conducted) = one_wrong(&folder.path().join("campaign"));
    let index = index.to_string();
    let make = ["regress", "campaign", "--index", &index, "--out", "cases"];
    let output = tool(folder.path(), &make);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let digest = &conducted.document.digest.to_string()[..12];
    let case = folder.path().join(format!("cases/div/float16/campaign_{digest}_{index}"));
    assert!(case.join("model.onnx").is_file() && case.join("case.json").is_file());

    let run = ["run", "--corpus", "cases", "--profile", "sonnx", "--out", "out"];
    assert_eq!(tool(folder.path(), &run).status.code(), Some(0));
    let report = std::fs::read(folder.path().join("out/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["summary"]["pass"], 1);
    assert_eq!(report["summary"]["elements_compared"], 1);

    let again = tool(folder.path(), &make);
    assert_eq!(again.status.code(), Some(2), "what is there is not overwritten");
    let none = ["regress", "campaign", "--index", "7", "--out", "cases"];
    assert_eq!(tool(folder.path(), &none).status.code(), Some(2));
}

#[test]
fn a_regression_case_holds_every_listed_counterexample_once() {
    let folder = tempfile::tempdir().unwrap();
    let document = SQRT.document(changed(|_, result| result ^ 1));
    let case = regress(&document, None, folder.path()).unwrap();
    let input = std::fs::read(case.join("test_data_set_0/input_0.pb")).unwrap();
    let indices: std::collections::BTreeSet<u64> =
        [&document.counterexamples.first, &document.counterexamples.worst]
            .into_iter()
            .flatten()
            .map(|example| example.index)
            .collect();
    let value = decode_value("input_0.pb", input.into(), &ValueType::Tensor(None)).unwrap();
    let [tensor] = value.tensors()[..] else { panic!("{value:?}") };
    let elements: Vec<u64> =
        (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as u64).collect();
    assert_eq!(elements, indices.into_iter().collect::<Vec<_>>());
    assert!(matches!(regress(&document, None, folder.path()), Err(RegressError::Exists(_))));
}

#[test]
fn a_profile_with_a_limit_counts_fewer_violations_than_mismatches() {
    // One step too large everywhere: 0.5 to 1.5 ULP off, or no longer finite.
    let above = || changed(|_, result| if result < 0x7c00 { result + 1 } else { result });
    let exact = SQRT.document(above());
    let loose = Sweep { profile: "onnx", ..SQRT }.document(above());
    assert_eq!(exact.violations, Some(exact.mismatches));
    assert_eq!(loose.mismatches, exact.mismatches);
    // A step is within the relative tolerance, and the one above zero within the absolute one.
    assert_eq!(loose.violations, Some(0));
    assert!(loose.conforms() && !exact.conforms());
}

#[test]
fn a_profile_that_decides_nothing_leaves_the_mismatches_to_decide() {
    let bfloat16 = Sweep { dtype: DType::Bfloat16, profile: "sonnx", ..SQRT };
    let right = bfloat16.document(changed(|_, result| result));
    assert_eq!((right.violations, right.mismatches, right.conforms()), (None, 0, true));
    let wrong = bfloat16.document(changed(|operands, result| result ^ u16::from(operands == [4])));
    assert_eq!((wrong.violations, wrong.mismatches, wrong.conforms()), (None, 1, false));
}

#[test]
fn the_worst_come_first_whatever_their_place() {
    let document = SQRT.document(changed(|operands, result| match operands {
        [0x3c00] => 0x7e00,       // NaN for the root of 1
        [0x4000] => result + 100, // far
        [0x4100] => result + 1,   // near
        [0xc000] => 0x3c00,       // a number for the root of -2
        _ => result,
    }));
    let worst: Vec<_> = document.counterexamples.worst.iter().map(|worst| worst.index).collect();
    assert_eq!(worst, [0xc000, 0x3c00, 0x4000, 0x4100]);
    let first: Vec<_> = document.counterexamples.first.iter().map(|first| first.index).collect();
    assert_eq!(first, [0x3c00, 0x4000, 0x4100, 0xc000]);
    assert_eq!(document.max_error_ulp.as_deref(), Some("unbounded"));
    assert_eq!(document.counterexamples.worst[0].error_ulp, "no real result");
}

#[test]
fn what_a_subject_makes_of_a_substituted_divisor_is_dropped() {
    // Wrong for every divisor of 1, which is also given in the place of the last pair's -1.
    let backend = || changed(|operands, result| result ^ u16::from(operands[1] == 1));
    let int16 = |range| {
        let (operator, dtype) = (&DIV, DType::Int16);
        Sweep { operator, dtype, range: Some(range), profile: "sonnx" }.document(backend())
    };
    let minimum_by_minus_one = 0xffff_8000;
    let document = int16(minimum_by_minus_one - 9..minimum_by_minus_one + 1);
    assert_eq!((document.executed, document.classes.out_of_domain), (10, 1));
    assert_eq!((document.mismatches, document.violations), (0, Some(0)));
    assert_eq!(int16(0x1_0000..0x1_0007).mismatches, 7);
}

#[test]
fn the_one_input_that_is_refused_or_ends_a_process_is_named() {
    for refuse in [true, false] {
        let backend = Arc::new(Spoilt(move |_: &Model, inputs: &[Value], results: Tensor| {
            let operands = inputs[0].tensors()[0];
            let message = || "no root of 5".to_owned();
            match (0..operands.elements()).any(|at| operands.element(at) == Some(0x4500)) {
                true if refuse => Outcome::Refused(Refusal {
                    stage: Stage::Run,
                    kind: RefusalKind::Error,
                    message: message(),
                }),
                true => Outcome::Crashed { message: message() },
                false => Outcome::Outputs(vec![results.into()]),
            }
        }));
        let folder = tempfile::tempdir().unwrap();
        let Conducted { document, ended, .. } = SQRT.drive(backend, folder.path());
        assert!(matches!(ended, Err(Ended::Failed { first: 0x4500, .. })), "{ended:?}");
        let failure = document.failure.unwrap();
        assert!(failure.starts_with("from input 17664 on, which is 5 (0x4500): "), "{failure}");
    }
}

fn answering(outcome: fn() -> Outcome) -> Arc<dyn Backend> {
    Arc::new(Spoilt(move |_: &Model, _: &[Value], _| outcome()))
}

#[test]
fn a_backend_that_refuses_or_crashes_ends_the_campaign_which_says_so() {
    fn refusal(kind: RefusalKind) -> Outcome {
        Outcome::Refused(Refusal { stage: Stage::Load, kind, message: "no Sqrt".to_owned() })
    }
    let no_sqrt = || "no Sqrt".to_owned();
    for (backend, failure) in [
        (answering(|| refusal(RefusalKind::Unsupported)), Failure::Unsupported(no_sqrt())),
        (answering(|| refusal(RefusalKind::Error)), Failure::Refused(no_sqrt())),
        (
            answering(|| Outcome::Crashed { message: "signal 8".to_owned() }),
            Failure::Crashed("signal 8".to_owned()),
        ),
        (answering(|| panic!("oh")), Failure::Crashed("it panicked".to_owned())),
    ] {
        let out: TempDir = tempfile::tempdir().unwrap();
        let Conducted { document, ended, .. } = SQRT.drive(backend, out.path());
        let is_known = !matches!(failure, Failure::Unsupported(_));
        let named = if is_known { ", which is 0 (0x0000)" } else { "" };
        let message = format!("from input 0 on{named}: {failure}");
        let input = Vec::from_iter(is_known.then(|| "0 (0x0000)".to_owned()));
        assert_eq!(ended, Err(Ended::Failed { first: 0, input, failure }));
        assert_eq!(document.failure, Some(message));
        assert_eq!((document.executed, document.conforms()), (0, false));
        assert!(out.path().join("campaign.json").is_file(), "written before the exit");
        assert_eq!(Campaign::read(out.path()).unwrap(), document);
    }
}

#[test]
fn a_conversion_wrong_for_one_number_is_caught_and_becomes_a_case_with_its_attribute() {
    let folder = tempfile::tempdir().unwrap();
    let cast = operators::find(Domain::Onnx, "Cast").unwrap();
    let to = ("to".to_owned(), AttributeValue::Int(DType::Bfloat16.onnx_code().into()));
    let check = Check::of(cast, DType::Int16, [to].into()).unwrap();
    let plan = Plan::of(check, Strategy::Exhaustive, None, None).unwrap();
    assert_eq!(plan.file_name(), "cast-int16-to-bfloat16-exhaustive");
    let backend = changed(|operands, result| result + u16::from(operands[0] == 257));
    let out = folder.path().join("campaign");
    let Conducted { document, .. } = SQRT.conduct_plan(&plan, backend, &out);
    assert_eq!((document.executed, document.mismatches), (65_536, 1));
    let [example] = document.counterexamples.first.as_slice() else { panic!("one") };
    assert_eq!(example.inputs, ["257 (0x0101)"]);
    assert_eq!([&*example.expected, &*example.actual], ["256 (0x4380)", "258 (0x4381)"]);
    assert_eq!(document.max_error_ulp.as_deref(), Some("0.5 (=524288/2^20)"));

    let output = tool(folder.path(), &["regress", "campaign", "--out", "cases"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let run = ["run", "--corpus", "cases", "--profile", "sonnx", "--out", "out"];
    assert_eq!(tool(folder.path(), &run).status.code(), Some(0));
    let report = std::fs::read(folder.path().join("out/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["summary"]["pass"], 1);
    assert_eq!(report["cases"][0]["operator"], "Cast");
}

#[test]
fn a_conversion_to_the_type_of_an_operand_is_caught_and_becomes_a_case_with_that_operand() {
    let folder = tempfile::tempdir().unwrap();
    let castlike = operators::find(Domain::Onnx, "CastLike").unwrap();
    let like = Some(DType::Bfloat16);
    let check = Check::like(castlike, DType::Int16, like, [].into()).unwrap();
    let plan = Plan::of(check, Strategy::Exhaustive, None, None).unwrap();
    assert_eq!(plan.file_name(), "castlike-int16-like-bfloat16-exhaustive");
    let backend = changed(|operands, result| result + u16::from(operands[0] == 257));
    let out = folder.path().join("campaign");
    let Conducted { document, .. } = SQRT.conduct_plan(&plan, backend, &out);
    assert_eq!((document.executed, document.mismatches), (65_536, 1));
    let read = Campaign::read(&out).unwrap();
    let [example] = read.counterexamples.first.as_slice() else { panic!("one") };
    assert_eq!(example.inputs, ["257 (0x0101)"]);
    assert_eq!([&*example.expected, &*example.actual], ["256 (0x4380)", "258 (0x4381)"]);

    let case = regress(&read, None, &folder.path().join("cases")).unwrap();
    let file = "test_data_set_0/input_1.pb";
    let bytes = std::fs::read(case.join(file)).unwrap();
    let value = decode_value(file, bytes.into(), &ValueType::Tensor(None)).unwrap();
    assert_eq!(
        (value.tensors()[0].dtype(), value.tensors()[0].shape()),
        (DType::Bfloat16, &[][..])
    );
    let run = ["run", "--corpus", "cases", "--profile", "sonnx", "--out", "out"];
    assert_eq!(tool(folder.path(), &run).status.code(), Some(0));
}

/// The document of Cast by a backend that changes results, as it is read back.
fn of_cast(
    from: DType,
    to: DType,
    strategy: Strategy,
    change: impl Fn(&Tensor, Tensor) -> Tensor + Send + Sync + 'static,
    folder: &Path,
) -> Campaign {
    let cast = operators::find(Domain::Onnx, "Cast").unwrap();
    let code = AttributeValue::Int(to.onnx_code().into());
    let check = Check::of(cast, from, [("to".to_owned(), code)].into()).unwrap();
    let plan = Plan::of(check, strategy, None, None).unwrap();
    let changed = move |_: &Model, inputs: &[Value], results: Tensor| {
        Outcome::Outputs(vec![change(inputs[0].tensors()[0], results).into()])
    };
    let out = folder.join("campaign");
    SQRT.conduct_plan(&plan, Arc::new(Spoilt(changed)), &out);
    Campaign::read(&out).unwrap()
}

#[test]
fn a_text_that_is_read_wrongly_is_caught_and_becomes_a_case() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (DType::String, DType::Float8E4M3Fn);
    let change = |texts: &Tensor, results: Tensor| {
        let one = |(text, bits): (&bytes::Bytes, &u8)| bits - u8::from(*text == "4.16e2");
        let bits = texts.strings().unwrap().iter().zip(results.bits().unwrap()).map(one).collect();
        Tensor::from_values(results.dtype(), results.shape().to_vec(), bits).unwrap()
    };
    // All digits of this number are also the shortest decimal that is read as it, but that is in plain notation.
    let document = of_cast(from, to, Strategy::Hard, change, folder.path());
    assert_eq!((document.executed, document.mismatches), (1272, 1));
    let [example] = document.counterexamples.first.as_slice() else { panic!("one") };
    assert_eq!(example.inputs, ["\"4.16e2\""]);
    assert_eq!([&*example.expected, &*example.actual], ["416 (0x7d)", "384 (0x7c)"]);
    assert_eq!(document.max_error_ulp.as_deref(), Some("1 (=1048576/2^20)"));

    let case = regress(&document, None, &folder.path().join("cases")).unwrap();
    let file = "test_data_set_0/input_0.pb";
    let bytes = std::fs::read(case.join(file)).unwrap();
    let value = decode_value(file, bytes.into(), &ValueType::Tensor(None)).unwrap();
    assert_eq!(value.tensors()[0].strings().unwrap(), ["4.16e2"]);
    let run = ["run", "--corpus", "cases", "--profile", "sonnx", "--out", "out"];
    assert_eq!(tool(folder.path(), &run).status.code(), Some(0));
}

#[test]
fn a_text_that_is_written_wrongly_is_caught_and_one_without_end_is_kept_in_part() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (DType::Int8, DType::String);
    let change = |_: &Tensor, results: Tensor| {
        let one = |text: &bytes::Bytes| match &**text {
            b"-5" => "-05".into(),
            b"7" => "7".repeat(1 << 20).into(),
            b"8" => bytes::Bytes::from_static(b"8\0\xff"),
            _ => text.clone(),
        };
        let texts = results.strings().unwrap().iter().map(one).collect();
        Tensor::from_strings(results.shape().to_vec(), texts).unwrap()
    };
    let document = of_cast(from, to, Strategy::Exhaustive, change, folder.path());
    assert_eq!((document.executed, document.mismatches), (256, 3));
    let found = document.counterexamples.first.iter();
    let found: Vec<_> = found.map(|one| [&*one.inputs[0], &one.expected, &one.actual]).collect();
    let sevens = format!("\"{}\"", "7".repeat(4096));
    assert_eq!(
        found,
        [
            ["7 (0x07)", "\"7\"", &sevens],
            ["8 (0x08)", "\"8\"", r#""8\0\xff""#],
            ["-5 (0xfb)", "\"-5\"", "\"-05\""],
        ]
    );
    let summary = summary::render(&document, &["campaign.json"], Style { width: 80, color: false });
    assert!(summary.lines().all(|line| line.len() <= 80), "{summary}");
    assert!(summary.contains("and 4058 more bytes"), "{summary}");
}

/// The plan of the hard inputs about the first that has these operands, and its index.
fn about(check: &Check, operands: [u64; 3]) -> (u64, Plan) {
    let plan = |range| Plan::of(check.clone(), Strategy::Hard, range, None).unwrap();
    let space = plan(None).space;
    let mut columns = check.columns();
    columns.iter_mut().for_each(|column| column.resize(space.len() as usize));
    space.fill(0, &mut columns);
    let are_given =
        |at: &usize| (0..3).all(|operand| columns[operand].element(*at) == operands[operand]);
    let index = (0..space.len() as usize).find(are_given).unwrap() as u64;
    (index, plan(Some(index - 300..index + 300)))
}

#[test]
fn an_element_wrong_between_two_bounds_alone_is_caught_and_becomes_a_case_with_these_bounds() {
    const THREE: [u16; 3] = [0x4200, 0xbc00, 0x3c00];
    let folder = tempfile::tempdir().unwrap();
    let clip = operators::find(Domain::Onnx, "Clip").unwrap();
    let check = Check::of(clip, DType::Float16, [].into()).unwrap();
    let (index, plan) = about(&check, THREE.map(u64::from));
    let backend = changed(|operands, result| result + u16::from(operands == THREE));
    let out = folder.path().join("campaign");
    let Conducted { document, .. } = SQRT.conduct_plan(&plan, backend, &out);
    assert_eq!((document.executed, document.mismatches), (600, 1));
    let [example] = document.counterexamples.first.as_slice() else { panic!("one") };
    assert_eq!(example.index, index);
    assert_eq!(example.inputs, ["3 (0x4200)", "-1 (0xbc00)", "1 (0x3c00)"]);
    assert_eq!([&*example.expected, &*example.actual], ["1 (0x3c00)", "1.001 (0x3c01)"]);

    let case = regress(&document, None, &folder.path().join("cases")).unwrap();
    let shapes = [0, 1, 2].map(|input| {
        let file = format!("test_data_set_0/input_{input}.pb");
        let bytes = std::fs::read(case.join(&file)).unwrap();
        let value = decode_value(&file, bytes.into(), &ValueType::Tensor(None)).unwrap();
        value.tensors()[0].shape().to_vec()
    });
    assert_eq!(shapes, [vec![1], vec![], vec![]]);
    let run = ["run", "--corpus", "cases", "--profile", "sonnx", "--out", "out"];
    assert_eq!(tool(folder.path(), &run).status.code(), Some(0));
    let report = std::fs::read(folder.path().join("out/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(
        (&report["summary"]["pass"], &report["summary"]["elements_compared"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn a_quantizer_that_multiplies_by_the_reciprocal_is_caught_at_ties() {
    let quantize = operators::find(Domain::Onnx, "QuantizeLinear").unwrap();
    let check = Check::of(quantize, DType::Float32, [].into()).unwrap();
    let by_reciprocal = |_: &Model, inputs: &[Value], tensor: Tensor| {
        let [x, scale, zero] = [0, 1, 2].map(|at| inputs[at].tensors()[0]);
        let float = |tensor: &Tensor, at| f32::from_bits(tensor.element(at).unwrap() as u32);
        let (reciprocal, zero) = (1.0 / float(scale, 0), zero.element(0).unwrap() as f32);
        let results: Vec<u8> = (0..tensor.elements())
            .map(|at| {
                ((float(x, at) * reciprocal).round_ties_even() + zero).clamp(0.0, 255.0) as u8
            })
            .collect();
        let shape = tensor.shape().to_vec();
        Outcome::Outputs(vec![Tensor::from_values(DType::Uint8, shape, results).unwrap().into()])
    };
    // Scales of middle size, whose reciprocals are normal numbers.
    let strategy = Strategy::Stratified { count: 100.try_into().unwrap(), seed: 1 };
    let plan = Plan::of(check, strategy, Some(1000..2000), None).unwrap();
    let out = tempfile::tempdir().unwrap();
    let Conducted { document, .. } =
        SQRT.conduct_plan(&plan, Arc::new(Spoilt(by_reciprocal)), out.path());
    assert_eq!(document.executed, 1000);
    assert!((10..500).contains(&document.mismatches), "{}", document.mismatches);
    assert_eq!(document.max_error_ulp.as_deref(), Some("1 (=1048576/2^20)"));
}

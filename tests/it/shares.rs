//! The share of its bound that a result takes, where a bound decides.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use num_traits::ToPrimitive;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Answer, Backend, Identity, Outcome, Task};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::case;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::document::style::Style;
use onnx_conformance::document::{Flaw, JsonDocument};
use onnx_conformance::documents::explain::explain;
use onnx_conformance::documents::report::document::{Case, Report};
use onnx_conformance::documents::report::{Written, html, summary};
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::oracle::real::Rational;
use onnx_conformance::oracle::{Conforming, Share};
use onnx_conformance::reference::operator::{Attributes, Call, Operator, Specification};
use onnx_conformance::reference::operators::OPERATORS;
use onnx_conformance::reference::operators::softmax::SOFTMAX;
use onnx_conformance::run::{Options, Profiles, run};
use onnx_conformance::tensor::{Tensor, Value};
use serde_json::{Value as Json, json};

use crate::support::suites::{Loaded, cases};
use crate::support::{extent, float32, write_case};

/// The built-in kernels, but for the first element of each output, which becomes another one.
struct Altered(fn(f32) -> f32);

impl Backend for Altered {
    fn identity(&self) -> Identity {
        Identity { name: "altered".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let altered = |value: Value| {
            let Value::Tensor(tensor) = value else { return value };
            let mut values = tensor.bits().unwrap().to_vec();
            let first = f32::from_le_bytes(values[..4].try_into().unwrap());
            values[..4].copy_from_slice(&(self.0)(first).to_le_bytes());
            Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), values.into())
                .unwrap()
                .into()
        };
        match Builtin.run(task).outcome {
            Outcome::Outputs(values) => {
                Outcome::Outputs(values.into_iter().map(altered).collect()).into()
            }
            other => other.into(),
        }
    }
}

/// A number so many numbers further from zero.
fn off<const NUMBERS: u32>(x: f32) -> f32 {
    f32::from_bits(x.to_bits() + NUMBERS)
}

/// Their sum is 2.5, and 2^-23, of which all are multiples, is too little of it to be kept in every order.
const SUMMED: [f32; 3] = [1.0, 1.0 + f32::EPSILON, 0.5 - f32::EPSILON];

/// The report on a sum, a product, a Softmax, and a quotient, which no bound decides.
fn report(profile: &str, altered: fn(f32) -> f32) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let write = |operator: &str, inputs: &[Value], output: &[f32]| {
        write_case(&folder.path().join(operator), operator, inputs, &[float32(output)]);
    };
    write("ReduceSum", &[float32(&SUMMED)], &[2.5]);
    write("ReduceProd", &[float32(&[4097.0, 7.0, 4097.0])], &[117_497_864.0]);
    write("Softmax", &[float32(&[1.0, 1.0, 1.0])], &[1.0 / 3.0; 3]);
    write("Div", &[float32(&[1.0]), float32(&[4.0])], &[0.25]);
    let catalogue = Arc::new(Catalogue::embedded().unwrap());
    let options = Options {
        profiles: Profiles::all(Profile::named(profile).unwrap()),
        selection: Selection::default(),
        catalogue: Some(Arc::clone(&catalogue)),
        expectations: Arc::default(),
        challenge: None,
        jobs: NonZeroUsize::MIN,
        timeout: Duration::from_secs(60),
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    };
    let corpora = [(Suite::Onnx, Corpus::open_dir(folder.path()).unwrap())];
    let backend: Arc<dyn Backend> = Arc::new(Altered(altered));
    let run = run(&corpora, &backend, &options, &mut |_| ()).unwrap();
    Report::of(run, &catalogue).unwrap()
}

fn of_operator<'a>(report: &'a Report, operator: &str) -> &'a Case {
    report.cases.iter().find(|case| case.operator == operator).unwrap()
}

/// Verdict and share.
fn judged<'a>(report: &'a Report, operator: &str) -> (Verdict, Option<&'a str>) {
    let case = of_operator(report, operator);
    (case.verdict, case.outputs[0].share_of_bound.as_deref())
}

fn read(report: &Json) -> Result<Report, String> {
    let bytes = serde_json::to_vec(report).unwrap();
    Report::from_bytes(Path::new("report.json"), &bytes).map_err(|error| match error.flaw {
        Flaw::Contradiction(source) => source.to_string(),
        flaw => flaw.to_string(),
    })
}

#[test]
fn a_share_is_at_most_1_where_a_bound_lets_pass_and_more_where_it_does_not() {
    use Verdict::{Fail, Pass};
    // 2.5 in units of 4 u, with a bound of 2 u 2.5 / (1 - 2 u) = 1.25 / (1 - 2 u) of them; half a unit is rounding.
    // 4097 * 7 * 4097 in units of 2^27 u, of which the nearest number is 1/8 above, with one of 1.7508 / (1 - 2 u).
    let of = |altered: fn(f32) -> f32, sum, product| {
        let report = report("exact", altered);
        assert_eq!(judged(&report, "ReduceSum"), sum);
        assert_eq!(judged(&report, "ReduceProd"), product);
        let (verdict, share) = judged(&report, "Softmax");
        assert_eq!(Share::parse(share.unwrap()).unwrap() > Share::ALL, verdict == Fail);
        assert_eq!(judged(&report, "Div").1, None);
        let read = read(&serde_json::to_value(&report).unwrap()).unwrap();
        assert_eq!(read.to_bytes().unwrap(), report.to_bytes().unwrap());
    };
    of(off::<0>, (Pass, Some("0.000000")), (Pass, Some("0.000000")));
    of(off::<1>, (Pass, Some("0.400000")), (Pass, Some("0.356969")));
    of(off::<2>, (Fail, Some("1.200000")), (Pass, Some("0.928119")));
    of(off::<3>, (Fail, Some("2.000000")), (Fail, Some("1.499268")));
    of(off::<1000>, (Fail, Some("799.599905")), (Fail, Some("570.935407")));
}

#[test]
fn the_share_of_a_softmax_is_that_of_what_its_steps_may_give() {
    let third = Rational::new(1.into(), 3.into());
    let input = Tensor::from_values(DType::Float32, vec![3], vec![1.0_f32; 3]).unwrap();
    let (version, attributes) = (SOFTMAX.newest(), Attributes::new());
    let inputs = vec![Some(input)];
    let (call, types) =
        Call::new(&SOFTMAX, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = &SOFTMAX.reference.allowed(&call, &types)[0];
    let most = allowed.real(0, 0).unwrap().composed.unwrap().upper;
    // 1/3 is a third of a unit of 2^-25 below the nearest number.
    for units in [1_i32, 2, 3, 16] {
        let edge = Rational::new((11_184_811 * 2 + 2 * units - 1).into(), (1_i64 << 26).into());
        let share = (edge - &third) / (&most - &third) * Rational::from_integer(1_000_000.into());
        let actual = u64::from(f32::to_bits(1.0 / 3.0)) + units as u64;
        let told = allowed.share(0, actual).unwrap().to_string();
        assert_eq!(
            told.replace('.', "").parse::<i64>().unwrap(),
            share.ceil().to_integer().to_i64().unwrap()
        );
    }
    let nearest = f32::to_bits(1.0 / 3.0).into();
    assert_eq!(allowed.share(0, nearest), Some(Share::NONE));
    for none in [f32::NAN, f32::INFINITY] {
        assert_eq!(allowed.share(0, none.to_bits().into()), None);
    }
}

#[test]
fn nothing_has_a_share_that_no_bound_decides_nor_does_a_mismatch_that_is_no_number() {
    let close = report("onnx", off::<1>);
    assert!(close.cases.iter().all(|case| case.outputs[0].share_of_bound.is_none()));
    assert!(close.cases.iter().all(|case| case.outputs[0].max_error_ulp.is_some()));
    for none in [|_| f32::NAN, |_| f32::INFINITY] {
        let report = report("exact", none);
        for operator in ["ReduceSum", "ReduceProd", "Softmax"] {
            assert_eq!(judged(&report, operator), (Verdict::Fail, None), "{operator}");
        }
    }
}

#[test]
fn readers_see_the_share_before_the_error_in_ulp() {
    let report = report("exact", off::<2>);
    let message = of_operator(&report, "ReduceSum").message.as_deref();
    let told = "output `y0`: 1 of 1 elements differ, by up to 1.2 times the bound, 2 ULP, \
                2 ULP from the exact result";
    assert_eq!(message, Some(told));
    let written = Written::within(Path::new("reports/latest"));
    let text = summary::render(&report, &written, 10, Style { width: 80, color: false });
    let line = |operator: &str| text.lines().find(|line| line.starts_with(operator)).unwrap();
    assert!(line("ReduceSum").contains("1.2 times bound"), "{text}");
    assert!(line("ReduceProd").contains("0.93 of bound"), "{text}");
    assert!(line("Div").contains("2 ULP"), "{text}");
    let page = html::to_text(&report, None).unwrap();
    assert!(page.contains("1.2 times the bound, <span>2</span> ULP</td>"), "the row");
    assert_eq!(page.matches(">1.2 times the bound, 2 ULP</td>").count(), 2, "operator and output");
    assert!(page.contains(">0.93 of the bound, 2.125 ULP</td>"));
    assert!(page.contains("Where a bound decides"));
    let without = html::to_text(&self::report("onnx", off::<2>), None).unwrap();
    assert!(!without.contains("the bound"));
}

#[test]
fn an_element_is_explained_with_its_share() {
    let folder = tempfile::tempdir().unwrap();
    let explained = |operator: &str, inputs: &[Value], expected: f32| {
        let path = folder.path().join(operator);
        write_case(&path, operator, inputs, &[float32(&[expected])]);
        let corpus = Corpus::open_dir(&path).unwrap();
        let decoded =
            case::Case::decode("case", corpus.cases()[0].load().unwrap().files()).unwrap();
        let known = Case::not_run("case", Suite::Onnx, &decoded);
        let (profile, time) = (Profile::named("onnx").unwrap(), Duration::from_secs(60));
        let backend = Altered(off::<2>);
        explain(&backend, &decoded, Suite::Onnx, &profile, time, known, None).unwrap()
    };
    let sum = explained("ReduceSum", &[float32(&SUMMED)], 2.5);
    assert!(sum.contains("normal, 0 of the bound, 0 ULP from the exact value"), "{sum}");
    assert!(sum.contains("normal, 1.2 times the bound, 2 ULP from the exact value"), "{sum}");
    let quotient = explained("Div", &[float32(&[1.0]), float32(&[4.0])], 0.25);
    assert!(quotient.contains("normal, 2 ULP from the exact value"), "{quotient}");
    assert!(!quotient.contains("the bound"), "{quotient}");
}

#[test]
fn a_share_that_contradicts_the_rest_of_a_report_is_refused() {
    let passing = serde_json::to_value(report("exact", off::<1>)).unwrap();
    let failing = serde_json::to_value(report("exact", off::<3>)).unwrap();
    let place = |operator: &str| {
        let cases = failing["cases"].as_array().unwrap();
        cases.iter().position(|case| case["operator"] == operator).unwrap()
    };
    let (sum, quotient) = (place("ReduceSum"), place("Div"));
    let refused = |report: &Json, at: usize, words: &str, edit: &dyn Fn(&mut Json)| {
        let mut edited = report.clone();
        edit(&mut edited["cases"][at]);
        let error = read(&edited).unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    let share = |text: &'static str| {
        move |case: &mut Json| case["outputs"][0]["share_of_bound"] = json!(text)
    };
    for wrong in ["0.4", "0.4000000", "1.000001", "much", "-0.400000"] {
        refused(&passing, sum, "not that of its `mismatches`", &share(wrong));
    }
    for wrong in ["1.000000", "0.999999", "0.000000"] {
        refused(&failing, sum, "not that of its `mismatches`", &share(wrong));
    }
    refused(&failing, sum, "with a `max_error_ulp`", &|case| {
        case["outputs"][0].as_object_mut().unwrap().remove("max_error_ulp");
    });
    refused(&failing, quotient, "a `strictness` that no bound has", &share("1.500000"));
    let mut without = failing.clone();
    let output = without["cases"][sum]["outputs"][0].as_object_mut().unwrap();
    assert!(output.remove("share_of_bound").is_some());
    read(&without).unwrap();
}

/// The operators whose results a bound decides.
fn bounded() -> impl Iterator<Item = &'static Operator> {
    OPERATORS.iter().copied().filter(|operator| operator.kind.is_bounded())
}

/// The next number of a float format, or the one before: further from zero or closer to it.
fn beside(bits: u64) -> [u64; 2] {
    [bits + 1, bits.saturating_sub(1)]
}

/// Of every operator that a bound decides, the numbers at the ends of what conforms in the own suites, and those beside them.
#[test]
fn whoever_has_all_of_the_bound_at_most_conforms_and_nobody_else() {
    /// Of each operator cases are taken until so many numbers conform and so many do not, and of each case so many elements.
    const ENOUGH: u64 = 100;
    const ELEMENTS: usize = 6;
    let mut seen: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for suite in Suite::ALL {
        let is_bounded = |loaded: &&Loaded| {
            let mut names = bounded().map(|operator| operator.name.to_lowercase());
            names.any(|name| loaded.name.starts_with(&name))
        };
        for loaded in cases(suite).iter().filter(is_bounded) {
            for set in &loaded.case.data_sets {
                let Ok((call, types)) = Call::of(&loaded.case.model, &set.inputs, suite) else {
                    continue;
                };
                let is_seen =
                    |[wrong, right]: &[u64; 2]| *wrong.min(right) >= extent::size(ENOUGH, u64::MAX);
                if !call.operator.kind.is_bounded()
                    || seen.get(call.operator.name).is_some_and(is_seen)
                {
                    continue;
                }
                let allowed = call.operator.reference.allowed(&call, &types);
                for (allowed, of) in allowed.iter().zip(&types) {
                    let Kind::Float(format) = of.dtype.kind() else { continue };
                    let count: usize = of.shape.iter().product();
                    for index in (0..count).step_by((count / ELEMENTS).max(1)) {
                        let conforming = allowed.at(index);
                        let Conforming::Within { accumulated, nearest } = &conforming else {
                            continue;
                        };
                        let Some([least, most]) = accumulated.bits() else { continue };
                        let ends = [least, most, *nearest];
                        for bits in
                            ends.into_iter().flat_map(|end| [[end; 2], beside(end)].concat())
                        {
                            // The sign of a zero is no matter of the bound.
                            if format.to_f64(bits) == 0.0 {
                                continue;
                            }
                            let Some(share) = allowed.share(index, bits) else { continue };
                            let accepts = conforming.accepts(bits);
                            let told = format!("{} {index}: {bits:#x} {share}", loaded.name);
                            assert!(share.judged(accepts).is_some(), "{told}");
                            // An enclosure may hold more than what is nearest to an element.
                            let is_none = share <= Share::parse("0.000001").unwrap();
                            assert!(bits != *nearest || is_none, "{told}");
                            seen.entry(call.operator.name).or_default()[usize::from(accepts)] += 1;
                        }
                    }
                }
            }
        }
    }
    for Operator { name, .. } in bounded() {
        let [wrong, right] = seen.get(name).copied().unwrap_or_default();
        assert!(wrong > 10 && right > 10, "{name}: {wrong} {right}");
    }
}

//! Sums of kernels that add up rightly in one way or another, or are wrong, which a row has to tell.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Answer, Backend, Identity, Outcome, Refusal, Task};
use onnx_conformance::document::{JsonDocument, Sealed};
use onnx_conformance::dtype::DType;
use onnx_conformance::measure::campaign::Failure;
use onnx_conformance::measure::sums::document::Products;
use onnx_conformance::measure::sums::{
    Choice, ConductError, DOCUMENT, Row, SEED, Subject, Summation, Sums, asked, drive, summations,
    text,
};
use onnx_conformance::reference::conditioned::Term;

const TIME: Duration = Duration::from_secs(60);

fn choice(operator: &str, dtype: DType) -> Vec<(Summation, DType)> {
    summations(&Choice { operators: vec![operator.to_owned()], types: vec![dtype] })
}

fn conducted(
    chosen: &[(Summation, DType)],
    subject: Subject<'_>,
    dir: &Path,
) -> Result<Sums, ConductError> {
    let jobs = NonZeroUsize::new(2).unwrap();
    let observer = &mut |_: usize, _: &Row| ControlFlow::Continue(());
    Ok(drive(chosen, &[subject], SEED, dir, jobs, observer)?.document)
}

/// The row of an operator on float32, of which each sum is computed so from its terms.
fn row(operator: &str, sum: impl Fn(&[[f32; 2]]) -> f32 + Sync) -> Row {
    let number = |bits: u64| f32::from_bits(bits as u32);
    let of = |terms: &Vec<Term>| {
        let terms: Vec<_> = terms.iter().map(|term| term.map(number)).collect();
        u64::from(sum(&terms).to_bits())
    };
    let ask = Box::new(|_: &Summation, _, vectors: &[Vec<Term>]| {
        Ok::<_, Failure>(vectors.iter().map(of).collect())
    });
    let folder = tempfile::tempdir().unwrap();
    let subject = Subject { identity: Builtin.identity(), ask };
    let sums = conducted(&choice(operator, DType::Float32), subject, folder.path()).unwrap();
    let table = text::render(&sums, Path::new(DOCUMENT));
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    // What is written is read, which finds out the largest errors anew.
    assert_eq!(Sums::read(folder.path()).unwrap(), sums);
    let [row] = &sums.rows[..] else { panic!("{} rows", sums.rows.len()) };
    assert_eq!((row.executed, &row.failure), (row.vectors, &None));
    row.clone()
}

fn bits(row: &Row) -> Vec<u32> {
    row.accumulator.as_ref().unwrap().bits.clone()
}

fn products(row: &Row) -> Option<Products> {
    row.accumulator.as_ref().unwrap().products
}

/// The largest error of an order, in the highest decade of conditions.
fn error(row: &Row, order: &str) -> f64 {
    let orders = &row.decades.last().unwrap().orders;
    let largest = orders.iter().find(|largest| largest.order == order).unwrap();
    largest.error_ulp.split(' ').next().unwrap().parse().unwrap()
}

fn one_by_one(terms: &[[f32; 2]]) -> f32 {
    terms.iter().fold(0.0, |sum, [a, b]| sum + a * b)
}

fn share(row: &Row) -> f64 {
    row.max_share.as_ref().unwrap().share.as_ref().unwrap().parse().unwrap()
}

#[test]
fn every_order_of_additions_conforms_and_betrays_its_width() {
    let naive = row("ReduceSum", one_by_one);
    assert_eq!((naive.not_conforming, bits(&naive)), (0, vec![24]));
    assert!(error(&naive, "halves") > 1000.0);
    assert!(0.0 < share(&naive) && share(&naive) <= 1.0);

    let wide = row("ReduceSum", |terms| {
        terms.iter().map(|[a, _]| f64::from(*a)).fold(0.0, |sum, term| sum + term) as f32
    });
    assert_eq!((wide.not_conforming, bits(&wide)), (0, vec![53]));
    assert!(share(&wide) < share(&naive));
    assert!(error(&wide, "halves") < error(&naive, "halves"));

    let fused = row("MatMul", |terms| terms.iter().fold(0.0, |sum, [a, b]| a.mul_add(*b, sum)));
    assert_eq!(fused.not_conforming, 0);
    assert_eq!((bits(&fused), products(&fused)), (vec![24], Some(Products::Fused)));
    let rounded = row("MatMul", one_by_one);
    assert_eq!(rounded.not_conforming, 0);
    assert_eq!((bits(&rounded), products(&rounded)), (vec![24], Some(Products::Rounded)));
}

#[test]
fn a_kernel_that_drops_the_last_element_does_not_conform() {
    let wrong = row("ReduceSum", |terms| one_by_one(&terms[..terms.len() - 1]));
    assert!(wrong.not_conforming > 50, "{}", wrong.not_conforming);
    assert!(share(&wrong) > 1.0);
    let witness = wrong.counterexample.unwrap();
    assert_eq!((witness.length, witness.conforms), (2, Some(false)));
}

#[test]
fn a_kernel_that_adds_in_bfloat16_does_not_conform_and_betrays_it() {
    let narrow = |x: f32| {
        let bits = x.to_bits();
        f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000)
    };
    let wrong = row("ReduceSum", |terms| terms.iter().fold(0.0, |sum, [a, _]| narrow(sum + a)));
    assert!(wrong.not_conforming > 100, "{}", wrong.not_conforming);
    assert_eq!(bits(&wrong), [8]);
}

#[test]
fn a_result_that_is_no_number_does_not_conform() {
    let wrong =
        row("MatMul", |terms| if terms.len() == 127 { f32::NAN } else { one_by_one(terms) });
    assert_eq!(wrong.not_conforming, 35);
    assert_eq!(wrong.max_error.unwrap().error_ulp, "unbounded");
    assert_eq!(wrong.counterexample.unwrap().share, None);
}

#[test]
fn the_built_in_operators_conform_and_are_written_alike_each_time() {
    let builtin: Arc<dyn Backend> = Arc::new(Builtin);
    let written = |operators: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let operators = operators.iter().map(ToString::to_string).collect();
        let chosen = summations(&Choice { operators, types: vec![DType::Bfloat16] });
        let subject = Subject { identity: builtin.identity(), ask: asked(&builtin, TIME) };
        conducted(&chosen, subject, folder.path()).unwrap()
    };
    let sums = written(&[]);
    assert_eq!(sums.rows.len(), 6);
    for row in &sums.rows {
        assert_eq!((row.executed, row.not_conforming), (row.vectors, 0), "{}", row.operator);
        let accumulator = row.accumulator.as_ref().unwrap();
        assert_eq!((&accumulator.reason, &accumulator.bits), (&None, &vec![24]));
        // Of 256 roundings or more nothing is specified; products have one more.
        let lengths = if products(row).is_some() { 5 } else { 4 };
        assert_eq!(row.reference_undecided, row.vectors / 13 * lengths, "{}", row.operator);
    }
    let table = text::render(&sums, Path::new(DOCUMENT));
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let again = written(&["ReduceSum"]);
    assert_eq!(again.rows[..], sums.rows[5..]);
    let alike = Sums { rows: again.rows.clone(), ..sums }.sealed().unwrap();
    assert_eq!(again.digest, alike.digest);
}

#[test]
fn a_document_that_was_edited_is_refused() {
    let builtin: Arc<dyn Backend> = Arc::new(Builtin);
    let folder = tempfile::tempdir().unwrap();
    let subject = Subject { identity: builtin.identity(), ask: asked(&builtin, TIME) };
    let sums = conducted(&choice("Gemm", DType::Bfloat16), subject, folder.path()).unwrap();
    let path = folder.path().join(DOCUMENT);
    let refused = |edit: &dyn Fn(&mut Row)| {
        let mut edited = sums.clone();
        edit(&mut edited.rows[0]);
        std::fs::write(&path, edited.sealed().unwrap().to_bytes().unwrap()).unwrap();
        Sums::read(&path).is_err()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|row| row.executed -= 1));
    assert!(refused(&|row| row.not_conforming = 1));
    assert!(refused(&|row| row.reference_undecided = u64::MAX));
    assert!(refused(&|row| row.max_error.as_mut().unwrap().condition_log2 += 1));
    assert!(refused(&|row| row.max_share.as_mut().unwrap().share = Some("0.000002".to_owned())));
    assert!(refused(&|row| row.max_share = None));
    assert!(refused(&|row| row.decades[0].orders[0].vectors += 1));
    assert!(refused(&|row| row.decades[0].orders[0].order = "halved".to_owned()));
    assert!(refused(&|row| row.accumulator.as_mut().unwrap().bits.clear()));
    assert!(refused(&|row| row.accumulator = None));
    assert!(refused(&|row| row.operator = "Sum".to_owned()));
    // The digest alone tells of what is possible.
    let mut edited = sums.clone();
    edited.rows[0].version.push('0');
    std::fs::write(&path, edited.to_bytes().unwrap()).unwrap();
    assert!(Sums::read(&path).is_err());
}

struct Odd(Outcome);

impl Backend for Odd {
    fn identity(&self) -> Identity {
        Builtin.identity()
    }

    fn run(&self, _: &Task<'_>) -> Answer {
        self.0.clone().into()
    }
}

#[test]
fn a_backend_that_gives_no_sums_has_a_row_that_says_so() {
    for (outcome, told) in [
        (Outcome::Refused(Refusal::unsupported("none")), "the backend does not support it: none"),
        (Outcome::Crashed { message: "signal 11".to_owned() }, "the backend crashed: signal 11"),
        (Outcome::Outputs(vec![]), "the backend gave no tensor of results: it gave 0 values"),
    ] {
        let odd: Arc<dyn Backend> = Arc::new(Odd(outcome));
        let subject = Subject { identity: odd.identity(), ask: asked(&odd, TIME) };
        let folder = tempfile::tempdir().unwrap();
        let sums = conducted(&choice("Conv", DType::Float64), subject, folder.path()).unwrap();
        let [row] = &sums.rows[..] else { panic!("{} rows", sums.rows.len()) };
        assert_eq!((row.executed, row.failure.as_deref()), (0, Some(told)));
        assert_eq!(Sums::read(folder.path()).unwrap(), sums);
        assert!(text::render(&sums, folder.path()).contains(told));
    }
}

#[test]
fn two_backends_of_one_name_are_refused_and_a_stop_writes_nothing() {
    let builtin: Arc<dyn Backend> = Arc::new(Builtin);
    let folder = tempfile::tempdir().unwrap();
    let subject = || Subject { identity: builtin.identity(), ask: asked(&builtin, TIME) };
    let chosen = choice("ReduceSum", DType::Float16);
    let (seed, jobs) = (SEED, NonZeroUsize::MIN);
    let both = [subject(), subject()];
    let observer = &mut |_: usize, _: &Row| ControlFlow::Break(());
    let error = drive(&chosen, &both, seed, folder.path(), jobs, observer).unwrap_err();
    assert!(matches!(error, ConductError::Same(..)), "{error}");
    let error = drive(&chosen, &both[..1], seed, folder.path(), jobs, observer).unwrap_err();
    assert!(matches!(error, ConductError::Interrupted(0, 1)), "{error}");
    assert!(!folder.path().join(DOCUMENT).exists());
}

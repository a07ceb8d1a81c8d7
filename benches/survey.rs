//! Speed of the check of surveys alone, on results that are known, and of the comparison of negations.
//!
//! `cargo bench --package benches --bench survey`; the items are elements, on one core. The batches are spread over all 2^32
//! operands, so that of every way to decide there is as much as in the whole domain. The pieces are made before, and so is what is
//! known of the largest errors, as for nearly every block of a sweep.

#![expect(clippy::expect_used, reason = "a benchmark may panic")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use onnx_conformance::check::Check;
use onnx_conformance::dtype::DType;
use onnx_conformance::kernels;
use onnx_conformance::reference::operator::Domain;
use onnx_conformance::reference::operators;
use onnx_conformance::reference::survey::{Pieces, Record, Survey};

fn main() {
    divan::main();
}

/// Elements of a batch, which are decided at once.
const ELEMENTS: usize = 1 << 10;

/// Batches of a sample, two for every three binades: short enough that the scheduler lets many samples pass undisturbed, and that they stay
/// in a cache.
const BATCHES: u32 = 341;

/// The functions whose float32 domain is charted whole.
const FUNCTIONS: [&str; 22] = [
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Elu", "Erf", "Exp", "Gelu",
    "Log", "Mish", "Selu", "Sigmoid", "Sin", "Sinh", "Softplus", "Sqrt", "Tan", "Tanh",
];

/// Those of them that are even or odd.
const SYMMETRIC: [&str; 9] =
    ["Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Erf", "Sin", "Tanh"];

/// Operands that follow each other, and their results.
struct Batch {
    operands: Vec<f32>,
    results: Vec<f32>,
}

impl Batch {
    fn of(name: &str, operands: Vec<f32>) -> Self {
        let kernel = kernels::slices(name).expect("there is a kernel");
        let mut results = operands.clone();
        let columns = [bytemuck::cast_slice(&operands)];
        kernel(DType::Float32, &columns, bytemuck::cast_slice_mut(&mut results))
            .expect("of this type")
            .expect("it takes every operand");
        Self { operands, results }
    }

    fn negated(&self, name: &str) -> Self {
        Self::of(name, self.operands.iter().map(|x| -x).collect())
    }

    fn bytes(&self) -> [&[u8]; 2] {
        [&self.operands, &self.results].map(|column| bytemuck::cast_slice(column))
    }
}

/// Batches in equal distances, each with the neighbour before it. None begins at a zero or next to it, where a few operands take
/// more time than whole binades.
fn batches(name: &str) -> Vec<Batch> {
    let batch = |number: u32| {
        let first = (u64::from(2 * number + 1) << 31) / u64::from(BATCHES);
        let operands = (0..=ELEMENTS as u64).map(|step| f32::from_bits((first + step) as u32));
        Batch::of(name, operands.collect())
    };
    (0..BATCHES).map(batch).collect()
}

fn check(name: &str) -> Check {
    let operator = operators::find(Domain::Onnx, name);
    let check = operator.and_then(|operator| Check::new(operator, DType::Float32));
    check.expect("there is a check of this type")
}

/// A batch without what comes before it, where no order is known.
fn columns(batch: &Batch, lead: usize) -> [&[u8]; 2] {
    batch.bytes().map(|bytes| &bytes[4 * (1 - lead)..])
}

/// The record of these batches, as if their largest errors had been those of operands before.
fn before(survey: &Survey<'_>, batches: &[Batch], lead: usize) -> Record {
    let mut record = Record::default();
    for batch in batches {
        let [operands, results] = columns(batch, lead);
        survey.add(&[operands], results, lead, &mut record);
    }
    record.worst.values_mut().for_each(|worst| worst.operands = Default::default());
    record
}

#[divan::bench(args = FUNCTIONS)]
fn survey(bencher: Bencher<'_, '_>, name: &str) {
    let (batches, check) = (batches(name), check(name));
    let pieces = Pieces::of(&check);
    let survey = Survey::new(&check, pieces.as_ref());
    let lead = usize::from(survey.knows_order());
    let mut record = before(&survey, &batches, lead);
    bencher.counter(ItemsCount::new(BATCHES as usize * ELEMENTS)).bench_local(|| {
        for batch in black_box(&batches) {
            let [operands, results] = columns(batch, lead);
            survey.add(&[operands], results, lead, &mut record);
        }
    });
}

/// As [`survey`], and the negations are made of the operands and their results compared, half of which there is something to
/// compare of.
#[divan::bench(args = SYMMETRIC)]
fn survey_and_symmetry(bencher: Bencher<'_, '_>, name: &str) {
    let (batches, check) = (batches(name), check(name));
    let negated: Vec<Batch> = batches.iter().map(|batch| batch.negated(name)).collect();
    let pieces = Pieces::of(&check);
    let survey = Survey::new(&check, pieces.as_ref());
    let lead = usize::from(survey.knows_order());
    let mut record = before(&survey, &batches, lead);
    let mut negations = vec![0; 4 * (ELEMENTS + lead)];
    bencher.counter(ItemsCount::new(BATCHES as usize * ELEMENTS)).bench_local(|| {
        for (batch, negated) in black_box(&batches).iter().zip(&negated) {
            let [operands, results] = columns(batch, lead);
            survey.add(&[operands], results, lead, &mut record);
            if survey.negate(operands, lead, black_box(&mut negations)) {
                let [_, others] = columns(negated, lead);
                survey.compare(operands, results, others, lead, &mut record);
            }
        }
    });
}

//! Atlases of kernels that are wrong in one way or another, each of which a row has to name.

mod explain;
mod gate;

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use onnx_conformance::atlas::{
    self, Atlas, Choice, ConductError, Row, Sheet, Subject, chart, merge, sheets,
};
use onnx_conformance::backend::Backend;
use onnx_conformance::backend::{Identity, builtin::Builtin};
use onnx_conformance::campaign::{Column, Failure, Implementation, Kernels};
use onnx_conformance::document::JsonDocument;
use onnx_conformance::dtype::DType;

/// Kernels whose results are changed, by the bits of the first operand and of the result, and by how many are asked together.
#[derive(Clone, Copy)]
struct Changed {
    kernels: Kernels,
    change: fn(u64, u64, usize) -> u64,
}

impl Implementation for Changed {
    fn identity(&self) -> Identity {
        self.kernels.identity()
    }

    fn batch(&self) -> usize {
        self.kernels.batch()
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        self.kernels.compute(operands, results)?;
        for at in 0..results.len() {
            let bits = (self.change)(operands[0].element(at), results.element(at), results.len());
            results.set(at, bits);
        }
        Ok(())
    }
}

/// What a row of float32 has, of the part of 2^20 operands that these bits are in.
fn part_of(bits: u32) -> Choice {
    let shard = format!("{}/4096", (bits >> 20) + 1).parse().unwrap();
    Choice { types: vec![DType::Float32], shard: Some(shard), ..Choice::default() }
}

fn filled(
    choice: &Choice,
    dir: &Path,
    change: fn(u64, u64, usize) -> u64,
    rows: usize,
) -> Result<Atlas, ConductError> {
    let chosen = sheets(choice);
    let made = chosen.iter().map(|(operator, dtype)| Sheet::new(operator, *dtype, choice));
    let implementation = |sheet: &Sheet| -> Box<dyn Implementation> {
        let check = &sheet.plan.check;
        Box::new(Changed { kernels: Kernels::new(check.operator(), check.dtype()), change })
    };
    let jobs = NonZeroUsize::new(2).unwrap();
    let subjects =
        [Subject { identity: Builtin.identity(), implementation: Box::new(implementation) }];
    let charted = chart(made, &subjects, dir, jobs, &mut |at, _| {
        if at < rows { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(charted.document)
}

/// The only row of an operator on a part, where every plan is executed.
fn row(operator: &str, choice: Choice, change: fn(u64, u64, usize) -> u64) -> Row {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice { operators: vec![operator.to_owned()], ..choice };
    let atlas = filled(&choice, folder.path(), change, usize::MAX).unwrap();
    let [row] = &atlas.rows[..] else { panic!("{} rows", atlas.rows.len()) };
    assert_eq!((row.executed, row.inputs), (1 << 20, 1 << 20));
    row.clone()
}

fn ulp(row: &Row) -> f64 {
    row.max_error_ulp.as_ref().unwrap().split(' ').next().unwrap().parse().unwrap()
}

const SAME: fn(u64, u64, usize) -> u64 = |_, result, _| result;

#[test]
fn a_kernel_that_is_wrong_on_one_operand_is_told_with_the_operand() {
    let bits = 1.1_f32.to_bits();
    let clean = row("Exp", part_of(bits), SAME);
    assert!(ulp(&clean) < 1.0);
    let wrong = row("Exp", part_of(bits), |x, result, _| {
        if x == u64::from(1.1_f32.to_bits()) { result + 2 } else { result }
    });
    assert!((1.5..2.5).contains(&ulp(&wrong)), "{wrong:?}");
    assert_eq!(wrong.at, ["1.1 (0x3f8ccccd)"]);
    let more = wrong.not_correctly_rounded - clean.not_correctly_rounded;
    assert!(more <= 1, "{more}");
}

#[test]
fn a_short_range_that_is_off_is_told() {
    let wrong = row("Log", part_of(0x4040_0400), |x, result, _| {
        if (0x4040_0400..0x4040_0800).contains(&x) { result - 5 } else { result }
    });
    assert!((4.5..5.5).contains(&ulp(&wrong)), "{wrong:?}");
    assert!(wrong.not_correctly_rounded >= 1 << 10);
    assert!(wrong.special_mismatches == 0 && wrong.flushed == 0);
    // At its beginning results fall.
    assert_eq!(wrong.not_monotone, Some(1));
}

#[test]
fn a_clamp_is_wrong_where_everything_is_exact() {
    let wrong = row("Exp", part_of(89.0_f32.to_bits()), |_, result, _| {
        result.min(u64::from(f32::MAX.to_bits()))
    });
    assert!(wrong.special_mismatches > 1 << 19, "{wrong:?}");
    assert_eq!(wrong.special_mismatches, wrong.not_correctly_rounded);
}

#[test]
fn subnormal_results_that_are_flushed_are_counted() {
    let wrong = row("Exp", part_of((-90.0_f32).to_bits()), |_, result, _| {
        if result < u64::from(f32::MIN_POSITIVE.to_bits()) { 0 } else { result }
    });
    assert!(wrong.flushed > 1 << 18, "{wrong:?}");
    assert!(ulp(&wrong) > 1000.0 && wrong.special_mismatches == 0);
}

#[test]
fn a_result_that_is_another_alone_than_among_others_is_displaced() {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice {
        operators: vec!["Tanh".to_owned()],
        types: vec![DType::Float16],
        ..Choice::default()
    };
    let alone = |_, result, len| if len == 1 { result ^ 1 } else { result };
    let atlas = filled(&choice, folder.path(), alone, usize::MAX).unwrap();
    // Two of the operands are NaNs, of which one is as good as another.
    assert!((60..=64).contains(&atlas.rows[0].position_dependent.unwrap()), "{:?}", atlas.rows);
    let folder = tempfile::tempdir().unwrap();
    let atlas = filled(&choice, folder.path(), SAME, usize::MAX).unwrap();
    assert_eq!(atlas.rows[0].position_dependent, Some(0));
}

/// The row of an operator on all of float16, in so many parts.
fn in_parts(operator: &str, parts: usize, change: fn(u64, u64, usize) -> u64) -> Row {
    let part = |index: usize| {
        let folder = tempfile::tempdir().unwrap();
        let choice = Choice {
            operators: vec![operator.to_owned()],
            types: vec![DType::Float16],
            shard: Some(format!("{index}/{parts}").parse().unwrap()),
            ..Choice::default()
        };
        (index.to_string(), filled(&choice, folder.path(), change, usize::MAX).unwrap())
    };
    let parts: Vec<_> = (1..=parts).map(part).collect();
    merge(&parts).unwrap().rows.remove(0)
}

#[test]
fn results_of_a_number_and_its_negation_that_do_not_go_together_are_counted_in_whichever_parts() {
    for parts in [1, 2, 13] {
        // Of 1.5 and -2 alone, and of 1 and -1 alike.
        let change = |x, result, _| match x {
            0x3e00 | 0xc000 => result ^ 1,
            0x3c00 | 0xbc00 => result ^ 2,
            _ => result,
        };
        for operator in ["Tanh", "Cos", "Reciprocal", "Abs"] {
            assert_eq!(in_parts(operator, parts, change).not_symmetric, Some(2), "{operator}");
            assert_eq!(in_parts(operator, parts, SAME).not_symmetric, Some(0), "{operator}");
        }
        assert_eq!(in_parts("Exp", parts, change).not_symmetric, None);
    }
    let row = sampled("Tanh", DType::Float64);
    assert_eq!((row.strategy.as_str(), row.not_symmetric), ("stratified", None));
}

/// The row of an operator on a sample of a type.
fn sampled(operator: &str, dtype: DType) -> Row {
    let folder = tempfile::tempdir().unwrap();
    let (operators, types) = (vec![operator.to_owned()], vec![dtype]);
    let choice = Choice { operators, types, count: NonZeroU64::new(2), ..Choice::default() };
    filled(&choice, folder.path(), SAME, usize::MAX).unwrap().rows.remove(0)
}

/// Kernels that do not answer when they are asked for the second time.
struct Tired(Kernels, AtomicUsize);

impl Implementation for Tired {
    fn identity(&self) -> Identity {
        self.0.identity()
    }

    fn batch(&self) -> usize {
        self.0.batch()
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        if self.1.fetch_add(1, Ordering::Relaxed) == 1 {
            return Err(Failure::Crashed("tired".to_owned()));
        }
        self.0.compute(operands, results)
    }
}

#[test]
fn where_negations_are_not_answered_nothing_is_known_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let (operators, types) = (vec!["Tanh".to_owned()], vec![DType::Float16]);
    let choice = Choice { operators, types, ..Choice::default() };
    let made =
        sheets(&choice).into_iter().map(|(operator, dtype)| Sheet::new(operator, dtype, &choice));
    let implementation = |sheet: &Sheet| -> Box<dyn Implementation> {
        let check = &sheet.plan.check;
        Box::new(Tired(Kernels::new(check.operator(), check.dtype()), AtomicUsize::new(0)))
    };
    let go_on = &mut |_, _: &Row| ControlFlow::Continue(());
    let dir = folder.path();
    let subjects =
        [Subject { identity: Builtin.identity(), implementation: Box::new(implementation) }];
    let charted = chart(made, &subjects, dir, NonZeroUsize::MIN, go_on);
    let row = charted.unwrap().document.rows.remove(0);
    assert!(row.is_complete() && row.failure.is_none(), "{row:?}");
    assert_eq!(row.not_symmetric, None);
}

fn two_rows() -> Choice {
    let operators = ["Sigmoid", "Mul"].map(str::to_owned).to_vec();
    Choice { operators, types: vec![DType::Float16], ..Choice::default() }
}

/// The document without what tells when it was made.
fn bytes(mut atlas: Atlas) -> Vec<u8> {
    atlas.provenance = onnx_conformance::report::document::Provenance::default();
    atlas.to_bytes().unwrap()
}

#[test]
fn an_atlas_says_the_same_again_and_the_parts_of_its_inputs_add_up_to_it() {
    let whole = || {
        let folder = tempfile::tempdir().unwrap();
        let atlas = filled(&two_rows(), folder.path(), SAME, usize::MAX).unwrap();
        let written = Atlas::read(folder.path()).unwrap();
        assert_eq!(written, atlas);
        assert!(!folder.path().join(atlas::CHECKPOINT).exists());
        bytes(atlas)
    };
    let once = whole();
    assert!(once == whole());
    let part = |index: usize| {
        let folder = tempfile::tempdir().unwrap();
        let shard = Some(format!("{index}/16").parse().unwrap());
        let choice = Choice { shard, ..two_rows() };
        let atlas = filled(&choice, folder.path(), SAME, usize::MAX).unwrap();
        (index.to_string(), atlas)
    };
    let parts: Vec<_> = (1..=16).map(part).collect();
    assert!(bytes(merge(&parts).unwrap()) == once);
    let missing = merge(&parts[..15]).unwrap_err().to_string();
    assert!(missing.contains("part 16/16 of"), "{missing}");
    let twice = merge(&[&parts[..], &parts[3..4]].concat()).unwrap_err().to_string();
    assert!(twice.contains("both have Mul of float16"), "{twice}");
}

#[test]
fn counts_in_the_table_stand_apart_however_large_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice { operators: vec!["Sigmoid".to_owned()], ..two_rows() };
    let mut atlas = filled(&choice, folder.path(), SAME, usize::MAX).unwrap();
    let row = &mut atlas.rows[0];
    (row.executed, row.not_correctly_rounded) = (1 << 32, 1 << 31);
    (row.special_mismatches, row.not_monotone) = (179_828_000, Some(179_828_000));
    let table = atlas::text::render(&atlas, &[] as &[&str]);
    let line = table.lines().find(|line| line.starts_with("Sigmoid")).unwrap();
    let cells: Vec<_> = line.split_whitespace().collect();
    let large = ["4,294,967,296", "0.5", "2,147,483,648", "179,828,000", "179,828,000", "0"];
    assert_eq!(cells, [&["Sigmoid", "float16"][..], &large].concat());
}

#[test]
fn an_atlas_that_was_interrupted_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let interrupted = filled(&two_rows(), folder.path(), SAME, 1).unwrap_err();
    assert!(matches!(interrupted, ConductError::Interrupted(2, 2)), "{interrupted}");
    assert!(!folder.path().join(atlas::DOCUMENT).exists());
    let resumed = filled(&two_rows(), folder.path(), SAME, usize::MAX).unwrap();
    let other = tempfile::tempdir().unwrap();
    assert!(bytes(resumed) == bytes(filled(&two_rows(), other.path(), SAME, usize::MAX).unwrap()));
}

#[test]
fn an_atlas_that_was_edited_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice { operators: vec!["Sigmoid".to_owned()], ..two_rows() };
    let atlas = filled(&choice, folder.path(), SAME, usize::MAX).unwrap();
    let edited = |edit: fn(&mut Row)| {
        let mut atlas = atlas.clone();
        edit(&mut atlas.rows[0]);
        // Whoever edits a document can give it a digest that fits.
        let atlas = atlas.sealed().unwrap();
        std::fs::write(folder.path().join(atlas::DOCUMENT), atlas.to_bytes().unwrap()).unwrap();
        Atlas::read(folder.path()).map(drop).map_err(|error| format!("{error:?}"))
    };
    assert_eq!(edited(|_| ()), Ok(()));
    let edits: [fn(&mut Row); 6] = [
        |row| row.max_error_ulp = Some("0.25 (=262144/2^20)".to_owned()),
        |row| row.binades[3].result = "0.5 (0x3800)".to_owned(),
        |row| row.limits[0].holds = row.limits[0].holds.map(|holds| !holds),
        |row| row.special_mismatches = row.not_correctly_rounded + 1,
        |row| row.ranges.push(row.ranges[0]),
        |row| row.not_symmetric = Some(row.executed + 1),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        assert!(edited(edit).is_err(), "edit {number}");
    }
}

//! Atlases of kernels that are wrong in one way or another, each of which a row has to name.

mod explain;
mod gate;

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::{Identity, builtin::Builtin};
use onnx_conformance::check::Check;
use onnx_conformance::document::{JsonDocument, Sealed};
use onnx_conformance::dtype::DType;
use onnx_conformance::measure::atlas::{
    self, Atlas, Choice, Clamps, ConductError, Extent, Row, Run, Sheet, Subject, chart, merge,
    sheets,
};
use onnx_conformance::measure::campaign::{Column, Failure, Implementation, Kernels, Tensors};
use onnx_conformance::reference::inputs::Space;
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::{add::ADD, mul::MUL, sqrt::SQRT};

/// Kernels whose results are changed, by the bits of the first operand and of the result, and by how many are asked together.
struct Changed {
    kernels: Box<dyn Implementation>,
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

/// The kernels of the program, on slices where there are such.
fn kernels(check: &Check) -> Box<dyn Implementation> {
    match Kernels::of(check) {
        Some(kernels) => Box::new(kernels),
        None => Box::new(Tensors::new(Arc::new(Builtin), check.clone(), Duration::MAX)),
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
    let made = chosen.iter().map(|check| Sheet::all(check, choice));
    let implementation = |sheet: &Sheet| -> Box<dyn Implementation> {
        Box::new(Changed { kernels: kernels(&sheet.plan.check), change })
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
fn operands_in_a_clamp_are_counted_and_the_clamp_is_named() {
    let clean = row("Exp", part_of(1.7_f32.to_bits()), SAME).clamps.unwrap();
    assert_eq!((clean.operands, clean.longest), (0, None));
    let wrong = row("Exp", part_of(1.7_f32.to_bits()), |x, result, _| match x {
        0x3fd4_0000..0x3fd8_0000 => u64::from(5.2_f32.to_bits()),
        // Two operands whose results are next to each other.
        0x3fdc_0000..0x3fdc_0004 => result & !1,
        _ => result,
    });
    let Clamps { operands, longest, open } = wrong.clamps.clone().unwrap();
    let longest = longest.unwrap();
    assert_eq!(operands, 1 << 18);
    assert_eq!(longest.first, "1.65625 (0x3fd40000)");
    assert_eq!(longest.last, "1.6874999 (0x3fd7ffff)");
    assert_eq!(longest.result, "5.2 (0x40a66666)");
    // The part begins and ends within runs.
    assert_eq!(open.len(), 2);
}

#[test]
fn clamps_are_the_same_in_whichever_parts_they_are_seen() {
    let change = |x, result, _| match x & 0x7fff {
        0x3800..0x4000 => result & 0xffe0,
        0x4000..0x7c00 => result & 0x8000 | 0x3b80,
        _ => result,
    };
    let whole = in_parts("Tanh", 1, change).clamps;
    let Clamps { operands, longest, open } = whole.clone().unwrap();
    // All of them, and of both signs the longest is the positive one.
    assert!((12_000..=2 * (0x7c00 - 0x3800)).contains(&operands), "{operands}");
    assert!(longest.as_ref().unwrap().last.starts_with("65504 ") && open.is_empty(), "{longest:?}");
    for parts in [2, 13, 16] {
        assert_eq!(in_parts("Tanh", parts, change).clamps, whole, "{parts}");
    }
    assert_eq!(sampled("Tanh", DType::Float64).clamps, None);
}

#[test]
fn subnormal_results_that_are_flushed_are_counted() {
    let wrong = row("Exp", part_of((-90.0_f32).to_bits()), |_, result, _| {
        if result < u64::from(f32::MIN_POSITIVE.to_bits()) { 0 } else { result }
    });
    assert!(wrong.flushed > 1 << 18, "{wrong:?}");
    assert!(ulp(&wrong) > 1000.0 && wrong.special_mismatches == 0);
    assert_eq!(wrong.clamps.unwrap().operands, 0);
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

#[test]
fn results_that_depend_on_the_size_of_a_tensor_or_on_the_repetition_are_counted() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let row_of = |change| {
        let folder = tempfile::tempdir().unwrap();
        let (operators, types) = (vec!["Exp".to_owned()], vec![DType::Float16]);
        let choice = Choice { operators, types, ..Choice::default() };
        filled(&choice, folder.path(), change, usize::MAX).unwrap().rows.remove(0)
    };
    // Float16 is one large tensor of 65,536 elements, and small ones of 1,021 of them.
    let by_size =
        row_of(|x, result, len| if x == 0x3c00 && len > 60_000 { result ^ 1 } else { result });
    assert_eq!((by_size.size_dependent, by_size.repetition_dependent), (Some(1), Some(0)));
    let by_time = row_of(|x, result, len| {
        let is_odd = x == 0x3c00 && len == 65_536 && ASKED.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        if is_odd { result ^ 1 } else { result }
    });
    assert_eq!(by_time.repetition_dependent, Some(1));
    let steady = row_of(SAME);
    assert_eq!((steady.size_dependent, steady.repetition_dependent), (Some(0), Some(0)));
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
    filled(&choice, folder.path(), SAME, usize::MAX).unwrap().rows.pop().unwrap()
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
    let made = sheets(&choice).into_iter().map(|check| Sheet::all(&check, &choice));
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

/// What is charted of Cast from a type to others; none stands for all.
fn casts(from: DType, to: Option<DType>) -> Choice {
    let attributes = to.map(|to| ("to".to_owned(), to.name().to_owned())).into_iter().collect();
    Choice {
        operators: vec!["Cast".to_owned()],
        types: vec![from],
        attributes,
        ..Choice::default()
    }
}

#[test]
fn conversions_are_charted_to_every_type_but_texts() {
    let folder = tempfile::tempdir().unwrap();
    let atlas = filled(&casts(DType::Int4, None), folder.path(), SAME, usize::MAX).unwrap();
    // All types but texts and complex numbers.
    assert_eq!(atlas.rows.len(), 25);
    for row in &atlas.rows {
        assert_eq!((row.inputs, row.executed, row.not_correctly_rounded), (16, 16, 0), "{row:?}");
        assert_eq!(row.attributes["to"], row.result_type);
        assert_eq!(row.size_dependent, Some(0));
    }
    // Without a name there is none.
    let all = sheets(&Choice { types: vec![DType::Int4], ..Choice::default() });
    assert!(all.iter().all(|check| check.operator().name != "Cast"));
}

#[test]
fn truth_values_that_are_wrong_are_counted_and_have_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice {
        operators: ["And", "Cast", "IsNaN"].map(str::to_owned).to_vec(),
        types: vec![DType::Bool, DType::Float16],
        ..Choice::default()
    };
    // Of true the other truth value, where that is the result; and an infinity is taken for a NaN.
    let change = |x, result, _| u64::from(x == 0x7c00) | if x == 1 { result ^ 1 } else { result };
    filled(&choice, folder.path(), change, usize::MAX).unwrap();
    let atlas = Atlas::read(folder.path()).unwrap();
    let row = |operator: &str, type_name: &str, result: &str| {
        let is_it = |row: &&Row| {
            (&*row.operator, &*row.type_name, &*row.result_type) == (operator, type_name, result)
        };
        atlas.rows.iter().find(is_it).unwrap()
    };
    for (row, executed, wrong, special) in [
        (row("And", "bool", "bool"), 4, 2, 0),
        (row("Cast", "bool", "bool"), 2, 1, 0),
        (row("IsNaN", "float16", "bool"), 1 << 16, 2, 1),
    ] {
        let found = (row.executed, row.not_correctly_rounded, row.special_mismatches);
        assert_eq!((found, &row.max_error_ulp), ((executed, wrong, special), &None), "{row:?}");
        assert_eq!(row.limits[0].holds, Some(false));
    }
    // A truth value is told with its bits, so that it is read again.
    let number = row("Cast", "bool", "int8");
    assert_eq!((&*number.at[0], number.not_correctly_rounded), ("true (0x01)", 1));
}

#[test]
fn a_conversion_that_is_wrong_is_told_with_operand_and_result_of_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let choice = casts(DType::Float16, Some(DType::Float8E5M2));
    let change = |x, result, _| match x {
        // Of 1.125, a tie, the number away from zero; of 2^-16, a subnormal number, zero; of infinity, infinity for the largest number.
        0x3c80 => result + 1,
        0x0100 => 0,
        0x7c00 => 0x7c,
        // Of 256 to 1008 the same.
        0x5c00..=0x63e0 => 0x5c,
        _ => result,
    };
    let row = filled(&choice, folder.path(), change, usize::MAX).unwrap().rows.remove(0);
    assert_eq!((row.executed, row.type_name.as_str()), (1 << 16, "float16"));
    let binades = row.binades.as_ref().unwrap();
    let wrong_tie = binades.iter().find(|one| one.at == ["1.125 (0x3c80)"]).unwrap();
    assert_eq!(wrong_tie.result, "1.2 (0x3d)");
    assert_eq!(wrong_tie.max_error_ulp, "0.5 (=524288/2^20)");
    assert_eq!((row.special_mismatches, row.flushed), (1, 1));
    let longest = row.clamps.as_ref().unwrap().longest.clone().unwrap();
    assert_eq!([&*longest.first, &*longest.last], ["240 (0x5b80)", "1008 (0x63e0)"]);
    assert_eq!(longest.result, "256 (0x5c)");
    let largest = binades.iter().find(|one| one.at == ["1008 (0x63e0)"]).unwrap();
    assert_eq!(largest.max_error_ulp, "5.875 (=6160384/2^20)");
    let text = onnx_conformance::documents::explain::atlas::explain(
        &Atlas::read(folder.path()).unwrap(),
        &[],
        &[],
    )
    .unwrap();
    assert!(text.contains("Cast of float16, to float8e5m2 on builtin"), "{text}");
    assert!(text.contains("inf (0x7c)"), "{text}");
    assert!(text.contains("240 (0x5b80) to 1008 (0x63e0), all 256 (0x5c)"), "{text}");
}

#[test]
fn parts_of_conversions_are_joined_by_their_attributes() {
    let part = |index: usize| {
        let folder = tempfile::tempdir().unwrap();
        let shard = Some(format!("{index}/3").parse().unwrap());
        let choice = Choice { shard, ..casts(DType::Float8E4M3Fn, None) };
        (index.to_string(), filled(&choice, folder.path(), SAME, usize::MAX).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let choice = casts(DType::Float8E4M3Fn, None);
    let whole = filled(&choice, folder.path(), SAME, usize::MAX).unwrap();
    let mut worse = whole.clone();
    worse.rows[7].flushed += 1;
    let changes =
        onnx_conformance::documents::gate::atlas::compared(&whole, &worse).unwrap().changes;
    let [change] = &changes[..] else { panic!("{changes:?}") };
    let to = &worse.rows[7].result_type;
    assert_eq!(change.what, format!("Cast of float8e4m3fn, to {to} on builtin"));
    assert!(bytes(merge(&[1, 2, 3].map(part)).unwrap()) == bytes(whole));
}

/// Two rows of Mul, and one of Sigmoid.
fn three_rows() -> Choice {
    let operators = ["Sigmoid", "Mul"].map(str::to_owned).to_vec();
    let (types, extent) = (vec![DType::Float16], Extent::Sample);
    Choice { operators, types, extent, ..Choice::default() }
}

/// The document without what tells when it was made.
fn bytes(mut atlas: Atlas) -> Vec<u8> {
    atlas.provenance = onnx_conformance::documents::report::document::Provenance::default();
    atlas.to_bytes().unwrap()
}

#[test]
fn an_atlas_says_the_same_again_and_the_parts_of_its_inputs_add_up_to_it() {
    let whole = || {
        let folder = tempfile::tempdir().unwrap();
        let atlas = filled(&three_rows(), folder.path(), SAME, usize::MAX).unwrap();
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
        let choice = Choice { shard, ..three_rows() };
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
    let choice = Choice { operators: vec!["Sigmoid".to_owned()], ..three_rows() };
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
    let interrupted = filled(&three_rows(), folder.path(), SAME, 1).unwrap_err();
    assert!(matches!(interrupted, ConductError::Interrupted(2, 2)), "{interrupted}");
    assert!(!folder.path().join(atlas::DOCUMENT).exists());
    let resumed = filled(&three_rows(), folder.path(), SAME, usize::MAX).unwrap();
    let other = tempfile::tempdir().unwrap();
    assert!(
        bytes(resumed) == bytes(filled(&three_rows(), other.path(), SAME, usize::MAX).unwrap())
    );
}

#[test]
fn clamps_and_open_runs_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shard = Some("2/7".parse().unwrap());
    let operators = vec!["Exp".to_owned()];
    let choice = Choice { operators, shard, types: vec![DType::Float16], ..Choice::default() };
    let coarse = |_, result, _| result & !7;
    let atlas = filled(&choice, folder.path(), coarse, usize::MAX).unwrap();
    let edited = |edit: &dyn Fn(&mut Clamps)| {
        let mut atlas = atlas.clone();
        edit(atlas.rows[0].clamps.as_mut().unwrap());
        Atlas::from_bytes(Path::new("atlas.json"), &atlas.sealed().unwrap().to_bytes().unwrap())
            .map(drop)
            .map_err(|error| format!("{error:?}"))
    };
    assert_eq!(edited(&|_| ()), Ok(()));
    let clamps = atlas.rows[0].clamps.clone().unwrap();
    assert_eq!(clamps.open.len(), 2);
    let longest = clamps.longest.clone().unwrap();
    let one = Run { last: longest.first.clone(), ..longest };
    let edits: [&dyn Fn(&mut Clamps); 11] = [
        &|clamps| clamps.operands = 1 << 40,
        &|clamps| clamps.operands = 0,
        &|clamps| clamps.operands = 1,
        &|clamps| clamps.longest = None,
        // A single operand.
        &|clamps| clamps.longest = Some(one.clone()),
        &|clamps| clamps.longest.as_mut().unwrap().first = "-inf (0xfc00)".to_owned(),
        &|clamps| clamps.open.truncate(1),
        &|clamps| drop(clamps.open.remove(0)),
        &|clamps| clamps.open.reverse(),
        &|clamps| clamps.open[1] = clamps.open[0].clone(),
        &|clamps| clamps.open.insert(1, clamps.longest.clone().unwrap()),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        assert!(edited(edit).is_err(), "edit {number}");
    }
    // Pairs have none.
    let folder = tempfile::tempdir().unwrap();
    let (operators, types) = (vec!["Add".to_owned()], vec![DType::Int8]);
    let choice = Choice { operators, types, ..Choice::default() };
    let mut pairs = filled(&choice, folder.path(), SAME, usize::MAX).unwrap();
    assert_eq!(pairs.rows[0].clamps, None);
    pairs.rows[0].clamps = Some(Clamps::default());
    let bytes = pairs.sealed().unwrap().to_bytes().unwrap();
    let refused = Atlas::from_bytes(Path::new("atlas.json"), &bytes).unwrap_err();
    assert!(format!("{refused:?}").contains("clamps"), "{refused:?}");
}

#[test]
fn an_atlas_that_was_edited_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice { operators: vec!["Sigmoid".to_owned()], ..three_rows() };
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
    let edits: [fn(&mut Row); 8] = [
        |row| row.max_error_ulp = Some("0.25 (=262144/2^20)".to_owned()),
        |row| row.binades.as_mut().unwrap()[3].result = "0.5 (0x3800)".to_owned(),
        |row| row.limits[0].holds = row.limits[0].holds.map(|holds| !holds),
        |row| row.special_mismatches = row.not_correctly_rounded + 1,
        |row| row.ranges.push(row.ranges[0]),
        |row| row.not_symmetric = Some(row.executed + 1),
        |row| row.result_type = "float32".to_owned(),
        |row| drop(row.attributes.insert("to".to_owned(), "float32".to_owned())),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        assert!(edited(edit).is_err(), "edit {number}");
    }
}

#[test]
fn a_summary_has_all_but_the_errors_by_size_and_is_held_to_what_follows_from_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice { operators: vec!["Sigmoid".to_owned()], ..three_rows() };
    let whole = filled(&choice, folder.path(), SAME, usize::MAX).unwrap();
    let summary = whole.clone().summary().unwrap();
    assert!(whole.rows[0].binades.as_ref().is_some_and(|binades| binades.len() > 10));
    let without = whole.rows.iter().cloned().map(|row| Row { binades: None, ..row });
    assert_eq!(summary.rows, without.collect::<Vec<_>>());
    let read = |atlas: &Atlas| Atlas::from_bytes("atlas.json".as_ref(), &atlas.to_bytes().unwrap());
    assert_eq!(read(&summary).unwrap(), summary);
    assert!(summary.to_bytes().unwrap().len() * 4 < whole.to_bytes().unwrap().len());
    let edits: [fn(&mut Row); 4] = [
        |row| row.max_error_ulp = Some("0.25 (=262144/2^20)".to_owned()),
        |row| row.result = Some("0.125 (0x3000)".to_owned()),
        |row| row.expected = Some("0.125 (0x3000)".to_owned()),
        |row| row.limits[0].holds = row.limits[0].holds.map(|holds| !holds),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let mut edited = summary.clone();
        edit(&mut edited.rows[0]);
        assert!(read(&edited.sealed().unwrap()).is_err(), "edit {number}");
    }
    // The parts of a row are joined by their errors of each size.
    let mut part = summary.clone();
    part.rows.truncate(1);
    part.rows[0].shard = Some("1/2".parse().unwrap());
    let joined = atlas::merge(&[("part".to_owned(), part)]).unwrap_err().to_string();
    assert!(joined.starts_with("`part` is a summary"), "{joined}");
}

/// The sheets of an operator and a type: strategies, and how many inputs each has.
fn planned(operator: &str, dtype: DType, choice: &Choice) -> Vec<(String, u64)> {
    let (operators, types) = (vec![operator.to_owned()], vec![dtype]);
    let choice = Choice { operators, types, ..choice.clone() };
    let [check] = &sheets(&choice)[..] else { panic!("{operator} {dtype}") };
    let sheets = Sheet::all(check, &choice).unwrap();
    sheets.iter().map(|sheet| (sheet.plan.strategy.to_string(), sheet.plan.promised())).collect()
}

#[test]
fn where_inputs_are_sampled_the_hard_ones_are_taken_too_and_nowhere_else() {
    let hard = |operator: &'static Operator, dtype| operator.hard(dtype).unwrap().len();
    let of = |operator, dtype| planned(operator, dtype, &Choice::default());
    let exhaustive = |inputs| ("exhaustive".to_owned(), inputs);
    for (operator, dtype) in [
        (&ADD, DType::Float32),
        (&ADD, DType::Float64),
        (&MUL, DType::Float32),
        (&SQRT, DType::Float64),
    ] {
        let count = if operator.arity() == 2 { 300 * 900 } else { 10_000 * 30 };
        let expected =
            [("stratified".to_owned(), count), ("hard".to_owned(), hard(operator, dtype))];
        assert_eq!(of(operator.name, dtype), expected, "{operator} {dtype}");
    }
    for (operator, dtype, inputs) in [
        ("Sqrt", DType::Float16, 1 << 16),
        ("Sqrt", DType::Float32, 1 << 32),
        ("Reciprocal", DType::Float32, 1 << 32),
        ("Add", DType::Float16, 1 << 32),
        ("Div", DType::Uint16, 1 << 32),
        ("Add", DType::Int8, 1 << 16),
    ] {
        assert_eq!(of(operator, dtype), [exhaustive(inputs)], "{operator} {dtype}");
    }
    let sample = Choice { extent: Extent::Sample, ..Choice::default() };
    let roots =
        [("stratified".to_owned(), 300_000), ("hard".to_owned(), hard(&SQRT, DType::Float32))];
    assert_eq!(planned("Sqrt", DType::Float32, &sample), roots);
    assert_eq!(planned("Exp", DType::Float32, &sample)[0], ("stratified".to_owned(), 300_000));
    assert_eq!(planned("Exp", DType::Float16, &sample), [exhaustive(1 << 16)]);
    let all = Choice { extent: Extent::All, ..Choice::default() };
    assert_eq!(planned("Min", DType::Float16, &all), [exhaustive(1 << 32)]);
    let parts = (1..=7).map(|index| {
        let shard = Some(format!("{index}/7").parse().unwrap());
        planned("Add", DType::Float32, &Choice { shard, ..Choice::default() })[1].1
    });
    assert_eq!(parts.sum::<u64>(), hard(&ADD, DType::Float32));
}

/// The rows of sums of float16, which are sampled and hard, in the order of the document.
fn sums(shard: Option<&str>, change: fn(u64, u64, usize) -> u64) -> Atlas {
    let folder = tempfile::tempdir().unwrap();
    let (operators, types) = (vec!["Add".to_owned()], vec![DType::Float16]);
    let shard = shard.map(|shard| shard.parse().unwrap());
    let (count, extent) = (NonZeroU64::new(2), Extent::Sample);
    let choice = Choice { operators, types, count, extent, shard, ..Choice::default() };
    filled(&choice, folder.path(), change, usize::MAX).unwrap()
}

#[test]
fn hard_inputs_are_a_second_row_which_is_executed_told_apart_and_merged() {
    let whole = sums(None, SAME);
    let [hard, sampled] = &whole.rows[..] else { panic!("{:?}", whole.rows) };
    assert_eq!((hard.strategy.as_str(), sampled.strategy.as_str()), ("hard", "stratified"));
    assert_eq!((hard.executed, sampled.executed), (hard.inputs, 2 * 900));
    assert_eq!(hard.inputs, ADD.hard(DType::Float16).unwrap().len());
    assert_eq!((hard.not_correctly_rounded, hard.position_dependent), (0, Some(0)));
    assert_eq!((hard.not_monotone, hard.not_symmetric), (None, None));
    let durations: Vec<_> = whole.provenance.durations.keys().map(String::as_str).collect();
    let row = |strategy| format!("builtin/Add/float16/{strategy}");
    assert_eq!(durations, ["atlas", &row("hard"), &row("stratified")]);
    let table = atlas::text::render(&whole, &[] as &[&str]);
    let inputs = |head: &str| {
        let line = table.lines().find(|line| line.starts_with(head)).unwrap();
        line.split_whitespace().nth(2).unwrap().replace(',', "").parse::<u64>().unwrap()
    };
    assert_eq!(inputs("Add         float16* "), hard.inputs);
    assert_eq!(inputs("Add         float16  "), sampled.inputs);
    let parts: Vec<_> =
        ["1/3", "2/3", "3/3"].map(|shard| (shard.to_owned(), sums(Some(shard), SAME))).into();
    assert!(bytes(merge(&parts).unwrap()) == bytes(whole));
    let missing = merge(&parts[..2]).unwrap_err().to_string();
    assert!(missing.contains("part 3/3 of Add of float16, hard inputs, on builtin"), "{missing}");
}

/// Sums of float32 that are rounded twice: in binary64 to 47 bits, and from there.
struct RoundedTwice(Identity);

impl Implementation for RoundedTwice {
    fn identity(&self) -> Identity {
        self.0.clone()
    }

    fn batch(&self) -> usize {
        1 << 12
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        for at in 0..results.len() {
            let [a, b] = [0, 1].map(|which: usize| operands[which].element(at));
            let exact =
                [a, b].map(|bits| f64::from(f32::from_bits(bits as u32))).iter().sum::<f64>();
            let bits = exact.to_bits();
            let rounded = (bits + (1 << 5) - 1 + (bits >> 6 & 1)) >> 6 << 6;
            let result = if exact.is_finite() { f64::from_bits(rounded) } else { exact };
            results.set(at, u64::from((result as f32).to_bits()));
        }
        Ok(())
    }
}

#[test]
fn sums_that_are_rounded_twice_are_told_by_the_hard_inputs_alone() {
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice {
        operators: vec!["Add".to_owned()],
        types: vec![DType::Float32],
        count: NonZeroU64::new(100),
        // In the middle of those that lie next to ties.
        shard: Some("60/100".parse().unwrap()),
        ..Choice::default()
    };
    let made = sheets(&choice).into_iter().map(|check| Sheet::all(&check, &choice));
    let implementation =
        |_: &Sheet| -> Box<dyn Implementation> { Box::new(RoundedTwice(Builtin.identity())) };
    let subjects =
        [Subject { identity: Builtin.identity(), implementation: Box::new(implementation) }];
    let go_on = &mut |_, _: &Row| ControlFlow::Continue(());
    let charted = chart(made, &subjects, folder.path(), NonZeroUsize::MIN, go_on).unwrap();
    let [hard, sampled] = &charted.document.rows[..] else { panic!("{charted:?}") };
    assert!(hard.not_correctly_rounded > 100, "{hard:?}");
    assert!((0.5..0.501).contains(&ulp(hard)), "{hard:?}");
    assert_eq!(hard.special_mismatches, 0);
    assert_eq!((sampled.executed, sampled.not_correctly_rounded), (900, 0));
}

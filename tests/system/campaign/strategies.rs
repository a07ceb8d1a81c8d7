//! Kernels that are wrong next to rounding boundaries only, which hard inputs catch and random ones
//! do not; and strategies from the command line.

use onnx_conformance::document::JsonDocument;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use onnx_conformance::backend::{Backend, Identity, builtin::Builtin};
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::measure::campaign::{
    Campaign, Column, Failure, Implementation, Judge, Plan, Strategy, Task, drive,
};
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::{add::ADD, div::DIV, sqrt::SQRT};

use super::command::tool;

const ONE: u32 = 0x3f80_0000;

/// A float32 kernel of two operands, of which Sqrt ignores the second.
#[derive(Clone, Copy)]
struct Kernel {
    operator: &'static Operator,
    compute: fn(f32, f32) -> f32,
}

impl Implementation for Kernel {
    fn identity(&self) -> Identity {
        Identity { name: "a kernel".to_owned(), ..Builtin.identity() }
    }

    fn batch(&self) -> usize {
        1 << 14
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        let (Some(a), Some(b)) = (operands.first(), operands.last()) else { panic!("operands") };
        let pairs = a.values::<f32>().iter().zip(b.values::<f32>());
        for (result, (&a, &b)) in results.values_mut::<f32>().iter_mut().zip(pairs) {
            *result = (self.compute)(a, b);
        }
        Ok(())
    }
}

impl Kernel {
    /// A campaign on the hard float32 inputs of a part, at most a number of them from its beginning
    /// on.
    fn on_hard(self, part: &str, at_most: u64) -> Campaign {
        let plan = |range| Plan::new(self.operator, DType::Float32, Strategy::Hard, range, None);
        let parts = plan(None).unwrap().space.parts();
        let before = parts.iter().take_while(|known| known.name != part);
        let first: u64 = before.map(|part| part.size).sum();
        let size = parts.iter().find(|known| known.name == part).unwrap().size;
        self.campaign(&plan(Some(first..first + size.min(at_most))).unwrap())
    }

    fn campaign(self, plan: &Plan) -> Campaign {
        let profile = Profile::named("ieee754").unwrap();
        let judge = Judge::new(profile, self.operator, DType::Float32).unwrap();
        let task = Task { plan, implementation: &self, judge: &judge };
        let out = tempfile::tempdir().unwrap();
        let threads = NonZeroUsize::new(2).unwrap();
        let conducted = drive(&task, out.path(), threads, &mut |_| ControlFlow::Continue(()));
        conducted.unwrap().document
    }

    /// How many of so many random operands, of any significand and of exponents that neither
    /// overflow nor underflow, it is wrong on.
    fn wrong_on_random(self, inputs: u64) -> u64 {
        let correct: fn(f32, f32) -> f32 = match self.operator.name {
            "Add" => |a, b| a + b,
            "Div" => |a, b| a / b,
            _ => |x, _| x.sqrt(),
        };
        let mut random = Random::new(1);
        let mut operand = || f32::from_bits(ONE - (16 << 23) + (random.bits() % (32 << 23)) as u32);
        let wrong = |_: &u64| {
            let (a, b) = (operand(), operand());
            (self.compute)(a, b).to_bits() != correct(a, b).to_bits()
        };
        (0..inputs).filter(wrong).count() as u64
    }
}

/// Rounds to 47 bits, then to 24.
fn twice_rounded(exact: f64) -> f32 {
    let dropped = 53 - 47;
    let half = 1_u64 << (dropped - 1);
    let odd = exact.to_bits() >> dropped & 1;
    let rounded = (exact.to_bits() + half - 1 + odd) >> dropped << dropped;
    f64::from_bits(rounded) as f32
}

/// Newton-Raphson's division as it is done in float32 with fused multiply-add: four steps from an
/// estimate of the reciprocal, and a correction of the quotient by its remainder. That is correct
/// but where the reciprocal is not the correctly rounded one, as of 2 - 2^-23 (P. Markstein,
/// *Computation of Elementary Functions on the IBM RISC System/6000 Processor*, IBM Journal of
/// Research and Development 34, 1990); so it needs one correction more there.
fn newton_raphson(a: f32, b: f32) -> f32 {
    let (a, b) = (a.copysign(a * b.signum()), b.abs());
    let mut reciprocal = f32::from_bits(0x7ef3_11c7 - b.to_bits());
    for _ in 0..4 {
        let error = (-b).mul_add(reciprocal, 1.0);
        reciprocal = reciprocal.mul_add(error, reciprocal);
    }
    let quotient = a * reciprocal;
    (-b).mul_add(quotient, a).mul_add(reciprocal, quotient)
}

/// Newton's iteration for a root in binary64 from an estimate with an error of 6 %, which three steps
/// make one of 2^-39 and four less than the precision; this takes so many.
fn newton<const STEPS: usize>(x: f32, _: f32) -> f32 {
    let x = f64::from(x);
    let mut root = f64::from_bits((1023 << 51) + (x.to_bits() >> 1));
    for _ in 0..STEPS {
        root = (root + x / root) / 2.0;
    }
    root as f32
}

const INPUTS: u64 = 1 << 17;

#[test]
fn division_rounded_twice_is_caught_next_to_midpoints_and_by_no_random_inputs() {
    let compute = |a, b| twice_rounded(f64::from(a) / f64::from(b));
    let kernel = Kernel { operator: &DIV, compute };
    let document = kernel.on_hard("nearest to midpoints", INPUTS);
    assert_eq!((document.executed, document.failure), (INPUTS, None));
    // Of what lies next to a midpoint, half is rounded to it and then to the wrong side.
    assert!((INPUTS / 3..INPUTS * 2 / 3).contains(&document.mismatches), "{}", document.mismatches);
    assert_eq!(kernel.wrong_on_random(INPUTS), 0);
}

#[test]
fn a_sum_rounded_twice_is_caught_next_to_ties_and_by_no_random_inputs() {
    // Binary64 has room for every bit of these sums. The first of them have the lowest exponents, and are short.
    let inputs = 8 * INPUTS;
    let compute = |a, b| twice_rounded(f64::from(a) + f64::from(b));
    let kernel = Kernel { operator: &ADD, compute };
    let document = kernel.on_hard("next to ties", inputs);
    assert_eq!((document.executed, document.failure), (inputs, None));
    assert!(document.mismatches > 100, "{}", document.mismatches);
    assert_eq!(kernel.on_hard("ties", INPUTS).mismatches, 0);
    assert_eq!(kernel.wrong_on_random(INPUTS), 0);
}

#[test]
fn newton_raphson_division_is_caught_at_the_divisor_whose_reciprocal_is_not_the_nearest() {
    let kernel = Kernel { operator: &DIV, compute: newton_raphson };
    let document = kernel.on_hard("nearest to midpoints", INPUTS);
    // The largest divisor comes first, with four signs.
    assert_eq!(document.mismatches, 4);
    let indices = document.counterexamples.first.iter().map(|example| example.index);
    assert!(indices.max().unwrap() < document.range.first + 8);
    let divisor = &document.counterexamples.first[0].inputs[1];
    assert_eq!(divisor, "1.9999999 (0x3fffffff)");
    assert_eq!(kernel.wrong_on_random(INPUTS), 0);
}

#[test]
fn a_root_with_a_step_too_few_is_caught_next_to_midpoints_and_by_no_random_inputs() {
    let kernel = |compute| Kernel { operator: &SQRT, compute };
    let document = kernel(newton::<3>).on_hard("near midpoints", INPUTS);
    assert!(document.mismatches > 0);
    assert_eq!(kernel(newton::<3>).wrong_on_random(document.executed), 0);
    assert_eq!(kernel(newton::<4>).on_hard("near midpoints", INPUTS).mismatches, 0);
}

/// A campaign by command: its document and what it prints.
fn executed(args: &str, code: i32) -> (Option<Campaign>, String) {
    let out = tempfile::tempdir().unwrap();
    let options = ["--profile", "ieee754", "--out", "."];
    let args: Vec<&str> = ["campaign"].into_iter().chain(args.split(' ')).chain(options).collect();
    let output = tool(out.path(), &args);
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert_eq!(output.status.code(), Some(code), "{text}");
    (Campaign::read(out.path()).ok(), text)
}

#[test]
fn hard_inputs_are_executed_part_by_part_as_promised() {
    for (args, names) in [
        ("--op Div --type int16", vec!["boundaries", "next to multiples"]),
        (
            "--op Sqrt --type float32",
            vec![
                "special values",
                "exponents",
                "near midpoints",
                "near numbers",
                "squares",
                "subnormal",
            ],
        ),
    ] {
        let range = if args.contains("float32") { " --range 0..100000" } else { "" };
        let (document, _) = executed(&format!("{args} --strategy hard{range}"), 0);
        let document = document.unwrap();
        assert_eq!((document.mismatches, document.executed), (0, document.promised));
        assert!(document.parts.iter().map(|part| part.name.as_str()).eq(names));
        assert_eq!(document.parts.iter().map(|part| part.size).sum::<u64>(), document.inputs);
        assert_eq!(document.confidence, None);
    }
}

#[test]
fn stratified_inputs_come_with_their_seed_and_what_they_say_of_the_others() {
    let (document, text) =
        executed("--op Sqrt --type float64 --strategy stratified --count 100", 0);
    let document = document.unwrap();
    assert_eq!((document.executed, document.mismatches), (3000, 0));
    assert_eq!(document.parts.len(), 30);
    assert!(document.parts.iter().all(|part| part.size == 100));
    assert_eq!(document.provenance.seeds["seed"], Strategy::SEED);
    assert_eq!(document.parameters["seed"], Strategy::SEED.to_string());
    // 1 - 0.05^(1/3000)
    let confidence = document.confidence.unwrap();
    assert_eq!(confidence.upper_bound, "9.981e-4");
    assert!(confidence.statement.contains("for 0 among 3,000 inputs"), "{}", confidence.statement);
    assert!(
        text.contains("0.09981 %  of the inputs mismatch at most, with 95 % confidence"),
        "{text}"
    );
}

#[test]
fn elements_and_their_bounds_are_asked_together_and_no_share_of_all_is_told_of_them() {
    for (args, parts) in [
        ("--op Clip --type float16 --strategy hard --range 0..100000", 1),
        ("--op Clip --type float32 --strategy stratified --count 40", 900),
        ("--op Clip --type int64 --strategy stratified --count 40", 400),
        ("--op Clip --type uint8 --range 4000000..4100000", 0),
    ] {
        let document = executed(args, 0).0.unwrap();
        assert_eq!((document.mismatches, document.executed), (0, document.promised), "{args}");
        assert_eq!((document.parts.len(), document.confidence), (parts, None), "{args}");
    }
}

#[test]
fn elements_are_quantized_and_back_with_each_scale_and_zero_point_in_a_call() {
    for (args, parts) in [
        ("--op QuantizeLinear --type float32 --strategy hard --range 60000..90000", 2),
        ("--op QuantizeLinear --type float16 --attribute output_dtype=int4 --strategy hard", 2),
        ("--op QuantizeLinear --type int32 --strategy stratified --count 40", 30),
        (
            "--op QuantizeLinear --type bfloat16 --attribute output_dtype=float8e5m2 \
          --strategy stratified --count 40",
            30,
        ),
        ("--op DequantizeLinear --type int16 --strategy hard --range 0..30000", 1),
        ("--op DequantizeLinear --type uint2 --strategy stratified --count 90", 30),
        (
            "--op DequantizeLinear --type int4 --attribute output_dtype=float16 --range 7000000..7040000",
            0,
        ),
    ] {
        let document = executed(args, 0).0.unwrap();
        assert_eq!((document.mismatches, document.executed), (0, document.promised), "{args}");
        assert_eq!((document.parts.len(), document.confidence), (parts, None), "{args}");
    }
    let (_, text) = executed("--op DequantizeLinear --type int8", 2);
    assert!(text.contains("DequantizeLinear of int8 has 2^48 inputs"), "{text}");
}

#[test]
fn choices_are_made_both_ways_among_special_values_and_among_random_ones() {
    for (args, parts) in [
        ("--op Where --type bfloat16 --strategy hard", 1),
        ("--op Where --type float64 --strategy stratified --count 40", 900),
    ] {
        let document = executed(args, 0).0.unwrap();
        assert_eq!((document.mismatches, document.executed), (0, document.promised), "{args}");
        assert_eq!(document.parts.len(), parts, "{args}");
        assert_eq!(document.confidence.is_some(), parts > 1);
    }
    let (_, text) = executed("--op Where --type float16", 2);
    assert!(text.contains("Where of float16 has 2^33 inputs"), "{text}");
}

#[test]
fn shards_of_stratified_inputs_merge_to_the_whole_with_its_statement() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = |more: &[&str]| {
        let stratified = ["campaign", "--op", "Div", "--type", "uint8", "--strategy", "stratified"];
        let output = tool(folder.path(), &[&stratified[..], &["--count", "3"], more].concat());
        assert_eq!(output.status.code(), Some(0));
    };
    campaign(&["--out", "whole"]);
    campaign(&["--shard", "1/2", "--out", "1"]);
    campaign(&["--shard", "2/2", "--out", "2"]);
    let merged = tool(folder.path(), &["merge", "1", "2", "--out", "merged"]);
    assert_eq!(merged.status.code(), Some(0));
    let read = |name: &str| Campaign::read(&folder.path().join(name)).unwrap();
    assert_eq!(read("merged").confidence, read("whole").confidence);
    assert_ne!(read("1").confidence, read("whole").confidence);
    assert_eq!(read("merged").digest, read("whole").digest);
    assert_eq!(read("merged").provenance.seeds, read("whole").provenance.seeds);
}

#[test]
fn other_seeds_give_other_inputs_of_the_same_strata() {
    let campaign = |seed: u64| {
        let strategy = Strategy::Stratified { count: 7.try_into().unwrap(), seed };
        Plan::new(&DIV, DType::Float32, strategy, None, None).unwrap()
    };
    let operands = |plan: &Plan, range: Range<u64>| {
        let mut operands = vec![Column::new(DType::Float32); 2];
        operands.iter_mut().for_each(|column| column.resize((range.end - range.start) as usize));
        plan.space.fill(range.start, &mut operands);
        operands.iter().flat_map(|column| column.bytes().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(campaign(1).space.parts(), campaign(2).space.parts());
    assert_ne!(operands(&campaign(1), 0..100), operands(&campaign(2), 0..100));
    assert_eq!(operands(&campaign(1), 0..100), operands(&campaign(1), 0..100));
}

#[test]
fn mismatches_raise_the_bound() {
    let wrong_on_two = |a: f32, b: f32| if a < 0.0 && b < 0.0 { f32::NAN } else { a / b };
    let kernel = Kernel { operator: &DIV, compute: wrong_on_two };
    let strategy = Strategy::Stratified { count: 2.try_into().unwrap(), seed: 1 };
    let plan = Plan::new(&DIV, DType::Float32, strategy, None, None).unwrap();
    let document = kernel.campaign(&plan);
    let share = document.mismatches as f64 / document.executed as f64;
    assert!((0.2..0.3).contains(&share), "{share}");
    let bound: f64 = document.confidence.unwrap().upper_bound.parse().unwrap();
    assert!((share..share + 0.03).contains(&bound), "{share} {bound}");
}

#[test]
fn options_of_another_strategy_are_refused() {
    let refused = |options: &str| executed(&format!("--op Div --type float32 {options}"), 2).1;
    assert!(refused("--strategy hard --count 5").contains("--count and --seed are for"));
    assert!(refused("--strategy hard --signs ++").contains("--exponents and --signs are for"));
    assert!(refused("--strategy harder").contains("the strategies are exhaustive, significands"));
    let many = refused("--strategy stratified --count 18446744073709551615");
    assert!(many.contains("more than can be numbered"), "{many}");
    assert!(refused("--strategy stratified --count 0").contains("--count"));
}

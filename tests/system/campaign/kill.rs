//! A campaign that is killed goes on where it was.

use onnx_conformance::document::JsonDocument;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use onnx_conformance::backend::Identity;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::measure::campaign::{
    CHECKPOINT, Campaign, Column, ConductError, Conducted, Failure, Implementation, Judge, Kernels,
    Plan, Strategy, Task, drive,
};
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::sqrt::SQRT;

use super::command::contents;

/// Tells the test below where to write; without it, it does nothing.
const OUT: &str = "CAMPAIGN_TEST_OUT";

const OPERATOR: &Operator = &SQRT;
const DTYPE: DType = DType::Float16;

/// The built-in kernels, in small chunks; slow, and wrong on every 1000th operand.
struct Slow(Duration);

impl Implementation for Slow {
    fn identity(&self) -> Identity {
        Kernels::new(OPERATOR, DTYPE).identity()
    }

    fn batch(&self) -> usize {
        1 << 10
    }

    fn chunk(&self) -> u64 {
        1 << 10
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        thread::sleep(self.0);
        Kernels::new(OPERATOR, DTYPE).compute(operands, results)?;
        for at in 0..results.len() {
            if operands[0].element(at).is_multiple_of(1000) {
                results.set(at, results.element(at) ^ 1);
            }
        }
        Ok(())
    }
}

/// Takes 64 chunks, on two threads.
fn campaign(
    subject: &Slow,
    out: &Path,
    observer: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Conducted, ConductError> {
    let plan = Plan::new(OPERATOR, DTYPE, Strategy::Exhaustive, None, None).unwrap();
    let judge = Judge::new(Profile::named("sonnx").unwrap(), OPERATOR, DTYPE).unwrap();
    let task = Task { plan: &plan, implementation: subject, judge: &judge };
    drive(&task, out, NonZeroUsize::new(2).unwrap(), observer)
}

#[test]
#[ignore = "the process that the test below kills"]
fn victim() {
    let out = std::env::var_os(OUT).expect("started by the other test");
    campaign(
        &Slow(Duration::from_millis(150)),
        Path::new(&out),
        &mut |_| ControlFlow::Continue(()),
    )
    .unwrap();
}

fn start(out: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["campaign::kill::victim", "--exact", "--ignored"])
        .env(OUT, out)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_campaign_killed_three_times_and_resumed_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (killed, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    let executed = || Campaign::read(&killed.join(CHECKPOINT)).map_or(0, |found| found.executed);
    for _ in 0..3 {
        let before = executed();
        let mut child = start(&killed);
        while executed() == before {
            assert_eq!(child.try_wait().unwrap(), None, "the campaign is to be killed under way");
            thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = executed();
    assert!(0 < before && before < 1 << 16, "killed at {before}");
    assert!(!killed.join("campaign.json").exists());

    let swift = Slow(Duration::ZERO);
    let mut first_seen = None;
    let resumed = campaign(&swift, &killed, &mut |executed| {
        first_seen.get_or_insert(executed);
        ControlFlow::Continue(())
    });
    assert!(first_seen.unwrap() >= before, "what was executed is not executed again");
    assert_eq!(resumed.unwrap().document.executed, 1 << 16);
    assert!(!killed.join(CHECKPOINT).exists());

    let undisturbed = campaign(&swift, &whole, &mut |_| ControlFlow::Continue(())).unwrap();
    // The multiples of 1000 among the positive numbers; a NaN with another bit is a NaN still.
    assert_eq!(undisturbed.document.mismatches, 32);
    assert_eq!(contents(&killed), contents(&whole));
}

#[test]
fn a_campaign_that_is_stopped_leaves_a_checkpoint_and_no_document() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let slow = Slow(Duration::from_millis(20));
    let stopped = campaign(&slow, out, &mut |executed| {
        if executed > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let Err(ConductError::Interrupted { executed, promised }) = stopped else {
        panic!("{stopped:?}")
    };
    assert!(0 < executed && executed < promised);
    assert_eq!(Campaign::read(&out.join(CHECKPOINT)).unwrap().executed, executed);
    assert!(!out.join("campaign.json").exists());
}

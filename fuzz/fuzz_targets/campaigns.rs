//! True campaigns, made once: small ones of every strategy, with right and wrong results.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use onnx_conformance::backend::Identity;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::measure::campaign::{
    Campaign, Column, Failure, Implementation, Judge, Kernels, Plan, Shard, Strategy, Task, conduct,
};
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::{div::DIV, sqrt::SQRT};

/// The built-in kernels, wrong on every so many-th input.
struct Spoilt {
    kernels: Kernels,
    every: usize,
}

impl Implementation for Spoilt {
    fn identity(&self) -> Identity {
        self.kernels.identity()
    }

    fn batch(&self) -> usize {
        self.kernels.batch()
    }

    fn compute(&self, operands: &[Column], results: &mut Column) -> Result<(), Failure> {
        self.kernels.compute(operands, results)?;
        for at in (1..results.len()).step_by(self.every) {
            results.set(at, results.element(at) ^ 1);
        }
        Ok(())
    }
}

fn campaign(
    (operator, dtype): (&'static Operator, DType),
    strategy: Strategy,
    range: Option<Range<u64>>,
    shard: Option<Shard>,
    (profile, every): (&str, usize),
) -> Campaign {
    let plan = Plan::new(operator, dtype, strategy, range, shard).expect("a plan");
    let profile = Profile::named(profile).expect("a profile of the tool");
    let judge = Judge::new(profile, operator, dtype).expect("it judges");
    let implementation = Spoilt { kernels: Kernels::new(operator, dtype), every };
    let task = Task { plan: &plan, implementation: &implementation, judge: &judge };
    let folder = tempfile::tempdir().expect("a folder");
    let observer = &mut |_| ControlFlow::Continue(());
    let conducted = conduct(&task, folder.path(), NonZeroUsize::MIN, observer);
    conducted.expect("a campaign").document
}

/// All of them: where none is said to be wrong, none is.
pub(crate) fn all() -> Vec<Campaign> {
    const NEVER: usize = usize::MAX;
    let (roots, quotients) = ((&SQRT, DType::Float16), (&DIV, DType::Int8));
    let single = (&DIV, DType::Float32);
    let stratified =
        Strategy::Stratified { count: NonZeroUsize::MIN.try_into().expect("1"), seed: 7 };
    let significands =
        Strategy::Significands { exponents: (0, -3), signs: "+-".parse().expect("signs") };
    let exhaustive = Strategy::Exhaustive;
    let shard = "2/7".parse().ok();
    vec![
        campaign(roots, exhaustive, Some(0..600), None, ("ieee754", 90)),
        campaign(roots, exhaustive, Some(31_000..32_000), None, ("sonnx", 11)),
        campaign(roots, Strategy::Hard, Some(0..300), None, ("opencl-full", 40)),
        campaign(quotients, exhaustive, Some(0..700), None, ("sonnx", NEVER)),
        campaign(quotients, exhaustive, Some(0..700), shard, ("sonnx", 50)),
        campaign((&SQRT, DType::Float64), stratified, None, None, ("ieee754", 10)),
        campaign(single, significands, Some(1 << 23..(1 << 23) + 300), None, ("opencl-full", 7)),
        campaign(single, stratified, Some(100..900), None, ("sonnx", NEVER)),
    ]
}

//! tract behind the adapter protocol of onnx-conformance.

mod refusal;
mod values;

use std::io::Cursor;
use std::process::ExitCode;
use std::sync::Arc;

use bytes::Bytes;
use onnx_conformance::backend::{Identity, Refusal, Stage};
use onnx_conformance::onnx::{Model, Port};
use onnx_conformance::serve::Runtime;
use onnx_conformance::tensor::Value;
use tract_onnx::Onnx;
use tract_onnx::prelude::{
    Framework, InferenceFact, InferenceModel, InferenceModelExt, IntoRunnable, RunnableModel, TVec,
    Tensor, TractResult, TypedFact, TypedOp,
};

use crate::refusal::{check_operators, of_error};
use crate::values::{check_type, from_tract, to_tract};

/// The runtime.
struct Tract {
    onnx: Onnx,
}

/// A model as it was parsed, and as it was optimised for inputs of the shapes that came last.
struct Loaded {
    parsed: InferenceModel,
    outputs: Vec<Port>,
    optimised: Option<Optimised>,
}

struct Optimised {
    inputs: Vec<InferenceFact>,
    plan: Arc<RunnableModel<TypedFact, Box<dyn TypedOp>>>,
}

impl Runtime for Tract {
    type Loaded = Loaded;

    fn identity(&self) -> Identity {
        let details = [("threads", "1"), ("model", "optimised for the shapes of the inputs")];
        adapter::identity("tract", "tract-onnx", &details)
    }

    fn load(&self, model: &Model, file: &Bytes) -> Result<Loaded, Refusal> {
        for port in model.inputs().iter().chain(model.outputs()) {
            check_type(port)?;
        }
        check_operators(model, &self.onnx.op_register)?;
        let parsed = self.onnx.model_for_read(&mut Cursor::new(file));
        let parsed = parsed.map_err(|error| of_error(Stage::Load, &error))?;
        Ok(Loaded { parsed, outputs: model.outputs().to_vec(), optimised: None })
    }

    fn run(&self, loaded: &mut Loaded, inputs: Vec<Value>) -> Result<Vec<Value>, Refusal> {
        let inputs = inputs.iter().map(to_tract).collect::<Result<TVec<Tensor>, _>>()?;
        let facts = inputs.iter().map(InferenceFact::dt_shape_from_tensor).collect::<Vec<_>>();
        let optimised = match loaded.optimised.take() {
            Some(optimised) if optimised.inputs == facts => optimised,
            _ => optimise(loaded.parsed.clone(), facts)
                .map_err(|error| of_error(Stage::Load, &error))?,
        };
        let optimised = loaded.optimised.insert(optimised);
        let inputs = inputs.into_iter().map(Into::into).collect();
        let outputs = optimised.plan.run(inputs).map_err(|error| of_error(Stage::Run, &error))?;
        outputs.iter().zip(&loaded.outputs).map(|(value, port)| from_tract(value, port)).collect()
    }
}

/// The model, made ready for inputs of these types and shapes.
fn optimise(mut model: InferenceModel, inputs: Vec<InferenceFact>) -> TractResult<Optimised> {
    for (at, fact) in inputs.iter().enumerate() {
        model.set_input_fact(at, fact.clone())?;
    }
    Ok(Optimised { inputs, plan: model.into_optimized()?.into_runnable()? })
}

fn main() -> ExitCode {
    adapter::main(&Tract { onnx: tract_onnx::onnx() })
}

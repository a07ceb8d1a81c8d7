//! Judges what an implementation of ONNX's operators returns: model, inputs and outputs in, verdicts out.
//!
//! A [`Trial`] is a model on its inputs, or a [`Call`](reference::operator::Call) of one operator, and
//! what is expected of it; where nobody states that, the [`reference`](mod@reference) says it in exact arithmetic.
//! [`Trial::judge`] takes what an implementation did and a [`Profile`](profile::Profile), and gives a
//! [`Judgement`]: the verdict, and of each output counts, largest errors and the worst elements.
//!
//! ```
//! use onnx_conformance_judge::outcome::Outcome;
//! use onnx_conformance_judge::profile::Profile;
//! use onnx_conformance_judge::reference::operator::Specification;
//! use onnx_conformance_judge::values::model::{Format, Model};
//! use onnx_conformance_judge::values::tensor::{Tensor, Value};
//! use onnx_conformance_judge::verdict::Verdict;
//! use onnx_conformance_judge::Trial;
//!
//! # use onnx_conformance_judge::values::dtype::DType;
//! # use onnx_conformance_judge::values::onnx::proto::{
//! #     GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TypeProto, ValueInfoProto, type_proto,
//! # };
//! # let named = |name: &str| Some(name.to_owned());
//! # let port = |name| ValueInfoProto {
//! #     name: named(name),
//! #     r#type: Some(TypeProto {
//! #         value: Some(type_proto::Value::TensorType(type_proto::Tensor {
//! #             elem_type: Some(DType::Float32.onnx_code()),
//! #             shape: None,
//! #         })),
//! #     }),
//! # };
//! # let sqrt = NodeProto {
//! #     op_type: named("Sqrt"),
//! #     input: vec!["x".to_owned()],
//! #     output: vec!["y".to_owned()],
//! #     ..NodeProto::default()
//! # };
//! # let sqrt = ModelProto {
//! #     opset_import: vec![OperatorSetIdProto { domain: named(""), version: Some(13) }],
//! #     graph: Some(GraphProto {
//! #         node: vec![sqrt],
//! #         input: vec![port("x")],
//! #         output: vec![port("y")],
//! #         ..GraphProto::default()
//! #     }),
//! #     ..ModelProto::default()
//! # };
//! # let file = prost::Message::encode_to_vec(&sqrt).into();
//! // The bytes of a file that holds y = Sqrt(x).
//! let model = Model::decode(Format::Onnx, "sqrt.onnx", file)?;
//! let vector = |values: [f32; 3]| Tensor::from_vec(vec![3], values.to_vec()).map(Value::from);
//! let inputs = [vector([2.0, 4.0, -1.0])?];
//! let trial = Trial::of_model(&model, &inputs, Specification::Onnx);
//!
//! let exact = Profile::named("exact")?;
//! let judged = |y| Ok::<_, Box<dyn std::error::Error>>(
//!     trial.judge(&exact, &Outcome::Outputs(vec![vector(y)?]))
//! );
//! assert_eq!(judged([1.4142135, 2.0, f32::NAN])?.verdict, Verdict::Pass);
//!
//! let judgement = judged([1.4142137, 2.0, f32::NAN])?;
//! assert_eq!(judgement.verdict, Verdict::Fail);
//! assert_eq!((judgement.outputs[0].elements, judgement.outputs[0].mismatches), (3, 1));
//! assert_eq!(judgement.outputs[0].worst[0].index, [0]);
//! println!("{judgement}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here reads files, opens connections or prints. From the ground up:
//!
//! | module | contents |
//! | --- | --- |
//! | [`text`], [`digest`] | counts and natural order for readers; SHA-256 digests |
//! | [`outcome`] | what is expected of a case, and what happened when an implementation ran it |
//! | [`profile`] | accuracy rules as data, with their sources |
//! | [`compare`] | mismatches, ULP, errors, the worst elements |
//! | [`verdict`] | the verdicts, and their derivation from comparisons |
//! | [`requirements`] | catalogues of what the specifications state, and which judgements verify it |
//! | [`Trial`] | all of it on one model or call |

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

pub use {reference, values};

pub mod compare;
pub mod digest;
pub mod outcome;
pub mod profile;
pub mod requirements;
pub mod text;
mod trial;
pub mod verdict;

pub use trial::{Extent, Judgement, LEAST, Sample, Trial, operands_of};

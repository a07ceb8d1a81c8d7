//! An adapter does not do what it says. What each does stands in [`crate::adapter`].

use std::time::Duration;

use onnx_conformance::documents::qualification::document::Class::Protocol;
use onnx_conformance::dtype::DType::{Float32, Int32};

use crate::defect::{Defect, PATIENCE, Wrong};
use crate::types::{ALL, DIVISIONS, NUMERIC};

/// Time for a task where the adapter is going to need more.
const SHORT: Duration = Duration::from_secs(3);

pub(crate) const ANOTHER_ID: &str = "answer-to-another-request";
pub(crate) const UNWRITTEN: &str = "output-not-written";
pub(crate) const TRUNCATED: &str = "output-truncated";
pub(crate) const EXCHANGED: &str = "input-files-exchanged";
pub(crate) const STALE_OUTPUT: &str = "output-of-the-request-before";
pub(crate) const STALE_MODEL: &str = "model-of-the-request-before";
/// How many requests a process answers with values before something goes wrong.
pub(crate) const WELL: u64 = 4;

pub(crate) const NOISE: &str = "noise-on-standard-output";
pub(crate) const ENDS: &str = "ends-after-its-answer";
pub(crate) const FIFTH: &str = "dies-before-its-fifth-answer";
pub(crate) const TWICE: &str = "answers-twice";
pub(crate) const FLAT: &str = "output-flattened";
pub(crate) const ACCEPTS: &str = "invalid-model-accepted";
pub(crate) const HANGS: &str = "hangs-on-an-empty-output";
pub(crate) const DIES: &str = "dies-of-a-scalar";
pub(crate) const SULKS: &str = "refuses-everything-after-a-refusal";

/// An adapter that is wrong whatever the operator and type.
const fn of_all(id: &'static str, says: &'static str, caught_by: &'static str) -> Defect {
    let wrong = Wrong::Process(PATIENCE);
    Defect { id, class: Protocol, says, operators: ALL, types: NUMERIC, caught_by, wrong }
}

pub(crate) const DEFECTS: &[Defect] = &[
    of_all(
        ANOTHER_ID,
        "The adapter gives its fifth answer the number of the next request.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
    ),
    of_all(
        UNWRITTEN,
        "The adapter says ok without writing the output.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified adapter-check",
    ),
    of_all(
        TRUNCATED,
        "The adapter writes the output without its last byte.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified adapter-check",
    ),
    Defect {
        operators: DIVISIONS,
        ..of_all(
            EXCHANGED,
            "The adapter reads its first two inputs in the wrong order.",
            "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        )
    },
    of_all(
        STALE_OUTPUT,
        "The adapter writes the output of the request before.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
    ),
    of_all(
        STALE_MODEL,
        "The adapter runs the model of the request before, where that has as many inputs.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified adapter-check",
    ),
    of_all(
        NOISE,
        "The adapter logs to its standard output before its fifth answer.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
    ),
    of_all(
        FIFTH,
        "The adapter ends with exit status 3 instead of giving its fifth answer.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
    ),
    Defect {
        operators: DIVISIONS,
        ..of_all(
            ENDS,
            "The adapter ends with exit status 3 after an answer of two elements. It costs no verdict, \
             as a process that is gone is replaced and asked again; the check of the protocol tells.",
            "adapter-check",
        )
    },
    of_all(
        TWICE,
        "The adapter sends its fifth answer twice.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
    ),
    of_all(
        FLAT,
        "The adapter writes the output as a vector.",
        "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact",
    ),
    of_all(
        ACCEPTS,
        "The adapter answers an invalid model with zeros.",
        "sonnx sonnx-draft openvino onnx adapter-check",
    ),
    Defect {
        operators: DIVISIONS,
        types: &[Float32],
        wrong: Wrong::Process(SHORT),
        ..of_all(
            HANGS,
            "The adapter never comes back from stretching to an empty output, in the newest version of Div.",
            "openvino onnx",
        )
    },
    Defect {
        operators: ALL,
        types: &[Float32, Int32],
        ..of_all(
            DIES,
            "The adapter ends with exit status 3 when it is given a scalar.",
            "sonnx openvino onnx",
        )
    },
    of_all(
        SULKS,
        "The adapter refuses everything after it has refused once.",
        "sonnx sonnx-draft openvino onnx adapter-check",
    ),
];

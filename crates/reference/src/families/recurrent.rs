//! What RNN, GRU and LSTM have in common: the shapes of their operands, the steps through time in either direction,
//! and what the outputs are made of.
//!
//! Every step is [computed](crate::exact::composed) from values that hold all that a correct implementation may have
//! in their place, so that what is allowed widens from step to step. Sums of products are added up in any order;
//! every product, sum and function is rounded in the format of the elements or a wider one, and the functions err by at most
//! 1 ULP where SONNX specifies them, and by 5 where ONNX alone does, which states no accuracy.
//!
//! No text says what Y holds after the end of a sequence that is shorter than others, and what an empty sequence
//! leaves behind: both are left open. A sequence is reversed within its own length.
//! R is transposed as W is, or by the letter of the versions before 14 not: ONNX 1.2.1 has a case of that.
//! Sources: ONNX's schemas of RNN-1, 7, 14 and 22, GRU-1, 3, 7, 14 and 22, LSTM-1, 7, 14 and 22; SONNX's LSTM.

pub(crate) mod activation;
pub(crate) mod network;
pub(crate) mod operands;

use values::dtype::DType;
use values::tensor::Tensor;

use crate::case_spec::Stated;
use crate::case_table::{self, Own};
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Operator, Otherwise, Port, Specification,
};

/// The table of cases that they have in common.
const CASES: &str = include_str!("recurrent/cases.toml");

/// The cases that a table states beside those in common. Every second one of ONNX has `hidden_size`, which some
/// implementations need though it says no more than the shapes.
pub(crate) fn cases(of: Specification, operator: &Operator, own: &str) -> Stated {
    let mut cases = case_table::cases(of, operator, &[CASES, own], Own::NONE)?;
    if of == Specification::Onnx {
        for case in cases.iter_mut().step_by(2) {
            let is_given = case.attributes.iter().any(|(name, _)| name == HIDDEN_SIZE.name);
            let weights = case.inputs.get(2).and_then(Option::as_ref).map(Tensor::shape);
            if let (false, Some([.., units])) = (is_given, weights) {
                let units = AttributeValue::Int(*units as i64);
                case.attributes.push((HIDDEN_SIZE.name.to_owned(), units));
            }
        }
    }
    Ok(cases)
}

/// The inputs of a version: those of an LSTM, of which the others have the first six.
pub(crate) const fn inputs(types: &'static [DType]) -> [Port; 8] {
    let own = Port::new("X", types, "T");
    [
        own,
        Port { name: "W", ..own },
        Port { name: "R", ..own },
        Port { name: "B", ..own }.optional(),
        Port::new("sequence_lens", &[DType::Int32], "T1").optional(),
        Port { name: "initial_h", ..own }.optional(),
        Port { name: "initial_c", ..own }.optional(),
        Port { name: "P", ..own }.optional(),
    ]
}

/// The outputs of a version: those of an LSTM, of which the others have the first two.
pub(crate) const fn outputs(types: &'static [DType]) -> [Port; 3] {
    let own = Port::new("Y", types, "T").optional();
    [own, Port { name: "Y_h", ..own }, Port { name: "Y_c", ..own }]
}

const DIRECTIONS: &[&str] = &["forward", "reverse", "bidirectional"];

/// The direction.
pub(crate) const DIRECTION: Attribute =
    Attribute::new("direction", AttributeType::Text(DIRECTIONS))
        .otherwise(Otherwise::Text("forward"));
/// The scaling values of activation functions.
pub(crate) const ALPHA: Attribute = Attribute::new("activation_alpha", AttributeType::Floats);
/// See [`ALPHA`].
pub(crate) const BETA: Attribute = Attribute::new("activation_beta", AttributeType::Floats);
/// The activation functions.
pub(crate) const ACTIVATIONS: Attribute = Attribute::new("activations", AttributeType::Texts);
/// The threshold of the functions' arguments.
pub(crate) const CLIP: Attribute = Attribute::new("clip", AttributeType::Float);
/// The number of units.
pub(crate) const HIDDEN_SIZE: Attribute = Attribute::new("hidden_size", AttributeType::Int);
/// Whether the sequence of outputs is wanted: of no effect on what it is.
pub(crate) const OUTPUT_SEQUENCE: Attribute = switch("output_sequence");
/// Which dimension comes first.
pub(crate) const LAYOUT: Attribute = switch("layout");

/// An integer that is 0 where it is not given.
pub(crate) const fn switch(name: &'static str) -> Attribute {
    Attribute::new(name, AttributeType::Int).otherwise(Otherwise::Int(0))
}

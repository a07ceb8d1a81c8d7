//! The signatures of BatchNormalization's versions.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};

use super::super::instancenormalization::EPSILON;
use crate::operator::{Attribute, AttributeType, Otherwise, Port, Version};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];
const EARLY: &[DType] = TYPES.split_at(3).0;

/// The types that SONNX's document names.
pub(super) const SONNX: [DType; 3] = [Float16, Float32, Float64];

/// 0.9, rounded to float32.
pub(super) const MOMENTUM: u32 = 0x3f66_6666;

/// Every version.
pub(super) const VERSIONS: [Version; 6] = [
    Version { since: 1, inputs: &FIVE, outputs: &SAVED, attributes: &FIRST },
    Version { since: 6, inputs: &FIVE, outputs: &SAVED, attributes: FIRST.split_at(4).0 },
    Version { since: 7, inputs: &FIVE, outputs: &SAVED, attributes: FIRST.split_at(3).0 },
    Version { since: 9, inputs: &FIVE, outputs: &SAVED, attributes: FIRST.split_at(2).0 },
    Version { since: 14, inputs: &TWO_TYPES, outputs: &RUNNING_U, attributes: &TRAINING },
    Version { since: 15, inputs: &THREE_TYPES, outputs: &RUNNING_T2, attributes: &TRAINING },
];

const FIVE: [Port; 5] = [
    Port::new("X", EARLY, "T"),
    Port::new("scale", EARLY, "T"),
    Port::new("B", EARLY, "T"),
    Port::new("mean", EARLY, "T"),
    Port::new("var", EARLY, "T"),
];
const SAVED: [Port; 5] = [
    Port::new("Y", EARLY, "T"),
    Port::new("mean", EARLY, "T").optional(),
    Port::new("var", EARLY, "T").optional(),
    Port::new("saved_mean", EARLY, "T").optional(),
    Port::new("saved_var", EARLY, "T").optional(),
];
const TWO_TYPES: [Port; 5] = [
    Port::new("X", &TYPES, "T"),
    Port::new("scale", &TYPES, "T"),
    Port::new("B", &TYPES, "T"),
    Port::new("input_mean", &TYPES, "U"),
    Port::new("input_var", &TYPES, "U"),
];
const RUNNING_U: [Port; 3] = [
    Port::new("Y", &TYPES, "T"),
    Port::new("running_mean", &TYPES, "U").optional(),
    Port::new("running_var", &TYPES, "U").optional(),
];
const THREE_TYPES: [Port; 5] = [
    Port::new("X", &TYPES, "T"),
    Port::new("scale", &TYPES, "T1"),
    Port::new("B", &TYPES, "T1"),
    Port::new("input_mean", &TYPES, "T2"),
    Port::new("input_var", &TYPES, "T2"),
];
const RUNNING_T2: [Port; 3] = [
    Port::new("Y", &TYPES, "T"),
    Port::new("running_mean", &TYPES, "T2").optional(),
    Port::new("running_var", &TYPES, "T2").optional(),
];

const FIRST: [Attribute; 5] = [
    Attribute::new("epsilon", AttributeType::Float).otherwise(Otherwise::Float(EPSILON)),
    Attribute::new("momentum", AttributeType::Float).otherwise(Otherwise::Float(MOMENTUM)),
    Attribute::new("spatial", AttributeType::Int).otherwise(Otherwise::Int(1)),
    Attribute::new("is_test", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("consumed_inputs", AttributeType::Ints).otherwise(Otherwise::Invalid),
];
const TRAINING: [Attribute; 3] = [
    Attribute::new("epsilon", AttributeType::Float).otherwise(Otherwise::Float(EPSILON)),
    Attribute::new("momentum", AttributeType::Float).otherwise(Otherwise::Float(MOMENTUM)),
    Attribute::new("training_mode", AttributeType::Int).otherwise(Otherwise::Int(0)),
];

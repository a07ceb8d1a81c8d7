//! Cases of a binary operator that break one constraint of SONNX each: an implementation of the
//! profile refuses them. A general runtime that takes them has not failed, but accepts more than the
//! profile.

use values::dtype::DType::{self, Bfloat16, Bool, Float16, Float32, Float64, Int32, Int64, Uint32};
use values::tensor::Tensor;

use super::cases::{Roles, Shapes};
use crate::case_spec::{CaseList, CaseSpec, LastInput};
use crate::elements::{ElementError, counting, ones};
use crate::operator::Operator;
use crate::signature::AttributeValue;

/// Pairs of shapes that differ. In the first four one could be broadcast to the other.
const SHAPES: [Shapes; 7] = [
    ("scalar_{b}", &[2, 3], &[]),
    ("row_{b}", &[2, 3], &[3]),
    ("row_{a}", &[3], &[2, 3]),
    ("size_1_{b}", &[2, 3], &[2, 1]),
    ("more_elements", &[4], &[3]),
    ("transposed", &[2, 3], &[3, 2]),
    ("reshaped", &[6], &[2, 3]),
];

/// Pairs of types that differ.
const TYPES: [(DType, DType); 7] = [
    (Float32, Float64),
    (Float64, Float32),
    (Float16, Float32),
    (Float32, Int32),
    (Int32, Int64),
    (Int64, Int32),
    (Int32, Uint32),
];

/// The requirements of an operator, and the names of its operands.
struct Restricted<'a> {
    /// The operator's name as ids have it.
    name: String,
    roles: Roles<'a>,
    list: CaseList,
}

pub(super) fn cases(operator: &Operator, roles: Roles<'_>) -> Result<Vec<CaseSpec>, ElementError> {
    let (name, list) = (operator.name.to_uppercase(), CaseList::sonnx(operator));
    let mut cases = Restricted { name, roles, list };
    for dtype in [Float32, Int32] {
        cases.shapes(dtype)?;
        cases.general(dtype)?;
    }
    for (a, b) in TYPES {
        cases.types(a, b)?;
    }
    for (dtype, declared) in [(Float32, Float64), (Int32, Int64)] {
        cases.output_type(dtype, declared)?;
    }
    for dtype in [Bfloat16, Bool] {
        cases.other_type(dtype)?;
    }
    Ok(cases.list.into_cases())
}

impl Restricted<'_> {
    fn constraints(&self, dtype: DType, tensors: &[&str], number: &str) -> Vec<String> {
        let kind = match dtype {
            Float16 | Float32 | Float64 => "FLOAT",
            _ => "INT",
        };
        let name = &self.name;
        tensors.iter().map(|tensor| format!("E_{name}_{kind}_CONSTR_{tensor}_{number}")).collect()
    }

    fn shapes(&mut self, dtype: DType) -> Result<(), ElementError> {
        let ids = self.constraints(dtype, &["A", "B"], "0010");
        for (name, a, b) in SHAPES {
            // The model declares the longer shape for C, which is what broadcasting would give.
            let shape = if a.len() < b.len() { b } else { a };
            let inputs = operands([dtype; 2], [a, b])?;
            let name = format!("refused_shape_{}", self.roles.in_name(name));
            let note = "A and B do not have the same shape";
            self.list.add(dtype, name, inputs, &ids, note).refused(dtype, shape);
        }
        let ids = self.constraints(dtype, &["C"], "0010");
        let inputs = operands([dtype; 2], [&[2, 3]; 2])?;
        let note = "the model declares another shape for C than A and B have";
        let case = self.list.add(dtype, "refused_shape_output", inputs, &ids, note);
        case.refused(dtype, &[3, 2]);
        Ok(())
    }

    fn types(&mut self, a: DType, b: DType) -> Result<(), ElementError> {
        let mut ids = self.constraints(a, &["A", "B"], "0020");
        ids.push("GR3".to_owned());
        let note = "A and B are of different types, and nothing is converted implicitly";
        let name = format!("refused_type_{}_{b}", self.roles.b);
        let inputs = operands([a, b], [&[2, 3]; 2])?;
        self.list.add(a, name, inputs, &ids, note).refused(a, &[2, 3]);
        Ok(())
    }

    fn output_type(&mut self, dtype: DType, declared: DType) -> Result<(), ElementError> {
        let mut ids = self.constraints(dtype, &["C"], "0020");
        ids.push("GR3".to_owned());
        let note = "the model declares another type for C than A and B have";
        let name = format!("refused_type_output_{declared}");
        let inputs = operands([dtype; 2], [&[2, 3]; 2])?;
        self.list.add(dtype, name, inputs, &ids, note).refused(declared, &[2, 3]);
        Ok(())
    }

    /// The general restrictions, which every operator has, and an attribute, of which SONNX's binary
    /// operators have none.
    fn general(&mut self, dtype: DType) -> Result<(), ElementError> {
        let (b, attribute) = (self.roles.b, format!("P_{}_ATTR_0010", self.name));
        for (name, id, note, last_input) in [
            (format!("sparse_{b}"), "GR1", "B is a sparse tensor", LastInput::Sparse),
            (
                format!("untyped_{b}"),
                "GR2",
                "the model leaves the element type of B open",
                LastInput::Untyped,
            ),
            ("attribute".to_owned(), &attribute, "the node carries an attribute", LastInput::Typed),
        ] {
            let inputs = operands([dtype; 2], [&[3]; 2])?;
            let case = self.list.add(dtype, format!("refused_{name}"), inputs, &[id], note);
            case.refused(dtype, &[3]).given(last_input);
            if last_input == LastInput::Typed {
                case.with("axis", AttributeValue::Int(0));
            }
        }
        Ok(())
    }

    /// Elements of a type that the document does not name.
    fn other_type(&mut self, dtype: DType) -> Result<(), ElementError> {
        let inputs = vec![ones(dtype, &[3])?, ones(dtype, &[3])?];
        let ids = ["FLOAT", "INT"].map(|kind| format!("P_{}_{kind}_TYPES_0010", self.name));
        let note = "the document names neither this float type nor this integer type";
        self.list.add(dtype, "refused_type", inputs, &ids, note).refused(dtype, &[3]);
        Ok(())
    }
}

fn operands(types: [DType; 2], shapes: [&[usize]; 2]) -> Result<Vec<Tensor>, ElementError> {
    Ok(vec![counting(types[0], shapes[0], 10)?, counting(types[1], shapes[1], 1)?])
}

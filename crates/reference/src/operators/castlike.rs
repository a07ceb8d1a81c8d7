//! CastLike: each element as one of the type that another tensor has.
//!
//! Source: ONNX's schemas of CastLike-15, 19, 21, 23, 24 and 25, which refer to those of Cast.

use super::cast::Conversions;
use crate::case_table::{self, Own};
use crate::elements::blank;
use crate::families::casting::{
    Casting, ROUND_MODE, SATURATE, STRINGS, converted, hard_inputs, texts,
};
use crate::operator::{Attribute, Document, Operator, OperatorKind, Port, Version};

/// CastLike in ONNX's default domain.
pub static CASTLIKE: Operator = Operator {
    documents: &[Document {
        key: "onnx-castlike",
        catalogue: include_str!("castlike/onnx-castlike.toml"),
    }],
    cases: Some(|of| {
        let own =
            Own { inputs: |name, dtype| Ok(vec![texts(name)?, blank(dtype, &[1])?]), ..Own::NONE };
        case_table::cases(of, &CASTLIKE, &[include_str!("castlike/cases.toml")], own)
    }),
    fast_checks: Some(&Conversions),
    hard_inputs: Some(hard_inputs),
    strings: Some(STRINGS),
    ..Operator::onnx("CastLike", OperatorKind::Rounded, &VERSIONS, &Casting::Like)
};

const VERSIONS: [Version; 6] = [
    const { Ports::new(14) }.since(15, &[]),
    const { Ports::new(18) }.since(19, &[SATURATE]),
    const { Ports::new(20) }.since(21, &[SATURATE]),
    const { Ports::new(21) }.since(23, &[SATURATE]),
    const { Ports::new(22) }.since(24, &[SATURATE, ROUND_MODE]),
    const { Ports::new(24) }.since(25, &[SATURATE, ROUND_MODE]),
];

/// The inputs and the output, of any of the first so many types.
struct Ports([Port; 2], [Port; 1]);

impl Ports {
    const fn new(types: usize) -> Self {
        let types = converted(types);
        let like = Port::new("target_type", types, "T2");
        Self([Port::new("input", types, "T1"), like], [Port::new("output", types, "T2")])
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes }
    }
}

#[cfg(test)]
mod tests {
    use values::dtype::DType::{Bool, Float8E4M3Fn, Float16, Float32, Int8};

    use super::*;
    use crate::check::Check;
    use crate::elements::tensor;
    use crate::exact::Conforming;
    use crate::operator::{AttributeValue, Attributes, Call, Specification};
    use crate::operators::cast::CAST;
    use crate::sweep::Tally;

    #[test]
    fn the_type_of_the_second_input_is_that_of_the_output_and_its_elements_and_shape_are_nothing() {
        for (like, shape, expected) in
            [(Int8, &[2, 0][..], 2), (Bool, &[], 1), (Float32, &[3], 0x4020_0000)]
        {
            let x = tensor(Float32, &[1, 1], &[2.5_f32.to_bits().into()]).unwrap();
            let inputs = vec![Some(x), Some(blank(like, shape).unwrap())];
            let (version, attributes) = (CASTLIKE.newest(), Attributes::new());
            let (call, types) =
                Call::new(&CASTLIKE, version, Specification::Onnx, attributes, inputs).unwrap();
            assert_eq!((types[0].dtype, &types[0].shape[..]), (like, &[1, 1][..]));
            let allowed = CASTLIKE.reference.allowed(&call, &types);
            assert_eq!(allowed[0].at(0), Conforming::One(expected));
        }
    }

    #[test]
    fn elements_are_checked_as_those_of_cast_and_as_fast() {
        let to = AttributeValue::Int(Float16.onnx_code().into());
        let cast = Check::of(&CAST, Float32, [("to".to_owned(), to)].into()).unwrap();
        let castlike = Check::like(&CASTLIKE, Float32, Some(Float16), [].into()).unwrap();
        assert_eq!(castlike.operands(), [Float32]);
        assert!(castlike.is_fast());
        let operands: Vec<u8> = (0..9000_u32).flat_map(|at| (at << 19).to_le_bytes()).collect();
        let results: Vec<u8> = (0..9000_u16).flat_map(|at| (at << 6).to_le_bytes()).collect();
        let tally = |check: &Check| {
            let mut tally = Tally::default();
            check.run(&[&operands], &results, &mut tally, &mut |_| ());
            tally
        };
        assert_eq!(tally(&castlike), tally(&cast));
        assert!((1..9000).contains(&tally(&cast).mismatches));
    }

    #[test]
    fn attributes_are_those_of_cast() {
        let x = tensor(Float32, &[1], &[1e6_f32.to_bits().into()]).unwrap();
        for (saturate, expected) in [(None, 0x7e), (Some(1), 0x7e), (Some(0), 0x7f)] {
            let inputs = vec![Some(x.clone()), Some(blank(Float8E4M3Fn, &[1]).unwrap())];
            let given = saturate.map(|it| ("saturate".to_owned(), AttributeValue::Int(it)));
            let (version, attributes) = (CASTLIKE.newest(), Attributes::from_iter(given));
            let (call, types) =
                Call::new(&CASTLIKE, version, Specification::Onnx, attributes, inputs).unwrap();
            let allowed = CASTLIKE.reference.allowed(&call, &types);
            assert_eq!(allowed[0].at(0).example(), Some(expected));
        }
    }
}

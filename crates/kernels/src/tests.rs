//! The operators as a whole: versions, types, attributes, broadcasting, refusals.

use bytes::Bytes;
use half::{bf16, f16};
use proptest::prelude::*;

use super::*;

fn tensor<T: bytemuck::Pod + Send + Sync>(dtype: DType, shape: &[usize], values: &[T]) -> Tensor {
    Tensor::from_values(dtype, shape.to_vec(), values.to_vec()).unwrap()
}

fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    tensor(DType::Float32, shape, values)
}

fn i32s(shape: &[usize], values: &[i32]) -> Tensor {
    tensor(DType::Int32, shape, values)
}

/// A tensor of ones of any type.
fn ones(dtype: DType, shape: &[usize]) -> Tensor {
    let one: Vec<u8> = match dtype {
        DType::Float16 => f16::ONE.to_le_bytes().to_vec(),
        DType::Bfloat16 => bf16::ONE.to_le_bytes().to_vec(),
        DType::Float32 => 1_f32.to_le_bytes().to_vec(),
        DType::Float64 => 1_f64.to_le_bytes().to_vec(),
        DType::String => return Tensor::from_strings(vec![], vec!["1".into()]).unwrap(),
        _ => (0..dtype.packed_len(1).unwrap()).map(|byte| u8::from(byte == 0)).collect(),
    };
    let elements = shape.iter().product();
    let width = dtype.packed_len(elements).unwrap();
    let bits: Bytes = one.into_iter().cycle().take(width).collect();
    Tensor::from_bits(dtype, shape.to_vec(), bits).unwrap()
}

fn attributes(list: &[(&str, i64)]) -> Attributes {
    list.iter().map(|&(name, value)| (name.to_owned(), Attribute::Int(value))).collect()
}

fn div(opset: i64, a: &Tensor, b: &Tensor, list: &[(&str, i64)]) -> Result<Tensor, KernelError> {
    find("Div", opset).unwrap().run(&[a, b], &attributes(list))
}

fn sqrt(x: &Tensor) -> Result<Tensor, KernelError> {
    find("Sqrt", 13).unwrap().run(&[x], &Attributes::new())
}

fn read<T: bytemuck::Pod>(tensor: &Tensor) -> Vec<T> {
    bytemuck::pod_collect_to_vec(tensor.bits().unwrap())
}

#[test]
fn an_operator_set_has_the_newest_version_that_is_not_newer() {
    for (op, opset, since) in [
        ("Div", 1, 1),
        ("Div", 5, 1),
        ("Div", 6, 6),
        ("Div", 7, 7),
        ("Div", 12, 7),
        ("Div", 13, 13),
        ("Div", 14, 14),
        ("Div", 99, 14),
        ("Sqrt", 1, 1),
        ("Sqrt", 5, 1),
        ("Sqrt", 6, 6),
        ("Sqrt", 12, 6),
        ("Sqrt", 13, 13),
        ("Sqrt", 99, 13),
    ] {
        let operator = find(op, opset).unwrap();
        assert_eq!((operator.name(), operator.since_version()), (op, since), "opset {opset}");
    }
    assert_eq!(find("Div", 0), None);
    assert_eq!(find("Sqrt", -1), None);
    assert_eq!(find("Add", 14), None);
    assert_eq!(find("div", 14), None);
}

#[test]
fn each_version_computes_exactly_the_types_that_it_states() {
    use DType::*;
    let floats = [Float16, Float32, Float64];
    let wide = [&floats[..], &[Int32, Int64, Uint32, Uint64]].concat();
    let with_bfloat16 = [&wide[..], &[Bfloat16]].concat();
    let all = [&with_bfloat16[..], &[Int8, Int16, Uint8, Uint16]].concat();
    let roots = [&floats[..], &[Bfloat16]].concat();
    for (op, opset, types) in [
        ("Div", 1, &floats[..]),
        ("Div", 6, &wide),
        ("Div", 7, &wide),
        ("Div", 13, &with_bfloat16),
        ("Div", 14, &all),
        ("Sqrt", 1, &floats),
        ("Sqrt", 6, &floats),
        ("Sqrt", 13, &roots),
    ] {
        let operator = find(op, opset).unwrap();
        assert_eq!(operator.types().len(), types.len());
        for dtype in DType::ALL {
            let one = ones(dtype, &[]);
            let inputs = [&one, &one];
            let inputs = if op == "Div" { &inputs[..] } else { &inputs[..1] };
            match operator.run(inputs, &Attributes::new()) {
                Ok(output) => {
                    assert!(types.contains(&dtype), "{operator} takes {dtype}");
                    assert_eq!(output, one);
                }
                Err(error) => {
                    assert!(!types.contains(&dtype), "{operator} refuses {dtype}");
                    assert!(matches!(error, KernelError::Type { .. }), "{error}");
                    assert_eq!(error.kind(), ErrorKind::Invalid);
                }
            }
        }
    }
}

#[test]
fn each_version_takes_exactly_its_attributes() {
    let a = ones(DType::Float32, &[2]);
    let int = Attribute::Int(0);
    let ints = Attribute::Ints(vec![0, 0]);
    for (op, opset, taken) in [
        ("Div", 1, &["axis", "broadcast", "consumed_inputs"][..]),
        ("Div", 6, &["axis", "broadcast"]),
        ("Div", 7, &[]),
        ("Div", 13, &[]),
        ("Div", 14, &[]),
        ("Sqrt", 1, &["consumed_inputs"]),
        ("Sqrt", 6, &[]),
        ("Sqrt", 13, &[]),
    ] {
        let operator = find(op, opset).unwrap();
        let inputs = [&a, &a];
        let inputs = if op == "Div" { &inputs[..] } else { &inputs[..1] };
        for (name, good, bad) in [
            ("axis", &int, &ints),
            ("broadcast", &int, &Attribute::Other),
            ("consumed_inputs", &ints, &int),
            ("alpha", &int, &int),
        ] {
            let run = |value: &Attribute| {
                operator.run(inputs, &Attributes::from([(name.to_owned(), value.clone())]))
            };
            if taken.contains(&name) {
                assert_eq!(run(good), Ok(a.clone()), "{operator} {name}");
                let error = run(bad).unwrap_err();
                assert!(matches!(error, KernelError::BadAttribute { .. }), "{error}");
            } else {
                let error = run(good).unwrap_err();
                assert!(matches!(error, KernelError::UnknownAttribute { .. }), "{error}");
                assert_eq!(error.kind(), ErrorKind::Invalid);
            }
        }
    }
}

#[test]
fn values_that_an_attribute_cannot_have_are_refused() {
    let (a, b) = (ones(DType::Float32, &[2, 3]), ones(DType::Float32, &[3]));
    for list in [[("broadcast", 2), ("axis", 1)], [("broadcast", 1), ("axis", -1)]] {
        let error = div(6, &a, &b, &list).unwrap_err();
        assert!(matches!(error, KernelError::BadAttribute { .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
}

#[test]
fn a_quotient_of_limited_broadcasting_lies_where_axis_says() {
    let a = i32s(&[2, 3], &[10, 20, 30, 40, 50, 60]);
    let b = i32s(&[2], &[10, 20]);
    let at_0 = div(6, &a, &b, &[("broadcast", 1), ("axis", 0)]).unwrap();
    assert_eq!(at_0, i32s(&[2, 3], &[1, 2, 3, 2, 2, 3]));
    let error = div(6, &a, &b, &[("broadcast", 1)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let last = div(6, &a, &i32s(&[3], &[10, 20, 30]), &[("broadcast", 1)]).unwrap();
    assert_eq!(last, i32s(&[2, 3], &[1, 1, 1, 4, 2, 2]));
    let single = div(6, &a, &i32s(&[1, 1], &[10]), &[("broadcast", 1), ("axis", 5)]).unwrap();
    assert_eq!(single, i32s(&[2, 3], &[1, 2, 3, 4, 5, 6]));
}

#[test]
fn without_broadcast_the_old_versions_want_equal_shapes() {
    let (a, b) = (ones(DType::Float32, &[2, 3]), ones(DType::Float32, &[3]));
    for list in [&[][..], &[("broadcast", 0)], &[("broadcast", 0), ("axis", 1)]] {
        for opset in [1, 6] {
            let error = div(opset, &a, &b, list).unwrap_err();
            assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
            assert_eq!(div(opset, &a, &a, list).unwrap(), a);
        }
    }
    assert_eq!(div(7, &a, &b, &[]).unwrap(), a);
}

#[test]
fn the_first_undefined_quotient_in_the_outputs_order_is_named() {
    let a = i32s(&[2, 1], &[7, i32::MIN]);
    let error = div(14, &a, &i32s(&[3], &[1, -1, 0]), &[]).unwrap_err();
    assert_eq!(error.to_string(), "element [0, 2]: 7 / 0 has no int32 value");
    assert_eq!(error.kind(), ErrorKind::Domain);
    let error = div(14, &a, &i32s(&[3], &[1, -1, 2]), &[]).unwrap_err();
    assert_eq!(error.to_string(), "element [1, 1]: -2147483648 / -1 exceeds every int32 value");
    assert_eq!(error.kind(), ErrorKind::Domain);
    let (n, at) = (10_000, 7_777);
    let mut divisors = vec![1_u8; n];
    (divisors[at], divisors[at + 1], divisors[n - 1]) = (0, 0, 0);
    let (a, b) =
        (tensor(DType::Uint8, &[n], &vec![255_u8; n]), tensor(DType::Uint8, &[n], &divisors));
    let error = div(14, &a, &b, &[]).unwrap_err();
    assert_eq!(error.to_string(), "element [7777]: 255 / 0 has no uint8 value");
}

#[test]
fn every_integer_type_refuses_what_has_no_quotient_and_only_that() {
    macro_rules! check {
        ($($type:ty, $dtype:ident;)*) => {$(
            let run = |a: $type, b: $type| {
                let dtype = DType::$dtype;
                div(14, &tensor(dtype, &[], &[a]), &tensor(dtype, &[], &[b]), &[])
            };
            for value in [<$type>::MIN, <$type>::MAX, 0, 1] {
                let error = run(value, 0).unwrap_err();
                assert!(matches!(error, KernelError::DivisionByZero { .. }), "{error}");
                match value.checked_div(!0) {
                    Some(quotient) => assert_eq!(read::<$type>(&run(value, !0).unwrap()), [quotient]),
                    None => {
                        let error = run(value, !0).unwrap_err();
                        assert!(matches!(error, KernelError::Overflow { divisor: -1, .. }), "{error}");
                    }
                }
            }
        )*};
    }
    check! {
        i8, Int8; i16, Int16; i32, Int32; i64, Int64;
        u8, Uint8; u16, Uint16; u32, Uint32; u64, Uint64;
    }
}

#[test]
fn inputs_that_do_not_fit_the_operator_are_refused() {
    let (a, b) = (ones(DType::Float32, &[2]), ones(DType::Float64, &[2]));
    let operator = find("Div", 14).unwrap();
    for inputs in [&[][..], &[&a], &[&a, &a, &a]] {
        let error = operator.run(inputs, &Attributes::new()).unwrap_err();
        assert!(matches!(error, KernelError::Arity { expected: 2, .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    let error = operator.run(&[&a, &b], &Attributes::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Div-14 takes operands of one type, but they are float32 and float64"
    );
    let error = operator.run(&[&a, &ones(DType::Float32, &[3])], &Attributes::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Div-14 cannot take shapes [2] and [3]: aligned at the last dimension, two sizes differ \
         and neither is 1"
    );
}

#[test]
fn an_output_too_large_is_refused_before_it_is_allocated() {
    let tall = Tensor::from_bits(DType::Uint8, vec![1 << 16, 1], vec![1; 1 << 16].into()).unwrap();
    let wide = Tensor::from_bits(DType::Uint8, vec![1 << 16], vec![1; 1 << 16].into()).unwrap();
    let error = div(14, &tall, &wide, &[]).unwrap_err();
    assert!(matches!(error, KernelError::TooLarge { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn empty_tensors_and_scalars_keep_their_shapes() {
    let scalar = f32s(&[], &[3.0]);
    assert_eq!(div(14, &scalar, &scalar, &[]).unwrap(), f32s(&[], &[1.0]));
    assert_eq!(div(6, &scalar, &scalar, &[]).unwrap(), f32s(&[], &[1.0]));
    assert_eq!(sqrt(&f32s(&[], &[9.0])).unwrap(), scalar);
    for shape in [&[0][..], &[2, 0], &[0, usize::MAX, 2]] {
        let empty = f32s(shape, &[]);
        assert_eq!(div(14, &empty, &empty, &[]).unwrap(), empty);
        assert_eq!(div(14, &empty, &scalar, &[]).unwrap(), empty);
        assert_eq!(div(14, &scalar, &empty, &[]).unwrap(), empty);
        assert_eq!(div(6, &empty, &scalar, &[("broadcast", 1)]).unwrap(), empty);
        assert_eq!(sqrt(&empty).unwrap(), empty);
    }
    // No divisor, no division by zero.
    let (empty, zero) = (i32s(&[0], &[]), i32s(&[1], &[0]));
    assert_eq!(div(14, &empty, &zero, &[]).unwrap(), empty);
}

#[test]
fn operands_may_lie_unaligned_in_memory() {
    let mut bytes = vec![0];
    for value in [6.0_f64, 8.0, 10.0] {
        bytes.extend(value.to_le_bytes());
    }
    let bits = Bytes::from(bytes).slice(1..);
    let unaligned = Tensor::from_bits(DType::Float64, vec![3], bits).unwrap();
    let two = tensor(DType::Float64, &[], &[2_f64]);
    assert_eq!(read::<f64>(&div(14, &unaligned, &two, &[]).unwrap()), [3.0, 4.0, 5.0]);
    assert_eq!(read::<f64>(&sqrt(&unaligned).unwrap())[1], 8_f64.sqrt());
}

/// A pair of shapes that broadcast, either way in any dimension, on both sides of a block's length.
fn broadcast_shapes() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    let size = prop_oneof![4 => 1_usize..5, 1 => 5_usize..40, 1 => 600_usize..1300];
    let dims = prop::collection::vec((size, 0..5), 0..5);
    (dims, 0_usize..3).prop_filter_map("too large to compare one by one", |(dims, dropped)| {
        let elements = dims.iter().map(|(size, _)| size).product::<usize>();
        let pick = |kept: [i32; 2]| {
            let own = |&(size, form): &(usize, i32)| if kept.contains(&form) { 1 } else { size };
            dims.iter().map(own).collect::<Vec<_>>()
        };
        let (a, b) = (pick([0, 4]), pick([1, 4]));
        let dropped = dropped.min(b.len());
        (elements <= 100_000).then(|| (a, b[dropped..].to_vec()))
    })
}

proptest! {
    #[test]
    fn broadcasting_computes_each_element_from_the_operands_of_the_plan(
        (a, b) in broadcast_shapes(),
        swapped: bool,
    ) {
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let numbers = |shape: &[usize], step: u32| -> Tensor {
            let values: Vec<u32> = (0..).map(|i: u32| i.wrapping_mul(step) >> 3 | 1)
                .take(shape.iter().product()).collect();
            tensor(DType::Uint32, shape, &values)
        };
        let operator = find("Div", 14).unwrap();
        let (left, right) = (numbers(&a, 0x9e37_79b9), numbers(&b, 0x0005_4321));
        let plan = operator.broadcast(&Attributes::new(), &[&a, &b]).unwrap();
        let output = operator.run(&[&left, &right], &Attributes::new()).unwrap();
        prop_assert_eq!(output.shape(), plan.shape());
        let (left, right) = (read::<u32>(&left), read::<u32>(&right));
        for (index, quotient) in read::<u32>(&output).into_iter().enumerate() {
            let a = left[plan.operand_index(0, index).unwrap()];
            let b = right[plan.operand_index(1, index).unwrap()];
            prop_assert_eq!(quotient, a / b, "element {}", index);
        }
    }
}

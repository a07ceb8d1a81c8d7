//! The operators as a whole: versions, types, attributes, broadcasting, refusals.

mod exactness;
pub(super) mod unary;

use bytes::Bytes;
use half::{bf16, f16};
use proptest::prelude::*;

use super::signature::{Input, Presence};
use super::*;
use values::dtype::DType::{self, String as Text};
use values::tensor::Tensor;

pub(super) fn tensor<T: bytemuck::Pod + Send + Sync>(
    dtype: DType,
    shape: &[usize],
    values: &[T],
) -> Tensor {
    Tensor::from_values(dtype, shape.to_vec(), values.to_vec()).unwrap()
}

fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    tensor(DType::Float32, shape, values)
}

fn i32s(shape: &[usize], values: &[i32]) -> Tensor {
    tensor(DType::Int32, shape, values)
}

/// A tensor of ones of any type.
pub(super) fn ones(dtype: DType, shape: &[usize]) -> Tensor {
    let one: Vec<u8> = match dtype {
        DType::Float16 => f16::ONE.to_le_bytes().to_vec(),
        DType::Bfloat16 => bf16::ONE.to_le_bytes().to_vec(),
        DType::Float32 => 1_f32.to_le_bytes().to_vec(),
        DType::Float64 => 1_f64.to_le_bytes().to_vec(),
        Text => return Tensor::from_strings(shape.to_vec(), vec!["1".into()]).unwrap(),
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

/// The first output of an operator, none of whose inputs is left out.
pub(super) fn run(
    operator: Operator,
    inputs: &[&Tensor],
    attributes: &Attributes,
) -> Result<Tensor, KernelError> {
    let inputs: Vec<_> = inputs.iter().copied().map(Some).collect();
    operator.run(&inputs, attributes).map(|mut outputs| {
        assert!(!outputs.is_empty());
        outputs.remove(0)
    })
}

fn div(opset: i64, a: &Tensor, b: &Tensor, list: &[(&str, i64)]) -> Result<Tensor, KernelError> {
    run(find("Div", opset).unwrap(), &[a, b], &attributes(list))
}

fn sqrt(x: &Tensor) -> Result<Tensor, KernelError> {
    run(find("Sqrt", 13).unwrap(), &[x], &Attributes::new())
}

pub(super) fn read<T: bytemuck::Pod>(tensor: &Tensor) -> Vec<T> {
    bytemuck::pod_collect_to_vec(tensor.bits().unwrap())
}

#[test]
fn what_has_no_kernel_is_not_found() {
    assert_eq!(find("Unknown", 14), None);
    assert_eq!(find("div", 14), None);
    assert_eq!(find_in_openvino("Div", 14), None);
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
        let error = run(operator, inputs, &Attributes::new()).unwrap_err();
        assert!(matches!(error, KernelError::Arity { expected: 2, .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    let error = run(operator, &[&a, &b], &Attributes::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Div-14 takes operands of one type, but they are float32 and float64"
    );
    let error = run(operator, &[&a, &ones(DType::Float32, &[3])], &Attributes::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Div-14 cannot take shapes [2] and [3]: aligned at the last dimension, two sizes differ \
         and neither is 1"
    );
}

#[test]
fn every_operator_refuses_every_other_number_of_inputs_and_one_left_out() {
    for &kernel in KERNELS {
        for version in kernel.versions {
            let operator = Operator { kernel, version };
            let one = ones(version.types[0], &[1]);
            let inputs = operator.inputs();
            let is = |presence: Presence| move |input: &&Input| input.presence == presence;
            let fewest = inputs.len() - inputs.iter().filter(is(Presence::Optional)).count();
            let is_open = inputs.iter().any(|input| is(Presence::Variadic)(&input));
            let most = if is_open { usize::MAX } else { inputs.len() };
            let others = (0..inputs.len() + 3).filter(|count| !(fewest..=most).contains(count));
            for count in others {
                let error = operator.run(&vec![Some(&one); count], &Attributes::new()).unwrap_err();
                let expected = count.clamp(fewest, most);
                let expected = KernelError::Arity { operator, expected, actual: count };
                assert_eq!((error.kind(), error), (ErrorKind::Invalid, expected));
            }
            let error = operator.run(&vec![None; fewest], &Attributes::new()).unwrap_err();
            let Some(Input { name: input, .. }) = kernel.inputs.first() else { continue };
            let expected = KernelError::MissingInput { operator, input };
            assert_eq!((error.kind(), error), (ErrorKind::Invalid, expected));
        }
    }
}

#[test]
fn an_optional_input_may_be_left_out_and_outputs_may_be_several() {
    /// Gives each input back that is there.
    static KERNEL: Kernel = Kernel {
        domain: Domain::Onnx,
        name: "Some",
        inputs: &[
            Input::new("X"),
            Input::of("mask", DType::Bool).optional(),
            Input::new("Y").optional(),
        ],
        is_elementwise: false,

        slices: None,
        versions: &[signature::Version::new(1, &[DType::Float32])],
        restricted: &[],
        run: |call| Ok(call.given.iter().copied().flatten().cloned().collect()),
    };
    let operator = Operator { kernel: &KERNEL, version: &KERNEL.versions[0] };
    let (x, mask, y) = (f32s(&[1], &[1.0]), ones(DType::Bool, &[1]), ones(DType::Float64, &[1]));
    let with = |inputs: &[Option<&Tensor>]| operator.run(inputs, &Attributes::new());
    assert_eq!(with(&[Some(&x)]), Ok(vec![x.clone()]));
    assert_eq!(with(&[Some(&x), None, None]), Ok(vec![x.clone()]));
    assert_eq!(with(&[Some(&x), None, Some(&x)]), Ok(vec![x.clone(), x.clone()]));
    assert_eq!(with(&[Some(&x), Some(&mask)]), Ok(vec![x.clone(), mask.clone()]));
    for (inputs, message) in [
        (&[][..], "Some-1 takes 1 input(s), but 0 are given"),
        (&[Some(&x); 4], "Some-1 takes 3 input(s), but 4 are given"),
        (&[None, Some(&mask)], "Some-1 needs its input `X`, which is left out"),
        (&[Some(&x), Some(&x)], "input `mask` of Some-1 is of bool, but float32 is given"),
        (&[Some(&x), None, Some(&y)], "Some-1 is not defined for float64; its types are float32"),
    ] {
        assert_eq!(with(inputs).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_plan_of_operands_takes_as_many_as_the_operator() {
    for &kernel in KERNELS {
        let operator = Operator { kernel, version: kernel.versions.last().unwrap() };
        let error = operator.broadcast(&Attributes::new(), &[]).unwrap_err();
        let is_refused = match kernel.inputs {
            [] => matches!(error, KernelError::NotElementwise { .. }),
            _ => matches!(error, KernelError::Arity { .. }),
        };
        assert!(is_refused, "{error}");
    }
}

#[test]
fn mul_broadcasts_as_div_does_in_each_version() {
    let mul = |opset, a: &Tensor, b: &Tensor, list: &[(&str, i64)]| {
        run(find("Mul", opset).unwrap(), &[a, b], &attributes(list))
    };
    let a = i32s(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    let (row, column) = (i32s(&[3], &[1, 10, 100]), i32s(&[2], &[1, i32::MAX]));
    let by_row = i32s(&[2, 3], &[1, 20, 300, 4, 50, 600]);
    assert_eq!(mul(14, &a, &row, &[]), Ok(by_row.clone()));
    assert_eq!(mul(14, &row, &a, &[]), Ok(by_row.clone()));
    assert_eq!(mul(6, &a, &row, &[("broadcast", 1)]), Ok(by_row));
    let wrapped = i32s(&[2, 3], &[1, 2, 3, -4, i32::MAX - 4, -6]);
    assert_eq!(mul(6, &a, &column, &[("broadcast", 1), ("axis", 0)]), Ok(wrapped));
    let error = mul(6, &a, &row, &[]).unwrap_err();
    assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
    let error = mul(6, &row, &a, &[("broadcast", 1)]).unwrap_err();
    assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
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
        let output = run(operator, &[&left, &right], &Attributes::new()).unwrap();
        prop_assert_eq!(output.shape(), plan.shape());
        let (left, right) = (read::<u32>(&left), read::<u32>(&right));
        for (index, quotient) in read::<u32>(&output).into_iter().enumerate() {
            let a = left[plan.operand_index(0, index).unwrap()];
            let b = right[plan.operand_index(1, index).unwrap()];
            prop_assert_eq!(quotient, a / b, "element {}", index);
        }
    }
}

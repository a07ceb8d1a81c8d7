//! Norms of windows of every order, and of channels.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::{Float16, Float32};

fn row(values: &[f32], kernel: i64, others: &[(&str, Attribute)]) -> Vec<f32> {
    let all = [&[("kernel_shape", Attribute::Ints(vec![kernel]))], others].concat();
    let attributes: Attributes =
        all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let data = tensor(Float32, &[1, 1, values.len()], values);
    read(&run(find("LpPool", 22).unwrap(), &[&data], &attributes).unwrap())
}

#[test]
fn norms_are_of_the_order_that_is_asked_for() {
    let p = |order| ("p", Attribute::Int(order));
    assert_eq!(row(&[3.0, -4.0, 0.0], 2, &[]), [5.0, 4.0]);
    assert_eq!(row(&[3.0, -4.0, 0.0], 2, &[p(1)]), [7.0, 4.0]);
    assert_eq!(row(&[1.0, -2.0, 2.0, 0.0], 2, &[p(3)]), [9.0_f32.cbrt(), 16.0_f32.cbrt(), 2.0]);
    let pads = ("pads", Attribute::Ints(vec![2, 0]));
    assert_eq!(row(&[-2.0], 2, &[pads, p(5)]), [0.0, 2.0]);
    assert_eq!(row(&[3e30, 4e30, f32::NAN], 1, &[]).iter().filter(|it| it.is_nan()).count(), 1);
}

#[test]
fn channels_have_one_norm_each() {
    let data = tensor(Float32, &[1, 2, 2], &[3_f32, 4.0, -5.0, 12.0]);
    let norms = |attributes| {
        read::<f32>(&run(find("GlobalLpPool", 22).unwrap(), &[&data], &attributes).unwrap())
    };
    assert_eq!(norms(Attributes::new()), [5.0, 13.0]);
    assert_eq!(norms(Attributes::from([("p".to_owned(), Attribute::Int(1))])), [7.0, 17.0]);
    let first = find("GlobalLpPool", 1).unwrap();
    let order = Attributes::from([("p".to_owned(), Attribute::Float(1.0))]);
    assert_eq!(read::<f32>(&run(first, &[&data], &order).unwrap()), [7.0, 17.0]);
    let empty = tensor::<half::f16>(Float16, &[1, 2, 0], &[]);
    assert_eq!(run(first, &[&empty], &Attributes::new()).unwrap().shape(), [1, 2, 1]);
    let none = tensor::<half::f16>(Float16, &[0, 2, 3], &[]);
    assert_eq!(run(first, &[&none], &Attributes::new()).unwrap().shape(), [0, 2, 1]);
}

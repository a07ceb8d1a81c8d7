//! Unique: the slices of a tensor sorted, equal ones once. Each NaN is one of its own, and comes last.

use std::cmp::Ordering;

use super::arg_extremum::switch;
use super::moving::Moving;
use super::operand::values;
use super::reshaping::{self, Slices, integer, moving};
use super::signature::{AttributeSpec, Domain, Input};
use super::types::with_type;
use super::{Call, Kernel, KernelError};
use crate::elementwise::output;
use values::dtype::DType::{self, Bool, Complex64, Complex128, Int64, String};
use values::tensor::Tensor;

pub(super) static UNIQUE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Unique",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[moving(11, 15, ATTRIBUTES), moving(28, 16, ATTRIBUTES)],
    restricted: &[],
    run,
};

const ATTRIBUTES: &[AttributeSpec] = &[integer("axis"), switch("sorted")];

/// How the elements of a tensor are, in its own order, by their places.
type Comparison<'a> = Box<dyn Fn(usize, usize) -> Ordering + 'a>;

/// The order of numbers, in which a NaN comes after every other element.
fn numbers<T: PartialOrd + Copy + 'static>(a: T, b: T) -> Ordering {
    let is_nan = |number: T| number.partial_cmp(&number).is_none();
    a.partial_cmp(&b).unwrap_or_else(|| match (is_nan(a), is_nan(b)) {
        (true, false) => Ordering::Greater,
        _ => Ordering::Less,
    })
}

fn comparison(data: &Tensor) -> Comparison<'_> {
    match data.dtype() {
        String => {
            let texts = data.strings().unwrap_or_default();
            Box::new(|a, b| texts[a].cmp(&texts[b]))
        }
        Bool => {
            let bytes = values::<u8>(data);
            Box::new(move |a, b| bytes[a].cmp(&bytes[b]))
        }
        Complex64 => {
            let parts = values::<[f32; 2]>(data);
            Box::new(move |a, b| {
                let [a, b] = [parts[a], parts[b]];
                numbers(a[0], b[0]).then_with(|| numbers(a[1], b[1]))
            })
        }
        Complex128 => {
            let parts = values::<[f64; 2]>(data);
            Box::new(move |a, b| {
                let [a, b] = [parts[a], parts[b]];
                numbers(a[0], b[0]).then_with(|| numbers(a[1], b[1]))
            })
        }
        dtype => with_type!(numbers, dtype, T => {
            let all = values::<T>(data);
            Box::new(move |a, b| numbers(all[a], all[b]))
        }, else Box::new(|_, _| Ordering::Equal)),
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data] = call.inputs()?;
    let Slices { mut shape, axis, around: [outer, inner] } = reshaping::slices(call, data)?;
    let count = shape[axis];
    let mut inverse = output::<i64>(&[count], Int64)?;
    let place = |line: usize, slice: usize, at: usize| (line * count + slice) * inner + at;
    let elements = comparison(data);
    let slices = |a: usize, b: usize| {
        let mut pairs = (0..outer * inner)
            .map(|at| (at / inner, at % inner))
            .map(|(line, at)| elements(place(line, a, at), place(line, b, at)));
        pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| total(&slices, a, b));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for slice in order {
        match groups.last_mut().filter(|group| slices(group[0], slice).is_eq()) {
            Some(group) => group.push(slice),
            None => groups.push(vec![slice]),
        }
    }
    if call.int("sorted", 1) == 0 {
        groups.sort_by_key(|group| group[0]);
    }
    for (at, group) in groups.iter().enumerate() {
        group.iter().for_each(|slice| inverse[*slice] = at as i64);
    }
    shape[axis] = groups.len();
    let mut found = Moving::new(data.dtype(), shape)?;
    for line in 0..outer {
        for group in &groups {
            found.take(data, place(line, group[0], 0), inner);
        }
    }
    let list = |all: Vec<i64>| Tensor::from_values(Int64, vec![all.len()], all);
    let mut outputs = vec![
        found.done()?,
        list(groups.iter().map(|group| group[0] as i64).collect())?,
        list(inverse)?,
        list(groups.iter().map(|group| group.len() as i64).collect())?,
    ];
    outputs.truncate(call.outputs);
    Ok(outputs)
}

/// The order of slices, of which those with NaNs in one place, each below the other, are told apart by their own places.
fn total(slices: &dyn Fn(usize, usize) -> Ordering, a: usize, b: usize) -> Ordering {
    match (slices(a, b), slices(b, a)) {
        (order, other) if order == other.reverse() => order,
        _ => a.cmp(&b),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Complex64, Float32, Int32};
    use values::tensor::Tensor;

    fn found(data: &Tensor, axis: Option<i64>, sorted: i64) -> Vec<Tensor> {
        let mut attributes = Attributes::from([("sorted".to_owned(), Attribute::Int(sorted))]);
        attributes.extend(axis.map(|axis| ("axis".to_owned(), Attribute::Int(axis))));
        find("Unique", 28).unwrap().run_for(4, &[Some(data)], &attributes).unwrap()
    }

    fn numbers(outputs: &[Tensor]) -> Vec<Vec<i64>> {
        outputs[1..].iter().map(read::<i64>).collect()
    }

    #[test]
    fn equal_elements_come_once() {
        let data = tensor(Int32, &[2, 3], &[2_i32, -1, -1, 3, 4, 3]);
        let sorted = found(&data, None, 1);
        assert_eq!(read::<i32>(&sorted[0]), [-1, 2, 3, 4]);
        let expected = [vec![1, 0, 3, 4], vec![1, 0, 0, 2, 3, 2], vec![2, 1, 2, 1]];
        assert_eq!(numbers(&sorted), expected);
        assert_eq!(read::<i32>(&found(&data, None, 0)[0]), [2, -1, 3, 4]);
        let columns = found(&data, Some(-1), 1);
        assert_eq!(
            (columns[0].shape(), read::<i32>(&columns[0])),
            (&[2, 3][..], vec![-1, -1, 2, 3, 4, 3])
        );
        let rows = found(&tensor(Int32, &[3, 2], &[1_i32, 0, 2, 3, 1, 0]), Some(0), 1);
        assert_eq!(read::<i32>(&rows[0]), [1, 0, 2, 3]);
        assert_eq!(numbers(&rows), [vec![0, 1], vec![0, 1, 0], vec![2, 1]]);
    }

    #[test]
    fn zeros_are_equal_and_nans_are_not() {
        let data = tensor(Float32, &[5], &[f32::NAN, 0.0, f32::NAN, -0.0, f32::INFINITY]);
        assert_eq!(numbers(&found(&data, None, 1))[0], [1, 4, 0, 2]);
        let data = tensor(Complex64, &[3], &[0.0_f32, 1.0, -0.0, 1.0, -1.0, 5.0]);
        assert_eq!(numbers(&found(&data, None, 1))[0], [2, 0]);
    }

    #[test]
    fn nothing_is_found_of_nothing() {
        let slices = found(&tensor::<i32>(Int32, &[3, 0], &[]), Some(0), 1);
        assert_eq!(
            (slices[0].shape(), numbers(&slices)),
            (&[1, 0][..], vec![vec![0], vec![0; 3], vec![3]])
        );
        let none = found(&tensor::<i32>(Int32, &[0], &[]), None, 1);
        assert_eq!((none[0].shape(), numbers(&none)), (&[0][..], vec![vec![]; 3]));
    }
}

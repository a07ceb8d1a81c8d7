//! ReverseSequence: of each sample its first elements in time backwards, then the others.

use super::arg_extremum::switch;
use super::moving::Moving;
use super::reshaping::{integers, moving, refused};
use super::signature::{AttributeSpec, Domain, Input};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::Int64;
use values::tensor::Tensor;

pub(super) static REVERSESEQUENCE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReverseSequence",
    inputs: &[Input::new("input"), Input::of("sequence_lens", Int64)],
    is_elementwise: false,
    slices: None,
    versions: &[moving(10, 15, ATTRIBUTES), moving(28, 16, ATTRIBUTES)],
    restricted: &[],
    run,
};

const ATTRIBUTES: &[AttributeSpec] = &[switch("batch_axis"), switch("time_axis")];

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data, lengths] = call.inputs()?;
    let &[rows, columns, ref rest @ ..] = data.shape() else {
        return Err(refused(call, "there are less than two dimensions"));
    };
    let (batch, time) = (call.int("batch_axis", 1), call.int("time_axis", 0));
    let (samples, steps) = if batch == 0 { (rows, columns) } else { (columns, rows) };
    if lengths.shape() != [samples] {
        return Err(refused(call, "there is not one length for each sample"));
    }
    if batch == time {
        return Err(refused(call, "samples and time have one dimension"));
    }
    let lengths = integers(lengths);
    if lengths.iter().any(|length| *length < 0 || *length as usize > steps) {
        return Err(refused(call, "a length is beyond the dimension"));
    }
    let mut output = Moving::new(data.dtype(), data.shape().to_vec())?;
    if output.elements > 0 {
        let size = rest.iter().product::<usize>();
        for row in 0..rows {
            for column in 0..columns {
                let (sample, step) = if batch == 0 { (row, column) } else { (column, row) };
                let length = lengths[sample] as usize;
                let from = if step < length { length - 1 - step } else { step };
                let place =
                    if batch == 0 { sample * columns + from } else { from * columns + sample };
                output.take(data, place * size, size);
            }
        }
    }
    Ok(vec![output.done()?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{read, run, tensor};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Int64, Uint8};

    fn turned(lengths: &[i64], axes: [i64; 2]) -> Option<Vec<u8>> {
        let data = tensor(Uint8, &[3, 2], &[0_u8, 1, 2, 3, 4, 5]);
        let named = [("batch_axis", axes[0]), ("time_axis", axes[1])];
        let named = named.map(|(name, it)| (name.to_owned(), Attribute::Int(it)));
        let lengths = tensor(Int64, &[lengths.len()], lengths);
        let reverse = find("ReverseSequence", 28).unwrap();
        run(reverse, &[&data, &lengths], &Attributes::from(named)).ok().map(|it| read(&it))
    }

    #[test]
    fn the_first_so_many_are_turned_around() {
        assert_eq!(turned(&[3, 2], [1, 0]), Some(vec![4, 3, 2, 1, 0, 5]));
        assert_eq!(turned(&[0, 1, 2], [0, 1]), Some(vec![0, 1, 2, 3, 5, 4]));
        for (lengths, axes) in [(&[4, 1][..], [1, 0]), (&[-1, 1], [1, 0]), (&[1], [1, 0])] {
            assert_eq!(turned(lengths, axes), None);
        }
        assert_eq!(turned(&[1, 1], [1, 1]), None);
        assert_eq!(turned(&[1, 1], [2, 0]), None);
    }
}

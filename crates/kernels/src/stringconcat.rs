//! StringConcat: the bytes of two strings, one behind the other, whatever they are.

use super::elementwise::checked_len;
use super::signature::{Domain, Input, Version};
use super::{Kernel, KernelError, MAX_OUTPUT};
use bytes::Bytes;
use values::dtype::DType::String;
use values::tensor::Tensor;

pub(super) static STRINGCONCAT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "StringConcat",
    inputs: &[Input::new("X"), Input::new("Y")],
    is_elementwise: true,
    slices: None,
    versions: &[Version::new(20, &[String])],
    restricted: &[],
    run: |call| {
        let inputs @ [x, y] = call.inputs()?;
        let plan = call.broadcast(&inputs)?;
        let elements = checked_len(plan.shape(), String, size_of::<Bytes>())?;
        let operands = [x, y].map(|operand| operand.strings().unwrap_or_default());
        let parts = |index: usize| {
            let part = |which: usize| operands[which].get(plan.operand_index(which, index)?);
            [part(0), part(1)].map(|part| part.map_or(&[][..], |part| part))
        };
        let bytes =
            (0..elements).flat_map(parts).fold(0, |sum, part| part.len().saturating_add(sum));
        if bytes > MAX_OUTPUT {
            let shape = plan.shape().to_vec();
            return Err(KernelError::TooLarge { shape, dtype: String });
        }
        let joined = (0..elements).map(|index| Bytes::from(parts(index).concat())).collect();
        Ok(vec![Tensor::from_strings(plan.shape().to_vec(), joined)?])
    },
};

#[cfg(test)]
mod tests {
    use crate::tests::run;
    use crate::{Attributes, find};
    use bytes::Bytes;
    use values::tensor::Tensor;

    #[test]
    fn bytes_are_joined_and_broadcast() {
        let strings = |shape: &[usize], all: &[&'static [u8]]| {
            let all = all.iter().map(|bytes| Bytes::from_static(bytes)).collect();
            Tensor::from_strings(shape.to_vec(), all).unwrap()
        };
        let (x, y) = (strings(&[2, 1], &[b"a\0", b""]), strings(&[2], &[b"\xff", b"b"]));
        let output = run(find("StringConcat", 20).unwrap(), &[&x, &y], &Attributes::new()).unwrap();
        assert_eq!(output, strings(&[2, 2], &[b"a\0\xff", b"a\0b", b"\xff", b"b"]));
    }

    #[test]
    fn outputs_of_too_many_bytes_are_refused() {
        let long = |shape: &[usize]| {
            let all = vec![Bytes::from_static(&[b'a'; 1 << 16]); shape.iter().product()];
            Tensor::from_strings(shape.to_vec(), all).unwrap()
        };
        let (x, y) = (long(&[1 << 8, 1]), long(&[1 << 8]));
        assert!(run(find("StringConcat", 20).unwrap(), &[&x, &y], &Attributes::new()).is_err());
    }
}

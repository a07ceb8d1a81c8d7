//! Size of every type and shape.

use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Uint8;

#[test]
fn elements_are_counted_whatever_their_dimensions() {
    for (shape, count) in [(&[][..], 1), (&[7], 7), (&[2, 0, 3], 0), (&[2, 3, 4], 24)] {
        let data = tensor(Uint8, shape, &vec![0_u8; count]);
        let size = run(find("Size", 25).unwrap(), &[&data], &Attributes::new()).unwrap();
        assert_eq!(read::<i64>(&size), [count as i64]);
    }
}

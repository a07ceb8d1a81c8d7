//! Both truth values, at every length.

use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Bool;

#[test]
fn every_truth_value_comes_out_as_the_other_one() {
    for len in (0..70).chain([1023, 1024, 1025]) {
        let values: Vec<u8> = (0..len).map(|at| u8::from(at * at % 5 == 1)).collect();
        let expected: Vec<u8> = values.iter().map(|value| 1 - value).collect();
        let x = tensor(Bool, &[values.len()], &values);
        let y = run(find("Not", 1).unwrap(), &[&x], &Attributes::new()).unwrap();
        assert_eq!(read::<u8>(&y), expected);
    }
}

//! What the tests of the logical operators have in common.

use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Bool;

/// Checks the results of (0, 0), (0, 1), (1, 0) and (1, 1), at every length and broadcast.
pub(crate) fn check_table(name: &str, table: [u8; 4]) {
    let operator = find(name, 7).unwrap();
    for len in (0..70).chain([1023, 1024, 1025]) {
        let a: Vec<u8> = (0..len).map(|at| u8::from(at * at % 5 == 1)).collect();
        let b: Vec<u8> = (0..len).map(|at| u8::from(at % 7 < 3)).collect();
        let expected: Vec<u8> =
            a.iter().zip(&b).map(|(a, b)| table[usize::from(2 * a + b)]).collect();
        let [a, b] = [a, b].map(|values| tensor(Bool, &[values.len()], &values));
        let c = run(operator, &[&a, &b], &Attributes::new()).unwrap();
        assert_eq!(read::<u8>(&c), expected, "{name} of {len}");
    }
    let (column, row) = (tensor(Bool, &[2, 1], &[0_u8, 1]), tensor(Bool, &[2], &[0_u8, 1]));
    let c = run(operator, &[&column, &row], &Attributes::new()).unwrap();
    assert_eq!((read::<u8>(&c), c.shape()), (table.to_vec(), &[2, 2][..]));
}

//! The special values of a format, class by class.

use values::float::FloatFormat;

use crate::exact::number::largest;

/// The classes of special values by name, each with its positive and negative values in a format.
pub fn specials(format: &FloatFormat) -> [(&'static str, Vec<u64>); 5] {
    let field = format.significand_bits;
    let (smallest_normal, quiet) = (1 << field, 1 << (field - 1));
    let (one, infinity) = ((format.bias as u64) << field, largest(format) + 1);
    let three = one + smallest_normal + quiet;
    // Quiet without and with payload, then signalling with the smallest and the largest one.
    let nans =
        [quiet, quiet + 1, smallest_normal - 1, 1, quiet - 1].map(|payload| infinity + payload);
    let classes: [(_, &[u64]); 5] = [
        ("nan", &nans),
        ("infinity", &[infinity]),
        ("zero", &[0]),
        ("subnormal", &[1, 2, quiet - 1, smallest_normal - 1]),
        (
            "normal",
            &[smallest_normal, smallest_normal + 1, one - 1, one, one + 1, three, infinity - 1],
        ),
    ];
    classes.map(|(name, values)| {
        (name, values.iter().flat_map(|&bits| [bits, format.negated(bits)]).collect())
    })
}

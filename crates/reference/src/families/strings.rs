//! What operators on strings have in common: their strings have to be UTF-8.

use values::tensor::Tensor;

/// Why nothing is decided of strings that are not UTF-8.
pub(crate) const NOT_UTF_8: &str = "strings have to be UTF-8, and what others give is not stated";

/// The strings of a tensor; `None` where one is not UTF-8.
pub(crate) fn texts(tensor: &Tensor) -> Option<Vec<&str>> {
    let strings = tensor.strings().unwrap_or_default();
    strings.iter().map(|string| str::from_utf8(string).ok()).collect()
}

//! Nothing of its own: the tests of this package are `schemas.rs`.

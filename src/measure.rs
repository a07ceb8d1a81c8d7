//! Measurements over whole input domains: campaigns, atlases of the largest errors, and summation.

pub mod atlas;
pub mod campaign;
pub mod sums;

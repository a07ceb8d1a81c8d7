//! What GridSample and DeformConv have in common: elements of an image around a location between them, by their weights along each
//! dimension.

pub(crate) mod location;
pub(crate) mod weights;

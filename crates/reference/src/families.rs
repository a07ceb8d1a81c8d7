//! What several operators share: how their calls are read, their results defined, and their cases stated. Where an
//! operator is made of others, as the recurrent ones are of their activations, those are in `operators`.

pub(crate) mod along;
pub(crate) mod arg_extremum;
pub mod binary;
pub(crate) mod casting;
pub(crate) mod classes;
pub mod comparison;
pub(crate) mod computation;
pub(crate) mod convolving;
pub(crate) mod exact_unary;
pub(crate) mod exponentials;
pub mod extremum;
pub(crate) mod function;
pub(crate) mod integer_products;
pub(crate) mod integral;
pub(crate) mod lines;
pub mod logic;
pub(crate) mod matrix_products;
pub(crate) mod normalizing;
pub(crate) mod picked_or_open;
pub(crate) mod picking;
pub(crate) mod pooling;
pub(crate) mod quantization;
pub(crate) mod readings;
pub(crate) mod recurrent;
pub(crate) mod reduce_extremum;
pub(crate) mod reduce_sum;
pub(crate) mod reshaping;
pub(crate) mod scattering;
pub(crate) mod sections;
pub(crate) mod sizes;
pub mod sum;
pub(crate) mod summing;
pub(crate) mod sums_of_elements;
pub(crate) mod unary;

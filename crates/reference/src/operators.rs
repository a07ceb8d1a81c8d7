//! The registry: the only list of operators there is.

use crate::operator::{Domain, Operator};

pub mod abs;
pub mod acos;
pub mod acosh;
pub mod add;
mod along;
pub mod and;
mod arg_extremum;
pub mod argmax;
pub mod argmin;
pub mod asin;
pub mod asinh;
pub mod atan;
pub mod atanh;
pub mod averagepool;
pub mod batchnormalization;
pub mod binary;
pub mod cast;
mod casting;
pub mod castlike;
pub mod ceil;
mod classes;
pub mod clip;
pub mod comparison;
mod computation;
pub mod concat;
pub mod constant;
pub mod constantofshape;
pub mod conv;
pub mod convinteger;
mod convolving;
pub mod convtranspose;
pub mod cos;
pub mod cosh;
pub mod cumsum;
pub mod depthtospace;
pub mod dequantizelinear;
pub mod div;
pub mod divide;
pub mod dynamicquantizelinear;
pub mod elu;
pub mod equal;
pub mod erf;
mod exact_unary;
pub mod exp;
pub mod expand;
mod exponentials;
pub mod extremum;
pub mod flatten;
pub mod floor;
mod function;
pub mod gather;
pub mod gatherelements;
pub mod gathernd;
pub mod gelu;
pub mod gemm;
pub mod globalaveragepool;
pub mod globalmaxpool;
pub mod greater;
pub mod greaterorequal;
pub mod hardsigmoid;
pub mod hardswish;
pub mod identity;
pub mod instancenormalization;
mod integer_products;
mod integral;
pub mod isinf;
pub mod isnan;
pub mod layernormalization;
pub mod leakyrelu;
pub mod less;
pub mod lessorequal;
mod lines;
pub mod log;
pub mod logic;
pub mod logsoftmax;
pub mod lpnormalization;
pub mod matmul;
pub mod matmulinteger;
pub mod max;
pub mod maxpool;
pub mod min;
pub mod mish;
pub mod mod_;
pub mod mul;
pub mod neg;
mod normalizing;
pub mod not;
pub mod or;
pub mod pad;
mod picked_or_open;
mod picking;
mod pooling;
pub mod pow;
pub mod prelu;
pub mod qlinearconv;
pub mod qlinearmatmul;
mod quantization;
pub mod quantizelinear;
pub mod range;
pub mod reciprocal;
mod reduce_extremum;
mod reduce_sum;
pub mod reducemax;
pub mod reducemean;
pub mod reducemin;
pub mod reduceprod;
pub mod reducesum;
pub mod relu;
pub mod reshape;
mod reshaping;
pub mod round;
pub mod scatterelements;
mod scattering;
pub mod scatternd;
mod sections;
pub mod selu;
pub mod shape;
pub mod sigmoid;
pub mod sign;
pub mod sin;
pub mod sinh;
pub mod size;
mod sizes;
pub mod slice;
pub mod softmax;
pub mod softplus;
pub mod spacetodepth;
pub mod split;
pub mod sqrt;
pub mod squeeze;
pub mod sub;
pub mod sum;
mod summing;
pub mod tan;
pub mod tanh;
#[cfg(test)]
mod tests;
pub mod tile;
pub mod topk;
pub mod transpose;
pub mod trilu;
mod unary;
pub mod unsqueeze;
pub mod where_;
pub mod xor;

/// Every operator that the reference knows, by domain and name.
pub static OPERATORS: &[&Operator] = &[
    &mod_::MOD,
    &abs::ABS,
    &acos::ACOS,
    &acosh::ACOSH,
    &add::ADD,
    &and::AND,
    &argmax::ARGMAX,
    &argmin::ARGMIN,
    &asin::ASIN,
    &asinh::ASINH,
    &atan::ATAN,
    &atanh::ATANH,
    &averagepool::AVERAGEPOOL,
    &batchnormalization::BATCHNORMALIZATION,
    &cast::CAST,
    &castlike::CASTLIKE,
    &ceil::CEIL,
    &clip::CLIP,
    &concat::CONCAT,
    &constant::CONSTANT,
    &constantofshape::CONSTANTOFSHAPE,
    &conv::CONV,
    &convinteger::CONVINTEGER,
    &convtranspose::CONVTRANSPOSE,
    &cos::COS,
    &cosh::COSH,
    &cumsum::CUMSUM,
    &depthtospace::DEPTHTOSPACE,
    &dequantizelinear::DEQUANTIZELINEAR,
    &div::DIV,
    &divide::DIVIDE,
    &dynamicquantizelinear::DYNAMICQUANTIZELINEAR,
    &elu::ELU,
    &equal::EQUAL,
    &erf::ERF,
    &exp::EXP,
    &expand::EXPAND,
    &flatten::FLATTEN,
    &floor::FLOOR,
    &gather::GATHER,
    &gatherelements::GATHERELEMENTS,
    &gathernd::GATHERND,
    &gelu::GELU,
    &gemm::GEMM,
    &globalaveragepool::GLOBALAVERAGEPOOL,
    &globalmaxpool::GLOBALMAXPOOL,
    &greater::GREATER,
    &greaterorequal::GREATEROREQUAL,
    &hardsigmoid::HARDSIGMOID,
    &hardswish::HARDSWISH,
    &identity::IDENTITY,
    &instancenormalization::INSTANCENORMALIZATION,
    &isinf::ISINF,
    &isnan::ISNAN,
    &layernormalization::LAYERNORMALIZATION,
    &leakyrelu::LEAKYRELU,
    &less::LESS,
    &lessorequal::LESSOREQUAL,
    &log::LOG,
    &logsoftmax::LOGSOFTMAX,
    &lpnormalization::LPNORMALIZATION,
    &matmul::MATMUL,
    &matmulinteger::MATMULINTEGER,
    &max::MAX,
    &maxpool::MAXPOOL,
    &min::MIN,
    &mish::MISH,
    &mul::MUL,
    &neg::NEG,
    &not::NOT,
    &or::OR,
    &pad::PAD,
    &pow::POW,
    &prelu::PRELU,
    &qlinearconv::QLINEARCONV,
    &qlinearmatmul::QLINEARMATMUL,
    &quantizelinear::QUANTIZELINEAR,
    &range::RANGE,
    &reciprocal::RECIPROCAL,
    &reducemax::REDUCEMAX,
    &reducemean::REDUCEMEAN,
    &reducemin::REDUCEMIN,
    &reduceprod::REDUCEPROD,
    &reducesum::REDUCESUM,
    &relu::RELU,
    &reshape::RESHAPE,
    &round::ROUND,
    &scatterelements::SCATTERELEMENTS,
    &scatternd::SCATTERND,
    &selu::SELU,
    &shape::SHAPE,
    &sigmoid::SIGMOID,
    &sign::SIGN,
    &sin::SIN,
    &sinh::SINH,
    &size::SIZE,
    &slice::SLICE,
    &softmax::SOFTMAX,
    &softplus::SOFTPLUS,
    &spacetodepth::SPACETODEPTH,
    &split::SPLIT,
    &sqrt::SQRT,
    &squeeze::SQUEEZE,
    &sub::SUB,
    &tan::TAN,
    &tanh::TANH,
    &tile::TILE,
    &topk::TOPK,
    &transpose::TRANSPOSE,
    &trilu::TRILU,
    &unsqueeze::UNSQUEEZE,
    &where_::WHERE,
    &xor::XOR,
];

/// What documents state that are of no operator of the registry, by a name: see
/// [`Operator::readings`](crate::operator::Operator).
pub const READINGS: &[(&str, &str)] = &[];

/// The operator of this name in a domain.
pub fn find(domain: Domain, name: &str) -> Option<&'static Operator> {
    let mut operators = OPERATORS.iter().copied();
    operators.find(|operator| operator.domain == domain && operator.name == name)
}

/// The operators of ONNX's default domain.
pub fn onnx() -> impl Iterator<Item = &'static Operator> {
    OPERATORS.iter().copied().filter(|operator| operator.domain == Domain::Onnx)
}

//! The registry: the only list of operators there is.

use crate::operator::{Domain, Operator};

pub mod abs;
pub mod acosh;
pub mod add;
mod along;
pub mod and;
mod arg_extremum;
pub mod argmax;
pub mod argmin;
pub mod asinh;
pub mod atanh;
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
pub mod constantofshape;
pub mod convinteger;
pub mod cosh;
pub mod depthtospace;
pub mod dequantizelinear;
pub mod div;
pub mod divide;
pub mod dynamicquantizelinear;
pub mod equal;
mod exact_unary;
pub mod exp;
pub mod expand;
pub mod extremum;
pub mod flatten;
pub mod floor;
mod function;
pub mod gather;
pub mod gatherelements;
pub mod gathernd;
pub mod globalmaxpool;
pub mod greater;
pub mod greaterorequal;
pub mod gru;
pub mod identity;
mod integer_products;
mod integral;
pub mod isinf;
pub mod isnan;
pub mod leakyrelu;
pub mod less;
pub mod lessorequal;
pub mod log;
pub mod logic;
pub mod lstm;
pub mod matmul;
pub mod matmulinteger;
pub mod max;
pub mod maxpool;
pub mod min;
pub mod mish;
pub mod mod_;
pub mod mul;
pub mod neg;
pub mod not;
pub mod or;
pub mod pad;
mod picked_or_open;
mod picking;
mod pooling;
pub mod prelu;
pub mod qlinearconv;
pub mod qlinearmatmul;
mod quantization;
pub mod quantizelinear;
pub mod reciprocal;
mod recurrent;
mod reduce_extremum;
pub mod reducemax;
pub mod reducemin;
pub mod relu;
pub mod reshape;
mod reshaping;
pub mod resize;
pub mod rnn;
pub mod round;
pub mod scatterelements;
mod scattering;
pub mod scatternd;
mod sections;
pub mod shape;
pub mod sigmoid;
pub mod sign;
pub mod sinh;
pub mod size;
mod sizes;
pub mod slice;
pub mod softplus;
pub mod spacetodepth;
pub mod split;
pub mod sqrt;
pub mod squeeze;
pub mod sub;
pub mod sum;
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
    &abs::ABS,
    &acosh::ACOSH,
    &add::ADD,
    &and::AND,
    &argmax::ARGMAX,
    &argmin::ARGMIN,
    &asinh::ASINH,
    &atanh::ATANH,
    &cast::CAST,
    &castlike::CASTLIKE,
    &ceil::CEIL,
    &clip::CLIP,
    &concat::CONCAT,
    &constantofshape::CONSTANTOFSHAPE,
    &convinteger::CONVINTEGER,
    &cosh::COSH,
    &depthtospace::DEPTHTOSPACE,
    &dequantizelinear::DEQUANTIZELINEAR,
    &div::DIV,
    &dynamicquantizelinear::DYNAMICQUANTIZELINEAR,
    &equal::EQUAL,
    &exp::EXP,
    &expand::EXPAND,
    &flatten::FLATTEN,
    &floor::FLOOR,
    &gather::GATHER,
    &gatherelements::GATHERELEMENTS,
    &gathernd::GATHERND,
    &globalmaxpool::GLOBALMAXPOOL,
    &greater::GREATER,
    &greaterorequal::GREATEROREQUAL,
    &gru::GRU,
    &identity::IDENTITY,
    &isinf::ISINF,
    &isnan::ISNAN,
    &leakyrelu::LEAKYRELU,
    &less::LESS,
    &lessorequal::LESSOREQUAL,
    &log::LOG,
    &lstm::LSTM,
    &matmul::MATMUL,
    &matmulinteger::MATMULINTEGER,
    &max::MAX,
    &maxpool::MAXPOOL,
    &min::MIN,
    &mish::MISH,
    &mod_::MOD,
    &mul::MUL,
    &neg::NEG,
    &not::NOT,
    &or::OR,
    &pad::PAD,
    &prelu::PRELU,
    &qlinearconv::QLINEARCONV,
    &qlinearmatmul::QLINEARMATMUL,
    &quantizelinear::QUANTIZELINEAR,
    &reciprocal::RECIPROCAL,
    &reducemax::REDUCEMAX,
    &reducemin::REDUCEMIN,
    &relu::RELU,
    &reshape::RESHAPE,
    &resize::RESIZE,
    &rnn::RNN,
    &round::ROUND,
    &scatterelements::SCATTERELEMENTS,
    &scatternd::SCATTERND,
    &shape::SHAPE,
    &sigmoid::SIGMOID,
    &sign::SIGN,
    &sinh::SINH,
    &size::SIZE,
    &slice::SLICE,
    &softplus::SOFTPLUS,
    &spacetodepth::SPACETODEPTH,
    &split::SPLIT,
    &sqrt::SQRT,
    &squeeze::SQUEEZE,
    &sub::SUB,
    &tanh::TANH,
    &tile::TILE,
    &topk::TOPK,
    &transpose::TRANSPOSE,
    &trilu::TRILU,
    &unsqueeze::UNSQUEEZE,
    &where_::WHERE,
    &xor::XOR,
    &divide::DIVIDE,
];

/// The operator of this name in a domain.
pub fn find(domain: Domain, name: &str) -> Option<&'static Operator> {
    let mut operators = OPERATORS.iter().copied();
    operators.find(|operator| operator.domain == domain && operator.name == name)
}

/// The operators of ONNX's default domain.
pub fn onnx() -> impl Iterator<Item = &'static Operator> {
    OPERATORS.iter().copied().filter(|operator| operator.domain == Domain::Onnx)
}

//! The registry: the only list of operators there is.

use crate::operator::{Domain, Operator};

pub mod abs;
pub mod acos;
pub mod acosh;
pub mod add;
pub mod and;
pub mod argmax;
pub mod argmin;
pub mod asin;
pub mod asinh;
pub mod atan;
pub mod atanh;
pub mod attention;
pub mod averagepool;
pub mod batchnormalization;
pub mod bitcast;
pub mod cast;
pub mod castlike;
pub mod ceil;
pub mod centercroppad;
pub mod clip;
pub mod concat;
pub mod constant;
pub mod constantofshape;
pub mod conv;
pub mod convinteger;
pub mod convtranspose;
pub mod cos;
pub mod cosh;
pub mod cumprod;
pub mod cumsum;
pub mod depthtospace;
pub mod dequantizelinear;
pub mod div;
pub mod divide;
pub mod dynamicquantizelinear;
pub mod elu;
pub mod equal;
pub mod erf;
pub mod exp;
pub mod expand;
pub mod flatten;
pub mod floor;
pub mod gather;
pub mod gatherelements;
pub mod gathernd;
pub mod gelu;
pub mod gemm;
pub mod globalaveragepool;
pub mod globalmaxpool;
pub mod greater;
pub mod greaterorequal;
pub mod groupnormalization;
pub mod gru;
pub mod hardsigmoid;
pub mod hardswish;
pub mod identity;
pub mod instancenormalization;
pub mod isinf;
pub mod isnan;
pub mod layernormalization;
pub mod leakyrelu;
pub mod less;
pub mod lessorequal;
pub mod log;
pub mod logsoftmax;
pub mod lpnormalization;
pub mod lstm;
pub mod matmul;
pub mod matmulinteger;
pub mod max;
pub mod maxpool;
pub mod meanvariancenormalization;
pub mod min;
pub mod mish;
pub mod mod_;
pub mod mul;
pub mod neg;
pub mod not;
pub mod or;
pub mod pad;
pub mod pow;
pub mod prelu;
pub mod qlinearconv;
pub mod qlinearmatmul;
pub mod quantizelinear;
pub mod range;
pub mod reciprocal;
pub mod reducemax;
pub mod reducemean;
pub mod reducemin;
pub mod reduceprod;
pub mod reducesum;
pub mod relu;
pub mod reshape;
pub mod resize;
pub mod rmsnormalization;
pub mod rnn;
pub mod rotaryembedding;
pub mod round;
pub mod scatterelements;
pub mod scatternd;
pub mod selu;
pub mod shape;
pub mod sigmoid;
pub mod sign;
pub mod sin;
pub mod sinh;
pub mod size;
pub mod slice;
pub mod softmax;
pub mod softplus;
pub mod spacetodepth;
pub mod split;
pub mod sqrt;
pub mod squeeze;
pub mod sub;
pub mod swish;
pub mod tan;
pub mod tanh;
pub mod tensorscatter;
#[cfg(test)]
pub(crate) mod tests;
pub mod tile;
pub mod topk;
pub mod transpose;
pub mod trilu;
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
    &attention::ATTENTION,
    &averagepool::AVERAGEPOOL,
    &batchnormalization::BATCHNORMALIZATION,
    &bitcast::BITCAST,
    &cast::CAST,
    &castlike::CASTLIKE,
    &ceil::CEIL,
    &centercroppad::CENTERCROPPAD,
    &clip::CLIP,
    &concat::CONCAT,
    &constant::CONSTANT,
    &constantofshape::CONSTANTOFSHAPE,
    &conv::CONV,
    &convinteger::CONVINTEGER,
    &convtranspose::CONVTRANSPOSE,
    &cos::COS,
    &cosh::COSH,
    &cumprod::CUMPROD,
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
    &groupnormalization::GROUPNORMALIZATION,
    &gru::GRU,
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
    &lstm::LSTM,
    &matmul::MATMUL,
    &matmulinteger::MATMULINTEGER,
    &max::MAX,
    &maxpool::MAXPOOL,
    &meanvariancenormalization::MEANVARIANCENORMALIZATION,
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
    &resize::RESIZE,
    &rmsnormalization::RMSNORMALIZATION,
    &rnn::RNN,
    &rotaryembedding::ROTARYEMBEDDING,
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
    &swish::SWISH,
    &tan::TAN,
    &tanh::TANH,
    &tensorscatter::TENSORSCATTER,
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
pub const READINGS: &[(&str, &str)] = &[
    ("Softmax", include_str!("readings/softmax.toml")),
    ("the guidelines for tests", include_str!("readings/tests.toml")),
];

/// Catalogues of newer revisions of documents, by the name of what they specify: what differs from the catalogue of the
/// older one.
pub const REVISIONS: &[(&str, &str)] = &[
    ("Div", include_str!("readings/sonnx-div-newer.toml")),
    ("Sqrt", include_str!("readings/sonnx-sqrt-newer.toml")),
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

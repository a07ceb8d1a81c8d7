//! The registry: the only list of operators there is.

use crate::operator::{Domain, Operator};

pub mod abs;
pub mod acos;
pub mod acosh;
pub mod add;
pub mod affinegrid;
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
pub mod bitshift;
pub mod bitwiseand;
pub mod bitwisenot;
pub mod bitwiseor;
pub mod bitwisexor;
pub mod blackmanwindow;
pub mod cast;
pub mod castlike;
pub mod causalconvwithstate;
pub mod ceil;
pub mod celu;
pub mod centercroppad;
pub mod clip;
pub mod col2im;
pub mod compress;
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
pub mod deformconv;
pub mod depthtospace;
pub mod dequantizelinear;
pub mod det;
pub mod dft;
pub mod div;
pub mod divide;
pub mod dropout;
pub mod dynamicquantizelinear;
pub mod einsum;
pub mod elu;
pub mod equal;
pub mod erf;
pub mod exp;
pub mod expand;
pub mod eyelike;
pub mod flatten;
pub mod floor;
pub mod gather;
pub mod gatherelements;
pub mod gathernd;
pub mod gelu;
pub mod gemm;
pub mod globalaveragepool;
pub mod globallppool;
pub mod globalmaxpool;
pub mod greater;
pub mod greaterorequal;
pub mod gridsample;
pub mod groupnormalization;
pub mod gru;
pub mod hammingwindow;
pub mod hannwindow;
pub mod hardmax;
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
pub mod linearattention;
pub mod log;
pub mod logsoftmax;
pub mod lpnormalization;
pub mod lppool;
pub mod lrn;
pub mod lstm;
pub mod matmul;
pub mod matmulinteger;
pub mod max;
pub mod maxpool;
pub mod maxroipool;
pub mod maxunpool;
pub mod mean;
pub mod meanvariancenormalization;
pub mod min;
pub mod mish;
pub mod mod_;
pub mod mul;
pub mod neg;
pub mod negativeloglikelihoodloss;
pub mod nonmaxsuppression;
pub mod nonzero;
pub mod not;
pub mod onehot;
pub mod or;
pub mod pad;
pub mod pow;
pub mod prelu;
pub mod qlinearconv;
pub mod qlinearmatmul;
pub mod quantizelinear;
pub mod range;
pub mod reciprocal;
pub mod reducel1;
pub mod reducel2;
pub mod reducelogsum;
pub mod reducelogsumexp;
pub mod reducemax;
pub mod reducemean;
pub mod reducemin;
pub mod reduceprod;
pub mod reducesum;
pub mod reducesumsquare;
pub mod regexfullmatch;
pub mod relu;
pub mod reshape;
pub mod resize;
pub mod reversesequence;
pub mod rmsnormalization;
pub mod rnn;
pub mod roialign;
pub mod rotaryembedding;
pub mod round;
pub mod scatter;
pub mod scatterelements;
pub mod scatternd;
pub mod selu;
pub mod shape;
pub mod shrink;
pub mod sigmoid;
pub mod sign;
pub mod sin;
pub mod sinh;
pub mod size;
pub mod slice;
pub mod softmax;
pub mod softmaxcrossentropyloss;
pub mod softplus;
pub mod softsign;
pub mod spacetodepth;
pub mod split;
pub mod sqrt;
pub mod squeeze;
pub mod stringconcat;
pub mod stringsplit;
pub mod sub;
pub mod sum;
pub mod swiglu;
pub mod swish;
pub mod tan;
pub mod tanh;
pub mod tensorscatter;
#[cfg(test)]
pub(crate) mod tests;
pub mod thresholdedrelu;
pub mod tile;
pub mod topk;
pub mod transpose;
pub mod trilu;
pub mod unique;
pub mod unsqueeze;
pub mod upsample;
pub mod where_;
pub mod xor;

/// Every operator that the reference knows, by domain and name.
pub static OPERATORS: &[&Operator] = &[
    &mod_::MOD,
    &abs::ABS,
    &acos::ACOS,
    &acosh::ACOSH,
    &add::ADD,
    &affinegrid::AFFINEGRID,
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
    &bitshift::BITSHIFT,
    &bitwiseand::BITWISEAND,
    &bitwisenot::BITWISENOT,
    &bitwiseor::BITWISEOR,
    &bitwisexor::BITWISEXOR,
    &blackmanwindow::BLACKMANWINDOW,
    &cast::CAST,
    &castlike::CASTLIKE,
    &causalconvwithstate::CAUSALCONVWITHSTATE,
    &ceil::CEIL,
    &celu::CELU,
    &centercroppad::CENTERCROPPAD,
    &clip::CLIP,
    &col2im::COL2IM,
    &compress::COMPRESS,
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
    &deformconv::DEFORMCONV,
    &depthtospace::DEPTHTOSPACE,
    &dequantizelinear::DEQUANTIZELINEAR,
    &det::DET,
    &dft::DFT,
    &div::DIV,
    &divide::DIVIDE,
    &dropout::DROPOUT,
    &dynamicquantizelinear::DYNAMICQUANTIZELINEAR,
    &einsum::EINSUM,
    &elu::ELU,
    &equal::EQUAL,
    &erf::ERF,
    &exp::EXP,
    &expand::EXPAND,
    &eyelike::EYELIKE,
    &flatten::FLATTEN,
    &floor::FLOOR,
    &gather::GATHER,
    &gatherelements::GATHERELEMENTS,
    &gathernd::GATHERND,
    &gelu::GELU,
    &gemm::GEMM,
    &globalaveragepool::GLOBALAVERAGEPOOL,
    &globallppool::GLOBALLPPOOL,
    &globalmaxpool::GLOBALMAXPOOL,
    &greater::GREATER,
    &greaterorequal::GREATEROREQUAL,
    &gridsample::GRIDSAMPLE,
    &groupnormalization::GROUPNORMALIZATION,
    &gru::GRU,
    &hammingwindow::HAMMINGWINDOW,
    &hannwindow::HANNWINDOW,
    &hardmax::HARDMAX,
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
    &linearattention::LINEARATTENTION,
    &log::LOG,
    &logsoftmax::LOGSOFTMAX,
    &lpnormalization::LPNORMALIZATION,
    &lppool::LPPOOL,
    &lrn::LRN,
    &lstm::LSTM,
    &matmul::MATMUL,
    &matmulinteger::MATMULINTEGER,
    &max::MAX,
    &maxpool::MAXPOOL,
    &maxroipool::MAXROIPOOL,
    &maxunpool::MAXUNPOOL,
    &mean::MEAN,
    &meanvariancenormalization::MEANVARIANCENORMALIZATION,
    &min::MIN,
    &mish::MISH,
    &mul::MUL,
    &neg::NEG,
    &negativeloglikelihoodloss::NEGATIVELOGLIKELIHOODLOSS,
    &nonmaxsuppression::NONMAXSUPPRESSION,
    &nonzero::NONZERO,
    &not::NOT,
    &onehot::ONEHOT,
    &or::OR,
    &pad::PAD,
    &pow::POW,
    &prelu::PRELU,
    &qlinearconv::QLINEARCONV,
    &qlinearmatmul::QLINEARMATMUL,
    &quantizelinear::QUANTIZELINEAR,
    &range::RANGE,
    &reciprocal::RECIPROCAL,
    &reducel1::REDUCEL1,
    &reducel2::REDUCEL2,
    &reducelogsum::REDUCELOGSUM,
    &reducelogsumexp::REDUCELOGSUMEXP,
    &reducemax::REDUCEMAX,
    &reducemean::REDUCEMEAN,
    &reducemin::REDUCEMIN,
    &reduceprod::REDUCEPROD,
    &reducesum::REDUCESUM,
    &reducesumsquare::REDUCESUMSQUARE,
    &regexfullmatch::REGEXFULLMATCH,
    &relu::RELU,
    &reshape::RESHAPE,
    &resize::RESIZE,
    &reversesequence::REVERSESEQUENCE,
    &rmsnormalization::RMSNORMALIZATION,
    &rnn::RNN,
    &roialign::ROIALIGN,
    &rotaryembedding::ROTARYEMBEDDING,
    &round::ROUND,
    &scatter::SCATTER,
    &scatterelements::SCATTERELEMENTS,
    &scatternd::SCATTERND,
    &selu::SELU,
    &shape::SHAPE,
    &shrink::SHRINK,
    &sigmoid::SIGMOID,
    &sign::SIGN,
    &sin::SIN,
    &sinh::SINH,
    &size::SIZE,
    &slice::SLICE,
    &softmax::SOFTMAX,
    &softmaxcrossentropyloss::SOFTMAXCROSSENTROPYLOSS,
    &softplus::SOFTPLUS,
    &softsign::SOFTSIGN,
    &spacetodepth::SPACETODEPTH,
    &split::SPLIT,
    &sqrt::SQRT,
    &squeeze::SQUEEZE,
    &stringconcat::STRINGCONCAT,
    &stringsplit::STRINGSPLIT,
    &sub::SUB,
    &sum::SUM,
    &swiglu::SWIGLU,
    &swish::SWISH,
    &tan::TAN,
    &tanh::TANH,
    &tensorscatter::TENSORSCATTER,
    &thresholdedrelu::THRESHOLDEDRELU,
    &tile::TILE,
    &topk::TOPK,
    &transpose::TRANSPOSE,
    &trilu::TRILU,
    &unique::UNIQUE,
    &unsqueeze::UNSQUEEZE,
    &upsample::UPSAMPLE,
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

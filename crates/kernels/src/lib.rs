//! The operators of the built-in runtime, on dense tensors: those of the one list in this file, each in
//! every version that ONNX or OpenVINO has of it.
//!
//! [`find`] gives the version that an operator set of ONNX has, [`find_in_openvino`] that of
//! OpenVINO's; [`Operator::run`] computes it. Each operator is one file, with what it states of its
//! versions and what computes it, and one line of the list in this one. Floats follow IEEE 754 with
//! round to nearest, ties to even, for every operand. Nothing here shares arithmetic with an oracle
//! that judges it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

mod abs;
mod acos;
mod acosh;
mod add;
mod affinegrid;
mod and;
mod arg_extremum;
mod argmax;
mod argmin;
mod asin;
mod asinh;
mod atan;
mod atanh;
mod attention;
mod attribute;
mod averagepool;
mod batchnormalization;
mod bitcast;
mod bits;
mod bitshift;
mod bitwiseand;
mod bitwisenot;
mod bitwiseor;
mod bitwisexor;
mod blackmanwindow;
mod blocks;
mod broadcast;
mod cast;
mod castlike;
mod causalconvwithstate;
mod ceil;
mod celu;
mod centercroppad;
mod clip;
mod col2im;
mod comparison;
mod compress;
mod concat;
mod constant;
mod constantofshape;
mod conv;
mod conversion;
mod convinteger;
mod convtranspose;
mod copies;
mod cos;
mod cosh;
mod cumprod;
mod cumsum;
mod cumulative;
mod deformconv;
mod depthtospace;
mod dequantizelinear;
mod det;
mod dft;
mod div;
mod divide;
mod double;
mod dropout;
mod dynamicquantizelinear;
mod einsum;
mod elementwise;
mod elu;
mod equal;
mod erf;
mod error_function;
mod exp;
mod expand;
mod exponentials;
mod eyelike;
mod flatten;
mod floor;
mod function;
mod gather;
mod gatherelements;
mod gathernd;
mod gelu;
mod gemm;
mod globalaveragepool;
mod globallppool;
mod globalmaxpool;
mod greater;
mod greaterorequal;
mod gridsample;
mod groupnormalization;
mod gru;
mod hammingwindow;
mod hannwindow;
mod hardmax;
mod hardsigmoid;
mod hardswish;
mod identity;
mod instancenormalization;
mod integer_products;
mod isinf;
mod isnan;
mod layernormalization;
mod leakyrelu;
mod less;
mod lessorequal;
mod linearattention;
mod lines;
mod log;
mod logic;
mod logsoftmax;
mod losses;
mod lpnormalization;
mod lppool;
mod lrn;
mod lstm;
mod matmul;
mod matmulinteger;
mod max;
mod maxpool;
mod maxroipool;
mod maxunpool;
mod mean;
mod meanvariancenormalization;
mod min;
mod mish;
mod modulo;
mod moving;
mod mul;
mod narrow;
mod neg;
mod negativeloglikelihoodloss;
mod nonmaxsuppression;
mod nonzero;
mod not;
mod onehot;
mod operand;
mod operator;
mod or;
mod packing;
mod pad;
mod pooling;
mod pow;
mod prelu;
mod qlinearconv;
mod qlinearmatmul;
mod quantization;
mod quantizelinear;
mod range;
mod reciprocal;
mod recurrent;
mod reduce_extremum;
mod reduce_function;
mod reduce_sum;
mod reducel1;
mod reducel2;
mod reducelogsum;
mod reducelogsumexp;
mod reducemax;
mod reducemean;
mod reducemin;
mod reduceprod;
mod reducesum;
mod reducesumsquare;
mod regexfullmatch;
mod relu;
mod reshape;
mod reshaping;
mod resize;
mod reversesequence;
mod rmsnormalization;
mod rnn;
mod roialign;
mod rotaryembedding;
mod round;
mod scatter;
mod scatterelements;
mod scattering;
mod scatternd;
mod selu;
mod series;
mod shape;
mod shrink;
mod sigmoid;
mod sign;
mod signature;
mod simd;
mod sin;
mod sinh;
mod size;
mod slice;
mod softmax;
mod softmaxcrossentropyloss;
mod softplus;
mod softsign;
mod spacetodepth;
mod split;
mod sqrt;
mod squeeze;
mod strides;
mod stringconcat;
mod stringsplit;
mod sub;
mod sum;
mod sum_of_tensors;
mod swiglu;
mod swish;
mod tan;
mod tanh;
mod tensorscatter;
mod tile;
mod topk;
mod transpose;
mod trilu;
mod types;
mod unique;
mod unsqueeze;
mod upsample;
mod r#where;
mod windows;
mod xor;

pub use self::attribute::{Attribute, Attributes, attributes};

pub use self::add::{Add, add};
pub use self::broadcast::Broadcast;
pub use self::div::{Divide, divide};
pub use self::exp::{Exponential, exponential};
pub use self::mul::{Multiply, multiply};
use self::operator::{Call, Kernel};
pub use self::operator::{ErrorKind, KernelError, Operator};
pub use self::reciprocal::{Reciprocal, reciprocal};
pub use self::signature::{Document, Domain, Problem, Restriction, Shapes, Slices};
pub use self::sqrt::{SquareRoot, square_root};
pub use self::sub::{Subtract, subtract};

/// Every operator. One whose first versions have other inputs than the later ones is there twice, the older
/// kernel first.
static KERNELS: &[&Kernel] = &[
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
    &resize::RESIZE_10,
    &resize::RESIZE_11,
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
    &sigmoid::SIGMOID,
    &sign::SIGN,
    &sin::SIN,
    &sinh::SINH,
    &size::SIZE,
    &slice::SLICE,
    &softmax::SOFTMAX,
    &softmaxcrossentropyloss::SOFTMAXCROSSENTROPYLOSS,
    &softplus::SOFTPLUS,
    &spacetodepth::SPACETODEPTH,
    &split::SPLIT_1,
    &split::SPLIT,
    &sqrt::SQRT,
    &stringconcat::STRINGCONCAT,
    &stringsplit::STRINGSPLIT,
    &squeeze::SQUEEZE,
    &sub::SUB,
    &sum::SUM,
    &swiglu::SWIGLU,
    &swish::SWISH,
    &tan::TAN,
    &tanh::TANH,
    &tile::TILE_1,
    &tensorscatter::TENSORSCATTER,
    &tile::TILE,
    &topk::TOPK,
    &transpose::TRANSPOSE,
    &trilu::TRILU,
    &modulo::MOD,
    &shrink::SHRINK,
    &softsign::SOFTSIGN,
    &thresholdedrelu::THRESHOLDEDRELU,
    &unique::UNIQUE,
    &unsqueeze::UNSQUEEZE,
    &upsample::UPSAMPLE_1,
    &upsample::UPSAMPLE_7,
    &upsample::UPSAMPLE,
    &r#where::WHERE,
    &xor::XOR,
];

/// Elements worked on at a time, in several passes: the blocks of two operands and the output stay
/// in the first-level cache, at 8 bytes an element too.
const BLOCK: usize = 1024;

/// The largest output in bytes. Protobuf limits a message to 2 GiB, so no case can expect more.
const MAX_OUTPUT: usize = 1 << 31;

/// The latest operator set of ONNX's default domain that is known here, that of onnx 1.23: what a later one changes is not.
const LATEST_OPSET: i64 = 28;

/// The operator's version in an operator set of ONNX's default domain; `None` where these kernels
/// do not have it, or the set is later than the latest that is known.
pub fn find(op_type: &str, opset: i64) -> Option<Operator> {
    if opset <= LATEST_OPSET { find_in(Domain::Onnx, op_type, opset) } else { None }
}

/// The newest version here of an operator of ONNX's default domain.
pub fn newest(op_type: &str) -> Option<Operator> {
    find_in(Domain::Onnx, op_type, i64::MAX)
}

/// The kernel on slices of an operator of ONNX's default domain, in its newest version.
pub fn slices(op_type: &str) -> Option<Slices> {
    newest(op_type)?.kernel.slices
}

/// The operator's version in an operator set of OpenVINO (1 for `opset1`); `None` where these
/// kernels do not have the operator.
pub fn find_in_openvino(op_type: &str, opset: i64) -> Option<Operator> {
    find_in(Domain::OpenVino, op_type, opset)
}

/// Every version of every operator, those of an operator from the oldest to the newest.
pub fn operators() -> impl DoubleEndedIterator<Item = Operator> {
    let versions = |kernel: &&'static Kernel| {
        let kernel = *kernel;
        kernel.versions.iter().map(move |version| Operator { kernel, version })
    };
    KERNELS.iter().flat_map(versions)
}

fn find_in(domain: Domain, name: &str, opset: i64) -> Option<Operator> {
    let is_meant = |operator: &Operator| operator.domain() == domain && operator.name() == name;
    operators().rfind(|operator| is_meant(operator) && operator.since_version() <= opset)
}

#[cfg(test)]
mod tests;
mod thresholdedrelu;

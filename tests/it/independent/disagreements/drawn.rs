//! Disagreements on calls of operators that do not compute element by element.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::tensor::Tensor;
use values::element::Element;

use super::{ANY, Disagreement, Seen};

/// Whether the strides and dilations of a pooling are all 1: the evaluator has another way for these.
fn is_plain(seen: &Seen<'_>) -> bool {
    [seen.ints("strides"), seen.ints("dilations")].into_iter().flatten().all(|step| *step == 1)
}

/// Whether a pooling is of two dimensions of floats, without any padding and indices.
fn is_simple(seen: &Seen<'_>) -> bool {
    let is_float = matches!(seen.check.dtype.kind(), Kind::Float(_));
    let is_padded = is_padded_by_itself(seen) || seen.ints("pads").iter().any(|pad| *pad != 0);
    is_float && seen.shape().len() == 4 && !is_padded && seen.check.outputs.len() == 1
}

/// Whether the evaluator pads by itself.
fn is_padded_by_itself(seen: &Seen<'_>) -> bool {
    !matches!(seen.text("auto_pad"), "" | "NOTSET")
}

/// Whether the parameter at a place is a list of several numbers.
fn has_list(seen: &Seen<'_>, at: usize) -> bool {
    seen.input(at).is_some_and(|parameter| matches!(parameter.shape(), [size] if *size > 1))
}

/// Whether there is a float of 8 bits among the inputs at these places.
fn has_floats(seen: &Seen<'_>, places: &[usize]) -> bool {
    let is_float = |dtype: DType| matches!(dtype.kind(), Kind::Float(_));
    places.iter().any(|at| seen.input(*at).is_some_and(|input| is_float(input.dtype())))
}

/// Whether a number is moved that a product with 1 may change: a NaN, or a complex number that has no finite parts
/// other than 0.
fn is_changed_by_one(seen: &Seen<'_>) -> bool {
    let [Element::Bits(dtype, bits)] = seen.operands else { return false };
    match dtype.kind() {
        Kind::Float(format) => format.to_f64(*bits as u64).is_nan(),
        Kind::Complex(format) => {
            let is_special = |part: f64| !part.is_finite() || part == 0.0;
            format.parts(*bits).into_iter().any(|part| is_special(format.to_f64(part)))
        }
        _ => false,
    }
}

/// Whether the score of a box is the least that is asked for.
fn has_least_score(seen: &Seen<'_>) -> bool {
    let inputs = &seen.check.call.inputs;
    let bits = |at: usize, place: usize| inputs[at].as_ref().and_then(|it| it.element(place));
    let count = inputs[1].as_ref().map_or(0, Tensor::elements);
    bits(4, 0).is_some_and(|least| (0..count).any(|place| bits(1, place) == Some(least)))
}

/// Those of operators whose calls are drawn.
pub(super) const ALL: &[Disagreement] = &[
    Disagreement {
        source: "evaluator",
        operators: &["NonMaxSuppression"],
        types: ANY,
        holds: has_least_score,
        reason: "it leaves out boxes whose score is the threshold, where the text has those that are less",
    },
    Disagreement {
        source: "evaluator",
        operators: &["NonMaxSuppression"],
        types: ANY,
        holds: |seen| {
            let is_not_a_list = |at: usize| {
                let input = seen.check.call.inputs[at].as_ref();
                input.map_or(at < 4, |input| input.shape().is_empty())
            };
            seen.is_refused() && (2..5).any(is_not_a_list)
        },
        reason: "it takes the maximum and the thresholds as lists of one, and does without the last alone",
    },
    Disagreement {
        source: "evaluator",
        operators: &["MaxRoiPool", "Scatter"],
        types: ANY,
        holds: |seen| seen.is_refused(),
        reason: "it has no such operator",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Upsample"],
        types: ANY,
        holds: |seen| seen.is_refused(),
        reason: "it takes integers alone as scales",
    },
    Disagreement {
        source: "evaluator",
        operators: &["NonZero"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.shape().is_empty(),
        reason: "it has NumPy's function, which refuses scalars",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ReverseSequence"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.integers(1).contains(&0),
        reason: "it goes backward from the last element where a length is 0",
    },
    Disagreement {
        source: "evaluator",
        operators: &["OneHot"],
        types: ANY,
        holds: |seen| {
            let depth = seen.integers(1).first().copied().unwrap_or_default();
            !seen.is_refused() && seen.integers(0).iter().any(|at| !(-depth..depth).contains(at))
        },
        reason: "it takes indices beyond the depth modulo the depth, where the text has the other value alone",
    },
    Disagreement {
        source: "evaluator",
        operators: &["OneHot"],
        types: ANY,
        holds: |seen| seen.is_refused(),
        reason: "it subtracts the values, which it refuses of truth values and strings",
    },
    Disagreement {
        source: "evaluator",
        operators: &["OneHot"],
        types: ANY,
        holds: |seen| {
            let is_float = |dtype: DType| matches!(dtype.kind(), Kind::Float(_) | Kind::Complex(_));
            !seen.is_refused() && is_float(seen.check.dtype)
        },
        reason: "it multiplies by the difference of the values and adds one, which rounds",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Unique"],
        types: ANY,
        holds: |seen| seen.int("sorted") == Some(0),
        reason: "where elements stay in order it takes them along the first dimension, and sorts those that come alone",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ConvInteger", "QLinearConv"],
        types: ANY,
        holds: |seen| {
            seen.is_refused() && seen.shape()[0] == 0 && seen.int("group").is_some_and(|it| it > 1)
        },
        reason: "it has no result of groups without a batch",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ConvInteger", "QLinearConv"],
        types: ANY,
        holds: is_padded_by_itself,
        reason: "it takes the sizes of batch and channels for those of the first dimensions, and `VALID` for `SAME_UPPER`",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ConvInteger"],
        types: ANY,
        holds: |seen| {
            seen.shape().len() != 4 && seen.input(3).is_some_and(|zero| !zero.shape().is_empty())
        },
        reason: "it takes a list of zero points for that of weights with two spatial dimensions",
    },
    Disagreement {
        source: "evaluator",
        operators: &["QLinearConv"],
        types: ANY,
        holds: |seen| seen.shape().len() != 4 && has_list(seen, 4),
        reason: "it takes a list of scales for that of weights with two spatial dimensions",
    },
    Disagreement {
        source: "evaluator",
        operators: &["MatMulInteger"],
        types: ANY,
        holds: |seen| has_list(seen, 2),
        reason: "it takes a list of zero points for the rows for one for the columns",
    },
    Disagreement {
        source: "evaluator",
        operators: &["QLinearMatMul"],
        types: ANY,
        holds: |seen| has_list(seen, 2),
        reason: "it takes a list of zero points and scales for the rows for one for the columns",
    },
    Disagreement {
        source: "evaluator",
        operators: &["QLinearMatMul"],
        types: ANY,
        holds: |seen| seen.is_refused() && has_floats(seen, &[7]),
        reason: "it knows no result of floats",
    },
    Disagreement {
        source: "evaluator",
        operators: &["QLinearMatMul"],
        types: ANY,
        holds: |seen| has_floats(seen, &[0, 3]),
        reason: "it makes integers of floats before it multiplies them",
    },
    Disagreement {
        source: "evaluator",
        operators: &["QLinearMatMul"],
        types: ANY,
        holds: |seen| seen.integers(7).into_iter().any(|zero| zero % 2 != 0),
        reason: "it adds the zero point before it rounds, which makes another integer of one and a half even",
    },
    Disagreement {
        source: "evaluator",
        operators: &["MaxPool"],
        types: ANY,
        holds: |seen| is_plain(seen) && (!is_simple(seen) || seen.is_refused()),
        reason: "without strides and dilations it takes a way that knows no order of storage and no indices but of \
                 squares, two dimensions of floats alone, and other pads than these",
    },
    Disagreement {
        source: "evaluator",
        operators: &["MaxPool"],
        types: ANY,
        holds: |seen| !is_plain(seen) && seen.text("auto_pad").starts_with("SAME"),
        reason: "it has fewer windows with `SAME_LOWER`, whose padding it takes for that of `SAME_UPPER`, and less padding \
                 than none where strides are longer than windows",
    },
    Disagreement {
        source: "evaluator",
        operators: &["MaxPool"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.shape().len() != 4,
        reason: "it has `None` for a window without elements of one or three dimensions",
    },
    Disagreement {
        source: "evaluator",
        operators: &["GlobalMaxPool"],
        types: ANY,
        holds: |seen| seen.shape().len() != 4,
        reason: "it takes others for the spatial dimensions where they are not two",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ReduceMax"],
        types: &[DType::Bool],
        holds: |seen| seen.operands.is_empty() && !seen.is_refused(),
        reason: "it makes a truth value of the infinity that is the largest of no floats",
    },
    Disagreement {
        source: "evaluator",
        operators: &["TopK"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.int("sorted") == Some(0),
        reason: "it does not know elements without an order",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Expand"],
        types: ANY,
        holds: is_changed_by_one,
        reason: "it multiplies by ones, which makes a signalling NaN a quiet one, and others of complex numbers",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Flatten", "GatherND"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.check.elements() == 0,
        reason: "it leaves a size open, which nothing says where there are no elements",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Gather", "GatherElements"],
        types: ANY,
        holds: |seen| seen.input(1).is_some_and(|indices| indices.elements() == 0),
        reason: "it gives a list without elements for no indices, whatever the shape is",
    },
    Disagreement {
        source: "evaluator",
        operators: &["GatherElements"],
        types: ANY,
        holds: |seen| {
            let indices = seen.input(1).map_or(&[][..], |indices| indices.shape());
            let is_shorter = indices.iter().zip(seen.shape()).any(|(one, other)| one < other);
            let is_negative = seen.int("axis").is_some_and(|axis| axis < 0);
            seen.is_refused() && (is_shorter || is_negative && indices != seen.shape())
        },
        reason: "it knows no indices that are shorter than the data in other dimensions, and no negative axis for \
                 longer ones",
    },
    Disagreement {
        source: "evaluator",
        operators: &["GatherElements"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.shape().iter().any(|size| *size > 63),
        reason: "it chooses of 63 elements at most",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Pad"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.integers(1).into_iter().any(|count| count < 0),
        reason: "it removes no elements",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Pad"],
        types: &[DType::String],
        holds: |seen| !seen.is_refused() && seen.input(2).is_none(),
        reason: "it fills with a zero, written as a string, where an empty one is the default",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ScatterElements"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.shape().len() > 4,
        reason: "it knows four dimensions at most",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ScatterND"],
        types: ANY,
        holds: |seen| matches!(seen.text("reduction"), "max" | "min"),
        reason: "it compares with the elements that each index alone is of",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Shape"],
        types: ANY,
        holds: |seen| seen.int("end").is_some_and(|end| end < -(seen.shape().len() as i64)),
        reason: "it counts an end before the first dimension from the last one again",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Slice"],
        types: ANY,
        holds: begins_before_the_first,
        reason: "it has NumPy's slices, which have nothing where a step backward begins before the first element",
    },
    Disagreement {
        source: "numpy",
        operators: &["Slice"],
        types: ANY,
        holds: begins_before_the_first,
        reason: "its slices have nothing where a step backward begins before the first element, which the text takes",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Col2Im"],
        types: &[DType::String],
        holds: |seen| seen.is_refused(),
        reason: "it adds strings to zeros",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Trilu"],
        types: ANY,
        holds: |seen| seen.is_refused() && seen.integers(1) == [i64::MIN],
        reason: "it takes 1 off the diagonal, which no integer holds",
    },
];

/// Whether a slice with a step backward begins before the first element of a dimension.
fn begins_before_the_first(seen: &Seen<'_>) -> bool {
    let [starts, axes, steps] = [1, 3, 4].map(|at| seen.integers(at));
    let shape = seen.shape();
    starts.iter().zip(steps).enumerate().any(|(at, (start, step))| {
        let axis = axes.get(at).map_or(at as i64, |axis| *axis);
        let size = shape[axis.rem_euclid(shape.len() as i64) as usize] as i64;
        step < 0 && start.saturating_add(size) < 0
    })
}

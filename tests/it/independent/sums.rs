//! Sums and products of many elements against the integers of `sums.py`: the nearest number and the ends of the bound that
//! `docs/numerics.md` states have to conform, what is next to them must not, and infinities, NaN and zeros conform as stated there.
//!
//! What NumPy gives in float64, the evaluator in the type, and a drawn order of the operations in the type, have to conform too.

use std::path::Path;

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::{Class, FloatFormat};
use onnx_conformance::oracle::{Conforming, Deviation, Ulps};
use onnx_conformance::reference::operator::{AttributeValue, Attributes, Operator};
use onnx_conformance::tensor::Tensor;

use super::Figures;
use super::ask::Answers;
use super::check::Check;
use super::checks::SUMMED;
use super::disagreements::{Disagreement, Seen};
use super::parts::{MANY, Suite};
use super::terms::{Draw, Elements, MIXED, float, ints, text};
use crate::support::extent::size;

/// Where the evaluator gives what is not allowed, or nothing.
const KNOWN: &[Disagreement] = &[
    Disagreement {
        source: "evaluator",
        operators: &["AveragePool"],
        types: FLOATS,
        holds: |seen| has(seen, "auto_pad"),
        reason: "it refuses `ceil_mode` beside `auto_pad`, and pads or counts without dilations and for strides beyond the window",
    },
    Disagreement {
        source: "evaluator",
        operators: &["AveragePool"],
        types: FLOATS,
        holds: |seen| is_set(seen, "ceil_mode") && !has(seen, "auto_pad"),
        reason: "it moves windows by half of what it adds behind the padding for `ceil_mode`",
    },
    Disagreement {
        source: "evaluator",
        operators: &["AveragePool"],
        types: FLOATS,
        holds: |seen| !has(seen, "auto_pad") && is_among(seen, 0, |class| class == Class::Nan),
        reason: "it takes NaN for padding, which it leaves out",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Conv"],
        types: FLOATS,
        holds: |seen| has(seen, "auto_pad"),
        reason: "it takes the batch and the channels for the sizes that it pads, with `VALID` too",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Conv"],
        types: FLOATS,
        holds: |seen| {
            has(seen, "dilations")
                && is_among(seen, 0, |class| matches!(class, Class::Nan | Class::Infinite))
        },
        reason: "it fills dilated weights with zeros, which make NaN of infinities",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ConvTranspose"],
        types: FLOATS,
        holds: |seen| has(seen, "group"),
        reason: "it gives each group one channel, and adds up the weights' groups by the channels of the output",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ConvTranspose"],
        types: FLOATS,
        holds: |seen| has(seen, "output_shape") && !has(seen, "group"),
        reason: "it cuts nothing off for `output_shape`",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ConvTranspose"],
        types: FLOATS,
        holds: |seen| has(seen, "output_padding") && seen.answer.is_err(),
        reason: "it folds products that `output_padding` does not fit, which it refuses",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Gemm"],
        types: &[DType::Int32, DType::Int64, DType::Uint32, DType::Uint64],
        holds: |_| true,
        reason: "it multiplies by `alpha` in float64, whose results it converts",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Einsum"],
        types: &[DType::Bfloat16],
        holds: |seen| seen.answer.is_err(),
        reason: "its products of bfloat16 are of float32, which it refuses, and it adds no bfloat16",
    },
    Disagreement {
        source: "evaluator",
        operators: &["MatMul"],
        types: &[DType::Bfloat16],
        holds: |seen| seen.answer.is_err(),
        reason: "its products of bfloat16 are of float32, which it refuses",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ReduceMean"],
        types: &[DType::Int64, DType::Uint64],
        holds: |_| true,
        reason: "it divides in float64",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Mean"],
        types: FLOATS,
        holds: |seen| seen.answer.is_err(),
        reason: "it adds up in the shape of the first input",
    },
    Disagreement {
        source: "evaluator",
        operators: &["ReduceSumSquare"],
        types: &[DType::Int32, DType::Uint32],
        holds: |seen| seen.answer.is_err(),
        reason: "its sums of squares of 32 bits have 64",
    },
];

const FLOATS: &[DType] = &[DType::Bfloat16, DType::Float16, DType::Float32, DType::Float64];

fn has(seen: &Seen<'_>, attribute: &str) -> bool {
    seen.check.call.attributes.contains_key(attribute)
}

fn is_set(seen: &Seen<'_>, attribute: &str) -> bool {
    seen.check.call.attributes.get(attribute) == Some(&AttributeValue::Int(1))
}

/// Whether an element of an input is of such a class.
fn is_among(seen: &Seen<'_>, input: usize, is_wanted: impl Fn(Class) -> bool) -> bool {
    let Some(tensor) = &seen.check.call.inputs[input] else { return false };
    let Kind::Float(format) = tensor.dtype().kind() else { return false };
    (0..tensor.elements()).any(|at| is_wanted(format.class(tensor.element(at).unwrap() as u64)))
}

/// What `sums.py` says of an element.
#[derive(Clone, Copy, Debug)]
struct Record {
    flags: i64,
    /// Ordinals of the least and the greatest number that conform, and of the nearest to the exact result; of integers
    /// these themselves.
    ends: [i64; 2],
    nearest: i64,
    /// How far the nearest is, in steps of 2^-20 units; negative where there is no exact result.
    steps: i64,
}

impl Record {
    const NUMBERS: i64 = 1;
    const NEGATIVE_ZERO: i64 = 2;
    const PLUS_INFINITY: i64 = 4;
    const MINUS_INFINITY: i64 = 8;
    const NAN: i64 = 16;
    const OPEN: i64 = 32;
    const WHOLE: i64 = 64;
    const BYTES: usize = 40;

    fn read(bytes: &[u8]) -> Self {
        let words: Vec<i64> = bytes
            .chunks_exact(8)
            .map(|word| i64::from_le_bytes(word.try_into().unwrap()))
            .collect();
        let [flags, least, greatest, nearest, steps] = words[..] else { panic!("{words:?}") };
        Self { flags, ends: [least, greatest], nearest, steps }
    }

    const fn has(&self, flag: i64) -> bool {
        self.flags & flag != 0
    }

    /// What does not hold of what conforms for an element of a float type; nothing if all does.
    fn wrong_float(&self, conforming: &Conforming, format: &FloatFormat) -> Option<String> {
        let bits = |ordinal: i64| {
            let magnitude = ordinal.unsigned_abs();
            if ordinal < 0 { format.negated(magnitude) } else { magnitude }
        };
        let infinity = ((1_u64 << format.exponent_bits) - 1) << format.significand_bits;
        let mut asked = vec![
            (infinity, self.has(Self::PLUS_INFINITY)),
            (format.negated(infinity), self.has(Self::MINUS_INFINITY)),
            (infinity + 1, self.has(Self::NAN)),
        ];
        let [least, greatest] = self.ends;
        let has_zero = self.has(Self::NUMBERS) && least <= 0 && greatest >= 0;
        let may_be_zero =
            has_zero && !(self.has(Self::NEGATIVE_ZERO) && greatest == 0 && least < 0);
        asked.push((format.negated(0), has_zero && self.has(Self::NEGATIVE_ZERO)));
        if may_be_zero || !has_zero {
            // Of a negative product the range ends at -0.
            let is_product_of_zero = self.steps < 0 && self.has(Self::NUMBERS);
            if !(is_product_of_zero && self.has(Self::NEGATIVE_ZERO)) {
                asked.push((0, has_zero));
            }
        }
        if self.has(Self::NUMBERS) {
            let largest = infinity as i64 - 1;
            let inside = [least, greatest, self.nearest.clamp(least, greatest)];
            asked.extend(inside.into_iter().filter(|it| *it != 0).map(|it| (bits(it), true)));
            let outside = [least - 1, greatest + 1];
            let outside = outside.into_iter().filter(|it| *it != 0 && it.abs() <= largest);
            asked.extend(outside.map(|it| (bits(it), false)));
        } else {
            asked.extend([1, infinity - 1, format.negated(1)].map(|bits| (bits, false)));
        }
        let wrong =
            asked.iter().find(|(bits, is_allowed)| conforming.accepts(*bits) != *is_allowed);
        if let Some((bits, is_allowed)) = wrong {
            let word = if *is_allowed { "refused" } else { "allowed" };
            return Some(format!("{bits:#x} is {word} by {conforming:x?}, {self:?}"));
        }
        let is_nearest = conforming.example() == Some(bits(self.nearest).into());
        let is_number = self.has(Self::NUMBERS) && self.nearest != 0 && self.steps >= 0;
        (is_number && !is_nearest)
            .then(|| format!("the nearest is {:#x}, not {conforming:x?}", bits(self.nearest)))
    }

    /// The same of an integer type.
    fn wrong_integer(&self, conforming: &Conforming, width: u32) -> Option<String> {
        let bits = |value: i64| value.cast_unsigned() & (u64::MAX >> (64 - width));
        let [least, greatest] = self.ends;
        let asked = [
            (bits(least), true),
            (bits(greatest), true),
            (bits(least.wrapping_sub(1)), false),
            (bits(greatest.wrapping_add(1)), false),
        ];
        let wrong =
            asked.iter().find(|(bits, is_allowed)| conforming.accepts(*bits) != *is_allowed);
        wrong.map(|(bits, is_allowed)| format!("{bits:#x} {is_allowed}: {conforming:x?}, {self:?}"))
    }

    /// What does not hold of an element.
    fn wrong(
        &self,
        dtype: DType,
        conforming: &Conforming,
        deviation: impl Fn(u64) -> Deviation,
    ) -> Option<String> {
        if self.has(Self::OPEN) == conforming.is_decided() {
            return Some(format!("{conforming:x?} is decided otherwise, {self:?}"));
        }
        if self.has(Self::OPEN) {
            return None;
        }
        match dtype.kind() {
            Kind::Float(format) => {
                let wrong = self.wrong_float(conforming, format);
                if wrong.is_some() || self.steps < 0 {
                    return wrong;
                }
                let magnitude = self.nearest.unsigned_abs();
                let bits = if self.nearest < 0 { format.negated(magnitude) } else { magnitude };
                let steps = u128::from(self.steps.unsigned_abs());
                let own = Deviation::Ulps(Ulps::new(steps, self.has(Self::WHOLE)));
                let other = deviation(bits);
                (own != other).then(|| format!("{bits:#x} is {own:?} away, not {other:?}"))
            }
            Kind::Int { bits, .. } => self.wrong_integer(conforming, bits),
            _ => panic!("{dtype}"),
        }
    }
}

/// A list of axes, some of them counted from the end.
fn axes(draw: &mut Draw, rank: usize) -> Vec<i64> {
    let mut axes = Vec::new();
    for axis in 0..rank as i64 {
        if draw.one_of(2) {
            axes.push(if draw.one_of(2) { axis } else { axis - rank as i64 });
        }
    }
    if draw.one_of(2) {
        axes.reverse();
    }
    axes
}

/// Data, axes and how these are taken.
pub(super) fn reduction(
    draw: &mut Draw,
    dtype: DType,
    of: Elements,
) -> (Attributes, Vec<Option<Tensor>>) {
    let mut attributes = Attributes::new();
    let rank = draw.size(1, 4);
    let mut shape = draw.sizes(rank, 1, 4);
    let at = draw.size(0, rank - 1);
    shape[at] = match draw.size(0, 19) {
        0 => 0,
        // So many that narrow formats have no bound.
        1 => draw.size(200, 600),
        _ => draw.size(8, 40),
    };
    let axes = axes(draw, rank);
    draw.flag(&mut attributes, "keepdims");
    draw.flag(&mut attributes, "noop_with_empty_axes");
    let data = draw.tensor(dtype, &shape, of);
    let is_left_out = axes.is_empty() && draw.one_of(2);
    let axes = Tensor::from_values(DType::Int64, vec![axes.len()], axes).ok();
    (attributes, vec![Some(data), axes.filter(|_| !is_left_out)])
}

/// Tensors that are broadcast together, some of them along dimensions of the others.
fn tensors(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let rank = draw.size(0, 3);
    let shape = draw.sizes(rank, 1, 5);
    let count = draw.pick(&[1, 2, 2, 3, 3, 4, 7]);
    let tensor = |_| {
        let from = if draw.one_of(3) { draw.size(0, rank) } else { 0 };
        let part = shape[from..].iter().map(|size| if draw.one_of(4) { 1 } else { *size });
        let part: Vec<usize> = part.collect();
        Some(draw.tensor(dtype, &part, of))
    };
    (Attributes::new(), (0..count).map(tensor).collect())
}

fn running(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let mut attributes = Attributes::new();
    draw.flag(&mut attributes, "exclusive");
    draw.flag(&mut attributes, "reverse");
    let rank = draw.size(1, 3);
    let mut shape = draw.sizes(rank, 1, 5);
    let axis = draw.size(0, rank - 1);
    shape[axis] = draw.size(1, 24);
    let axis = axis as i64 - if draw.one_of(2) { rank as i64 } else { 0 };
    let axis = match draw.one_of(2) {
        true => Tensor::from_values(DType::Int64, vec![], vec![axis]),
        false => Tensor::from_values(DType::Int32, vec![], vec![axis as i32]),
    };
    (attributes, vec![Some(draw.tensor(dtype, &shape, of)), axis.ok()])
}

fn global(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let rank = draw.size(1, 3);
    let mut shape = draw.sizes(2, 1, 9);
    shape.extend(draw.sizes(rank, 1, 5));
    (Attributes::new(), vec![Some(draw.tensor(dtype, &shape, of))])
}

/// A window in each of some dimensions.
struct Window {
    kernel: Vec<usize>,
    sizes: Vec<usize>,
}

/// Draws windows, and how they are moved; `None` of the padding where it is chosen by a word.
fn window(draw: &mut Draw, attributes: &mut Attributes) -> Window {
    let rank = draw.pick(&[1, 1, 2, 2, 2, 3]);
    let kernel = draw.sizes(rank, 1, if rank == 3 { 2 } else { 3 });
    let mut dilations = draw.sizes(rank, 1, 3);
    if !draw.perhaps(attributes, "dilations", ints(&dilations)) {
        dilations = vec![1; rank];
    }
    let strides = draw.sizes(rank, 1, 3);
    draw.perhaps(attributes, "strides", ints(&strides));
    let reach: Vec<usize> =
        kernel.iter().zip(&dilations).map(|(kernel, by)| (kernel - 1) * by + 1).collect();
    let sizes = reach.iter().map(|reach| reach + draw.size(0, 4)).collect();
    match draw.pick(&["NOTSET", "pads", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"]) {
        "pads" => {
            let pads = (0..2 * rank).map(|at| draw.size(0, reach[at % rank] - 1));
            let pads = pads.collect::<Vec<_>>();
            attributes.insert("pads".to_owned(), ints(&pads));
        }
        word => {
            draw.perhaps(attributes, "auto_pad", text(word));
        }
    }
    Window { kernel, sizes }
}

fn pool(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let mut attributes = Attributes::new();
    let Window { kernel, sizes } = window(draw, &mut attributes);
    attributes.insert("kernel_shape".to_owned(), ints(&kernel));
    draw.flag(&mut attributes, "ceil_mode");
    draw.flag(&mut attributes, "count_include_pad");
    let shape = [draw.sizes(2, 1, 3), sizes].concat();
    (attributes, vec![Some(draw.tensor(dtype, &shape, of))])
}

fn product(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let mut inner = draw.size(1, 16);
    if draw.one_of(30) {
        inner = draw.pick(&[0, 300]);
    }
    let stack = {
        let rank = draw.size(0, 2);
        draw.sizes(rank, 1, 3)
    };
    let mut shape = |last: [usize; 2]| {
        if draw.one_of(6) {
            return vec![inner];
        }
        let from = draw.size(0, stack.len());
        let part = stack[from..].iter().map(|size| if draw.one_of(3) { 1 } else { *size });
        let part: Vec<usize> = part.collect();
        [&part[..], &last[..]].concat()
    };
    let (a, b) = (shape([4, inner]), shape([inner, 5]));
    let (a, b) = (draw.tensor(dtype, &a, of), draw.tensor(dtype, &b, of));
    (Attributes::new(), vec![Some(a), Some(b)])
}

/// Letters of some sizes in one term or more, and in the output or not; perhaps with an ellipsis, which stands for no
/// more than two dimensions.
fn contraction(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let letters = ['b', 'a', 'C', 'k', 'z'];
    let mut sizes = draw.sizes(letters.len(), 1, 4);
    if draw.one_of(30) {
        sizes[0] = draw.pick(&[0, 40]);
    }
    let rank = draw.size(0, 2);
    let batch = draw.sizes(rank, 1, 3);
    let has_ellipsis = draw.one_of(3);
    let count = draw.pick(&[1, 1, 2, 2, 2, 3, 3, 4]);
    let (mut terms, mut inputs, mut used) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let length = draw.size(0, 3);
        let those: Vec<usize> = draw.sizes(length, 0, letters.len() - 1);
        let mut term: String = those.iter().map(|at| letters[*at]).collect();
        let mut shape: Vec<usize> = those.iter().map(|at| sizes[*at]).collect();
        if has_ellipsis && (inputs.is_empty() || !draw.one_of(3)) {
            let at = draw.size(0, length);
            let own: Vec<usize> =
                batch.iter().map(|size| if draw.one_of(3) { 1 } else { *size }).collect();
            shape.splice(at..at, own);
            term.insert_str(at, "...");
        }
        used.extend(those);
        terms.push(term);
        inputs.push(Some(draw.tensor(dtype, &shape, of)));
    }
    let mut equation = terms.join(draw.pick(&[",", ", "]));
    if !draw.one_of(4) {
        used.sort_unstable();
        used.dedup();
        used.retain(|_| draw.one_of(2));
        if draw.one_of(2) {
            used.reverse();
        }
        let mut output: String = used.iter().map(|at| letters[*at]).collect();
        if has_ellipsis {
            output.insert_str(draw.size(0, output.len()), "...");
        }
        equation = format!("{equation}->{output}");
    }
    // That is no equation to the evaluator, and nothing to the text.
    if equation.is_empty() {
        equation = "->".to_owned();
    }
    ([("equation".to_owned(), text(&equation))].into(), inputs)
}

fn gemm(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let mut attributes = Attributes::new();
    let [m, k, n] = [draw.size(1, 6), draw.size(1, 12), draw.size(1, 7)];
    let factors = match dtype.kind() {
        Kind::Float(_) => {
            &[1.0, 0.5, 0.25, 2.0, -1.0, 0.1, -3.0, 0.0, -0.0, 1e-3, 1e30, 1e-42, f32::INFINITY][..]
        }
        _ => &[1.0, 1.0, 2.0, -3.0, 0.0, 0.5],
    };
    for name in ["alpha", "beta"] {
        let factor = float(draw.pick(factors));
        draw.perhaps(&mut attributes, name, factor);
    }
    let a = if draw.flag(&mut attributes, "transA") { [k, m] } else { [m, k] };
    let b = if draw.flag(&mut attributes, "transB") { [n, k] } else { [k, n] };
    let third = [vec![m, n], vec![1, n], vec![m, 1], vec![n], vec![1], vec![], vec![1, 1]];
    let third = third[draw.size(0, 6)].clone();
    let (a, b) = (draw.tensor(dtype, &a, of), draw.tensor(dtype, &b, of));
    let of = draw.pick(&[of, Elements::Steps]);
    let third = (!draw.one_of(4)).then(|| draw.tensor(dtype, &third, of));
    (attributes, vec![Some(a), Some(b), third])
}

fn groups(draw: &mut Draw, attributes: &mut Attributes) -> usize {
    let groups = draw.pick(&[1, 1, 2, 3]);
    let is_given = draw.perhaps(attributes, "group", AttributeValue::Int(groups as i64));
    if is_given { groups } else { 1 }
}

fn convolution(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let mut attributes = Attributes::new();
    let Window { kernel, sizes } = window(draw, &mut attributes);
    draw.perhaps(&mut attributes, "kernel_shape", ints(&kernel));
    let groups = groups(draw, &mut attributes);
    let [depth, per_group, batch] = [(); 3].map(|()| draw.size(1, 2));
    let x = [vec![batch, depth * groups], sizes].concat();
    let w = [vec![per_group * groups, depth], kernel].concat();
    let (x, w) = (draw.tensor(dtype, &x, of), draw.tensor(dtype, &w, of));
    let bias = draw.one_of(2).then(|| draw.tensor(dtype, &[per_group * groups], of));
    (attributes, vec![Some(x), Some(w), bias])
}

fn transposed(draw: &mut Draw, dtype: DType, of: Elements) -> (Attributes, Vec<Option<Tensor>>) {
    let mut attributes = Attributes::new();
    let rank = draw.pick(&[1, 1, 2, 2, 3]);
    let kernel = draw.sizes(rank, 1, if rank == 3 { 2 } else { 3 });
    let [mut dilations, mut strides] = [(); 2].map(|()| draw.sizes(rank, 1, 3));
    if !draw.perhaps(&mut attributes, "dilations", ints(&dilations)) {
        dilations = vec![1; rank];
    }
    if !draw.perhaps(&mut attributes, "strides", ints(&strides)) {
        strides = vec![1; rank];
    }
    draw.perhaps(&mut attributes, "kernel_shape", ints(&kernel));
    let sizes = draw.sizes(rank, 1, 4);
    let mut more: Vec<usize> = (0..rank).map(|at| draw.size(0, strides[at] - 1)).collect();
    if !draw.one_of(3) {
        more = vec![0; rank];
    } else {
        attributes.insert("output_padding".to_owned(), ints(&more));
    }
    let whole: Vec<usize> = (0..rank)
        .map(|at| strides[at] * (sizes[at] - 1) + more[at] + (kernel[at] - 1) * dilations[at] + 1)
        .collect();
    match draw.pick(&[
        "NOTSET",
        "pads",
        "pads",
        "output_shape",
        "SAME_UPPER",
        "SAME_LOWER",
        "VALID",
    ]) {
        "pads" => {
            let pads = (0..2 * rank).map(|at| draw.size(0, (whole[at % rank] - 1) / 2));
            let pads = pads.collect::<Vec<_>>();
            attributes.insert("pads".to_owned(), ints(&pads));
        }
        "output_shape" => {
            let shape: Vec<usize> = whole.iter().map(|most| draw.size(1, *most)).collect();
            attributes.insert("output_shape".to_owned(), ints(&shape));
            let word = draw.pick(&["NOTSET", "SAME_UPPER", "SAME_LOWER"]);
            draw.perhaps(&mut attributes, "auto_pad", text(word));
        }
        word => {
            // What both give together no text decides.
            if draw.perhaps(&mut attributes, "auto_pad", text(word)) && word.starts_with("SAME") {
                attributes.remove("output_padding");
            }
        }
    }
    let groups = groups(draw, &mut attributes);
    let [depth, per_group, batch] = [(); 3].map(|()| draw.size(1, 2));
    let x = [vec![batch, depth * groups], sizes].concat();
    let w = [vec![depth * groups, per_group], kernel].concat();
    let (x, w) = (draw.tensor(dtype, &x, of), draw.tensor(dtype, &w, of));
    let bias = draw.one_of(2).then(|| draw.tensor(dtype, &[per_group * groups], of));
    (attributes, vec![Some(x), Some(w), bias])
}

/// Attributes are drawn so often at least.
const CALLS: usize = 20;

/// Calls of so many elements at least.
fn checks(operator: &'static Operator, dtype: DType, wanted: usize, seed: u64) -> Vec<Check> {
    let mut draw = Draw::new(seed);
    let (mut checks, mut count) = (Vec::new(), 0);
    while count < wanted || checks.len() < CALLS {
        let of = draw.pick(&MIXED);
        let made = match operator.name {
            "AveragePool" => pool,
            "Conv" => convolution,
            "ConvTranspose" => transposed,
            "CumProd" | "CumSum" => running,
            "Einsum" => contraction,
            "Gemm" => gemm,
            "GlobalAveragePool" => global,
            "MatMul" => product,
            "Mean" | "Sum" => tensors,
            _ => reduction,
        };
        let (attributes, inputs) = made(&mut draw, dtype, of);
        let check = Check::new(operator, dtype, attributes, inputs);
        count += check.elements();
        checks.push(check);
    }
    checks
}

/// Every type of the first input.
pub(super) fn types(operator: &Operator) -> Vec<DType> {
    operator.newest().inputs[0].types.to_vec()
}

/// Holds the elements of a check against its records.
fn enter(figures: &mut Figures, check: &Check, answers: &Answers, path: &Path) {
    let told = std::fs::read(path.with_extension("exact")).unwrap();
    assert_eq!(told.len(), check.elements() * Record::BYTES, "{}", check.call.operator);
    let records: Vec<Record> = told.chunks_exact(Record::BYTES).map(Record::read).collect();
    figures.check_also(check, answers, |at, conforming, (allowed, index)| {
        let deviation = |bits| allowed.deviation(index, bits);
        records[at].wrong(check.dtype, conforming, deviation)
    });
}

const SUMS: Suite =
    Suite { operators: SUMMED, types, checks, script: "sums.py", known: KNOWN, enter };

#[test]
fn thousands_of_sums_are_bounded_as_integers_have_them() {
    let (wanted, in_part, at_a_time) = size((1_000, 1_000, 30), (MANY, MANY / 4, 1));
    SUMS.hold(wanted, in_part, at_a_time);
}

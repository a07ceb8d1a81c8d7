//! Einsum: each element is the sum, from the first product to the last, of the products of the operands from left to right: in float32 for
//! float16 and bfloat16, which are rounded once in the end, and modulo 2^n for integers. An ellipsis that the output lacks is summed over, and
//! sizes of 1 are repeated.

use super::elementwise::{output, tensor};
use super::matmul::{Accumulate, Steps};
use super::operand::values;
use super::quantization::packed;
use super::reshaping::refused;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{NUMBERS, with_type, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::{DType, Kind};
use values::tensor::{Tensor, element_count};

pub(super) static EINSUM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Einsum",
    inputs: &[Input::new("Inputs").variadic()],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(12, without_bfloat16(NUMBERS), &[EQUATION]),
        Version::with(28, NUMBERS, &[EQUATION]),
    ],
    restricted: &[],
    run: |call| {
        let operands: Vec<&Tensor> = call.given.iter().copied().flatten().collect();
        let plan = Plan::of(call, &operands)?;
        let dtype = operands[0].dtype();
        if let Kind::Int { .. } = dtype.kind() {
            return plan.wrapped(&operands);
        }
        with_type!(floats, dtype, T => plan.added::<T>(&operands),
            else Err(KernelError::Type { operator: call.operator, dtype }))
    },
};

const EQUATION: AttributeSpec = AttributeSpec {
    name: "equation",
    accepts: |value| matches!(value, Attribute::Text(_)),
    expected: "an equation",
};

/// A dimension: of the ellipsis, counted from its last one, or a letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Ellipsis(std::cmp::Reverse<usize>),
    Letter(u8),
}

/// The loops: first those over the output, then those over what is summed.
struct Plan {
    shape: Vec<usize>,
    sizes: Vec<usize>,
    /// The steps of each operand in each loop.
    steps: Vec<Vec<usize>>,
}

/// The labels of a term for so many dimensions; `None` if it has none for them.
fn labels(term: &[u8], rank: Option<usize>, ellipsis: &mut Option<usize>) -> Option<Vec<Label>> {
    let dots = term.windows(3).position(|symbols| symbols == b"...");
    let (before, after) = match dots {
        Some(at) => (&term[..at], &term[at + 3..]),
        None => (term, &[][..]),
    };
    if !before.iter().chain(after).all(u8::is_ascii_alphabetic) {
        return None;
    }
    let letters = before.len() + after.len();
    let many = match (dots, rank) {
        (None, Some(rank)) if rank != letters => return None,
        (Some(_), Some(rank)) => *ellipsis.get_or_insert(rank.checked_sub(letters)?),
        (Some(_), None) => ellipsis.unwrap_or(0),
        (None, _) => 0,
    };
    if rank.is_some_and(|rank| rank != letters + many) {
        return None;
    }
    let letters = |symbols: &[u8]| symbols.iter().copied().map(Label::Letter).collect::<Vec<_>>();
    let dims = (0..many).rev().map(|at| Label::Ellipsis(std::cmp::Reverse(at))).collect();
    Some([letters(before), dims, letters(after)].concat())
}

impl Plan {
    fn of(call: &Call<'_>, operands: &[&Tensor]) -> Result<Self, KernelError> {
        let Some(Attribute::Text(equation)) = call.attributes.get(EQUATION.name) else {
            return Err(KernelError::BadAttribute {
                operator: call.operator,
                name: EQUATION.name,
                expected: EQUATION.expected,
            });
        };
        let unfit = || refused(call, "the equation is none of operands of these shapes");
        let equation = equation.replace(' ', "");
        let (left, right) = match equation.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (&equation[..], None),
        };
        let texts: Vec<&str> = left.split(',').collect();
        if texts.len() != operands.len() {
            return Err(unfit());
        }
        let mut ellipsis = None;
        let mut terms = Vec::new();
        for (text, operand) in texts.iter().zip(operands) {
            let rank = Some(operand.shape().len());
            terms.push(labels(text.as_bytes(), rank, &mut ellipsis).ok_or_else(unfit)?);
        }
        let mut all: Vec<(Label, usize)> = Vec::new();
        for (term, operand) in terms.iter().zip(operands) {
            for (label, &size) in term.iter().zip(operand.shape()) {
                match all.iter_mut().find(|(own, _)| own == label) {
                    Some((_, own)) if *own == 1 => *own = size,
                    Some((_, own)) if *own != size && size != 1 => return Err(unfit()),
                    Some(_) => {}
                    None => all.push((*label, size)),
                }
            }
        }
        all.sort_unstable();
        let kept: Vec<Label> = match right {
            Some(right) => labels(right.as_bytes(), None, &mut ellipsis).ok_or_else(unfit)?,
            None => {
                let count =
                    |label: &Label| terms.iter().flatten().filter(|it| *it == label).count();
                let is_kept = |it: &Label| matches!(it, Label::Ellipsis(_)) || count(it) == 1;
                all.iter().map(|(label, _)| *label).filter(is_kept).collect()
            }
        };
        if kept.iter().enumerate().any(|(at, label)| kept[..at].contains(label)) {
            return Err(unfit());
        }
        let summed = all.iter().map(|(label, _)| *label).filter(|label| !kept.contains(label));
        let loops: Vec<Label> = kept.iter().copied().chain(summed).collect();
        let size = |label: &Label| {
            all.iter().find(|(own, _)| own == label).map(|(_, size)| *size).ok_or_else(unfit)
        };
        let sizes = loops.iter().map(size).collect::<Result<Vec<usize>, _>>()?;
        let steps = terms.iter().zip(operands).map(|(term, operand)| {
            let shape = operand.shape();
            let mut steps = vec![0; loops.len()];
            let mut step = 1;
            for (label, &size) in term.iter().zip(shape).rev() {
                let places = loops.iter().enumerate().filter(|(_, own)| *own == label);
                if size > 1 {
                    places.for_each(|(at, _)| steps[at] += step);
                }
                step *= size;
            }
            steps
        });
        Ok(Self { shape: sizes[..kept.len()].to_vec(), steps: steps.collect(), sizes })
    }

    /// Sees the place of each product in the output, and those of its factors.
    fn visit(&self, mut see: impl FnMut(usize, &[usize])) {
        let terms = match element_count(&self.sizes[self.shape.len()..]) {
            Ok(terms) if terms > 0 => terms,
            _ => return,
        };
        let elements = element_count(&self.shape).unwrap_or(0);
        let mut at = vec![0; self.sizes.len()];
        let mut places = vec![0; self.steps.len()];
        for element in 0..elements {
            for _ in 0..terms {
                see(element, &places);
                for dim in (0..at.len()).rev() {
                    at[dim] += 1;
                    let is_over = at[dim] == self.sizes[dim];
                    for (place, steps) in places.iter_mut().zip(&self.steps) {
                        *place += steps[dim];
                        if is_over {
                            *place -= steps[dim] * self.sizes[dim];
                        }
                    }
                    if !is_over {
                        break;
                    }
                    at[dim] = 0;
                }
            }
        }
    }

    fn added<T: Accumulate + Send + Sync>(
        &self,
        operands: &[&Tensor],
    ) -> Result<Vec<Tensor>, KernelError> {
        let dtype = operands[0].dtype();
        let mut sums = output::<T::Sum>(&self.shape, dtype)?;
        let all: Vec<_> = operands.iter().map(|operand| values::<T>(operand)).collect();
        let is_sum = self.sizes.len() > self.shape.len();
        self.visit(|to, places| {
            let factors = all.iter().zip(places).map(|(all, place)| all[*place].widen());
            if let Some(product) = factors.reduce(Steps::times) {
                sums[to] = if is_sum { sums[to].plus(product) } else { product };
            }
        });
        tensor(dtype, &self.shape, sums.into_iter().map(T::narrow).collect())
    }

    /// Integers modulo 2^n are multiplied and added as their bits are.
    fn wrapped(&self, operands: &[&Tensor]) -> Result<Vec<Tensor>, KernelError> {
        let dtype = operands[0].dtype();
        let mut sums = output::<u64>(&self.shape, dtype)?;
        self.visit(|to, places| {
            let bits = |(operand, place): (&&Tensor, &usize)| {
                operand.element(*place).unwrap_or_default() as u64
            };
            let product = operands.iter().zip(places).map(bits).fold(1, u64::wrapping_mul);
            sums[to] = sums[to].wrapping_add(product);
        });
        Ok(vec![packed(dtype, &self.shape, |at| sums[at])?])
    }
}

#[cfg(test)]
mod tests;

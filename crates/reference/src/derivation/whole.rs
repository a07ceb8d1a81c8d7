//! Outputs of so many sums that their errors show together how the sums are rounded.

use std::cmp::Reverse;

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;
use values::tensor::Tensor;

use crate::case_spec::CaseSpec;
use crate::elements::tensor;
use crate::operator::OperatorKind;

use super::values::data;
use super::{Class, Derivation, Reached};

/// Elements of all operands and outputs of a case, at most.
pub(super) const MOST_ELEMENTS: usize = 3000;

/// Terms of all sums of a case, at least: truncated ones err by a third of a unit on an average, and so by more than eight
/// times the root of their number.
const LEAST_TERMS: u64 = 1024;

/// Terms of one sum, at least.
const LEAST_OF_SUM: u64 = 4;

/// What becomes of the dimensions that are more than 1.
#[derive(Clone, Copy)]
enum Size {
    Times(usize),
    Of(usize),
}

const SIZES: [Size; 8] = [
    Size::Times(16),
    Size::Times(8),
    Size::Times(6),
    Size::Times(4),
    Size::Times(2),
    Size::Of(16),
    Size::Of(8),
    Size::Of(4),
];

pub(super) fn derive(derivation: &mut Derivation<'_>) {
    if derivation.operator.kind != OperatorKind::Accumulated {
        return;
    }
    let types = derivation.version.outputs.first().map(|port| port.types).unwrap_or_default();
    for &dtype in types {
        let Kind::Float(format) = dtype.kind() else { continue };
        let cases = derivation.bases().into_iter().flat_map(|base| {
            let places = data(derivation, base);
            SIZES.map(|size| grown(base, &places, size, dtype, format))
        });
        let of_type = |case| terms(derivation, &case, dtype).map(|terms| (terms, case));
        let sized = cases.flatten().filter_map(of_type);
        let mut sized: Vec<_> = sized.filter(|(terms, _)| *terms >= LEAST_TERMS).collect();
        sized.sort_by_key(|(terms, _)| Reverse(*terms));
        let is_decided = |case: &CaseSpec| derivation.judged_within(case, MOST_ELEMENTS).is_some();
        let found = { sized }.into_iter().find(|(_, case)| is_decided(case));
        let reached = match found {
            Some((_, case)) => {
                let class = Class::WholeOutput;
                Reached::Derived(derivation.add(class, class.name(), case))
            }
            None => Reached::Excluded,
        };
        derivation.target(Class::WholeOutput, dtype.name().to_owned(), reached);
    }
}

/// The case of a type with larger operands, of numbers from 1 on and below 2 that have random bits.
fn grown(
    base: &CaseSpec,
    places: &[usize],
    size: Size,
    dtype: DType,
    format: &FloatFormat,
) -> Option<CaseSpec> {
    let mut case = base.clone();
    case.path = in_folder_of(&base.path, dtype);
    let one = (format.bias as u64) << format.significand_bits;
    let mut count = 0;
    for &at in places {
        let operand = base.inputs.get(at)?.as_ref()?;
        let shape: Vec<usize> = operand.shape().iter().map(|dim| size.of(*dim)).collect();
        count += shape.iter().product::<usize>();
        if count > MOST_ELEMENTS {
            return None;
        }
        let mut random = Random::for_case(&format!("{}/{at}", case.path));
        let mut number = || one | (random.bits() & ((1 << format.significand_bits) - 1));
        let elements: Vec<u64> = (0..shape.iter().product()).map(|_| number()).collect();
        case.inputs[at] = Some(tensor(dtype, &shape, &elements).ok()?);
    }
    (count > 0).then_some(case)
}

/// The path of a case as it would be of another type: `OPERATOR_VERSION/TYPE/NAME`.
fn in_folder_of(path: &str, dtype: DType) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let [_, folder, _] = &mut parts[..] {
        *folder = dtype.name();
    }
    parts.join("/")
}

/// Terms of all sums of the first output; `None` where the call is invalid or too large, or a sum has few terms, or its
/// errors tell nothing of rounding.
fn terms(derivation: &Derivation<'_>, case: &CaseSpec, dtype: DType) -> Option<u64> {
    let (call, types) = derivation.call(case, MOST_ELEMENTS)?;
    let allowed = derivation.operator.reference.allowed(&call, &types);
    let (first, output) = allowed.first().zip(types.first().filter(|it| it.dtype == dtype))?;
    let elements: usize = output.shape.iter().product();
    let given: usize = case.inputs.iter().flatten().map(Tensor::elements).sum();
    let sum = first.real(elements.checked_sub(1)?, 0)?.sum?;
    let is_plain = sum.shared == Some(0) && sum.terms >= LEAST_OF_SUM;
    (is_plain && given + elements <= MOST_ELEMENTS).then_some(sum.terms * elements as u64)
}

impl Size {
    const fn of(self, dim: usize) -> usize {
        match self {
            _ if dim <= 1 => dim,
            Self::Times(factor) => dim * factor,
            Self::Of(size) => size,
        }
    }
}

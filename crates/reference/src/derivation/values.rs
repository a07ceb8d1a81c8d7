//! Elements of operands that are subnormal, NaN, of many bits or of few.

use values::dtype::{DType, Kind};
use values::float::{Class as FloatClass, FloatFormat};
use values::tensor::Tensor;

use crate::case_spec::CaseSpec;
use crate::elements::tensor;
use crate::exact::Conforming;
use crate::exact::number::smallest_exponent;
use crate::exact::quiet_nan;
use crate::signature::{AttributeType, AttributeValue};

use super::{Class, Derivation, Judged, MOST_BASES, Reached};

/// What becomes of the elements of an operand.
#[derive(Clone, Copy)]
enum Change {
    Zeros,
    /// Small integers of both signs.
    Integers,
    /// Powers of two.
    Powers,
    /// Small integers times this power of two.
    Times(i32),
    /// The same of every other element, the rest being ones.
    Mixed(i32),
    /// Their lowest bits set.
    Filled,
    /// A NaN in the first place, or in the last.
    NanAt {
        last: bool,
    },
}

/// Small integers, none of which is the sum of its neighbours.
const INTEGERS: [i8; 8] = [3, -1, 5, 2, -4, 1, 7, -2];

impl Change {
    /// The operand in a place, changed; single numbers in the places that follow each other are others.
    fn of(self, place: usize, operand: &Tensor, format: &'static FloatFormat) -> Option<Tensor> {
        let count = operand.elements();
        let element = |at: usize| -> Option<u64> {
            let own = u64::try_from(operand.element(at)?).ok()?;
            let times = |exponent: i32| {
                let number = INTEGERS[(at + 5 * place + 1) % INTEGERS.len()];
                let sign = |bits: u64| if number < 0 { format.negated(bits) } else { bits };
                format.encode(number.unsigned_abs().into(), exponent).map(sign)
            };
            match self {
                Self::Zeros => Some(0),
                Self::Integers => times(0),
                Self::Powers => format.encode(1, [0, 2, -1, 1][at % 4]),
                Self::Times(exponent) => times(exponent),
                Self::Mixed(_) if at.is_multiple_of(2) => format.encode(1, 0),
                Self::Mixed(exponent) => times(exponent),
                Self::Filled => match format.class(own) {
                    FloatClass::Normal => Some(own | (at as u64 * 0x9e37 + 0x1357) & 0x1fff_ffff),
                    _ => Some(own),
                },
                Self::NanAt { last } if at == if last { count - 1 } else { 0 } => {
                    Some(quiet_nan(format))
                }
                Self::NanAt { .. } => Some(own),
            }
        };
        let elements = (0..count).map(element).collect::<Option<Vec<u64>>>()?;
        tensor(operand.dtype(), operand.shape(), &elements).ok()
    }
}

/// The format of the elements of a tensor of floats that has NaN.
fn format_of(dtype: DType) -> Option<&'static FloatFormat> {
    match dtype.kind() {
        Kind::Float(format) => Some(format),
        _ => None,
    }
}

/// The places of the operands of a case that are floats and data, or of all floats where none are data.
pub(super) fn data(derivation: &Derivation<'_>, case: &CaseSpec) -> Vec<usize> {
    let is_float =
        |at: &usize| case.inputs[*at].as_ref().is_some_and(|it| format_of(it.dtype()).is_some());
    let floats: Vec<usize> = (0..case.inputs.len()).filter(is_float).collect();
    let is_control = |at: &usize| derivation.operator.reference.is_control(derivation.version, *at);
    match floats.iter().all(is_control) {
        true => floats,
        false => floats.into_iter().filter(|at| !is_control(at)).collect(),
    }
}

/// The case with these changes of operands, each by its place.
fn changed(base: &CaseSpec, changes: &[(usize, Change)]) -> Option<CaseSpec> {
    let mut case = base.clone();
    for (at, change) in changes {
        let operand = case.inputs[*at].as_ref()?;
        let other = change.of(*at, operand, format_of(operand.dtype())?)?;
        case.inputs[*at] = Some(other);
    }
    Some(case)
}

pub(super) fn derive(derivation: &mut Derivation<'_>) {
    let mut types: Vec<DType> = Vec::new();
    for dtype in derivation.version.outputs.iter().flat_map(|port| port.types) {
        if format_of(*dtype).is_some() && !types.contains(dtype) {
            types.push(*dtype);
        }
    }
    for dtype in types {
        let Some(format) = format_of(dtype).filter(|it| it.significand_bits > 0) else { continue };
        subnormal_results(derivation, dtype, format);
        subnormal_operands(derivation, dtype, format);
        if dtype == DType::Float64 {
            beyond_float32(derivation);
        }
        if derivation.operator.kind.is_bounded() {
            exact_in_any_order(derivation, dtype);
        }
    }
    nan(derivation);
}

/// The cases to be changed that give a type.
fn bases<'a>(derivation: &Derivation<'a>, dtype: DType) -> Vec<&'a CaseSpec> {
    let gives = |case: &&CaseSpec| {
        derivation.types(case).is_some_and(|(_, types)| {
            types.iter().any(|it| it.dtype == dtype && !it.shape.contains(&0))
        })
    };
    derivation.bases().into_iter().filter(gives).take(MOST_BASES).collect()
}

/// The first of these that the reference decides and that is as wanted, unless two stated cases are.
fn reach(
    derivation: &mut Derivation<'_>,
    class: Class,
    dtype: DType,
    is_wanted: impl Fn(&Derivation<'_>, &Judged, &CaseSpec) -> bool,
    cases: impl Iterator<Item = CaseSpec>,
) {
    let is_such = |case: &CaseSpec| {
        derivation.judged(case).is_some_and(|it| is_wanted(derivation, &it, case))
    };
    // One case alone may go, and what it finds with it.
    let is_stated = |(case, judged): &(&CaseSpec, &Judged)| is_wanted(derivation, judged, case);
    let stated = derivation.decided().filter(is_stated).take(2).count();
    let case = if stated < 2 { { cases }.find(is_such) } else { None };
    let reached = match case {
        Some(case) => Reached::Derived(derivation.add(class, class.name(), case)),
        None if stated > 0 => Reached::Stated,
        None => Reached::Excluded,
    };
    derivation.target(class, dtype.name().to_owned(), reached);
}

/// The bits of the element that stands for those that conform.
fn bits_of(conforming: &Conforming) -> Option<u64> {
    conforming.example().and_then(|bits| u64::try_from(bits).ok())
}

fn is_subnormal(conforming: &Conforming, format: &FloatFormat) -> bool {
    bits_of(conforming).is_some_and(|bits| format.class(bits) == FloatClass::Subnormal)
        && !conforming.accepts(0)
        && !conforming.accepts(format.negated(0))
}

/// One operand or all of them near the subnormal numbers, or near the root of them, and others as they are or zero; also
/// with a factor or summand among the attributes that is 0.
fn subnormal_results(derivation: &mut Derivation<'_>, dtype: DType, format: &'static FloatFormat) {
    let bases = bases(derivation, dtype);
    let low = smallest_exponent(format) + format.significand_bits.min(4) as i32 - 2;
    let places: Vec<_> = bases.iter().map(|base| data(derivation, base)).collect();
    let floats = derivation.version.attributes.iter();
    let floats = floats.filter(|it| it.value == AttributeType::Float).map(|it| it.name);
    let zeroed: Vec<Option<&str>> = std::iter::once(None).chain(floats.map(Some)).collect();
    let forms = bases.iter().zip(&places).flat_map(|(base, places)| {
        let with = |name: &Option<&str>| {
            let mut case = (*base).clone();
            if let Some(name) = name {
                case.attributes.retain(|(own, _)| own != name);
                case.attributes.push(((*name).to_owned(), AttributeValue::Float(0)));
            }
            (case, places)
        };
        zeroed.iter().map(with).collect::<Vec<_>>()
    });
    let cases = forms.flat_map(|(base, places)| {
        let mut cases = Vec::new();
        for small in [Change::Times(low), Change::Times(low / 2), Change::Mixed(low)] {
            let all: Vec<_> = places.iter().map(|at| (*at, small)).collect();
            cases.extend(changed(&base, &all));
            for &at in places {
                let zeros = std::iter::once(None).chain(places.iter().copied().map(Some));
                for zero in zeros.filter(|zero| *zero != Some(at)) {
                    let zero = zero.map(|zero| (zero, Change::Zeros));
                    let changes: Vec<_> = zero.into_iter().chain([(at, small)]).collect();
                    cases.extend(changed(&base, &changes));
                }
            }
        }
        cases
    });
    let is_wanted = |_: &Derivation<'_>, judged: &Judged, _: &CaseSpec| {
        judged.has(dtype, |it| is_subnormal(it, format))
    };
    reach(derivation, Class::SubnormalResults, dtype, is_wanted, cases);
}

/// Operands that are subnormal, all or one of them, and a result that differs from the one of zeros.
fn subnormal_operands(derivation: &mut Derivation<'_>, dtype: DType, format: &'static FloatFormat) {
    let low = smallest_exponent(format) + format.significand_bits.min(4) as i32 - 3;
    let bases = bases(derivation, dtype);
    let places: Vec<_> = bases.iter().map(|base| data(derivation, base)).collect();
    let cases = bases.iter().zip(&places).flat_map(|(base, places)| {
        let all = places.iter().map(|at| (*at, Change::Times(low))).collect();
        let each = places.iter().map(|at| vec![(*at, Change::Times(low))]);
        std::iter::once(all)
            .chain(each)
            .filter_map(|changes| changed(base, &changes))
            .collect::<Vec<_>>()
    });
    let flushed = |case: &CaseSpec| {
        let mut other = case.clone();
        let mut is_changed = false;
        for operand in other.inputs.iter_mut().flatten() {
            let Some(own) = format_of(operand.dtype()).filter(|_| operand.dtype() == dtype) else {
                continue;
            };
            let flush = |at: usize| {
                let bits = u64::try_from(operand.element(at)?).ok()?;
                let is_flushed = own.class(bits) == FloatClass::Subnormal;
                Some((if is_flushed { 0 } else { bits }, is_flushed))
            };
            let (elements, are): (Vec<u64>, Vec<bool>) =
                (0..operand.elements()).filter_map(flush).unzip();
            if are.contains(&true) {
                *operand = tensor(dtype, operand.shape(), &elements).ok()?;
                is_changed = true;
            }
        }
        is_changed.then_some(other)
    };
    let is_wanted = |derivation: &Derivation<'_>, judged: &Judged, case: &CaseSpec| {
        let Some(other) = flushed(case).and_then(|case| derivation.judged(&case)) else {
            return false;
        };
        let differs = |(own, other): (&Conforming, &Conforming)| {
            bits_of(other).is_some_and(|bits| !own.accepts(bits))
        };
        judged.all.iter().flatten().zip(other.all.iter().flatten()).any(differs)
    };
    let cases: Vec<_> = cases.collect();
    reach(derivation, Class::SubnormalOperands, dtype, is_wanted, cases.into_iter());
}

fn beyond_float32(derivation: &mut Derivation<'_>) {
    let bases = bases(derivation, DType::Float64);
    let filled = |base: &&CaseSpec| {
        let all: Vec<_> =
            data(derivation, base).into_iter().map(|at| (at, Change::Filled)).collect();
        changed(base, &all)
    };
    let cases: Vec<_> = bases.iter().filter_map(filled).collect();
    let is_wanted = |_: &Derivation<'_>, judged: &Judged, _: &CaseSpec| {
        judged.has(DType::Float64, |conforming| {
            let narrowed = bits_of(conforming).map(|bits| f64::from(f64::from_bits(bits) as f32));
            narrowed.is_some_and(|it| it.is_finite() && !conforming.accepts(it.to_bits()))
        })
    };
    reach(derivation, Class::BeyondFloat32, DType::Float64, is_wanted, cases.into_iter());
}

fn exact_in_any_order(derivation: &mut Derivation<'_>, dtype: DType) {
    let bases = bases(derivation, dtype);
    let of = |base: &&CaseSpec| {
        let places = data(derivation, base);
        let with = |change: Change| {
            let all: Vec<_> = places.iter().map(|at| (*at, change)).collect();
            changed(base, &all)
        };
        [Change::Integers, Change::Powers].into_iter().filter_map(with).collect::<Vec<_>>()
    };
    let cases: Vec<_> = bases.iter().flat_map(of).collect();
    // Several numbers, each of which alone conforms.
    let is_wanted = |_: &Derivation<'_>, judged: &Judged, _: &CaseSpec| {
        let only = |conforming: &Conforming| match conforming {
            Conforming::One(bits) => Some(*bits),
            Conforming::Within { accumulated, .. } if accumulated.infinities == [false; 2] => {
                accumulated.bits().filter(|[least, most]| least == most).map(|[only, _]| only)
            }
            _ => None,
        };
        let first = judged.all.first().map(Vec::as_slice).unwrap_or_default();
        let numbers: Option<std::collections::BTreeSet<u64>> = first.iter().map(only).collect();
        judged.types.first().is_some_and(|it| it.dtype == dtype)
            && numbers.is_some_and(|numbers| {
                numbers.len() > 1 || (first.len() == 1 && !numbers.contains(&0))
            })
    };
    reach(derivation, Class::ExactInAnyOrder, dtype, is_wanted, cases.into_iter());
}

/// A NaN in the last place of each operand of floats, and in the first where elements are not computed one by one.
fn nan(derivation: &mut Derivation<'_>) {
    let is_elementwise = derivation
        .operator
        .reference
        .elementwise(crate::signature::Specification::Onnx, &Default::default())
        .is_some();
    let bases = derivation.bases();
    for (at, port) in derivation.version.inputs.iter().enumerate() {
        let is_given = |base: &&&CaseSpec| {
            let operand = base.inputs.get(at).and_then(Option::as_ref);
            operand.is_some_and(|it| {
                let has_nan =
                    |format: &FloatFormat| format.class(quiet_nan(format)) == FloatClass::Nan;
                it.elements() > 0 && format_of(it.dtype()).is_some_and(has_nan)
            }) && data(derivation, base).contains(&at)
        };
        let all: Vec<_> = bases.iter().filter(is_given).copied().take(MOST_BASES).collect();
        if !port.types.iter().any(|dtype| format_of(*dtype).is_some()) {
            continue;
        }
        for last in if is_elementwise { &[true][..] } else { &[false, true] } {
            let name = format!("{}_{}", ["first", "last"][usize::from(*last)], port.name_at(at));
            let cases =
                all.iter().filter_map(|base| changed(base, &[(at, Change::NanAt { last: *last })]));
            let decided: Vec<_> = cases
                .filter_map(|case| derivation.judged(&case).map(|judged| (case, judged.has_nan())))
                .collect();
            // It is best seen where it comes out again.
            let found = decided.iter().find(|(_, has_nan)| *has_nan).or(decided.first());
            let found = found.map(|(case, _)| case.clone());
            let reached = match found {
                Some(case) => {
                    Reached::Derived(derivation.add(Class::Nan, &format!("nan_{name}"), case))
                }
                None => Reached::Excluded,
            };
            derivation.target(Class::Nan, name, reached);
        }
    }
}

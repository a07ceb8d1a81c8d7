//! Operators that move elements: the reference's own selection, on places in the stead of elements.
//!
//! Each element is replaced by a NaN of float64 whose payload is its place; as moved elements keep their bits, what the
//! reference selects tells which element it is. Other numbers are those that an operator brings, such as what it pads with.

use values::dtype::DType;
use values::element::Element;
use values::tensor::{Tensor, element_count};

use super::{Between, Enclosed, NotKnown, Rule, Site};
use crate::exact::Conforming;
use crate::graph::span::Span;
use crate::operator::{Call, TensorType};

pub(super) fn rule(operator: &str) -> Option<Rule> {
    match operator {
        "Flatten" | "Identity" | "Reshape" | "Squeeze" | "Unsqueeze" => Some(reshaped),
        "Compress" | "Concat" | "DepthToSpace" | "Dropout" | "Expand" | "Gather"
        | "GatherElements" | "GatherND" | "OneHot" | "Pad" | "ReverseSequence" | "Scatter"
        | "ScatterElements" | "ScatterND" | "Slice" | "SpaceToDepth" | "Split" | "Tile"
        | "Transpose" | "Trilu" => Some(moved),
        "Resize" | "Upsample" => Some(|site| match site.call.text("mode") {
            Some("nearest") => moved(site),
            _ => Err(NotKnown::because("it blends elements")),
        }),
        "Shape" | "Size" => Some(|site| {
            site.known().ok_or_else(|| NotKnown::because("its input has no certain shape"))
        }),
        _ => None,
    }
}

/// What keeps the order of its elements.
fn reshaped(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let TensorType { dtype, shape } = site.output()?.clone();
    let Between { exact, allowed, .. } = site.between(0)?.into_owned();
    Ok(vec![Enclosed::Between(Between { dtype, shape, exact, allowed })])
}

/// Payloads of NaNs that are places, so many of the first bits being none of the place's.
const PLACE: u64 = 0x7ff8_0000_0000_0000;

/// What becomes an element of an output.
#[derive(Clone, Copy)]
enum Source {
    /// The element at this place among those of all operands that are moved.
    Place(usize),
    /// This number.
    Number(f64),
}

fn moved(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let call = site.call;
    let variable = call.version.output(0).map_or("", |port| port.variable);
    let is_moved = |at: usize| {
        let port = call.version.input(at);
        port.is_some_and(|port| port.variable == variable)
            && !call.operator.reference.is_control(call.version, at)
    };
    let mut first = 0;
    let mut inputs = Vec::new();
    let mut operands = Vec::new();
    for at in 0..call.inputs.len() {
        match (site.operand(at), is_moved(at)) {
            (None, _) => inputs.push(None),
            (Some(operand), true) => {
                inputs.push(Some(places(operand.shape(), first)?));
                let elements = site.between(at)?;
                first += elements.exact.len();
                operands.push(elements);
            }
            (Some(_), false) => inputs.push(Some(site.certain(at)?.into_owned())),
        }
    }
    let sources = sources(site, inputs)?;
    let all = |get: fn(&Between) -> &[Span]| -> Vec<Span> {
        operands.iter().flat_map(|operand| get(operand).iter().copied()).collect()
    };
    let (exact, allowed) = (all(|it| &it.exact), all(|it| &it.allowed));
    let outputs = site.types.iter().zip(sources).map(|(output, sources)| {
        let picked = |all: &[Span]| {
            let span = |source: &Source| match *source {
                Source::Place(place) => all.get(place).copied().unwrap_or(Span::UNKNOWN),
                Source::Number(number) => Span::point(number),
            };
            let hull = |sources: &Vec<Source>| sources.iter().map(span).reduce(Span::hull);
            sources.iter().map(|them| hull(them).unwrap_or(Span::UNKNOWN)).collect()
        };
        Enclosed::Between(Between {
            dtype: output.dtype,
            shape: output.shape.clone(),
            exact: picked(&exact),
            allowed: picked(&allowed),
        })
    });
    Ok(outputs.collect())
}

/// A tensor whose elements are places, from one on.
fn places(shape: &[usize], first: usize) -> Result<Tensor, NotKnown> {
    let count = element_count(shape).unwrap_or(usize::MAX);
    let last = first.checked_add(count).filter(|last| *last < super::MOST_ELEMENTS << 3);
    let last = last.ok_or_else(|| NotKnown::because("an operand has too many elements"))?;
    let numbers = (first..last).map(|place| f64::from_bits(PLACE | place as u64));
    let tensor = Tensor::from_vec(shape.to_vec(), numbers.collect::<Vec<f64>>());
    tensor.map_err(|error| NotKnown(error.to_string()))
}

/// What becomes each element of the outputs; several where a text leaves open which.
fn sources(
    site: &Site<'_>,
    inputs: Vec<Option<Tensor>>,
) -> Result<Vec<Vec<Vec<Source>>>, NotKnown> {
    let Call { operator, version, specification, attributes, outputs, .. } = site.call;
    let asked: Vec<bool> = (0..*outputs).map(|at| site.call.asks_for(at)).collect();
    let (operator, version) = (*operator, *version);
    let (call, types) =
        Call::asking_for(&asked, operator, version, *specification, attributes.clone(), inputs)
            .map_err(|error| NotKnown(error.to_string()))?;
    let allowed = operator.reference.allowed(&call, &types);
    let computes = || NotKnown::because("it computes some of its elements");
    let mut all = Vec::new();
    for (at, output) in (0..allowed.len()).filter(|at| call.asks_for(*at)).zip(&types) {
        let of = |index: usize| read(&allowed[at].at(index)).ok_or_else(computes);
        let count = element_count(&output.shape).unwrap_or_default();
        all.push((0..count).map(of).collect::<Result<Vec<_>, _>>()?);
    }
    (all.len() == site.types.len()).then_some(all).ok_or_else(computes)
}

fn read(conforming: &Conforming) -> Option<Vec<Source>> {
    match conforming {
        Conforming::Same(Element::Bits(DType::Float64, bits)) => {
            let bits = u64::try_from(*bits).ok()?;
            let number = f64::from_bits(bits);
            Some(vec![match number.is_nan() {
                true => Source::Place(usize::try_from(bits & !PLACE).ok()?),
                false => Source::Number(number),
            }])
        }
        Conforming::OneOf(all) => {
            let all: Option<Vec<_>> = all.iter().map(read).collect();
            Some(all?.concat())
        }
        _ => None,
    }
}

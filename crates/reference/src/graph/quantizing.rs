//! Numbers in steps of a scale from a zero point.

use super::arithmetic::Arithmetic;
use super::reducing::invalid;
use super::span::Span;
use super::{Between, Enclosed, NotKnown, Rule, Site};
use crate::exact::number::Int;
use crate::families::quantization::Granularity;
use values::dtype::{DType, Kind};
use values::float::FloatFormat;

pub(super) fn rule(operator: &str) -> Option<Rule> {
    Some(match operator {
        "QuantizeLinear" => quantize,
        "DequantizeLinear" => dequantize,
        "DynamicQuantizeLinear" => dynamic,
        _ => return None,
    })
}

/// The numbers of an integer type.
fn range(dtype: DType) -> Result<Span, NotKnown> {
    let Kind::Int { signed, bits } = dtype.kind() else {
        return Err(NotKnown::because("it quantises to other than integers"));
    };
    let int = Int { signed, bits };
    Ok(Span::new(int.min() as f64, int.max() as f64))
}

/// A number in steps from a zero point, rounded to the nearest integer, of two the even one, and saturated.
fn in_steps(by: &Arithmetic<'_>, [x, scale, zero]: [Span; 3], range: Span) -> Span {
    let steps = by.div(x, scale).rising(f64::round_ties_even);
    (steps + zero).max(Span::point(range.lower)).min(Span::point(range.upper))
}

/// The elements of a parameter that may be left out, one of which is at a place.
fn parameter(operands: &[&[Span]], at: usize, place: usize, otherwise: Span) -> Span {
    match operands.get(at) {
        Some(spans) if !spans.is_empty() => spans.get(place).copied().unwrap_or(Span::UNKNOWN),
        _ => otherwise,
    }
}

/// The function on each element, its scale and its zero point, rounded in this format.
fn each(
    site: &Site<'_>,
    format: Option<&'static FloatFormat>,
    function: impl Fn(&Arithmetic<'_>, [Span; 3]) -> Span,
) -> Result<Vec<Enclosed>, NotKnown> {
    let granularity = Granularity::of(site.call).map_err(invalid)?;
    if let Some(why) = granularity.open {
        return Err(NotKnown::because(why));
    }
    let shape = site.between(0)?.shape.clone();
    site.twice_in(format, |by, operands| {
        let element = |(index, x): (usize, &Span)| {
            let place = granularity.place(index, &shape).unwrap_or(usize::MAX);
            let scale = parameter(operands, 1, place, Span::UNKNOWN);
            function(by, [*x, scale, parameter(operands, 2, place, Span::ZERO)])
        };
        operands[0].iter().enumerate().map(element).collect()
    })
}

fn quantize(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let range = range(site.output()?.dtype)?;
    let Kind::Float(format) = site.between(0)?.dtype.kind() else {
        return Err(NotKnown::because("it quantises other than floats"));
    };
    each(site, Some(format), |by, operands| in_steps(by, operands, range))
}

fn dequantize(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    each(site, site.format(0), |by, [x, scale, zero]| by.mul(by.sub(x, zero), scale))
}

/// Scale and zero point by the least and the greatest element and 0.
fn dynamic(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let Between { exact, allowed, .. } = site.between(0)?.into_owned();
    let bytes = Span::new(0.0, 255.0);
    let all = |by: &Arithmetic<'_>, x: &[Span]| {
        let least = x.iter().copied().fold(Span::ZERO, Span::min);
        let greatest = x.iter().copied().fold(Span::ZERO, Span::max);
        let scale = by.div(by.sub(greatest, least), Span::point(255.0));
        let zero = in_steps(by, [-least, scale, Span::ZERO], bytes);
        let steps: Vec<Span> = x.iter().map(|x| in_steps(by, [*x, scale, zero], bytes)).collect();
        [steps, vec![scale], vec![zero]]
    };
    let by = Arithmetic { format: Some(&FloatFormat::FLOAT32), ..site.exactly() };
    let outputs = all(&site.exactly(), &exact).into_iter().zip(all(&by, &allowed)).enumerate();
    outputs.map(|(at, (exact, allowed))| site.enclosed(at, exact, allowed)).collect()
}

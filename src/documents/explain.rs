//! One case explained element by element, or one result: what it was computed from, what the specifications say,
//! the exact value, the numbers next to it, and what came back.

pub mod atlas;
mod contents;

pub use contents::contents;

use std::fmt::Write;
use std::time::Duration;

use num_traits::{Signed, Zero};

use crate::backend::{Backend, Outcome};
use crate::check::Check;
use crate::corpus::case::{Case, DataSet, Expect};
use crate::corpus::suite::Suite;
use crate::document::text::{counted, grouped};
use crate::dtype::{DType, Kind};
use crate::foundation::printable::on_one_line;
use crate::judge::compare::Element;
use crate::judge::profile::Profile;
use crate::judge::spec::{Datum, Documents, Equality, Reading, Unreadable};
use crate::judge::verdict;
use crate::oracle::real::{self, Enclosure, Rational};
use crate::oracle::{Conforming, Deviation};
use crate::run::{CaseResult, execute};
use crate::tensor::{Tensor, Value, coordinates, row_major};
use reference::call::NoCall;
use reference::elements;
use reference::operator::{Allowed, Call, OperatorKind, Specification, TensorType};

/// Elements that are explained where none is chosen and none differs, and terms of a sum that are shown.
const SHOWN: usize = 3;

/// Significant decimal digits of an exact value that are shown.
const DIGITS: usize = 25;

/// Runs a case, for which the backend has this time, and explains what came of it: of refusals whether
/// one was expected and what was answered; of values the element at these coordinates, or those that
/// differ most from what was expected, or the first few.
pub fn explain(
    backend: &dyn Backend,
    case: &Case,
    suite: Suite,
    profile: &Profile,
    time: Duration,
    known: CaseResult,
    element: Option<&[usize]>,
) -> Result<String, Unreadable> {
    let documents = Documents::load()?;
    let (result, outcomes) = execute(backend, case, suite, profile, time, known);
    let mut text = String::new();
    line(&mut text, 0, "case", &result.id);
    let operators = format!("{}, opset {}", result.operator, result.opset);
    line(&mut text, 0, "operator", &operators);
    line(&mut text, 0, "verdict", &format!("{} under profile {}", result.verdict, profile.name()));
    if let Some(message) = &result.message {
        line(&mut text, 0, "because", message);
    }
    for id in &result.requirements {
        line(&mut text, 0, "verifies", id);
    }
    line(&mut text, 0, "expected", expected(case.manifest.expect));
    for (set, outcome) in case.data_sets.iter().zip(&outcomes) {
        line(&mut text, 0, "answered", &answered(outcome));
        let answer = Answer { case, set, outcome, result: &result, element };
        match Call::of(&case.model, &set.inputs, suite) {
            Err(NoCall::Unknown) => {
                text += "\nThe case is not a single operator that the reference knows.\n";
                answer.plain_elements(&mut text);
            }
            Err(NoCall::Invalid(invalid)) => line(&mut text, 0, "invalid", &invalid.to_string()),
            Ok((call, types)) => {
                let documents = &documents;
                Explained { call: &call, types: &types, documents }.elements(&mut text, &answer);
            }
        }
    }
    Ok(text)
}

/// One result of an operator in its newest version, on one element of each input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Applied<'a> {
    /// The operator, its attributes and the types.
    pub(crate) check: &'a Check,
    /// The operands' bits.
    pub(crate) operands: &'a [u64],
    /// The bits of what came back.
    pub(crate) actual: u64,
}

impl Applied<'_> {
    /// Adds what it was computed from, what is allowed, the exact value, the numbers next to it, and how far what came
    /// back is from it; nothing where the operator takes no such elements.
    pub(crate) fn explain(&self, documents: &Documents, text: &mut String) {
        let input = |(at, (&dtype, bits)): (usize, (&DType, &u64))| {
            elements::tensor(dtype, self.check.shape(at, &[1]), &[*bits]).ok().map(Some)
        };
        let typed = self.check.operands().iter().zip(self.operands).enumerate();
        let inputs: Option<Vec<_>> = typed.map(input).collect();
        let call = |inputs| {
            let (operator, attributes) = (self.check.operator(), self.check.attributes().clone());
            Call::new(operator, operator.newest(), Specification::Onnx, attributes, inputs).ok()
        };
        let Some((call, types)) = inputs.and_then(call) else { return };
        let allowed = call.operator.reference.allowed(&call, &types);
        let Some(allowed) = allowed.first() else { return };
        let explained = Explained { call: &call, types: &types, documents };
        let actual = Element::Bits(self.check.result(), self.actual.into());
        explained.element(text, &**allowed, (0, 0), None, |_| Some(actual));
    }
}

/// What a conforming implementation does with a case.
const fn expected(expect: Expect) -> &'static str {
    match expect {
        Expect::Values => "values",
        Expect::Refusal => "a refusal: the case lies outside the specification",
        Expect::ValuesOrRefusal => "values, or a refusal",
        Expect::Undecided => "anything: no specification decides",
    }
}

/// What the backend answered.
fn answered(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Outputs(outputs) if outputs.len() == 1 => "one output".to_owned(),
        Outcome::Outputs(outputs) => format!("{} outputs", outputs.len()),
        Outcome::Refused(refusal) => refusal.to_string(),
        Outcome::Crashed { message } => format!("nothing: it crashed ({message})"),
        Outcome::TimedOut(_) => "nothing in time".to_owned(),
        Outcome::Fault { message } => format!("nothing that can be read ({message})"),
    }
}

/// What the backend answered to one data set of a case, and which elements of it are shown.
struct Answer<'a> {
    case: &'a Case,
    set: &'a DataSet,
    outcome: &'a Outcome,
    result: &'a CaseResult,
    /// The coordinates that were asked for.
    element: Option<&'a [usize]>,
}

impl Answer<'_> {
    /// The name that an output has in the result.
    fn name(&self, output: usize) -> String {
        let name = self.case.model.outputs().get(output).map_or("", |port| &port.name);
        self.case.output_name(self.set, name)
    }

    /// The coordinates of the elements that are shown: the one asked for, those that differ most, or the
    /// first few.
    fn chosen(&self, output: usize, shape: &[usize]) -> Vec<Vec<usize>> {
        if let Some(element) = self.element {
            return vec![element.to_vec()];
        }
        let name = self.name(output);
        let compared = self.result.outputs.iter().filter(|compared| compared.name == name);
        let worst = compared.flat_map(|compared| &compared.worst).take(SHOWN);
        let index = |index: &[u64]| index.iter().map(|&at| at as usize).collect();
        let worst: Vec<Vec<usize>> = worst.map(|worst| index(&worst.index)).collect();
        let count = crate::tensor::element_count(shape).unwrap_or(0);
        let first = || (0..count.min(SHOWN)).map(|at| coordinates(at, shape)).collect();
        if worst.is_empty() { first() } else { worst }
    }

    /// Tells the elements of an output, which the text calls by its label, that are shown.
    fn elements(
        &self,
        text: &mut String,
        (output, label): (usize, &str),
        shape: &[usize],
        tell: impl Fn(&mut String, usize),
    ) {
        for index in self.chosen(output, shape) {
            let Some(at) = row_major(&index, shape) else {
                let _ = writeln!(text, "\nThere is no element {index:?} in shape {shape:?}.");
                continue;
            };
            let _ = writeln!(text, "\nelement {index:?} of {label}");
            tell(text, at);
        }
    }

    /// Expected beside actual, of outputs without a reference.
    fn plain_elements(&self, text: &mut String) {
        for (output, value) in self.set.outputs.iter().enumerate() {
            let Value::Tensor(expected) = value else { continue };
            let name = on_one_line(&self.name(output));
            let (label, of) = (format!("`{name}`"), TensorType::of(expected));
            self.elements(text, (output, &label), &of.shape, |text, at| {
                if let Some(expected) = Element::of(expected, at) {
                    line(text, 2, "expected", &described(&expected));
                }
                if let Some(actual) = self.actual(text, output, &of, at) {
                    line(text, 2, "actual", &described(&actual));
                }
            });
        }
    }

    /// The element that came back of an output, which is expected to be of this type; where none did, the text
    /// says what came back instead.
    fn actual(
        &self,
        text: &mut String,
        output: usize,
        of: &TensorType,
        at: usize,
    ) -> Option<Element> {
        let outputs = if let Outcome::Outputs(outputs) = self.outcome { &outputs[..] } else { &[] };
        let instead = match outputs.get(output) {
            Some(Value::Tensor(tensor)) if TensorType::of(tensor) == *of => {
                return Element::of(tensor, at);
            }
            Some(Value::Tensor(tensor)) => TensorType::of(tensor).to_string(),
            Some(value @ (Value::Sequence(_) | Value::Optional(_))) => value.kind().to_owned(),
            None => {
                line(text, 2, "actual", "nothing was returned");
                return None;
            }
        };
        line(text, 2, "actual", &instead);
        line(text, 2, "", &format!("where {of} was expected"));
        None
    }
}

/// A call that the reference knows.
struct Explained<'a> {
    call: &'a Call,
    types: &'a [TensorType],
    documents: &'a Documents,
}

impl Explained<'_> {
    /// Tells the elements of an answer that are shown.
    fn elements(&self, text: &mut String, answer: &Answer<'_>) {
        let allowed = self.call.operator.reference.allowed(self.call, self.types);
        for (output, (allowed, of)) in allowed.iter().zip(self.types).enumerate() {
            let port = self.call.version.output(output).map_or("", |port| port.name);
            answer.elements(text, (output, port), &of.shape, |text, at| {
                let expected = match answer.set.outputs.get(output) {
                    Some(Value::Tensor(tensor)) => Element::of(tensor, at),
                    Some(Value::Sequence(_) | Value::Optional(_)) | None => None,
                };
                let actual = |text: &mut String| answer.actual(text, output, of, at);
                self.element(text, &**allowed, (output, at), expected.as_ref(), actual);
            });
        }
    }

    /// Tells of one element of an output, of what is expected of it, and of what came back, which the last argument
    /// gives or says why there is nothing.
    fn element(
        &self,
        text: &mut String,
        allowed: &dyn Allowed,
        (output, at): (usize, usize),
        expected: Option<&Element>,
        actual: impl FnOnce(&mut String) -> Option<Element>,
    ) {
        let dtype = self.types[output].dtype;
        let operands = allowed.operands(at);
        let given = |(at, input): (usize, &Option<Tensor>)| {
            input.as_ref().and_then(|_| self.call.version.input(at))
        };
        let inputs: Vec<_> = self.call.inputs.iter().enumerate().filter_map(given).collect();
        // One operand of each input, but of a sum those of each term.
        let sources = allowed.sources(at);
        let (names, size): (Vec<&str>, usize) = match &sources {
            Some(sources) => {
                let name = |at: &usize| self.call.version.input(*at).map_or("", |port| port.name);
                let is_paired = sources.contains(&1);
                (sources.iter().map(name).collect(), 1 + usize::from(is_paired))
            }
            None => {
                // Where a result is composed of more than one element of each input, the operands are in no such order.
                let is_composed = self.call.operator.kind == OperatorKind::Composed;
                let are_named = !is_composed || inputs.len() == 1 || operands.len() == inputs.len();
                let name = |port: &&reference::operator::Port| {
                    if are_named { port.name } else { "operand" }
                };
                let names = inputs.iter().map(name).cycle();
                (names.take(operands.len()).collect(), inputs.len().max(1))
            }
        };
        let terms = operands.chunks(size);
        let cut = terms.len().saturating_sub(SHOWN);
        for (name, operand) in names.iter().zip(&operands).take(SHOWN * size) {
            line(text, 2, name, &described(operand));
        }
        if cut > 0 {
            line(text, 2, "", &format!("and {}", counted(cut as u64, "more term")));
        }
        // A decimal digit takes less than 4 bits.
        let real = allowed.real(at, 4 * DIGITS as u32);
        let exact = real.as_ref().map(|real| decimal(&real.enclosure));
        // A truth value is no number in the first place.
        if dtype != DType::Bool {
            line(text, 2, "exact", exact.as_deref().unwrap_or("there is no real result"));
        }
        if let Some(sum) = real.as_ref().and_then(|real| real.sum.as_ref()) {
            line(text, 2, "terms", &sum.terms.to_string());
            line(text, 2, "magnitude", &decimal(&Enclosure::point(sum.magnitude.clone())));
            line(text, 2, "bound", &decimal(&Enclosure::point(sum.bound.clone())));
        }
        let conforming = allowed.at(at);
        if let Some(composed) = real.as_ref().and_then(|real| real.composed.as_ref()) {
            let [least, most] = [&composed.lower, &composed.upper]
                .map(|end| decimal(&Enclosure::point(end.clone())));
            line(text, 2, "steps give", &format!("{least} to {most}"));
            if let Some(width) = width(&conforming) {
                line(text, 2, "width", &format!("{} ULP", grouped(width)));
            }
        }
        if let (Conforming::One(nearest), Some(real)) = (&conforming, &real) {
            for (label, bits) in neighbours(dtype, *nearest, &real.enclosure) {
                line(text, 2, label, &described(&Element::Bits(dtype, bits.into())));
            }
        }
        let conforms = match &conforming {
            Conforming::One(bits) => described(&Element::Bits(dtype, (*bits).into())),
            Conforming::Same(moved) => described(moved),
            other => verdict::allowed(&Element::Bits(dtype, 0), other),
        };
        line(text, 2, "conforms", &conforms);
        let by_body = allowed.function().and_then(|function| function.by_body(dtype, &operands));
        if let Some(given) = &by_body {
            let given = verdict::allowed(&Element::Bits(dtype, 0), given);
            line(text, 2, "body gives", &given);
        }
        let allowed = (allowed, at, [Some(&conforming), by_body.as_ref()]);
        if let Some(expected) = expected {
            self.judged(text, "expected", allowed, expected);
        }
        if let Some(actual) = actual(text) {
            self.judged(text, "actual", allowed, &actual);
        }
        for reading in self.documents.readings() {
            let swept = reading.swept(operands.iter().map(Element::dtype));
            if let Some(dtype) = swept.filter(|dtype| self.is_about(reading, *dtype)) {
                rows(text, reading, dtype, &operands);
            }
        }
    }

    /// An element with its error, and whether it conforms.
    fn judged(
        &self,
        text: &mut String,
        label: &str,
        (allowed, at, given): (&dyn Allowed, usize, [Option<&Conforming>; 2]),
        element: &Element,
    ) {
        let is_number = |dtype: &DType| matches!(dtype.kind(), Kind::Float(_) | Kind::Int { .. });
        let deviation = match element {
            Element::Bits(dtype, bits) if is_number(dtype) => allowed.deviation(at, *bits as u64),
            Element::Bits(..) | Element::String(_) => Deviation::NoRealResult,
        };
        let error = match deviation {
            Deviation::Ulps(ulps) => {
                let unit = match element {
                    Element::Bits(dtype, _) => crate::foundation::text::unit(dtype.name()),
                    Element::String(_) => "",
                };
                format!(", {ulps}{unit} from the exact value")
            }
            Deviation::Unbounded => ", not near the exact value at all".to_owned(),
            Deviation::NoRealResult => String::new(),
        };
        let [conforms, by_body] = given.map(|given| {
            given.is_some_and(|given| given.is_decided() && given.accepts_element(element))
        });
        let share = match element {
            Element::Bits(_, bits) if self.call.operator.kind.is_bounded() => {
                allowed.share(at, *bits as u64).and_then(|share| share.judged(conforms))
            }
            Element::Bits(..) | Element::String(_) => None,
        };
        let share =
            share.map(|share| format!(", {} the bound", share.amount())).unwrap_or_default();
        line(text, 2, label, &format!("{}{share}{error}", described(element)));
        let verdict = match (conforms, by_body) {
            (true, _) => "conforms",
            (false, true) => "does not conform to the function, but ONNX's body gives it",
            (false, false) => "does not conform",
        };
        line(text, 2, "", verdict);
    }

    /// Whether a document's case analysis is about this call's operator on a type.
    fn is_about(&self, reading: Reading<'_>, dtype: DType) -> bool {
        let is_float = |dtype: DType| matches!(dtype.kind(), Kind::Float(_));
        reading.is_about(self.call.operator, &self.call.attributes)
            && reading.section.types.iter().any(|of| is_float(*of) == is_float(dtype))
    }
}

/// How many units in the last place lie between the numbers that conform.
fn width(conforming: &Conforming) -> Option<u64> {
    match conforming {
        Conforming::Within { accumulated, .. } => {
            accumulated.numbers.map(|[least, most]| least.abs_diff(most))
        }
        Conforming::One(_) => Some(0),
        Conforming::OneOf(all) => all.iter().find_map(width),
        _ => None,
    }
}

/// The rows of a reading that apply to the operands, which have the types that its document says.
fn rows(text: &mut String, reading: Reading<'_>, dtype: DType, operands: &[Element]) {
    let datum = |(name, operand): (&&str, &Element)| match operand {
        Element::Bits(of, bits) if *of == reading.type_of(name, dtype) => {
            Datum::of(*of, u64::try_from(*bits).ok()?)
        }
        Element::Bits(..) | Element::String(_) => None,
    };
    let names = reading.operands();
    let data: Option<Vec<Datum>> = names.iter().zip(operands).map(datum).collect();
    let Some(data) = data.filter(|data| data.len() == names.len()) else { return };
    if !reading.speaks_of(&data) {
        return;
    }
    let document = reading.document.key;
    let covering = reading.covering(&data, Equality::Comparison);
    if covering.is_empty() {
        line(text, 2, document, "no row applies");
    }
    for row in covering {
        line(text, 2, document, &format!("{}: {}", reading.describe(row), reading.tag(row)));
    }
}

/// The numbers of the type next to the exact value, of which `nearest` is one; none where the exact
/// value is a number of the type, or `nearest` is no number.
fn neighbours(dtype: DType, nearest: u64, exact: &Enclosure) -> Vec<(&'static str, u64)> {
    let Some(value) = real::value(dtype, nearest) else { return Vec::new() };
    if exact.exact() == Some(&value) {
        return Vec::new();
    }
    let below = value < exact.upper;
    let toward_zero = below == exact.lower.is_negative();
    let step = |bits: u64| match dtype.kind() {
        Kind::Float(_) if toward_zero => bits.checked_sub(1),
        Kind::Float(_) => bits.checked_add(1),
        Kind::Int { bits: width, .. } => {
            let other = if below { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
            Some(other & (u64::MAX >> (64 - width)))
        }
        _ => None,
    };
    match step(nearest) {
        Some(other) if below => vec![("below", nearest), ("above", other)],
        Some(other) => vec![("below", other), ("above", nearest)],
        None => Vec::new(),
    }
}

/// An element as decimal and bits, with its class where it is a float.
fn described(element: &Element) -> String {
    if let Element::Bits(dtype, bits) = element
        && let Kind::Float(format) = dtype.kind()
    {
        let class = format!("{:?}", format.class(*bits as u64)).to_lowercase();
        return format!("{element}, {class}");
    }
    element.to_string()
}

/// An exact value in decimal: all digits where they are few, else the first ones.
fn decimal(value: &Enclosure) -> String {
    let lower = &value.lower;
    if lower.is_zero() {
        return "0".to_owned();
    }
    let ten = Rational::from_integer(10.into());
    let magnitude = lower.abs();
    // The exponent e with 10^e <= magnitude < 10^(e + 1).
    let mut exponent = 0;
    while magnitude >= ten.pow(exponent + 1) {
        exponent += 1;
    }
    while magnitude < ten.pow(exponent) {
        exponent -= 1;
    }
    let scaled = magnitude * ten.pow(DIGITS as i32 - 1 - exponent);
    let mut digits = scaled.to_integer().to_string();
    if scaled.is_integer() {
        digits.truncate(digits.trim_end_matches('0').len());
    }
    let all = scaled.is_integer() && value.exact().is_some();
    let sign = if lower.is_negative() { "-" } else { "" };
    let more = if all { "" } else { "..." };
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match exponent {
        -6..0 => format!("{sign}0.{}{digits}{more}", zeros(-exponent - 1)),
        0 => format!("{sign}{first}{point}{rest}{more}"),
        1..=20 if all && exponent >= length - 1 => {
            format!("{sign}{digits}{}", zeros(exponent + 1 - length))
        }
        1..=20 if exponent < length - 1 => {
            let (whole, fraction) = digits.split_at(exponent.unsigned_abs() as usize + 1);
            format!("{sign}{whole}.{fraction}{more}")
        }
        _ => format!("{sign}{first}{point}{rest}{more} x 10^{exponent}"),
    }
}

/// Adds a line with a label.
pub(crate) fn line(text: &mut String, indent: usize, label: &str, value: &str) {
    let _ = writeln!(text, "{:indent$}{label:<17} {}", "", on_one_line(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotient(a: i64, b: i64) -> String {
        decimal(&Enclosure::point(Rational::new(a.into(), b.into())))
    }

    #[test]
    fn exact_values_are_shown_whole_or_cut_with_a_mark() {
        assert_eq!(quotient(0, 5), "0");
        assert_eq!(quotient(6, 4), "1.5");
        assert_eq!(quotient(-7, 2), "-3.5");
        assert_eq!(quotient(1, 3), "0.3333333333333333333333333...");
        assert_eq!(quotient(300, 1), "300");
        assert_eq!(quotient(1001, 8), "125.125");
        assert_eq!(quotient(-1000, 3), "-333.3333333333333333333333...");
        assert_eq!(quotient(1, 1000), "0.001");
        assert_eq!(quotient(1, 10_000_000), "1 x 10^-7");
    }

    #[test]
    fn an_irrational_root_is_never_shown_as_whole() {
        let root = real::sqrt(&Rational::from_integer(2.into()), 100).unwrap();
        assert_eq!(decimal(&root), "1.414213562373095048801688...");
    }

    #[test]
    fn the_neighbours_enclose_the_exact_value() {
        let third = Enclosure::point(Rational::new(1.into(), 3.into()));
        let single = neighbours(DType::Float32, 0x3eaa_aaab, &third);
        assert_eq!(single, [("below", 0x3eaa_aaaa), ("above", 0x3eaa_aaab)]);
        let minus = Enclosure::point(Rational::new((-1).into(), 3.into()));
        let single = neighbours(DType::Float32, 0xbeaa_aaab, &minus);
        assert_eq!(single, [("below", 0xbeaa_aaab), ("above", 0xbeaa_aaaa)]);
        let int = Enclosure::point(Rational::new((-7).into(), 2.into()));
        assert_eq!(neighbours(DType::Int8, 0xfd, &int), [("below", 0xfc), ("above", 0xfd)]);
        // Divide-1 may round down: the result is then the one below.
        assert_eq!(neighbours(DType::Int8, 0xfc, &int), [("below", 0xfc), ("above", 0xfd)]);
        let half = Enclosure::point(Rational::new(1.into(), 2.into()));
        assert_eq!(neighbours(DType::Float32, 0x3f00_0000, &half), []);
    }
}

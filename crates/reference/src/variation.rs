//! Other inputs for a stated case, which ask the same: each result keeps its class.
//!
//! What is moved is substituted one by one. What is computed is drawn anew in the same binade with as many
//! significant bits, or multiplied by powers of two, and the reference is asked whether each result is still of
//! the same class: an exact one, a tie, next to an end of the format, as hard to round. Elements for which
//! nothing else is found stay. Then they come in another order, of broadcast operands backwards where all of them stay.

mod attributes;
mod draw;
mod result_class;

use std::collections::{BTreeMap, HashMap};

use values::element::Element;
use values::random::Random;
use values::tensor::{Tensor, coordinates, row_major};

use crate::case_spec::CaseSpec;
use crate::elements::{ElementError, tensor_of};
use crate::elementwise::Elementwise;
use crate::exact::Conforming;
use crate::operator::{
    Allowed, Attributes, Call, Invalid, Operator, OperatorKind, Port, Presence, TensorType,
};

use draw::Substitution;
use result_class::{ResultClass, bits_of};

/// The case cannot be varied: as it is stated, it is none.
#[derive(Debug, thiserror::Error)]
pub enum VariationError {
    /// The operator has no such version.
    #[error("{operator} has no version for operator set {opset}")]
    NoVersion {
        /// The operator.
        operator: &'static str,
        /// The operator set.
        opset: i64,
    },
    /// The call is invalid.
    #[error("by the reference the call is invalid")]
    Invalid(#[from] Invalid),
    /// The elements do not make a tensor.
    #[error(transparent)]
    Element(#[from] ElementError),
}

/// The elements of each input.
type Elements = Vec<Vec<Element>>;

/// Draws of elements that are alike, for each place or for whole tensors.
const DRAWS: usize = 12;

/// Trials of powers of two.
const SCALINGS: usize = 4;

/// The case with other elements in inputs and attributes of the same types and shapes, drawn from these numbers. Whether values or a
/// refusal are expected, and how firmly, stays.
pub fn varied(
    operator: &'static Operator,
    spec: &CaseSpec,
    random: &mut Random,
) -> Result<CaseSpec, VariationError> {
    let given = elements_of(&spec.inputs);
    let attributes = match spec.refusal {
        Some(_) => spec.attributes.clone(),
        None => attributes::varied(spec, random)?,
    };
    let inputs = if spec.refusal.is_some() {
        // What refuses does not look at the elements, but for those that are no data.
        let of = |(at, elements): (usize, Vec<Element>)| {
            if !may_differ(operator, spec, at) {
                return elements;
            }
            elements.iter().map(|element| draw::any(element.dtype(), random)).collect()
        };
        given.into_iter().enumerate().map(of).collect()
    } else {
        Varied { operator, spec, random }.inputs(given)?
    };
    Ok(CaseSpec { inputs: tensors_of(&spec.inputs, inputs)?, attributes, ..spec.clone() })
}

/// Whether an input holds data rather than shapes, indices or conditions: it has the type of the output, or is the
/// first one and may have any.
fn is_data(operator: &Operator, spec: &CaseSpec, at: usize) -> bool {
    let version = operator.version(spec.opset);
    let variable = version.and_then(|version| version.output(0)).map(|port| port.variable);
    let input = version.and_then(|version| version.input(at));
    let is_any = |port: &Port| at == 0 && port.types.len() > 1;
    let is_control = version.is_some_and(|version| operator.reference.is_control(version, at));
    !is_control && input.is_none_or(|port| Some(port.variable) == variable || is_any(port))
}

/// Whether the shapes of the outputs do not follow from the elements of an input.
fn may_differ(operator: &Operator, spec: &CaseSpec, at: usize) -> bool {
    let elementwise = operator.reference.elementwise(spec.specification, &Attributes::new());
    elementwise.is_some() || is_data(operator, spec, at)
}

fn elements_of(tensors: &[Option<Tensor>]) -> Elements {
    let of = |tensor: &Option<Tensor>| -> Vec<Element> {
        let tensor = tensor.iter();
        let all = |tensor| (0..).map_while(move |at| Element::of(tensor, at));
        tensor.flat_map(all).collect()
    };
    tensors.iter().map(of).collect()
}

/// Tensors like these of other elements.
fn tensors_of(
    like: &[Option<Tensor>],
    elements: Elements,
) -> Result<Vec<Option<Tensor>>, ElementError> {
    let of = |(like, elements): (&Option<Tensor>, Vec<Element>)| {
        like.as_ref().map(|like| tensor_of(like.dtype(), like.shape(), elements)).transpose()
    };
    like.iter().zip(elements).map(of).collect()
}

struct Varied<'a> {
    operator: &'static Operator,
    spec: &'a CaseSpec,
    random: &'a mut Random,
}

impl Varied<'_> {
    fn inputs(mut self, given: Elements) -> Result<Elements, VariationError> {
        if self.operator.kind == OperatorKind::Composed {
            return self.composed(given);
        }
        let (call, types) = self.call(self.spec.inputs.clone())?;
        let every: Vec<usize> = (0..given.len()).collect();
        if every.iter().all(|&at| call.operator.reference.is_control(call.version, at)) {
            return self.scaled(given, &every);
        }
        let outputs = call.operator.reference.allowed(&call, &types);
        // Whether something is so of all results, of which there have to be some.
        let are_all = |test: &dyn Fn(&dyn Allowed, usize) -> bool| {
            let counts = types.iter().map(|output| output.shape.iter().product::<usize>());
            let counts_some = counts.clone().any(|count| count > 0);
            let mut all = outputs.iter().zip(counts);
            counts_some
                && all.all(|(allowed, count)| (0..count).all(|at| test(allowed.as_ref(), at)))
        };
        let has_function = outputs.iter().any(|allowed| allowed.function().is_some());
        let is_moved = are_all(&|allowed, at| matches!(allowed.at(at), Conforming::Same(_)));
        // Of an operator that moves elements as its attributes say, all of them are alike.
        if is_moved && !has_function {
            let others = self.substituted(given);
            let shuffled = self.data_in_any_order(others.clone());
            // Two that go to the same place may have to be equal.
            let is_moved = self.are_all(&shuffled, &mut |_, class| class.is_moved())?;
            return Ok(if is_moved { shuffled } else { others });
        }
        // What tells of shapes does not look at the elements.
        if !has_function && are_all(&|allowed, at| allowed.operands(at).is_empty()) {
            // Lists and indices say what the shapes are.
            let data: Vec<usize> =
                every.into_iter().filter(|&at| is_data(self.operator, self.spec, at)).collect();
            let mut others = given.clone();
            for &at in &data {
                others[at].iter_mut().for_each(|it| *it = draw::alike(it, self.random));
            }
            return if others == given { self.scaled(given, &data) } else { Ok(others) };
        }
        let ([output], [allowed]) = (types.as_slice(), outputs.as_slice()) else {
            let others = self.as_a_whole(given)?;
            return Ok(self.first_in_any_order(others, &types));
        };
        // Rows and columns are those of two matrices; other sums have places of their own.
        let is_product = matches!(call.version.inputs, [a, b] if a.variable == b.variable);
        // The terms of a place are the elements that a list of tensors has there.
        let is_list = matches!(call.version.inputs, [list] if list.presence == Presence::Variadic);
        let mut inputs = self.spec.inputs.iter().flatten();
        let are_of_one_shape = inputs.all(|it| it.shape() == output.shape);
        match allowed.function() {
            Some(_) if is_moved => {
                let others = self.substituted(given);
                Ok(if are_of_one_shape { self.in_any_order(&others) } else { others })
            }
            Some(function) if are_of_one_shape => {
                let others = self.place_by_place(function, output, &given);
                Ok(self.in_any_order(&others))
            }
            function => {
                let others = self.as_a_whole(given.clone())?;
                if self.operator.kind == OperatorKind::Accumulated && is_product {
                    return Ok(self.rows_in_any_order(&others));
                }
                if is_list && are_of_one_shape {
                    return Ok(self.in_any_order(&others));
                }
                if function.is_none() {
                    return Ok(self.first_in_any_order(others, &types));
                }
                // However the operands are broadcast, the same results come backwards.
                let are_reversed = others == given;
                Ok(if are_reversed { reversed(given) } else { others })
            }
        }
    }

    /// Other elements of what is composed of several operations, or those of the first input that has such in another order along
    /// one of its dimensions, which gives as many results of each class.
    fn composed(&mut self, given: Elements) -> Result<Elements, VariationError> {
        let others = self.as_a_whole(given.clone())?;
        if others != given {
            return Ok(others);
        }
        let (operator, spec) = (self.operator, self.spec);
        let version = operator.version(spec.opset);
        let is_control = |at| version.is_some_and(|it| operator.reference.is_control(it, at));
        let in_order = |mut all: Vec<ResultClass>| {
            all.sort();
            all
        };
        let wanted = in_order(self.classes(&given)?);
        for (at, tensor) in spec.inputs.iter().enumerate() {
            let Some(tensor) = tensor.as_ref().filter(|_| !is_control(at)) else { continue };
            let shape = tensor.shape();
            for axis in self.order(shape.len()) {
                let order = self.order(shape[axis]);
                let mut others = given.clone();
                others[at] = along(shape, axis, &order, &given[at]);
                if others != given && in_order(self.classes(&others)?) == wanted {
                    return Ok(others);
                }
            }
        }
        Ok(given)
    }

    /// The elements of these inputs multiplied by the same, or those of one of them: there are as many results, each
    /// of its class.
    fn scaled(&mut self, given: Elements, inputs: &[usize]) -> Result<Elements, VariationError> {
        let (shapes, wanted) = (self.shapes(&given)?, self.classes(&given)?);
        for of in std::iter::once(inputs).chain(inputs.iter().map(std::slice::from_ref)) {
            for _ in 0..SCALINGS {
                let by = draw::distance(self.random);
                let mut others = given.clone();
                for &at in of {
                    others[at].iter_mut().for_each(|it| *it = draw::scaled(it, by));
                }
                let is_alike = others != given
                    && self.shapes(&others).is_ok_and(|others| others == shapes)
                    && self.are_all(&others, &mut |at, class| class == wanted[at])?;
                if is_alike {
                    return Ok(others);
                }
            }
        }
        Ok(given)
    }

    fn shapes(&self, elements: &Elements) -> Result<Vec<Vec<usize>>, VariationError> {
        let (_, types) = self.call(tensors_of(&self.spec.inputs, elements.clone())?)?;
        Ok(types.into_iter().map(|output| output.shape).collect())
    }

    /// The classes of all results, place by place.
    fn classes(&self, elements: &Elements) -> Result<Vec<ResultClass>, VariationError> {
        let mut all = Vec::new();
        self.are_all(elements, &mut |_, class| {
            all.push(class);
            true
        })?;
        Ok(all)
    }

    fn call(&self, inputs: Vec<Option<Tensor>>) -> Result<(Call, Vec<TensorType>), VariationError> {
        let CaseSpec { opset, specification, attributes, .. } = self.spec;
        let name = self.operator.name;
        let unknown = || VariationError::NoVersion { operator: name, opset: *opset };
        let version = self.operator.version(*opset).ok_or_else(unknown)?;
        let attributes = attributes.iter().cloned().collect();
        let (operator, specification) = (self.operator, *specification);
        let asked = self.spec.requested();
        Ok(Call::asking_for(&asked, operator, version, specification, attributes, inputs)?)
    }

    /// Elements that are moved, substituted by others; what chooses among them stays.
    fn substituted(&mut self, given: Elements) -> Elements {
        let substitution = Substitution::drawn(self.random);
        let inputs = given.into_iter().enumerate().map(|(at, elements)| {
            let chooses = !is_data(self.operator, self.spec, at);
            if chooses { elements } else { elements.iter().map(|it| substitution.of(it)).collect() }
        });
        inputs.collect()
    }

    /// The elements of each input that holds data in another order.
    fn data_in_any_order(&mut self, mut given: Elements) -> Elements {
        for (at, elements) in given.iter_mut().enumerate() {
            if is_data(self.operator, self.spec, at) {
                let order = self.order(elements.len());
                *elements = order.iter().map(|&from| elements[from].clone()).collect();
            }
        }
        given
    }

    /// The operands of each place, replaced where the result keeps its class: the same ones everywhere by the
    /// same others, so that what differs still does.
    fn place_by_place(
        &mut self,
        function: &dyn Elementwise,
        output: &TensorType,
        given: &Elements,
    ) -> Elements {
        let class = |operands: &[Element]| {
            let real = function.real(output.dtype, operands, bits_of(output.dtype));
            let conforming = function.conforming(output.dtype, operands);
            ResultClass::of(output.dtype, &conforming, real.as_ref())
                .told_apart_by(Some(function), operands)
        };
        let count = given.first().map_or(0, Vec::len);
        let mut known: BTreeMap<Vec<Key>, Vec<Element>> = BTreeMap::new();
        let mut others: Elements = given.iter().map(|_| Vec::with_capacity(count)).collect();
        for at in 0..count {
            let operands: Vec<Element> =
                given.iter().filter_map(|it| it.get(at).cloned()).collect();
            let key = operands.iter().map(key).collect();
            let replaced =
                known.entry(key).or_insert_with(|| self.replaced(&operands, class)).clone();
            others.iter_mut().zip(replaced).for_each(|(input, element)| input.push(element));
        }
        others
    }

    /// Other operands with a result of the same class, or the same ones.
    fn replaced(
        &mut self,
        operands: &[Element],
        class: impl Fn(&[Element]) -> ResultClass,
    ) -> Vec<Element> {
        let wanted = class(operands);
        let fits = |drawn: &Vec<Element>| drawn != operands && class(drawn).stands_for(&wanted);
        let draws = if wanted.is_rare() { 0 } else { DRAWS };
        for attempt in 0..draws {
            // In the end one of them alone.
            let alone = attempt.checked_sub(draws / 2).map(|it| it % operands.len());
            let draw = |(at, element): (usize, &Element)| match alone {
                Some(alone) if alone != at => element.clone(),
                _ => draw::alike(element, self.random),
            };
            let drawn: Vec<Element> = operands.iter().enumerate().map(draw).collect();
            if fits(&drawn) {
                return drawn;
            }
        }
        for attempt in 0..SCALINGS {
            // Quotients stay where both grow, products where one shrinks.
            let by = draw::distance(self.random);
            let by = match attempt {
                0 => [by, by],
                1 => [by, -by],
                // Roots stay where the exponent is moved by an even number.
                2 => [2 * by, 2 * by],
                _ => [by, draw::distance(self.random)],
            };
            let scale = |(element, by): (&Element, i64)| match draw::is_fixed(element) {
                true => element.clone(),
                false => draw::scaled(element, by),
            };
            let by = by.into_iter().chain(std::iter::repeat(by[1]));
            let drawn: Vec<Element> = operands.iter().zip(by).map(scale).collect();
            if fits(&drawn) {
                return drawn;
            }
        }
        operands.to_vec()
    }

    /// All elements replaced at once, or those of one input: where an element is an operand of many results,
    /// all of these have to keep their class.
    fn as_a_whole(&mut self, given: Elements) -> Result<Elements, VariationError> {
        let wanted = self.classes(&given)?;
        let last = given.len().saturating_sub(1);
        let mut attempts = Vec::new();
        for only in [None, Some(0), Some(last)] {
            attempts.extend(vec![(only, false); SCALINGS]);
        }
        for only in [Some(last), Some(0)] {
            attempts.extend(vec![(only, true); SCALINGS]);
        }
        for (only, is_scaled) in attempts {
            let by = draw::distance(self.random);
            let mut known = BTreeMap::new();
            let drawn: Elements = (given.iter().enumerate())
                .map(|(input, elements)| {
                    let is_kept = !may_differ(self.operator, self.spec, input);
                    if is_kept || only.is_some_and(|only| only != input) {
                        return elements.clone();
                    }
                    let mut other = |element: &Element| {
                        let draw = || match is_scaled {
                            true => draw::scaled(element, by),
                            false => draw::alike(element, self.random),
                        };
                        known.entry(key(element)).or_insert_with(draw).clone()
                    };
                    elements.iter().map(&mut other).collect()
                })
                .collect();
            if drawn == given {
                continue;
            }
            if self.are_all(&drawn, &mut |at, class| class.stands_for(&wanted[at]))? {
                return Ok(drawn);
            }
        }
        Ok(given)
    }

    /// Whether each result is of a class that the test accepts at its place; the places of one output follow those of
    /// the output before.
    fn are_all(
        &self,
        elements: &Elements,
        test: &mut dyn FnMut(usize, ResultClass) -> bool,
    ) -> Result<bool, VariationError> {
        let (call, types) = self.call(tensors_of(&self.spec.inputs, elements.clone())?)?;
        let outputs = call.operator.reference.allowed(&call, &types);
        let mut first = 0;
        let is_sum = self.operator.kind == OperatorKind::Accumulated;
        let is_composed = self.operator.kind == OperatorKind::Composed;
        for (output, allowed) in types.iter().zip(&outputs) {
            let is_of_operands = is_sum || allowed.function().is_some();
            let count: usize = output.shape.iter().product();
            let mut known: HashMap<Vec<Key>, ResultClass> = HashMap::new();
            let are_all = (0..count).all(|at| {
                if is_composed {
                    let class = ResultClass::of(output.dtype, &allowed.at(at), None);
                    return test(first + at, class.roughly());
                }
                let operands = allowed.operands(at);
                let class = || {
                    let real = allowed.real(at, bits_of(output.dtype));
                    ResultClass::of(output.dtype, &allowed.at(at), real.as_ref())
                        .told_apart_by(allowed.function(), &operands)
                        .where_exact_roughly()
                };
                // Of elements that are not computed from their operands alone each has a class of its own.
                if !is_of_operands {
                    return test(first + at, class());
                }
                let keys: Vec<Key> = operands.iter().map(key).collect();
                test(first + at, known.entry(keys).or_insert_with(class).clone())
            });
            if !are_all {
                return Ok(false);
            }
            first += count;
        }
        Ok(true)
    }

    /// The places of all inputs in another order, which is the same for each.
    fn in_any_order(&mut self, given: &Elements) -> Elements {
        let count = given.first().map_or(0, Vec::len);
        let order = self.order(count);
        let ordered = |elements: &Vec<Element>| -> Vec<Element> {
            order.iter().filter_map(|&at| elements.get(at).cloned()).collect()
        };
        given.iter().map(ordered).collect()
    }

    /// The elements of the first input in another order, where each gives a result that is rounded, and all of the
    /// other inputs are single ones.
    fn first_in_any_order(&mut self, mut given: Elements, types: &[TensorType]) -> Elements {
        let [first, others @ ..] = given.as_mut_slice() else { return given };
        let shape = self.spec.inputs.iter().flatten().map(Tensor::shape).next();
        let has_a_result_each = types.first().map(|output| output.shape.as_slice()) == shape
            && others.iter().all(|elements| elements.len() <= 1);
        if self.operator.kind == OperatorKind::Rounded && has_a_result_each {
            let order = self.order(first.len());
            *first = order.iter().filter_map(|&from| first.get(from).cloned()).collect();
        }
        given
    }

    /// The numbers below a count in an order that is drawn (Fisher and Yates).
    fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            order.swap(at, self.random.below(at as u64 + 1) as usize);
        }
        order
    }

    /// The factors of sums of products: the rows of the first and the columns of the last input in another order,
    /// and the terms backwards or as they are.
    fn rows_in_any_order(&mut self, given: &Elements) -> Elements {
        let last = given.len().saturating_sub(1);
        let shapes: Vec<&[usize]> = self.spec.inputs.iter().flatten().map(Tensor::shape).collect();
        let ordered =
            |random: &mut Self, elements: &Elements, input: usize, axis: Option<usize>| {
                let size = axis.and_then(|axis| shapes.get(input)?.get(axis));
                size.map(|&size| random.order(size)).zip(axis).map_or_else(
                    || elements.get(input).cloned().unwrap_or_default(),
                    |(order, axis)| along(shapes[input], axis, &order, &elements[input]),
                )
            };
        let rank = |input: usize| shapes.get(input).map_or(0, |shape| shape.len());
        let mut others = given.clone();
        if rank(0) > 2 && shapes[0] == shapes[last] {
            let order = self.order(shapes[0][0]);
            for input in [0, last] {
                others[input] = along(shapes[input], 0, &order, &others[input]);
            }
        }
        others[0] = ordered(self, &others, 0, rank(0).checked_sub(2));
        others[last] = ordered(self, &others, last, rank(last).checked_sub(1).filter(|it| *it > 0));
        if self.random.bits() & 1 == 1 {
            for (input, axis) in [(0, rank(0) - 1), (last, rank(last).saturating_sub(2))] {
                let order: Vec<usize> = (0..shapes[input][axis]).rev().collect();
                others[input] = along(shapes[input], axis, &order, &others[input]);
            }
        }
        others
    }
}

/// The elements of each input backwards.
fn reversed(given: Elements) -> Elements {
    given.into_iter().map(|elements| elements.into_iter().rev().collect()).collect()
}

/// The elements of a tensor with one axis in another order.
fn along(shape: &[usize], axis: usize, order: &[usize], elements: &[Element]) -> Vec<Element> {
    let source = |at: usize| {
        let mut index = coordinates(at, shape);
        index[axis] = order[index[axis]];
        row_major(&index, shape)
    };
    (0..elements.len()).filter_map(|at| elements.get(source(at)?).cloned()).collect()
}

/// What elements are told apart by.
type Key = (u128, Vec<u8>);

fn key(element: &Element) -> Key {
    match element {
        Element::Bits(_, bits) => (*bits, Vec::new()),
        Element::String(text) => (0, text.to_vec()),
    }
}

#[cfg(test)]
mod tests;

//! LSTM, step by step.

use super::arithmetic::Arithmetic;
use super::reducing::invalid;
use super::span::Span;
use super::{Between, Enclosed, NotKnown, Rule, Site};
use crate::families::recurrent::operands::{B, Form, INITIAL_C, INITIAL_H, P, Plan, R, W, X};

pub(super) fn rule(operator: &str) -> Option<Rule> {
    (operator == "LSTM").then_some(lstm)
}

const FORM: Form = Form { gates: 4, functions: &["Sigmoid", "Tanh", "Tanh"], has_cell: true };

/// How far activation functions may be off, in ULP, as the reference has it where no text states it.
const ULPS: f64 = 5.0;

/// The most products that are computed.
const MOST: u128 = 1 << 28;

fn lstm(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let plan = Plan::of(site.call, FORM).map_err(invalid)?;
    let has_default = site
        .call
        .texts("activations")
        .is_none_or(|names| names.chunks(3).all(|names| names == FORM.functions));
    let is_coupled = site.call.int("input_forget").unwrap_or(0) != 0;
    if !has_default || plan.clip.is_some() || is_coupled || site.operand(P).is_some() {
        return Err(NotKnown::because("it has other functions or weights than a plain LSTM"));
    }
    if (0..plan.batch).any(|sequence| plan.length(sequence) != plan.steps) || plan.steps == 0 {
        return Err(NotKnown::because("its sequences end at different steps"));
    }
    if plan.products() > MOST {
        return Err(NotKnown::because("it takes too many products"));
    }
    let all = site.all_between()?;
    let of = |get: fn(&Between) -> &[Span]| -> Vec<&[Span]> {
        all.iter().map(|it| it.as_ref().map_or(&[][..], |it| get(it))).collect()
    };
    let exact = run(&site.exactly(), &plan, &of(|it| &it.exact));
    let allowed = run(&site.rounding(), &plan, &of(|it| &it.allowed));
    let asked = (0..3).filter(|at| site.call.asks_for(*at)).enumerate();
    let outputs =
        asked.map(|(place, at)| site.enclosed(place, exact[at].clone(), allowed[at].clone()));
    outputs.collect()
}

/// The outputs Y, Y_h and Y_c.
fn run(by: &Arithmetic<'_>, plan: &Plan, operands: &[&[Span]]) -> [Vec<Span>; 3] {
    let operand = |at: usize| operands.get(at).copied().unwrap_or_default();
    let (hidden, inputs, directions) = (plan.hidden, plan.inputs, plan.directions.len());
    let elements = plan.steps * directions * plan.batch * hidden;
    let states = directions * plan.batch * hidden;
    let [mut all, mut last_h, mut last_c] =
        [elements, states, states].map(|count| vec![Span::UNKNOWN; count]);
    // Where each element of Y lies, by step, direction, sequence and unit.
    let at_y = |[step, direction, sequence, unit]: [usize; 4]| match plan.is_batch_first {
        true => ((sequence * plan.steps + step) * directions + direction) * hidden + unit,
        false => ((step * directions + direction) * plan.batch + sequence) * hidden + unit,
    };
    for (direction, is_reverse) in plan.directions.iter().enumerate() {
        let rows = direction * 4 * hidden;
        for sequence in 0..plan.batch {
            let from = plan.at_state(direction, sequence);
            let state = |at: usize| -> Vec<Span> {
                let given = operand(at).get(from..from + hidden);
                given.map_or_else(|| vec![Span::ZERO; hidden], <[Span]>::to_vec)
            };
            let [mut h, mut c] = [state(INITIAL_H), state(INITIAL_C)];
            for step in 0..plan.steps {
                let step = if *is_reverse { plan.steps - 1 - step } else { step };
                let x = plan.at_step(step, sequence);
                let x = &operand(X)[x..x + inputs];
                let gate = |gate: usize, unit: usize| {
                    let row = rows + gate * hidden + unit;
                    let own = operand(W)[row * inputs..].iter().zip(x);
                    let recurrent = operand(R)[row * hidden..].iter().zip(&h);
                    let products = own.chain(recurrent).map(|(weight, it)| by.mul(*weight, *it));
                    let biases =
                        [2 * rows + gate * hidden + unit, 2 * rows + (4 + gate) * hidden + unit];
                    let biases = biases.into_iter().filter_map(|at| operand(B).get(at).copied());
                    by.sum(products.chain(biases), 0)
                };
                let function = |name: &str, x: Span| by.function(name, x, ULPS);
                let (mut next_h, mut next_c) = (Vec::new(), Vec::new());
                for (unit, before) in c.iter().enumerate() {
                    let [input, output, forget] =
                        [0, 1, 2].map(|of| function("Sigmoid", gate(of, unit)));
                    let new = function("Tanh", gate(3, unit));
                    let cell = by.add(by.mul(forget, *before), by.mul(input, new));
                    next_h.push(by.mul(output, function("Tanh", cell)));
                    next_c.push(cell);
                }
                (h, c) = (next_h, next_c);
                for (unit, own) in h.iter().enumerate() {
                    all[at_y([step, direction, sequence, unit])] = *own;
                }
            }
            last_h[from..from + hidden].copy_from_slice(&h);
            last_c[from..from + hidden].copy_from_slice(&c);
        }
    }
    [all, last_h, last_c]
}

//! The sum of the products that make an element, whatever the order in which they are multiplied and added up.

use super::plan::{Plan, Reading};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::families::computation::value;

/// A product of an element, its weights along the dimensions, its mask and the weight of the kernel.
struct Product {
    value: Computed,
    /// The same without any rounding but that of the weights along the dimensions; none where a factor is no number.
    unrounded: Option<Interval>,
    /// How many of its factors are not 1.
    factors: u32,
    /// What the errors of underflow in any order are at most, in halves of the smallest number.
    underflow: Interval,
    /// What the products of some of its factors are at most.
    greatest: Interval,
}

impl Plan<'_> {
    /// The element at an index, computed to so many bits.
    pub(super) fn element(&self, index: usize, bits: u32, reading: Reading) -> Computed {
        let by = Arithmetic::of(self.format, bits);
        let mut products: Vec<Product> = Vec::new();
        let mut may_be_nan = false;
        for tap in self.all_taps(index) {
            let w = value(self.w, tap.weight, bits);
            let mask = self.mask.map_or_else(|| by.integer(1), |it| value(it, tap.mask, bits));
            // No text says whether zeros are multiplied by these.
            may_be_nan |= !is_number(&w) || !is_number(&mask);
            let samples = self.samples(index, tap.channel, bits, reading);
            let samples = match samples.as_ref() {
                Ok(samples) => samples,
                Err(reason) => return Computed::open(Exact::Undefined, reason),
            };
            for (place, weight, factors) in samples.get(tap.at).into_iter().flatten() {
                let x = value(self.x, tap.channel + place, bits);
                let is_idle = weight.numbers.as_ref().is_some_and(Interval::is_zero);
                if !(is_idle && [&x, &mask, &w].iter().all(|it| is_number(it))) {
                    products.push(product(&by, (weight, *factors), [&x, &mask, &w]));
                }
            }
        }
        let bias = self.bias.map(|bias| value(bias, self.channel(index), bits));
        let mut sum = sum(&by, &mut products, bias.as_ref());
        sum.nan |= may_be_nan;
        // A zero has the sign of what is added up, or that of a sum with what has no weight.
        if sum.numbers.as_ref().is_some_and(Interval::has_zero) {
            sum.signs = [true; 2];
        }
        sum
    }
}

fn is_number(value: &Computed) -> bool {
    value.numbers.is_some() && value.is_finite()
}

/// The product of a weight, so many factors of which are not 1, and of an element, its mask and the weight of the kernel.
fn product(by: &Arithmetic, (weight, own): (&Computed, u32), others: [&Computed; 3]) -> Product {
    let bits = by.bits();
    let one = || Interval::integer(1, bits);
    let mut product = others.iter().fold(weight.clone(), |so_far, other| by.mul(&so_far, other));
    let has_zero = weight.numbers.as_ref().is_some_and(Interval::has_zero);
    if has_zero && others.iter().any(|other| !is_number(other)) {
        // What has no weight may be left out.
        let is_idle = weight.exact_number().is_some_and(Interval::is_zero);
        let exact = if is_idle { by.integer(0).exact } else { product.exact.clone() };
        product = Computed { exact, ..product.or(&by.integer(0)) };
    }
    let numbers = || others.iter().chain([&weight]).filter_map(|it| it.numbers.as_ref());
    let unrounded =
        (numbers().count() == 4).then(|| numbers().fold(one(), |so_far, it| so_far * it));
    let is_one = |it: &&Interval| it.abs().is_same(&one());
    let of_others = others.iter().filter_map(|it| it.numbers.as_ref());
    let factors = own + of_others.filter(|it| !is_one(it)).count() as u32;
    // The product of all factors beyond 1 in magnitude, and that of all below it.
    let of = |is_meant: &dyn Fn(&Interval) -> Interval| {
        numbers().fold(one(), |so_far, it| so_far * is_meant(&it.abs()))
    };
    let least_one = |it: &Interval| match (it.upper() - one()).is_positive() {
        true => it.upper(),
        false => one(),
    };
    let greatest = of(&least_one).upper();
    let least = of(&|it| it.at_most(&one()).lower()).lower();
    let is_zero = unrounded.as_ref().is_none_or(Interval::is_zero);
    let underflow = match !is_zero && (least - by.smallest_normal()).is_negative() {
        true => &greatest * &Interval::integer(factors.into(), bits),
        false => Interval::integer(0, bits),
    };
    Product { value: product, unrounded, factors, underflow, greatest }
}

/// The sum of products and a bias, in any order.
fn sum(by: &Arithmetic, products: &mut [Product], bias: Option<&Computed>) -> Computed {
    let bits = by.bits();
    let add = |products: &[Product]| {
        let terms: Vec<Computed> =
            products.iter().map(|product| product.value.clone()).chain(bias.cloned()).collect();
        by.sum(&terms)
    };
    let first = add(products);
    let is_exact = first.numbers.as_ref().is_some_and(Interval::is_point);
    let is_zero = |it: &&Product| it.unrounded.as_ref().is_some_and(Interval::is_zero);
    let several = products.iter().filter(|it| !is_zero(it)).count() + usize::from(bias.is_some());
    // Elements may be added up before they are multiplied, and multiplied in another order: each product has as many roundings
    // as it has factors that are not 1, but one.
    let mut underflow = Interval::integer(0, bits);
    for product in products.iter_mut() {
        let count = product.factors.saturating_sub(1);
        if count == 0 || count == 1 && several <= 1 {
            continue;
        }
        underflow = underflow + &product.underflow;
        let Some(gamma) = by.gamma(count).filter(|_| !is_exact) else { continue };
        if let (Some(numbers), Some(unrounded)) = (&mut product.value.numbers, &product.unrounded) {
            let margin = unrounded.abs().upper() * &gamma;
            *numbers = numbers.hull(&unrounded.widened(&margin));
        }
    }
    let mut sum = if is_exact { first } else { add(products) };
    let underflow = underflow * by.half_smallest();
    if !underflow.is_zero() {
        sum.numbers = sum.numbers.map(|numbers| numbers.widened(&underflow.upper()));
    }
    let greatest = products.iter().fold(Interval::integer(0, bits), |sum, own| sum + &own.greatest);
    let is_wide = |product: &Product| product.factors > if several > 1 { 1 } else { 2 };
    if products.iter().any(is_wide)
        && by.converted(&Computed::number(greatest)).infinities != [false; 2]
    {
        sum.infinities = [true; 2];
        sum.nan = true;
    }
    sum
}

//! Numbers that are written as texts, as inputs of conversions from strings: those that are hardest to read, and
//! random ones. A float is hardest to read from a decimal that is at a tie of it and the next one, or beside it by a
//! digit that comes after all others.

use num_bigint::BigUint;
use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::{FloatFormat, Specials};
use values::random::Random;

use super::around_two_powers;
use crate::elementwise::Inputs;
use crate::exact::number::{Int, Value, largest, smallest_exponent};
use crate::inputs::patterns::exponents;
use crate::inputs::texts::{SINGLE, element};
use crate::inputs::{Column, Elements, Part, Parts, Space, Stratified};

/// Texts that are converted: numbers, where those are what they become.
pub(crate) const INPUTS: Inputs = Inputs { hard, stratified };

/// What is read from texts.
enum Read {
    Float(&'static FloatFormat),
    Int(Int),
}

impl Read {
    /// None where it is left open what becomes of a text, or where it stays one.
    const fn of(to: DType) -> Option<Self> {
        match to.kind() {
            Kind::Float(format) => match format.specials {
                Specials::Finite | Specials::ExponentOnly => None,
                _ => Some(Self::Float(format)),
            },
            Kind::Int { signed, bits } => Some(Self::Int(Int { signed, bits })),
            Kind::Bool | Kind::Complex(_) | Kind::String => None,
        }
    }
}

fn hard(from: &[DType], to: DType) -> Option<Parts> {
    Some(match Read::of(to) {
        Some(Read::Float(format)) => {
            let numbers = to_read(format);
            // The last is the largest: what becomes of texts beyond it is not said.
            let len = 2 * (numbers.len() as u64 * Form::ALL.len() as u64 - Form::TIES);
            vec![
                ("words", listed(words(format))),
                (
                    "numbers",
                    Box::new(Elements::new(len, move |at| [hard_float(format, &numbers, at)])),
                ),
            ]
        }
        Some(Read::Int(int)) => {
            let texts = integers(int).into_iter().map(|value| value.to_string());
            let (plain, zeros): (Vec<_>, Vec<_>) =
                texts.map(|text| (text.clone(), after_zeros(&text))).unzip();
            vec![("integers", listed(plain)), ("zeros before", listed(zeros))]
        }
        None if to == DType::String => return (SINGLE.hard)(from, to),
        None => return None,
    })
}

fn stratified(from: &[DType], to: DType, count: u64, seed: u64) -> Option<Box<dyn Space>> {
    match Read::of(to) {
        // They are less than one stratum.
        Some(Read::Int(int)) if int.bits < 8 => {
            let any = move |at| {
                [element(int.value(Random::at(seed, at).bits() & int.wrap(-1)).to_string())]
            };
            Some(Box::new(Elements::new(count, any)))
        }
        Some(read) => Some(Box::new(Near {
            read,
            numbers: Stratified::new(to, 1, true, count, seed)?,
            to,
            seed,
        })),
        None if to == DType::String => (SINGLE.stratified)(from, to, count, seed),
        None => None,
    }
}

fn listed(texts: Vec<String>) -> Box<dyn Space> {
    Box::new(Elements::new(texts.len() as u64, move |at| [element(&*texts[at as usize])]))
}

/// The words that stand for what is no number, in every case of their letters. Of floats of 8 bits it is not said what becomes of
/// infinities.
fn words(format: &FloatFormat) -> Vec<String> {
    let cases = |word: &'static str| {
        (0..1_u32 << word.len()).map(move |upper| {
            let letter = |(at, letter): (usize, char)| {
                if upper >> at & 1 == 1 { letter.to_ascii_uppercase() } else { letter }
            };
            word.chars().enumerate().map(letter).collect::<String>()
        })
    };
    let infinities = cases("inf").flat_map(|word| [format!("+{word}"), word]);
    let infinities = infinities.chain(["-INF".to_owned()]);
    cases("nan").chain(infinities.filter(|_| format.width() > 8)).collect()
}

/// The integers of a type that are hardest to convert: all of up to 8 bits.
fn integers(int: Int) -> Vec<i128> {
    let all = if int.bits <= 8 { (0..1 << int.bits).collect() } else { around_two_powers(int) };
    all.into_iter().map(|bits| int.value(bits)).collect()
}

fn after_zeros(text: &str) -> String {
    text.strip_prefix('-').map_or_else(|| format!("00{text}"), |size| format!("-00{size}"))
}

/// The magnitudes of which the texts are: all of up to 16 bits, of wider formats seven of every exponent.
fn to_read(format: &FloatFormat) -> Vec<u64> {
    if format.width() <= 16 {
        return (0..=largest(format)).collect();
    }
    let (one, half) = (1_u64 << format.significand_bits, 1 << (format.significand_bits - 1));
    let fields = [0, 1, half - 1, half, half + 1, one - 2, one - 1];
    let exponents = 0..exponents(format);
    exponents
        .flat_map(|exponent| fields.map(|field| exponent << format.significand_bits | field))
        .collect()
}

/// What of a number is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// The number, in all its digits.
    Exact,
    /// The shortest decimal that is nearer to it than to any other number.
    Shortest,
    /// The middle between it and the next number.
    Tie,
    /// What is below that by one in the third digit after its last.
    BelowTie,
    /// What is above it by as much.
    AboveTie,
}

impl Form {
    const ALL: [Self; 5] = [Self::Exact, Self::Shortest, Self::Tie, Self::BelowTie, Self::AboveTie];
    /// How many of them are beyond the number, the last ones.
    const TIES: u64 = 3;
}

fn hard_float(format: &FloatFormat, numbers: &[u64], index: u64) -> Element {
    let forms = Form::ALL.len() as u64;
    let (negative, index) = (index & 1 == 1, index >> 1);
    let number = (index / forms) as usize;
    let (bits, form) = (numbers[number], Form::ALL[(index % forms) as usize]);
    let tie = || Decimal::of_tie(format, bits);
    let decimal = match form {
        Form::Exact => Decimal::of(format, bits),
        Form::Shortest => return element(format!("{}{}", sign(negative), format.decimal(bits))),
        Form::Tie => tie(),
        Form::BelowTie => tie().beside(false),
        Form::AboveTie => tie().beside(true),
    };
    element(decimal.written(negative, number.is_multiple_of(2)))
}

const fn sign(negative: bool) -> &'static str {
    if negative { "-" } else { "" }
}

/// A number that is not negative, in decimal: an integer times a power of ten.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decimal {
    digits: BigUint,
    exponent: i32,
}

impl Decimal {
    /// The number `significand * 2^exponent`.
    fn new(significand: u64, exponent: i32) -> Self {
        if significand == 0 {
            return Self { digits: BigUint::ZERO, exponent: 0 };
        }
        let twos = significand.trailing_zeros().min(exponent.min(0).unsigned_abs());
        let (significand, exponent) = (BigUint::from(significand >> twos), exponent + twos as i32);
        match u32::try_from(exponent) {
            Ok(exponent) => Self { digits: significand << exponent, exponent: 0 },
            // 2^-n is 5^n * 10^-n.
            Err(_) => Self {
                digits: significand * BigUint::from(5_u8).pow(exponent.unsigned_abs()),
                exponent,
            },
        }
    }

    /// A number of a format.
    fn of(format: &FloatFormat, bits: u64) -> Self {
        let (significand, exponent) = parts(format, bits);
        Self::new(significand, exponent)
    }

    /// The middle between a number of a format and the next one.
    fn of_tie(format: &FloatFormat, bits: u64) -> Self {
        let (significand, exponent) = parts(format, bits);
        Self::new(2 * significand + 1, exponent - 1)
    }

    /// What is above a number other than 0, or below, by one in the third digit after its last.
    fn beside(&self, above: bool) -> Self {
        let digits = &self.digits * 1000_u32;
        let digits = if above { digits + 1_u32 } else { digits - 1_u32 };
        Self { digits, exponent: self.exponent - 3 }
    }

    /// Its first so many digits.
    fn cut(&self, count: usize) -> Self {
        let digits = self.digits.to_string();
        let left = digits.len().saturating_sub(count);
        let kept = digits[..digits.len() - left].parse().unwrap_or_default();
        Self { digits: kept, exponent: self.exponent + left as i32 }
    }

    /// As a text, in plain or in scientific notation.
    fn written(&self, negative: bool, plain: bool) -> String {
        let digits = self.digits.to_string();
        let after = self.exponent.min(0).unsigned_abs() as usize;
        let size = if !plain {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{first}{point}{rest}e{}", self.exponent + rest.len() as i32)
        } else if after == 0 {
            digits + &"0".repeat(self.exponent.unsigned_abs() as usize)
        } else {
            let digits = format!("{digits:0>width$}", width = after + 1);
            let (whole, fraction) = digits.split_at(digits.len() - after);
            format!("{whole}.{fraction}")
        };
        format!("{}{size}", sign(negative))
    }
}

/// The significand and the exponent of a finite number, of which the significand counts units in the last place.
fn parts(format: &FloatFormat, bits: u64) -> (u64, i32) {
    match Value::of(format, bits) {
        Value::Finite(magnitude) => (magnitude.significand, magnitude.exponent),
        Value::Nan | Value::Infinite | Value::Zero => (0, smallest_exponent(format)),
    }
}

/// Texts of random numbers of every stratum of a type: of floats in up to 20 digits, which are those of a number between it
/// and the middle to the next.
struct Near {
    read: Read,
    numbers: Stratified,
    to: DType,
    seed: u64,
}

impl Near {
    fn text(&self, bits: u64, index: u64) -> String {
        let format = match self.read {
            Read::Int(int) => return int.value(bits).to_string(),
            Read::Float(format) => format,
        };
        // Another number than those that the bits were drawn from.
        let mut random = Random::at(!self.seed, index);
        let (significand, exponent) = parts(format, bits);
        let (further, digits) = (random.below(1 << 7), 1 + random.below(20) as usize);
        let decimal = Decimal::new(significand << 8 | further, exponent - 8);
        decimal.cut(digits).written(format.is_negative(bits), random.bits() & 1 == 1)
    }
}

impl Space for Near {
    fn len(&self) -> u64 {
        self.numbers.len()
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let [texts] = operands else { return };
        let mut numbers = [Column::new(self.to)];
        numbers[0].resize(texts.len());
        self.numbers.fill(first, &mut numbers);
        for (at, index) in (0..texts.len()).zip(first..) {
            texts.put(at, element(self.text(numbers[0].element(at), index)));
        }
    }

    fn parts(&self) -> Vec<Part> {
        self.numbers.parts()
    }
}

#[cfg(test)]
mod tests;

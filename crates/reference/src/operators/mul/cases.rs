//! The cases of Mul: elements of each kind of product, and what binary operators have in common.

use values::dtype::DType::{
    self, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
};
use values::dtype::Kind;
use values::float::{Class, FloatFormat};
use values::random::Random;
use values::tensor::Tensor;

use super::super::binary::cases::{Roles, cases as common};
use super::MUL;
use crate::case_list::CaseList;
use crate::case_spec::Stated;
use crate::elements::{ElementError, counting, decimal, operand, scaled, tensor};
use crate::exact::number::{Int, largest, precision, smallest_exponent};
use crate::inputs::specials;
use crate::operators::boundary_cases;
use crate::operators::float_classes::significand;
use crate::operators::size_cases::LONG;

type Pair = [u64; 2];

/// Pairs that are drawn for a class.
const DRAWN: usize = 32;
const SHAPES: [(&str, &[usize]); 5] = [
    ("rank_0", &[]),
    ("rank_3_long", &LONG),
    ("rank_6", &[2, 1, 2, 1, 3, 2]),
    ("size_1x1x1", &[1, 1, 1]),
    ("empty_2x0x3", &[2, 0, 3]),
];
const FLOATS: [DType; 3] = [Float16, Float32, Float64];
const INTS: [DType; 8] = [Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64];

pub(super) fn cases() -> Stated {
    let mut cases = common(&MUL, Roles { a: "a", b: "b" })?;
    cases.extend(sonnx()?);
    let ids = ["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
    cases.extend(boundary_cases::onnx(&MUL, &ids)?);
    for version in MUL.versions {
        let mut list = CaseList::onnx(&MUL, version);
        let types = version.inputs.first().map_or(&[][..], |port| port.types);
        let is_newest = version.since == MUL.newest().since;
        for &dtype in types {
            let mut ids = vec!["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
            ids.extend(matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010"));
            let mut random = Random::for_case(&list.path(dtype, "elements"));
            // Every class where the type is new, a part of each in the other versions.
            let step = if is_newest { 1 } else { 5 };
            let drawn = classes(dtype, &mut random).into_iter();
            let pairs: Vec<Pair> =
                drawn.flat_map(|class| class.pairs.into_iter().step_by(step)).collect();
            let note = "elements of every class";
            list.add(dtype, "elements", operands(dtype, &pairs)?, &ids, note);
        }
        cases.extend(list.into_cases());
    }
    Ok(cases)
}

fn sonnx() -> Stated {
    let mut list = CaseList::sonnx(&MUL);
    for dtype in FLOATS.into_iter().chain(INTS) {
        let kind = if FLOATS.contains(&dtype) { "FLOAT" } else { "INT" };
        let ids = [
            format!("E_MUL_{kind}_FUNC_0010"),
            format!("E_MUL_{kind}_CONSTR_C_0010"),
            format!("E_MUL_{kind}_CONSTR_C_0020"),
            format!("P_MUL_{kind}_TYPES_0010"),
        ];
        let mut random = Random::for_case(&list.path(dtype, "classes"));
        for class in classes(dtype, &mut random) {
            let own = class.rows.iter().map(|row| format!("P_MUL_{kind}_{row}"));
            let ids: Vec<String> = ids.iter().cloned().chain(own).collect();
            list.add(dtype, class.name, operands(dtype, &class.pairs)?, &ids, class.note);
        }
        if matches!(dtype, Float32 | Int32) {
            for (name, shape) in SHAPES {
                let inputs = vec![counting(dtype, shape, 100)?, counting(dtype, shape, 1)?];
                list.add(dtype, name, inputs, &ids, "the output has the shape of the inputs");
            }
        }
    }
    let example = |dtype, shape: &[usize], places, digits: [&[i128]; 2]| {
        let operand = |digits: &[i128]| {
            let elements = digits.iter().map(|&digits| decimal(dtype, digits, places));
            tensor(dtype, shape, &elements.collect::<Result<Vec<_>, _>>()?)
        };
        Ok::<_, ElementError>(vec![operand(digits[0])?, operand(digits[1])?])
    };
    let float = ["E_MUL_FLOAT_FUNC_0010", "P_MUL_FLOAT_FUNC_0011"];
    let real = example(Float64, &[3], 1, [&[61, 95, 357], &[20, 30, 40]])?;
    let note = "the real example of the document, its operands rounded to float64";
    list.add_below("real", "example_1", real, &float, note);
    let note = "an example of the document";
    let digits: [&[i128]; 2] = [&[300, 450, 1600, 100, 2550, 2425], &[300, 200, 400, 0, 500, 400]];
    for dtype in FLOATS {
        list.add(dtype, "example_1", example(dtype, &[3, 2], 2, digits)?, &float, note);
    }
    let ids = ["E_MUL_INT_FUNC_0010", "P_MUL_INT_FUNC_0011", "P_MUL_INT_FUNC_0012"];
    let inputs = example(Uint8, &[3], 0, [&[6, 9, 35], &[3, 100, 5]])?;
    list.add(Uint8, "example_1", inputs, &ids, note);
    let ids = ["13", "14", "15"].map(|row| format!("P_MUL_INT_FUNC_00{row}"));
    let inputs = example(Int8, &[4], 0, [&[-6, -9, -9, 9], &[-3, 100, -100, 100]])?;
    list.add(Int8, "example_2", inputs, &ids, note);
    Ok(list.into_cases())
}

fn operands(dtype: DType, pairs: &[Pair]) -> Result<Vec<Tensor>, ElementError> {
    Ok(vec![operand(dtype, pairs, 0)?, operand(dtype, pairs, 1)?])
}

/// Pairs whose products have something in common.
struct Products {
    name: &'static str,
    note: &'static str,
    /// What of SONNX's rows they are of, by the end of the ids.
    rows: &'static [&'static str],
    pairs: Vec<Pair>,
}

fn classes(dtype: DType, random: &mut Random) -> Vec<Products> {
    match dtype.kind() {
        Kind::Float(format) => float_classes(format, random),
        Kind::Int { signed, bits } => int_classes(Int { signed, bits }, random),
        Kind::Bool | Kind::Complex(_) | Kind::String => Vec::new(),
    }
}

fn float_classes(format: &FloatFormat, random: &mut Random) -> Vec<Products> {
    const NUMBERS: &[&str] = &["FUNC_0011"];
    let all = || specials(format).into_iter().flat_map(|(_, values)| values);
    let row = |wanted: fn(Class, Class) -> bool| -> Vec<Pair> {
        let pairs = all().flat_map(|a| all().map(move |b| [a, b]));
        pairs.filter(|&[a, b]| wanted(format.class(a), format.class(b))).collect()
    };
    let is_nan = |a, b| {
        a == Class::Nan
            || b == Class::Nan
            || matches!((a, b), (Class::Zero, Class::Infinite) | (Class::Infinite, Class::Zero))
    };
    let class = |name, note, rows, pairs| Products { name, note, rows, pairs };
    let anywhere = |random: &mut Random, low: i32, high: i32| -> Vec<Pair> {
        let drawn = (0..DRAWN).filter_map(|_| {
            let pair = [(); 2].map(|()| significand(random, precision(format)));
            placed(format, random, pair, low, high)
        });
        drawn.collect()
    };
    let (smallest, most) = (smallest_exponent(format), format.bias);
    vec![
        class("special_nan", "every product that is NaN", &["FUNC_0013"], row(is_nan)),
        class(
            "special_infinity",
            "infinities by each other and by numbers, in all signs",
            &["FUNC_0012"],
            row(|a, b| {
                let is_infinite = a == Class::Infinite || b == Class::Infinite;
                is_infinite && ![a, b].iter().any(|c| matches!(c, Class::Nan | Class::Zero))
            }),
        ),
        class(
            "special_zero",
            "zeros by each other and by numbers, in all signs",
            &["FUNC_0014"],
            row(|a, b| {
                let is_zero = a == Class::Zero || b == Class::Zero;
                is_zero && ![a, b].iter().any(|c| matches!(c, Class::Nan | Class::Infinite))
            }),
        ),
        class(
            "special_numbers",
            "the smallest and largest numbers of each kind by each other, in all signs",
            NUMBERS,
            row(|a, b| {
                let finite = |class| matches!(class, Class::Subnormal | Class::Normal);
                finite(a) && finite(b)
            }),
        ),
        class("interior", "numbers of ordinary size", NUMBERS, anywhere(random, -4, 4)),
        class("wide", "products of all sizes", NUMBERS, anywhere(random, smallest + 2, most - 2)),
        class(
            "near_ties",
            "products exactly halfway between two numbers, and as close to it as any are",
            NUMBERS,
            near_ties(format, random),
        ),
        class(
            "overflow",
            "products on both sides of the largest number",
            NUMBERS,
            [around(format, largest(format)), anywhere(random, most - 1, most + 1)].concat(),
        ),
        class(
            "underflow",
            "products on both sides of half the smallest subnormal number",
            NUMBERS,
            [around(format, 1), anywhere(random, smallest - 3, smallest)].concat(),
        ),
        class(
            "subnormal",
            "subnormal products, every other one halfway between two numbers",
            NUMBERS,
            [
                around(format, 1 << format.significand_bits),
                subnormal_ties(format, random),
                anywhere(random, smallest, 1 - format.bias),
            ]
            .concat(),
        ),
    ]
}

/// Normal numbers of these significands, of any signs, whose exponents sum up to one from `low` to
/// `high`.
fn placed(
    format: &FloatFormat,
    random: &mut Random,
    significands: Pair,
    low: i32,
    high: i32,
) -> Option<Pair> {
    let (least, most) = (1 - format.bias, format.bias);
    let sum = random.between(low.into(), high.into()) as i32;
    let first = random.between(least.max(sum - most).into(), most.min(sum - least).into()) as i32;
    let field = format.significand_bits as i32;
    let signs = random.bits();
    let mut pair = [0; 2];
    for (at, exponent) in [first, sum - first].into_iter().enumerate() {
        let bits = scaled(format, significands[at], exponent - field)?;
        pair[at] = if signs >> at & 1 == 1 { format.negated(bits) } else { bits };
    }
    Some(pair)
}

/// The neighbours of a number by the neighbours of 1, and its half and quarter by those of 2 and 4,
/// with both signs.
fn around(format: &FloatFormat, number: u64) -> Vec<Pair> {
    let one = (format.bias as u64) << format.significand_bits;
    let binade = 1 << format.significand_bits;
    let mut pairs = Vec::new();
    for (first, second) in [(number, one), (number, one - binade), (one + binade, number)] {
        for first in [first.saturating_sub(1).max(1), first, (first + 1).min(largest(format))] {
            for second in
                [second.saturating_sub(1).max(1), second, (second + 1).min(largest(format))]
            {
                pairs.extend([[first, second], [format.negated(first), second]]);
            }
        }
    }
    pairs
}

/// Pairs of significands whose product ends in a half of the last place that is kept, or in the next
/// numbers below and above that: of p-bit factors those that are that odd multiple of the inverse of an
/// odd one modulo the power of two that is cut off.
fn near_ties(format: &FloatFormat, random: &mut Random) -> Vec<Pair> {
    let p = precision(format);
    let mut pairs = Vec::new();
    for at in 0..DRAWN {
        // A product below 2^(2p - 1) has p - 1 bits too many, another p.
        let cut = p - 1 + (at as u32 & 1);
        let odd = significand(random, p) | 1;
        let inverse =
            (0..6).fold(1_u64, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))));
        let half = 1_u64 << (cut - 1);
        for rest in [half - 1, half, half + 1] {
            let factor = rest.wrapping_mul(inverse) & ((1 << cut) - 1);
            let factor = if cut < p { factor | 1 << (p - 1) } else { factor };
            let product = u128::from(factor) * u128::from(odd);
            if factor >> (p - 1) == 1 && product >> (p + cut - 1) == 1 {
                pairs.extend(placed(format, random, [factor, odd], -3, 3));
            }
        }
    }
    pairs
}

/// Numbers of the lowest binade by powers of two, of which every number of bits is cut off but for a
/// half, the last bit that is kept being odd or even.
fn subnormal_ties(format: &FloatFormat, random: &mut Random) -> Vec<Pair> {
    let p = precision(format);
    let mut pairs = Vec::new();
    for cut in 1..p {
        for last in 0..2 {
            let kept = (significand(random, p) >> cut) & !1 | last;
            let first = scaled(
                format,
                (kept | 1 << (p - 1 - cut)) << cut | 1 << (cut - 1),
                smallest_exponent(format),
            );
            let second = scaled(format, 1, -(cut as i32));
            pairs.extend(first.zip(second).map(|(a, b)| [a, format.negated(b)]));
        }
    }
    pairs
}

/// Products within the range of a type, above and below it: corners, the last factors within and the
/// first beyond, and any.
fn int_classes(int: Int, random: &mut Random) -> Vec<Products> {
    let top = 1_i128 << (int.bits - u32::from(int.signed));
    let (min, max) = (int.min(), int.max());
    let holds = |x: &i128| int.holds(*x);
    let corners = [min, min + 1, -2, -1, 0, 1, 2, 3, top / 2, max - 1, max];
    let corners: Vec<i128> = corners.into_iter().filter(holds).collect();
    let mut pairs: Vec<[i128; 2]> =
        corners.iter().flat_map(|&a| corners.iter().map(move |&b| [a, b])).collect();
    for _ in 0..DRAWN {
        let length = random.between(1, i128::from(top.ilog2()) - 1);
        let factor = random.between(1 << length, (2 << length) - 1).min(max);
        let sign = |random: &mut Random| if int.signed && random.bits() & 1 == 1 { -1 } else { 1 };
        let within = max / factor;
        let below = min / factor;
        let any = random.between(1, max);
        for other in [within, within + 1, below, below - 1, any, sign(random) * any] {
            pairs.push([sign(random) * factor, other]);
            pairs.push([other, factor]);
        }
    }
    pairs.retain(|pair| pair.iter().all(holds));
    let row = |wanted: &dyn Fn(i128) -> bool| -> Vec<Pair> {
        let found = pairs.iter().filter(|[a, b]| wanted(a.saturating_mul(*b)));
        found.map(|&[a, b]| [int.wrap(a), int.wrap(b)]).collect()
    };
    let rows: [&[&str]; 3] = if int.signed {
        [&["FUNC_0013"], &["FUNC_0014", "ERR_0010"], &["FUNC_0015", "ERR_0010"]]
    } else {
        [&["FUNC_0011"], &["FUNC_0012", "ERR_0010"], &[]]
    };
    let class = |name, note, rows, pairs| Products { name, note, rows, pairs };
    let mut classes = vec![
        class("representable", "products that the type holds", rows[0], row(&|x| holds(&x))),
        class("above", "products above the largest value, which wrap", rows[1], row(&|x| x > max)),
    ];
    if int.signed {
        let note = "products below the least value, which wrap";
        classes.push(class("below", note, rows[2], row(&|x| x < min)));
    }
    classes
}

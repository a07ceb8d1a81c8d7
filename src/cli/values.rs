//! Parsers of the options' values, and their errors.

use std::ops::Range;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use onnx_conformance::corpus::CaseKind;
use onnx_conformance::corpus::selection::nearest;
use onnx_conformance::dtype::DType;
use onnx_conformance::models::inputs::{NoSource, Source};

pub(super) fn pair(text: &str) -> Result<(i32, i32), String> {
    let numbers = text.split_once(',').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.ok_or_else(|| "not two integers such as -3,5".to_owned())
}

pub(super) fn attribute(text: &str) -> Result<(String, String), String> {
    let named = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = named.ok_or_else(|| "not a name and a value such as to=int8".to_owned())?;
    Ok((name.to_owned(), value.to_owned()))
}

/// The size of a dimension, as in `batch=4`.
pub(super) fn dimension(text: &str) -> Result<(String, usize), String> {
    let (name, size) = named(text, "batch=4")?;
    let size = size.parse().map_err(|_| format!("`{size}` is no size of a dimension"))?;
    Ok((name, size))
}

/// The shape of an input, as in `image=1,3,224,224`.
pub(super) fn shape(text: &str) -> Result<(String, Vec<usize>), String> {
    let (name, sizes) = named(text, "image=1,3,224,224")?;
    let size = |size: &str| size.trim().parse().map_err(|_| format!("`{size}` is no size"));
    // A scalar has none.
    let sizes = sizes.split(',').filter(|_| !sizes.is_empty()).map(size);
    Ok((name, sizes.collect::<Result<_, _>>()?))
}

/// What an input is, as in `x=uniform(-1,1)`.
pub(super) fn source(text: &str) -> Result<(String, Source), String> {
    let (name, source) = named(text, "x=uniform(-1,1)")?;
    Ok((name, source.parse().map_err(|error: NoSource| error.to_string())?))
}

/// A name, which may have `=` in it, and what it is given.
fn named<'a>(text: &'a str, example: &str) -> Result<(String, &'a str), String> {
    let named = text.rsplit_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = named.ok_or_else(|| format!("not a name and a value such as {example}"))?;
    Ok((name.to_owned(), value))
}

pub(super) fn range(text: &str) -> Result<Range<u64>, String> {
    let number = |text: &str| match text.split_once('^') {
        Some((base, exponent)) => base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?),
        None => text.parse().ok(),
    };
    let ends = text.split_once("..").and_then(|(a, b)| Some(number(a)?..number(b)?));
    ends.ok_or_else(|| "not two numbers such as 0..2^40".to_owned())
}

/// A number, or all.
pub(super) fn count(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().map_err(|_| "not a number, nor `all`".to_owned()),
    }
}

/// A kind of cases.
pub(super) fn case_kinds() -> impl TypedValueParser<Value = CaseKind> {
    PossibleValuesParser::new(CaseKind::ALL.map(CaseKind::name))
        .try_map(|name| CaseKind::named(&name).ok_or("not a kind of cases"))
}

/// An element type; the error lists all of them.
pub(super) fn dtype(text: &str) -> Result<DType, String> {
    text.parse().map_err(|_| {
        let names = DType::ALL.map(DType::name);
        // As C and others name them.
        let word = match text {
            "half" => "float16",
            "float" | "single" => "float32",
            "double" => "float64",
            _ => &text.replace("fp", "f"),
        };
        let like = nearest(word, names).map_or_else(String::new, |name| format!(": {name}?"));
        format!("there is no such element type{like}; those of ONNX are {}", names.join(", "))
    })
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("must be more than 0 seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_be_written_with_powers() {
        assert_eq!(range("0..2^40"), Ok(0..1 << 40));
        assert_eq!(range("7..9"), Ok(7..9));
        for bad in ["", "1", "1..", "2^64..1", "1..2..3", "-1..2", "1...2"] {
            assert!(range(bad).is_err(), "{bad}");
        }
        assert_eq!(pair("-3,5"), Ok((-3, 5)));
        assert!(pair("1").is_err() && pair("1,2,3").is_err());
    }

    #[test]
    fn sizes_are_given_by_the_names_of_dimensions_and_inputs() {
        assert_eq!(dimension("batch=4"), Ok(("batch".to_owned(), 4)));
        assert_eq!(dimension("a=b=4"), Ok(("a=b".to_owned(), 4)));
        assert!(
            dimension("=4").is_err()
                && dimension("batch").is_err()
                && dimension("batch=-1").is_err()
        );
        assert_eq!(shape("x=1,3"), Ok(("x".to_owned(), vec![1, 3])));
        assert_eq!(shape("x="), Ok(("x".to_owned(), vec![])));
        assert!(shape("1,3").is_err() && shape("x=1,").is_err() && shape("x=1x3").is_err());
    }

    #[test]
    fn a_count_is_a_number_or_all() {
        assert_eq!((count("all"), count("0")), (Ok(usize::MAX), Ok(0)));
        assert!(count("some").is_err() && count("-1").is_err());
    }

    #[test]
    fn a_time_limit_is_a_positive_number_of_seconds() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for bad in ["0", "-1", "NaN", "inf", "soon"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}

//! Errors, widths and decisions of enclosures that are given.

use super::*;

fn between(exact: &[[f64; 2]], allowed: &[[f64; 2]]) -> Between {
    let spans = |ends: &[[f64; 2]]| ends.iter().map(|[a, b]| Span::new(*a, *b)).collect();
    Between {
        dtype: DType::Float32,
        shape: vec![exact.len()],
        exact: spans(exact),
        allowed: spans(allowed),
    }
}

#[test]
fn places_of_numbers_are_those_of_their_bits() {
    let format = &FloatFormat::FLOAT32;
    let mut bits = 1_u32;
    while bits < 0x7f80_0000 {
        let number = f64::from(f32::from_bits(bits));
        assert_eq!(ordinal(format, number), i64::from(bits), "{number:e}");
        assert_eq!(ordinal(format, -number), -i64::from(bits));
        assert_eq!(ordinal(format, number.next_up()), i64::from(bits));
        bits = bits.saturating_mul(3) / 2 + 1;
    }
    assert_eq!(ordinal(format, 0.0), 0);
    assert_eq!(ordinal(&FloatFormat::FLOAT64, -1.5), -(1.5_f64.to_bits().cast_signed()));
}

#[test]
fn an_error_is_counted_from_the_nearest_number_of_the_enclosure() {
    let exact = between(&[[1.0, 1.5], [2.0, 2.0], [f64::NAN, f64::NAN]], &[]);
    let unit = 2_f64.powi(-23);
    assert_eq!(error(&exact, &[1.25, 2.0, 7.0]), Ulps::new(0, true));
    let found = error(&exact, &[1.5 + 3.0 * unit, 2.0 - 2.0 * unit, 7.0]);
    let steps = found.steps() as f64 / 2_f64.powi(20);
    assert!(steps <= 3.0 && steps > 2.99, "{steps}");
    assert!(error(&exact, &[f64::INFINITY, 2.0, 0.0]).steps() > 1 << 100);
    assert_eq!(error(&exact, &[f64::NAN, 2.0, 0.0]), Ulps::new(0, true));
}

#[test]
fn a_width_is_the_steps_between_the_ends_of_what_is_permitted() {
    let unit = 2_f64.powi(-23);
    let exact = [[1.0, 1.0]; 2];
    assert_eq!(width(&between(&exact, &[[1.0, 1.0 + 5.0 * unit], [1.0, 1.0]])), Some(5));
    assert_eq!(width(&between(&exact, &[[1.0, 1.0], [1.0, 1.0]])), Some(0));
    assert_eq!(width(&between(&exact, &[[1.0, f64::INFINITY], [1.0, 1.0]])), None);
    assert_eq!(width(&between(&exact, &[[f64::NAN, f64::NAN], [1.0, 1.0]])), None);
}

#[test]
fn decisions_are_held_against_all_of_the_enclosure() {
    let one = |exact: &[[f64; 2]], actual: &[f64]| {
        let found = decisions(&between(exact, exact), actual, Some(0.5));
        let of = |decided: &Decided| [decided.unchanged, decided.changed, decided.not_decided];
        (of(&found.argmax), of(&found.order), of(found.threshold.as_ref().unwrap()))
    };
    let apart = [[0.1, 0.2], [0.6, 0.7], [0.3, 0.4]];
    assert_eq!(one(&apart, &[0.1, 0.6, 0.3]), ([1, 0, 0], [1, 0, 0], [3, 0, 0]));
    assert_eq!(one(&apart, &[0.6, 0.1, 0.3]), ([0, 1, 0], [0, 1, 0], [1, 2, 0]));
    assert_eq!(one(&apart, &[0.3, 0.6, 0.1]), ([1, 0, 0], [0, 1, 0], [3, 0, 0]));
    let close = [[0.1, 0.35], [0.45, 0.7], [0.3, 0.4]];
    assert_eq!(one(&close, &[0.1, 0.6, 0.3]), ([1, 0, 0], [0, 0, 1], [2, 0, 1]));
    // Of equal elements the first comes first.
    assert_eq!(one(&[[0.2, 0.2]; 2], &[0.2, 0.2]), ([1, 0, 0], [1, 0, 0], [2, 0, 0]));
    assert_eq!(one(&[[0.2, 0.2]; 2], &[0.1, 0.2]), ([0, 1, 0], [0, 1, 0], [2, 0, 0]));
    let unknown = [[f64::NAN, f64::NAN], [0.4, 0.4]];
    assert_eq!(one(&unknown, &[0.6, 0.4]), ([0, 0, 1], [0, 0, 1], [1, 0, 1]));
    assert_eq!(one(&apart, &[0.1, f64::NAN, 0.3]), ([0, 0, 1], [0, 0, 1], [2, 0, 1]));
}

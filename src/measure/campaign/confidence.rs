//! The statistical statement of a sampled campaign: an upper bound on the share of mismatches.

use super::document::{Campaign, Confidence};
use super::plan::STRATIFIED;
use crate::foundation::text::grouped;

/// Share of samplings whose bound is too low, at most.
const RISK: f64 = 0.05;

/// The statement on a document's inputs; none where they are not sampled or none was executed.
pub(super) fn of(document: &Campaign) -> Option<Confidence> {
    let Campaign { executed, mismatches, .. } = *document;
    if document.strategy != STRATIFIED || executed == 0 {
        return None;
    }
    let upper_bound = rounded_up(upper_bound(executed, mismatches));
    let statement = format!(
        "With 95 % confidence at most {} of the inputs of the strata give a mismatch: the \
         exact one-sided Clopper-Pearson bound for {} among {} inputs. It takes them for independent \
         random draws within their strata, the strata weighing as much as they have inputs here. It \
         says nothing of inputs outside the strata.",
        percent(&upper_bound),
        grouped(mismatches),
        grouped(executed),
    );
    Some(Confidence { level: "0.95".to_owned(), upper_bound, statement })
}

/// The largest share of mismatches at which no more than these among so many inputs are still as
/// likely as the risk: the solution p of P(X <= mismatches) = 0.05 for a binomial X (Clopper and
/// Pearson, Biometrika 26, 1934). Without a mismatch it is 1 - 0.05^(1/inputs).
///
/// It is computed with additions, multiplications, divisions and the functions of `libm`, none of
/// which differs from one machine to another.
fn upper_bound(inputs: u64, mismatches: u64) -> f64 {
    let (n, k) = (inputs as f64, mismatches as f64);
    if mismatches >= inputs {
        return 1.0;
    }
    if mismatches == 0 {
        return -libm::expm1(libm::log(RISK) / n);
    }
    // P(X <= k) falls from 1 to 0 as p rises.
    let (mut low, mut high) = (k / n, 1.0);
    for _ in 0..64 {
        let middle = low + (high - low) / 2.0;
        if incomplete_beta(n - k, k + 1.0, 1.0 - middle) > RISK {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The regularised incomplete beta function I_x(a, b); P(X <= k) is I_{1-p}(n - k, k + 1).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    // The fraction converges fast below the mean. At the mean rounding may put both sides above it.
    if x > (a + 1.0) / (a + b + 2.0) {
        1.0 - continued_fraction(b, a, 1.0 - x)
    } else {
        continued_fraction(a, b, x)
    }
}

/// I_x(a, b) by its continued fraction as in DLMF 8.17.22 (Lentz's method).
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - beta) / a;
    let (mut c, mut d) = (1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    let mut m = 1.0;
    loop {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut factor = 1.0;
        for term in [even, odd] {
            d = 1.0 / (1.0 + term * d);
            c = 1.0 + term / c;
            factor = c * d;
            fraction *= factor;
        }
        m += 1.0;
        // Terms needed grow as the root of the larger parameter.
        if libm::fabs(factor - 1.0) < 1e-15 || m > 1e6 {
            return front * fraction;
        }
    }
}

/// A share as [`rounded_up`] writes it, in hundredths: `0.00003329 %`.
pub(super) fn percent(share: &str) -> String {
    let exponent = share.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    // One that others wrote may be any.
    let digits = usize::try_from(1 - exponent.unwrap_or(0).clamp(-30, 1)).unwrap_or(0);
    format!("{:.digits$} %", share.parse::<f64>().unwrap_or(1.0) * 100.0)
}

/// A share in four significant digits, rounded up: `3.329e-7`.
fn rounded_up(share: f64) -> String {
    let nearest = |share: f64| format!("{share:.3e}");
    let text = nearest(share);
    match text.parse::<f64>() {
        // Half a unit of the fourth digit more, which is at most 5 / 10^4 of the share.
        Ok(down) if down < share => {
            let exponent = text.split_once('e').map_or("0", |(_, exponent)| exponent);
            let half = format!("5e{}", exponent.parse::<i32>().unwrap_or(0) - 4).parse::<f64>();
            nearest(share + half.unwrap_or(0.0))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{One, ToPrimitive, Zero};

    use super::*;

    /// P(X <= k) in rational numbers.
    fn tail(n: u64, k: u64, p: f64) -> f64 {
        let p = BigRational::from_float(p).unwrap();
        let q = BigRational::one() - &p;
        let mut sum = BigRational::zero();
        let mut choices = BigRational::one();
        for i in 0..=k {
            sum += &choices * p.pow(i as i32) * q.pow((n - i) as i32);
            choices *= BigRational::new(BigInt::from(n - i), BigInt::from(i + 1));
        }
        sum.to_f64().unwrap()
    }

    #[test]
    fn at_the_bound_so_few_mismatches_are_as_likely_as_the_risk() {
        for (n, k) in [(1, 0), (2, 1), (20, 0), (20, 3), (20, 19), (50, 25)] {
            let found = tail(n, k, upper_bound(n, k));
            assert!((found - RISK).abs() < 1e-12, "{n} {k}: {found}");
        }
    }

    #[test]
    fn without_a_mismatch_the_bound_is_three_over_the_number_of_inputs() {
        let bound = upper_bound(9_000_000, 0);
        assert!((bound * 9e6 - 2.9957).abs() < 1e-4);
        assert_eq!(rounded_up(bound), "3.329e-7");
        assert_eq!(upper_bound(7, 7), 1.0);
    }

    #[test]
    fn bounds_of_many_inputs_are_those_that_the_normal_distribution_leads_to() {
        // 1.645 standard deviations above the share.
        for (n, k) in [(1_000_000_000_u64, 100_000_u64), (1_000_000, 500_000), (100_000, 99_000)] {
            let (n, share) = (n as f64, k as f64 / n as f64);
            let expected = share + 1.6449 * (share * (1.0 - share) / n).sqrt();
            let bound = upper_bound(n as u64, k);
            assert!((bound / expected - 1.0).abs() < 1e-4, "{bound} {expected}");
            assert!(bound > share);
        }
    }

    #[test]
    fn shares_are_never_rounded_down() {
        assert_eq!(rounded_up(1.0), "1.000e0");
        assert_eq!(rounded_up(0.123_400_01), "1.235e-1");
        assert_eq!(rounded_up(9.999_1e-5), "1.000e-4");
        assert_eq!(rounded_up(2.5e-7), "2.500e-7");
    }
}

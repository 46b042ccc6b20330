//! Numbers of several runs as one.

/// A count as a number to reckon with.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn as_f64(count: u64) -> f64 {
    count as f64
}

/// The median; the mean of the middle two when there is no middle one.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// How far the values lie apart, as a part of their median.
pub fn spread(values: &[f64]) -> f64 {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (most - least) / median(values)
}

/// The median of the values around a moment: a fifth of all of them, that moment in the middle or at the end.
pub fn median_around(values: &[f64], at: usize) -> f64 {
    let width = (values.len() / 5).max(3).min(values.len());
    let start = at.saturating_sub(width / 2).min(values.len() - width);
    median(&values[start..start + width])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "these are exact")]
    fn the_middle_is_found() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
        assert_eq!(spread(&[8.0, 10.0, 12.0]), 0.4);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "these are exact")]
    fn a_window_stays_within_the_values() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(median_around(&values, 99), 89.5);
        assert_eq!(median_around(&values, 33), 32.5);
        assert_eq!(median_around(&[1.0, 2.0], 1), 1.5);
    }
}

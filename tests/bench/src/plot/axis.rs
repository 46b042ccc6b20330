//! Where the marks of an axis are, and what is written there.

/// About four marks from zero on, at round numbers, the last one at or over the largest value.
pub(super) fn marks(most: f64) -> Vec<f64> {
    if !most.is_finite() || most <= 0.0 {
        return vec![0.0, 1.0];
    }
    let rough = most / 4.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|round| round * power)
        .into_iter()
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(power * 10.0);
    let mut marks = vec![0.0];
    let mut count = 0.0;
    while marks.last().is_some_and(|last| *last < most * 0.999) {
        count += 1.0;
        marks.push(count * step);
    }
    marks
}

/// As few digits as tell three places.
pub(super) fn number(value: f64) -> String {
    let text = match value.abs() {
        size if size >= 1e6 => return format!("{} M", number(value / 1e6)),
        size if size >= 1e4 => return format!("{} k", number(value / 1e3)),
        size if size >= 100.0 => return format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_reach_the_largest_value() {
        assert_eq!(marks(40.0), [0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(marks(61.0), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(marks(0.0), [0.0, 1.0]);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.5, 12.34, 123.4, 9_999.0, 61_000.0, 2_500_000.0].map(number);
        assert_eq!(texts, ["0", "0.5", "12.3", "123", "9999", "61 k", "2.5 M"]);
    }
}

//! Times as texts.

const MS_OF_DAY: u64 = 24 * 60 * 60 * 1000;

/// Milliseconds since 1970-01-01 UTC, as the host writes times in lists: `2026-11-30T19:31:00.000Z`.
pub(super) fn rfc3339(ms: u64) -> String {
    let (days, rest) = (ms / MS_OF_DAY, ms % MS_OF_DAY);
    let (year, month, day) = date(days);
    let (seconds, ms) = (rest / 1000, rest % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// The date that is so many days after 1970-01-01 (Howard Hinnant, `civil_from_days`). A year begins with March here, so
/// that the day that comes and goes is its last one.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_ERA: u64 = 146_097; // 400 years
    let days = days + 719_468; // since 0000-03-01
    let (era, day) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // from March
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_host_writes_them() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_764_530_460_007, "2025-11-30T19:21:00.007Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ];
        for (ms, expected) in cases {
            assert_eq!(rfc3339(ms), expected);
        }
    }
}

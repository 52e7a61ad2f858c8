//! Times as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time in UTC to the second, as RFC 3339 writes it: `2026-11-30T22:15:00Z`.
pub(super) fn utc(time: SystemTime) -> String {
    let seconds = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
        Err(before) => {
            let before = before.duration();
            let whole = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
            -whole - i64::from(before.subsec_nanos() > 0)
        }
    };
    // The years that have four digits; a file system may claim any other.
    let seconds = seconds.clamp(-62_167_219_200, 253_402_300_799);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// The date of a day since 1970, by eras of 400 years that begin in March: a leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_times_are_told() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (u64::from(u32::MAX) * 1000, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
        let before = UNIX_EPOCH - Duration::from_millis(500);
        assert_eq!(utc(before), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn each_day_of_four_centuries_follows_the_one_before() {
        let mut last = date(-1);
        for day in 0..146_097 {
            let next = date(day);
            let (year, month, number) = last;
            let follows = [
                (year, month, number + 1),
                (year, month + 1, 1),
                (year + 1, 1, 1),
            ];
            assert!(follows.contains(&next), "{last:?} {next:?}");
            last = next;
        }
        assert_eq!(last, (2369, 12, 31));
    }
}

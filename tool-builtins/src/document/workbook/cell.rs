//! One value of a cell as text.

use calamine::{Data, ExcelDateTime};

use crate::text::clean::clean;

/// The value as people see it, without number formats; nothing for an empty cell.
pub(super) fn text(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => float(*number),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => clean(text),
        Data::Bool(value) => truth(*value).to_owned(),
        Data::DateTime(moment) => date(*moment),
        Data::Error(error) => error.to_string(),
        Data::Empty => String::new(),
    }
}

fn truth(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

/// Spreadsheets keep 15 digits; the rest is noise of the binary form.
fn float(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    let size = rounded.abs();
    if size != 0.0 && !(1e-7..1e21).contains(&size) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

fn date(moment: ExcelDateTime) -> String {
    let serial = moment.as_f64();
    // Days up to the end of the year 9999; outside of them the number says more.
    if !(0.0..2_958_466.0).contains(&serial) && !moment.is_duration() || !serial.is_finite() {
        return float(serial);
    }
    if moment.is_duration() {
        return duration(serial);
    }
    let (year, month, day, hour, minute, second, thousandths) = moment.to_ymd_hms_milli();
    let second_part = if thousandths == 0 {
        format!("{second:02}")
    } else {
        format!("{second:02}.{thousandths:03}")
    };
    let time = format!("{hour:02}:{minute:02}:{second_part}");
    if serial < 1.0 {
        time
    } else if serial.fract() == 0.0 {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {time}")
    }
}

/// Hours may be more than 24.
fn duration(days: f64) -> String {
    let seconds = (days.abs() * 86_400.0).round();
    if seconds > 1e15 {
        return float(days);
    }
    let (minutes, second) = ((seconds / 60.0).floor(), seconds % 60.0);
    let sign = if days < 0.0 { "-" } else { "" };
    format!(
        "{sign}{:02}:{:02}:{second:02}",
        (minutes / 60.0).floor(),
        minutes % 60.0
    )
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType;

    use super::*;

    #[test]
    fn numbers_are_shown_without_the_noise_of_their_binary_form() {
        for (number, shown) in [
            (3.0, "3"),
            (0.1 + 0.2, "0.3"),
            (1e300, "1e300"),
            (-0.000_000_001, "-1e-9"),
            (123_456_789_012_345.0, "123456789012345"),
            (0.0, "0"),
        ] {
            assert_eq!(float(number), shown);
        }
    }

    #[test]
    fn dates_times_and_durations_are_told_apart() {
        let moment = |serial| {
            date(ExcelDateTime::new(
                serial,
                ExcelDateTimeType::DateTime,
                false,
            ))
        };
        assert_eq!(moment(45_322.0), "2024-01-31");
        assert_eq!(moment(45_322.5), "2024-01-31 12:00:00");
        assert_eq!(moment(0.25), "06:00:00");
        assert_eq!(moment(f64::NAN), "NaN");
        assert_eq!(moment(1e12), "1000000000000");
        let lasting = |days| {
            date(ExcelDateTime::new(
                days,
                ExcelDateTimeType::TimeDelta,
                false,
            ))
        };
        assert_eq!(lasting(1.5), "36:00:00");
        assert_eq!(lasting(-0.5), "-12:00:00");
        assert_eq!(lasting(f64::INFINITY), "inf");
    }
}

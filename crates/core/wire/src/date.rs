//! The time of day as HTTP writes it.

use polywire_base::calendar;
use std::time::{Duration, SystemTime};

/// A second of the calendar, in UTC: `Sun, 06 Nov 1994 08:49:37 GMT`, the `IMF-fixdate` of RFC 9110 5.6.7.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date([u8; Date::BYTES]);

impl Date {
    pub const BYTES: usize = 29;

    /// The date of `time`. Times outside of the years 1970 to 9999 are replaced by the nearest second within.
    pub fn of(time: SystemTime) -> Date {
        /// The last second of the year 9999.
        const LAST: u64 = 253_402_300_799;
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let seconds = since.as_secs().min(LAST);
        let (days, second) = (seconds / 86_400, seconds % 86_400);
        let calendar::Date { year, month, day } = calendar::Date::of_day(days as i64);
        let (year, day) = (year as u64, u64::from(day));
        let two = |number: u64| [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        let mut text = *b"Thu, 00 Jan 0000 00:00:00 GMT";
        text[..3].copy_from_slice(WEEKDAYS[(days % 7) as usize]);
        text[5..7].copy_from_slice(&two(day));
        text[8..11].copy_from_slice(MONTHS[month as usize - 1]);
        text[12..14].copy_from_slice(&two(year / 100));
        text[14..16].copy_from_slice(&two(year % 100));
        text[17..19].copy_from_slice(&two(second / 3600));
        text[20..22].copy_from_slice(&two(second / 60 % 60));
        text[23..25].copy_from_slice(&two(second % 60));
        Date(text)
    }

    /// The second of `time` as names of files have it, in UTC: `19941106_084937`. The same times are
    /// replaced.
    pub fn stamp(time: SystemTime) -> String {
        let date = Date::of(time);
        let text = |from, to| std::str::from_utf8(&date.0[from..to]).unwrap_or_default();
        let month =
            MONTHS.iter().position(|month| month.as_slice() == text(8, 11).as_bytes()).unwrap_or(0) + 1;
        let [day, year] = [text(5, 7), text(12, 16)];
        format!("{year}{month:02}{day}_{}{}{}", text(17, 19), text(20, 22), text(23, 25))
    }

    #[inline]
    pub fn as_bytes(&self) -> &[u8; Date::BYTES] {
        &self.0
    }
}

/// The names of the weekdays, beginning with that of 1970-01-01.
const WEEKDAYS: [&[u8; 3]; 7] = [b"Thu", b"Fri", b"Sat", b"Sun", b"Mon", b"Tue", b"Wed"];
const MONTHS: [&[u8; 3]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

#[cfg(test)]
mod tests {
    use super::*;

    fn text(seconds: u64) -> String {
        let date = Date::of(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        String::from_utf8(date.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn seconds_are_written_as_rfc_9110_has_them() {
        for (seconds, date) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), // the example of 5.6.7
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), // 2100 has no leap day
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (253_402_300_800, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] {
            assert_eq!(text(seconds), date);
        }
        let before = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(Date::of(before), Date::of(SystemTime::UNIX_EPOCH));
    }
}

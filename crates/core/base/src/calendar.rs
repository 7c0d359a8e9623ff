//! Days of the calendar as numbers, and back.
//!
//! Years are counted from March within, so that the leap day is the last of a year. Source: Howard Hinnant,
//! "chrono-Compatible Low-Level Date Algorithms".

/// A day of the Gregorian calendar, which is continued before the year 1582.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date {
    pub year: i64,
    /// The month, from 1.
    pub month: u32,
    /// The day, from 1.
    pub day: u32,
}

/// Days in 400 years.
const CYCLE: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const TO_1970: i64 = 719_468;

impl Date {
    /// The date of a day that is counted from 1970-01-01. Days may be as far away as a `u64` of seconds is
    /// from 1970.
    pub fn of_day(day: i64) -> Date {
        let (cycle, of_cycle) = ((day + TO_1970).div_euclid(CYCLE), (day + TO_1970).rem_euclid(CYCLE));
        let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
        let of_year = of_cycle - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        Date { year: cycle * 400 + year + i64::from(month <= 2), month: month as u32, day: day as u32 }
    }

    /// The number of days since 1970-01-01. Every month counts 31 days here: days that a month lacks are the
    /// first ones of the next month.
    pub fn to_day(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let from_march = (i64::from(self.month) + 9) % 12;
        let of_year = (153 * from_march + 2) / 5 + i64::from(self.day) - 1;
        let (cycle, of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
        cycle * CYCLE + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - TO_1970
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn date(year: i64, month: u32, day: u32) -> Date {
        Date { year, month, day }
    }

    #[test]
    fn days_follow_each_other_and_come_back() {
        // From the year 1 to 2517, more than six cycles.
        let mut next = date(1, 1, 1);
        for day in -719_162..200_000 {
            let found = Date::of_day(day);
            assert_eq!((found, found.to_day()), (next, day));
            let Date { year, month, day } = found;
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let most = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            next = match (day == most[month as usize - 1], month) {
                (false, _) => date(year, month, day + 1),
                (true, 12) => date(year + 1, 1, 1),
                (true, _) => date(year, month + 1, 1),
            };
        }
    }

    /// `date -u -d 2000-02-29 +%s` and so on.
    #[test]
    fn days_are_those_of_the_calendar() {
        for (date, seconds) in [
            (date(1970, 1, 1), 0),
            (date(2000, 2, 29), 951_782_400),
            (date(2000, 3, 1), 951_868_800),
            (date(2026, 11, 23), 1_795_392_000),
            (date(2050, 1, 1), 2_524_608_000),
            (date(2100, 3, 1), 4_107_542_400),
        ] {
            assert_eq!((date.to_day() * 86_400, Date::of_day(date.to_day())), (seconds, date));
        }
        assert_eq!(date(2026, 2, 30).to_day(), date(2026, 3, 2).to_day());
        let _ = Date::of_day((u64::MAX / 86_400) as i64);
    }
}

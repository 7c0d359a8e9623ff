//! The rule about certificates that end, and those that cannot be replaced.

use super::{figures::Figures, holds::Found, words::link};
use polywire_console::Mark;

const DAY: f64 = 86_400.0;

/// "certificate: less than 1/3 of its life and 21 days left; less than 1/10 and 7 days, reload fails", so
/// that certificates of a day work, too. `left` and `life` are seconds.
pub(crate) fn certificate_mark(left: f64, life: f64) -> Mark {
    match () {
        () if left <= 0.0 || left < life / 10.0 && left < 7.0 * DAY => Mark::Bad,
        () if left < life / 3.0 && left < 21.0 * DAY => Mark::Warn,
        () => Mark::Fine,
    }
}

pub(super) fn end(figures: &Figures) -> Vec<Found> {
    let links = || vec![link("certificates", "certificates")];
    let Some(served) = &figures.certificates else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(why) = &served.broken {
        let text = format!("Changed TLS files cannot be used, those before stay in use: {why}");
        let subject = "files".to_owned();
        found.push(Found { rule: "certificate", subject, mark: Mark::Bad, text, links: links() });
    }
    for one in &served.certificates {
        let left = one.until as f64 - figures.at;
        let mark = certificate_mark(left, (one.until - one.from) as f64);
        if mark == Mark::Fine {
            continue;
        }
        let name = one.names.first().map_or("", |name| &**name);
        let text = match left {
            left if left <= 0.0 => format!("The certificate for {name} has ended {} ago", days(-left)),
            left => format!("The certificate for {name} ends in {}", days(left)),
        };
        let subject = format!("{} {}", one.file, one.until);
        found.push(Found { rule: "certificate", subject, mark, text, links: links() });
    }
    found
}

fn days(seconds: f64) -> String {
    match seconds {
        seconds if seconds >= 2.0 * DAY => format!("{:.0} days", (seconds / DAY).floor()),
        seconds if seconds >= 7200.0 => format!("{:.0} hours", (seconds / 3600.0).floor()),
        seconds => format!("{:.0} minutes", (seconds / 60.0).floor()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_near_its_end_by_days_and_by_its_life() {
        let of = |left: f64, life: f64| certificate_mark(left * DAY, life * DAY);
        assert_eq!([of(22.0, 90.0), of(20.0, 90.0), of(6.9, 90.0)], [Mark::Fine, Mark::Warn, Mark::Bad]);
        // of a day
        assert_eq!([of(0.5, 1.0), of(0.3, 1.0), of(0.09, 1.0)], [Mark::Fine, Mark::Warn, Mark::Bad]);
        assert_eq!([of(0.0, 1.0), of(-3.0, 90.0)], [Mark::Bad, Mark::Bad]);
    }
}

//! Rules about methods: those that fail, are slow, answer too late or panic.

use super::{
    figures::{Figures, MethodFigures},
    holds::Found,
    words::{method_link, percent},
};
use polywire_call::Code;
use polywire_console::{Link, Mark, escape};
use std::time::Duration;

/// Calls in the window from which a percentile says something.
pub(super) const LEAST_CALLS: u64 = 100;

/// "method fails (ours): 0.1 %, 5 in 10 s, 3 x before; 1 %, 10 in 10 s". Before is from the start to the
/// window.
pub(super) fn fails(figures: &Figures) -> Vec<Found> {
    let found = figures.methods.iter().filter_map(|method| {
        let (share, mark) = (failing(method), failing_mark(method)?);
        let with = method.worst.map_or("", |code| code.name());
        let text = format!(
            "{} fails {} ({} before), mostly with {with}",
            method.name,
            percent(share),
            percent(method.ours_before)
        );
        let links = vec![method_link(&method.name), traces_link(&method.name, "failed=1")];
        Some(Found { rule: "method_fails", subject: method.name.clone(), mark, text, links })
    });
    found.collect()
}

/// The share of calls that fail by the server's fault. The two rates have windows of their own, of which one
/// may begin earlier.
fn failing(method: &MethodFigures) -> f64 {
    method.ours / (method.succeeded + method.failed).max(method.ours).max(f64::MIN_POSITIVE)
}

fn failing_mark(method: &MethodFigures) -> Option<Mark> {
    let share = failing(method);
    match () {
        () if share >= 0.01 && method.failures >= 10 => Some(Mark::Bad),
        () if share >= 0.001 && method.failures >= 5 && share >= 3.0 * method.ours_before => Some(Mark::Warn),
        () => None,
    }
}

/// The traces of a method that the finding is about.
fn traces_link(name: &str, condition: &str) -> Link {
    Link { text: "traces".into(), to: format!("rpcz?method={}&{condition}", escape::percent(name)) }
}

/// "method slow: p99 against the median of its last 60 minute-p99s, 100 calls, and 1 ms more: 3 x, 10 x".
pub(super) fn slow(figures: &Figures) -> Vec<Found> {
    let found = figures.methods.iter().filter_map(|method| {
        let usual = method.usual_p99?;
        if method.p99 < usual + Duration::from_millis(1) {
            return None;
        }
        let times = method.p99.as_secs_f64() / usual.as_secs_f64().max(1e-9);
        let mark = match () {
            () if times >= 10.0 => Mark::Bad,
            () if times >= 3.0 => Mark::Warn,
            () => return None,
        };
        let mut text =
            format!("{} is slow: p99 {:.3?}, of the last hour {:.3?}", method.name, method.p99, usual);
        if let Some((place, share)) = &method.elsewhere {
            text += &format!("; {} of its time is in calls to {place}", percent(*share));
        }
        let slow = format!("min_latency={}", (usual * 2).as_micros());
        let links = vec![method_link(&method.name), traces_link(&method.name, &slow)];
        Some(Found { rule: "method_slow", subject: method.name.clone(), mark, text, links })
    });
    found.collect()
}

/// "too late (answered after the deadline, or given up): 0.5 %, 2 %". At least five in the window. Nothing if
/// [`fails`] says so: of a method that mostly fails with DEADLINE_EXCEEDED it is the same calls.
pub(super) fn too_late(figures: &Figures) -> Vec<Found> {
    let found = figures.methods.iter().filter_map(|method| {
        let share = method.late / method.arrivals().max(method.late);
        let mark = match () {
            () if method.lates < 5 => return None,
            () if method.worst == Some(Code::DeadlineExceeded) && failing_mark(method).is_some() => {
                return None;
            }
            () if share >= 0.02 => Mark::Bad,
            () if share >= 0.005 => Mark::Warn,
            () => return None,
        };
        let text = format!("{} of calls of {} ended too late for their callers", percent(share), method.name);
        let links = vec![method_link(&method.name)];
        Some(Found { rule: "too_late", subject: method.name.clone(), mark, text, links })
    });
    found.collect()
}

/// "panic in a handler: 1 in 10 min; 10 in 1 min"; that is two in the window.
pub(super) fn panics(figures: &Figures) -> Vec<Found> {
    let found = figures.methods.iter().filter(|method| method.panics > 0).map(|method| {
        let mark = if method.panics >= 2 { Mark::Bad } else { Mark::Warn };
        let text = format!("The handler of {} has panicked {} times in 10 s", method.name, method.panics);
        let links = vec![method_link(&method.name)];
        Found { rule: "handler_panics", subject: method.name.clone(), mark, text, links }
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(method: MethodFigures) -> Figures {
        let method = MethodFigures { name: "shop.Orders/Place".into(), ..method };
        Figures { methods: vec![method], ..Figures::default() }
    }

    fn mark(rule: fn(&Figures) -> Vec<Found>, method: MethodFigures) -> Option<Mark> {
        rule(&of(method)).pop().map(|found| found.mark)
    }

    #[test]
    fn a_method_fails_by_share_and_number_and_more_than_before() {
        let fails_of = |succeeded, ours: f64, ours_before| {
            let (failed, failures) = (ours, (ours * 10.0) as u64);
            let method =
                MethodFigures { succeeded, failed, ours, ours_before, failures, ..Default::default() };
            mark(fails, method)
        };
        assert_eq!(fails_of(99.0, 1.0, 0.0), Some(Mark::Bad));
        assert_eq!(fails_of(9.0, 0.5, 0.0), Some(Mark::Warn), "too few to be bad");
        assert_eq!(fails_of(9.0, 0.4, 0.0), None, "too few");
        assert_eq!(fails_of(999.0, 1.0, 0.0), Some(Mark::Warn));
        assert_eq!(fails_of(999.0, 1.0, 0.0005), None, "twice as many as before");
        assert_eq!(fails_of(2000.0, 1.0, 0.0), None, "too small a share");
        // what callers do wrong is not the server's failure
        let theirs = MethodFigures { succeeded: 1.0, failed: 50.0, ..MethodFigures::default() };
        assert_eq!(mark(fails, theirs), None);
        let text = &fails(&of(MethodFigures {
            succeeded: 979.0,
            failed: 21.0,
            ours: 21.0,
            failures: 210,
            ..Default::default()
        }))[0]
            .text;
        assert!(text.starts_with("shop.Orders/Place fails 2.10 % (0 % before)"), "{text}");
        // the window of failures has begun before that of calls
        let more =
            MethodFigures { succeeded: 1.0, failed: 16.0, ours: 30.1, failures: 301, ..Default::default() };
        let found = &fails(&of(more))[0];
        assert!(found.text.starts_with("shop.Orders/Place fails 100.0 %"), "{}", found.text);
        let links: Vec<_> = found.links.iter().map(|link| &*link.to).collect();
        assert_eq!(links, ["status/shop.Orders/Place", "rpcz?method=shop.Orders%2FPlace&failed=1"]);
    }

    #[test]
    fn a_method_is_slow_against_its_own_hour() {
        let ms = Duration::from_millis;
        let slow_of =
            |p99, usual| mark(slow, MethodFigures { p99, usual_p99: usual, ..MethodFigures::default() });
        assert_eq!(slow_of(ms(30), Some(ms(10))), Some(Mark::Warn));
        assert_eq!(slow_of(ms(100), Some(ms(10))), Some(Mark::Bad));
        assert_eq!(slow_of(ms(29), Some(ms(10))), None);
        assert_eq!(
            slow_of(Duration::from_micros(900), Some(Duration::from_micros(10))),
            None,
            "not 1 ms more"
        );
        assert_eq!(slow_of(ms(900), None), None, "nothing is known of its hour");
    }

    #[test]
    fn what_ends_too_late_counts_from_half_a_percent() {
        let late_of = |succeeded, late: f64| {
            mark(
                too_late,
                MethodFigures { succeeded, late, lates: (late * 10.0) as u64, ..Default::default() },
            )
        };
        assert_eq!(
            [late_of(1000.0, 4.0), late_of(100.0, 1.0), late_of(100.0, 3.0), late_of(1.0, 0.3)],
            [None, Some(Mark::Warn), Some(Mark::Bad), None]
        );
    }

    #[test]
    fn one_cause_is_one_line() {
        let method = |worst, ours: f64| MethodFigures {
            succeeded: 90.0,
            failed: ours,
            ours,
            failures: (ours * 10.0) as u64,
            late: 10.0,
            lates: 100,
            worst: Some(worst),
            ..MethodFigures::default()
        };
        let rules = |method: MethodFigures| [mark(fails, method.clone()), mark(too_late, method)];
        assert_eq!(rules(method(Code::DeadlineExceeded, 10.0)), [Some(Mark::Bad), None]);
        assert_eq!(rules(method(Code::Unavailable, 10.0)), [Some(Mark::Bad), Some(Mark::Bad)], "two causes");
        assert_eq!(
            rules(method(Code::DeadlineExceeded, 0.0)),
            [None, Some(Mark::Bad)],
            "given up by callers"
        );
    }

    #[test]
    fn one_panic_is_worth_a_look() {
        let panics_of = |panics| mark(panics_rule, MethodFigures { panics, ..MethodFigures::default() });
        assert_eq!([panics_of(0), panics_of(1), panics_of(2)], [None, Some(Mark::Warn), Some(Mark::Bad)]);
    }
    use super::panics as panics_rule;
}

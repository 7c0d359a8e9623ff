//! Rules about shards that are held up, and peers that send what is wrong.

use super::{
    figures::Figures,
    holds::Found,
    words::{link, per_second, percent},
};
use polywire_console::Mark;

/// "shard: longest poll in 60 s: 10 ms ten times", by the rate of the last ten seconds.
pub(super) fn slow_polls(figures: &Figures) -> Vec<Found> {
    let rate = figures.slow_polls;
    if rate < 10.0 / 60.0 {
        return Vec::new();
    }
    let text = format!("Handlers hold up their shards, {}: the log names them", per_second(rate));
    let (subject, links) = ("shards".to_owned(), vec![link("shards", "shards")]);
    vec![Found { rule: "slow_polls", subject, mark: Mark::Warn, text, links }]
}

/// "bad input, refused credentials: 10/s; 1 % of arrivals".
pub(super) fn bad_input(figures: &Figures) -> Vec<Found> {
    let rate = figures.bad_input;
    let share = rate / (figures.arrivals + rate).max(f64::MIN_POSITIVE);
    let mark = match () {
        // One connection a minute is no finding, whatever else comes.
        () if rate >= 1.0 && share >= 0.01 => Mark::Bad,
        () if rate >= 10.0 => Mark::Warn,
        () => return Vec::new(),
    };
    let text = format!(
        "Peers send what is wrong, {}, {} of what comes; since the start mostly {}",
        per_second(rate),
        percent(share),
        figures.bad_cause
    );
    let (subject, links) = (String::new(), vec![link("causes", "limits")]);
    vec![Found { rule: "bad_input", subject, mark, text, links }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_input_counts_by_rate_and_by_share() {
        let of = |bad_input, arrivals| {
            bad_input_of(&Figures { bad_input, arrivals, ..Figures::default() }).pop().map(|found| found.mark)
        };
        assert_eq!(
            [of(0.9, 0.0), of(1.0, 0.0), of(9.0, 1000.0), of(10.0, 10_000.0), of(20.0, 1000.0)],
            [None, Some(Mark::Bad), None, Some(Mark::Warn), Some(Mark::Bad)]
        );
    }
    use super::bad_input as bad_input_of;

    #[test]
    fn ten_slow_polls_in_a_minute_are_worth_a_look() {
        let of = |slow_polls| slow_polls_of(&Figures { slow_polls, ..Figures::default() }).len();
        assert_eq!([of(0.0), of(0.1), of(0.2)], [0, 0, 1]);
    }
    use super::slow_polls as slow_polls_of;
}

//! When what a rule finds is shown: a while after it began, and until a while after its end.
//!
//! ```text
//!  found by the rule:   ----------##########----------------
//!  shown:               ------------################--------
//!                                 |  |     |       |
//!                             it began  it ended   60 s later
//!                                    3 s or 10 s later
//! ```
//!
//! Nobody looks between two looks, so what is found first counts as having begun right after the look before.
//! A look after a long pause therefore shows at once what the figures of the last ten seconds say.

use polywire_base::Sort;
use polywire_console::{Link, Mark};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// How long something is bad before it is shown as bad.
pub(super) const HOLD_BAD: Duration = Duration::from_secs(3);
/// How long something is worth a look before it is shown.
pub(super) const HOLD_WARN: Duration = Duration::from_secs(10);
/// How long something is still shown when it is over.
pub(super) const RELEASE: Duration = Duration::from_secs(60);
/// What is remembered at most; more is not looked at.
const MOST: usize = 1000;

/// What a rule has found in the figures of one moment.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The rule's name: `method_fails`.
    pub rule: &'static str,
    /// What it found it of: `shop.Orders/Place`.
    pub subject: String,
    pub mark: Mark,
    /// A sentence without its end.
    pub text: String,
    pub links: Vec<Link>,
}

/// What is to be shown.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub found: Found,
    /// How long the rule has found it.
    pub lasted: Duration,
    /// It is over since then.
    pub over: Option<Duration>,
}

/// All that rules have found lately.
#[derive(Default)]
pub(super) struct Holds {
    known: HashMap<(&'static str, String), Known>,
    looked: Option<Instant>,
}

struct Known {
    found: Found,
    began: Instant,
    /// Since when it is bad.
    bad: Option<Instant>,
    last: Instant,
    /// How it is shown, if it is.
    shown: Option<Mark>,
}

impl Holds {
    /// What is to be shown now, worst first, then what began last, given what the rules find now.
    pub fn look(&mut self, now: Instant, found: Vec<Found>) -> Vec<Held> {
        let before = self.looked.replace(now);
        let since = before.map_or_else(|| now.checked_sub(HOLD_WARN).unwrap_or(now), |at| at.min(now));
        let since = since.max(now.checked_sub(HOLD_WARN).unwrap_or(since));
        for one in found {
            let key = (one.rule, one.subject.clone());
            if self.known.len() >= MOST && !self.known.contains_key(&key) {
                continue;
            }
            let is_bad = one.mark == Mark::Bad;
            let known = self.known.entry(key).or_insert_with(|| Known {
                found: one.clone(),
                began: since,
                bad: None,
                last: now,
                shown: None,
            });
            let is_back = known.last < before.unwrap_or(now);
            if is_back {
                (known.began, known.bad) = (since, None);
            }
            known.bad = is_bad.then(|| known.bad.unwrap_or(since));
            known.last = now;
            known.found = one;
            let is_held = |since: Instant, hold| now.saturating_duration_since(since) >= hold;
            known.shown = match known.bad {
                Some(bad) if is_held(bad, HOLD_BAD) => Some(Mark::Bad),
                _ if is_held(known.began, HOLD_WARN) => Some(Mark::Warn),
                // What is shown stays as it is.
                _ => known.shown,
            };
        }
        self.known.retain(|_, known| {
            known.last == now || known.shown.is_some() && now.saturating_duration_since(known.last) < RELEASE
        });
        let mut shown: Vec<_> = self
            .known
            .values()
            .filter_map(|known| {
                let found = Found { mark: known.shown?, ..known.found.clone() };
                let lasted = known.last.saturating_duration_since(known.began);
                let over = (known.last != now).then(|| now.saturating_duration_since(known.last));
                Some(Held { found, lasted, over })
            })
            .collect();
        shown.order_by(|one, other| {
            let over = one.over.is_some().cmp(&other.over.is_some());
            let order = over.then(other.found.mark.cmp(&one.found.mark)).then(one.lasted.cmp(&other.lasted));
            order.then_with(|| {
                (one.found.rule, &one.found.subject).cmp(&(other.found.rule, &other.found.subject))
            })
        });
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mark: Mark) -> Vec<Found> {
        vec![Found { rule: "r", subject: "s".into(), mark, text: "it fails".into(), links: Vec::new() }]
    }

    /// How it is shown at each second, by what is found at each second: `.` nothing, `w` worth a look, `b`
    /// bad.
    fn shown(seconds: &str) -> String {
        let (mut holds, start) = (Holds::default(), Instant::now());
        let marks = seconds.chars().enumerate().map(|(second, mark)| {
            let found = match mark {
                'w' => found(Mark::Warn),
                'b' => found(Mark::Bad),
                _ => Vec::new(),
            };
            let shown = holds.look(start + Duration::from_secs(second as u64), found);
            match shown.first() {
                Some(held) if held.found.mark == Mark::Bad => 'B',
                Some(_) => 'W',
                None => '.',
            }
        });
        marks.collect()
    }

    #[test]
    fn bad_is_shown_after_3_seconds_and_the_rest_after_10() {
        // Each began after the look before, at second 0.
        assert_eq!(shown(".bbbbbb"), "...BBBB");
        assert_eq!(shown(".wwwwwwwwwwww"), "..........WWW");
        assert_eq!(shown(".wwwwwwwwwwwbbbbwww"), "..........WWWWBBWWW");
        // what comes and goes is not shown
        assert_eq!(shown(".bb.bb.w.w.bb."), "..............");
    }

    #[test]
    fn what_is_over_is_shown_for_a_minute_more() {
        let seconds = format!(".bbbb{}", ".".repeat(70));
        let expected = format!("...BB{}{}", "B".repeat(59), ".".repeat(11));
        assert_eq!(shown(&seconds), expected);
    }

    #[test]
    fn a_look_after_a_pause_shows_at_once_what_is_so() {
        let (mut holds, start) = (Holds::default(), Instant::now());
        assert_eq!(holds.look(start, found(Mark::Warn)).len(), 1, "the first look");
        let later = start + Duration::from_secs(3600);
        assert!(holds.look(later, Vec::new()).is_empty(), "what was over meanwhile is not shown");
        let shown = holds.look(later + Duration::from_secs(12), found(Mark::Bad));
        assert_eq!((shown.len(), shown[0].found.mark, shown[0].lasted), (1, Mark::Bad, HOLD_WARN));
    }

    #[test]
    fn as_many_are_remembered_as_there_is_room_for() {
        let (mut holds, start) = (Holds::default(), Instant::now());
        let many: Vec<_> =
            (0..MOST + 500).map(|n| Found { subject: n.to_string(), ..found(Mark::Bad).remove(0) }).collect();
        assert_eq!(holds.look(start, many).len(), MOST);
        assert!(holds.look(start + RELEASE, Vec::new()).is_empty());
    }
}

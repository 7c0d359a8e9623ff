//! The time limit of a call.

use polywire_engine::clock;
use polywire_exchange::Request;
use std::time::{Duration, Instant};

/// The shorter of a call's timeout, if it has one, and a limit.
pub(crate) fn within(timeout: Option<Duration>, limit: Duration) -> Duration {
    timeout.map_or(limit, |timeout| timeout.min(limit))
}

/// The earlier of two deadlines, if there is any.
#[inline]
pub(crate) fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Sets the deadline of a call that begins now by its timeout, unless an earlier deadline holds. Returns how
/// long it may take and the present time, if it has a timeout.
#[inline]
pub(crate) fn begin(timeout: Option<Duration>, request: &mut Request) -> Option<(Duration, Instant)> {
    let limit = timeout?;
    let now = clock::now();
    let end = now.checked_add(limit);
    if let Some(inherited) = request.deadline.filter(|at| end.is_none_or(|end| *at < end)) {
        return Some((inherited.saturating_duration_since(now), now));
    }
    (request.deadline, request.timeout) = (end, limit);
    end.map(|_| (limit, now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_base::IoBuf;
    use polywire_wire::Content;

    #[test]
    fn the_earlier_of_timeout_and_deadline_ends_a_call() {
        let second = Duration::from_secs(1);
        let began = |timeout, deadline: Option<Instant>| {
            let mut request = Request::new("".into(), "".into(), IoBuf::new(), Content::RAW);
            request.deadline = deadline;
            let begun = begin(timeout, &mut request);
            begun.map(|(left, now)| (left, request.deadline.map(|at| at - now)))
        };
        assert_eq!(began(None, None), None);
        assert_eq!(began(Some(second), None), Some((second, Some(second))));
        let later = Instant::now() + 10 * second;
        assert_eq!(began(Some(second), Some(later)), Some((second, Some(second))));
        let (left, until) = began(Some(100 * second), Some(later)).expect("it has a timeout");
        assert!(left > second && left <= 10 * second && until == Some(left));
        let past = Instant::now();
        assert_eq!(began(Some(second), Some(past)).map(|(left, _)| left), Some(Duration::ZERO));
        assert_eq!(began(Some(Duration::MAX), None), None);
    }
}

//! The attempts of one call: whether there is another one, and when.

use super::{
    method::{Method, Retry},
    throttle::Throttle,
};
use polywire_call::{Metadata, Status};
use std::{sync::Arc, time::Duration};

/// The attempts of one call by its method's retry policy.
pub(crate) struct Attempts {
    method: Arc<Method>,
    throttle: Option<Arc<Throttle>>,
    /// The metadata field in which retries send the number of earlier attempts, if the protocol has one.
    field: Option<&'static str>,
    /// Attempts that have ended.
    ended: u32,
    /// Pauses since the first attempt, or since the server last named one.
    pauses: u32,
}

/// The decision after an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The call ends as the attempt did.
    Over,
    /// Another one, after this pause.
    Again(Duration),
}

/// The decision after a copy of a call has failed, by its method's hedging policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HedgeVerdict {
    /// The call ends with the status of the copy that failed.
    Fatal,
    /// No further copy is sent; those under way may still be answered.
    NoMore,
    /// The next one is sent after this time.
    Next(Duration),
}

impl Attempts {
    pub fn new(method: Arc<Method>, throttle: Option<Arc<Throttle>>, field: Option<&'static str>) -> Self {
        Attempts { method, throttle, field, ended: 0, pauses: 0 }
    }

    /// The same with this retry policy in place of the method's.
    #[cold]
    pub fn with_retry(self, retry: Retry) -> Self {
        Attempts { method: Arc::new(Method { retry: Some(retry), ..(*self.method).clone() }), ..self }
    }

    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Whether attempts that fail may be followed by others.
    pub fn may_repeat(&self) -> bool {
        self.method.retry.is_some()
    }

    /// Sends the server the number of earlier attempts, where the protocol has a field for it.
    pub fn announce(&self, metadata: &mut Metadata) {
        if let Some(field) = self.field.filter(|_| self.ended > 0) {
            metadata.insert(field, self.ended.to_string());
        }
    }

    /// Whether tokens allow a further copy of a call.
    pub fn may_hedge(&self) -> bool {
        self.throttle.as_ref().is_none_or(|throttle| throttle.may_hedge())
    }

    /// Sends the server the number of copies sent before this one.
    pub fn announce_number(&self, before: u32, metadata: &mut Metadata) {
        if let Some(field) = self.field.filter(|_| before > 0) {
            metadata.insert(field, before.to_string());
        }
    }

    /// Records that a copy of a call has failed. `trailers`: the reply's.
    pub fn hedge_failed(&mut self, status: &Status, trailers: Option<&Metadata>) -> HedgeVerdict {
        let Some(policy) = &self.method.hedging else { return HedgeVerdict::Fatal };
        if !policy.non_fatal.contains(status.code()) {
            return HedgeVerdict::Fatal;
        }
        let pushback = trailers.and_then(|fields| fields.get(Status::RETRY_PUSHBACK)).map(pause_of);
        let throttled = self.throttle.as_ref().is_some_and(|throttle| !throttle.failed());
        match pushback {
            Some(None) => HedgeVerdict::NoMore,
            _ if throttled => HedgeVerdict::NoMore,
            Some(Some(pause)) => HedgeVerdict::Next(pause),
            None => HedgeVerdict::Next(Duration::ZERO),
        }
    }

    /// Records that an attempt ended with this status. `trailers`: the reply's. `random`: from 0 up to 1,
    /// spreads the pause.
    pub fn ended(&mut self, status: &Status, trailers: Option<&Metadata>, random: f64) -> Verdict {
        self.ended += 1;
        if status.is_ok() {
            if let Some(throttle) = &self.throttle {
                throttle.succeeded();
            }
            return Verdict::Over;
        }
        let Some(retry) = &self.method.retry else { return Verdict::Over };
        let pushback = trailers.and_then(|fields| fields.get(Status::RETRY_PUSHBACK)).map(pause_of);
        let refused = pushback == Some(None);
        if !refused && !retry.codes.contains(status.code()) {
            return Verdict::Over;
        }
        let throttled = self.throttle.as_ref().is_some_and(|throttle| !throttle.failed());
        // A caller that has seen the head of a reply has seen the call begin.
        if refused || throttled || status.is_begun() || self.ended >= retry.attempts {
            return Verdict::Over;
        }
        if let Some(Some(pause)) = pushback {
            self.pauses = 0;
            return Verdict::Again(pause);
        }
        self.pauses += 1;
        Verdict::Again(retry.backoff.pause(self.pauses - 1, random))
    }
}

/// The pause that a server asks for; `None`: it asks for no further attempt, or its value cannot be parsed.
fn pause_of(value: &[u8]) -> Option<Duration> {
    let ms: i32 = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
    u64::try_from(ms).ok().map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            method::{Backoff, Codes},
            throttle::TOKEN,
        },
        *,
    };
    use polywire_call::Code;

    const PREVIOUS: &str = "attempts";
    const MS: Duration = Duration::from_millis(1);

    fn attempts(throttle: Option<Throttle>) -> Attempts {
        let mut codes = Codes::default();
        codes.insert(Code::Unavailable);
        let backoff = Backoff { initial: 10 * MS, most: 1000 * MS, multiplier: 2.0 };
        let retry = Some(Retry { attempts: 4, backoff, codes });
        Attempts::new(Arc::new(Method { retry, ..Method::default() }), throttle.map(Arc::new), Some(PREVIOUS))
    }

    fn fails(attempts: &mut Attempts, pushback: Option<&str>) -> Verdict {
        let mut trailers = Metadata::new();
        if let Some(value) = pushback {
            trailers.append(Status::RETRY_PUSHBACK, value);
        }
        attempts.ended(&Status::unavailable("busy"), Some(&trailers), 0.5)
    }

    #[test]
    fn attempts_end_when_all_are_made() {
        let mut call = attempts(None);
        let verdicts: Vec<_> = (0..4).map(|_| fails(&mut call, None)).collect();
        let again = |n| Verdict::Again(n * MS);
        assert_eq!(verdicts, [again(10), again(20), again(40), Verdict::Over]);
    }

    #[test]
    fn other_codes_a_success_and_a_reply_that_has_begun_end_the_call() {
        assert_eq!(attempts(None).ended(&Status::OK, None, 0.5), Verdict::Over);
        assert_eq!(attempts(None).ended(&Status::internal(""), None, 0.5), Verdict::Over);
        let begun = Status::unavailable("").begun();
        assert_eq!(attempts(None).ended(&begun, None, 0.5), Verdict::Over);
        let mut unsaid = Attempts::new(Arc::default(), None, None);
        assert_eq!(unsaid.ended(&Status::unavailable(""), None, 0.5), Verdict::Over);
    }

    #[test]
    fn a_server_names_the_pause_or_forbids_it() {
        let mut call = attempts(None);
        assert_eq!(fails(&mut call, None), Verdict::Again(10 * MS));
        assert_eq!(fails(&mut call, Some("70")), Verdict::Again(70 * MS));
        assert_eq!(fails(&mut call, None), Verdict::Again(10 * MS), "the pauses begin anew");
        for forbids in ["-1", "soon", "", "99999999999", "1.5"] {
            assert_eq!(fails(&mut attempts(None), Some(forbids)), Verdict::Over, "{forbids:?}");
        }
        assert_eq!(fails(&mut attempts(None), Some("0")), Verdict::Again(Duration::ZERO));
    }

    #[test]
    fn tokens_are_shared_and_end_retries() {
        let mut call = attempts(Some(Throttle::new(3 * TOKEN, TOKEN)));
        assert_eq!(fails(&mut call, None), Verdict::Again(10 * MS), "two of three are left");
        assert_eq!(fails(&mut call, None), Verdict::Over, "one is left");
        let tokens = call.throttle.clone();
        let mut next = attempts(None);
        next.throttle = tokens;
        assert_eq!(next.ended(&Status::OK, None, 0.5), Verdict::Over);
        assert_eq!(next.ended(&Status::OK, None, 0.5), Verdict::Over);
        assert_eq!(fails(&mut next, None), Verdict::Again(10 * MS), "successes earned some back");
    }

    #[test]
    fn further_attempts_are_announced() {
        let mut call = attempts(None);
        let mut fields = Metadata::new();
        call.announce(&mut fields);
        assert!(fields.is_empty());
        for n in ["1", "2"] {
            let _ = fails(&mut call, None);
            call.announce(&mut fields);
            assert_eq!(fields.get_str(PREVIOUS), Some(n));
            assert_eq!(fields.iter().count(), 1);
        }
        (call.field, fields) = (None, Metadata::new());
        call.announce(&mut fields);
        assert!(fields.is_empty(), "the protocol has no such field");
    }
}

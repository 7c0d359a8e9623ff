//! Whether a failed attempt of a call is followed by another one: the one place where that is decided.
//!
//! ```text
//!  attempt failed ───────► Retry::after ────────┬─► End         the call ends as this attempt did
//!  attempt not posted ───► Retry::after_unposted┼─► Again       another attempt now
//!                                               └─► AgainAfter  another attempt after a pause
//! ```
//!
//! There are two reasons for another attempt, checked in this order, after a
//! [`RetryPolicy`](crate::RetryPolicy) if that decides about the failure:
//!
//! 1. The channel's retries. If no server has executed the attempt, since it was not sent, or the server
//!    refused it before it did anything, another one follows at once, on another connection, up to
//!    [`Resilience::retries`](crate::Resilience::retries) times. An attempt that was lost with its
//!    connection, and may have been executed, is retried only if the call is idempotent or
//!    [`Resilience::retries_after_loss`](crate::Resilience::retries_after_loss) is set. A call that waits for
//!    its server does not count attempts for which no connection could be made, and moving a call to a
//!    connection with room is never counted.
//! 2. The method's retry policy in the service config, if it has one. Then reason 1 only covers attempts that
//!    no server has processed.
//!
//! This module only decides: it does not wait, draws no random number, and reads no clock except for hedges.
//! Its users make the attempts: `future.rs` for awaited calls, `blocking.rs` for calls on plain threads,
//! `streaming/opening.rs` for calls with streams.

use crate::{
    call::{deadline, moment::Moment, policy::Policy},
    connection::{
        backoff::Patience,
        error::{is_connect_failure, is_moved},
    },
    core::CombinedCall,
    retry_policy::{CallPolicy, FailedTry, RetryDecision},
    servers::{PostError, Search},
    service_config::HedgeVerdict,
};
use polywire_call::{Metadata, Origin, Status};
use polywire_engine::clock;
use polywire_exchange::Request;
use polywire_wire::{Longest, Outcome};
use std::time::{Duration, Instant};

/// The retries of channels that are combinations: as many as each of their channels has.
pub(crate) const INHERITED: u32 = u32::MAX;

/// The budget of a call for further attempts.
pub(crate) struct Retry {
    /// Further attempts that the channel's retries allow.
    left: u32,
    /// Attempts that failed and were followed by another one.
    failed: u32,
    /// The time limit of the whole call; `None`: it has no timeout.
    timeout: Option<Duration>,
    /// Whether the call waits while no connection can be made.
    wait_for_ready: bool,
    /// The channel's retries are only for attempts that no server has looked at.
    unprocessed_only: bool,
    /// Whether the call may be executed twice, as the call or its method says; `None`: neither says. With
    /// `false`, no retry follows a try that a server may have processed, whatever the policies say.
    idempotent: Option<bool>,
    /// An attempt that was lost with its connection is followed by another one.
    after_loss: bool,
    /// Another attempt may go to another server.
    many_servers: bool,
    /// The call is made by the channels of a combination, which count their attempts.
    is_combined: bool,
    /// The service config's policy for the call; rarely present.
    policy: Option<Box<Policy>>,
    /// The user's retry policy for the call; rarely present.
    own: Option<Box<CallPolicy>>,
}

/// The next step after a try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The call ends as the attempt did.
    End,
    /// Another try at once.
    Again,
    /// Another attempt after this pause.
    AgainAfter(Duration),
}

impl Step {
    /// Keeps the step if another try is allowed; `is_allowed` is only called if the step is a try.
    pub fn if_allowed(self, is_allowed: impl FnOnce() -> bool) -> Self {
        if self != Step::End && is_allowed() { self } else { Step::End }
    }
}

impl Retry {
    /// `retries`: further attempts after the first. `timeout`: the time limit of the whole call.
    #[inline]
    pub fn new(retries: u32, timeout: Option<Duration>, wait_for_ready: bool) -> Self {
        Retry {
            left: retries,
            failed: 0,
            timeout,
            wait_for_ready,
            unprocessed_only: false,
            idempotent: None,
            after_loss: false,
            many_servers: false,
            is_combined: false,
            policy: None,
            own: None,
        }
    }

    /// Whether another attempt may go to another server.
    #[inline]
    pub fn among(self, many_servers: bool) -> Self {
        Retry { many_servers, ..self }
    }

    /// Allows retries only for attempts that no server has processed, apart from a policy.
    pub fn unprocessed_only(self) -> Self {
        Retry { unprocessed_only: true, ..self }
    }

    /// Sets whether the call may be executed twice. `said`: what the call or its method declares;
    /// `otherwise`: the channel's default.
    #[inline]
    pub fn idempotent(self, said: Option<bool>, otherwise: bool) -> Self {
        Retry { idempotent: said, after_loss: said.unwrap_or(otherwise), ..self }
    }

    /// Adds the service config's policy for the call.
    #[cold]
    pub fn add_policy(&mut self, policy: Policy) {
        self.unprocessed_only |= policy.may_repeat() || policy.hedging().is_some();
        self.policy = Some(Box::new(policy));
    }

    /// Adds the user's retry policy.
    #[cold]
    pub fn add_own(&mut self, own: CallPolicy) {
        self.own = Some(Box::new(own));
    }

    /// Whether a call that has failed at its server may be made again.
    pub fn may_repeat(&self) -> bool {
        self.own.is_some() || self.policy().is_some_and(Policy::may_repeat)
    }

    /// Whether tokens allow a further copy of a call that is under way.
    pub fn may_hedge(&self) -> bool {
        self.policy().is_some_and(|policy| policy.attempts().may_hedge())
    }

    /// Adds to a copy of a request how many were sent before it.
    pub fn announce_number(&self, before: u32, metadata: &mut Metadata) {
        if let Some(policy) = self.policy() {
            policy.attempts().announce_number(before, metadata);
        }
    }

    /// A copy of the call has failed.
    pub fn hedge_failed(&mut self, failed: &Outcome) -> HedgeVerdict {
        let Some(policy) = &mut self.policy else { return HedgeVerdict::Fatal };
        self.failed += 1;
        policy.hedge_failed(failed, clock::now())
    }

    /// Sets the policy of a call that has begun and whose route has one.
    #[cold]
    pub fn set_policy(&mut self, policy: Policy) {
        self.unprocessed_only |= policy.may_repeat();
        self.policy = Some(Box::new(policy));
    }

    /// Sets the time limit and the deadline of the whole call.
    #[cold]
    pub fn limit(&mut self, timeout: Option<Duration>, deadline: Option<Instant>) {
        self.timeout = timeout;
        if let Some(policy) = &mut self.policy {
            policy.ends_by(deadline);
        }
    }

    /// The first attempt is the only one.
    pub fn never(self) -> Self {
        Retry { left: 0, wait_for_ready: false, policy: None, own: None, ..self }
    }

    /// The options that the channels of a combination use for a call that has begun.
    #[cold]
    pub fn combined(&mut self, request: Request, search: &Search) -> CombinedCall {
        self.is_combined = true;
        let retries = Some(self.left).filter(|left| *left != INHERITED);
        CombinedCall {
            request,
            key: search.key(),
            retries,
            wait_for_ready: self.wait_for_ready,
            idempotent: self.idempotent,
            within: search.within(),
        }
    }

    /// Whether a try waits or fails in the pause after a failure to connect.
    #[inline]
    pub fn patience(&self) -> Patience {
        if self.wait_for_ready { Patience::Pause } else { Patience::None }
    }

    /// The service config's policy for the call.
    pub fn policy(&self) -> Option<&Policy> {
        self.policy.as_deref()
    }

    /// The maximum length of a reply in bytes: `most`, or the service config's limit.
    #[inline]
    pub fn max_response(&self, most: Longest) -> Longest {
        self.policy().map_or(most, Policy::max_response)
    }

    /// Adds the number of earlier attempts to a request, where a service config asks for it.
    pub fn announce(&self, metadata: &mut Metadata) {
        if let Some(policy) = &self.policy {
            policy.announce(metadata);
        }
    }

    /// An attempt has succeeded with this outcome. Hot: once per call.
    #[inline]
    pub fn succeeded(&mut self, outcome: &mut Outcome) {
        if let Some(policy) = &mut self.policy {
            policy.succeeded();
            policy.check_reply(outcome);
        }
    }

    /// Records that the reply of an attempt has begun, so that no other attempt follows.
    pub fn reply_begun(&mut self) {
        if let Some(policy) = &mut self.policy {
            policy.succeeded();
        }
    }

    /// An attempt was made and failed.
    pub fn after(&mut self, failed: &Outcome, moment: Moment) -> Step {
        if self.idempotent == Some(false) && !failed.status.is_unprocessed() {
            return Step::End;
        }
        let waits = self.wait_for_ready && is_connect_failure(&failed.status);
        if !waits
            && !is_moved(&failed.status)
            && let Some(step) = self.by_own(failed, moment)
        {
            return step;
        }
        if self.is_tried_at_once(&failed.status) { Step::Again } else { self.by_policy(failed, moment) }
    }

    /// Handles that no connection takes another try. `before`: the failure of the try that this one followed
    /// at once, if there was one. Also returns the outcome with which the call ends if it ends: the first
    /// failure, which says more.
    pub fn after_unposted(
        &mut self,
        before: Option<Outcome>,
        why: PostError,
        moment: Moment,
    ) -> (Outcome, Step) {
        if why.is_final {
            return (why.status.into(), Step::End);
        }
        let first = before.filter(|before| !is_moved(&before.status));
        let outcome = first.unwrap_or_else(|| why.status.into());
        let step = self.by_own(&outcome, moment).unwrap_or_else(|| self.by_policy(&outcome, moment));
        (outcome, step)
    }

    /// Adds to the outcome of a call the facts that only the call knows.
    pub fn explain(&self, outcome: &mut Outcome) {
        let failed = (!self.is_combined).then_some(self.failed);
        deadline::explain(&mut outcome.status, failed, self.timeout);
    }

    /// Whether the channel's retries allow another attempt.
    pub fn is_tried_at_once(&mut self, status: &Status) -> bool {
        let unconnected = is_connect_failure(status);
        if is_moved(status) {
            return true;
        }
        if self.wait_for_ready && unconnected {
            self.failed += 1;
            return true;
        }
        let is_safe = if self.unprocessed_only {
            status.is_unprocessed() && (!unconnected || self.many_servers)
        } else {
            status.is_retryable() && (self.after_loss || !is_lost(status))
        };
        let again = self.left > 0 && is_safe;
        self.left -= u32::from(again);
        self.failed += u32::from(again);
        again
    }

    /// The step by the user's policy; `None`: the policy does not decide.
    fn by_own(&mut self, failed: &Outcome, moment: Moment) -> Option<Step> {
        let own = self.own.as_ref()?;
        let left = own.deadline.map(|at| at.saturating_duration_since(moment.now));
        let attempt = FailedTry {
            status: &failed.status,
            trailers: failed.trailers.as_deref(),
            number: self.failed.saturating_add(1),
            left,
        };
        let pause = match own.policy.after(&attempt, moment.random)? {
            RetryDecision::Default => return None,
            RetryDecision::End => return Some(Step::End),
            RetryDecision::After(pause) => pause,
        };
        // A caller that has seen the head of a reply has seen the call begin.
        let is_last = self.left == 0 || failed.status.is_begun() || left.is_some_and(|left| pause >= left);
        if is_last {
            return Some(Step::End);
        }
        self.left -= 1;
        self.failed += 1;
        Some(if pause.is_zero() { Step::Again } else { Step::AgainAfter(pause) })
    }

    fn by_policy(&mut self, failed: &Outcome, moment: Moment) -> Step {
        let pause =
            self.policy.as_mut().and_then(|policy| policy.pause_after(failed, moment.now, moment.random));
        let Some(pause) = pause else { return Step::End };
        self.failed += 1;
        Step::AgainAfter(pause)
    }
}

/// Whether a failed try that may be repeated may have been executed: the server has not declared that it
/// refused it.
fn is_lost(status: &Status) -> bool {
    !status.is_unprocessed() && status.origin() != Origin::Remote
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{connection::error, service_config::ServiceConfig};
    use polywire_call::{Code, brpc};
    use std::io;

    const MS: Duration = Duration::from_millis(1);

    fn moment() -> Moment {
        Moment { now: Instant::now(), random: 0.5 }
    }

    fn after(retry: &mut Retry, status: Status) -> Step {
        retry.after(&status.into(), moment())
    }

    fn with_policy(mut retry: Retry, policy: Policy) -> Retry {
        retry.add_policy(policy);
        retry
    }

    /// Three attempts, 10 ms and 20 ms apart, for UNAVAILABLE.
    fn policy(deadline: Option<Instant>) -> Policy {
        let config = ServiceConfig::parse(
            r#"{ "methodConfig": [{ "name": [{}], "retryPolicy": { "maxAttempts": 3, "initialBackoff": "0.01s",
                "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"] } }] }"#,
        );
        let attempts = config.expect("a config").attempts("s", "m", None).expect("it is for all methods");
        Policy::new(attempts, deadline, 1000.into())
    }

    fn refused() -> Status {
        error::connect_failed("host:1", &io::ErrorKind::ConnectionRefused.into())
    }

    #[test]
    fn what_is_safe_to_repeat_is_repeated_at_once_as_often_as_asked() {
        let mut retry = Retry::new(2, None, false);
        let refused = || brpc::received(brpc::ELIMIT, "busy");
        let steps = [(); 3].map(|()| after(&mut retry, refused()));
        assert_eq!(steps, [Step::Again, Step::Again, Step::End]);
        let mut retry = Retry::new(2, None, false);
        assert_eq!(after(&mut retry, Status::internal("broken")), Step::End);
        assert_eq!(after(&mut Retry::new(2, None, false).never(), refused()), Step::End);
    }

    #[test]
    fn what_was_lost_is_repeated_only_if_somebody_says_that_it_may_run_twice() {
        let lost = || Status::unavailable("lost").with_origin(Origin::Transport).retryable();
        for (said, otherwise, step) in [
            (None, false, Step::End),
            (None, true, Step::Again),
            (Some(true), false, Step::Again),
            (Some(false), true, Step::End),
        ] {
            let mut retry = Retry::new(2, None, false).idempotent(said, otherwise);
            assert_eq!(after(&mut retry, lost()), step, "{said:?}, otherwise {otherwise}");
            assert_eq!(after(&mut retry, Status::unavailable("going away").unprocessed()), Step::Again);
        }
    }

    #[test]
    fn a_call_that_waits_for_its_server_spends_no_retries_on_connecting() {
        let mut waits = Retry::new(0, None, true);
        assert!((0..100).all(|_| after(&mut waits, refused()) == Step::Again));
        assert_eq!(after(&mut Retry::new(0, None, false), refused()), Step::End);
    }

    #[test]
    fn a_call_that_is_moved_spends_no_retries() {
        let mut retry = Retry::new(0, None, false);
        assert!((0..100).all(|_| after(&mut retry, error::moved()) == Step::Again));
    }

    #[test]
    fn a_call_with_streams_repeats_only_what_no_server_has_looked_at() {
        let mut retry = Retry::new(9, None, false).unprocessed_only();
        assert_eq!(after(&mut retry, Status::unavailable("lost").retryable()), Step::End);
        assert_eq!(after(&mut retry, Status::unavailable("going away").unprocessed()), Step::Again);
        assert_eq!(after(&mut retry, refused()), Step::End, "that is for the policy");
    }

    #[test]
    fn a_call_that_must_not_run_twice_ends_with_an_attempt_that_may_have_run() {
        let once = || with_policy(Retry::new(9, None, true).idempotent(Some(false), true), policy(None));
        assert_eq!(after(&mut once(), Status::unavailable("lost").retryable()), Step::End);
        let busy = Status::unavailable("busy").with_origin(Origin::Remote);
        assert_eq!(after(&mut once(), busy), Step::End, "though the policy would repeat it");
        for unseen in [Status::unavailable("going away").unprocessed(), refused(), error::moved()] {
            assert_eq!(after(&mut once(), unseen), Step::Again);
        }
    }

    #[test]
    fn a_policy_says_when_the_next_attempt_is_and_retries_are_for_what_nobody_saw() {
        let mut retry = with_policy(Retry::new(1, None, false), policy(None));
        assert_eq!(after(&mut retry, Status::unavailable("going away").unprocessed()), Step::Again);
        let busy = || Status::unavailable("busy").with_origin(Origin::Remote);
        let steps = [(); 3].map(|()| after(&mut retry, busy()));
        assert_eq!(steps, [Step::AgainAfter(10 * MS), Step::AgainAfter(20 * MS), Step::End]);
    }

    #[test]
    fn retries_are_counted_over_all_attempts_of_a_policy() {
        let mut retry = with_policy(Retry::new(1, None, false), policy(None));
        let unseen = || Status::unavailable("going away").unprocessed();
        let busy = Status::unavailable("busy").with_origin(Origin::Remote);
        assert_eq!(after(&mut retry, unseen()), Step::Again);
        assert_eq!(after(&mut retry, busy), Step::AgainAfter(10 * MS));
        assert_eq!(after(&mut retry, unseen()), Step::AgainAfter(20 * MS), "the one retry was spent before");
    }

    #[test]
    fn nothing_is_repeated_when_the_deadline_comes_first() {
        let now = moment();
        let mut retry = with_policy(Retry::new(0, None, false), policy(Some(now.now + 15 * MS)));
        let busy = Outcome::from(Status::unavailable("busy").with_origin(Origin::Remote));
        assert_eq!(retry.after(&busy, now), Step::AgainAfter(10 * MS));
        assert_eq!(retry.after(&busy, now), Step::End);
    }

    #[test]
    fn what_went_wrong_first_says_more_than_that_no_connection_was_left() {
        let mut retry = Retry::new(3, None, false);
        let first = || Outcome::from(Status::unavailable("lost").retryable());
        let (outcome, step) =
            retry.after_unposted(Some(first()), PostError::failed(error::ended()), moment());
        assert_eq!((outcome.status.message(), step), ("lost", Step::End));
        let (outcome, _) =
            retry.after_unposted(Some(error::moved().into()), PostError::failed(error::ended()), moment());
        assert_eq!(outcome.status.message(), "the connection ended", "that it was to move says nothing");
        let (outcome, _) = retry.after_unposted(None, PostError::failed(refused()), moment());
        assert!(outcome.status.message().starts_with("cannot connect"), "{:?}", outcome.status);
    }

    #[test]
    fn a_policy_holds_for_attempts_that_were_not_posted_too() {
        let mut retry = with_policy(Retry::new(3, None, false), policy(None));
        let (outcome, step) = retry.after_unposted(None, PostError::failed(refused()), moment());
        assert_eq!((outcome.status.code(), step), (Code::Unavailable, Step::AgainAfter(10 * MS)));
    }

    #[test]
    fn what_was_refused_on_purpose_is_not_tried_again_and_says_so() {
        let mut retry = with_policy(Retry::new(3, None, true), policy(None));
        let lost = Outcome::from(Status::unavailable("lost").retryable());
        let dropped = PostError::refused(Status::unavailable("dropped"));
        let (outcome, step) = retry.after_unposted(Some(lost), dropped, moment());
        assert_eq!((outcome.status.message(), step), ("dropped", Step::End));
    }

    #[test]
    fn a_reply_longer_than_the_config_allows_is_an_error() {
        let mut retry = with_policy(Retry::new(3, None, false), policy(None));
        let mut outcome = Outcome { body: vec![0; 1001].into(), ..Outcome::default() };
        retry.succeeded(&mut outcome);
        assert_eq!(outcome.status.code(), Code::ResourceExhausted);
        let mut outcome = Outcome { body: vec![0; 1000].into(), ..Outcome::default() };
        retry.succeeded(&mut outcome);
        assert!(outcome.status.is_ok());
    }

    #[test]
    fn the_error_of_a_deadline_counts_every_attempt() {
        let mut retry = with_policy(Retry::new(1, Some(200 * MS), false), policy(None));
        let _ = after(&mut retry, Status::unavailable("going away").unprocessed());
        let _ = after(&mut retry, Status::unavailable("busy").with_origin(Origin::Remote));
        let mut outcome = Outcome::from(error::deadline_exceeded("host:1", "no reply"));
        retry.explain(&mut outcome);
        assert_eq!(outcome.status.message(), "deadline exceeded after 200 ms: 3 tries, host:1 (no reply)");
    }
}

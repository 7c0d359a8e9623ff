//! Decides when a call to several channels is over, and with which error.

use polywire_base::Sort;
use polywire_call::{Origin, Status, brpc};
use std::fmt::Write;

/// The maximum number of channels whose errors are listed in an error.
const TOLD: usize = 5;

/// How many parts of a call must fail, or succeed, until the call is over.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Limits {
    pub fail: Option<usize>,
    pub success: Option<usize>,
}

impl Limits {
    /// The limits for a call of `parts` parts: (failures, successes).
    pub fn of(&self, parts: usize) -> (usize, usize) {
        let within = |limit: usize| limit.clamp(1, parts.max(1));
        match (self.fail, self.success) {
            (Some(fail), _) => (within(fail), parts),
            (None, Some(success)) => (parts, within(success)),
            (None, None) => (parts, parts),
        }
    }

    /// The number of channels that must be ready so that a call can succeed.
    pub fn least_ready(&self, channels: usize) -> usize {
        self.fail.map_or(channels, |fail| (channels + 1).saturating_sub(fail).max(1))
    }
}

/// The error of a call of `parts` parts. `failed`: the numbers of the channels that failed, and their errors;
/// parts that were cancelled after the call was over are not among them.
pub(super) fn too_many(name: &str, failed: &mut [(usize, Status)], parts: usize, limit: usize) -> Status {
    failed.order_by_key(|(index, _)| *index);
    let mut text = format!("{name}: {}/{parts} channels failed, fail_limit={limit}", failed.len());
    for (index, status) in failed.iter().take(TOLD) {
        let _ = write!(text, " [C{index}] {}", status.message());
    }
    if failed.len() > TOLD {
        text += " ..";
    }
    let mut telling =
        failed.iter().map(|(_, status)| status).filter(|status| brpc::number(status) != brpc::ECANCELED);
    let Some(first) = telling.next() else { return brpc::status(brpc::ECANCELED, text) };
    let timed_out =
        |status: &Status| brpc::number(status) == brpc::ERPCTIMEDOUT && status.origin() == Origin::Local;
    if timed_out(first) || telling.clone().any(timed_out) {
        return brpc::status(brpc::ERPCTIMEDOUT, format!("deadline exceeded: {text}"));
    }
    let (number, code) = (brpc::number(first), first.code());
    let status = if telling.all(|status| brpc::number(status) == number && status.code() == code) {
        Status::new(code, text).with_native(first.native()).with_origin(first.origin())
    } else {
        brpc::status(brpc::ETOOMANYFAILS, text)
    };
    // As with a single server: what no server has looked at may be sent again, and what was lost in a way
    // that is retried.
    let is_retried = |status: &Status| status.is_retryable() || status.is_unprocessed();
    if failed.len() == parts && failed.iter().all(|(_, status)| status.is_unprocessed()) {
        return status.unprocessed();
    }
    if failed.iter().all(|(_, status)| is_retried(status)) { status.retryable() } else { status }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_call::Code;

    #[test]
    fn limits_are_kept_between_one_and_the_number_of_parts() {
        let limits = |fail, success| Limits { fail, success }.of(3);
        assert_eq!(limits(None, None), (3, 3));
        assert_eq!((limits(Some(0), None), limits(Some(9), None)), ((1, 3), (3, 3)));
        assert_eq!((limits(None, Some(0)), limits(None, Some(9))), ((3, 1), (3, 3)));
        assert_eq!(limits(Some(2), Some(1)), (2, 3), "the limit of successes counts only alone");
        let least = |fail| Limits { fail, success: None }.least_ready(3);
        assert_eq!([None, Some(1), Some(2), Some(9)].map(least), [3, 3, 2, 1]);
    }

    #[test]
    fn an_error_is_the_one_that_all_have_or_too_many_fails() {
        let of = |mut failed: Vec<(usize, Status)>| too_many("parallel", &mut failed, 3, 2);
        let same =
            of(vec![(2, Status::not_found("b")), (0, Status::not_found("a")), (1, Status::cancelled("c"))]);
        assert_eq!(same.code(), Code::NotFound);
        assert_eq!(same.message(), "parallel: 3/3 channels failed, fail_limit=2 [C0] a [C1] c [C2] b");
        let differ = of(vec![(0, Status::not_found("a")), (1, Status::internal("b"))]);
        assert_eq!(brpc::number(&differ), brpc::ETOOMANYFAILS);
        assert_eq!(brpc::number(&of(vec![(0, Status::cancelled("a"))])), brpc::ECANCELED);
        let late = of(vec![(0, Status::not_found("a")), (1, Status::deadline_exceeded("b"))]);
        assert_eq!(brpc::number(&late), brpc::ERPCTIMEDOUT);
        let refused = |text: &str| Status::unavailable(text.to_owned()).unprocessed();
        let nowhere =
            of(vec![(0, refused("a")), (1, refused("b")), (2, Status::internal("c").unprocessed())]);
        assert!(nowhere.is_unprocessed() && brpc::number(&nowhere) == brpc::ETOOMANYFAILS);
        assert!(!of(vec![(0, refused("a")), (1, refused("b"))]).is_unprocessed(), "the third may have been");
        assert!(of(vec![(0, refused("a")), (1, refused("b"))]).is_retryable());
        assert!(!of(vec![(0, refused("a")), (1, Status::internal("b"))]).is_retryable());
    }
}

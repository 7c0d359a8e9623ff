//! Faults that are injected into calls on purpose, to test the reactions to them.

use crate::{
    Fraction,
    matcher::{field, int},
};
use polywire_call::{Code, Metadata};
use std::time::Duration;

/// A fault that is injected into some calls before their first attempt: a delay, an error, or one after the
/// other.
///
/// Source: gRFC A33.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Fault {
    pub delay: Option<Delay>,
    pub abort: Option<Abort>,
    /// The maximum number of calls of the channel that faults delay or fail at the same time; others continue
    /// unaffected. `None`: no limit.
    pub max_active: Option<u32>,
}

/// A delay that is injected into calls.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Delay {
    pub length: DelayLength,
    /// The share of calls that are delayed.
    pub share: Fraction,
    /// The header of the call that, if present, sets the numerator of the share, up to that of `share`.
    pub share_header: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum DelayLength {
    Fixed(Duration),
    /// The value of this header of the call, in milliseconds; calls without it are not delayed.
    Header(String),
}

/// An error that is injected into calls.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Abort {
    pub with: AbortWith,
    /// The share of calls that fail.
    pub share: Fraction,
    /// The header of the call that, if present, sets the numerator of the share, up to that of `share`.
    pub share_header: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum AbortWith {
    /// This code. With OK, a call fails as UNKNOWN, since it has no reply.
    Code(Code),
    /// The values of these headers of the call, the first one as an HTTP status, the second one as a gRPC
    /// code.
    Headers { http: String, code: String },
}

/// The faults that are injected into one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Injected {
    pub delay: Option<Duration>,
    /// The error of the call, after the delay.
    pub abort: Option<Code>,
}

impl Fault {
    pub fn new() -> Self {
        Fault::default()
    }

    /// Delays a share of the calls.
    #[must_use]
    pub fn delay(mut self, length: Duration, share: Fraction) -> Self {
        self.delay = Some(Delay::new(DelayLength::Fixed(length), share));
        self
    }

    /// A share of the calls fails.
    #[must_use]
    pub fn abort(mut self, code: Code, share: Fraction) -> Self {
        self.abort = Some(Abort::new(AbortWith::Code(code), share));
        self
    }

    /// Sets the maximum number of calls of the channel that faults delay or fail at the same time; others
    /// continue unaffected.
    #[must_use]
    pub fn max_active(mut self, calls: impl Into<Option<u32>>) -> Self {
        self.max_active = calls.into();
        self
    }

    /// Decides the faults of a call. `active`: the number of calls that are delayed at the moment.
    pub fn inject(&self, metadata: &Metadata, active: u32, random: &mut fastrand::Rng) -> Injected {
        if self.max_active.is_some_and(|most| active >= most) {
            return Injected::default();
        }
        Injected {
            delay: self.delay.as_ref().and_then(|delay| delay.of(metadata, random)),
            abort: self.abort.as_ref().and_then(|abort| abort.of(metadata, random)),
        }
    }
}

impl Delay {
    pub fn new(length: DelayLength, share: Fraction) -> Self {
        Delay { length, share, share_header: None }
    }

    /// Sets a header that can reduce the share.
    #[must_use]
    pub fn share_header(mut self, name: impl Into<String>) -> Self {
        self.share_header = Some(name.into());
        self
    }

    fn of(&self, metadata: &Metadata, random: &mut fastrand::Rng) -> Option<Duration> {
        let length = match &self.length {
            DelayLength::Fixed(length) => *length,
            DelayLength::Header(name) => Duration::from_millis(last(metadata, name)?.try_into().ok()?),
        };
        let hits = share(self.share, self.share_header.as_deref(), metadata).hits(random);
        (hits && !length.is_zero()).then_some(length)
    }
}

impl Abort {
    pub fn new(with: AbortWith, share: Fraction) -> Self {
        Abort { with, share, share_header: None }
    }

    /// An error with the code that corresponds to an HTTP status (gRFC A33); `None`: the status is invalid.
    pub fn http(status: u32, share: Fraction) -> Option<Self> {
        of_http(status.into()).map(|code| Abort::new(AbortWith::Code(code), share))
    }

    /// An error with the code of this number; UNKNOWN if there is none.
    pub fn grpc(number: u32, share: Fraction) -> Self {
        Abort::new(AbortWith::Code(of_number(number.into())), share)
    }

    /// Sets a header that can reduce the share.
    #[must_use]
    pub fn share_header(mut self, name: impl Into<String>) -> Self {
        self.share_header = Some(name.into());
        self
    }

    fn of(&self, metadata: &Metadata, random: &mut fastrand::Rng) -> Option<Code> {
        let code = match &self.with {
            AbortWith::Code(code) => *code,
            AbortWith::Headers { http, code } => match last(metadata, http).and_then(of_http) {
                Some(code) => code,
                None => of_number(last(metadata, code)?),
            },
        };
        let code = if code == Code::Ok { Code::Unknown } else { code };
        share(self.share, self.share_header.as_deref(), metadata).hits(random).then_some(code)
    }
}

/// The share, or the smaller one that a header asks for.
fn share(share: Fraction, header: Option<&str>, metadata: &Metadata) -> Fraction {
    match header.and_then(|name| last(metadata, name)).and_then(|wanted| u32::try_from(wanted).ok()) {
        Some(wanted) => share.at_most(wanted),
        None => share,
    }
}

/// The last value of a header as a number.
fn last(metadata: &Metadata, name: &str) -> Option<i64> {
    let joined = field(metadata, name)?;
    int(joined.rsplit(|byte| *byte == b',').next()?)
}

/// The code that corresponds to an HTTP status; `None`: the status is invalid.
fn of_http(status: i64) -> Option<Code> {
    Some(match status {
        400 => Code::Internal,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 => Code::Unimplemented,
        429 | 502..=504 => Code::Unavailable,
        200..=599 => Code::Unknown,
        _ => return None,
    })
}

fn of_number(number: i64) -> Code {
    Code::ALL.into_iter().find(|code| *code as i64 == number).unwrap_or(Code::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn inject(fault: &Fault, fields: &[(&str, &str)]) -> Injected {
        fault.inject(&fields.iter().copied().collect(), 0, &mut fastrand::Rng::with_seed(1))
    }

    #[test]
    fn a_share_of_the_calls_is_delayed_and_another_one_fails() {
        let fault =
            Fault::new().delay(5 * MS, Fraction::percent(50)).abort(Code::Aborted, Fraction::percent(20));
        let (mut random, none) = (fastrand::Rng::with_seed(1), Metadata::new());
        let injected: Vec<_> = (0..10_000).map(|_| fault.inject(&none, 9, &mut random)).collect();
        let delayed = injected.iter().filter(|one| one.delay == Some(5 * MS)).count();
        let failed = injected.iter().filter(|one| one.abort == Some(Code::Aborted)).count();
        let both = injected.iter().filter(|one| one.delay.is_some() && one.abort.is_some()).count();
        assert!((4700..5300).contains(&delayed) && (1800..2200).contains(&failed), "{delayed} {failed}");
        assert!((850..1150).contains(&both), "each by itself: {both}");
    }

    #[test]
    fn no_more_calls_than_the_limit_have_faults_at_a_time() {
        let fault = Fault::new().delay(MS, Fraction::percent(100)).max_active(2);
        let mut random = fastrand::Rng::with_seed(1);
        let none = Metadata::new();
        assert_eq!(fault.inject(&none, 1, &mut random).delay, Some(MS));
        assert_eq!(fault.inject(&none, 2, &mut random), Injected::default());
    }

    #[test]
    fn headers_say_the_delay_and_make_its_share_smaller() {
        let mut delay = Delay::new(DelayLength::Header("d".into()), Fraction::percent(100));
        delay = delay.share_header("p");
        let fault = Fault { delay: Some(delay), ..Fault::default() };
        assert_eq!(inject(&fault, &[("d", "7")]).delay, Some(7 * MS));
        assert_eq!(inject(&fault, &[("d", "1"), ("d", "9")]).delay, Some(9 * MS), "the last one");
        for without in [&[][..], &[("d", "x")], &[("d", "-1")], &[("d", "7"), ("p", "0")]] {
            assert_eq!(inject(&fault, without).delay, None, "{without:?}");
        }
        assert_eq!(inject(&fault, &[("d", "7"), ("p", "x")]).delay, Some(7 * MS));
    }

    #[test]
    fn headers_say_the_error_that_of_http_first() {
        let with = AbortWith::Headers { http: "h".into(), code: "c".into() };
        let fault = Fault { abort: Some(Abort::new(with, Fraction::percent(100))), ..Fault::default() };
        for (fields, expected) in [
            (&[("h", "404")][..], Some(Code::Unimplemented)),
            (&[("c", "10")], Some(Code::Aborted)),
            (&[("h", "503"), ("c", "10")], Some(Code::Unavailable)),
            (&[("h", "600"), ("c", "10")], Some(Code::Aborted)),
            (&[("h", "200")], Some(Code::Unknown)),
            (&[("c", "99")], Some(Code::Unknown)),
            (&[("c", "0")], Some(Code::Unknown)),
            (&[("c", "x")], None),
            (&[], None),
        ] {
            assert_eq!(inject(&fault, fields).abort, expected, "{fields:?}");
        }
    }
}

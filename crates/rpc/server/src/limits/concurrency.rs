//! The setting of a limit of calls at once.

use super::{Auto, Timeout};
use polywire_call::ConfigError;
use std::{fmt, str::FromStr, time::Duration};

/// The maximum number of calls under way at once, in a server or in one of its methods. A call beyond it is
/// refused at once with ELIMIT, and never queued.
///
/// A number is a constant limit, and `None` means no limit. Flags and files have it as text, where 0 also
/// means no limit, as in brpc:
///
/// ```
/// # mod polywire { pub use polywire_server::*; }
/// use polywire::{Auto, Concurrency, Timeout};
///
/// assert_eq!(Concurrency::from(100), "100".parse().unwrap());
/// assert_eq!(Concurrency::from(None), "unlimited".parse().unwrap());
/// assert_eq!(Concurrency::Auto(Auto::default()), "auto".parse().unwrap());
/// assert_eq!(Concurrency::Auto(Auto::BRPC), "auto:brpc".parse().unwrap());
/// // the average latency may be 200 ms, and 50 calls may be under way
/// assert_eq!(Concurrency::from(Timeout::ms(200).most(50)), "timeout:200:50".parse().unwrap());
/// assert_eq!(Concurrency::from(Timeout::ms(50)), "timeout:50ms".parse().unwrap());
/// assert!("automatic".parse::<Concurrency>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Concurrency {
    /// No limit; calls are not counted.
    #[default]
    Unlimited,
    /// This many calls, at least 1.
    Constant(u32),
    /// As many calls as can be under way before latency grows: see [`Auto`].
    Auto(Auto),
    /// As many calls as can be answered before their callers give up: see [`Timeout`].
    Timeout(Timeout),
}

impl From<u32> for Concurrency {
    fn from(most: u32) -> Self {
        Concurrency::Constant(most)
    }
}

impl From<Option<u32>> for Concurrency {
    fn from(most: Option<u32>) -> Self {
        most.map_or(Concurrency::Unlimited, Concurrency::Constant)
    }
}

impl From<Auto> for Concurrency {
    fn from(auto: Auto) -> Self {
        Concurrency::Auto(auto)
    }
}

impl From<Timeout> for Concurrency {
    fn from(timeout: Timeout) -> Self {
        Concurrency::Timeout(timeout)
    }
}

impl Concurrency {
    /// Whether the limit admits no call.
    pub(crate) fn is_zero(self) -> bool {
        self == Concurrency::Constant(0)
    }
}

impl FromStr for Concurrency {
    type Err = ConfigError;

    /// Reads `unlimited`, a number, `auto`, `auto:brpc`, `timeout`, `timeout:MS` or `timeout:MS:MOST`; `MS`
    /// is `50` or `50ms`.
    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let wrong = || {
            let why = format!(
                "max_concurrency {text:?}: write a number, unlimited, auto, auto:brpc, timeout, timeout:MS or timeout:MS:MOST"
            );
            ConfigError::new("max_concurrency", why).with_value(text)
        };
        let time = |text: &str| text.strip_suffix("ms").unwrap_or(text).to_owned();
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0).ok_or_else(wrong);
        let mut words = text.split(':');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("unlimited" | "0"), None, ..) => Ok(Concurrency::Unlimited),
            (Some("auto"), None, ..) => Ok(Concurrency::Auto(Auto::default())),
            (Some("auto"), Some("brpc"), None, _) => Ok(Concurrency::Auto(Auto::BRPC)),
            (Some("timeout"), None, ..) => Ok(Timeout::default().into()),
            (Some("timeout"), Some(ms), None, _) => Ok(Timeout::ms(number(&time(ms))?.into()).into()),
            (Some("timeout"), Some(ms), Some(most), None) => {
                Ok(Timeout::ms(number(&time(ms))?.into()).most(number(most)?).into())
            }
            (Some(most), None, ..) => number(most).map(Concurrency::Constant),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Concurrency {
    /// Writes the form that [`Concurrency::from_str`] reads; options of `auto` without a text form are left
    /// out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Concurrency::Unlimited => f.write_str("unlimited"),
            Concurrency::Constant(most) => most.fmt(f),
            Concurrency::Auto(Auto::BRPC) => f.write_str("auto:brpc"),
            Concurrency::Auto(_) => f.write_str("auto"),
            Concurrency::Timeout(Timeout { limit, most }) => {
                write!(f, "timeout:{}:{most}", limit.max(&Duration::from_millis(1)).as_millis())
            }
        }
    }
}

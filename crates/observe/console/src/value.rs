//! One figure or text of a page, with its unit.

use std::{borrow::Cow, time::Instant};

/// A value in its base unit. Text and JSON show it raw; HTML shows three figures of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A value that was not measured: `–`.
    Unknown,
    /// A value that does not apply here, shown as nothing.
    Blank,
    /// A text, which may be a peer's: cut at [`escape::MOST`](crate::escape::MOST) characters.
    Text(Cow<'static, str>),
    /// A text of the program itself, which is shown whole, such as a help text.
    Long(Cow<'static, str>),
    /// A number that is shown with all its digits: an identifier, or a figure whose unit is not known.
    Digits(Cow<'static, str>),
    /// A whole number of things.
    Count(u64),
    /// A number without a unit.
    Number(f64),
    /// A rate, in events per second.
    PerSecond(f64),
    /// A time in microseconds.
    Micros(f64),
    /// A time in seconds.
    Seconds(f64),
    Bytes(u64),
    BytesPerSecond(f64),
    /// A part of a whole, 0 to 1.
    Ratio(f64),
    /// Past values of a figure, oldest first, for a small plot. A gap is a NaN.
    Trend(Vec<f64>),
}

impl Value {
    /// The time from one moment to a later one.
    pub fn since(then: Instant, now: Instant) -> Value {
        Value::Seconds(now.saturating_duration_since(then).as_secs_f64())
    }

    pub fn text(text: impl Into<Cow<'static, str>>) -> Value {
        Value::Text(text.into())
    }

    /// The value of an option, or [`Value::Unknown`].
    pub fn or_unknown<T>(value: Option<T>, to: impl FnOnce(T) -> Value) -> Value {
        value.map_or(Value::Unknown, to)
    }

    /// The suffix for the unit that is appended to the name of a column in text: `p99_us`. Empty if there is
    /// no unit.
    pub fn suffix(&self) -> &'static str {
        match self {
            Value::PerSecond(_) => "_per_s",
            Value::Micros(_) => "_us",
            Value::Seconds(_) => "_s",
            Value::Bytes(_) => "_bytes",
            Value::BytesPerSecond(_) => "_bytes_per_s",
            Value::Ratio(_) => "_ratio",
            _ => "",
        }
    }

    /// The name of the formatting rule, for the script of a page. Empty: the value is a text, or unknown.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Bytes(_) => "b",
            Value::BytesPerSecond(_) => "bs",
            Value::PerSecond(_) => "ps",
            Value::Micros(_) => "us",
            Value::Seconds(_) => "s",
            Value::Ratio(_) => "r",
            Value::Count(_) | Value::Number(_) => "n",
            _ => "",
        }
    }

    /// The number by which the value is sorted, if it is a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Count(n) | Value::Bytes(n) => Some(*n as f64),
            Value::Number(n)
            | Value::PerSecond(n)
            | Value::Micros(n)
            | Value::Seconds(n)
            | Value::BytesPerSecond(n)
            | Value::Ratio(n) => Some(*n),
            Value::Trend(points) => points.last().copied(),
            Value::Digits(digits) => digits.parse().ok(),
            _ => None,
        }
        .filter(|number| number.is_finite())
    }

    /// The text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) | Value::Long(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Value::Text(text.into())
    }
}
impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text.into())
    }
}
impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Count(number)
    }
}
impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::Count(number.into())
    }
}
impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Value::Count(number as u64)
    }
}
impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Value::Text(if yes { "yes" } else { "no" }.into())
    }
}
impl From<std::time::Duration> for Value {
    fn from(time: std::time::Duration) -> Self {
        Value::Micros(time.as_nanos() as f64 / 1000.0)
    }
}

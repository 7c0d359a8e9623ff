//! Numbers and links as findings have them.

use polywire_console::{Link, escape};
use std::time::Duration;

pub(super) fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

pub(crate) fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".to_owned(),
        percent if percent < 0.01 => "<0.01 %".to_owned(),
        percent if percent < 10.0 => format!("{percent:.2} %"),
        percent => format!("{percent:.1} %"),
    }
}

pub(super) fn per_second(rate: f64) -> String {
    if rate < 10.0 { format!("{rate:.1}/s") } else { format!("{rate:.0}/s") }
}

pub(super) fn link(text: &'static str, to: &'static str) -> Link {
    Link { text: text.into(), to: to.to_owned() }
}

/// The page of a method; its name is `service/method`.
pub(crate) fn method_link(name: &str) -> Link {
    Link { text: "method".into(), to: format!("status/{}", escape::path(name)) }
}

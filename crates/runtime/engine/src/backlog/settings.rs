//! The settings of shedding, and their text form.

use super::shedding::Shedding;
use std::{
    fmt,
    str::FromStr,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Options that shards read while an operator changes them. Each is read separately: for a moment some are
/// old and some are new.
pub(super) struct Settings {
    on: AtomicBool,
    burst_us: AtomicU64,
    least_us: AtomicU64,
    most_us: AtomicU64,
    newest_first: AtomicBool,
}

impl Settings {
    pub fn new(shedding: Option<Shedding>) -> Settings {
        let settings = Settings {
            on: AtomicBool::new(false),
            burst_us: AtomicU64::new(0),
            least_us: AtomicU64::new(0),
            most_us: AtomicU64::new(0),
            newest_first: AtomicBool::new(false),
        };
        settings.set(Some(shedding.unwrap_or_default()));
        settings.set(shedding);
        settings
    }

    /// `None` switches shedding off; calls that wait then are served by the options before.
    pub fn set(&self, shedding: Option<Shedding>) {
        if let Some(options) = shedding {
            self.burst_us.store(micros(options.burst), Relaxed);
            self.least_us.store(micros(options.least_wait), Relaxed);
            self.most_us.store(micros(options.most_wait), Relaxed);
            self.newest_first.store(options.newest_first, Relaxed);
        }
        self.on.store(shedding.is_some(), Relaxed);
    }

    #[inline]
    pub fn is_on(&self) -> bool {
        self.on.load(Relaxed)
    }

    pub fn options(&self) -> Shedding {
        Shedding {
            burst: Duration::from_micros(self.burst_us.load(Relaxed)),
            least_wait: Duration::from_micros(self.least_us.load(Relaxed)),
            most_wait: Duration::from_micros(self.most_us.load(Relaxed)),
            newest_first: self.newest_first.load(Relaxed),
        }
    }

    pub fn shedding(&self) -> Option<Shedding> {
        self.is_on().then(|| self.options())
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A text is no setting of [`Shedding`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseSheddingError;

impl fmt::Display for ParseSheddingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write default, or BURST_MS:LEAST_MS:MOST_MS with :oldest behind it or not")
    }
}

impl std::error::Error for ParseSheddingError {}

impl FromStr for Shedding {
    type Err = ParseSheddingError;

    /// Reads `default`, or `BURST:LEAST:MOST` in milliseconds (`100:500:1000`), with `:oldest` if the oldest
    /// call is next.
    fn from_str(text: &str) -> Result<Self, ParseSheddingError> {
        if text == "default" {
            return Ok(Shedding::default());
        }
        let mut words = text.split(':');
        let mut time = || {
            let ms = words.next().and_then(|word| word.parse::<f64>().ok());
            let ms = ms.filter(|ms| (0.0..=86_400_000.0).contains(ms)).ok_or(ParseSheddingError)?;
            Ok(Duration::from_secs_f64(ms / 1e3))
        };
        let (burst, least_wait, most_wait) = (time()?, time()?, time()?);
        let newest_first = match (words.next(), words.next()) {
            (None, None) => true,
            (Some("oldest"), None) => false,
            _ => return Err(ParseSheddingError),
        };
        Ok(Shedding { burst, least_wait, most_wait, newest_first })
    }
}

impl fmt::Display for Shedding {
    /// Writes the form that [`Shedding::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Shedding::default() {
            return f.write_str("default");
        }
        let [burst, least, most] =
            [self.burst, self.least_wait, self.most_wait].map(|time| micros(time) as f64 / 1e3);
        let order = if self.newest_first { "" } else { ":oldest" };
        write!(f, "{burst}:{least}:{most}{order}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_read_as_it_is_shown() {
        let other = Shedding::default().most_wait(Duration::from_micros(1500)).newest_first(false);
        for shedding in [Shedding::default(), other] {
            assert_eq!(shedding.to_string().parse(), Ok(shedding));
        }
        assert_eq!(other.to_string(), "100:500:1.5:oldest");
        for wrong in ["", "on", "1:2", "1:2:3:newest", "1:2:3:oldest:4", "-1:2:3", "NaN:1:1", "inf:1:1"] {
            assert_eq!(wrong.parse::<Shedding>(), Err(ParseSheddingError), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_set_is_what_is_read() {
        let settings = Settings::new(None);
        assert!(!settings.is_on() && settings.options() == Shedding::default());
        let one = Shedding::default().burst(Duration::from_millis(7));
        settings.set(Some(one));
        assert_eq!(settings.shedding(), Some(one));
        settings.set(None);
        assert!(
            settings.shedding().is_none() && settings.options() == one,
            "those that wait are served by it"
        );
    }
}

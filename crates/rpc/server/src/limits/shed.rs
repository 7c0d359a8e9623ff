//! Shedding as text, with a word for none.

use polywire_engine::backlog::{ParseSheddingError, Shedding};
use std::{fmt, str::FromStr};

/// The rules of shedding calls; `None`, written `off`: calls are not shed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shed(pub Option<Shedding>);

impl FromStr for Shed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Shed(None));
        }
        let shedding = text.parse().map_err(|error: ParseSheddingError| format!("write off, or {error}"))?;
        Ok(Shed(Some(shedding)))
    }
}

impl fmt::Display for Shed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("off"),
            Some(shedding) => shedding.fmt(f),
        }
    }
}

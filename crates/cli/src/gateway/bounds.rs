//! What the callers of a listener, or of a route, may take of it together.

use super::document::Table;
use crate::units;
use polywire::{
    Bounds, Limits, Timeouts,
    gateway::Relay,
    overload::{Concurrency, Timeout},
};
use std::time::Duration;

/// What a server takes.
const LONGEST: u64 = Limits::DEFAULT.max_message as u64;

#[derive(Clone, PartialEq, Default)]
pub struct Bounded {
    connections: Option<u32>,
    /// Calls under way.
    concurrency: Option<Concurrency>,
    /// Bytes of a message.
    message: Option<u32>,
    /// How long a connection may be silent.
    idle: Option<Duration>,
}

impl Bounded {
    /// Reads `max_connections`, `max_concurrency`, `max_message` and `idle` of a listener.
    pub fn read(table: &Table<'_>) -> Bounded {
        let connections = table.number("max_connections", u32::MAX);
        let concurrency = concurrency(table);
        let message = table.text("max_message").and_then(|text| match units::bytes(&text.value) {
            Ok(bytes @ 1..=LONGEST) => u32::try_from(bytes).ok(),
            read => {
                let wrong = read.map_or_else(|wrong| wrong, |_| "from 1KiB to 64MiB".to_owned());
                table.wrong(text.at, "max_message", format_args!("{:?}: {wrong}", text.value));
                None
            }
        });
        let idle = table.duration("idle").filter(|idle| !idle.is_zero());
        Bounded { connections, concurrency, message, idle }
    }

    /// The bounds of its server, beside those of all listeners.
    pub fn of_server(&self, all: &Bounds) -> Bounds {
        let bounds = all.clone().connections(self.connections.map(|most| most as usize));
        self.concurrency.iter().cloned().fold(bounds, Bounds::concurrency)
    }

    pub fn timeouts(&self) -> Timeouts {
        Timeouts::default().idle(self.idle)
    }

    pub fn of_relay(&self, relay: Relay) -> Relay {
        self.message.into_iter().fold(relay, Relay::max_message)
    }
}

/// The key `max_concurrency` of a listener or a route: how many calls may be under way.
pub fn concurrency(table: &Table<'_>) -> Option<Concurrency> {
    let text = table.word("max_concurrency")?;
    text.value.parse().map_err(|wrong| table.wrong(text.at, "max_concurrency", wrong)).ok()
}

/// How many calls of a route may be under way, for the operator.
pub fn words(most: Concurrency) -> String {
    match most {
        Concurrency::Constant(most) => format!("at most {most} calls at a time"),
        Concurrency::Auto(_) => {
            format!("{most}: as many calls at a time as its servers answer without getting slower")
        }
        Concurrency::Timeout(Timeout { most: at_once, .. }) => {
            format!(
                "{most}: calls that are answered before their callers give up, at most {at_once} at a time"
            )
        }
        _ => "any number of calls at a time".to_owned(),
    }
}

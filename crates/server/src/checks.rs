//! Options that cannot work, found at the start of a server and named in its error.

use polywire_engine::Timeouts;
use polywire_wire::{Limits, Protocol, Registry};
use std::time::Duration;

/// What clients speak that servers know by the protocol underneath it: which of those the name allows.
const OVER_HTTP: [(&str, &[&str]); 3] =
    [("grpc", &["h2"]), ("grpc-web", &["h2", "http"]), ("connect", &["h2", "http"])];

/// The protocols that a server is to answer. `lacking`: those that it has no service for.
///
/// # Errors
/// No name at all, or one that this server would answer to nobody.
pub(crate) fn protocols(
    names: &[String],
    registry: &Registry,
    lacking: &[&str],
) -> Result<Vec<&'static str>, String> {
    if names.is_empty() {
        return Err("protocols([]) leaves nothing to answer: name one, or leave the option out".into());
    }
    let mut allowed = Vec::new();
    for name in names {
        let over = OVER_HTTP.iter().find(|(known, _)| known == name).map(|(_, over)| *over);
        let one = [name.as_str()];
        for name in over.unwrap_or(&one) {
            allowed.push(spoken(name, registry, lacking)?.name);
        }
    }
    Ok(allowed)
}

fn spoken(name: &str, registry: &Registry, lacking: &[&str]) -> Result<&'static Protocol, String> {
    let known = registry.iter().find(|protocol| protocol.name == name);
    let why = match known {
        None => "unknown protocol",
        Some(protocol) if protocol.machine.is_none() => "recognised, but not answered, is the protocol",
        Some(_) if lacking.contains(&name) => "no service is there for the protocol",
        Some(protocol) => return Ok(protocol),
    };
    let answered = registry.iter().filter(|p| p.machine.is_some() && !lacking.contains(&p.name));
    let answered: Vec<_> = answered.map(|p| p.name).collect();
    Err(format!("{why} {name:?} in protocols(..); this server can answer {}", answered.join(", ")))
}

/// # Errors
/// A guard that would never be asked, since no connection has this protocol by this name.
pub(crate) fn guards<'n>(
    mut names: impl Iterator<Item = &'n str>,
    registry: &Registry,
) -> Result<(), String> {
    let answered = |name: &str| registry.iter().any(|p| p.name == name && p.machine.is_some());
    let over = |name: &str| OVER_HTTP.iter().find(|(known, _)| *known == name).map(|(_, over)| *over);
    match names.find(|name| over(name).is_some() || !answered(name)) {
        None => Ok(()),
        Some(name) => Err(match over(name) {
            Some(over) => {
                format!("guard({name:?}, ..) is never asked: such calls come by {}", over.join(", "))
            }
            None => format!("guard({name:?}, ..) is never asked: no protocol of that name is answered"),
        }),
    }
}

/// # Errors
/// A limit of zero, which would let nothing through.
pub(crate) fn limits(limits: &Limits) -> Result<(), String> {
    let Limits { max_message, exchanges, calls, window, ahead, backlog, high_water, streams, head, .. } =
        *limits;
    let bounds = [
        ("max_message", max_message),
        ("exchanges", exchanges),
        ("calls", calls),
        ("window", window),
        ("ahead", ahead),
        ("backlog", backlog),
        ("high_water", high_water),
        ("streams", streams),
        ("head", head),
    ];
    match bounds.iter().find(|(_, bound)| *bound == 0) {
        Some((name, _)) => Err(format!("Limits::{name} is 0, which lets nothing through")),
        None => Ok(()),
    }
}

/// # Errors
/// A time limit of zero, which would end every connection.
pub(crate) fn timeouts(timeouts: &Timeouts) -> Result<(), String> {
    let Timeouts { first_bytes, message, idle, write_stall, authentication } = *timeouts;
    let limits = [
        ("first_bytes", first_bytes),
        ("message", message),
        ("idle", idle),
        ("write_stall", write_stall),
        ("authentication", authentication),
    ];
    match limits.iter().find(|(_, limit)| *limit == Some(Duration::ZERO)) {
        Some((name, _)) => {
            Err(format!("Timeouts::{name} is zero, which ends every connection; None is no limit"))
        }
        None => Ok(()),
    }
}

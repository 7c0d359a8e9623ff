//! Checks for options that cannot work. A server makes them at its start and names the option in its error.

use polywire_call::ConfigError;
use polywire_engine::Timeouts;
use polywire_wire::{Limits, Protocol, ProtocolSet};
use std::time::Duration;

/// The protocols that this server cannot answer because no service is `bound` to them, and nothing else
/// handles their requests, as a catch-all does.
pub(crate) fn lacking<'b>(
    protocols: &ProtocolSet,
    bound: impl Iterator<Item = &'b str>,
    has_catch_all: bool,
) -> Vec<&'static str> {
    let bound: Vec<_> = bound.collect();
    let needing = protocols.iter().filter(|protocol| protocol.needs_service);
    let needing = needing.filter(|protocol| !(has_catch_all && protocol.names_methods));
    needing.map(|protocol| protocol.name).filter(|name| !bound.contains(name)).collect()
}

/// The protocols that a server shall answer. `lacking`: those for which it has no service.
///
/// # Errors
/// The list is empty, or has a name under which this server would answer no client.
pub(crate) fn protocols(
    names: &[String],
    protocols: &ProtocolSet,
    lacking: &[&str],
) -> Result<Vec<&'static str>, ConfigError> {
    if names.is_empty() {
        return Err(ConfigError::new(
            "protocols",
            "protocols([]) leaves nothing to answer: name one, or leave the option out",
        ));
    }
    let mut allowed = Vec::new();
    for name in names {
        let known = protocols.iter().find(|protocol| protocol.name == name);
        let one = [name.as_str()];
        let detected_as = known.map(|protocol| protocol.detected_as).filter(|names| !names.is_empty());
        for name in detected_as.unwrap_or(&one) {
            allowed.push(spoken(name, protocols, lacking)?.name);
        }
    }
    Ok(allowed)
}

fn spoken(name: &str, protocols: &ProtocolSet, lacking: &[&str]) -> Result<&'static Protocol, ConfigError> {
    let known = protocols.iter().find(|protocol| protocol.name == name);
    let why = match known {
        None => match protocols.left_out(name) {
            Some(left_out) => return Err(ConfigError::new("protocols", left_out).with_value(name)),
            None => "unknown protocol",
        },
        Some(protocol) if protocol.client_only => "only clients speak the protocol",
        Some(protocol) if protocol.machine.is_none() => "recognised, but not answered, is the protocol",
        Some(_) if lacking.contains(&name) => "no service is there for the protocol",
        Some(protocol) => return Ok(protocol),
    };
    let answered: Vec<_> = answered(protocols, lacking).map(|p| p.name).collect();
    let hint = match (known, protocols.meant(name)) {
        (None, Some(meant)) => format!(": write {meant:?}"),
        _ => String::new(),
    };
    let text =
        format!("{why} {name:?} in protocols(..){hint}; this server can answer {}", answered.join(", "));
    Err(ConfigError::new("protocols", text).with_value(name))
}

/// The protocols that a server can answer. `lacking`: those for which it has no service.
fn answered(protocols: &ProtocolSet, lacking: &[&str]) -> impl Iterator<Item = &'static Protocol> {
    let is_answered = |protocol: &&Protocol| protocol.machine.is_some() && !protocol.client_only;
    protocols.iter().filter(is_answered).filter(|protocol| !lacking.contains(&protocol.name))
}

/// The prefix of the names of sockets that systemd has bound.
pub(crate) const SYSTEMD: &str = "systemd:";

/// Checks an address to listen on, since the system's error for an invalid one does not explain its form.
///
/// # Errors
/// The correct form of the address.
pub(crate) fn address(address: &str) -> Result<(), ConfigError> {
    let wrong = |text: String| {
        Err(ConfigError::new("listen", format!("listen({address:?}): {text}")).with_value(address))
    };
    if address == "unix:" {
        return wrong("write the path of a socket: \"unix:/run/calls.sock\"".into());
    }
    if address.starts_with("unix:") || address.starts_with(SYSTEMD) {
        return Ok(());
    }
    if let Some((scheme, rest)) = address.split_once("://") {
        let rest = rest.trim_end_matches('/');
        return wrong(format!("write {rest:?}, without {scheme}://: a port takes all protocols"));
    }
    let Some((host, port)) = address.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) else {
        let is_port = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_digit());
        return wrong(match is_port {
            true => format!(
                "write host and port: \"0.0.0.0:{address}\", or \"127.0.0.1:{address}\" for this machine alone"
            ),
            false => format!("write host and port: \"{address}:8000\", or port 0 to let the system choose"),
        });
    };
    match port.parse::<u16>() {
        Err(_) => wrong(format!(
            "{port:?} is not a port: write a number from 0 to 65535, 0 to let the system choose"
        )),
        Ok(_) if host.is_empty() => wrong(format!(
            "write the host: \"0.0.0.0:{port}\" for all addresses, \"[::]:{port}\" for those of IPv6 as well, \
             or \"127.0.0.1:{port}\" for this machine alone"
        )),
        Ok(_) => Ok(()),
    }
}

/// Checks the protocols of guards. `enabled`: the protocols that the server answers, if not all that it can.
///
/// # Errors
/// A guard would never be called, since no connection of this server has a protocol of this name.
pub(crate) fn guards<'n>(
    names: impl Iterator<Item = &'n str>,
    protocols: &ProtocolSet,
    lacking: &[&str],
    enabled: Option<&[&str]>,
) -> Result<(), ConfigError> {
    let is_answered = |name: &str| {
        let mut answered = answered(protocols, lacking).filter(|protocol| protocol.detected_as.is_empty());
        answered.any(|protocol| protocol.name == name) && enabled.is_none_or(|names| names.contains(&name))
    };
    for name in names {
        let others = protocols.iter().find(|protocol| protocol.name == name).map_or(&[][..], |protocol| {
            if protocol.detected_as.is_empty() { protocol.shadowed_by } else { protocol.detected_as }
        });
        let others: Vec<_> = others.iter().copied().filter(|other| is_answered(other)).collect();
        if !others.is_empty() {
            let others = others.join(", ");
            let text = format!("guard({name:?}, ..) is never asked: such calls come by {others}");
            return Err(ConfigError::new("guard", text).with_value(name));
        }
        if let Some(left_out) = protocols.left_out(name).filter(|_| protocols.find(name).is_none()) {
            let text = format!("guard({name:?}, ..) is never asked: {left_out}");
            return Err(ConfigError::new("guard", text).with_value(name));
        }
        if !is_answered(name) {
            let text = format!("guard({name:?}, ..) is never asked: no protocol of that name is answered");
            return Err(ConfigError::new("guard", text).with_value(name));
        }
    }
    Ok(())
}

/// Checks the limits.
///
/// # Errors
/// A limit of zero, under which no request would succeed.
pub(crate) fn limits(limits: &Limits) -> Result<(), ConfigError> {
    let Limits {
        max_message,
        exchanges,
        calls,
        window,
        ahead,
        backlog,
        high_water,
        streams,
        head,
        inflated,
        ..
    } = *limits;
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
        ("inflated.most", inflated.most),
        ("inflated.ratio", inflated.ratio),
    ];
    match bounds.iter().find(|(_, bound)| *bound == 0) {
        Some((name, _)) => {
            let text = format!("Limits::{name} is 0, which lets nothing through");
            Err(ConfigError::new("limits", text).with_value(*name))
        }
        None => Ok(()),
    }
}

/// Checks the time limits.
///
/// # Errors
/// A time limit of zero, which would end every connection.
pub(crate) fn timeouts(timeouts: &Timeouts) -> Result<(), ConfigError> {
    let Timeouts { first_bytes, message, idle, write_stall, authentication, .. } = *timeouts;
    let limits = [
        ("first_bytes", first_bytes),
        ("message", message),
        ("idle", idle),
        ("write_stall", write_stall),
        ("authentication", authentication),
    ];
    match limits.iter().find(|(_, limit)| *limit == Some(Duration::ZERO)) {
        Some((name, _)) => {
            let text = format!(
                "Timeouts::{name} is zero, which would end every connection at once; write None for no limit"
            );
            Err(ConfigError::new("timeouts", text).with_value(*name))
        }
        None => Ok(()),
    }
}

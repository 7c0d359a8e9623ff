//! Announces a server to registries: from the moment that its listeners are bound until it begins to stop.

use polywire_call::ConfigError;
use polywire_engine::{Peer, spawn_on};
use polywire_naming::{Registered, Registration};
use tokio::runtime;

/// Gives each registration the address that clients connect to.
///
/// # Errors
/// An address to announce is missing, and the first listener's address is not one that others could connect
/// to.
pub(crate) fn addressed(
    registrations: Vec<Registration>,
    listening: Option<&Peer>,
) -> Result<Vec<Registration>, ConfigError> {
    let address = |registration: Registration| {
        if !registration.server().address.is_empty() {
            return Ok(registration);
        }
        let why = match listening {
            Some(Peer::Ip(address)) if !address.ip().is_unspecified() => {
                return Ok(registration.address(address.to_string()));
            }
            Some(Peer::Unix(Some(path))) => {
                return Ok(registration.address(format!("unix:{}", path.display())));
            }
            Some(Peer::Ip(address)) => format!("{address} stands for all addresses of this machine"),
            _ => "it has no listener".to_owned(),
        };
        let text = format!(
            "the server cannot be announced to {}, since {why}: say .address(\"host:port\") of the registration",
            registration.name()
        );
        Err(ConfigError::new("register", text))
    };
    registrations.into_iter().map(address).collect()
}

/// Begins to announce the server. [`withdraw`] ends the announcements.
pub(crate) fn announce(registrations: Vec<Registration>, on: &runtime::Handle) -> Vec<Registered> {
    let start = |registration: Registration| {
        let (registered, work) = registration.start();
        spawn_on(on, work);
        registered
    };
    registrations.into_iter().map(start).collect()
}

/// Withdraws the server from all registries at the same time; each has a limit of its own.
pub(crate) async fn withdraw(registered: Vec<Registered>) {
    let withdrawing: Vec<_> = registered
        .into_iter()
        .map(|registered| spawn_on(&runtime::Handle::current(), registered.withdraw()))
        .collect();
    for one in withdrawing {
        let _ = one.await;
    }
}

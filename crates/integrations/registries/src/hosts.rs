//! Hosts and ports as registries store them, and the addresses made from them.

use crate::entries::clipped;
use polywire_naming::address as naming;

/// `host:port`, with brackets around an IPv6 address.
pub(crate) fn address(host: &str, port: u64) -> Result<String, String> {
    let address = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
    match naming::check(&address) {
        Ok(()) => Ok(address),
        Err(why) => Err(format!("the address {:?} {why}", clipped(&address))),
    }
}

/// Host and port of an address, the host without brackets.
pub(crate) fn split(address: &str) -> Option<(&str, u16)> {
    let (host, port) = address.rsplit_once(':')?;
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    Some((host, port.parse().ok()?))
}

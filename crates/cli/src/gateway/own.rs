//! Servers behind the gateway that are the gateway itself: a call there would go round.
//!
//! Addresses are compared as they are written; a name that leads back here is not seen.

use super::document::{Document, Placed, Table};
use std::net::{IpAddr, SocketAddr};

/// Notes servers of a cluster that are among the addresses of this gateway.
pub fn check(table: &Table<'_>, servers: &str, own: &[Placed<String>], document: &Document<'_>) {
    let listed = servers.split('?').next().unwrap_or_default();
    let listed = listed.strip_prefix("list://").unwrap_or(listed);
    for server in listed.split(',').map(str::trim) {
        if let Some(Placed { value, at }) = own.iter().find(|own| reaches(server, &own.value)) {
            let line = document.place(*at).line;
            let text = format!("{server:?} is this gateway itself, which listens on {value} (line {line})");
            table.wrong(table.at_key("servers"), "servers", text);
        }
    }
}

/// Whether a connection to `server` is accepted on `listen`.
fn reaches(server: &str, listen: &str) -> bool {
    if server == listen {
        return true;
    }
    let (Some(server), Some(listen)) = (socket_address(server), socket_address(listen)) else { return false };
    let is_local = server.ip().is_loopback() || server.ip().is_unspecified();
    server.port() == listen.port()
        && (server.ip() == listen.ip() || is_local && (listen.ip().is_unspecified()))
}

fn socket_address(address: &str) -> Option<SocketAddr> {
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    if let Some(port) = address.strip_prefix("localhost:") {
        return Some(SocketAddr::new(IpAddr::from([127, 0, 0, 1]), port.parse().ok()?));
    }
    address.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_gateway_are_told_from_others() {
        for (server, listen) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("localhost:80", "127.0.0.1:80"),
            ("127.0.0.1:80", "0.0.0.0:80"),
            ("[::1]:80", "[::]:80"),
            ("https://127.0.0.1:80", "0.0.0.0:80"),
            ("unix:/run/gw.sock", "unix:/run/gw.sock"),
        ] {
            assert!(reaches(server, listen), "{server} {listen}");
        }
        for (server, listen) in [
            ("127.0.0.1:81", "127.0.0.1:80"),
            ("10.0.0.1:80", "127.0.0.1:80"),
            ("10.0.0.1:80", "0.0.0.0:80"),
            ("unix:/run/gw.sock", "unix:/run/other.sock"),
            ("consul://127.0.0.1:80/stock", "127.0.0.1:81"),
        ] {
            assert!(!reaches(server, listen), "{server} {listen}");
        }
    }
}

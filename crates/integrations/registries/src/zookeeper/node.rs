//! The form of a server in a child of the node.

use crate::{entries::clipped, url::decoded, value};
use polywire_naming::{Server, address};

/// The server of a child whose name is a url, like Dubbo's; its data is ignored then. `None`: the name is not
/// a url.
pub(super) fn of_url(name: &str) -> Option<Result<Server, String>> {
    let name = decoded(name);
    let (scheme, rest) = name.split_once("://")?;
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let host = place.split('/').next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_user, host)| host);
    if let Err(why) = address::check(host) {
        return Some(Err(format!("the address {:?} {why}", clipped(host))));
    }
    let mut server = Server::new(host).metadata("scheme", scheme);
    for (name, value) in query.split('&').filter_map(|parameter| parameter.split_once('=')) {
        let value = decoded(value);
        match (name, value.parse::<u32>()) {
            ("weight", Ok(weight)) => server = server.weight(weight),
            _ => server = server.metadata(name, value),
        }
    }
    Some(Ok(server))
}

/// The server in a child's data; or in its name, if the data describes no server: some libraries write the
/// address of the machine into it.
pub(super) fn server(name: &str, data: &[u8]) -> Result<Server, String> {
    let why = match value::parse(data) {
        Ok(server) => return Ok(server),
        Err(why) => why,
    };
    let name = decoded(name);
    match address::check(&name) {
        Ok(()) => Ok(Server::new(name)),
        Err(_) => Err(format!("the node {:?} is not an address, and {why}", clipped(&name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_urls_are_read_as_dubbo_writes_them() {
        let name = "dubbo%3A%2F%2F10.0.0.1%3A20880%2Fecho.Echo%3Fgroup%3Dg%26weight%3D3%26note%3Da%252Fb";
        let server = Server::new("10.0.0.1:20880").weight(3);
        let server = server.metadata("scheme", "dubbo").metadata("group", "g").metadata("note", "a/b");
        assert_eq!(of_url(name), Some(Ok(server)));
        assert_eq!(of_url("10.0.0.1:80"), None);
        assert!(of_url("dubbo%3A%2F%2Fecho%2FEcho").expect("a url").is_err(), "no port");
        assert!(of_url("://").expect("a url").is_err());
    }

    #[test]
    fn the_data_counts_and_then_the_name() {
        let json = br#"{"Addr":"10.0.0.2:80","weight":3}"#;
        assert_eq!(server("member_0001", json), Ok(Server::new("10.0.0.2:80").weight(3)));
        let curator = br#"{"name":"echo","id":"1","address":"10.0.0.3","port":80,"payload":null}"#;
        assert_eq!(server("1f0e", curator), Ok(Server::new("10.0.0.3:80")));
        assert_eq!(server("10.0.0.1:80", b""), Ok(Server::new("10.0.0.1:80")));
        assert_eq!(server("10.0.0.1%3A80", b"10.0.0.1"), Ok(Server::new("10.0.0.1:80")));
        let why = server("member_0001", b"10.0.0.1").unwrap_err();
        assert_eq!(why, "the node \"member_0001\" is not an address, and \"10.0.0.1\" has no port");
    }
}

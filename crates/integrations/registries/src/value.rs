//! The form of a server in the keys of etcd and the nodes of ZooKeeper.

use crate::{entries::clipped, hosts};
use polywire_naming::{Server, address, lines};
use serde_json::{Map, Value, json};

/// The server of a key or node.
///
/// A value is an address, a line in brpc's format (`ADDRESS TAG`), or an object of JSON:
///
/// ```json
/// {"Addr": "10.0.0.1:8000", "tag": "blue", "weight": 3, "zone": "z1", "Metadata": {"version": "7"}}
/// ```
///
/// `Addr` (or `address`) and `Metadata` are written by etcd's package for gRPC's names. Curator, a library
/// for ZooKeeper, writes host and port separately: `{"address": "10.0.0.1", "port": 8000}`.
pub(crate) fn parse(value: &[u8]) -> Result<Server, String> {
    let text = std::str::from_utf8(value)
        .map_err(|_| "a value is neither an address nor JSON: it is no UTF-8".to_owned())?
        .trim();
    let server = if text.starts_with('{') {
        from_json(&serde_json::from_str(text).map_err(|error| format!("a value is no JSON: {error}"))?)?
    } else {
        let line = lines::parse(text.lines().next().unwrap_or_default())?;
        line.ok_or_else(|| "a value is empty".to_owned())?
    };
    address::check(&server.address)
        .map_err(|why| format!("the address {:?} {why}", clipped(&server.address)))?;
    Ok(server)
}

fn from_json(value: &Map<String, Value>) -> Result<Server, String> {
    let text = |names: [&str; 2]| names.iter().find_map(|name| value.get(*name)?.as_str());
    let place = text(["Addr", "address"]).ok_or("a value has neither Addr nor address")?;
    let mut server = match value.get("port").and_then(Value::as_u64) {
        Some(port) => Server::new(hosts::address(place, port)?),
        None => Server::new(place),
    };
    server = server.tag(text(["tag", "Tag"]).unwrap_or_default());
    if let Some(weight) =
        value.get("weight").and_then(Value::as_u64).and_then(|weight| u32::try_from(weight).ok())
    {
        server = server.weight(weight);
    }
    if let Some(zone) = text(["zone", "Zone"]) {
        server = server.zone(zone);
    }
    let metadata = value.get("Metadata").or_else(|| value.get("metadata")).and_then(Value::as_object);
    for (name, value) in metadata.into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        server = server.metadata(name, value);
    }
    Ok(server)
}

/// The value of a server's key, which [`parse`] and etcd's package for gRPC's names can read.
pub(crate) fn of(server: &Server) -> Vec<u8> {
    let mut value = json!({ "Op": 0, "Addr": server.address });
    if !server.tag.is_empty() {
        value["tag"] = json!(server.tag);
    }
    if let Some(weight) = server.weight {
        value["weight"] = json!(weight);
    }
    if let Some(zone) = &server.zone {
        value["zone"] = json!(zone);
    }
    if !server.metadata.is_empty() {
        value["Metadata"] = json!(server.metadata);
    }
    value.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let server = Server::new("[::1]:8000").tag("blue").weight(3).zone("z1").metadata("version", "7");
        assert_eq!(parse(&of(&server)), Ok(server));
        assert_eq!(parse(&of(&Server::new("a:1"))), Ok(Server::new("a:1")));
    }

    #[test]
    fn addresses_lines_and_foreign_json_are_read() {
        assert_eq!(parse(b"10.0.0.1:80\n"), Ok(Server::new("10.0.0.1:80")));
        assert_eq!(parse(b"10.0.0.1:80 7 # old"), Ok(Server::new("10.0.0.1:80").tag("7")));
        assert_eq!(parse(br#"{"Op":0,"Addr":"a:1","Metadata":null}"#), Ok(Server::new("a:1")));
        assert_eq!(
            parse(br#"{"address":"a:1","Metadata":{"n":1}}"#),
            Ok(Server::new("a:1").metadata("n", "1"))
        );
        assert_eq!(parse(br#"{"address":"::1","port":80}"#), Ok(Server::new("[::1]:80")));
    }

    #[test]
    fn anything_else_is_no_server() {
        let cases = [
            &b""[..],
            b"#x",
            b"host",
            b"host:0",
            b":80",
            b"host:x",
            b"{",
            b"{}",
            b"{\"Addr\":1}",
            b"\xff\xfe:1",
            b"a:99999",
        ];
        for value in cases {
            assert!(parse(value).is_err(), "{}", value.escape_ascii());
        }
    }
}

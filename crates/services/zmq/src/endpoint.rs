//! Addresses: `tcp://host:port`, `ipc://path`, `inproc://name`.

use crate::Error;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Endpoint {
    /// The address, `host:port`, or `unix:path`.
    Socket(String),
    Inproc(String),
}

impl Endpoint {
    /// Parses an address. For binding, the host `*` means all interfaces, and the port `*` any free one.
    pub fn parse(text: &str, binds: bool) -> Result<Self, Error> {
        let wrong = |what: &str| Error::Address(format!("{text}: {what}"));
        let (scheme, rest) =
            text.split_once("://").ok_or_else(|| wrong("an address is tcp://, ipc:// or inproc://"))?;
        if rest.is_empty() {
            return Err(wrong("the address after the scheme is missing"));
        }
        match scheme {
            "ipc" => Ok(Endpoint::Socket(format!("unix:{rest}"))),
            "inproc" => Ok(Endpoint::Inproc(rest.to_owned())),
            "tcp" => {
                let (host, port) = rest.rsplit_once(':').ok_or_else(|| wrong("the port is missing"))?;
                let host = if binds && host == "*" { "0.0.0.0" } else { host };
                let port = if binds && port == "*" { "0" } else { port };
                port.parse::<u16>().map_err(|_| wrong("the port is not a number"))?;
                Ok(Endpoint::Socket(format!("{host}:{port}")))
            }
            _ => Err(wrong("no such transport; there are tcp, ipc and inproc")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_libzmq() {
        let socket = |text: &str| Endpoint::Socket(text.into());
        assert_eq!(Endpoint::parse("tcp://*:*", true).unwrap(), socket("0.0.0.0:0"));
        assert_eq!(Endpoint::parse("tcp://[::1]:5555", true).unwrap(), socket("[::1]:5555"));
        assert_eq!(Endpoint::parse("tcp://example.org:5555", false).unwrap(), socket("example.org:5555"));
        assert_eq!(Endpoint::parse("ipc:///run/a.sock", true).unwrap(), socket("unix:/run/a.sock"));
        assert_eq!(Endpoint::parse("inproc://a", true).unwrap(), Endpoint::Inproc("a".into()));
        for wrong in ["", "tcp://", "tcp://a", "tcp://a:b", "tcp://a:99999", "udp://a:1", "127.0.0.1:5555"] {
            assert!(matches!(Endpoint::parse(wrong, true), Err(Error::Address(_))), "{wrong}");
        }
        assert!(matches!(Endpoint::parse("tcp://a:*", false), Err(Error::Address(_))));
    }
}

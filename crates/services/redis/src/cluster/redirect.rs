//! The redirections of a node.

use super::slot::Slot;
use bytes::Bytes;

/// The redirection in an error reply of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Redirect {
    /// MOVED: the slot belongs to another node, now and from now on.
    Moved(Slot, Box<str>),
    /// ASK: this one command is to be sent to another node, after ASKING.
    Ask(Box<str>),
    /// TRYAGAIN, CLUSTERDOWN, LOADING, MASTERDOWN: the command was not executed, and may succeed a little
    /// later.
    Later,
}

impl Redirect {
    /// Reads an error line, without its `-`. `None`: it is not a redirection. An address is `host:port`; an
    /// empty host stands for the host of the answering node.
    pub(crate) fn of(line: &[u8]) -> Option<Redirect> {
        let mut words = line.split(|byte| *byte == b' ');
        match words.next()? {
            b"MOVED" => {
                let slot = slot(words.next()?)?;
                Some(Redirect::Moved(slot, address(words.next()?)?))
            }
            b"ASK" => {
                slot(words.next()?)?;
                Some(Redirect::Ask(address(words.next()?)?))
            }
            b"TRYAGAIN" | b"CLUSTERDOWN" | b"LOADING" | b"MASTERDOWN" => Some(Redirect::Later),
            _ => None,
        }
    }

    /// The redirection in a reply in wire form, if it is an error.
    pub(crate) fn of_reply(reply: &Bytes) -> Option<Redirect> {
        let line = reply.strip_prefix(b"-")?;
        Redirect::of(line.strip_suffix(b"\r\n")?)
    }
}

fn slot(word: &[u8]) -> Option<Slot> {
    Slot::new(std::str::from_utf8(word).ok()?.parse().ok()?)
}

fn address(word: &[u8]) -> Option<Box<str>> {
    let text = std::str::from_utf8(word).ok()?;
    let (host, port) = text.rsplit_once(':')?;
    let port: u16 = port.parse().ok()?;
    (port > 0 && (host.is_empty() || is_host(host))).then(|| join(host, port))
}

/// Whether a peer's text may be a host: a name, or an address. Any other text could have a meaning as the
/// address of a channel, as a list or the path of a socket has.
pub(crate) fn is_host(text: &str) -> bool {
    let is_fit = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:%[]".contains(&byte);
    (1..=MAX_HOST).contains(&text.len()) && text.bytes().all(is_fit)
}

/// `host:port`, with brackets around a host that is an IPv6 address.
pub(crate) fn join(host: &str, port: u16) -> Box<str> {
    let v6 = host.contains(':') && !host.starts_with('[');
    if v6 { format!("[{host}]:{port}").into() } else { format!("{host}:{port}").into() }
}

/// The longest name of a host, as in DNS.
const MAX_HOST: usize = 255;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_read_from_the_lines_of_redis_server() {
        let slot = Slot::new(3999).expect("a slot");
        assert_eq!(
            Redirect::of(b"MOVED 3999 127.0.0.1:6381"),
            Some(Redirect::Moved(slot, "127.0.0.1:6381".into()))
        );
        assert_eq!(Redirect::of(b"MOVED 3999 :6381"), Some(Redirect::Moved(slot, ":6381".into())));
        assert_eq!(Redirect::of(b"ASK 3999 ::1:6381"), Some(Redirect::Ask("[::1]:6381".into())));
        assert_eq!(
            Redirect::of(b"TRYAGAIN Multiple keys request during rehashing of slot"),
            Some(Redirect::Later)
        );
        assert_eq!(Redirect::of(b"CLUSTERDOWN The cluster is down"), Some(Redirect::Later));
        assert_eq!(Redirect::of_reply(&Bytes::from_static(b"-LOADING x\r\n")), Some(Redirect::Later));
    }

    #[test]
    fn lines_that_are_none_are_answers() {
        for line in [
            &b"MOVED"[..],
            b"MOVED 16384 a:1",
            b"MOVED -1 a:1",
            b"MOVED 1 a",
            b"MOVED 1 a:0",
            b"MOVED 1 a:65536",
            b"MOVED 1 \xff:1",
            b"ASK x a:1",
            b"ERR MOVED 1 a:1",
            b"MOVED 1 unix:/tmp/x:1",
            b"ASK 1 a,b:1",
            b"ASK 1 file://a:1",
            b"",
        ] {
            assert_eq!(Redirect::of(line), None, "{}", line.escape_ascii());
        }
        let long = format!("MOVED 1 {}:1", "a".repeat(256));
        assert_eq!(Redirect::of(long.as_bytes()), None);
    }
}

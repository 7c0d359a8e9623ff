//! A server's end of a connection that may be TLS: the first bytes decide.
//!
//! ```text
//!  Unknown --a ClientHello's first bytes--> Secured
//!     `------anything else--> Plain, or Refused where only TLS is taken
//! ```

use super::{failure, records::Records, session::Session};
use crate::{
    Fault,
    transport::{Broken, Peer, Protection, Transport},
};
use bytes::BytesMut;
use rustls::ServerConfig;
use std::{
    io::{self, IoSlice},
    sync::Arc,
    task::{Context, Poll, ready},
};

/// Serves `inner` over TLS if its first bytes are TLS. With `only`, a peer that sends anything else is
/// refused; otherwise plain bytes pass unchanged. The handshake continues whenever the connection is read.
pub fn accept(inner: Box<dyn Transport>, config: Arc<ServerConfig>, only: bool) -> Box<dyn Transport> {
    Box::new(Door { inner, state: State::Unknown { front: Vec::new(), config, only } })
}

struct Door {
    inner: Box<dyn Transport>,
    state: State,
}

enum State {
    Unknown {
        /// The bytes read so far, too few to decide.
        front: Vec<u8>,
        config: Arc<ServerConfig>,
        only: bool,
    },
    Plain,
    Secured(Box<Records>),
    /// The peer was refused: all further bytes are read and discarded.
    Refused,
}

/// The answers to a client that speaks plain text, in two protocols: RFC 9110 15.5.1, and RFC 9113 6.8 with
/// the code INADEQUATE_SECURITY.
const NO_HTTP: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 28\r\nConnection: close\r\n\r\n\
    this port takes TLS: https\r\n";
const NO_H2: &[u8] =
    b"\0\0\0\x04\0\0\0\0\0\0\0\x2a\x07\0\0\0\0\0\0\0\0\0\0\0\0\x0cthis port takes TLS, no plain text";

/// The answer to plain bytes in the protocol that they begin; empty if they begin neither.
fn refusal(front: &[u8]) -> &'static [u8] {
    let is_method = |word: &[u8]| (3..=7).contains(&word.len()) && word.iter().all(u8::is_ascii_uppercase);
    match front.iter().position(|byte| *byte == b' ') {
        Some(_) if front.starts_with(b"PRI * HTTP/2") => NO_H2,
        Some(end) if is_method(&front[..end]) && matches!(front.get(end + 1), Some(b'/' | b'h' | b'*')) => {
            NO_HTTP
        }
        _ => b"",
    }
}

/// Whether bytes begin a TLS connection: a record of type 0x16 and version 3.x, whose message is a
/// ClientHello (1). RFC 8446, sections 4 and 5.1. `None`: too few to decide.
fn is_hello(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0x16, 3, 0..=4, _, _, 1, ..] => Some(true),
        [] | [0x16] | [0x16, 3] | [0x16, 3, 0..=4] | [0x16, 3, 0..=4, _] | [0x16, 3, 0..=4, _, _] => None,
        _ => Some(false),
    }
}

impl Door {
    /// Decides the kind of the front, which was read and lies in `into` from `at` on. Returns true if it is
    /// plain text and stays there.
    fn decide(&mut self, cx: &mut Context<'_>, into: &mut BytesMut, at: usize) -> io::Result<bool> {
        let State::Unknown { front, config, only } = &mut self.state else { return Ok(true) };
        let ended = into.len() == at;
        front.extend_from_slice(&into[at..]);
        into.truncate(at);
        match is_hello(front) {
            None if !ended => Ok(false),
            Some(true) => {
                let session = Session::server(config.clone()).map_err(|e| failure::broken(&e, true))?;
                let (mut records, mut front) = (Box::new(Records::new(session)), std::mem::take(front));
                let received = records.receive(&mut front, into, 0);
                self.state = State::Secured(records);
                received.map(|()| false)
            }
            None if *only && !front.is_empty() => Err(failure::cut_off(rustls::Side::Server, true)),
            Some(false) if *only => {
                let answer = refusal(front);
                self.state = State::Refused;
                // A kindness to who has taken the wrong port: what the socket does not take at once is not
                // sent.
                if !answer.is_empty() {
                    let _ = self.inner.poll_write(cx, &[IoSlice::new(answer)]);
                }
                let what = "plain bytes where only TLS is taken";
                Err(Broken::error(io::ErrorKind::InvalidData, Fault::NotTls, what))
            }
            None | Some(false) => {
                into.extend_from_slice(front);
                self.state = State::Plain;
                Ok(true)
            }
        }
    }
}

impl Transport for Door {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        loop {
            match &mut self.state {
                State::Plain | State::Refused => return self.inner.poll_read(cx, into, most),
                State::Secured(records) => return records.poll_read(&mut *self.inner, cx, into, most),
                State::Unknown { .. } => {
                    let at = into.len();
                    ready!(self.inner.poll_read(cx, into, most))?;
                    if self.decide(cx, into, at)? {
                        return Poll::Ready(Ok(into.len() - at));
                    }
                }
            }
        }
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        match &mut self.state {
            State::Secured(records) => records.poll_write(&mut *self.inner, cx, slices),
            State::Plain | State::Unknown { .. } | State::Refused => self.inner.poll_write(cx, slices),
        }
    }

    fn shutdown(&mut self) {
        if let State::Secured(records) = &mut self.state {
            records.close(&mut *self.inner);
        }
        self.inner.shutdown();
    }
    fn move_to_current_runtime(&mut self) -> io::Result<()> {
        self.inner.move_to_current_runtime()
    }
    fn tcp_info(&self) -> Option<crate::os::TcpInfo> {
        self.inner.tcp_info()
    }

    fn peer(&self) -> &Peer {
        self.inner.peer()
    }
    fn local(&self) -> &Peer {
        self.inner.local()
    }
    fn protection(&self) -> Protection<'_> {
        match &self.state {
            State::Secured(records) => records.protection(),
            State::Unknown { front, only, .. } if *only || !front.is_empty() => Protection::Handshaking,
            State::Plain | State::Unknown { .. } | State::Refused => Protection::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NO_H2, NO_HTTP, is_hello, refusal};

    #[test]
    fn what_is_told_has_its_lengths() {
        let text = NO_HTTP.split(|byte| *byte == b'\n').rev().nth(1).map(|line| line.len() + 1);
        assert_eq!(text, Some(28), "Content-Length");
        assert_eq!(NO_H2[9..12], [0, 0, (NO_H2.len() - 18) as u8], "the length of GOAWAY");
        assert!([&b"GET / HTTP/1.1"[..], b"OPTIONS * "].iter().all(|front| refusal(front) == NO_HTTP));
        assert!(
            [&b"PRPC\0\0"[..], b"PRPC and", b"GET key\r\n", b"*1\r\n", b"get / ", b"", b"G ", b"ABCDEFGH "]
                .iter()
                .all(|front| refusal(front).is_empty())
        );
    }

    #[test]
    fn six_bytes_tell_and_fewer_only_exclude() {
        let hello = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc];
        for n in 0..hello.len() {
            assert_eq!(is_hello(&hello[..n]), (n > 5).then_some(true), "{n}");
        }
        for other in [&b"PRPC"[..], b"\x16G", b"\x16\x03\x05", b"\x16\x03\x01\x00\x05\x02", b"\x15"] {
            assert_eq!(is_hello(other), Some(false), "{other:?}");
        }
    }
}

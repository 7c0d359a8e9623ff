//! A scripted peer: writes frames, and reads those that our side writes.

use super::super::frame::{Header, Kind, PREFACE, flag, settings};
use super::super::hpack::{Decoder, Encoder, Indexing};
use bytes::BytesMut;
use polywire_machine_testing::{Seen, Side};
use polywire_wire::Limits;
use std::fmt;

/// A frame of our side as a text that tests compare: `HEADERS 1 es 200 a=b`, `DATA 1 5`, `GOAWAY 0 1 text`.
pub(super) struct Said(pub String);

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl PartialEq<&str> for Said {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

pub(super) struct Peer {
    pub side: Side,
    encoder: Encoder,
    decoder: Decoder<()>,
    /// Bytes of our side that are not a whole frame yet.
    ahead: Vec<u8>,
}

pub(super) const POST: [(&str, &str); 4] =
    [(":method", "POST"), (":scheme", "http"), (":path", "/S/M"), (":authority", "h")];

impl Peer {
    /// A client that has exchanged prefaces with a server.
    pub fn of_server(limits: Limits) -> Peer {
        Self::greeting(super::server_with(limits))
    }

    pub fn greeting(side: Side) -> Peer {
        let mut peer = Peer::new(side);
        peer.side.feed(PREFACE);
        peer.frame(Kind::SETTINGS, 0, 0, b"");
        peer.frame(Kind::SETTINGS, flag::ACK, 0, b"");
        assert_eq!(peer.side.events(), []);
        peer.said();
        peer
    }

    /// A server that has exchanged prefaces with a client.
    pub fn of_client(limits: Limits) -> Peer {
        let mut peer = Peer::new(super::client_with(limits));
        peer.side.events();
        peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::MAX_CONCURRENT_STREAMS, 100));
        peer.frame(Kind::SETTINGS, flag::ACK, 0, b"");
        peer.side.events();
        assert_eq!(peer.side.written()[..PREFACE.len()], PREFACE[..]);
        peer
    }

    pub fn new(side: Side) -> Peer {
        Peer { side, encoder: Encoder::new(), decoder: Decoder::new(), ahead: Vec::new() }
    }

    pub fn frame(&mut self, kind: Kind, flags: u8, stream: u32, payload: &[u8]) -> &mut Self {
        let mut out = BytesMut::new();
        Header { length: payload.len(), kind, flags, stream }.write(&mut out);
        out.extend_from_slice(payload);
        self.side.feed(out);
        self
    }

    pub fn block(&mut self, fields: &[(&str, &str)]) -> Vec<u8> {
        let mut out = BytesMut::new();
        self.encoder.begin(&mut out);
        for (name, value) in fields {
            self.encoder.field(&mut out, name.as_bytes(), value.as_bytes(), Indexing::Always);
        }
        out.to_vec()
    }

    /// A header block that does not change the dynamic tables.
    pub fn plain_block(fields: &[(&str, &str)]) -> Vec<u8> {
        let (mut encoder, mut out) = (Encoder::new(), BytesMut::new());
        for (name, value) in fields {
            encoder.field(&mut out, name.as_bytes(), value.as_bytes(), Indexing::Secret);
        }
        out.to_vec()
    }

    pub fn headers(&mut self, stream: u32, end: bool, fields: &[(&str, &str)]) -> &mut Self {
        let block = self.block(fields);
        self.frame(Kind::HEADERS, flag::END_HEADERS | u8::from(end), stream, &block)
    }

    /// A POST; complete if `end`.
    pub fn post(&mut self, stream: u32, end: bool) -> &mut Self {
        self.headers(stream, end, &POST)
    }

    pub fn data(&mut self, stream: u32, end: bool, bytes: &[u8]) -> &mut Self {
        self.frame(Kind::DATA, u8::from(end), stream, bytes)
    }

    pub fn events(&mut self) -> Vec<Seen> {
        self.side.events()
    }

    /// The frames that our side has written since the last call.
    pub fn said(&mut self) -> Vec<Said> {
        let written = self.side.written();
        self.ahead.extend(written);
        let mut said = Vec::new();
        while let Some(first) = self.ahead.first_chunk() {
            let header = Header::parse(first);
            if self.ahead.len() < 9 + header.length {
                break;
            }
            let frame: Vec<u8> = self.ahead.drain(..9 + header.length).collect();
            said.push(Said(self.describe(&header, &frame[9..])));
        }
        said
    }

    fn describe(&mut self, header: &Header, payload: &[u8]) -> String {
        let stream = header.stream;
        let end = if header.has(flag::END_STREAM) { " es" } else { "" };
        let number = |at: usize| u32::from_be_bytes(payload[at..at + 4].try_into().expect("four bytes"));
        match header.kind {
            Kind::DATA => format!("DATA {stream}{end} {}", payload.len()),
            Kind::HEADERS => {
                let mut text = format!("HEADERS {stream}{end}");
                let show = |name: &[u8], value: &[u8], ()| {
                    let pair = [name, b"=", value].concat();
                    text += &format!(" {}", String::from_utf8_lossy(&pair).trim_start_matches(":status="));
                };
                self.decoder.decode(payload, show).expect("our own block");
                text
            }
            Kind::RST_STREAM => format!("RST_STREAM {stream} {:x}", number(0)),
            Kind::SETTINGS if header.has(flag::ACK) => "SETTINGS ack".into(),
            Kind::SETTINGS => {
                let pairs = payload.chunks(6).map(|s| {
                    format!(" {}={}", s[1], u32::from_be_bytes(s[2..].try_into().expect("four bytes")))
                });
                format!("SETTINGS{}", pairs.collect::<String>())
            }
            Kind::PING => {
                let ack = if header.has(flag::ACK) { " ack" } else { "" };
                format!("PING{ack} {}", payload.escape_ascii())
            }
            Kind::GOAWAY => format!("GOAWAY {} {:x} {}", number(0), number(4), payload[8..].escape_ascii())
                .trim_end()
                .into(),
            Kind::WINDOW_UPDATE => format!("WINDOW_UPDATE {stream} {}", number(0)),
            other => format!("{other:?}"),
        }
    }
}

pub(super) fn setting(id: u16, value: u32) -> Vec<u8> {
    [&id.to_be_bytes()[..], &value.to_be_bytes()].concat()
}

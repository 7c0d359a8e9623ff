//! A peer that writes its frames of HTTP/2 by hand, to do what no client would.

use bytes::BytesMut;
use polywire_engine::transport::{Memory, Transport};
use std::{future::poll_fn, io::IoSlice};

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
pub const GOAWAY: u8 = 7;
/// Of DATA and HEADERS.
pub const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const ACK: u8 = 1;

pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

pub struct Frames {
    transport: Memory,
    input: BytesMut,
}

impl Frames {
    /// Greets the server.
    pub async fn new(transport: Memory) -> Frames {
        let mut frames = Frames { transport, input: BytesMut::new() };
        frames.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
        frames.send(SETTINGS, 0, 0, b"").await;
        frames
    }

    pub async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = (payload.len() as u32).to_be_bytes();
        let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
        self.write(&[&head, payload].concat()).await;
    }

    /// The head of a POST, with no field that has to be remembered; its body is to follow.
    pub async fn post(&mut self, stream: u32, path: &str, content_type: &str) {
        let fields = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", path),
            (":authority", "localhost"),
            ("content-type", content_type),
        ];
        let literal = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
        let field = |(name, value)| [vec![0], literal(name), literal(value)].concat();
        let block: Vec<u8> = fields.into_iter().flat_map(field).collect();
        self.send(HEADERS, END_HEADERS, stream, &block).await;
    }

    /// The next frame; SETTINGS are acknowledged. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Frame {
        loop {
            if let Some(head) = self.input.first_chunk::<9>() {
                let [_, l1, l2, ..] = *head;
                let length = usize::from(l1) << 8 | usize::from(l2);
                let (kind, flags) = (head[3], head[4]);
                let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
                if self.input.len() >= 9 + length {
                    let payload = self.input.split_to(9 + length)[9..].to_vec();
                    if kind == SETTINGS && flags & ACK == 0 {
                        self.send(SETTINGS, ACK, 0, b"").await;
                    }
                    return Frame { kind, flags, stream, payload };
                }
            }
            self.input.reserve(64 << 10);
            let read = poll_fn(|cx| self.transport.poll_read(cx, &mut self.input, usize::MAX)).await;
            assert_ne!(read.expect("the stream lives"), 0, "the server closed the connection");
        }
    }

    async fn write(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let n = poll_fn(|cx| self.transport.poll_write(cx, &[IoSlice::new(bytes)])).await;
            bytes = &bytes[n.expect("the server reads")..];
        }
    }
}

//! Frames as tests write and read them.

use bytes::{Buf, BufMut, BytesMut};

/// Bytes before a frame's body.
pub const HEADER: usize = 20;

/// The kind of a frame, with the meaning of its fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// To the server: a call. Flags [`Frame::FINISHED`], [`Frame::STREAMED`]; `extra`: streams offered; `a`:
    /// timeout in ms, 0 = none. Body: offered ids (u64 each), length of the name (u8), `service/method`,
    /// message.
    Open = b'O',
    /// A part of a message. Flags [`Frame::END_OF_MESSAGE`], [`Frame::FINISHED`].
    Part = b'P',
    /// `a`: bytes; body: messages (u32).
    Grant = b'G',
    /// Flag [`Frame::UNPROCESSED`]; `a`: brpc's number; body: text.
    Reset = b'R',
    /// The end of an exchange. Flags [`Frame::REPLY`], [`Frame::ACCEPT`], [`Frame::UNPROCESSED`]; `a`: brpc's
    /// number, 0 = success.
    Finish = b'F',
    /// Head of a streamed answer; `a`: its status.
    Answer = b'H',
    /// To the server: a credential. To the client: the verdict, `a` = 0 is accepted.
    Auth = b'A',
    /// Asks for no further calls.
    Drain = b'D',
    Close = b'C',
    /// To the client: the limit of concurrent calls is `a`.
    Limit = b'V',
    /// To the server: from here on, a new machine takes over.
    Become = b'B',
    /// To the server: send the same frame back after `a` ms.
    Timer = b'T',
}

impl Kind {
    pub(super) fn of(byte: u8) -> Option<Kind> {
        use Kind::*;
        let all = [Open, Part, Grant, Reset, Finish, Answer, Auth, Drain, Close, Limit, Become, Timer];
        all.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// A frame of the lab protocols.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    pub magic: u8,
    pub kind: Kind,
    pub flags: u8,
    pub extra: u8,
    pub id: u64,
    pub a: u32,
    pub body: Vec<u8>,
}

impl Frame {
    pub const FINISHED: u8 = 1;
    pub const STREAMED: u8 = 2;
    pub const END_OF_MESSAGE: u8 = 4;
    pub const UNPROCESSED: u8 = 8;
    pub const REPLY: u8 = 16;
    pub const ACCEPT: u8 = 32;

    pub fn new(kind: Kind, id: u64) -> Frame {
        Frame { magic: b'L', kind, flags: 0, extra: 0, id, a: 0, body: Vec::new() }
    }

    /// A unary call of `service/method`.
    pub fn call(id: u64, name: &str, message: &[u8]) -> Frame {
        Frame::open(id, name, &[], message).flag(Frame::FINISHED)
    }

    /// A call that offers streams; parts may follow.
    pub fn open(id: u64, name: &str, offered: &[u64], message: &[u8]) -> Frame {
        let mut body = Vec::new();
        offered.iter().for_each(|id| body.put_u64_le(*id));
        body.put_u8(name.len() as u8);
        body.extend_from_slice(name.as_bytes());
        body.extend_from_slice(message);
        Frame { extra: offered.len() as u8, body, ..Frame::new(Kind::Open, id) }
    }

    /// A part that is a whole message.
    pub fn part(id: u64, message: &[u8]) -> Frame {
        Frame { body: message.to_vec(), ..Frame::new(Kind::Part, id) }.flag(Frame::END_OF_MESSAGE)
    }

    pub fn grant(id: u64, bytes: u32, messages: u32) -> Frame {
        Frame { a: bytes, body: messages.to_le_bytes().to_vec(), ..Frame::new(Kind::Grant, id) }
    }

    /// A successful reply.
    pub fn reply(id: u64, message: &[u8]) -> Frame {
        Frame { body: message.to_vec(), ..Frame::new(Kind::Finish, id) }.flag(Frame::REPLY)
    }

    /// A failure, by brpc's number.
    pub fn failure(id: u64, number: i32) -> Frame {
        Frame { a: number as u32, ..Frame::new(Kind::Finish, id) }
    }

    pub fn flag(self, flag: u8) -> Frame {
        Frame { flags: self.flags | flag, ..self }
    }
    pub fn magic(self, magic: u8) -> Frame {
        Frame { magic, ..self }
    }
    /// Sets the number `a`.
    pub fn with(self, a: u32) -> Frame {
        Frame { a, ..self }
    }
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// For an open frame: the name, and the message after it.
    ///
    /// # Panics
    /// If it is not an open frame, or malformed.
    pub fn called(&self) -> (&str, &[u8]) {
        assert_eq!(self.kind, Kind::Open, "{self:?}");
        let rest = &self.body[8 * self.extra as usize..];
        let (name, message) = rest[1..].split_at(rest[0] as usize);
        (std::str::from_utf8(name).expect("names are text"), message)
    }

    /// For an open frame: the streams it offers.
    ///
    /// # Panics
    /// If it is malformed.
    pub fn offered(&self) -> Vec<u64> {
        let ids = &self.body[..8 * self.extra as usize];
        ids.chunks(8).map(|id| u64::from_le_bytes(id.try_into().expect("eight bytes"))).collect()
    }

    /// For a grant: the granted bytes and messages.
    ///
    /// # Panics
    /// If it is not a grant, or malformed.
    pub fn granted(&self) -> (u32, u32) {
        assert_eq!(self.kind, Kind::Grant, "{self:?}");
        (self.a, u32::from_le_bytes(self.body[..].try_into().expect("four bytes")))
    }

    pub fn encode(&self, into: &mut impl BufMut) {
        into.put_slice(&[self.magic, self.kind as u8, self.flags, self.extra]);
        into.put_u64_le(self.id);
        into.put_u32_le(self.a);
        into.put_u32_le(self.body.len() as u32);
        into.put_slice(&self.body);
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&mut bytes);
        bytes
    }

    /// Takes one frame off the front, if it is complete.
    ///
    /// # Panics
    /// On an unknown kind.
    pub fn decode(from: &mut BytesMut) -> Option<Frame> {
        let n = u32::from_le_bytes(from.get(16..HEADER)?.try_into().expect("four bytes")) as usize;
        if from.len() < HEADER + n {
            return None;
        }
        let [magic, kind, flags, extra] = [from[0], from[1], from[2], from[3]];
        from.advance(4);
        let (id, a) = (from.get_u64_le(), from.get_u32_le());
        from.advance(4);
        let kind = Kind::of(kind).unwrap_or_else(|| panic!("unknown kind {kind}"));
        Some(Frame { magic, kind, flags, extra, id, a, body: from.split_to(n).to_vec() })
    }
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Frame { magic, kind, flags, id, a, body, .. } = self;
        let shown = &body[..body.len().min(80)];
        let shown = shown.escape_ascii();
        write!(f, "{}.{kind:?}(#{id} flags {flags} a {a}, {}: {shown})", *magic as char, body.len())
    }
}

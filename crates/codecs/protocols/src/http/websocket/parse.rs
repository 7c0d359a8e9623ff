//! Frames in as messages.
//!
//! ```text
//!            ┌── control frame: Ping, Pong, Close; also between fragments
//!  header ───┤
//!            └── data frame ──► bytes are unmasked, inflated if the message is compressed, and text is checked, as they arrive ──fin──► Message
//! ```
//!
//! Invariants: after a fault or a Close frame nothing is read any more.
//! Limits:     [`Limits`], compared with the length in a header before any byte of the payload is kept; a
//!             message whose bytes trickle in holds what has arrived of it.

use super::{
    close::Close,
    deflate::{Agreed, Inflater},
    error::Fault,
    frame::{Header, MAX_HEADER, UNAGREED, apply_mask, opcode},
    utf8::Utf8,
};
use bytes::{Bytes, BytesMut};
use polywire_base::IoBuf;
use polywire_wire::Role;

/// Limits for received messages and frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Longest message in bytes, all its fragments together.
    pub message: usize,
    /// Longest frame in bytes.
    pub frame: usize,
}

/// An item found at the front of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A whole message. If it is text, it is valid UTF-8.
    Message {
        text: bool,
        bytes: Bytes,
    },
    /// A Ping, which has to be answered by a Pong with the same payload.
    Ping(Bytes),
    Pong(Bytes),
    /// The peer has closed: it sends nothing more, and has to be answered by a Close frame.
    Close(Close),
}

/// Reads the frames of one peer.
#[derive(Debug)]
pub struct Reader {
    /// This side's role: a server accepts only masked frames, a client only unmasked ones.
    role: Role,
    limits: Limits,
    /// The frame whose payload is being read, and the number of bytes read.
    frame: Option<(Header, u64)>,
    /// The kind of the message that is being read, and its bytes so far.
    kind: Option<u8>,
    message: BytesMut,
    text: Utf8,
    /// The inflater, if permessage-deflate was agreed on.
    inflater: Option<Inflater>,
    /// Whether the message that is being read is compressed.
    compressed: bool,
    /// The payload of a control frame so far.
    control: BytesMut,
    over: bool,
}

/// Most bytes that are reserved for a payload before they arrive.
const RESERVED: usize = 16 << 10;
/// Bytes of a compressed payload that are unmasked at once.
const PIECE: usize = 4 << 10;

impl Reader {
    pub fn new(role: Role, limits: Limits) -> Self {
        Reader {
            role,
            limits,
            frame: None,
            kind: None,
            message: BytesMut::new(),
            text: Utf8::default(),
            inflater: None,
            compressed: false,
            control: BytesMut::new(),
            over: false,
        }
    }

    /// Both sides have agreed on permessage-deflate.
    #[must_use]
    pub fn inflating(mut self, agreed: Agreed) -> Self {
        self.inflater = Some(Inflater::new(agreed));
        self
    }

    /// Takes bytes off the front of `input` up to the end of the next message or control frame. `None`: more
    /// bytes are needed, and all of `input` was taken except an incomplete header.
    ///
    /// # Errors
    /// The fault of the peer. Nothing is read after it.
    pub fn next(&mut self, input: &mut IoBuf) -> Result<Option<Item>, Fault> {
        loop {
            if self.over {
                input.advance(input.len());
                return Ok(None);
            }
            if self.frame.is_none() && !self.begin(input)? {
                return Ok(None);
            }
            let Some((header, read)) = self.frame else { return Ok(None) };
            let read = self.take(input, header, read)?;
            if read < header.length {
                self.frame = Some((header, read));
                return Ok(None);
            }
            self.frame = None;
            if let Some(item) = self.end(header)? {
                return Ok(Some(item));
            }
        }
    }

    /// Bytes of the next frame, header included, if `input` begins with one; `None`: its header is not all
    /// here.
    ///
    /// # Errors
    /// The errors of [`Reader::next`].
    pub fn next_frame(&mut self, input: &mut IoBuf) -> Result<Option<u64>, Fault> {
        debug_assert!(self.frame.is_none(), "frames are taken whole by callers that ask for their length");
        let front = input.peek(input.len().min(MAX_HEADER)).unwrap_or_default();
        let parsed = Header::parse(front).inspect_err(|_| self.over = true)?;
        let Some((header, n)) = parsed else { return Ok(None) };
        self.check(&header).inspect_err(|_| self.over = true)?;
        Ok(Some(header.length + n as u64))
    }

    /// Bytes that are held of a message.
    pub fn held(&self) -> usize {
        self.message.len()
    }

    /// The memory in bytes of a message that has arrived in part: it grows by at most its current size.
    pub fn allocated(&self) -> usize {
        if self.message.is_empty() { 0 } else { self.message.capacity() }
    }

    /// Whether a message or a frame has begun to arrive.
    pub fn is_inside(&self) -> bool {
        self.frame.is_some() || self.kind.is_some()
    }

    /// Reads a header; false if it is not all here.
    fn begin(&mut self, input: &mut IoBuf) -> Result<bool, Fault> {
        let front = input.peek(input.len().min(MAX_HEADER)).unwrap_or_default();
        let parsed = Header::parse(front).inspect_err(|_| self.over = true)?;
        let Some((header, n)) = parsed else { return Ok(false) };
        self.check(&header).inspect_err(|_| self.over = true)?;
        input.advance(n);
        let into = match header.opcode {
            opcode::CONTINUATION => &mut self.message,
            opcode::TEXT | opcode::BINARY => {
                (self.kind, self.text) = (Some(header.opcode), Utf8::default());
                self.compressed = header.compressed;
                &mut self.message
            }
            _ => {
                self.control.clear();
                &mut self.control
            }
        };
        into.reserve(usize::try_from(header.length).unwrap_or(RESERVED).min(RESERVED));
        self.frame = Some((header, 0));
        Ok(true)
    }

    fn check(&self, header: &Header) -> Result<(), Fault> {
        match (self.role, header.mask) {
            (Role::Server, None) => return Err(Fault::Protocol("frame of a client without a mask")),
            (Role::Client, Some(_)) => return Err(Fault::Protocol("frame of a server with a mask")),
            _ => {}
        }
        if header.compressed && self.inflater.is_none() {
            return Err(UNAGREED);
        }
        match (header.opcode, self.kind) {
            (opcode::CONTINUATION, None) => {
                return Err(Fault::Protocol("continuation of no message"));
            }
            (opcode::TEXT | opcode::BINARY, Some(_)) => {
                return Err(Fault::Protocol("a message inside another"));
            }
            (opcode::CONTINUATION | opcode::TEXT | opcode::BINARY, _) => {}
            _ => return Ok(()), // control frames are short
        }
        let room = match header.compressed || self.kind.is_some() && self.compressed {
            // What it is inflated to is limited as it comes. Bytes that cannot be compressed become a little
            // more.
            true => self.limits.frame.saturating_add(self.limits.frame / 256 + 64),
            false => self.limits.message.saturating_sub(self.message.len()).min(self.limits.frame),
        };
        if header.length > room as u64 { Err(Fault::TooLong) } else { Ok(()) }
    }

    /// Takes the received part of the payload; returns its length. The bytes are copied once: they have to be
    /// unmasked, and the fragments of a message are joined.
    fn take(&mut self, input: &mut IoBuf, header: Header, mut read: u64) -> Result<u64, Fault> {
        let is_control = header.opcode >= opcode::CLOSE;
        while read < header.length && !input.is_empty() {
            let front = input.front();
            let n = front.len().min(usize::try_from(header.length - read).unwrap_or(usize::MAX));
            if !is_control && self.compressed {
                let n = n.min(PIECE);
                let mut piece = [0; PIECE];
                piece[..n].copy_from_slice(&front[..n]);
                if let Some(mask) = header.mask {
                    apply_mask(&mut piece[..n], mask, read);
                }
                self.inflate(Some(&piece[..n])).inspect_err(|_| self.over = true)?;
                input.advance(n);
                read += n as u64;
                continue;
            }
            let into = if is_control { &mut self.control } else { &mut self.message };
            let begin = into.len();
            into.extend_from_slice(&front[..n]);
            let new = &mut into[begin..];
            if let Some(mask) = header.mask {
                apply_mask(new, mask, read);
            }
            if !is_control && self.kind == Some(opcode::TEXT) && !self.text.accepts(new) {
                self.over = true;
                return Err(Fault::Text);
            }
            input.advance(n);
            read += n as u64;
        }
        Ok(read)
    }

    /// Takes bytes of a compressed message; `None`: its end.
    fn inflate(&mut self, bytes: Option<&[u8]>) -> Result<(), Fault> {
        let Some(inflater) = &mut self.inflater else { return Err(UNAGREED) };
        let (begin, most) = (self.message.len(), self.limits.message);
        match bytes {
            Some(bytes) => inflater.inflate(bytes, &mut self.message, most)?,
            None => inflater.finish(&mut self.message, most)?,
        }
        let wrong = self.kind == Some(opcode::TEXT) && !self.text.accepts(&self.message[begin..]);
        if wrong { Err(Fault::Text) } else { Ok(()) }
    }

    /// The payload of a frame is complete.
    fn end(&mut self, header: Header) -> Result<Option<Item>, Fault> {
        Ok(Some(match header.opcode {
            opcode::PING => Item::Ping(self.control.split().freeze()),
            opcode::PONG => Item::Pong(self.control.split().freeze()),
            opcode::CLOSE => {
                self.over = true;
                Item::Close(Close::parse(&self.control)?)
            }
            _ if !header.fin => return Ok(None),
            _ => {
                if self.compressed {
                    self.inflate(None).inspect_err(|_| self.over = true)?;
                    self.compressed = false;
                }
                let text = self.kind.take() == Some(opcode::TEXT);
                if text && !self.text.is_complete() {
                    self.over = true;
                    return Err(Fault::Text);
                }
                Item::Message { text, bytes: self.message.split().freeze() }
            }
        }))
    }
}

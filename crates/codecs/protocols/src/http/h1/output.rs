//! The outgoing message of one slot: a reply, or a request's body.
//!
//! ```text
//!  Unwritten ──begin──► Length | Chunked | UntilClose | Nothing ──data(end)──► ended ──queue empty, in turn──► done
//! ```
//!
//! Before it is its turn, a message is buffered here. Afterwards bytes go to `out` as long as that has room.
//! Replies of known length are written whole, because they are in memory anyway and nothing may be sent
//! before their end.

use super::encode::{BodyLength, chunk_size};
use bytes::BytesMut;
use polywire_base::{IoBuf, Output};

/// Longest chunk of queued data. Short chunks use the room of a slow reader in small steps.
const CHUNK: usize = 64 << 10;

#[derive(Default)]
pub(crate) struct Sending {
    form: Form,
    /// The head, while it waits for its turn.
    head: BytesMut,
    /// Body bytes that wait for their turn or for room, not yet framed.
    queue: IoBuf,
    /// Field lines after the last chunk. A body that is not chunked has no place for them.
    pub trailers: BytesMut,
    /// The last byte of the body is in `queue` or has left it.
    ended: bool,
    /// Whether everything is in `out`.
    pub done: bool,
    /// Whether the sender waits for `Http::Writable`.
    pub stalled: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// The head has not been written.
    #[default]
    Unwritten,
    /// The number of bytes that the head states.
    Length,
    /// Bytes without framing until the connection ends.
    UntilClose,
    Chunked,
    /// HEAD, 204, 304: no body is sent.
    Nothing,
}

impl Sending {
    /// Clears the slot for its next message; keeps the memory of `head`.
    pub fn clear(&mut self) {
        if self.held() > 0 {
            self.head.clear();
            self.queue = IoBuf::new();
            self.trailers.clear();
        }
        (self.form, self.ended, self.done, self.stalled) = (Form::Unwritten, false, false, false);
    }

    pub fn has_begun(&self) -> bool {
        self.form != Form::Unwritten
    }

    /// Whether nothing can be added any more.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    pub fn held(&self) -> usize {
        self.head.len() + self.queue.len() + self.trailers.len()
    }

    /// Returns where to write the head, whose form is now known. `end`: nothing follows it.
    pub fn begin<'a>(
        &'a mut self,
        out: &'a mut Output,
        in_turn: bool,
        said: BodyLength,
        bodiless: bool,
        end: bool,
    ) -> &'a mut BytesMut {
        self.form = match said {
            _ if bodiless || end => Form::Nothing,
            BodyLength::Chunked => Form::Chunked,
            BodyLength::Length(_) => Form::Length,
            BodyLength::Nothing => Form::UntilClose,
        };
        self.ended = end;
        self.done = end && in_turn;
        if in_turn { out.tail() } else { &mut self.head }
    }

    /// Adds a piece of a body; `end`: this is the last one.
    #[inline]
    pub fn data(&mut self, out: &mut Output, in_turn: bool, prefix: &[u8], bytes: &IoBuf, end: bool) {
        if self.ended {
            return;
        }
        self.ended = end;
        if in_turn && self.queue.is_empty() && self.form == Form::Length && end {
            out.put(prefix);
            out.share(bytes); // of a whole reply: the usual case
            self.done = true;
            return;
        }
        if !prefix.is_empty() {
            self.queue.append(IoBuf::copy_from_slice(prefix));
        }
        self.queue.append(bytes.clone());
        if in_turn {
            self.pump(out);
        }
    }

    /// Writes what may be written now that the message is in turn and `out` may have room.
    pub fn pump(&mut self, out: &mut Output) {
        if !self.head.is_empty() {
            out.put(&self.head);
            self.head.clear();
        }
        while !self.queue.is_empty() && (out.room() > 0 || self.ended && self.form == Form::Length) {
            match self.form {
                Form::Chunked => {
                    let chunk = self.queue.cut(self.queue.len().min(CHUNK));
                    chunk_size(out.tail(), chunk.len());
                    out.share(&chunk);
                    out.put(b"\r\n");
                }
                Form::Length | Form::UntilClose => {
                    let piece = self.queue.cut(self.queue.len().min(CHUNK));
                    out.share(&piece);
                }
                Form::Nothing | Form::Unwritten => self.queue = IoBuf::new(),
            }
        }
        if self.ended && self.queue.is_empty() && self.form != Form::Unwritten && !self.done {
            if self.form == Form::Chunked {
                out.put(b"0\r\n");
                out.put(&self.trailers);
                out.put(b"\r\n");
            }
            self.trailers.clear();
            self.done = true;
        }
    }

    /// Stops the message, even in its middle. If it has not begun, `farewell` may be written in its place.
    pub fn give_up(&mut self, farewell: &[u8]) {
        self.head.clear();
        if !self.has_begun() {
            self.head.extend_from_slice(farewell);
        }
        self.queue = IoBuf::new();
        self.trailers.clear();
        (self.form, self.ended) = (Form::UntilClose, true);
    }
}

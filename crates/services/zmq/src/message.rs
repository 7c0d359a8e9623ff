//! Messages: frames, at least one.

use bytes::Bytes;
use polywire_base::{IoBuf, Output};
use polywire_protocols::zmtp::{cut_frame, write_message};
use std::{fmt, ops::Index};

/// One or more frames. A message of one frame costs no allocation beyond the frame.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Message {
    first: Bytes,
    rest: Vec<Bytes>,
}

impl Message {
    /// A message of one frame.
    pub fn new(frame: impl Into<Bytes>) -> Self {
        Message { first: frame.into(), rest: Vec::new() }
    }

    /// A message of these frames; without frames, one empty frame.
    pub fn of<F: Into<Bytes>>(frames: impl IntoIterator<Item = F>) -> Self {
        let mut frames = frames.into_iter().map(Into::into);
        Message { first: frames.next().unwrap_or_default(), rest: frames.collect() }
    }

    /// Adds a frame at the end.
    pub fn push(&mut self, frame: impl Into<Bytes>) {
        self.rest.push(frame.into());
    }

    /// Adds a frame at the front.
    pub fn prepend(&mut self, frame: impl Into<Bytes>) {
        let first = std::mem::replace(&mut self.first, frame.into());
        self.rest.insert(0, first);
    }

    /// The first frame: the topic of a publication, or the name that a ROUTER sends to.
    pub fn first(&self) -> &Bytes {
        &self.first
    }

    /// Splits off the first frame. `None`: it was the only one.
    pub fn split_first(self) -> (Bytes, Option<Message>) {
        let mut rest = self.rest.into_iter();
        let behind = rest.next().map(|first| Message { first, rest: rest.collect() });
        (self.first, behind)
    }

    /// Number of frames, at least 1.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        1 + self.rest.len()
    }

    pub fn frames(&self) -> impl Iterator<Item = &Bytes> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    pub fn into_frames(self) -> Vec<Bytes> {
        let mut frames = self.rest;
        frames.insert(0, self.first);
        frames
    }

    /// The first frame as text, with invalid UTF-8 replaced.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.first)
    }

    /// Parses a message as a machine delivers it: complete, in wire form.
    pub fn of_wire(mut wire: IoBuf) -> Self {
        Message::cut(&mut wire).unwrap_or_default()
    }

    /// Splits off the first of several messages that a machine delivered together.
    #[inline]
    pub(crate) fn cut(wire: &mut IoBuf) -> Option<Self> {
        let (first, mut more) = cut_frame(wire)?;
        let mut rest = Vec::new();
        while more {
            let (frame, another) = cut_frame(wire)?;
            rest.push(frame);
            more = another;
        }
        Some(Message { first, rest })
    }

    /// Writes the message in wire form.
    pub fn write(&self, out: &mut Output) {
        write_message(out, self.frames());
    }

    /// Writes it in wire form, after the frames of `envelope`.
    pub(crate) fn write_behind(&self, envelope: &[Bytes], out: &mut Output) {
        write_message(out, envelope.iter().chain(self.frames()));
    }
}

impl Index<usize> for Message {
    type Output = Bytes;
    fn index(&self, n: usize) -> &Bytes {
        if n == 0 { &self.first } else { &self.rest[n - 1] }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.frames()).finish()
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.rest.is_empty() && self.first == text.as_bytes()
    }
}

macro_rules! of_one {
    ($($type:ty),*) => { $(
        impl From<$type> for Message {
            fn from(frame: $type) -> Self {
                Message::new(frame)
            }
        }
    )* };
}
of_one!(&'static str, String, &'static [u8], Vec<u8>, Bytes);

impl<F: Into<Bytes>, const N: usize> From<[F; N]> for Message {
    fn from(frames: [F; N]) -> Self {
        Message::of(frames)
    }
}
impl From<Vec<Bytes>> for Message {
    fn from(frames: Vec<Bytes>) -> Self {
        Message::of(frames)
    }
}

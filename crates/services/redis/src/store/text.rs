//! The values of string keys.

use super::number::number;
use crate::{ReplyBuf, Writer};
use bytes::Bytes;
use std::{ops::Range, sync::Arc};

const INLINE: usize = 30;

/// A string that may be a number. Numbers are stored as such if they are in canonical form, so that INCR
/// neither parses nor allocates.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Integer(i64),
    Short {
        len: u8,
        bytes: [u8; INLINE],
    },
    Long(Vec<u8>),
    /// A text from [`ReplyBuf::SHARE_FROM`] bytes on: replies refer to it. A change while they do copies it.
    Shared(Arc<Vec<u8>>),
}

/// Keeps a shared text alive for a reply.
struct Reader(Arc<Vec<u8>>);

impl AsRef<[u8]> for Reader {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The bytes of a text, wherever they are stored.
pub(super) enum Shown<'a> {
    Here(&'a [u8]),
    Digits(itoa::Buffer, i64),
}

impl Shown<'_> {
    pub(super) fn as_bytes(&mut self) -> &[u8] {
        match self {
            Shown::Here(bytes) => bytes,
            Shown::Digits(buffer, value) => buffer.format(*value).as_bytes(),
        }
    }
}

impl Text {
    #[inline]
    pub(super) fn new(source: &[u8]) -> Self {
        if let Some(value) = number(source) {
            return Text::Integer(value);
        }
        if source.len() > INLINE {
            return Text::of(source.to_vec());
        }
        let mut bytes = [0; INLINE];
        bytes[..source.len()].copy_from_slice(source);
        Text::Short { len: source.len() as u8, bytes }
    }

    /// A text of these bytes, in the form for its length.
    fn of(bytes: Vec<u8>) -> Self {
        if bytes.len() >= ReplyBuf::SHARE_FROM { Text::Shared(Arc::new(bytes)) } else { Text::Long(bytes) }
    }

    /// Writes it as a bulk string; a long one is referenced, not copied.
    #[inline]
    pub(super) fn write(&self, out: &mut Writer<'_>) {
        match self {
            Text::Integer(value) => out.bulk_integer(*value),
            Text::Shared(bytes) => self.write_part(0..bytes.len(), out),
            Text::Short { .. } | Text::Long(_) => out.bulk(self.show().as_bytes()),
        }
    }

    /// Writes a part of the text, in the same way.
    pub(super) fn write_part(&self, part: Range<usize>, out: &mut Writer<'_>) {
        match self {
            Text::Shared(bytes) => {
                out.bulk_shared(&bytes[part.clone()], || Bytes::from_owner(Reader(bytes.clone())).slice(part))
            }
            Text::Integer(_) | Text::Short { .. } | Text::Long(_) => {
                out.bulk(&self.show().as_bytes()[part]);
            }
        }
    }

    #[inline]
    pub(super) fn show(&self) -> Shown<'_> {
        match self {
            Text::Integer(value) => Shown::Digits(itoa::Buffer::new(), *value),
            Text::Short { len, bytes } => Shown::Here(&bytes[..usize::from(*len)]),
            Text::Long(bytes) => Shown::Here(bytes),
            Text::Shared(bytes) => Shown::Here(bytes),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.show().as_bytes().len()
    }

    /// The text as bytes that can be changed; call [`Text::settle`] afterwards.
    pub(super) fn edit(&mut self) -> &mut Vec<u8> {
        if matches!(self, Text::Integer(_) | Text::Short { .. }) {
            *self = Text::Long(self.show().as_bytes().to_vec());
        }
        match self {
            Text::Long(bytes) => bytes,
            Text::Shared(bytes) => Arc::make_mut(bytes),
            Text::Integer(_) | Text::Short { .. } => unreachable!("made long above"),
        }
    }

    /// Converts a text that was edited to the form for its length.
    pub(super) fn settle(&mut self) {
        match self {
            Text::Long(bytes) if bytes.len() <= INLINE => *self = Text::new(bytes),
            Text::Long(bytes) if bytes.len() >= ReplyBuf::SHARE_FROM => {
                *self = Text::of(std::mem::take(bytes));
            }
            Text::Long(_) | Text::Shared(_) | Text::Integer(_) | Text::Short { .. } => {}
        }
    }

    /// Bytes of memory besides the text itself.
    #[inline]
    pub(super) fn weight(&self) -> usize {
        match self {
            Text::Integer(_) | Text::Short { .. } => 0,
            Text::Long(bytes) => bytes.capacity(),
            Text::Shared(bytes) => 2 * size_of::<usize>() + size_of::<Vec<u8>>() + bytes.capacity(),
        }
    }
}

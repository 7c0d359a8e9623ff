//! Values of string keys.

use super::number;

const INLINE: usize = 30;

/// A string that may be a number. Numbers are kept as such, in their canonical form, so that INCR neither parses nor
/// allocates.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Integer(i64),
    Short { len: u8, bytes: [u8; INLINE] },
    Long(Vec<u8>),
}

/// The bytes of a text, wherever they are.
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
            return Text::Long(source.to_vec());
        }
        let mut bytes = [0; INLINE];
        bytes[..source.len()].copy_from_slice(source);
        Text::Short { len: source.len() as u8, bytes }
    }

    #[inline]
    pub(super) fn show(&self) -> Shown<'_> {
        match self {
            Text::Integer(value) => Shown::Digits(itoa::Buffer::new(), *value),
            Text::Short { len, bytes } => Shown::Here(&bytes[..usize::from(*len)]),
            Text::Long(bytes) => Shown::Here(bytes),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.show().as_bytes().len()
    }

    /// The text as bytes that can be changed; call [`Text::settle`] afterwards.
    pub(super) fn edit(&mut self) -> &mut Vec<u8> {
        if !matches!(self, Text::Long(_)) {
            *self = Text::Long(self.show().as_bytes().to_vec());
        }
        match self {
            Text::Long(bytes) => bytes,
            Text::Integer(_) | Text::Short { .. } => unreachable!("made long above"),
        }
    }

    /// Brings a text that was edited into the shortest form.
    pub(super) fn settle(&mut self) {
        if let Text::Long(bytes) = self
            && bytes.len() <= INLINE
        {
            *self = Text::new(bytes);
        }
    }

    /// Bytes of memory beyond itself.
    #[inline]
    pub(super) fn weight(&self) -> usize {
        match self {
            Text::Integer(_) | Text::Short { .. } => 0,
            Text::Long(bytes) => bytes.capacity(),
        }
    }
}

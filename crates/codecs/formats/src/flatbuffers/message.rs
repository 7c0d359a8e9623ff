//! An owned, verified buffer.

use super::{Builder, Indirect, Items, Offset, Table, Verifiable, Verifier};
use crate::{FormatError, Payload, compression, json::Json};
use bytes::Bytes;
use polywire_base::IoBuf;
use polywire_wire::{Compression, Content, Longest};
use std::{fmt, marker::PhantomData};

/// A table that may be the root of a message. Generated code implements it on the view with `'static`.
pub trait Root: Verifiable + Sized + 'static {
    /// The view of the table, borrowed from a buffer.
    type View<'a>: fmt::Debug;
    /// Four bytes that identify the kind of file (`file_identifier`). They are written but not required when
    /// reading, as in fb_rpc.
    const IDENTIFIER: Option<&'static str> = None;
    /// The largest alignment that a message may need.
    const ALIGN: usize = 8;

    fn view(table: Table<'_>) -> Self::View<'_>;
}

/// A complete message: its bytes as they were received or built. Cloning shares them.
///
/// A received message has been verified: every offset leads to a value of the schema's type, strings are
/// UTF-8, required fields are present. [`Flat::get`] returns the table; it borrows the message, which is why
/// `Flat` does not dereference to it.
pub struct Flat<T> {
    bytes: Bytes,
    root: PhantomData<fn() -> T>,
}

impl<T: Root> Flat<T> {
    /// Builds a message in a buffer that grows as needed.
    ///
    /// # Panics
    /// Beyond 2 GiB.
    pub fn build(write: impl FnOnce(&mut Builder) -> Offset<T>) -> Self {
        Self::build_with_capacity(0, write)
    }

    /// Builds a message in a buffer of this initial size in bytes. If it is sufficient, the message is never
    /// moved.
    ///
    /// # Panics
    /// Like [`Flat::build`].
    pub fn build_with_capacity(bytes: usize, write: impl FnOnce(&mut Builder) -> Offset<T>) -> Self {
        let mut builder = Builder::with_capacity(bytes);
        let root = write(&mut builder);
        Flat { bytes: builder.finish(root, T::IDENTIFIER), root: PhantomData }
    }

    /// Takes a finished buffer, without a size prefix, after verifying it. Copies it if it has several
    /// segments.
    ///
    /// # Errors
    /// [`FormatError::FlatBuffers`] with the fault and its field; [`FormatError::TooLarge`] beyond 2 GiB.
    pub fn from_bytes(bytes: impl Into<IoBuf>) -> Result<Self, FormatError> {
        let bytes = bytes.into().into_bytes();
        Indirect::<T>::run_verifier(&mut Verifier::of_message(&bytes)?, 0)?;
        Ok(Flat { bytes, root: PhantomData })
    }

    /// A view of the root table, which reads fields where they lie.
    #[inline]
    pub fn get(&self) -> T::View<'_> {
        T::view(Table::root(&self.bytes))
    }

    /// The bytes of the message, as they are sent.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Converts into the encoded message.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }
}

/// Writes a whole message as the value of a field with `nested_flatbuffer`.
pub fn nest<T: Root>(builder: &mut Builder, message: &Flat<T>) -> Offset<Items<u8>> {
    builder.create_aligned_vector(&message.bytes, T::ALIGN)
}

impl<T: Root> Payload for Flat<T> {
    #[inline]
    fn decode(
        content: Content,
        compression: Compression,
        body: IoBuf,
        longest: Longest,
        _: Json,
    ) -> Result<Self, FormatError> {
        check(content)?;
        Self::from_bytes(match compression {
            Compression::NONE => body,
            _ => compression::decompress(compression, body, longest)?,
        })
    }

    #[inline]
    fn encode(&self, content: Content, compression: Compression, json: Json) -> Result<IoBuf, FormatError> {
        self.clone().into_encoded(content, compression, json)
    }

    #[inline]
    fn into_encoded(self, content: Content, compression: Compression, _: Json) -> Result<IoBuf, FormatError> {
        check(content)?;
        match compression {
            Compression::NONE => Ok(self.bytes.into()),
            _ => compression::compress(compression, self.bytes.into()),
        }
    }
}

/// Accepts FlatBuffers, and the value for "the method's own encoding" or for protocols that do not state one.
fn check(content: Content) -> Result<(), FormatError> {
    match content {
        Content::FLATBUFFERS | Content::PROTOBUF => Ok(()),
        other => Err(FormatError::UnknownContent(other)),
    }
}

impl<T> Clone for Flat<T> {
    fn clone(&self) -> Self {
        Flat { bytes: self.bytes.clone(), root: PhantomData }
    }
}

impl<T> PartialEq for Flat<T> {
    /// Compares the bytes; equal tables may have been built differently.
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}
impl<T> Eq for Flat<T> {}

impl<T: Root> fmt::Debug for Flat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

//! What a handler answers with, and what a caller gets.

use crate::{Compression, Metadata};
use polywire_base::IoBuf;
use std::ops::{Deref, DerefMut};

/// A message with what travels beside it. Made from a message by `into()`; derefs to it.
#[derive(Clone, Debug, Default)]
pub struct Reply<T> {
    message: T,
    attachment: IoBuf,
    metadata: Metadata,
    compression: Compression,
}

impl<T> Reply<T> {
    pub fn new(message: T) -> Self {
        Reply { message, attachment: IoBuf::new(), metadata: Metadata::new(), compression: Compression::NONE }
    }

    /// Raw bytes beside the message, where the protocol has a place for them (baidu_std, hulu); never compressed.
    pub fn attach(mut self, attachment: impl Into<IoBuf>) -> Self {
        self.attachment = attachment.into();
        self
    }

    /// A field of the reply: HTTP header, gRPC trailer, baidu_std user field.
    pub fn with(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.metadata.append(name, value);
        self
    }

    /// Compresses the message, where the protocol has a field for it.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    pub fn into_message(self) -> T {
        self.message
    }
    pub fn attachment(&self) -> &IoBuf {
        &self.attachment
    }
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The message, and beside it attachment, fields and compression.
    pub fn into_parts(self) -> (T, IoBuf, Metadata, Compression) {
        (self.message, self.attachment, self.metadata, self.compression)
    }

    pub fn from_parts(message: T, attachment: IoBuf, metadata: Metadata, compression: Compression) -> Self {
        Reply { message, attachment, metadata, compression }
    }
}

impl<T> From<T> for Reply<T> {
    fn from(message: T) -> Self {
        Reply::new(message)
    }
}
impl<T> Deref for Reply<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.message
    }
}
impl<T> DerefMut for Reply<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.message
    }
}

//! The reply of a call: the result of a handler, and of a caller's call.

use crate::{Compression, Metadata};
use polywire_base::IoBuf;
use std::ops::{Deref, DerefMut};

/// A message with its attachment and fields. Made from a message by `into()`; derefs to it.
///
/// ```
/// # mod polywire { pub use polywire_call::*; }
/// use polywire::{Compression, Reply};
///
/// struct Greeting {
///     text: String,
/// }
///
/// // In a handler:
/// let reply: Reply<Greeting> = Greeting { text: "hello".into() }.into();
/// let reply = reply.with("x-cost", "3").compress(Compression::GZIP);
///
/// // At the caller:
/// assert_eq!(reply.text, "hello");
/// assert_eq!(reply.metadata().get_str("x-cost"), Some("3"));
/// let Greeting { text } = reply.into_message();
/// # assert_eq!(text, "hello");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reply<T> {
    message: T,
    compression: Compression,
    /// Rarely set, so that the common reply is little more than its message to move.
    beside: Option<Box<Beside>>,
}

#[derive(Clone, Debug, Default)]
struct Beside {
    attachment: IoBuf,
    headers: Metadata,
    metadata: Metadata,
}

static NOTHING: Beside =
    Beside { attachment: IoBuf::new(), headers: Metadata::new(), metadata: Metadata::new() };

impl<T> Reply<T> {
    pub fn new(message: T) -> Self {
        Reply { message, compression: Compression::NONE, beside: None }
    }

    fn beside(&self) -> &Beside {
        self.beside.as_deref().unwrap_or(&NOTHING)
    }

    /// Adds an attachment, where the protocol has a place for one (baidu_std, hulu). It is never compressed.
    pub fn attach(mut self, attachment: impl Into<IoBuf>) -> Self {
        self.beside.get_or_insert_default().attachment = attachment.into();
        self
    }

    /// Adds a field to the reply: HTTP header, gRPC trailer, baidu_std user field. For a field before the
    /// message, gRPC's initial metadata, a handler has its context's `reply_metadata`.
    pub fn with(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.beside.get_or_insert_default().metadata.append(name, value);
        self
    }

    /// Compresses the message, where the protocol has a field for it.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Takes the message out; attachment and fields are dropped.
    #[doc(alias = "into_inner")]
    pub fn into_message(self) -> T {
        self.message
    }
    pub fn attachment(&self) -> &IoBuf {
        &self.beside().attachment
    }
    /// Fields after the message (gRPC's trailers); all fields if the protocol has only one place for them, as
    /// baidu_std and plain HTTP.
    pub fn metadata(&self) -> &Metadata {
        &self.beside().metadata
    }
    /// Fields before the message, where the protocol distinguishes them: over gRPC, grpc-web and Connect.
    /// There they are what a handler has set with its context's `reply_metadata`. Empty over other protocols.
    pub fn headers(&self) -> &Metadata {
        &self.beside().headers
    }
    /// Sets the fields before the message, on a received reply. A handler uses its context for that.
    pub fn with_headers(mut self, headers: Metadata) -> Self {
        self.beside.get_or_insert_default().headers = headers;
        self
    }

    /// The message, its attachment, fields and compression.
    #[inline]
    pub fn into_parts(self) -> (T, IoBuf, Metadata, Compression) {
        let Some(beside) = self.beside else {
            return (self.message, IoBuf::new(), Metadata::new(), self.compression);
        };
        (self.message, beside.attachment, beside.metadata, self.compression)
    }

    pub fn from_parts(message: T, attachment: IoBuf, metadata: Metadata, compression: Compression) -> Self {
        let something = !attachment.is_empty() || !metadata.is_empty();
        let beside = something.then(|| Box::new(Beside { attachment, metadata, ..Beside::default() }));
        Reply { message, compression, beside }
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

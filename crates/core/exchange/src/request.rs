//! The request of a call.

use crate::{line::Line, sync::Arc};
use polywire_base::IoBuf;
use polywire_call::Metadata;
use polywire_wire::{Compression, Content};
use std::time::{Duration, Instant};

/// The request of a call to be opened.
#[derive(Clone)]
pub struct Request {
    /// Full name of the service, `package.Service`.
    pub service: Name,
    pub method: Name,
    /// See [`polywire_wire::Outgoing::index`].
    pub index: Option<u32>,
    /// The deadline of the call.
    pub deadline: Option<Instant>,
    /// The most that the server is told is left until `deadline`; [`Duration::MAX`] if only that counts. The
    /// connection goes by the instant at which its turn began, and that may lie before the call.
    pub timeout: Duration,
    /// Fields that are sent with the message.
    pub metadata: Metadata,
    /// The message, followed by the attachment.
    pub body: IoBuf,
    /// The number of bytes at the end of `body` that are the attachment.
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// Whether `body` is the only message; otherwise parts follow through the line's [`Sink`](crate::Sink).
    pub finished: bool,
    /// Whether the answer is a stream of parts; otherwise it is one outcome.
    pub streamed: bool,
    /// Streams that are offered inside the call, made by [`Line::offer`](crate::Line::offer) for the same
    /// inbox.
    pub offers: Box<[Arc<Line>]>,
}

impl Request {
    /// A request with one uncompressed message, without an attachment, that is answered by one outcome.
    #[inline]
    pub fn new(service: Name, method: Name, body: IoBuf, content: Content) -> Self {
        Request {
            service,
            method,
            index: None,
            deadline: None,
            timeout: Duration::MAX,
            metadata: Metadata::new(),
            body,
            attachment: 0,
            content,
            compression: Compression::NONE,
            finished: true,
            streamed: false,
            offers: Box::default(),
        }
    }
}

/// The name of a service or method.
#[derive(Clone)]
pub enum Name {
    Static(&'static str),
    Shared(std::sync::Arc<str>),
}
impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        match self {
            Name::Static(name) => name,
            Name::Shared(name) => name,
        }
    }
}
impl From<&'static str> for Name {
    fn from(name: &'static str) -> Self {
        Name::Static(name)
    }
}
impl From<String> for Name {
    fn from(name: String) -> Self {
        Name::Shared(name.into())
    }
}

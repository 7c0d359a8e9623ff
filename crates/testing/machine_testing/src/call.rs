//! An owned call, to be opened on a client machine.

use polywire_base::IoBuf;
use polywire_call::Metadata;
use polywire_wire::{Compression, Content, Exchange, Outgoing};
use std::time::Duration;

/// Owns what [`Outgoing`] borrows. A call is unary by default.
///
/// ```
/// # use polywire_machine_testing::Call;
/// let call = Call::new("example.EchoService", "Echo").body(b"\x0a\x02hi").attachment(b"bulk");
/// assert_eq!(call.outgoing().body.len(), 8);
/// assert_eq!(call.outgoing().attachment, 4);
/// ```
#[derive(Clone, Default)]
pub struct Call {
    pub service: String,
    pub method: String,
    pub index: Option<u32>,
    pub timeout: Option<Duration>,
    pub metadata: Metadata,
    pub body: IoBuf,
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// Whether parts follow, so that `body` is not the only message.
    pub parts_follow: bool,
    pub streamed: bool,
    pub streams: Vec<Exchange>,
}

impl Call {
    pub fn new(service: &str, method: &str) -> Self {
        Call { service: service.into(), method: method.into(), ..Call::default() }
    }

    pub fn body(self, body: impl AsRef<[u8]>) -> Self {
        Call { body: IoBuf::copy_from_slice(body.as_ref()), ..self }
    }

    /// Appends an attachment to the body.
    pub fn attachment(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.body.append(IoBuf::copy_from_slice(bytes.as_ref()));
        self.attachment += bytes.as_ref().len() as u32;
        self
    }

    /// Sets the position of the method in its service.
    pub fn index(self, index: u32) -> Self {
        Call { index: Some(index), ..self }
    }

    pub fn timeout(self, timeout: Duration) -> Self {
        Call { timeout: Some(timeout), ..self }
    }

    pub fn field(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.metadata.append(name, value);
        self
    }

    pub fn content(self, content: Content) -> Self {
        Call { content, ..self }
    }

    pub fn compression(self, compression: Compression) -> Self {
        Call { compression, ..self }
    }

    /// Expects the answer as `Answer`, `Part`s, `Finish`.
    pub fn streamed(self) -> Self {
        Call { streamed: true, ..self }
    }

    /// Announces that messages follow as parts.
    pub fn parts_follow(self) -> Self {
        Call { parts_follow: true, ..self }
    }

    pub fn outgoing(&self) -> Outgoing<'_> {
        Outgoing {
            service: &self.service,
            method: &self.method,
            index: self.index,
            timeout: self.timeout,
            metadata: &self.metadata,
            body: &self.body,
            attachment: self.attachment,
            content: self.content,
            compression: self.compression,
            finished: !self.parts_follow,
            streamed: self.streamed,
            streams: &self.streams,
        }
    }
}

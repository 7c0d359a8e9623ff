//! The request that a parallel call sends to one of its channels.

use crate::{call::target::Target, core::CombinedCall};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Metadata, Status};
use polywire_exchange::Request;
use polywire_formats::{Payload, decode_request, encode_request};
use polywire_wire::Longest;

/// The part of a call for one channel: at first a copy of the whole. Copies share their bytes.
pub struct Part {
    index: usize,
    count: usize,
    longest: Longest,
    pub(super) request: Request,
    /// See [`Call::idempotent`](crate::Call::idempotent).
    pub(super) idempotent: Option<bool>,
}

/// Whether a channel is sent its part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mapping {
    Send,
    /// The call is made without this channel.
    Skip,
}

/// Makes the part of a call for one channel. Closures are mappers.
pub trait Mapper: Send + Sync + 'static {
    /// Changes the part, if it is not to be the whole call.
    ///
    /// # Errors
    /// The call fails with this status, and nothing is sent to any channel.
    fn map(&self, part: &mut Part) -> Result<Mapping, Status>;
}

impl<F> Mapper for F
where
    F: Fn(&mut Part) -> Result<Mapping, Status> + Send + Sync + 'static,
{
    fn map(&self, part: &mut Part) -> Result<Mapping, Status> {
        self(part)
    }
}

impl Part {
    pub(super) fn new(index: usize, count: usize, longest: Longest, call: &CombinedCall) -> Self {
        Part { index, count, longest, request: call.request.clone(), idempotent: call.idempotent }
    }

    /// The number of the channel, in the order in which they were added.
    pub fn index(&self) -> usize {
        self.index
    }
    /// The number of channels.
    pub fn count(&self) -> usize {
        self.count
    }
    /// The full name of the service, `package.Service`.
    pub fn service(&self) -> &str {
        &self.request.service
    }
    pub fn method(&self) -> &str {
        &self.request.method
    }
    /// Directs this part to another method.
    pub fn set_target(&mut self, target: Target) {
        let Target { service, method, index, idempotent } = target;
        if self.idempotent != Some(false) {
            self.idempotent = idempotent; // what is known of the other method says nothing of this one
        }
        (self.request.service, self.request.method, self.request.index) = (service, method, index);
    }

    /// The message, not compressed.
    pub fn body(&self) -> IoBuf {
        let mut body = self.request.body.clone();
        body.truncate(body.len().saturating_sub(self.request.attachment as usize));
        body
    }
    /// The form of the message.
    pub fn content(&self) -> Content {
        self.request.content
    }
    /// Puts another message in its place, in the same form.
    pub fn set_body(&mut self, body: impl Into<IoBuf>) {
        let attachment = self.attachment();
        self.request.body = body.into();
        self.request.body.append(attachment);
    }

    /// The message.
    ///
    /// # Errors
    /// INVALID_ARGUMENT: it is not of this type.
    pub fn message<M: Payload>(&self) -> Result<M, Status> {
        decode_request(self.content(), Compression::NONE, self.body(), self.longest)
    }
    /// Puts another message in its place.
    ///
    /// # Errors
    /// The message cannot be encoded.
    pub fn set_message<M: Payload>(&mut self, message: M) -> Result<(), Status> {
        let body = encode_request(message, self.content(), Compression::NONE)?;
        self.set_body(body);
        Ok(())
    }

    /// The attachment: raw bytes beside the message.
    pub fn attachment(&self) -> IoBuf {
        let mut attachment = self.request.body.clone();
        attachment.advance(attachment.len().saturating_sub(self.request.attachment as usize));
        attachment
    }
    /// Replaces the bytes beside the message; empty bytes are none.
    pub fn set_attachment(&mut self, attachment: impl Into<IoBuf>) {
        let attachment = attachment.into();
        self.request.body = self.body();
        self.request.attachment = attachment.len() as u32;
        self.request.body.append(attachment);
    }

    /// The fields that travel with the request.
    pub fn metadata(&self) -> &Metadata {
        &self.request.metadata
    }
    /// The request's metadata, to add entries.
    pub fn metadata_mut(&mut self) -> &mut Metadata {
        &mut self.request.metadata
    }
}

/// Runs code of the user, whose panic fails the call and nothing else.
///
/// # Errors
/// INTERNAL: it has panicked.
pub(super) fn guarded<T>(what: &str, code: impl FnOnce() -> T) -> Result<T, Status> {
    polywire_base::caught(code).map_err(|text| Status::internal(format!("{what} has panicked: {text}")))
}

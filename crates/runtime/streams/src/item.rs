//! The items of streams.

use crate::Form;
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_formats::{FormatError, Payload};
use polywire_wire::{Compression, Part, Role};

/// An item of a stream: a message, or a type that encodes itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message that polywire can send",
    label = "not generated from a .proto or .fbs file",
    note = "messages come from `polywire_build::compile(\"proto/….proto\")` in build.rs and `polywire::include!(\"…\")`"
)]
pub trait Item: Sized + Send + 'static {
    /// Decodes a message.
    ///
    /// # Errors
    /// EREQUEST or ERESPONSE with the fault.
    fn from_bytes(form: &Form, bytes: IoBuf, compression: Compression) -> Result<Self, Status>;
    /// Encodes a message.
    ///
    /// # Errors
    /// EREQUEST or ERESPONSE with the fault.
    fn to_part(&self, form: &Form) -> Result<Part, Status>;
}

impl<M: Payload> Item for M {
    #[inline]
    fn from_bytes(form: &Form, bytes: IoBuf, compression: Compression) -> Result<Self, Status> {
        let read = M::decode(form.content, compression, bytes, form.longest, form.json);
        read.map_err(match form.role {
            Role::Client => FormatError::reply,
            Role::Server => FormatError::request,
        })
    }

    #[inline]
    fn to_part(&self, form: &Form) -> Result<Part, Status> {
        let bytes = self.encode(form.content, form.compression, form.json);
        let bytes = bytes.map_err(match form.role {
            Role::Client => FormatError::request,
            Role::Server => FormatError::reply,
        })?;
        Ok(form.part(bytes))
    }
}

impl Form {
    /// A complete message of these bytes, which are compressed already.
    pub fn part(&self, bytes: IoBuf) -> Part {
        Part { compression: self.compression, ..Part::message(bytes) }
    }

    /// Checks the length of a message.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED: it is longer than any message may be.
    #[inline]
    pub fn checked(&self, part: Part) -> Result<Part, Status> {
        if part.bytes.len() > self.max_sent { Err(self.too_long(part.bytes.len())) } else { Ok(part) }
    }

    #[cold]
    fn too_long(&self, bytes: usize) -> Status {
        Status::resource_exhausted(format!("message of {bytes} bytes, at most {} are allowed", self.max_sent))
    }

    /// The status for a message that cannot be decoded: a server blames the request, a client the reply.
    #[cold]
    pub fn fault(&self, error: FormatError) -> Status {
        match self.role {
            Role::Client => error.reply(),
            Role::Server => error.request(),
        }
    }
}

//! Streams of bytes, for proxies and tools.

use crate::Raw;
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Status};
use polywire_formats::compression;
use polywire_streams::{Form, Item};
use polywire_wire::Part;

impl Raw {
    /// A message to be sent: in the form of the call, not compressed yet.
    pub fn new(body: impl Into<IoBuf>) -> Self {
        Raw { body: body.into(), content: Content::default(), compression: Compression::NONE }
    }
}

impl Item for Raw {
    fn from_bytes(form: &Form, body: IoBuf, compression: Compression) -> Result<Self, Status> {
        Ok(Raw { body, content: form.content, compression })
    }

    fn to_part(&self, form: &Form) -> Result<Part, Status> {
        let bytes = compression::compress(form.compression, self.body.clone());
        Ok(form.part(bytes.map_err(|error| form.fault(error))?))
    }
}

//! Between a message and its bytes in a stream.

use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_formats::{Message, decode_reply, decode_request, encode_reply, encode_request};
use polywire_wire::{Compression, Content, Part, Role};

/// How the messages of one stream are written and read.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Whose side this is: a client writes requests and reads replies.
    pub role: Role,
    pub content: Content,
    /// Of messages that go. Those that come say it themselves.
    pub compression: Compression,
    /// Longest message that may come, bytes, once inflated.
    pub max_message: usize,
}

impl Form {
    /// # Errors
    /// EREQUEST or ERESPONSE with what was wrong.
    #[inline]
    pub fn read<T: Message>(&self, bytes: IoBuf, compression: Compression) -> Result<T, Status> {
        match self.role {
            Role::Client => decode_reply(self.content, compression, bytes, self.max_message),
            Role::Server => decode_request(self.content, compression, bytes, self.max_message),
        }
    }

    /// # Errors
    /// EREQUEST or ERESPONSE with what was wrong.
    #[inline]
    pub fn write<T: Message>(&self, message: &T) -> Result<Part, Status> {
        let bytes = match self.role {
            Role::Client => encode_request(message, self.content, self.compression),
            Role::Server => encode_reply(message, self.content, self.compression),
        }?;
        Ok(Part { bytes, end_of_message: true, compression: self.compression, finished: false })
    }

    /// Whose mistake a message is that is too long.
    #[cold]
    pub(crate) fn too_long(&self) -> Status {
        let error = polywire_formats::FormatError::TooLarge { limit: self.max_message };
        match self.role {
            Role::Client => error.reply(),
            Role::Server => error.request(),
        }
    }
}

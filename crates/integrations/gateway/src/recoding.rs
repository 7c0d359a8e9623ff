//! Messages of Thrift for callers of one of its two protocols and servers of the other: no schema is needed.

use crate::{
    failure,
    translation::{LONG, on_a_thread},
};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_formats::{FormatError, foreign};
use polywire_wire::Content;

/// How the messages of one call are written anew.
#[derive(Clone, Copy)]
pub(crate) struct Recoding {
    /// What the caller sends and reads.
    pub from: Content,
    /// What the servers read and send.
    pub sent: Content,
    /// Bytes that may be written.
    pub longest: usize,
}

impl Recoding {
    /// # Errors
    /// INVALID_ARGUMENT: the bytes are no struct.
    pub async fn request(self, bytes: IoBuf) -> Result<IoBuf, Status> {
        self.recode(bytes, self.from, FormatError::request).await
    }

    /// # Errors
    /// INTERNAL: the bytes are no struct.
    pub async fn reply(self, bytes: IoBuf) -> Result<IoBuf, Status> {
        self.recode(bytes, self.sent, FormatError::reply).await
    }

    async fn recode(
        self,
        bytes: IoBuf,
        from: Content,
        blame: fn(FormatError) -> Status,
    ) -> Result<IoBuf, Status> {
        let recode = move |bytes: IoBuf| {
            foreign::recode(bytes, from, self.longest).map_err(|error| failure::unreadable(blame(error)))
        };
        if bytes.len() < LONG {
            return recode(bytes);
        }
        on_a_thread(move || recode(bytes)).await
    }
}

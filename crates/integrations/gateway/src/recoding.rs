//! Messages of Thrift for callers of one of its two protocols and servers of the other: no schema is needed.

use crate::{
    failure,
    writing::{Size, kept, written_anywhere},
};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_formats::{FormatError, foreign};
use polywire_server::{Charge, Forwarded};
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
    /// INVALID_ARGUMENT: the bytes are no struct. RESOURCE_EXHAUSTED: no memory for what they become.
    pub async fn request(self, forwarded: Forwarded, message: IoBuf) -> Result<IoBuf, Status> {
        let (message, charge) = self.recode(forwarded, self.from, FormatError::request, message).await?;
        Ok(kept(message, charge))
    }

    /// # Errors
    /// INTERNAL: the bytes are no struct. RESOURCE_EXHAUSTED: no memory for what they become.
    pub async fn reply(self, forwarded: Forwarded, message: IoBuf) -> Result<IoBuf, Status> {
        let (message, _charge) = self.recode(forwarded, self.sent, FormatError::reply, message).await?;
        Ok(message)
    }

    async fn recode(
        self,
        forwarded: Forwarded,
        from: Content,
        blame: fn(FormatError) -> Status,
        message: IoBuf,
    ) -> Result<(IoBuf, Option<Charge>), Status> {
        let size = Size {
            bytes: message.len(),
            grows: from == Content::THRIFT_COMPACT,
            longest: self.longest,
            blame,
        };
        let recode = move |longest| {
            let recoded = foreign::recode(message.clone(), from, longest);
            recoded.map(|message| (message, ())).map_err(|error| failure::unreadable(blame(error)))
        };
        let (message, (), charge) = written_anywhere(forwarded, size, recode).await?;
        Ok((message, charge))
    }
}

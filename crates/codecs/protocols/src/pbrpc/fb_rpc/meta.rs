//! The metas: numbers at fixed places, little-endian. They "may grow at their end": further bytes are
//! skipped.

use crate::protobuf::Writer;

/// The lengths of a payload's parts, and the call that the payload belongs to. Both metas end with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub message: i32,
    pub attachment: i32,
    pub correlation_id: u64,
}

impl Sizes {
    const BYTES: usize = 16;

    fn parse(raw: &[u8; Self::BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h, id @ ..] = *raw;
        Sizes {
            message: i32::from_le_bytes([a, b, c, d]),
            attachment: i32::from_le_bytes([e, f, g, h]),
            correlation_id: u64::from_le_bytes(id),
        }
    }

    /// "message_size = 0, any size above 2^31-1 as unsigned (that is: negative), attachment_size > payload,
    /// or message_size != payload - attachment_size" are wrong: `None`. Otherwise the size of the attachment.
    /// The caller knows whether the message may be empty.
    pub fn attachment_of(&self, payload_bytes: usize) -> Option<u32> {
        let message = usize::try_from(self.message).ok()?;
        let attachment = u32::try_from(self.attachment).ok()?;
        (payload_bytes.checked_sub(attachment as usize) == Some(message)).then_some(attachment)
    }

    fn put(&self, meta: &mut Writer<'_>) {
        meta.put(self.message.to_le_bytes());
        meta.put(self.attachment.to_le_bytes());
        meta.put(self.correlation_id.to_le_bytes());
    }
}

/// Meta of a request, 24 bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestMeta {
    pub service: u32,
    pub method: i32,
    pub sizes: Sizes,
}

impl RequestMeta {
    /// `None` if the meta is too short.
    #[inline]
    pub fn parse(raw: &[u8]) -> Option<Self> {
        let (service, raw) = raw.split_first_chunk()?;
        let (method, raw) = raw.split_first_chunk()?;
        Some(RequestMeta {
            service: u32::from_le_bytes(*service),
            method: i32::from_le_bytes(*method),
            sizes: Sizes::parse(raw.first_chunk()?),
        })
    }

    #[inline]
    pub fn put(&self, meta: &mut Writer<'_>) {
        meta.put(self.service.to_le_bytes());
        meta.put(self.method.to_le_bytes());
        self.sizes.put(meta);
    }
}

/// Meta of a response, 20 bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ResponseMeta<'a> {
    pub error_code: i32,
    pub sizes: Sizes,
    /// The bytes after the numbers.
    pub behind: &'a [u8],
}

impl<'a> ResponseMeta<'a> {
    pub const BYTES: usize = size_of::<i32>() + Sizes::BYTES;

    /// `None` if the meta is too short.
    #[inline]
    pub fn parse(raw: &'a [u8]) -> Option<Self> {
        let (error_code, raw) = raw.split_first_chunk()?;
        let (sizes, behind) = raw.split_first_chunk()?;
        Some(ResponseMeta { error_code: i32::from_le_bytes(*error_code), sizes: Sizes::parse(sizes), behind })
    }

    #[inline]
    pub fn put(&self, meta: &mut Writer<'_>) {
        meta.put(self.error_code.to_le_bytes());
        self.sizes.put(meta);
        if !self.behind.is_empty() {
            meta.raw(self.behind);
        }
    }
}

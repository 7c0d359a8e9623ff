//! The parts that all writers share.
//!
//! A frame is written straight into the output: header and meta through a [`Writer`], the payload by copy or
//! by reference as [`Output::share`](polywire_base::Output::share) decides. The header's lengths are filled
//! in when the meta is complete.
//!
//! Limits: a meta longer than [`MAX_META_BYTES`], the longest that is read, is not written.
//! Errors: [`TooLong`] leaves the output as it was.

use super::{Dialect, MAX_META_BYTES, TooLong};
use crate::protobuf::Writer;
use bytes::BytesMut;
use polywire_base::IoBuf;

/// Leaves room for the header and begins the meta, which will have this many bytes of text.
#[inline]
pub(crate) fn begin<W: Dialect>(tail: &mut BytesMut, texts: usize) -> Writer<'_> {
    let mut frame = Writer::new(tail, texts);
    frame.leave(W::HEADER_BYTES);
    frame
}

/// Fills in the header of the frame that began at `start`.
#[inline]
pub(crate) fn finish<W: Dialect>(tail: &mut BytesMut, start: usize, payload: &IoBuf) -> Result<(), TooLong> {
    let meta_bytes = tail.len() - start - W::HEADER_BYTES;
    let body_bytes = u32::try_from(meta_bytes + payload.len()).ok();
    let Some(body_bytes) = body_bytes.filter(|_| meta_bytes <= MAX_META_BYTES) else {
        tail.truncate(start);
        return Err(TooLong);
    };
    let meta_bytes = meta_bytes as u32;
    let header = &mut tail[start..start + W::HEADER_BYTES];
    // A slice of unknown length would be copied by a call.
    *header.first_chunk_mut().expect("a header is longer than its magic") = *W::MAGIC;
    W::put_header(header, meta_bytes, body_bytes - meta_bytes);
    Ok(())
}

/// The number of bytes of `payload` that are attachment: at most all of them, and at most the largest value
/// of a signed field.
#[inline]
pub(crate) fn attachment_size(attachment: u32, payload: &IoBuf) -> u32 {
    attachment.min(payload.len().min(i32::MAX as usize) as u32)
}

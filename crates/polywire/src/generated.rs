//! What generated code refers to. Not for use by hand.

use crate::{Call, Channel, Compression, Target};
use polywire_formats::{Message, encode_request};

pub use polywire_formats::generated::*;
pub use polywire_server::Unary;

/// A call of a stub: the request is encoded now, in the channel's form, and sent when the call is awaited.
#[inline]
pub fn unary<I: Message, O: Message>(
    channel: &Channel,
    service: &'static str,
    method: &'static str,
    request: I,
) -> Call<O> {
    let body = encode_request(&request, channel.content(), Compression::NONE);
    channel.typed(Target::fixed(service, method), body)
}

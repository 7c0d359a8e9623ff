//! The calls of generated clients. Not for use by hand: this module changes with the generator.

pub use crate::call::rule::HttpRules;
use crate::{
    call::{streaming::StreamingCall, target::Target, unary::Call},
    channel::Channel,
};
use polywire_call::Compression;
use polywire_formats::{Payload, encode_request};
use polywire_streams::Streaming;

/// A call of one message that is answered by one: the message is encoded now, and sent when the call is
/// awaited.
#[inline]
pub fn unary<P, I: Payload, O>(channel: &Channel<P>, target: Target, request: I) -> Call<O> {
    let body = encode_request(request, channel.content(), Compression::NONE);
    channel.typed(target, body)
}

/// Like the unary method without rules, for a method with rules of `google.api.http`; one of them is used
/// over plain HTTP with JSON.
pub fn unary_by_rule<P, I: Payload, O: Payload>(
    channel: &Channel<P>,
    target: Target,
    request: I,
    rules: &'static HttpRules,
) -> Call<O> {
    if !channel.uses_rules() {
        return unary(channel, target, request);
    }
    match rules.request::<I, O>(&request) {
        Ok((body, by_rule)) => channel.typed(target, Ok(body.into())).by_rule(by_rule),
        Err(status) => channel.typed(target, Err(status)),
    }
}

/// A call of one message that is answered by a stream: the message is encoded now, and sent when the call is
/// awaited.
pub fn server_streaming<P, I: Payload, O>(
    channel: &Channel<P>,
    target: Target,
    request: I,
) -> StreamingCall<Streaming<O>> {
    let body = encode_request(request, channel.content(), Compression::NONE);
    channel.typed_stream(target, Some(body))
}

/// Like the server-streaming method without rules, for a method with rules of `google.api.http`; one of them
/// is used over plain HTTP with JSON.
pub fn server_streaming_by_rule<P, I: Payload, O: Payload>(
    channel: &Channel<P>,
    target: Target,
    request: I,
    rules: &'static HttpRules,
) -> StreamingCall<Streaming<O>> {
    if !channel.uses_rules() {
        return server_streaming(channel, target, request);
    }
    match rules.request::<I, O>(&request) {
        Ok((body, by_rule)) => channel.typed_stream(target, Some(Ok(body.into()))).by_rule(by_rule),
        Err(status) => channel.typed_stream(target, Some(Err(status))),
    }
}

/// A call whose messages are sent after it has been opened.
pub fn streaming<P, S>(channel: &Channel<P>, target: Target) -> StreamingCall<S> {
    channel.typed_stream(target, None)
}

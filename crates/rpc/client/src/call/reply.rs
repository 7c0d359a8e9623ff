//! Reads the outcome of a call as the reply that its caller asked for.

use crate::{call::rule, interceptor::Watch};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Metadata, Reply, Status};
use polywire_formats::{Payload, decode_reply, rest::Rule};
use polywire_wire::{Longest, Outcome};

/// A type that replies can be read as.
pub trait Answer: Sized + Send + 'static {
    /// Decodes a reply; `longest` is the maximum decompressed length.
    ///
    /// # Errors
    /// The call has failed, or its reply cannot be read.
    fn read(outcome: Outcome, longest: Longest) -> Result<Reply<Self>, Status>;
}

/// A reply as the received bytes, with their content type and compression.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    pub body: IoBuf,
    pub content: Content,
    pub compression: Compression,
}

impl Answer for Raw {
    fn read(outcome: Outcome, _: Longest) -> Result<Reply<Self>, Status> {
        read_by(outcome, |content, compression, body| Ok(Raw { body, content, compression }))
    }
}

impl<M: Payload> Answer for M {
    #[inline]
    fn read(outcome: Outcome, longest: Longest) -> Result<Reply<Self>, Status> {
        read_by(outcome, |content, compression, body| decode_reply(content, compression, body, longest))
    }
}

/// Reads the outcome of a call, and notifies the interceptors of its channel of its end.
#[inline]
pub(super) fn read<R: Answer>(
    outcome: Outcome,
    longest: Longest,
    watch: Option<Box<Watch>>,
    rule: Option<&Rule<'_>>,
) -> Result<Reply<R>, Status> {
    match watch.is_some() || rule.is_some() {
        false => R::read(outcome, longest),
        true => read_and_tell(outcome, longest, watch, rule),
    }
}

#[cold]
fn read_and_tell<R: Answer>(
    mut outcome: Outcome,
    longest: Longest,
    watch: Option<Box<Watch>>,
    rule: Option<&Rule<'_>>,
) -> Result<Reply<R>, Status> {
    if let Some(rule) = rule {
        outcome = rule::read(outcome, rule, longest);
    }
    let Some(mut watch) = watch else { return R::read(outcome, longest) };
    let reply_len = outcome.body.len();
    let reply = R::read(outcome, longest);
    watch.end(reply.as_ref().err().unwrap_or(&Status::OK), reply_len);
    reply
}

/// Reads the message of a successful outcome by `decode`, and what is beside it.
#[inline]
fn read_by<M>(
    mut outcome: Outcome,
    decode: impl FnOnce(Content, Compression, IoBuf) -> Result<M, Status>,
) -> Result<Reply<M>, Status> {
    if !outcome.status.is_ok() {
        return Err(outcome.into_status());
    }
    let attachment = if outcome.attachment > 0 { Some(take_attachment(&mut outcome)) } else { None };
    let Outcome { body, content, compression, headers, trailers, .. } = outcome;
    let message = decode(content, compression, body)?;
    if attachment.is_none() && headers.is_none() && trailers.is_none() {
        return Ok(Reply::new(message).compress(compression));
    }
    let (headers, trailers) = (fields(headers), fields(trailers));
    let reply = Reply::from_parts(message, attachment.unwrap_or_default(), trailers, compression);
    Ok(reply.with_headers(headers))
}

#[cold]
fn take_attachment(outcome: &mut Outcome) -> IoBuf {
    let attached = (outcome.attachment as usize).min(outcome.body.len());
    let message = outcome.body.cut(outcome.body.len() - attached);
    std::mem::replace(&mut outcome.body, message)
}

fn fields(fields: Option<Box<Metadata>>) -> Metadata {
    fields.map_or_else(Metadata::new, |fields| *fields)
}

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
        let (outcome, beside) = split(outcome)?;
        let Outcome { body, content, compression, .. } = outcome;
        Ok(with(beside, Raw { body, content, compression }, compression))
    }
}

impl<M: Payload> Answer for M {
    #[inline]
    fn read(outcome: Outcome, longest: Longest) -> Result<Reply<Self>, Status> {
        let (outcome, beside) = split(outcome)?;
        let Outcome { body, content, compression, .. } = outcome;
        Ok(with(beside, decode_reply(content, compression, body, longest)?, compression))
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
    let outcome = match rule {
        None => outcome,
        Some(rule) => rule::read(outcome, rule, longest),
    };
    let Some(mut watch) = watch else { return R::read(outcome, longest) };
    let reply_len = outcome.body.len();
    let reply = R::read(outcome, longest);
    watch.end(reply.as_ref().err().unwrap_or(&Status::OK), reply_len);
    reply
}

/// Divides a successful outcome into its message, and the rest.
#[inline]
fn split(mut outcome: Outcome) -> Result<(Outcome, Option<Beside>), Status> {
    if !outcome.status.is_ok() {
        return Err(outcome.into_status());
    }
    let something = outcome.attachment > 0 || outcome.headers.is_some() || outcome.trailers.is_some();
    let beside = something.then(|| take_beside(&mut outcome));
    Ok((outcome, beside))
}

/// Attachment, header fields, trailer fields.
type Beside = (IoBuf, Metadata, Metadata);

#[cold]
fn take_beside(outcome: &mut Outcome) -> Beside {
    let attached = (outcome.attachment as usize).min(outcome.body.len());
    let message = outcome.body.cut(outcome.body.len() - attached);
    let attachment = std::mem::replace(&mut outcome.body, message);
    let fields = |fields: Option<Box<Metadata>>| fields.map(|fields| *fields).unwrap_or_default();
    (attachment, fields(outcome.headers.take()), fields(outcome.trailers.take()))
}

#[inline]
fn with<M>(beside: Option<Beside>, message: M, compression: Compression) -> Reply<M> {
    match beside {
        None => Reply::new(message).compress(compression),
        Some((attachment, headers, metadata)) => {
            Reply::from_parts(message, attachment, metadata, compression).with_headers(headers)
        }
    }
}

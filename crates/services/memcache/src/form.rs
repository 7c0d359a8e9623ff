//! The two forms of writing requests and reading replies.

use crate::{answer::Answer, binary, error::Error, meta, request::Request};
use bytes::{Bytes, BytesMut};
use polywire_call::{Code, Origin, Status};
use polywire_protocols::memcache::{META, PROTOCOL};

/// The form of writing requests and reading replies, which depends on the channel's protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Binary,
    Meta,
    /// The channel has a protocol that is not memcached's.
    Other,
}

/// A reply that was split off a body: the request that it belongs to, if it contains that, and its meaning
/// for the request.
pub(crate) struct Reply {
    pub opaque: Option<u32>,
    pub bytes: Bytes,
}

impl Form {
    pub fn of(protocol: &str) -> Form {
        if protocol == PROTOCOL.name {
            Form::Binary
        } else if protocol == META.name {
            Form::Meta
        } else {
            Form::Other
        }
    }

    /// Appends a request.
    ///
    /// # Errors
    /// The form cannot express the request; then nothing was appended.
    #[inline]
    pub fn write(self, request: &Request, opaque: u32, quiet: bool, out: &mut BytesMut) -> Result<(), Error> {
        request.check()?;
        let quiet = quiet && request.verb.can_be_quiet();
        match self {
            Form::Binary => binary::write(request, opaque, quiet, out),
            Form::Meta => meta::write(request, opaque, quiet, out),
            Form::Other => Err(Error::Unsupported(
                "the channel's protocol is neither `memcache` nor `memcache_meta`: say Channel::builder(..).protocol(..)",
            )),
        }
    }

    /// Whether commands of this form can have this key: the meta commands send some keys in base64, which is
    /// longer.
    pub fn can_key(self, key: &[u8]) -> bool {
        self != Form::Meta || meta::can_key(key)
    }

    /// Cuts the next reply off a body.
    ///
    /// # Errors
    /// The body is broken, which the channel's protocol has excluded.
    #[inline]
    pub fn cut(self, body: &mut Bytes) -> Result<Reply, Error> {
        match self {
            Form::Binary => binary::cut(body),
            Form::Meta | Form::Other => meta::cut(body),
        }
        .ok_or_else(|| lost("the reply is not one of memcached"))
    }

    /// The error in a reply, if it is one that does not depend on the request.
    pub fn error(self, reply: &Reply) -> Option<Error> {
        if self == Form::Meta { meta::error(&reply.bytes) } else { None }
    }

    /// The answer in a reply to this request.
    #[inline]
    pub fn read(self, request: &Request, reply: &Reply) -> Answer {
        let answer = match self {
            Form::Binary => binary::read(request, &reply.bytes),
            Form::Meta | Form::Other => meta::read(request, &reply.bytes),
        };
        answer.unwrap_or_else(|| Answer::Failed(lost("the reply does not fit the operation")))
    }
}

/// A reply that cannot be read.
pub(crate) fn lost(text: &'static str) -> Error {
    Error::Call(Status::new(Code::DataLoss, text).with_origin(Origin::Local))
}

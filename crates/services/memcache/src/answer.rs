//! The result of an operation, the same for both protocols.

use crate::{
    error::Error,
    request::{Request, Verb},
};
use bytes::Bytes;

/// A value that was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Item {
    pub value: Bytes,
    /// The flags that the writer has set: clients mark the type of a value with them, each in its own way.
    pub flags: u32,
    /// Changes with every write; for [`Operation::cas`](crate::Operation::cas).
    pub cas: u64,
    /// Whether this caller should renew the value; `memcache_meta` only.
    pub recache: Recache,
}

/// The reply of `memcache_meta` about renewing a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recache {
    /// The value need not be renewed.
    #[default]
    No,
    /// This caller has to renew the value (`W`).
    Won {
        /// Whether the value was invalidated (`X`).
        stale: bool,
    },
    /// Another caller has been asked to renew the value (`Z`).
    Lost {
        /// Whether the value was invalidated (`X`).
        stale: bool,
    },
}

/// The answer to one operation of a [`Batch`](crate::Batch). Each method reads it as the result of a kind of
/// operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Answer {
    /// The value that was read.
    Value(Item),
    /// The operation succeeded; a write returns this CAS, 0 if the server sends none.
    Done {
        /// The CAS of the written value.
        cas: u64,
    },
    /// The number after `incr` or `decr`.
    Number(u64),
    /// The key does not exist.
    Missing,
    /// The server's version, as text.
    Text(String),
    /// The operation failed, for this reason.
    Failed(Error),
}

impl Answer {
    /// The value that was read; `None`: there is none.
    ///
    /// # Errors
    /// The operation failed, or was no read.
    pub fn item(self) -> Result<Option<Item>, Error> {
        match self {
            Answer::Value(item) => Ok(Some(item)),
            Answer::Missing => Ok(None),
            other => Err(other.unlike()),
        }
    }

    /// The CAS of the written value, 0 if the server sends none.
    ///
    /// # Errors
    /// The value was not written, or the operation was not a write.
    pub fn stored(self) -> Result<u64, Error> {
        match self {
            Answer::Done { cas } => Ok(cas),
            Answer::Missing => Err(Error::Missing),
            other => Err(other.unlike()),
        }
    }

    /// Whether the key existed: for `delete`, `touch` and `invalidate`.
    ///
    /// # Errors
    /// The operation failed, or was another one.
    pub fn found(self) -> Result<bool, Error> {
        match self {
            Answer::Done { .. } | Answer::Value(_) => Ok(true),
            Answer::Missing => Ok(false),
            other => Err(other.unlike()),
        }
    }

    /// The number after `incr` or `decr`; `None`: there is no such key.
    ///
    /// # Errors
    /// The operation failed, or was another one.
    pub fn number(self) -> Result<Option<u64>, Error> {
        match self {
            Answer::Number(number) => Ok(Some(number)),
            Answer::Missing => Ok(None),
            other => Err(other.unlike()),
        }
    }

    /// The server's version.
    ///
    /// # Errors
    /// The operation failed, or was another one.
    pub fn text(self) -> Result<String, Error> {
        match self {
            Answer::Text(text) => Ok(text),
            other => Err(other.unlike()),
        }
    }

    fn unlike(self) -> Error {
        match self {
            Answer::Failed(error) => error,
            _ => Error::Unsupported("the answer is that of another kind of operation"),
        }
    }

    /// The answer to a quiet request without a reply: a read found nothing, or a write succeeded.
    pub(crate) fn of_silence(request: &Request) -> Answer {
        match request.verb {
            Verb::Get | Verb::Touch => Answer::Missing,
            _ => Answer::Done { cas: 0 },
        }
    }
}

/// The value as a part of the reply. Short values are copied, so that they do not keep the whole reply alive.
pub(crate) fn value(reply: &Bytes, part: &[u8]) -> Bytes {
    if part.len() < polywire_base::IoBuf::SMALL {
        Bytes::copy_from_slice(part)
    } else {
        reply.slice_ref(part)
    }
}

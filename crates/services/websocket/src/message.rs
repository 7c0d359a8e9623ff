//! Messages.

use bytes::Bytes;
use polywire_base::IoBuf;
use polywire_call::Status;

/// A message of either kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    Text(String),
    Binary(Bytes),
}

impl Message {
    /// The text.
    ///
    /// # Errors
    /// INVALID_ARGUMENT: it is not text.
    pub fn into_text(self) -> Result<String, Status> {
        match self {
            Message::Text(text) => Ok(text),
            Message::Binary(_) => Err(Status::invalid_argument("a binary message where text was due")),
        }
    }

    /// The bytes of either kind.
    pub fn into_bytes(self) -> Bytes {
        match self {
            Message::Text(text) => text.into(),
            Message::Binary(bytes) => bytes,
        }
    }

    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Message::Text(text) => text.as_bytes(),
            Message::Binary(bytes) => bytes,
        }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Message::Text(text.to_owned())
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Message::Text(text)
    }
}

impl From<Bytes> for Message {
    fn from(bytes: Bytes) -> Self {
        Message::Binary(bytes)
    }
}

impl From<Vec<u8>> for Message {
    fn from(bytes: Vec<u8>) -> Self {
        Message::Binary(bytes.into())
    }
}

impl From<&[u8]> for Message {
    fn from(bytes: &[u8]) -> Self {
        Message::Binary(Bytes::copy_from_slice(bytes))
    }
}

impl From<IoBuf> for Message {
    fn from(bytes: IoBuf) -> Self {
        Message::Binary(bytes.into_bytes())
    }
}

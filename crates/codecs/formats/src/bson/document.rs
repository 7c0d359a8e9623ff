//! Documents that own their bytes.

use super::{Builder, Elements, Error, Value, View, check::check};
use bytes::Bytes;
use polywire_base::IoBuf;

/// A document: one buffer, whose form was checked. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    bytes: Bytes,
}

impl Document {
    /// The document that these bytes are.
    ///
    /// # Errors
    /// The bytes are not a document, or are followed by others.
    pub fn from_bytes(bytes: Bytes) -> Result<Document, Error> {
        check(&bytes)?;
        Ok(Document { bytes })
    }

    /// An empty document, to add to.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(super) fn built(bytes: Vec<u8>) -> Document {
        Document { bytes: bytes.into() }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    pub fn view(&self) -> View<'_> {
        View::of(&self.bytes)
    }

    /// The value of the first element of this name.
    pub fn get(&self, name: &str) -> Option<Value<'_>> {
        self.view().get(name)
    }

    /// Names and values, in their order.
    pub fn iter(&self) -> Elements<'_> {
        self.view().iter()
    }

    /// A document that is part of this one, without a copy.
    pub fn part(&self, view: View<'_>) -> Document {
        let (all, part) = (self.bytes.as_ptr_range(), view.as_bytes().as_ptr_range());
        match all.contains(&part.start) && part.end <= all.end {
            true => Document { bytes: self.bytes.slice_ref(view.as_bytes()) },
            false => Document { bytes: Bytes::copy_from_slice(view.as_bytes()) },
        }
    }
}

impl Default for Document {
    fn default() -> Self {
        Document { bytes: Bytes::from_static(&[5, 0, 0, 0, 0]) }
    }
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.view().fmt(f)
    }
}

impl<'a> IntoIterator for &'a Document {
    type Item = (&'a str, Value<'a>);
    type IntoIter = Elements<'a>;
    fn into_iter(self) -> Elements<'a> {
        self.iter()
    }
}

impl From<Document> for IoBuf {
    fn from(document: Document) -> Self {
        IoBuf::from(document.bytes)
    }
}

impl<'a> From<&'a Document> for Value<'a> {
    fn from(document: &'a Document) -> Self {
        Value::Document(document.view())
    }
}

impl View<'_> {
    /// A copy with its own memory.
    pub fn to_document(&self) -> Document {
        Document { bytes: Bytes::copy_from_slice(self.as_bytes()) }
    }
}

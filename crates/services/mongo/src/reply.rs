//! Replies that many commands have.

use crate::{Document, Error, ErrorCode, MAX_DOCUMENT, View, array};

/// Longest batch of documents, in bytes: MongoDB's, which is that of a document.
const MAX_BATCH_BYTES: usize = MAX_DOCUMENT as usize;

/// The reply to `find`, `aggregate`, `listCollections` and the other commands that give documents: all of
/// them in the first batch of a cursor that has no more, so that the driver asks for none. `namespace` is
/// that of the command, [`Command::namespace`](crate::Command::namespace).
///
/// # Errors
/// 10334 BSONObjectTooLarge: they are more than 16 MiB together; no more of them are taken. A service with so
/// many has cursors of its own, and answers `getMore`.
pub fn first_batch<'a>(
    namespace: &str,
    documents: impl IntoIterator<Item = View<'a>>,
) -> Result<Document, Error> {
    let mut bytes = 0;
    let batch = array(documents.into_iter().take_while(|document| {
        bytes += document.as_bytes().len();
        bytes <= MAX_BATCH_BYTES
    }));
    if bytes > MAX_BATCH_BYTES {
        let text = format!("the documents are more than a batch of {MAX_BATCH_BYTES} bytes");
        return Err(Error::new(ErrorCode::BSON_OBJECT_TOO_LARGE, text));
    }
    let cursor =
        Document::builder().put("id", 0i64).put("ns", namespace).put_array("firstBatch", &batch).build();
    Ok(Document::builder().put("cursor", &cursor).put("ok", 1.0).build())
}

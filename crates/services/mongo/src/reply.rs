//! Replies that many commands have.

use crate::{Document, Error, ErrorCode, MAX_DOCUMENT, View, array};

/// The maximum length of a batch of documents in bytes: MongoDB's, which is that of a document.
const MAX_BATCH_BYTES: usize = MAX_DOCUMENT as usize;

/// The reply to `find`, `aggregate`, `listCollections` and other commands that return documents: all of them
/// are in the first batch of an exhausted cursor, so that the driver asks for no more. `namespace` is that of
/// the command, [`Command::namespace`](crate::Command::namespace).
///
/// # Errors
/// 10334 BSONObjectTooLarge if the documents exceed 16 MiB together; no more of them are taken. A service
/// with more keeps cursors of its own, and answers `getMore`.
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

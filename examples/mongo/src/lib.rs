//! A collection of documents in memory, for the official drivers of MongoDB.

#![forbid(unsafe_code)]

use polywire::{
    Context, Server,
    mongo::{Command, Document, Error, ErrorCode, MongoService, Value, View, first_batch},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most bytes of documents that are kept. Who lets others write needs a limit.
const MOST_BYTES: usize = 16 << 20;

/// Most members of a filter, each of which is looked for in every document.
const MOST_MEMBERS: usize = 100;

/// Documents by the name of their collection.
#[derive(Default)]
pub struct Shelf {
    documents: Mutex<Vec<(String, Document)>>,
}

impl Shelf {
    fn documents(&self) -> MutexGuard<'_, Vec<(String, Document)>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, command: &Command) -> Result<Document, Error> {
        let mut kept = self.documents();
        let mut bytes: usize = kept.iter().map(|(of, document)| of.len() + document.as_bytes().len()).sum();
        let mut n = 0;
        for document in command.documents("documents") {
            bytes += command.namespace().len() + document.as_bytes().len();
            if bytes > MOST_BYTES {
                return Err(Error::new(ErrorCode::EXCEEDED_MEMORY_LIMIT, "the shelf is full"));
            }
            kept.push((command.namespace(), document.to_document()));
            n += 1;
        }
        Ok(Document::builder().put("n", n).build())
    }

    fn find(&self, command: &Command) -> Result<Document, Error> {
        let filter = command.get("filter").and_then(|filter| filter.as_view());
        if filter.is_some_and(|filter| filter.iter().nth(MOST_MEMBERS).is_some()) {
            let text = format!("a filter of more than {MOST_MEMBERS} members");
            return Err(Error::new(ErrorCode::BAD_VALUE, text));
        }
        // A driver's `find_one` is a `find` with this limit. 0 is none.
        let limit = command.get("limit").and_then(|limit| limit.as_i64()).unwrap_or(0);
        let most = usize::try_from(limit).ok().filter(|most| *most > 0).unwrap_or(usize::MAX);
        let namespace = command.namespace();
        let kept = self.documents();
        let found = kept.iter().filter(|(of, _)| *of == namespace).map(|(_, document)| document.view());
        let found = found.filter(|document| filter.is_none_or(|filter| is_like(*document, filter)));
        first_batch(&namespace, found.take(most))
    }
}

/// Whether all members of the filter are members of the document. Operators such as `$gt` are not for this
/// example.
fn is_like(document: View<'_>, filter: View<'_>) -> bool {
    filter.iter().all(|(name, wanted)| match (document.get(name), wanted) {
        (Some(there), Value::Int32(_) | Value::Int64(_) | Value::Double(_)) => {
            there.as_f64() == wanted.as_f64()
        }
        (Some(there), wanted) => there == wanted,
        (None, wanted) => wanted == Value::Null,
    })
}

impl MongoService for Shelf {
    async fn command(&self, _: &Context, command: Command) -> Result<Document, Error> {
        match command.name() {
            "insert" => self.insert(&command),
            "find" => self.find(&command),
            _ => Err(Error::unknown(&command)),
        }
    }
}

/// A server of an empty shelf.
pub fn server() -> Server {
    Server::new().service(polywire::mongo::service(Shelf::default()))
}

//! Collections of documents for MongoDB's drivers: enough to try one, no database.

use polywire::{
    Context,
    mongo::{Command, Document, Error, ErrorCode, MongoService, Value, View, array, first_batch},
};
use std::{
    collections::{BTreeMap, HashMap, HashSet, hash_map::RandomState},
    hash::BuildHasher,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Most bytes of all collections.
const MOST_BYTES: usize = 64 << 20;

/// The memory of a document besides its bytes: its place in the collection, that of its `_id`, which may be
/// twice as long, and its allocation.
const DOCUMENT_BYTES: usize = 128;

/// Most documents that an unordered insert lists as not inserted; then it ends.
const MOST_WRITE_ERRORS: usize = 1000;

/// Options of `find` and `count` that are not supported and would change the answer.
const UNKNOWN: [&str; 8] =
    ["sort", "projection", "collation", "min", "max", "returnKey", "showRecordId", "tailable"];

/// The memory of a collection besides its documents.
const COLLECTION_BYTES: usize = 512;

/// Longest name of a database and a collection together, in bytes. MongoDB's.
const MOST_NAME: usize = 255;

/// Most members of a filter.
const MOST_MEMBERS: usize = 100;

/// Most bytes of documents that a command looks through, by the measure of [`work_of`]: there is no index.
const MOST_COMPARED: usize = 1 << 28;

/// The number of bytes of a document whose scan takes as long as finding the next element; an element may
/// have only two bytes.
const ELEMENT_WORK: usize = 16;

#[derive(Default)]
pub struct Collections {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The collections by database and name.
    collections: BTreeMap<String, Collection>,
    bytes: usize,
}

#[derive(Default)]
struct Collection {
    documents: Vec<Document>,
    ids: Ids,
    /// The memory of the documents.
    bytes: usize,
    /// The work of scanning the documents.
    work: usize,
}

impl MongoService for Collections {
    async fn command(&self, _: &Context, command: Command) -> Result<Document, Error> {
        if command.database().len() + command.collection().len() >= MOST_NAME {
            let code = ErrorCode { number: 73, name: "InvalidNamespace" };
            return Err(Error::new(code, format!("a name of more than {MOST_NAME} bytes")));
        }
        match command.name() {
            "insert" => self.insert(&command),
            "find" => self.find(&command),
            "count" => self.count(&command),
            "delete" => self.delete(&command),
            "drop" => Ok(self.drop(&command)),
            "listCollections" => self.list(&command),
            _ => Err(Error::unknown(&command)),
        }
    }
}

impl Collections {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, command: &Command) -> Result<Document, Error> {
        let mut kept = self.kept();
        let Kept { collections, bytes } = &mut *kept;
        let namespace = command.namespace();
        let is_ordered = command.get("ordered").is_none_or(|ordered| ordered.is_true());
        let (mut n, mut errors) = (0, Vec::new());
        for (index, document) in command.documents("documents").enumerate() {
            let mut collection = collections.get_mut(&namespace);
            if collection.as_mut().is_some_and(|collection| collection.ids.has(document)) {
                errors.push(duplicate(index, &namespace));
                if is_ordered || errors.len() == MOST_WRITE_ERRORS {
                    break;
                }
                continue;
            }
            let own = if collection.is_some() { 0 } else { namespace.len() + COLLECTION_BYTES };
            let cost = bytes_of(document);
            if *bytes + own + cost > MOST_BYTES {
                let text = format!("{n} documents were inserted, then {MOST_BYTES} bytes were full");
                return Err(Error::new(ErrorCode::EXCEEDED_MEMORY_LIMIT, text));
            }
            *bytes += own + cost;
            let collection = match collection {
                Some(collection) => collection,
                None => collections.entry(namespace.clone()).or_default(),
            };
            collection.bytes += cost;
            collection.work += work_of(document);
            collection.ids.put(document);
            collection.documents.push(document.to_document());
            n += 1;
        }
        let reply = Document::builder().put("n", n);
        let errors: Vec<_> = errors.iter().map(|error| Value::Document(error.view())).collect();
        Ok(if errors.is_empty() { reply } else { reply.put_array("writeErrors", &array(errors)) }.build())
    }

    fn find(&self, command: &Command) -> Result<Document, Error> {
        known_options(command)?;
        let filter = Filter::new(view(command, "filter"))?;
        let (kept, namespace) = (self.kept(), command.namespace());
        let found = kept.found(&namespace, &filter)?;
        let (skip, limit) = part(command);
        first_batch(&namespace, found.skip(skip).take(limit))
    }

    fn count(&self, command: &Command) -> Result<Document, Error> {
        known_options(command)?;
        let filter = Filter::new(view(command, "query"))?;
        let (skip, limit) = part(command);
        let n = self.kept().found(&command.namespace(), &filter)?.skip(skip).take(limit).count();
        Ok(Document::builder().put("n", n as i64).build())
    }

    fn delete(&self, command: &Command) -> Result<Document, Error> {
        let mut kept = self.kept();
        let Kept { collections, bytes } = &mut *kept;
        let Some(collection) = collections.get_mut(&command.namespace()) else {
            return Ok(Document::builder().put("n", 0i64).build());
        };
        let before = collection.bytes;
        let deleted = collection.delete(command.documents("deletes"));
        *bytes -= before - collection.bytes; // what a command deleted before it failed, too
        Ok(Document::builder().put("n", deleted?).build())
    }

    fn drop(&self, command: &Command) -> Document {
        let (mut kept, namespace) = (self.kept(), command.namespace());
        if let Some(collection) = kept.collections.remove(&namespace) {
            kept.bytes -= collection.bytes + namespace.len() + COLLECTION_BYTES;
        }
        Document::default()
    }

    fn list(&self, command: &Command) -> Result<Document, Error> {
        let kept = self.kept();
        let within = format!("{}.", command.database());
        let names = kept.collections.keys().filter_map(|name| name.strip_prefix(&within));
        let described: Vec<_> = names
            .map(|name| Document::builder().put("name", name).put("type", "collection").build())
            .collect();
        first_batch(&format!("{within}$cmd.listCollections"), described.iter().map(Document::view))
    }
}

impl Collection {
    /// Deletes matching documents; returns their number.
    ///
    /// # Errors
    /// A filter is invalid, or there are too many documents to compare. Documents that were already deleted
    /// stay deleted.
    fn delete<'a>(&mut self, mut deletes: impl Iterator<Item = View<'a>>) -> Result<i64, Error> {
        let (mut n, mut left) = (0, MOST_COMPARED);
        let each = |delete: View<'_>| {
            let filter = Filter::new(delete.get("q").and_then(|filter| filter.as_view()))?;
            left = Filter::compares(self, left)?;
            // 1 deletes the first that is found, 0 all of them.
            let only_one = delete.get("limit").is_some_and(|limit| limit.is_true());
            let (before, mut gone, mut work) = (n, 0, 0);
            self.documents.retain(|document| {
                let goes = !(only_one && n > before) && filter.fits(document.view());
                if goes {
                    self.ids.remove(document.view());
                    n += 1;
                    gone += bytes_of(document.view());
                    work += work_of(document.view());
                }
                !goes
            });
            (self.bytes, self.work) = (self.bytes - gone, self.work - work);
            Ok(())
        };
        let deleted = deletes.try_for_each(each);
        // The cost of a document has its place in it, twice.
        if self.documents.len() < self.documents.capacity() / 2 {
            self.documents.shrink_to_fit();
            self.ids.of.shrink_to_fit();
        }
        deleted.map(|()| n)
    }
}

impl Kept {
    /// The documents of a collection that fit.
    ///
    /// # Errors
    /// There are too many documents to compare.
    fn found<'a>(
        &'a self,
        namespace: &str,
        filter: &'a Filter<'_>,
    ) -> Result<impl Iterator<Item = View<'a>>, Error> {
        let collection = self.collections.get(namespace);
        if let Some(collection) = collection {
            Filter::compares(collection, MOST_COMPARED)?;
        }
        let documents = collection.map_or(&[][..], |collection| &collection.documents);
        Ok(documents.iter().map(Document::view).filter(|document| filter.fits(*document)))
    }
}

/// The `_id`s of a collection's documents, as 64-bit hashes under a random key: with as many documents as
/// there is room for, the probability that two different ones are equal is less than one in a hundred
/// million.
#[derive(Default)]
struct Ids {
    of: HashSet<u64>,
    key: RandomState,
}

impl Ids {
    fn has(&self, document: View<'_>) -> bool {
        self.hash(document).is_some_and(|hash| self.of.contains(&hash))
    }

    fn put(&mut self, document: View<'_>) {
        self.of.extend(self.hash(document));
    }

    fn remove(&mut self, document: View<'_>) {
        if let Some(hash) = self.hash(document) {
            self.of.remove(&hash);
        }
    }

    /// Numbers of different types with the same value are the same.
    fn hash(&self, document: View<'_>) -> Option<u64> {
        let id = document.get("_id")?;
        let id = id.as_i64().map_or(id, Value::Int64);
        Some(self.key.hash_one(Document::builder().put("", id).build().as_bytes()))
    }
}

/// The error for a document that was not inserted.
fn duplicate(index: usize, namespace: &str) -> Document {
    let ErrorCode { number, name } = ErrorCode::DUPLICATE_KEY;
    let text = format!("E11000 duplicate key error collection: {namespace} index: _id_");
    let error = Document::builder().put("index", index as i32).put("code", number).put("codeName", name);
    error.put("errmsg", &*text).build()
}

/// # Errors
/// An option is not supported and would change the answer.
fn known_options(command: &Command) -> Result<(), Error> {
    let changes = |value: Value<'_>| value.is_true() || value.as_view().is_some_and(|view| !view.is_empty());
    match UNKNOWN.iter().find(|name| command.get(name).is_some_and(changes)) {
        None => Ok(()),
        Some(name) => Err(unknown(name)),
    }
}

fn unknown(what: &str) -> Error {
    Error::new(ErrorCode::BAD_VALUE, format!("these collections know no {what}"))
}

/// The number of documents to skip, and the number to return then.
fn part(command: &Command) -> (usize, usize) {
    let number =
        |name| command.get(name).and_then(|value| value.as_i64()).and_then(|n| usize::try_from(n).ok());
    let limit = number("limit").filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    (number("skip").unwrap_or(0), limit)
}

fn bytes_of(document: View<'_>) -> usize {
    document.as_bytes().len() + DOCUMENT_BYTES
}

/// The work of scanning a document once, in bytes.
fn work_of(document: View<'_>) -> usize {
    bytes_of(document) + document.iter().count() * ELEMENT_WORK
}

fn view<'a>(command: &'a Command, name: &str) -> Option<View<'a>> {
    command.get(name).and_then(|value| value.as_view())
}

/// The members that a document must have; numbers of different types are compared by their values. Operators
/// are not supported, and are not taken for values.
struct Filter<'a> {
    members: Vec<(&'a str, Value<'a>)>,
    /// The indexes of each name in `members`. Names that occur twice are two members.
    named: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Filter<'a> {
    fn new(filter: Option<View<'a>>) -> Result<Self, Error> {
        let members: Vec<_> =
            filter.into_iter().flat_map(|filter| filter.iter()).take(MOST_MEMBERS + 1).collect();
        if members.len() > MOST_MEMBERS {
            let text = format!("a filter of more than {MOST_MEMBERS} members");
            return Err(Error::new(ErrorCode::BAD_VALUE, text));
        }
        for (name, value) in &members {
            let operator = value.as_view().and_then(|view| view.iter().next()).map(|(first, _)| first);
            match (operator.filter(|first| first.starts_with('$')), value) {
                _ if name.starts_with('$') => return Err(unknown(&format!("{name:.100} in filters"))),
                _ if name.contains('.') => return Err(unknown(&format!("paths in filters, as {name:.100}"))),
                (Some(operator), _) => return Err(unknown(&format!("{operator:.100} in filters"))),
                (None, Value::Regex { .. }) => return Err(unknown("regular expressions in filters")),
                (None, _) => {}
            }
        }
        let mut named = HashMap::<_, Vec<_>>::new();
        members.iter().enumerate().for_each(|(at, (name, _))| named.entry(*name).or_default().push(at));
        Ok(Filter { members, named })
    }

    /// The rest of a number of bytes after all documents of a collection have been compared.
    ///
    /// # Errors
    /// The documents have more bytes.
    fn compares(collection: &Collection, left: usize) -> Result<usize, Error> {
        left.checked_sub(collection.work).ok_or_else(|| {
            let text = "the command compares more than a collection without an index is for";
            Error::new(ErrorCode::MAX_TIME_MS_EXPIRED, text)
        })
    }

    /// Looks through the document once, whatever the number of members.
    fn fits(&self, document: View<'_>) -> bool {
        let mut found = [false; MOST_MEMBERS];
        let mut left = self.members.len();
        for (name, there) in document.iter() {
            if left == 0 {
                break;
            }
            for &at in self.named.get(name).into_iter().flatten() {
                let wanted = &self.members[at].1;
                let fits = match wanted.as_f64() {
                    Some(wanted) => there.as_f64() == Some(wanted),
                    None => there == *wanted,
                };
                match std::mem::replace(&mut found[at], true) {
                    true => {} // of elements of one name the first counts
                    false if fits => left -= 1,
                    false => return false,
                }
            }
        }
        let mut members = self.members.iter().zip(found);
        left == 0 || members.all(|((_, wanted), found)| found || *wanted == Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delete_that_fails_keeps_no_room_for_what_it_deleted() {
        let bytes = 1000 * bytes_of(Document::default().view());
        let work = 1000 * work_of(Document::default().view());
        let documents = vec![Document::default(); 1000];
        let mut collection = Collection { documents, bytes, work, ..Collection::default() };
        let all = Document::builder().put("q", &Document::default()).put("limit", 0).build();
        let long = (0..=MOST_MEMBERS).fold(Document::builder(), |filter, n| filter.put(&n.to_string(), 0));
        let wrong = Document::builder().put("q", &long.build()).put("limit", 0).build();
        let failed = collection.delete([all.view(), wrong.view()].into_iter());
        assert_eq!(failed.expect_err("too many members").code(), ErrorCode::BAD_VALUE);
        assert_eq!((collection.bytes, collection.work, collection.documents.len()), (0, 0, 0));
        assert_eq!(collection.documents.capacity(), 0);
    }

    /// An element may have two bytes, and a name may come twice, in a document and in a filter.
    #[test]
    fn a_filter_looks_through_a_document_once_and_short_elements_count() {
        let elements = 100_000;
        let mut bytes = vec![0; 4];
        (0..elements).for_each(|_| bytes.extend_from_slice(&[0x0a, 0]));
        bytes.push(0);
        let length = bytes.len() as u32;
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        let document = Document::from_bytes(bytes.into()).expect("BSON");
        let document = document.view();
        assert_eq!(work_of(document), bytes_of(document) + elements * ELEMENT_WORK);
        let collection = Collection { work: MOST_COMPARED / 2 + 1, ..Collection::default() };
        let left = Filter::compares(&collection, MOST_COMPARED).expect("once");
        assert!(Filter::compares(&collection, left).is_err(), "not twice");

        let both = Document::builder().put("a", 1).put("b", "x").put("a", 2).build();
        for (filter, fits) in [
            (Document::builder().put("a", 1.0), true),
            (Document::builder().put("a", 2), false),
            (Document::builder().put("a", 1).put("b", "x"), true),
            (Document::builder().put("a", 1).put("a", 1), true),
            (Document::builder().put("a", 1).put("a", 2), false),
            (Document::builder().put("b", "y"), false),
            (Document::builder().put("c", Value::Null), true),
            (Document::builder().put("a", 1).put("c", Value::Null), true),
            (Document::builder().put("a", Value::Null), false),
            (Document::builder().put("c", 1), false),
            (Document::builder(), true),
        ] {
            let filter = filter.build();
            let fit = Filter::new(Some(filter.view())).expect("a filter").fits(both.view());
            assert_eq!(fit, fits, "{filter:?}");
        }
    }
}

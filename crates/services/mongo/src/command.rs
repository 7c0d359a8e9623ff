//! A command with its documents.

use crate::{Document, Error, ErrorCode, Value, View};
use bytes::Bytes;
use polywire_protocols::mongo::{Section, Sections};

/// A command: a document whose first element names it, and the lists of documents that were sent beside it.
/// All of them were checked to the last byte; they are in the memory of the message.
#[derive(Clone, Debug)]
pub struct Command {
    document: Document,
    /// Name and documents, one after the other.
    lists: Vec<(Box<str>, Bytes)>,
}

impl Command {
    /// The command in the sections of a message.
    ///
    /// # Errors
    /// InvalidBSON: one of the documents is invalid.
    pub(crate) fn read(sections: &Bytes) -> Result<Command, Error> {
        let mut document = None;
        let mut lists = Vec::new();
        let invalid = |why: &dyn std::fmt::Display| Error::new(ErrorCode::INVALID_BSON, why.to_string());
        for section in Sections::new(sections) {
            match section.map_err(|why| invalid(&why))? {
                Section::Body(view) => {
                    let read = Document::from_bytes(sections.slice_ref(view.as_bytes()));
                    document = Some(read.map_err(|why| invalid(&why))?);
                }
                section @ Section::Sequence { name, documents } => {
                    for view in section.documents() {
                        view.check().map_err(|why| invalid(&why))?;
                    }
                    lists.push((name.into(), sections.slice_ref(documents)));
                }
            }
        }
        // The protocol refuses messages that have none.
        let document = document.ok_or_else(|| invalid(&"a message without a command"))?;
        Ok(Command { document, lists })
    }

    /// The name of the command, which is that of its first element, such as `find`.
    pub fn name(&self) -> &str {
        self.document.iter().next().map_or("", |(name, _)| name)
    }

    /// The database that the command is for.
    pub fn database(&self) -> &str {
        self.get("$db").and_then(|value| value.as_str()).unwrap_or("")
    }

    /// The collection that it is for: the text of its first element. Empty for commands that have none, such
    /// as `listCollections`.
    pub fn collection(&self) -> &str {
        self.document.iter().next().and_then(|(_, value)| value.as_str()).unwrap_or("")
    }

    /// Database and collection as replies name them: `db.collection`.
    pub fn namespace(&self) -> String {
        format!("{}.{}", self.database(), self.collection())
    }

    /// The command's own document, with its name, its options and `$db`.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// An option of the command.
    pub fn get(&self, name: &str) -> Option<Value<'_>> {
        self.document.get(name)
    }

    /// A list of documents: those of `insert` (`documents`), `update` (`updates`) and `delete` (`deletes`),
    /// whether they were sent beside the command, as drivers do, or as an array inside it. Empty if there is
    /// no such list; elements of an array that are not documents are left out.
    pub fn documents<'a>(&'a self, name: &str) -> impl Iterator<Item = View<'a>> + use<'a> {
        let beside = self.lists.iter().find(|(list, _)| **list == *name);
        let beside = beside.map(|(list, documents)| Section::Sequence { name: list, documents });
        let inside = match beside {
            Some(_) => None,
            None => self.get(name).and_then(|value| value.as_view()),
        };
        let beside = beside.into_iter().flat_map(|section| section.documents());
        beside
            .chain(inside.into_iter().flat_map(|array| array.iter().filter_map(|(_, value)| value.as_view())))
    }
}

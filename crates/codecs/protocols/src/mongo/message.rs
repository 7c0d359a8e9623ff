//! The sections of a message, and the facts about its command that are read before it is passed to the
//! application.
//!
//! Source: MongoDB's specification "OP_MSG"; docs/wire/mongo.md

use super::error::ErrorCode;
use polywire_formats::bson::View;
use std::time::Duration;

/// Most sections of a message. A command has one, and one more for each list of documents that it may have:
/// bulk writes have two.
pub const MAX_SECTIONS: usize = 16;

/// Most elements of a command, those inside its documents not counted. MongoDB's commands have a few dozen.
pub const MAX_ELEMENTS: usize = 1000;

/// Longest name of a command or of a database, in bytes. MongoDB's own are shorter.
pub(super) const MAX_NAME: usize = 256;

/// A part of a message.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Section<'a> {
    /// The command.
    Body(View<'a>),
    /// The documents of one member of the command, which are sent beside it.
    Sequence {
        name: &'a str,
        /// The documents one after the other, see [`Section::documents`].
        documents: &'a [u8],
    },
}

impl<'a> Section<'a> {
    /// The documents of a sequence, or the command itself; only their lengths were checked.
    pub fn documents(&self) -> impl Iterator<Item = View<'a>> + use<'a> {
        let mut rest = match *self {
            Section::Body(view) => view.as_bytes(),
            Section::Sequence { documents, .. } => documents,
        };
        std::iter::from_fn(move || {
            let (view, after) = View::shallow(rest).ok()?;
            rest = after;
            Some(view)
        })
    }
}

/// The sections of a message, one after the other; it ends with an error if one is wrong.
#[derive(Clone)]
pub struct Sections<'a> {
    rest: &'a [u8],
    left: usize,
}

impl<'a> Sections<'a> {
    /// The sections that these bytes are.
    pub fn new(bytes: &'a [u8]) -> Self {
        Sections { rest: bytes, left: MAX_SECTIONS }
    }

    fn read(&mut self) -> Result<Section<'a>, &'static str> {
        self.left = self.left.checked_sub(1).ok_or("a message of too many sections")?;
        let (&kind, rest) = self.rest.split_first().ok_or("a message without sections")?;
        match kind {
            0 => {
                let (body, rest) = View::shallow(rest).map_err(|_| "a section that is no document")?;
                self.rest = rest;
                Ok(Section::Body(body))
            }
            1 => {
                let size = rest.first_chunk().map(|size| u32::from_le_bytes(*size) as usize);
                let size =
                    size.filter(|size| (4..=rest.len()).contains(size)).ok_or("the size of a section")?;
                let (section, rest) = rest.split_at(size);
                let section = &section[4..];
                let end = memchr::memchr(0, section).ok_or("a section without a name")?;
                let name = str::from_utf8(&section[..end]).map_err(|_| "a section's name")?;
                let documents = &section[end + 1..];
                let mut left = documents;
                while !left.is_empty() {
                    left = View::shallow(left).map_err(|_| "a section of what are no documents")?.1;
                }
                self.rest = rest;
                Ok(Section::Sequence { name, documents })
            }
            _ => Err("a section of unknown kind"),
        }
    }
}

impl<'a> Iterator for Sections<'a> {
    type Item = Result<Section<'a>, &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let section = self.read();
        if section.is_err() {
            self.rest = &[];
        }
        Some(section)
    }
}

/// The elements of a command that the server itself reads.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Named<'a> {
    /// Name of the first element.
    pub command: &'a str,
    pub database: Option<&'a str>,
    pub timeout: Option<Duration>,
}

/// The command of a message, whose sections are looked at as a whole.
///
/// # Errors
/// The message does not have exactly one command, or a section is invalid.
pub(super) fn command(bytes: &[u8]) -> Result<View<'_>, &'static str> {
    let mut found = None;
    for section in Sections::new(bytes) {
        if let Section::Body(body) = section?
            && found.replace(body).is_some()
        {
            return Err("a message of several commands");
        }
    }
    found.ok_or("a message without a command")
}

/// Reads the elements of a command that the server itself needs.
///
/// # Errors
/// A section is invalid, or there are too many. The documents inside them are not checked.
pub(super) fn named(command: View<'_>) -> Result<Named<'_>, (ErrorCode, String)> {
    let mut elements = command.iter();
    let mut named = Named::default();
    let mut number = 0;
    while let Some((name, value)) =
        elements.read().map_err(|wrong| (ErrorCode::INVALID_BSON, wrong.to_string()))?
    {
        number += 1;
        if number == 1 {
            named.command = name;
        }
        if number > MAX_ELEMENTS {
            let text = format!("a command of more than {MAX_ELEMENTS} elements");
            return Err((ErrorCode::BAD_VALUE, text));
        }
        match name {
            "$db" => named.database = value.as_str(),
            "maxTimeMS" => {
                let most = value.as_i64().and_then(|most| u64::try_from(most).ok());
                named.timeout = most.filter(|most| *most > 0).map(Duration::from_millis);
            }
            _ => {}
        }
    }
    for (name, what) in [(Some(named.command), "command"), (named.database, "database")] {
        if name.is_some_and(|name| name.len() > MAX_NAME) {
            let text = format!("the name of a {what} of more than {MAX_NAME} bytes");
            return Err((ErrorCode::BAD_VALUE, text));
        }
    }
    Ok(named)
}

/// The contents of an OP_QUERY.
pub(super) struct Query<'a> {
    /// `admin.$cmd` where it is a command.
    pub collection: &'a str,
    pub command: View<'a>,
}

/// Reads the body of an OP_QUERY.
///
/// # Errors
/// The message has another form; a second document, of the fields to return, is ignored.
pub(super) fn query(body: &[u8]) -> Result<Query<'_>, &'static str> {
    const WRONG: &str = "an OP_QUERY that is none";
    let rest = body.get(4..).ok_or(WRONG)?;
    let end = memchr::memchr(0, rest).ok_or(WRONG)?;
    let collection = str::from_utf8(&rest[..end]).map_err(|_| WRONG)?;
    let rest = rest.get(end + 1 + 8..).ok_or(WRONG)?;
    let (command, rest) = View::shallow(rest).map_err(|_| WRONG)?;
    let is_whole = rest.is_empty() || matches!(View::shallow(rest), Ok((_, [])));
    if is_whole { Ok(Query { collection, command }) } else { Err(WRONG) }
}

//! Limits of descriptor sets that come from somebody else, found by a scan before anything is decoded.
//!
//! A set of 16 MiB can declare eight million messages, or messages in messages whose full names together are
//! longer than any memory. The scan counts, goes down at most 64 levels, and allocates only the name of the
//! scope that it is in.

use super::SchemaError;
use crate::protobuf::wire::{Reader, WireType};

pub(super) const MOST_BYTES: usize = 16 << 20;
pub(super) const MOST_FILES: usize = 10_000;
pub(super) const MOST_FIELDS: usize = 100_000;
/// Messages, enums, their values, services and methods.
pub(super) const MOST_OTHERS: usize = 100_000;
pub(super) const MOST_EXTENSIONS: usize = 1000;
pub(super) const MOST_LEVELS: usize = 64;
/// Bytes of a full name, and of all of them.
pub(super) const LONGEST_NAME: usize = 512;
pub(super) const MOST_NAMES: usize = 32 << 20;
/// Memory of the decoded set.
pub(super) const MOST_DECODED_BYTES: usize = 256 << 20;

/// Numbers of fields in `google/protobuf/descriptor.proto`.
mod of {
    pub const SET_FILE: u32 = 1;
    pub const FILE_PACKAGE: u32 = 2;
    pub const FILE_MESSAGE: u32 = 4;
    pub const FILE_ENUM: u32 = 5;
    pub const FILE_SERVICE: u32 = 6;
    pub const FILE_EXTENSION: u32 = 7;
    /// Of a message, a field, an enum, a value, a service and a method.
    pub const NAME: u32 = 1;
    pub const MESSAGE_FIELD: u32 = 2;
    pub const MESSAGE_NESTED: u32 = 3;
    pub const MESSAGE_ENUM: u32 = 4;
    pub const MESSAGE_EXTENSION: u32 = 6;
    /// The parts of an enum and of a service.
    pub const MEMBER: u32 = 2;
}

/// # Errors
/// The set is beyond a limit, or is none.
pub(super) fn check(bytes: &[u8]) -> Result<(), SchemaError> {
    if bytes.len() > MOST_BYTES {
        return Err(beyond(MOST_BYTES, "bytes"));
    }
    let (mut count, mut files) = (Count::default(), 0);
    each(bytes, |number, payload| {
        if number != of::SET_FILE {
            return Ok(());
        }
        files += 1;
        at_most(files, MOST_FILES, "files")?;
        count.file(payload)
    })
}

#[derive(Default)]
struct Count {
    fields: usize,
    others: usize,
    extensions: usize,
    /// Bytes of full names.
    names: usize,
    /// The names around, joined by dots.
    scope: String,
    levels: usize,
}

impl Count {
    fn file(&mut self, bytes: &[u8]) -> Result<(), SchemaError> {
        self.scope.clear();
        let package = last(bytes, of::FILE_PACKAGE)?;
        let package = str::from_utf8(package).ok().filter(|package| {
            package.len() <= LONGEST_NAME && (package.is_empty() || package.split('.').all(is_plain))
        });
        self.scope.push_str(package.ok_or_else(|| SchemaError::new("a package is not made of identifiers"))?);
        each(bytes, |number, payload| match number {
            of::FILE_MESSAGE => self.message(payload),
            of::FILE_ENUM | of::FILE_SERVICE => self.members(payload),
            of::FILE_EXTENSION => self.extension(payload),
            _ => Ok(()),
        })
    }

    fn message(&mut self, bytes: &[u8]) -> Result<(), SchemaError> {
        self.levels += 1;
        at_most(self.levels, MOST_LEVELS, "levels of messages in messages")?;
        let around = self.enter(bytes)?;
        each(bytes, |number, payload| match number {
            of::MESSAGE_FIELD => self.field(payload),
            of::MESSAGE_NESTED => self.message(payload),
            of::MESSAGE_ENUM => self.members(payload),
            of::MESSAGE_EXTENSION => self.extension(payload),
            _ => Ok(()),
        })?;
        self.levels -= 1;
        self.scope.truncate(around);
        Ok(())
    }

    /// An enum with its values, or a service with its methods.
    fn members(&mut self, bytes: &[u8]) -> Result<(), SchemaError> {
        let around = self.enter(bytes)?;
        each(bytes, |number, payload| match number {
            of::MEMBER => {
                let around = self.enter(payload)?;
                self.scope.truncate(around);
                Ok(())
            }
            _ => Ok(()),
        })?;
        self.scope.truncate(around);
        Ok(())
    }

    fn field(&mut self, bytes: &[u8]) -> Result<(), SchemaError> {
        self.fields += 1;
        at_most(self.fields, MOST_FIELDS, "fields")?;
        self.name_of(bytes).map(drop)
    }

    fn extension(&mut self, bytes: &[u8]) -> Result<(), SchemaError> {
        self.extensions += 1;
        at_most(self.extensions, MOST_EXTENSIONS, "extensions")?;
        self.field(bytes)
    }

    /// Enters a declaration. Returns the length of the scope around it.
    fn enter(&mut self, bytes: &[u8]) -> Result<usize, SchemaError> {
        self.others += 1;
        at_most(self.others, MOST_OTHERS, "messages, enums, values and methods")?;
        let name = self.name_of(bytes)?;
        let around = self.scope.len();
        if around > 0 {
            self.scope.push('.');
        }
        self.scope.push_str(name);
        Ok(around)
    }

    /// The name of a declaration in this scope.
    fn name_of<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b str, SchemaError> {
        let name = str::from_utf8(last(bytes, of::NAME)?).ok().filter(|name| is_plain(name));
        let name =
            name.ok_or_else(|| SchemaError::new(format!("a name in {:?} is no identifier", self.scope)))?;
        let whole = self.scope.len() + 1 + name.len();
        at_most(whole, LONGEST_NAME, "bytes in a full name")?;
        self.names += whole;
        at_most(self.names, MOST_NAMES, "bytes in all names")?;
        Ok(name)
    }
}

pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn at_most(n: usize, most: usize, what: &str) -> Result<(), SchemaError> {
    if n > most { Err(beyond(most, what)) } else { Ok(()) }
}

#[cold]
fn beyond(most: usize, what: &str) -> SchemaError {
    SchemaError::new(format!("more than {most} {what}"))
}

/// Visits the fields that hold bytes.
fn each(
    bytes: &[u8],
    mut visit: impl FnMut(u32, &[u8]) -> Result<(), SchemaError>,
) -> Result<(), SchemaError> {
    let mut reader = Reader::new(bytes);
    while let Some(raw) = reader.field().map_err(|error| SchemaError::new(error.to_string()))? {
        if raw.wire == WireType::Bytes {
            visit(raw.number, raw.payload)?;
        }
    }
    Ok(())
}

/// The last value of a field that holds bytes; empty if there is none.
fn last(bytes: &[u8], wanted: u32) -> Result<&[u8], SchemaError> {
    let (mut reader, mut found) = (Reader::new(bytes), &[][..]);
    while let Some(raw) = reader.field().map_err(|error| SchemaError::new(error.to_string()))? {
        if raw.wire == WireType::Bytes && raw.number == wanted {
            found = raw.payload;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Pool;
    use buffa::Message;
    use buffa_descriptor::generated::descriptor::{DescriptorProto, FileDescriptorProto, FileDescriptorSet};

    fn message(name: &str) -> DescriptorProto {
        DescriptorProto { name: Some(name.to_owned()), ..DescriptorProto::default() }
    }

    fn refused(files: Vec<FileDescriptorProto>) -> Option<String> {
        let set = FileDescriptorSet { file: files, ..FileDescriptorSet::default() }.encode_to_vec();
        Pool::from_foreign_set(&set).err().map(|error| error.to_string())
    }

    fn file(messages: Vec<DescriptorProto>) -> FileDescriptorProto {
        FileDescriptorProto { message_type: messages, ..FileDescriptorProto::default() }
    }

    #[test]
    fn a_set_is_taken_up_to_its_limits() {
        let nested = |levels: usize| {
            (1..levels)
                .fold(message("M"), |inner, _| DescriptorProto { nested_type: vec![inner], ..message("M") })
        };
        assert_eq!(refused(vec![file(vec![nested(MOST_LEVELS)])]), None);
        assert!(refused(vec![file(vec![nested(MOST_LEVELS + 1)])]).is_some_and(|why| why.contains("levels")));
        let files = vec![FileDescriptorProto::default(); MOST_FILES + 1];
        assert!(refused(files).is_some_and(|why| why.contains("10000 files")));
        let many = vec![message("M"); MOST_OTHERS + 1];
        assert!(refused(vec![file(many)]).is_some_and(|why| why.contains("more than 100000 messages")));
        let long = "x".repeat(LONGEST_NAME);
        assert_eq!(refused(vec![file(vec![message(&long[1..])])]), None);
        assert!(refused(vec![file(vec![message(&long)])]).is_some_and(|why| why.contains("full name")));
        // Each is short, all together are not.
        let outer = DescriptorProto { nested_type: vec![message("x"); 99_000], ..message(&long[20..]) };
        assert!(refused(vec![file(vec![outer])]).is_some_and(|why| why.contains("all names")));
    }

    #[test]
    fn names_are_identifiers() {
        for name in ["", "a.b", "a/b", "a b", "ä", "a\n"] {
            assert!(refused(vec![file(vec![message(name)])]).is_some(), "{name:?}");
        }
        let in_package = |package: &str| FileDescriptorProto {
            package: Some(package.to_owned()),
            ..FileDescriptorProto::default()
        };
        assert_eq!(refused(vec![in_package("shop.v1")]), None);
        assert!(refused(vec![in_package("shop/v1")]).is_some());
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for bytes in [&b"\x0a"[..], b"\x0a\x05\x22\x7f", b"syntax = \"proto3\";", &[0xff; 64]] {
            assert!(Pool::from_foreign_set(bytes).is_err(), "{bytes:?}");
        }
        assert!(
            Pool::from_foreign_set(&vec![0; MOST_BYTES + 1])
                .is_err_and(|why| why.to_string().contains("bytes"))
        );
    }
}

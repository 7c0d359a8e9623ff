//! Writes heads and groups in place: a group's length and count are filled in when it ends.

use super::field::{
    ARRAY, BINARY, BOOL, INT32, INT64, MAX_NAME_SIZE, NULL, OBJECT, OBJECT_ISOARRAY, SHORT, STRING,
};
use crate::FormatError;

/// Writes fields.
///
/// A name has at most 254 bytes and the output at most 4 GiB; beyond that, [`Writer::finish`] fails.
#[derive(Default)]
pub struct Writer {
    pub(super) out: Vec<u8>,
    /// Bytes that follow `out`, written elsewhere, and belong to every open group.
    trailing: usize,
    too_long: bool,
}

/// A field that is not complete.
#[must_use]
pub struct Group {
    /// Where the group's head begins.
    head: usize,
    /// Where the group's value begins.
    value: usize,
}

impl Writer {
    pub fn new() -> Self {
        Writer::default()
    }

    /// The output.
    ///
    /// # Errors
    /// See [`Writer`].
    pub fn finish(self) -> Result<Vec<u8>, FormatError> {
        if self.too_long || self.out.len() + self.trailing > u32::MAX as usize {
            return Err(FormatError::mcpack("a name of more than 254 bytes, or more than 4 GiB"));
        }
        Ok(self.out)
    }

    /// Announces that this many bytes follow by reference. After this, only groups may be ended.
    pub fn leave(&mut self, bytes: usize) {
        self.trailing += bytes;
    }

    /// Begins an object with this name; its members follow until it is ended.
    pub fn object(&mut self, name: &[u8]) -> Group {
        self.begin(OBJECT, name)
    }

    /// Begins an array with this name; its items follow until it is ended.
    pub fn array(&mut self, name: &[u8]) -> Group {
        self.begin(ARRAY, name)
    }

    /// Ends an object or array with this many fields.
    pub fn end(&mut self, group: Group, count: u32) {
        self.out[group.value..group.value + 4].copy_from_slice(&count.to_le_bytes());
        self.end_value(group);
    }

    /// Begins a field whose value is written as bytes.
    pub fn begin_value(&mut self, code: u8, name: &[u8]) -> Group {
        let head = self.out.len();
        self.head(code, name);
        self.out.extend_from_slice(&[0; 4]);
        self.name(name);
        Group { head, value: self.out.len() }
    }

    /// Ends a field whose value was written as bytes.
    pub fn end_value(&mut self, Group { head, value }: Group) {
        let size = self.out.len() - value + self.trailing;
        self.out[head + 2..head + 6].copy_from_slice(&(size as u32).to_le_bytes());
    }

    pub fn string(&mut self, name: &[u8], text: &[u8]) {
        self.bytes(STRING, name, text, &[0]);
    }

    pub fn int32(&mut self, name: &[u8], value: i32) {
        self.number(INT32, name, &value.to_le_bytes());
    }

    pub fn int64(&mut self, name: &[u8], value: i64) {
        self.number(INT64, name, &value.to_le_bytes());
    }

    pub fn bool(&mut self, name: &[u8], value: bool) {
        self.number(BOOL, name, &[u8::from(value)]);
    }

    pub fn binary(&mut self, name: &[u8], bytes: &[u8]) {
        self.bytes(BINARY, name, bytes, &[]);
    }

    pub(super) fn null(&mut self) {
        self.number(NULL, b"", &[0]);
    }

    /// Begins a group with a count.
    pub(super) fn begin(&mut self, code: u8, name: &[u8]) -> Group {
        let group = self.begin_value(code, name);
        self.out.extend_from_slice(&[0; 4]);
        group
    }

    /// Writes an empty field if it has to be written: for messages in columns and with `idl_on`. Returns
    /// whether something was written. An item of a column has no name, and is never in columns itself.
    pub(super) fn empty(&mut self, name: &[u8], columns: bool, on: bool) -> bool {
        let columns = columns && !name.is_empty();
        if columns || on {
            let group = self.begin(if columns { OBJECT_ISOARRAY } else { ARRAY }, name);
            self.end(group, 0);
        }
        columns || on
    }

    /// Appends the output of another writer.
    pub(super) fn absorb(&mut self, other: &mut Writer) {
        self.out.append(&mut other.out);
        self.too_long |= other.too_long;
    }

    /// Writes a number with the size of its type.
    #[inline]
    pub(super) fn number(&mut self, code: u8, name: &[u8], value: &[u8]) {
        self.head(code, name);
        self.name(name);
        self.out.extend_from_slice(value);
    }

    /// "Writers emit short head whenever value size <= 255 (string length <= 254), else long."
    #[inline]
    fn bytes(&mut self, code: u8, name: &[u8], bytes: &[u8], end: &[u8]) {
        let size = bytes.len() + end.len();
        match u8::try_from(size) {
            Ok(size) => {
                self.head(code | SHORT, name);
                self.out.push(size);
            }
            Err(_) => {
                self.head(code, name);
                self.out.extend_from_slice(&(size as u32).to_le_bytes());
            }
        }
        self.name(name);
        self.out.extend_from_slice(bytes);
        self.out.extend_from_slice(end);
    }

    #[inline]
    fn head(&mut self, code: u8, name: &[u8]) {
        let size = if name.is_empty() { 0 } else { name.len() + 1 };
        self.too_long |= size > MAX_NAME_SIZE;
        self.out.extend_from_slice(&[code, size as u8]);
    }

    #[inline]
    fn name(&mut self, name: &[u8]) {
        if !name.is_empty() {
            self.out.extend_from_slice(name);
            self.out.push(0);
        }
    }
}

//! Text format, by schema.

pub(crate) mod escape;
mod read;
mod token;
mod write;

#[cfg(test)]
mod tests;

use crate::{FormatError, schema::MessageSchema};

/// Reads text format into protobuf.
///
/// # Errors
/// [`FormatError::Text`] with the line, [`FormatError::MissingRequired`].
pub fn to_wire(schema: MessageSchema<'_>, text: &[u8]) -> Result<Vec<u8>, FormatError> {
    read::message(schema, text)
}

/// Writes protobuf as text format, one field a line.
///
/// # Errors
/// [`FormatError::Protobuf`] for broken bytes, [`FormatError::MissingRequired`].
pub fn from_wire(schema: MessageSchema<'_>, wire: &[u8]) -> Result<Vec<u8>, FormatError> {
    write::message(schema, wire)
}

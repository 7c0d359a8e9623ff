//! Protobuf's text format, by schema.

pub(crate) mod escape;
mod read;
mod token;
mod write;

#[cfg(test)]
mod tests;

use crate::{
    FormatError,
    schema::{Field, MessageSchema},
};

/// Converts text format to protobuf.
///
/// # Errors
/// [`FormatError::Text`] with the line, [`FormatError::MissingRequired`].
pub fn to_wire(schema: MessageSchema<'_>, text: &[u8]) -> Result<Vec<u8>, FormatError> {
    read::message(schema, text)
}

/// Converts protobuf to text format, one field per line.
///
/// # Errors
/// [`FormatError::Protobuf`] for invalid bytes, [`FormatError::MissingRequired`].
pub fn from_wire(schema: MessageSchema<'_>, wire: &[u8]) -> Result<Vec<u8>, FormatError> {
    write::message(schema, wire)
}

/// The name of a group in text: that of its type, if the field is named after the type as in proto2. Other
/// fields that editions encode as groups use their own name.
fn group_name<'s>(field: &'s Field, child: MessageSchema<'s>) -> &'s str {
    let full = child.full_name();
    let short = full.rsplit('.').next().unwrap_or(full);
    if short.eq_ignore_ascii_case(&field.name) { short } else { &field.name }
}

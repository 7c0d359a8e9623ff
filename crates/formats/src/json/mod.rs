//! JSON, by schema: text to protobuf and back, without generated code and without a tree in between.
//!
//! Two styles: [`Style::Brpc`] is what brpc's `application/json` means (docs/wire/http.md, section 2, "JSON mapping, brpc
//! style"), [`Style::Canonical`] is protobuf's own mapping (`application/proto-json`).
//!
//! - `lexer.rs` reads tokens, `scan.rs` finds the ends of strings eight bytes at a time;
//! - `read.rs` turns text into wire bytes in one pass, `value.rs` and `scalar.rs` have the rules for single values;
//! - `write.rs` turns wire bytes into text;
//! - `well_known/` has what canonical JSON does with timestamps, durations, structs and the like.
//!
//! Limits: objects and arrays nest at most 100 deep, both ways; memory is proportional to the text, whatever it says.
//! Errors: [`FormatError::Json`] with the offset, [`FormatError::MissingRequired`].

pub(crate) mod lexer;
mod read;
mod scalar;
mod scan;
mod value;
mod well_known;
mod write;

#[cfg(test)]
mod tests;

use crate::{FormatError, schema::MessageSchema};
pub(crate) use scan::put_string;

/// How brpc's JSON is meant; the defaults are brpc's over HTTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// `bytes` are base64; else their text as it is. Default: yes. (`pb_bytes_to_base64`)
    pub bytes_to_base64: bool,
    /// Enums are written by number. Default: no, by name. Both are read. (`pb_enum_as_number`)
    pub enum_as_number: bool,
    /// Empty repeated fields are written as `[]`. Default: no, they are left out. (`jsonify_empty_array`)
    pub empty_arrays: bool,
    /// Unset scalars are written with their defaults. Default: no. (`always_print_primitive_fields`)
    pub print_defaults: bool,
    /// A message with one repeated field alone is that array, at the top, both ways. Default: no.
    /// (`pb_single_repeated_to_array`)
    pub single_repeated_to_array: bool,
    /// A value of the wrong type, or out of its range, is left out where its field is optional, with a note; a number beyond
    /// its range too. Default: no, it is an error that names the field. (brpc has no other way.)
    pub lenient: bool,
    /// Lines and indentation, four spaces a level. Default: no. (`pretty_json`)
    pub pretty: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}

impl Options {
    /// See each option.
    pub const DEFAULT: Options = Options {
        bytes_to_base64: true,
        enum_as_number: false,
        empty_arrays: false,
        print_defaults: false,
        single_repeated_to_array: false,
        lenient: false,
        pretty: false,
    };
}

/// Which mapping between protobuf and JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// brpc's: `.proto` names, 64-bit integers as numbers.
    Brpc(Options),
    /// protobuf's own: lowerCamelCase names, 64-bit integers as strings. Unknown members are ignored.
    Canonical,
    /// The same; unknown members are errors.
    Strict,
}

impl Style {
    fn index(self) -> usize {
        match self {
            Style::Brpc(_) => crate::schema::BRPC,
            Style::Canonical | Style::Strict => crate::schema::CANONICAL,
        }
    }
    fn is_canonical(self) -> bool {
        matches!(self, Style::Canonical | Style::Strict)
    }
}

/// What `application/json` means to a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Json(pub(crate) Style);

impl Json {
    /// brpc's mapping: `.proto` names, 64-bit integers as numbers. Unknown members are ignored; a value of the wrong type or
    /// out of its range is an error that names the field.
    pub const DEFAULT: Json = Json::brpc(Options::DEFAULT);
    /// The same, and as lenient as brpc: a value that does not fit an optional field is left out without a word.
    pub const LENIENT: Json = Json::brpc(Options { lenient: true, ..Options::DEFAULT });
    /// protobuf's own mapping, as `application/proto-json`: lowerCamelCase names, 64-bit integers as strings, timestamps as
    /// text. Unknown members are ignored.
    pub const CANONICAL: Json = Json(Style::Canonical);
    /// The same; unknown members are errors.
    pub const STRICT: Json = Json(Style::Strict);

    /// brpc's mapping with these options.
    pub const fn brpc(options: Options) -> Json {
        Json(Style::Brpc(options))
    }
}

impl Default for Json {
    fn default() -> Self {
        Json::DEFAULT
    }
}

/// A message read from JSON.
#[derive(Debug)]
#[non_exhaustive]
pub struct FromText {
    /// Protobuf.
    pub wire: Vec<u8>,
    /// What was passed over although it has the name of a field, see [`Options::lenient`].
    pub notes: Vec<String>,
}

/// Objects and arrays inside each other; brpc's `json2pb_max_recursion_depth`.
pub(crate) const MAX_DEPTH: u32 = 100;

/// Notes kept of one text; the rest is skipped silently.
const MAX_NOTES: usize = 16;

/// Reads JSON into protobuf. Empty text is a message without fields.
///
/// # Errors
/// See the module.
pub fn to_wire(schema: MessageSchema<'_>, text: &[u8], style: Style) -> Result<FromText, FormatError> {
    read::message(schema, text, style)
}

/// Writes protobuf as JSON. Unknown fields are left out.
///
/// # Errors
/// [`FormatError::Protobuf`] for broken bytes, [`FormatError::MissingRequired`]; in canonical style also
/// [`FormatError::Json`] for values that it cannot express.
pub fn from_wire(schema: MessageSchema<'_>, wire: &[u8], style: Style) -> Result<Vec<u8>, FormatError> {
    write::message(schema, wire, style)
}

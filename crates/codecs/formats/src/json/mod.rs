//! Converts JSON to protobuf and back by schema, without generated code and without an intermediate tree.
//!
//! There are two styles: [`Style::Brpc`] is the mapping of brpc's `application/json` (docs/wire/http.md,
//! section 2, "JSON mapping, brpc style"), [`Style::Canonical`] is protobuf's own mapping
//! (`application/proto-json`).
//!
//! - `lexer.rs` reads tokens, `scan.rs` finds the ends of strings eight bytes at a time;
//! - `read.rs` converts text to wire bytes in one pass, `value.rs` and `scalar.rs` have the rules for single
//!   values;
//! - `write.rs` converts wire bytes to text;
//! - `well_known/` has the special forms of canonical JSON for timestamps, durations, structs and the like.
//!
//! Limits: objects and arrays nest at most 100 deep, both ways; memory is proportional to the text, whatever
//! its contents.
//!
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

use crate::{
    FormatError,
    schema::{Field, MessageSchema},
};
pub(crate) use scalar::{double, integer, not_finite};
pub(crate) use scan::put_string;
pub(crate) use value::{STANDARD, URL_SAFE};

/// Options of brpc's JSON mapping; the defaults are those of brpc over HTTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Whether `bytes` are base64; otherwise they are written as text unchanged. Default: yes.
    /// (`pb_bytes_to_base64`)
    pub bytes_to_base64: bool,
    /// Whether enums are written by number. Default: no, by name. Both can be read. (`pb_enum_as_number`)
    pub enum_as_number: bool,
    /// Whether empty repeated fields are written as `[]`. Default: no; they are left out.
    /// (`jsonify_empty_array`)
    pub empty_arrays: bool,
    /// Whether unset scalars are written with their defaults. Default: no. (`always_print_primitive_fields`)
    pub print_defaults: bool,
    /// Whether a root message with a single, repeated field is written and read as that array. Default: no.
    /// (`pb_single_repeated_to_array`)
    pub single_repeated_to_array: bool,
    /// Whether a value of the wrong type, or out of its range, is skipped with a note if its field is
    /// optional. Default: no, it is an error that names the field. (brpc always skips it.)
    pub lenient: bool,
    /// Whether the text has lines and indentation, four spaces per level. Default: no. (`pretty_json`)
    pub pretty: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}

impl Options {
    /// The defaults; see each option.
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

polywire_base::setters! {
    Options {
        bytes_to_base64: bool,
        enum_as_number: bool,
        empty_arrays: bool,
        print_defaults: bool,
        single_repeated_to_array: bool,
        lenient: bool,
        pretty: bool,
    }
}

/// A mapping between protobuf and JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// brpc's: `.proto` names, 64-bit integers as numbers.
    Brpc(Options),
    /// Protobuf's own mapping: lowerCamelCase names, 64-bit integers as strings. Unknown members and unknown
    /// names of enum values are ignored.
    Canonical,
    /// Like [`Style::Canonical`], but unknown members and names are errors.
    Strict,
}

impl Style {
    pub(crate) fn index(self) -> usize {
        match self {
            Style::Brpc(_) => crate::schema::BRPC,
            Style::Canonical | Style::Strict => crate::schema::CANONICAL,
        }
    }
    fn is_canonical(self) -> bool {
        matches!(self, Style::Canonical | Style::Strict)
    }
}

/// The server's JSON mapping for `application/json`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Json(pub(crate) Style);

impl Json {
    /// brpc's mapping: `.proto` names, 64-bit integers as numbers. Unknown members are ignored; a value of
    /// the wrong type or out of its range is an error that names the field.
    pub const DEFAULT: Json = Json::brpc(Options::DEFAULT);
    /// Like [`Json::DEFAULT`], but as lenient as brpc: a value that does not fit an optional field is
    /// silently skipped.
    pub const LENIENT: Json = Json::brpc(Options { lenient: true, ..Options::DEFAULT });
    /// Protobuf's own mapping, as for `application/proto-json`: lowerCamelCase names, 64-bit integers as
    /// strings, timestamps as text. Unknown members and unknown names of enum values are ignored.
    pub const CANONICAL: Json = Json(Style::Canonical);
    /// Like [`Json::CANONICAL`], but unknown members and names are errors.
    pub const STRICT: Json = Json(Style::Strict);

    /// brpc's mapping with these options.
    pub const fn brpc(options: Options) -> Json {
        Json(Style::Brpc(options))
    }

    /// How values are written and read.
    pub const fn style(self) -> Style {
        self.0
    }
}

impl Default for Json {
    fn default() -> Self {
        Json::DEFAULT
    }
}

/// The result of reading JSON.
#[derive(Debug)]
#[non_exhaustive]
pub struct FromText {
    /// The message in protobuf.
    pub wire: Vec<u8>,
    /// Notes about values that were skipped although their member has the name of a field, see
    /// [`Options::lenient`].
    pub notes: Vec<String>,
}

/// Deepest nesting of objects and arrays; brpc's `json2pb_max_recursion_depth`.
pub(crate) const MAX_DEPTH: u32 = 100;

/// Notes kept for one text; further ones are dropped.
const MAX_NOTES: usize = 16;

/// Characters of a map's key that are shown in an error.
const MOST_KEY: usize = 64;

/// Converts JSON to protobuf. An empty text is a message without fields.
///
/// # Errors
/// See the module.
pub fn to_wire(schema: MessageSchema<'_>, text: &[u8], style: Style) -> Result<FromText, FormatError> {
    read::message(schema, text, style)
}

/// Reads a part of a message: its required fields may be elsewhere.
pub(crate) fn part_to_wire(
    schema: MessageSchema<'_>,
    text: &[u8],
    style: Style,
) -> Result<Vec<u8>, FormatError> {
    read::partial(schema, text, style)
}

/// Reads the value of one field of a message.
pub(crate) fn field_to_wire(
    schema: MessageSchema<'_>,
    field: &Field,
    text: &[u8],
    style: Style,
) -> Result<Vec<u8>, FormatError> {
    read::field(schema, field, text, style)
}

/// Converts protobuf to JSON. Unknown fields are left out.
///
/// # Errors
/// [`FormatError::Protobuf`] for invalid bytes, [`FormatError::MissingRequired`]; in canonical style also
/// [`FormatError::Json`] for values that it cannot express.
pub fn from_wire(schema: MessageSchema<'_>, wire: &[u8], style: Style) -> Result<Vec<u8>, FormatError> {
    write::message(schema, wire, style)
}

/// Converts protobuf to JSON for somebody else, whose message it is: stops at `longest` bytes, as the JSON of
/// a packed field of enums has forty times as many, and refuses a string that is not UTF-8, for which
/// [`from_wire`] writes other characters. Errors inside a field name it.
///
/// # Errors
/// Those of [`from_wire`], and [`FormatError::TooLarge`].
pub fn from_wire_exactly(
    schema: MessageSchema<'_>,
    wire: &[u8],
    style: Style,
    longest: usize,
) -> Result<Vec<u8>, FormatError> {
    write::exactly(schema, wire, style, longest)
}

/// Writes the value of one field of a message, given by its place among the fields.
pub(crate) fn field_from_wire(
    schema: MessageSchema<'_>,
    index: usize,
    wire: &[u8],
    style: Style,
    longest: usize,
) -> Result<Vec<u8>, FormatError> {
    write::field(schema, index, wire, style, longest)
}

/// Writes a part of a message: its required fields may be elsewhere.
pub(crate) fn part_from_wire(
    schema: MessageSchema<'_>,
    wire: &[u8],
    style: Style,
) -> Result<Vec<u8>, FormatError> {
    write::partial(schema, wire, style)
}

//! Fields, messages and enums in the form that transcoders use.

use super::{
    idl::Idl,
    names::{Names, Numbers},
};

/// One field of a message.
#[derive(Debug)]
#[non_exhaustive]
pub struct Field {
    /// Name as in the `.proto` file.
    pub name: Box<str>,
    /// Full name, if the field is an extension.
    pub extension: Option<Box<str>>,
    pub number: u32,
    pub kind: Kind,
    pub cardinality: Cardinality,
    /// The index of the field's oneof (synthetic ones of proto3 `optional` do not count).
    pub oneof: Option<Oneof>,
    /// `"name":` in JSON, escaped; indexed by [`BRPC`] and [`CANONICAL`].
    pub(crate) keys: [Box<str>; 2],
    /// The encoded tag for one value; for packed fields, the tag of a packed run.
    pub(crate) tag: Box<[u8]>,
    pub(crate) packed: bool,
    /// Whether a string must be UTF-8; in proto2 it need not be.
    pub(crate) utf8: bool,
    /// Whether generated code stores the string as bytes, by `Config::strings_as_bytes`.
    pub(crate) as_bytes: bool,
    /// Whether JSON prints it as an object: a map, and in brpc style also a message with the shape of one.
    /// Indexed by [`BRPC`] and [`CANONICAL`].
    pub(crate) map: [bool; 2],
    /// The field's bit in the set of required fields.
    pub(crate) required_bit: Option<u16>,
    /// The field's options for mcpack.
    pub(crate) idl: Idl,
    /// The value of an absent scalar, in the bits of its wire type; for strings and bytes in `text`.
    pub(crate) default: Default,
}

/// Index of a oneof within its message.
pub type Oneof = u16;

/// How often a field occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cardinality {
    /// At most once; absence is equivalent to the default value (proto3).
    Implicit,
    /// At most once; absence can be distinguished.
    Optional,
    /// Exactly once.
    Required,
    /// Any number of times; also maps.
    Repeated,
}

/// Type of a field. The numbers are indices into the pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Double,
    Float,
    Int64,
    Uint64,
    Int32,
    Fixed64,
    Fixed32,
    Bool,
    String,
    Bytes,
    Uint32,
    Sfixed32,
    Sfixed64,
    Sint32,
    Sint64,
    Enum(u32),
    Message(u32),
    Group(u32),
}

/// The value of an absent scalar.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Default {
    /// Zero, false, empty; for enums the first value.
    Bits(u64),
    Bytes(Box<[u8]>),
}

/// Index for the two ways of writing JSON: brpc's.
pub(crate) const BRPC: usize = 0;
/// Index for the two ways of writing JSON: protobuf's own.
pub(crate) const CANONICAL: usize = 1;

/// Messages with a special form in canonical JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WellKnown {
    No,
    Any,
    Timestamp,
    Duration,
    FieldMask,
    Struct,
    Value,
    ListValue,
    /// `google.protobuf.Int32Value` and the other wrappers: the plain value.
    Wrapper,
}

impl WellKnown {
    pub fn of(full_name: &str) -> WellKnown {
        match full_name.strip_prefix("google.protobuf.") {
            Some("Any") => WellKnown::Any,
            Some("Timestamp") => WellKnown::Timestamp,
            Some("Duration") => WellKnown::Duration,
            Some("FieldMask") => WellKnown::FieldMask,
            Some("Struct") => WellKnown::Struct,
            Some("Value") => WellKnown::Value,
            Some("ListValue") => WellKnown::ListValue,
            Some(
                "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
                | "BoolValue" | "StringValue" | "BytesValue",
            ) => WellKnown::Wrapper,
            _ => WellKnown::No,
        }
    }
}

pub(crate) struct MessageDef {
    pub name: Box<str>,
    /// Declaration order, then extensions.
    pub fields: Box<[Field]>,
    pub oneofs: usize,
    /// The number of `fields`, at the end, that are extensions.
    pub extensions: usize,
    /// Order in JSON, indexed by [`BRPC`] and [`CANONICAL`]. brpc: extensions, declared fields, maps.
    pub output: [Box<[u16]>; 2],
    pub numbers: Numbers,
    /// Names accepted in JSON, indexed by [`BRPC`] and [`CANONICAL`].
    pub names: [Names; 2],
    /// Names of mcpack's members; extensions have none.
    pub members: Names,
    /// Required fields; the position is the bit.
    pub required: Box<[u16]>,
    pub has_required: bool,
    /// Whether a nested message has a required field.
    pub required_below: bool,
    /// Whether some required field below is a message, which generated code may leave out.
    pub can_lack_required: bool,
    pub map_entry: bool,
    /// Reserved names: the text format skips fields with these names.
    pub reserved: Box<[Box<str>]>,
    pub well_known: WellKnown,
}

pub(crate) struct EnumDef {
    pub name: Box<str>,
    /// The values by number, with the first name of each.
    pub by_number: Box<[(i32, Box<str>)]>,
    /// The values by name, sorted.
    pub by_name: Box<[(Box<str>, i32)]>,
    /// Whether the enum is closed (proto2): numbers that it does not declare are not values of it.
    pub closed: bool,
}

impl EnumDef {
    pub fn name_of(&self, number: i32) -> Option<&str> {
        let at = self.by_number.binary_search_by_key(&number, |(n, _)| *n).ok()?;
        Some(&self.by_number[at].1)
    }

    pub fn number_of(&self, name: &str) -> Option<i32> {
        let at = self.by_name.binary_search_by(|(n, _)| (**n).cmp(name)).ok()?;
        Some(self.by_name[at].1)
    }
}

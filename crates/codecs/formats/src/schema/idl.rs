//! The options of `idl_options.proto` for fields, by which a `.proto` file describes messages of an older
//! IDL.
//!
//! | option | number | type | meaning |
//! | --- | --- | --- | --- |
//! | `idl_type` | 91001 | enum | the type on the wire, if it is not the usual one |
//! | `idl_on` | 91002 | int32 | not 0: an unset field is written as an empty array |
//! | `idl_name` | 91003 | string | the member's name, if not the field's |
//!
//! They are extensions of `google.protobuf.FieldOptions`, so a descriptor has them among its unknown fields.
//!
//! Source: docs/wire/mcpack.md, "Protobuf mapping"

use super::Field;
use buffa::{ExtensionSet, UnknownFieldData};
use buffa_descriptor::generated::descriptor::FieldDescriptorProto;

const TYPE: u32 = 91001;
const ON: u32 = 91002;
const NAME: u32 = 91003;

/// The options of a field; see the module.
#[derive(Debug, Default)]
pub(crate) struct Idl {
    name: Option<Box<str>>,
    /// 0: the usual type for the field's own type.
    pub kind: u8,
    pub on: bool,
    /// "repeated message with exactly the fields `1 key` (string) and `2 value`, both singular (map-like)"
    pub map: bool,
}

impl Idl {
    pub(super) fn of(field: &FieldDescriptorProto) -> Idl {
        let mut idl = Idl::default();
        let Some(options) = field.options.as_option() else { return idl };
        for option in options.unknown_fields().iter() {
            match (option.number, &option.data) {
                (TYPE, UnknownFieldData::Varint(kind)) => idl.kind = u8::try_from(*kind).unwrap_or_default(),
                (ON, UnknownFieldData::Varint(on)) => idl.on = *on as i32 != 0,
                (NAME, UnknownFieldData::LengthDelimited(name)) => {
                    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_empty());
                    idl.name = name.map(Into::into);
                }
                _ => {}
            }
        }
        idl
    }
}

impl Field {
    /// The member's name in mcpack.
    pub(crate) fn member(&self) -> &str {
        self.idl.name.as_deref().unwrap_or(&self.name)
    }
}

//! Finds fields of a message by the names that paths and queries use.

use crate::{
    FormatError,
    protobuf::wire::Reader,
    schema::{CANONICAL, Cardinality, Field, Kind, MessageSchema, WellKnown},
};

/// A field, and the messages around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FieldPath {
    /// Indexes of the fields, the outermost first.
    pub steps: Vec<usize>,
}

/// How values of a field are written in a URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// One value.
    One,
    /// Items of a repeated field.
    Items,
    /// `field[key]=value`.
    Map,
}

/// The field of this name, as in the `.proto` file or in JSON.
pub(super) fn named<'s>(schema: MessageSchema<'s>, name: &str) -> Option<(usize, &'s Field)> {
    let index = schema.def().names[CANONICAL].get(name.as_bytes())?;
    Some((index, schema.field(index)))
}

/// The schema of a field's message, if a path of names may lead into it.
pub(super) fn inside<'s>(schema: MessageSchema<'s>, field: &Field) -> Option<MessageSchema<'s>> {
    let entered = matches!(field.kind, Kind::Message(_)) && field.cardinality != Cardinality::Repeated;
    schema.child(field).filter(|_| entered)
}

/// How values of this field are written in a URL; `None` if it cannot stand there.
pub(super) fn form(schema: MessageSchema<'_>, field: &Field) -> Option<Form> {
    let repeated = field.cardinality == Cardinality::Repeated;
    let Some(child) = schema.child(field) else {
        return Some(if repeated { Form::Items } else { Form::One });
    };
    if repeated && field.map[CANONICAL] {
        let [_, value] = child.fields() else { return None };
        let has_text = form(child, value) == Some(Form::One);
        return has_text.then_some(Form::Map);
    }
    let has_text = matches!(field.kind, Kind::Message(_)) && has_text(child);
    has_text.then_some(if repeated { Form::Items } else { Form::One })
}

/// Whether protobuf's JSON writes this message as a single value.
fn has_text(schema: MessageSchema<'_>) -> bool {
    !matches!(schema.def().well_known, WellKnown::No | WellKnown::Any)
}

/// The bytes of a singular message field, which may have arrived in several pieces.
pub(super) fn merged(wire: &[u8], field: &Field) -> Result<Vec<u8>, FormatError> {
    let (mut reader, mut whole) = (Reader::new(wire), Vec::new());
    while let Some(raw) = reader.field()? {
        if raw.number == field.number {
            whole.extend_from_slice(raw.payload);
        }
    }
    Ok(whole)
}

impl FieldPath {
    /// The field that a template names.
    ///
    /// # Errors
    /// There is no field of that name, or it cannot stand in a path.
    pub fn in_path(schema: MessageSchema<'_>, name: &str) -> Result<FieldPath, String> {
        let (mut steps, mut at) = (Vec::new(), schema);
        let mut parts = name.split('.').peekable();
        while let Some(part) = parts.next() {
            let Some((index, field)) = named(at, part) else {
                return Err(format!("field {name}: {} has no field {part}", at.full_name()));
            };
            steps.push(index);
            if parts.peek().is_none() {
                return match form(at, field) {
                    Some(Form::One) if !is_any_json(at, field) => Ok(FieldPath { steps }),
                    Some(Form::Items | Form::Map) => {
                        Err(format!("field {name} is repeated, and a path has one value"))
                    }
                    _ if field.cardinality == Cardinality::Repeated => {
                        Err(format!("field {name} is repeated, and a path has one value"))
                    }
                    _ => Err(format!("field {name} is a message, which cannot be written in a path")),
                };
            }
            let Some(child) = inside(at, field) else {
                return Err(format!("field {name}: {part} is not a message field that occurs once"));
            };
            at = child;
        }
        Err("no field".to_owned())
    }

    /// Whether this is the field `other`, or a field inside it.
    pub fn is_within(&self, other: &[usize]) -> bool {
        self.steps.starts_with(other)
    }
}

/// Whether the field can hold any JSON: `Struct`, `Value` or `ListValue`.
pub(super) fn is_any_json(schema: MessageSchema<'_>, field: &Field) -> bool {
    let well_known = schema.child(field).map(|child| child.def().well_known);
    matches!(well_known, Some(WellKnown::Struct | WellKnown::Value | WellKnown::ListValue))
}

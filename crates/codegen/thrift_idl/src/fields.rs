//! Fields of structs, arguments and exceptions of methods: their numbers, names and defaults.

use crate::{
    ast::{self, Requiredness, StructKind},
    constant::Constants,
    place::{Wrong, wrong},
    schema::{Field, Type, Value},
};
use std::collections::HashSet;

/// The declaration that a list of fields belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Struct(StructKind),
    Arguments,
    Throws,
}

/// Fields with their types and numbers; defaults are resolved later, since they may refer to any struct.
pub(crate) fn without_defaults(
    constants: &Constants<'_>,
    file: usize,
    fields: &[ast::Field],
    of: Of,
) -> Result<Vec<Field>, Wrong> {
    let (mut ids, mut names) = (HashSet::new(), HashSet::new());
    let mut automatic = -1;
    let mut done = Vec::with_capacity(fields.len());
    for field in fields {
        let place = field.id.map_or(field.name.place, |(place, _)| place);
        let id = match field.id {
            Some((_, id @ 1..)) => i16::try_from(id)
                .map_err(|_| wrong(place, format!("a field has a number from 1 to 32767, not {id}")))?,
            // Apache's compiler replaces any other number below 1 by that which it would have given.
            Some((_, id)) if id != i64::from(automatic) => {
                let what = format!(
                    "a field has a number from 1 to 32767, not {id}: Apache's compiler would make it {automatic}"
                );
                return Err(wrong(place, what));
            }
            _ => {
                automatic -= 1;
                automatic + 1
            }
        };
        if automatic == i16::MIN {
            return Err(wrong(place, "too many fields have no number"));
        }
        if !ids.insert(id) {
            return Err(wrong(place, format!("another field has the number {id}")));
        }
        if !names.insert(field.name.text.as_str()) {
            return Err(wrong(field.name.place, format!("another field is called `{}`", field.name.text)));
        }
        if of == Of::Struct(StructKind::Union) && field.requiredness == Requiredness::Required {
            let what = "a field of a union cannot be `required`: only one of them is there";
            return Err(wrong(field.name.place, what));
        }
        let kind = constants.scopes.kind(file, &field.kind)?;
        if of == Of::Throws && !constants.is_exception(&kind) {
            return Err(wrong(field.kind.place, "only an `exception` can be thrown"));
        }
        // Apache's compiler ignores `optional` for arguments.
        let requiredness = match (of, field.requiredness) {
            (Of::Arguments, Requiredness::Optional) => Requiredness::Default,
            (_, requiredness) => requiredness,
        };
        done.push(Field {
            name: field.name.text.clone(),
            place: field.name.place,
            id,
            requiredness,
            kind,
            default: None,
            comment: field.comment.clone(),
        });
    }
    Ok(done)
}

/// The default of a field, if it has one.
pub(crate) fn default(
    constants: &mut Constants<'_>,
    file: usize,
    field: &ast::Field,
    kind: &Type,
) -> Result<Option<Value>, Wrong> {
    field.default.as_ref().map(|value| constants.value(file, value, kind, 0)).transpose()
}

//! The rules of [`Verifier`] for tables of a schema known at run time.

use super::super::{Verified, Verifier};
use crate::FormatError;
use polywire_fbs::{Place, Schema, Type};

pub(super) fn message(schema: &Schema, id: Place, message: &[u8]) -> Result<(), FormatError> {
    let mut verifier = Verifier::of_message(message)?;
    let verified = verifier.follow(0).and_then(|at| table(schema, id, &mut verifier, at));
    verified.map_err(FormatError::from)
}

fn table(schema: &Schema, id: Place, verifier: &mut Verifier<'_>, at: usize) -> Verified {
    let mut found = verifier.visit_table(at)?;
    for field in schema.table(id).fields.iter().filter(|field| !field.deprecated) {
        let name = || field.name.clone().into();
        found = match &field.kind {
            Type::Union(union) => found.union(name, field.slot, field.required, |tag, verifier, at| {
                let variants = &schema.union(*union).variants;
                let Some((name, _, id)) = variants.iter().find(|(_, number, _)| *number == tag) else {
                    return Ok(()); // a variant of a newer schema
                };
                let held = verifier.follow(at).and_then(|at| table(schema, *id, verifier, at));
                held.map_err(|wrong| wrong.within(name.clone()))
            })?,
            kind => found
                .field(name, field.slot, field.required, |verifier, at| value(schema, kind, verifier, at))?,
        };
    }
    found.finish();
    Ok(())
}

fn value(schema: &Schema, kind: &Type, verifier: &mut Verifier<'_>, at: usize) -> Verified {
    match kind {
        Type::String => verifier.follow(at).and_then(|at| verifier.string(at)),
        Type::Table(id) => verifier.follow(at).and_then(|at| table(schema, *id, verifier, at)),
        Type::Vector(of) => {
            let at = verifier.follow(at)?;
            match &**of {
                of @ (Type::String | Type::Table(_)) => {
                    verifier.offsets(at, |verifier, at| value(schema, of, verifier, at))
                }
                of => {
                    let (size, align) = schema.layout(of);
                    verifier.items(at, size, align)
                }
            }
        }
        kind => {
            let (size, align) = schema.layout(kind);
            verifier.range(at, size, align)
        }
    }
}

//! The rules of [`Verifier`] for tables of a schema known at run time.

use super::{
    super::{Verified, Verifier},
    number,
};
use crate::FormatError;
use polywire_fbs::{Place, Schema, Type, Union};

pub(super) fn message(schema: &Schema, id: Place, message: &[u8]) -> Result<(), FormatError> {
    let mut verifier = Verifier::of_message(message)?;
    let verified = verifier.follow(0).and_then(|at| table(schema, id, &mut verifier, at));
    verified.map_err(FormatError::from)
}

fn table(schema: &Schema, id: Place, verifier: &mut Verifier<'_>, at: usize) -> Verified {
    let mut found = verifier.visit_table(at)?;
    for field in schema.table(id).fields.iter().filter(|field| !field.deprecated) {
        let name = || field.name.clone().into();
        found = match (&field.kind, field.kind.union(), field.nested) {
            (Type::Union(_), Some(of), _) => {
                found.union(name, field.slot, field.required, |verifier, kind, at| {
                    let of = schema.union(of);
                    verifier.range(kind, of.of.size, of.of.size)?;
                    union(schema, of, verifier, kind, at)
                })?
            }
            (_, Some(of), _) => {
                let of = schema.union(of);
                found.union(name, field.slot, field.required, |verifier, types, values| {
                    let (types, values) = (verifier.follow(types)?, verifier.follow(values)?);
                    verifier.unions(types, values, of.of.size, |verifier, kind, at| {
                        union(schema, of, verifier, kind, at)
                    })
                })?
            }
            (_, None, Some(root)) => found.field(name, field.slot, field.required, |verifier, at| {
                let at = verifier.follow(at)?;
                verifier.nested(at, |verifier, at| table(schema, root, verifier, at))
            })?,
            (kind, None, None) => found
                .field(name, field.slot, field.required, |verifier, at| value(schema, kind, verifier, at))?,
        };
    }
    found.finish();
    Ok(())
}

/// The value at `at` of a union whose type is at `kind`.
fn union(schema: &Schema, of: &Union, verifier: &mut Verifier<'_>, kind: usize, at: usize) -> Verified {
    let tag = number::integer(of.of, verifier.buffer(), kind);
    let Some(variant) = of.variants.iter().find(|variant| variant.number == tag) else {
        return Ok(()); // none, or a variant of a newer schema
    };
    let held = match &variant.kind {
        Type::Struct(id) => {
            let structure = schema.structure(*id);
            verifier.follow(at).and_then(|at| verifier.apart(at, structure.size, structure.align))
        }
        kind => value(schema, kind, verifier, at),
    };
    held.map_err(|wrong| wrong.within(variant.name.clone()))
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

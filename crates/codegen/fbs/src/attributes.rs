//! Checks the attributes of fields.

use crate::{
    Hash, Type,
    lexer::Wrong,
    parse::{Attributes, Default, Field},
    scalar::integer,
};

type Found<T> = Result<T, Wrong>;

/// Refuses the attributes that flatc refuses on a table's field, because they have no meaning for its type.
pub(crate) fn of_field(field: &Field, kind: &Type) -> Found<()> {
    let (line, has) = (field.line, |name: &str| field.attributes.has(name));
    let unless = |fits: bool, what: &str| if fits { Ok(()) } else { Err((line, what.to_owned())) };
    let number = matches!(kind, Type::Scalar(_) | Type::Enum(_));
    if has("required") {
        unless(!number, "scalars cannot be required")?;
    }
    if has("key") {
        let fits = number || matches!(kind, Type::String | Type::Struct(_));
        unless(fits, "a `key` is a string, a number or a struct")?;
        unless(field.default != Some(Default::Null), "a `key` has a value, its default is not null")?;
    }
    if has("shared") {
        unless(*kind == Type::String, "`shared` is allowed on strings only")?;
    }
    if has("flexbuffer") {
        unless(is_bytes(kind), "`flexbuffer` is allowed on a vector of ubyte only")?;
    }
    if has("native_inline") {
        let of = if let Type::Vector(of) = kind { &**of } else { kind };
        let fits = matches!(of, Type::Struct(_)) || of != kind && matches!(of, Type::Table(_));
        unless(fits, "`native_inline` is allowed on structs and vectors of structs or tables only")?;
    }
    if has("cpp_type") {
        unless(has("hash"), "`cpp_type` is allowed on fields with `hash` only")?;
    }
    Ok(())
}

/// Refuses a second `key`.
pub(crate) fn only_key(field: &Field, fields: &[Field]) -> Found<()> {
    let keys = fields.iter().filter(|field| field.attributes.has("key"));
    match field.attributes.has("key") && keys.take(2).count() > 1 {
        true => Err((field.line, "only one field of a table or a struct can be its `key`".to_owned())),
        false => Ok(()),
    }
}

/// The name of the table that is the root of a field's nested message.
pub(crate) fn nested<'f>(field: &'f Field, kind: &Type) -> Found<Option<&'f str>> {
    if !field.attributes.has("nested_flatbuffer") {
        return Ok(None);
    }
    let table = field.attributes.text("nested_flatbuffer");
    let table =
        table.ok_or((field.line, "`nested_flatbuffer` is the name of a table, in quotes".to_owned()))?;
    if !is_bytes(kind) {
        return Err((field.line, "`nested_flatbuffer` is allowed on a vector of ubyte only".to_owned()));
    }
    Ok(Some(table))
}

/// `force_align`: the alignment of a vector's values, or of every value of a struct. It is at least the
/// natural one.
pub(crate) fn align(attributes: &Attributes, line: usize, least: usize) -> Found<Option<usize>> {
    if !attributes.has("force_align") {
        return Ok(None);
    }
    let align =
        attributes.value("force_align").and_then(integer).and_then(|align| usize::try_from(align).ok());
    let align = align.filter(|align| align.is_power_of_two() && (least..=MAX_ALIGN).contains(align));
    align.map(Some).ok_or((line, format!("`force_align` is a power of two from {least} to {MAX_ALIGN}")))
}

/// The hash of a number, or of the numbers of a vector.
pub(crate) fn hash(attributes: &Attributes, line: usize, kind: &Type) -> Found<Option<Hash>> {
    if !attributes.has("hash") {
        return Ok(None);
    }
    let of = if let Type::Vector(of) = kind { &**of } else { kind };
    let bits = match of {
        Type::Scalar(scalar) if !scalar.is_float() && scalar.size > 1 => 8 * scalar.size,
        _ => return Err((line, "`hash` is allowed on integers of 16, 32 and 64 bits only".to_owned())),
    };
    match attributes.value("hash") {
        Some(name) if *name == format!("fnv1_{bits}") => Ok(Some(Hash::Fnv1)),
        Some(name) if *name == format!("fnv1a_{bits}") => Ok(Some(Hash::Fnv1a)),
        _ => Err((line, format!("the `hash` of {bits} bits is fnv1_{bits} or fnv1a_{bits}"))),
    }
}

fn is_bytes(kind: &Type) -> bool {
    matches!(kind, Type::Vector(of) if matches!(**of, Type::Scalar(scalar) if scalar.rust == "u8"))
}

/// Largest alignment of all.
const MAX_ALIGN: usize = 32;

/// Refuses attributes that a field of a struct cannot have.
pub(crate) fn of_member(field: &Field) -> Found<()> {
    let has = |name: &str| field.attributes.has(name);
    let wrong = match () {
        () if field.default.is_some() => "fields of a struct have no defaults",
        () if has("deprecated") => "fields of a struct cannot be deprecated",
        () if has("required") => "fields of a struct are always there, none is `required`",
        () => return Ok(()),
    };
    Err((field.line, wrong.to_owned()))
}

/// Refuses names of other fields, and names that are generated for fields here or by flatc.
pub(crate) fn names<'f>(of: &str, fields: &'f [Field], kind: impl Fn(usize) -> &'f Type) -> Found<()> {
    for (index, Field { line, name, .. }) in fields.iter().enumerate() {
        if name == of {
            return Err((*line, format!("`{name}` is the name of what it is in")));
        }
        if fields[..index].iter().any(|other| other.name == *name) {
            return Err((*line, format!("`{name}` is declared twice")));
        }
        for (suffix, clashes) in SUFFIXES {
            let other = name.strip_suffix(suffix);
            let other = other.and_then(|other| fields.iter().position(|field| field.name == other));
            if let Some(other) = other.filter(|&other| clashes(kind(other))) {
                let other = &fields[other].name;
                return Err((*line, format!("`{name}` is the name of a function for `{other}`")));
            }
        }
    }
    Ok(())
}

/// Suffixes that flatc adds to the name of a field, and the types for which it does.
const SUFFIXES: [(&str, fn(&Type) -> bool); 6] = [
    ("_type", |kind| kind.union().is_some()),
    ("Type", |kind| matches!(kind, Type::Union(_))),
    ("_length", |kind| matches!(kind, Type::Vector(_))),
    ("Length", |kind| matches!(kind, Type::Vector(_))),
    ("_byte_vector", |kind| *kind == Type::String),
    ("ByteVector", |kind| *kind == Type::String),
];

//! Binds a query to fields: `page_size=10&filter.name=tea&tags=a&tags=b`.

use super::{
    field::{self, FieldPath, Form},
    percent,
    read::Wrong,
    text,
};
use crate::{
    protobuf::wire::{put_varint, varint_len},
    schema::{Field, MessageSchema},
};
use std::collections::{HashMap, HashSet};

/// Most parameters of one query.
pub const MAX_PARAMETERS: usize = 1000;
/// Most names of fields in one parameter; `a.b.c` has three.
pub const MAX_NAMES: usize = 32;

/// How the parameters of a request are bound.
pub(super) struct Query<'r> {
    pub schema: MessageSchema<'r>,
    /// Fields that are bound to the path or the body, which a parameter may not set.
    pub taken: Vec<&'r [usize]>,
    /// Whether a parameter that names no field is an error.
    pub strict: bool,
}

/// The values that earlier parameters have set.
#[derive(Default)]
struct Seen {
    /// Singular fields that are set.
    once: HashSet<Vec<usize>>,
    /// The member that is set of each oneof, by the path of the message and the number of the oneof.
    oneofs: HashMap<(Vec<usize>, u16), usize>,
}

/// The field that a parameter names.
struct Found<'s, 'n> {
    path: FieldPath,
    schema: MessageSchema<'s>,
    field: &'s Field,
    /// The key, if the parameter sets an entry of a map.
    key: Option<&'n [u8]>,
}

impl Query<'_> {
    /// Appends the fields of a query.
    pub fn read(&self, query: &str, out: &mut Vec<u8>) -> Result<(), Wrong> {
        let mut seen = Seen::default();
        let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
        for (count, parameter) in parameters.enumerate() {
            if count == MAX_PARAMETERS {
                return Err(Wrong::new(format!("the query has more than {MAX_PARAMETERS} parameters")));
            }
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let decoded = |text| percent::decoded(text, false, true);
            let name = decoded(name).and_then(|name| String::from_utf8(name).ok());
            let (Some(name), Some(value)) = (name, decoded(value)) else {
                return Err(Wrong::new(format!(
                    "the query's {:?} is not percent-encoded",
                    super::read::short(parameter)
                )));
            };
            self.parameter(&name, &value, &mut seen, out)?;
        }
        Ok(())
    }

    fn parameter(&self, name: &str, value: &[u8], seen: &mut Seen, out: &mut Vec<u8>) -> Result<(), Wrong> {
        let Some(found) = self.find(name)? else {
            return match self.strict {
                true => Err(Wrong::of(name, "no field of that name")),
                false => Ok(()),
            };
        };
        if self.taken.iter().any(|taken| found.path.is_within(taken)) {
            return match self.strict {
                true => Err(Wrong::of(name, "the path or the body has this field")),
                false => Ok(()),
            };
        }
        let Some(form) = field::form(found.schema, found.field) else {
            return Err(Wrong::of(name, "a message, which cannot be one query parameter"));
        };
        let mut piece = Vec::new();
        match (form, found.key) {
            (Form::Map, Some(key)) => {
                entry(&mut piece, &found, key, value).map_err(|why| Wrong::of(name, why))?
            }
            (Form::Map, None) => {
                return Err(Wrong::of(name, "a map: its entries are written name[key]=value"));
            }
            (_, Some(_)) => return Err(Wrong::of(name, "not a map, so [key] cannot follow it")),
            (Form::Items | Form::One, None) => {
                text::put(&mut piece, found.schema, found.field, value)
                    .map_err(|why| Wrong::of(name, why))?;
            }
        }
        if form == Form::One && !seen.once.insert(found.path.steps.clone()) {
            return Err(Wrong::of(name, "more than one value"));
        }
        self.check_oneofs(name, &found.path, seen)?;
        put_nested(out, self.schema, &found.path, piece);
        Ok(())
    }

    /// The field of this name; `None` if there is no such field.
    fn find<'s, 'n>(&'s self, name: &'n str) -> Result<Option<Found<'s, 'n>>, Wrong> {
        let (name, key) = match name.split_once('[') {
            Some((front, key)) => match key.strip_suffix(']') {
                Some(key) => (front, Some(key.as_bytes())),
                None => return Ok(None),
            },
            None => (name, None),
        };
        let (mut steps, mut at) = (Vec::new(), self.schema);
        let mut parts = name.split('.').peekable();
        while let Some(part) = parts.next() {
            if steps.len() == MAX_NAMES {
                return Err(Wrong::of(name, "nested too deep"));
            }
            let Some((index, field)) = field::named(at, part) else { return Ok(None) };
            steps.push(index);
            if parts.peek().is_none() {
                return Ok(Some(Found { path: FieldPath { steps }, schema: at, field, key }));
            }
            let Some(child) = field::inside(at, field) else { return Ok(None) };
            at = child;
        }
        Ok(None)
    }

    /// Refuses a second member of a oneof.
    fn check_oneofs(&self, name: &str, path: &FieldPath, seen: &mut Seen) -> Result<(), Wrong> {
        let mut at = Some(self.schema);
        for (depth, &index) in path.steps.iter().enumerate() {
            let Some(schema) = at else { return Ok(()) };
            let field = schema.field(index);
            if let Some(oneof) = field.oneof {
                let place = (path.steps[..depth].to_vec(), oneof);
                if *seen.oneofs.entry(place).or_insert(index) != index {
                    return Err(Wrong::of(name, "second member of a oneof"));
                }
            }
            at = schema.child(field);
        }
        Ok(())
    }
}

/// Appends an entry of a map.
fn entry(out: &mut Vec<u8>, found: &Found<'_, '_>, key: &[u8], value: &[u8]) -> Result<(), &'static str> {
    let schema = found.schema.child(found.field).ok_or("no map")?;
    let [key_field, value_field] = schema.fields() else { return Err("no map") };
    let mut inside = Vec::new();
    text::put(&mut inside, schema, key_field, key)?;
    text::put(&mut inside, schema, value_field, value)?;
    put_varint(out, u64::from(found.field.number) << 3 | 2);
    put_varint(out, inside.len() as u64);
    out.extend_from_slice(&inside);
    Ok(())
}

/// Appends a field, tag and value, inside the messages that enclose it.
pub(super) fn put_nested(out: &mut Vec<u8>, schema: MessageSchema<'_>, path: &FieldPath, piece: Vec<u8>) {
    let around = &path.steps[..path.steps.len().saturating_sub(1)];
    let (mut numbers, mut at) = (Vec::new(), Some(schema));
    for &index in around {
        let Some(schema) = at else { return };
        let field = schema.field(index);
        numbers.push(u64::from(field.number) << 3 | 2);
        at = schema.child(field);
    }
    // The lengths of the messages, from the innermost.
    let (mut lengths, mut length) = (Vec::new(), piece.len());
    for tag in numbers.iter().rev() {
        lengths.push(length);
        length += varint_len(*tag) + varint_len(length as u64);
    }
    for (tag, length) in numbers.iter().zip(lengths.iter().rev()) {
        put_varint(out, *tag);
        put_varint(out, *length as u64);
    }
    out.extend_from_slice(&piece);
}

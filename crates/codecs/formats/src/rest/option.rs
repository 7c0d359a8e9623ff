//! `option (google.api.http)`: the rules of a method, as its descriptor has them.
//!
//! ```text
//! HttpRule          = get:2 put:3 post:4 delete:5 patch:6 custom:8 body:7 response_body:12 additional_bindings:11
//! CustomHttpPattern = kind:1 path:2
//! ```
//!
//! Limit: [`MOST_RULES`] rules of a method.
//!
//! Source: `google/api/http.proto`, `google/api/annotations.proto`

use super::Binding;
use crate::protobuf::wire::{Reader, WireType};

/// The rules of a method that are read.
const MOST_RULES: usize = 100;

impl<'a> Binding<'a> {
    /// Reads the option of a method, [`MethodSchema::http`](crate::schema::MethodSchema::http): the rule, and
    /// those of its `additional_bindings` behind it.
    ///
    /// # Errors
    /// The fault of the option.
    pub fn of_option(option: &'a [u8]) -> Result<Vec<Binding<'a>>, String> {
        let mut rules = Vec::new();
        if !option.is_empty() {
            read(option, true, &mut rules)?;
        }
        Ok(rules)
    }
}

fn read<'a>(bytes: &'a [u8], is_first: bool, rules: &mut Vec<Binding<'a>>) -> Result<(), String> {
    let (mut rule, mut more) = (Binding::new("", ""), Vec::new());
    each(bytes, |number, value| {
        match number {
            2 => rule = Binding { verb: "GET", path: text(value)?, ..rule },
            3 => rule = Binding { verb: "PUT", path: text(value)?, ..rule },
            4 => rule = Binding { verb: "POST", path: text(value)?, ..rule },
            5 => rule = Binding { verb: "DELETE", path: text(value)?, ..rule },
            6 => rule = Binding { verb: "PATCH", path: text(value)?, ..rule },
            7 => rule.body = text(value)?,
            8 => each(value, |number, value| {
                match number {
                    1 => rule.verb = text(value)?,
                    2 => rule.path = text(value)?,
                    _ => {}
                }
                Ok(())
            })?,
            11 => more.push(value),
            12 => rule.response_body = text(value)?,
            _ => {}
        }
        Ok(())
    })?;
    if rule.verb.is_empty() || rule.path.is_empty() {
        return Err("a rule without a path: say get, put, post, delete, patch or custom".to_owned());
    }
    rules.push(rule);
    if !is_first && !more.is_empty() {
        return Err("additional_bindings inside additional_bindings".to_owned());
    }
    if more.len() >= MOST_RULES {
        return Err(format!("more than {MOST_RULES} rules"));
    }
    more.into_iter().try_for_each(|value| read(value, false, rules))
}

fn each<'a>(
    bytes: &'a [u8],
    mut field: impl FnMut(u32, &'a [u8]) -> Result<(), String>,
) -> Result<(), String> {
    let mut reader = Reader::new(bytes);
    while let Some(raw) = reader.field().map_err(|error| error.to_string())? {
        if raw.wire == WireType::Bytes {
            field(raw.number, raw.payload)?;
        }
    }
    Ok(())
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| error.to_string())
}

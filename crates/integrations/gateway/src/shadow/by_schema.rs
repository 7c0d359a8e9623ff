//! Messages of a method as JSON; and places in them, without what users have written.
//!
//! Limits: JSON has at most [`LONGEST`] bytes; longer messages are compared by their bytes.

use polywire_client::Raw;
use polywire_formats::{
    foreign,
    json::{self, Json},
    schema::{MessageSchema, MethodSchema},
};

const LONGEST: usize = 4 << 20;
/// In place of names that the schema does not have, such as the keys of a map.
const ANY: &str = "*";

/// A reply as canonical JSON; `None`: it is none of the method, or too long.
pub fn json(method: MethodSchema<'_>, raw: &Raw) -> Option<Vec<u8>> {
    let bytes = raw.body.clone().into_bytes();
    if bytes.len() > LONGEST {
        return None;
    }
    let wire = foreign::to_wire(method.output, &bytes, raw.content, Json::DEFAULT, LONGEST).ok()?;
    json::from_wire_exactly(method.output, &wire, Json::CANONICAL.style(), LONGEST).ok()
}

/// A path of a reply, with names of its schema alone: a name of anything else is data.
pub fn place(method: MethodSchema<'_>, path: &str) -> String {
    let (mut shown, mut message) = (String::new(), Some(method.output));
    let named = |message: MessageSchema<'_>, step: &str| {
        let name = step.trim_end_matches("[]");
        message.fields().iter().position(|field| field.json_name(Json::CANONICAL.style()) == name)
    };
    let mut steps = path.split('.').peekable();
    while let Some(step) = steps.next() {
        let dot = if shown.is_empty() { "" } else { "." };
        let Some((within, at)) = message.and_then(|message| Some((message, named(message, step)?))) else {
            return shown + dot + ANY;
        };
        shown = shown + dot + step;
        let field = &within.fields()[at];
        message = within.child(field).filter(|child| !child.is_special());
        if let Some((_, value)) = within.map_entry(field) {
            message = message.and_then(|entry| entry.child(value)).filter(|child| !child.is_special());
            // A key may have dots.
            let is_key = |step: &&str| message.is_none_or(|message| named(message, step).is_none());
            if steps.next().is_some() {
                shown = shown + "." + ANY;
            }
            while steps.next_if(is_key).is_some() {}
        }
    }
    shown
}

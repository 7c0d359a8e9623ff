//! The demo service that speaks FlatBuffers, and its messages as JSON. Other schemas are not read here.

use crate::failure::Failure;
use polywire::flatbuffers;
use polywire_formats::FormatError;
use serde_json::{Value, json};

polywire::include!("flat");
pub use flat::*;

/// The only method that is known.
pub const METHOD: &str = "flat.Echo/Echo";

/// A message with this text.
pub fn message(text: &str) -> MessageBuf {
    flatbuffers::Flat::build_with_capacity(64 + text.len(), |builder| {
        let message = Some(builder.create_string(text));
        Message::create(builder, &MessageArgs { message })
    })
}

/// The target of `name`.
///
/// # Errors
/// Another method.
pub fn target(name: &str) -> Result<polywire::Target, Failure> {
    match name.replace('/', ".").as_str() {
        "flat.Echo.Echo" => Ok(polywire::Target::fixed("flat.Echo", "Echo").at(0)),
        _ => Err(Failure::usage(format!(
            "unknown method {name:?}; of those with FlatBuffers {METHOD} is known"
        ))),
    }
}

/// `{"message":"…"}` as a request.
///
/// # Errors
/// Other JSON.
pub fn request(text: &str) -> Result<Vec<u8>, FormatError> {
    let wrong = |what: String| FormatError::Json { at: 0, what: what.into() };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let fields = value.as_object().ok_or_else(|| wrong("not an object".into()))?;
    if let Some(other) = fields.keys().find(|name| *name != "message") {
        return Err(wrong(format!("unknown field {other:?}; there is \"message\"")));
    }
    let said = fields.get("message").map_or(Some(""), Value::as_str);
    let said = said.ok_or_else(|| wrong("\"message\" is a text".into()))?;
    Ok(message(said).into_bytes().to_vec())
}

/// A reply as JSON.
///
/// # Errors
/// What is no such message.
pub fn reply(raw: polywire::Raw) -> Result<String, String> {
    let message = MessageBuf::from_bytes(raw.body).map_err(|error| error.to_string())?;
    Ok(json!({ "message": message.get().message().unwrap_or_default() }).to_string())
}

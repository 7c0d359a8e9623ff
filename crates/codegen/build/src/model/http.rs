//! `option (google.api.http)`: the HTTP rules of a method.

use crate::Error;
use buffa::{UnknownFieldData, UnknownFields};
use buffa_descriptor::generated::descriptor::MethodDescriptorProto;

/// Number of the option among those of methods: `google/api/annotations.proto`.
const HTTP: u32 = 72_295_728;

/// One rule, as it is written. Its meaning is checked when a server starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct HttpRule {
    pub verb: String,
    pub path: String,
    pub body: String,
    pub response_body: String,
}

/// The rules of a method; clients use the first one that fits. `name`: `service/method`.
///
/// # Errors
/// The option cannot be parsed, or has no path.
pub(super) fn rules(name: &str, method: &MethodDescriptorProto) -> Result<Vec<HttpRule>, Error> {
    let Some(options) = method.options.as_option() else { return Ok(Vec::new()) };
    // An option that is set field by field comes in pieces, which merge.
    let said = options.__buffa_unknown_fields.iter().filter(|field| field.number == HTTP);
    let pieces = said.filter_map(|field| match &field.data {
        UnknownFieldData::LengthDelimited(bytes) => Some(bytes.as_slice()),
        _ => None,
    });
    let bytes = pieces.collect::<Vec<_>>().concat();
    let mut rules = Vec::new();
    if !bytes.is_empty() {
        read(&bytes, true, &mut rules)
            .map_err(|what| Error::Proto(format!("{name}: google.api.http: {what}")))?;
    }
    Ok(rules)
}

/// Reads a message `HttpRule`; its additional bindings follow it.
fn read(bytes: &[u8], is_first: bool, rules: &mut Vec<HttpRule>) -> Result<(), String> {
    let mut rule = HttpRule::default();
    let mut more = Vec::new();
    let fields = UnknownFields::decode_from_slice(bytes).map_err(|error| error.to_string())?;
    for field in fields.iter() {
        let UnknownFieldData::LengthDelimited(value) = &field.data else { continue };
        let verb = match field.number {
            2 => "GET",
            3 => "PUT",
            4 => "POST",
            5 => "DELETE",
            6 => "PATCH",
            7 => {
                rule.body = text(value)?;
                continue;
            }
            8 => {
                (rule.verb, rule.path) = custom(value)?;
                continue;
            }
            11 => {
                more.push(value);
                continue;
            }
            12 => {
                rule.response_body = text(value)?;
                continue;
            }
            _ => continue,
        };
        (rule.verb, rule.path) = (verb.to_owned(), text(value)?);
    }
    if rule.verb.is_empty() || rule.path.is_empty() {
        return Err("a rule without a path: say get, put, post, delete, patch or custom".to_owned());
    }
    rules.push(rule);
    match (is_first, more.is_empty()) {
        (false, false) => Err("additional_bindings inside additional_bindings".to_owned()),
        _ => more.into_iter().try_for_each(|value| read(value, false, rules)),
    }
}

/// A message `CustomHttpPattern`: verb and path.
fn custom(bytes: &[u8]) -> Result<(String, String), String> {
    let (mut verb, mut path) = (String::new(), String::new());
    for field in UnknownFields::decode_from_slice(bytes).map_err(|error| error.to_string())?.iter() {
        match (field.number, &field.data) {
            (1, UnknownFieldData::LengthDelimited(value)) => verb = text(value)?,
            (2, UnknownFieldData::LengthDelimited(value)) => path = text(value)?,
            _ => {}
        }
    }
    Ok((verb, path))
}

fn text(bytes: &[u8]) -> Result<String, String> {
    String::from_utf8(bytes.to_vec()).map_err(|error| error.to_string())
}

//! Calls of stubs by rules of `google.api.http`: over plain HTTP a message is sent as verb, path, query and
//! body.
//!
//! The names of the method stay until interceptors and service config have seen them; then they are replaced
//! by path and verb.

use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Status};
use polywire_exchange::Request;
use polywire_formats::{
    FormatError, Payload, compression,
    rest::{self, Filled, HttpRule, Rule},
};
use polywire_wire::{Longest, Outcome};
use std::sync::OnceLock;

/// The rules of a method in generated code. They are checked when the method is first called by a rule.
pub struct HttpRules {
    rules: &'static [HttpRule],
    checked: OnceLock<Result<Vec<Rule<'static>>, String>>,
}

impl HttpRules {
    /// The rules of a method. Clients use the first rule that can carry the message.
    pub const fn new(rules: &'static [HttpRule]) -> HttpRules {
        HttpRules { rules, checked: OnceLock::new() }
    }

    fn checked<I: Payload, O: Payload>(&'static self) -> Result<&'static [Rule<'static>], Status> {
        let check = || {
            let (Some(request), Some(reply)) = (I::described(), O::described()) else {
                return Err("the method has no request message with fields".to_owned());
            };
            let checked = self.rules.iter().map(|rule| {
                let wrong = |why| format!("HTTP rule \"{} {}\": {why}", rule.verb, rule.path);
                Rule::new(rule, request, reply).map_err(wrong)
            });
            checked.collect()
        };
        self.checked.get_or_init(check).as_deref().map_err(|why| Status::internal(why.clone()))
    }

    /// A message as the request of one of the rules: its body, and the rest.
    ///
    /// # Errors
    /// INVALID_ARGUMENT: no rule can express this message; the text is about the first rule.
    pub(crate) fn request<I: Payload, O: Payload>(
        &'static self,
        message: &I,
    ) -> Result<(Vec<u8>, ByRule), Status> {
        let encoded = message.encode(Content::PROTOBUF, Compression::NONE, Default::default());
        let mut wire = encoded.map_err(FormatError::request)?;
        let mut first = None;
        for rule in self.checked::<I, O>()? {
            match rule.write(wire.contiguous()) {
                Ok(Filled { target, body, content_type }) => {
                    return Ok((body.unwrap_or_default(), ByRule { rule, target, content_type }));
                }
                Err(why) => first = first.or(Some(why)),
            }
        }
        Err(Status::invalid_argument(first.unwrap_or_else(|| "the method has no rule".to_owned())))
    }
}

/// The parts of a request that an HTTP rule sets beside the body.
pub(crate) struct ByRule {
    pub rule: &'static Rule<'static>,
    target: String,
    /// The content type of a body that is not JSON.
    content_type: Option<String>,
}

impl ByRule {
    /// Puts path and verb in the place of the method's names.
    pub fn apply(self, request: &mut Request) -> &'static Rule<'static> {
        request.service = String::new().into();
        request.method = self.target.into();
        match self.content_type {
            None => request.content = Content::JSON,
            Some(content_type) => {
                request.content = Content::RAW;
                if !content_type.is_empty() && request.metadata.get("content-type").is_none() {
                    request.metadata.append("content-type", content_type);
                }
            }
        }
        request.metadata.append(":method", self.rule.verb());
        self.rule
    }
}

/// Turns the reply of a call by a rule into its message, and a failure into the status in its body.
#[cold]
pub(super) fn read(mut outcome: Outcome, rule: &Rule<'_>, longest: Longest) -> Outcome {
    if !outcome.status.is_ok() {
        let status = std::mem::take(&mut outcome.status);
        outcome.status = rest::explained(status, outcome.body.clone(), outcome.compression, longest.message);
        return outcome;
    }
    if outcome.content == Content::PROTOBUF && !rule.answers_bytes() {
        return outcome;
    }
    let body = compression::decompress(outcome.compression, std::mem::take(&mut outcome.body), longest);
    let read = |mut body: IoBuf| match rule.answers_bytes() {
        true => Ok(rule.read_reply_bytes(content_type(&outcome), body.contiguous())),
        false => rule.read_reply(body.contiguous()),
    };
    match body.and_then(read) {
        Ok(wire) => {
            (outcome.content, outcome.compression) = (Content::PROTOBUF, Compression::NONE);
            Outcome { body: wire.into(), ..outcome }
        }
        Err(error) => Outcome::from(error.reply()),
    }
}

/// The content type of a reply; empty if there was none. HTTP reports it as a field only if it has no code of
/// its own.
fn content_type(outcome: &Outcome) -> &str {
    let field = outcome.trailers.as_ref().and_then(|fields| fields.get_str("content-type"));
    field.unwrap_or(match outcome.content {
        Content::JSON => "application/json",
        Content::PROTOBUF => "application/proto",
        Content::PROTO_TEXT => "application/proto-text",
        Content::PROTO_JSON => "application/proto-json",
        _ => "",
    })
}

//! Calls of stubs by rules of `google.api.http`: over plain HTTP a message travels as verb, path, query and body.
//!
//! The names of the method stay until interceptors and service config have seen them; then path and verb take their place.

use polywire_call::{Compression, Content, Status};
use polywire_exchange::Request;
use polywire_formats::{
    FormatError, Payload, compression,
    rest::{self, Filled, HttpRule, Rule},
};
use polywire_wire::Outcome;
use std::sync::OnceLock;

/// The rules of a method, as generated code has them. They are checked when the method is first called by one.
pub struct HttpRules {
    rules: &'static [HttpRule],
    checked: OnceLock<Result<Vec<Rule<'static>>, String>>,
}

impl HttpRules {
    /// Clients use the first rule by which a message can be sent.
    pub const fn new(rules: &'static [HttpRule]) -> HttpRules {
        HttpRules { rules, checked: OnceLock::new() }
    }

    fn checked<I: Payload, O: Payload>(&'static self) -> Result<&'static [Rule<'static>], Status> {
        let check = || {
            let (Some(request), Some(reply)) = (I::described(), O::described()) else {
                return Err("the method takes no message with fields".to_owned());
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
    /// INVALID_ARGUMENT: no rule can say this message; the text is about the first.
    pub(crate) fn request<I: Payload, O: Payload>(
        &'static self,
        message: &I,
    ) -> Result<(Vec<u8>, ByRule), Status> {
        let encoded = message.encode(Content::PROTOBUF, Compression::NONE, Default::default());
        let mut wire = encoded.map_err(FormatError::request)?;
        let mut first = None;
        for rule in self.checked::<I, O>()? {
            match rule.write(wire.contiguous()) {
                Ok(Filled { target, body }) => {
                    return Ok((body.unwrap_or_default(), ByRule { rule, target }));
                }
                Err(why) => first = first.or(Some(why)),
            }
        }
        Err(Status::invalid_argument(first.unwrap_or_else(|| "the method has no rule".to_owned())))
    }
}

/// What a call says beside its body.
pub(crate) struct ByRule {
    pub rule: &'static Rule<'static>,
    target: String,
}

impl ByRule {
    /// Puts path and verb in the place of the method's names.
    pub fn apply(self, request: &mut Request) -> &'static Rule<'static> {
        request.service = String::new().into();
        request.method = self.target.into();
        request.content = Content::JSON;
        request.metadata.append(":method", self.rule.verb());
        self.rule
    }
}

/// Turns the reply of a call by a rule into the message that it is, and a failure into what its body says.
#[cold]
pub(super) fn read(mut outcome: Outcome, rule: &Rule<'_>, most: usize) -> Outcome {
    if !outcome.status.is_ok() {
        return failed(outcome, most);
    }
    if outcome.content == Content::PROTOBUF {
        return outcome;
    }
    let body = compression::decompress(outcome.compression, std::mem::take(&mut outcome.body), most);
    match body.and_then(|mut body| rule.read_reply(body.contiguous())) {
        Ok(wire) => {
            (outcome.content, outcome.compression) = (Content::PROTOBUF, Compression::NONE);
            Outcome { body: wire.into(), ..outcome }
        }
        Err(error) => Outcome::from(error.reply()),
    }
}

fn failed(mut outcome: Outcome, most: usize) -> Outcome {
    let most = most.min(rest::LONGEST_FAILURE);
    // A body that cannot be read says nothing: the status is that of the head then.
    let body = compression::decompress(outcome.compression, outcome.body.clone(), most);
    let said = body.ok().and_then(|mut body| rest::read_failure(body.contiguous()));
    let Some(said) = said else { return outcome };
    let status = std::mem::take(&mut outcome.status);
    // A server of ours says the code in a field, too, and what clients may do about it.
    outcome.status = match status.code() == said.code() {
        true => {
            let status = status.with_message(said.message());
            let details = if status.details().is_empty() { said.details().to_vec() } else { Vec::new() };
            if details.is_empty() { status } else { status.with_details(details) }
        }
        false => {
            let native = status.native();
            said.with_native(native)
        }
    };
    outcome
}

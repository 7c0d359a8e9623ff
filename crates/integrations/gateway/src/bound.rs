//! A request of plain HTTP whose path, query and body are the fields of a message, by a rule of
//! `google.api.http` that the schema of its method has.

use crate::{
    cluster::Cluster,
    failure::{self, Reason},
    schemas::Found,
};
use polywire_call::Status;
use polywire_formats::{
    FormatError,
    json::{self, Json},
    rest::{Binding, HttpBody, Request, Rule},
    schema::MethodSchema,
};
use polywire_server::Call;
use polywire_wire::Content;

/// What of a request is not its body.
#[derive(Clone)]
pub(crate) struct Bound {
    verb: String,
    /// Path and query.
    target: String,
    /// The content type as it was received.
    content_type: String,
    /// Which rule of its method it is for.
    rule: usize,
    /// Whether the body of the request has bytes of any kind; and that of the reply.
    pub takes_bytes: bool,
    pub answers_bytes: bool,
}

impl Bound {
    /// A call by path of plain HTTP. `None`: its path has the names of service and method.
    ///
    /// # Errors
    /// UNIMPLEMENTED: the schemas have no rule for it any more.
    pub fn of(call: &Call, cluster: &Cluster) -> Result<Option<(Found, Bound)>, Status> {
        let (verb, target) = call.cx.request_line();
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let called = call.cx.called();
        let is_named = path.strip_prefix('/').and_then(|names| names.split_once('/')) == Some(called);
        if is_named && verb == "POST" {
            return Ok(None);
        }
        let found = cluster.known().and_then(|schemas| schemas.by_rule(&verb, path));
        let Some((found, rule)) = found.filter(|(found, _)| found.is(called)) else {
            let text = format!("the schema of {} has no rule for this path", called.0);
            return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
        };
        let mut content_type = String::new();
        call.cx.visit_fields(|name, value| {
            if name.eq_ignore_ascii_case("content-type") {
                content_type = String::from_utf8_lossy(value).into_owned();
            }
        });
        let mut bound = Bound { verb, target, content_type, rule, takes_bytes: false, answers_bytes: false };
        if let Some(rule) = bound.rule(found.method()) {
            (bound.takes_bytes, bound.answers_bytes) = (rule.takes_bytes(), rule.answers_bytes());
        }
        Ok(Some((found, bound)))
    }

    /// The message of a request, in protobuf.
    ///
    /// # Errors
    /// INVALID_ARGUMENT: the request does not fit the rule.
    pub fn read(
        &self,
        method: MethodSchema<'_>,
        body: &[u8],
        content: Content,
        json: Json,
    ) -> Result<Vec<u8>, Status> {
        let rule = self.rule(method).ok_or_else(|| Status::internal("a request without its rule"))?;
        let Bound { verb, target, content_type, .. } = self;
        rule.read(&Request { verb, target, body, content_type, content, json })
    }

    /// The body of a reply, a message in protobuf; and its content type, unless it is JSON.
    ///
    /// # Errors
    /// The message is none of the method, or too long.
    pub fn write(
        &self,
        method: MethodSchema<'_>,
        wire: &[u8],
        json: Json,
        longest: usize,
    ) -> Result<(Vec<u8>, Option<String>), FormatError> {
        let Some(rule) = self.rule(method) else { return Err(FormatError::UnknownContent(Content::RAW)) };
        if self.answers_bytes {
            let HttpBody { content_type, data, .. } = rule.reply_bytes(wire)?;
            return Ok((data.to_vec(), Some(content_type)));
        }
        if let Some(field) = rule.reply_field(wire, json, longest) {
            return Ok((field?, None));
        }
        Ok((json::from_wire_exactly(method.output, wire, json.style(), longest)?, None))
    }

    fn rule<'p>(&self, method: MethodSchema<'p>) -> Option<Rule<'p>> {
        let rules = Binding::of_option(method.http).ok()?;
        Rule::new(rules.get(self.rule)?, method.input, method.output).ok()
    }
}

//! ubrpc as a dialect of nshead.

use super::envelope::{self, Content as Envelope, Wrong};
use super::{ANY, REQUEST_NAME, RESPONSE_NAME, RESULT};
use crate::brpc_error::{bounded, error_code};
use crate::name::Name;
use crate::nshead::{
    Dialect, Head, Place, Refused, Request, log_id, provider, put_frame, put_name, put_reply,
};
use crate::reply_fields;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Compression, Content, Outcome, Outgoing, Refusal, Target};

/// ubrpc; `COMPACK` says how messages are written.
#[derive(Default)]
pub(super) struct Ubrpc<const COMPACK: bool> {
    service: Name,
    method: Name,
    /// Server: id of the current request, 0 while it is not known.
    id: i64,
    /// Server: the name of its message, if it is not the usual one.
    request_name: Option<Vec<u8>>,
    /// Client: the name of the current call's message in `result_params`.
    reply_name: String,
}

/// "Client: version = 1000"
const VERSION: u16 = 1000;

/// "Defaults req and res"
const REQUEST: &str = "req";
const RESPONSE: &str = "res";

impl<const COMPACK: bool> Dialect for Ubrpc<COMPACK> {
    const NAME: &'static str = if COMPACK { "ubrpc_compack" } else { "ubrpc_mcpack2" };
    const HEAD_NAMES: bool = false;
    const COUNTS_RELAYS: bool = true;

    fn read_head(&mut self, _head: &Head) -> Compression {
        self.id = 0;
        Compression::NONE
    }

    fn read_request(&mut self, _head: &Head, mut body: IoBuf) -> Result<Request, Refused> {
        let message = self.read_call(body.contiguous());
        let message = message.map_err(|Wrong(what)| Refused::Answer(brpc::status(brpc::EREQUEST, what)))?;
        let content = Self::content();
        Ok(Request { body: message.cut(body), content, compression: Compression::NONE })
    }

    fn target(&self) -> Target<'_> {
        Target::Method { service: &self.service, method: &self.method }
    }

    fn put_fields(&self, raw: &mut Vec<u8>) {
        if let Some(name) = &self.request_name {
            put_name(raw, name);
        }
    }

    fn put_reply(&mut self, out: &mut Output, head: Head, outcome: &Outcome) -> Result<(), Status> {
        let fields = outcome.trailers.as_deref();
        let field = |name| fields.and_then(|fields| fields.get_str(name));
        let result = field(RESULT).and_then(|text| text.parse().ok());
        let (name, message) = (field(RESPONSE_NAME).unwrap_or(RESPONSE), outcome.message());
        if message.is_empty() {
            return Err(brpc::status(
                brpc::ERESPONSE,
                "the reply is not the body of an object: its field count is missing",
            ));
        }
        let rest: Option<Metadata> = fields
            .map(|fields| fields.iter().filter(|(name, _)| ![RESULT, RESPONSE_NAME].contains(name)).collect())
            .filter(|rest: &Metadata| !rest.is_empty());
        let prefix = envelope::reply(self.id, result, name, rest.as_ref(), message.len());
        let prefix = prefix.map_err(|error| error.reply())?;
        put_reply(out, &head, &prefix, &message)
    }

    fn put_failure(
        &mut self,
        out: &mut Output,
        head: Head,
        status: &Status,
        trailers: Option<&Metadata>,
    ) -> bool {
        let fields = reply_fields::of_failure(error_code(status), status, trailers);
        // brpc's clients take a failure with an empty text for a success.
        let text = if status.message().is_empty() { "failed" } else { bounded(status.message()) };
        let prefix = envelope::failure(self.id, error_code(status), text, &fields);
        let Ok(prefix) = prefix else { return false };
        put_frame(out, &head, &prefix, &IoBuf::new()).is_ok()
    }

    fn put_request(&mut self, out: &mut Output, id: u64, call: &Outgoing<'_>) -> Result<(), Refusal> {
        if call.compression != Compression::NONE {
            return Err(Refusal::Compression);
        }
        let object = matches!(call.content, Content::MCPACK | Content::COMPACK) && !call.body.is_empty();
        if !object || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        let name = |name, usual| call.metadata.get_str(name).unwrap_or(usual);
        let said = envelope::Call {
            service: call.service.rsplit('.').next().unwrap_or(call.service),
            id: id as i64,
            method: call.method,
            name: name(REQUEST_NAME, REQUEST),
        };
        let prefix = envelope::request(&said, call.body.len()).map_err(|_| Refusal::TooLarge)?;
        let (log_id, provider) = (log_id(call.metadata), provider(call.metadata));
        let head = Head { version: VERSION, log_id, provider, ..Head::default() };
        put_frame(out, &head, &prefix, call.body)?;
        self.reply_name.clear();
        self.reply_name.push_str(name(RESPONSE_NAME, RESPONSE));
        Ok(())
    }

    /// "id is not checked (one outstanding call)."
    fn read_reply(&mut self, _head: &Head, mut body: IoBuf) -> Option<Outcome> {
        let read = self.read_outcome(body.contiguous());
        Some(match read {
            Ok(Reply::Failed { status, trailers }) => Outcome { status, trailers, ..Outcome::default() },
            Ok(Reply::Message { message, name, result, mut trailers }) => {
                if let Some(name) = name {
                    trailers.get_or_insert_default().append(RESPONSE_NAME, name);
                }
                if let Some(result) = result {
                    trailers.get_or_insert_default().append(RESULT, itoa::Buffer::new().format(result));
                }
                let (body, content) = (message.cut(body), Self::content());
                Outcome { body, content, trailers, reply: true, ..Outcome::default() }
            }
            Err(Wrong(what)) => brpc::status(brpc::ERESPONSE, what).into(),
        })
    }
}

/// The content of a reply.
enum Reply {
    Failed {
        status: Status,
        trailers: Option<Box<Metadata>>,
    },
    /// `name`: that of the message, if its caller does not know it and it is not the usual one.
    Message {
        message: Place,
        name: Option<Vec<u8>>,
        result: Option<i64>,
        trailers: Option<Box<Metadata>>,
    },
}

impl<const COMPACK: bool> Ubrpc<COMPACK> {
    fn content() -> Content {
        if COMPACK { Content::COMPACK } else { Content::MCPACK }
    }

    /// Stores the names in a request; returns the position of its message.
    fn read_call(&mut self, body: &[u8]) -> Result<Place, Wrong> {
        let mut content = Envelope::default();
        let read = content.read(body);
        self.id = content.id.unwrap_or(0);
        read?;
        for (name, to) in [(content.service, &mut self.service), (content.method, &mut self.method)] {
            if name.is_empty() || to.set(name).is_none() {
                return Err(Wrong("no `service_name` or `method`".into()));
            }
        }
        let (message, name) = content.request_message()?;
        self.request_name = (name != REQUEST.as_bytes()).then(|| name.to_vec());
        Ok(Place::of(message, body))
    }

    fn read_outcome(&self, body: &[u8]) -> Result<Reply, Wrong> {
        let mut content = Envelope::default();
        content.read(body)?;
        let mut trailers = content.fields.and_then(reply_fields::read);
        if let Some(error) = content.error {
            let (code, text) = Envelope::failure(error)?;
            let status = reply_fields::take_failure(code, &String::from_utf8_lossy(text), &mut trailers);
            return Ok(Reply::Failed { status, trailers });
        }
        let (message, name) = match &*self.reply_name {
            ANY => content.any_reply_message()?,
            name => (content.reply_message(name)?, RESPONSE.as_bytes()),
        };
        let (message, result) = (Place::of(message, body), content.result);
        let name = (name != RESPONSE.as_bytes()).then(|| name.to_vec());
        Ok(Reply::Message { message, name, result, trailers })
    }
}

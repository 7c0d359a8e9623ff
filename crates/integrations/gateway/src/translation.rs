//! In which form messages go on: as they are, or translated by the schema of their method.
//!
//! ```text
//!  caller's form   servers' form
//!  protobuf        protobuf       as they are: nothing is looked up
//!  JSON            protobuf       request to protobuf, reply to JSON
//!  protobuf        JSON           the other way round
//!  mcpack          protobuf       request to protobuf, reply to mcpack; so with JSON
//!  protobuf        mcpack         the other way round
//!  mcpack          compack        as they are: who reads one reads the other
//!  Thrift's two protocols         one in the other, see `recoding.rs`
//!  msgpack, struct_pack           as they are, to servers of the same
//! ```
//!
//! There are two mappings of JSON. Canonical is protobuf's own, and that of gRPC's and Connect's servers;
//! where other servers are called, `application/json` has the mapping of brpc.
//!
//! Callers in mcpack name a service without its package; servers behind are told the full name.
//!
//! Limits: what is written has at most four times as many bytes as messages may have.

use crate::{
    bound::Bound,
    cluster::Cluster,
    failure::{self, Reason},
    passage::Passage,
    recoding::Recoding,
    schemas::Found,
    writing::{LONG, Size, kept, written, written_anywhere},
};
use polywire_base::IoBuf;
use polywire_call::{Native, Status};
use polywire_formats::{
    FormatError,
    foreign::{self, is_apart, is_known, is_mcpack, is_thrift},
    json::Json,
    schema::MessageSchema,
};
use polywire_server::{Call, Charge, Context, Forwarded, lines_of};
use polywire_wire::{CONNECT, Compression, Content, GRPC};

/// The limit of what is written, in limits of messages.
const MOST_WRITTEN: usize = 4;
/// The longest text of a failure, in bytes.
const MOST_TEXT: usize = 1000;

/// In which form the messages of one call go on.
pub(crate) enum Form {
    /// As they are, and under this name.
    Same(Content),
    Recoded(Recoding),
    /// Behind a pointer: calls whose messages go on as they are do not carry its size.
    Translated(Box<Translation>),
}

impl Form {
    /// The form for a call to a cluster.
    ///
    /// # Errors
    /// Its messages have no form there.
    pub fn of(call: &mut Call, cluster: &Cluster) -> Result<Form, Status> {
        let sent = cluster.channel.content();
        let is_by_path = lines_of(&call.cx).is_some();
        if call.content == Content::PROTOBUF && sent == Content::PROTOBUF && !is_by_path {
            return Ok(Form::Same(sent));
        }
        let bound = if is_by_path { Bound::of(call, cluster)? } else { None };
        Form::of_other(call, cluster, sent, bound)
    }

    #[cold]
    fn of_other(
        call: &mut Call,
        cluster: &Cluster,
        sent: Content,
        bound: Option<(Found, Bound)>,
    ) -> Result<Form, Status> {
        if bound.as_ref().is_some_and(|(_, bound)| bound.takes_bytes) {
            call.content = Content::JSON; // the reply; the request is bytes
        } else if call.content == Content::RAW && lines_of(&call.cx).is_some() {
            if call.compression == Compression::NONE && !is_perhaps_json(call.body.contiguous()) {
                let text = "the body is neither JSON nor of a content type of ours";
                let status = Status::invalid_argument(text).with_native(Native::Http(415));
                return Err(failure::own(Reason::Translate, status));
            }
            call.content = Content::JSON; // `curl -d` has another name for it
        }
        let (from, longest) = (call.content, MOST_WRITTEN.saturating_mul(call.max_message as usize));
        if is_apart(from) || is_apart(sent) {
            return match call.stream {
                None if from == sent => Ok(Form::Same(sent)),
                None if is_thrift(from) && is_thrift(sent) => {
                    Ok(Form::Recoded(Recoding { from, sent, longest }))
                }
                _ => {
                    let text =
                        format!("messages in {} are not relayed to servers of {}", from.name(), sent.name());
                    Err(failure::own(Reason::Translate, Status::unimplemented(text)))
                }
            };
        }
        if !is_known(from) {
            let text = format!(
                "messages in {} are not relayed, only those in protobuf, JSON, mcpack, Thrift, msgpack and struct_pack",
                from.name()
            );
            return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
        }
        let is_canonical = [GRPC, CONNECT].contains(&cluster.channel.system());
        let translated = |found, bound, longest| {
            let json = if is_canonical { Json::CANONICAL } else { Json::DEFAULT };
            Ok(Form::Translated(Box::new(Translation { found, bound, from, sent, json, longest })))
        };
        if let Some((found, bound)) = bound {
            return translated(found, Some(bound), longest);
        }
        if Passage::is_unread(from, sent) {
            return Ok(Form::Same(sent));
        }
        let Some(schemas) = cluster.known() else {
            return match from {
                _ if is_mcpack(from) || is_mcpack(sent) => Err(not_known(call, from)),
                // Servers of plain HTTP read both, and so do those of Connect.
                Content::PROTOBUF => Ok(Form::Same(from)),
                _ if sent == Content::JSON => Ok(Form::Same(from)),
                _ if sent == Content::PROTO_JSON || cluster.channel.system() == CONNECT => {
                    Ok(Form::Same(Content::PROTO_JSON))
                }
                _ => Err(not_known(call, from)),
            };
        };
        if is_json(from) && sent == Content::PROTO_JSON {
            return Ok(Form::Same(sent)); // only its name is another
        }
        let found = match is_mcpack(from) {
            true => schemas.find_short(call.cx.called()),
            false => schemas.find(call.cx.called()),
        };
        let found = found.and_then(|found| match found.lacks_names([from, sent]) {
            true => Err(guessed(call)),
            false => Ok(found),
        });
        translated(found.map_err(|status| failure::own(Reason::Translate, status))?, None, longest)
    }

    /// What messages are to the servers.
    pub fn sent(&self) -> Content {
        match self {
            Form::Same(content) => *content,
            Form::Recoded(recoding) => recoding.sent,
            Form::Translated(translation) => translation.sent,
        }
    }

    /// The names of service and method, as servers are told them.
    pub fn called<'f>(&'f self, cx: &'f Context) -> (&'f str, &'f str) {
        match self {
            Form::Same(_) | Form::Recoded(_) => cx.called(),
            Form::Translated(translation) => {
                let method = translation.found.method();
                (method.service, method.method)
            }
        }
    }

    pub fn translation(&self) -> Option<&Translation> {
        match self {
            Form::Same(_) | Form::Recoded(_) => None,
            Form::Translated(translation) => Some(translation),
        }
    }

    pub fn recoding(&self) -> Option<Recoding> {
        match self {
            Form::Recoded(recoding) => Some(*recoding),
            Form::Same(_) | Form::Translated(_) => None,
        }
    }
}

#[cold]
fn not_known(call: &Call, from: Content) -> Status {
    let ((service, _), form) = (call.cx.called(), if is_json(from) { "JSON" } else { from.name() });
    let text = format!("schema of {service} is not known: the relay has none to translate {form}");
    failure::own(Reason::Translate, Status::unimplemented(text))
}

#[cold]
fn guessed(call: &Call) -> Status {
    let service = call.cx.called().0;
    let text =
        format!("the schema of {service} is guessed, without the names that mcpack has for its fields");
    Status::unimplemented(text)
}

/// A request for the copy of a call to servers that read another form, with the names that they have for its
/// method. `None`: their schemas do not have it, it is none of them, or it is long.
pub(crate) fn copied(
    cluster: &Cluster,
    called: (&str, &str),
    content: Content,
    mut bytes: IoBuf,
) -> Option<(Found, IoBuf)> {
    let found = cluster.known()?.find_short(called).ok().filter(|_| bytes.len() < LONG)?;
    let (message, longest, sent) = (found.method().input, MOST_WRITTEN * LONG, cluster.channel.content());
    if found.lacks_names([content, sent]) {
        return None;
    }
    let wire = foreign::to_wire(message, bytes.contiguous(), content, Json::DEFAULT, longest).ok()?;
    let written = foreign::from_wire(message, wire, sent, Json::DEFAULT, longest).ok()?.into();
    Some((found, written))
}

fn is_json(content: Content) -> bool {
    matches!(content, Content::JSON | Content::PROTO_JSON)
}

/// Translates the messages of one call.
#[derive(Clone)]
pub(crate) struct Translation {
    found: Found,
    /// Where the fields of its request are, if not all in the body.
    bound: Option<Bound>,
    /// What the caller sends and reads.
    from: Content,
    /// What the servers read and send.
    sent: Content,
    /// What [`Content::JSON`] is.
    json: Json,
    longest: usize,
}

impl Translation {
    /// At most `longest` bytes.
    ///
    /// # Errors
    /// INVALID_ARGUMENT: the bytes are no request of the method.
    fn request(&self, mut bytes: IoBuf, longest: usize) -> Result<IoBuf, Status> {
        let method = self.found.method();
        let (message, bytes) = (method.input, bytes.contiguous());
        let translated = match &self.bound {
            None => self.convert(message, bytes, (self.from, self.sent), longest),
            Some(bound) => {
                let read = bound.read(method, bytes, self.from, self.json);
                let wire = read.map_err(|status| failure::own(Reason::Translate, status))?;
                self.convert(message, &wire, (Content::PROTOBUF, self.sent), longest)
            }
        };
        translated.map(IoBuf::from).map_err(|error| {
            let text = self.said("request", message, &error);
            failed(&error, Status::invalid_argument(text))
        })
    }

    /// A message of the server, which has said what it is, in at most `longest` bytes; and its content type
    /// for the caller, if it is another one than that of the call.
    ///
    /// # Errors
    /// INTERNAL: the bytes are no reply of the method.
    fn reply(
        &self,
        content: Content,
        mut bytes: IoBuf,
        longest: usize,
    ) -> Result<(IoBuf, Option<String>), Status> {
        let json = self.json_of(self.from);
        let bound = self.bound.as_ref().zip(json);
        if content == self.from && bound.is_none() {
            return Ok((bytes, None));
        }
        let method = self.found.method();
        let (message, bytes) = (method.output, bytes.contiguous());
        let translated = match bound {
            _ if !is_known(content) => Err(FormatError::UnknownContent(content)),
            None => self.convert(message, bytes, (content, self.from), longest).map(|body| (body, None)),
            Some((bound, json)) => self
                .convert(message, bytes, (content, Content::PROTOBUF), longest)
                .and_then(|wire| bound.write(method, &wire, json, longest)),
        };
        let translated = translated.map_err(|error| {
            let text = self.said("reply", message, &error);
            failed(&error, Status::internal(text))
        });
        translated.map(|(body, content_type)| (body.into(), content_type))
    }

    fn size_of_request(&self, message: &IoBuf) -> Size {
        let grows = self.sent != Content::PROTOBUF;
        Size { bytes: message.len(), grows, longest: self.longest, blame: FormatError::request }
    }

    fn size_of_reply(&self, content: Content, message: &IoBuf) -> Size {
        let grows = content == Content::PROTOBUF;
        Size { bytes: message.len(), grows, longest: self.longest, blame: FormatError::reply }
    }

    /// A request of a stream. What it becomes is charged until it has been sent.
    ///
    /// # Errors
    /// INVALID_ARGUMENT: the bytes are no request of the method. RESOURCE_EXHAUSTED: the budget has no room.
    pub fn streamed_request(&self, forwarded: &mut Forwarded, message: IoBuf) -> Result<IoBuf, Status> {
        let write = |longest| Ok((self.request(message.clone(), longest)?, ()));
        let (message, (), charge) = written(forwarded, self.size_of_request(&message), write)?;
        Ok(kept(message, charge))
    }

    /// A reply of a stream, with the charge for it.
    ///
    /// # Errors
    /// INTERNAL: the bytes are no reply of the method. RESOURCE_EXHAUSTED: the budget has no room.
    pub fn streamed_reply(
        &self,
        forwarded: &mut Forwarded,
        content: Content,
        message: IoBuf,
    ) -> Result<(IoBuf, Option<Charge>), Status> {
        let write = |longest| self.reply(content, message.clone(), longest);
        let (message, _, charge) = written(forwarded, self.size_of_reply(content, &message), write)?;
        Ok((message, charge))
    }

    /// [`Translation::streamed_request`] of a call with one message, which may be long.
    ///
    /// # Errors
    /// As there.
    pub async fn whole_request(&self, mut forwarded: Forwarded, message: IoBuf) -> Result<IoBuf, Status> {
        if message.len() < LONG {
            return self.streamed_request(&mut forwarded, message);
        }
        let (translation, size) = (self.clone(), self.size_of_request(&message));
        let write = move |longest| Ok((translation.request(message.clone(), longest)?, ()));
        let (message, (), charge) = written_anywhere(forwarded, size, write).await?;
        Ok(kept(message, charge))
    }

    /// The reply of a call with one message, which may be long; and its content type for the caller, if it is
    /// another one than that of the call.
    ///
    /// # Errors
    /// As for [`Translation::streamed_reply`].
    pub async fn whole_reply(
        &self,
        mut forwarded: Forwarded,
        content: Content,
        message: IoBuf,
    ) -> Result<(IoBuf, Option<String>), Status> {
        let size = self.size_of_reply(content, &message);
        if message.len() < LONG {
            let write = |longest| self.reply(content, message.clone(), longest);
            let (body, content_type, _charge) = written(&mut forwarded, size, write)?;
            return Ok((body, content_type));
        }
        let translation = self.clone();
        let write = move |longest| translation.reply(content, message.clone(), longest);
        let (body, content_type, _charge) = written_anywhere(forwarded, size, write).await?;
        Ok((body, content_type))
    }

    /// The mapping of content that is JSON.
    fn json_of(&self, content: Content) -> Option<Json> {
        match content {
            Content::JSON => Some(self.json),
            Content::PROTO_JSON => Some(Json::CANONICAL),
            _ => None,
        }
    }

    fn convert(
        &self,
        message: MessageSchema<'_>,
        bytes: &[u8],
        (from, to): (Content, Content),
        longest: usize,
    ) -> Result<Vec<u8>, FormatError> {
        let wire = foreign::to_wire(message, bytes, from, self.json, longest)?;
        foreign::from_wire(message, wire, to, self.json, longest)
    }

    /// The text of a failure. What it quotes of the message may be as long as the message, for which a head
    /// has no room.
    #[cold]
    fn said(&self, what: &str, message: MessageSchema<'_>, error: &FormatError) -> String {
        if !matches!(error, FormatError::TooLarge { .. }) {
            self.found.misfit();
        }
        let text = format!("the {what} is no {}: {error}", message.full_name());
        polywire_call::bounded(&text, MOST_TEXT).to_owned()
    }

    /// Whether a reply is the bytes of its body, of any kind.
    pub fn answers_bytes(&self) -> bool {
        self.bound.as_ref().is_some_and(|bound| bound.answers_bytes)
    }

    /// Whether the method takes several messages.
    pub fn takes_many(&self) -> bool {
        self.found.method().client_streaming
    }

    /// Whether the method streams in any direction.
    pub fn streams(&self) -> bool {
        self.takes_many() || self.found.method().server_streaming
    }
}

#[cold]
fn failed(error: &FormatError, status: Status) -> Status {
    match error {
        FormatError::TooLarge { .. } => {
            failure::own(Reason::TooLarge, Status::resource_exhausted(status.message()))
        }
        _ => failure::own(Reason::Translate, status),
    }
}

/// Whether a body may be JSON, whose content type need not say it: it is empty, or begins like an object or
/// an array, or like another value where a message has that form.
fn is_perhaps_json(bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_none_or(|first| matches!(first, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'))
}

//! Reads dump files, and makes a call of each record.

use super::{Arguments, http_text::HttpText};
use crate::failure::Failure;
use bytes::{Bytes, BytesMut};
use polywire::{Channel, Compression, Content, Target};
use polywire_dump::{Folder, Meta, Reader, Record};
use polywire_protocols::nshead;
use polywire_wire::{DumpForm, Sniffed};
use std::collections::BTreeMap;

/// The maximum number of bytes of requests that are kept in memory.
const MOST_BYTES: usize = 2 << 30;

/// The requests of dump files that can be sent.
pub struct Recorded {
    pub requests: Vec<Request>,
    /// The ways of sending requests; [`Request::protocol`] is an index into them.
    protocols: Vec<Sent>,
    /// The requests that were left out, with the reasons.
    pub notes: Vec<String>,
}

/// The protocol over which requests are sent, and the one that they were recorded from. The two differ for
/// protocols whose requests are recorded as whole frames; requests of different recorded protocols must not
/// share a connection, since a server decides by the first frame which one it speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sent {
    by: &'static str,
    kind: &'static str,
}

/// A request that can be sent.
pub struct Request {
    pub protocol: usize,
    pub target: Target,
    /// The name of the call as it is printed.
    pub name: String,
    pub body: Bytes,
    pub attachment: Bytes,
    pub compression: Compression,
    /// The content type; `None`: the protocol's.
    pub content: Option<Content>,
    pub fields: Vec<(String, Bytes)>,
    /// Whether the reply to the request is a Redis reply.
    pub is_redis: bool,
    /// Whether the reply is a stream.
    pub streams: bool,
}

impl Recorded {
    /// Reads all files. Requests that cannot be sent are noted once for each reason.
    ///
    /// # Errors
    /// A folder or file cannot be opened.
    pub fn load(arguments: &Arguments) -> Result<Recorded, Failure> {
        let mut recorded = Recorded { requests: Vec::new(), protocols: Vec::new(), notes: Vec::new() };
        let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
        let mut bytes = 0;
        for path in &arguments.paths {
            let of = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
            for file in Folder::open(path).map_err(of)? {
                let mut reader = Reader::open(&file).map_err(of)?;
                for record in reader.by_ref() {
                    let record = match record {
                        Ok(record) => record,
                        Err(error) => {
                            let text = format!("{}: {error}; the rest of it is left out", file.display());
                            recorded.notes.push(text);
                            break;
                        }
                    };
                    bytes += record.payload.len();
                    if bytes > MOST_BYTES {
                        return Err(Failure::usage("more than 2 GiB of requests: name fewer files"));
                    }
                    if let Err(why) = recorded.add(record) {
                        *left_out.entry(why).or_default() += 1;
                    }
                }
                if reader.is_truncated() {
                    recorded.notes.push(format!("{}: it ends within a record", file.display()));
                }
            }
        }
        let note = |(why, n)| format!("{n} {} left out: {why}", if n == 1 { "record" } else { "records" });
        recorded.notes.extend(left_out.into_iter().map(note));
        Ok(recorded)
    }

    /// The names of the protocols.
    pub fn protocols(&self) -> Vec<&'static str> {
        self.protocols.iter().map(|protocol| protocol.kind).collect()
    }

    /// A channel for each protocol.
    ///
    /// # Errors
    /// An invalid address.
    pub fn channels(&self, server: &str, arguments: &Arguments) -> Result<Vec<Channel>, Failure> {
        self.protocols.iter().map(|protocol| arguments.channel(server, protocol.by)).collect()
    }

    fn add(&mut self, record: Record) -> Result<(), String> {
        let (protocol, request) = request(record)?;
        let known = self.protocols.iter().position(|known| *known == protocol);
        let index = known.unwrap_or_else(|| {
            self.protocols.push(protocol);
            self.protocols.len() - 1
        });
        self.requests.push(Request { protocol: index, ..request });
        Ok(())
    }
}

/// The call in a record, and the protocol over which it is made.
///
/// # Errors
/// Why it cannot be sent.
fn request(record: Record) -> Result<(Sent, Request), String> {
    let protocols = polywire_protocols::builtin();
    let number = record.meta.protocol_type.unwrap_or(0);
    let protocol = match (&record.meta.own.protocol, number) {
        (Some(name), _) => {
            protocols.find(name).ok_or_else(|| format!("this program has no protocol {name:?}"))?
        }
        (None, 0) => return Err("it names no protocol".into()),
        (None, number) => protocols
            .iter()
            .find(|protocol| protocol.dump_number == u32::try_from(number).ok())
            .ok_or_else(|| format!("this program cannot replay brpc's protocol number {number}"))?,
    };
    if protocol.server_only {
        return Err(format!("this program has no client of {}, whose drivers are others'", protocol.name));
    }
    let (message, attachment) = record.split();
    let compression = record.meta.compression();
    let Meta { service, method, method_index, user_data, nshead: head, own, .. } = record.meta;
    let (service, method) = (service.unwrap_or_default(), method.unwrap_or_default());
    let mut request = Request {
        protocol: 0,
        name: format!("{service}/{method}"),
        target: Target::named(service.clone(), method.clone()),
        body: message,
        attachment,
        compression,
        content: own.content.map(Content),
        fields: own.fields,
        is_redis: protocol.name == "redis",
        streams: own.streams,
    };
    if own.unfinished {
        return Err("the messages of its stream were not recorded".into());
    }
    if own.protocol.is_some() {
        if let Some(number) = own.number {
            request.target = request.target.at(number);
        }
        by_path(&mut request);
        return Ok((Sent { by: protocol.name, kind: protocol.name }, request));
    }
    let mut kind = protocol.name;
    let unnamed =
        polywire_wire::Head::new(polywire_wire::Target::Path { verb: "POST", path: "/" }, Content::PROTOBUF);
    match (protocol.dumped)(&unnamed).form {
        DumpForm::Position { user_data: field } => {
            let index =
                u32::try_from(method_index.unwrap_or(0)).map_err(|_| "its method has a negative index")?;
            request.target = Target::named(service, method).at(index);
            request.name = format!("{}#{index}", request.name.trim_end_matches('/'));
            if let Some(data) = user_data.filter(|data| !data.is_empty()) {
                request.fields.push((field.to_owned(), data));
            }
        }
        DumpForm::FullName => {
            let (service, method) = method.rsplit_once('.').unwrap_or(("", &method));
            request.name = format!("{service}/{method}");
            request.target = Target::named(service, method);
        }
        DumpForm::HttpText => {
            let text = HttpText::parse(&record.payload).map_err(str::to_owned)?;
            request.name = format!("{} {}", text.verb, text.path);
            request.target = Target::named("", text.path);
            (request.body, request.attachment) = (text.body, Bytes::new());
            request.content = Some(Content::RAW);
            request.fields =
                text.fields.into_iter().map(|(name, value)| (name, Bytes::from(value))).collect();
            request.fields.push((":method".into(), Bytes::from(text.verb)));
        }
        DumpForm::HeadAndBody => {
            let head =
                head.filter(|head| head.len() == nshead::Head::BYTES).ok_or("its head is not of 36 bytes")?;
            let mut frame = BytesMut::from(&head[..]);
            // "magic and body_len recomputed"
            frame[24..28].copy_from_slice(&NSHEAD_MAGIC);
            frame.extend_from_slice(&record.payload);
            let body = record.payload.len() as u32;
            frame[32..36].copy_from_slice(&body.to_le_bytes());
            if let Sniffed::Owner(owner) = protocols.sniff(&frame, |other| other.name != protocol.name) {
                kind = owner.name;
            }
            (request.body, request.attachment) = (frame.freeze(), Bytes::new());
            request.target = Target::fixed(nshead::SERVICE, nshead::METHOD);
            request.name = "nshead".into();
            request.content = Some(Content::RAW);
        }
        DumpForm::Names | DumpForm::Own | DumpForm::Never => {}
    }
    Ok((Sent { by: protocol.name, kind }, request))
}

/// nshead's magic number 0xfb709394, little-endian.
const NSHEAD_MAGIC: [u8; 4] = [0x94, 0x93, 0x70, 0xfb];

/// Fields that a client writes itself, or that belong to the recorded connection.
const OWN: [&str; 21] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "te",
    "content-type",
    "user-agent",
    "grpc-encoding",
    "grpc-accept-encoding",
    "grpc-timeout",
    "accept-encoding",
    "connect-protocol-version",
    "connect-timeout-ms",
    "connect-accept-encoding",
    "content-encoding",
    "x-grpc-web",
    "upgrade",
    "sec-websocket-key",
    "sec-websocket-version",
    "sec-websocket-protocol",
    "sec-websocket-extensions",
];

/// A request that was sent to a path keeps its verb, path and type; for others the fields of the connection
/// are left out.
fn by_path(request: &mut Request) {
    let of = |request: &Request, wanted: &str| {
        let field = request.fields.iter().find(|(name, _)| name == wanted)?;
        Some(String::from_utf8_lossy(&field.1).into_owned())
    };
    let (verb, path) = (of(request, ":method"), of(request, ":path"));
    let is_plain = matches!(request.content, Some(content) if content == Content::RAW);
    let content_type = of(request, "content-type").filter(|_| is_plain);
    request
        .fields
        .retain(|(name, _)| !name.starts_with(':') && !OWN.iter().any(|own| own.eq_ignore_ascii_case(name)));
    if let (Some(verb), Some(path), true) = (verb, path, is_plain) {
        request.name = format!("{verb} {path}");
        request.target = Target::named("", path);
        request.fields.push((":method".into(), verb.into()));
        request.fields.extend(content_type.map(|value| ("content-type".to_owned(), value.into())));
    }
}

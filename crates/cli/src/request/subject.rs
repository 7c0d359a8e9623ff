//! What is called.

use crate::{
    failure::Failure,
    flat,
    peer::PeerArguments,
    rest_rpc,
    schema::{self, SchemaArguments},
};
use polywire::{Channel, Content, Target};
use polywire_formats::schema::MethodSchema;

/// What is called.
#[derive(Clone)]
pub enum Subject {
    Method(MethodSchema<'static>),
    /// A method whose messages are FlatBuffers.
    Flat(flat::Method),
    /// HTTP alone: `/path` or `GET /path`, bodies as they are.
    Path {
        verb: String,
        path: String,
    },
    /// A function of rest_rpc by its name.
    Function {
        name: String,
    },
    /// A command line; of several words if it came from a shell.
    Redis {
        line: String,
    },
}

impl Subject {
    /// Finds out what `name` means on this channel.
    ///
    /// # Errors
    /// An unknown method, with the known ones; a schema that cannot be read.
    pub fn new(
        name: Option<&str>,
        channel: &Channel,
        schemas: &SchemaArguments,
        peer: Option<&PeerArguments>,
    ) -> Result<Self, Failure> {
        match channel.protocol() {
            "redis" => return Ok(Subject::Redis { line: name.unwrap_or("PING").to_owned() }),
            "rest_rpc" => {
                return Ok(Subject::Function { name: name.unwrap_or(rest_rpc::FUNCTION).to_owned() });
            }
            "http" => {
                if let Some(path) = name.and_then(http_path) {
                    return Ok(path);
                }
            }
            _ => {}
        }
        match channel.content() {
            Content::FLATBUFFERS => return Subject::flat(name, schemas),
            _ if schemas.fbs.is_empty() => {}
            // In place of protobuf, as gRPC for C++ sends them.
            Content::PROTOBUF => return Subject::flat(name, schemas),
            _ => {
                let text = "--fbs: not over this protocol; fb_rpc and grpc:flatbuffers send FlatBuffers";
                return Err(Failure::usage(text));
            }
        }
        let usual = match channel.protocol() {
            "streaming_rpc" => "example.StreamService/Chat",
            _ => "example.EchoService/Echo",
        };
        let name = name.unwrap_or(usual);
        Ok(Subject::Method(schema::method(name, schemas, peer)?))
    }

    fn flat(name: Option<&str>, schemas: &SchemaArguments) -> Result<Self, Failure> {
        flat::Method::find(name.unwrap_or(flat::METHOD), schemas).map(Subject::Flat)
    }

    /// What a channel is told. Made once: the names are kept until the program ends.
    pub fn target(&self) -> Target {
        match self {
            Subject::Method(method) => Target::fixed(method.service, method.method).at(method.index),
            Subject::Flat(method) => method.target(),
            Subject::Path { path, .. } => Target::fixed("", path.clone().leak()),
            Subject::Function { name } => {
                let id = polywire::rest_rpc::function_id(name);
                Target::fixed(polywire::rest_rpc::SERVICE, name.clone().leak()).at(id)
            }
            Subject::Redis { .. } => Target::fixed("", ""),
        }
    }

    /// The HTTP verb, where it is not POST.
    pub fn verb(&self) -> Option<&str> {
        match self {
            Subject::Path { verb, .. } if verb != "POST" => Some(verb),
            _ => None,
        }
    }

    /// The method, if a call of it has more than one message in some direction.
    pub fn streaming(&self) -> Option<MethodSchema<'static>> {
        match self {
            Subject::Method(method) if method.client_streaming || method.server_streaming => Some(*method),
            _ => None,
        }
    }

    pub fn is_redis(&self) -> bool {
        matches!(self, Subject::Redis { .. })
    }

    /// As one would type it.
    pub fn name(&self) -> String {
        match self {
            Subject::Method(method) => schema::full_name(*method),
            Subject::Flat(method) => method.name(),
            Subject::Path { verb, path } => format!("{verb} {path}"),
            Subject::Function { name } => name.clone(),
            Subject::Redis { line } => line.clone(),
        }
    }
}

/// `/path`, which means POST, or `VERB /path`.
fn http_path(name: &str) -> Option<Subject> {
    let (verb, path) = name.split_once(' ').unwrap_or(("POST", name));
    let is_verb = !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_uppercase());
    // "/package.Service/Method" is a path too, and means what it says.
    (is_verb && path.starts_with('/')).then(|| Subject::Path { verb: verb.to_owned(), path: path.to_owned() })
}

/// A request for those who give none.
pub fn sample(method: MethodSchema<'_>) -> &'static str {
    match method.input.full_name() {
        "example.EchoRequest" => r#"{"message":"hello"}"#,
        "example.Line" => r#"{"message":"hello"}"#,
        "example.RepeatRequest" => r#"{"message":"hello","count":3}"#,
        "helloworld.HelloRequest" => r#"{"name":"world"}"#,
        "test.BenchmarkMessage" => r#"{"opcode":0,"echoAttachment":0,"attachmentSize":0,"requestId":1}"#,
        _ => "{}",
    }
}

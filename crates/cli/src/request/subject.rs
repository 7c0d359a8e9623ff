//! What is called.

use super::{Method, http_path::Path};
use crate::{
    failure::Failure,
    flat,
    peer::PeerArguments,
    protocols::{self, FLAT_ECHO, Sample},
    schema::SchemaArguments,
};
use polywire::{Channel, Content, Raw, Target};
use polywire_formats::schema::MethodSchema;
use std::sync::Arc;

/// What is called: a method, a path, a function, a command. It makes bodies of what one types, and text of replies.
pub trait Subject: Send + Sync {
    /// What a channel is told. Made once: the names are kept until the program ends.
    fn target(&self) -> Target;

    /// As one would type it.
    fn name(&self) -> String;

    /// Bodies of requests in a channel's form. `input`: values one after another, or the name of a file with them; without
    /// it a sample.
    ///
    /// # Errors
    /// Input that does not fit, with the place.
    fn requests(&self, input: Option<&str>, content: Content) -> Result<Vec<Vec<u8>>, Failure>;

    /// A reply as one reads it. Ends without a line end, except for bodies that have one.
    ///
    /// # Errors
    /// A reply that is not what the method answers with.
    fn reply(&self, reply: Raw) -> Result<String, String>;

    /// The HTTP verb, where it is not POST.
    fn verb(&self) -> Option<&str> {
        None
    }

    /// The method, if a call of it has more than one message in some direction.
    fn streaming(&self) -> Option<MethodSchema<'static>> {
        None
    }

    /// Replies are RESP: one that begins with `-` or `!` is an error.
    fn is_redis(&self) -> bool {
        false
    }
}

/// What somebody wants to call.
pub struct Asked<'a> {
    /// As the user typed it.
    pub name: Option<&'a str>,
    pub channel: &'a Channel,
    pub schemas: &'a SchemaArguments,
    /// Who may be asked for schemas.
    pub peer: Option<&'a PeerArguments>,
    /// What the program knows of the channel's protocol.
    pub sample: &'static Sample,
}

/// Finds out what `name` means on this channel.
///
/// # Errors
/// An unknown method, with the known ones; a schema that cannot be read.
pub fn find(
    name: Option<&str>,
    channel: &Channel,
    schemas: &SchemaArguments,
    peer: Option<&PeerArguments>,
) -> Result<Arc<dyn Subject>, Failure> {
    let sample = protocols::find(channel.protocol());
    (sample.carries)(&Asked { name, channel, schemas, peer, sample })
}

/// A protocol that carries messages of methods, protobuf or FlatBuffers.
pub fn messages(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    let flat = || {
        let method = flat::Method::find(asked.name.unwrap_or(FLAT_ECHO), asked.schemas)?;
        Ok(Arc::new(method) as Arc<dyn Subject>)
    };
    match asked.channel.content() {
        Content::FLATBUFFERS => return flat(),
        _ if asked.schemas.fbs.is_empty() => {}
        // In place of protobuf, as gRPC for C++ sends them.
        Content::PROTOBUF => return flat(),
        _ => {
            let text = "--fbs: not over this protocol; fb_rpc and grpc:flatbuffers send FlatBuffers";
            return Err(Failure::usage(text));
        }
    }
    let name = asked.name.unwrap_or(asked.sample.method);
    Ok(Arc::new(Method::find(name, asked.schemas, asked.peer)?))
}

/// HTTP, which carries bodies of any path as well.
pub fn messages_or_paths(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    match asked.name.and_then(Path::parse) {
        Some(path) => Ok(Arc::new(path)),
        None => messages(asked),
    }
}

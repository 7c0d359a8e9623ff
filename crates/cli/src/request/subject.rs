//! The method, path, function or command that is called.

use super::{FormArguments, Method, http_path::Path};
use crate::{
    failure::Failure,
    flat,
    peer::PeerArguments,
    protocols::{self, FLAT_ECHO, Sample},
};
use polywire::{Channel, Content, Raw, Target};
use polywire_formats::schema::MethodSchema;
use std::sync::Arc;

/// A method, a path, a function or a command. It converts what the user types to bodies, and replies to text.
pub trait Subject: Send + Sync {
    /// The target for the channel. Made once: the names are kept until the program ends.
    fn target(&self) -> Target;

    /// The name as the user would type it.
    fn name(&self) -> String;

    /// Bodies of requests in a channel's encoding. `input`: values one after another, or the name of a file
    /// with them; without it a sample.
    ///
    /// # Errors
    /// Input that does not fit, with the place.
    fn requests(&self, input: Option<&str>, content: Content) -> Result<Vec<Vec<u8>>, Failure>;

    /// Of each of these bodies the key by which a balancer that hashes chooses its server. Empty: the user
    /// says one.
    fn keys(&self) -> Vec<u64> {
        Vec::new()
    }

    /// A reply as text, without a line end, unless the body has one.
    ///
    /// # Errors
    /// The reply is not of the method's type.
    fn reply(&self, reply: Raw) -> Result<String, String>;

    /// The HTTP verb, where it is not POST.
    fn verb(&self) -> Option<&str> {
        None
    }

    /// The method, if its calls may have more than one message in some direction.
    fn streaming(&self) -> Option<MethodSchema<'static>> {
        None
    }

    /// Whether replies are RESP: one that begins with `-` or `!` is an error.
    fn is_redis(&self) -> bool {
        false
    }
}

/// What the user wants to call.
pub struct Asked<'a> {
    /// The name that the user typed.
    pub name: Option<&'a str>,
    pub channel: &'a Channel,
    pub form: &'a FormArguments,
    /// The server that may be asked for schemas.
    pub peer: Option<&'a PeerArguments>,
    /// The entry for the channel's protocol.
    pub sample: &'static Sample,
}

/// Finds what `name` means on this channel.
///
/// # Errors
/// An unknown method, with the known ones; a schema that cannot be read.
pub fn find(
    name: Option<&str>,
    channel: &Channel,
    form: &FormArguments,
    peer: Option<&PeerArguments>,
) -> Result<Arc<dyn Subject>, Failure> {
    let sample = protocols::find(channel.protocol());
    (sample.carries)(&Asked { name, channel, form, peer, sample })
}

/// For protocols that carry messages of methods, protobuf or FlatBuffers.
pub fn messages(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    let flat = || {
        // Protocols that carry other messages, too, have a sample with those.
        let sample = asked.sample;
        let default = if sample.protocol.starts_with("fb_rpc") { sample.method } else { FLAT_ECHO };
        let method = flat::Method::find(asked.name.unwrap_or(default), &asked.form.schema)?;
        Ok(Arc::new(method) as Arc<dyn Subject>)
    };
    match asked.channel.content() {
        Content::FLATBUFFERS => return flat(),
        _ if asked.form.schema.fbs.is_empty() => {}
        // FlatBuffers in place of protobuf, as gRPC for C++ sends them.
        Content::PROTOBUF => return flat(),
        _ => {
            let text = "--fbs: not over this protocol; fb_rpc and grpc:flatbuffers send FlatBuffers";
            return Err(Failure::usage(text));
        }
    }
    let name = asked.name.unwrap_or(asked.sample.method);
    Ok(Arc::new(Method::find(name, asked.form, asked.peer)?))
}

/// For HTTP, which carries bodies of any path as well.
pub fn messages_or_paths(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    match asked.name.and_then(Path::parse) {
        Some(path) => Ok(Arc::new(path)),
        None => messages(asked),
    }
}

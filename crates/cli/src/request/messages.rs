//! Finds methods whose messages are protobuf or FlatBuffers, and paths of HTTP.

use super::{Asked, Method, Subject, http_path::Path};
use crate::{
    failure::Failure,
    flat::{self, FLAT_ECHO},
};
use polywire::Content;
use std::sync::Arc;

/// For protocols that carry messages of methods, protobuf or FlatBuffers.
pub fn messages(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    let flat = || {
        // Protocols that carry other messages, too, have a sample with those.
        let default = if asked.channel.protocol().starts_with("fb_rpc") { asked.method } else { FLAT_ECHO };
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
    let name = asked.name.unwrap_or(asked.method);
    Ok(Arc::new(Method::find(name, asked.form, asked.peer)?))
}

/// For HTTP, which carries bodies of any path as well.
pub fn messages_or_paths(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    match asked.name.and_then(Path::parse) {
        Some(path) => Ok(Arc::new(path)),
        None => messages(asked),
    }
}

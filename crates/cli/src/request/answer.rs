//! Replies as text.

use super::{Subject, json};
use crate::{redis, rest_rpc};
use polywire::redis::Value;
use polywire::{Raw, Reply};

/// A reply as one reads it: canonical JSON, a body as it came, redis replies as redis-cli prints them. Ends without a
/// line end, except for bodies that have one.
///
/// # Errors
/// A reply that is not what the method answers with.
pub fn text(subject: &Subject, reply: Reply<Raw>) -> Result<String, String> {
    let mut raw = reply.into_message();
    match subject {
        Subject::Method(method) => json::reply(*method, raw).map_err(|error| format!("the reply: {error}")),
        Subject::Flat(method) => method.reply(raw).map_err(|error| format!("the reply: {error}")),
        Subject::Path { .. } => Ok(String::from_utf8_lossy(raw.body.contiguous()).into_owned()),
        Subject::Function { .. } => {
            rest_rpc::reply(raw.content, raw.body.contiguous()).map_err(|error| format!("the reply: {error}"))
        }
        Subject::Redis { .. } => {
            let values = Value::parse_all(raw.body.into_bytes()).map_err(|error| error.to_string())?;
            let mut text: String = values.iter().map(redis::print).collect();
            text.truncate(text.trim_end_matches('\n').len());
            Ok(text)
        }
    }
}

/// Whether the first reply is an error of redis.
pub fn is_redis_error(subject: &Subject, reply: &Reply<Raw>) -> bool {
    subject.is_redis() && matches!(reply.body.front().first(), Some(b'-' | b'!'))
}

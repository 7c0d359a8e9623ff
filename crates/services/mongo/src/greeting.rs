//! The commands that every driver sends by itself, and their replies.
//!
//! Source: MongoDB's specifications "Server Discovery and Monitoring" (`hello` and its older names) and
//!         "MongoDB Handshake"

use crate::{Document, MAX_MESSAGE, array};
use polywire_formats::bson::Value;
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of MongoDB whose protocol is followed, for programs that choose features by it.
pub const COMPATIBLE_WITH: &str = "7.0.0";

/// The version as the number by which drivers choose features.
pub const MAX_WIRE_VERSION: i32 = 21;

/// Longest document that drivers send, in bytes: MongoDB's 16 MiB.
pub const MAX_DOCUMENT: u32 = 16 << 20;

/// The maximum number of bytes that a driver adds to a single document in a message. MongoDB has the same
/// difference between the longest document and the longest command.
const ROOM_FOR_COMMAND: u32 = 16 << 10;

/// Maximum number of documents of one `insert`, `update` or `delete`, MongoDB's own.
const MAX_BATCH: i32 = 100_000;

/// The reply to a command that is answered without the service. `max_message`: longest message that the
/// server takes, in bytes.
pub(crate) fn answer(command: &str, max_message: u32) -> Option<Document> {
    let ok = Document::builder();
    let reply = match command {
        "hello" => sizes(ok.put("helloOk", true).put("isWritablePrimary", true), max_message),
        "isMaster" | "ismaster" => sizes(ok.put("helloOk", true).put("ismaster", true), max_message),
        "buildInfo" | "buildinfo" => {
            let version: [i32; 4] = [7, 0, 0, 0];
            let longest = longest_document(max_message);
            ok.put("version", COMPATIBLE_WITH)
                .put_array("versionArray", &array(version))
                .put("gitVersion", "")
                .put_array("modules", &array(["polywire"]))
                .put("maxBsonObjectSize", longest)
        }
        // There are no sessions: a server that says nothing of their lifetime has none.
        "ping" | "endSessions" => ok,
        _ => return None,
    };
    Some(reply.put("ok", 1.0).build())
}

fn sizes(reply: crate::DocumentBuilder, max_message: u32) -> crate::DocumentBuilder {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    reply
        .put("maxBsonObjectSize", longest_document(max_message))
        .put("maxMessageSizeBytes", number(max_message.min(MAX_MESSAGE)))
        .put("maxWriteBatchSize", MAX_BATCH)
        .put("localTime", Value::DateTime(now.as_millis().try_into().unwrap_or(i64::MAX)))
        .put("minWireVersion", 0)
        .put("maxWireVersion", MAX_WIRE_VERSION)
        .put("readOnly", false)
}

/// The maximum length of a document in a message of this length, with some room for the rest of its command.
fn longest_document(max_message: u32) -> i32 {
    number(max_message.saturating_sub(ROOM_FOR_COMMAND).clamp(1, MAX_DOCUMENT))
}

/// Converts a limit for BSON, which has no unsigned integers; both limits are below 2^31.
fn number(bytes: u32) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

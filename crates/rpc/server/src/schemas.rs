//! The messages of a method, for what binds requests to their fields.

use polywire_formats::{Payload, schema::MessageSchema};

/// Finds the messages of a method, whose descriptions are made when they are first needed.
#[derive(Clone, Copy)]
pub(crate) struct Schemas {
    request: Find,
    reply: Find,
}

type Find = fn() -> Option<MessageSchema<'static>>;

impl Schemas {
    pub fn of<I: Payload, O: Payload>() -> Schemas {
        Schemas { request: I::described, reply: O::described }
    }

    /// The request and the reply; `None`: one is no message of protobuf.
    pub fn get(self) -> Option<(MessageSchema<'static>, MessageSchema<'static>)> {
        Some(((self.request)()?, (self.reply)()?))
    }
}

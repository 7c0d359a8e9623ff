//! What goes on between a protocol of callers and that of a channel, beside names, messages and fields.

use polywire_client::Channel;
use polywire_formats::foreign::{is_mcpack, is_thrift};
use polywire_wire::{CONNECT, Content, GRPC, Protocol};

/// What a relay passes on from the callers of one protocol to one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passage {
    /// Calls that stream, of all kinds. False: only calls of one message each way.
    pub streams: bool,
    /// Whether attachments are passed on, those of requests and those of replies.
    pub attachments: bool,
}

impl Passage {
    /// From callers that speak this protocol as a client does.
    pub fn of<P>(caller: &Protocol, channel: &Channel<P>) -> Passage {
        let streams =
            |system: &str, offers_streams: bool| [GRPC, CONNECT].contains(&system) || offers_streams;
        Passage {
            streams: streams(caller.system(), caller.offers_streams())
                && streams(channel.system(), channel.offers_streams()),
            attachments: Self::attaches(caller.attachments, channel),
        }
    }

    /// Why no call can be relayed to this channel; `None`: calls can.
    pub fn refusal<P>(channel: &Channel<P>) -> Option<String> {
        let is_by_position = channel.addressing().is_by_position();
        let content = channel.content();
        let has_messages =
            channel.calls_any_service() || is_by_position || is_mcpack(content) || is_thrift(content);
        let lacking = match (has_messages, channel.has_fields() || channel.counts_relays()) {
            (false, _) => "whose calls have no service with messages in protobuf, mcpack or Thrift",
            // There is no place for the relays that a call has passed.
            (true, false) => "whose requests have no fields",
            (true, true) => return None,
        };
        Some(format!("calls are not relayed over {}, {lacking}", channel.protocol()))
    }

    /// Whether attachments of callers go on. `caller`: whether their protocol has a place for them.
    pub(crate) fn attaches<P>(caller: bool, channel: &Channel<P>) -> bool {
        caller && channel.has_attachments()
    }

    /// Whether messages of callers in one form are, to servers that read another, the same bytes.
    pub fn is_unread(caller: Content, servers: Content) -> bool {
        caller == servers || is_mcpack(caller) && is_mcpack(servers)
    }
}

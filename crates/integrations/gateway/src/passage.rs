//! What goes on between a protocol of callers and that of a channel, beside names, messages and fields.

use polywire_client::Channel;
use polywire_formats::foreign::{is_apart, is_known, is_mcpack};
use polywire_wire::{CONNECT, Compression, Content, GRPC, Protocol};

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
        let content = channel.content();
        let has_messages = channel.calls_any_service() || is_known(content) || is_apart(content);
        let lacking = match (has_messages, channel.has_fields() || channel.counts_relays()) {
            (false, _) => {
                "whose calls have no service with messages in protobuf, mcpack, Thrift, msgpack or struct_pack"
            }
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

    /// Whether servers read requests in this compression whoever they are, so that these go on as they came.
    /// Servers over HTTP say what they read in replies alone, and many read nothing compressed, as those of
    /// grpc-go by default. Those of the C core take a name that they do not know for a fault of every call
    /// that is compressed afterwards on the connection.
    pub(crate) fn is_read<P>(compression: Compression, channel: &Channel<P>) -> bool {
        let is_known = || !channel.is_over_http() && channel.compressions().contains(compression);
        compression == Compression::NONE || is_known()
    }

    /// Whether messages of callers in one form are, to servers that read another, the same bytes.
    pub fn is_unread(caller: Content, servers: Content) -> bool {
        caller == servers || is_mcpack(caller) && is_mcpack(servers)
    }
}

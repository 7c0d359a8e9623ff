//! What a server is given as its catch-all.

use crate::{
    below::Below,
    failure::{self, Reason},
    hops,
    passage::Passage,
    routes::Routes,
    streams, unary,
};
use arc_swap::ArcSwap;
use polywire_base::IoBuf;
use polywire_call::{Content, Status};
use polywire_client::Channel;
use polywire_formats::compression;
use polywire_server::{Call, CatchAll, Handler, Started};
use polywire_wire::{Compression, Outcome};
use std::sync::Arc;

/// Sends the calls that a server has no method for to a channel, and its answers back:
/// `Server::new().catch_all(Relay::to(channel))`.
///
/// Messages are passed on as they came. Caller and channel may speak different protocols as long as messages
/// are in protobuf in both. Clones are the same relay: one of them goes to the server, another one is kept to
/// [`replace`](Relay::replace) its routes.
#[derive(Clone)]
pub struct Relay {
    routes: Arc<ArcSwap<Routes>>,
    id: hops::Id,
}

impl Relay {
    /// A relay of all calls to the servers of this channel. Its options apply to each call: retries,
    /// balancer, time limit.
    pub fn to<P>(channel: Channel<P>) -> Relay {
        Relay::by(Routes::all_to(channel.retyped()))
    }

    /// A relay to the channels of these routes; calls that none of them is for are refused.
    pub fn by(routes: Routes) -> Relay {
        Relay { routes: Arc::new(ArcSwap::from_pointee(routes)), id: hops::Id::new() }
    }

    /// Uses these routes from the next call on. Calls that have begun end with the channel that they began
    /// with.
    pub fn replace(&self, routes: Routes) {
        self.routes.store(Arc::new(routes));
    }
}

impl CatchAll for Relay {
    fn handler(&self) -> Box<dyn Handler> {
        Box::new(self.clone())
    }
}

/// Each shard has one.
impl Handler for Relay {
    fn start(&self, call: Call) -> Started {
        // A copy of the channel, which outlives its route: until it is dropped, its connections stay open.
        let Some(channel) = self.routes.load().channel(call.cx.called(), call.cx.metadata()).cloned() else {
            return Started::Ready(Outcome::from(failure::no_route()));
        };
        let id = self.id;
        Started::Future(Box::pin(
            async move { relay(call, &channel, id).await.unwrap_or_else(Outcome::from) },
        ))
    }
}

/// Answers one call. A caller that gives up drops this, and with it the call below.
async fn relay(mut call: Call, channel: &Below, id: hops::Id) -> Result<Outcome, Status> {
    if call.content != Content::PROTOBUF {
        let text = format!("messages in {} are not relayed, only those in protobuf", call.content.name());
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if let Some(text) = Passage::refusal(channel) {
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    let hops = id.after(&call.cx)?;
    match call.stream.take() {
        None => unary::relay(call, channel, &hops).await,
        // The one system whose wire does not tell a call with one message from a stream: nor need the relay.
        Some(stream) if Passage::streams_to(channel) => streams::relay(&call, stream, channel, &hops).await,
        Some(stream) => unary::relay_only_message(call, stream, channel, &hops).await,
    }
}

/// A message of the server in a form that the caller reads: as it is, if the caller reads its compression.
///
/// # Errors
/// It is damaged, or longer than the limit of the method.
pub(crate) fn readable(
    call: &Call,
    compression: Compression,
    message: IoBuf,
) -> Result<(IoBuf, Compression), Status> {
    if call.cx.accepts().contains(compression) {
        return Ok((message, compression));
    }
    let plain = compression::decompress(compression, message, call.max_message as usize);
    Ok((plain.map_err(|error| failure::unreadable(error.reply()))?, Compression::NONE))
}

//! The names that fragments may use: those of the crate, and a few services and messages.

pub use polywire::{
    Authenticator, Bounds, Caller, Channel, ClientTls, Context, Duplex, Engine, Fleet, Handler, IoBuf, Json,
    Keepalive, Lifecycle, Limits, Metadata, Method, Origins, Pages, Pooling, Raw, Recording, Reply,
    Resilience, Server, ServerTls, Service, Serving, SharedConnections, Started, Status, Stream, Streaming,
    Target, Timeouts, handler,
};
pub use std::sync::Arc;
pub use std::time::Duration;

polywire::include!();
pub use echo::EchoService as _;

/// The service that most fragments use.
#[derive(Clone)]
pub struct Echo;

impl echo::EchoService for Echo {
    async fn echo(
        &self,
        _: &Context,
        request: echo::EchoRequest,
    ) -> Result<Reply<echo::EchoResponse>, Status> {
        Ok(echo::EchoResponse { message: request.message }.into())
    }
}

pub fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

//! A service as its clients see it.

use crate::{Call, Method, Raw, RawCall};
use polywire_call::Status;
use polywire_client::{Channel, Target};
use polywire_formats::{
    FormatError,
    thrift::{self, Encoding},
};
use polywire_protocols::thrift::ONEWAY;
use std::sync::Arc;

/// A service behind a channel of the protocol `thrift`. Generated clients consist of it. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
    /// The service name that is put before method names, for servers that multiplex.
    service: Option<Arc<str>>,
}

impl Client {
    pub fn new<P>(channel: Channel<P>) -> Self {
        Client { channel: channel.retyped(), service: None }
    }

    /// Calls `service:method` in place of `method`, for a server with several services
    /// (TMultiplexedProcessor).
    pub fn multiplexed(mut self, service: &str) -> Self {
        self.service = Some(service.into());
        self
    }

    /// A call of a method. Its arguments are encoded now.
    #[inline]
    pub fn call<M: Method>(&self, args: &M::Args) -> Call<M> {
        let target = match &self.service {
            None => Target::fixed("", M::NAME),
            Some(service) => Target::named(&**service, M::NAME),
        };
        let target = if M::ONEWAY { target.at(ONEWAY) } else { target };
        let body = self.encoding().and_then(|encoding| thrift::encode(encoding, args));
        Call::new(self.channel.typed(target, body.map_err(FormatError::request)))
    }

    /// Calls a method by its name as it is sent. The argument is the encoded struct of its arguments; the
    /// result is the encoded struct of its result, which may hold a declared exception.
    pub fn raw(&self, method: &str, arguments: Raw) -> RawCall {
        let service = self.service.as_deref().unwrap_or("");
        let body = match self.encoding() {
            Ok(encoding) if encoding == arguments.encoding => Ok(arguments.bytes),
            Ok(_) => Err(Status::invalid_argument("the arguments have another encoding than the channel")),
            Err(error) => Err(error.request()),
        };
        RawCall::new(self.channel.typed(Target::named(service, method), body))
    }

    /// The encoding of the channel's messages.
    fn encoding(&self) -> Result<Encoding, FormatError> {
        let content = self.channel.content();
        Encoding::of(content).ok_or(FormatError::UnknownContent(content))
    }
}

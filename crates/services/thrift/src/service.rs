//! Services of a server.

use crate::{Method as Described, Served};
use polywire_call::Status;
use polywire_formats::{FormatError, thrift};
use polywire_protocols::thrift::{PROTOCOL, Settings, method_id};
use polywire_server::{Call, Handler, Method, Preset, Servable, Server, Started};
use polywire_wire::Outcome;
use std::{marker::PhantomData, sync::Arc};

/// A service of a `.thrift` file, for `Server::new().service(..)`. Generated code makes it.
///
/// Each of its methods is reached as `add`, and as `Calculator:add` by clients that multiplex. If several
/// services of a server have a method of the same name, the service that was added first is reached without
/// its name.
#[must_use]
pub struct Service {
    name: &'static str,
    methods: Vec<Method>,
    settings: Settings,
}

impl Service {
    /// A service without methods, of this name.
    pub fn new(name: &'static str) -> Self {
        Service { name, methods: Vec::new(), settings: Settings::default() }
    }

    /// Adds a method that `service` answers.
    pub fn with<M: Served<Impl>, Impl: Send + Sync + 'static>(mut self, service: &Arc<Impl>) -> Self {
        let service = service.clone();
        let instance = move || -> Box<dyn Handler> {
            Box::new(Called::<M, Impl> { service: Arc::new(service.clone()), method: PhantomData })
        };
        self.methods.push(Method::new(M::NAME, instance));
        self
    }

    /// Sets the service name that multiplexing clients use. Default: that of the `.thrift` file.
    pub fn called(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Sends each reply as soon as it is ready. Default: in the order of the calls of a connection, on which
    /// clients rely that do not compare seqids. It applies to all services of the server.
    pub fn replies_in_any_order(mut self) -> Self {
        self.settings.any_order = true;
        self
    }

    /// Sets options of a method: where it runs, how many of its calls may be in flight.
    ///
    /// # Panics
    /// If there is no method of this name.
    pub fn method(mut self, name: &str, configure: impl FnOnce(Method) -> Method) -> Self {
        let Some(at) = self.methods.iter().position(|method| method.name() == name) else {
            panic!("service {} has no method {name}", self.name);
        };
        let method = configure(self.methods.remove(at));
        self.methods.insert(at, method);
        self
    }
}

impl Servable for Service {
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        let mut service = polywire_server::Service::bound_as(self.name, PROTOCOL.name);
        for method in self.methods {
            let name = method.name();
            let id = method_id(&format!("{}:{name}", self.name));
            service = service.with(method.id(id).alias(method_id(name)));
        }
        let server = server.service(service);
        if self.settings.any_order { server.extension(Arc::new(self.settings)) } else { server }
    }
}

/// One shard's reference to a service, for one of its methods.
struct Called<M, Impl> {
    /// The outer count belongs to this shard alone: calls clone and drop it without touching a cache line
    /// that other shards write.
    #[allow(clippy::redundant_allocation)]
    service: Arc<Arc<Impl>>,
    method: PhantomData<fn() -> M>,
}

impl<M: Served<Impl>, Impl: Send + Sync + 'static> Handler for Called<M, Impl> {
    fn start(&self, mut call: Call) -> Started {
        let service = self.service.clone();
        Started::Future(Box::pin(async move {
            let args = match read::<M>(&mut call) {
                Ok(args) => args,
                Err(status) => return status.into(),
            };
            let replied = M::call(&service, &call.cx, args).await;
            let mut outcome = write::<M>(replied, &call).unwrap_or_else(Outcome::from);
            call.cx.complete(&mut outcome);
            outcome
        }))
    }
}

fn read<M: Described>(call: &mut Call) -> Result<M::Args, Status> {
    let encoding = encoding(call)?;
    thrift::decode(encoding, std::mem::take(&mut call.body)).map_err(FormatError::request)
}

fn write<M: Described>(replied: Result<M::Success, M::Failure>, call: &Call) -> Result<Outcome, Status> {
    let result = M::into_result(replied)?;
    let body = thrift::encode(encoding(call)?, &result).map_err(FormatError::reply)?;
    Ok(Outcome { body, content: call.content, reply: true, ..Outcome::default() })
}

/// The encoding of a request, which is also that of its reply.
#[inline]
pub(crate) fn encoding(call: &Call) -> Result<thrift::Encoding, Status> {
    let encoding = thrift::Encoding::of(call.content);
    encoding.ok_or_else(|| FormatError::UnknownContent(call.content).request())
}

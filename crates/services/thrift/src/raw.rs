//! Calls as bytes: a server that takes any method, as proxies and tools do.

use crate::{Encoding, service};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_protocols::thrift::{METHOD_FIELD, Named, PROTOCOL};
use polywire_server::{Call, Context, Handler, Method, Preset, Servable, Server, Started};
use polywire_wire::Outcome;
use std::{future::Future, marker::PhantomData, sync::Arc};

/// The struct of the arguments of a call, as bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Raw {
    pub bytes: IoBuf,
    pub encoding: Encoding,
}

/// The struct of the result of a call, as bytes: the value with the id 0, or a declared exception.
pub type RawReply = Raw;

/// A service that takes the calls of all methods that no other service of the server has, as bytes.
///
/// ```no_run
/// # async fn forward(_: &str, raw: polywire::thrift::Raw) -> Result<polywire::thrift::RawReply, polywire::Status> { Ok(raw) }
/// use polywire::{Server, thrift};
///
/// let proxy = thrift::Any::new(|_cx, method: String, arguments| async move { forward(&method, arguments).await });
/// let server = Server::new().service(proxy).listen("0.0.0.0:9090");
/// ```
#[must_use]
pub struct Any<F, Fut> {
    handler: F,
    future: PhantomData<fn() -> Fut>,
}

impl<F, Fut> Any<F, Fut>
where
    F: Fn(Arc<Context>, String, Raw) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<RawReply, Status>> + Send + 'static,
{
    /// A service of this function. The function gets the name of the method as it was sent, with the service
    /// before it if a TTHeader names one (`Calculator:add`), and the arguments; its result must have the
    /// encoding of the arguments.
    pub fn new(handler: F) -> Self {
        Any { handler, future: PhantomData }
    }
}

impl<F, Fut> Servable for Any<F, Fut>
where
    F: Fn(Arc<Context>, String, Raw) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<RawReply, Status>> + Send + 'static,
{
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        let handler = Arc::new(self.handler);
        let instance = move || -> Box<dyn Handler> { Box::new(Forwarded { handler: handler.clone() }) };
        let method = Method::new("any", instance).id(polywire_server::Service::ANY);
        let service = polywire_server::Service::bound_as(PROTOCOL.name, PROTOCOL.name).with(method);
        server.extension(Arc::new(Named)).service(service)
    }
}

struct Forwarded<F> {
    handler: Arc<F>,
}

impl<F, Fut> Handler for Forwarded<F>
where
    F: Fn(Arc<Context>, String, Raw) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<RawReply, Status>> + Send + 'static,
{
    fn start(&self, call: Call) -> Started {
        let handler = self.handler.clone();
        Started::Future(Box::pin(async move {
            let encoding = match service::encoding(&call) {
                Ok(encoding) => encoding,
                Err(status) => return status.into(),
            };
            let method = String::from_utf8_lossy(call.cx.metadata().get(METHOD_FIELD).unwrap_or_default())
                .into_owned();
            let arguments = Raw { bytes: call.body, encoding };
            let cx = Arc::new(call.cx); // for the fields that the handler adds to its reply
            let mut outcome = match handler(cx.clone(), method, arguments).await {
                Ok(reply) if reply.encoding == encoding => Outcome {
                    body: reply.bytes,
                    content: encoding.content(),
                    reply: true,
                    ..Outcome::default()
                },
                Ok(_) => Status::internal("the reply has another encoding than the request").into(),
                Err(status) => status.into(),
            };
            cx.complete(&mut outcome);
            outcome
        }))
    }
}

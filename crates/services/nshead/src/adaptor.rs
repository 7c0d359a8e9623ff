//! A dialect of a user's own, in front of the services of a server.

use polywire_call::Status;
use polywire_protocols::nshead::{Adaptor, Adaptors, METHOD, PROTOCOL};
use polywire_server::{Call, Handler, Method, Preset, Servable, Server, Service, Started};
use std::sync::Arc;

/// A dialect for `Server::new().service(..)`, see [`adapted`].
#[must_use]
pub struct Adapted {
    adaptors: Adaptors,
}

/// Lets frames of a dialect call the services of the server through [`Adaptor`]s; `make` makes one for each
/// connection. Other protocols reach the same services on the same port.
///
/// The server answers one dialect: it cannot have two, nor [`service`](crate::service) beside it, and does
/// not start then.
///
/// ```
/// use polywire::{IoBuf, Server, Status, nshead};
///
/// /// A body is the name of a method, a NUL, and a message of protobuf.
/// struct Named;
///
/// impl nshead::Adaptor for Named {
///     fn request(&mut self, _: &nshead::Head, mut body: IoBuf) -> Result<nshead::Call, Status> {
///         let end = body.contiguous().iter().position(|byte| *byte == 0);
///         let name = body.cut(end.ok_or_else(|| Status::invalid_argument("no method"))?);
///         body.advance(1);
///         Ok(nshead::Call::new("example.Echo", String::from_utf8_lossy(&name.to_vec()), body))
///     }
///
///     fn reply(&mut self, _: &nshead::Head, returned: Result<nshead::Returned, &Status>) -> nshead::Reply {
///         match returned {
///             Ok(returned) => nshead::Reply::Body(returned.message),
///             Err(_) => nshead::Reply::Close,
///         }
///     }
/// }
///
/// let server = Server::new().service(nshead::adapted(|| Named));
/// # let _ = server;
/// ```
pub fn adapted<A: Adaptor>(make: impl Fn() -> A + Send + Sync + 'static) -> Adapted {
    Adapted { adaptors: Adaptors::new(make) }
}

impl Servable for Adapted {
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        // Frames call methods of other services; this one is there because the protocol needs a service.
        let method = Method::new(METHOD, || -> Box<dyn Handler> { Box::new(Uncalled) });
        server.extension(Arc::new(self.adaptors)).service(Service::bound(PROTOCOL.name).with(method))
    }
}

/// The method that no frame calls.
struct Uncalled;

impl Handler for Uncalled {
    fn start(&self, _: Call) -> Started {
        Started::Ready(Status::unimplemented("frames of a dialect call methods of other services").into())
    }
}

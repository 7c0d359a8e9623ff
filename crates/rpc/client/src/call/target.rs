//! The method that a call is for.

use crate::health::HealthCheck;
use polywire_base::IoBuf;
use polywire_call::Content;
use polywire_exchange::{Name, Request};

/// The method that is called.
#[derive(Clone)]
pub struct Target {
    /// The full name of the service, as `package.Service`.
    pub service: Name,
    pub method: Name,
    /// The method's position in its service's definition, from 0, for protocols that identify methods by it
    /// (hulu, nova); or the number that the definition assigns to it (fb_rpc).
    pub index: Option<u32>,
    /// Whether the method may be executed twice; `None`: unknown. See
    /// [`Call::idempotent`](crate::Call::idempotent).
    pub idempotent: Option<bool>,
}

impl Target {
    /// A method whose names are known when the program is compiled.
    pub const fn fixed(service: &'static str, method: &'static str) -> Self {
        Target { service: Name::Static(service), method: Name::Static(method), index: None, idempotent: None }
    }
    /// A method whose names are known only when the program runs.
    pub fn named(service: impl Into<String>, method: impl Into<String>) -> Self {
        Target { service: service.into().into(), method: method.into().into(), index: None, idempotent: None }
    }
    /// Sets the method's position in its service's definition, counted from 0, or the number that the
    /// definition assigns to it.
    pub const fn at(mut self, index: u32) -> Self {
        self.index = Some(index);
        self
    }

    /// Declares that the method may be executed twice. Stubs set this for methods with an `idempotency_level`
    /// in their `.proto` file.
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = Some(true);
        self
    }

    /// A request for this method with the defaults of a channel.
    #[inline]
    pub(crate) fn request(self, body: IoBuf, content: Content) -> Request {
        Request { index: self.index, ..Request::new(self.service, self.method, body, content) }
    }
}

impl HealthCheck {
    /// Calls a method with this message, in the form of the channel's requests; a server is healthy if the
    /// call succeeds.
    pub fn call(target: Target, body: impl Into<IoBuf>) -> Self {
        HealthCheck::request(target.request(body.into(), Content::default()))
    }
}

//! The method that a call is for.

use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Metadata};
use polywire_exchange::{Name, Request};

/// What is called.
#[derive(Clone)]
pub struct Target {
    /// Full name, `package.Service`.
    pub service: Name,
    pub method: Name,
    /// Place of the method in its service's definition, from 0, for protocols that name methods by it (hulu, nova); or
    /// the number that the definition gives it (fb_rpc).
    pub index: Option<u32>,
}

impl Target {
    /// A method whose names are known when the program is compiled.
    pub const fn fixed(service: &'static str, method: &'static str) -> Self {
        Target { service: Name::Static(service), method: Name::Static(method), index: None }
    }
    /// A method whose names are known only when the program runs.
    pub fn named(service: impl Into<String>, method: impl Into<String>) -> Self {
        Target { service: service.into().into(), method: method.into().into(), index: None }
    }
    /// With the method's place in its service's definition, counted from 0, or the number that the definition gives it.
    pub const fn at(mut self, index: u32) -> Self {
        self.index = Some(index);
        self
    }

    /// A request for this method with the defaults of a channel.
    #[inline]
    pub(crate) fn request(self, body: IoBuf, content: Content) -> Request {
        Request {
            service: self.service,
            method: self.method,
            index: self.index,
            deadline: None,
            metadata: Metadata::new(),
            body,
            attachment: 0,
            content,
            compression: Compression::NONE,
            finished: true,
            streamed: false,
            offers: Box::default(),
        }
    }
}

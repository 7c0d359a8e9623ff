//! Calls of services and methods that a server does not have.
//!
//! Two rows of the method table answer them, one for each way in which a call can arrive: see [`Rows`]. A
//! server without a catch-all has neither, and looks for them only after a name was not found.

use crate::service::{Binding, Handler, Method, Service};
use polywire_wire::{Delivery, Dialect, Head, Target};
use std::sync::Arc;

/// Answers calls for which a server has no method, see [`Server::catch_all`](crate::Server::catch_all).
///
/// Its handlers get what was sent, as bytes: [`Call::body`](crate::Call::body), or
/// [`Call::stream`](crate::Call::stream) for calls over gRPC, whose wire does not tell whether a method
/// streams. [`Context::called`](crate::Context::called) has the names.
pub trait CatchAll: Send + Sync + 'static {
    /// Makes a handler, as for [`Method::new`]: each shard has one for calls of one message, and one for
    /// calls that may stream.
    fn handler(&self) -> Box<dyn Handler>;
}

/// The service of a catch-all. Its name is seen in statistics and limits.
const SERVICE: &str = "catch_all";
const UNARY: &str = "unary";
const STREAMING: &str = "streaming";

/// The longest name of a service or a method, in bytes.
const LONGEST_NAME: usize = 512;

pub(crate) fn service(what: impl CatchAll) -> Service {
    let what = Arc::new(what);
    let method = |name| {
        let what = what.clone();
        Method::new(name, move || what.handler())
    };
    Service::new(SERVICE, &[])
        .bound_to(Binding::Unknown)
        .with(method(UNARY))
        .with(method(STREAMING).streaming(Delivery::Messages, true))
}

/// The methods of a catch-all, as indices into the table.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    unary: u32,
    streaming: u32,
}

impl Rows {
    /// Finds them among the methods for unknown names.
    pub fn of(methods: impl Iterator<Item = (u32, &'static str)>) -> Option<Rows> {
        let (mut unary, mut streaming) = (None, None);
        methods.for_each(|(k, name)| *(if name == UNARY { &mut unary } else { &mut streaming }) = Some(k));
        Some(Rows { unary: unary?, streaming: streaming? })
    }

    /// The row for a call that no method answers. `None`: it does not state names of a service and a method.
    ///
    /// A call over gRPC is taken as one that streams: taken as unary, a call whose server speaks first would
    /// wait for ever.
    pub fn of_call(self, head: &Head<'_>) -> Option<u32> {
        let Target::Method { service, method } = head.target else { return None };
        are_plain_names(service, method).then_some(if head.dialect == Dialect::Grpc {
            self.streaming
        } else {
            self.unary
        })
    }
}

/// Whether these are names of a service and a method in the sense of protobuf, each of at most 512 bytes:
/// words of letters, digits and `_`, which dots join in services only. Calls of other names do not reach a
/// [`CatchAll`]: a relay writes names into paths and other texts of its server, which must not read anything
/// else in them. A server that joins both by a dot, as brpc does, would take service `shop` and method
/// `Orders.Drop` for a method of `shop.Orders`, which rules for that service have not seen.
pub fn are_plain_names(service: &str, method: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let word = |text: &str| !text.is_empty() && text.bytes().all(plain);
    service.len().max(method.len()) <= LONGEST_NAME && service.split('.').all(word) && word(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_protobuf() {
        let longest = "x".repeat(LONGEST_NAME);
        for service in ["a", "shop.v1.Orders", "_9", &longest] {
            assert!(are_plain_names(service, "Get_2"), "{service}");
        }
        assert!(are_plain_names("a", &longest));
        let longer = "x".repeat(LONGEST_NAME + 1);
        for other in ["", "/x", "a/b", "a b", "a?b", "a%2fb", "ä", "a\n", ".", ".a", "a.", "a..b", &longer] {
            assert!(!are_plain_names(other, "Get"), "{other}");
            assert!(!are_plain_names("shop.v1.Orders", other), "{other}");
        }
        assert!(!are_plain_names("shop.v1", "Orders.Drop"));
    }
}

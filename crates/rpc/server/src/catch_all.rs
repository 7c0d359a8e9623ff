//! Calls of services and methods that a server does not have.
//!
//! Four rows of the method table answer them, by what a call may be: see [`Rows`]. A server without a
//! catch-all has none of them, and looks for them only after a name or a path was not found.

use crate::{
    context::Context,
    service::{Binding, Handler, Method, Service},
    verbs::Verbs,
};
use polywire_wire::{Delivery, Dialect, Head, Streams, Target};
use std::{borrow::Cow, sync::Arc};

/// Answers calls for which a server has no method, see [`Server::catch_all`](crate::Server::catch_all).
///
/// Its handlers get what was sent, as bytes: [`Call::body`](crate::Call::body), or
/// [`Call::stream`](crate::Call::stream) for calls over gRPC, whose wire does not tell whether a method
/// streams. [`Context::called`](crate::Context::called) has the names.
pub trait CatchAll: Send + Sync + 'static {
    /// Makes a handler, as for [`Method::new`]: each shard has one for calls of one message, one for those
    /// that only read, one for calls that may stream, and one for those whose request came whole and whose
    /// answer is a stream ([`came_whole`]).
    fn handler(&self) -> Box<dyn Handler>;

    /// The method that calls are for whose protocol [names none](polywire_wire::Addressing): service and
    /// method, in full. They say its position in its service, counted from 0; those that say nothing are for
    /// position 0. `service` is what the caller calls it, as a rule without the package; empty: it says none.
    /// It is asked for several times for a request, while that is admitted: no wait. Default: such calls are
    /// not for it.
    fn by_position(&self, service: &str, position: u32) -> Option<(String, String)> {
        let _ = (service, position);
        None
    }

    /// The method that calls over this protocol are for which say a [hash](polywire_wire::Protocol::hash) in
    /// place of its names: service and method, in full. It is asked for several times for a request, while
    /// that is admitted: no wait. Default: such calls are not for it.
    fn by_hash(&self, protocol: &str, hash: u32) -> Option<(String, String)> {
        let _ = (protocol, hash);
        None
    }

    /// Bytes of a message that its calls may have. Default: what the server takes.
    fn max_message(&self) -> Option<u32> {
        None
    }

    /// Whether calls of this method by path of plain HTTP, `POST /Service/Method`, are for it, too. They are
    /// asked for while the request is admitted: no wait. Default: they are not.
    fn by_path(&self, service: &str, method: &str) -> ByPath {
        let _ = (service, method);
        ByPath::Never
    }

    /// The method that a rule of `google.api.http` binds a request of plain HTTP to: service and method, in
    /// full. It is asked for several times for a request, while that is admitted: no wait. The handler has
    /// the request line by [`Context::request_line`](crate::Context::request_line). Default: no rules.
    fn by_rule(&self, verb: &str, path: &str) -> Option<(String, String)> {
        let _ = (verb, path);
        None
    }

    /// The verbs of all rules whose path this is, `*` for any: what `allow` says to a request with another
    /// one. Default: no rules.
    fn verbs(&self, path: &str) -> Vec<String> {
        let _ = path;
        Vec::new()
    }

    /// Which directions of this method are known to stream. Its calls by path, over WebSocket and over
    /// streaming_rpc then have a [`Call::stream`](crate::Call::stream), as all calls over gRPC and all
    /// streams of Connect do. Default: no method is known.
    fn streams(&self, service: &str, method: &str) -> Directions {
        let _ = (service, method);
        Directions::default()
    }

    /// Whether calls of this method are known to have no side effects. Connect's callers may then make them
    /// by GET, as of a [`Method::no_side_effects`]. Default: no method is known.
    fn no_side_effects(&self, service: &str, method: &str) -> bool {
        let _ = (service, method);
        false
    }

    /// A request is refused since neither the server has a method for it nor is it for this one. It is told
    /// while the request is refused: no wait. Default: nothing.
    fn not_taken(&self) {}
}

/// The directions of a method that stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Directions {
    pub requests: bool,
    pub replies: bool,
}

impl Directions {
    pub fn any(self) -> bool {
        self.requests || self.replies
    }
}

/// When a [`CatchAll`] answers calls of a method by path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByPath {
    Never,
    /// Unless the server has a fallback for requests over HTTP.
    WithoutFallback,
    /// Before a fallback.
    Always,
}

/// The service of a catch-all. Its name is seen in statistics and limits.
const SERVICE: &str = "catch_all";
const UNARY: &str = "unary";
const SAFE: &str = "safe";
const STREAMING: &str = "streaming";
const REPLIES: &str = "replies";

/// The longest name of a service or a method, in bytes.
const LONGEST_NAME: usize = 512;

pub(crate) fn service(what: &Arc<dyn CatchAll>) -> Service {
    let method = |name| {
        let (handlers, most) = (what.clone(), what.max_message());
        let method = Method::new(name, move || handlers.handler());
        most.into_iter().fold(method, Method::max_message)
    };
    Service::new(SERVICE, &[])
        .bound_to(Binding::Unknown)
        .with(method(UNARY))
        .with(method(SAFE).no_side_effects(true))
        .with(method(STREAMING).streaming(Delivery::Messages, true))
        .with(method(REPLIES).streaming(Delivery::Whole, true))
}

/// The methods of a catch-all, as indices into the table.
pub(crate) struct Rows {
    unary: u32,
    /// For calls over Connect without side effects, which may come by GET.
    safe: u32,
    streaming: u32,
    /// For calls over streaming_rpc and WebSocket with one request, which comes whole, and a stream of
    /// replies.
    replies: u32,
    what: Arc<dyn CatchAll>,
}

impl Rows {
    /// Finds them among the methods for unknown names. `what` answers them.
    pub fn of(
        methods: impl Iterator<Item = (u32, &'static str)>,
        what: Option<&Arc<dyn CatchAll>>,
    ) -> Option<Rows> {
        let (mut unary, mut safe, mut streaming, mut replies) = (None, None, None, None);
        for (k, name) in methods {
            *(match name {
                UNARY => &mut unary,
                SAFE => &mut safe,
                REPLIES => &mut replies,
                _ => &mut streaming,
            }) = Some(k);
        }
        let what = what?.clone();
        Some(Rows { unary: unary?, safe: safe?, streaming: streaming?, replies: replies?, what })
    }

    /// The row for a call that no method answers. `None`: it does not state names of a service and a method.
    ///
    /// A call over gRPC is taken as one that streams: taken as unary, a call whose server speaks first would
    /// wait for ever. `streams`: what the protocol of the call carries.
    pub fn of_call(&self, head: &Head<'_>, streams: Streams) -> Option<u32> {
        let (service, method) = match head.target {
            Target::Method { service, method } if are_plain_names(service, method) => (service, method),
            Target::Index { service, method } => return self.at(service, method).map(|_| self.unary),
            Target::Bound { protocol, number } => return self.hashed(protocol, number).map(|_| self.unary),
            _ => return None,
        };
        Some(match head.dialect {
            Dialect::Grpc | Dialect::ConnectStream => self.streaming,
            // Their callers have sent the only request of a method before they say that it was the last.
            Dialect::WebSocket => self.of_kind(service, method),
            Dialect::Own if streams == Streams::Messages => self.of_kind(service, method),
            Dialect::Connect if self.what.streams(service, method).any() => self.streaming,
            Dialect::Connect if self.what.no_side_effects(service, method) => self.safe,
            Dialect::Own | Dialect::Connect => self.unary,
        })
    }

    fn of_kind(&self, service: &str, method: &str) -> u32 {
        match self.what.streams(service, method) {
            Directions { requests: false, replies: false } => self.unary,
            Directions { requests: false, replies: true } => self.replies,
            Directions { requests: true, .. } => self.streaming,
        }
    }

    /// See [`CatchAll::by_position`].
    pub fn at(&self, service: &str, position: u32) -> Option<(String, String)> {
        if !service.is_empty() && !is_plain_service(service) {
            return None;
        }
        let found = self.what.by_position(service, position);
        found.filter(|(service, method)| are_plain_names(service, method))
    }

    /// See [`CatchAll::by_hash`].
    pub fn hashed(&self, protocol: &str, number: u64) -> Option<(String, String)> {
        let found = self.what.by_hash(protocol, number.try_into().ok()?);
        found.filter(|(service, method)| are_plain_names(service, method))
    }

    /// The row for a request of plain HTTP that no method answers.
    pub fn of_path(&self, verb: &str, path: &str, has_fallback: bool) -> Option<u32> {
        let (service, method, by_path) = self.called(verb, path)?;
        let takes = by_path == ByPath::Always || !has_fallback;
        takes.then(|| self.row(&service, &method))
    }

    /// The verbs that reach a path of plain HTTP: those of rules, and POST if it has names of a service and a
    /// method that are taken.
    pub fn verbs(&self, path: &str) -> Vec<Verbs> {
        let rules = self.what.verbs(path);
        let rules = rules.iter().filter_map(|verb| Verbs::of_rule(verb).ok());
        let by_name = self.of_path("POST", path, false).map(|_| Verbs::Usual { safe: false });
        rules.chain(by_name).collect()
    }

    /// See [`CatchAll::not_taken`].
    pub fn not_taken(&self) {
        self.what.not_taken();
    }

    /// See [`called_by_path`].
    pub fn called<'p>(&self, verb: &str, path: &'p str) -> Option<(Cow<'p, str>, Cow<'p, str>, ByPath)> {
        called_by_path(&*self.what, verb, path)
    }

    fn row(&self, service: &str, method: &str) -> u32 {
        if self.what.streams(service, method).any() { self.streaming } else { self.unary }
    }
}

/// Whether the request of a call that a catch-all answers by a stream is [`Call::body`](crate::Call::body),
/// and no message of [`Call::stream`](crate::Call::stream).
pub fn came_whole(cx: &Context) -> bool {
    cx.service() == SERVICE && cx.method() == REPLIES
}

/// The method that a request of plain HTTP is for, if a catch-all takes it: service, method, and when. A
/// method that is known by its names comes before rules: else the rules of one server could take the calls
/// of another.
pub fn called_by_path<'p>(
    what: &dyn CatchAll,
    verb: &str,
    path: &'p str,
) -> Option<(Cow<'p, str>, Cow<'p, str>, ByPath)> {
    let names = names_in(path).filter(|_| verb == "POST");
    let by_path = names.map_or(ByPath::Never, |(service, method)| what.by_path(service, method));
    if by_path != ByPath::Always {
        let found = what.by_rule(verb, path);
        if let Some((service, method)) = found.filter(|(service, method)| are_plain_names(service, method)) {
            return Some((service.into(), method.into(), ByPath::Always));
        }
    }
    let (service, method) = names.filter(|_| by_path != ByPath::Never)?;
    Some((service.into(), method.into(), by_path))
}

/// The names in a path of the form `/Service/Method`; `None`: it has another form.
pub(crate) fn names_in(path: &str) -> Option<(&str, &str)> {
    let (service, method) = path.strip_prefix('/')?.split_once('/')?;
    are_plain_names(service, method).then_some((service, method))
}

/// Whether these are names of a service and a method in the sense of protobuf, each of at most 512 bytes:
/// words of letters, digits and `_`, which dots join in services only. Calls of other names do not reach a
/// [`CatchAll`]: a relay writes names into paths and other texts of its server, which must not read anything
/// else in them. A server that joins both by a dot, as brpc does, would take service `shop` and method
/// `Orders.Drop` for a method of `shop.Orders`, which rules for that service have not seen.
pub fn are_plain_names(service: &str, method: &str) -> bool {
    method.len() <= LONGEST_NAME && is_word(method) && is_plain_service(service)
}

fn is_plain_service(service: &str) -> bool {
    service.len() <= LONGEST_NAME && service.split('.').all(is_word)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
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

    struct Fake(ByPath, bool);

    impl CatchAll for Fake {
        fn handler(&self) -> Box<dyn Handler> {
            unimplemented!("nobody calls it")
        }

        fn by_path(&self, service: &str, method: &str) -> ByPath {
            assert_eq!((service, method), ("shop.Orders", "Place"));
            self.0
        }

        fn streams(&self, _: &str, _: &str) -> Directions {
            Directions { requests: self.1, replies: false }
        }
    }

    #[test]
    fn calls_by_path_are_taken_as_it_says_and_a_fallback_comes_before_what_it_does_not_know() {
        let found = |by_path, streams, has_fallback| {
            let rows =
                Rows { unary: 1, safe: 3, streaming: 2, replies: 4, what: Arc::new(Fake(by_path, streams)) };
            assert_eq!(rows.of_path("POST", "/shop.Orders/Place/", has_fallback), None);
            assert_eq!(rows.of_path("GET", "/shop.Orders/Place", has_fallback), None);
            rows.of_path("POST", "/shop.Orders/Place", has_fallback)
        };
        for (by_path, alone, beside) in [
            (ByPath::Never, None, None),
            (ByPath::WithoutFallback, Some(1), None),
            (ByPath::Always, Some(1), Some(1)),
        ] {
            assert_eq!((found(by_path, false, false), found(by_path, false, true)), (alone, beside));
        }
        assert_eq!(found(ByPath::Always, true, false), Some(2));
    }

    #[test]
    fn a_path_has_a_service_and_a_method_and_nothing_else() {
        assert_eq!(names_in("/shop.v1.Orders/Place"), Some(("shop.v1.Orders", "Place")));
        for other in
            ["", "/", "/a", "/a/", "//a", "a/b", "/a/b/", "/a/b/c", "/a//b", "/a/%62", "/a/b?c", "/./b"]
        {
            assert_eq!(names_in(other), None, "{other}");
        }
    }
}

//! A context for unit tests, with which a handler is called like any other method, without a server.

use crate::{
    auth::Identity,
    common::Common,
    context::{Connection, Context, MethodName, Parts},
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Status};
use polywire_engine::{Peer, clock};
use polywire_streams::Stream;
use polywire_wire::{Compressions, Protocol};
use std::{
    any::Any,
    future::poll_fn,
    pin::pin,
    sync::{Arc, LazyLock},
    time::Instant,
};

/// Makes a [`Context`] for a unit test.
///
/// ```
/// use polywire_server::{Context, TestContext};
///
/// async fn greet(cx: &Context) -> String {
///     cx.reply_metadata("x-greeted", "yes");
///     format!("hello {}", cx.metadata().get_str("x-name").unwrap_or("stranger"))
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let cx = TestContext::new().metadata("x-name", "Ada").build();
/// assert_eq!(greet(&cx).await, "hello Ada");
/// assert_eq!(cx.reply_fields().get_str("x-greeted"), Some("yes"));
/// # });
/// ```
///
/// A task that a handler spawns with [`Context::spawn`] runs on the runtime of the test and ends when the
/// context is dropped.
#[must_use]
pub struct TestContext {
    peer: Peer,
    method: MethodName,
    deadline: Option<Instant>,
    fields: Vec<u8>,
    attachment: IoBuf,
    identity: Option<Identity>,
    extensions: Vec<Extend>,
}

/// Leaves a value in a context.
type Extend = Box<dyn FnOnce(&mut Context) + Send>;

impl Default for TestContext {
    fn default() -> Self {
        TestContext::new()
    }
}

impl TestContext {
    /// Builds the context of a call of `test.Service/Method` from a peer in memory, without fields, deadline
    /// or identity.
    pub fn new() -> Self {
        TestContext {
            peer: Peer::Memory("test".into()),
            method: MethodName { service: "test.Service", method: "Method" },
            deadline: None,
            fields: Vec::new(),
            attachment: IoBuf::new(),
            identity: None,
            extensions: Vec::new(),
        }
    }

    /// Sets the full name of the service, `package.Service`, and the method.
    pub fn method(mut self, service: &'static str, method: &'static str) -> Self {
        self.method = MethodName { service, method };
        self
    }

    /// Adds a field of the request.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        for text in [name.as_bytes(), value.as_ref()] {
            self.fields.extend_from_slice(&(text.len() as u64).to_le_bytes());
            self.fields.extend_from_slice(text);
        }
        self
    }

    /// Sets the address of the caller.
    pub fn peer(mut self, peer: Peer) -> Self {
        self.peer = peer;
        self
    }

    /// Sets the deadline of the call.
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets the request's attachment: raw bytes next to the message.
    pub fn attachment(mut self, attachment: impl Into<IoBuf>) -> Self {
        self.attachment = attachment.into();
        self
    }

    /// Sets the identity that an authenticator would have found.
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// Stores a value that middleware would have left for the handler.
    pub fn extension<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.extensions.push(Box::new(|cx| cx.set_extension(value)));
        self
    }

    /// All items of a handler's stream, to its end: messages, and a failure as the last one.
    ///
    /// ```
    /// use polywire_call::Status;
    /// use polywire_server::{Context, TestContext};
    /// use polywire_streams::Stream;
    ///
    /// async fn count(_: &Context, to: u32) -> Result<impl Stream<Item = Result<u32, Status>>, Status> {
    ///     let (out, numbers) = polywire_streams::stream(1);
    ///     tokio::spawn(async move {
    ///         for n in 0..to {
    ///             out.send(n).await?;
    ///         }
    ///         Ok::<(), Status>(())
    ///     });
    ///     Ok(numbers)
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let cx = TestContext::new().build();
    /// let numbers = TestContext::collect(count(&cx, 3).await.unwrap()).await;
    /// assert_eq!(numbers.into_iter().collect::<Result<Vec<_>, _>>().unwrap(), [0, 1, 2]);
    /// # });
    /// ```
    pub async fn collect<T>(stream: impl Stream<Item = Result<T, Status>>) -> Vec<Result<T, Status>> {
        let (mut stream, mut all) = (pin!(stream), Vec::new());
        while let Some(one) = poll_fn(|task| stream.as_mut().poll_next(task)).await {
            all.push(one);
        }
        all
    }

    /// Builds the context of one call.
    pub fn build(self) -> Context {
        let mut cx = Context::new(Parts {
            connection: Connection::new(self.peer, Peer::Memory("test".into()), COMMON.clone()),
            protocol: &PROTOCOL,
            method: Box::leak(Box::new(self.method)), // leaks a few bytes for each context of a test
            received: clock::now(),
            deadline: self.deadline,
            raw: Some(self.fields.into()),
            content: Content::PROTOBUF,
            compression: Compression::NONE,
            accepts: Compressions::ALL,
            way: 0,
        });
        if !self.attachment.is_empty() {
            cx.set_attachment(self.attachment);
        }
        if let Some(identity) = self.identity {
            cx.set_identity(identity);
        }
        self.extensions.into_iter().for_each(|extend| extend(&mut cx));
        cx
    }
}

/// The test protocol. Its fields are names and values, each preceded by its length.
static PROTOCOL: Protocol = Protocol { name: "test", fields, ..Protocol::DEFAULT };

fn fields(mut raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    let mut next = || {
        let (length, rest) = raw.split_first_chunk()?;
        let (text, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
        raw = rest;
        Some(text)
    };
    while let (Some(name), Some(value)) = (next(), next()) {
        visit(std::str::from_utf8(name).expect("it was a str"), value);
    }
}

/// What calls know of a server without services.
static COMMON: LazyLock<Arc<Common>> = LazyLock::new(Arc::default);

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct Caller(&'static str);

    #[test]
    fn a_context_has_what_it_was_given() {
        let deadline = Instant::now() + Duration::from_secs(5);
        let cx = TestContext::new()
            .method("shop.Orders", "Place")
            .metadata("x-id", "7")
            .metadata("x-bin", [0, 255])
            .deadline(deadline)
            .attachment("beside")
            .identity(Identity::named("ada"))
            .extension(Caller("billing"))
            .build();
        assert_eq!((cx.service(), cx.method(), cx.protocol()), ("shop.Orders", "Place", "test"));
        assert_eq!(cx.metadata().get_str("x-id"), Some("7"));
        assert_eq!(cx.metadata().get("x-bin"), Some(&[0, 255][..]));
        assert_eq!(cx.deadline(), Some(deadline));
        assert_eq!(cx.attachment().to_vec(), b"beside");
        assert_eq!(cx.identity().map(|identity| &*identity.name), Some("ada"));
        assert_eq!(cx.extension::<Caller>().map(|caller| caller.0), Some("billing"));
        assert!(cx.peer().is_local());
        let bare = TestContext::new().build();
        assert!(bare.metadata().is_empty() && bare.identity().is_none() && bare.deadline().is_none());
    }

    #[test]
    fn a_test_sees_what_the_handler_says_beside_its_reply() {
        let cx = TestContext::new().build();
        assert!(cx.reply_fields().is_empty());
        cx.reply_metadata("x-one", "1");
        cx.reply_trailer("x-two", "2");
        let fields = cx.reply_fields();
        assert_eq!((fields.get_str("x-one"), fields.get_str("x-two")), (Some("1"), Some("2")));
    }

    #[tokio::test]
    async fn what_a_handler_spawns_ends_with_the_context() {
        let (said, mut heard) = tokio::sync::mpsc::channel::<()>(1);
        let cx = TestContext::new().build();
        let cancelled = cx.cancelled();
        cx.spawn(async move {
            let _said = said;
            std::future::pending().await
        });
        drop(cx);
        cancelled.await;
        assert_eq!(heard.recv().await, None);
    }
}

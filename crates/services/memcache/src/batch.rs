//! Operations that are sent together: one call to each server that has some of their keys.

use crate::{
    answer::Answer,
    client::Client,
    error::Error,
    form::{Form, lost},
    operation::Operation,
    request::{Request, Verb},
};
use bytes::{Bytes, BytesMut};
use polywire_call::Status;
use polywire_client::{Blocking, CallFuture, Handle, Raw};
use std::{
    collections::HashMap,
    future::{Future, IntoFuture},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

/// Operations that are sent in one write to each server, and awaited together. Each has its own [`Answer`]; a
/// failure of one does not affect the others.
///
/// ```
/// # use polywire::{Channel, memcache};
/// # let channel = Channel::builder("127.0.0.1:11211").protocol("memcache").build().unwrap();
/// # let cache = memcache::Client::new(channel);
/// let batch = cache.batch().with(cache.set("a", "1")).with(cache.incr("n", 1)).with(cache.get("b"));
/// drop(batch); // nothing was sent
/// ```
#[must_use = "operations are sent when the batch is awaited"]
pub struct Batch<T> {
    client: Client,
    requests: Vec<Request>,
    /// Whether replies without information are left out.
    quiet: bool,
    timeout: Option<Duration>,
    repeat: bool,
    read: fn(Vec<Answer>) -> Result<T, Error>,
}

impl<T> Batch<T> {
    pub(crate) fn new(
        client: &Client,
        requests: Vec<Request>,
        quiet: bool,
        read: fn(Vec<Answer>) -> Result<T, Error>,
    ) -> Self {
        Batch { client: client.clone(), requests, quiet, timeout: None, repeat: false, read }
    }

    /// Time limit from the first poll to the end. Default: the channel's.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Like [`Operation::repeatable`], for all operations. Without it a batch is repeated only if each of its
    /// operations is repeatable.
    pub fn repeatable(mut self) -> Self {
        self.repeat = true;
        self
    }

    /// Number of operations so far.
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Sends the operations and waits on the calling thread, without a runtime: to one server after the
    /// other.
    ///
    /// # Errors
    /// The errors of awaiting it.
    pub fn blocking(self) -> Result<T, Error> {
        let (repeat, timeout, read, client) = (self.repeat, self.timeout, self.read, self.client.clone());
        let (mut sent, parts) = self.encode();
        for part in parts {
            let repeats = repeat || part.may_repeat;
            let reply = client.send(part.body, part.place, repeats, timeout).blocking();
            sent.received(&part.requests, part.opaque, reply.map(|reply| reply.into_message()));
        }
        read(sent.answers())
    }

    /// Writes the requests of each server.
    fn encode(self) -> (Sent, Vec<Part>) {
        let Batch { client, requests, quiet, .. } = self;
        let mut answers: Vec<Option<Answer>> = Vec::with_capacity(requests.len());
        answers.resize_with(requests.len(), || None);
        let places: Vec<u64> = requests.iter().map(|request| request.place()).collect();
        let servers = if requests.len() > 1 { client.servers(&places) } else { vec![Some(0)] };
        let mut of_server: HashMap<usize, usize> = HashMap::new();
        let mut parts: Vec<Part> = Vec::new();
        for (i, request) in requests.iter().enumerate() {
            if let Err(error) = client.check(request) {
                answers[i] = Some(Answer::Failed(error));
                continue;
            }
            // A key whose server is not known goes alone, so that the channel chooses for it.
            let at = match servers[i] {
                Some(server) => *of_server.entry(server).or_insert(parts.len()),
                None => parts.len(),
            };
            if at == parts.len() {
                parts.push(Part { place: places[i], ..Part::default() });
            }
            parts[at].requests.push(i);
        }
        for part in &mut parts {
            part.opaque = client.opaques(part.requests.len() as u32 + 1);
            let mut body = BytesMut::new();
            part.may_repeat = true;
            for (n, &i) in part.requests.iter().enumerate() {
                let opaque = part.opaque.wrapping_add(n as u32);
                match client.form.write(&requests[i], opaque, quiet, &mut body) {
                    Ok(()) => part.may_repeat &= requests[i].may_repeat(),
                    Err(error) => answers[i] = Some(Answer::Failed(error)),
                }
            }
            if quiet && !body.is_empty() {
                let opaque = part.opaque.wrapping_add(part.requests.len() as u32);
                let fence = Request::new(Verb::Fence, "");
                let written = client.form.write(&fence, opaque, false, &mut body);
                debug_assert!(written.is_ok(), "a fence is possible wherever another request is");
            }
            part.body = body.freeze();
        }
        parts.retain(|part| !part.body.is_empty());
        (Sent { form: client.form, requests, answers, quiet }, parts)
    }
}

impl Batch<Vec<Answer>> {
    /// Adds an operation; its time limit does not count.
    pub fn with<R>(mut self, operation: Operation<R>) -> Self {
        self.requests.push(operation.into_request());
        self
    }

    /// Leaves replies without information out: of reads that find nothing, and of successful writes. Writes
    /// then return no CAS.
    pub fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }
}

/// The requests of one server.
#[derive(Default)]
struct Part {
    /// Numbers of the requests in the batch.
    requests: Vec<usize>,
    place: u64,
    /// The opaque value of the first request; the others count up from it.
    opaque: u32,
    body: Bytes,
    may_repeat: bool,
}

/// A batch whose answers are arriving.
struct Sent {
    form: Form,
    requests: Vec<Request>,
    answers: Vec<Option<Answer>>,
    quiet: bool,
}

impl Sent {
    /// Takes the received answers to the requests of one server.
    fn received(&mut self, requests: &[usize], opaque: u32, reply: Result<Raw, Status>) {
        let failed = match reply {
            Ok(raw) => self.read(requests, opaque, raw.body.into_bytes()).err(),
            Err(status) => Some(Error::Call(status)),
        };
        for &i in requests {
            if self.answers[i].is_none() {
                self.answers[i] = Some(match &failed {
                    Some(error) => Answer::Failed(error.clone()),
                    None if self.quiet => Answer::of_silence(&self.requests[i]),
                    None => Answer::Failed(lost("the reply to this operation is missing")),
                });
            }
        }
    }

    /// Reads the replies of one server; the machine has checked their order.
    fn read(&mut self, requests: &[usize], opaque: u32, mut body: Bytes) -> Result<(), Error> {
        let (mut next, mut whose) = (0, None);
        while !body.is_empty() {
            let reply = self.form.cut(&mut body)?;
            let error = if self.quiet && reply.opaque.is_none() { self.form.error(&reply) } else { None };
            if error.is_some() {
                whose = error;
                continue;
            }
            if self.quiet && body.is_empty() {
                break; // the fence
            }
            let at = match reply.opaque {
                Some(told) => told.wrapping_sub(opaque) as usize,
                None => next,
            };
            // Requests that were not written have their answers.
            let at = (at..requests.len()).find(|at| self.answers[requests[*at]].is_none());
            let Some(at) = at else { return Err(lost("a reply to no operation of the batch")) };
            next = at + 1;
            let i = requests[at];
            self.answers[i] = Some(self.form.read(&self.requests[i], &reply));
        }
        // An error that may be that of any operation without a reply is that of all of them.
        whose.map_or(Ok(()), Err)
    }

    fn answers(self) -> Vec<Answer> {
        let none = || Answer::Failed(lost("the operation was not sent"));
        self.answers.into_iter().map(|answer| answer.unwrap_or_else(none)).collect()
    }
}

impl<T: Send + 'static> Batch<T> {
    /// Sends the operations now, instead of when they are awaited; their result is taken later, by awaiting
    /// the handle. Dropping the handle cancels the calls; the servers may execute them nevertheless.
    pub fn start(self) -> Handle<T, Error> {
        Handle::of(self)
    }

    /// Like [`Batch::start`], for a plain thread, which takes the result by `wait`.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<Blocking<Handle<T, Error>>, Error> {
        Ok(Handle::blocking(self)?)
    }
}

impl<T> IntoFuture for Batch<T> {
    type Output = Result<T, Error>;
    type IntoFuture = BatchFuture<T>;

    fn into_future(self) -> BatchFuture<T> {
        let (repeat, timeout, read, client) = (self.repeat, self.timeout, self.read, self.client.clone());
        let (sent, parts) = self.encode();
        let calls = parts.into_iter().map(|part| {
            let repeat = repeat || part.may_repeat;
            let call = client.send(part.body, part.place, repeat, timeout).into_future();
            OpenCall { call, requests: part.requests, opaque: part.opaque }
        });
        BatchFuture { calls: calls.collect(), sent: Some(sent), read }
    }
}

/// A batch under way. Dropping it stops waiting; the servers may execute it nevertheless.
pub struct BatchFuture<T> {
    /// The calls that have not ended.
    calls: Vec<OpenCall>,
    sent: Option<Sent>,
    read: fn(Vec<Answer>) -> Result<T, Error>,
}

struct OpenCall {
    call: CallFuture<Raw>,
    requests: Vec<usize>,
    opaque: u32,
}

impl<T> Future for BatchFuture<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(sent) = &mut this.sent else { return Poll::Ready(Err(lost("polled after its end"))) };
        this.calls.retain_mut(|open| match Pin::new(&mut open.call).poll(cx) {
            Poll::Pending => true,
            Poll::Ready(reply) => {
                sent.received(&open.requests, open.opaque, reply.map(|reply| reply.into_message()));
                false
            }
        });
        if !this.calls.is_empty() {
            return Poll::Pending;
        }
        let answers = this.sent.take().map(Sent::answers).unwrap_or_default();
        Poll::Ready((this.read)(answers))
    }
}

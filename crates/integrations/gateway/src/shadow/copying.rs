//! What is kept of one call for its copy: the message until it is sent, then the answer that its caller gets.

use super::{
    FIELD, Shadow,
    answers::{Answers, Holding, Who},
    counts::Fate,
    streamed::Streamed,
};
use crate::{
    Cluster, Schemas, changes::FieldChanges, difference::Answer, fields, hops, passage::Passage,
    schemas::Found, translation::copied,
};
use polywire_base::IoBuf;
use polywire_call::{Reply, Status};
use polywire_client::{Call, Raw, Target, spawn};
use polywire_formats::foreign::is_mcpack;
use polywire_server::{CallRecord, Context};
use polywire_wire::{CONNECT, Compression, Content, GRPC};
use std::{
    future::{IntoFuture, poll_fn},
    pin::pin,
    sync::Arc,
};

/// One call that is copied.
pub(crate) struct Copying {
    shadow: Arc<Shadow>,
    stage: Stage,
    /// What the clusters know of messages, the shadow's first.
    schemas: Option<Schemas>,
    /// The protocol of the servers that the call itself goes to.
    to: &'static str,
    /// What the route changes of the fields.
    changes: Option<Arc<FieldChanges>>,
    /// The only message so far of an answer that may be a stream.
    reply: Option<Raw>,
}

enum Stage {
    /// Its message has not come yet.
    Begun,
    Whole(Box<Copies>),
    Posted(Arc<Answers>),
    Streams(Streamed),
    /// It is not copied, or not compared.
    Over(Fate),
}

/// Calls that are ready to be sent.
struct Copies {
    /// The message, in case there is another.
    first: IoBuf,
    answers: Arc<Answers>,
    held: Arc<Holding>,
    shadow: Call<Raw>,
    baseline: Option<Call<Raw>>,
}

/// The message of a call as its servers get it.
pub(crate) struct Message<'m> {
    /// The names of service and method, as its servers are told them.
    pub called: (&'m str, &'m str),
    pub bytes: &'m IoBuf,
    pub content: Content,
    pub compression: Compression,
    pub attachment: &'m IoBuf,
    pub hops: &'m str,
}

/// The message of a copy.
enum Written {
    /// That of the call.
    Same,
    /// In the form of other servers, which have this name for its method.
    Other(Found, IoBuf),
}

impl Written {
    /// As the servers of a cluster read it. `None`: they do not.
    fn of(cluster: &Cluster, message: &Message<'_>) -> Option<Written> {
        let (content, sent) = (message.content, cluster.channel.content());
        // Servers that read JSON read protobuf as well.
        if Passage::is_unread(content, sent) || content == Content::PROTOBUF && !is_mcpack(sent) {
            return Some(Written::Same);
        }
        if message.compression != Compression::NONE || !(is_mcpack(content) || is_mcpack(sent)) {
            return None;
        }
        let (found, bytes) = copied(cluster, message.called, content, message.bytes.clone())?;
        Some(Written::Other(found, bytes))
    }

    /// Bytes beside those of the call.
    fn len(&self) -> usize {
        match self {
            Written::Same => 0,
            Written::Other(_, bytes) => bytes.len(),
        }
    }
}

impl Copying {
    pub fn new(shadow: Arc<Shadow>, cluster: &Cluster, changes: Option<Arc<FieldChanges>>) -> Box<Copying> {
        let known = [Some(&shadow.cluster), shadow.baseline.as_ref(), Some(cluster)];
        let schemas =
            known.into_iter().flatten().find_map(Cluster::known).filter(|_| shadow.compares).cloned();
        let to = cluster.channel.protocol();
        Box::new(Copying { shadow, stage: Stage::Begun, schemas, to, changes, reply: None })
    }

    /// A message of the caller. A call that has a second one is a stream, and copied only if those are.
    #[cold]
    pub fn message(&mut self, cx: &Context, message: &Message<'_>) {
        match std::mem::replace(&mut self.stage, Stage::Begun) {
            Stage::Begun => {}
            Stage::Streams(copy) => {
                let has_room = copy.message(message.bytes.clone());
                self.stage = Stage::Streams(copy);
                if !has_room {
                    self.over(Fate::Dropped);
                }
                return;
            }
            Stage::Whole(copies) if self.shadow.streams => {
                let Copies { first, .. } = *copies; // its place is free
                return self.stream(cx, message, Some(first));
            }
            other => {
                self.stage = other;
                return self.over(Fate::Skipped);
            }
        }
        let Shadow { cluster, baseline, counts, .. } = &*self.shadow;
        let fits = |cluster: &Cluster| {
            let has_place =
                message.attachment.is_empty() || Passage::attaches(cx.has_attachments(), &cluster.channel);
            has_place
                && cluster.channel.compressions().contains(message.compression)
                && cluster.refusal(message.called).is_none()
        };
        let streams =
            cluster.known().is_some_and(|schemas| schemas.streams(cx.called().0, cx.called().1).any());
        if streams && self.shadow.streams {
            return self.stream(cx, message, None);
        }
        if streams || !fits(cluster) || !baseline.iter().all(fits) {
            return self.over(Fate::Skipped);
        }
        let forms = Written::of(cluster, message).zip(match baseline {
            None => Some(None),
            Some(baseline) => Written::of(baseline, message).map(Some),
        });
        let Some((ours, other)) = forms else { return self.over(Fate::Skipped) };
        let written: usize = [Some(&ours), other.as_ref()].into_iter().flatten().map(Written::len).sum();
        let Some(held) = counts.budget.take(message.bytes.len() + message.attachment.len() + written) else {
            return self.over(Fate::Dropped);
        };
        let baseline =
            baseline.as_ref().zip(other).map(|(cluster, form)| self.call(cluster, cx, message, form));
        let shadow = self.call(cluster, cx, message, ours);
        let held = Holding::new(counts, held);
        let found = self.schemas.as_ref().and_then(|schemas| schemas.find_short(message.called).ok());
        let record = self.shadow.recorder.as_ref().map(|_| self.record(cx, message));
        let answers = Answers::new(self.shadow.clone(), held.clone(), found, record);
        let first = message.bytes.clone();
        self.stage = Stage::Whole(Box::new(Copies { first, answers, held, shadow, baseline }));
    }

    /// The call is a stream: its copy begins with the messages so far.
    fn stream(&mut self, cx: &Context, message: &Message<'_>, first: Option<IoBuf>) {
        let Shadow { cluster, counts, .. } = &*self.shadow;
        let is_carried = [GRPC, CONNECT].contains(&cluster.channel.system())
            && Passage::is_unread(message.content, cluster.channel.content())
            && message.attachment.is_empty()
            && message.compression == Compression::NONE;
        if !is_carried {
            return self.over(Fate::Skipped);
        }
        let Some(held) = counts.budget.take(0) else { return self.over(Fate::Dropped) };
        let (service, method) = message.called;
        let mut call = cluster.channel.stream(Target::named(service, method));
        for (name, value) in fields::of_request(cx, self.changes.as_deref()) {
            call = call.metadata(name, value);
        }
        let call = call.metadata(hops::FIELD, message.hops).metadata(FIELD, "1");
        let copy = Streamed::open(self.shadow.clone(), Holding::new(counts, held), call);
        let mut messages = first.into_iter().chain([message.bytes.clone()]);
        let has_room = messages.all(|message| copy.message(message));
        self.stage = Stage::Streams(copy);
        if !has_room {
            self.over(Fate::Dropped);
        }
    }

    fn call(&self, cluster: &Cluster, cx: &Context, message: &Message<'_>, form: Written) -> Call<Raw> {
        let channel = &cluster.channel;
        let mut call = match form {
            Written::Same => {
                let call = channel.call(cluster.target(message.called), message.bytes.clone());
                call.content(message.content).compressed(message.compression)
            }
            Written::Other(found, bytes) => {
                let method = found.method();
                channel
                    .call(cluster.target((method.service, method.method)), bytes)
                    .content(channel.content())
            }
        };
        if !message.attachment.is_empty() {
            call = call.attachment(message.attachment.clone());
        }
        for (name, value) in fields::of_request(cx, self.changes.as_deref()) {
            call = call.metadata(name, value);
        }
        if is_mcpack(channel.content()) {
            for (name, value) in fields::of_idl_request(cx, cluster.idl(message.called)) {
                call = call.metadata(name, value);
            }
        }
        let (name, hops) = hops::field(channel, message.hops);
        let call = call.metadata(name, &*hops).metadata(FIELD, "1");
        call.timeout(self.shadow.timeout).retries(0).idempotent(false).hedge(false).wait_for_ready(false)
    }

    /// The call itself, as its servers get it.
    fn record(&self, cx: &Context, message: &Message<'_>) -> Box<CallRecord> {
        let form = (message.content, message.compression);
        let mut record = CallRecord::new(self.to, message.called, form, message.bytes, message.attachment);
        let sent = fields::of_request(cx, self.changes.as_deref());
        sent.for_each(|(name, value)| record.field(name, value));
        Box::new(record)
    }

    /// The call itself is on its way. Nobody waits for the copies.
    #[cold]
    pub fn post(&mut self) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Begun) {
            Stage::Whole(copies) => {
                let Copies { answers, held, shadow, baseline, .. } = *copies;
                self.shadow.counts.add(Fate::Sent);
                if let Some(baseline) = baseline {
                    let (answers, held) = (answers.clone(), held.clone());
                    spawn(async move {
                        answers.put(Who::Baseline, baseline.await);
                        drop(held);
                    });
                }
                let (ours, timeout) = (answers.clone(), self.shadow.timeout);
                spawn(async move {
                    ours.put(Who::Shadow, shadow.await);
                    drop(held);
                    ours.wait(timeout).await;
                });
                Stage::Posted(answers)
            }
            Stage::Streams(copy) => {
                copy.finish();
                Stage::Streams(copy)
            }
            other => other,
        };
    }

    /// Whether the answer of the call is asked for.
    pub fn compares(&self) -> bool {
        self.shadow.compares && matches!(self.stage, Stage::Posted(_))
    }

    /// A message of the answer. A second one makes it a stream, which is not compared.
    #[cold]
    pub fn reply(&mut self, raw: Raw) {
        let Stage::Posted(answers) = &self.stage else { return };
        if self.reply.is_some() {
            self.over(Fate::Skipped);
        } else if answers.hold(raw.body.len()) {
            self.reply = Some(raw);
        }
    }

    /// The whole answer of the call.
    #[cold]
    pub fn answered(&mut self, answer: Answer) {
        if let Stage::Posted(answers) = &self.stage {
            answers.put(Who::Primary, answer);
            self.stage = Stage::Over(Fate::Sent);
        }
    }

    /// The end of a call whose messages were told.
    #[cold]
    pub fn ended(&mut self, status: &Status, trailers: Option<&polywire_call::Metadata>) {
        let answer = match (status.is_ok(), self.reply.take()) {
            (true, Some(raw)) => {
                let trailers = trailers.cloned().unwrap_or_default();
                Ok(Reply::from_parts(raw, IoBuf::new(), trailers, Compression::NONE))
            }
            (true, None) => return self.over(Fate::Skipped),
            (false, _) => Err(status.clone()),
        };
        if let Stage::Posted(answers) = &self.stage {
            answers.put_held(Who::Primary, answer);
            self.stage = Stage::Over(Fate::Sent);
        }
    }

    fn over(&mut self, fate: Fate) {
        match std::mem::replace(&mut self.stage, Stage::Over(fate)) {
            Stage::Posted(answers) => {
                answers.over(fate);
                self.stage = Stage::Over(Fate::Sent);
            }
            Stage::Over(before) => self.stage = Stage::Over(before),
            // It was sent, and has nothing to be compared with.
            Stage::Streams(_) if fate == Fate::Skipped => self.stage = Stage::Over(Fate::Sent),
            Stage::Begun | Stage::Whole(_) | Stage::Streams(_) => self.shadow.counts.add(fate),
        }
    }

    /// What is known of the copy when its call ends, for the access log.
    pub fn fate(&self) -> Fate {
        match self.stage {
            Stage::Begun | Stage::Whole(_) => Fate::Skipped,
            Stage::Posted(_) | Stage::Streams(_) => Fate::Sent,
            Stage::Over(fate) => fate,
        }
    }
}

/// The caller has given up, or what it asked for has failed before there was an answer.
impl Drop for Copying {
    fn drop(&mut self) {
        if !matches!(self.stage, Stage::Begun) {
            self.over(Fate::Skipped);
        }
    }
}

/// Makes a call, and then, once it is on its way, does something else.
pub(crate) async fn beside<T>(call: impl IntoFuture<Output = T>, then: impl FnOnce()) -> T {
    let mut call = pin!(call.into_future());
    let mut then = Some(then);
    poll_fn(|cx| {
        let polled = call.as_mut().poll(cx);
        if let Some(then) = then.take() {
            then();
        }
        polled
    })
    .await
}

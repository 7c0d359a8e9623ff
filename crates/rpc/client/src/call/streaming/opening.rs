//! A call with streams that is about to be posted, and is posted again as long as that is allowed.

use crate::{
    call::{
        decision,
        moment::Moment,
        retry::{Retry, Step},
    },
    connection::home::sleep,
    core::SharedCore,
    interceptor::Watch,
    servers::{InFlightGuard, PostError, Search, Undelivered},
};
use polywire_balance::Endpoint;
use polywire_call::Status;
use polywire_exchange::{Request, Sink, Source};
use polywire_formats::rest::Rule;
use polywire_streams::{Form, OnEnd};
use polywire_wire::Outcome;
use std::{future::Future, mem::take, sync::Arc};

/// The type that a [`StreamingCall`](crate::StreamingCall) resolves to:
/// [`Streaming`](polywire_streams::Streaming), [`Upload`](crate::Upload), [`Duplex`](crate::Duplex) or
/// [`Stream`](crate::Stream).
pub trait Shape: Sized + Send + 'static {
    /// The answer is a stream.
    #[doc(hidden)]
    const STREAMED: bool;
    /// Whether the shape carries whole messages.
    #[doc(hidden)]
    const MESSAGES: bool = true;
    /// Whether the shape sends one message and receives many, which a protocol of plain bytes can carry as
    /// lines of text.
    #[doc(hidden)]
    const READS_LINES: bool = false;
    #[doc(hidden)]
    fn open(opening: Opening) -> impl Future<Output = Result<Self, Status>> + Send;
    /// Attaches the channel's interceptors, which are notified of the end of the stream.
    #[doc(hidden)]
    fn watched(self, watch: Box<Watch>) -> Self;
}

/// A call with streams that is about to be posted, and is posted again as long as that is allowed.
pub struct Opening {
    pub(super) core: SharedCore,
    pub(super) request: Request,
    pub(super) form: Form,
    pub(super) retry: Retry,
    /// The rule of `google.api.http` that the call is made by.
    pub(super) rule: Option<&'static Rule<'static>>,
    pub(super) search: Search,
    /// The server of the newest attempt, where the channel has several.
    pub(super) server: Option<Arc<Endpoint>>,
    /// Whether a [`Stream`](crate::Stream) keeps this.
    pub(super) repeatable: bool,
}

/// A posted call: its source, its sink, and its server and connection.
pub(super) type Posted = ((Source, Sink), InFlightGuard);

impl Opening {
    /// Posts the call; its connection may not be made yet. Waits if no server is known yet.
    ///
    /// # Errors
    /// There is no connection that takes it.
    pub(super) async fn post(&mut self) -> Result<Posted, Status> {
        self.try_post().await.map_err(|why| why.status)
    }

    /// Like [`Opening::post`], without retries.
    ///
    /// # Errors
    /// The call was not posted; the error contains what it may wait for.
    async fn try_post(&mut self) -> Result<Posted, PostError> {
        loop {
            let Opening { core, request, retry, search, .. } = self;
            match core.servers.post(&mut *request, retry.patience(), search) {
                Ok(posted) => {
                    self.server = posted.1.server().cloned();
                    return Ok(posted);
                }
                Err(Undelivered { why: PostError { waits: true, .. }, .. }) => {
                    if let Some(over) = core.servers.ready(request.deadline, search).await {
                        return Err(PostError::failed(over));
                    }
                }
                Err(Undelivered { why: PostError { decision: Some(decision), .. }, .. }) => {
                    let delay = decision::follow(*decision, core, request, retry);
                    if let Some(policy) = retry.policy() {
                        self.form.longest = policy.max_response();
                    }
                    if let Some(delay) = delay {
                        sleep(delay).await;
                    }
                }
                Err(Undelivered { why, .. }) => return Err(why),
            }
        }
    }

    /// Posts the call for the first time, and again if its service config allows it.
    ///
    /// # Errors
    /// There is no connection that takes it.
    pub(super) async fn post_first(&mut self) -> Result<Posted, Status> {
        match self.try_post().await {
            Ok(posted) => Ok(posted),
            Err(why) => {
                let (mut outcome, step) = self.retry.after_unposted(None, why, Moment::now());
                self.follow(step, &mut outcome).await.ok_or_else(|| outcome.into_status())
            }
        }
    }

    /// Posts the call again after an attempt has failed, at once or after a pause. `None`: it must not be
    /// posted again, and the call has ended with the outcome in `ended`.
    pub(super) async fn post_again(&mut self, ended: &mut Outcome) -> Option<Posted> {
        let step = self.retry.after(ended, Moment::now());
        let step = step.if_allowed(|| self.core.may_retry(&ended.status));
        if let Some(server) = self.server.take() {
            self.search.avoid(&server);
        }
        self.follow(step, ended).await
    }

    /// Takes the steps that follow a failure.
    async fn follow(&mut self, mut step: Step, ended: &mut Outcome) -> Option<Posted> {
        loop {
            let before = match step {
                Step::End => {
                    self.retry.explain(ended);
                    return None;
                }
                Step::Again => Some(take(ended)),
                Step::AgainAfter(pause) => {
                    sleep(pause).await;
                    None
                }
            };
            let Opening { retry, search, request, .. } = self;
            search.change_metadata(&mut request.metadata, |fields| retry.announce(fields));
            match self.try_post().await {
                Ok(posted) => return Some(posted),
                Err(why) => {
                    (*ended, step) = self.retry.after_unposted(before, why, Moment::now());
                }
            }
        }
    }

    /// Whether there is a retry policy for the method.
    pub(super) fn may_repeat(&self) -> bool {
        self.retry.may_repeat()
    }

    /// Records that the call has ended successfully, or has progressed so far that it is not retried.
    pub(super) fn succeeded(&mut self) {
        self.retry.reply_begun();
    }
}

/// Returns server and connection when their call ends. A call that is cancelled before drops them, which
/// closes an exclusive connection.
pub(super) fn on_end(mut lease: InFlightGuard) -> Option<OnEnd> {
    if lease.is_nothing() {
        return None;
    }
    Some(Box::new(move |ending| {
        if let Some(ending) = ending {
            lease.end(ending.exchange);
        }
    }))
}

//! Calls that are cancelled, and calls that take too long.

use crate::{
    support::{Closures, Told, net, number, numbers, poll_fn, run},
    talk::{Line, Talk, TalkClient},
};
use polywire::{Code, Context, Parent, Reply, Status, Stream, Streaming};
use std::{
    sync::{Arc, OnceLock},
    task::Poll,
    time::{Duration, Instant},
};
use tokio::sync::mpsc;

type Waiting = Poll<Option<Result<Line, Status>>>;

#[test]
fn a_dropped_stream_ends_the_handler_and_what_it_spawned() {
    run(async || {
        let (told, mut heard) = mpsc::unbounded_channel();
        let service = Closures::default()
            .count({
                let told = told.clone();
                move |cx, _| {
                    let child = Told(told.clone(), "child");
                    cx.spawn(async move {
                        let _child = child;
                        std::future::pending().await
                    });
                    let stream = Told(told.clone(), "stream");
                    Ok(poll_fn(move |_| {
                        let _ = &stream;
                        Waiting::Pending
                    }))
                }
            })
            .sum({
                let told = told.clone();
                move |_, incoming| {
                    let upload = Told(told.clone(), "upload");
                    async move {
                        upload.0.send("began").unwrap();
                        let _held = (upload, incoming);
                        std::future::pending().await
                    }
                }
            })
            .chat(move |_, incoming| {
                let chat = Told(told.clone(), "chat");
                Ok(poll_fn(move |_| {
                    let _ = (&chat, &incoming);
                    Waiting::Pending
                }))
            });
        let (_running, talk) = net(service.into_service());
        drop(talk.count(number(1)).await.unwrap());
        let mut both = [heard.recv().await.unwrap(), heard.recv().await.unwrap()];
        both.sort();
        assert_eq!(both, ["child", "stream"]);

        let mut upload = talk.sum().await.unwrap();
        upload.send(number(1)).await.unwrap();
        assert_eq!(heard.recv().await, Some("began"));
        drop(upload);
        assert_eq!(heard.recv().await, Some("upload"));

        let (outgoing, mut incoming) = talk.chat().await.unwrap().split();
        incoming.opened().await.unwrap();
        drop(incoming);
        assert_eq!(heard.recv().await, Some("chat"), "though the other half is there");
        drop(outgoing);
    });
}

#[test]
fn a_deadline_ends_a_stream_at_both_ends() {
    run(async || {
        let (told, mut heard) = mpsc::unbounded_channel();
        let service = Closures::default().count(move |cx, _| {
            assert!(cx.deadline().is_some());
            let stream = Told(told.clone(), "stream");
            Ok(poll_fn(move |_| {
                let _ = &stream;
                Waiting::Pending
            }))
        });
        let (_running, talk) = net(service.into_service());
        let late = match talk.count(number(1)).timeout(Duration::from_millis(30)).await {
            Ok(lines) => numbers(lines).await.1.unwrap_err(),
            Err(status) => status,
        };
        assert_eq!(late.code(), Code::DeadlineExceeded);
        assert_eq!(heard.recv().await, Some("stream"));
    });
}

/// Asks a service for what it is asked for: calls made `within` another one.
struct Relay {
    next: Arc<OnceLock<TalkClient>>,
    seen: mpsc::UnboundedSender<Option<Instant>>,
}

impl Relay {
    fn next(&self) -> &TalkClient {
        self.next.get().unwrap()
    }
}

impl Talk for Relay {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        self.seen.send(cx.deadline()).unwrap();
        if request.number == 0 {
            return std::future::pending().await;
        }
        self.next().say(number(request.number - 1)).within(cx).await
    }
    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        self.seen.send(cx.deadline()).unwrap();
        let silent: std::pin::Pin<Box<dyn Stream<Item = Result<Line, Status>> + Send>> = match request.number
        {
            0 => Box::pin(poll_fn(|_| Waiting::Pending)),
            n => Box::pin(self.next().count(number(n - 1)).within(cx).await?),
        };
        Ok(silent)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented(""))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

#[test]
fn calls_made_within_a_call_inherit_its_deadline() {
    run(async || {
        let (seen, mut deadlines) = mpsc::unbounded_channel();
        let next = Arc::new(OnceLock::new());
        let (_running, talk) = net(Relay { next: next.clone(), seen }.into_service());
        next.set(talk.clone()).ok().unwrap();
        let unary = async |limit| talk.say(number(2)).timeout(limit).await.err().unwrap();
        deadlines_of_three(&mut deadlines, unary).await;
        let streaming = async |limit| match talk.count(number(2)).timeout(limit).await {
            Ok(lines) => numbers(lines).await.1.unwrap_err(),
            Err(status) => status,
        };
        deadlines_of_three(&mut deadlines, streaming).await;
    });
}

/// All three handlers of a call that ends by its deadline see it; the deadline is later if the machine was
/// too busy to get to the third.
async fn deadlines_of_three(
    seen: &mut mpsc::UnboundedReceiver<Option<Instant>>,
    call: impl AsyncFn(Duration) -> Status,
) {
    for limit in [60, 600, 6000].map(Duration::from_millis) {
        let began = Instant::now();
        assert_eq!(call(limit).await.code(), Code::DeadlineExceeded);
        let deadlines: Vec<_> = std::iter::from_fn(|| seen.try_recv().ok()).collect();
        for at in &deadlines {
            let at = at.expect("inherited");
            assert!(at <= began + limit + Duration::from_secs(1), "not the channel's minute");
        }
        if deadlines.len() >= 3 {
            return;
        }
    }
    panic!("the third handler was not reached within 6 s");
}

#[test]
fn a_stream_of_requests_may_be_the_answer() {
    run(async || {
        let (seen, _deadlines) = mpsc::unbounded_channel();
        let (_running, talk) = net(Relay { next: Arc::default(), seen }.into_service());
        let mut chat = talk.chat().await.unwrap();
        chat.send(number(5)).await.unwrap();
        assert_eq!(chat.next().await.unwrap().unwrap().number, 5);
    });
}

fn _a_context_is_a_parent(cx: &Context) -> &impl Parent {
    cx
}

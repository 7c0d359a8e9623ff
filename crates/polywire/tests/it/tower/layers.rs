//! Layers of `tower` around the calls of a server.

use crate::{
    support::{Never, line},
    talk::{Talk, TalkClient},
};
use polywire::{
    Channel, Code, Ended, Engine, Middleware, Resilience, Server, Status,
    tower::{Call, Rest, layered},
};
use polywire_engine::transport::duplex;
use std::{
    convert::Infallible,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    task::{self, Poll},
    time::Duration,
};
use tower::{BoxError, Service, ServiceBuilder};

const MINUTE: Duration = Duration::from_secs(60);

/// Is ready for so many calls, and then for none.
#[derive(Clone)]
struct Few(Arc<AtomicU32>, Rest);

impl Service<Call> for Few {
    type Response = Ended;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Ended, Status>> + Send>>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), Status>> {
        let left = self.0.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        Poll::Ready(left.map(drop).map_err(|_| Status::resource_exhausted("no more")))
    }

    fn call(&mut self, call: Call) -> Self::Future {
        let rest = self.1.call(call);
        Box::pin(async move { rest.await.map_err(|never: Infallible| match never {}) })
    }
}

/// Runs a test over several protocols, in virtual time.
fn run(layers: impl Fn() -> Server, test: impl AsyncFn(TalkClient)) {
    for protocol in ["baidu_std", "http", "grpc", "connect"] {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let running = layers().engine(&Engine::here()).start_without_listener().unwrap();
            let channel = Channel::builder("there")
                .protocol(protocol)
                .timeout(60 * MINUTE)
                .resilience(Resilience::default().retries(0))
                .connector(move |_| {
                    let (ours, theirs) = duplex("net", 1 << 20);
                    running.serve_stream(theirs);
                    std::future::ready(Ok::<_, io::Error>(ours))
                });
            test(TalkClient::new(channel.build().unwrap())).await;
        });
    }
}

fn server(layers: impl Middleware) -> Server {
    Server::new().service(Never.into_service()).middleware(layers)
}

#[test]
fn layers_of_tower_go_around_calls() {
    let late = |_: BoxError| Status::deadline_exceeded("a minute is enough");
    let layers = move || {
        let stack = ServiceBuilder::new().map_err(late).timeout(MINUTE);
        server(layered(|rest| stack.service(rest)))
    };
    run(layers, async |talk| {
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");
        let began = tokio::time::Instant::now();
        let late = talk.say(line("never")).await.unwrap_err();
        assert_eq!((late.code(), late.message()), (Code::DeadlineExceeded, "a minute is enough"));
        assert!(began.elapsed() < 2 * MINUTE);
    });
}

#[test]
fn errors_of_layers_end_calls() {
    run(
        || server(layered(|rest| ServiceBuilder::new().timeout(MINUTE).service(rest))),
        async |talk| {
            let late = talk.say(line("never")).await.unwrap_err();
            assert_eq!((late.code(), late.message()), (Code::Unavailable, "request timed out"));
        },
    );
    run(
        || server(layered(|rest| Few(Arc::new(AtomicU32::new(2)), rest))),
        async |talk| {
            for _ in 0..2 {
                talk.say(line("hi")).await.unwrap();
            }
            let refused = talk.say(line("hi")).await.unwrap_err();
            assert_eq!((refused.code(), refused.message()), (Code::ResourceExhausted, "no more"));
        },
    );
}

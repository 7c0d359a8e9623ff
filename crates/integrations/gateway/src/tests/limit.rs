//! How many calls of a route may be under way.

use super::{tries::PAIRS, *};
use crate::{Cluster, Figures, Routes};
use polywire_call::{Code, Native, brpc};
use polywire_client::Target;
use polywire_server::{Limiter, Timeout};
use tokio::task::JoinHandle;

const PLACE: Target = Target::fixed(SERVICE, "Place");
const TALK: Target = Target::fixed(SERVICE, "Talk");

/// A relay with a route to a server that does what messages say, and a second one with the same route.
struct Limited {
    _net: Net<Lab>,
    channel: Channel<Lab>,
    beside: Channel<Lab>,
    limit: Arc<Limiter>,
    figures: Figures,
    /// What the server was told.
    told: mpsc::UnboundedReceiver<Vec<u8>>,
}

impl Limited {
    fn new((front, back): (&'static str, &'static str), limit: Arc<Limiter>) -> Limited {
        let net = Net::seeded(1);
        let (tell, told) = mpsc::unbounded_channel();
        let place = method("Place", move |call: Call| {
            let message = call.body.to_vec();
            let _ = tell.send(message.clone());
            async move {
                match &message[..] {
                    b"slow" => tokio::time::sleep(ms(150)).await,
                    b"none" => return Err(Status::not_found("no such lamp")),
                    b"never" => std::future::pending().await,
                    _ => {}
                }
                Ok(ok(message))
            }
        });
        let talk = streaming("Talk", |mut call: Call| async move {
            let (mut source, mut sink) = call.stream.take().expect("a stream");
            while let Some(part) = source.next().await.transpose()? {
                sink.send(part).await?;
            }
            Ok(Outcome::default())
        });
        net.serve(
            "behind:1",
            Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(place).with(talk)),
        );
        let below = net.host("relay").builder("behind:1").protocol(back).timeout(None).build();
        let (below, figures) = (below.expect("a channel"), Figures::new());
        let cluster = Cluster::new(&below).counted(&figures.way("shop.*", "stock", back));
        let routes =
            Routes::new().to("shop.*".parse().expect("names"), cluster).expect("one").limited(&limit);
        let [channel, beside] = ["relay:1", "relay:2"].map(|name| {
            net.serve(name, Server::<Lab>::new().catch_all(Relay::by(routes.only(|_| true))));
            net.builder(name).protocol(front).timeout(None).build().expect("a channel")
        });
        Limited { _net: net, channel, beside, limit, figures, told }
    }

    /// Begins a call, and waits until it is with the server.
    async fn begin(&mut self, channel: &Channel<Lab>, message: &'static str) -> JoinHandle<Option<Status>> {
        let channel = channel.clone();
        let call = channel.call(PLACE, message).timeout(ms(30_000));
        let call = tokio::spawn(async move { call.await.err() });
        assert_eq!(self.told.recv().await.expect("a server"), message.as_bytes());
        call
    }

    async fn until(&self, under_way: u32) {
        for _ in 0..2000 {
            if self.limit.current() == under_way {
                return;
            }
            tokio::time::sleep(ms(10)).await;
        }
        panic!("{} calls under way, not {under_way}", self.limit.current());
    }

    /// Nothing of a further call is sent.
    async fn is_full(&mut self) {
        for channel in [&self.channel, &self.beside] {
            let refused = channel.call(PLACE, "further").await.expect_err("too many");
            assert_eq!(refused.code(), Code::ResourceExhausted, "{refused}");
            assert_eq!(refused.metadata().get_str("polywire-gateway"), Some("limit"), "{refused}");
            if channel.protocol() == "baidu_std" {
                assert_eq!(refused.native(), Native::Brpc(brpc::EDQUOT), "{refused}");
            }
        }
        assert!(self.told.try_recv().is_err(), "nothing of them is sent");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_beyond_those_that_a_route_may_have_are_refused_until_one_ends_however_it_does() {
    for pair in PAIRS {
        let mut limited = Limited::new(pair, Limiter::new(2));
        let (here, there) = (limited.channel.clone(), limited.beside.clone());
        let first = limited.begin(&here, "never").await;
        let calls = [("slow", None), ("none", Some(Code::NotFound))];
        for (message, code) in calls {
            let second = limited.begin(&there, message).await;
            if message == "slow" {
                limited.is_full().await;
            }
            assert_eq!(second.await.expect("it ends").map(|status| status.code()), code, "{pair:?}");
            limited.until(1).await;
        }
        let late = here.call(PLACE, "never").timeout(ms(50)).await.expect_err("too late");
        assert_eq!(late.code(), Code::DeadlineExceeded, "{pair:?}");
        limited.told.recv().await.expect("the late one");
        limited.until(1).await;
        match pair.0 {
            "grpc" => first.abort(), // which says so to the relay
            _ => drop(first.await),
        }
        limited.until(0).await;
        let route = limited.figures.routes().pop().expect("a route");
        assert_eq!((route.refused, route.calls), (2, 6), "{pair:?}");
        assert_eq!((limited.limit.report().refused, limited.limit.report().highest), (2, 2), "{pair:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_has_its_place_until_it_ends_or_is_dropped() {
    let mut limited = Limited::new(("grpc", "grpc"), Limiter::new(1));
    for is_dropped in [false, true] {
        let mut stream = limited.channel.stream(TALK).await.expect("a stream");
        stream.send("hello").await.expect("room");
        let heard = stream.next().await.expect("a message").expect("no failure");
        assert_eq!(heard.bytes.to_vec(), b"hello");
        limited.is_full().await;
        if !is_dropped {
            stream.finish();
            assert!(stream.next().await.is_none());
        }
        drop(stream);
        limited.until(0).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_by_time_learns_from_calls_that_were_with_a_server() {
    let mut limited = Limited::new(("baidu_std", "grpc"), Limiter::new(Timeout::ms(100)));
    let channel = limited.channel.clone();
    let latency = |limited: &Limited| limited.limit.report().latency.expect("a limit by time");
    // Calls whose callers have gone, and those that are not sent, say nothing.
    for _ in 0..1200 {
        let unsent = channel.call(PLACE, "").attachment("a picture").await.expect_err("no place for it");
        assert_eq!(unsent.code(), Code::Unimplemented);
        tokio::time::sleep(ms(10)).await;
    }
    assert_eq!(latency(&limited), Duration::from_micros(500), "as at first");
    for _ in 0..300 {
        assert!(limited.begin(&channel, "slow").await.await.expect("it ends").is_none());
    }
    assert!((ms(150)..ms(160)).contains(&latency(&limited)), "{:?}", latency(&limited));
    let first = limited.begin(&channel, "never").await;
    let call = |wait| channel.call(PLACE, "").timeout(ms(wait));
    assert_eq!(call(100).await.expect_err("too slow for it").code(), Code::ResourceExhausted);
    call(1000).await.expect("who waits longer is let in");
    assert!(first.await.expect("it ends").is_some(), "at its deadline");
    limited.until(0).await;
    call(100).await.expect("the only one is always let in");
}

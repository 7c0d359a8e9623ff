//! Copies of calls: what servers get, what callers notice of it (nothing), and what is counted.

mod compared;
mod streamed;

use super::*;
use crate::{Cluster, Figures, Routes, Shadow, ShadowFigures};
use polywire_call::Code;
use polywire_client::Target;
use polywire_wire::Part;
use std::{sync::Mutex, time::Duration};

const PLACE: Target = Target::fixed(SERVICE, "Place");
const METHOD: &str = "shop.v1.Orders/Place";

/// Servers `old:1`, `same:1` and `new:1`, and a relay of calls to `old`, whose copies go to `new`.
struct Lane {
    net: Net<Lab>,
    old: Cluster,
    same: Cluster,
    new: Cluster,
    figures: Figures,
    relay: Relay,
    served: Served,
}

impl Lane {
    fn new(back: [&'static str; 3], [old, same, new]: [Method; 3]) -> Lane {
        let net = Net::seeded(1);
        let serve = |name: &str, method| {
            let service = Service::new(SERVICE, &[]).with(method);
            net.serve(name, Server::<Lab>::new().service(service))
        };
        serve("old:1", old);
        serve("same:1", same);
        let served = serve("new:1", new);
        let below = |name: &str, protocol: &str| {
            let channel = net.host("relay").builder(name).protocol(protocol).build().expect("a channel");
            Cluster::new(&channel)
        };
        let (old, same, new) = (below("old:1", back[0]), below("same:1", back[1]), below("new:1", back[2]));
        let relay = Relay::by(Routes::new());
        net.serve("relay:1", Server::<Lab>::new().catch_all(relay.clone()));
        Lane { net, old, same, new, figures: Figures::new(), relay, served }
    }

    /// Old servers that do this, and a new one that does that.
    fn of(old: fn() -> Method, new: Method) -> Lane {
        Lane::new(["grpc"; 3], [old(), old(), new])
    }

    /// Copies, with further settings.
    fn copying(self, set: impl FnOnce(Shadow, &Lane) -> Shadow) -> Lane {
        let shadow = Shadow::to(&self.new).method(METHOD).expect("a method");
        let shadow = set(shadow.counted(&self.figures, "*", "new"), &self);
        let routes = Routes::new().to("*".parse().expect("names"), &self.old).expect("a route");
        self.relay.replace(routes.shadow(shadow).expect("a shadow"));
        self
    }

    fn caller(&self, protocol: &str) -> Channel<Lab> {
        self.net.builder("relay:1").protocol(protocol).build().expect("a channel")
    }

    fn figures(&self) -> ShadowFigures {
        self.figures.shadows().pop().expect("a shadow")
    }

    /// The figures, once they are so.
    async fn until(&self, is: impl Fn(&ShadowFigures) -> bool) -> ShadowFigures {
        for _ in 0..10_000 {
            let figures = self.figures();
            if is(&figures) {
                return figures;
            }
            tokio::time::sleep(ms(1)).await;
        }
        panic!("{:?}", self.figures());
    }
}

fn echo() -> Method {
    method("Place", |call: Call| async move { Ok(ok(call.body)) })
}

fn hangs() -> Method {
    method("Place", |_| std::future::pending())
}

#[tokio::test(start_paused = true)]
async fn a_copy_has_the_message_and_the_fields_of_its_call_and_a_mark() {
    for (front, back) in [
        ("grpc", ["grpc", "grpc", "grpc"]),
        ("baidu_std", ["baidu_std", "baidu_std", "grpc"]),
        ("grpc", ["grpc", "grpc", "baidu_std"]),
    ] {
        let (tell, mut told) = mpsc::unbounded_channel();
        let seen = |who: &'static str, tell: &mpsc::UnboundedSender<_>| {
            let tell = tell.clone();
            method("Place", move |call: Call| {
                let fields = call.cx.metadata();
                let values =
                    ["x-tenant", "polywire-shadow"].map(|name| fields.get_str(name).map(str::to_owned));
                let _ = tell.send((who, call.body.to_vec(), values, call.cx.remaining().is_some()));
                async move { Ok(ok(who)) }
            })
        };
        let methods = ["old", "same", "new"].map(|who| seen(who, &tell));
        let lane = Lane::new(back, methods).copying(|shadow, lane| shadow.baseline(&lane.same));
        let call = lane.caller(front).call(PLACE, "a lamp").metadata("x-tenant", "acme");
        assert_eq!(call.await.expect("a reply").body.to_vec(), b"old");
        for _ in 0..3 {
            let (who, body, [tenant, mark], has_deadline) = told.recv().await.expect("a call");
            assert_eq!((&*body, tenant.as_deref()), (&b"a lamp"[..], Some("acme")), "{front} {who}");
            assert_eq!(mark.as_deref(), (who != "old").then_some("1"), "{front} {who}");
            assert!(has_deadline, "{front} {who}");
        }
        lane.until(|figures| figures.different == 0 && figures.noise == 1).await;
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_a_shadow_does_its_callers_do_not_notice() {
    for front in ["grpc", "baidu_std"] {
        let took = async |lane: &Lane| {
            let caller = lane.caller(front);
            let begin = tokio::time::Instant::now();
            for _ in 0..5 {
                assert_eq!(caller.call(PLACE, "a lamp").await.expect("a reply").body.to_vec(), b"a lamp");
            }
            begin.elapsed()
        };
        let plain = Lane::of(echo, echo());
        plain.relay.replace(Routes::new().to("*".parse().expect("names"), &plain.old).expect("a route"));
        let usual = took(&plain).await;
        let slow = method("Place", |call: Call| async move {
            tokio::time::sleep(ms(500)).await;
            Ok(ok(call.body))
        });
        let fails = method("Place", |_| async { Err(Status::internal("a shelf fell down")) });
        let rubbish = method("Place", |_| async { Ok(ok(vec![0xff; 1 << 20])) });
        for (what, method, fate) in [
            ("hangs", hangs(), "failed"),
            ("slow", slow, "same"),
            ("fails", fails, "different"),
            ("rubbish", rubbish, "different"),
            ("refuses", echo(), "failed"),
            ("crashed", echo(), "failed"),
            ("speaks otherwise", echo(), "failed"),
        ] {
            let mut lane = Lane::of(echo, method);
            if what == "speaks otherwise" {
                lane.net.serve("http:1", Server::<Lab>::new().protocols(["http"]));
                let channel = lane.net.host("relay").builder("http:1").protocol("baidu_std").build();
                lane.new = Cluster::new(&channel.expect("a channel"));
            }
            let lane = lane.copying(|shadow, _| shadow.compare());
            match what {
                "refuses" => {
                    lane.net.link("new:1").refuse();
                }
                "crashed" => lane.served.crash(),
                _ => {}
            }
            assert_eq!(took(&lane).await, usual, "{front} {what}");
            let ended = lane.until(|one| one.same + one.different + one.failed == 5).await;
            let counted = [("same", ended.same), ("different", ended.different), ("failed", ended.failed)];
            assert!(counted.contains(&(fate, 5)), "{front} {what}: {ended:?}");
            assert_eq!((ended.sent, ended.dropped), (5, 0), "{front} {what}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn copies_beyond_a_hundred_are_dropped_until_there_is_room() {
    for (front, compares) in [("grpc", true), ("baidu_std", false)] {
        let lane = Lane::of(echo, hangs());
        let lane = lane.copying(|shadow, _| if compares { shadow.compare() } else { shadow });
        let caller = lane.caller(front);
        for _ in 0..150 {
            caller.call(PLACE, "").await.expect("a reply");
        }
        let figures = lane.figures();
        assert_eq!((figures.sent, figures.dropped), (100, 50), "{front}");
        lane.until(|one| one.failed == 100).await;
        caller.call(PLACE, "").await.expect("a reply");
        assert_eq!(lane.figures().sent, 101, "{front}");
    }
}

#[tokio::test(start_paused = true)]
async fn callers_that_give_up_make_no_more_copies() {
    for front in ["grpc", "baidu_std"] {
        for compares in [true, false] {
            let lane = Lane::of(hangs, hangs());
            let lane = lane.copying(|shadow, _| {
                let shadow = shadow.timeout(Duration::from_secs(30));
                if compares { shadow.compare() } else { shadow }
            });
            let caller = lane.caller(front);
            for _ in 0..150 {
                let late = caller.call(PLACE, "").timeout(ms(5)).await.unwrap_err();
                assert_eq!(late.code(), Code::DeadlineExceeded);
            }
            lane.until(|one| (one.sent, one.dropped) == (100, 50)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn copies_hold_no_more_than_their_bytes() {
    let lane = Lane::of(|| method("Place", |_| async { Ok(ok("")) }), hangs());
    let lane = lane.copying(|shadow, _| shadow.timeout(Duration::from_secs(30)));
    let caller = lane.caller("baidu_std");
    for _ in 0..10 {
        caller.call(PLACE, vec![0; 8 << 20]).timeout(ms(10_000)).await.expect("a reply");
    }
    let figures = lane.figures();
    assert_eq!((figures.sent, figures.dropped), (8, 2));
}

#[tokio::test(start_paused = true)]
async fn answers_that_wait_for_others_hold_no_more_than_their_bytes() {
    let begins = || {
        streaming("Place", |mut call: Call| async move {
            let (mut source, mut sink) = call.stream.take().expect("a stream");
            while source.next().await.transpose()?.is_some() {}
            sink.send(Part::message(vec![0; 8 << 20].into())).await?;
            std::future::pending().await
        })
    };
    let lane = Lane::of(begins, echo());
    let lane = lane.copying(|shadow, _| shadow.compare().timeout(Duration::from_secs(30)));
    let caller = lane.caller("grpc");
    let mut streams = Vec::new();
    for _ in 0..10 {
        let mut stream = caller.stream(PLACE).message("").await.expect("a stream");
        stream.next().await.expect("a reply").expect("a reply");
        streams.push(stream);
    }
    // The ninth answer has no room, and then it is known how long they are.
    let figures = lane.figures();
    assert_eq!((figures.sent, figures.dropped), (9, 2));
}

#[tokio::test(start_paused = true)]
async fn only_methods_that_are_named_are_copied_and_no_copy_is_copied_again() {
    let lane = Lane::of(echo, echo()).copying(|shadow, _| shadow.compare());
    let caller = lane.caller("grpc");
    let _ = caller.call(Target::fixed(SERVICE, "Cancel"), "").await;
    caller.call(PLACE, "").metadata("Polywire-Shadow", "1").await.expect("a reply");
    caller.call(PLACE, "").await.expect("a reply");
    let figures = lane.until(|one| one.same == 1).await;
    assert_eq!((figures.sent, figures.skipped, figures.dropped), (1, 0, 0));
    for text in ["*", "shop.*", "shop.v1.Orders", "", "shop.v1.Orders/"] {
        assert!(Shadow::to(&lane.new).method(text).is_err(), "{text}");
    }
    let routes = || Routes::new().to("*".parse().expect("names"), &lane.old).expect("a route");
    assert!(routes().shadow(Shadow::to(&lane.new)).is_err(), "no method is named");
    for share in [-0.1, 1.1, f64::NAN] {
        let shadow = Shadow::to(&lane.new).method(METHOD).expect("a method").share(share);
        assert!(routes().shadow(shadow).is_err(), "{share}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_share_of_the_calls_is_copied() {
    for (share, least, most) in [(0.0, 0, 0), (0.5, 380, 620), (1.0, 1000, 1000)] {
        let lane = Lane::of(echo, echo()).copying(|shadow, _| shadow.share(share).compare());
        let caller = lane.caller("grpc");
        for _ in 0..1000 {
            caller.call(PLACE, "").await.expect("a reply");
        }
        let sent = lane.figures().sent;
        assert!((least..=most).contains(&sent), "{share}: {sent}");
    }
}

#[tokio::test(start_paused = true)]
async fn streams_are_not_copied_and_answers_that_stream_not_compared() {
    let talk = || {
        streaming("Place", |mut call: Call| async move {
            let (mut source, mut sink) = call.stream.take().expect("a stream");
            while let Some(part) = source.next().await.transpose()? {
                for _ in 0..2 {
                    sink.send(Part::message(part.bytes.clone())).await?;
                }
            }
            Ok(Outcome::default())
        })
    };
    let lane = Lane::of(talk, echo()).copying(|shadow, _| shadow.compare());
    let caller = lane.caller("grpc");
    let mut stream = caller.stream(PLACE).message("a lamp").await.expect("a stream");
    for _ in 0..2 {
        assert_eq!(stream.next().await.expect("a reply").expect("a reply").bytes.to_vec(), b"a lamp");
    }
    assert!(stream.next().await.is_none());
    let figures = lane.until(|one| one.skipped == 1).await;
    assert_eq!((figures.sent, figures.same, figures.different), (1, 0, 0));
    let mut stream = caller.stream(PLACE).await.expect("a stream");
    for _ in 0..2 {
        stream.send("a lamp").await.expect("it is sent");
    }
    stream.finish();
    while stream.next().await.transpose().expect("no failure").is_some() {}
    let figures = lane.until(|one| one.skipped == 2).await;
    assert_eq!(figures.sent, 1);
}

#[tokio::test(start_paused = true)]
async fn a_shadow_of_the_same_names_goes_on_counting_and_has_the_same_room() {
    let lane = Lane::of(echo, hangs()).copying(|shadow, _| shadow);
    let caller = lane.caller("grpc");
    for _ in 0..99 {
        caller.call(PLACE, "").await.expect("a reply");
    }
    let lane = lane.copying(|shadow, _| shadow);
    for _ in 0..2 {
        caller.call(PLACE, "").await.expect("a reply");
    }
    let figures = lane.figures();
    assert_eq!((figures.sent, figures.dropped, lane.figures.shadows().len()), (100, 1, 1));
    let registry = polywire_metrics::Registry::new();
    lane.figures.expose(&registry);
    let text = registry.prometheus();
    for line in [r#"{route="*",result="sent"} 100"#, r#"{route="*",result="dropped"} 1"#] {
        let line = format!("polywire_gateway_shadow_total{line}");
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
    lane.relay.replace(Routes::new());
    lane.until_gone().await;
}

impl Lane {
    async fn until_gone(&self) {
        for _ in 0..10_000 {
            if self.figures.shadows().is_empty() {
                return;
            }
            tokio::time::sleep(ms(1)).await;
        }
        panic!("{:?}", self.figures());
    }
}

#[tokio::test(start_paused = true)]
async fn the_access_log_says_whether_a_call_was_copied() {
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let written = Written::default();
    let log = polywire_server::AccessLog::builder(polywire_server::LogFormat::Json)
        .writer(written.clone())
        .expect("a thread");
    let lane = Lane::of(echo, hangs());
    let shadow = Shadow::to(&lane.new).method(METHOD).expect("a method");
    let routes = Routes::new().to("*".parse().expect("names"), &lane.old).expect("a route");
    let relay = Relay::by(routes.shadow(shadow).expect("a shadow"));
    let recording = polywire_server::Recording::default().access_log(&log);
    lane.net.serve("logs:1", Server::<Lab>::new().catch_all(relay).recording(recording));
    for front in ["grpc", "baidu_std"] {
        let caller = lane.net.builder("logs:1").protocol(front).build().expect("a channel");
        caller.call(PLACE, "").await.expect("a reply");
    }
    let begin = std::time::Instant::now();
    loop {
        let text = String::from_utf8_lossy(&written.0.lock().expect("no panic")).into_owned();
        if text.matches("\"shadow\":\"sent\"").count() == 2 {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(10), "{text}");
        std::thread::yield_now();
        tokio::task::yield_now().await;
    }
}

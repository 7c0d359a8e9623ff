//! Calls of services and methods that a server does not have.

use crate::common::*;
use polywire_machine_testing::{Written, lab::Frame};
use polywire_server::{
    AccessLog, Call, CatchAll, Group, Handler, LogFormat, Recording, Started,
    facts::{Answers, LiveServer, Wanted, What},
};
use polywire_trace::{Options, Query};
use polywire_wire::Outcome;
use std::sync::Arc;

/// Answers with the names by which it was called, those of its row, and the message.
struct Names;

impl CatchAll for Names {
    fn handler(&self) -> Box<dyn Handler> {
        Box::new(Names)
    }
}

impl Handler for Names {
    fn start(&self, call: Call) -> Started {
        let (service, method) = call.cx.called();
        let row = (call.cx.service(), call.cx.method());
        let message = String::from_utf8_lossy(&call.body.to_vec()).into_owned();
        Started::Ready(ok(format!("{service} {method} {row:?} {message}")))
    }
}

async fn own(call: Call) -> Outcome {
    let (service, method) = call.cx.called();
    ok(format!("own {service} {method}"))
}

#[test]
fn it_answers_what_no_own_method_does_with_the_names_that_were_sent() {
    run(async {
        let running = start(server(service().with(method("Own", own))).catch_all(Names));
        let mut peer = connect(&running);
        for (id, target, answer) in [
            (1, "shop.Orders/Place", r#"shop.Orders Place ("catch_all", "unary") lamp"#),
            (2, "test.Service/Other", r#"test.Service Other ("catch_all", "unary") lamp"#),
            (3, "test.Service/Own", "own test.Service Own"),
            (4, "shop.Orders/Place", r#"shop.Orders Place ("catch_all", "unary") lamp"#),
        ] {
            peer.send(Frame::call(id, target, b"lamp")).await;
            assert_eq!(peer.finish(id).await, Frame::reply(id, answer.as_bytes()));
        }
    });
}

#[test]
fn it_is_not_asked_for_names_that_are_none_and_its_own_name_is_nothing_special() {
    run(async {
        let running = start(server(service().with(method("Own", own))).catch_all(Names));
        let mut peer = connect(&running);
        for (id, target) in [
            (1, "shop.Orders/"),
            (2, "/Place"),
            (3, "shop Orders/Place"),
            (4, "shop.Orders/a%2fb"),
            (5, "shop/Orders.Place"),
        ] {
            peer.send(Frame::call(id, target, b"")).await;
            assert_ne!(peer.finish(id).await.a, 0, "{target}");
        }
        peer.send(Frame::call(6, "catch_all/streaming", b"")).await;
        let answer = br#"catch_all streaming ("catch_all", "unary") "#;
        assert_eq!(peer.finish(6).await, Frame::reply(6, answer));
    });
}

#[test]
fn two_of_them_are_refused_at_the_start() {
    run(async {
        let twice = server(service().with(method("Own", own))).catch_all(Names).catch_all(Names);
        let error = twice.start_without_listener().map(drop).expect_err("one too many").to_string();
        assert!(error.contains("catch_all") && error.contains("twice"), "{error}");
    });
}

#[test]
fn an_access_log_has_the_names_that_were_sent() {
    run(async {
        let written = Written::default();
        let log = AccessLog::builder(LogFormat::Json).writer(written.clone()).expect("a thread");
        let server = server(service().with(method("Own", own))).catch_all(Names);
        let running = start(server.recording(Recording::default().access_log(&log)));
        let mut peer = connect(&running);
        let long = format!("a.B/{}", "x".repeat(240));
        for (id, target) in [(1, "shop.Orders/Place"), (2, "test.Service/Own"), (3, &long)] {
            peer.send(Frame::call(id, target, b"lamp")).await;
            peer.finish(id).await;
        }
        assert!(log.flushed(NEVER).await);
        let text = written.text();
        let lines: Vec<_> = text.lines().collect();
        for (line, names) in lines.iter().zip([
            r#""service":"shop.Orders","method":"Place","#.to_owned(),
            r#""service":"test.Service","method":"Own","#.to_owned(),
            format!(r#""service":"a.B","method":"{}","#, "x".repeat(240)),
        ]) {
            assert!(line.contains(&names), "{line}");
        }
        assert_eq!(lines.len(), 3, "{text}");
    });
}

#[test]
fn spans_have_the_names_that_were_sent_also_those_kept_at_the_end() {
    run(async {
        for sampled_per_second in [1000, 0] {
            let tracer = polywire_engine::tracer(Options { sampled_per_second, ..Options::default() });
            tracer.set_on(true);
            let server = server(service().with(method("Own", own))).catch_all(Names);
            let running = start(server.recording(Recording::default().tracer(&tracer)));
            let mut peer = connect(&running);
            peer.send(Frame::call(1, "shop.Orders/Place", b"")).await;
            peer.finish(1).await;
            peer.send(Frame::call(2, "test.Service/Own", b"")).await;
            peer.finish(2).await;
            let spans = tracer.find(&Query::default());
            let mut names: Vec<_> = spans.iter().map(|record| &*record.method).collect();
            names.sort_unstable();
            assert_eq!(names, ["shop.Orders.Place", "test.Service.Own"], "{sampled_per_second} sampled");
        }
    });
}

/// Never answers.
struct Waits;

impl CatchAll for Waits {
    fn handler(&self) -> Box<dyn Handler> {
        Box::new(Waits)
    }
}

impl Handler for Waits {
    fn start(&self, call: Call) -> Started {
        Started::Future(Box::pin(async move {
            let _call = call;
            std::future::pending().await
        }))
    }
}

fn shown(group: &Group) -> Arc<dyn LiveServer> {
    group.facts().and_then(|facts| facts.live.upgrade()).expect("a server of the group")
}

#[test]
fn calls_in_flight_have_the_names_that_were_sent_and_are_found_by_them() {
    run(async {
        let group = Group::new();
        let running = start(server(service().with(method("Own", own))).group(&group).catch_all(Waits));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "shop.Orders/Place", b"")).await;
        peer.send(Frame::call(2, "test.Service/Own", b"")).await;
        peer.finish(2).await;
        let server = shown(&group);
        for (text, number) in [("Orders/Pl", 1), ("nothing", 0)] {
            let names = server.methods().iter().map(|method| *method.watched);
            let what = What::List(Arc::new(Wanted::new(text, names, 10)));
            let mut found = Answers::of(server.connections().into_iter(), what).await;
            assert_eq!((found.total, found.wanted), (1, number), "{text}");
            let task = found.oldest.pop();
            assert_eq!(task.and_then(|task| task.called), (number > 0).then(|| "shop.Orders/Place".into()));
        }
    });
}

#[test]
fn servers_of_a_group_are_counted_and_shown_together_and_have_the_same_methods() {
    run(async {
        let group = Group::new();
        assert!(group.facts().is_none());
        let of_group = |name| server(service().with(method(name, own))).group(&group);
        let (one, two) = (start(of_group("Own")), start(of_group("Own")));
        let other = of_group("Other").start_without_listener().map(drop).expect_err("other methods");
        assert!(other.to_string().contains("the same methods"), "{other}");
        let mut peers = Vec::new();
        for running in [&one, &two] {
            let mut peer = connect(running);
            peer.send(Frame::call(1, "test.Service/Own", b"")).await;
            peer.finish(1).await;
            peers.push(peer);
        }
        let facts = group.facts().expect("servers");
        assert_eq!(facts.stats.methods.iter().map(|method| method.latency.count()).sum::<u64>(), 2);
        assert_eq!(shown(&group).connections().len(), 2);
        // One that has ended takes nothing with it.
        drop((peers, one));
        while shown(&group).connections().len() > 1 {
            tokio::task::yield_now().await;
        }
        assert_eq!(facts.stats.methods.iter().map(|method| method.latency.count()).sum::<u64>(), 2);
    });
}

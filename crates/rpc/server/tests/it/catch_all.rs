//! Calls of services and methods that a server does not have.

use crate::common::*;
use polywire_machine_testing::lab::Frame;
use polywire_server::{Call, CatchAll, Handler, Started};
use polywire_wire::Outcome;

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
        for (id, target) in
            [(1, "shop.Orders/"), (2, "/Place"), (3, "shop Orders/Place"), (4, "shop.Orders/a%2fb")]
        {
            peer.send(Frame::call(id, target, b"")).await;
            assert_ne!(peer.finish(id).await.a, 0, "{target}");
        }
        peer.send(Frame::call(5, "catch_all/streaming", b"")).await;
        let answer = br#"catch_all streaming ("catch_all", "unary") "#;
        assert_eq!(peer.finish(5).await, Frame::reply(5, answer));
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

//! What happens while the authenticator has not decided.

use super::doorman::{alone, ask, channel, connect, doorman, run, server, start};
use crate::talk::{Line, TalkClient};
use polywire::{Caller, Code, Identity, Status, Timeouts};
use polywire_engine::{Fault, Transport};
use std::{future::poll_fn, io::IoSlice, sync::Arc, time::Duration};
use tokio::time::{Instant, timeout};

#[test]
fn a_pending_decision_holds_up_its_own_connection_alone() {
    run(async |protocol| {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let call = || {
            let running = running.clone();
            tokio::spawn(async move { ask(&running, protocol).await })
        };
        let ada = call();
        let about_ada = questions.recv().await.unwrap();
        let bob = call();
        questions.recv().await.unwrap().accept("bob");
        assert_eq!(bob.await.unwrap().unwrap(), "bob");
        assert!(!ada.is_finished());
        about_ada.accept("ada");
        assert_eq!(ada.await.unwrap().unwrap(), "ada");
        assert_eq!(running.faults().count(Fault::Unauthenticated), 0);
    });
}

#[test]
fn a_late_refusal_is_one() {
    run(async |protocol| {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let (reply, ()) = tokio::join!(ask(&running, protocol), async {
            questions.recv().await.unwrap().refuse(Status::unauthenticated("no such user"));
        });
        let why = reply.unwrap_err();
        if ["grpc", "connect", "baidu_std", "hulu_pbrpc"].contains(&protocol) {
            assert_eq!(why.code(), Code::Unauthenticated);
            assert!(why.message().contains("no such user"), "{why}");
        }
        assert_eq!(running.faults().count(Fault::Unauthenticated), 1);
    });
}

#[test]
fn a_failure_of_the_authenticator_is_no_refusal_of_the_caller() {
    run(async |protocol| {
        for failure in [
            Status::unavailable("the database is away"),
            Status::deadline_exceeded("the database is slow"),
            Status::internal("the database is broken"),
        ] {
            let running = start(move |_: Caller| std::future::ready(Err(failure.clone())));
            let why = ask(&running, protocol).await.unwrap_err();
            match protocol {
                "http" | "h2" | "grpc" | "grpc-web" | "connect" => {
                    assert_eq!(why.code(), Code::Unavailable, "{why}");
                    assert!(why.message().contains("not possible now, the database is"), "{why}");
                }
                "baidu_std" | "hulu_pbrpc" => assert_eq!(why.code(), Code::Internal, "{why}"),
                "redis" => assert!(why.message().contains("not possible now"), "{why}"),
                _ => {} // the connection ends
            }
            assert_eq!(running.faults().count(Fault::AuthenticationFailed), 1);
            assert_eq!(running.faults().count(Fault::Unauthenticated), 0);
        }
    });
}

#[test]
fn a_panic_refuses_and_its_text_stays_here() {
    run(async |protocol| {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let (reply, ()) = tokio::join!(ask(&running, protocol), async {
            drop(questions.recv().await.unwrap().answer);
        });
        assert!(!reply.unwrap_err().message().contains("secret text"));
        assert_eq!(running.faults().count(Fault::AuthenticationFailed), 1);

        let running = start(|caller: Caller| async move {
            let known = caller.credential().is_some_and(|_| false);
            if known { Ok(Identity::default()) } else { panic!("another secret text") }
        });
        assert!(!ask(&running, protocol).await.unwrap_err().message().contains("secret text"));
        assert_eq!(running.faults().count(Fault::AuthenticationFailed), 1);
    });
}

#[test]
fn nobody_waits_longer_than_the_limit() {
    run(async |protocol| {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let began = Instant::now();
        let (reply, ()) = tokio::join!(ask(&running, protocol), async {
            let mut question = questions.recv().await.unwrap();
            question.answer.closed().await; // its future is dropped
        });
        assert!(reply.is_err());
        let passed = began.elapsed();
        assert!(passed >= Duration::from_secs(10) && passed < Duration::from_secs(11), "{passed:?}");
        assert_eq!(running.faults().count(Fault::AuthenticationLate), 1);
        assert_eq!(running.faults().count(Fault::Unauthenticated), 0);
    });
}

#[test]
fn whoever_goes_is_not_asked_about_any_longer() {
    alone(async {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let mut peer = connect(&running);
        peer.send("GET /talk.Talk/Say HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        let mut question = questions.recv().await.unwrap();
        let began = Instant::now();
        drop(peer);
        question.answer.closed().await;
        assert!(began.elapsed() < Duration::from_secs(1));
        while !running.connections().is_empty() {
            tokio::task::yield_now().await;
        }
    });
}

/// Requests after one that waits for the verdict wait in order, and only a bounded part of them is read.
#[test]
fn what_comes_meanwhile_waits_in_order_and_within_bounds() {
    alone(async {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let mut peer = connect(&running);
        let request = |n: u32| format!("AUTH {n}\r\nECHO{n}\r\n");
        let mut commands: String = (0..3).map(request).collect();
        commands.push_str("WHOAMI\r\n");
        peer.send(commands).await;
        for n in 0..3 {
            let question = questions.recv().await.unwrap();
            assert_eq!(question.caller.credential_str(), Some(&*n.to_string()));
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert!(questions.try_recv().is_err(), "one question at a time");
            question.accept(&format!("number {n}"));
        }
        let said = peer.read_until("number 2").await;
        let replies: Vec<_> = said.lines().collect();
        let unknown = |line: &str| line.starts_with("-ERR unknown command");
        assert!(
            matches!(replies[..], ["+OK", a, "+OK", b, "+OK", c, "$8", "number 2"]
            if unknown(a) && unknown(b) && unknown(c)),
            "{replies:?}"
        );

        peer.send("AUTH me\r\n").await;
        let question = questions.recv().await.unwrap();
        let mut written = 0;
        let flood = [b'x'; 4096];
        while let Ok(n) =
            timeout(Duration::from_secs(1), poll_fn(|cx| peer.0.poll_write(cx, &[IoSlice::new(&flood)])))
                .await
        {
            written += n.unwrap();
        }
        assert!(written < 256 << 10, "{written} bytes are taken in, the 64 KiB of the stream among them");
        question.accept("me");
    });
}

#[test]
fn a_decision_at_once_needs_no_second_look() {
    run(async |protocol| {
        let running = start(|_: Caller| async { Ok(Identity::named("kim")) });
        assert_eq!(ask(&running, protocol).await.unwrap(), "kim");
        let running = start(|_: Caller| async { Err(Status::unauthenticated("nobody")) });
        assert!(ask(&running, protocol).await.is_err());
    });
}

/// While it waits, nothing of a connection is read, so its peer's acknowledgements do not count as late.
#[test]
fn a_slow_verdict_costs_no_connection_of_http2() {
    alone(async {
        let (doorman, mut questions) = doorman();
        let timeouts = Timeouts::default().authentication(Duration::from_secs(12));
        let running =
            Arc::new(server().authenticate(doorman).timeouts(timeouts).start_without_listener().unwrap());
        let talk = || TalkClient::new(channel(&running, "h2", "secret"));

        let slow = talk();
        let (reply, ()) = tokio::join!(slow.say(Line::default()), async {
            let question = questions.recv().await.unwrap();
            tokio::time::sleep(Duration::from_secs(11)).await;
            question.accept("ada");
        });
        assert_eq!(reply.unwrap().into_message().text, "ada");
        tokio::time::sleep(Duration::from_millis(1)).await; // the waiting bytes have been read now
        assert_eq!(slow.say(Line::default()).await.unwrap().into_message().text, "ada");
        assert!(questions.try_recv().is_err(), "the connection is still the one that was let in");

        let late = talk();
        let (reply, ()) = tokio::join!(late.say(Line::default()), async {
            questions.recv().await.unwrap().answer.closed().await;
        });
        assert_eq!(reply.unwrap_err().code(), Code::Unavailable);
        let (reply, ()) = tokio::join!(late.say(Line::default()), async {
            questions.recv().await.unwrap().accept("bob");
        });
        assert_eq!(reply.unwrap().into_message().text, "bob");
        assert_eq!(running.connections().len(), 2);
        assert_eq!(running.faults().count(Fault::Silent), 0);
    });
}

//! How streams end: in order, with a status, early, by a panic.

use crate::{
    support::{Closures, from_fn, net, number, numbers, poll_fn, run, run_over},
    talk::{Line, Talk},
};
use polywire::{Code, Origin, Status};
use std::{sync::Arc, task::Poll};
use tokio::sync::Notify;

#[test]
fn a_stream_that_fails_ends_with_its_status_behind_what_came_before() {
    run(async || {
        let service = Closures::default().count(|_, request| {
            let mut n = 0;
            Ok(from_fn(move || {
                n += 1;
                Some(if n > request.number { Err(Status::not_found("no more")) } else { Ok(number(n)) })
            }))
        });
        let (_running, talk) = net(service.into_service());
        let (seen, ended) = numbers(talk.count(number(100)).await.unwrap()).await;
        assert_eq!(seen, (1..=100).collect::<Vec<_>>());
        assert_eq!(ended.unwrap_err().message(), "no more");
    });
}

#[test]
fn a_stream_that_fails_keeps_its_code_and_details() {
    for protocol in ["grpc", "streaming_rpc"] {
        run_over(protocol, async || {
            let service = Closures::default().count(|_, request| {
                let mut n = 0;
                Ok(from_fn(move || {
                    n += 1;
                    let code = Code::ALL[request.number as usize];
                    let failed = || Status::new(code, "no more").with_details(b"\x08\x05".to_vec());
                    Some(if n > 1 { Err(failed()) } else { Ok(number(n)) })
                }))
            });
            let (_running, talk) = net(service.into_service());
            for code in &Code::ALL[1..] {
                let (seen, ended) = numbers(talk.count(number(*code as u32)).await.unwrap()).await;
                let ended = ended.unwrap_err();
                assert_eq!(
                    (&seen[..], ended.code(), ended.message()),
                    (&[1][..], *code, "no more"),
                    "{protocol}"
                );
                assert_eq!(ended.details(), b"\x08\x05", "{protocol}, {code}");
                assert_eq!(ended.origin(), Origin::Remote);
            }
        });
    }
}

#[test]
fn what_a_spawned_task_fails_with_ends_the_stream_behind_what_it_sent() {
    run(async || {
        let service = Closures::default().count(|cx, request| {
            let (sender, lines) = polywire::stream(4);
            cx.spawn(async move {
                for n in 0..request.number {
                    sender.send(number(n)).await?;
                }
                Err(Status::permission_denied("enough"))
            });
            Ok(lines)
        });
        let (_running, talk) = net(service.into_service());
        for round in 0..300 {
            let (seen, ended) = numbers(talk.count(number(round % 40)).await.unwrap()).await;
            assert_eq!(seen, (0..round % 40).collect::<Vec<_>>());
            assert_eq!(ended.unwrap_err().message(), "enough", "round {round}");
        }
    });
}

#[test]
fn a_spawned_task_that_fails_ends_a_handler_that_waits() {
    run(async || {
        let service = Closures::default()
            .count(|cx, _| {
                cx.spawn(async { Err(Status::unavailable("lost it")) });
                Ok(poll_fn(|_| Poll::<Option<Result<Line, Status>>>::Pending))
            })
            .sum(|cx, _| {
                cx.spawn(async { Err(Status::unavailable("lost it")) });
                std::future::pending()
            });
        let (_running, talk) = net(service.into_service());
        let (_, ended) = numbers(talk.count(number(1)).await.unwrap()).await;
        assert_eq!(ended.unwrap_err().message(), "lost it");
        assert_eq!(talk.sum().await.unwrap().finish().await.unwrap_err().message(), "lost it");
    });
}

#[test]
fn a_panic_ends_the_call_with_a_status_and_nothing_else() {
    run(async || {
        let service = Closures::default()
            .count(|cx, request| {
                if request.number == 2 {
                    cx.spawn(async { panic!("in what it spawned") });
                }
                assert!(request.number > 0, "in the handler");
                Ok(poll_fn(move |_| {
                    assert!(request.number > 1, "in its stream");
                    Poll::Pending
                }))
            })
            .sum(|_, _| async { panic!("in the handler") });
        let (_running, talk) = net(service.into_service());
        for n in 0..3 {
            let status = match talk.count(number(n)).await {
                Ok(lines) => numbers(lines).await.1.unwrap_err(),
                Err(status) => status,
            };
            assert_eq!(status.code(), Code::Internal, "{status}");
        }
        assert_eq!(talk.sum().await.unwrap().finish().await.unwrap_err().code(), Code::Internal);
        assert_eq!(talk.say(number(7)).await.unwrap().number, 7, "the connection lives on");
    });
}

#[test]
fn a_server_may_answer_before_it_has_heard_all() {
    run(async || {
        let service = Closures::default().sum(|_, mut incoming| async move {
            incoming.next().await.transpose()?;
            Ok(number(42))
        });
        let (_running, talk) = net(service.into_service());
        let mut upload = talk.sum().await.unwrap();
        let over = loop {
            if let Err(over) = upload.send(number(1)).await {
                break over;
            }
        };
        assert_eq!(over.code(), Code::Cancelled, "it ended well");
        assert_eq!(upload.finish().await.unwrap().number, 42);

        let endless = poll_fn(|_| Poll::Ready(Some(number(1))));
        assert_eq!(talk.sum().send_all(endless).await.unwrap().number, 42);
        let mut first = Some(number(1));
        let silent = poll_fn(move |_| first.take().map_or(Poll::Pending, |line| Poll::Ready(Some(line))));
        assert_eq!(talk.sum().send_all(silent).await.unwrap().number, 42, "though nothing more is sent");
    });
}

#[test]
fn a_sender_hears_with_what_the_call_has_failed() {
    run(async || {
        let service = Closures::default()
            .sum(|_, _| async { Err(Status::resource_exhausted("your quota")) })
            .chat(|_, _| Ok(from_fn(|| Some(Err(Status::resource_exhausted("your quota"))))));
        let (_running, talk) = net(service.into_service());
        let mut upload = talk.sum().await.unwrap();
        let mut chat = talk.chat().await.unwrap();
        let failed = loop {
            if let Err(failed) = upload.send(number(1)).await {
                break failed;
            }
        };
        assert_eq!(failed.message(), "your quota");
        assert_eq!(upload.finish().await.unwrap_err().message(), "your quota");
        let failed = loop {
            if let Err(failed) = chat.send(number(1)).await {
                break failed;
            }
        };
        assert_eq!(failed.message(), "your quota");
        assert_eq!(chat.next().await.unwrap().unwrap_err().message(), "your quota");
        assert_eq!(chat.next().await, None);
    });
}

#[test]
fn the_head_comes_before_any_message() {
    run(async || {
        let gate = Arc::new(Notify::new());
        let step = gate.clone();
        let service = Closures::default().chat(move |cx, _| {
            let (sender, lines) = polywire::stream(1);
            let gate = step.clone();
            cx.spawn(async move {
                gate.notified().await;
                sender.send(number(1)).await
            });
            Ok(lines)
        });
        let (_running, talk) = net(service.into_service());
        let mut chat = talk.chat().await.unwrap();
        chat.opened().await.unwrap();
        gate.notify_one();
        assert_eq!(chat.next().await.unwrap().unwrap().number, 1);
        assert_eq!(chat.next().await, None);
    });
}

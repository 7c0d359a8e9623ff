//! `Server::into_tower`.

use super::{
    engine, exchange, get, grpc,
    support::{Closures, line, number, numbers, poll_fn, run_over},
    talk::{Talk, TalkClient},
};
use axum::{Router, routing};
use polywire::{Bounds, Channel, Code, Server, Status};
use std::{net::SocketAddr, task::Poll};

fn talk() -> Server {
    let talk = Closures::default().count(|cx, request| {
        assert!(!cx.peer().is_local(), "who calls is not known to be from here");
        let (mut at, to) = (0, request.number);
        Ok(poll_fn(move |_| {
            at += 1;
            Poll::Ready(match to {
                0 => Some(Err(Status::not_found("nothing to count"))),
                _ => (at <= to).then(|| Ok(number(at))),
            })
        }))
    });
    Server::new().service(talk.into_service()).engine(&engine())
}

/// An axum server that has a route of its own and ours for the rest.
async fn axum_with(server: Server) -> SocketAddr {
    let app = Router::new()
        .route("/own", routing::get(|| async { "axum" }))
        .fallback_service(server.into_tower().unwrap());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    address
}

#[test]
fn an_axum_router_answers_our_services_in_every_form() {
    run_over("grpc", async || {
        let address = axum_with(talk()).await;
        assert!(get(address, "/own").await.ends_with("axum"));
        let json =
            "POST /talk.Talk/Say HTTP/1.1|Host: x|Connection: close|Content-Length: 12||{\"number\":7}";
        let json = exchange(address, json).await;
        assert!(json.starts_with("HTTP/1.1 200 OK\r\n") && json.ends_with("{\"number\":7}"), "{json}");
        for protocol in ["grpc", "grpc-web", "connect"] {
            let channel = Channel::builder(address.to_string()).protocol(protocol).build().unwrap();
            let talk = TalkClient::new(channel);
            assert_eq!(talk.say(line("hello")).await.unwrap().text, "hello", "{protocol}");
        }
        let talk = TalkClient::new(grpc(address));
        assert_eq!(numbers(talk.count(number(3)).await.unwrap()).await, (vec![1, 2, 3], Ok(())));
        let (_, ended) = numbers(talk.count(number(0)).await.unwrap()).await;
        assert_eq!(ended.unwrap_err().code(), Code::NotFound);
        let long = line(&"x".repeat(3 << 20));
        assert_eq!(talk.say(long.clone()).await.unwrap().text, long.text);
    });
}

#[test]
fn calls_at_once_share_its_connections() {
    run_over("grpc", async || {
        // On a busy machine two hundred calls wait for a worker for longer than the server would let them.
        let talk = TalkClient::new(grpc(axum_with(talk().bounds(Bounds::default().shedding(None))).await));
        let calls: Vec<_> = (0..200).map(|n| tokio::spawn(talk.say(number(n)).into_future())).collect();
        for (n, call) in calls.into_iter().enumerate() {
            assert_eq!(call.await.unwrap().unwrap().number, n as u32);
        }
    });
}

#[test]
fn pages_take_whoever_comes_through_a_router_for_a_stranger() {
    run_over("grpc", async || {
        let address = axum_with(talk()).await;
        assert!(get(address, "/health").await.ends_with("OK"));
        assert!(get(address, "/status").await.starts_with("HTTP/1.1 403 "));
    });
}

#[test]
fn an_exported_server_that_was_told_to_listen_says_so() {
    let error = talk().listen("127.0.0.1:0").into_tower().err().unwrap().to_string();
    assert!(error.contains("127.0.0.1:0") && error.contains("no port"), "{error}");
}

#[cfg(feature = "tls")]
#[test]
fn an_exported_server_that_was_told_to_speak_tls_says_so() {
    let error = talk().tls(polywire::ServerTls::pem("", "")).into_tower().err().unwrap().to_string();
    assert!(error.contains("tls(..)"), "{error}");
}

#[test]
fn an_exported_server_whose_guard_would_not_be_asked_says_so() {
    let guarded = talk().guard("http", |_, _| Ok(()));
    let error = guarded.into_tower().err().unwrap().to_string();
    assert!(error.contains("come by h2"), "{error}");
    let guarded = talk().guard("http", |_, _| Ok(())).guard("h2", |_, _| Ok(()));
    assert!(guarded.into_tower().is_ok());
}

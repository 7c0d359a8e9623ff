//! ZeroMQ's sockets on a server's port, together with everything else.

use polywire::{Channel, IoBuf, Server, Target, zmq};
use std::time::Duration;

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future).await.expect("it takes too long")
}

fn address(running: &polywire::Running) -> String {
    format!("tcp://{}", running.addresses()[0])
}

#[tokio::test]
async fn the_kind_of_the_peer_decides_whom_it_meets() {
    let (news, jobs, router) = (zmq::XPub::new(), zmq::Pull::new(), zmq::Router::new());
    let port = zmq::Port::new().socket(&news).socket(&jobs).socket(&router).rep(|mut request| async move {
        request.push("seen");
        request
    });
    let running = Server::new().service(port).listen("127.0.0.1:0").start().unwrap();
    let address = address(&running);

    let req = zmq::Req::new();
    req.connect(&address).unwrap();
    for _ in 0..3 {
        soon(req.send(["a", "b"])).await.unwrap();
        assert_eq!(soon(req.recv()).await.unwrap(), zmq::Message::of(["a", "b", "seen"]));
    }

    let push = zmq::Push::new();
    push.connect(&address).unwrap();
    soon(push.send("job")).await.unwrap();
    assert_eq!(soon(jobs.recv()).await.unwrap(), "job");

    let dealer = zmq::Dealer::with(&zmq::Options::new().identity("d"));
    dealer.connect(&address).unwrap();
    soon(dealer.send("hello")).await.unwrap();
    assert_eq!(soon(router.recv()).await.unwrap(), zmq::Message::of(["d", "hello"]));
    soon(router.send(["d", "back"])).await.unwrap();
    assert_eq!(soon(dealer.recv()).await.unwrap(), "back");

    let subs = [zmq::Sub::new(), zmq::Sub::new()];
    for sub in &subs {
        sub.subscribe("wea");
        sub.connect(&address).unwrap();
    }
    assert_eq!(soon(news.recv()).await.unwrap(), "\u{1}wea");
    soon(async {
        while news.socket().peers() < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    // The second subscription is not reported: it sends until both have received a message.
    for sub in &subs {
        soon(async {
            loop {
                news.send(["weather", "rain"]).await.unwrap();
                if let Ok(message) = sub.try_recv() {
                    return assert_eq!(message, zmq::Message::of(["weather", "rain"]));
                }
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
    soon(running.stop()).await;
}

#[tokio::test]
async fn services_answer_requests_without_being_told() {
    let running = Server::new().listen("127.0.0.1:0").start().unwrap();
    let req = zmq::Req::new();
    req.connect(&address(&running)).unwrap();
    soon(req.send(["grpc.health.v1.Health/Check", "{}", "json"])).await.unwrap();
    let reply = soon(req.recv()).await.unwrap();
    assert_eq!(reply, zmq::Message::of(["0", "{\"status\":\"SERVING\"}"]));

    let channel = Channel::builder(running.addresses()[0].to_string()).protocol("zmtp").build().unwrap();
    let target = Target::fixed("grpc.health.v1.Health", "Check");
    let calls: Vec<_> =
        (0..50).map(|_| tokio::spawn(channel.call(target.clone(), IoBuf::new()).into_future())).collect();
    for call in calls {
        let reply = soon(call).await.unwrap().unwrap();
        assert_eq!(reply.into_message().body.to_vec(), [8, 1]);
    }
}

#[tokio::test]
async fn a_closed_socket_sends_its_peers_away() {
    let jobs = zmq::Pull::new();
    let running =
        Server::new().service(zmq::Port::new().socket(&jobs)).listen("127.0.0.1:0").start().unwrap();
    let push = zmq::Push::new();
    let mut happened = push.monitor();
    push.connect(&address(&running)).unwrap();
    soon(push.send("one")).await.unwrap();
    assert_eq!(soon(jobs.recv()).await.unwrap(), "one");
    jobs.close().await;
    while !matches!(soon(happened.next()).await, Some(zmq::Event::Disconnected { .. })) {}
}

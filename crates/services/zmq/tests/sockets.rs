//! Sockets of this crate with each other: every kind, in both directions, over each transport.

use bytes::Bytes;
use polywire_machine_testing::until;
use polywire_zmq::*;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

const SOON: Duration = Duration::from_secs(20);

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(SOON, future).await.expect("it takes too long")
}

async fn next(socket: impl AsRef<Socket>) -> Message {
    soon(socket.as_ref().recv()).await.unwrap()
}

/// Waits until this many peers are connected.
async fn until_peers(socket: impl AsRef<Socket>, peers: usize) {
    until("peers", || socket.as_ref().peers() >= peers).await;
}

/// Sends greeting and READY, as a peer that is not one of our sockets.
async fn shake_hands(stream: &mut tokio::net::TcpStream, kind: &str, identity: &str) {
    use tokio::io::AsyncWriteExt;
    let mut greeting = b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01NULL".to_vec();
    greeting.resize(64, 0);
    let mut ready = b"\x05READY".to_vec();
    for (name, value) in [("Socket-Type", kind), ("Identity", identity)] {
        ready.push(name.len() as u8);
        ready.extend(name.as_bytes());
        ready.extend((value.len() as u32).to_be_bytes());
        ready.extend(value.as_bytes());
    }
    greeting.extend([4, ready.len() as u8]);
    stream.write_all(&[greeting, ready].concat()).await.unwrap();
}

/// Connects to a socket, and never reads.
async fn silent_peer(socket: impl AsRef<Socket>, kind: &str, identity: &str) -> tokio::net::TcpStream {
    let address = socket.as_ref().bind("tcp://127.0.0.1:*").unwrap();
    let mut peer = tokio::net::TcpStream::connect(address.trim_start_matches("tcp://")).await.unwrap();
    shake_hands(&mut peer, kind, identity).await;
    until_peers(socket, 1).await;
    peer
}

/// A long message to the peer named `id1`.
fn to_id1() -> [Bytes; 2] {
    [Bytes::from("id1"), vec![0; 1 << 20].into()]
}

#[tokio::test]
async fn request_and_reply_with_either_side_bound() {
    for rep_binds in [true, false] {
        let (req, rep) = (Req::new(), Rep::new());
        if rep_binds {
            req.connect(&rep.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
        } else {
            rep.connect(&req.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
        }
        for n in 0..10 {
            soon(req.send(format!("hello {n}"))).await.unwrap();
            assert_eq!(next(&rep).await.text(), format!("hello {n}"));
            soon(rep.send(["a", "b"])).await.unwrap();
            assert_eq!(next(&req).await, Message::of(["a", "b"]));
        }
    }
}

#[tokio::test]
async fn requests_and_replies_take_turns() {
    let (req, rep) = (Req::new(), Rep::new());
    req.connect(&rep.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    assert!(matches!(req.recv().await, Err(Error::OutOfTurn)));
    assert!(matches!(rep.send("x").await, Err(Error::OutOfTurn)));
    soon(req.send("1")).await.unwrap();
    assert!(matches!(req.send("2").await, Err(Error::OutOfTurn)));
    next(&rep).await;
    assert!(matches!(rep.recv().await, Err(Error::OutOfTurn)));
}

#[tokio::test]
async fn a_relaxed_req_passes_over_replies_to_what_it_asked_before() {
    let (req, rep) = (Req::with(&Options::new().relaxed(true)), Rep::new());
    req.connect(&rep.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    soon(req.send("1")).await.unwrap();
    let first = soon(rep.request()).await.unwrap();
    soon(req.send("2")).await.unwrap();
    let second = soon(rep.request()).await.unwrap();
    first.reply("one");
    second.reply("two");
    assert_eq!(next(&req).await, "two");
}

#[tokio::test]
async fn a_rep_answers_several_requests_in_any_order() {
    let rep = Rep::new();
    let address = rep.bind("tcp://127.0.0.1:*").unwrap();
    let (a, b) = (Req::new(), Req::new());
    a.connect(&address).unwrap();
    b.connect(&address).unwrap();
    soon(a.send("a")).await.unwrap();
    soon(b.send("b")).await.unwrap();
    let (x, y) = (soon(rep.request()).await.unwrap(), soon(rep.request()).await.unwrap());
    let (yt, xt) = (y.message.clone(), x.message.clone());
    y.reply(yt);
    x.reply(xt);
    assert_eq!(next(&a).await, "a");
    assert_eq!(next(&b).await, "b");
}

#[tokio::test]
async fn routers_name_their_peers_and_reach_them_by_name() {
    let router = Router::new();
    let address = router.bind("tcp://127.0.0.1:*").unwrap();
    let (named, nameless) = (Dealer::with(&Options::new().identity("id1")), Dealer::new());
    named.connect(&address).unwrap();
    nameless.connect(&address).unwrap();
    soon(named.send(["", "hello"])).await.unwrap();
    assert_eq!(next(&router).await, Message::of(["id1", "", "hello"]));
    soon(nameless.send("hi")).await.unwrap();
    let message = next(&router).await;
    assert_eq!((message[0].len(), message[0][0], &message[1][..]), (5, 0, &b"hi"[..]));
    soon(router.send([message[0].clone(), "for you".into()])).await.unwrap();
    assert_eq!(next(&nameless).await, "for you");
    soon(router.send(["nobody", "x"])).await.unwrap(); // dropped
    let strict = Router::with(&Options::new().mandatory(true));
    assert!(matches!(strict.try_send(["nobody", "x"]), Err(Error::Unroutable)));
}

#[tokio::test]
async fn a_name_that_is_taken_is_refused_or_handed_over() {
    for handover in [false, true] {
        let router = Router::with(&Options::new().handover(handover));
        let address = router.bind("tcp://127.0.0.1:*").unwrap();
        let dealer = || Dealer::with(&Options::new().identity("same"));
        let (first, second) = (dealer(), dealer());
        first.connect(&address).unwrap();
        soon(first.send("first")).await.unwrap();
        next(&router).await;
        let mut news = router.monitor();
        second.connect(&address).unwrap();
        soon(async {
            loop {
                match news.next().await.expect("the socket lives") {
                    Event::HandshakeSucceeded { .. } if handover => return,
                    Event::HandshakeFailed { .. } if !handover => return,
                    _ => {}
                }
            }
        })
        .await;
        soon(router.send(["same", "who?"])).await.unwrap();
        let heir = if handover { &second } else { &first };
        assert_eq!(next(heir).await, "who?");
    }
}

#[tokio::test]
async fn subscribers_get_what_they_asked_for_once() {
    let publisher = XPub::new();
    let address = publisher.bind("tcp://127.0.0.1:*").unwrap();
    let (weather, all) = (Sub::new(), Sub::new());
    weather.subscribe("weather.");
    weather.subscribe("weather.de");
    weather.connect(&address).unwrap();
    all.connect(&address).unwrap();
    all.subscribe("");
    let mut topics = Vec::new();
    for _ in 0..3 {
        topics.push(next(&publisher).await.first().clone());
    }
    topics.sort();
    assert_eq!(topics, [&b"\x01"[..], b"\x01weather.", b"\x01weather.de"]);
    for message in [["sports", "1"], ["weather.de", "2"], ["weather.fr", "3"]] {
        soon(publisher.send(message)).await.unwrap();
    }
    assert_eq!(next(&weather).await, Message::of(["weather.de", "2"]));
    assert_eq!(next(&weather).await, Message::of(["weather.fr", "3"]));
    for n in ["1", "2", "3"] {
        assert_eq!(next(&all).await[1], n);
    }
    weather.unsubscribe("weather.");
    assert_eq!(next(&publisher).await, "\0weather.");
    all.close().await;
    assert_eq!(next(&publisher).await, "\0");
    soon(publisher.send(["weather.de", "4"])).await.unwrap();
    assert_eq!(next(&weather).await[1], "4");
}

#[tokio::test]
async fn a_subscriber_with_too_many_topics_is_closed_and_counted() {
    let options = Options::new().reconnect(Duration::from_secs(100));
    for bounds in [Options::new().topics(2), Options::new().topic_bytes(9), Options::new().topic_memory(1000)]
    {
        let publisher = Pub::with(&bounds);
        let address = publisher.bind("tcp://127.0.0.1:*").unwrap();
        let (modest, greedy) = (Sub::with(&options), Sub::with(&options));
        modest.subscribe("news");
        modest.connect(&address).unwrap();
        until_peers(&publisher, 1).await;
        let mut news = publisher.monitor();
        for topic in ["news", "home", &"weather".repeat(100)] {
            greedy.subscribe(topic);
        }
        greedy.connect(&address).unwrap();
        while !matches!(soon(news.next()).await, Some(Event::Disconnected { .. })) {}
        assert_eq!((publisher.socket().refused(), publisher.socket().peers()), (1, 1));
        soon(publisher.send("news of today")).await.unwrap();
        assert_eq!(next(&modest).await, "news of today");
    }
}

#[tokio::test]
async fn a_subscriber_keeps_its_topics_when_its_publisher_comes_back() {
    let publisher = XPub::new();
    let address = publisher.bind("tcp://127.0.0.1:*").unwrap();
    let sub = Sub::with(&Options::new().reconnect(Duration::from_millis(1)));
    sub.connect(&address).unwrap();
    sub.subscribe("a");
    assert_eq!(next(&publisher).await, "\x01a");
    publisher.close().await;
    let publisher = XPub::new();
    soon(async {
        while publisher.bind(&address).is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(next(&publisher).await, "\x01a");
    soon(publisher.send("abc")).await.unwrap();
    assert_eq!(next(&sub).await, "abc");
}

#[tokio::test]
async fn work_is_pushed_in_turns_and_pulled_in_turns() {
    let push = Push::new();
    let address = push.bind("tcp://127.0.0.1:*").unwrap();
    let (one, two) = (Pull::new(), Pull::new());
    one.connect(&address).unwrap();
    two.connect(&address).unwrap();
    until_peers(&push, 2).await;
    for n in 0..100u8 {
        soon(push.send(vec![n])).await.unwrap();
    }
    for _ in 0..50 {
        let (a, b) = (next(&one).await[0][0], next(&two).await[0][0]);
        assert_eq!(a ^ b, 1, "{a} and {b}");
    }
}

#[tokio::test]
async fn a_push_waits_for_room_and_loses_nothing() {
    let options = Options::new().send_high_water(10).receive_high_water(10);
    let (push, pull) = (Push::with(&options), Pull::with(&options));
    push.connect(&pull.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    let (full, mut was_full) = tokio::sync::watch::channel(false);
    let sending = tokio::spawn(async move {
        let body = vec![7u8; 100_000];
        for n in 0..500u32 {
            let message = Message::of([n.to_be_bytes().to_vec(), body.clone()]);
            match push.try_send(message.clone()) {
                Err(Error::Full) => {
                    full.send_replace(true);
                    push.send(message).await.unwrap();
                }
                sent => sent.unwrap(),
            }
        }
        push.close().await;
    });
    soon(was_full.wait_for(|full| *full)).await.unwrap(); // nothing is received before this
    for n in 0..500u32 {
        assert_eq!(next(&pull).await[0], n.to_be_bytes()[..]);
    }
    soon(sending).await.unwrap();
}

/// A proxy between sockets: `first` bytes of the first connection pass, then the connecting side sees the end
/// of its peer's stream; what it sent until then still passes. Later connections pass completely.
async fn cut_once(
    listener: tokio::net::TcpListener,
    to: String,
    first: u64,
    made: Arc<AtomicU32>,
    noticed: Arc<tokio::sync::Notify>,
) {
    use tokio::io::AsyncReadExt;
    for connection in 0.. {
        let (near, _) = listener.accept().await.unwrap();
        made.fetch_add(1, Relaxed);
        let far = tokio::net::TcpStream::connect(&to).await.unwrap();
        let (mut from_near, mut to_near) = near.into_split();
        let (mut from_far, mut to_far) = far.into_split();
        let back = tokio::spawn(async move {
            let _ = tokio::io::copy(&mut from_far, &mut to_near).await; // ends with the connection
        });
        if connection == 0 {
            tokio::io::copy(&mut (&mut from_near).take(first), &mut to_far).await.unwrap();
            back.abort(); // shuts down the way back
            let _ = back.await;
            noticed.notified().await; // meanwhile nothing reads what is still sent
        }
        tokio::io::copy(&mut from_near, &mut to_far).await.unwrap();
    }
}

#[tokio::test]
async fn what_had_not_left_when_a_connection_ended_is_sent_by_the_next_one_once() {
    // 8 MB: more than the system's buffers for sending (4 MB) and for receiving hold.
    const MESSAGES: u32 = 400;
    let (public, secret) = curve_keypair().unwrap();
    let sealed = Options::new().curve_server(secret);
    let sealing = Options::new().curve(public, curve_keypair().unwrap().1);
    for (ours, theirs) in [(Options::new(), Options::new()), (sealing, sealed)] {
        let pull = Pull::with(&theirs);
        let address = pull.bind("tcp://127.0.0.1:*").unwrap();
        let small = tokio::net::TcpSocket::new_v4().unwrap();
        small.set_recv_buffer_size(64 << 10).unwrap();
        small.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = small.listen(8).unwrap();
        let between = format!("tcp://{}", listener.local_addr().unwrap());
        let to = address.trim_start_matches("tcp://").to_owned();
        let made = Arc::new(AtomicU32::new(0));
        let noticed = Arc::new(tokio::sync::Notify::new());
        let cutting = tokio::spawn(cut_once(listener, to, 300_123, made.clone(), noticed.clone()));

        let push = Push::with(&ours.reconnect(Duration::from_millis(1)).send_high_water(20));
        let mut news = push.monitor();
        push.connect(&between).unwrap();
        let sending = tokio::spawn(async move {
            for n in 0..MESSAGES {
                let body = vec![n as u8; 20_000 + n as usize];
                push.send([n.to_be_bytes().to_vec(), body, Vec::new()]).await.unwrap();
            }
            push
        });
        while !matches!(soon(news.next()).await, Some(Event::Disconnected { .. })) {}
        noticed.notify_one();
        let mut seen = Vec::new();
        for _ in 0..MESSAGES {
            let message = next(&pull).await;
            let n = u32::from_be_bytes(message[0][..].try_into().unwrap());
            assert_eq!(message.len(), 3);
            assert!(message[1] == vec![n as u8; 20_000 + n as usize] && message[2].is_empty(), "message {n}");
            seen.push(n);
        }
        seen.sort(); // messages of two connections are received in turns
        assert_eq!(seen, (0..MESSAGES).collect::<Vec<_>>());
        let push = soon(sending).await.unwrap();
        assert_eq!((push.socket().lost(), push.socket().dropped()), (0, 0));
        assert_eq!(made.load(Relaxed), 2, "one connection was cut, and one has followed");
        soon(push.send("last")).await.unwrap();
        assert_eq!(next(&pull).await, "last", "nothing has come twice");
        cutting.abort();
    }
}

#[tokio::test]
async fn what_waits_for_a_peer_that_leaves_is_lost_and_counted() {
    let push = Push::new();
    let peer = silent_peer(&push, "PULL", "").await;
    let body = vec![0; 100_000];
    let mut sent = 0;
    while push.try_send(body.clone()).is_ok() {
        sent += 1;
        tokio::task::yield_now().await; // the system takes some of it
    }
    let mut news = push.monitor();
    drop(peer);
    while !matches!(soon(news.next()).await, Some(Event::Disconnected { .. })) {}
    until("a lost message", || push.socket().lost() > 0).await;
    assert!((100..=sent).contains(&push.socket().lost()), "{} of {sent}", push.socket().lost());
}

#[tokio::test]
async fn every_kind_that_drops_counts_each_message_once() {
    let options = Options::new().send_high_water(3).when_full(WhenFull::Drop);
    for kind in [Kind::Push, Kind::Dealer, Kind::Pair, Kind::Req] {
        let socket = Socket::with(kind, &options.clone().relaxed(true));
        socket.connect("inproc://nobody").unwrap();
        for _ in 0..10 {
            soon(socket.send("x")).await.unwrap();
        }
        assert_eq!(socket.dropped(), 7, "{kind:?}");
        assert!(matches!(socket.try_send("x"), Err(Error::Full)));
        assert_eq!(socket.dropped(), 7, "{kind:?}: who is told does not count");
    }

    let router = Router::with(&options);
    soon(router.send(["nobody", "x"])).await.unwrap();
    assert_eq!(router.socket().dropped(), 1, "to nobody");
    let _peer = silent_peer(&router, "DEALER", "id1").await;
    until("a full peer", || router.try_send(to_id1()).is_err()).await;
    assert_eq!(router.socket().dropped(), 1, "who is told does not count");
    while router.socket().dropped() == 1 {
        soon(router.send(to_id1())).await.unwrap(); // the system may still have some room
    }
    assert_eq!(router.socket().dropped(), 2, "to a peer without room");

    let strict = Router::with(&Options::new().send_high_water(3).mandatory(true));
    let _peer = silent_peer(&strict, "DEALER", "id1").await;
    until("a full peer", || strict.try_send(to_id1()).is_err()).await;
    for _ in 0..100 {
        tokio::select! {
            biased;
            sent = strict.send(to_id1()) => sent.unwrap(), // the system may still have some room
            () = tokio::task::yield_now() => {}
        }
    }
    assert_eq!(strict.socket().dropped(), 0, "what waits is not dropped");

    let rep = Rep::new();
    let req = Req::new();
    req.connect(&rep.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    soon(req.send("1")).await.unwrap();
    next(&rep).await;
    let mut news = rep.monitor();
    drop(req);
    while !matches!(soon(news.next()).await, Some(Event::Disconnected { .. })) {}
    until("the end of the peer", || rep.socket().peers() == 0).await;
    soon(rep.send("to nobody")).await.unwrap();
    assert_eq!(rep.socket().dropped(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_finds_no_room_is_dropped_and_counted_or_waits_as_told() {
    let options = Options::new().send_high_water(5).when_full(WhenFull::Drop);
    let push = Push::with(&options);
    push.connect("inproc://nobody").unwrap(); // no socket has bound this name
    for _ in 0..5 {
        push.send("x").await.unwrap();
    }
    assert!(matches!(push.try_send("x"), Err(Error::Full)));
    assert_eq!(push.socket().dropped(), 0, "who is told does not count");
    push.send("x").await.unwrap();
    assert_eq!(push.socket().dropped(), 1);
    let options = Options::new().send_high_water(5).send_timeout(Duration::from_secs(5));
    let push = Push::with(&options);
    push.connect("inproc://nobody").unwrap();
    for _ in 0..5 {
        push.send("x").await.unwrap();
    }
    assert!(matches!(push.send("x").await, Err(Error::TimedOut)));
}

#[tokio::test]
async fn a_pair_has_one_peer() {
    let (a, b, c) = (Pair::new(), Pair::new(), Pair::new());
    let address = a.bind("tcp://127.0.0.1:*").unwrap();
    b.connect(&address).unwrap();
    soon(b.send("from b")).await.unwrap();
    assert_eq!(next(&a).await, "from b");
    let mut news = a.monitor();
    c.connect(&address).unwrap();
    while !matches!(soon(news.next()).await, Some(Event::HandshakeFailed { .. })) {}
    soon(a.send("to b")).await.unwrap();
    assert_eq!(next(&b).await, "to b");
}

#[tokio::test]
async fn names_in_the_process_and_files_do_as_well() {
    let options = Options::new().context(&Context::new());
    let path = std::env::temp_dir().join(format!("polywire-zmq-{}.sock", std::process::id()));
    for address in ["inproc://a".to_owned(), format!("ipc://{}", path.display())] {
        let (push, pull) = (Push::with(&options), Pull::with(&options));
        push.connect(&address).unwrap(); // before the peer exists
        soon(push.send("early")).await.unwrap();
        pull.bind(&address).unwrap();
        assert_eq!(next(&pull).await, "early");
        assert!(Pull::with(&options).bind(&address).is_err(), "{address} is taken");
        soon(pull.close()).await;
    }
    soon(async {
        while path.exists() {
            tokio::task::yield_now().await; // the file is removed with its socket
        }
    })
    .await;
}

#[tokio::test]
async fn a_proxy_stands_between_clients_and_workers() {
    let (front, back) = (Router::new(), Dealer::new());
    let clients = front.bind("tcp://127.0.0.1:*").unwrap();
    let workers = back.bind("tcp://127.0.0.1:*").unwrap();
    let proxy = tokio::spawn(async move { proxy(&front, &back).await });
    let (req, rep) = (Req::new(), Rep::new());
    req.connect(&clients).unwrap();
    rep.connect(&workers).unwrap();
    for n in 0..10u8 {
        soon(req.send(vec![n])).await.unwrap();
        let asked = next(&rep).await;
        soon(rep.send(asked)).await.unwrap();
        assert_eq!(next(&req).await[0][..], [n]);
    }
    proxy.abort();
}

#[tokio::test]
async fn curve_and_plain_let_in_who_may_come() {
    let (server_public, server_secret) = curve_keypair().unwrap();
    let (client_public, client_secret) = curve_keypair().unwrap();
    let server = Options::new().curve_server(server_secret).authenticate(move |claim, _| {
        assert_eq!(claim.scheme, "CURVE");
        let known = claim.credential == Some(&client_public.0);
        if known { Ok(()) } else { Err(polywire_call::Status::unauthenticated("unknown key")) }
    });
    let stranger = Options::new().curve(server_public, curve_keypair().unwrap().1);
    let client = Options::new().curve(server_public, client_secret);
    let plain = Options::new().plain_server(|user, password| (user, password) == ("user", "pass"));
    for (server, right, wrong) in [
        (server, client, stranger),
        (plain, Options::new().plain("user", "pass"), Options::new().plain("user", "guess")),
    ] {
        let rep = Rep::with(&server);
        let address = rep.bind("tcp://127.0.0.1:*").unwrap();
        let req = Req::with(&wrong);
        let mut news = req.monitor();
        req.connect(&address).unwrap();
        while !matches!(soon(news.next()).await, Some(Event::HandshakeFailed { .. })) {}
        let req = Req::with(&right);
        req.connect(&address).unwrap();
        soon(req.send("sealed")).await.unwrap();
        assert_eq!(next(&rep).await, "sealed");
        soon(rep.send(vec![1u8; 100_000])).await.unwrap();
        assert_eq!(next(&req).await[0].len(), 100_000);
    }
}

/// The second function that admits peers must not replace the first.
#[tokio::test]
async fn a_password_and_an_address_both_have_to_do() {
    let checks = |user: &str, password: &str| (user, password) == ("user", "pass");
    for may in [true, false] {
        let by_address = move |_: &polywire_wire::Claim<'_>, _: &polywire_engine::Peer| match may {
            true => Ok(()),
            false => Err(polywire_call::Status::unauthenticated("not from there")),
        };
        let first = Options::new().plain_server(checks).authenticate(by_address);
        let last = Options::new().authenticate(by_address).plain_server(checks);
        for (server, password) in [(&first, "pass"), (&last, "pass"), (&first, "guess"), (&last, "guess")] {
            let rep = Rep::with(server);
            let address = rep.bind("tcp://127.0.0.1:*").unwrap();
            let req = Req::with(&Options::new().plain("user", password));
            let mut news = req.monitor();
            req.connect(&address).unwrap();
            let let_in = loop {
                match soon(news.next()).await {
                    Some(Event::HandshakeFailed { .. }) => break false,
                    Some(Event::HandshakeSucceeded { .. }) => break true,
                    _ => {}
                }
            };
            assert_eq!(let_in, may && password == "pass", "{may}, {password}");
        }
    }
}

#[tokio::test]
async fn long_and_short_and_empty_frames_pass() {
    let (push, pull) = (Push::new(), Pull::new());
    push.connect(&pull.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    let sizes = [0, 1, 255, 256, 65_535, 65_536, 10 << 20];
    let frames: Vec<Vec<u8>> = sizes.iter().map(|size| vec![*size as u8; *size]).collect();
    for frame in &frames {
        soon(push.send(frame.clone())).await.unwrap();
        assert_eq!(next(&pull).await[0], frame);
    }
    soon(push.send(Message::of(frames.clone()))).await.unwrap();
    assert_eq!(next(&pull).await, Message::of(frames));
}

#[tokio::test]
async fn what_was_sent_leaves_before_a_socket_is_closed() {
    let (push, pull) = (Push::new(), Pull::new());
    push.connect(&pull.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    for n in 0..1000u32 {
        push.send(n.to_string()).await.unwrap();
    }
    soon(push.close()).await;
    for n in 0..1000u32 {
        assert_eq!(next(&pull).await.text(), n.to_string());
    }
}

/// Virtual time: there is no peer, so nothing else happens.
#[tokio::test(start_paused = true)]
async fn what_nobody_takes_is_dropped_after_the_linger() {
    const LINGER: Duration = Duration::from_secs(2);
    let push = Push::with(&Options::new().linger(LINGER));
    push.connect("inproc://nobody").unwrap();
    push.send("to nobody").await.unwrap();
    let begin = tokio::time::Instant::now();
    tokio::time::timeout(2 * LINGER, push.close()).await.unwrap();
    assert!(
        (LINGER..LINGER + Duration::from_millis(100)).contains(&begin.elapsed()),
        "{:?}",
        begin.elapsed()
    );
}

/// Virtual time: it passes while no peer sends anything.
#[tokio::test(start_paused = true)]
async fn a_peer_that_says_nothing_or_not_all_is_let_go_after_the_handshake_time() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    const HANDSHAKE: Duration = Duration::from_secs(3);
    let router = Router::with(&Options::new().handshake(HANDSHAKE));
    let address = router.bind("tcp://127.0.0.1:*").unwrap();
    let mut news = router.monitor();
    for said in [&b""[..], b"\xff", b"\xff\0\0\0\0\0\0\0\x01"] {
        let begin = tokio::time::Instant::now();
        let mut peer = tokio::net::TcpStream::connect(address.trim_start_matches("tcp://")).await.unwrap();
        peer.write_all(said).await.unwrap();
        let mut greeting = Vec::new();
        let end = tokio::time::timeout(100 * HANDSHAKE, peer.read_to_end(&mut greeting)).await;
        assert_eq!(end.expect("it is let go").unwrap(), if said.is_empty() { 0 } else { 64 });
        let took = begin.elapsed();
        assert!((HANDSHAKE..2 * HANDSHAKE).contains(&took), "after {took:?}, having said {said:?}");
        while !matches!(soon(news.next()).await, Some(Event::HandshakeFailed { .. })) {}
    }
}

#[tokio::test]
async fn a_socket_shows_what_it_has_heard_and_what_waits() {
    let dealer = Dealer::new();
    let address = dealer.bind("tcp://127.0.0.1:*").unwrap();
    let mut news = dealer.monitor();
    let mut peer = tokio::net::TcpStream::connect(address.trim_start_matches("tcp://")).await.unwrap();
    while !matches!(soon(news.next()).await, Some(Event::Accepted { .. })) {}
    let shown = format!("{dealer:?}");
    assert!(shown.contains("connected: 0") && shown.contains("bytes_in: 0"), "{shown}");
    shake_hands(&mut peer, "DEALER", "").await;
    until_peers(&dealer, 1).await;
    until("a dealer that sleeps", || format!("{dealer:?}").contains("asleep: true")).await;
    let shown = format!("{dealer:?}");
    for part in ["connected: 1", "readers: 0", "protocol: Some(\"zmtp\")", "unread: 0"] {
        assert!(shown.contains(part), "no {part}: {shown}");
    }
    assert!(!shown.contains("bytes_in: 0"), "{shown}");
    let receives = tokio::spawn({
        let dealer = dealer.clone();
        async move { dealer.recv().await }
    });
    until("a dealer that reads", || format!("{dealer:?}").contains("readers: 1")).await;
    receives.abort();
}

#[tokio::test]
async fn a_closed_socket_says_so_to_whoever_waits() {
    let (pull, push) = (Pull::new(), Push::with(&Options::new().linger(Duration::ZERO)));
    push.connect("inproc://nobody").unwrap();
    while push.try_send("x").is_ok() {}
    let receives = tokio::spawn({
        let pull = pull.clone();
        async move { pull.recv().await }
    });
    let sends = tokio::spawn({
        let push = push.clone();
        async move { push.send("x").await }
    });
    tokio::task::yield_now().await; // both wait now
    assert!(!receives.is_finished() && !sends.is_finished());
    soon(pull.clone().close()).await;
    soon(push.clone().close()).await;
    assert!(matches!(soon(receives).await.unwrap(), Err(Error::Closed)));
    assert!(matches!(soon(sends).await.unwrap(), Err(Error::Closed)));
    assert!(matches!(pull.try_recv(), Err(Error::Closed)));
    assert!(matches!(push.try_send("x"), Err(Error::Closed)));
}

#[tokio::test]
async fn clones_are_one_socket_that_closes_with_the_last_of_them() {
    let publisher = Pub::new();
    let sub = Sub::new();
    sub.subscribe("");
    sub.connect(&publisher.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    let mut news = sub.monitor();
    let clone = publisher.clone();
    drop(publisher);
    let publishing = tokio::spawn(async move {
        loop {
            clone.send("still here").await.unwrap();
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(next(&sub).await, "still here");
    publishing.abort(); // drops the last clone
    while !matches!(soon(news.next()).await, Some(Event::Disconnected { .. })) {}
}

#[tokio::test]
async fn a_wait_that_is_given_up_takes_nothing_with_it() {
    let (push, pull) = (Push::new(), Pull::new());
    let waiting = tokio::spawn({
        let pull = pull.clone();
        async move { pull.recv().await }
    });
    tokio::task::yield_now().await;
    waiting.abort();
    assert!(soon(waiting).await.is_err_and(|error| error.is_cancelled()));
    push.connect(&pull.bind("tcp://127.0.0.1:*").unwrap()).unwrap();
    soon(push.send("for the next one")).await.unwrap();
    assert_eq!(next(&pull).await, "for the next one");
}

#[tokio::test]
async fn a_dead_peer_is_noticed_by_heartbeats() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("tcp://{}", silent.local_addr().unwrap());
    let options = Options::new().heartbeat(Duration::from_millis(20)).reconnect(Duration::from_secs(100));
    let push = Push::with(&options);
    let mut news = push.monitor();
    push.connect(&address).unwrap();
    let (mut peer, _) = soon(silent.accept()).await.unwrap();
    shake_hands(&mut peer, "PULL", "").await;
    while !matches!(soon(news.next()).await, Some(Event::Disconnected { .. })) {}
}

#[tokio::test]
async fn peers_see_what_one_says_of_itself() {
    let rep = Rep::with(&Options::new().property("Resource", "printer").property("Zone", "north"));
    let mut events = rep.monitor();
    let address = rep.bind("tcp://127.0.0.1:*").unwrap();
    let req = Req::with(&Options::new().identity("me").property("X-Version", "7"));
    let mut seen_by_req = req.monitor();
    req.connect(&address).unwrap();
    for (events, said) in [
        (&mut events, vec![("X-Version", "7")]),
        (&mut seen_by_req, vec![("Resource", "printer"), ("X-Zone", "north")]),
    ] {
        let found = soon(async {
            loop {
                if let Some(Event::HandshakeSucceeded { properties, .. }) = events.next().await {
                    return properties;
                }
            }
        })
        .await;
        let found: Vec<_> = found.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        assert_eq!(found, said.iter().map(|(name, value)| (*name, value.as_bytes())).collect::<Vec<_>>());
    }
}

/// The client side of a mechanism never asks a verifier, whichever end it is.
#[tokio::test]
async fn a_verifier_that_would_not_be_asked_is_an_error() {
    let (public, secret) = curve_keypair().unwrap();
    for client in [Options::new().plain("user", "pass"), Options::new().curve(public, secret)] {
        let socket = Pull::with(&client.authenticate(|_, _| Ok(())));
        for told in [socket.bind("tcp://127.0.0.1:*").map(drop), socket.connect("tcp://127.0.0.1:1")] {
            assert!(matches!(told, Err(Error::Options(_))), "{told:?}");
        }
    }
}

//! WebSocket between our client and our server: sockets of handlers, calls of services, limits, pages.

use crate::support::{Closures, from_fn, line};
use crate::talk::Talk;
use polywire::{
    Channel, Code, Context, Lifecycle, Running, Server, Status,
    websocket::{self, Calls, Close, Connect, Deflate, JSON, Message, Options, WebSocket, code},
};
use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

fn serve(server: Server) -> (Running, String) {
    let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
    let address = running.addresses()[0].to_string();
    (running, address)
}

fn channel(protocol: &str, address: &str) -> Channel {
    Channel::builder(address).protocol(protocol).build().unwrap()
}

async fn echo(_: Context, mut socket: WebSocket) -> Result<(), Status> {
    while let Some(message) = socket.next().await {
        socket.send(message?).await?;
    }
    Ok(())
}

#[tokio::test]
async fn messages_come_back_over_both_versions() {
    let long = Options::default().max_message(4 << 20);
    let (_server, address) =
        serve(Server::new().service(websocket::route("/echo", echo).subprotocols(["b", "a"]).options(long)));
    for protocol in ["http", "h2"] {
        let connect = Connect::new(&channel(protocol, &address), "/echo?x=1").options(long);
        let mut socket = connect.subprotocol("a").subprotocol("b").open().await.unwrap();
        assert_eq!(socket.subprotocol(), Some("b"), "the server's order counts");
        for size in [0, 125, 126, 65_535, 65_536, 3 << 20] {
            let text = Message::from("x".repeat(size));
            socket.send(text.clone()).await.unwrap();
            assert_eq!(socket.next().await.unwrap().unwrap(), text, "{protocol}: {size}");
        }
        socket.ping(b"there?").await.unwrap();
        let (mut sender, mut receiver) = socket.split();
        let sends = async {
            for n in 0..500 {
                sender.send(format!("{n}")).await.unwrap();
            }
            sender.close(3000, "enough").await.unwrap();
            assert!(sender.send("late").await.is_err());
        };
        let reads = async {
            for n in 0..500 {
                assert_eq!(receiver.next().await.unwrap().unwrap(), format!("{n}").into());
            }
            assert!(receiver.next().await.is_none());
            assert_eq!(receiver.closed(), Some(Close::new(3000, "enough")));
        };
        tokio::join!(sends, reads);
    }
}

#[tokio::test]
async fn a_handler_chooses_how_its_socket_ends() {
    let server = Server::new()
        .service(websocket::route("/ok", |_: Context, _: WebSocket| async { Ok(()) }))
        .service(websocket::route("/fails", |_: Context, _: WebSocket| async {
            Err(Status::internal("no tea"))
        }))
        .service(websocket::route("/own", |_: Context, socket: WebSocket| async {
            socket.close(4001, "bye").await.map(drop)
        }));
    let (_server, address) = serve(server);
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        for (path, close) in [
            ("/ok", Close::new(code::NORMAL, "")),
            ("/fails", Close::new(code::INTERNAL, "no tea")),
            ("/own", Close::new(4001, "bye")),
        ] {
            let mut socket = Connect::new(&channel, path).open().await.unwrap();
            assert!(socket.next().await.is_none(), "{protocol} {path}");
            assert_eq!(socket.closed(), Some(close), "{protocol} {path}");
        }
    }
}

#[tokio::test]
async fn who_is_refused_learns_the_status() {
    let (_server, address) = serve(Server::new().service(websocket::route("/echo", echo)));
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        let refused = async |connect: Connect| connect.open().await.map(drop).unwrap_err().code();
        assert_eq!(refused(Connect::new(&channel, "/nowhere")).await, Code::Unimplemented, "{protocol}");
        let foreign = Connect::new(&channel, "/echo").metadata("origin", "https://evil.example");
        assert_eq!(refused(foreign).await, Code::PermissionDenied, "{protocol}");
        let own = Connect::new(&channel, "/echo").metadata("origin", format!("http://{address}"));
        assert!(own.open().await.is_ok());
    }
}

#[tokio::test]
async fn a_message_beyond_the_limit_closes_either_side() {
    let short = Options::default().max_message(1000);
    let (_server, address) = serve(
        Server::new()
            .service(websocket::route("/short", echo).options(short))
            .service(websocket::route("/echo", echo)),
    );
    let channel = channel("http", &address);
    let mut socket = Connect::new(&channel, "/short").open().await.unwrap();
    socket.send(vec![0; 1001]).await.unwrap();
    assert!(socket.next().await.is_none());
    assert_eq!(socket.closed().unwrap().code, code::TOO_LONG);
    let mut socket = Connect::new(&channel, "/echo").options(short).open().await.unwrap();
    socket.send(vec![0; 1001]).await.unwrap();
    assert!(socket.next().await.unwrap().is_err());
    assert!(socket.next().await.is_none());
}

/// As long as pictures that pages send.
#[tokio::test]
async fn a_message_of_16_mib_passes_and_a_longer_one_closes_the_socket() {
    let (server, address) = serve(Server::new().service(websocket::route("/echo", echo)));
    let channel = channel("http", &address);
    let mut socket = Connect::new(&channel, "/echo").open().await.unwrap();
    socket.send(vec![7; 16 << 20]).await.unwrap();
    match socket.next().await.unwrap().unwrap() {
        Message::Binary(bytes) => assert_eq!(bytes.len(), 16 << 20),
        Message::Text(text) => panic!("{} letters", text.len()),
    }
    let _ = socket.send(vec![7; (16 << 20) + 1]).await; // it may be closed by then
    assert!(!matches!(socket.next().await, Some(Ok(_))));
    assert_eq!(faults(server.faults()), [("fault_too_large", 1)], "by its head");
}

/// A socket that nobody reads: its sender waits, and what was taken stays small.
#[tokio::test]
async fn a_peer_that_does_not_read_stops_the_sender() {
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = sent.clone();
    let push = move |_: Context, mut socket: WebSocket| {
        let counted = counted.clone();
        async move {
            loop {
                socket.send(vec![7; 64 << 10]).await?;
                counted.fetch_add(64 << 10, Relaxed);
            }
        }
    };
    let (_server, address) = serve(Server::new().service(websocket::route("/push", push)));
    for protocol in ["http", "h2"] {
        sent.store(0, Relaxed);
        let mut socket = Connect::new(&channel(protocol, &address), "/push").open().await.unwrap();
        let mut last = usize::MAX;
        for _ in 0..100 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if std::mem::replace(&mut last, sent.load(Relaxed)) == last {
                break;
            }
        }
        // The windows of both sides, and the buffers of the kernel, which grow to some MiB.
        assert!(last < 32 << 20, "{protocol}: {last} bytes were taken");
        assert_eq!(last, sent.load(Relaxed), "{protocol}: it goes on");
        for _ in 0..100 {
            assert_eq!(socket.next().await.unwrap().unwrap().as_bytes().len(), 64 << 10);
        }
    }
}

#[tokio::test]
async fn a_silent_peer_is_asked_and_then_given_up() {
    let eager = Options::default().ping_after(Some(Duration::from_millis(100)));
    let ended = Arc::new(AtomicUsize::new(0));
    let counted = ended.clone();
    let wait = move |_: Context, mut socket: WebSocket| {
        let counted = counted.clone();
        async move {
            let next = socket.next().await;
            counted.fetch_add(1, Relaxed);
            assert!(matches!(next, Some(Err(_))));
            Ok(())
        }
    };
    let (_server, address) = serve(Server::new().service(websocket::route("/wait", wait).options(eager)));
    let mut socket = Connect::new(&channel("http", &address), "/wait").open().await.unwrap();
    let reading = tokio::time::timeout(Duration::from_millis(600), socket.next()).await;
    assert!(reading.is_err(), "who answers Pings is kept");
    assert_eq!(ended.load(Relaxed), 0);
    // Unread, they are not answered.
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if ended.load(Relaxed) == 1 {
            break;
        }
    }
    assert_eq!(ended.load(Relaxed), 1);
    assert!(socket.next().await.is_none());
    assert_eq!(socket.closed().unwrap().code, code::AWAY);
}

#[tokio::test]
async fn methods_of_services_are_called() {
    let service = Closures::default()
        .count(|_, request| {
            let mut left = request.number;
            Ok(from_fn(move || {
                left = left.checked_sub(1)?;
                Some(Ok(line("x")))
            }))
        })
        .into_service();
    let (_server, address) = serve(Server::new().service(service).service(Calls));
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        let open = async |method: &str| {
            Connect::new(&channel, &format!("/talk.Talk/{method}")).subprotocol(JSON).open().await.unwrap()
        };
        let mut socket = open("Count").await;
        assert_eq!(socket.subprotocol(), Some(JSON));
        socket.send("{\"number\":2}").await.unwrap();
        let mut told = Vec::new();
        while let Some(message) = socket.next().await {
            told.push(message.unwrap().into_text().unwrap());
        }
        assert_eq!(told.last().unwrap(), "#end {}", "{told:?}");
        assert_eq!(told.len(), 3, "{told:?}");
        assert_eq!(socket.closed().unwrap().code, code::NORMAL);

        let mut socket = open("Nothing").await;
        let said = socket.next().await.unwrap().unwrap().into_text().unwrap();
        assert!(said.starts_with("#end {\"error\":{\"code\":\"unimplemented\""), "{said}");
    }
}

#[tokio::test]
async fn a_call_without_its_subprotocol_is_told_which_to_offer() {
    let service = Closures::default().into_service();
    let (_server, address) = serve(Server::new().service(service).service(Calls));
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        let refused = async |path: &str, offered: &[&str]| {
            let connect = Connect::new(&channel, path);
            let connect = offered.iter().fold(connect, |connect, name| connect.subprotocol(name));
            let why = connect.open().await.err().unwrap();
            (why.code(), why.message().to_owned())
        };
        for offered in [&[][..], &["polywire.v2.json", "json"]] {
            let (code, text) = refused("/talk.Talk/Count", offered).await;
            assert_eq!(code, Code::InvalidArgument, "{protocol}: {text}");
            assert!(text.contains(JSON) && text.contains(websocket::PROTO), "{protocol}: {text}");
        }
        let (code, text) = refused("/talk.Talk/Nothing", &[]).await;
        assert_eq!(code, Code::Unimplemented, "{protocol}: {text}");
    }

    let asks = "GET /talk.Talk/Count HTTP/1.1\r\nHost: x\r\nConnection: close";
    let (upgrade, of_page) = ("close, Upgrade\r\nUpgrade: websocket", "\r\nOrigin: http://elsewhere");
    for (asks, answer) in [
        (asks.to_owned(), "HTTP/1.1 405 "),
        (asks.replace("close", upgrade), "HTTP/1.1 400 "),
        (asks.replace("close", upgrade) + of_page, "HTTP/1.1 403 "),
    ] {
        let mut peer = TcpStream::connect(&address).unwrap();
        peer.write_all(format!("{asks}\r\n\r\n").as_bytes()).unwrap();
        let mut said = String::new();
        peer.read_to_string(&mut said).unwrap();
        assert!(said.starts_with(answer), "{asks}: {said}");
    }
}

/// Connections that end without an answer, so many, and then those of a server.
fn closes_first(count: usize, address: String) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (own, seen) = (listener.local_addr().unwrap().to_string(), Arc::new(AtomicUsize::new(0)));
    let counted = seen.clone();
    std::thread::spawn(move || {
        for mut theirs in listener.incoming().map(Result::unwrap) {
            if counted.fetch_add(1, Relaxed) < count {
                let _ = theirs.read(&mut [0; 1024]); // the request, so that it ends and is not reset
                continue;
            }
            let ours = TcpStream::connect(&address).unwrap();
            for (mut from, mut to) in
                [(theirs.try_clone().unwrap(), ours.try_clone().unwrap()), (ours, theirs)]
            {
                std::thread::spawn(move || io::copy(&mut from, &mut to));
            }
        }
    });
    (own, seen)
}

#[tokio::test]
async fn a_connection_that_the_server_has_just_closed_is_no_failure() {
    let (_server, address) = serve(Server::new().service(websocket::route("/echo", echo)));
    let (front, seen) = closes_first(1, address.clone());
    let mut socket = Connect::new(&channel("http", &front), "/echo").open().await.unwrap();
    socket.send("hello").await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), Message::from("hello"));
    assert_eq!(seen.load(Relaxed), 2);
    let (front, seen) = closes_first(usize::MAX, address);
    let why = Connect::new(&channel("http", &front), "/echo").open().await.err().map(|why| why.code());
    assert_eq!((why, seen.load(Relaxed)), (Some(Code::Unavailable), 2), "and no more than twice");
}

/// A client that drops its socket as soon as it has read the server's Close frame has answered it all the
/// same.
#[tokio::test]
async fn the_answer_to_a_close_frame_arrives_although_the_socket_is_dropped() {
    let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let closes = move |_: Context, socket: WebSocket| {
        let told = told.clone();
        async move {
            let _ = told.send(socket.close(4001, "bye").await.unwrap());
            Ok(())
        }
    };
    let (_server, address) = serve(Server::new().service(websocket::route("/closes", closes)));
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        for _ in 0..100 {
            let mut socket = Connect::new(&channel, "/closes").open().await.unwrap();
            assert!(socket.next().await.is_none(), "{protocol}");
            drop(socket);
            assert_eq!(heard.recv().await.unwrap(), Close::new(4001, "bye"), "{protocol}");
        }
    }
}

#[tokio::test]
async fn a_server_that_keeps_the_connection_after_the_close_frames_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (mut peer, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            peer.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        let field = |line: &str| {
            line.split_once(": ")
                .filter(|(name, _)| name.eq_ignore_ascii_case("sec-websocket-key"))
                .map(|(_, key)| key.to_owned())
        };
        let key = head.lines().find_map(field).unwrap();
        let accept = polywire_protocols::http::websocket::handshake::accept(key.as_bytes());
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        peer.write_all(answer.as_bytes()).unwrap();
        peer.write_all(&[0x88, 2, 0x03, 0xe8]).unwrap(); // Close 1000
        let mut rest = Vec::new();
        let _ = peer.read_to_end(&mut rest);
        rest
    });
    let begun = Instant::now();
    let mut socket = Connect::new(&channel("http", &address), "/").open().await.unwrap();
    assert!(socket.next().await.is_none());
    assert!(begun.elapsed() < Duration::from_secs(20), "2 s, and what a busy machine adds");
    drop(socket);
    let close = tokio::task::spawn_blocking(|| server.join().unwrap()).await.unwrap();
    assert_eq!((close[..2].to_vec(), close.len()), (vec![0x88, 0x82], 8), "a masked Close of two bytes");
}

fn faults(counted: &polywire_engine::Faults) -> Vec<(&'static str, u64)> {
    counted.iter().filter(|(_, count)| *count > 0).collect()
}

/// A client that says nothing after its handshake.
fn silent(address: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).unwrap();
    let asks = "GET /echo HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    socket.write_all(asks.as_bytes()).unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        socket.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    socket
}

#[tokio::test]
async fn a_server_that_stops_answers_what_has_come_and_closes_with_1001() {
    let slow = |_: Context, mut socket: WebSocket| async move {
        while let Some(message) = socket.next().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
            socket.send(message?).await?;
        }
        Ok(())
    };
    let push = |_: Context, mut socket: WebSocket| async move {
        loop {
            socket.send("tick").await?;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let own = |cx: Context, mut socket: WebSocket| async move {
        cx.stopping().await;
        socket.send("the last").await
    };
    let (server, address) = serve(
        Server::new()
            .service(websocket::route("/slow", slow))
            .service(websocket::route("/echo", echo))
            .service(websocket::route("/push", push))
            .service(websocket::route("/own", own)),
    );
    let mut slow = Vec::new();
    let mut others = Vec::new();
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        for _ in 0..10 {
            let mut socket = Connect::new(&channel, "/slow").open().await.unwrap();
            for n in 0..3 {
                socket.send(format!("{n}")).await.unwrap();
            }
            slow.push(socket);
        }
        for path in ["/echo", "/push", "/own"] {
            others.push((path, Connect::new(&channel, path).open().await.unwrap()));
        }
    }
    for socket in &mut slow {
        assert_eq!(socket.next().await.unwrap().unwrap(), "0".into());
    }
    let mut mute = silent(&address);
    let began = Instant::now();
    let stopping = tokio::spawn(server.stop());
    for mut socket in slow {
        assert_eq!(socket.next().await.unwrap().unwrap(), "1".into(), "no answer is lost");
        assert_eq!(socket.next().await.unwrap().unwrap(), "2".into());
        assert!(socket.next().await.is_none());
        assert_eq!(socket.closed().unwrap().code, code::AWAY);
    }
    for (path, mut socket) in others {
        let mut last = None;
        while let Some(message) = socket.next().await {
            last = Some(message.unwrap().into_text().unwrap());
        }
        let due = match path {
            "/push" => Some("tick"),
            "/own" => Some("the last"),
            _ => None,
        };
        assert_eq!(last.as_deref(), due);
        assert_eq!(socket.closed().unwrap().code, code::AWAY, "{path}");
    }
    let left = stopping.await.unwrap();
    assert!(
        left.len() <= 1 && left.iter().all(|one| one.calls == 0),
        "the peer that does not answer, at most: {left:?}"
    );
    assert!(began.elapsed() < Duration::from_secs(6), "a peer that does not answer: {:?}", began.elapsed());
    let mut said = Vec::new();
    mute.read_to_end(&mut said).unwrap();
    assert_eq!(said[..4], [0x88, said.len() as u8 - 2, 0x03, 0xe9], "1001, and the end");
}

#[tokio::test]
async fn a_call_that_waits_for_its_message_is_told_that_the_server_stops() {
    let service = Closures::default().count(|_, _| Ok(from_fn(|| None))).into_service();
    let (server, address) = serve(
        Server::new()
            .service(service)
            .service(Calls)
            .lifecycle(Lifecycle::default().drain(Duration::from_millis(300))),
    );
    let connect = Connect::new(&channel("http", &address), "/talk.Talk/Count").subprotocol(JSON);
    let mut socket = connect.open().await.unwrap();
    let stopping = tokio::spawn(server.stop());
    let said = socket.next().await.unwrap().unwrap().into_text().unwrap();
    assert!(said.starts_with("#end {\"error\":{\"code\":\"unavailable\""), "{said}");
    assert!(socket.next().await.is_none());
    assert_eq!(socket.closed().unwrap().code, code::AWAY);
    stopping.await.unwrap();
}

#[tokio::test]
async fn what_peers_do_wrong_is_counted_once() {
    let short = Options::default().max_message(1000);
    let service = Closures::default().count(|_, _| Ok(from_fn(|| None))).into_service();
    let (server, address) = serve(
        Server::new()
            .service(websocket::route("/short", echo).options(short))
            .service(websocket::route("/echo", echo))
            .service(service)
            .service(Calls),
    );
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        let mut socket = Connect::new(&channel, "/short").open().await.unwrap();
        socket.send(vec![0; 1001]).await.unwrap();
        assert!(socket.next().await.is_none());
        let mut call = Connect::new(&channel, "/talk.Talk/Count").subprotocol(JSON).open().await.unwrap();
        call.send(vec![1]).await.unwrap();
        assert!(call.next().await.is_none());
        assert_eq!(call.closed().unwrap().code, code::UNSUPPORTED);
        assert_eq!(faults(channel.faults()), []);
        let mut socket = Connect::new(&channel, "/echo").options(short).open().await.unwrap();
        socket.send(vec![0; 1001]).await.unwrap();
        assert!(socket.next().await.unwrap().is_err());
        assert_eq!(faults(channel.faults()), [("fault_too_large", 1)], "at the client that was answered so");
    }
    assert_eq!(faults(server.faults()), [("fault_malformed", 2), ("fault_too_large", 2)]);
}

#[tokio::test]
async fn messages_are_compressed_if_both_sides_want_that() {
    let long = |takeover| {
        let deflate = Deflate::default().least(1).context_takeover(takeover);
        Options::default().max_message(1 << 20).deflate(deflate)
    };
    let (_server, address) = serve(
        Server::new()
            .service(websocket::route("/alone", echo).options(long(false)).subprotocols(["chat"]))
            .service(websocket::route("/together", echo).options(long(true)))
            .service(websocket::route("/plain", echo)),
    );
    let noise: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for protocol in ["http", "h2"] {
        let channel = channel(protocol, &address);
        for path in ["/alone", "/together", "/plain"] {
            for options in [long(false), long(true), Options::default()] {
                let connect = Connect::new(&channel, path).options(options).subprotocol("chat");
                let mut socket = connect.open().await.unwrap();
                assert_eq!(socket.subprotocol().is_some(), path == "/alone");
                for message in [
                    "".into(),
                    "κόσμε".into(),
                    "x".repeat(1 << 20).into(),
                    Message::from(noise.clone()),
                    "κόσμε".into(),
                ] {
                    socket.send(message.clone()).await.unwrap();
                    assert_eq!(socket.next().await.unwrap().unwrap(), message, "{protocol} {path}");
                }
                assert_eq!(socket.close(code::NORMAL, "").await.unwrap().code, code::NORMAL);
            }
        }
    }
}

/// The window of a side has to see what the other refers to, whatever becomes of the futures that send.
#[tokio::test]
async fn messages_that_refer_to_others_survive_futures_that_are_dropped() {
    let together = Options::default().deflate(Deflate::default().least(1).context_takeover(true));
    // The server reads nothing until the client has no room.
    let full = Arc::new(tokio::sync::Notify::new());
    let fills = full.clone();
    let slow = move |_: Context, mut socket: WebSocket| {
        let full = full.clone();
        async move {
            full.notified().await;
            while let Some(message) = socket.next().await {
                socket.send(message?).await?;
            }
            Ok(())
        }
    };
    let (_server, address) = serve(Server::new().service(websocket::route("/slow", slow).options(together)));
    let connect = Connect::new(&channel("http", &address), "/slow").options(together);
    let (mut sender, mut receiver) = connect.open().await.unwrap().split();
    let mut random = 1_u64;
    let mut byte = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 56) as u8
    };
    let noise: Vec<Vec<u8>> = (0..120).map(|_| (0..200_000).map(|_| byte()).collect()).collect();
    let sends = async {
        let mut dropped = 0;
        for noise in &noise {
            let sent = tokio::time::timeout(Duration::from_micros(200), sender.send(noise.clone())).await;
            dropped += u32::from(sent.is_err());
            if dropped == 1 {
                fills.notify_one();
            }
        }
        fills.notify_one();
        sender.close(code::NORMAL, "").await.unwrap();
        dropped
    };
    let reads = async {
        let mut count = 0;
        while let Some(message) = receiver.next().await {
            let message = message.unwrap().into_bytes();
            assert!(noise.iter().any(|noise| message == noise[..]), "a message that was sent");
            count += 1;
        }
        count
    };
    let (dropped, count) = tokio::join!(sends, reads);
    assert!(dropped > 0 && count > 0, "{dropped} dropped, {count} came back");
}

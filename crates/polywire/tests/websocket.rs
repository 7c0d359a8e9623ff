//! WebSocket between our client and our server: sockets of handlers, calls of services, limits, pages.

#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../build/tests/golden/talk.rs");
}

#[path = "streams/support.rs"]
mod support;

use polywire::{
    Channel, Code, Context, Running, Server, Status,
    websocket::{self, Calls, Close, Connect, JSON, Message, Options, WebSocket, code},
};
use std::{
    io::{self, Read},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use support::{Closures, from_fn, line};
use talk::Talk;

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

//! `websocket-peer serve [--tls-cert FILE --tls-key FILE]`: sockets at a few paths until it is told to stop.
//! `websocket-peer check PROTOCOL ADDRESS`: our client against a foreign echo server; a line `pass NAME` or
//!                 `FAIL NAME: REASON` for each.
//! `websocket-peer autobahn alone|together ADDRESS`: our client through all cases that a server of Autobahn's
//!                 suite has, and judges, with compression without and with context takeover.
//! `websocket-peer bench PROTOCOL ADDRESS SOCKETS BYTES SECONDS`: echoes, one in flight on each socket; its
//!                 last line has numbers.
//!
//! interop/websocket/README.md has the paths and the lines.

use polywire::{
    Channel, Context, Server, ServerTls, Status,
    websocket::{self, Close, Connect, Deflate, Message, Options, WebSocket, code},
};
use std::{
    fmt::Debug,
    future::Future,
    time::{Duration, Instant},
};

pub fn main() -> polywire::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["serve"] => runtime.block_on(serve(None)),
        ["serve", "--tls-cert", certificate, "--tls-key", key] => {
            runtime.block_on(serve(Some(ServerTls::files(certificate, key))))
        }
        ["check", protocol, address] => runtime.block_on(check(protocol, channel(protocol, address)?)),
        ["autobahn", mode, address] => {
            runtime.block_on(autobahn(channel("http", address)?, of_autobahn(mode == "together")))
        }
        ["bench", protocol, address, sockets, bytes, seconds] => {
            let (sockets, bytes, seconds) = (sockets.parse()?, bytes.parse()?, seconds.parse()?);
            runtime.block_on(bench(channel(protocol, address)?, sockets, bytes, seconds))
        }
        _ => Err("usage: websocket-peer serve|check|bench ..".into()),
    }
}

fn channel(protocol: &str, address: &str) -> polywire::Result<Channel> {
    Ok(Channel::builder(address).protocol(protocol).build()?)
}

async fn serve(tls: Option<ServerTls>) -> polywire::Result<()> {
    let long = Options::default().max_message(32 << 20);
    let mut server = Server::new()
        .service(websocket::route("/echo", echo).subprotocols(["superchat", "chat"]).options(long))
        .service(websocket::route("/deflate", echo).options(long.deflate(Deflate::default())))
        .service(
            websocket::route("/together", echo)
                .options(long.deflate(Deflate::default().least(1).context_takeover(true))),
        )
        .service(websocket::route("/autobahn", echo).options(of_autobahn(true)))
        .service(websocket::route("/short", echo).options(Options::default().max_message(1000)))
        .service(
            websocket::route("/silence", echo)
                .options(Options::default().ping_after(Some(Duration::from_millis(300)))),
        )
        .service(websocket::route("/push", push))
        .service(websocket::route("/close", |_: Context, socket: WebSocket| async move {
            socket.close(4001, "bye").await.map(drop)
        }))
        .service(websocket::route("/fail", |_: Context, _: WebSocket| async {
            Err(Status::internal("it went wrong"))
        }))
        .service(websocket::Calls)
        .listen("127.0.0.1:0");
    if let Some(tls) = tls {
        server = server.tls(tls);
    }
    let running = server.start()?;
    for address in running.addresses() {
        println!("listening on {address}");
    }
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}

/// Sends each message back.
async fn echo(_: Context, mut socket: WebSocket) -> Result<(), Status> {
    while let Some(message) = socket.next().await {
        let Ok(message) = message else { return Ok(()) }; // the peer was told
        socket.send(message).await?;
    }
    Ok(())
}

/// Sends as fast as the peer reads, 64 KiB at a time.
async fn push(_: Context, mut socket: WebSocket) -> Result<(), Status> {
    loop {
        socket.send(vec![7; 64 << 10]).await?;
    }
}

/// Prints what became of a check.
async fn named(name: &str, check: impl Future<Output = Result<(), String>>) {
    match tokio::time::timeout(Duration::from_secs(20), check).await {
        Ok(Ok(())) => println!("pass {name}"),
        Ok(Err(reason)) => println!("FAIL {name}: {reason}"),
        Err(_) => println!("FAIL {name}: it takes longer than 20 s"),
    }
}

fn same<T: PartialEq + Debug>(expected: T, found: T) -> Result<(), String> {
    let shown = |value: &T| format!("{value:?}").chars().take(200).collect::<String>();
    if expected == found {
        Ok(())
    } else {
        Err(format!("expected {}, found {}", shown(&expected), shown(&found)))
    }
}

fn text(status: Status) -> String {
    status.to_string()
}

async fn next(socket: &mut WebSocket) -> Result<Message, String> {
    socket.next().await.ok_or("it is closed")?.map_err(text)
}

/// What an echo server sends back.
async fn echoes(socket: &mut WebSocket, message: Message) -> Result<(), String> {
    socket.send(message.clone()).await.map_err(text)?;
    same(message, next(socket).await?)
}

/// The server at the other end echoes at `/`, agrees on `chat`, and does at other paths what their names say.
async fn check(protocol: &str, channel: Channel) -> polywire::Result<()> {
    let open = |path: &str| Connect::new(&channel, path).options(Options::default().max_message(4 << 20));
    for size in [0, 1, 125, 126, 127, 65_535, 65_536, 1 << 20] {
        named(&format!("{protocol}: {size} bytes there and back, text and binary"), async {
            let mut socket = open("/").open().await.map_err(text)?;
            echoes(&mut socket, "x".repeat(size).into()).await?;
            echoes(&mut socket, vec![0xfe; size].into()).await?;
            let close = socket.close(code::NORMAL, "done").await.map_err(text)?;
            same(code::NORMAL, close.code)
        })
        .await;
    }
    for takeover in [false, true] {
        let deflate = Deflate::default().least(1).context_takeover(takeover);
        let name = format!("{protocol}: compression is offered, context takeover {takeover}");
        named(&name, async {
            let options = Options::default().max_message(4 << 20).deflate(deflate);
            let mut socket = Connect::new(&channel, "/").options(options).open().await.map_err(text)?;
            for size in [0, 1, 1000, 100_000, 1 << 20] {
                echoes(&mut socket, "abc".repeat(size / 3).into()).await?;
                echoes(&mut socket, vec![0xfe; size].into()).await?;
            }
            Ok(())
        })
        .await;
    }
    named(&format!("{protocol}: text beyond ASCII"), async {
        let mut socket = open("/").open().await.map_err(text)?;
        echoes(&mut socket, "κόσμε \u{10ffff}\u{0}".into()).await
    })
    .await;
    named(&format!("{protocol}: 1000 messages, sent while others come back"), async {
        let (mut sender, mut receiver) = open("/").open().await.map_err(text)?.split();
        let sends = async {
            for n in 0..1000 {
                sender.send(format!("message {n}")).await.map_err(text)?;
            }
            Ok::<_, String>(())
        };
        let reads = async {
            for n in 0..1000 {
                let message = receiver.next().await.ok_or("it is closed")?.map_err(text)?;
                same(Message::from(format!("message {n}")), message)?;
            }
            Ok::<_, String>(())
        };
        tokio::try_join!(sends, reads).map(drop)
    })
    .await;
    named(&format!("{protocol}: a Ping is answered while the socket is read"), async {
        let mut socket = open("/").open().await.map_err(text)?;
        socket.ping(b"here?").await.map_err(text)?;
        echoes(&mut socket, "after the Pong".into()).await
    })
    .await;
    named(&format!("{protocol}: the subprotocol that both have"), async {
        let socket = open("/").subprotocol("mystery").subprotocol("chat").open().await.map_err(text)?;
        same(Some("chat"), socket.subprotocol())
    })
    .await;
    named(&format!("{protocol}: fragments become one message"), async {
        let mut socket = open("/fragments").open().await.map_err(text)?;
        same(Message::from("one two three"), next(&mut socket).await?)?;
        echoes(&mut socket, "more".into()).await
    })
    .await;
    named(&format!("{protocol}: the server closes with a code and a reason"), async {
        let mut socket = open("/close").open().await.map_err(text)?;
        if let Some(message) = socket.next().await {
            return Err(format!("{message:?}"));
        }
        same(Some(Close::new(4001, "bye")), socket.closed())
    })
    .await;
    named(&format!("{protocol}: a connection that is cut is a failure"), async {
        let mut socket = open("/cut").open().await.map_err(text)?;
        match socket.next().await {
            Some(Err(_)) => same(Some(code::ABNORMAL), socket.closed().map(|close| close.code)),
            other => Err(format!("{other:?}")),
        }
    })
    .await;
    named(&format!("{protocol}: a message beyond the limit is refused"), async {
        let short = Options::default().max_message(1000);
        let mut socket = Connect::new(&channel, "/").options(short).open().await.map_err(text)?;
        echoes(&mut socket, "x".repeat(1000).into()).await?;
        socket.send("x".repeat(1001)).await.map_err(text)?;
        match socket.next().await {
            Some(Err(_)) => Ok(()),
            other => Err(format!("{other:?}")),
        }
    })
    .await;
    named(&format!("{protocol}: a refusal has its status"), async {
        match open("/refuse").open().await {
            Err(why) if why.native() == polywire::Native::Http(403) => Ok(()),
            Err(why) => Err(format!("{why:?}")),
            Ok(_) => Err("it is open".into()),
        }
    })
    .await;
    Ok(())
}

/// What Autobahn's cases are run with: it sends messages of up to 16 MiB, and wants short ones compressed,
/// too.
fn of_autobahn(takeover: bool) -> Options {
    Options::default().max_message(16 << 20).deflate(Deflate::default().least(1).context_takeover(takeover))
}

/// Its server has a path for the number of its cases, one that runs a case with an echo, and one that ends
/// the run.
async fn autobahn(channel: Channel, options: Options) -> polywire::Result<()> {
    let open = |path: String| Connect::new(&channel, &path).options(options).open();
    let mut socket = open("/getCaseCount".into()).await?;
    let Some(Ok(Message::Text(cases))) = socket.next().await else {
        return Err("the number of cases does not come".into());
    };
    for case in 1..=cases.parse::<u32>()? {
        // That a case ends badly is for Autobahn to say.
        if let Ok(mut socket) = open(format!("/runCase?case={case}&agent=polywire")).await {
            while let Some(Ok(message)) = socket.next().await {
                if socket.send(message).await.is_err() {
                    break;
                }
            }
        }
    }
    let mut ended = open("/updateReports?agent=polywire".into()).await?;
    while ended.next().await.is_some() {}
    Ok(())
}

async fn bench(channel: Channel, sockets: usize, bytes: usize, seconds: u64) -> polywire::Result<()> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut tasks = Vec::new();
    for _ in 0..sockets {
        let mut socket = Connect::new(&channel, "/echo").open().await?;
        let body = vec![b'x'; bytes];
        tasks.push(tokio::spawn(async move {
            let mut count = 0u64;
            while Instant::now() < end {
                if socket.send(body.clone()).await.is_err() || !matches!(socket.next().await, Some(Ok(_))) {
                    break;
                }
                count += 1;
            }
            count
        }));
    }
    let mut total = 0;
    for task in tasks {
        total += task.await?;
    }
    println!("{} echoes/s", total / seconds);
    Ok(())
}

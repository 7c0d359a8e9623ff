//! `Server::fallback`.

use super::{
    exchange, get, grpc, serve,
    support::{Closures, Told, line, number, numbers, poll_fn, run_over},
    talk::{Talk, TalkClient},
};
use axum::{
    Router,
    body::Bytes,
    extract::{Request, ws},
    http::{HeaderMap, StatusCode},
    routing,
};
use polywire::{
    Channel, Code, Native, Server, Status, Stream, Target,
    tower::Caller,
    websocket::{Connect, code},
};
use std::{pin::Pin, task::Poll};

fn router() -> Router {
    Router::new()
        .route("/", routing::get(|| async { "root" }))
        .route("/teapot", routing::get(|| async { (StatusCode::IM_A_TEAPOT, [("x-tea", "green")], "short") }))
        .route("/moved", routing::get(|| async { (StatusCode::FOUND, [("location", "/")]) }))
        .route("/length", routing::post(|body: Bytes| async move { body.len().to_string() }))
        .route("/echo", routing::post(|request: Request| async { request.into_body() }))
        .route(
            "/who",
            routing::get(|request: Request| async move {
                let caller = request.extensions().get::<Caller>().unwrap();
                let host = request.headers()["host"].to_str().unwrap();
                format!("{} {} {host} {:?}", caller.peer.is_local(), request.uri(), request.version())
            }),
        )
        .route(
            "/bytes",
            routing::any(
                |headers: HeaderMap| async move { headers["x-some-bin"].to_str().unwrap().to_owned() },
            ),
        )
        .route("/panic", routing::get(|| async { panic!("on purpose") as &str }))
}

/// Sends each message back.
async fn echo_socket(upgrade: ws::WebSocketUpgrade) -> axum::response::Response {
    upgrade.protocols(["chat"]).on_upgrade(|mut socket: ws::WebSocket| async move {
        while let Some(Ok(message)) = socket.recv().await {
            if matches!(message, ws::Message::Text(_) | ws::Message::Binary(_))
                && socket.send(message).await.is_err()
            {
                return;
            }
        }
    })
}

#[test]
fn a_router_takes_over_connections_of_both_versions() {
    run_over("grpc", async || {
        let sockets = Router::new().route("/socket", routing::any(echo_socket)).merge(router());
        let server = serve(Server::new().fallback(sockets));
        let address = server.addresses()[0].to_string();
        for protocol in ["http", "h2"] {
            let channel = Channel::builder(&address).protocol(protocol).build().unwrap();
            let mut socket = Connect::new(&channel, "/socket").subprotocol("chat").open().await.unwrap();
            assert_eq!(socket.subprotocol(), Some("chat"), "{protocol}");
            for size in [0, 5, 70_000, 500_000] {
                socket.send(vec![7; size]).await.unwrap();
                assert_eq!(socket.next().await.unwrap().unwrap(), vec![7; size].into(), "{protocol}: {size}");
            }
            assert_eq!(socket.close(code::NORMAL, "").await.unwrap().code, code::NORMAL, "{protocol}");
            let refused = Connect::new(&channel, "/teapot").open().await.map(drop).unwrap_err();
            assert_eq!(refused.native(), Native::Http(418), "{protocol}: {refused}");
            let foreign = Connect::new(&channel, "/socket").metadata("origin", "https://evil.example");
            let refused = foreign.open().await.map(drop).unwrap_err();
            assert_eq!(refused.code(), Code::PermissionDenied, "{protocol}: {refused}");
        }
    });
}

#[test]
fn what_no_service_here_answers_goes_to_the_router() {
    run_over("grpc", async || {
        let server = serve(Server::new().service(Closures::default().into_service()).fallback(router()));
        let address = &server.addresses()[0];
        let root = get(address, "/").await;
        assert!(root.starts_with("HTTP/1.1 200 OK\r\n") && root.ends_with("\r\n\r\nroot"), "{root}");
        assert!(root.to_ascii_lowercase().contains("content-length: 4\r\n"), "{root}");
        let teapot = get(address, "/teapot").await;
        assert!(teapot.starts_with("HTTP/1.1 418 ") && teapot.ends_with("short"), "{teapot}");
        assert!(teapot.contains("x-tea: green\r\n"), "{teapot}");
        let moved = get(address, "/moved").await;
        assert!(moved.starts_with("HTTP/1.1 302 ") && moved.contains("location: /\r\n"), "{moved}");
        let missing = get(address, "/not/there").await;
        assert!(missing.starts_with("HTTP/1.1 404 ") && missing.ends_with("\r\n\r\n"), "axum's: {missing}");
        assert!(get(address, "/who?a=b").await.ends_with("\r\n\r\ntrue /who?a=b there HTTP/1.1"));
        // What was ours stays ours.
        assert!(get(address, "/health").await.ends_with("\r\n\r\nOK"));
        let said = exchange(
            address,
            "POST /talk.Talk/Say HTTP/1.1|Host: x|Connection: close|Content-Length: 12||{\"number\":7}",
        );
        assert!(said.await.ends_with("{\"number\":7}"));
        assert_eq!(TalkClient::new(grpc(address)).say(line("hello")).await.unwrap().text, "hello");
        server.stop().await;
    });
}

/// Else guards of HTTP, and what it says of pages in browsers, would not have been asked.
#[test]
fn a_call_of_another_protocol_reaches_no_router_whatever_its_fields_say() {
    run_over("baidu_std", async || {
        let server = serve(Server::new().service(Closures::default().into_service()).fallback(router()));
        let channel =
            Channel::builder(server.addresses()[0].to_string()).protocol("baidu_std").build().unwrap();
        let call = channel.call(Target::named("no.Service", "Method"), Vec::<u8>::new());
        let status = call.metadata(":method", "GET").metadata(":path", "/").await.unwrap_err();
        assert_eq!(status.message(), "Fail to find method=no.Service/Method", "{status:?}");
        server.stop().await;
    });
}

/// Which pages may call is up to the mounted service; what is ours is not its business.
#[test]
fn pages_of_other_origins_reach_the_router_and_not_our_methods() {
    run_over("grpc", async || {
        let service = Closures::default().into_service();
        let server = serve(Server::new().service(service).fallback(router()));
        let address = &server.addresses()[0];
        let page = "Host: x|Connection: close|Origin: http://evil.example|Sec-Fetch-Site: cross-site";
        let reply = exchange(address, &format!("GET / HTTP/1.1|{page}||")).await;
        assert!(reply.starts_with("HTTP/1.1 200 ") && reply.ends_with("root"), "{reply}");
        let said = format!("POST /talk.Talk/Say HTTP/1.1|{page}|Content-Length: 2||{{}}");
        let reply = exchange(address, &said).await;
        assert!(reply.starts_with("HTTP/1.1 403 "), "{reply}");
        // A verb that does not reach our method is the router's to answer.
        assert!(get(address, "/talk.Talk/Say").await.starts_with("HTTP/1.1 404 "));
        server.stop().await;
    });
}

/// Our own handlers get the bytes that such a field means, in whatever form of HTTP the call came.
#[test]
fn binary_fields_reach_the_router_as_they_were_sent() {
    run_over("grpc", async || {
        let server = serve(Server::new().fallback(router()));
        let address = &server.addresses()[0];
        for request in [
            "POST /bytes HTTP/1.1|",
            "POST /bytes HTTP/1.1|Content-Type: application/grpc-web|",
            "POST /bytes HTTP/1.1|content-type: Application/gRPC-Web+proto|",
            "POST /bytes HTTP/1.1|Content-Type: application/connect+json|",
            "POST /bytes HTTP/1.1|Connect-Protocol-Version: 1|Content-Type: application/json|",
            "GET /bytes?connect=v1&encoding=json&message=%7B%7D HTTP/1.1|",
        ] {
            let length = if request.starts_with("POST") { "Content-Length: 0|" } else { "" };
            let rest = "Host: x|Connection: close|X-Some-Bin: AP+flg";
            let reply = exchange(address, &format!("{request}{length}{rest}||")).await;
            assert!(reply.starts_with("HTTP/1.1 200 ") && reply.ends_with("AP+flg"), "{request}: {reply}");
        }
        server.stop().await;
    });
}

#[test]
fn bodies_pass_both_ways_in_every_form() {
    run_over("grpc", async || {
        let server = serve(Server::new().fallback(router()));
        let address = &server.addresses()[0];
        let chunks = "Transfer-Encoding: chunked||5|hello|6| world|0||";
        let length =
            exchange(address, &format!("POST /length HTTP/1.1|Host: x|Connection: close|{chunks}")).await;
        assert!(length.ends_with("\r\n\r\n11"));
        let echo =
            exchange(address, &format!("POST /echo HTTP/1.1|Host: x|Connection: close|{chunks}")).await;
        assert!(echo.contains("hello") && echo.contains(" world"), "{echo}");
        let long = "x".repeat(3 << 20);
        let head = format!("POST /echo HTTP/1.1|Host: x|Connection: close|Content-Length: {}||", long.len());
        let echo = exchange(address, &format!("{head}{long}")).await;
        assert!(echo.ends_with(&long) && !echo.contains("chunked"), "{} bytes", echo.len());
        let head =
            exchange(address, "HEAD / HTTP/1.1|Host: x|Connection: close||").await.to_ascii_lowercase();
        assert!(head.contains("content-length: 4\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        let panic = get(address, "/panic").await;
        assert!(panic.starts_with("HTTP/1.1 500 "), "{panic}");
        server.stop().await;
    });
}

#[test]
fn grpc_goes_through_to_a_mounted_server_in_all_four_kinds() {
    run_over("grpc", async || {
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let inner = Closures::default()
            .count(move |cx, request| {
                if request.number == 0 {
                    return Err(Status::not_found("nothing to count"));
                }
                cx.reply_metadata("x-head-bin", [0, 159, 146, 150]);
                assert_eq!(cx.metadata().get("x-asked-bin"), Some(&[255, 0, 1][..]));
                let (mut at, to) = (0, request.number);
                let held = Told(told.clone(), "dropped");
                Ok(poll_fn(move |_| {
                    let _ = &held;
                    at += 1;
                    match at {
                        at if at <= to => Poll::Ready(Some(Ok(number(at)))),
                        _ if to == 1000 => Poll::Pending, // until its caller has gone
                        _ => Poll::Ready(None),
                    }
                }))
            })
            .sum(|_, incoming| async {
                let (seen, ended) = numbers(incoming).await;
                ended.map(|()| number(seen.iter().sum()))
            })
            .chat(|_, mut incoming| Ok(poll_fn(move |cx| Pin::new(&mut incoming).poll_next(cx))));
        let inner =
            Server::new().service(inner.into_service()).engine(&super::engine()).into_tower().unwrap();
        let outer = serve(Server::new().fallback(inner));
        let talk = TalkClient::new(grpc(&outer.addresses()[0]));

        assert_eq!(talk.say(line("hello")).await.unwrap().text, "hello");
        let mut counted = talk.count(number(3)).metadata("x-asked-bin", [255, 0, 1]).await.unwrap();
        assert_eq!(counted.opened().await.unwrap().get("x-head-bin"), Some(&[0, 159, 146, 150][..]));
        assert_eq!(numbers(counted).await, (vec![1, 2, 3], Ok(())));
        let failed = talk.count(number(0)).await.unwrap();
        let (seen, ended) = numbers(failed).await;
        let why = ended.unwrap_err();
        assert_eq!((seen.len(), why.code(), why.message()), (0, Code::NotFound, "nothing to count"));

        let mut upload = talk.sum().await.unwrap();
        for n in 1..=10 {
            upload.send(number(n)).await.unwrap();
        }
        assert_eq!(upload.finish().await.unwrap().number, 55);

        let mut chat = talk.chat().await.unwrap();
        for n in 0..10 {
            chat.send(number(n)).await.unwrap();
            assert_eq!(chat.next().await.unwrap().unwrap().number, n);
        }
        chat.finish();
        assert_eq!(chat.next().await, None);

        // A caller that disconnects: the handler at the end of both servers is dropped.
        let mut endless = talk.count(number(1000)).metadata("x-asked-bin", [255, 0, 1]).await.unwrap();
        endless.next().await.unwrap().unwrap();
        while heard.try_recv().is_ok() {} // the streams before it
        drop(endless);
        assert_eq!(heard.recv().await, Some("dropped"));
    });
}

#[test]
fn without_a_fallback_the_root_is_our_index() {
    run_over("grpc", async || {
        let server = serve(Server::new().service(Closures::default().into_service()));
        let index =
            exchange(&server.addresses()[0], "GET / HTTP/1.1|Host: localhost|Connection: close||").await;
        assert!(index.contains("/health"), "{index}");
        let missing = get(&server.addresses()[0], "/not/there").await;
        assert!(missing.starts_with("HTTP/1.1 404 ") && missing.contains("not"), "{missing}");
    });
}

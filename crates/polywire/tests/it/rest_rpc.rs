//! rest_rpc over sockets: both formats, everything else on the same port.

use polywire::{
    Channel, Code, Connections, Context, Limits, Pooling, Running, Server, Status, rest_rpc,
    rest_rpc::{ByteString, Client, Functions, Publisher, PublisherOptions},
};
use serde::{Deserialize, Serialize};
use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    sync::Arc,
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::Semaphore,
};

const FORMATS: [&str; 3] = ["rest_rpc:a", "rest_rpc:b", "rest_rpc:cross"];

#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
struct Person {
    id: i32,
    name: String,
    age: i32,
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future).await.expect("it takes too long")
}

async fn slow_add(a: i32, b: i32) -> i32 {
    for _ in 0..a {
        tokio::task::yield_now().await; // others overtake it
    }
    a + b
}

fn functions() -> Functions {
    Functions::new()
        .function("add", |a: i32, b: i32| a + b)
        .function("echo", |text: String| text)
        .function("rename", |mut person: Person, name: String| async move {
            person.name = name;
            person
        })
        .function("slow_add", slow_add)
        .function("nothing", || {})
        .function("seven", || 7)
        .function("half", |x: f64| x / 2.0)
        .function("divide", |a: i32, b: i32| {
            a.checked_div(b).ok_or_else(|| Status::invalid_argument("by zero"))
        })
        .function("later", |ok: bool| async move {
            if ok { Ok("fine".to_owned()) } else { Err(Status::not_found("nothing here")) }
        })
        .function("who", |cx: Context, greeting: String| {
            format!("{greeting} {} {}", cx.protocol(), cx.method())
        })
        .function("panic", |_: i32| -> i32 { panic!("of this test") })
        .function("bytes", |data: ByteString| data)
        .function("sum", |numbers: Vec<i64>| numbers.iter().sum::<i64>())
}

fn start(functions: Functions) -> Running {
    Server::new().service(functions).listen("127.0.0.1:0").start().unwrap()
}

fn channel(running: &Running, protocol: &str) -> polywire::Channel {
    let address = running.addresses()[0].to_string();
    let builder = Channel::builder(address).protocol(protocol).timeout(Duration::from_secs(10));
    builder.connect_timeout(Duration::from_secs(5)).build().unwrap()
}

fn client(running: &Running, protocol: &str) -> Client {
    Client::new(channel(running, protocol))
}

#[tokio::test]
async fn functions_take_and_give_values_of_any_kind_in_every_format() {
    let running = start(functions());
    for format in FORMATS {
        let client = client(&running, format);
        assert_eq!(client.call::<_, i32>("add", (1, 2)).await.unwrap(), 3, "{format}");
        assert_eq!(client.call::<_, String>("echo", ("test",)).await.unwrap(), "test");
        assert_eq!(
            client.call::<_, String>("echo", ("ü".repeat(50_000),)).await.unwrap(),
            "ü".repeat(50_000)
        );
        let tom = Person { id: 1, name: "tom".into(), age: 20 };
        let jack: Person = client.call("rename", (tom.clone(), "jack")).await.unwrap();
        assert_eq!(jack, Person { name: "jack".into(), ..tom });
        client.call::<_, ()>("nothing", ()).await.unwrap();
        assert_eq!(client.call::<_, i32>("seven", ()).await.unwrap(), 7);
        assert_eq!(client.call::<_, f64>("half", (3.0,)).await.unwrap(), 1.5);
        assert_eq!(client.call::<_, i64>("sum", (vec![1i64, 2, 3],)).await.unwrap(), 6);
        let who: String = client.call("who", ("hello",)).await.unwrap();
        assert_eq!(who, "hello rest_rpc who");
        let bytes = ByteString(vec![0xff, 0, 1]);
        assert_eq!(client.call::<_, ByteString>("bytes", (bytes.clone(),)).await.unwrap(), bytes);
        let add = client.function::<(i32, i32), i32>("add");
        assert_eq!(add.call((20, 22)).await.unwrap(), 42);
    }
}

#[tokio::test]
async fn failures_have_a_code_and_the_stock_servers_words() {
    let running = start(functions());
    for format in FORMATS {
        let client = client(&running, format);
        let prefix = if format == "rest_rpc:a" { "" } else { "exception occur when call" };
        let failed = async |name: &str| {
            let status = client.call::<_, i32>(name, (1, 0)).await.unwrap_err();
            (status.code(), status.message().to_owned())
        };
        assert_eq!(failed("divide").await, (Code::Unknown, format!("{prefix}by zero")), "{format}");
        assert_eq!(failed("none").await, (Code::Unimplemented, "unknown function: 860637772".into()));
        let (_, text) = failed("echo").await;
        assert!(text.starts_with(&format!("{prefix}unpack failed: ")), "{text}");
        let status = client.call::<_, i32>("panic", (1,)).await.unwrap_err();
        assert_eq!(status.message(), "unknown exception occur when call panic");
        let later = client.call::<_, String>("later", (false,)).await.unwrap_err();
        assert_eq!(later.message(), format!("{prefix}nothing here"));
        assert_eq!(client.call::<_, String>("later", (true,)).await.unwrap(), "fine");
        assert_eq!(client.call::<_, i32>("add", (1, 2)).await.unwrap(), 3, "the connection goes on");
    }
}

#[tokio::test]
async fn calls_are_sent_before_they_are_awaited() {
    let (began, beginnings) = tokio::sync::mpsc::unbounded_channel();
    let (began, mut beginnings) = (Arc::new(began), beginnings);
    let running = start(Functions::new().function("begin", move |number: i32| {
        began.send(number).expect("the test goes on");
        number
    }));
    for format in FORMATS {
        let client = client(&running, format);
        let call = client.call::<_, i32>("begin", (7,)).start();
        assert_eq!(soon(beginnings.recv()).await, Some(7), "{format}");
        assert_eq!(soon(call).await, Ok(7), "{format}");
    }
}

#[tokio::test]
async fn many_calls_share_a_connection_and_find_their_replies() {
    let running = start(functions());
    for format in FORMATS {
        let channel = channel(&running, format);
        let client = Client::new(channel.clone());
        let calls = (0..100).map(|n| client.call::<_, i32>("slow_add", (n % 3, 1000 * n)).into_future());
        let calls: Vec<_> = calls.map(tokio::spawn).collect();
        for (n, call) in calls.into_iter().enumerate() {
            let n = n as i32;
            assert_eq!(soon(call).await.unwrap().unwrap(), n % 3 + 1000 * n, "{format}");
        }
        assert_eq!(channel.connections_made(), 1);
    }
}

#[tokio::test]
async fn pooled_and_short_connections() {
    let running = start(functions());
    for kind in [Connections::Pooled, Connections::Short] {
        for format in FORMATS {
            let builder = Channel::builder(running.addresses()[0].to_string())
                .protocol(format)
                .pooling(Pooling::default().kind(kind));
            let channel = builder.timeout(Duration::from_secs(10)).build().unwrap();
            let client = Client::new(channel.clone());
            for n in 0..3 {
                assert_eq!(client.call::<_, i32>("add", (n, n)).await.unwrap(), 2 * n);
            }
            assert_eq!(channel.connections_made(), if kind == Connections::Pooled { 1 } else { 3 });
        }
    }
}

#[test]
fn threads_call_without_a_runtime() {
    let running = start(functions());
    for format in FORMATS {
        let client = client(&running, format);
        std::thread::scope(|scope| {
            for n in 0..4 {
                let add = client.function::<(i32, i32), i32>("add");
                scope.spawn(move || {
                    (0..50).for_each(|k| assert_eq!(add.call((n, k)).blocking().unwrap(), n + k));
                });
            }
        });
    }
}

#[tokio::test]
async fn a_call_ends_at_its_deadline_and_later_replies_find_nobody() {
    let gate = Arc::new(Semaphore::new(0));
    let passes = gate.clone();
    let running = start(functions().function("gated_add", move |a: i32, b: i32| {
        let gate = gate.clone();
        async move {
            gate.acquire().await.expect("it stays open").forget();
            a + b
        }
    }));
    for format in FORMATS {
        let client = client(&running, format);
        let late = client.call::<_, i32>("gated_add", (300, 1)).timeout(Duration::from_millis(20)).await;
        assert_eq!(late.unwrap_err().code(), Code::DeadlineExceeded);
        passes.add_permits(1);
        assert_eq!(client.call::<_, i32>("add", (2, 3)).await.unwrap(), 5, "{format}");
    }
}

#[tokio::test]
async fn publications_reach_the_subscribers_of_every_format() {
    let news = Publisher::new();
    let running = start(functions().publisher(&news));
    let mut texts = Vec::new();
    let mut people = Vec::new();
    for format in FORMATS {
        let (one, other) = (client(&running, format), client(&running, format));
        texts.push(one.subscribe::<String>("news").await.unwrap());
        people.push(other.subscribe_by_token::<Person>("people", "token").await.unwrap());
        for client in [one, other] {
            // Behind the subscription, on its connection; and with a body, which tells the order of bytes.
            let _: i32 = client.call("add", (3, 4)).await.unwrap();
        }
    }
    assert_eq!(news.subscribers(), 6);
    let tom = Person { id: 1, name: "tom".into(), age: 20 };
    for n in 0..3 {
        assert_eq!(news.publish("news", &format!("hello {n}")).unwrap(), 3);
        assert_eq!(news.publish_by_token("people", "token", &tom).unwrap(), 3);
        assert_eq!(news.publish("nobody", &n).unwrap(), 0);
        assert_eq!(news.publish("people", &tom).unwrap(), 0, "without the token");
    }
    for (texts, people) in texts.iter_mut().zip(&mut people) {
        for n in 0..3 {
            assert_eq!(soon(texts.next()).await.unwrap().unwrap(), format!("hello {n}"));
            assert_eq!(soon(people.next()).await.unwrap().unwrap(), tom);
        }
    }
    drop(texts);
    running.stop().await;
    let end = soon(people[0].next()).await.unwrap().unwrap_err();
    assert!(!end.message().is_empty());
    assert!(soon(people[0].next()).await.is_none());
}

#[tokio::test]
async fn clients_publish_where_they_may() {
    let news = Publisher::new();
    let running = start(Functions::new().open_publisher(&news));
    let (a, b) = (client(&running, "rest_rpc:a"), client(&running, "rest_rpc:b"));
    let mut numbers = a.subscribe::<i32>("key").await.unwrap();
    let mut texts = b.subscribe::<String>("text").await.unwrap();
    // Calls on the same connection: the subscriptions are there when they are answered.
    a.publish("other", &1).await.unwrap();
    b.publish("other", &"x").await.unwrap();
    a.publish("key", &42).await.unwrap();
    b.publish("text", &"hi").await.unwrap();
    assert_eq!(soon(numbers.next()).await.unwrap().unwrap(), 42);
    assert_eq!(soon(texts.next()).await.unwrap().unwrap(), "hi");
    let mut some = a.subscribe_by_token::<String>("key", "token").await.unwrap();
    a.publish_by_token("key", "token", &"for some").await.unwrap();
    assert_eq!(soon(some.next()).await.unwrap().unwrap(), "for some");
}

#[tokio::test]
async fn what_a_slow_subscriber_does_not_take_is_dropped_and_counted() {
    let news = Publisher::with(PublisherOptions::default().high_water(10));
    let running = start(functions().publisher(&news));
    let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    socket.write_all(b"\x27\x01\0\0\x06\0\0\0\0\0\0\0\0\0\0\0\x8a\x0b\x6e\x3c\x92\xa3key\xa0").unwrap();
    soon(async {
        while news.subscribers() == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let long = "x".repeat(100_000);
    soon(async {
        while news.dropped() == 0 {
            news.publish("key", &long).unwrap();
            tokio::task::yield_now().await;
        }
    })
    .await;
    let mut page = String::new();
    let mut http = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    http.write_all(b"GET /vars/*rest_rpc_topics* HTTP/1.0\r\n\r\n").unwrap();
    http.read_to_string(&mut page).unwrap();
    assert!(page.contains("_rest_rpc_topics_connected : 1\r\n"), "{page}");
    assert!(page.contains(&format!("_rest_rpc_topics_dropped : {}\r\n", news.dropped())), "{page}");
    // Everybody else is served meanwhile.
    let sum: i32 = client(&running, "rest_rpc:b").call("add", (1, 2)).await.unwrap();
    assert_eq!(sum, 3);
}

#[test]
fn a_subscriber_of_rest_rpc_with_too_many_topics_is_closed_and_counted() {
    for bounds in [
        PublisherOptions::default().topics(2),
        PublisherOptions::default().topic_bytes(20),
        PublisherOptions::default().topic_memory(800),
    ] {
        let news = Publisher::with(bounds);
        let running = start(functions().publisher(&news));
        let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        for key in [b"kea", b"keb", b"kec"] {
            socket.write_all(b"\x27\x01\0\0\x06\0\0\0\0\0\0\0\0\0\0\0\x8a\x0b\x6e\x3c\x92\xa3").unwrap();
            socket.write_all(&[&key[..], b"\xa0"].concat()).unwrap();
        }
        let ended = socket.read(&mut [0]);
        assert!(matches!(&ended, Ok(0)) || ended.is_err_and(|e| e.kind() == ErrorKind::ConnectionReset));
        let mut page = String::new();
        let mut http = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        http.write_all(b"GET /vars/*rest_rpc_topics* HTTP/1.0\r\n\r\n").unwrap();
        http.read_to_string(&mut page).unwrap();
        assert!(page.contains("_rest_rpc_topics_refused : 1\r\n"), "{page}");
        assert_eq!(news.refused(), 1);
    }
}

/// docs/wire/rest_rpc.md, section 5, byte by byte over a socket.
#[test]
fn the_worked_frames_over_a_socket() {
    let running = start(functions());
    let talk = |request: &[u8], reply: &[u8]| {
        let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        for byte in request {
            socket.write_all(&[*byte]).unwrap();
        }
        let mut got = vec![0; reply.len()];
        socket.read_exact(&mut got).unwrap();
        assert_eq!(got, reply);
    };
    talk(
        b"\x27\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\xfc\x78\xec\x34\x92\x01\x02",
        b"\x27\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x92\0\x03",
    );
    let b = b"\x27\0\0\0\xfc\x78\xec\x34\0\0\0\0\0\0\0\0\x0c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x8c\x90\x45\x40\x01\0\0\0\x02\0\0\0";
    talk(b, b"\x27\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x00\x003");
}

#[test]
fn two_names_with_one_id_do_not_start() {
    let (one, other) = collision();
    assert_eq!(rest_rpc::function_id(one), rest_rpc::function_id(other));
    let functions = Functions::new().function(one, || 1).function(other, || 2);
    let error = Server::new().service(functions).listen("127.0.0.1:0").start().err().unwrap();
    let text = error.to_string();
    assert!(text.contains(one) && text.contains(other), "{text}");
}

/// Two names with one id: there are 2^32 ids, so that some 2^16 names have such a pair.
fn collision() -> (&'static str, &'static str) {
    let mut seen = std::collections::HashMap::new();
    for n in 0u32.. {
        let name = format!("f{n}");
        if let Some(other) = seen.insert(rest_rpc::function_id(&name), n) {
            return (format!("f{other}").leak(), name.leak());
        }
    }
    unreachable!("there are more names than ids");
}

#[tokio::test]
async fn a_server_may_insist_on_a_format() {
    let running = start(functions().format(rest_rpc::Format::A));
    assert_eq!(client(&running, "rest_rpc:a").call::<_, i32>("add", (1, 2)).await.unwrap(), 3);
    let refused = client(&running, "rest_rpc:b").call::<_, i32>("add", (1, 2)).await;
    assert!(refused.is_err());
}

#[tokio::test]
async fn silent_connections_of_format_a_are_closed_where_that_is_asked_for_and_heartbeats_keep_them() {
    let idle = Duration::from_secs(1);
    let running = start(functions().close_silent_after(idle));
    let address = running.addresses()[0].to_string();
    let limits = Limits::default().keepalive(polywire::Keepalive::default().every(idle / 20));
    let beating = Channel::builder(&address).protocol("rest_rpc:a").limits(limits).build().unwrap();
    let client = Client::new(beating.clone());
    client.call::<_, i32>("add", (1, 2)).await.unwrap();
    // Begins later than the other connection, and is closed for its silence: then the other one was kept.
    let mut silent = tokio::net::TcpStream::connect(&address).await.unwrap();
    silent.write_all(b"\x27\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\xfc\x78\xec\x34\x92\x01\x02").await.unwrap();
    let mut reply = Vec::new();
    soon(silent.read_to_end(&mut reply)).await.unwrap();
    assert!(reply.ends_with(&[0x92, 0, 3]), "{reply:02x?}");
    client.call::<_, i32>("add", (1, 2)).await.unwrap();
    assert_eq!(beating.connections_made(), 1);
}

#[tokio::test]
async fn functions_show_in_the_pages() {
    let running = start(functions());
    client(&running, "rest_rpc:a").call::<_, i32>("add", (1, 2)).await.unwrap();
    let mut connection = tokio::net::TcpStream::connect(running.addresses()[0].to_string()).await.unwrap();
    connection.write_all(b"GET /status HTTP/1.0\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut text = String::new();
    soon(connection.read_to_string(&mut text)).await.unwrap();
    assert!(text.contains("rest_rpc") && text.contains("add"), "{text}");
}

//! Calls in flight as the page `/tasks` shows them, and their end by it.

use polywire::{
    Channel, Code, Engine, Handler, Inline, Lifecycle, Limits, Method, Resilience, Running, Server, Service,
    Started, Status, Target,
    handler::{Call, Outcome},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc::{self, Receiver, Sender},
    },
    time::{Duration, Instant},
};
use tokio::task::JoinHandle;

/// Never answers, and counts its futures in a place of its own, once they are among the calls in flight of
/// their connections: at the second poll.
struct Hold(&'static AtomicUsize);

struct Counted(&'static AtomicUsize);
impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Handler for Hold {
    fn start(&self, _: Call) -> Started {
        let held = self.0;
        Started::Future(Box::pin(async move {
            tokio::task::yield_now().await;
            held.fetch_add(1, Relaxed);
            let _counted = Counted(held);
            std::future::pending().await
        }))
    }
}

/// Holds up its shard until the test lets go of it, or ends.
struct Block(Arc<Mutex<Receiver<()>>>, &'static AtomicUsize);
impl Handler for Block {
    fn start(&self, _: Call) -> Started {
        let (let_go, held) = (self.0.clone(), self.1);
        Started::Future(Box::pin(async move {
            held.fetch_add(1, Relaxed);
            let _ = let_go.lock().expect("no panic").recv();
            held.fetch_sub(1, Relaxed);
            Outcome::default()
        }))
    }
}

/// Tests that look at the time run alone.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

const HOSTILE: &str = "<script>\"'&\x1b[2J\u{202e}";

fn start(held: &'static AtomicUsize, shards: usize) -> Running {
    start_with_block(held, shards).0
}

/// The server, and what lets go of the shard that `Block` holds up.
fn start_with_block(held: &'static AtomicUsize, shards: usize) -> (Running, Sender<()>) {
    let (lets_go, let_go) = mpsc::channel();
    let let_go = Arc::new(Mutex::new(let_go));
    let hold = |name| Method::new(name, move || Box::new(Hold(held)));
    let block = Method::new("Block", move || Box::new(Block(let_go.clone(), held))).inline(Inline::Always);
    let service = Service::new("test.Tasks", &[]).with(hold("Hold")).with(hold(HOSTILE)).with(block);
    let engine = Engine::builder().shards(shards).workers(2).build().expect("an engine");
    let limits = Limits::default().calls(200_000);
    let server = Server::new()
        .service(service)
        .engine(&engine)
        .limits(limits)
        .lifecycle(Lifecycle::default().drain(Duration::from_millis(700)));
    (server.listen("127.0.0.1:0").start().expect("it starts"), lets_go)
}

fn connect(running: &Running) -> TcpStream {
    TcpStream::connect(running.addresses()[0].to_string()).expect("it listens")
}

fn exchange(stream: TcpStream, line: &str, fields: &str, body: &str) -> (u16, String) {
    answer(ask(stream, line, fields, body))
}

fn ask(mut stream: TcpStream, line: &str, fields: &str, body: &str) -> TcpStream {
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
    let fields = format!("Host: localhost|{fields}Connection: close|Content-Length: {}||", body.len());
    let head = format!("{line} HTTP/1.1|{fields}");
    stream.write_all((head.replace('|', "\r\n") + body).as_bytes()).expect("it reads");
    stream
}

fn answer(mut stream: TcpStream) -> (u16, String) {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head[9..12].parse().expect("a status"), body.to_owned())
}

fn get(running: &Running, path: &str) -> String {
    let (status, body) = exchange(connect(running), &format!("GET {path}"), "", "");
    assert_eq!(status, 200, "{path}: {body}");
    body
}

/// POSTs with the token; again where there were too many changes this second.
fn post(running: &Running, path: &str, body: &str) -> (u16, String) {
    let token = get(running, "/token");
    let fields = format!("Content-Type: application/x-www-form-urlencoded|X-Polywire-Token: {token}|");
    for _ in 0..100 {
        let (status, text) = exchange(connect(running), &format!("POST {path}"), &fields, body);
        if status != 429 {
            return (status, text);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("ever too many changes");
}

fn channel(running: &Running, protocol: &str) -> Channel {
    let channel = Channel::builder(running.addresses()[0].to_string()).protocol(protocol);
    channel
        .timeout(Duration::from_secs(60))
        .resilience(Resilience::default().retries(0))
        .build()
        .expect("a channel")
}

type Called = JoinHandle<Result<(), Status>>;

/// Begins a call of `Hold`, and waits until it is in flight.
async fn hold(channel: &Channel, held: &'static AtomicUsize) -> Called {
    let (channel, before) = (channel.clone(), held.load(Relaxed));
    let called = tokio::spawn(async move {
        channel.call(Target::fixed("test.Tasks", "Hold").at(0), Vec::new()).await.map(drop)
    });
    until(|| held.load(Relaxed) > before).await;
    called
}

async fn until(is: impl Fn() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(120), "it takes too long");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// The rows of the table of calls, in cells: mark, then columns.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let table = text.split_once("\n# tasks: ").expect("the table").1;
    table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_every_protocol_are_listed_and_cancelled() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let running = start(&HELD, 2);
    let channels = ["baidu_std", "grpc", "http"].map(|protocol| channel(&running, protocol));
    let mut called = Vec::new();
    for channel in &channels {
        called.push(hold(channel, &HELD).await);
    }
    let text = get(&running, "/tasks");
    assert!(text.starts_with("# Tasks\nin_flight: 3\noldest_s: "), "{text}");
    assert!(text.contains("\n# places: 1 of 1 shown\n"), "{text}");
    let rows = rows(&text);
    let protocols: Vec<_> = rows.iter().map(|row| row[4]).collect();
    assert_eq!(protocols, ["baidu_std", "h2", "http"], "oldest first: {text}");
    for row in &rows {
        assert!(row[2] == "test.Tasks/Hold" && row[3].starts_with("127.0.0.1:"), "{text}");
        let left: f64 = row[5].parse().expect("what is left of its deadline");
        assert!(left > 30.0 && left < 60.0 && row[6] == "waiting", "{text}");
    }
    let json = get(&running, "/tasks?json&q=BAIDU");
    assert!(json.contains("\"in_flight\":3,\"found\":1,"), "{json}");
    assert!(!get(&running, "/tasks?q=nothing").contains("127.0.0.1"));
    let (_, html) = exchange(connect(&running), "GET /tasks", "Accept: text/html|", "");
    assert!(html.contains(&format!("href=\"tasks/{}\"", rows[0][0])), "{html}");
    assert!(html.contains("aria-current=page>Tasks</a>") && html.len() < 30_000, "{html}");

    // by GET, without a token, and with ids that are none: nothing ends
    let id = rows[0][0];
    let (connection, rest) = id.split_once('-').expect("an id");
    let (status, _) = exchange(connect(&running), &format!("POST /tasks/{id}"), "", "");
    assert!(matches!(status, 403 | 415), "{status}");
    assert!(get(&running, &format!("/tasks/{id}?cancel=1&token=x")).contains("method: test.Tasks/Hold\n"));
    for other in [
        "x",
        "0-0-0",
        "%3Cscript%3E",
        "18446744073709551616-0-1",
        &format!("0{id}"),
        &format!("{id}-1"),
        &format!("{connection}9-{rest}"),
    ] {
        let (status, body) = post(&running, &format!("/tasks/{other}"), "");
        assert!(status == 404 && body.contains("no call in flight has this id"), "{other}: {body}");
        assert_eq!(exchange(connect(&running), &format!("GET /tasks/{other}"), "", "").0, 404);
    }
    assert_eq!(post(&running, "/tasks", "").0, 400);
    assert_eq!(HELD.load(Relaxed), 3);

    for (n, row) in rows.iter().enumerate() {
        let (path, field) = match n {
            0 => (format!("/tasks/{}", row[0]), String::new()),
            _ => ("/tasks".to_owned(), format!("id={}", row[0])),
        };
        let (status, body) = post(&running, &path, &field);
        assert!(status == 200 && body.contains("# cancelled: test.Tasks/Hold of 127.0.0.1:"), "{body}");
        let error = called.remove(0).await.expect("it does not panic").expect_err("it never ends");
        assert_eq!(error.code(), Code::Cancelled, "{}: {error:?}", row[4]);
        until(|| HELD.load(Relaxed) == 2 - n).await;
        // twice, and after its end
        assert_eq!(post(&running, &path, &field).0, 404);
    }
    // the next call has the same place in its connection, and another id
    let again = hold(&channels[0], &HELD).await;
    let text = get(&running, "/tasks");
    assert!(text.contains("in_flight: 1\n") && !text.contains(&format!(" {id} ")), "{text}");
    assert_eq!(post(&running, &format!("/tasks/{id}"), "").0, 404);
    assert_eq!(HELD.load(Relaxed), 1);
    again.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_names_are_texts() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let running = start(&HELD, 1);
    let channel = channel(&running, "baidu_std");
    tokio::spawn(async move { channel.call(Target::fixed("test.Tasks", HOSTILE).at(1), Vec::new()).await });
    until(|| HELD.load(Relaxed) == 1).await;
    for path in ["/tasks", "/tasks?q=%3Cscript%3E&sort=-%22&n=99999999999&after=%00", "/tasks?json"] {
        for fields in ["", "Accept: text/html|"] {
            let (status, body) = exchange(connect(&running), &format!("GET {path}"), fields, "");
            assert!(status == 200 && body.contains("[2J"), "{body}");
            assert!(!body.contains('\x1b') && !body.contains('\u{202e}'), "{path}: {body}");
            assert!(fields.is_empty() || !body.contains("<script>"), "{body}");
        }
    }
}

/// A shard that is held up answers nobody. The page says so, in time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shard_that_is_held_up_does_not_hold_up_the_page() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let (running, lets_go) = start_with_block(&HELD, 2);
    let channel = channel(&running, "baidu_std");
    let _held = hold(&channel, &HELD).await;
    let page = connect(&running);
    until(|| running.connections().len() == 2).await;
    let blocked = channel.clone();
    tokio::spawn(async move { blocked.call(Target::fixed("test.Tasks", "Block").at(2), Vec::new()).await });
    until(|| HELD.load(Relaxed) == 2).await;
    let (status, text) = exchange(page, "GET /tasks", "", "");
    assert_eq!(HELD.load(Relaxed), 2, "the answer came while the shard was held up");
    assert!(status == 200 && text.contains("in_flight: 0\n"), "{text}");
    assert!(text.contains("connections_without_answer: 1 "), "{text}");
    drop(lets_go);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_thousand_calls_are_counted_and_the_oldest_listed() {
    const ALL: usize = 100_000;
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let running = start(&HELD, 1);
    let channel = channel(&running, "baidu_std");
    let first = hold(&channel, &HELD).await;
    let id = rows(&get(&running, "/tasks"))[0][0].to_owned();
    let calls: Vec<_> = (1..ALL)
        .map(|_| {
            let channel = channel.clone();
            tokio::spawn(async move {
                let _ = channel.call(Target::fixed("test.Tasks", "Hold").at(0), Vec::new()).await;
            })
        })
        .collect();
    until(|| HELD.load(Relaxed) == ALL).await;
    // The shard may have to write first: a connection that has not answered after a quarter of a second is
    // left out.
    let mut looks = (0..100).map(|_| get(&running, "/tasks"));
    let text = looks.find(|text| !text.contains("connections_without_answer")).expect("it answers");
    assert!(text.starts_with(&format!("# Tasks\nin_flight: {ALL}\n")), "{}", &text[..200]);
    assert!(text.contains(&format!("\n# tasks: 50 of {ALL} shown\n")), "{text}");
    assert_eq!((rows(&text).len(), rows(&text)[0][0]), (50, &*id), "the oldest is the first");
    assert!(text.len() < 32 << 10, "{} bytes", text.len());
    let json = get(&running, "/tasks?json&n=100000");
    assert!(json.len() < 200 << 10, "500 rows at most: {} bytes", json.len());
    assert_eq!(post(&running, &format!("/tasks/{id}"), "").0, 200);
    assert_eq!(first.await.expect("it does not panic").expect_err("it never ends").code(), Code::Cancelled);
    calls.iter().for_each(JoinHandle::abort);
}

/// A page that is asked for while the server stops is answered or refused, and the stop takes its time and no
/// more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_shows_what_holds_it_up_and_is_not_held_up_by_the_page() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let running = start(&HELD, 2);
    let channel = channel(&running, "baidu_std");
    let _held = hold(&channel, &HELD).await;
    let pages: Vec<_> = (0..8).map(|_| connect(&running)).collect();
    until(|| running.connections().len() == 9).await;
    let began = Instant::now();
    let stopping = tokio::spawn(running.stop());
    tokio::time::sleep(Duration::from_millis(50)).await;
    let asked: Vec<_> = pages.into_iter().map(|page| ask(page, "GET /tasks", "", "")).collect();
    let answers = tokio::task::spawn_blocking(|| asked.into_iter().map(answer).collect::<Vec<_>>());
    for (status, text) in answers.await.expect("each has an answer") {
        assert!(status == 200 && text.contains("test.Tasks/Hold") || status == 503, "{status} {text}");
    }
    let left = stopping.await.expect("it does not panic");
    assert!(left.len() == 1 && left[0].calls == 1, "{left:?}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shard_that_is_held_up_is_shown_with_the_method_that_does() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let (running, lets_go) = start_with_block(&HELD, 2);
    let text = get(&running, "/shards");
    assert!(text.contains("# shards: 2 of 2 shown\n"), "{text}");
    assert!(text.contains("# No handler has held up its shard"), "{text}");
    let channel = channel(&running, "baidu_std");
    let _held = hold(&channel, &HELD).await;
    let page = connect(&running);
    until(|| running.connections().len() == 2).await;
    let blocked = channel.clone();
    let before = Instant::now();
    let blocking =
        tokio::spawn(
            async move { blocked.call(Target::fixed("test.Tasks", "Block").at(2), Vec::new()).await },
        );
    until(|| HELD.load(Relaxed) == 2).await;
    let held_since = Instant::now();
    tokio::time::sleep(Duration::from_millis(300)).await; // longer than a poll that is told of
    let (_, text) = exchange(page, "GET /shards", "", "");
    let (shards, polls) = text.split_once("# slow_polls: 1 of 1 shown\n").expect(&text);
    let held_up = shards.lines().find(|line| line.starts_with("\u{25a0}")).expect(&text);
    let cells: Vec<_> = held_up.split_whitespace().collect();
    assert_eq!(cells[cells.len() - 1], "test.Tasks/Block", "it is polled now: {text}");
    assert_eq!(cells[cells.len() - 3], "test.Tasks/Block", "its longest poll: {text}");
    assert!(polls.trim_end().ends_with(" yes"), "{text}");
    let at_least = held_since.elapsed();
    drop(lets_go);
    let _ = blocking.await;
    let at_most = before.elapsed();
    let json = get(&running, "/shards?json");
    let lasted = json.split_once("\"test.Tasks/Block\",").expect(&json).1;
    assert!(!json.contains("\"yes\""), "it has ended: {json}");
    let text = get(&running, "/shards");
    let last = text.lines().last().expect("a poll").split_whitespace().collect::<Vec<_>>();
    let lasted_us: f64 = last[last.len() - 1].parse().expect(lasted);
    // A poll is noticed a little after it began.
    let at_least = at_least.saturating_sub(Duration::from_millis(200));
    let held_us = at_least.as_micros() as f64..=at_most.as_micros() as f64;
    assert!(held_us.contains(&lasted_us), "{lasted_us} is not in {held_us:?}: {text}");
    let (_, html) = exchange(connect(&running), "GET /shards", "Accept: text/html|", "");
    assert!(html.contains("aria-current=page>Shards</a>") && html.len() < 30_000, "{html}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_are_shown_by_name_and_what_brpc_calls_tasks_is_found() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let running = start(&HELD, 1);
    let channel = channel(&running, "baidu_std");
    let _held = hold(&channel, &HELD).await;
    let text = get(&running, "/threads?n=500");
    let shard = text
        .lines()
        .find(|line| line.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).starts_with("polywire-0"));
    let cells: Vec<_> = shard.expect(&text).split_whitespace().collect();
    assert!(cells.iter().any(|cell| matches!(*cell, "R" | "S" | "D")), "its state: {text}");
    for page in ["/ids", "/bthreads"] {
        let text = get(&running, page);
        assert!(text.contains("test.Tasks/Hold"), "{page}: {text}");
    }
    let text = get(&running, "/vlog");
    assert!(text.contains("level") && text.contains("off"), "tests have no subscriber: {text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_shown_by_client_and_one_by_one_and_closed_by_post() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let running = start(&HELD, 2);
    let channel = channel(&running, "baidu_std");
    let called = hold(&channel, &HELD).await;
    let text = get(&running, "/connections?by=client");
    let client = text.lines().find(|line| line.contains(" 127.0.0.1 ")).expect(&text);
    assert!(client.contains("baidu_std") && text.contains("\nclients: 1\n"), "{text}");
    let json = get(&running, "/connections?json&sort=-rtt&q=baidu_std");
    let row = json.split_once("\"rows\":[[\"").expect(&json).1.split_once(']').expect(&json).0;
    let cells: Vec<_> = row.split(',').collect();
    let id = cells[0].trim_end_matches('"');
    assert_eq!((cells[3], cells[4]), ("\"baidu_std\"", "1"), "{json}");
    let rtt: f64 = cells[9].parse().expect("microseconds, by TCP");
    assert!(rtt > 0.0 && rtt < 1e6, "{json}");

    let text = get(&running, &format!("/sockets/{id}"));
    for line in
        ["protocol: baidu_std\n", "in_flight: 1  # calls\n", "rtt_us: ", "established: yes  #", "partial: no"]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    let (status, _) = exchange(connect(&running), &format!("POST /sockets/{id}"), "", "");
    assert!(matches!(status, 403 | 415), "{status}");
    assert!(get(&running, &format!("/sockets/{id}?close=1")).contains("in_flight: 1 "));
    for other in ["", "0", "x", "18446744073709551615", "%3Cscript%3E", &format!("0{id}"), &format!("+{id}")]
    {
        assert_eq!(post(&running, &format!("/sockets/{other}"), "").0, 404, "{other}");
    }
    assert_eq!(HELD.load(Relaxed), 1);
    let (status, text) = post(&running, &format!("/sockets/{id}"), "");
    assert!(status == 200 && text.contains("# told to close: 127.0.0.1:"), "{text}");
    let error = called.await.expect("it does not panic").expect_err("it never ends");
    assert_eq!(error.code(), Code::Unavailable, "{error:?}");
    until(|| HELD.load(Relaxed) == 0).await;
    until(|| get(&running, "/connections?state=closed").contains("closed by the server")).await;
    assert_eq!(post(&running, &format!("/sockets/{id}"), "").0, 404, "it has ended");

    // those that come and go hide no other
    for _ in 0..200 {
        drop(connect(&running));
    }
    let gone = || {
        let text = get(&running, "/connections?state=closed&n=500");
        let rows = |reason: &str| {
            let table = text.split_once("# closed: ").expect("the table").1;
            table.lines().skip(2).filter(|line| line.contains(reason)).count()
        };
        (rows("closed by the server"), rows("the peer closed the connection"))
    };
    until(|| gone().1 == 64).await;
    assert_eq!(gone().0, 1);
    let text = get(&running, "/connections?state=closed");
    let line = text.lines().rfind(|line| line.contains("closed by the server")).expect(&text);
    assert!(line.starts_with("\u{25b2}") && line.contains("baidu_std"), "a call was lost: {text}");
    for path in ["/connections", "/connections?by=client", "/connections?state=closed", "/sockets/1"] {
        let (_, html) = exchange(connect(&running), &format!("GET {path}"), "Accept: text/html|", "");
        assert!(html.len() < 60_000, "{path}: {}", html.len());
    }
}

/// A peer that sends a part of a request, and one that reads nothing: both are seen for what they hold.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_shown_by_owner_and_what_is_left_over_is_a_row() {
    static HELD: AtomicUsize = AtomicUsize::new(0);
    let _alone = ALONE.lock().await;
    let running = start(&HELD, 2);
    let bytes = |owner: &str| {
        let text = get(&running, "/memory");
        let row = text.lines().find(|line| line.split_whitespace().next() == Some(owner)).expect(&text);
        row.split_whitespace().nth(1).expect("bytes").parse::<u64>().ok()
    };
    // That of the page itself, once those of the pages before have gone.
    until(|| bytes("connections") == Some(8 << 10)).await;
    let before = bytes("received").unwrap() + bytes("assembled").unwrap();
    let mut half = connect(&running);
    let body = vec![b'x'; 300 << 10];
    half.write_all(b"POST /test.Tasks/Hold HTTP/1.1\r\nHost: localhost\r\nContent-Length: 614400\r\n\r\n")
        .expect("it reads");
    half.write_all(&body).expect("it reads");
    until(|| bytes("received").unwrap() + bytes("assembled").unwrap() >= before + (300 << 10)).await;
    drop(half);
    until(|| bytes("received").unwrap() + bytes("assembled").unwrap() < before + (100 << 10)).await;
    assert!(bytes("requests").is_some(), "they are counted, as there is a budget");
    let text = get(&running, "/memory");
    assert!(bytes("unattributed").expect(&text) > 1 << 20 && bytes("code").expect(&text) > 1 << 20, "{text}");
    assert!(text.contains("\nresident_bytes: "), "{text}");
    let limit = polywire_engine::memory::usual_budget().expect("the machine has some").to_string();
    let of_server = text.lines().find(|line| line.split_whitespace().next() == Some("server")).expect(&text);
    assert_eq!(of_server.split_whitespace().nth(2), Some(&limit[..]), "half of what is granted: {text}");
    let json = get(&running, "/memory?json");
    assert!(json.contains("[\"unattributed\",0,\"unattributed\","), "{json}");
    let (_, html) = exchange(connect(&running), "GET /memory", "Accept: text/html|", "");
    assert!(html.contains("aria-current=page>Memory</a>"), "{html}");
}

//! Profiles at a server's port: for people, for Go's pprof, and for nobody who may not start one.
#![cfg(all(feature = "profile", target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use crate::alone;
use flate2::read::GzDecoder;
use polywire::{Engine, Pages, Running, Server, console::Access, profile};
use std::{
    hint::black_box,
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

fn start() -> Running {
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let server = Server::new().engine(&engine);
    server.listen("127.0.0.1:0").start().expect("it starts")
}

/// The status, the head and the body of the answer to a request with these fields, which `|` separates.
fn exchange(running: &Running, line: &str, fields: &str, body: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let head =
        format!("{line} HTTP/1.1|Host: localhost|{fields}Connection: close|Content-Length: {}||", body.len());
    stream.write_all((head.replace('|', "\r\n") + body).as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text");
    (head[9..12].parse().expect("a status"), head, answer[end + 4..].to_vec())
}

fn get(running: &Running, path: &str) -> String {
    let (status, head, body) = exchange(running, &format!("GET {path}"), "", "");
    assert_eq!(status, 200, "{path}: {head}");
    String::from_utf8(body).expect("text")
}

fn post(running: &Running, body: &str) -> (u16, String) {
    let token = get(running, "/token");
    let fields = format!("x-polywire-token: {token}|Content-Type: application/x-www-form-urlencoded|");
    let (status, _, body) = exchange(running, "POST /hotspots/cpu", &fields, body);
    (status, String::from_utf8(body).expect("text"))
}

#[inline(never)]
fn burns_the_cpu() {
    (0..100_000_u64).for_each(|step| _ = black_box(step.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
}

/// How often the CPU was burnt.
static TURNS: AtomicU64 = AtomicU64::new(0);

/// Waits until some CPU time was used, however little of it the machine has to give.
fn work() {
    let until = TURNS.load(Relaxed) + 1000;
    while TURNS.load(Relaxed) < until {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Runs something while a thread burns CPU time.
fn busy<T>(run: impl FnOnce() -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    let thread = thread::spawn(move || {
        while !seen.load(Relaxed) {
            burns_the_cpu();
            TURNS.fetch_add(1, Relaxed);
        }
    });
    let done = run();
    stop.store(true, Relaxed);
    thread.join().expect("it ends");
    done
}

fn wait_until_idle() {
    let begin = Instant::now();
    while profile::current().is_some() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the profile does not end");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_button_starts_a_profile_and_the_page_has_its_functions() {
    let (_alone, running) = (alone(), start());
    assert!(get(&running, "/hotspots").contains("-d seconds=.."));
    assert_eq!(post(&running, "seconds=301").0, 400);
    assert_eq!(post(&running, "seconds=x").0, 400);
    assert!(profile::current().is_none());
    busy(|| {
        let (status, said) = post(&running, "seconds=300");
        assert!(status == 200 && said.contains("is being taken, for 300 s"), "{status} {said}");
        assert!(get(&running, "/hotspots/cpu").contains("is being taken"));
        let (second, said) = post(&running, "seconds=1");
        assert!(second == 409 && said.contains("one at a time"), "{second} {said}");
        work();
        assert_eq!(post(&running, "stop=1").0, 200);
        wait_until_idle();
    });
    let (text, folded) = (get(&running, "/hotspots/cpu"), get(&running, "/hotspots/cpu?folded"));
    assert!(text.lines().any(|line| line.contains("burns_the_cpu")), "{text}");
    assert!(folded.lines().any(|line| line.contains("burns_the_cpu")), "{folded}");
    assert_eq!(exchange(&running, "GET /hotspots/cpu?profile=99999", "", "").0, 404);
    assert_eq!(exchange(&running, "GET /hotspots/nothing", "", "").0, 404);
}

#[test]
fn pprof_gets_a_compressed_profile_and_browsers_start_none() {
    let (_alone, running) = (alone(), start());
    let path = "GET /pprof/profile?seconds=1";
    for fields in [
        "Origin: http://localhost|",
        "Sec-Fetch-Site: none|",
        "Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate|",
    ] {
        let (status, ..) = exchange(&running, path, fields, "");
        assert_eq!(status, 403, "{fields}");
        assert!(profile::current().is_none());
    }
    assert_eq!(exchange(&running, "GET /pprof/profile", "", "").0, 400);
    assert_eq!(exchange(&running, "GET /pprof/profile?seconds=0", "", "").0, 400);
    assert_eq!(exchange(&running, "POST /pprof/profile?seconds=1", "", "").0, 405);
    // A machine with other work may give this one no time within a second.
    let found = busy(|| {
        (0..30).any(|_| {
            let (status, head, body) = exchange(&running, path, "", "");
            assert!(status == 200 && head.contains("application/octet-stream"), "{head}");
            let mut message = Vec::new();
            GzDecoder::new(&body[..]).read_to_end(&mut message).expect("gzip");
            let has = |text: &str| message.windows(text.len()).any(|bytes| bytes == text.as_bytes());
            assert!(has("nanoseconds"));
            has("burns_the_cpu")
        })
    });
    assert!(found, "the function that runs is in no profile");
    assert_eq!(get(&running, "/pprof/symbol"), "num_symbols: 1\n");
    let arguments: Vec<_> = std::env::args().collect();
    assert_eq!(get(&running, "/pprof/cmdline"), arguments.join("\n"));
}

#[test]
fn who_may_only_read_starts_no_profile() {
    let _alone = alone();
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let reads = Server::new()
        .engine(&engine)
        .pages(Pages::default().auth(|_| Access::Read))
        .listen("127.0.0.1:0")
        .start()
        .expect("it starts");
    for path in ["/pprof/profile?seconds=1", "/pprof/contention?seconds=1", "/pprof/heap"] {
        let (status, _, body) = exchange(&reads, &format!("GET {path}"), "", "");
        let text = String::from_utf8_lossy(&body);
        assert!(status == 403 && text.contains("start no profile"), "{path}: {status} {text}");
    }
    assert!(profile::current().is_none());
    get(&reads, "/hotspots"); // may be read
}

#[test]
fn a_client_that_goes_away_ends_its_profile() {
    let (_alone, running) = (alone(), start());
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    stream
        .write_all(b"GET /pprof/profile?seconds=300 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .expect("it reads");
    let begin = Instant::now();
    while profile::current().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no profile begins");
        thread::sleep(Duration::from_millis(5));
    }
    drop(stream);
    wait_until_idle();
}

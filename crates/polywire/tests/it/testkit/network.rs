//! What the network carries, and where it works.

use super::{echo, line, ms, number, talk::TalkClient, with_echo};
use polywire::{
    Code, Server,
    redis::{self, Store},
    testkit::Net,
};
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::Instant,
};

/// Every protocol with services, on one network.
#[tokio::test]
async fn channels_speak_any_protocol() {
    let (net, _) = with_echo(5);
    let protocols = [
        "baidu_std",
        "streaming_rpc",
        "grpc",
        "grpc-web",
        "connect",
        "http",
        "h2",
        "http:proto",
        "sofa_pbrpc",
        "hulu_pbrpc",
        "nova_pbrpc",
        "public_pbrpc",
    ];
    for protocol in protocols {
        let channel = net.builder("echo:1").protocol(protocol).build().unwrap();
        let said = TalkClient::new(channel).say(line("hi")).await;
        assert_eq!(said.unwrap_or_else(|why| panic!("{protocol}: {why}")).text, "hi");
    }
}

#[tokio::test]
async fn redis_clients_have_channels_too() {
    let net = Net::seeded(5);
    net.serve("redis:1", Server::new().service(redis::service(Store::default())));
    net.link("redis:1").delay(ms(3));
    let channel = net.builder("redis:1").protocol("redis").build().unwrap();
    let client = redis::Client::new(channel);
    client.set("key", "value").await.unwrap();
    let value: Option<String> = client.get("key").await.unwrap();
    assert_eq!(value.as_deref(), Some("value"));
}

#[tokio::test]
async fn keys_of_redis_expire_in_virtual_time() {
    let net = Net::seeded(5);
    net.serve("redis:1", Server::new().service(redis::service(Store::default())));
    let client = redis::Client::new(net.builder("redis:1").protocol("redis").build().unwrap());
    client.set("key", "value").await.unwrap();
    client.pexpire("key", Duration::from_secs(100)).await.unwrap();
    for (seconds, expected) in [(99, Some("value")), (1, None)] {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        let value: Option<String> = client.get("key").await.unwrap();
        assert_eq!(value.as_deref(), expected);
    }
}

#[tokio::test]
async fn a_delay_without_end_costs_the_deadline() {
    let (net, _) = with_echo(5);
    let channel = net.builder("echo:1").timeout(Duration::from_secs(60)).build().unwrap();
    let talk = TalkClient::new(channel);
    talk.say(line("hi")).await.unwrap();
    net.link("echo:1").delay(Duration::MAX).jitter(Duration::MAX);
    let failed = talk.say(line("hi")).await.unwrap_err();
    assert_eq!(failed.code(), Code::DeadlineExceeded);
}

#[tokio::test]
async fn a_test_may_write_and_read_bytes_itself() {
    let (net, _) = with_echo(5);
    let mut peer = net.host("peer").connect("echo:1").await.unwrap();
    peer.write_all(b"GET /health HTTP/1.1\r\nhost: echo\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    peer.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
}

#[tokio::test]
async fn streams_pass() {
    let (net, _) = with_echo(5);
    net.link("echo:1").delay(ms(5)).jitter(ms(5));
    let streams = TalkClient::new(net.builder("echo:1").protocol("grpc").build().unwrap());
    let mut chat = streams.chat().await.unwrap();
    for n in 0..5 {
        chat.send(number(n)).await.unwrap();
        assert_eq!(chat.next().await.unwrap().unwrap().number, n);
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_paused_already_stays_so() {
    let (_net, echo) = with_echo(5);
    let began = Instant::now();
    echo.say(number(3_600_000)).timeout(Duration::from_secs(7200)).await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(3600));
}

#[test]
#[should_panic(expected = "outside a tokio runtime")]
fn it_needs_a_runtime() {
    Net::seeded(1);
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "several threads")]
async fn it_needs_a_runtime_of_one_thread() {
    Net::seeded(1);
}

/// It must not hang: the thread that waits is the one that would serve it.
#[tokio::test]
async fn plain_threads_are_told_that_they_cannot_call() {
    let (_net, echo) = with_echo(5);
    let called = tokio::task::spawn_blocking(move || echo.say(line("hi")).retries(0).blocking());
    let why = called.await.unwrap().unwrap_err();
    assert_eq!(why.code(), Code::Unavailable);
    assert!(why.message().contains("no blocking()"), "{why}");
}

#[tokio::test]
async fn servers_that_do_not_start_say_why() {
    let net = Net::seeded(5);
    let wrong = Server::new().service(echo()).service(echo());
    let why = net.try_serve("echo:1", wrong).err().expect("it is there twice").to_string();
    assert!(why.contains("talk.Talk"), "{why}");
}

/// As for any other writer.
#[tokio::test]
async fn writing_nothing_returns() {
    let (net, _) = with_echo(1);
    let mut peer = net.host("peer").connect("echo:1").await.unwrap();
    let written = tokio::time::timeout(ms(5000), peer.write(b"")).await;
    assert_eq!(written.expect("it has nothing to wait for").unwrap(), 0);
}

/// The time of day begins the same in each run and follows the virtual clock, or logs of two runs would
/// differ.
#[tokio::test]
async fn the_time_of_day_is_virtual_too() {
    let (net, _) = with_echo(1);
    for hour in ["00", "01", "02"] {
        let mut peer = net.host("peer").connect("echo:1").await.unwrap();
        peer.write_all(b"GET /health HTTP/1.1\r\nhost: echo\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        peer.read_to_string(&mut answer).await.unwrap();
        let date = answer
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("date: ").map(str::to_owned));
        assert_eq!(date, Some(format!("sat, 01 jan 2000 {hour}:00:00 gmt")), "{answer}");
        tokio::time::sleep(ms(3_600_000)).await;
    }
}

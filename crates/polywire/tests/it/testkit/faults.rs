//! What links do to calls.

use super::{echo, line, ms, number, talk::TalkClient, took, with_echo};
use polywire::{Code, Context, Next, Origin, Resilience, Server, testkit::Net};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};
use tokio::time::Instant;

/// The server executes the call, and the connection breaks within its reply.
#[tokio::test]
async fn a_call_whose_reply_is_lost_runs_twice_only_if_somebody_says_that_it_may() {
    for (after_loss, idempotent, expected) in
        [(false, None, 1), (true, None, 2), (false, Some(true), 2), (true, Some(false), 1)]
    {
        let (net, runs) = (Net::seeded(1), Arc::new(AtomicU32::new(0)));
        let counted = runs.clone();
        let count = move |cx: Context, next: Next| {
            counted.fetch_add(1, Relaxed);
            next.run(cx)
        };
        net.serve("echo:1", Server::new().service(echo()).middleware(count));
        let resilience = Resilience::default().retries(1).retries_after_loss(after_loss);
        let client = TalkClient::new(net.builder("echo:1").resilience(resilience).build().unwrap());
        net.link("echo:1").to_client().reset_after(20);
        let call = client.say(line("more than twenty bytes of a reply"));
        let call = match idempotent {
            Some(is) => call.idempotent(is),
            None => call,
        };
        let _ = call.await;
        assert_eq!(runs.load(Relaxed), expected, "after loss: {after_loss}, idempotent: {idempotent:?}");
    }
}

/// The example of the documentation.
#[tokio::test]
async fn a_connection_that_falls_silent_costs_the_deadline() {
    let (net, echo) = with_echo(7);
    net.link("echo:1").delay(ms(30)).drop_after(100);
    let began = Instant::now();
    let why = echo.say(line(&"x".repeat(100))).timeout(ms(500)).await.unwrap_err();
    assert_eq!((why.code(), why.origin()), (Code::DeadlineExceeded, Origin::Local));
    took(began, ms(500));
}

#[tokio::test]
async fn a_delay_holds_for_each_direction_and_for_connecting() {
    let (net, echo) = with_echo(7);
    net.link("echo:1").delay(ms(30));
    for expected in [120, 60, 60] {
        let began = Instant::now();
        echo.say(line("hi")).await.unwrap();
        took(began, ms(expected));
    }
    net.link("echo:1").to_client().delay(ms(5));
    let began = Instant::now();
    echo.say(line("hi")).await.unwrap();
    took(began, ms(35));
}

#[tokio::test]
async fn jitter_changes_times_and_keeps_order() {
    let (net, echo) = with_echo(3);
    net.link("echo:1").jitter(ms(50));
    let mut times = Vec::new();
    for _ in 0..10 {
        let began = Instant::now();
        echo.say(line("hi")).await.unwrap();
        times.push(began.elapsed().as_millis());
    }
    assert!(times.iter().skip(1).all(|time| *time <= 103), "{times:?}");
    assert!(times.iter().any(|time| *time != times[1]), "{times:?}");
    let streams = TalkClient::new(net.builder("echo:1").protocol("grpc").build().unwrap());
    let mut counted = streams.count(number(50)).await.unwrap();
    for n in 0..50 {
        assert_eq!(counted.next().await.unwrap().unwrap().number, n);
    }
}

#[tokio::test]
async fn a_bandwidth_makes_long_messages_slow() {
    let (net, echo) = with_echo(7);
    echo.say(line("connect")).await.unwrap();
    net.link("echo:1").to_server().bandwidth(100_000);
    let began = Instant::now();
    echo.say(line(&"x".repeat(50_000))).timeout(ms(5000)).await.unwrap();
    let passed = began.elapsed();
    assert!(passed >= ms(500) && passed < ms(510), "{passed:?}");
}

#[tokio::test]
async fn a_reset_fails_calls_under_way_and_the_next_connects_again() {
    let net = Net::seeded(1);
    net.serve("echo:1", Server::new().service(echo()));
    let echo =
        TalkClient::new(net.builder("echo:1").resilience(Resilience::default().retries(0)).build().unwrap());
    let call = tokio::spawn(echo.say(number(500)).into_future());
    tokio::time::sleep(ms(10)).await;
    assert_eq!(net.link("echo:1").connections(), 1);
    let began = Instant::now();
    net.link("echo:1").reset();
    let why = call.await.unwrap().unwrap_err();
    assert_eq!((why.code(), why.origin()), (Code::Unavailable, Origin::Transport), "{why}");
    took(began, ms(0));
    assert_eq!(net.link("echo:1").connections(), 0);
    echo.say(line("again")).await.unwrap();
    assert_eq!(net.link("echo:1").connections(), 1);
}

#[tokio::test]
async fn a_reset_comes_at_its_byte() {
    let net = Net::seeded(1);
    net.serve("echo:1", Server::new().service(echo()));
    let echo =
        TalkClient::new(net.builder("echo:1").resilience(Resilience::default().retries(0)).build().unwrap());
    net.link("echo:1").to_client().reset_after(20);
    let why = echo.say(line("more than twenty bytes of a reply")).await.unwrap_err();
    assert_eq!(why.code(), Code::Unavailable, "{why}");
    net.link("echo:1").clear();
    echo.say(line("more than twenty bytes of a reply")).await.unwrap();
}

#[tokio::test]
async fn a_misspelt_server_is_answered_with_those_that_there_are() {
    let (net, _echo) = with_echo(7);
    for (to, there) in [("ehco:1", "there are \"echo:1\""), ("echo", "there are \"echo:1\"")] {
        let why = TalkClient::new(net.channel(to)).say(line("hi")).await.unwrap_err();
        let text = format!("testkit::Net has no server {to:?} now; {there}");
        assert!(why.message().contains(&text), "{why}");
    }
    let nobody = Net::seeded(8);
    let why = TalkClient::new(nobody.channel("echo:1")).say(line("hi")).await.unwrap_err();
    assert!(why.message().contains("no server \"echo:1\" now; there is none"), "{why}");
}

#[tokio::test]
async fn a_link_refuses_and_accepts() {
    let (net, echo) = with_echo(7);
    net.link("echo:1").refuse();
    let why = echo.say(line("hi")).await.unwrap_err();
    assert_eq!(why.code(), Code::Unavailable);
    assert!(why.message().contains("echo:1 of testkit::Net refuses connections"), "{why}");
    net.link("echo:1").accept();
    tokio::time::sleep(ms(2000)).await; // the pause between attempts
    echo.say(line("hi")).await.unwrap();
}

#[tokio::test]
async fn what_was_sent_into_a_partition_arrives_when_it_is_healed() {
    let (net, echo) = with_echo(7);
    echo.say(line("connect")).await.unwrap();
    net.link("echo:1").partition();
    let began = Instant::now();
    let call = tokio::spawn(echo.say(line("hi")).timeout(ms(60_000)).into_future());
    tokio::time::sleep(ms(5000)).await;
    assert!(!call.is_finished());
    net.link("echo:1").heal();
    assert_eq!(call.await.unwrap().unwrap().text, "hi");
    took(began, ms(5000));
    assert_eq!(net.link("echo:1").connections(), 1, "it was the same connection");
}

#[tokio::test]
async fn a_partition_of_one_direction_lets_the_other_pass() {
    let (net, echo) = with_echo(7);
    echo.say(line("connect")).await.unwrap();
    net.link("echo:1").to_client().partition();
    let why = echo.say(line("hi")).timeout(ms(100)).await.unwrap_err();
    assert_eq!(why.code(), Code::DeadlineExceeded);
    let sent = net.log().iter().filter(|event| event.to_string().contains("bytes to the client")).count();
    assert_eq!(sent, 2, "the server has answered: {:#?}", net.log());
}

#[tokio::test]
async fn nobody_connects_through_a_partition() {
    let (net, echo) = with_echo(7);
    net.partition("client", "echo:1");
    let began = Instant::now();
    let why = echo.say(line("hi")).timeout(ms(300)).await.unwrap_err();
    assert!(matches!(why.code(), Code::DeadlineExceeded | Code::Unavailable), "{why}");
    assert!(began.elapsed() >= ms(200), "it waited for the connect timeout");
    let other = TalkClient::new(net.host("other").channel("echo:1"));
    other.say(line("hi")).await.unwrap();
    net.heal("client", "echo:1");
    tokio::time::sleep(ms(2000)).await;
    echo.say(line("hi")).await.unwrap();
}

/// A writer without a reader must not continue for ever, and memory must not grow.
#[tokio::test]
async fn writers_wait_for_readers() {
    let (net, _) = with_echo(7);
    let streams = net.builder("echo:1").protocol("grpc").timeout(ms(3_600_000)).build().unwrap();
    let (streams, mut sent) = (TalkClient::new(streams), 0);
    let mut chat = streams.chat().await.unwrap();
    chat.send(line("connect")).await.unwrap();
    chat.next().await.unwrap().unwrap();
    net.link("echo:1").to_client().partition();
    let page = "x".repeat(1 << 16);
    while let Ok(done) = tokio::time::timeout(ms(1000), chat.send(line(&page))).await {
        done.unwrap();
        sent += 1;
        assert!(sent < 1000, "nobody reads");
    }
    assert!(sent > 1);
}

//! What happens while nothing happens: nothing. Counted in wake-ups of the only thread, not in time.

use super::{line, with_echo};
use polywire::Server;
use std::time::Duration;
use tokio::runtime::Handle;

/// How often the runtime's thread went to sleep meanwhile; of a paused clock each is a jump.
async fn sleeps_during(time: Duration) -> u64 {
    let metrics = Handle::current().metrics();
    let before = metrics.worker_park_count(0);
    tokio::time::sleep(time).await;
    metrics.worker_park_count(0) - before
}

const HOUR: Duration = Duration::from_secs(3600);
/// After a call: the samples of the seconds of a window, and time limits of the state that the call has left.
const AFTERWARDS: u64 = 60;

#[tokio::test]
async fn an_idle_hour_and_an_idle_day_wake_nobody() {
    for protocol in ["baidu_std", "grpc", "http"] {
        let (net, _) = with_echo(1);
        let channel = net.builder("echo:1").protocol(protocol).build().unwrap();
        let echo = crate::talk::TalkClient::new(channel);
        echo.say(line("hi")).await.unwrap();
        assert_eq!(net.link("echo:1").connections(), 1);
        let hour = sleeps_during(HOUR).await;
        assert!(hour < AFTERWARDS, "{protocol}: {hour} in an hour");
        let day = sleeps_during(24 * HOUR).await;
        // Over HTTP/2 a PING every two hours, and samples of the seconds after it.
        assert!(day < if protocol == "grpc" { 200 } else { 9 }, "{protocol}: {day} in a day");
        assert_eq!(net.link("echo:1").connections(), 1, "it is connected all the time");
        echo.say(line("hi")).await.unwrap();
    }
}

/// Time limits are timers, not looks at them.
#[tokio::test]
async fn a_limit_that_does_not_expire_wakes_nobody_either() {
    let net = polywire::testkit::Net::seeded(1);
    let timeouts = polywire::Timeouts::default().idle(10 * HOUR);
    net.serve("echo:1", Server::new().service(super::echo()).timeouts(timeouts));
    let echo = crate::talk::TalkClient::new(net.channel("echo:1"));
    echo.say(line("hi")).await.unwrap();
    let hours = sleeps_during(9 * HOUR).await;
    assert!(hours < AFTERWARDS, "{hours} in nine hours");
    sleeps_during(2 * HOUR).await;
    assert_eq!(net.link("echo:1").connections(), 0, "the limit holds");
}

/// Samples go on where they were: a call after an hour is one in the last seconds, not one in an hour.
#[tokio::test]
async fn rates_do_not_count_the_time_in_which_no_samples_were_taken() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (net, echo) = with_echo(1);
    echo.say(line("hi")).await.unwrap();
    tokio::time::sleep(HOUR).await;
    for _ in 0..40 {
        echo.say(line("hi")).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut peer = net.host("peer").connect("echo:1").await.unwrap();
    let ask = "GET /vars/*_say_* HTTP/1.1\r\nhost: echo\r\nconnection: close\r\n\r\n";
    peer.write_all(ask.as_bytes()).await.unwrap();
    let mut answer = String::new();
    peer.read_to_string(&mut answer).await.unwrap();
    let qps = answer.lines().find(|line| line.contains("_qps")).unwrap_or_else(|| panic!("{answer}"));
    let rate: f64 = qps.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((2.0..=11.0).contains(&rate), "{qps}");
}

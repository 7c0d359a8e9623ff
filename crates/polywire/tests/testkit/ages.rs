//! Connections that live for months: time limits are the same on the last day as on the first.

use crate::{line, with_echo};
use polywire::{
    Server, Timeouts,
    testkit::{Net, NetStream},
};
use std::{io, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{sleep, timeout},
};

const DAY: Duration = Duration::from_secs(86_400);
const SECOND: Duration = Duration::from_secs(1);
const STATUS: &str = "HTTP/1.1 200 OK";

async fn status(peer: &mut NetStream) -> io::Result<String> {
    let mut buffer = [0; STATUS.len()];
    peer.read_exact(&mut buffer).await?;
    Ok(String::from_utf8_lossy(&buffer).into_owned())
}

/// A request of which the second half comes a second after the first.
async fn ask_in_halves(peer: &mut NetStream) -> io::Result<String> {
    peer.write_all(b"GET /health HTTP/1.1\r\nho").await?;
    sleep(SECOND).await;
    peer.write_all(b"st: echo\r\n\r\n").await?;
    status(peer).await
}

/// By default a message may take 60 s. 2³² milliseconds are 49.7 days.
#[tokio::test]
async fn a_connection_of_fifty_days_may_still_take_a_second_for_a_message() {
    for days in [40, 50] {
        let (net, _) = with_echo(1);
        let mut peer = net.host("peer").connect("echo:1").await.unwrap();
        peer.write_all(b"GET /health HTTP/1.1\r\nhost: echo\r\n\r\n").await.unwrap();
        assert_eq!(status(&mut peer).await.unwrap(), STATUS);
        sleep(DAY * days).await;
        let mut rest = vec![0; 65536];
        let _ = timeout(SECOND, peer.read(&mut rest)).await;
        let answer = ask_in_halves(&mut peer).await;
        assert_eq!(answer.as_deref().ok(), Some(STATUS), "{days} days: {answer:?}");
    }
}

#[tokio::test]
async fn a_busy_connection_of_fifty_days_is_not_idle() {
    let net = Net::seeded(1);
    let timeouts = Timeouts::default().idle(DAY);
    net.serve("echo:1", Server::new().service(crate::echo()).timeouts(timeouts));
    let echo = crate::talk::TalkClient::new(net.channel("echo:1"));
    for half in 1..=51 * 2 {
        echo.say(line("hi")).await.unwrap();
        sleep(DAY / 2).await;
        assert_eq!(net.link("echo:1").connections(), 1, "after {half} half days");
    }
}

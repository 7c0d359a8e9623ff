//! Connections that live for months: time limits are the same on the last day as on the first.

use super::{echo, line, ms, number, talk::TalkClient, with_echo};
use polywire::{
    Keepalive, Limits, Pooling, Resilience, Server, Timeouts,
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
    net.serve("echo:1", Server::new().service(super::echo()).timeouts(timeouts));
    let echo = crate::talk::TalkClient::new(net.channel("echo:1"));
    for half in 1..=51 * 2 {
        echo.say(line("hi")).await.unwrap();
        sleep(DAY / 2).await;
        assert_eq!(net.link("echo:1").connections(), 1, "after {half} half days");
    }
}

/// At the server, at the client and at both; the age of a server is for protocols that can say goodbye.
#[tokio::test]
async fn connections_are_replaced_under_load_without_a_failed_call() {
    for (protocol, server_too, streams) in [
        ("grpc", true, true),
        ("h2", true, false),
        ("connect", true, true),
        ("http", true, false),
        ("grpc-web", true, true),
        ("baidu_std", false, false),
        ("hulu_pbrpc", false, false),
        ("sofa_pbrpc", false, false),
    ] {
        for (server_age, client_age) in
            [(None, Some(ms(300))), (Some(ms(300)), None), (Some(ms(300)), Some(ms(350)))]
        {
            if server_age.is_some() && !server_too {
                continue;
            }
            let net = Net::seeded(7);
            let limits = Limits::default().keepalive(Keepalive::DEFAULT.max_age(server_age));
            net.serve("echo:1", Server::new().service(echo()).limits(limits));
            net.link("echo:1").delay(ms(1)).jitter(ms(1));
            let mut builder = net
                .builder("echo:1")
                .protocol(protocol)
                .resilience(Resilience::default().retries(0))
                .timeout(SECOND * 10);
            if let Some(age) = client_age {
                builder = builder.pooling(Pooling::default().age(age));
            }
            let channel = builder.build().unwrap();
            let client = TalkClient::new(channel.clone());
            let callers: Vec<_> = (0..8)
                .map(|n| {
                    let client = client.clone();
                    tokio::spawn(async move {
                        let begun = tokio::time::Instant::now();
                        while begun.elapsed() < SECOND * 3 {
                            client.say(number(n % 5)).await?;
                            if streams {
                                let mut lines = client.count(number(20)).await?;
                                let mut got = 0;
                                while let Some(line) = lines.next().await.transpose()? {
                                    assert_eq!(line.number, got);
                                    got += 1;
                                }
                                assert_eq!(got, 20);
                            }
                        }
                        Ok::<_, polywire::Status>(())
                    })
                })
                .collect();
            for caller in callers {
                let ages = (server_age, client_age);
                caller.await.unwrap().unwrap_or_else(|why| panic!("{protocol}, {ages:?}: {why}"));
            }
            let made = channel.connections_made();
            assert!(made >= 7, "{protocol}: {made} connections in 3 s");
            sleep(SECOND * 2).await;
            let left = net.link("echo:1").connections();
            assert!(left <= 8, "{protocol}: {left} connections are left");
        }
    }
}

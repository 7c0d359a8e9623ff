//! Peers of networks that a server lets in, and others.

use crate::{
    support::Never,
    talk::{Line, Talk, TalkClient},
};
use polywire::{Channel, Networks, Running, Server};
use polywire_engine::Fault;
use std::{
    io::Read,
    net::{SocketAddr, TcpStream},
    time::Duration,
};

fn start(networks: &[&str], listen: &str) -> Running {
    let networks = networks.iter().fold(Networks::default(), |all, network| all.allow(network));
    let server = Server::new().service(Never.into_service()).peers(networks);
    server.listen(listen).start().expect("a server")
}

async fn said(address: &str) -> Option<String> {
    let channel = Channel::builder(address).protocol("grpc").build().expect("a channel");
    let line = Line { text: "hello".to_owned(), ..Line::default() };
    TalkClient::new(channel).say(line).await.ok().map(|reply| reply.into_message().text)
}

#[tokio::test]
async fn the_connection_of_a_peer_of_another_network_is_closed_before_a_byte_of_it_is_read() {
    let running = start(&["10.0.0.0/8", "fd00::/8"], "127.0.0.1:0");
    let address: SocketAddr = running.addresses()[0].to_string().parse().expect("an address");
    let read = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.read(&mut [0])
    });
    // Closed, or reset.
    assert!(read.await.expect("a thread").map_or_else(|wrong| !is_late(&wrong), |bytes| bytes == 0));
    assert_eq!(said(&address.to_string()).await, None);
    assert!(running.faults().count(Fault::ForeignNetwork) >= 2);
    assert_eq!(running.faults().count(Fault::UnknownProtocol), 0);
}

fn is_late(wrong: &std::io::Error) -> bool {
    matches!(wrong.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

#[tokio::test]
async fn peers_of_a_network_that_is_let_in_are_answered_and_so_are_those_without_an_address() {
    let running = start(&["10.0.0.0/8", "127.0.0.0/8"], "127.0.0.1:0");
    assert_eq!(said(&running.addresses()[0].to_string()).await.as_deref(), Some("hello"));
    let path = std::env::temp_dir().join(format!("polywire-networks-{}", std::process::id()));
    let unix = start(&["10.0.0.0/8"], &format!("unix:{}", path.display()));
    assert_eq!(said(&unix.addresses()[0].to_string()).await.as_deref(), Some("hello"));
    for running in [running, unix] {
        assert_eq!(running.faults().count(Fault::ForeignNetwork), 0);
        running.stop().await;
    }
}

#[test]
fn a_server_does_not_start_with_what_is_no_network() {
    let server = |networks| Server::new().service(Never.into_service()).peers(networks).listen("127.0.0.1:0");
    for networks in [Networks::default(), Networks::default().allow("10.0.0.0/8").allow("10.0.0.1/8")] {
        let wrong = server(networks).start().map(drop).expect_err("it does not start").to_string();
        assert!(wrong.contains("network") || wrong.contains("nobody could connect"), "{wrong}");
    }
}

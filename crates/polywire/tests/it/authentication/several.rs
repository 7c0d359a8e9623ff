//! Several callers on one connection.

use super::doorman::{Peer, alone, connect, doorman, start};
use polywire_machine_testing::{Call, Side};
use polywire_protocols::{baidu_std, hulu_pbrpc, sofa_pbrpc};
use polywire_wire::ClientSetup;

const HEADERS: u8 = 1;
const DATA: u8 = 0;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    [&length[1..], &[kind, flags, 0, 0, 0, stream], payload].concat()
}

/// The head of a POST of an empty message with this credential.
fn head(stream: u8, credential: &str) -> Vec<u8> {
    let fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/talk.Talk/Say"),
        (":authority", "x"),
        ("content-type", "application/json"),
        ("authorization", credential),
    ];
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0); // literal, not indexed, new name
        for text in [name, value] {
            block.push(text.len() as u8);
            block.extend_from_slice(text.as_bytes());
        }
    }
    frame(HEADERS, END_HEADERS, stream, &block)
}

async fn greeted(mut peer: Peer) -> Peer {
    peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
    peer.send(frame(4, 0, 0, &[])).await;
    peer
}

/// The body of one request arrives after another caller was let in: each request belongs to the caller whose
/// credential it showed.
#[test]
fn a_slow_request_stays_its_callers() {
    alone(async {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let mut peer = greeted(connect(&running)).await;
        for (stream, name) in [(1, "ada"), (3, "bob"), (5, "eve")] {
            peer.send(head(stream, name)).await;
            let question = questions.recv().await.unwrap();
            assert_eq!(question.caller.credential_str(), Some(name));
            question.accept(name);
        }
        for (stream, name) in [(3, "bob"), (5, "eve"), (1, "ada")] {
            peer.send(frame(DATA, END_STREAM, stream, b"{}")).await;
            peer.read_until(&format!("\"text\":\"{name}\"")).await;
        }
        assert!(questions.try_recv().is_err(), "nobody is asked about twice");
    });
}

/// Two protocols alternate; each authenticates once, and its later frames belong to its own caller.
#[test]
fn each_protocol_of_a_connection_has_its_own_caller() {
    alone(async {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let mut peer = connect(&running);
        let protocols = [
            (&baidu_std::PROTOCOL, b"ada"),
            (&hulu_pbrpc::PROTOCOL, b"bob"),
            (&sofa_pbrpc::PROTOCOL, b"eve"),
        ];
        let mut clients = protocols.map(|(protocol, name)| {
            let credential = (protocol.name != "sofa_pbrpc").then_some(&name[..]);
            let setup = ClientSetup { credential, ..ClientSetup::default() };
            (Side::new(protocol, setup), std::str::from_utf8(name).unwrap())
        });
        let say = Call::new("talk.Talk", "Say").index(0);
        for (client, name) in &mut clients {
            client.call(&say);
            peer.send(client.written()).await;
            questions.recv().await.unwrap().accept(name);
            peer.read_until(name).await;
        }
        for turn in [0, 1, 2, 1, 0, 2] {
            let (client, name) = &mut clients[turn];
            client.call(&say);
            peer.send(client.written()).await;
            peer.read_until(name).await;
        }
        assert!(questions.try_recv().is_err(), "nobody is asked about twice");
    });
}

//! A DNS server for these tests, over UDP and TCP on a port that the system chooses; its packets are built by
//! hand (RFC 1035, section 4).

use super::*;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, UdpSocket},
};

const A: u16 = 1;
const CNAME: u16 = 5;
const AAAA: u16 = 28;
const SRV: u16 = 33;

/// The server's answer to a query over UDP.
#[derive(Clone, Copy)]
enum Udp {
    Whole,
    /// The records are left out and the TC bit is set, so that the client asks over TCP.
    Cut,
    Silent,
    Garbage,
}

/// The records and the behaviour of a DNS server.
struct Server {
    udp: Udp,
    code: u8,
    /// Name, type, time to live, data. Those before `besides` are the answer, the others are additional
    /// records.
    records: Vec<(&'static str, u16, u32, Vec<u8>)>,
    besides: usize,
}

fn name(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for label in text.split('.').filter(|label| !label.is_empty()) {
        bytes.push(label.len() as u8);
        bytes.extend(label.as_bytes());
    }
    bytes.push(0);
    bytes
}

fn srv(priority: u16, weight: u16, port: u16, target: &str) -> Vec<u8> {
    let numbers = [priority, weight, port].map(u16::to_be_bytes).concat();
    [numbers, name(target)].concat()
}

impl Server {
    fn new(code: u8, records: Vec<(&'static str, u16, u32, Vec<u8>)>) -> Self {
        Server { udp: Udp::Whole, code, besides: records.len(), records }
    }

    /// The answer to a query: id, flags, four counts, the question, the records.
    fn answer(&self, query: &[u8], cut: bool) -> Vec<u8> {
        let question = 12..12 + query[12..].iter().position(|&byte| byte == 0).unwrap() + 5;
        let (answers, besides) = if cut { (0, 0) } else { (self.besides, self.records.len() - self.besides) };
        let mut bytes = query[..2].to_vec();
        // The flags QR, RD and TC; then RA and the response code.
        bytes.extend([0x81 | u8::from(cut) << 1, 0x80 | self.code]);
        for count in [1, answers, 0, besides] {
            bytes.extend((count as u16).to_be_bytes());
        }
        bytes.extend(&query[question]);
        for (owner, kind, ttl, data) in self.records.iter().take(answers + besides) {
            bytes.extend(name(owner));
            bytes.extend(kind.to_be_bytes());
            bytes.extend([0, 1]); // IN
            bytes.extend(ttl.to_be_bytes());
            bytes.extend((data.len() as u16).to_be_bytes());
            bytes.extend(data);
        }
        bytes
    }

    /// Serves in the background until the runtime of the test ends.
    async fn start(self) -> Arc<dyn Resolver> {
        let tcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = tcp.local_addr().unwrap();
        let udp = UdpSocket::bind(address).await.unwrap();
        let server = Arc::new(self);
        let by_tcp = server.clone();
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok((length, peer)) = udp.recv_from(&mut buffer).await {
                let answer = match server.udp {
                    Udp::Whole => server.answer(&buffer[..length], false),
                    Udp::Cut => server.answer(&buffer[..length], true),
                    Udp::Garbage => [&buffer[..2], &[0xff; 40]].concat(),
                    Udp::Silent => continue,
                };
                udp.send_to(&answer, peer).await.unwrap();
            }
        });
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = tcp.accept().await {
                while let Ok(length) = stream.read_u16().await {
                    let mut query = vec![0; length.into()];
                    stream.read_exact(&mut query).await.unwrap();
                    let answer = by_tcp.answer(&query, false);
                    stream
                        .write_all(&[&(answer.len() as u16).to_be_bytes()[..], &answer].concat())
                        .await
                        .unwrap();
                }
            }
        });
        with_timeout(&[address], Duration::from_millis(200)).unwrap()
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[tokio::test]
async fn addresses_come_with_the_shortest_time_to_live_of_their_chain() {
    let records = vec![
        ("echo.test", CNAME, 9, name("real.test")),
        ("real.test", A, 60, vec![10, 0, 0, 1]),
        ("real.test", A, 60, vec![10, 0, 0, 2]),
    ];
    let found = Server::new(0, records).start().await.v4("echo.test").await.unwrap();
    assert_eq!(found.ttl, seconds(9));
    assert_eq!(found.records, ["10.0.0.1", "10.0.0.2"].map(|ip| ip.parse::<IpAddr>().unwrap()));
    let v6 = vec![("echo.test", AAAA, 60, [[0; 15].to_vec(), vec![1]].concat())];
    let found = Server::new(0, v6).start().await.v6("echo.test").await.unwrap();
    assert_eq!((found.records, found.ttl), (vec!["::1".parse().unwrap()], seconds(60)));
}

#[tokio::test]
async fn services_come_with_the_addresses_of_their_targets() {
    let mut server = Server::new(
        0,
        vec![
            ("_grpc._tcp.test", SRV, 60, srv(1, 2, 8000, "a.test")),
            ("_grpc._tcp.test", SRV, 60, srv(2, 0, 8001, "b.test")),
            ("a.test", A, 60, vec![10, 0, 0, 1]),
        ],
    );
    server.besides = 2;
    let mut found = server.start().await.services("_grpc._tcp.test").await.unwrap().records;
    found.sort_by_key(|service| service.priority);
    let service = |priority, weight, port, target: &str, addresses: &[&str]| Service {
        priority,
        weight,
        port,
        target: target.to_owned(),
        addresses: addresses.iter().map(|ip| ip.parse().unwrap()).collect(),
    };
    assert_eq!(found, [service(1, 2, 8000, "a.test.", &["10.0.0.1"]), service(2, 0, 8001, "b.test.", &[])]);
}

#[tokio::test]
async fn an_answer_too_long_for_udp_is_asked_for_by_tcp() {
    let records = (0..2000u16).map(|n| ("echo.test", A, 60, [[10, 0], n.to_be_bytes()].concat())).collect();
    let mut server = Server::new(0, records);
    server.udp = Udp::Cut;
    assert_eq!(server.start().await.v4("echo.test").await.unwrap().records.len(), 2000);
}

#[tokio::test]
async fn what_dns_refuses_is_told_apart() {
    for (code, failure) in [(0, Failure::NoRecords), (3, Failure::NoSuchName)] {
        assert_eq!(Server::new(code, vec![]).start().await.v4("echo.test").await, Err(failure));
    }
    for (code, text) in [(2, "Server Failure"), (5, "Query Refused")] {
        let failure = Server::new(code, vec![]).start().await.v4("echo.test").await.unwrap_err();
        assert!(matches!(&failure, Failure::Refused(code) if code.contains(text)), "{code}: {failure:?}");
    }
}

#[tokio::test]
async fn silence_is_a_timeout_and_garbage_an_error() {
    let silent = Server { udp: Udp::Silent, ..Server::new(0, vec![]) };
    assert_eq!(silent.start().await.v4("echo.test").await, Err(Failure::Timeout));
    let garbage = Server { udp: Udp::Garbage, ..Server::new(0, vec![]) };
    let failure = garbage.start().await.v4("echo.test").await.unwrap_err();
    assert!(!failure.is_certain(), "{failure:?}");
}

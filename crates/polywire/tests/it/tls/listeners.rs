//! What a server answers, and over what.

use super::{
    authority::{Authority, self_signed},
    support::{ENDLESS, believes, channel, counted, dial, server, start, tls, who},
};
use polywire::{ClientTls, Origin, Resilience, Running, brpc, redis};
use polywire_engine::{Fault, Transport};
use polywire_machine_testing::until;
use std::{
    future::poll_fn,
    io::{IoSlice, Read, Write},
    net::TcpStream,
    sync::mpsc::{self, Receiver},
    time::Duration,
};

#[test]
fn every_protocol_is_answered_over_tls_and_if_asked_for_plain_on_one_port() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let server = server().service(redis::service(redis::Store::default()));
        let running = start(server.tls(tls(&authority.server(&["localhost"])).plain_beside(true)));
        for (protocol, seen, alpn) in [
            ("baidu_std", "baidu_std", "-"),
            ("http", "http", "http/1.1"),
            ("h2", "h2", "h2"),
            ("grpc", "h2", "h2"),
            ("grpc-web", "http", "http/1.1"),
            ("connect", "http", "http/1.1"),
        ] {
            let secure = who(&running, protocol, Some(believes(&authority))).await;
            assert_eq!(secure.unwrap(), format!("{seen} TLSv1.3 {alpn} 0 nobody"), "{protocol}");
            let plain = who(&running, protocol, None).await;
            assert_eq!(plain.unwrap(), format!("{seen} plain - 0 nobody"), "{protocol}");
        }
        for tls in [Some(believes(&authority)), None] {
            let redis = redis::Client::new(channel(&running, "redis", tls));
            assert_eq!(redis.ping().await.unwrap(), "PONG");
        }
        assert!(running.faults().iter().all(|(_, count)| count == 0));
    });
}

#[test]
fn long_messages_and_many_at_once_go_through() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let server = server().service(redis::service(redis::Store::default()));
        let running = start(server.tls(tls(&authority.server(&["localhost"]))));
        let redis = redis::Client::new(channel(&running, "redis", Some(believes(&authority))));
        let long: Vec<u8> = (0..3_000_000).map(|n| (n % 251) as u8).collect();
        redis.set("long", &long[..]).await.unwrap();
        let back: Option<Vec<u8>> = redis.get("long").await.unwrap();
        assert!(back.as_deref() == Some(&long[..]));
        let channel = channel(&running, "baidu_std", Some(believes(&authority)));
        let calls: Vec<_> = (0..200)
            .map(|_| tokio::spawn(channel.call(super::support::WHO, vec![7; 5000]).into_future()))
            .collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        assert_eq!(channel.connections_made(), 1);
    });
}

#[test]
fn blocking_callers_are_served_too() {
    let authority = Authority::new("ca");
    let running = start(server().tls(tls(&authority.server(&["localhost"]))));
    let channel = channel(&running, "baidu_std", Some(believes(&authority)));
    let reply = channel.call(super::support::WHO, Vec::new()).blocking().unwrap();
    assert!(reply.into_message().body.to_vec().starts_with(b"baidu_std TLSv1.3"));
}

#[test]
fn plain_bytes_on_a_port_for_tls_are_refused_and_counted() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let running = start(server().tls(tls(&authority.server(&["localhost"]))));
        let status = who(&running, "baidu_std", None).await.unwrap_err();
        assert_eq!(brpc::number(&status), brpc::EEOF, "{status:?}");
        counted(&running, Fault::NotTls).await;
        for protocol in ["http", "grpc", "h2"] {
            let status = who(&running, protocol, None).await.unwrap_err();
            assert!(status.message().contains("this port takes TLS"), "{protocol}: {status:?}");
        }
        let secure = who(&running, "http", Some(believes(&authority))).await.unwrap();
        assert_eq!(secure, "http TLSv1.3 http/1.1 0 nobody");
    });
}

#[test]
fn where_certificates_are_required_nobody_comes_by_plain_text() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let demanding = tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        let server = server().service(redis::service(redis::Store::default()));
        let running = start(server.tls(demanding));
        let methods = ["baidu_std", "sofa_pbrpc", "http", "h2", "grpc", "grpc-web", "connect", "zmtp"];
        for protocol in methods {
            let status = who(&running, protocol, None).await.unwrap_err();
            // Who asks by HTTP is told in HTTP.
            if ["http", "h2", "grpc", "grpc-web", "connect"].contains(&protocol) {
                let told = if protocol.contains("-web") || protocol == "connect" {
                    "400"
                } else {
                    "this port takes TLS"
                };
                assert!(status.to_string().contains(told), "{protocol}: {status:?}");
                continue;
            }
            assert_eq!(brpc::number(&status), brpc::EEOF, "{protocol}: {status:?}");
            assert_eq!(status.origin(), Origin::Transport, "{protocol}: {status:?}");
        }
        let redis = redis::Client::new(channel(&running, "redis", None));
        let status = redis.ping().await.unwrap_err();
        assert_eq!(status.message(), "memory (redis): the connection was closed");
        let attempts = methods.len() as u64 + 1;
        until("a fault for each", || running.faults().count(Fault::NotTls) >= attempts).await;
        let all: u64 = running.faults().iter().map(|(_, count)| count).sum();
        assert_eq!((running.faults().count(Fault::NotTls), all), (attempts, attempts), "and no other fault");
        // Nor does TLS without a certificate.
        let status = who(&running, "http", Some(believes(&authority))).await.unwrap_err();
        assert_eq!(brpc::number(&status), brpc::ESSL, "{status:?}");
        assert_eq!(status.message(), "memory (http): TLS: received fatal alert: CertificateRequired");
    });
}

#[test]
fn a_listener_may_stay_plain() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let tls = tls(&authority.server(&["localhost"])).plain_on("127.0.0.1:0");
        let running = server().tls(tls).listen("127.0.0.1:0").start().unwrap();
        let connect =
            |n: usize| polywire::Channel::builder(running.addresses()[n].to_string()).protocol("http");
        let secure = || believes(&authority);
        let asked = [connect(0).tls(secure()), connect(1)].map(|builder| builder.build().unwrap());
        for channel in asked {
            super::support::ask(&channel).await.unwrap();
        }
        let refused = [connect(0), connect(1).tls(secure())]
            .map(|builder| builder.resilience(Resilience::default().retries(0)).build().unwrap());
        for (channel, text) in refused.iter().zip(["this port takes TLS: https", "TLS: "]) {
            let status = super::support::ask(channel).await.unwrap_err();
            assert!(status.message().contains(text), "{status:?}");
        }
        // Who cannot be told learns it from its own client.
        let plain =
            connect(0).protocol("baidu_std").resilience(Resilience::default().retries(0)).build().unwrap();
        let status = super::support::ask(&plain).await.unwrap_err();
        assert!(
            status.message().ends_with("; it said nothing: does it speak baidu_std, or want TLS?"),
            "{status:?}"
        );
        let blocking = move || plain.call(super::support::WHO, Vec::new()).blocking();
        let status = tokio::task::spawn_blocking(blocking).await.unwrap().map(drop).unwrap_err();
        assert!(
            status.message().ends_with("; it said nothing: does it speak baidu_std, or want TLS?"),
            "{status:?}"
        );
        until("a fault for each", || running.faults().count(Fault::NotTls) == 3).await;
        counted(&running, Fault::UnknownProtocol).await;
    });
}

#[test]
fn tls_where_only_plain_bytes_are_taken_fails_and_is_counted() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let running = start(server());
        let status = who(&running, "http", Some(believes(&authority))).await.unwrap_err();
        assert_eq!(brpc::number(&status), brpc::ESSL, "{status}");
        counted(&running, Fault::UnknownProtocol).await;
    });
}

#[test]
fn alpn_decides_and_holds_whoever_agreed_to_it() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let running = start(server().tls(tls(&authority.server(&["localhost"]))));
        // A client that announces HTTP/2 and speaks another protocol.
        let lies = believes(&authority).alpn(["h2"]);
        let status = who(&running, "baidu_std", Some(lies)).await.unwrap_err();
        assert_eq!(status.message(), "memory (baidu_std): the peer closed the connection");
        counted(&running, Fault::UnknownProtocol).await;
        // Nothing in common: RFC 7301, section 3.2.
        let alien = believes(&authority).alpn(["spdy/3"]);
        let nothing_in_common = "cannot connect to memory: TLS: received fatal alert: NoApplicationProtocol";
        let status = who(&running, "baidu_std", Some(alien)).await.unwrap_err();
        assert_eq!(status.message(), nothing_in_common);
        counted(&running, Fault::TlsHandshake).await;
        // Among several the server's order counts.
        let both = believes(&authority).alpn(["http/1.1", "h2"]);
        assert_eq!(who(&running, "h2", Some(both)).await.unwrap(), "h2 TLSv1.3 h2 0 nobody");
        // Protocols that are switched off are not offered.
        let narrow = server().protocols(["http"]).tls(tls(&authority.server(&["localhost"])));
        let status = who(&start(narrow), "h2", Some(believes(&authority))).await.unwrap_err();
        assert_eq!(status.message(), nothing_in_common);
    });
}

#[test]
fn a_slow_handshake_is_ended_and_counted() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let limit = Some(Duration::from_millis(20));
        let timeouts = ENDLESS.first_bytes(limit);
        let running = start(server().tls(tls(&authority.server(&["localhost"]))).timeouts(timeouts));
        let mut slow = dial(&running);
        let hello = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]; // and no more
        poll_fn(|cx| slow.poll_write(cx, &[IoSlice::new(&hello)])).await.unwrap();
        let mut said = bytes::BytesMut::with_capacity(100);
        assert_eq!(poll_fn(|cx| slow.poll_read(cx, &mut said, 100)).await.unwrap(), 0);
        counted(&running, Fault::TlsHandshakeLate).await;
        assert_eq!(running.faults().count(Fault::FirstBytes), 0);
    });
}

/// A proxy in plain bytes, which lets the client go without a word: within its first request, or when it is
/// told that the request was answered. Returns its address.
fn lets_go(server: &Running, answered: Option<Receiver<()>>) -> String {
    let server = server.addresses()[0].to_string();
    let proxy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = proxy.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let (mut client, _) = proxy.accept().unwrap();
        let mut server = TcpStream::connect(server).unwrap();
        let (mut out, mut back) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut back, &mut out));
        // Of the records that are sealed the first ends the handshake, and the second is the request.
        let mut sealed = 0;
        while sealed < 2 {
            let mut record = vec![0; 5];
            client.read_exact(&mut record).unwrap();
            sealed += u32::from(record[0] == 0x17);
            let length = usize::from(u16::from_be_bytes([record[3], record[4]]));
            record.resize(5 + length, 0);
            client.read_exact(&mut record[5..]).unwrap();
            let all = record.len();
            let sent = if sealed == 2 && answered.is_none() { all / 2 } else { all };
            server.write_all(&record[..sent]).unwrap();
        }
        answered.iter().for_each(|answered| answered.recv().unwrap());
        server.shutdown(std::net::Shutdown::Write).unwrap();
    });
    address
}

#[test]
fn only_a_client_that_leaves_while_something_is_under_way_is_counted_as_cut_off() {
    super::support::run(async {
        let authority = Authority::new("ca");
        let running = start(server().tls(tls(&authority.server(&["localhost"]))));
        let through = |address: String| {
            let resilience = Resilience::default().retries(0);
            polywire::Channel::builder(address).tls(believes(&authority)).resilience(resilience).build()
        };
        let (tell, answered) = mpsc::channel();
        let leaves = through(lets_go(&running, Some(answered))).unwrap();
        super::support::ask(&leaves).await.unwrap();
        tell.send(()).unwrap();
        until("it is gone", || running.connections().is_empty()).await;
        assert!(running.faults().iter().all(|(_, count)| count == 0), "{:?}", running.faults());
        let is_cut_off = through(lets_go(&running, None)).unwrap();
        let _ = super::support::ask(&is_cut_off).await.unwrap_err();
        counted(&running, Fault::TlsTruncated).await;
    });
}

#[test]
fn wrong_options_are_named_at_start() {
    let (one, other) = (self_signed(&["localhost"]), self_signed(&["localhost"]));
    let refusal = |server: polywire::Server| match server.listen("127.0.0.1:0").start() {
        Ok(_) => panic!("it starts"),
        Err(error) => error.to_string(),
    };
    let mixed = polywire::ServerTls::pem(one.certificate.as_str(), other.key.as_str());
    assert!(refusal(server().tls(mixed)).contains("with the given PEM text"));
    let missing = polywire::ServerTls::files("/no/such/cert.pem", "/no/such/key.pem");
    assert!(refusal(server().tls(missing)).contains("/no/such/cert.pem"));
    let empty = tls(&one).client_ca_pem("");
    assert!(refusal(server().tls(empty)).contains("no certificate in it"));
    let demanding = tls(&one).client_ca_pem(one.certificate.as_str());
    let both = refusal(server().tls(demanding.clone().plain_beside(true)));
    assert!(both.contains("tls.plain_beside(true)") && both.contains("required"), "{both}");
    let optional = demanding.client_certificates(polywire::ClientCertificates::Optional);
    assert!(server().tls(optional.plain_beside(true)).listen("127.0.0.1:0").start().is_ok());
    let unnamed =
        polywire::Channel::builder("unix:/run/x").tls(ClientTls::new().ca_pem(one.certificate)).build();
    assert!(unnamed.err().unwrap().to_string().contains("server_name"));
}

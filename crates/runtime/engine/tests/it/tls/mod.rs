//! TLS as a transport, both ends in memory and driven by hand: no runtime, no time.

pub mod pair;

use pair::{Ends, Pair, certificate, config, pair, read_all, server_config, write_all};
use polywire_engine::{
    Fault,
    transport::{Broken, Protection, Transport, duplex, tls},
};
use std::{
    io::{self, IoSlice},
    task::{Context, Poll, Waker},
};

/// The counter of a failure.
fn fault(error: &io::Error) -> Fault {
    Broken::fault_of(error)
}

#[test]
fn a_handshake_goes_through_at_every_split() {
    let identity = certificate(&["localhost"]);
    let mut whole = pair(&identity);
    whole.handshake().expect("both agree");
    let longest = whole.client_read().max(whole.server_read());
    assert!(longest > 500, "{longest} bytes are no handshake");
    for cut in 1..longest {
        let mut torn = pair(&identity);
        torn.tear(cut, usize::MAX);
        let ends = torn.handshake().unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        talk(ends);
    }
}

#[test]
fn a_handshake_and_calls_go_through_byte_by_byte() {
    let identity = certificate(&["localhost"]);
    for newest in [true, false] {
        let mut torn = Pair::new(config(&identity), server_config(&identity, newest), 1 << 20);
        torn.tear(1, 1);
        let ends = torn.handshake().expect("both agree");
        let version = ends.server.protection().security().map(|security| security.version);
        assert_eq!(version, Some(if newest { "TLSv1.3" } else { "TLSv1.2" }));
        talk(ends);
    }
}

/// Sends one message each way, then closes both ends.
fn talk(mut ends: Ends) {
    write_all(&mut *ends.client, &mut *ends.server, &[b"ping"], |seen| assert_eq!(seen, b"ping"));
    write_all(&mut *ends.server, &mut *ends.client, &[b"po", b"", b"ng"], |seen| assert_eq!(seen, b"pong"));
    ends.client.shutdown();
    assert_eq!(read_all(&mut *ends.server).expect("a clean end"), b"");
    ends.server.shutdown();
    assert_eq!(read_all(&mut *ends.client).expect("a clean end"), b"");
}

#[test]
fn bytes_arrive_whole_whatever_their_pieces_and_the_room() {
    let identity = certificate(&["localhost"]);
    for capacity in [700, 20_000, 1 << 20] {
        let ends = Pair::new(config(&identity), server_config(&identity, true), capacity).handshake();
        let mut ends = ends.expect("both agree");
        for lengths in
            [&[1][..], &[16_384], &[16_385, 3], &[40; 500], &[30, 300_000, 5], &[0, 100_000, 0, 100_000]]
        {
            let pieces: Vec<Vec<u8>> =
                lengths.iter().map(|&len: &usize| (0..len).map(|n| (n % 251) as u8).collect()).collect();
            let pieces: Vec<&[u8]> = pieces.iter().map(|piece| &piece[..]).collect();
            let expected = pieces.concat();
            write_all(&mut *ends.server, &mut *ends.client, &pieces, |seen| assert!(seen == expected));
            write_all(&mut *ends.client, &mut *ends.server, &pieces, |seen| assert!(seen == expected));
        }
    }
}

/// Bytes reported as written have left: the reader needs nothing more from the writer.
#[test]
fn what_counts_as_written_can_be_read() {
    let identity = certificate(&["localhost"]);
    let ends = Pair::new(config(&identity), server_config(&identity, true), 5000).handshake();
    let Ends { mut client, mut server, .. } = ends.expect("both agree");
    let cx = &mut Context::from_waker(Waker::noop());
    let (bytes, mut sent, mut read) = (vec![7u8; 50_000], 0, 0);
    while sent < bytes.len() {
        match server.poll_write(cx, &[IoSlice::new(&bytes[sent..])]) {
            Poll::Ready(n) => sent += n.expect("the client is there"),
            Poll::Pending => {
                let mut some = bytes::BytesMut::with_capacity(1 << 16);
                let _ = client.poll_read(cx, &mut some, usize::MAX); // pending: a record is incomplete
                read += some.len();
            }
        }
    }
    drop(server); // nothing is flushed any more
    let mut rest = Vec::new();
    let cut = pair::drain(&mut *client, &mut rest).expect_err("no close_notify");
    assert_eq!((read + rest.len(), fault(&cut)), (50_000, Fault::TlsTruncated));
}

#[test]
fn an_end_without_a_goodbye_is_an_error() {
    let identity = certificate(&["localhost"]);
    let mut ends = pair(&identity).handshake().expect("both agree");
    write_all(&mut *ends.client, &mut *ends.server, &[b"half a mess"], |_| {});
    drop(ends.client);
    let error = read_all(&mut *ends.server).expect_err("it was cut off");
    assert_eq!((error.kind(), fault(&error)), (io::ErrorKind::UnexpectedEof, Fault::TlsTruncated));
}

#[test]
fn an_end_within_a_record_is_told_from_one_behind_it() {
    let identity = certificate(&["localhost"]);
    let mut ends = pair(&identity).handshake().expect("both agree");
    ends.end_server_input_after(20);
    let cx = &mut Context::from_waker(Waker::noop());
    assert!(ends.client.poll_write(cx, &[IoSlice::new(b"half a mess")]).is_ready());
    let error = read_all(&mut *ends.server).expect_err("it was cut off");
    assert_eq!((error.kind(), fault(&error)), (io::ErrorKind::ConnectionAborted, Fault::TlsTruncated));
}

#[test]
fn an_end_within_the_handshake_is_an_error_at_every_byte() {
    let identity = certificate(&["localhost"]);
    let mut whole = pair(&identity);
    whole.handshake().expect("both agree");
    for bytes in (6..whole.server_read()).step_by(7) {
        let mut cut = pair(&identity);
        cut.end_server_input_after(bytes);
        let error = cut.handshake_server().expect_err("it never ended");
        assert_eq!((error.kind(), fault(&error)), (io::ErrorKind::UnexpectedEof, Fault::TlsHandshake));
    }
}

#[test]
fn garbage_after_the_handshake_ends_the_connection() {
    let identity = certificate(&["localhost"]);
    for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"\x17\x03\x03\x00\x20", &[0xff; 40], &[0x16; 40]] {
        let mut ends = pair(&identity).handshake().expect("both agree");
        let mut garbage = garbage.to_vec();
        garbage.resize(64, 0); // a complete record with a valid header, sealed with an unknown key
        ends.inject_to_server(&garbage);
        let error = read_all(&mut *ends.server).expect_err("it is no record");
        assert_eq!(fault(&error), Fault::TlsRecord, "{error}");
        let error = read_all(&mut *ends.client).expect_err("the server says why");
        assert_eq!(fault(&error), Fault::TlsRecord, "{error}");
        assert!(error.to_string().contains("alert"), "{error}");
    }
}

#[test]
fn a_changed_byte_anywhere_in_a_record_is_noticed() {
    let identity = certificate(&["localhost"]);
    for at in 0..30 {
        let mut ends = pair(&identity).handshake().expect("both agree");
        ends.change_server_input(at);
        let cx = &mut Context::from_waker(Waker::noop());
        assert!(ends.client.poll_write(cx, &[IoSlice::new(b"12345678")]).is_ready());
        ends.client.shutdown();
        drop(ends.client); // with a longer length, the stream ends within a record
        let mut seen = Vec::new();
        let read = pair::drain(&mut *ends.server, &mut seen);
        if at == 2 {
            // "legacy_record_version [...] MUST be ignored for all purposes". RFC 8446, section 5.1
            assert_eq!((read.is_ok(), &seen[..]), (true, &b"12345678"[..]));
            continue;
        }
        let error = read.expect_err("it is noticed");
        assert!(matches!(fault(&error), Fault::TlsRecord | Fault::TlsTruncated), "{at}: {error}");
        assert_eq!(seen, b"", "at {at}");
    }
}

#[test]
fn a_message_without_end_is_given_up() {
    let identity = certificate(&["localhost"]);
    let (mut ours, theirs) = duplex("raw", 1 << 20);
    let mut server = tls::accept(Box::new(theirs), server_config(&identity, true), false);
    let cx = &mut Context::from_waker(Waker::noop());
    // A ClientHello of 65 000 bytes, one byte to a record.
    let mut sent = vec![0x16, 3, 1, 0, 4, 1, 0, 0xfd, 0xe8];
    (0..60_000).for_each(|_| sent.extend_from_slice(&[0x16, 3, 1, 0, 1, 0]));
    let (mut at, mut into) = (0, bytes::BytesMut::with_capacity(1 << 16));
    let error = loop {
        if let Poll::Ready(n) = ours.poll_write(cx, &[IoSlice::new(&sent[at..sent.len().min(at + 10_000)])]) {
            at += n.expect("it reads");
        }
        match server.poll_read(cx, &mut into, usize::MAX) {
            Poll::Ready(Err(error)) => break error,
            Poll::Ready(Ok(n)) => panic!("{n} bytes out of nothing"),
            Poll::Pending => assert!(at < sent.len(), "all of it was kept"),
        }
    };
    assert_eq!(fault(&error), Fault::TlsHandshake, "{error}");
    assert!(at <= 200_000, "{at} bytes were kept");
}

#[test]
fn plain_bytes_pass_where_they_are_welcome_and_nowhere_else() {
    let identity = certificate(&["localhost"]);
    let cx = &mut Context::from_waker(Waker::noop());
    for only in [false, true] {
        for said in [&b"PRPC and more"[..], b"\x16", b"\x16\x03\x01\x00", b"\x16\x03\x01\x00\x05\x02..."] {
            let (mut ours, theirs) = duplex("raw", 1 << 20);
            let mut server = tls::accept(Box::new(theirs), server_config(&identity, true), only);
            let mut seen = Vec::new();
            let mut result = Ok(());
            for byte in said {
                assert!(ours.poll_write(cx, &[IoSlice::new(&[*byte])]).is_ready());
                result = result.and_then(|()| pair::drain_some(&mut *server, &mut seen));
            }
            ours.shutdown();
            let result = result.and_then(|()| pair::drain(&mut *server, &mut seen));
            let begun = only && said.len() <= 5; // these may have become a hello
            assert_eq!(matches!(server.protection(), Protection::Handshaking), begun, "{said:?}");
            assert!(server.protection().security().is_none());
            if only {
                let told = if said.len() > 5 { Fault::NotTls } else { Fault::TlsHandshake };
                assert_eq!(fault(&result.expect_err("it is refused")), told);
                assert_eq!(seen, b"");
            } else {
                result.expect("it passes");
                assert_eq!(seen, said);
            }
        }
    }
}

/// A browser, or curl, that was told http in place of https.
#[test]
fn a_plain_request_of_http_is_told_what_is_wrong() {
    let identity = certificate(&["localhost"]);
    let cx = &mut Context::from_waker(Waker::noop());
    for (said, told) in
        [(&b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n"[..], "HTTP/1.1 400 "), (b"PRPC and more", "")]
    {
        let (mut ours, theirs) = duplex("raw", 1 << 20);
        let mut server = tls::accept(Box::new(theirs), server_config(&identity, true), true);
        assert!(ours.poll_write(cx, &[IoSlice::new(said)]).is_ready());
        let mut seen = Vec::new();
        assert_eq!(
            fault(&pair::drain_some(&mut *server, &mut seen).expect_err("it is refused")),
            Fault::NotTls
        );
        server.shutdown();
        let text = String::from_utf8(read_all(&mut ours).expect("an end")).expect("text");
        assert!(text.starts_with(told) && told.is_empty() == text.is_empty(), "{text}");
        assert!(told.is_empty() || text.ends_with("\r\n\r\nthis port takes TLS: https\r\n"));
    }
}

#[test]
fn whoever_does_not_believe_a_certificate_says_so() {
    let (identity, other) = (certificate(&["localhost"]), certificate(&["localhost"]));
    for (theirs, name) in [(&other, "localhost"), (&identity, "elsewhere")] {
        let mut pair = Pair::new(config(&identity), server_config(theirs, true), 1 << 20);
        pair.ask_for(name);
        let error = pair.handshake().err().expect("it is not theirs");
        assert_eq!(fault(&error), Fault::TlsCertificate, "{error}");
        let error = pair.handshake_server().expect_err("the client said why");
        assert_eq!(fault(&error), Fault::TlsCertificate, "{error}");
    }
}

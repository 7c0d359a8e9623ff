use crate::http::PROTOCOL;
use polywire_wire::Sniff;
use proptest::prelude::*;

fn sniff(bytes: &[u8]) -> Sniff {
    (PROTOCOL.sniff)(bytes)
}

#[test]
fn a_request_line_is_ours_once_its_end_is_here() {
    let line = b"PROPFIND /a/b?c HTTP/1.1\r\n";
    for n in 0..line.len() {
        assert_eq!(sniff(&line[..n]), Sniff::NeedMore(1), "{n} bytes");
    }
    assert_eq!(sniff(line), Sniff::Mine);
    assert_eq!(sniff(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Sniff::Mine);
    assert_eq!(sniff(b"\r\nGET / HTTP/1.1\r\n"), Sniff::Mine);
}

#[test]
fn mistakes_in_a_request_line_are_answered_not_passed_on() {
    for line in [
        "GET / HTTP/1.1\n",
        "GET  / HTTP/1.1\r\n",
        "GET / HTTP/1.1 \r\n",
        "GET x HTTP/1.9\r\n",
        "GET / HTTP/2.0\r\n",
        "GET / HTTP/9.9\r\n",
        "GET / http/1.1\r\n",
        "GET / HTTP/1\r\n",
        "GET / HTTP/01.01\r\n",
    ] {
        assert_eq!(sniff(line.as_bytes()), Sniff::Mine, "{line:?}");
    }
}

#[test]
fn a_method_that_is_not_listed_is_ours_if_its_target_is() {
    for line in ["QUERY / HTTP/1.1\r\n", "get /a HTTP/1.1\r\n", "LINK * HTTP/1.1\r\n"] {
        for n in 0..line.len() {
            assert_eq!(sniff(&line.as_bytes()[..n]), Sniff::NeedMore(1), "{n} bytes of {line:?}");
        }
        assert_eq!(sniff(line.as_bytes()), Sniff::Mine, "{line:?}");
    }
    for line in ["SET /a b\r\n", "SET /a \0", "SET a HTTP/1.1\r\n", "{} / HTTP/1.1\r\n", "*2 / HTTP/1.1\r\n"]
    {
        assert_eq!(sniff(line.as_bytes()), Sniff::NotMine, "{line:?}");
    }
}

/// Whether the verdict on the first bytes does not change as more arrive: a protocol that has refused some of
/// them is not asked again.
fn is_steady(bytes: &[u8]) -> bool {
    let verdicts: Vec<_> = (0..=bytes.len()).map(|n| sniff(&bytes[..n])).collect();
    verdicts.windows(2).all(|pair| matches!(pair[0], Sniff::NeedMore(_)) || pair[0] == pair[1])
}

proptest! {
    #[test]
    fn a_verdict_holds_for_all_that_follows(
        line in "\\PC{0,4}[A-Za-z*-]{0,24} {0,2}[/*a]{0,2}[ a]{0,3}(HTTP/1.[01x])?\r?\n?[ -~\0\r\n]{0,8}",
        empty in 0usize..6,
    ) {
        prop_assert!(is_steady(("\r\n".repeat(empty) + &line).as_bytes()));
    }
}

#[test]
fn a_few_empty_lines_may_stand_before_a_request() {
    let request = "GET / HTTP/1.1\r\n";
    assert_eq!(sniff(format!("\r\n\r\n\r\n\r\n{request}").as_bytes()), Sniff::Mine);
    assert_eq!(sniff(format!("\r\n\r\n\r\n\r\n\r\n{request}").as_bytes()), Sniff::NotMine);
    assert_eq!(sniff(b"\r\n\r"), Sniff::NeedMore(1));
}

#[test]
fn inline_commands_of_redis_are_not_ours() {
    for line in ["GET x\r\n", "GET HTTP/1.1x\r\n", "SUBSCRIBE news\r\n", "COPY a b\n", "GET /\r\n"] {
        assert_eq!(sniff(line.as_bytes()), Sniff::NotMine, "{line:?}");
    }
    assert_eq!(sniff(b"PING\r\n"), Sniff::NotMine);
}

#[test]
fn the_first_byte_that_excludes_us_decides() {
    for bytes in [
        &b"PRPC\0"[..],
        b"PRI ",
        b"STRM\0",
        b"HULU\x02",
        b"HTTP/",
        b"PING\r",
        b"SET k",
        b"an.unusually-long.word",
        b"\x16",
        b"*",
        b"'",
        b"0",
    ] {
        assert_eq!(sniff(bytes), Sniff::NotMine, "{}", bytes.escape_ascii());
        let (_, shorter) = bytes.split_last().unwrap();
        if bytes.len() < 20 {
            assert_eq!(sniff(shorter), Sniff::NeedMore(1), "{}", shorter.escape_ascii());
        }
    }
    assert_eq!(sniff(&[b'a'; 20]), Sniff::NeedMore(1));
    assert_eq!(sniff(&[b'a'; 21]), Sniff::NotMine);
}

#[test]
fn http_2_is_left_to_its_own_protocol() {
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    assert_eq!(sniff(&preface[..3]), Sniff::NeedMore(1));
    for n in 4..=preface.len() {
        assert_eq!(sniff(&preface[..n]), Sniff::NotMine, "{n} bytes");
    }
}

#[test]
fn a_line_without_end_is_ours_to_refuse_beyond_the_limit() {
    let mut line = b"GET /".to_vec();
    line.resize(8 << 10, b'a');
    assert_eq!(sniff(&line), Sniff::NeedMore(1));
    line.push(b'a');
    assert_eq!(sniff(&line), Sniff::Mine);
}

//! Random bytes and commands, and what another parser reads from the same bytes.

use super::{client, lines, server};
use polywire_machine_testing::{Call, Random, Seen, Side, survives_noise};
use polywire_wire::{Delivery, Limits};

const REQUESTS: [&str; 6] = [
    "POST /S/M HTTP/1.1|Host: 127.0.0.1:8000|Content-Type: application/json|Content-Length: 7||{\"a\":1}",
    "POST /up HTTP/1.1|Host: x|Transfer-Encoding: chunked||5;a=b|hello|6| world|0|sum: 1||",
    "GET /a/b?c=d#e HTTP/1.0|Connection: keep-alive, x|Authorization: me||",
    "HEAD http://user.example:80/x HTTP/1.1|Host: y|Expect: 100-continue|Content-Length: 2||hi",
    "OPTIONS * HTTP/1.1|Host: [::1]:1|x-polywire-timeout-ms: 10|Content-Encoding: gzip||",
    "|GET / HTTP/1.1|Host: x|Connection: close||",
];
const REPLIES: [&str; 5] = [
    "HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 7||{\"a\":1}",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|6| world|0|sum: 1||",
    "HTTP/1.1 100 Continue||HTTP/1.1 404 Not Found|x-bd-error-code: 1002|Content-Length: 2||no",
    "HTTP/1.0 204 No Content|Connection: keep-alive||",
    "HTTP/1.1 200 OK|X: y||until the end",
];

fn goldens(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| lines(text)).collect()
}

fn slices(goldens: &[Vec<u8>]) -> Vec<&[u8]> {
    goldens.iter().map(|golden| &golden[..]).collect()
}

#[test]
fn a_server_stands_noise() {
    let goldens = goldens(&REQUESTS);
    survives_noise(server, &slices(&goldens), 1, 1500);
    for (seed, delivery) in [(2, Delivery::Messages), (3, Delivery::Pieces)] {
        survives_noise(|| server().hosted(|h| h.deliver(delivery)), &slices(&goldens), seed, 1000);
    }
    let tight = Limits::default().exchanges(2).window(8).ahead(1).backlog(16).max_message(32);
    survives_noise(
        || super::server_with(tight).with_room(64).hosted(|h| h.deliver(Delivery::Pieces)),
        &slices(&goldens),
        4,
        1000,
    );
}

#[test]
fn a_guarded_server_stands_noise() {
    let setup = polywire_wire::ServerSetup { authenticate: true, ..Default::default() };
    let make = || Side::new(&super::PROTOCOL, setup);
    survives_noise(make, &slices(&goldens(&REQUESTS)), 5, 1000);
}

#[test]
fn a_client_stands_noise() {
    let goldens = goldens(&REPLIES);
    for (seed, call) in [
        (6, Call::new("S", "M").body("x")),
        (7, Call::new("S", "M").streamed()),
        (8, Call::new("S", "M").parts_follow().streamed()),
        (9, Call::new("", "/").field(":method", "HEAD")),
    ] {
        let calling = || {
            let mut side = client();
            side.call(&call);
            side
        };
        survives_noise(calling, &slices(&goldens), seed, 700);
    }
}

/// Alters a few bytes, with a preference for those that matter to parsers.
fn altered(random: &mut Random, golden: &[u8]) -> Vec<u8> {
    let mut bytes = golden.to_vec();
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len());
        let odd = *random.pick(b"\r\n\0\t :;,./AHh01\x7f\x80\xff*%?#");
        match random.below(4) {
            0 => bytes[at] = odd,
            1 => bytes.insert(at, odd),
            2 => drop(bytes.remove(at)),
            _ => bytes[at] ^= 1 << random.below(8),
        }
    }
    bytes
}

#[test]
fn requests_are_read_as_by_httparse() {
    let (mut random, goldens, mut taken) = (Random::new(10), goldens(&REQUESTS), 0);
    for _ in 0..20_000 {
        let golden = random.pick(&goldens[..]);
        let bytes = altered(&mut random, golden);
        let mut side = server().hosted(|h| h.deliver(Delivery::Pieces));
        let Seen::Open(open) = side.feed(&bytes).poll() else { continue };
        taken += 1;
        let mut fields = [httparse::EMPTY_HEADER; 100];
        let mut theirs = httparse::Request::new(&mut fields);
        let parsed = match theirs.parse(&bytes) {
            Err(httparse::Error::Version) => continue, // it knows no minor version above 1
            parsed => parsed.unwrap_or_else(|e| panic!("{e}: {}", bytes.escape_ascii())),
        };
        assert!(parsed.is_complete(), "{}", bytes.escape_ascii());
        let ours = &open.head.fields;
        assert_eq!(ours[0].1, theirs.method.unwrap(), "{}", bytes.escape_ascii());
        if !theirs.path.unwrap().starts_with('/') {
            continue; // an absolute target is rewritten on purpose
        }
        assert_eq!(ours[1].1, theirs.path.unwrap(), "{}", bytes.escape_ascii());
        let theirs: Vec<_> = theirs.headers.iter().map(|h| (h.name.to_owned(), h.value.into())).collect();
        assert_eq!(ours[2..], theirs, "{}", bytes.escape_ascii());
    }
    assert!(taken > 3000, "only {taken} requests were taken: the test shows little");
}

#[test]
fn replies_are_read_as_by_httparse() {
    let (mut random, goldens, mut taken) = (Random::new(11), goldens(&REPLIES), 0);
    for _ in 0..20_000 {
        let golden = random.pick(&goldens[..]);
        let bytes = altered(&mut random, golden);
        if bytes.starts_with(b"HTTP/1.1 1") {
            continue; // interim replies are skipped, the next one counts
        }
        let mut side = client();
        side.call(&Call::new("S", "M").streamed());
        let Seen::Answer { status, metadata, .. } = side.feed(&bytes).poll() else { continue };
        taken += 1;
        let mut fields = [httparse::EMPTY_HEADER; 100];
        let mut theirs = httparse::Response::new(&mut fields);
        let parsed = theirs.parse(&bytes).unwrap_or_else(|e| panic!("{e}: {}", bytes.escape_ascii()));
        assert!(parsed.is_complete());
        assert_eq!(Some(status), theirs.code);
        let passed =
            |name: &str| !super::super::fields::is_ours(name) && !name.eq_ignore_ascii_case("content-type");
        let theirs: Vec<_> = theirs.headers.iter().filter(|h| passed(h.name)).collect();
        let ours: Vec<_> = metadata.iter().filter(|(n, _)| passed(n)).collect();
        assert_eq!(ours.len(), theirs.len(), "{}", bytes.escape_ascii());
        for ((name, value), field) in ours.into_iter().zip(theirs) {
            assert_eq!((&name[..], &value[..]), (field.name, field.value), "{}", bytes.escape_ascii());
        }
    }
    assert!(taken > 2000, "only {taken} replies were taken: the test shows little");
}

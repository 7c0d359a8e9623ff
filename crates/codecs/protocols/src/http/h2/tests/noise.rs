//! Random bytes and commands.

use super::peer::POST;
use super::{Peer, client_with, server_with};
use crate::http::h2::frame::{Kind, PREFACE, flag};
use polywire_machine_testing::{Call, Side, hex, survives_noise};
use polywire_wire::{Delivery, Limits};

const TIGHT: Limits = Limits::DEFAULT.max_message(64).exchanges(2).window(50).ahead(1).backlog(16).streams(3);

/// Frames of a well-behaved peer, as text.
fn frames(first: &[u8]) -> Vec<Vec<u8>> {
    let mut peer = Peer::new(Side::server(&super::PROTOCOL));
    let block = peer.block(&POST);
    let again = peer.block(&POST);
    let mut said = |kind, flags, stream, payload: &[u8]| {
        peer.frame(kind, flags, stream, payload);
        peer.side.input.cut(peer.side.input.len()).to_vec()
    };
    vec![
        [first, &said(Kind::SETTINGS, 0, 0, &[0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 0, 9])].concat(),
        said(Kind::SETTINGS, flag::ACK, 0, b""),
        [said(Kind::HEADERS, 4, 1, &block), said(Kind::DATA, 1, 1, b"hello")].concat(),
        said(Kind::HEADERS, 5, 3, &again),
        [said(Kind::HEADERS, 1, 5, &again[..2]), said(Kind::CONTINUATION, 4, 5, &again[2..])].concat(),
        said(Kind::DATA, 9, 1, &[2, b'x', 0, 0]),
        said(Kind::WINDOW_UPDATE, 0, 0, &[0, 0, 1, 0]),
        said(Kind::WINDOW_UPDATE, 0, 1, &[0, 0, 1, 0]),
        said(Kind::RST_STREAM, 0, 3, &[0, 0, 0, 8]),
        said(Kind::PING, 0, 0, b"12345678"),
        said(Kind::PING, 1, 0, b"pw:drain"),
        said(Kind::GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 0]),
        said(Kind::PRIORITY, 0, 1, &[0, 0, 0, 3, 7]),
        said(Kind::HEADERS, 4, 1, &hex("88 5f 0a 74 65 78 74 2f 70 6c 61 69 6e")),
        said(Kind::HEADERS, 5, 1, &hex("40 0b 67 72 70 63 2d 73 74 61 74 75 73 01 30")),
    ]
}

fn slices(frames: &[Vec<u8>]) -> Vec<&[u8]> {
    frames.iter().map(|frame| &frame[..]).collect()
}

#[test]
fn a_server_stands_noise() {
    let frames = frames(PREFACE);
    let greeted = |limits: Limits, delivery: Delivery| {
        move || Peer::of_server(limits).side.with_room(64).hosted(|h| h.deliver(delivery))
    };
    for (seed, delivery) in [(1, Delivery::Whole), (2, Delivery::Messages), (3, Delivery::Pieces)] {
        survives_noise(greeted(Limits::DEFAULT, delivery), &slices(&frames[1..]), seed, 1500);
        survives_noise(greeted(TIGHT, delivery), &slices(&frames[1..]), seed + 10, 1500);
    }
    survives_noise(|| server_with(TIGHT), &slices(&frames), 4, 500);
}

#[test]
fn a_client_stands_noise() {
    let frames = frames(b"");
    for (seed, call) in [
        (5, Call::new("S", "M").body("x")),
        (6, Call::new("S", "M").streamed()),
        (7, Call::new("S", "M").parts_follow().streamed()),
        (8, Call::new("", "/").field(":method", "HEAD")),
    ] {
        for (limits, salt) in [(Limits::DEFAULT, 0), (TIGHT, 100)] {
            let calling = || {
                let mut side = Peer::of_client(limits).side.with_room(64);
                side.call(&call);
                side.call(&call);
                side
            };
            survives_noise(calling, &slices(&frames[1..]), seed + salt, 800);
        }
    }
    survives_noise(|| client_with(TIGHT), &slices(&frames), 9, 500);
}

//! The bytes of PyMongo 4.20.0 against the example, and replies as its `bson` writes them.
//! `interop/run pymongo` runs PyMongo itself.

use polywire::mongo::{Document, Value};
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// `{insert: "c", ordered: true, $db: "db"}` with `{_id: 1}` and `{_id: 2}`
const INSERT: &str = "6900000069983c6400000000dd0700000000000000290000000269
    6e73657274000200000063000 86f7264657265640001022464620003000000646200 00012a000000646f63756d656e7473000e000000105f69640
    001000000000e000000105f6964000200000000";

/// `{find: "c", filter: {_id: 2}, limit: 1, singleBatch: true, $db: "db"}`
const FIND: &str = "6100000067458b6b00000000dd07000000000000004c0000000266696e64000200000063000366696c746572000e000000105f69640002
    00000000106c696d697400010000000873696e676c654261746368000102246462000300000064620000";

/// `{n: 2, ok: 1.0}`
const INSERTED: &str = "18000000106e0002000000016f6b00000000000000f03f00";

/// `{cursor: {id: 0, ns: "db.c", firstBatch: [{_id: 2}]}, ok: 1.0}`
const FOUND: &str = "5900000003637572736f720040000000126964000000000000000000026e73000500000064622e63000466697273744261746368001600
    00000330000e000000105f69640002000000000000016f6b00000000000000f03f00";

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).expect("ASCII"), 16).expect("digits");
    digits.chunks(2).map(byte).collect()
}

#[test]
fn what_pymongo_inserts_it_finds_again() {
    let running = polywire_example_mongo::server().listen("127.0.0.1:0").start().expect("it starts");
    let mut driver = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    driver.set_read_timeout(Some(Duration::from_secs(20))).expect("not zero");
    for (request, reply) in [(INSERT, INSERTED), (FIND, FOUND)] {
        driver.write_all(&hex(request)).expect("it reads");
        // The head, no flags, and a section of kind 0.
        let mut found = vec![0; 21 + hex(reply).len()];
        driver.read_exact(&mut found).expect("it answers");
        assert_eq!(found[8..12], hex(request)[4..8], "to this request");
        assert_eq!(found[21..], hex(reply));
    }
}

/// A member takes two bytes of a message, and time with every document.
#[test]
fn a_filter_has_a_bound() {
    let running = polywire_example_mongo::server().listen("127.0.0.1:0").start().expect("it starts");
    let mut driver = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    driver.set_read_timeout(Some(Duration::from_secs(20))).expect("not zero");
    let mut ok = |members: usize| {
        let filter = (0..members).fold(Document::builder(), |filter, _| filter.put("", Value::Null)).build();
        let find = Document::builder().put("find", "c").put("filter", &filter).put("$db", "db").build();
        let length = 21 + find.as_bytes().len() as u32;
        let head = [length, 1, 0, 2013, 0].map(u32::to_le_bytes).concat();
        driver.write_all(&[&head, &[0][..], find.as_bytes()].concat()).expect("it reads");
        let mut head = [0; 21];
        driver.read_exact(&mut head).expect("it answers");
        let mut reply = vec![0; u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize - 21];
        driver.read_exact(&mut reply).expect("it answers");
        Document::from_bytes(reply.into()).expect("a document").get("ok").and_then(|ok| ok.as_f64())
    };
    assert_eq!((ok(100), ok(101)), (Some(1.0), Some(0.0)));
}

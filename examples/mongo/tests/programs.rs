//! The bytes of PyMongo 4.20.0 against the example, and replies as its `bson` writes them. `interop/run pymongo` runs PyMongo
//! itself.

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

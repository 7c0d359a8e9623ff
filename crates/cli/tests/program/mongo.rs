//! The collections that `serve` keeps for MongoDB's drivers: what they cannot do is refused.

use crate::support::Server;
use polywire::mongo::{Document, DocumentBuilder, Value, array};
use std::{
    io::{Read, Write},
    net::TcpStream,
};

/// The reply to a command (docs/wire/mongo.md: a head of four numbers, flags, and a section of kind 0).
fn ask(stream: &mut TcpStream, command: DocumentBuilder) -> Document {
    let command = command.put("$db", "db").build();
    let length = 16 + 4 + 1 + command.as_bytes().len() as i32;
    let mut message: Vec<u8> = [length, 1, 0, 2013, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    message.push(0);
    message.extend(command.as_bytes());
    stream.write_all(&message).unwrap();
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut rest = vec![0; i32::from_le_bytes(length) as usize - 4];
    stream.read_exact(&mut rest).unwrap();
    Document::from_bytes(rest.split_off(17).into()).unwrap()
}

fn number(document: &Document, name: &str) -> Option<i64> {
    document.get(name).and_then(|value| value.as_i64())
}

fn on(command: &str) -> DocumentBuilder {
    Document::builder().put(command, "c")
}

fn insert(documents: &[Document]) -> DocumentBuilder {
    let documents = array(documents.iter().map(|document| Value::Document(document.view())));
    on("insert").put_array("documents", &documents)
}

#[test]
fn what_collections_do_not_know_is_refused_by_its_name() {
    let server = Server::start();
    let stream = &mut TcpStream::connect(&server.address).unwrap();
    assert_eq!(number(&ask(stream, insert(&[Document::builder().put("n", 1).build()])), "n"), Some(1));
    let one = Document::builder().put("n", 1).build();
    let greater = Document::builder().put("n", &Document::builder().put("$gt", 0).build()).build();
    let either = Document::builder().put_array("$or", &array([Value::Document(one.view())])).build();
    let path = Document::builder().put("a.b", 1).build();
    let regex = Document::builder().put("n", Value::Regex { pattern: "^a", options: "" }).build();
    for (command, said) in [
        (on("find").put("sort", &one), "sort"),
        (on("find").put("projection", &one), "projection"),
        (on("find").put("filter", &greater), "$gt"),
        (on("find").put("filter", &either), "$or"),
        (on("find").put("filter", &path), "a.b"),
        (on("find").put("filter", &regex), "regular expressions"),
        (on("count").put("query", &greater), "$gt"),
    ] {
        let reply = ask(stream, command);
        assert_eq!(number(&reply, "code"), Some(2), "{said}: {reply:?}");
        let text = reply.get("errmsg").and_then(|text| text.as_str()).unwrap();
        assert!(text.contains(said), "{said}: {text}");
    }
    let empty = Document::default();
    let plain = on("find").put("filter", &one).put("sort", &empty).put("projection", &empty);
    assert_eq!(number(&ask(stream, plain), "ok"), Some(1));
    assert_eq!(number(&ask(stream, on("count").put("skip", 1)), "n"), Some(0));
    assert_eq!(number(&ask(stream, on("update")), "code"), Some(59));
}

#[test]
fn a_second_document_with_the_same_id_is_a_duplicate() {
    let server = Server::start();
    let stream = &mut TcpStream::connect(&server.address).unwrap();
    let with = |id: Value<'_>| Document::builder().put("_id", id).build();
    let three = [with(Value::Int32(1)), with(Value::Double(1.0)), with(Value::String("1"))];
    for (ordered, inserted) in [(true, 1), (false, 2)] {
        let reply = ask(stream, insert(&three).put("ordered", ordered));
        assert_eq!(number(&reply, "n"), Some(inserted), "{reply:?}");
        let errors: Vec<_> = reply.get("writeErrors").unwrap().as_view().unwrap().iter().collect();
        let [(_, error)] = errors[..] else { panic!("{reply:?}") };
        let of = |name| error.as_view().unwrap().get(name).and_then(|value| value.as_i64());
        assert_eq!((of("index"), of("code")), (Some(1), Some(11000)));
        // What was deleted may come again.
        let all = Document::builder().put("q", &Document::default()).put("limit", 0).build();
        let delete = on("delete").put_array("deletes", &array([Value::Document(all.view())]));
        assert_eq!(number(&ask(stream, delete), "n"), Some(inserted));
    }
    let large = [1 << 53, (1 << 53) + 1].map(|id| with(Value::Int64(id)));
    let reply = ask(stream, insert(&large));
    assert_eq!(
        (number(&reply, "n"), reply.get("writeErrors")),
        (Some(2), None),
        "they differ, though not as doubles"
    );
}

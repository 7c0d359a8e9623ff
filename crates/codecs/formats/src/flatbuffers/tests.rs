//! Buffers of two tables written by hand as polywire-build writes them:
//!
//! ```text
//! struct Point { x:byte; y:double; z:short; }
//! table Node { text:string; next:Node; many:[Node]; at:Point; route:[Point]; mark:int = 7; }
//! ```

mod runtime;

use super::*;
use crate::{FormatError, Payload, decode_request, encode_request};
use bytes::Bytes;
use polywire_base::{IoBuf, Output};
use polywire_wire::{Compression, Content};
use proptest::prelude::*;
use std::io::IoSlice;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: i8,
    y: f64,
    z: i16,
}

impl Read<'_> for Point {
    const SIZE: usize = 24;
    fn read(buffer: &[u8], at: usize) -> Self {
        Point {
            x: Read::read(buffer, at),
            y: Read::read(buffer, at.saturating_add(8)),
            z: Read::read(buffer, at.saturating_add(16)),
        }
    }
}

impl Inline for Point {
    const SIZE: usize = 24;
    const ALIGN: usize = 8;
    fn put(&self, place: &mut [u8]) {
        self.x.put(&mut place[0..1]);
        self.y.put(&mut place[8..16]);
        self.z.put(&mut place[16..18]);
    }
}

impl Verifiable for Point {
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        verifier.range(at, 24, 8)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<'a>(Table<'a>);

impl<'a> Read<'a> for Node<'a> {
    const SIZE: usize = 4;
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Node(Read::read(buffer, at))
    }
}

impl Verifiable for Node<'_> {
    fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> Verified {
        verifier
            .visit_table(at)?
            .visit_field::<Indirect<&str>>("text", 4, false)?
            .visit_field::<Indirect<Node<'_>>>("next", 6, false)?
            .visit_field::<Indirect<Indirects<Node<'_>>>>("many", 8, false)?
            .visit_field::<Point>("at", 10, false)?
            .visit_field::<Indirect<Items<Point>>>("route", 12, false)?
            .visit_field::<i32>("mark", 14, false)?
            .finish();
        Ok(())
    }
}

impl Root for Node<'static> {
    type View<'a> = Node<'a>;
    fn view(table: Table<'_>) -> Node<'_> {
        Node(table)
    }
}

impl<'a> Node<'a> {
    fn text(&self) -> Option<&'a str> {
        self.0.field(4)
    }
    fn next(&self) -> Option<Node<'a>> {
        self.0.field(6)
    }
    fn many(&self) -> Option<Vector<'a, Node<'a>>> {
        self.0.field(8)
    }
    fn at(&self) -> Option<Point> {
        self.0.field(10)
    }
    fn route(&self) -> Option<Vector<'a, Point>> {
        self.0.field(12)
    }
    fn mark(&self) -> i32 {
        self.0.field(14).unwrap_or(7)
    }
}

type Message = Flat<Node<'static>>;

fn texted(text: &str) -> Message {
    Flat::build(|builder| {
        let text = builder.create_string(text);
        let mut table = builder.start_table::<1, 4>();
        table.push_slot_always(4, text);
        table.end()
    })
}

/// "`Request{text:"hello"}` is this 32-byte FlatBuffer" (docs/wire/flatbuffers_rpc.md)
const HELLO: &[u8] = b"\x0c\0\0\0\0\0\x06\0\x08\0\x04\0\x06\0\0\0\x04\0\0\0\x05\0\0\0hello\0\0\0";

const POINT: Point = Point { x: -1, y: 2.5, z: 3 };

fn full() -> Message {
    Flat::build(|builder| {
        let route = structs(builder, &[POINT, Point { x: 4, ..POINT }, Point { z: 5, ..POINT }]);
        let inner = builder.create_string("inner");
        let mut table = builder.start_table::<1, 4>();
        table.push_slot_always(4, inner);
        let next: Offset<Node<'_>> = table.end();
        let many = builder.create_vector(&[next, next]);
        let mut table = builder.start_table::<6, 47>();
        table.push_slot(14, 8i32, 7);
        table.push_slot_always(12, route);
        table.push_struct(10, &POINT);
        table.push_slot_always(8, many);
        table.push_slot_always(6, next);
        table.end()
    })
}

fn copy(bytes: &[u8]) -> Result<Message, FormatError> {
    Flat::from_bytes(IoBuf::copy_from_slice(bytes))
}

#[test]
fn the_message_of_the_sheet_is_read() {
    let message = copy(HELLO).unwrap();
    let node = message.get();
    assert_eq!((node.text(), node.mark()), (Some("hello"), 7));
    assert!(node.next().is_none() && node.many().is_none() && node.at().is_none() && node.route().is_none());
}

#[test]
fn what_was_built_is_verified_and_read() {
    for message in [full(), copy(full().bytes()).unwrap()] {
        let node = message.get();
        assert_eq!((node.text(), node.next().unwrap().text(), node.mark()), (None, Some("inner"), 8));
        assert_eq!(node.at(), Some(POINT));
        let route = node.route().unwrap();
        assert_eq!((route.len(), route.get(2), route.get(3)), (3, Some(Point { z: 5, ..POINT }), None));
        assert_eq!(route.iter().map(|point| point.x).collect::<Vec<_>>(), [-1, 4, -1]);
        let texts: Vec<_> = node.many().unwrap().iter().map(|node| node.text()).collect();
        assert_eq!(texts, [Some("inner"); 2]);
    }
}

#[test]
fn a_truncated_buffer_is_none() {
    for message in [HELLO.to_vec(), full().bytes().to_vec()] {
        // The last bytes are padding.
        for length in 0..message.len() - 8 {
            let error = copy(&message[..length]).unwrap_err();
            assert!(matches!(error, FormatError::FlatBuffers(_)), "{length}: {error}");
        }
    }
}

/// The number of these bytes that are outside of `memory`, i.e. that were copied.
fn copied<'b>(bytes: impl Iterator<Item = &'b [u8]>, memory: &[u8]) -> usize {
    let memory = memory.as_ptr_range();
    let within = |piece: &[u8]| memory.contains(&piece.as_ptr()) && piece.as_ptr_range().end <= memory.end;
    bytes.filter(|piece| !within(piece)).map(<[u8]>::len).sum()
}

/// The bytes that a connection passes to its socket after the head of a frame.
fn sent(message: &Message) -> (Output, usize) {
    const HEAD: &[u8] = b"a head of 20 bytes..";
    let body = encode_request(message.clone(), Content::FLATBUFFERS, Compression::NONE).unwrap();
    let mut output = Output::new(usize::MAX);
    output.put(HEAD);
    output.share(&body);
    let mut slices = [IoSlice::new(&[]); 8];
    let n = output.io_slices(&mut slices);
    let written: Vec<u8> = slices[..n].iter().flat_map(|slice| slice.to_vec()).collect();
    assert_eq!(written, [HEAD, &message.bytes()[..]].concat());
    let copied = copied(slices[..n].iter().map(|slice| &**slice), message.bytes());
    (output, copied - HEAD.len())
}

#[test]
fn a_long_message_goes_to_the_socket_from_where_it_was_built() {
    for message in [texted(&"long".repeat(10_000)), texted(&"e".repeat(Output::SHARE_FROM))] {
        assert_eq!(sent(&message).1, 0);
    }
    // A short message is copied, so that it is sent in one write with others.
    let short = texted("short");
    let (output, copied) = sent(&short);
    assert_eq!(copied, short.bytes().len());
    assert!(output.as_slice().is_some());
}

#[test]
fn a_buffer_that_suffices_is_the_one_that_is_sent() {
    let mut place = 0;
    let message: Message = Flat::build_with_capacity(256, |builder| {
        let text = builder.create_string("hello");
        place = builder.unfinished_data().as_ptr() as usize;
        let mut table = builder.start_table::<1, 4>();
        table.push_slot_always(4, text);
        table.end()
    });
    let text = message.get().text().unwrap();
    assert_eq!(text.as_ptr() as usize, place + 4, "a length, and then the text");
}

#[test]
fn a_table_that_is_never_ended_does_not_become_padding() {
    // A text whose last word is padded, and a struct with padding between its fields.
    let build = |dropped: bool| -> Message {
        Flat::build_with_capacity(512, |builder| {
            if dropped {
                let mut table = builder.start_table::<3, 40>();
                table.push_slot_always(4, u64::MAX);
                table.push_slot_always(6, u64::MAX);
                table.push_struct(8, &Point { x: -1, y: -1.0, z: -1 });
            }
            let text = builder.create_string("hello");
            let mut table = builder.start_table::<4, 35>();
            table.push_struct(10, &POINT);
            table.push_slot_always(4, text);
            table.end()
        })
    };
    let (with, without) = (build(true), build(false));
    assert!(with.bytes().starts_with(&without.bytes()[..]), "{with:?} {without:?}");
    assert_eq!(with.bytes().len() - without.bytes().len(), 40, "what was dropped lies behind");
    assert!(copy(with.bytes()).is_ok());
}

#[test]
#[should_panic]
fn a_table_with_more_than_was_said_panics() {
    let _: Message = Flat::build_with_capacity(24, |builder| {
        let mut table = builder.start_table::<2, 8>();
        table.push_slot_always(4, 1u64);
        table.push_struct(6, &[POINT; 2]);
        table.end()
    });
}

#[test]
fn a_message_stays_where_it_arrived_unless_it_came_in_pieces() {
    let bytes = Bytes::copy_from_slice(&texted(&"text".repeat(500)).into_bytes());
    let receive = |body: &IoBuf| -> Message {
        decode_request(Content::FLATBUFFERS, Compression::NONE, body.clone(), 1 << 20).unwrap()
    };
    for unaligned in 0..8 {
        let memory = Bytes::from([&vec![0; unaligned][..], &bytes].concat());
        let message = receive(&memory.slice(unaligned..).into());
        let text = message.get().text().unwrap();
        let read = [&message.bytes()[..], text.as_bytes()];
        assert_eq!(copied(read.into_iter(), &memory), 0, "the accessors read at any address");
        assert_eq!(message.bytes(), &bytes);
    }
    let pieces: Vec<Bytes> = bytes.chunks(700).map(Bytes::copy_from_slice).collect();
    let message = receive(&pieces.iter().cloned().collect());
    assert_eq!(message.bytes(), &bytes);
    let text = message.get().text().unwrap();
    assert_eq!(copied([text.as_bytes()].into_iter(), message.bytes()), 0, "what the handler reads");
    for piece in &pieces {
        assert_eq!(copied([&message.bytes()[..]].into_iter(), piece), bytes.len());
    }
}

#[test]
fn it_is_sent_in_its_own_form_and_no_other() {
    let message = texted("hello");
    for content in [Content::FLATBUFFERS, Content::PROTOBUF] {
        let body = encode_request(message.clone(), content, Compression::NONE).unwrap();
        let again: Message = decode_request(content, Compression::NONE, body, 1000).unwrap();
        assert_eq!(again, message);
    }
    let error = message.encode(Content::JSON, Compression::NONE, Default::default()).unwrap_err();
    assert_eq!(error, FormatError::UnknownContent(Content::JSON));
}

#[test]
fn it_travels_compressed_within_the_limit() {
    let message = texted(&"text".repeat(5000));
    let body = encode_request(message.clone(), Content::FLATBUFFERS, Compression::GZIP).unwrap();
    assert!(body.len() < 1000);
    let read = |limit: usize| -> Result<Message, _> {
        Message::decode(
            Content::FLATBUFFERS,
            Compression::GZIP,
            body.clone(),
            limit.into(),
            Default::default(),
        )
    };
    assert_eq!(read(30_000).unwrap(), message);
    assert_eq!(read(10_000).unwrap_err(), FormatError::TooLarge { limit: 10_000 });
}

/// A chain of this many nodes.
fn chain(length: usize) -> Message {
    Flat::build(|builder| {
        let mut next: Option<Offset<Node<'_>>> = None;
        for _ in 0..length {
            let mut table = builder.start_table::<2, 4>();
            if let Some(next) = next {
                table.push_slot_always(6, next);
            }
            next = Some(table.end());
        }
        next.expect("at least one")
    })
}

#[test]
fn tables_are_nested_64_deep_and_no_deeper() {
    assert!(copy(chain(64).bytes()).is_ok());
    let error = copy(chain(65).bytes()).unwrap_err();
    assert!(error.to_string().contains("depth limit"), "{error}");
}

#[test]
fn a_few_bytes_that_seem_many_are_refused_quickly() {
    // Each level refers a hundred times to the one below: 100^6 tables in some kilobytes.
    let bomb: Message = Flat::build(|builder| {
        let mut node: Offset<Node<'_>> = builder.start_table::<0, 0>().end();
        for _ in 0..6 {
            let many = builder.create_vector(&[node; 100]);
            let mut table = builder.start_table::<3, 4>();
            table.push_slot_always(8, many);
            node = table.end();
        }
        node
    });
    assert!(bomb.bytes().len() < 4096);
    let error = copy(bomb.bytes()).unwrap_err();
    assert!(error.to_string().contains("too large") || error.to_string().contains("many"), "{error}");
}

#[test]
fn text_that_is_not_utf8_is_refused_with_its_field() {
    let mut bytes = HELLO.to_vec();
    bytes[24] = 0xff;
    let error = copy(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("not a valid FlatBuffer: Utf8 error") && error.contains("`text`"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_panic_and_what_is_verified_can_be_read(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        noise in prop::collection::vec(any::<u8>(), 0..100),
        whole in any::<bool>(),
    ) {
        let mut bytes = if whole { full().bytes().to_vec() } else { noise };
        for (at, byte) in changes {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        if let Ok(message) = copy(&bytes) {
            walk(message.get(), &mut 1000);
        }
        // A message that was not verified can be read without a panic, too.
        walk(Node(Table::root(&bytes)), &mut 1000);
    }
}

fn walk(node: Node<'_>, left: &mut u32) {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return;
    }
    let _ = (node.text(), node.at(), node.mark());
    let _ = node.route().map(|route| route.iter().take(100).count());
    if let Some(many) = node.many() {
        many.iter().take(20).for_each(|node| walk(node, left));
    }
    if let Some(next) = node.next() {
        walk(next, left);
    }
}

//! The messages, and how they are written and read.

use std::hint::black_box;

use polywire::{Compression, Content, Payload, flatbuffers::Flat};
use polywire_base::IoBuf;

polywire::include!();

use example::EchoRequest;
use flatbench::{BenchmarkMessageArgs, BenchmarkMessageBuf};
use orders::{Item, Order};
use test::BenchmarkMessage;

const MOST: usize = 1 << 26;

/// A message in one form, ready to be written or read any number of times.
pub struct Subject {
    pub wire_bytes: usize,
    /// What it takes in protobuf.
    pub protobuf_bytes: usize,
    pub write: Box<dyn FnMut()>,
    pub read: Box<dyn FnMut()>,
}

/// The message `name` with a text of so many bytes, in `form`.
pub fn subject(name: &str, form: &str, bytes: usize) -> Option<Subject> {
    let text = "x".repeat(bytes);
    let content = match form {
        "protobuf" => Content::PROTOBUF,
        "mcpack" => Content::MCPACK,
        "compack" => Content::COMPACK,
        "flatbuffers" if name == "benchmark" => return Some(flat(text)),
        _ => return None,
    };
    Some(match name {
        "benchmark" => made(
            content,
            move || benchmark(&text),
            |read| {
                black_box((read.opcode, read.echo_attachment, read.attachment_size, read.request_id));
                black_box((read.reserved, read.message.as_deref().map(str::len)));
            },
        ),
        "echo" => made(
            content,
            move || EchoRequest { message: text.clone() },
            |read| {
                black_box(read.message.len());
            },
        ),
        "order" => made(content, order, |read| {
            black_box((read.items.len(), read.number));
        }),
        _ => return None,
    })
}

/// Operation code, echo, attachment, request, reserved. The compiler does not see that none of them is a
/// default.
fn numbers() -> (i32, i32, i64, i64, i64) {
    black_box((1, 1, 4096, 1 << 40, 7))
}

fn benchmark(text: &str) -> BenchmarkMessage {
    let (opcode, echo_attachment, attachment_size, request_id, reserved) = numbers();
    BenchmarkMessage {
        opcode,
        echo_attachment,
        attachment_size,
        request_id,
        reserved: Some(reserved),
        message: Some(text.into()),
    }
}

fn item(id: i64) -> Item {
    Item {
        name: format!("item number {id}"),
        id,
        count: Some(3),
        price: Some(9.99),
        scores: vec![1, 20, 300, 4000, 50000],
        tags: vec!["red".into(), "heavy".into(), "fragile".into()],
    }
}

fn order() -> Order {
    Order {
        number: 123_456_789_012,
        customer: Some("somebody who orders".into()),
        paid: Some(true),
        items: (0..20).map(item).collect(),
        gift: Some(item(1000)).into(),
    }
}

fn encode<P: Payload>(message: P, content: Content) -> IoBuf {
    message.into_encoded(content, Compression::NONE, Default::default()).expect("it can be written")
}

fn decode<P: Payload>(content: Content, body: IoBuf) -> P {
    P::decode(content, Compression::NONE, body, MOST.into(), Default::default()).expect("just written")
}

/// A protobuf message: made anew each time it is written, as a handler does.
fn made<P: Payload>(
    content: Content,
    make: impl Fn() -> P + 'static,
    look: impl Fn(&P) + 'static,
) -> Subject {
    let (wire, protobuf) = (encode(make(), content), encode(make(), Content::PROTOBUF));
    // In one piece, as a socket gives it; a long text leaves apart from what stands before it.
    let received = IoBuf::from(wire.to_vec());
    Subject {
        wire_bytes: wire.len(),
        protobuf_bytes: protobuf.len(),
        write: Box::new(move || drop(black_box(encode(black_box(&make)(), content)))),
        read: Box::new(move || look(&decode(content, black_box(&received).clone()))),
    }
}

fn flat(text: String) -> Subject {
    let protobuf_bytes = encode(benchmark(&text), Content::PROTOBUF).len();
    let build = move || -> BenchmarkMessageBuf {
        Flat::build_with_capacity(128 + text.len(), |builder| {
            let message = Some(builder.create_string(&text));
            let (opcode, echo_attachment, attachment_size, request_id, reserved) = numbers();
            let args = BenchmarkMessageArgs {
                opcode,
                echo_attachment,
                attachment_size,
                request_id,
                reserved,
                message,
            };
            flatbench::BenchmarkMessage::create(builder, &args)
        })
    };
    let wire = encode(build(), Content::FLATBUFFERS);
    Subject {
        wire_bytes: wire.len(),
        protobuf_bytes,
        write: Box::new(move || drop(black_box(encode(black_box(&build)(), Content::FLATBUFFERS)))),
        read: Box::new(move || {
            let read: BenchmarkMessageBuf = decode(Content::FLATBUFFERS, black_box(&wire).clone());
            let read = read.get();
            black_box((read.opcode(), read.echo_attachment(), read.attachment_size(), read.request_id()));
            black_box((read.reserved(), read.message().map(str::len)));
        }),
    }
}

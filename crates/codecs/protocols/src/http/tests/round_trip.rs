//! Our client against our server, with bytes split at any place: each reads what the other wrote.

use super::{client, server};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Status};
use polywire_machine_testing::{Call, Octets, Seen, SeenOpen, Side};
use polywire_wire::{Answer, Compression, Content, Delivery, Outcome, Part};
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::time::Duration;

#[derive(Clone, Debug)]
struct Request {
    path: String,
    fields: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    /// Sizes of the parts of an upload; `None`: the body goes with the head.
    parts: Option<Vec<usize>>,
    timeout: Option<u32>,
    gzip: bool,
}

#[derive(Clone, Debug)]
struct Reply {
    status: u16,
    fields: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    /// The reply is streamed in parts of this size.
    streamed: Option<usize>,
}

fn fields() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    // Values neither begin nor end with a space, which every reader cuts off.
    let value = select(vec![&b""[..], b"1", b"a b", b"x\ty", b"\xc3\xa9", b":", b"a,b;c=\"d\""]);
    vec(("x-[a-z]{1,8}", value.prop_map(<[u8]>::to_vec)), 0..4)
}

fn request() -> impl Strategy<Value = Request> {
    (
        "/[!-~]{0,12}",
        fields(),
        vec(any::<u8>(), 0..300),
        option::of(vec(1..40usize, 1..4)),
        option::of(1..100_000u32),
        any::<bool>(),
    )
        .prop_map(|(path, fields, body, parts, timeout, gzip)| Request {
            path,
            fields,
            body,
            parts,
            timeout,
            gzip,
        })
}

fn reply() -> impl Strategy<Value = Reply> {
    (select(vec![200, 201, 404, 502, 503]), fields(), vec(any::<u8>(), 0..300), option::of(1..100usize))
        .prop_map(|(status, fields, body, streamed)| Reply { status, fields, body, streamed })
}

fn metadata(fields: &[(String, Vec<u8>)]) -> Metadata {
    fields.iter().map(|(n, v)| (n, v)).collect()
}

fn owned(fields: &[(String, Vec<u8>)]) -> Vec<(String, Octets)> {
    fields.iter().map(|(n, v)| (n.clone(), Octets(v.clone()))).collect()
}

/// A client that has written all of this request, and its bytes.
fn say(request: &Request) -> (Side, Vec<u8>) {
    let mut side = client();
    let call = Call {
        method: request.path.clone(),
        metadata: metadata(&request.fields),
        timeout: request.timeout.map(|ms| Duration::from_millis(ms.into())),
        compression: if request.gzip { Compression::GZIP } else { Compression::NONE },
        content: Content::PROTOBUF,
        ..Call::default()
    };
    match &request.parts {
        None => drop(side.call(&call.body(&request.body))),
        Some(sizes) => {
            let exchange = side.call(&call.parts_follow());
            let mut rest = &request.body[..];
            for size in sizes.iter().cycle() {
                let (piece, tail) = rest.split_at((*size).min(rest.len()));
                side.send_message(exchange, piece, tail.is_empty());
                rest = tail;
                if rest.is_empty() {
                    break;
                }
            }
        }
    }
    let said = side.written();
    (side, said)
}

fn check_request(request: &Request, open: &SeenOpen) -> Result<(), TestCaseError> {
    prop_assert_eq!(open.head.field(":path"), Some(request.path.as_bytes()));
    prop_assert_eq!(&open.body, &request.body);
    prop_assert_eq!(open.head.timeout, request.timeout.map(|ms| Duration::from_millis(ms.into())));
    prop_assert_eq!(open.head.compression == Compression::GZIP, request.gzip);
    let told: Vec<_> =
        open.head.fields.iter().filter(|(n, _)| n.starts_with("x-") && !is_timeout(n)).collect();
    let expected = owned(&request.fields);
    prop_assert_eq!(told, expected.iter().collect::<Vec<_>>());
    Ok(())
}

fn is_timeout(name: &str) -> bool {
    name == super::super::TIMEOUT_FIELD
}

fn answer(side: &mut Side, open: &SeenOpen, reply: &Reply) {
    let fields = Some(Box::new(metadata(&reply.fields)));
    let Some(size) = reply.streamed else {
        let status = match reply.status {
            200 => Status::OK,
            201 => Status::OK.with_native(Native::Http(201)),
            code => Status::internal("unused").with_native(Native::Http(code)),
        };
        let body = IoBuf::copy_from_slice(&reply.body);
        let outcome = Outcome {
            status,
            body,
            content: Content::RAW,
            reply: true,
            trailers: fields,
            ..Outcome::default()
        };
        return side.finish(open.exchange, outcome);
    };
    side.answer(open.exchange, &Answer { status: reply.status, metadata: fields, ..Answer::default() });
    for piece in reply.body.chunks(size) {
        side.send(open.exchange, &Part { bytes: IoBuf::copy_from_slice(piece), ..Part::default() });
    }
    side.finish(open.exchange, Outcome::default());
}

fn check_reply(reply: &Reply, seen: Seen) -> Result<(), TestCaseError> {
    let (_, outcome) = seen.expect_finish();
    prop_assert_eq!(&outcome.body, &reply.body);
    prop_assert_eq!(outcome.status.is_ok(), reply.status < 300);
    match reply.status {
        200 => prop_assert_eq!(outcome.status.native(), Native::None),
        code => prop_assert_eq!(outcome.status.native(), Native::Http(code)),
    }
    let told: Vec<_> = outcome.trailers.into_iter().filter(|(n, _)| is_given(n)).collect();
    prop_assert_eq!(told, owned(&reply.fields));
    Ok(())
}

fn is_given(name: &str) -> bool {
    name.starts_with("x-") && name != super::super::ERROR_CODE_FIELD
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn calls_arrive_and_their_replies_come_back(
        exchanges in vec((request(), reply()), 1..6),
        pieces in vec(1..60usize, 1..8),
        backwards in any::<bool>(),
    ) {
        let (mut clients, mut requests) = (Vec::new(), Vec::new());
        for (request, _) in &exchanges {
            let (side, said) = say(request);
            clients.push(side);
            requests.extend(said);
        }
        // All requests on one connection, pipelined.
        let mut server = server();
        let mut open = Vec::new();
        for seen in server.feed_split(&requests, &pieces) {
            open.push(seen.expect_open());
        }
        prop_assert_eq!(open.len(), exchanges.len());
        for ((request, _), open) in exchanges.iter().zip(&open) {
            check_request(request, open)?;
        }
        let mut answers: Vec<_> = open.iter().zip(&exchanges).collect();
        if backwards {
            answers.reverse();
        }
        for (open, (_, reply)) in answers {
            answer(&mut server, open, reply);
        }
        let mut replies = server.written();
        for (mut client, (_, reply)) in clients.into_iter().zip(&exchanges) {
            let mut seen = Seen::Need(1);
            let mut fed = 0;
            for size in pieces.iter().cycle() {
                let end = replies.len().min(fed + size);
                client.feed(&replies[fed..end]);
                fed = end;
                seen = client.poll();
                if !matches!(seen, Seen::Need(_)) || fed == replies.len() {
                    break;
                }
            }
            check_reply(reply, seen)?;
            let unread = client.input.len();
            replies.drain(..fed - unread);
        }
        prop_assert!(replies.is_empty());
    }

    #[test]
    fn uploads_in_pieces_arrive_whole(request in request(), pieces in vec(1..60usize, 1..8)) {
        let (_, said) = say(&request);
        let mut server = server().hosted(|h| h.deliver(Delivery::Pieces));
        let (mut body, mut ends) = (Vec::new(), 0);
        for seen in server.feed_split(&said, &pieces) {
            match seen {
                Seen::Open(open) => ends += u32::from(open.finished),
                Seen::Part { exchange, bytes, end_of_message, finished, .. } => {
                    prop_assert_eq!(end_of_message, finished);
                    body.extend_from_slice(&bytes);
                    ends += u32::from(finished);
                    server.grant(exchange, bytes.len(), 1);
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
        // The events that waited for the last grant.
        for seen in server.events() {
            if let Seen::Part { bytes, finished, .. } = seen {
                body.extend_from_slice(&bytes);
                ends += u32::from(finished);
            }
        }
        prop_assert_eq!(ends, 1);
        prop_assert_eq!(body, request.body);
    }
}

//! Dialects of a user's own, and adaptors that make more of a frame than it has.

use super::frame;
use crate::nshead::{Adaptor, Adaptors, Call as Dialected, Head, MAX_NAME, PROTOCOL, Reply, Returned};
use polywire_base::IoBuf;
use polywire_call::{Code, Status};
use polywire_machine_testing::{
    Seen, SeenTarget, Side, at_every_split_reacting, at_every_truncation, survives_noise,
};
use polywire_wire::{Content, Extensions, Limits, Route, ServerSetup, Wake, WireError};

/// A dialect: the first byte of a body names the method, the second one is how many bytes at the end are an
/// attachment.
struct Letters;

impl Adaptor for Letters {
    fn request(&mut self, _: &Head, mut body: IoBuf) -> Result<Dialected, Status> {
        let &[letter, attached, ..] = body.contiguous() else {
            return Err(Status::invalid_argument("short"));
        };
        body.advance(2);
        if usize::from(attached) > body.len() {
            return Err(Status::out_of_range("attachment"));
        }
        let message = body.cut(body.len() - usize::from(attached));
        let call = Dialected::new("p.S", char::from(letter).to_string(), message);
        Ok(Dialected { attachment: body, log_id: Some(9), ..call })
    }

    fn reply(&mut self, head: &Head, returned: Result<Returned, &Status>) -> Reply {
        match returned {
            _ if head.id == 7 => Reply::Nothing,
            Ok(returned) => Reply::Body(returned.message),
            Err(status) if status.code() == Code::OutOfRange => Reply::Close,
            Err(status) => Reply::Body(format!("{:?}", status.code()).into()),
        }
    }
}

fn adapted() -> Side {
    let mut extensions = Extensions::default();
    extensions.insert(std::sync::Arc::new(Adaptors::new(|| Letters)));
    Side::new(&PROTOCOL, ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() })
}

#[test]
fn an_adaptor_names_the_method_and_writes_the_reply() {
    let request = frame(0, 5, 0, b"M\x03message123");
    let mut side = adapted();
    let open = side.feed(&request).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Method { service: "p.S".into(), method: "M".into() });
    assert_eq!((open.message(), open.attachment()), (&b"message"[..], &b"123"[..]));
    assert_eq!(open.head.content, Content::PROTOBUF);
    assert_eq!(open.head.field("log-id"), Some(&b"9"[..]), "the adaptor's, not the head's");
    side.reply(&open, "done");
    assert_eq!(side.written(), frame(0, 5, 0, b"done"));
}

#[test]
fn an_adaptor_decides_what_is_told_of_failures() {
    let mut side = adapted();
    assert!(side.feed(frame(0, 0, 0, b"M")).poll().is_rest(), "too short");
    assert_eq!(side.written(), frame(0, 0, 0, b"InvalidArgument"));
    side.host.refuse_next(Status::unimplemented("nobody"));
    assert!(side.feed(frame(0, 0, 0, b"M\0")).poll().is_rest());
    assert_eq!(side.written(), frame(0, 0, 0, b"Unimplemented"));
    let open = side.feed(frame(0, 0, 0, b"M\0")).poll().expect_open();
    side.fail(open.exchange, Status::internal(""));
    assert_eq!(side.written(), frame(0, 0, 0, b"Internal"));
    let mut silent = frame(0, 0, 0, b"M\0");
    silent[0] = 7;
    let open = side.feed(&silent).poll().expect_open();
    side.reply(&open, "not sent");
    assert_eq!(side.written(), b"");
    assert_eq!(side.feed(frame(0, 0, 0, b"M\x01")).poll(), Seen::Closed, "Reply::Close");
    assert_eq!(side.written(), b"");
}

#[test]
fn an_adaptor_gets_whole_frames_at_every_split_and_survives_noise() {
    let request = frame(0, 5, 0, b"M\x03message123");
    let answered = |side: &mut Side, seen: &Seen| {
        if let Seen::Open(open) = seen {
            side.reply(open, &open.body.0);
        }
    };
    let three = [&request[..], &request, &request].concat();
    assert_eq!(at_every_split_reacting(adapted, answered, &three).seen.len(), 3);
    at_every_truncation(adapted, &request);
    survives_noise(adapted, &[&request], 3, 1500);
}

/// An adaptor that makes of a body what its first byte says: long names, long messages, panics, long replies.
struct Hostile;

impl Adaptor for Hostile {
    fn request(&mut self, _: &Head, mut body: IoBuf) -> Result<Dialected, Status> {
        let long = |length: usize| "n".repeat(length);
        Ok(match body.contiguous().first() {
            Some(b's') => Dialected::new(long(MAX_NAME + 1), "M", ""),
            Some(b'm') => Dialected::new("p.S", long(1 << 20), ""),
            Some(b'n') => Dialected::new(long(MAX_NAME), long(MAX_NAME), ""),
            Some(b'x') => Dialected::new("p.S", "M", vec![0; 2000]),
            Some(b'a') => Dialected { attachment: vec![0; 2000].into(), ..Dialected::new("p.S", "M", "") },
            Some(b'p') => panic!("a request of the peer"),
            _ => Dialected::new("p.S", "M", body),
        })
    }

    fn reply(&mut self, head: &Head, returned: Result<Returned, &Status>) -> Reply {
        match returned {
            _ if head.id == 7 => panic!("a reply"),
            Ok(returned) => Reply::Body(returned.message),
            Err(status) => Reply::Body(format!("{:?}", status.code()).into()),
        }
    }
}

fn hostile() -> Side {
    let mut extensions = Extensions::default();
    extensions.insert(std::sync::Arc::new(Adaptors::new(|| Hostile)));
    let limits = Limits::DEFAULT.max_message(1000);
    Side::new(&PROTOCOL, ServerSetup { limits, extensions: Some(&extensions), ..ServerSetup::default() })
}

#[test]
fn what_an_adaptor_makes_of_a_frame_has_limits_and_the_connection_goes_on() {
    let mut side = hostile();
    for (body, answer) in [("s", "Unimplemented"), ("m", "Unimplemented")] {
        assert!(side.feed(frame(0, 0, 0, body.as_bytes())).poll().is_rest());
        assert_eq!(side.written(), frame(0, 0, 0, answer.as_bytes()));
        assert!(side.host.asked.is_empty(), "nobody is asked for such a name");
    }
    let open = side.feed(frame(0, 0, 0, b"n")).poll().expect_open();
    side.reply(&open, "good");
    assert_eq!(side.written(), frame(0, 0, 0, b"good"));
    // A message that is longer than its method takes, whatever the frame was, with its attachment or without.
    for body in ["x", "a"] {
        side.host.route_next(Route { max_message: 1000, ..Route::default() });
        assert!(side.feed(frame(0, 0, 0, body.as_bytes())).poll().is_rest());
        assert_eq!(side.written(), frame(0, 0, 0, b"InvalidArgument"));
    }
    // A frame that is longer than a message may be is never given to it.
    let mut long = frame(0, 0, 0, &[b'p'; 1001]);
    long.truncate(36);
    assert_eq!(side.feed(long).poll(), Seen::Error(WireError::TooLarge));
}

#[test]
fn a_panic_of_an_adaptor_closes_its_connection() {
    let mut side = hostile();
    assert_eq!(side.feed(frame(0, 0, 0, b"p")).events(), [Seen::Closed]);
    assert_eq!(side.written(), b"");
    for answered in [true, false] {
        let mut request = frame(0, 0, 0, b"M");
        request[0] = 7;
        let mut side = hostile();
        let open = side.feed(&request).poll().expect_open();
        match answered {
            true => side.reply(&open, "reply"),
            false => side.fail(open.exchange, Status::internal("")),
        }
        assert_eq!((side.events(), side.written()), (vec![Seen::Closed], vec![]));
    }
}

#[test]
fn a_peer_that_does_not_read_what_an_adaptor_answers_is_not_read() {
    let mut side = hostile().with_room(1);
    let refused = frame(0, 0, 0, b"s");
    side.feed([&refused[..], &refused, &refused].concat());
    assert_eq!(side.poll(), Seen::Blocked);
    assert_eq!(
        side.written(),
        frame(0, 0, 0, b"Unimplemented"),
        "one answer, and no more before it is taken"
    );
    side.resume(Wake::Room).unwrap();
    assert_eq!(side.poll(), Seen::Blocked);
}

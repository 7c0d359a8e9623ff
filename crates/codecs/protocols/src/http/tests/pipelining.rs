//! "Answers in request order. Bound: at most N parsed but unanswered requests, then stop reading."

use super::{lines, said, server, server_with};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_machine_testing::{Seen, SeenOpen, Side};
use polywire_wire::{Answer, Credit, Limits, Part};

fn requests(n: usize) -> Vec<u8> {
    (0..n).flat_map(|i| lines(&format!("GET /{i} HTTP/1.1|Host: x||"))).collect()
}

fn opens(side: &mut Side) -> Vec<SeenOpen> {
    let events = side.events();
    events.into_iter().filter(|e| matches!(e, Seen::Open(_))).map(Seen::expect_open).collect()
}

fn bodies(side: &mut Side) -> Vec<String> {
    said(side).split("HTTP/1.1 200 OK").skip(1).map(|r| r.rsplit('|').next().unwrap().to_owned()).collect()
}

#[test]
fn replies_leave_in_the_order_of_requests_whatever_order_they_are_given_in() {
    let mut side = server();
    side.feed(requests(5));
    let open = opens(&mut side);
    assert_eq!(open.len(), 5);
    for i in [3, 1, 4] {
        side.reply(&open[i], format!("r{i}"));
    }
    assert_eq!(said(&mut side), "");
    side.reply(&open[0], "r0");
    assert_eq!(bodies(&mut side), ["r0", "r1"]);
    side.reply(&open[2], "r2");
    assert_eq!(bodies(&mut side), ["r2", "r3", "r4"]);
    assert_eq!(side.poll(), Seen::Need(1));
    assert_eq!(side.held(), 0);
}

#[test]
fn no_more_than_the_limit_are_open_at_once() {
    let mut side = server_with(Limits::default().exchanges(4));
    side.feed(requests(10));
    let open = opens(&mut side);
    assert_eq!(open.len(), 4);
    assert_eq!(side.poll(), Seen::Blocked);
    let slots: Vec<_> = open.iter().map(|o| o.exchange.slot).collect();
    assert_eq!(slots, [0, 1, 2, 3], "dense");
    side.reply(&open[1], "r1");
    assert_eq!(side.poll(), Seen::Blocked, "its place is free only when it has been said");
    side.reply(&open[0], "r0");
    let more = opens(&mut side);
    assert_eq!(more.len(), 2);
    [&open[2], &open[3], &more[0], &more[1]].into_iter().for_each(|o| side.reply(o, "x"));
    let last = opens(&mut side);
    assert_eq!(last.len(), 4);
    last.iter().for_each(|o| side.reply(o, "y"));
    assert_eq!(bodies(&mut side), ["r0", "r1", "x", "x", "x", "x", "y", "y", "y", "y"]);
}

#[test]
fn a_request_answered_at_once_takes_the_first_slot_again() {
    let mut side = server();
    for i in 0..40 {
        let open = super::opened(&mut side, "GET / HTTP/1.1|Host: x||");
        assert_eq!((open.exchange.slot, open.exchange.token), (0, i + 1));
        side.reply(&open, "x");
    }
}

#[test]
fn a_limit_of_one_is_serial() {
    let mut side = server_with(Limits::default().exchanges(1));
    side.feed(requests(3));
    for i in 0..3 {
        let open = side.poll().expect_open();
        assert_eq!(open.head.field(":path"), Some(format!("/{i}").as_bytes()));
        assert_eq!(side.poll(), if i < 2 { Seen::Blocked } else { Seen::Need(1) });
        side.reply(&open, "x");
    }
}

#[test]
fn a_peer_that_never_reads_is_not_read_either() {
    let mut side = server().with_room(1000);
    side.feed(requests(100));
    let mut answered = 0;
    loop {
        match side.poll() {
            Seen::Open(open) => {
                side.reply(&open, [b'x'; 100]);
                answered += 1;
            }
            Seen::Blocked => break,
            other => panic!("{other:?}"),
        }
    }
    assert!((5..=10).contains(&answered), "{answered}");
    side.written();
    side.resume(polywire_wire::Wake::Room).unwrap();
    assert!(matches!(side.poll(), Seen::Open(_)));
}

#[test]
fn refusals_keep_their_place_in_the_order() {
    let mut side = server();
    side.feed(requests(1));
    let first = side.poll().expect_open();
    side.host.refuse_next(Status::not_found("r1"));
    side.feed(requests(1));
    side.events();
    let third = super::opened(&mut side, "GET /2 HTTP/1.1|Host: x||");
    side.reply(&third, "r2");
    assert_eq!(said(&mut side), "");
    side.reply(&first, "r0");
    let said = said(&mut side);
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("r0") < place("r1") && place("r1") < place("r2"), "{said}");
}

#[test]
fn an_answer_that_streams_out_of_turn_waits_within_its_backlog() {
    let mut side = server_with(Limits::default().backlog(1000));
    side.feed(requests(2));
    let open = opens(&mut side);
    side.answer(open[1].exchange, &Answer::default());
    let part = Part { bytes: IoBuf::from(vec![b'x'; 600]), ..Part::default() };
    assert_eq!(side.send(open[1].exchange, &part), Credit { bytes: 400, messages: u32::MAX });
    assert!(!side.send(open[1].exchange, &part).is_open());
    assert_eq!((said(&mut side), side.poll()), (String::new(), Seen::Need(1)));
    side.reply(&open[0], "r0");
    let credit = Credit { bytes: 1000, messages: u32::MAX };
    assert_eq!(side.poll(), Seen::Credit { exchange: open[1].exchange, credit });
    assert!(said(&mut side).contains("||4b0|xxx"));
}

#[test]
fn http_1_0_is_never_read_ahead() {
    let mut side = server();
    side.feed(lines("GET /0 HTTP/1.0|Connection: keep-alive||GET /1 HTTP/1.0|Connection: keep-alive||"));
    let first = side.poll().expect_open();
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&first, "x");
    side.poll().expect_open();
}

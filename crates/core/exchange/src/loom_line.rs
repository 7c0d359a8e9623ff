//! Every interleaving of the two sides of a line.

use crate::{Caller, Desk, Draft, Line, Name, Pipe, Request};
use loom::thread;
use polywire_base::{
    IoBuf,
    loom_support::{block_on, model},
};
use polywire_call::Status;
use polywire_wire::{Content, Limits, Outcome, Part};
use std::task::{Context, Poll, Waker};

fn request(body: &'static str) -> Request {
    Request::new(Name::Static(""), Name::Static(""), IoBuf::from(body), Content::RAW)
}

fn outcome(body: &'static str) -> Outcome {
    Outcome { body: IoBuf::from(body), ..Outcome::default() }
}

fn part(body: &'static str) -> Part {
    Part { bytes: IoBuf::from(body), end_of_message: true, ..Part::default() }
}

fn pipe(ahead: u32, outward: usize) -> Box<Pipe> {
    Pipe::with_outward(&Limits::default().ahead(ahead), outward)
}

/// Home: the next posted line.
fn next(desk: &Desk) -> loom::sync::Arc<Line> {
    let mut lines = Vec::new();
    block_on(|cx| {
        loop {
            desk.inbox().drain(&mut lines);
            if let Some(line) = lines.pop() {
                return Poll::Ready(line);
            }
            if desk.inbox().sleep(cx.waker()) {
                return Poll::Pending;
            }
        }
    })
}

#[test]
fn a_caller_hears_its_outcome_and_gets_its_request_back() {
    model(3, || {
        let mut desk = Desk::new();
        let inbox = desk.inbox().clone();
        let home = thread::spawn(move || {
            let line = next(&desk);
            assert_eq!(desk.request(&line).expect("a call").body.to_vec(), b"ask");
            desk.complete(&line, outcome("answer"));
        });
        let mut caller = Draft::new(request("ask")).post(&inbox).ok().expect("home is there");
        assert_eq!(block_on(|cx| caller.poll_reply(cx)).body.to_vec(), b"answer");
        assert_eq!(caller.reclaim().expect("home has let go").body.to_vec(), b"ask");
        home.join().unwrap();
    });
}

#[test]
fn a_caller_that_gives_up_races_with_its_outcome() {
    model(3, || {
        let mut desk = Desk::new();
        let caller = Draft::new(request("ask")).post(desk.inbox()).ok().expect("home is there");
        let user = thread::spawn(move || caller.abandon());
        let line = next(&desk);
        if !line.is_dropped() {
            assert!(desk.request(&line).is_some());
        }
        desk.complete(&line, outcome("answer"));
        user.join().unwrap();
        desk.inbox().close(&mut Vec::new());
    });
}

#[test]
fn a_call_posted_to_a_home_that_ends_is_taken_or_comes_back() {
    model(3, || {
        let mut desk = Desk::new();
        let inbox = desk.inbox().clone();
        let home = thread::spawn(move || {
            let mut left = Vec::new();
            desk.inbox().close(&mut left);
            left.iter().for_each(|line| desk.complete(line, outcome("ended")));
        });
        let back = match Draft::new(request("ask")).post(&inbox) {
            Ok(mut caller) => {
                assert_eq!(block_on(|cx| caller.poll_reply(cx)).body.to_vec(), b"ended");
                caller.reclaim().expect("home has let go")
            }
            Err(draft) => draft.into_request(),
        };
        assert_eq!(back.body.to_vec(), b"ask");
        home.join().unwrap();
    });
}

#[test]
fn a_handler_that_answers_races_with_the_end_of_its_call() {
    model(3, || {
        let mut desk = Desk::new();
        let (line, answerer, (mut source, _sink)) = Line::serve_stream(desk.inbox(), pipe(1, 1));
        let handler = thread::spawn(move || {
            answerer.answer(outcome("mine"));
            block_on(|cx| source.poll_next(cx))
        });
        let answered = desk.take_answer(&line);
        desk.complete(&line, Outcome { status: Status::cancelled("reset"), ..Outcome::default() });
        let end = handler.join().unwrap();
        assert!(matches!(end, Some(Err(status)) if status.message() == "reset"));
        let late = desk.take_answer(&line);
        let heard = answered.or(late).expect("answered once");
        assert_eq!(heard.body.to_vec(), b"mine");
        assert!(desk.take_answer(&line).is_none());
        desk.inbox().close(&mut Vec::new());
    });
}

/// Its task is polled again and again, so that it registers while its waker may be in use.
#[test]
fn a_caller_that_is_polled_again_by_another_task_hears_its_outcome() {
    model(3, || {
        let mut desk = Desk::new();
        let inbox = desk.inbox().clone();
        let home = thread::spawn(move || {
            let line = next(&desk);
            desk.complete(&line, outcome("answer"));
        });
        let mut caller = Draft::new(request("ask")).post(&inbox).ok().expect("home is there");
        let early = caller.poll_reply(&mut Context::from_waker(Waker::noop()));
        let heard = match early {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => block_on(|cx| caller.poll_reply(cx)),
        };
        assert_eq!(heard.body.to_vec(), b"answer");
        home.join().unwrap();
    });
}

#[test]
fn a_parked_handler_hears_of_its_end() {
    model(3, || {
        let mut desk = Desk::new();
        let (line, mut answerer) = Line::serve(desk.inbox());
        let handler = thread::spawn(move || {
            block_on(|cx| if answerer.watch(cx.waker()) { Poll::Ready(()) } else { Poll::Pending })
        });
        desk.cancel(&line);
        handler.join().unwrap();
    });
}

#[test]
fn parts_that_came_before_the_end_are_read_before_it() {
    model(2, || {
        let mut desk = Desk::new();
        let (line, source, sink) = Caller::stream(desk.inbox(), request("ask"), pipe(4, 1));
        let home = thread::spawn(move || {
            line.push_part(part("one")).ok().expect("room");
            line.push_part(part("two")).ok().expect("room");
            desk.complete(&line, outcome("bye"));
            desk.inbox().close(&mut Vec::new());
        });
        let mut source = source;
        let mut seen = Vec::new();
        while let Some(part) = block_on(|cx| source.poll_next(cx)) {
            seen.extend(part.expect("a good end").bytes.to_vec());
        }
        assert_eq!(
            (&seen[..], source.outcome().expect("last words").body.to_vec()),
            (&b"onetwo"[..], b"bye".to_vec())
        );
        home.join().unwrap();
        drop(sink);
    });
}

#[test]
fn a_sink_that_waits_for_room_is_woken_by_room_and_by_the_end() {
    for ends in [false, true] {
        model(2, move || {
            let mut desk = Desk::new();
            let (line, source, mut sink) = Caller::stream(desk.inbox(), request("ask"), pipe(4, 1));
            let home = thread::spawn(move || {
                let posted = next(&desk);
                if ends {
                    desk.cancel(&posted);
                } else {
                    while posted.pop_part().is_none() {
                        thread::yield_now();
                    }
                    posted.wake_writer();
                }
                (desk, posted)
            });
            assert!(Line::post(&line));
            let mut sent = 0;
            for _ in 0..2 {
                let mut next = Some(part("x"));
                match block_on(|cx| sink.poll_send(&mut next, cx)) {
                    Ok(()) => sent += 1,
                    Err(_) => assert!(ends),
                }
            }
            assert!(ends || sent == 2);
            let (mut desk, posted) = home.join().unwrap();
            desk.cancel(&posted);
            desk.inbox().close(&mut Vec::new());
            drop((source, sink));
        });
    }
}

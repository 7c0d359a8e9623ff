//! Who is quick waits for who is slow, and what waits between them is bounded. Counted, not timed.

use crate::{
    support::{Closures, from_fn, net_with, number, run_over},
    talk::Talk,
};
use polywire::{Limits, Stream};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::*},
};
use tokio::sync::Semaphore;

const AHEAD: u32 = 8;
/// Short messages that wait to be sent.
const QUEUED: u32 = polywire_exchange::Pipe::OUTWARD as u32;

/// More than find room in both directions.
const MESSAGES: u32 = 4 * QUEUED;

/// Messages that may be between a handler's stream and a reader: queued for sending, under way, and one in
/// hand at each end.
const BETWEEN: u32 = QUEUED + AHEAD + 2;

fn limits() -> Limits {
    Limits::default().ahead(AHEAD)
}

#[test]
fn a_handler_is_not_asked_for_more_than_the_reader_has_room_for() {
    run_over("lab", async || {
        let made = Arc::new(AtomicU32::new(0));
        let counter = made.clone();
        let service = Closures::default().count(move |_, request| {
            let made = counter.clone();
            Ok(from_fn(move || {
                let n = made.fetch_add(1, SeqCst);
                (n < request.number).then(|| Ok(number(n)))
            }))
        });
        let (_running, talk) = net_with(service.into_service(), limits(), "lab");
        let mut lines = talk.count(number(MESSAGES)).await.unwrap();
        let mut most = 0;
        for n in 0..MESSAGES {
            assert_eq!(lines.next().await.unwrap().unwrap().number, n);
            most = most.max(made.load(SeqCst) - n);
            if n == 0 {
                // Nothing else is read: other calls on the connection complete, and the handler waits.
                while made.load(SeqCst) < QUEUED + AHEAD {
                    tokio::task::yield_now().await;
                }
                for _ in 0..100 {
                    talk.say(number(1)).await.unwrap();
                }
            }
        }
        assert!((QUEUED + AHEAD..=BETWEEN).contains(&most), "{most} messages ahead");
        assert_eq!(lines.next().await, None);
    });
}

#[test]
fn a_caller_waits_for_a_handler_that_reads_slowly() {
    run_over("lab", async || {
        let (read, gate) = (Arc::new(AtomicU32::new(0)), Arc::new(Semaphore::new(0)));
        let (counter, step) = (read.clone(), gate.clone());
        let service = Closures::default().sum(move |_, mut incoming| {
            let (read, gate) = (counter.clone(), step.clone());
            async move {
                loop {
                    gate.acquire().await.unwrap().forget();
                    if incoming.next().await.transpose()?.is_none() {
                        return Ok(number(read.load(SeqCst)));
                    }
                    read.fetch_add(1, SeqCst);
                }
            }
        });
        let (_running, talk) = net_with(service.into_service(), limits(), "lab");
        let mut upload = talk.sum().await.unwrap();
        let mut most = 0;
        for sent in 0..MESSAGES {
            // As much as fits goes without a step; then each step makes room.
            if sent >= QUEUED {
                gate.add_permits(1);
            }
            upload.send(number(sent)).await.unwrap();
            most = most.max(sent + 1 - read.load(SeqCst));
        }
        assert!(most <= BETWEEN, "{most} messages ahead");
        gate.add_permits(MESSAGES as usize);
        assert_eq!(upload.finish().await.unwrap().number, MESSAGES);
    });
}

#[test]
fn both_sides_wait_in_a_chat_whose_answers_nobody_reads() {
    run_over("lab", async || {
        let echoed = Arc::new(AtomicU32::new(0));
        let counter = echoed.clone();
        let service = Closures::default().chat(move |_, mut incoming| {
            let echoed = counter.clone();
            Ok(crate::support::poll_fn(move |cx| {
                let polled = std::pin::Pin::new(&mut incoming).poll_next(cx);
                if polled.is_ready() {
                    echoed.fetch_add(1, SeqCst);
                }
                polled
            }))
        });
        let (_running, talk) = net_with(service.into_service(), limits(), "lab");
        let (mut outgoing, mut incoming) = talk.chat().await.unwrap().split();
        let sent = Arc::new(AtomicU32::new(0));
        let counter = sent.clone();
        let sending = tokio::spawn(async move {
            for n in 0..MESSAGES {
                outgoing.send(number(n)).await.unwrap();
                counter.fetch_add(1, SeqCst);
            }
        });
        // Both directions fill, and then a thousand other calls move nothing in them.
        while sent.load(SeqCst) < 2 * (QUEUED + AHEAD) {
            tokio::task::yield_now().await;
        }
        for _ in 0..100 {
            talk.say(number(1)).await.unwrap();
        }
        assert!(echoed.load(SeqCst) <= BETWEEN, "{echoed:?} answers made");
        assert!(sent.load(SeqCst) <= 2 * BETWEEN + 2, "{sent:?} messages sent");
        for n in 0..MESSAGES {
            assert_eq!(incoming.next().await.unwrap().unwrap().number, n);
        }
        assert_eq!(incoming.next().await, None);
        sending.await.unwrap();
    });
}

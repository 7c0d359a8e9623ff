//! What is run before and after each try.

use crate::cluster::*;
use polywire_call::{Code, Status};
use polywire_client::{Hedge, Parallel, Resilience, TryEnd, TryInterceptor, TryKind, TryStart};
use polywire_machine_testing::Log;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

/// Logs what it sees, and refuses tries at one server.
struct Seen {
    log: Log,
    refuses: &'static str,
}

impl TryInterceptor for Seen {
    fn before(&self, attempt: &mut TryStart<'_>) -> Result<(), Status> {
        let (number, kind, server) = (attempt.number(), attempt.kind(), attempt.server());
        assert_eq!(
            (attempt.service(), attempt.method(), attempt.protocol()),
            ("test.Service", "Echo", "lab")
        );
        assert!(attempt.time_left().is_some_and(|left| left <= 1000 * MS));
        if server == self.refuses {
            return Err(Status::permission_denied("not there"));
        }
        self.log.add(format!("{number} {kind:?} {server}"));
        attempt.set_extension(kind);
        Ok(())
    }

    fn after(&self, attempt: &TryEnd<'_>) {
        assert_eq!(attempt.extension::<TryKind>(), Some(&attempt.kind()));
        let (code, bytes) = (attempt.status().code(), attempt.reply_len());
        let ms = attempt.elapsed().as_millis();
        self.log.add(format!("{} {} {code} {bytes} bytes {ms} ms", attempt.number(), attempt.server()));
    }
}

fn seen(log: &Log) -> Seen {
    Seen { log: log.clone(), refuses: "" }
}

#[test]
fn each_try_is_seen_at_its_server() {
    run(async {
        let (cluster, log) = (Cluster::default(), Log::default());
        cluster.set("a:1", Manner::Declines);
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("rr"))
            .try_interceptor(seen(&log));
        let channel = channel.build().unwrap();
        while log.take().first().is_none_or(|first| first != "1 First a:1") {
            log.take();
            assert_eq!(who(ask(&channel).await), "b:1");
        }
        // The next call begins at the other one.
        assert_eq!(who(ask(&channel).await), "b:1");
        let (first, second) = (log.take(), {
            let _ = who(ask(&channel).await);
            log.take()
        });
        let tried = if first[0].ends_with("a:1") { first } else { second };
        assert_eq!(tried[0], "1 First a:1");
        assert!(tried[1].starts_with("1 a:1 UNAVAILABLE 0 bytes"), "{tried:?}");
        assert_eq!(tried[2..], ["2 Retry b:1", "2 b:1 OK 3 bytes 0 ms"]);
    });
}

#[test]
fn a_hedge_is_a_try_and_the_slower_one_is_given_up() {
    run(async {
        let (cluster, log) = (Cluster::default(), Log::default());
        cluster.set("a:1", Manner::AnswersAfter(900 * MS));
        cluster.set("b:1", Manner::AnswersAfter(5 * MS));
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("rr").hedge(Hedge::after(20 * MS)));
        let channel = channel.try_interceptor(seen(&log)).build().unwrap();
        let hedged = loop {
            assert_eq!(who(ask(&channel).await), "b:1");
            let tries = log.take();
            if tries.len() > 2 {
                break tries;
            }
        };
        assert_eq!(hedged[..2], ["1 First a:1", "2 Hedge b:1"]);
        assert!(hedged[2].starts_with("2 b:1 OK 3 bytes"), "{hedged:?}");
        assert!(hedged[3].starts_with("1 a:1 CANCELLED 0 bytes 2"), "{hedged:?}");
    });
}

#[test]
fn a_try_that_is_refused_is_not_sent() {
    run(async {
        let (cluster, log) = (Cluster::default(), Log::default());
        for name in ["a:1", "list://a:1"] {
            let channel = cluster.channel(name).try_interceptor(seen(&log));
            let channel = channel.try_interceptor(Seen { log: log.clone(), refuses: "a:1" }).build().unwrap();
            let refused = ask(&channel).await.unwrap_err();
            assert_eq!((refused.code(), refused.message()), (Code::PermissionDenied, "not there"));
            assert_eq!(log.take(), ["1 First a:1", "1 a:1 PERMISSION_DENIED 0 bytes 0 ms"]);
            let refused = ask(&channel).blocking().unwrap_err();
            assert_eq!(refused.code(), Code::PermissionDenied);
            assert_eq!(log.take().len(), 2);
        }
        assert_eq!(cluster.calls("a:1").0, 0);
    });
}

#[test]
fn the_parts_of_a_combined_call_are_tries_of_their_channels() {
    run(async {
        let (cluster, log) = (Cluster::default(), Log::default());
        let watched = cluster.channel("a:1").try_interceptor(seen(&log)).build().unwrap();
        let plain = cluster.channel("b:1").build().unwrap();
        let both = Parallel::new().channel(watched).channel(plain).fail_limit(1).build().unwrap();
        let _ = ask(&both).await; // how replies of the lab are merged does not matter
        assert_eq!(log.take(), ["1 First a:1", "1 a:1 OK 3 bytes 0 ms"]);
    });
}

#[test]
fn a_call_that_is_given_up_ends_its_try() {
    run(async {
        let (cluster, log) = (Cluster::default(), Log::default());
        cluster.set("a:1", Manner::AnswersAfter(900 * MS));
        for name in ["a:1", "list://a:1"] {
            let channel = cluster.channel(name).try_interceptor(seen(&log)).build().unwrap();
            assert!(tokio::time::timeout(7 * MS, ask(&channel).into_future()).await.is_err());
            assert_eq!(log.take(), ["1 First a:1", "1 a:1 CANCELLED 0 bytes 7 ms"]);
            assert_eq!(ask(&channel).timeout(9 * MS).await.unwrap_err().code(), Code::DeadlineExceeded);
            let late = log.take();
            assert!(late[1].starts_with("1 a:1 DEADLINE_EXCEEDED"), "{late:?}");
        }
    });
}

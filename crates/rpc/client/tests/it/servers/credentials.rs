//! Credentials that are fetched and renewed: what calls get while their source answers, fails and lies.

use crate::cluster::*;
use polywire_call::Code;
use polywire_client::{Channel, Credentials, Token};
use std::{
    collections::VecDeque,
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::{Instant, sleep};

const MS: Duration = Duration::from_millis(1);
const S: Duration = Duration::from_secs(1);

/// What a source does when it is asked.
#[derive(Clone, Copy)]
enum Does {
    Gives(&'static str, Duration),
    GivesAfter(Duration, &'static str, Duration),
    Fails,
    Hangs,
    Panics,
    PanicsAtOnce,
}

/// A source that does one thing after the other, and the last one again and again.
#[derive(Clone)]
struct Script(Arc<Mutex<(usize, VecDeque<Does>)>>);

impl Script {
    fn new(does: impl IntoIterator<Item = Does>) -> Script {
        Script(Arc::new(Mutex::new((0, does.into_iter().collect()))))
    }

    /// How often it was asked.
    fn asked(&self) -> usize {
        self.0.lock().unwrap().0
    }

    fn next(&self) -> Does {
        let mut script = self.0.lock().unwrap();
        script.0 += 1;
        if script.1.len() > 1 { script.1.pop_front().unwrap() } else { script.1[0] }
    }

    fn credentials(&self) -> Credentials {
        let script = self.clone();
        Credentials::new("the vault", move || {
            let does = script.next();
            assert!(!matches!(does, Does::PanicsAtOnce), "a source that panics at once");
            async move {
                match does {
                    Does::Gives(token, lifetime) => Ok(Token::new(token).valid_for(lifetime)),
                    Does::GivesAfter(pause, token, lifetime) => {
                        sleep(pause).await;
                        Ok(Token::new(token).valid_for(lifetime))
                    }
                    Does::Fails => Err("it is sealed\r\nx: y"),
                    Does::Hangs => pending().await,
                    Does::Panics | Does::PanicsAtOnce => panic!("a source that panics"),
                }
            }
        })
    }

    fn channel(&self, cluster: &Cluster, name: &str) -> Channel {
        cluster.channel(name).credentials(self.credentials()).build().unwrap()
    }
}

const GIVES: Does = Does::GivesAfter(Duration::from_millis(50), "secret", Duration::from_secs(100));

#[test]
fn calls_wait_for_the_first_token_which_is_fetched_once() {
    run(async {
        for name in ["a:1", "list://a:1,b:1"] {
            let (cluster, script) = (Cluster::default(), Script::new([GIVES]));
            let channel = script.channel(&cluster, name);
            let begun = Instant::now();
            let calls = (0..50).map(|_| tokio::spawn(ask(&channel).into_future()));
            for call in calls.collect::<Vec<_>>() {
                assert!(call.await.unwrap().is_ok());
            }
            assert_eq!((script.asked(), begun.elapsed().as_millis()), (1, 50), "{name}");
        }
    });
}

#[test]
fn a_token_is_renewed_before_its_end_and_no_call_waits_for_that() {
    run(async {
        let (cluster, script) = (Cluster::default(), Script::new([GIVES]));
        let channel = script.channel(&cluster, "a:1");
        for _ in 0..300 {
            let begun = Instant::now();
            assert!(ask(&channel).await.is_ok());
            assert!(begun.elapsed().is_zero() || script.asked() == 1, "{:?}", begun.elapsed());
            sleep(S).await;
        }
        assert!((4..=6).contains(&script.asked()), "{}", script.asked());
    });
}

#[test]
fn the_last_token_stays_until_its_end_while_its_source_fails() {
    run(async {
        let (cluster, script) = (Cluster::default(), Script::new([GIVES, Does::Fails]));
        let channel = script.channel(&cluster, "list://a:1");
        assert!(ask(&channel).await.is_ok());
        for _ in 0..99 {
            assert!(ask(&channel).await.is_ok());
            sleep(S).await;
        }
        let renewals = script.asked();
        assert!((3..=12).contains(&renewals), "with pauses: {renewals}");
        sleep(2 * S).await;
        let failed = ask(&channel).await.unwrap_err();
        assert_eq!(failed.code(), Code::Unavailable);
        assert_eq!(failed.message(), "no credential of the vault: it is sealed  x: y");
        assert_eq!(channel.why().servers[0].failed, 0, "nobody says that of the server");
        let asked = script.asked();
        for _ in 0..100 {
            assert!(ask(&channel).await.is_err());
        }
        assert!(script.asked() <= asked + 1, "calls do not hurry it");
        *script.0.lock().unwrap() = (0, [GIVES].into());
        sleep(40 * S).await;
        assert!(ask(&channel).await.is_ok(), "it is asked again after the pause");
    });
}

#[test]
fn a_source_that_hangs_panics_or_lies_fails_calls_and_says_why() {
    run(async {
        for (does, why, ms) in [
            (Does::Hangs, "no answer within 5s", 5000),
            (Does::Panics, "it panicked", 0),
            (Does::PanicsAtOnce, "it panicked", 0),
            (Does::Fails, "it is sealed  x: y", 0),
            (Does::Gives("", S), "it gave an empty token", 0),
            (Does::Gives("secret\r\nx-admin: 1", S), "it gave a token with a character that is", 0),
            (Does::Gives("secret", Duration::ZERO), "it gave a token whose time is over", 0),
        ] {
            let (cluster, script) = (Cluster::default(), Script::new([does]));
            let channel = script.channel(&cluster, "a:1");
            let begun = Instant::now();
            let failed = ask(&channel).timeout(3600 * S).await.unwrap_err();
            assert_eq!((failed.code(), begun.elapsed().as_millis()), (Code::Unavailable, ms), "{failed:?}");
            let said = format!("no credential of the vault: {why}");
            assert!(failed.message().starts_with(&said), "{failed:?}");
            assert!(!failed.message().contains("secret"), "{failed:?}");
            assert_eq!(cluster.calls("a:1").0, 0, "{why}");
        }
    });
}

#[test]
fn a_call_waits_no_longer_than_its_deadline() {
    run(async {
        let (cluster, script) = (Cluster::default(), Script::new([Does::Hangs]));
        let channel = script.channel(&cluster, "a:1");
        let begun = Instant::now();
        let failed = ask(&channel).timeout(250 * MS).await.unwrap_err();
        assert_eq!((failed.code(), begun.elapsed().as_millis()), (Code::DeadlineExceeded, 250));
        assert!(failed.message().contains("no credential of the vault yet"), "{failed:?}");
    });
}

#[test]
fn a_patient_call_waits_until_the_source_answers() {
    run(async {
        let (cluster, script) = (Cluster::default(), Script::new([Does::Fails, Does::Panics, GIVES]));
        let channel = script.channel(&cluster, "list://a:1");
        assert!(ask(&channel).wait_for_ready(true).timeout(60 * S).await.is_ok());
        assert_eq!(script.asked(), 3);
    });
}

#[test]
fn a_runtime_that_ends_during_a_fetch_leaves_no_call_waiting() {
    let (cluster, script) = (Cluster::default(), Script::new([Does::Hangs, GIVES]));
    let channel = script.channel(&cluster, "a:1");
    run(async {
        assert!(tokio::time::timeout(MS, ask(&channel).into_future()).await.is_err());
    });
    run(async { assert!(ask(&channel).await.is_ok()) });
    assert_eq!(script.asked(), 2);
}

#[test]
fn a_server_that_refuses_every_token_does_not_hurry_the_source() {
    run(async {
        let (cluster, script) = (Cluster::default(), Script::new([GIVES]));
        cluster.set("a:1", Manner::KnowsNobody);
        let channel = script.channel(&cluster, "list://a:1");
        for _ in 0..20 {
            assert_eq!(ask(&channel).await.unwrap_err().code(), Code::Unauthenticated);
        }
        sleep(500 * MS).await;
        assert_eq!(script.asked(), 2, "once for the first one that was refused");
        for _ in 0..1000 {
            assert_eq!(ask(&channel).await.unwrap_err().code(), Code::Unauthenticated);
            sleep(100 * MS).await;
        }
        assert!((6..=9).contains(&script.asked()), "1, 2, 4, 8, 16, 32 s apart: {}", script.asked());
        cluster.set("a:1", Manner::Answers);
        for _ in 0..1000 {
            assert!(ask(&channel).await.is_ok());
        }
    });
}

#[test]
fn blocking_calls_get_tokens_too() {
    let (cluster, script) = (Cluster::default(), Script::new([GIVES]));
    for name in ["a:1", "list://a:1"] {
        let channel = script.channel(&cluster, name);
        assert!(ask(&channel).timeout(60 * S).blocking().is_ok());
    }
    // On the thread of a runtime that cannot run the fetch meanwhile.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let channel = script.channel(&cluster, "a:1");
    runtime.block_on(async { assert!(ask(&channel).timeout(60 * S).blocking().is_ok()) });
}

#[test]
fn a_token_is_in_no_text() {
    run(async {
        let (cluster, script) = (Cluster::default(), Script::new([GIVES]));
        let credentials = script.credentials();
        let channel = cluster.channel("list://a:1").credentials(credentials.clone()).build().unwrap();
        assert!(ask(&channel).await.is_ok());
        cluster.set("a:1", Manner::Fails);
        let failed = ask(&channel).await.unwrap_err();
        let why = channel.why();
        for text in [format!("{credentials:?} {failed:?} {failed}"), format!("{why:?} {why}"), why.to_json()]
        {
            assert!(!text.contains("secret"), "{text}");
        }
        assert_eq!(format!("{credentials:?}"), "Credentials { source: \"the vault\", .. }");
    });
}

#[test]
fn one_kind_of_credential_is_enough() {
    let script = Script::new([GIVES]);
    let built = Cluster::default().channel("a:1").credential("x").credentials(script.credentials()).build();
    let why = built.err().expect("it is refused").to_string();
    assert!(why.contains("credential and credentials are both set"), "{why}");
}

//! What becomes of calls while servers fail. `cargo run -p polywire --example faults` prints the whole table.

mod bed;
mod fault;
mod figures;

use crate::talk;
use bed::Setup;
use fault::Fault;
use figures::Figures;
use std::time::Duration;

/// The protocols whose servers say goodbye, so that a call finds out before it is sent.
const POLITE: [&str; 4] = ["baidu_std", "grpc", "h2", "http"];
/// Between two calls of a client, where it does not matter.
const SELDOM: Duration = Duration::from_millis(20);

#[test]
fn one_slow_server_of_ten_hardly_shows_under_p2c() {
    let Figures { before, during, .. } = Figures::of(&bed::run(Setup::new("p2c", Fault::Slow)));
    assert_eq!(during.failed, 0);
    let (healthy, slow) = (before.at(0.999), during.at(0.999));
    assert!(slow < healthy * 3 / 2, "p99.9 {slow:?}, healthy {healthy:?}");
}

#[test]
fn one_server_of_ten_that_fails_at_once_costs_prequal_a_call_of_each_client_now_and_then() {
    let Figures { during, .. } = Figures::of(&bed::run(Setup::new("prequal", Fault::FailsFast)));
    assert!((1..=12).contains(&during.failed), "{} of {}", during.failed, during.all);
}

#[test]
fn no_call_fails_while_all_servers_are_stopped_and_started_in_turn() {
    for protocol in POLITE {
        let setup = Setup::new("p2c", Fault::RestartsAll);
        let Figures { during, .. } = Figures::of(&bed::run(Setup { protocol, gap: SELDOM, ..setup }));
        assert!(during.all > 1000);
        assert_eq!(during.failed, 0, "{protocol}");
    }
}

#[test]
fn no_call_that_may_be_repeated_fails_while_all_servers_are_killed_and_started_in_turn() {
    for protocol in POLITE {
        let setup = Setup::new("p2c", Fault::KillsAll);
        let Figures { during, .. } = Figures::of(&bed::run(Setup { protocol, gap: SELDOM, ..setup }));
        assert!(during.all > 1000);
        assert_eq!(during.failed, 0, "{protocol}");
    }
}

#[test]
fn calls_succeed_again_soon_after_all_servers_were_gone_for_two_seconds() {
    let setup = Setup { gap: SELDOM, ..Setup::new("p2c", Fault::AllGone) };
    let Figures { during, trouble, .. } = Figures::of(&bed::run(setup));
    assert!(during.failed > 0, "there was nobody to call");
    assert!(trouble < Duration::from_secs(5), "the last failure was after {trouble:?}");
}

#[test]
fn runs_with_one_seed_are_alike() {
    let setup = Setup { gap: SELDOM, ..Setup::new("p2c", Fault::BlackHole) };
    let [run, again] = [bed::run(setup), bed::run(setup)];
    let other = run.iter().zip(&again).find(|(call, again)| call != again);
    assert_eq!((other, run.len()), (None, again.len()));
    assert!(run != bed::run(Setup { seed: 8, ..setup }));
}

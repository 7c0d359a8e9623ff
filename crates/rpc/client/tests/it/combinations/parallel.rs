//! Parallel channels: every call goes to all channels, and their replies become one.

use crate::cluster::*;
use polywire_call::{Code, Status, brpc};
use polywire_client::{Branch, Channel, Mapping, Merging, Parallel, Part, Resilience};
use std::time::Duration;
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

/// A channel to one server of the cluster.
fn to(cluster: &Cluster, address: &str) -> Channel {
    cluster.channel(address).resilience(Resilience::default().retries(0)).build().unwrap()
}

/// A channel to each of these.
fn all(cluster: &Cluster, addresses: &[&str]) -> Parallel {
    let add = |parallel: Parallel, address: &&str| parallel.channel(to(cluster, address));
    addresses.iter().fold(Parallel::new(), add)
}

#[test]
fn every_channel_is_called_and_replies_are_joined_in_order() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(20 * MS));
        let channel = all(&cluster, &["a:1", "b:1", "c:1"]).build().unwrap();
        let begun = Instant::now();
        assert_eq!(who(ask(&channel).await), "a:1b:1c:1");
        assert_eq!(begun.elapsed().as_millis(), 20, "all at once");
        assert_eq!((channel.connections_made(), channel.address()), (3, "parallel of 3 channels"));
        channel.probe().await.unwrap();
    });
}

#[test]
fn plain_threads_call_all_channels_too() {
    let cluster = Cluster::default();
    let channel = all(&cluster, &["a:1", "b:1"]).build().unwrap();
    for _ in 0..10 {
        assert_eq!(who(ask(&channel).blocking()), "a:1b:1");
    }
}

#[test]
fn what_succeeds_is_merged_unless_all_fail() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Refuses);
        let channel = all(&cluster, &["a:1", "b:1", "c:1"]).build().unwrap();
        assert_eq!(who(ask(&channel).await), "a:1c:1");
        ["a:1", "c:1"].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(why.code(), Code::Unavailable);
        let told = "parallel: 3/3 channels failed, fail_limit=3 [C0] ";
        assert!(why.message().starts_with(told) && why.message().contains(" [C2] c:1 (lab): "), "{why}");
    });
}

#[test]
fn at_the_fail_limit_the_call_ends_and_the_others_are_given_up() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(900 * MS));
        cluster.set("b:1", Manner::Refuses);
        cluster.set("c:1", Manner::Declines);
        let channel = all(&cluster, &["a:1", "b:1", "c:1"]).fail_limit(2).build().unwrap();
        let begun = Instant::now();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(begun.elapsed().as_millis(), 0);
        assert_eq!(brpc::number(&why), brpc::ETOOMANYFAILS, "{why}");
        assert!(why.message().contains("2/3 channels failed, fail_limit=2 [C1] "), "{why}");
        tokio::time::sleep(1000 * MS).await;
        assert_eq!(cluster.calls("a:1").1, 1, "the server is told");
    });
}

#[test]
fn at_the_success_limit_the_call_ends_with_what_there_is() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(500 * MS));
        let channel = all(&cluster, &["a:1", "b:1", "c:1"]).success_limit(2).build().unwrap();
        let begun = Instant::now();
        assert_eq!(who(ask(&channel).await), "b:1c:1");
        assert_eq!(begun.elapsed().as_millis(), 0);
        tokio::time::sleep(1000 * MS).await;
        assert_eq!(cluster.calls("a:1").1, 1);
    });
}

#[test]
fn the_deadline_is_that_of_the_call_and_keeps_what_has_succeeded() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(5000 * MS));
        let channel = all(&cluster, &["a:1", "b:1"]).timeout(100 * MS).build().unwrap();
        let begun = Instant::now();
        assert_eq!(who(ask(&channel).await), "b:1", "one failure of two is no failure");
        assert_eq!(begun.elapsed().as_millis(), 100);
        let strict = all(&cluster, &["a:1", "b:1"]).fail_limit(1).build().unwrap();
        let begun = Instant::now();
        let why = ask(&strict).timeout(300 * MS).await.unwrap_err();
        assert_eq!((why.code(), begun.elapsed().as_millis()), (Code::DeadlineExceeded, 300));
        assert!(why.message().starts_with("deadline exceeded after 300 ms: parallel: 1/2"), "{why}");
    });
}

#[test]
fn a_channel_may_have_less_time_than_the_call() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(5000 * MS));
        let slow = Branch::new(to(&cluster, "a:1")).timeout(50 * MS);
        let channel = Parallel::new().channel(slow).channel(to(&cluster, "b:1")).build().unwrap();
        let begun = Instant::now();
        assert_eq!(who(ask(&channel).await), "b:1");
        assert_eq!(begun.elapsed().as_millis(), 50);
    });
}

#[test]
fn a_call_that_is_dropped_is_reset_on_every_channel() {
    run(async {
        let cluster = Cluster::default();
        let addresses = ["a:1", "b:1", "c:1"];
        addresses.iter().for_each(|address| cluster.set(address, Manner::AnswersAfter(900 * MS)));
        let channel = all(&cluster, &addresses).build().unwrap();
        let given_up = tokio::time::timeout(100 * MS, ask(&channel).into_future()).await;
        assert!(given_up.is_err());
        tokio::time::sleep(1000 * MS).await;
        assert_eq!(addresses.map(|address| cluster.calls(address).1), [1, 1, 1]);
    });
}

#[test]
fn mappers_change_or_skip_parts() {
    run(async {
        let cluster = Cluster::default();
        let skip = |part: &mut Part| Ok(if part.index() == 1 { Mapping::Skip } else { Mapping::Send });
        let branch = |address| Branch::new(to(&cluster, address)).mapper(skip);
        let channel = Parallel::new().channel(branch("a:1")).channel(branch("b:1")).build().unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        assert_eq!(cluster.connects("b:1"), 0);
        let never = Branch::new(to(&cluster, "a:1")).mapper(|_: &mut Part| Ok(Mapping::Skip));
        let why = ask(&Parallel::new().channel(never).build().unwrap()).await.unwrap_err();
        assert_eq!(brpc::number(&why), brpc::ECANCELED);
        let wrong = Branch::new(to(&cluster, "b:1"))
            .mapper(|_: &mut Part| Err::<Mapping, _>(Status::not_found("no such part")));
        let channel = Parallel::new().channel(to(&cluster, "a:1")).channel(wrong).build().unwrap();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(why.code(), Code::NotFound);
        assert_eq!(why.message(), "parallel: channel 1 cannot be sent its part: no such part");
        assert_eq!(cluster.calls("a:1").0, 1, "nothing was sent to the others");
    });
}

#[test]
fn a_mapper_changes_message_and_attachment_apart() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Echoes);
        let mapper = |part: &mut Part| {
            assert_eq!(
                (part.body().to_vec(), part.attachment().to_vec()),
                (b"body".to_vec(), b"beside".to_vec())
            );
            part.set_body(b"other".to_vec());
            assert_eq!(part.attachment().to_vec(), b"beside");
            part.set_attachment(b"!".to_vec());
            Ok(Mapping::Send)
        };
        let branch = Branch::new(to(&cluster, "a:1")).mapper(mapper);
        let channel = Parallel::new().channel(branch).build().unwrap();
        let reply = channel.call(ECHO, b"body".to_vec()).attachment(b"beside".to_vec()).await;
        assert_eq!(who(reply), "other!", "the protocol of these tests puts one after the other");
    });
}

#[test]
fn mergers_make_one_reply_and_may_count_failures() {
    run(async {
        let cluster = Cluster::default();
        let last = |merging: &mut Merging| Ok(merging.replies.pop().expect("there are two"));
        let channel = all(&cluster, &["a:1", "b:1"]).merger(last).build().unwrap();
        assert_eq!(who(ask(&channel).await), "b:1");
        let picky = |merging: &mut Merging| {
            merging.fail(1, Status::internal("not that one"));
            Ok(merging.replies[0].clone())
        };
        let channel = all(&cluster, &["a:1", "b:1"]).merger(picky).build().unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        let channel = all(&cluster, &["a:1", "b:1"]).merger(picky).fail_limit(1).build().unwrap();
        let why = ask(&channel).await.unwrap_err();
        assert!(why.message().contains("1/2 channels failed, fail_limit=1 [C1] not that one"), "{why}");
        let broken = |_: &mut Merging| Err(Status::not_found("nothing fits"));
        let channel = all(&cluster, &["a:1", "b:1"]).merger(broken).build().unwrap();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!((brpc::number(&why), why.message()), (brpc::ERESPONSE, "nothing fits"));
    });
}

#[test]
fn mappers_and_mergers_that_panic_fail_the_call_alone() {
    run(async {
        let cluster = Cluster::default();
        let panics = Branch::new(to(&cluster, "a:1")).mapper(|_: &mut Part| panic!("of the mapper"));
        let why = ask(&Parallel::new().channel(panics).build().unwrap()).await.unwrap_err();
        assert!(why.message().ends_with("the mapper has panicked: of the mapper"), "{why}");
        let channel = all(&cluster, &["a:1"]).merger(|_: &mut Merging| panic!("of the merger"));
        let why = ask(&channel.build().unwrap()).await.unwrap_err();
        assert_eq!(
            (brpc::number(&why), why.message()),
            (brpc::ERESPONSE, "the merger has panicked: of the merger")
        );
    });
}

#[test]
fn there_must_be_a_channel_and_streams_are_refused() {
    let none = Parallel::<polywire_client::NoProtocols>::new().build().map(|_| ()).unwrap_err();
    assert!(none.to_string().contains("parallel of no channels"), "{none}");
    run(async {
        let channel = all(&Cluster::default(), &["a:1"]).build().unwrap();
        let why = channel.stream(ECHO).await.map(|_| ()).unwrap_err();
        assert_eq!(why.code(), Code::Unimplemented);
        assert_eq!(why.message(), "parallel channels carry no streams: call one of their channels");
        let why = ask(&channel).with_stream().await.map(|_| ()).unwrap_err();
        assert_eq!(why.code(), Code::Unimplemented);
    });
}

#[test]
fn a_thousand_channels_answer() {
    run(async {
        let cluster = Cluster::default();
        let addresses: Vec<String> = (0..1000).map(|n| format!("s{n}:1")).collect();
        let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
        let channel = all(&cluster, &addresses).build().unwrap();
        assert_eq!(who(ask(&channel).await), addresses.concat());
    });
}

#[test]
fn parallel_channels_nest() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("c:1", Manner::Refuses);
        let inner = all(&cluster, &["b:1", "c:1"]).build().unwrap();
        let strict = all(&cluster, &["b:1", "c:1"]).fail_limit(1).build().unwrap();
        let channel = Parallel::new()
            .channel(to(&cluster, "a:1"))
            .channel(inner.clone())
            .channel(inner)
            .build()
            .unwrap();
        assert_eq!(who(ask(&channel).await), "a:1b:1b:1");
        let channel =
            Parallel::new().channel(to(&cluster, "a:1")).channel(strict).fail_limit(1).build().unwrap();
        let why = ask(&channel).await.unwrap_err();
        assert!(
            why.message().contains("[C1] parallel: 1/2 channels failed, fail_limit=1 [C1] cannot connect"),
            "{why}"
        );
    });
}

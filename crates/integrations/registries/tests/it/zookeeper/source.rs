//! Watching the children of a node.

use super::server::{Server, Twist, framed, put_buffer};
use crate::common::{addresses, servers, start, until, until_error, watched};
use polywire_naming::{Source, Watched};
use polywire_registries::zookeeper::ZooKeeper;
use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};
use tokio::time::{Instant, sleep};

const PATH: &str = "/services/echo";

fn server() -> Server {
    Server::with(&[("/services", ""), (PATH, ""), ("/services/echo/10.0.0.1:80", "")])
}

async fn settled(watched: &mut Watched) {
    while watched.error().is_some() {
        watched.changed().await;
    }
}

#[tokio::test(start_paused = true)]
async fn children_are_followed() {
    let server = server();
    let mut watched = watched(server.zookeeper()).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);

    server.put("/services/echo/member-1", r#"{"Addr":"10.0.0.2:80","weight":3,"zone":"z1"}"#);
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
    assert_eq!((servers(&watched)[1].weight, servers(&watched)[1].zone.as_deref()), (Some(3), Some("z1")));

    server.put("/services/echo/member-1", r#"{"Addr":"10.0.0.3:80"}"#);
    until(&mut watched, &["10.0.0.1:80", "10.0.0.3:80"]).await;
    server.delete("/services/echo/10.0.0.1:80");
    until(&mut watched, &["10.0.0.3:80"]).await;
    assert_eq!((watched.error(), server.state(|state| state.connected.len())), (None, 1));

    // What has not changed is not read again.
    let reads = |state: &mut super::server::State| state.seen.iter().filter(|s| s.starts_with("get")).count();
    assert_eq!(server.state(reads), 3);
}

#[tokio::test(start_paused = true)]
async fn children_with_the_names_of_dubbo_are_read_without_their_data() {
    let server = Server::with(&[("/dubbo", ""), ("/dubbo/echo", "")]);
    server.put("/dubbo/echo/dubbo%3A%2F%2F10.0.0.1%3A20880%2Fecho%3Fweight%3D2", "10.9.9.9");
    let watched = watched(server.at("zoo/dubbo/echo")).await;
    assert_eq!((addresses(&watched), servers(&watched)[0].weight), (vec!["10.0.0.1:20880".into()], Some(2)));
    assert_eq!(server.state(|state| state.seen.clone()), ["list /dubbo/echo"]);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_missing_is_an_empty_set_until_it_appears() {
    let server = Server::with(&[]);
    let mut watched = watched(server.zookeeper()).await;
    assert!(addresses(&watched).is_empty());
    for path in ["/services", PATH, "/services/echo/10.0.0.1:80"] {
        server.put(path, "");
    }
    until(&mut watched, &["10.0.0.1:80"]).await;

    server.delete("/services/echo/10.0.0.1:80");
    server.delete(PATH);
    until(&mut watched, &[]).await;
    server.put(PATH, "");
    server.put("/services/echo/10.0.0.2:80", "");
    until(&mut watched, &["10.0.0.2:80"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_zookeeper_that_is_killed_leaves_the_set_and_another_member_is_asked() {
    let server = server();
    let mut watched = watched(server.at("zoo1,zoo2:81/services/echo")).await;
    server.crash();
    until_error(&mut watched, "zoo").await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    server.put("/services/echo/10.0.0.2:80", "");
    server.revive();
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
    settled(&mut watched).await;
    let connected = server.state(|state| state.connected.clone());
    assert!(
        connected.contains(&"zoo1:2181".into()) && connected.contains(&"zoo2:81".into()),
        "{connected:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_expired_session_is_replaced_and_the_children_are_watched_again() {
    let server = server();
    let mut watched = watched(server.zookeeper()).await;
    server.expire_all();
    server.put("/services/echo/10.0.0.2:80", "");
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
    server.put("/services/echo/10.0.0.3:80", "");
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_session_is_kept_alive_for_as_long_as_it_is_watched() {
    let server = server();
    let _watched = watched(server.zookeeper()).await;
    sleep(Duration::from_secs(3600)).await;
    assert_eq!((server.sessions(), server.state(|state| state.connected.len())), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_session_of_a_millisecond_is_not_pinged_a_thousand_times_a_second() {
    static PINGS: AtomicUsize = AtomicUsize::new(0);
    let server = server();
    server.state(|state| {
        state.twist = Some(|kind, mut answer| {
            match kind {
                0 => answer[4..8].copy_from_slice(&1i32.to_be_bytes()),
                11 => _ = PINGS.fetch_add(1, Relaxed),
                _ => {}
            }
            Twist::As(framed(&answer))
        });
    });
    let _watched = watched(server.zookeeper()).await;
    sleep(Duration::from_secs(60)).await;
    let pings = PINGS.load(Relaxed);
    assert!((100..=600).contains(&pings), "{pings} in a minute");
    assert_eq!((server.sessions(), server.state(|state| state.connected.len())), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_zookeeper_that_is_stopped_is_noticed_by_pings() {
    let server = server();
    let mut watched = watched(server.zookeeper()).await;
    let begun = Instant::now();
    server.run(false);
    until_error(&mut watched, "does not answer pings").await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    until_error(&mut watched, "has not answered within 5s").await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    server.put("/services/echo/10.0.0.2:80", "");
    server.run(true);
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_zookeeper_that_has_lost_its_data_is_read_anew() {
    let server = server();
    let mut watched = watched(server.zookeeper()).await;
    server.crash();
    server.forget();
    for path in ["/services", PATH, "/services/echo/10.0.0.9:80"] {
        server.put(path, "");
    }
    server.revive();
    until(&mut watched, &["10.0.0.9:80"]).await;
}

#[tokio::test(start_paused = true)]
async fn bad_answers_leave_the_last_good_set_and_are_told() {
    const CONNECT: i32 = 0;
    const LIST: i32 = 8;
    fn listed(answer: &[u8], names: &[u8]) -> Twist {
        Twist::As(framed(&[&answer[..16], names].concat()))
    }
    let server = server();
    let mut watched = watched(server.zookeeper()).await;
    let cases: [(fn(i32, Vec<u8>) -> Twist, &str); 11] = [
        (|_, _| Twist::As(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()), "this is not ZooKeeper"),
        (|_, _| Twist::As(framed(b"what?")), "not that of ZooKeeper to a new connection"),
        (|_, _| Twist::As(framed(&[])), "not that of ZooKeeper to a new connection"),
        (|_, _| Twist::As((1_000_000_000i32).to_be_bytes().to_vec()), "a frame of 1000000000 bytes"),
        (|_, _| Twist::As((-5i32).to_be_bytes().to_vec()), "a frame of 4294967291 bytes"),
        (|_, _| Twist::Nothing, "has not answered within 5s"),
        (|_, answer| Twist::Slowly(framed(&answer)), "has not answered within 5s"),
        (
            |kind, answer| match kind {
                CONNECT => Twist::As(framed(&answer)),
                _ => listed(&answer, &[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
            },
            "cannot be read",
        ),
        (
            |kind, answer| match kind {
                LIST => listed(&answer, &[&400_000i32.to_be_bytes()[..], &vec![0; 1_600_000]].concat()),
                _ => Twist::As(framed(&answer)),
            },
            "has 400000 children",
        ),
        (
            |kind, mut answer| {
                if kind == LIST {
                    answer[12..16].copy_from_slice(&(-4i32).to_be_bytes());
                }
                Twist::As(framed(&answer))
            },
            "ZooKeeper answered -4: it has lost the connection",
        ),
        (
            |kind, mut answer| {
                if kind == LIST {
                    answer[0..4].copy_from_slice(&99i32.to_be_bytes());
                }
                Twist::As(framed(&answer))
            },
            "an answer to 99, which was not asked",
        ),
    ];
    for (twist, expected) in cases {
        server.state(|state| state.twist = Some(twist));
        server.expire_all();
        until_error(&mut watched, expected).await;
        assert_eq!(addresses(&watched), ["10.0.0.1:80"], "{expected}");
        server.state(|state| state.twist = None);
        settled(&mut watched).await;
    }
}

#[tokio::test(start_paused = true)]
async fn events_that_nobody_asked_for_do_not_pile_up() {
    let server = server();
    // Before each answer, more events than there can be watches.
    server.state(|state| {
        state.twist = Some(|kind, answer| {
            let mut frames = Vec::new();
            if kind == 8 {
                let mut event =
                    [&(-1i32).to_be_bytes()[..], &[0xff; 8], &[0; 4], &[0, 0, 0, 3, 0, 0, 0, 3]].concat();
                put_buffer(&mut event, b"/x");
                frames = framed(&event).repeat(200_001);
            }
            frames.extend_from_slice(&framed(&answer));
            Twist::As(frames)
        });
    });
    let mut watched = start(server.zookeeper());
    until_error(&mut watched, "more events than there are watches").await;
}

#[tokio::test(start_paused = true)]
async fn data_that_is_too_long_is_given_up_before_all_of_it_is_kept() {
    let server = Server::with(&[("/services", ""), (PATH, "")]);
    for (name, data) in [("a", "long"), ("b", "long"), ("c", "never sent")] {
        server.put(&format!("{PATH}/{name}"), data);
    }
    server.state(|state| {
        state.twist = Some(|kind, answer| match kind {
            4 if answer.windows(5).any(|part| part == b"never") => Twist::Nothing,
            4 => {
                let mut long = answer[..16].to_vec();
                put_buffer(&mut long, &vec![b'x'; 33 << 20]);
                Twist::As(framed(&long))
            }
            _ => Twist::As(framed(&answer)),
        });
    });
    let mut watched = start(server.zookeeper());
    until_error(&mut watched, "the data of the node's children is too long").await;
}

#[tokio::test(start_paused = true)]
async fn bad_and_repeated_children_are_left_out_and_only_bad_ones_are_no_empty_set() {
    let server = server();
    server.put("/services/echo/nonsense", "\u{1}");
    server.put("/services/echo/member-1", "10.0.0.1:80");
    let mut watched = watched(server.zookeeper()).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    server.delete("/services/echo/10.0.0.1:80");
    server.delete("/services/echo/member-1");
    until_error(&mut watched, "no entry can be read; 1 were bad").await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_children_are_read() {
    let server = Server::with(&[("/services", ""), (PATH, "")]);
    for n in 0..10_000 {
        server.put(&format!("{PATH}/10.1.{}.{}:80", n / 250, n % 250), r#"{"Addr":"10.0.0.1:80","tag":"x"}"#);
    }
    for n in 0..10_000 {
        let address = format!("10.1.{}.{}:80", n / 250, n % 250);
        server.put(&format!("{PATH}/{address}"), &address);
    }
    assert_eq!(addresses(&watched(server.zookeeper()).await).len(), 10_000);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_changes_all_the_time_is_listed_ten_times_a_second() {
    let server = server();
    let _watched = watched(server.zookeeper()).await;
    let changing = server.clone();
    let changes = tokio::spawn(async move {
        for n in 0u64.. {
            changing.put("/services/echo/10.0.0.2:80", &n.to_string());
            sleep(Duration::from_millis(1)).await;
        }
    });
    let lists =
        |state: &mut super::server::State| state.seen.iter().filter(|s| s.starts_with("list")).count();
    let before = server.state(lists);
    sleep(Duration::from_secs(10)).await;
    changes.abort();
    let made = server.state(lists) - before;
    assert!((50..=101).contains(&made), "{made}");
}

#[tokio::test(start_paused = true)]
async fn name_and_password_are_asked_for_and_shown_nowhere() {
    let server = server();
    server.state(|state| state.user = Some("ann:hush"));
    let mut none = start(server.zookeeper());
    until_error(&mut none, "ZooKeeper answered -102").await;
    let wrong = server.at("zoo/services/echo?username=ann&password=wrong");
    assert!(!format!("{wrong:?}{}", Source::name(&wrong)).contains("wrong"));
    let mut wrong = start(wrong);
    until_error(&mut wrong, "name and password are not accepted").await;
    assert!(!format!("{wrong:?}").contains("ann:"));

    for right in
        [server.at("zoo/services/echo?username=ann&password=hush"), server.zookeeper().digest("ann", "hush")]
    {
        assert_eq!(Source::name(&right), "zookeeper://zoo:2181/services/echo");
        assert_eq!(addresses(&watched(right).await), ["10.0.0.1:80"]);
    }
}

#[test]
fn urls_that_miss_something_are_refused() {
    for (rest, why) in [
        ("zoo:2181", "the path of a node is missing"),
        ("/services/echo", "address is missing"),
        ("zoo/a//b", "not the path of a node"),
        ("zoo/a/../b", "not the path of a node"),
        ("zoo/a%00b", "not the path of a node"),
        ("zoo/echo?user=ann", "unknown parameter"),
        ("zoo/echo?password=hush", "password without username"),
    ] {
        let error = ZooKeeper::open(rest).expect_err(rest).to_string();
        assert!(error.contains(why) && !error.contains("hush"), "{error}");
    }
}

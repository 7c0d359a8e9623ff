//! `remotefile://` against a web server in memory, in virtual time.

use crate::common::{
    addresses, hostile,
    http::{Reply, Web},
    servers, start, until, until_error, watched,
};
use polywire_registries::remotefile::RemoteFile;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::Instant;

type Page = Arc<Mutex<Box<dyn Fn() -> Reply + Send>>>;

fn page(reply: impl Fn() -> Reply + Send + 'static) -> (Page, Web) {
    let page: Page = Arc::new(Mutex::new(Box::new(reply)));
    let shown = page.clone();
    let web = Web::new(move |request| {
        assert_eq!((request.verb.as_str(), request.path.as_str()), ("GET", "/lists/echo"));
        std::future::ready(shown.lock().unwrap()())
    });
    (page, web)
}

fn show(page: &Page, reply: impl Fn() -> Reply + Send + 'static) {
    *page.lock().unwrap() = Box::new(reply);
}

fn file(web: &Web) -> RemoteFile {
    RemoteFile::open("http://files:81/lists/echo").unwrap().dial(&web.dial()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_file_is_read_every_few_seconds() {
    let (page, web) = page(|| Reply::status(200, "# servers\r\n10.0.0.1:80 blue # old\r\n\r\n[::1]:81\r\n"));
    let mut watched = watched(file(&web)).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80", "[::1]:81"]);
    assert_eq!(servers(&watched)[0].tag, "blue");

    show(&page, || Reply::status(200, "10.0.0.2:80"));
    until(&mut watched, &["10.0.0.2:80"]).await;
    show(&page, || Reply::status(200, "# none\n"));
    until(&mut watched, &[]).await;
}

#[tokio::test(start_paused = true)]
async fn bad_answers_leave_the_last_good_set_and_are_told() {
    let good = || Reply::status(200, "10.0.0.1:80\n");
    let (page, web) = page(good);
    let mut watched = watched(file(&web)).await;
    let cases: [(fn() -> Reply, &str); 6] = [
        (|| Reply::status(404, "no such file"), "no such file"),
        (|| Reply::status(200, "<html>\n<h1>Log in</h1>\n</html>"), "no entry can be read; 3 were bad"),
        (|| Reply::Whole(200, Vec::new(), vec![0xff, 0xfe]), "no UTF-8"),
        (|| Reply::Bytes(b"220 smtp ready\r\n".to_vec()), "INTERNAL"),
        (|| Reply::Reset, "UNAVAILABLE"),
        (|| Reply::Hang, "DEADLINE_EXCEEDED"),
    ];
    for (bad, expected) in cases {
        show(&page, bad);
        until_error(&mut watched, expected).await;
        assert_eq!(addresses(&watched), ["10.0.0.1:80"], "{expected}");
        show(&page, good);
        while watched.error().is_some() {
            watched.changed().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_attacker_in_place_of_the_web_server_does_no_harm() {
    let good = || Reply::status(200, "10.0.0.1:80\n");
    let (page, web) = page(good);
    let mut watched = watched(file(&web)).await;
    hostile::do_no_harm(&mut watched, |instead| match instead {
        Some(bad) => show(&page, bad),
        None => show(&page, good),
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_lines_are_read_and_repeated_ones_left_out() {
    let lines: String =
        (0..20_000u32).map(|n| n % 10_000).map(|n| format!("10.1.{}.{}:80\n", n / 250, n % 250)).collect();
    let (_page, web) = page(move || Reply::status(200, &lines));
    assert_eq!(addresses(&watched(file(&web)).await).len(), 10_000);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_is_wanted_counts_from_the_last_one() {
    let reads = Arc::new(AtomicUsize::new(0));
    let count = reads.clone();
    let (_page, web) = page(move || {
        count.fetch_add(1, Relaxed);
        Reply::status(200, "10.0.0.1:80")
    });
    let watched = watched(file(&web)).await;
    while reads.load(Relaxed) < 3 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let last = Instant::now();
    watched.want();
    while reads.load(Relaxed) < 4 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!((790..=1210).contains(&last.elapsed().as_millis()), "{:?}", last.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_second_address_is_asked_when_the_first_is_down() {
    let (_page, web) = page(|| Reply::status(200, "10.0.0.1:80"));
    web.crash();
    let file = RemoteFile::open("a,b/lists/echo").unwrap().dial(&web.dial()).unwrap();
    let mut watched = start(file.every(Duration::from_secs(1)));
    until_error(&mut watched, "UNAVAILABLE").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    web.revive();
    until(&mut watched, &["10.0.0.1:80"]).await;
    let connected = web.connected();
    assert!(
        connected.contains(&"a:80".to_owned()) && connected.contains(&"b:80".to_owned()),
        "{connected:?}"
    );
}

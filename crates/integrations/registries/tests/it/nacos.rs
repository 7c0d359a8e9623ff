//! `nacos://` against a server in memory with the documented semantics, in virtual time.

use crate::common::{
    addresses, hostile,
    http::{Reply, Request, Web},
    servers, start, until, until_error, watched,
};
use polywire_naming::{Registration, Source, State};
use polywire_registries::nacos::Nacos;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::{Instant, sleep};

#[derive(Clone, Default)]
struct Server(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    list: Value,
    /// Parameters of instances that were registered, by `ip:port`.
    registered: BTreeMap<String, BTreeMap<String, String>>,
    beats: usize,
    /// The token that requests need, and the number of logins.
    token: Option<&'static str>,
    logins: usize,
    /// An instance that is not known is made of its beat, without its weight, as r-nacos does.
    makes_of_beats: bool,
    instead: Option<fn() -> Reply>,
    lists: Vec<BTreeMap<String, String>>,
}

impl Server {
    fn with(hosts: Value) -> Server {
        let server = Server::default();
        server.known(|known| known.list = json!({ "name": "echo", "cacheMillis": 10_000, "hosts": hosts }));
        server
    }
    fn known<R>(&self, change: impl FnOnce(&mut Known) -> R) -> R {
        change(&mut self.0.lock().unwrap())
    }
    fn nacos(&self, rest: &str) -> Nacos {
        let server = self.clone();
        let web = Web::new(move |request| std::future::ready(server.answer(&request)));
        Nacos::open(rest).unwrap().dial(&web.dial()).unwrap()
    }
    fn answer(&self, request: &Request) -> Reply {
        self.known(|known| {
            if let Some(instead) = known.instead {
                return instead();
            }
            let at = || format!("{}:{}", request.query["ip"], request.query["port"]);
            if request.path == "/nacos/v1/auth/login" {
                known.logins += 1;
                return match request.body == b"username=ann&password=h%26sh" {
                    true => {
                        Reply::json(json!({ "accessToken": format!("t{}", known.logins), "tokenTtl": 18000 }))
                    }
                    false => Reply::status(403, "unknown user!"),
                };
            }
            if let Some(token) = known.token
                && request.query.get("accessToken").map(String::as_str) != Some(token)
            {
                return Reply::status(403, "token expired!");
            }
            match (request.verb.as_str(), request.path.as_str()) {
                ("GET", "/nacos/v1/ns/instance/list") => {
                    known.lists.push(request.query.clone());
                    Reply::json(&known.list)
                }
                ("POST", "/nacos/v1/ns/instance") => {
                    // What is not named stays as it was, as r-nacos has it.
                    known.registered.entry(at()).or_default().extend(request.query.clone());
                    Reply::status(200, "ok")
                }
                ("PUT", "/nacos/v1/ns/instance/beat") => {
                    known.beats += 1;
                    if known.makes_of_beats {
                        known.registered.entry(at()).or_default();
                    }
                    let code = if known.registered.contains_key(&at()) { 10200 } else { 20404 };
                    Reply::json(json!({ "clientBeatInterval": 5000, "code": code, "lightBeatEnabled": true }))
                }
                ("DELETE", "/nacos/v1/ns/instance") => {
                    known.registered.remove(&at());
                    Reply::status(200, "ok")
                }
                _ => Reply::status(404, "no such page"),
            }
        })
    }
}

fn host(ip: &str, port: u16, weight: f64) -> Value {
    json!({ "ip": ip, "port": port, "weight": weight, "healthy": true, "enabled": true, "ephemeral": true, "metadata": {} })
}

#[tokio::test(start_paused = true)]
async fn a_service_is_asked_for_as_often_as_its_answers_say() {
    let server = Server::with(json!([host("10.0.0.1", 80, 1.0)]));
    let mut watched = watched(server.nacos("serviceName=echo&groupName=g&healthyOnly=true")).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    let asked = server.known(|known| known.lists[0].clone());
    assert_eq!((asked["serviceName"].as_str(), asked["groupName"].as_str()), ("echo", "g"));

    let begun = Instant::now();
    let mut zoned = host("10.0.0.2", 81, 3.7);
    zoned["metadata"] = json!({ "zone": "z1", "version": "7" });
    let mut down = host("10.0.0.3", 82, 1.0);
    down["healthy"] = json!(false);
    server.known(|known| known.list["hosts"] = json!([host("10.0.0.1", 80, 1.0), zoned, down]));
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:81"]).await;
    assert!((5..=12).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    let second = &servers(&watched)[1];
    assert_eq!((second.tag.as_str(), second.weight, second.zone.as_deref()), ("3", Some(3), Some("z1")));
    assert_eq!(second.metadata["version"], "7");
}

#[tokio::test(start_paused = true)]
async fn bad_answers_leave_the_last_good_set_and_are_told() {
    let server = Server::with(json!([host("10.0.0.1", 80, 1.0)]));
    let mut watched = watched(server.nacos("n1:8848/?serviceName=echo")).await;
    let cases: [(fn() -> Reply, &str); 7] = [
        (|| Reply::json("[]"), "not a list of instances"),
        (|| Reply::json("{"), "not a list of instances"),
        (|| Reply::json("{}"), "it has no hosts"),
        (
            || Reply::json(r#"{"hosts":[{"ip":7},{"ip":"a b","port":1,"enabled":true,"healthy":true}]}"#),
            "2 were bad",
        ),
        (|| Reply::status(500, "caused: errCode: 500"), "errCode: 500"),
        (|| Reply::Reset, "UNAVAILABLE"),
        (|| Reply::Hang, "DEADLINE_EXCEEDED"),
    ];
    for (instead, expected) in cases {
        server.known(|known| known.instead = Some(instead));
        until_error(&mut watched, expected).await;
        assert_eq!(addresses(&watched), ["10.0.0.1:80"], "{expected}");
        server.known(|known| known.instead = None);
        while watched.error().is_some() {
            watched.changed().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_attacker_in_place_of_nacos_does_no_harm() {
    let server = Server::with(json!([host("10.0.0.1", 80, 1.0)]));
    let mut watched = watched(server.nacos("n1:8848/?serviceName=echo")).await;
    hostile::do_no_harm(&mut watched, |instead| server.known(|known| known.instead = instead)).await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_instances_are_read() {
    let all: Vec<_> = (0..10_000).map(|n| host(&format!("10.1.{}.{}", n / 250, n % 250), 80, 1.0)).collect();
    let watched = watched(Server::with(Value::Array(all)).nacos("serviceName=echo")).await;
    assert_eq!(addresses(&watched).len(), 10_000);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_is_wanted_counts_from_the_last_one() {
    let server = Server::with(json!([host("10.0.0.1", 80, 1.0)]));
    let watched = watched(server.nacos("serviceName=echo")).await;
    let lists = || server.known(|known| known.lists.len());
    while lists() < 3 {
        sleep(Duration::from_millis(1)).await;
    }
    let last = Instant::now();
    watched.want();
    while lists() < 4 {
        sleep(Duration::from_millis(1)).await;
    }
    assert!((790..=1210).contains(&last.elapsed().as_millis()), "{:?}", last.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_token_is_asked_for_and_renewed_when_it_is_refused() {
    let server = Server::with(json!([host("10.0.0.1", 80, 1.0)]));
    server.known(|known| known.token = Some("t1"));
    let nacos = server.nacos("?serviceName=echo&username=ann&password=h%26sh");
    assert!(!Source::name(&nacos).contains("ann"));
    let mut watched = watched(nacos).await;
    assert!(server.known(|known| !known.lists[0].contains_key("password")));

    // The server was restarted with another secret: the token is worth nothing, long before its end.
    server.known(|known| known.token = Some("t2"));
    until_error(&mut watched, "token expired!").await;
    while watched.error().is_some() {
        watched.changed().await;
    }
    assert_eq!(server.known(|known| known.logins), 2);

    let mut refused = start(server.nacos("?serviceName=echo&username=ann&password=no"));
    until_error(&mut refused, "unknown user!").await;
}

#[tokio::test(start_paused = true)]
async fn a_server_is_announced_kept_told_again_and_withdrawn() {
    let server = Server::with(json!([]));
    let registration =
        Registration::new(server.nacos("serviceName=echo&groupName=g")).address("10.0.0.1:8000");
    let (mut registered, work) = registration.weight(3).zone("z1").start();
    tokio::spawn(work);
    registered.accepted().await;
    let entry = server.known(|known| known.registered["10.0.0.1:8000"].clone());
    assert_eq!(
        (entry["weight"].as_str(), entry["groupName"].as_str(), entry["ephemeral"].as_str()),
        ("3", "g", "true")
    );

    sleep(Duration::from_secs(60)).await;
    assert!((11..=12).contains(&server.known(|known| known.beats)));

    server.known(|known| known.registered.clear());
    sleep(Duration::from_secs(6)).await;
    assert!(server.known(|known| known.registered.contains_key("10.0.0.1:8000")));
    assert_eq!(registered.state(), State::Accepted);

    registered.withdraw().await;
    assert!(server.known(|known| known.registered.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_made_anew_of_a_beat_has_its_weight_again() {
    let server = Server::with(json!([]));
    server.known(|known| known.makes_of_beats = true);
    let registration = Registration::new(server.nacos("serviceName=echo")).address("10.0.0.1:8000").weight(3);
    let (mut registered, work) = registration.start();
    tokio::spawn(work);
    registered.accepted().await;
    server.known(|known| known.registered.clear());
    sleep(Duration::from_secs(36)).await;
    let entry = server.known(|known| known.registered["10.0.0.1:8000"].clone());
    assert_eq!(entry.get("weight").map(String::as_str), Some("3"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_an_operator_has_disabled_stays_so() {
    let server = Server::with(json!([]));
    let (mut registered, work) =
        Registration::new(server.nacos("serviceName=echo")).address("10.0.0.1:8000").start();
    tokio::spawn(work);
    registered.accepted().await;
    server.known(|known| {
        let entry = known.registered.get_mut("10.0.0.1:8000").expect("registered");
        entry.insert("enabled".to_owned(), "false".to_owned());
    });
    sleep(Duration::from_secs(36)).await;
    assert_eq!(server.known(|known| known.registered["10.0.0.1:8000"]["enabled"].clone()), "false");
}

#[test]
fn a_user_without_a_password_is_refused() {
    let why = Nacos::open("?serviceName=echo&password=hush").expect_err("refused").to_string();
    assert!(why.contains("password without username") && !why.contains("hush"), "{why}");
}

#[test]
fn urls_that_name_no_service_are_refused() {
    for rest in ["", "host:8848/", "?groupName=g", "host:8848/echo?serviceName=echo", "?serviceName="] {
        let why = Nacos::open(rest).expect_err(rest).to_string();
        assert!(why.contains("?serviceName=NAME"), "{why}");
    }
}

use super::{super::records::*, *};
use crate::{Set, WatchOptions, Watched, watch_with};
use std::{collections::HashMap, net::IpAddr, sync::Mutex};
use tokio::time::{Instant, sleep};

const LONG: Duration = Duration::from_secs(36_000);

/// DNS in memory: its answers, and the queries with their times.
#[derive(Clone, Default)]
struct Zone(Arc<Mutex<Content>>);

#[derive(Default)]
struct Content {
    addresses: HashMap<(String, bool), Result<(Vec<&'static str>, u64), Failure>>,
    services: HashMap<String, Result<(Vec<Service>, u64), Failure>>,
    asked: Vec<(Instant, String)>,
}

impl Zone {
    fn v4(&self, name: &str, found: Result<(Vec<&'static str>, u64), Failure>) {
        self.0.lock().unwrap().addresses.insert((name.to_owned(), true), found);
    }
    fn v6(&self, name: &str, found: Result<(Vec<&'static str>, u64), Failure>) {
        self.0.lock().unwrap().addresses.insert((name.to_owned(), false), found);
    }
    fn srv(&self, name: &str, found: Result<(Vec<Service>, u64), Failure>) {
        self.0.lock().unwrap().services.insert(name.to_owned(), found);
    }
    fn asked(&self, name: &str) -> Vec<Instant> {
        let content = self.0.lock().unwrap();
        content.asked.iter().filter(|(_, asked)| asked == name).map(|(at, _)| *at).collect()
    }
    fn start(&self, rest: &str) -> Watched {
        let zone = self.clone();
        let resolver = move |_: &[SocketAddr]| Ok(Arc::new(zone.clone()) as Arc<dyn Resolver>);
        let dns = Dns { text: rest.to_owned(), target: Target::parse(rest).unwrap(), resolver };
        let (watched, work) = watch_with(Box::new(dns), WatchOptions::default().set_interval(Duration::ZERO));
        tokio::spawn(work);
        watched
    }
    fn address(&self, name: &str, v4: bool) -> Asked<IpAddr> {
        let mut content = self.0.lock().unwrap();
        if v4 {
            content.asked.push((Instant::now(), name.to_owned()));
        }
        let found = content.addresses.get(&(name.to_owned(), v4)).cloned().unwrap_or(Err(Failure::NoRecords));
        let found = found.map(|(records, ttl)| Answer {
            records: records.iter().map(|ip| ip.parse().unwrap()).collect(),
            ttl: Duration::from_secs(ttl),
        });
        Box::pin(std::future::ready(found))
    }
}

impl Resolver for Zone {
    fn v4(&self, name: &str) -> Asked<IpAddr> {
        self.address(name, true)
    }
    fn v6(&self, name: &str) -> Asked<IpAddr> {
        self.address(name, false)
    }
    fn services(&self, name: &str) -> Asked<Service> {
        let content = self.0.lock().unwrap();
        let found = content.services.get(name).cloned().unwrap_or(Err(Failure::NoSuchName));
        let found = found.map(|(records, ttl)| Answer { records, ttl: Duration::from_secs(ttl) });
        Box::pin(std::future::ready(found))
    }
}

fn srv(priority: u16, weight: u16, target: &str, port: u16) -> Service {
    Service { priority, weight, port, target: target.to_owned(), addresses: vec![] }
}

fn shown(set: &Set) -> Vec<String> {
    let weight = |weight: Option<u32>| weight.map_or(String::new(), |weight| format!(" {weight}"));
    set.iter().map(|server| format!("{}{}", server.address, weight(server.weight))).collect()
}

async fn first(watched: &mut Watched) -> Vec<String> {
    shown(&watched.first(Duration::from_secs(60)).await.unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_name_is_asked_for_again_after_its_time_to_live_within_bounds_and_with_jitter() {
    for (ttl, shortest, longest) in [(60, 60, 90), (0, 5, 8), (86_400, 300, 450)] {
        let zone = Zone::default();
        zone.v4("a", Ok((vec!["10.0.0.1"], ttl)));
        let mut watched = zone.start("a:80");
        assert_eq!(first(&mut watched).await, ["10.0.0.1:80"]);
        sleep(LONG).await;
        let asked = zone.asked("a");
        let pauses: Vec<_> = asked.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64()).collect();
        let range = f64::from(shortest) - 0.01..=f64::from(longest) + 0.01;
        assert!(pauses.len() > 60 && pauses.iter().all(|pause| range.contains(pause)), "{ttl}: {pauses:?}");
        let mean = pauses.iter().sum::<f64>() / pauses.len() as f64;
        assert!(pauses.iter().any(|pause| (pause - mean).abs() > mean * 0.05), "{ttl}: no jitter");
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_is_asked_for_at_once_when_its_servers_cannot_be_reached() {
    let zone = Zone::default();
    zone.v4("a", Ok((vec!["10.0.0.1"], 300)));
    let mut watched = zone.start("a:80");
    first(&mut watched).await;
    sleep(Duration::from_secs(10)).await;
    zone.v4("a", Ok((vec!["10.0.0.2"], 300)));
    let begun = Instant::now();
    watched.want();
    watched.changed().await;
    assert_eq!(shown(&watched.set().unwrap()), ["10.0.0.2:80"]);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn families_are_taken_as_asked_and_a_host_with_both_is_one_server() {
    let zone = Zone::default();
    zone.v4("both", Ok((vec!["10.0.0.1"], 60)));
    zone.v6("both", Ok((vec!["::1"], 60)));
    zone.v4("four", Ok((vec!["10.0.0.4"], 60)));
    zone.v6("six", Ok((vec!["::6"], 60)));
    for (rest, servers) in [
        ("both:1", vec!["10.0.0.1:1"]),
        ("both:1?family=6", vec!["[::1]:1"]),
        ("both:1?family=both", vec!["10.0.0.1:1", "[::1]:1"]),
        ("four:1?family=both", vec!["10.0.0.4:1"]),
        ("six:1", vec!["[::6]:1"]),
        ("six:1?family=both", vec!["[::6]:1"]),
        ("[::7]:1", vec!["[::7]:1"]),
    ] {
        assert_eq!(first(&mut zone.start(rest)).await, servers, "{rest}");
    }
    let said = zone.start("four:1?family=6").first(Duration::from_secs(1)).await.unwrap_err().to_string();
    assert!(said.ends_with("four: the name has no records of this kind"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn a_family_that_could_not_be_asked_for_does_not_change_the_set_to_the_other() {
    let zone = Zone::default();
    zone.v4("a", Ok((vec!["10.0.0.1"], 5)));
    zone.v6("a", Ok((vec!["::1"], 5)));
    let mut watched = zone.start("a:1");
    first(&mut watched).await;
    zone.v4("a", Err(Failure::Timeout));
    watched.changed().await;
    assert_eq!(watched.error().unwrap().to_string(), "a: no DNS server has answered in time");
    assert_eq!(shown(&watched.set().unwrap()), ["10.0.0.1:1"]);
}

#[tokio::test(start_paused = true)]
async fn a_name_that_is_gone_leaves_its_servers_in_use_and_says_why() {
    for (failure, text) in [
        (Failure::NoSuchName, "a: there is no such name (NXDOMAIN)"),
        (Failure::NoRecords, "a: the name has no records of this kind"),
        (Failure::Refused("Server Failure".into()), "a: the DNS server could not answer: Server Failure"),
        (Failure::Timeout, "a: no DNS server has answered in time"),
    ] {
        let zone = Zone::default();
        zone.v4("a", Ok((vec!["10.0.0.1"], 5)));
        let mut watched = zone.start("a:1");
        first(&mut watched).await;
        zone.v4("a", Err(failure.clone()));
        zone.v6("a", Err(failure));
        watched.changed().await;
        assert_eq!(watched.error().unwrap().to_string(), text);
        assert_eq!(shown(&watched.set().unwrap()), ["10.0.0.1:1"]);
        zone.v4("a", Ok((vec!["10.0.0.2"], 5)));
        while watched.error().is_some() {
            watched.changed().await;
        }
        assert_eq!(shown(&watched.set().unwrap()), ["10.0.0.2:1"]);
    }
}

#[tokio::test(start_paused = true)]
async fn srv_records_of_the_lowest_priority_bring_ports_weights_and_hosts() {
    let zone = Zone::default();
    let records = vec![
        srv(1, 30, "a.test.", 8001),
        srv(1, 0, "b.test.", 8002),
        srv(2, 90, "c.test.", 8003),
        srv(1, 5, "a.test.", 9001),
    ];
    zone.srv("_x._tcp.test", Ok((records, 600)));
    zone.v4("a.test.", Ok((vec!["10.0.0.1", "10.0.0.2"], 7)));
    zone.v4("b.test.", Ok((vec!["10.0.1.1"], 60)));
    let mut watched = zone.start("_x._tcp.test");
    let set = first(&mut watched).await;
    assert_eq!(
        set,
        ["10.0.0.1:8001 30", "10.0.0.1:9001 5", "10.0.0.2:8001 30", "10.0.0.2:9001 5", "10.0.1.1:8002 1"]
    );
    assert_eq!(watched.set().unwrap()[0].metadata["host"], "a.test");
    assert_eq!(zone.asked("a.test.").len(), 1, "a target is asked for once");
    assert!(zone.asked("c.test.").is_empty());
    sleep(Duration::from_secs(100)).await;
    assert!(zone.asked("a.test.").len() >= 9, "the shortest time to live counts");
}

#[tokio::test(start_paused = true)]
async fn srv_records_without_weights_leave_servers_without_and_addresses_that_come_along_are_used() {
    let zone = Zone::default();
    let along = Service {
        addresses: vec!["10.0.0.1".parse().unwrap(), "::1".parse().unwrap()],
        ..srv(0, 0, "a.test.", 1)
    };
    zone.srv("_x._tcp.test", Ok((vec![along], 60)));
    let mut watched = zone.start("_x._tcp.test");
    assert_eq!(first(&mut watched).await, ["10.0.0.1:1"]);
    assert!(zone.asked("a.test.").is_empty());
    assert_eq!(first(&mut zone.start("_x._tcp.test?family=6")).await, ["[::1]:1"]);
}

#[tokio::test(start_paused = true)]
async fn a_target_that_cannot_be_asked_for_keeps_its_addresses_and_one_that_is_gone_does_not() {
    let zone = Zone::default();
    zone.srv("_x._tcp.test", Ok((vec![srv(0, 0, "a.", 1), srv(0, 0, "b.", 2), srv(0, 0, "c.", 3)], 5)));
    for name in ["a.", "b.", "c."] {
        zone.v4(name, Ok((vec!["10.0.0.1"], 5)));
    }
    let mut watched = zone.start("_x._tcp.test");
    assert_eq!(first(&mut watched).await, ["10.0.0.1:1", "10.0.0.1:2", "10.0.0.1:3"]);
    zone.v4("b.", Err(Failure::Timeout));
    zone.v4("c.", Err(Failure::NoSuchName));
    watched.changed().await;
    assert_eq!(shown(&watched.set().unwrap()), ["10.0.0.1:1", "10.0.0.1:2"]);
    assert_eq!(watched.error(), None);
}

#[tokio::test(start_paused = true)]
async fn a_service_that_says_it_is_not_there_has_no_servers() {
    let zone = Zone::default();
    zone.srv("_x._tcp.test", Ok((vec![srv(0, 0, ".", 0)], 60)));
    assert!(first(&mut zone.start("_x._tcp.test")).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn of_very_many_targets_the_first_are_looked_up() {
    let zone = Zone::default();
    let names: Vec<_> = (0..1005).map(|n| format!("t{n:04}.")).collect();
    zone.srv("_x._tcp.test", Ok((names.iter().rev().map(|name| srv(0, 0, name, 1)).collect(), 60)));
    for (n, name) in names.iter().enumerate() {
        let ip: &'static str = format!("10.0.{}.{}", n / 250, n % 250).leak();
        zone.v4(name, Ok((vec![ip], 60)));
    }
    assert_eq!(first(&mut zone.start("_x._tcp.test")).await.len(), 1000);
    assert_eq!((zone.asked("t0999.").len(), zone.asked("t1000.").len()), (1, 0));
}

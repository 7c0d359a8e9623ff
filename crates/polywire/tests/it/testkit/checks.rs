//! Health checks of servers of all kinds, by the protocols that can carry them.

use super::{echo, line, ms, number, talk::TalkClient};
use polywire::{HealthCheck, Resilience, Server, Serving, testkit::Net};
use tokio::time::sleep;

const LIST: &str = "list://a:1,b:1";

fn pair(seed: u64) -> (Net, [polywire::testkit::Served; 2]) {
    let net = Net::seeded(seed);
    let served = ["a:1", "b:1"].map(|name| net.serve(name, Server::new().service(echo())));
    (net, served)
}

#[tokio::test]
async fn every_protocol_that_can_ask_finds_out_which_server_is_well() {
    let checks: [(&str, fn() -> HealthCheck); 8] = [
        ("baidu_std", || HealthCheck::grpc("")),
        ("baidu_std", || HealthCheck::http("/health")),
        ("grpc", || HealthCheck::grpc("")),
        ("grpc", || HealthCheck::grpc_watch("")),
        ("grpc", || HealthCheck::http("/health")),
        ("connect", || HealthCheck::grpc_watch("")),
        ("http", || HealthCheck::http("/health")),
        ("h2", || HealthCheck::http("/health")),
    ];
    for (protocol, check) in checks {
        let (net, served) = pair(1);
        let builder = net
            .builder(LIST)
            .protocol(protocol)
            .resilience(Resilience::default().balancer("rr").health_check(check()));
        let channel = builder.build().unwrap();
        let client = TalkClient::new(channel.clone());
        let is_ready = || {
            let why = channel.why();
            [why.servers[0].is_ready, why.servers[1].is_ready]
        };
        sleep(ms(100)).await;
        assert_eq!(is_ready(), [true, true], "{protocol}: {}", channel.why());
        assert!(
            channel.why().servers.iter().all(|one| one.checks == 1 && one.checks_failed == 0),
            "{protocol}: {}",
            channel.why()
        );
        served[1].health().set("", Serving::No);
        sleep(ms(4000)).await;
        assert_eq!(is_ready(), [true, false], "{protocol}: {}", channel.why());
        let before = channel.why().servers[1].calls;
        for _ in 0..10 {
            client.say(line("hi")).await.unwrap();
            if protocol != "http" && protocol != "h2" && protocol != "baidu_std" {
                let mut lines = client.count(number(3)).await.unwrap();
                while let Some(one) = lines.next().await {
                    one.unwrap();
                }
            }
        }
        assert_eq!(channel.why().servers[1].calls, before, "{protocol}");
        served[1].health().set("", Serving::Yes);
        sleep(ms(8000)).await;
        assert_eq!(is_ready(), [true, true], "{protocol}: {}", channel.why());
    }
}

#[tokio::test]
async fn a_server_that_reports_its_health_is_out_within_a_round_trip_and_back_as_soon() {
    let (net, served) = pair(2);
    let service = served[1].health().all().into_keys().find(|name| !name.is_empty()).unwrap();
    let builder = net
        .builder(LIST)
        .protocol("grpc")
        .resilience(Resilience::default().health_check(HealthCheck::grpc_watch(&service)));
    let channel = builder.build().unwrap();
    sleep(ms(100)).await;
    for serving in [Serving::No, Serving::Yes, Serving::No] {
        served[1].health().set(&service, serving);
        sleep(ms(5)).await;
        assert_eq!(channel.why().servers[1].is_ready, serving == Serving::Yes, "{}", channel.why());
    }
    let why = channel.why();
    assert_eq!((why.servers[1].checks, why.servers[0].checks), (4, 1), "no report is asked for: {why}");
}

#[tokio::test]
async fn a_server_without_the_service_of_health_is_well_by_watch_as_well() {
    let net = Net::seeded(3);
    net.serve("a:1", Server::new().service(echo()).pages(None));
    let builder = net
        .builder("list://a:1")
        .protocol("grpc")
        .resilience(Resilience::default().health_check(HealthCheck::grpc_watch("")));
    let channel = builder.build().unwrap();
    sleep(ms(60_000)).await;
    let why = channel.why();
    assert!(why.servers[0].is_ready && why.servers[0].checks == 1, "{why}");
    TalkClient::new(channel).say(line("hi")).await.unwrap();
}

#[tokio::test]
async fn a_service_that_the_server_does_not_have_is_not_well() {
    let (net, _served) = pair(4);
    for check in [HealthCheck::grpc("no.Such"), HealthCheck::grpc_watch("no.Such")] {
        let channel = net
            .builder(LIST)
            .protocol("grpc")
            .resilience(Resilience::default().health_check(check))
            .build()
            .unwrap();
        sleep(ms(100)).await;
        assert!(channel.why().servers.iter().all(|one| !one.is_ready), "{}", channel.why());
    }
}

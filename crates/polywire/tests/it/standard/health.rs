//! `grpc.health.v1.Health`.

use crate::{
    support::{Closures, apart, here, run},
    talk::Talk,
};
use polywire::{
    Serving,
    standard::health::{
        HealthCheckRequest, HealthClient, HealthListRequest, health_check_response::ServingStatus,
    },
};

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.into() }
}

#[test]
fn a_server_and_its_services_serve_until_they_say_otherwise() {
    run(async || {
        let (running, channel) = here(Closures::default().into_service());
        let health = HealthClient::new(channel);
        for service in ["", "talk.Talk"] {
            assert_eq!(health.check(of(service)).await.unwrap().status, ServingStatus::SERVING);
        }
        let unknown = health.check(of("talk.Walk")).await.unwrap_err();
        assert_eq!(unknown.message(), "unknown service");
        running.health().set("talk.Talk", Serving::No);
        running.health().set("database", Serving::Unknown);
        let list = health.list(HealthListRequest::default()).await.unwrap().into_message();
        let mut list: Vec<_> =
            list.statuses.into_iter().map(|(name, said)| (name, said.status.to_i32())).collect();
        list.sort();
        let expected =
            [("", 1), ("database", 0), ("talk.Talk", 2)].map(|(name, status)| (name.to_owned(), status));
        assert_eq!(list, expected);
    });
}

#[test]
fn who_watches_hears_each_change_and_the_end() {
    run(async || {
        let (running, channel) = apart(Closures::default().into_service());
        let health = HealthClient::new(channel);
        let mut talk = health.watch(of("talk.Talk")).await.unwrap();
        let mut later = health.watch(of("later")).await.unwrap();
        assert_eq!(talk.next().await.unwrap().unwrap().status, ServingStatus::SERVING);
        assert_eq!(later.next().await.unwrap().unwrap().status, ServingStatus::SERVICE_UNKNOWN);
        running.health().set("later", Serving::Yes);
        assert_eq!(later.next().await.unwrap().unwrap().status, ServingStatus::SERVING);
        running.health().set("talk.Talk", Serving::No);
        assert_eq!(talk.next().await.unwrap().unwrap().status, ServingStatus::NOT_SERVING);
        running.health().set("talk.Talk", Serving::Yes);
        assert_eq!(talk.next().await.unwrap().unwrap().status, ServingStatus::SERVING);
        let watching = async {
            assert_eq!(talk.next().await.unwrap().unwrap().status, ServingStatus::NOT_SERVING);
            assert_eq!(later.next().await.unwrap().unwrap().status, ServingStatus::NOT_SERVING);
            assert_eq!(talk.next().await.unwrap().unwrap_err().message(), "the server stops");
            assert_eq!(later.next().await.unwrap().unwrap_err().message(), "the server stops");
        };
        let (left, ()) = tokio::join!(running.stop(), watching);
        assert!(left.is_empty(), "watching holds up no stop: {left:?}");
    });
}

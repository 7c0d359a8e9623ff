//! The events that the crates send to a subscriber of `tracing`.

use polywire::{Channel, Server, Target};
use polywire_machine_testing::Written;
use tracing_subscriber::filter::LevelFilter;

/// Whether there is a line of this level from this crate with this text.
fn has(log: &Written, level: &str, of: &str, text: &str) -> bool {
    log.text().lines().any(|line| line.contains(level) && line.contains(of) && line.contains(text))
}

#[test]
fn connections_and_stops_are_events_and_calls_are_none() {
    let _alone = crate::alone();
    let log = Written::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(LevelFilter::DEBUG)
        .with_writer(move || writer.clone())
        .init();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let served = Server::new().fallback(axum::Router::new()).listen("127.0.0.1:0").start().unwrap();
        served.stop().await;
        assert!(!has(&log, "WARN", "polywire_server", ""), "{}", log.text());
        let running = Server::new().listen("127.0.0.1:0").start().unwrap();
        assert!(has(&log, "WARN", "polywire_server", "no services"));
        let address = running.addresses()[0].to_string();
        assert!(has(&log, "INFO", "polywire_server", &format!("listening address={address}")));
        let channel = Channel::builder(&*address).protocol("http").build().unwrap();
        let health = Target::fixed("", "/health");
        for _ in 0..3 {
            channel.call(health.clone(), "").metadata(":method", "GET").await.unwrap();
        }
        assert!(has(&log, "DEBUG", "polywire_client", &format!("connected address=\"{address}\"")));
        assert!(!has(&log, "", "", "health"), "calls are no events");
        assert!(running.stop().await.is_empty());
        assert!(has(&log, "INFO", "polywire_server", "stopping"));
        polywire_machine_testing::until("the server's connection ends", || {
            has(&log, "DEBUG", "polywire_server", "a connection has ended")
        })
        .await;
        assert!(channel.call(health, "").metadata(":method", "GET").await.is_err());
        assert!(has(&log, "INFO", "polywire_client", "cannot connect"));
    });
}

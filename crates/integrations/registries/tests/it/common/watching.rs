//! Waits for what a source says, in virtual time.

#![allow(dead_code)] // each test binary uses its part

use polywire_naming::{Server, Source, Watched, watch};
use std::time::Duration;

/// Longer than any wait of a test. It is virtual time.
pub const LONG: Duration = Duration::from_secs(3600);

/// Watches a source, and waits for its first set.
pub async fn watched(source: impl Source) -> Watched {
    let mut watched = start(source);
    watched.first(LONG).await.expect("a first set");
    watched
}

/// Watches a source.
pub fn start(source: impl Source) -> Watched {
    let (watched, work) = watch(Box::new(source));
    tokio::spawn(work);
    watched
}

/// The addresses of the newest set.
pub fn addresses(watched: &Watched) -> Vec<String> {
    watched.set().expect("a set").iter().map(|server| server.address.clone()).collect()
}

pub fn servers(watched: &Watched) -> Vec<Server> {
    watched.set().expect("a set").to_vec()
}

/// Waits until the set has these addresses.
pub async fn until(watched: &mut Watched, expected: &[&str]) {
    until_that(watched, |watched| watched.set().is_some() && addresses(watched) == expected).await;
}

/// Waits until the source has failed with a text that holds this.
pub async fn until_error(watched: &mut Watched, part: &str) {
    until_that(watched, |watched| watched.error().is_some_and(|error| error.to_string().contains(part)))
        .await;
}

async fn until_that(watched: &mut Watched, holds: impl Fn(&Watched) -> bool) {
    let waited = tokio::time::timeout(LONG, async {
        while !holds(watched) {
            watched.changed().await;
        }
    });
    if waited.await.is_err() {
        panic!("it does not come to that: {watched:?}");
    }
}

//! For the fuzzers of this repository: the messages of a control plane, in order.

use crate::{
    Bootstrap,
    core::Core,
    messages::envoy::service::discovery::v3::DiscoveryResponse,
    resources::Kind,
    table::{self, Sources},
};
use polywire_formats::Message;
use std::{sync::Arc, time::Duration};

/// Passes responses to a client of the target `echo`: each consists of the number of a resource type, its
/// length (two bytes, the high one first), and a `DiscoveryResponse` of that type. Each resulting table is
/// built.
///
/// # Panics
/// The client broke one of its own invariants.
pub fn responses(mut input: &[u8]) {
    let bootstrap = r#"{"xds_servers":[{"server_uri":"plane:1","channel_creds":[{"type":"insecure"}]}],"node":{"id":"n"},
        "authorities":{"a":{}}}"#;
    let bootstrap = Arc::new(Bootstrap::parse(bootstrap).expect("it is one"));
    let mut core = Core::new(bootstrap, "echo".to_owned(), "echo".to_owned());
    let (mut sources, mut now) = (Sources::new(), Duration::ZERO);
    let plane = core.opens(now).expect("the listener is wanted");
    core.opened(plane, now);
    while let [kind, high, low, rest @ ..] = input {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
        let (bytes, behind) = rest.split_at(length);
        input = behind;
        let Ok(mut response) = DiscoveryResponse::from_wire(bytes) else { continue };
        let kind = Kind::ALL[usize::from(kind % 4)];
        response.type_url = kind.type_url().to_owned();
        response.resources.iter_mut().for_each(|any| any.type_url = kind.type_url().to_owned());
        let nonce = response.nonce.clone();
        let _ = core.received(plane, response, now);
        now += Duration::from_secs(1);
        core.tick(now);
        while let Some(request) = core.request(plane, now) {
            assert!(request.type_url != kind.type_url() || request.response_nonce == nonce);
        }
        if let Some(Ok(snapshot)) = core.news() {
            let before = sources.len();
            let table = table::table(snapshot, "xds:///echo", &mut sources);
            assert!(sources.len() <= if table.is_err() { before } else { snapshot.clusters.len() });
        }
    }
    core.ended(plane, "over", now, 0.5);
    assert!(core.deadline().is_some());
}

//! Topics of a server.

use super::values::published;
use crate::{Status, rest_rpc::Value};
use polywire_base::IoBuf;
use polywire_call::Content;
use polywire_formats::FormatError;
use polywire_hub::{Hub, Options, Reception, Seat, Welcome};
use polywire_protocols::rest_rpc::{Format, PEER, Publication};
use polywire_wire::Limits;
use std::sync::Arc;

const FORMATS: [Format; 3] = [Format::A, Format::B, Format::CrossB];

/// Publishes under keys to whoever subscribes, in both formats. Clones publish to the same peers.
///
/// Publishing never waits. What a peer has not taken waits for it, up to a bound; beyond it what is published is dropped
/// for that peer, and counted ([`Publisher::dropped`]).
#[derive(Clone)]
pub struct Publisher {
    hub: Arc<Hub>,
}

/// Bounds of a publisher.
#[derive(Clone, Copy, Debug)]
pub struct PublisherOptions {
    /// Publications that wait for one peer. Default 1000.
    pub high_water: u32,
    /// Bytes that wait for one peer; one publication may overshoot. Default 16 MiB.
    pub bytes: usize,
    /// Topics of one peer of format A; more close its connection. Default 1000.
    pub topics: u32,
}

impl Default for PublisherOptions {
    fn default() -> Self {
        PublisherOptions { high_water: 1000, bytes: 16 << 20, topics: 1000 }
    }
}

impl Default for Publisher {
    fn default() -> Self {
        Publisher::new()
    }
}

impl Publisher {
    pub fn new() -> Self {
        Publisher::with(PublisherOptions::default())
    }

    pub fn with(options: PublisherOptions) -> Self {
        let PublisherOptions { high_water, bytes, topics } = options;
        let options =
            Options { send_high_water: high_water, send_bytes: bytes, topics, ..Options::default() };
        Publisher { hub: Hub::new(options) }
    }

    /// Publishes to all who subscribed to `key` without a token. Says to how many peers.
    ///
    /// # Errors
    /// The value cannot be written in the format of some subscriber, or no frame can hold it.
    pub fn publish<T: Value>(&self, key: &str, value: &T) -> Result<usize, Status> {
        self.publish_by_token(key, "", value)
    }

    /// Publishes to all who subscribed to `key` with this token.
    ///
    /// # Errors
    /// As [`Publisher::publish`].
    pub fn publish_by_token<T: Value>(&self, key: &str, token: &str, value: &T) -> Result<usize, Status> {
        self.send(Publication { key, token }, |content| published(content, value))
    }

    /// Publishes what somebody else has packed.
    pub(super) fn relay(&self, key: &str, token: &str, data: &[u8]) -> Result<usize, Status> {
        self.send(Publication { key, token }, |_| Ok(data.to_vec()))
    }

    fn send(
        &self,
        publication: Publication<'_>,
        write: impl Fn(Content) -> Result<Vec<u8>, FormatError>,
    ) -> Result<usize, Status> {
        let mut reached = 0;
        for format in FORMATS {
            let topic = publication.topic(format);
            if !self.hub.is_wanted(&topic) {
                continue; // nobody to write it for
            }
            let value = write(format.content()).map_err(FormatError::request)?;
            if value.len() > publication.longest(format) {
                return Err(Status::invalid_argument("longer than a frame can be"));
            }
            let frame = IoBuf::from(publication.frame(format, &value));
            reached += self.hub.publish(&topic, |out| out.share(&frame));
        }
        Ok(reached)
    }

    /// Peers that are connected and have subscribed to something.
    pub fn subscribers(&self) -> usize {
        self.hub.connected()
    }

    /// Publications that were dropped for a peer that took too few.
    pub fn dropped(&self) -> u64 {
        self.hub.dropped()
    }
}

impl Reception for Publisher {
    fn receive(&self, kind: &str, name: &[u8], limits: &Limits) -> Option<Welcome> {
        if kind != PEER {
            return None;
        }
        let seat = Seat::new(&self.hub, name, limits).map(Box::new);
        Some(seat.map_or(Welcome::Away, Welcome::Seat))
    }

    fn hubs(&self) -> Vec<(String, Arc<Hub>)> {
        vec![("rest_rpc_topics".into(), self.hub.clone())]
    }
}

//! Topics of a server.

use super::{Value, values::published};
use polywire_base::IoBuf;
use polywire_call::{Content, Status};
use polywire_formats::FormatError;
use polywire_hub::{Decision, Hub, Options, Reception, Seat};
use polywire_protocols::rest_rpc::{Format, PEER, Publication};
use polywire_wire::Limits;
use std::sync::Arc;

const FORMATS: [Format; 3] = [Format::A, Format::B, Format::CrossB];

/// Publishes under keys to all subscribers, in both formats. Clones publish to the same peers.
///
/// Publishing never waits. Up to a limit, publications wait for a slow peer; beyond it they are dropped for
/// that peer and counted ([`Publisher::dropped`]).
#[derive(Clone)]
pub struct Publisher {
    hub: Arc<Hub>,
}

/// Limits of a publisher.
///
/// ```
/// # use polywire_rest_rpc::PublisherOptions;
/// let options = PublisherOptions::default().high_water(100).bytes(1 << 20);
/// # assert_eq!((options.high_water, options.bytes), (100, 1 << 20));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PublisherOptions {
    /// Publications that may wait for one peer. Default 1000.
    pub high_water: u32,
    /// Bytes that may wait for one peer; the last publication may exceed it. Default 16 MiB.
    pub bytes: usize,
    /// Topics of one peer of format A. A peer that subscribes to more is disconnected. Default 1000.
    pub topics: u32,
    /// Bytes of these topics together. A peer that exceeds them is disconnected. Default 1 MiB.
    pub topic_bytes: usize,
    /// Bytes of memory for the topics of all peers: the topics, plus about 200 bytes for each topic and 50
    /// for each subscription. A peer that exceeds it is disconnected. Default 64 MiB.
    pub topic_memory: usize,
}

polywire_base::setters! {
    PublisherOptions {
        high_water: u32,
        bytes: usize,
        topics: u32,
        topic_bytes: usize,
        topic_memory: usize,
    }
}

impl Default for PublisherOptions {
    fn default() -> Self {
        let Options { topic_bytes, topic_memory, .. } = Options::DEFAULT;
        PublisherOptions { high_water: 1000, bytes: 16 << 20, topics: 1000, topic_bytes, topic_memory }
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
        let PublisherOptions { high_water, bytes, topics, topic_bytes, topic_memory } = options;
        let options = Options::DEFAULT.send_high_water(high_water).send_bytes(bytes).topics(topics);
        let options = options.topic_bytes(topic_bytes).topic_memory(topic_memory);
        Publisher { hub: Hub::new(options) }
    }

    /// Publishes to all peers that subscribed to `key` without a token. Returns their number.
    ///
    /// # Errors
    /// The value cannot be encoded in the format of some subscriber, or is too long for a frame.
    pub fn publish<T: Value>(&self, key: &str, value: &T) -> Result<usize, Status> {
        self.publish_by_token(key, "", value)
    }

    /// Publishes to all peers that subscribed to `key` with this token. Returns their number.
    ///
    /// # Errors
    /// The errors of [`Publisher::publish`].
    pub fn publish_by_token<T: Value>(&self, key: &str, token: &str, value: &T) -> Result<usize, Status> {
        self.send(Publication { key, token }, |content| published(content, value))
    }

    /// Publishes data that a peer has packed.
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
                continue; // no subscriber in this format
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

    /// Number of connected peers with at least one subscription.
    pub fn subscribers(&self) -> usize {
        self.hub.connected()
    }

    /// Number of peers that were disconnected because they, or all of them together, had too many topics.
    pub fn refused(&self) -> u64 {
        self.hub.refused()
    }

    /// Number of publications that were dropped because a peer read too slowly.
    pub fn dropped(&self) -> u64 {
        self.hub.dropped()
    }
}

impl Reception for Publisher {
    fn receive(&self, kind: &str, name: &[u8], limits: &Limits) -> Option<Decision> {
        if kind != PEER {
            return None;
        }
        let seat = Seat::new(&self.hub, name, limits).map(Box::new);
        Some(seat.map_or(Decision::Refused, Decision::Seat))
    }

    fn hubs(&self) -> Vec<(String, Arc<Hub>)> {
        vec![("rest_rpc_topics".into(), self.hub.clone())]
    }
}

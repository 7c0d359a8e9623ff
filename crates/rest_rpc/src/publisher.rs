//! Topics of a server.

use super::{Value, values::published};
use polywire_base::IoBuf;
use polywire_call::{Content, Status};
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
    /// Topics of one peer of format A; with one more its connection is closed. Default 1000.
    pub topics: u32,
    /// Bytes of these topics together; with one more its connection is closed. Default 1 MiB.
    pub topic_bytes: usize,
    /// Bytes of memory for the topics of all peers, about 200 for each topic and 50 for each subscription beside the topic's
    /// own; the connection of a peer whose subscription finds no room is closed. Default 64 MiB.
    pub topic_memory: usize,
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
        let options = Options {
            send_high_water: high_water,
            send_bytes: bytes,
            topics,
            topic_bytes,
            topic_memory,
            ..Options::DEFAULT
        };
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

    /// Peers that were closed because they, or all of them, had too many topics.
    pub fn refused(&self) -> u64 {
        self.hub.refused()
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

//! Several channels for the same calls: each gets its share of them.

use crate::{
    calls::{self, only_value},
    cluster::Cluster,
};
use polywire_base::murmur3_32;
use polywire_call::{ConfigError, Metadata};

/// Channels that share calls by weights, as a new version beside an old one: `Split::new().part(95, &old)?
/// .part(5, &new)?`.
///
/// Each call is drawn for itself, or, with [`Split::by`], by the value of one of its fields.
#[derive(Clone, Default)]
#[must_use]
pub struct Split {
    parts: Vec<Part>,
    /// Name of the field whose value decides.
    by: Option<Box<str>>,
}

#[derive(Clone)]
struct Part {
    /// Sum of the weights up to this one.
    end: u64,
    cluster: Cluster,
}

impl Split {
    /// The number of channels.
    pub const MOST: usize = 16;

    /// Without a channel yet.
    pub fn new() -> Split {
        Split::default()
    }

    /// All calls to one cluster.
    pub(crate) fn whole(cluster: Cluster) -> Split {
        Split { parts: vec![Part { end: 1, cluster }], by: None }
    }

    /// Adds a channel, or a [`Cluster`], which gets `weight` of the sum of all weights. With 0 it gets no
    /// calls.
    ///
    /// # Errors
    /// There are 16 already.
    pub fn part(mut self, weight: u32, cluster: impl Into<Cluster>) -> Result<Split, ConfigError> {
        if self.parts.len() == Self::MOST {
            return Err(ConfigError::new("split", format!("at most {} channels share calls", Self::MOST)));
        }
        let end = self.sum() + u64::from(weight);
        self.parts.push(Part { end, cluster: cluster.into() });
        Ok(self)
    }

    /// Calls with the same value in this field go to the same channel, in every process, for as long as the
    /// weights and their order stay; if the last weight grows, those that went there still do. Calls that do
    /// not have the field exactly once are drawn. Who chooses the value can choose the channel.
    ///
    /// # Errors
    /// The name is none of a field.
    pub fn by(mut self, field: &str) -> Result<Split, ConfigError> {
        calls::check_field(field)?;
        self.by = Some(field.into());
        Ok(self)
    }

    pub(crate) fn sum(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.end)
    }

    pub(crate) fn clusters(&self) -> impl Iterator<Item = &Cluster> {
        self.parts.iter().map(|part| &part.cluster)
    }

    /// The cluster for a call. There is one if [`Split::sum`] is not 0.
    pub(crate) fn cluster(&self, fields: &Metadata) -> Option<&Cluster> {
        if let [part] = &self.parts[..] {
            return Some(&part.cluster);
        }
        let decides = self.by.as_ref().and_then(|by| only_value(fields, by));
        let drawn = match decides {
            Some(value) => ((u128::from(murmur3_32(value, 0)) * u128::from(self.sum())) >> 32) as u64,
            None => fastrand::u64(..self.sum()),
        };
        self.parts.iter().find(|part| drawn < part.end).map(|part| &part.cluster)
    }
}

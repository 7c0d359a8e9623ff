//! The parts of a call from which its key is made, for balancers that hash.

use crate::{Head, Rewrite, matcher::field};
use twox_hash::XxHash64;

/// A part of a call from which its key is made. Under balancers that hash, calls with equal keys go to the
/// same server.
///
/// Source: gRFC A42.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct HashPolicy {
    pub of: HashOf,
    /// Whether the following policies are skipped if this one has made a key.
    pub terminal: bool,
}

#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum HashOf {
    /// A header's value; calls without it get no key from it.
    Header {
        name: String,
        /// Changes the value first.
        rewrite: Option<Rewrite>,
    },
    /// The channel: all its calls are alike.
    Channel,
}

impl HashPolicy {
    /// Makes the key from this header.
    pub fn header(name: impl Into<String>) -> Self {
        HashPolicy { of: HashOf::Header { name: name.into(), rewrite: None }, terminal: false }
    }

    /// Makes the key from this header, a part of which is replaced.
    pub fn rewritten(name: impl Into<String>, rewrite: Rewrite) -> Self {
        HashPolicy { of: HashOf::Header { name: name.into(), rewrite: Some(rewrite) }, terminal: false }
    }

    /// A key that is the same for all calls of a channel, so that they go to one server.
    pub fn channel() -> Self {
        HashPolicy { of: HashOf::Channel, terminal: false }
    }

    /// Sets whether the following policies are skipped if this one has made a key.
    #[must_use]
    pub fn terminal(mut self, terminal: bool) -> Self {
        self.terminal = terminal;
        self
    }

    fn hash(&self, head: &Head<'_>, channel: u64) -> Option<u64> {
        match &self.of {
            HashOf::Channel => Some(channel),
            HashOf::Header { name, rewrite } => {
                let value = field(head.metadata, name)?;
                Some(match rewrite {
                    None => XxHash64::oneshot(0, &value),
                    Some(rewrite) => XxHash64::oneshot(0, &rewrite.apply(&value)),
                })
            }
        }
    }
}

/// The key that the policies make for a call. `channel`: a random number of its channel. `None`: no policy
/// has made a key.
pub fn key(policies: &[HashPolicy], head: &Head<'_>, channel: u64) -> Option<u64> {
    let mut key = None;
    for policy in policies {
        if let Some(hash) = policy.hash(head, channel) {
            key = Some(key.unwrap_or(0_u64).rotate_left(1) ^ hash);
        }
        if policy.terminal && key.is_some() {
            break;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pattern;
    use polywire_call::Metadata;

    fn made(policies: &[HashPolicy], fields: &[(&str, &str)]) -> Option<u64> {
        let metadata: Metadata = fields.iter().copied().collect();
        key(policies, &Head { path: "/s/m", metadata: &metadata }, 77)
    }

    #[test]
    fn keys_are_those_of_grpc() {
        let by = |name: &str| HashPolicy::header(name);
        assert_eq!(made(&[by("a")], &[("a", "")]), Some(17241709254077376921));
        assert_eq!(made(&[by("a")], &[("a", "a")]), Some(15154266338359012955));
        assert_eq!(made(&[by("a")], &[("a", "abc")]), Some(4952883123889572249));
        let (a, b) = (9194640092791331756_u64, 17234765554138278603_u64);
        assert_eq!(a.rotate_left(1) ^ b, 1161355930265476499, "the vector of two policies");
        let both = made(&[by("a"), by("b")], &[("a", "a"), ("b", "abc")]);
        assert_eq!(both, Some(15154266338359012955_u64.rotate_left(1) ^ 4952883123889572249));
    }

    #[test]
    fn absent_and_binary_headers_make_no_key_and_a_terminal_policy_ends_the_list_only_with_one() {
        let terminal = HashPolicy::header("a").terminal(true);
        let policies = [terminal, HashPolicy::channel()];
        assert_eq!(made(&policies, &[("a", "a")]), Some(15154266338359012955));
        assert_eq!(made(&policies, &[]), Some(77));
        assert_eq!(made(&[HashPolicy::header("a-bin")], &[("a-bin", "a")]), None);
        assert_eq!(made(&[], &[("a", "a")]), None);
    }

    #[test]
    fn values_are_joined_and_rewritten() {
        let rewrite = Rewrite::new(Pattern::new("^x,(a)$").unwrap(), r"\1").unwrap();
        let policy = HashPolicy::rewritten("h", rewrite);
        assert_eq!(made(&[policy], &[("h", "x"), ("h", "a")]), Some(15154266338359012955));
    }
}

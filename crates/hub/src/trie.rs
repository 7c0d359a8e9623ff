//! Prefixes and who asked for them: one walk along a topic meets every subscriber.
//!
//! A node is a byte of some prefix. Children are kept in order of their byte, since most nodes have one or a few. Nodes
//! that serve nobody any more are given back.

use hashbrown::HashMap;

/// Prefixes with their subscribers, each counted.
pub struct Trie {
    nodes: Vec<Node>,
    free: Vec<u32>,
}

#[derive(Default)]
struct Node {
    /// By byte, ascending.
    next: Vec<(u8, u32)>,
    /// Who asked for the prefix that ends here, and how often.
    peers: Vec<(u32, u32)>,
}

const ROOT: usize = 0;

impl Default for Trie {
    fn default() -> Self {
        Trie { nodes: vec![Node::default()], free: Vec::new() }
    }
}

/// What a subscription or its end changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// For this peer: its first of this prefix, or its last.
    pub peer: bool,
    /// For anybody: the first of all, or the last.
    pub any: bool,
}

impl Trie {
    /// One more subscription of `peer`.
    pub fn add(&mut self, topic: &[u8], peer: u32) -> Change {
        let mut at = ROOT;
        for &byte in topic {
            at = match self.nodes[at].next.binary_search_by_key(&byte, |(b, _)| *b) {
                Ok(found) => self.nodes[at].next[found].1 as usize,
                Err(place) => {
                    let child = self.node();
                    self.nodes[at].next.insert(place, (byte, child));
                    child as usize
                }
            };
        }
        let peers = &mut self.nodes[at].peers;
        let any = peers.is_empty();
        match peers.iter_mut().find(|(p, _)| *p == peer) {
            Some((_, count)) => {
                *count = count.saturating_add(1);
                Change { peer: false, any: false }
            }
            None => {
                peers.push((peer, 1));
                Change { peer: true, any }
            }
        }
    }

    /// One subscription of `peer` less; `None`: it had none of this prefix.
    pub fn remove(&mut self, topic: &[u8], peer: u32) -> Option<Change> {
        let mut path = Vec::with_capacity(topic.len());
        let mut at = ROOT;
        for &byte in topic {
            let found = self.nodes[at].next.binary_search_by_key(&byte, |(b, _)| *b).ok()?;
            path.push((at, byte));
            at = self.nodes[at].next[found].1 as usize;
        }
        let peers = &mut self.nodes[at].peers;
        let place = peers.iter().position(|(p, _)| *p == peer)?;
        peers[place].1 -= 1;
        if peers[place].1 > 0 {
            return Some(Change { peer: false, any: false });
        }
        peers.swap_remove(place);
        let any = peers.is_empty();
        self.prune(path, at);
        Some(Change { peer: true, any })
    }

    /// Gives back the end of a branch that serves nobody.
    fn prune(&mut self, mut path: Vec<(usize, u8)>, mut at: usize) {
        while let Some((parent, byte)) = path.pop() {
            let node = &self.nodes[at];
            if !node.next.is_empty() || !node.peers.is_empty() {
                return;
            }
            self.nodes[at] = Node::default();
            self.free.push(at as u32);
            self.nodes[parent].next.retain(|(b, _)| *b != byte);
            at = parent;
        }
    }

    fn node(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node::default());
            self.nodes.len() as u32 - 1
        })
    }

    /// Everybody whose prefix `topic` begins with; a peer of several prefixes is met several times.
    #[inline]
    pub fn each(&self, topic: &[u8], mut meet: impl FnMut(u32)) {
        let mut node = &self.nodes[ROOT];
        let mut rest = topic.iter();
        loop {
            node.peers.iter().for_each(|(peer, _)| meet(*peer));
            let Some(byte) = rest.next() else { return };
            let Ok(found) = node.next.binary_search_by_key(byte, |(b, _)| *b) else { return };
            node = &self.nodes[node.next[found].1 as usize];
        }
    }

    /// Ends all subscriptions of `peer`, whose prefixes are these; those that nobody wants any more.
    pub fn forget(
        &mut self,
        peer: u32,
        topics: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
    ) -> Vec<Box<[u8]>> {
        let mut ended = Vec::new();
        for (topic, count) in topics {
            for _ in 0..count {
                if self.remove(&topic, peer).is_some_and(|change| change.any) {
                    ended.push(topic.clone());
                }
            }
        }
        ended
    }

    /// Nodes in use, the root included.
    pub fn nodes(&self) -> usize {
        self.nodes.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn does_what_a_list_of_prefixes_does(
            ops in prop::collection::vec((any::<bool>(), "[ab]{0,4}", 0..4u32), 0..80),
            topic in "[ab]{0,6}",
        ) {
            let (mut trie, mut list) = (Trie::default(), BTreeMap::<(String, u32), u32>::new());
            for (on, prefix, peer) in ops {
                let others = list.keys().any(|(p, other)| *p == prefix && *other != peer);
                let count = list.entry((prefix.clone(), peer)).or_default();
                if on {
                    *count += 1;
                    let first = *count == 1;
                    prop_assert_eq!(trie.add(prefix.as_bytes(), peer), Change { peer: first, any: first && !others });
                } else {
                    let expected = (*count > 0).then_some(Change { peer: *count == 1, any: *count == 1 && !others });
                    *count = count.saturating_sub(1);
                    prop_assert_eq!(trie.remove(prefix.as_bytes(), peer), expected);
                }
                list.retain(|_, count| *count > 0);
            }
            let mut met = BTreeSet::new();
            trie.each(topic.as_bytes(), |peer| {
                met.insert(peer);
            });
            let expected: BTreeSet<_> =
                list.keys().filter(|(p, _)| topic.starts_with(p.as_str())).map(|(_, peer)| *peer).collect();
            prop_assert_eq!(met, expected);
            let prefixes: BTreeSet<_> =
                list.keys().flat_map(|(p, _)| (0..=p.len()).map(move |n| p[..n].to_owned())).collect();
            prop_assert_eq!(trie.nodes(), prefixes.len().max(1));
        }
    }
}

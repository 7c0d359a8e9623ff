//! Stacks as a tree, outermost function first, with small nodes combined, for flame graphs.

use crate::profile::Profile;

/// Calls that are followed.
const MOST_DEPTH: usize = 200;

/// A function where it was called from one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Calls between the outermost function and this one.
    pub depth: u16,
    /// The start of the node and its value, in the unit of the profile's second value.
    pub start: i64,
    pub value: i64,
    /// The function's name; `None`: the node stands for functions that are left out, each of which has less
    /// than the share.
    pub name: Option<String>,
}

impl Profile {
    /// The tree of functions, each before those that it calls, the largest first; functions below `share` of
    /// the whole are summed up. If there would be more than `most` nodes, the share is raised.
    pub fn tree(&self, share: f64, most: usize) -> Vec<Node> {
        let mut stacks: Vec<(Vec<u32>, i64)> =
            self.samples.iter().map(|sample| (self.path(&sample.stack), sample.values[1])).collect();
        stacks.retain(|(_, value)| *value > 0);
        stacks.sort_unstable();
        let all = self.total(1) as f64;
        let mut least = (all * share).ceil() as i64;
        loop {
            let mut nodes = Vec::new();
            let fits = self.below(&stacks, 0, 0, least.max(1), most, &mut nodes);
            if fits {
                return nodes;
            }
            least = least.max(1).saturating_mul(2);
        }
    }

    /// Functions of a stack, outermost first.
    fn path(&self, stack: &[u32]) -> Vec<u32> {
        let lines = stack.iter().rev().flat_map(|at| self.locations[*at as usize].lines.iter().rev());
        lines.map(|(function, _)| *function).take(MOST_DEPTH).collect()
    }

    /// Adds the nodes of one depth and all below; `false` if there are too many.
    fn below(
        &self,
        stacks: &[(Vec<u32>, i64)],
        depth: usize,
        start: i64,
        least: i64,
        most: usize,
        into: &mut Vec<Node>,
    ) -> bool {
        let stacks = &stacks[stacks.partition_point(|(path, _)| path.len() <= depth)..];
        let mut groups: Vec<(&[(Vec<u32>, i64)], i64)> =
            stacks.chunk_by(|a, b| a.0[depth] == b.0[depth]).map(|group| (group, sum(group))).collect();
        groups.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
        let large = groups.partition_point(|(_, value)| *value >= least);
        let mut at = start;
        for (group, value) in &groups[..large] {
            let name = &self.functions[group[0].0[depth] as usize].name;
            into.push(Node { depth: depth as u16, start: at, value: *value, name: Some(name.clone()) });
            if into.len() > most || !self.below(group, depth + 1, at, least, most, into) {
                return false;
            }
            at += value;
        }
        let rest: i64 = groups[large..].iter().map(|(_, value)| value).sum();
        if rest >= least {
            into.push(Node { depth: depth as u16, start: at, value: rest, name: None });
        }
        into.len() <= most
    }
}

fn sum(stacks: &[(Vec<u32>, i64)]) -> i64 {
    stacks.iter().map(|(_, value)| *value).fold(0, i64::saturating_add)
}

#[cfg(test)]
mod tests {
    use crate::{Function, Kind, Location, Profile, Sample};
    use std::time::{Duration, SystemTime};

    fn profile(stacks: &[(&[u32], i64)]) -> Profile {
        let names = stacks.iter().flat_map(|(stack, _)| *stack).max().map_or(0, |most| most + 1);
        Profile {
            kind: Kind::Cpu,
            started: SystemTime::UNIX_EPOCH,
            length: Duration::ZERO,
            period: 1,
            samples: stacks
                .iter()
                .map(|(stack, value)| Sample { stack: stack.to_vec(), values: [1, *value], method: None })
                .collect(),
            locations: (0..names)
                .map(|at| Location { address: at.into(), mapping: None, lines: vec![(at, 0)] })
                .collect(),
            functions: (0..names)
                .map(|at| Function { name: format!("f{at}"), file: String::new() })
                .collect(),
            mappings: Vec::new(),
            facts: Vec::new(),
        }
    }

    fn lines(profile: &Profile, share: f64, most: usize) -> Vec<String> {
        let nodes = profile.tree(share, most);
        let name = |name: Option<String>| name.unwrap_or("rest".into());
        nodes
            .into_iter()
            .map(|node| format!("{} {}+{} {}", node.depth, node.start, node.value, name(node.name)))
            .collect()
    }

    /// Stacks have the innermost function first: f0 calls f1 and f2, f1 calls f2.
    #[test]
    fn a_function_stands_below_its_caller_and_the_largest_first() {
        let profile = profile(&[(&[2, 0], 50), (&[2, 1, 0], 20), (&[1, 0], 10), (&[0], 5), (&[3, 0], 1)]);
        assert_eq!(
            lines(&profile, 0.0, 100),
            ["0 0+86 f0", "1 0+50 f2", "1 50+30 f1", "2 50+20 f2", "1 80+1 f3"]
        );
        assert_eq!(lines(&profile, 0.3, 100), ["0 0+86 f0", "1 0+50 f2", "1 50+30 f1"]);
        assert_eq!(lines(&profile, 0.0, 2), ["0 0+86 f0", "1 0+50 f2"]);
    }

    #[test]
    fn what_is_small_is_summed_up() {
        let profile = profile(&[(&[1, 0], 60), (&[2, 0], 4), (&[3, 0], 4), (&[4, 0], 4)]);
        assert_eq!(lines(&profile, 0.1, 100), ["0 0+72 f0", "1 0+60 f1", "1 60+12 rest"]);
    }

    #[test]
    fn empty_and_negative_profiles_have_empty_trees() {
        assert!(lines(&profile(&[]), 0.001, 10).is_empty());
        assert!(lines(&profile(&[(&[0], -5)]), 0.001, 10).is_empty());
    }
}

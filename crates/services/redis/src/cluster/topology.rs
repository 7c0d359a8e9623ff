//! The slots of each node, as a node reports them: CLUSTER SHARDS, or CLUSTER SLOTS where that is not
//! supported.

use super::{
    redirect::{is_host, join},
    slot::{SLOTS, Slot},
};
use crate::Value;
use std::collections::HashMap;

/// Maximum number of nodes of a cluster. The specification of Redis Cluster is designed for up to 1000.
pub const MAX_NODES: usize = 1000;
/// Maximum number of slot ranges.
const MAX_RANGES: usize = SLOTS as usize;

/// A master, its replicas, and their slots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shard {
    /// `None`: it has none that can be reached.
    pub(super) master: Option<Box<str>>,
    pub(super) replicas: Vec<Box<str>>,
    /// The first and the last of each range.
    pub(super) ranges: Vec<(Slot, Slot)>,
}

/// The reason why an answer cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unusable(pub(super) &'static str);

const SHAPE: Unusable = Unusable("it has another form");
const MANY: Unusable = Unusable("it has too many nodes or ranges");

/// Reads the reply to CLUSTER SHARDS. `asked`: the host of the answering node, for entries without a host.
pub(super) fn of_shards(reply: &Value, asked: &str) -> Result<Vec<Shard>, Unusable> {
    let shards = items(reply).ok_or(SHAPE)?;
    let mut bounds = Bounds::default();
    let mut found = Vec::new();
    // Each shard has a node: that it has none would let one that lies send any number of them.
    if shards.len() > MAX_NODES {
        return Err(MANY);
    }
    for shard in shards {
        let mut read = Shard::default();
        let numbers = items(field(shard, "slots").ok_or(SHAPE)?).ok_or(SHAPE)?;
        for range in numbers.chunks(2) {
            let [first, last] = range else { return Err(SHAPE) };
            bounds.range(&mut read, first, last)?;
        }
        for node in items(field(shard, "nodes").ok_or(SHAPE)?).ok_or(SHAPE)? {
            bounds.node()?;
            // "online", "failed" or "loading"; a node that has failed is still listed. A replica is "loading"
            // as long as its offset is 0, which that of an empty master stays: it is used, and refuses what
            // it cannot answer.
            if field(node, "health")
                .and_then(Value::as_bytes)
                .is_some_and(|health| health.starts_with(b"fail"))
            {
                continue;
            }
            let port = field(node, "port").or_else(|| field(node, "tls-port")).ok_or(SHAPE)?;
            let host = field(node, "endpoint").or_else(|| field(node, "ip"));
            let Some(address) = address(host, port, asked)? else { continue };
            match field(node, "role").and_then(Value::as_bytes) {
                Some(b"master") => read.master = Some(address),
                _ => read.replicas.push(address),
            }
        }
        found.push(read);
    }
    usable(found)
}

/// Reads the reply to CLUSTER SLOTS.
pub(super) fn of_slots(reply: &Value, asked: &str) -> Result<Vec<Shard>, Unusable> {
    let mut bounds = Bounds::default();
    let mut found: Vec<Shard> = Vec::new();
    let mut of_master: HashMap<Option<Box<str>>, usize> = HashMap::new();
    let node = |node: &Value| {
        let [host, port, ..] = items(node).ok_or(SHAPE)? else { return Err(SHAPE) };
        address(Some(host), port, asked)
    };
    for entry in items(reply).ok_or(SHAPE)? {
        let [first, last, nodes @ ..] = items(entry).ok_or(SHAPE)? else { return Err(SHAPE) };
        let (master, replicas) = match nodes.split_first() {
            Some((master, replicas)) => (node(master)?, replicas),
            None => (None, nodes),
        };
        let at = match of_master.get(&master) {
            // Each range names the nodes again: they are read once, or a table of one slot in each range
            // would take long.
            Some(at) => *at,
            None => {
                bounds.node()?;
                let mut read = Shard { master: master.clone(), ..Shard::default() };
                for replica in replicas {
                    bounds.node()?;
                    read.replicas.extend(node(replica)?);
                }
                of_master.insert(master, found.len());
                found.push(read);
                found.len() - 1
            }
        };
        bounds.range(&mut found[at], first, last)?;
    }
    usable(found)
}

fn usable(shards: Vec<Shard>) -> Result<Vec<Shard>, Unusable> {
    let serves = |shard: &Shard| shard.master.is_some() && !shard.ranges.is_empty();
    if shards.iter().any(serves) { Ok(shards) } else { Err(Unusable("nobody has a slot")) }
}

/// Limits on the contents of an answer.
#[derive(Default)]
struct Bounds {
    nodes: usize,
    ranges: usize,
    /// The number of slots of all ranges together; overlapping ranges count twice.
    slots: usize,
}

impl Bounds {
    fn node(&mut self) -> Result<(), Unusable> {
        self.nodes += 1;
        if self.nodes > MAX_NODES { Err(MANY) } else { Ok(()) }
    }

    fn range(&mut self, shard: &mut Shard, first: &Value, last: &Value) -> Result<(), Unusable> {
        self.ranges += 1;
        let (Some(first), Some(last)) = (slot(first), slot(last)) else { return Err(SHAPE) };
        if first > last {
            return Err(SHAPE);
        }
        self.slots += last.index() - first.index() + 1;
        if self.ranges > MAX_RANGES || self.slots > SLOTS.into() {
            return Err(MANY);
        }
        shard.ranges.push((first, last));
        Ok(())
    }
}

fn slot(value: &Value) -> Option<Slot> {
    match value {
        Value::Integer(number) => Slot::new(u64::try_from(*number).ok()?),
        // CLUSTER SHARDS of redis-server 7.0 gives integers, later ones may give strings.
        other => Slot::new(std::str::from_utf8(other.as_bytes()?).ok()?.parse().ok()?),
    }
}

/// `None`: the node has no address that can be used.
fn address(host: Option<&Value>, port: &Value, asked: &str) -> Result<Option<Box<str>>, Unusable> {
    let Value::Integer(port) = port else { return Err(SHAPE) };
    let port = u16::try_from(*port).ok().filter(|port| *port > 0).ok_or(SHAPE)?;
    let host = match host {
        // "NULL: the client should use the same endpoint it used to send the command".
        None | Some(Value::Null | Value::NullArray) => asked,
        Some(value) => {
            let host = std::str::from_utf8(value.as_bytes().ok_or(SHAPE)?).map_err(|_| SHAPE)?;
            match host {
                "" => asked,
                "?" => return Ok(None), // a node whose address nobody knows yet
                host => host,
            }
        }
    };
    // That of `asked` is the user's, or was read here.
    if host == asked || is_host(host) { Ok(Some(join(host, port))) } else { Err(SHAPE) }
}

fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(items) | Value::Set(items) => Some(items),
        _ => None,
    }
}

/// A field of a map, which is a flat array in RESP2.
fn field<'a>(map: &'a Value, name: &str) -> Option<&'a Value> {
    let is = |key: &Value| key.as_bytes() == Some(name.as_bytes());
    match map {
        Value::Map(pairs) => pairs.iter().find(|(key, _)| is(key)).map(|(_, value)| value),
        Value::Array(items) => items.chunks_exact(2).find(|pair| is(&pair[0])).map(|pair| &pair[1]),
        _ => None,
    }
}

/// Reads a reply as both forms, for the fuzzer.
#[doc(hidden)]
pub fn read_topology(reply: &Value) -> usize {
    let shards = |read: Result<Vec<Shard>, Unusable>| read.map_or(0, |shards| shards.len());
    shards(of_shards(reply, "127.0.0.1")) + shards(of_slots(reply, "127.0.0.1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn text(words: &str) -> Value {
        Value::bulk(words)
    }

    /// A range of CLUSTER SLOTS with these nodes.
    fn range(first: i64, last: i64, nodes: &[(&str, i64)]) -> Value {
        let node =
            |(host, port): &(&str, i64)| Value::Array(vec![text(host), Value::Integer(*port), text("id")]);
        let numbers = [Value::Integer(first), Value::Integer(last)];
        Value::Array(numbers.into_iter().chain(nodes.iter().map(node)).collect())
    }

    #[test]
    fn ranges_of_one_master_are_one_shard() {
        let nodes = [("10.0.0.1", 7000), ("", 7003)];
        let reply =
            Value::Array(vec![range(0, 5, &nodes), range(6, 9, &[("::1", 7001)]), range(10, 16383, &nodes)]);
        let shards = of_slots(&reply, "10.9.9.9").expect("usable");
        assert_eq!(shards.len(), 2);
        assert_eq!(shards[0].master.as_deref(), Some("10.0.0.1:7000"));
        assert_eq!(shards[0].replicas, ["10.9.9.9:7003".into()]);
        assert_eq!(shards[0].ranges.len(), 2);
        assert_eq!(shards[1].master.as_deref(), Some("[::1]:7001"));
    }

    /// Captured from redis-server 7.0.15: a master with a range, and a replica of offset 0.
    #[test]
    fn shards_are_read_in_both_versions() {
        let node = |map: &str, id: &str, port: &str, role: &str, health: &str| {
            format!(
                "{map}$2\r\nid\r\n$40\r\n{id}\r\n$4\r\nport\r\n:{port}\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n$8\r\nendpoint\r\n\
                 $9\r\n127.0.0.1\r\n$4\r\nrole\r\n{role}\r\n$18\r\nreplication-offset\r\n:0\r\n$6\r\nhealth\r\n{health}\r\n"
            )
        };
        let slot = |number| Slot::new(number).expect("a slot");
        for (shard, map) in [("*4\r\n", "*14\r\n"), ("%2\r\n", "%7\r\n")] {
            for (health, replicas) in
                [("$7\r\nloading", vec!["127.0.0.1:17802".into()]), ("$6\r\nfailed", Vec::new())]
            {
                let master = "a747433f63264f6ae7e92cc7bc57ec79dd232be0";
                let master = node(map, master, "17801", "$6\r\nmaster", "$6\r\nonline");
                let replica = "6a1e8295c4cbf45a3e7e2a83fafe9c3cddb3fc5f";
                let replica = node(map, replica, "17802", "$7\r\nreplica", health);
                let slots = "$5\r\nslots\r\n*2\r\n:0\r\n:5460";
                let wire = format!("*1\r\n{shard}{slots}\r\n$5\r\nnodes\r\n*2\r\n{master}{replica}");
                let reply = Value::parse(Bytes::from(wire)).expect("a value");
                let (master, ranges) = (Some("127.0.0.1:17801".into()), vec![(slot(0), slot(5460))]);
                assert_eq!(of_shards(&reply, "x").expect("usable"), [Shard { master, replicas, ranges }]);
            }
        }
    }

    #[test]
    fn a_table_with_a_range_for_each_slot_is_as_large_as_one_with_few() {
        let masters = MAX_NODES as i64 / 2;
        // What follows the first range of a master is not looked at again.
        let replicas = |slot: i64| if slot < masters { vec![("b", 1)] } else { vec![("", 0); 50] };
        let master = |slot: i64| vec![("a", 1 + slot % masters)];
        let ranges =
            (0..SLOTS as i64).map(|slot| range(slot, slot, &[master(slot), replicas(slot)].concat()));
        let shards = of_slots(&Value::Array(ranges.collect()), "x").expect("usable");
        assert_eq!(shards.len(), masters as usize);
        assert!(shards.iter().all(|shard| shard.replicas == ["b:1".into()]));
        assert_eq!(shards.iter().map(|shard| shard.ranges.len()).sum::<usize>(), usize::from(SLOTS));
        let one_more = (0..=SLOTS as i64).map(|at| range(at % 16384, at % 16384, &[("a", 1)]));
        assert_eq!(of_slots(&Value::Array(one_more.collect()), "x"), Err(MANY));
    }

    #[test]
    fn tables_of_a_liar_are_refused_before_they_cost_anything() {
        let million = (0..1_000_000).map(|_| range(0, 0, &[("a", 1)])).collect();
        assert_eq!(of_slots(&Value::Array(million), "x"), Err(MANY));
        let overlapping = (0..2).map(|_| range(0, 16383, &[("a", 1)])).collect();
        assert_eq!(of_slots(&Value::Array(overlapping), "x"), Err(MANY));
        let nodes: Vec<_> = (0..=MAX_NODES as i64).map(|port| ("a", port + 1)).collect();
        assert_eq!(of_slots(&Value::Array(vec![range(0, 1, &nodes)]), "x"), Err(MANY));
        let shard = |slots: &[i64], nodes: Vec<Value>| {
            let slots = Value::Array(slots.iter().map(|slot| Value::Integer(*slot)).collect());
            Value::Array(vec![text("slots"), slots, text("nodes"), Value::Array(nodes)])
        };
        let node =
            |port| Value::Array(vec![text("port"), Value::Integer(port), text("role"), text("master")]);
        let with_empty = |count: usize| {
            let whole = shard(&[0, 16383], vec![node(1)]);
            Value::Array(std::iter::once(whole).chain(vec![shard(&[], vec![]); count]).collect())
        };
        assert!(of_shards(&with_empty(MAX_NODES - 1), "x").is_ok());
        assert_eq!(of_shards(&with_empty(MAX_NODES), "x"), Err(MANY));
        for wrong in [range(5, 4, &[("a", 1)]), range(0, 16384, &[("a", 1)]), range(-1, 4, &[("a", 1)])] {
            assert_eq!(of_slots(&Value::Array(vec![wrong]), "x"), Err(SHAPE));
        }
        for wrong in [range(0, 1, &[("a", 0)]), range(0, 1, &[("a", 65536)]), Value::Integer(1)] {
            assert_eq!(of_slots(&Value::Array(vec![wrong]), "x"), Err(SHAPE));
        }
        for host in ["not a host", "/tmp/socket", "a,b", "file://x", "a\n", &"a".repeat(256)] {
            assert_eq!(of_slots(&Value::Array(vec![range(0, 1, &[(host, 1)])]), "x"), Err(SHAPE), "{host}");
        }
        assert!(of_slots(&Value::Array(vec![]), "x").is_err());
        assert!(of_slots(&Value::Array(vec![range(0, 1, &[("?", 1)])]), "x").is_err());
    }
}

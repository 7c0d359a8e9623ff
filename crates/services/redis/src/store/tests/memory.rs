//! What counts as memory, and when it is released.

use super::{
    super::{catalogue, trash::HEAVY},
    *,
};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

#[test]
fn memory_has_a_bound_and_deleting_makes_room() {
    let mut p = Peer::new(Options { max_memory: 1 << 20, ..Options::default() });
    let full = "-OOM command not allowed when used memory > 'maxmemory'.";
    let mut written = 0;
    while p.send(&Command::new("RPUSH").arg(format!("k{}", written % 10)).arg("x".repeat(1000))) != full {
        written += 1;
        assert!(written < 1500);
    }
    assert!(written > 700, "{written}");
    p.says(&format!("SET k {}", "x".repeat(1000)), full).says("GET k0", WRONG_TYPE).says("LPOP none", "$-1");
    p.says("FLUSHALL", "+OK").says("SET k v", "+OK");
    assert!(p.store.used_memory() < 64 * 4096);
}

#[test]
fn memory_of_what_was_removed_is_given_back() {
    // Tables that were filled and then emptied to one member were once counted as next to nothing although
    // they kept all their memory.
    let mut p = peer();
    for n in 0..5 {
        for from in (0..50_000).step_by(1000) {
            p.send(&Command::new("SADD").arg(format!("s{n}")).arg_list(from..from + 1000));
            p.send(&Command::new("RPUSH").arg(format!("l{n}")).arg_list(from..from + 1000));
        }
        let full = p.store.used_memory();
        assert!(full > 50_000 * (32 + 24), "{full}");
        for from in (0..50_000).step_by(1000) {
            p.send(&Command::new("SREM").arg(format!("s{n}")).arg_list(from + 1..from + 1000));
        }
        p.says(&format!("SCARD s{n}"), ":50").says(&format!("LTRIM l{n} 0 9"), "+OK");
        assert!(p.store.used_memory() < 64 * 4096 + 40_000, "{}", p.store.used_memory());
    }
    // The table of keys releases its memory in the same way.
    for n in 0..50_000 {
        p.send(&Command::new("SET").arg(n).arg("v"));
    }
    let full = p.store.used_memory();
    for n in 0..50_000 {
        p.send(&Command::new("DEL").arg(n));
    }
    assert!(full > 5_000_000 && p.store.used_memory() < 64 * 4096 + 40_000, "{}", p.store.used_memory());
}

#[test]
fn what_connections_hold_counts_as_memory() {
    let mut p = Peer::new(Options { max_memory: 4 << 20, ..Options::default() });
    let full = "-OOM command not allowed when used memory > 'maxmemory'.";
    // Watched keys: there is a limit for each connection, and one for all.
    let key = |n: usize| format!("{n}{}", "x".repeat(10_000));
    let (mut others, mut refused) = (Vec::new(), String::new());
    for _ in 0..10 {
        let mut other = p.beside();
        let watched = (0..200).take_while(|n| {
            refused = other.send(&Command::new("WATCH").arg(key(*n)));
            refused == "+OK"
        });
        assert!(watched.count() <= 104);
        others.push(other);
    }
    assert_eq!(refused, full);
    assert!((4 << 20..5 << 20).contains(&(p.store.used_memory() + 100_000)), "{}", p.store.used_memory());
    let set = format!("SET k {}", "x".repeat(20_000));
    p.says(&set, full).says("MULTI", "+OK").says(&set, full).says("DISCARD", "+OK");
    others.truncate(1);
    assert_eq!(others[0].send(&Command::new("WATCH").arg(key(1000))), "-ERR too many watched keys");
    drop(others);
    // Queued commands count, too.
    p.says("MULTI", "+OK");
    let long = Command::new("SET").arg("k").arg(vec![b'x'; 500_000]);
    let queued = (0..100).take_while(|_| p.send(&long) == "+QUEUED").count();
    assert!((2..8).contains(&queued), "{queued}");
    p.says("EXEC", "-EXECABORT Transaction discarded because of previous errors.").says("GET k", "$-1");
    // No memory of this key remains.
    p.says("SETRANGE k 4000000 x", full).says("FLUSHALL", "+OK");
    for n in 0..10_000 {
        p.send(&Command::new("SET").arg(n % 1000).arg("v"));
    }
    p.says("FLUSHALL", "+OK");
    assert!(p.store.used_memory() < 64 * 4096, "{}", p.store.used_memory());
}

#[test]
fn random_commands_leave_nothing_behind() {
    // A printed seed makes a failure repeatable.
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    println!("seed {seed}");
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 16) as usize % below
    };
    let words = [
        "0",
        "1",
        "-1",
        "5",
        "100000",
        "9223372036854775807",
        "*",
        "[a-",
        "COUNT",
        "MATCH",
        "LEFT",
        "RIGHT",
        "PX",
        "10",
    ];
    let mut p = Peer::new(Options {
        max_memory: 1 << 20,
        max_string: 20_000,
        max_reply: 20_000,
        ..Options::default()
    });
    let mut peers: Vec<_> = (0..4).map(|_| p.beside()).collect();
    for step in 0..40_000 {
        let spec = &catalogue::COMMANDS[random(catalogue::COMMANDS.len())].spec;
        // FLUSHALL empties the store too often for anything to grow.
        if spec.name.starts_with("flush") && random(50) > 0 {
            continue;
        }
        let mut command = Command::new(spec.name);
        for place in 1..usize::from(spec.arity.unsigned_abs()) + random(3) {
            let kind = if place == 1 { 0 } else { random(4) };
            command = match kind {
                0 => command.arg(format!("k{}", random(30))),
                1 => command.arg("x".repeat(random(100) * random(100))),
                2 => command.arg(random(1000)),
                _ => command.arg(words[random(words.len())]),
            };
        }
        let peer = &mut peers[random(4)];
        peer.unix_ms = p.unix_ms + step / 10;
        // `send` checks that it is one complete reply.
        let reply = peer.send(&command);
        assert!(reply.len() < 25_000, "{} bytes for {}", reply.len(), spec.name);
        assert!(p.store.used_memory() < 2 << 20, "{}", spec.name);
        if step % 1000 == 0 {
            p.store.keyspace.stripes.iter().for_each(|stripe| stripe.wait().check());
        }
    }
    drop(peers);
    for n in 0..2000 {
        p.send(&Command::new("SET").arg(n).arg("v")); // finds watchers that no longer exist
        p.send(&Command::new("DEL").arg(n));
    }
    p.says("FLUSHALL", "+OK").says("DBSIZE", ":0");
    assert_eq!(p.store.keyspace.stripes.iter().map(|stripe| stripe.wait().weight()).sum::<usize>(), 0);
    assert_eq!(p.store.keyspace.beside(), 0);
}

#[test]
fn weights_add_up_whatever_is_done() {
    let mut p = peer();
    let long = "x".repeat(100);
    let lines = [
        format!("SET a {long}"),
        format!("APPEND a {long}"),
        "SETRANGE a 300 y".into(),
        format!("RPUSH l a {long} b {long}"),
        format!("LSET l 0 {long}"),
        format!("LINSERT l BEFORE b {long}"),
        format!("LREM l 1 {long}"),
        "LMOVE l m LEFT RIGHT".into(),
        format!("HSET h f {long} {long} v"),
        "HSET h f short".into(),
        format!("HDEL h {long}"),
        format!("SADD s {long} b c"),
        "SPOP s".into(),
        "RENAME s t".into(),
        "EXPIRE a 100".into(),
    ];
    for line in &lines {
        let reply = p.send(&Command::parse(line).expect("a command"));
        assert!(!reply.starts_with('-'), "{line} {reply}");
    }
    p.says("DEL a l m h t", ":5");
    for stripe in &p.store.keyspace.stripes {
        let stripe = stripe.wait();
        assert_eq!((stripe.weight(), stripe.ending, stripe.len()), (0, 0, 0));
    }
}

/// Records a counter at the moment this is dropped.
struct Witness {
    of: Arc<AtomicI64>,
    seen: Arc<AtomicI64>,
}
impl Drop for Witness {
    fn drop(&mut self) {
        self.seen.store(self.of.load(Relaxed), Relaxed);
    }
}

#[test]
fn what_is_heavy_counts_until_it_is_freed() {
    let mut p = peer();
    fill(&mut p, 10_000);
    let stripe = p.store.keyspace.key(b"s").stripe();
    let (mut held, _claim) = p.store.keyspace.stripes[stripe].lock(Place::Pool).expect("the pool waits");
    assert!(held.delete(p.store.keyspace.key(b"s"), &Now::at(p.unix_ms)));
    let mut trash = std::mem::take(&mut held.trash);
    assert!(!trash.is_empty());
    drop(held);
    // What is freed sees that its bytes are still counted.
    let seen = Arc::new(AtomicI64::new(0));
    trash.put(Witness { of: p.store.keyspace.beside.clone(), seen: seen.clone() }, HEAVY);
    assert_eq!(p.store.keyspace.beside(), 0);
    trash.empty(&p.store.keyspace.beside);
    let seen = seen.load(Relaxed);
    assert!((HEAVY + 100_000..1 << 20).contains(&(seen as usize)), "the set and the witness: {seen}");
    assert_eq!(p.store.keyspace.beside(), 0);
}

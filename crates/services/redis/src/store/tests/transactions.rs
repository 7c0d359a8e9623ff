//! Transactions and watched keys.

use super::{super::MAX_QUEUED, *};

#[test]
fn transactions_run_at_once_or_not_at_all() {
    // Captured from redis-server.
    let mut p = peer();
    p.says("MULTI", "+OK").says("SET k 1", "+QUEUED").says("INCR k", "+QUEUED").says("EXEC", "*2 +OK :2");
    p.says("MULTI", "+OK").says("SET a x", "+QUEUED").says("INCR a", "+QUEUED").says("GET a", "+QUEUED");
    p.says("EXEC", &format!("*3 +OK {NOT_AN_INTEGER} $1 x"));
    p.says("MULTI", "+OK").says("MULTI", "-ERR MULTI calls can not be nested").says("EXEC", "*0");
    p.says("MULTI", "+OK").says("WATCH a", "-ERR WATCH inside MULTI is not allowed").says("DISCARD", "+OK");
    p.says("EXEC", "-ERR EXEC without MULTI").says("DISCARD", "-ERR DISCARD without MULTI");
    let aborted = "-EXECABORT Transaction discarded because of previous errors.";
    p.says("MULTI", "+OK")
        .says("foo", "-ERR unknown command 'foo', with args beginning with:")
        .says("EXEC", aborted);
    p.says("MULTI", "+OK").says("get", "-ERR wrong number of arguments for 'get' command");
    p.says("SET a 1", "+QUEUED").says("EXEC", aborted).says("GET a", "$1 x");
    p.says("MULTI", "+OK").says("RESET", "+RESET").says("EXEC", "-ERR EXEC without MULTI");
    p.says("MULTI", "+OK").says("FLUSHALL", "+QUEUED").says("DBSIZE", "+QUEUED").says("KEYS *", "+QUEUED");
    p.says("EXEC", "*3 +OK :0 *0");
}

#[test]
fn a_watched_key_that_changes_prevents_the_transaction() {
    for (change, prevents) in [
        ("SET k 2", true),
        ("DEL k", true),
        ("EXPIRE k 100", true),
        ("FLUSHALL", true),
        ("RENAME other k", true),
        ("SADD new x", true),
        ("GET k", false),
        ("SET other 2", false),
        ("DEL none", false),
    ] {
        let mut p = peer();
        p.says("MSET k 1 other 1", "+OK").says("WATCH k new", "+OK");
        p.beside().send(&Command::parse(change).expect("a command"));
        p.says("MULTI", "+OK").says("PING", "+QUEUED");
        p.says("EXEC", if prevents { "*-1" } else { "*1 +PONG" });
        p.says("MULTI", "+OK").says("EXEC", "*0");
    }
    let mut p = peer();
    p.says("SET k 1 PX 10", "+OK").says("WATCH k", "+OK").wait_ms(10);
    p.says("MULTI", "+OK").says("EXEC", "*-1");
    p.says("WATCH k", "+OK")
        .says("SET k 2", "+OK")
        .says("UNWATCH", "+OK")
        .says("MULTI", "+OK")
        .says("EXEC", "*0");
    p.says("WATCH k", "+OK").says("SET k 2", "+OK").says("MULTI", "+OK").says("DISCARD", "+OK");
    p.says("MULTI", "+OK").says("EXEC", "*0");
}

#[test]
fn watchers_that_are_gone_are_forgotten() {
    let p = peer();
    for n in 0..10_000 {
        let mut other = p.beside();
        other.send(&Command::new("WATCH").arg(format!("k{n}")));
    }
    let kept = p.store.keyspace.stripes.iter().map(|s| s.wait().watched()).sum::<usize>();
    assert!(kept <= 64 * 32, "{kept}");
}

#[test]
fn a_transaction_has_a_bound() {
    let mut p = peer();
    p.says("MULTI", "+OK");
    let long = Command::new("SET").arg("k").arg(vec![b'x'; MAX_QUEUED / 4]);
    (0..3).for_each(|_| assert_eq!(p.send(&long), "+QUEUED"));
    assert_eq!(p.send(&long), "-ERR transaction is too large");
    p.says("EXEC", "-EXECABORT Transaction discarded because of previous errors.").says("DBSIZE", ":0");
}

#[test]
fn a_watch_of_one_key_costs_one_place_for_each_connection() {
    let mut p = peer();
    p.says(&("WATCH".to_owned() + &" k".repeat(5000)), "+OK");
    let weight = p.store.keyspace.stripes[p.store.keyspace.key(b"k").stripe()].wait().weight();
    assert!(weight < 1000, "{weight}");
    let mut others: Vec<_> = (0..1000).map(|_| p.beside()).collect();
    for _ in 0..10 {
        others.iter_mut().for_each(|other| _ = other.says("WATCH k", "+OK").says("UNWATCH", "+OK"));
    }
    let weight = p.store.keyspace.stripes[p.store.keyspace.key(b"k").stripe()].wait().weight();
    assert!(weight < 1000, "{weight}");
}

#[test]
fn a_transaction_has_a_bound_of_steps() {
    let mut p = peer();
    p.says("MULTI", "+OK");
    // Each item is pushed once and visited by all later commands.
    for _ in 0..10_000 {
        p.says("RPUSH l x", "+QUEUED").says("LREM l 0 y", "+QUEUED");
    }
    p.says("EXEC", "-ERR transaction takes too long")
        .says("EXISTS l", ":0")
        .says("EXEC", "-ERR EXEC without MULTI");
}

#[test]
fn a_transaction_is_never_seen_half_done() {
    let p = peer();
    let mut writers: Vec<_> = (0..2).map(|_| p.beside()).collect();
    let mut reader = p.beside();
    std::thread::scope(|scope| {
        for writer in &mut writers {
            scope.spawn(|| {
                for _ in 0..2000 {
                    writer.says("MULTI", "+OK").says("INCR a", "+QUEUED").says("DECR b", "+QUEUED");
                    writer.send(&Command::new("EXEC"));
                }
            });
        }
        for _ in 0..2000 {
            let both = reader.send(&Command::parse("MGET a b").expect("a command"));
            let words: Vec<_> = both.split(' ').collect();
            match words[..] {
                ["*2", "$-1", "$-1"] => {} // before the first transaction
                ["*2", _, a, _, b] => assert_eq!(b, format!("-{a}"), "{both}"),
                _ => panic!("{both}"),
            }
        }
    });
    reader.says("GET a", "$4 4000");
}

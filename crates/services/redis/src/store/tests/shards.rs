//! What a shard executes itself, and what it leaves to the work pool.

use super::{super::effort::LONG, *};

#[test]
fn what_takes_long_leaves_its_shard() {
    let long = [
        "DEL l",
        "UNLINK s",
        "LREM l 0 x",
        "LINSERT l BEFORE x y",
        "LRANGE l 0 -1",
        "LTRIM l 0 0",
        "LPOP l 100000",
        "HGETALL h",
        "HKEYS h",
        "HVALS h",
        "SMEMBERS s",
        "SPOP s 100000",
        "APPEND t x",
        "SETRANGE t 0 x",
        "SETRANGE new 60000000 x",
        "KEYS *",
        "FLUSHALL",
    ];
    let short = [
        "LRANGE l 0 9",
        "LTRIM l 1 -1",
        "LPOP l 2",
        "LINDEX l 9000",
        "LSET l 5 x",
        "RPUSH l x",
        "SPOP s 2",
        "SADD s x",
        "SREM s 1 2 3",
        "HGET h 1",
        "HDEL h 1",
        "SCAN 0 COUNT 10000",
        "HSCAN h 0 COUNT 10000",
        "SSCAN s 0 MATCH *1*",
        "STRLEN t",
        "GETRANGE t 0 9",
        "DBSIZE",
        "RANDOMKEY",
        "INFO",
        "RENAME l k",
        "SET k v",
        "GETDEL k",
    ];
    for (items, leaves) in [(2 * LONG, true), (100, false)] {
        let mut p = peer();
        fill(&mut p, items);
        let whole = p.store.used_memory();
        for line in long {
            // SETRANGE beyond the end takes long in every case.
            let wanted = leaves || line.starts_with("SETRANGE new");
            if wanted {
                assert!(p.leaves(line), "{line}");
                p.says("MULTI", "+OK").send(&Command::parse(line).expect("a command"));
                assert!(p.leaves("EXEC"), "{line}");
                p.says("DISCARD", "+OK");
            }
        }
        assert_eq!(p.store.used_memory(), whole, "nothing was done");
        for line in short {
            assert!(!p.leaves(line), "{line}");
        }
        for line in long.iter().filter(|line| !leaves && !line.starts_with("SETRANGE new")) {
            assert!(!p.leaves(line), "{line}");
        }
    }
}

#[test]
fn many_arguments_leave_their_shard() {
    let mut p = peer();
    let many = |name: &str| Command::new(name).arg_list(0..LONG + 1);
    for name in ["MSET", "MGET", "DEL", "EXISTS", "SADD", "WATCH", "COMMAND", "PING"] {
        assert!(p.send_on_a_shard(&many(name)).is_err(), "{name}");
    }
    assert!(p.send_on_a_shard(&Command::new("SET").arg("k").arg(vec![b'x'; 513 * LONG])).is_err());
    p.says("MULTI", "+OK");
    for _ in 0..=LONG {
        p.send(&Command::new("PING"));
    }
    assert!(p.leaves("EXEC"));
    assert!(p.send(&Command::new("EXEC")).starts_with("*16385 +PONG +PONG "));
}

#[test]
fn a_shard_never_waits_for_what_takes_long() {
    let mut p = peer();
    p.says("SET k v", "+OK");
    let store = p.store.clone();
    let held = store.keyspace.stripes[store.keyspace.key(b"k").stripe()].lock(Place::Pool);
    for line in ["GET k", "SET k w", "MGET a b c k", "DEL k"] {
        assert!(p.leaves(line), "{line}");
    }
    p.says("MULTI", "+OK").says("GET k", "+QUEUED");
    assert!(p.leaves("EXEC"));
    drop(held);
    assert_eq!(p.send_on_a_shard(&Command::new("EXEC")).expect("nobody holds it"), "*1 $1 v");
    // Commands over the whole keyspace wait for the lane.
    let lane = store.keyspace.lane.try_write().expect("nobody is in it");
    for line in ["DBSIZE", "SCAN 0", "INFO", "RANDOMKEY"] {
        assert!(p.leaves(line), "{line}");
    }
    drop(lane);
    assert!(!p.leaves("DBSIZE"));
}

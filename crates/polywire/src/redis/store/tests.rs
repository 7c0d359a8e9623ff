//! What is marked "captured" was answered by redis-server 7.0.15; beside these, random sequences of all commands were
//! compared with it.

use super::{
    MAX_QUEUED, Now, Options, Session, Store,
    effort::LONG,
    lane::{Long, Place},
    trash::HEAVY,
};
use crate::redis::{Command, ReplyBuf, Value, Version};
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering::Relaxed},
};

/// A connection to a store, with a clock moved by hand.
struct Peer {
    store: Arc<Store>,
    session: Session,
    version: Version,
    unix_ms: u64,
}

impl Peer {
    fn new(options: Options) -> Self {
        let unix_ms = 1_700_000_000_000;
        let store = Arc::new(Store::new_at(options, Now::at(unix_ms)));
        Peer { store, session: Session::default(), version: Version::Resp2, unix_ms }
    }

    /// Another connection to the same store.
    fn beside(&self) -> Peer {
        Peer { store: self.store.clone(), session: Session::default(), ..*self }
    }

    fn wait_ms(&mut self, time: u64) {
        self.unix_ms += time;
    }

    fn send(&mut self, command: &Command) -> String {
        let mut out = ReplyBuf::default();
        self.store.execute(
            &Now::at(self.unix_ms),
            &mut self.session,
            &command.wire(),
            self.version,
            &mut out,
        );
        let out = out.take().into_bytes();
        Value::parse(out.clone()).expect("one whole reply");
        String::from_utf8_lossy(&out).replace("\r\n", " ").trim_end().to_owned()
    }

    /// The reply, if a shard gives one.
    fn send_on_a_shard(&mut self, command: &Command) -> Result<String, Long> {
        let (mut out, now) = (ReplyBuf::default(), Now::at(self.unix_ms));
        let (wire, version) = (command.wire(), self.version);
        self.store.execute_at(Place::Shard, &now, &mut self.session, &wire, version, &mut out)?;
        Ok(String::from_utf8_lossy(&out.take().into_bytes()).replace("\r\n", " ").trim_end().to_owned())
    }

    /// Whether a shard leaves this to the work pool.
    #[track_caller]
    fn leaves(&mut self, line: &str) -> bool {
        self.send_on_a_shard(&Command::parse(line).expect("a command")).is_err()
    }

    #[track_caller]
    fn says(&mut self, line: &str, reply: &str) -> &mut Self {
        assert_eq!(self.send(&Command::parse(line).expect("a command")), reply, "{line}");
        self
    }
}

fn peer() -> Peer {
    Peer::new(Options::default())
}

const WRONG_TYPE: &str = "-WRONGTYPE Operation against a key holding the wrong kind of value";
const NOT_AN_INTEGER: &str = "-ERR value is not an integer or out of range";

#[test]
fn strings_are_set_under_conditions() {
    let mut p = peer();
    p.says("SET k v", "+OK").says("GET k", "$1 v").says("get none", "$-1");
    p.says("SET k w NX", "$-1").says("SET k w XX GET", "$1 v").says("SET x w XX", "$-1");
    p.says("SET k v NX GET", "$1 w")
        .says("GETSET k 1", "$1 w")
        .says("GETDEL k", "$1 1")
        .says("GETDEL k", "$-1");
    p.says("SET k v FOO", "-ERR syntax error").says("SET k v EX", "-ERR syntax error");
    p.says("SET k v EX 1 PX 1", "-ERR syntax error").says("SET k v EX 1 KEEPTTL", "-ERR syntax error");
    p.says("SET k v EX 0", "-ERR invalid expire time in 'set' command");
    p.says("SETEX k -1 v", "-ERR invalid expire time in 'setex' command");
    p.says("SETNX k a", ":1").says("SETNX k b", ":0").says("GET k", "$1 a");
    p.says("MSET a 1 b 2", "+OK").says("MGET a none b", "*3 $1 1 $-1 $1 2");
    p.says("MSET a 1 b", "-ERR wrong number of arguments for 'mset' command");
    p.says("MSETNX c 1 a 2", ":0").says("EXISTS c", ":0").says("MSETNX c 1 d 2", ":1");
}

#[test]
fn strings_are_bytes_and_numbers_at_once() {
    let mut p = peer();
    p.says("APPEND k ab", ":2").says("APPEND k cd", ":4").says("STRLEN k", ":4");
    p.says("GETRANGE k 1 2", "$2 bc").says("GETRANGE k -2 -1", "$2 cd").says("GETRANGE k 5 9", "$0");
    p.says("SETRANGE k 6 xy", ":8").says("GET k", "$8 abcd\0\0xy");
    p.says("SETRANGE k 600000000 x", "-ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    p.says("INCR n", ":1").says("INCRBY n 9", ":10").says("DECR n", ":9").says("DECRBY n 10", ":-1");
    p.says("APPEND n 0", ":3").says("GET n", "$3 -10").says("INCR n", ":-9").says("INCR k", NOT_AN_INTEGER);
    p.says("SET n 01", "+OK").says("INCR n", NOT_AN_INTEGER).says("GET n", "$2 01");
    p.says("SET n 9223372036854775807", "+OK");
    p.says("INCR n", "-ERR increment or decrement would overflow");
    p.says("DECRBY n -9223372036854775808", "-ERR decrement would overflow");
    p.says("INCRBY n x", NOT_AN_INTEGER).says("GET n", "$19 9223372036854775807");
    p.says("SET f 10.5", "+OK").says("INCRBYFLOAT f 0.1", "$4 10.6").says("INCRBYFLOAT f -10.6", "$1 0");
    p.says("INCRBYFLOAT k 1", "-ERR value is not a valid float");
    p.says("INCRBYFLOAT f inf", "-ERR increment would produce NaN or Infinity");
}

#[test]
fn a_key_has_one_kind_of_value() {
    let mut p = peer();
    p.says("RPUSH l a", ":1").says("HSET h f v", ":1").says("SADD s m", ":1").says("SET t v", "+OK");
    for line in
        ["GET l", "INCR h", "APPEND s x", "LPUSH t x", "LRANGE h 0 1", "HGET l f", "HGETALL s", "SADD t x"]
    {
        p.says(line, WRONG_TYPE);
    }
    p.says("TYPE l", "+list").says("TYPE h", "+hash").says("TYPE s", "+set").says("TYPE t", "+string");
    p.says("TYPE none", "+none")
        .says("MGET t l", "*2 $1 v $-1")
        .says("SET l v", "+OK")
        .says("TYPE l", "+string");
}

#[test]
fn keys_end_when_their_time_has_come() {
    let mut p = peer();
    p.says("SET k v PX 1500", "+OK").says("TTL k", ":2").says("PTTL k", ":1500").wait_ms(1499);
    p.says("GET k", "$1 v").says("PTTL k", ":1").wait_ms(1);
    p.says("GET k", "$-1").says("TTL k", ":-2").says("EXISTS k", ":0");
    p.says("SET k v EX 10", "+OK").says("SET k w KEEPTTL", "+OK").says("TTL k", ":10");
    p.says("SET k w", "+OK").says("TTL k", ":-1").says("EXPIRE k 5", ":1").says("EXPIRE none 5", ":0");
    p.says("EXPIRE k 3 GT", ":0").says("EXPIRE k 9 GT", ":1").says("EXPIRE k 4 NX", ":0");
    p.says("EXPIRE k 8 LT", ":1").says("TTL k", ":8").says("PERSIST k", ":1").says("PERSIST k", ":0");
    p.says("EXPIRE k 4 XX", ":0").says("EXPIRE k 1 FOO", "-ERR Unsupported option FOO");
    p.says("EXPIRE k 1 GT LT", "-ERR GT and LT options at the same time are not compatible");
    p.says("EXPIREAT k 1700000100", ":1").says("EXPIRETIME k", ":1700000100").says("GETEX k PERSIST", "$1 w");
    p.says("PEXPIREAT k 1700000100000", ":1").says("PEXPIRETIME k", ":1700000100000");
    p.says("EXPIRE k -1", ":1").says("EXISTS k", ":0");
    p.says("SET k v", "+OK")
        .says("EXPIRE k 9223372036854775807", "-ERR invalid expire time in 'expire' command");
}

#[test]
fn what_has_ended_goes_without_being_asked_for() {
    let mut p = peer();
    for n in 0..1000 {
        p.send(&Command::new("SET").arg(format!("k{n}")).arg("v").arg("PX").arg(10));
    }
    p.says("DBSIZE", ":1000").wait_ms(11);
    for n in 0..4000 {
        p.send(&Command::new("SET").arg(format!("other{}", n % 1000)).arg("v"));
    }
    p.says("DBSIZE", ":1000").says("KEYS k*", "*0");
}

#[test]
fn lists_are_worked_on_from_both_ends() {
    let mut p = peer();
    p.says("RPUSH l b c", ":2").says("LPUSH l a z", ":4").says("LRANGE l 0 -1", "*4 $1 z $1 a $1 b $1 c");
    p.says("LPOP l", "$1 z").says("RPOP l", "$1 c").says("LLEN l", ":2").says("LINDEX l -1", "$1 b");
    p.says("LPUSHX none x", ":0")
        .says("RPUSHX l b", ":3")
        .says("LSET l 0 y", "+OK")
        .says("LINDEX l 0", "$1 y");
    p.says("LSET l 9 y", "-ERR index out of range").says("LSET none 0 y", "-ERR no such key");
    p.says("LREM l -1 b", ":1").says("LRANGE l 0 -1", "*2 $1 y $1 b").says("LINSERT l AFTER y m", ":3");
    p.says("LTRIM l 1 1", "+OK").says("LRANGE l 0 -1", "*1 $1 m").says("RPOPLPUSH l r", "$1 m");
    p.says("EXISTS l", ":0").says("LPOP l", "$-1").says("LPOP l 2", "*-1").says("LPOP r 0", "*0");
    p.says("LPOP r -1", "-ERR value is out of range, must be positive").says("RPOPLPUSH r r", "$1 m");
    p.says("LMOVE r r LEFT RIGHT", "$1 m").says("LPOP r 5", "*1 $1 m").says("DBSIZE", ":0");
}

#[test]
fn hashes_and_sets_have_their_own_form_in_resp3() {
    let mut p = peer();
    p.says("HSET h f 1 g 2", ":2").says("HSET h f 3", ":0").says("HMGET h f x", "*2 $1 3 $-1");
    p.says("HINCRBY h f 4", ":7").says("HGET h f", "$1 7").says("HLEN h", ":2").says("HEXISTS h g", ":1");
    p.says("HSET h f", "-ERR wrong number of arguments for 'hset' command");
    p.says("HINCRBY h f x", NOT_AN_INTEGER).says("HDEL h g x", ":1").says("HGETALL h", "*2 $1 f $1 7");
    p.says("SADD s a a", ":1")
        .says("SISMEMBER s a", ":1")
        .says("SMISMEMBER s a b", "*2 :1 :0")
        .says("SMEMBERS s", "*1 $1 a");
    p.version = Version::Resp3;
    p.says("HGETALL h", "%1 $1 f $1 7")
        .says("SMEMBERS s", "~1 $1 a")
        .says("GET none", "_")
        .says("SPOP s 1", "~1 $1 a");
    p.says("HDEL h f", ":1").says("DBSIZE", ":0").says("HGETALL h", "%0").says("LPOP l 1", "_");
}

#[test]
fn keys_are_renamed_found_and_flushed() {
    let mut p = peer();
    p.says("MSET key:1 a key:2 b other c", "+OK").says("DEL other none", ":1").says("RENAME key:1 k", "+OK");
    p.says("RENAME none k", "-ERR no such key").says("RENAMENX k key:2", ":0").says("RENAMENX k key:3", ":1");
    p.says("KEYS *:2", "*1 $5 key:2").says("EXISTS key:2 key:2 none", ":2").says("TOUCH key:2", ":1");
    p.says("FLUSHALL FOO", "-ERR syntax error").says("DEL key:2", ":1").says("RANDOMKEY", "$5 key:3");
    p.says("FLUSHDB", "+OK").says("DBSIZE", ":0").says("RANDOMKEY", "$-1");
    assert_eq!(p.store.stripes.iter().map(|s| s.wait().weight()).sum::<usize>(), 0);
}

#[test]
fn a_scan_meets_every_key_once() {
    let mut p = peer();
    for n in 0..500 {
        p.send(&Command::new("SET").arg(format!("key:{n}")).arg(n));
    }
    p.says("RPUSH list x", ":1");
    let (mut cursor, mut seen) = ("0".to_owned(), Vec::new());
    loop {
        let mut out = ReplyBuf::default();
        let command = Command::new("SCAN").arg(&cursor).arg("COUNT").arg(7).arg("TYPE").arg("string");
        p.store.execute(&Now::at(p.unix_ms), &mut p.session, &command.wire(), Version::Resp2, &mut out);
        let (next, keys): (String, Vec<String>) =
            crate::redis::FromValue::from_value(Value::parse(out.take().into_bytes()).expect("a reply"))
                .expect("a step");
        seen.extend(keys);
        cursor = next;
        if cursor == "0" {
            break;
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 500);
    p.says("SCAN x", "-ERR invalid cursor").says("SCAN 0 COUNT 0", "-ERR syntax error");
    p.says("SCAN 18446744073709551615", "*2 $1 0 *0");
}

#[test]
fn patterns_take_a_bounded_time() {
    let mut p = peer();
    p.says("SET k v", "+OK").says("HSET h f v", ":1").says("SADD s m", ":1");
    let pattern = "*".to_owned() + &"a".repeat(1024);
    for line in ["KEYS", "SCAN 0 MATCH", "HSCAN h 0 MATCH", "SSCAN s 0 MATCH", "CONFIG GET"] {
        p.says(&format!("{line} {pattern}"), "-ERR pattern is too long");
        p.says(
            &format!("{line} {}", "[a".repeat(512)),
            match line {
                "KEYS" => "*0",
                "CONFIG GET" => "*0",
                _ => "*2 $1 0 *0",
            },
        );
    }
    p.says(&format!("CONFIG GET {}", "save ".repeat(65)), "-ERR too many patterns");
    // A key of 5 MiB takes more steps than one step of a scan has, and fewer than KEYS.
    p.send(&Command::new("SET").arg("a".repeat(5 << 20)).arg("v"));
    p.says("KEYS *b", "*0").says("SCAN 0 COUNT 1000 MATCH *b", "-ERR matching the pattern takes too long");
}

#[test]
fn a_step_of_a_scan_ends_at_a_bound_of_bytes() {
    let mut p = peer();
    for n in 0..50 {
        p.send(&Command::new("HSET").arg("h").arg(n).arg("x".repeat(100_000)));
    }
    let step = p.send(&Command::parse("HSCAN h 0 COUNT 1000").expect("a command"));
    assert!(step.starts_with("*2 $2 11 *22 "), "{}", &step[..20]);
}

#[test]
fn transactions_run_at_once_or_not_at_all() {
    // Captured.
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
    let kept = p.store.stripes.iter().map(|s| s.wait().watched()).sum::<usize>();
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

const TOO_LONG: &str = "-ERR reply is longer than the limit";

#[test]
fn replies_have_a_bound() {
    let mut p = Peer::new(Options { max_reply: 20_000, max_string: 2000, ..Options::default() });
    let long = "x".repeat(1000);
    p.says(&format!("SET k {long}"), "+OK");
    for n in 0..100 {
        p.send(&Command::new("RPUSH").arg("l").arg(&long));
        p.send(&Command::new("SADD").arg("s").arg(format!("{n}{long}")));
        p.send(&Command::new("HSET").arg("h").arg(format!("{n}{long}")).arg(&long));
        p.send(&Command::new("SET").arg(format!("{n}{long}")).arg(n));
    }
    let mget = "MGET".to_owned() + &" k".repeat(100);
    let many = "COMMAND INFO".to_owned() + &" get".repeat(1000);
    for line in [
        &mget,
        "LRANGE l 0 -1",
        "SMEMBERS s",
        "HGETALL h",
        "HKEYS h",
        "HVALS h",
        "LPOP l 50",
        "SPOP s 50",
        "KEYS *",
        &many,
    ] {
        p.says(line, TOO_LONG);
    }
    assert!(p.send(&Command::parse("LRANGE l 0 9").expect("a command")).len() > 10_000);
    // Nothing is taken that was not given.
    p.says("LLEN l", ":100").says("SCARD s", ":100");
    // In a transaction the items that find no room are errors, and all others are there.
    p.says("MULTI", "+OK");
    for _ in 0..30 {
        p.says("GET k", "+QUEUED");
    }
    p.says("GETDEL k", "+QUEUED").says("INCR n", "+QUEUED");
    let reply = p.send(&Command::new("EXEC"));
    assert!(
        reply.starts_with("*32 $1000 x") && reply.ends_with(&format!("{TOO_LONG} {TOO_LONG} :1")),
        "{reply}"
    );
    p.says("EXISTS k", ":1");
    // If not even these fit, it is one error.
    p.says("MULTI", "+OK");
    for _ in 0..1000 {
        p.says("INCR k", "+QUEUED");
    }
    p.says("INCR n", "+QUEUED");
    p.says("EXEC", "-ERR the transaction was carried out; its reply is longer than the limit")
        .says("GET n", "$1 2");
}

#[test]
fn a_short_command_is_no_way_to_a_long_reply() {
    // 762 bytes that asked for 6 GiB.
    let mut p = peer();
    p.says("SETRANGE k 67108863 x", ":67108864")
        .says("SETRANGE k 67108864 x", "-ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    p.says(&("MGET".to_owned() + &" k".repeat(100)), TOO_LONG);
    assert!(p.store.used_memory() < 65 << 20);
}

#[test]
fn long_values_are_sent_from_where_they_are() {
    let mut p = peer();
    let reply = |p: &mut Peer, line: &str| {
        let mut out = ReplyBuf::default();
        let command = Command::parse(line).expect("a command").wire();
        p.store.execute(&Now::at(p.unix_ms), &mut p.session, &command, p.version, &mut out);
        out.take()
    };
    let place = |reply: &polywire_base::IoBuf| {
        reply.segments().find(|segment| segment.len() >= 10_000).expect("a long segment").as_ptr()
    };
    let long = "x".repeat(20_000);
    p.says(&format!("SET k {long}"), "+OK").says(&format!("RPUSH l {long}"), ":1");
    assert_eq!(place(&reply(&mut p, "GET k")), place(&reply(&mut p, "GET k")));
    assert_eq!(place(&reply(&mut p, "LRANGE l 0 -1")), place(&reply(&mut p, "LINDEX l 0")));
    // A reply on its way does not change with its value.
    let before = reply(&mut p, "GETRANGE k 0 14999");
    p.says("SETRANGE k 0 y", ":20000").says("GETRANGE k 0 1", "$2 yx").says("APPEND k z", ":20001");
    assert_eq!(before.to_vec(), format!("$15000\r\n{}\r\n", &long[..15_000]).as_bytes());
    p.says("DEL k l", ":2");
}

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
    // Tables that were filled and emptied to one member weighed next to nothing and held everything.
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
    // Keys are given back in the same way.
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
    // Watched keys: a bound for each connection, and one for all.
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
    // Queued commands.
    p.says("MULTI", "+OK");
    let long = Command::new("SET").arg("k").arg(vec![b'x'; 500_000]);
    let queued = (0..100).take_while(|_| p.send(&long) == "+QUEUED").count();
    assert!((2..8).contains(&queued), "{queued}");
    p.says("EXEC", "-EXECABORT Transaction discarded because of previous errors.").says("GET k", "$-1");
    // Nothing of it is left.
    p.says("SETRANGE k 4000000 x", full).says("FLUSHALL", "+OK");
    for n in 0..10_000 {
        p.send(&Command::new("SET").arg(n % 1000).arg("v"));
    }
    p.says("FLUSHALL", "+OK");
    assert!(p.store.used_memory() < 64 * 4096, "{}", p.store.used_memory());
}

#[test]
fn a_watch_of_one_key_costs_one_place_for_each_connection() {
    let mut p = peer();
    p.says(&("WATCH".to_owned() + &" k".repeat(5000)), "+OK");
    let weight = p.store.stripes[p.store.key(b"k").stripe()].wait().weight();
    assert!(weight < 1000, "{weight}");
    let mut others: Vec<_> = (0..1000).map(|_| p.beside()).collect();
    for _ in 0..10 {
        others.iter_mut().for_each(|other| _ = other.says("WATCH k", "+OK").says("UNWATCH", "+OK"));
    }
    let weight = p.store.stripes[p.store.key(b"k").stripe()].wait().weight();
    assert!(weight < 1000, "{weight}");
}

#[test]
fn keys_that_have_ended_are_not_counted() {
    let mut p = peer();
    for n in 0..10_000 {
        p.send(&Command::new("SET").arg(n).arg("v").arg("PX").arg(10));
    }
    p.says("SET k v EX 100", "+OK").says("WATCH 17", "+OK").wait_ms(10);
    p.says("INFO keyspace", "$44 # Keyspace db0:keys=1,expires=1,avg_ttl=0").says("DBSIZE", ":1");
    p.says("MULTI", "+OK").says("EXEC", "*-1");
    assert!(p.store.used_memory() < 64 * 4096 + 1000, "{}", p.store.used_memory());
}

#[test]
fn a_scan_goes_on_when_most_of_a_set_goes() {
    let mut p = peer();
    p.send(&Command::new("SADD").arg("s").arg_list(0..10_000));
    let (mut cursor, mut seen) = ("0".to_owned(), Vec::new());
    loop {
        let mut out = ReplyBuf::default();
        let command = Command::new("SSCAN").arg("s").arg(&cursor).arg("COUNT").arg(100);
        p.store.execute(&Now::at(p.unix_ms), &mut p.session, &command.wire(), Version::Resp2, &mut out);
        let (next, members): (String, Vec<u32>) =
            crate::redis::FromValue::from_value(Value::parse(out.take().into_bytes()).expect("a reply"))
                .expect("a step");
        if cursor != "0" {
            p.send(&Command::new("SREM").arg("s").arg_list((0..10_000).filter(|n| n % 100 > 0)));
        }
        seen.extend(members);
        cursor = next;
        if cursor == "0" {
            break;
        }
    }
    assert!((0..10_000).step_by(100).all(|n| seen.contains(&n)));
    p.says("SCARD s", ":100");
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
        let spec = &super::catalogue::COMMANDS[random(super::catalogue::COMMANDS.len())];
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
        // `send` checks that it is one whole reply.
        let reply = peer.send(&command);
        assert!(reply.len() < 25_000, "{} bytes for {}", reply.len(), spec.name);
        assert!(p.store.used_memory() < 2 << 20, "{}", spec.name);
        if step % 1000 == 0 {
            p.store.stripes.iter().for_each(|stripe| stripe.wait().check());
        }
    }
    drop(peers);
    for n in 0..2000 {
        p.send(&Command::new("SET").arg(n).arg("v")); // finds the watchers that are gone
        p.send(&Command::new("DEL").arg(n));
    }
    p.says("FLUSHALL", "+OK").says("DBSIZE", ":0");
    assert_eq!(p.store.stripes.iter().map(|stripe| stripe.wait().weight()).sum::<usize>(), 0);
    assert_eq!(p.store.beside(), 0);
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
    for stripe in &p.store.stripes {
        let stripe = stripe.wait();
        assert_eq!((stripe.weight(), stripe.ending, stripe.len()), (0, 0, 0));
    }
}

#[test]
fn a_store_tells_about_itself() {
    let mut p = peer();
    p.says("PING", "+PONG")
        .says("PING a", "$1 a")
        .says("PING a b", "-ERR wrong number of arguments for 'ping' command");
    p.says("ECHO a", "$1 a").says("SELECT 0", "+OK").says("SELECT 1", "-ERR DB index is out of range");
    p.says("CONFIG GET save", "*2 $4 save $0").says("CONFIG GET appendonly", "*2 $10 appendonly $2 no");
    p.says("CONFIG GET", "-ERR wrong number of arguments for 'config|get' command");
    p.says("CONFIG SET a b", "-ERR Unknown option or number of arguments for CONFIG SET - 'a'");
    p.says("CONFIG FOO", "-ERR unknown subcommand 'FOO'. Try CONFIG HELP.");
    p.says("COMMAND GETKEYS MSET a 1 b 2", "*2 $1 a $1 b").says("TIME", "*2 $10 1700000000 $1 0");
    p.says("COMMAND INFO get none", "*2 *10 $3 get :2 *1 +readonly :1 :1 :1 *1 +@string *0 *0 *0 $-1");
    let count = p.send(&Command::parse("COMMAND COUNT").expect("a command"));
    assert!(count[1..].parse::<usize>().is_ok_and(|count| count > 90), "{count}");
    p.says("SET k v EX 10", "+OK");
    p.says("INFO keyspace", "$44 # Keyspace db0:keys=1,expires=1,avg_ttl=0");
    assert!(p.send(&Command::new("INFO")).contains(" redis_version:7.0.15 "));
    p.version = Version::Resp3;
    assert!(p.send(&Command::new("INFO")).starts_with('='));
    p.says("COMMAND DOCS get", "%1 $3 get %2 $7 summary $23 The string under a key. $5 group $6 string");
}

/// Fills a list, a hash and a set with so many items.
fn fill(p: &mut Peer, items: usize) {
    for n in (0..items).step_by(1000) {
        let names: Vec<_> = (n..items.min(n + 1000)).collect();
        p.send(&Command::new("RPUSH").arg("l").arg_list(&names));
        p.send(&Command::new("SADD").arg("s").arg_list(&names));
        p.send(&Command::new("HSET").arg("h").arg_list(names.iter().flat_map(|name| [name, name])));
    }
    p.send(&Command::new("SETRANGE").arg("t").arg(512 * items).arg("x"));
}

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
            // SETRANGE beyond the end is long wherever it is said.
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
    let held = store.stripes[store.key(b"k").stripe()].lock(Place::Pool);
    for line in ["GET k", "SET k w", "MGET a b c k", "DEL k"] {
        assert!(p.leaves(line), "{line}");
    }
    p.says("MULTI", "+OK").says("GET k", "+QUEUED");
    assert!(p.leaves("EXEC"));
    drop(held);
    assert_eq!(p.send_on_a_shard(&Command::new("EXEC")).expect("nobody holds it"), "*1 $1 v");
    // What goes over the whole keyspace waits for the lane.
    let lane = store.lane.try_write().expect("nobody is in it");
    for line in ["DBSIZE", "SCAN 0", "INFO", "RANDOMKEY"] {
        assert!(p.leaves(line), "{line}");
    }
    drop(lane);
    assert!(!p.leaves("DBSIZE"));
}

#[test]
fn a_transaction_has_a_bound_of_steps() {
    let mut p = peer();
    p.says("MULTI", "+OK");
    // Each item is pushed once and looked for by all that follow.
    for _ in 0..10_000 {
        p.says("RPUSH l x", "+QUEUED").says("LREM l 0 y", "+QUEUED");
    }
    p.says("EXEC", "-ERR transaction takes too long")
        .says("EXISTS l", ":0")
        .says("EXEC", "-ERR EXEC without MULTI");
}

/// Remembers a count as it was when this was dropped.
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
    let stripe = p.store.key(b"s").stripe();
    let (mut held, _claim) = p.store.stripes[stripe].lock(Place::Pool).expect("the pool waits");
    assert!(held.delete(p.store.key(b"s"), &Now::at(p.unix_ms)));
    let mut trash = std::mem::take(&mut held.trash);
    assert!(!trash.is_empty());
    drop(held);
    // What is freed with it sees that it still counts.
    let seen = Arc::new(AtomicI64::new(0));
    trash.put(Witness { of: p.store.beside.clone(), seen: seen.clone() }, HEAVY);
    assert_eq!(p.store.beside(), 0);
    trash.empty(&p.store.beside);
    let seen = seen.load(Relaxed);
    assert!((HEAVY + 100_000..1 << 20).contains(&(seen as usize)), "the set and the witness: {seen}");
    assert_eq!(p.store.beside(), 0);
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
                ["*2", "$-1", "$-1"] => {} // before the first
                ["*2", _, a, _, b] => assert_eq!(b, format!("-{a}"), "{both}"),
                _ => panic!("{both}"),
            }
        }
    });
    reader.says("GET a", "$4 4000");
}

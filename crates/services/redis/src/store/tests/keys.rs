//! Keys, their expiry, and what the store reports about itself.

use super::*;

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
fn keys_are_renamed_found_and_flushed() {
    let mut p = peer();
    p.says("MSET key:1 a key:2 b other c", "+OK").says("DEL other none", ":1").says("RENAME key:1 k", "+OK");
    p.says("RENAME none k", "-ERR no such key").says("RENAMENX k key:2", ":0").says("RENAMENX k key:3", ":1");
    p.says("KEYS *:2", "*1 $5 key:2").says("EXISTS key:2 key:2 none", ":2").says("TOUCH key:2", ":1");
    p.says("FLUSHALL FOO", "-ERR syntax error").says("DEL key:2", ":1").says("RANDOMKEY", "$5 key:3");
    p.says("FLUSHDB", "+OK").says("DBSIZE", ":0").says("RANDOMKEY", "$-1");
    assert_eq!(p.store.keyspace.stripes.iter().map(|s| s.wait().weight()).sum::<usize>(), 0);
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

//! The size limit of replies, and memory that replies share with values.

use super::*;

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
    // Nothing is removed that was not returned.
    p.says("LLEN l", ":100").says("SCARD s", ":100");
    // In a transaction, items for which there is no room are errors, and all others are returned.
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
    // If there is not even room for the errors, the reply is one error.
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
    // A request of 762 bytes asks for a reply of 6 GiB.
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
    // A reply that was not sent yet does not change with its value.
    let before = reply(&mut p, "GETRANGE k 0 14999");
    p.says("SETRANGE k 0 y", ":20000").says("GETRANGE k 0 1", "$2 yx").says("APPEND k z", ":20001");
    assert_eq!(before.to_vec(), format!("$15000\r\n{}\r\n", &long[..15_000]).as_bytes());
    p.says("DEL k l", ":2");
}

//! SCAN and its relatives, and glob patterns.

use super::*;

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
            crate::FromValue::from_value(Value::parse(out.take().into_bytes()).expect("a reply"))
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
    // A key of 5 MiB takes more steps than one iteration of a scan may use, and fewer than KEYS may.
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
fn a_scan_goes_on_when_most_of_a_set_goes() {
    let mut p = peer();
    p.send(&Command::new("SADD").arg("s").arg_list(0..10_000));
    let (mut cursor, mut seen) = ("0".to_owned(), Vec::new());
    loop {
        let mut out = ReplyBuf::default();
        let command = Command::new("SSCAN").arg("s").arg(&cursor).arg("COUNT").arg(100);
        p.store.execute(&Now::at(p.unix_ms), &mut p.session, &command.wire(), Version::Resp2, &mut out);
        let (next, members): (String, Vec<u32>) =
            crate::FromValue::from_value(Value::parse(out.take().into_bytes()).expect("a reply"))
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

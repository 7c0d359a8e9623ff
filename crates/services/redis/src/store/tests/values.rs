//! Strings, lists, hashes and sets.

use super::*;

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

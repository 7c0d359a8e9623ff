//! Sorted sets. Members with their scores are read as [`Pairs`](crate::Pairs).

use crate::execute::builtin;

builtin! {
    /// Adds members, each after its score; returns how many are new.
    fn zadd(key: key, members: pairs) -> i64 = "ZADD";
    /// Removes members; returns how many existed.
    fn zrem(key: key, members: list) -> i64 = "ZREM";
    /// The score of a member, if it is in the set.
    fn zscore(key: key, member: one) -> Option<f64> = "ZSCORE";
    /// The scores of several members: a list of `Option`.
    fn zmscore [T] (key: key, members: list) -> T = "ZMSCORE";
    /// Adds to the score of a member; returns the sum.
    fn zincrby(key: key, by: one, member: one) -> f64 = "ZINCRBY";
    /// The number of members; 0 if there is no such key.
    fn zcard(key: key) -> i64 = "ZCARD";
    /// Number of members with a score in this range; `(1.5`, `-inf` and `+inf` are ends, too.
    fn zcount(key: key, min: one, max: one) -> i64 = "ZCOUNT";
    /// The rank of a member, the lowest score first, if it is in the set.
    fn zrank(key: key, member: one) -> Option<i64> = "ZRANK";
    /// The rank of a member, the highest score first, if it is in the set.
    fn zrevrank(key: key, member: one) -> Option<i64> = "ZREVRANK";
    /// Members by their places: a list; negative ends count from the back.
    fn zrange [T] (key: key, start: one, end: one) -> T = "ZRANGE";
    /// Members by their places, with options such as BYSCORE, REV, LIMIT or WITHSCORES: a list, or
    /// [`Pairs`](crate::Pairs) with WITHSCORES.
    fn zrange_with [T] (key: key, start: one, end: one, options: list) -> T = "ZRANGE";
    /// Members by their scores: a list.
    fn zrangebyscore [T] (key: key, min: one, max: one) -> T = "ZRANGEBYSCORE";
    /// Removes the members with a score in this range; returns how many.
    fn zremrangebyscore(key: key, min: one, max: one) -> i64 = "ZREMRANGEBYSCORE";
    /// Removes the members at these places; returns how many.
    fn zremrangebyrank(key: key, start: one, end: one) -> i64 = "ZREMRANGEBYRANK";
    /// Takes the member with the lowest score out: [`Pairs`](crate::Pairs).
    fn zpopmin [T] (key: key, count: one) -> T = "ZPOPMIN";
    /// Takes the member with the highest score out: [`Pairs`](crate::Pairs).
    fn zpopmax [T] (key: key, count: one) -> T = "ZPOPMAX";
    /// Some members with their scores, and the cursor for the next ones: `(u64, Pairs<T, f64>)`.
    fn zscan [T] (key: key, cursor: one) -> T = "ZSCAN";
}

//! Commands for sets.

use crate::execute::builtin;

builtin! {
    /// Adds members; returns how many are new.
    fn sadd(key: key, members: list) -> i64 = "SADD";
    /// Removes members; returns how many existed.
    fn srem(key: key, members: list) -> i64 = "SREM";
    /// Whether `member` is in the set.
    fn sismember(key: key, member: one) -> bool = "SISMEMBER";
    /// Whether each of these is a member: a list of `bool`.
    fn smismember [T] (key: key, members: list) -> T = "SMISMEMBER";
    /// All members, as a list or a set.
    fn smembers [T] (key: key) -> T = "SMEMBERS";
    /// The number of members; 0 if there is no such key.
    fn scard(key: key) -> i64 = "SCARD";
    /// Takes a member out; read it as an `Option`.
    fn spop [T] (key: key) -> T = "SPOP";
    /// A random member; read it as an `Option`.
    fn srandmember [T] (key: key) -> T = "SRANDMEMBER";
    /// The members that are in all of these sets.
    fn sinter [T] (keys: keys) -> T = "SINTER";
    /// The members that are in any of these sets.
    fn sunion [T] (keys: keys) -> T = "SUNION";
    /// The members of the first set that are in none of the others.
    fn sdiff [T] (keys: keys) -> T = "SDIFF";
    /// Moves a member to another set; returns whether it was there.
    fn smove(from: key, to: key, member: one) -> bool = "SMOVE";
    /// Some members, and the cursor for the next ones: `(u64, Vec<T>)`.
    fn sscan [T] (key: key, cursor: one) -> T = "SSCAN";
}

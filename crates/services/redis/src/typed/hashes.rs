//! Commands for hashes.

use crate::execute::builtin;

builtin! {
    /// Sets fields of a hash; returns how many are new.
    fn hset(key: key, fields: pairs) -> i64 = "HSET";
    /// Sets a field that does not exist; returns whether the field was set.
    fn hsetnx(key: key, field: one, value: one) -> bool = "HSETNX";
    /// The value of a field; read it as an `Option` if the field may be missing.
    fn hget [T] (key: key, field: one) -> T = "HGET";
    /// The values of several fields: a list of `Option`.
    fn hmget [T] (key: key, fields: list) -> T = "HMGET";
    /// All fields and values: a map.
    fn hgetall [T] (key: key) -> T = "HGETALL";
    /// Deletes fields; returns how many existed.
    fn hdel(key: key, fields: list) -> i64 = "HDEL";
    /// Whether a field exists.
    fn hexists(key: key, field: one) -> bool = "HEXISTS";
    /// The number of fields; 0 if there is no such key.
    fn hlen(key: key) -> i64 = "HLEN";
    /// All fields, as a list.
    fn hkeys [T] (key: key) -> T = "HKEYS";
    /// All values, as a list.
    fn hvals [T] (key: key) -> T = "HVALS";
    /// Adds to the number in a field; returns the sum.
    fn hincrby(key: key, field: one, by: one) -> i64 = "HINCRBY";
    /// Adds to the floating point number in a field; returns the sum.
    fn hincrbyfloat(key: key, field: one, by: one) -> f64 = "HINCRBYFLOAT";
    /// Some fields with their values, and the cursor for the next ones: `(u64, Pairs<K, V>)`.
    fn hscan [T] (key: key, cursor: one) -> T = "HSCAN";
}

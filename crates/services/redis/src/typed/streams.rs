//! Streams. An entry is read as `(String, BTreeMap<String, String>)`, its id and its fields; entries of
//! several streams as `Option<Pairs<String, Vec<entry>>>`, which is `None` if there are none.

use crate::execute::builtin;

builtin! {
    /// Appends an entry; returns its id. `*` as the id lets the server choose.
    fn xadd(key: key, id: one, fields: pairs) -> String = "XADD";
    /// The number of entries; 0 if there is no such key.
    fn xlen(key: key) -> i64 = "XLEN";
    /// Entries from one id to another, which are `-` and `+` for the first and the last: a list.
    fn xrange [T] (key: key, start: one, end: one) -> T = "XRANGE";
    /// Like `XRANGE`, from the newest entry to the oldest: `end` comes first.
    fn xrevrange [T] (key: key, end: one, start: one) -> T = "XREVRANGE";
    /// Entries after these ids.
    fn xread [T] (streams: streams) -> T = "XREAD";
    /// Entries after these ids, at most `count` of each stream.
    fn xread_count [T] (count: one, streams: streams) -> T = "XREAD COUNT";
    /// Entries after these ids; waits for one. Needs a [`Session`](crate::Session).
    fn xread_block [T] (at_most: millis, streams: streams) -> T = "XREAD BLOCK";
    /// Deletes entries; returns how many existed.
    fn xdel(key: key, ids: list) -> i64 = "XDEL";
    /// Confirms entries of a group; returns how many were pending.
    fn xack(key: key, group: one, ids: list) -> i64 = "XACK";
    /// Makes a group of consumers that begins after this id, and the stream if it does not exist.
    fn xgroup_create(key: key, group: one, id: one, options: list) -> () = "XGROUP CREATE";
    /// Entries for a consumer of a group: `>` as an id means entries that were not delivered to any consumer
    /// yet.
    fn xreadgroup [T] (group: one, consumer: one, streams: streams) -> T = "XREADGROUP GROUP";
}

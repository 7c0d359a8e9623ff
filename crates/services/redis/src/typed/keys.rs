//! Keys of any type, and their expiry.

use crate::execute::builtin;

builtin! {
    /// Deletes keys; returns how many existed.
    fn del(keys: keys) -> i64 = "DEL";
    /// Deletes keys, and frees their values in the background; returns how many existed.
    fn unlink(keys: keys) -> i64 = "UNLINK";
    /// Returns how many of these keys exist.
    fn exists(keys: keys) -> i64 = "EXISTS";
    /// Marks keys as used now; returns how many exist.
    fn touch(keys: keys) -> i64 = "TOUCH";
    /// The type of a key's value: `string`, `list`, `hash`, `set`, `zset`, `stream`, or `none`.
    fn key_type(key: key) -> String = "TYPE";
    /// Makes a key expire after this time, in steps of a millisecond; returns whether the key exists.
    fn pexpire(key: key, ends_in: millis) -> bool = "PEXPIRE";
    /// Makes a key expire at this Unix time in milliseconds; returns whether the key exists.
    fn pexpireat(key: key, at: one) -> bool = "PEXPIREAT";
    /// Milliseconds until a key expires; -1 if it does not, -2 if there is no such key.
    fn pttl(key: key) -> i64 = "PTTL";
    /// Removes the expiry of a key; returns whether it had one.
    fn persist(key: key) -> bool = "PERSIST";
    /// Renames a key; it is an error if the key does not exist.
    fn rename(key: key, name: key) -> () = "RENAME";
    /// Renames a key unless the new name exists; returns whether the key was renamed.
    fn renamenx(key: key, name: key) -> bool = "RENAMENX";
    /// Copies a value to another key; returns whether the value was copied.
    fn copy(from: key, to: key) -> bool = "COPY";
    /// Keys that match a pattern: a list. Visits all keys of a server.
    fn keys [T] (pattern: one) -> T = "KEYS";
    /// Some keys, and the cursor for the next ones: `(u64, Vec<String>)`. Begin with cursor 0; the scan is
    /// over when 0 is returned.
    fn scan [T] (cursor: one) -> T = "SCAN";
    /// Number of keys of a server.
    fn dbsize() -> i64 = "DBSIZE";
    /// Waits until this many replicas have all writes of this connection, at most for this time; returns how
    /// many have. Only meaningful on a [`Session`](crate::Session).
    fn wait(replicas: one, at_most: millis) -> i64 = "WAIT";
}

//! Commands for strings and counters.

use crate::execute::builtin;

builtin! {
    /// Checks the connection; the reply is `PONG`.
    fn ping() -> String = "PING";
    /// The string under a key; read it as an `Option` if the key may be missing.
    fn get [T] (key: key) -> T = "GET";
    /// Sets a key to a string, whatever it was before, without an expiry.
    fn set(key: key, value: one) -> () = "SET";
    /// Sets a string with options. Read the reply as `bool` for whether it was set, or, with
    /// [`SetOptions::get`](crate::SetOptions::get), as the previous value.
    fn set_with [T] (key: key, value: one, options: args) -> T = "SET";
    /// Returns a string and deletes its key.
    fn getdel [T] (key: key) -> T = "GETDEL";
    /// Sets a string and returns the one before.
    fn getset [T] (key: key, value: one) -> T = "GETSET";
    /// Returns a string, and changes when its key expires.
    fn getex [T] (key: key, expiry: args) -> T = "GETEX";
    /// The strings under several keys: a list of `Option`.
    fn mget [T] (keys: keys) -> T = "MGET";
    /// Sets several keys at once.
    fn mset(pairs: key_pairs) -> () = "MSET";
    /// Sets several keys if none of them exists; returns whether they were set.
    fn msetnx(pairs: key_pairs) -> bool = "MSETNX";
    /// Sets a key that does not exist; returns whether it was set.
    fn setnx(key: key, value: one) -> bool = "SETNX";
    /// Sets a key that expires after this time, in steps of a millisecond.
    fn psetex(key: key, ends_in: millis, value: one) -> () = "PSETEX";
    /// Appends to a string; returns its length afterwards.
    fn append(key: key, value: one) -> i64 = "APPEND";
    /// Length of a string in bytes.
    fn strlen(key: key) -> i64 = "STRLEN";
    /// A part of a string by its first and last byte; negative ends count from the back.
    fn getrange [T] (key: key, start: one, end: one) -> T = "GETRANGE";
    /// Overwrites a part of a string from this byte on; returns its length afterwards.
    fn setrange(key: key, offset: one, value: one) -> i64 = "SETRANGE";
    /// Adds one to a number; returns the sum.
    fn incr(key: key) -> i64 = "INCR";
    /// Adds to a number; returns the sum.
    fn incrby(key: key, by: one) -> i64 = "INCRBY";
    /// Adds to a floating point number; returns the sum.
    fn incrbyfloat(key: key, by: one) -> f64 = "INCRBYFLOAT";
    /// Subtracts one from a number; returns the difference.
    fn decr(key: key) -> i64 = "DECR";
    /// Subtracts from a number; returns the difference.
    fn decrby(key: key, by: one) -> i64 = "DECRBY";
}

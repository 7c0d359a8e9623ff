//! Commands for lists. Blocking commands need a [`Session`](crate::Session).

use crate::execute::builtin;

builtin! {
    /// Puts items at the front of a list; returns its length.
    fn lpush(key: key, items: list) -> i64 = "LPUSH";
    /// Puts items at the back of a list; returns its length.
    fn rpush(key: key, items: list) -> i64 = "RPUSH";
    /// Puts items at the front of a list that exists; returns its length.
    fn lpushx(key: key, items: list) -> i64 = "LPUSHX";
    /// Puts items at the back of a list that exists; returns its length.
    fn rpushx(key: key, items: list) -> i64 = "RPUSHX";
    /// Takes an item off the front of a list; read it as an `Option` if the list may be empty.
    fn lpop [T] (key: key) -> T = "LPOP";
    /// Takes an item off the back of a list; read it as an `Option` if the list may be empty.
    fn rpop [T] (key: key) -> T = "RPOP";
    /// Number of items in a list.
    fn llen(key: key) -> i64 = "LLEN";
    /// A part of a list, as a list; negative ends count from the back.
    fn lrange [T] (key: key, start: one, end: one) -> T = "LRANGE";
    /// An item of a list; read it as an `Option` if there may be none.
    fn lindex [T] (key: key, index: one) -> T = "LINDEX";
    /// Replaces an item of a list.
    fn lset(key: key, index: one, item: one) -> () = "LSET";
    /// Removes items of this value: all if `count` is 0, else `count` items from the front, or from the back
    /// if negative. Returns how many.
    fn lrem(key: key, count: one, item: one) -> i64 = "LREM";
    /// Keeps a part of a list.
    fn ltrim(key: key, start: one, end: one) -> () = "LTRIM";
    /// Moves an item from one list to another; the sides are `LEFT` or `RIGHT`. Read it as an `Option`.
    fn lmove [T] (from: key, to: key, from_side: one, to_side: one) -> T = "LMOVE";
    /// Takes an item off the front of the first list that has one, and waits for one: `Option<(String, T)>`,
    /// the key and the item. Wait for less than the session's timeout.
    fn blpop [T] (keys: keys, at_most: seconds) -> T = "BLPOP";
    /// Like `BLPOP`, from the back.
    fn brpop [T] (keys: keys, at_most: seconds) -> T = "BRPOP";
}

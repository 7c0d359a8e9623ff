//! The table of all commands: number of arguments, position of the keys, handler.
//!
//! There is one row per command; COMMAND and COMMAND DOCS report the same rows.

use super::{
    call::{Call, Done, REPLY_TOO_LONG},
    hashes, introspection, keys,
    keyspace::{Keyspace, OUT_OF_MEMORY},
    lists,
    now::Now,
    session::Session,
    sets,
    space::Space,
    spec::{Effort, Keys, Nature, Spec},
    strings, transactions,
};
use crate::Writer;
use foldhash::fast::FixedState;
use std::{collections::HashMap, sync::LazyLock};

/// A command, and the function that handles it.
pub(super) struct Command {
    pub(super) spec: Spec,
    handler: fn(&mut Call<'_, '_, '_>) -> Done,
}

impl Command {
    /// Executes it. Its stripes are locked.
    #[inline]
    pub(super) fn run<'a>(
        &self,
        keyspace: &'a Keyspace,
        now: &Now,
        session: Option<&mut Session>,
        space: &mut Space<'a>,
        args: &[&[u8]],
        out: &mut Writer<'_>,
    ) {
        if self.spec.needs_memory() && !keyspace.has_memory(args.iter().map(|arg| arg.len()).sum()) {
            return out.error(OUT_OF_MEMORY);
        }
        let begin = out.position();
        let mut call = Call { keyspace, now, session, space, args, out };
        let done = (self.handler)(&mut call);
        let failed = match &done {
            Err(text) => Some(&**text),
            Ok(()) => out.is_full().then_some(REPLY_TOO_LONG),
        };
        if let Some(text) = failed {
            out.rewind(begin);
            out.error(text);
        }
    }
}

/// Commands by name.
pub(super) struct Catalogue {
    /// The commands by their name in lower case, in the form of [`packed`].
    by_name: HashMap<u128, &'static Command, FixedState>,
}

impl Catalogue {
    /// The catalogue, which all stores share.
    pub(super) fn get() -> &'static Catalogue {
        static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
            let named = |command: &'static Command| {
                (packed(command.spec.name.as_bytes()).expect("names are short"), command)
            };
            Catalogue { by_name: COMMANDS.iter().map(named).collect() }
        });
        &CATALOGUE
    }

    /// A command by its name in any case. Hot: once per command.
    #[inline]
    pub(super) fn find(&self, name: &[u8]) -> Option<&'static Command> {
        self.by_name.get(&packed(name)?).copied()
    }
}

/// A name of up to 16 bytes in lower case, as a number.
#[inline]
fn packed(name: &[u8]) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes.get_mut(..name.len())?.copy_from_slice(name);
    bytes.make_ascii_lowercase();
    Some(u128::from_le_bytes(bytes))
}

macro_rules! commands {
    ($($name:literal $arity:literal $nature:ident $keys:ident $effort:ident, $group:literal, $handler:path, $summary:literal;)*) => {
        pub(super) static COMMANDS: &[Command] = &[$(Command {
            spec: Spec {
                name: $name,
                arity: $arity,
                nature: Nature::$nature,
                keys: $keys,
                effort: Effort::$effort,
                group: $group,
                summary: $summary,
            },
            handler: $handler,
        }),*];
    };
}

const NONE: Keys = Keys::None;
const ALL: Keys = Keys::All;
const ONE: Keys = Keys::One;
const EVERY: Keys = Keys::Range { last: -1, step: 1 };
const PAIRS: Keys = Keys::Range { last: -1, step: 2 };
const TWO: Keys = Keys::Range { last: 2, step: 1 };

commands! {
    "append" 3 Grows ONE Text, "string", strings::append, "Appends to a string.";
    "decr" 2 Grows ONE Args, "string", strings::decr, "Subtracts one from a number.";
    "decrby" 3 Grows ONE Args, "string", strings::decrby, "Subtracts from a number.";
    "get" 2 Reads ONE Args, "string", strings::get, "The string under a key.";
    "getdel" 2 Writes ONE Args, "string", strings::getdel, "The string under a key, which goes.";
    "getex" -2 Writes ONE Args, "string", strings::getex, "The string under a key, whose end is set.";
    "getrange" 4 Reads ONE Args, "string", strings::getrange, "A part of a string.";
    "getset" 3 Grows ONE Args, "string", strings::getset, "The old string under a key that gets a new one.";
    "incr" 2 Grows ONE Args, "string", strings::incr, "Adds one to a number.";
    "incrby" 3 Grows ONE Args, "string", strings::incrby, "Adds to a number.";
    "incrbyfloat" 3 Grows ONE Args, "string", strings::incrbyfloat, "Adds to a floating point number.";
    "mget" -2 Reads EVERY Args, "string", strings::mget, "The strings under several keys.";
    "mset" -3 Grows PAIRS Args, "string", strings::mset, "Sets several keys at once.";
    "msetnx" -3 Grows PAIRS Args, "string", strings::msetnx, "Sets several keys at once, if none exists.";
    "psetex" 4 Grows ONE Args, "string", strings::psetex, "Sets a key and its end in milliseconds.";
    "set" -3 Grows ONE Args, "string", strings::set, "Sets a key, under conditions, with an end.";
    "setex" 4 Grows ONE Args, "string", strings::setex, "Sets a key and its end in seconds.";
    "setnx" 3 Grows ONE Args, "string", strings::setnx, "Sets a key that does not exist.";
    "setrange" 4 Grows ONE Text, "string", strings::setrange, "Overwrites a part of a string.";
    "strlen" 2 Reads ONE Args, "string", strings::strlen, "Length of a string in bytes.";

    "del" -2 Writes EVERY Items, "generic", keys::del, "Deletes keys.";
    "exists" -2 Reads EVERY Args, "generic", keys::exists, "How many of these keys exist.";
    "expire" -3 Writes ONE Args, "generic", keys::expire, "Lets a key end in so many seconds.";
    "expireat" -3 Writes ONE Args, "generic", keys::expireat, "Lets a key end at a Unix time in seconds.";
    "expiretime" 2 Reads ONE Args, "generic", keys::expiretime, "Unix time in seconds at which a key ends.";
    "keys" 2 Reads ALL Match, "generic", keys::keys, "All keys that fit a pattern.";
    "persist" 2 Writes ONE Args, "generic", keys::persist, "Lets a key not end.";
    "pexpire" -3 Writes ONE Args, "generic", keys::pexpire, "Lets a key end in so many milliseconds.";
    "pexpireat" -3 Writes ONE Args, "generic", keys::pexpireat, "Lets a key end at a Unix time in milliseconds.";
    "pexpiretime" 2 Reads ONE Args, "generic", keys::pexpiretime, "Unix time in milliseconds at which a key ends.";
    "pttl" 2 Reads ONE Args, "generic", keys::pttl, "Milliseconds until a key ends.";
    "randomkey" 1 Reads ALL Args, "generic", keys::randomkey, "Some key.";
    "rename" 3 Writes TWO Args, "generic", keys::rename, "Renames a key.";
    "renamenx" 3 Writes TWO Args, "generic", keys::renamenx, "Renames a key, if the new name is free.";
    "scan" -2 Reads ALL Scan, "generic", keys::scan, "Goes through the keys in steps.";
    "touch" -2 Reads EVERY Args, "generic", keys::exists, "How many of these keys exist.";
    "ttl" 2 Reads ONE Args, "generic", keys::ttl, "Seconds until a key ends.";
    "type" 2 Reads ONE Args, "generic", keys::kind, "What lies under a key.";
    "unlink" -2 Writes EVERY Items, "generic", keys::del, "Deletes keys.";

    "lindex" 3 Reads ONE Args, "list", lists::lindex, "An item of a list.";
    "linsert" 5 Grows ONE Items, "list", lists::linsert, "Inserts an item before or after another.";
    "llen" 2 Reads ONE Args, "list", lists::llen, "Items of a list.";
    "lmove" 5 Grows TWO Edits, "list", lists::lmove, "Moves an item from one list to another.";
    "lpop" -2 Writes ONE Count, "list", lists::lpop, "Takes items off the front of a list.";
    "lpush" -3 Grows ONE Edits, "list", lists::lpush, "Puts items at the front of a list.";
    "lpushx" -3 Grows ONE Edits, "list", lists::lpushx, "Puts items at the front of a list that exists.";
    "lrange" 4 Reads ONE Range, "list", lists::lrange, "A part of a list.";
    "lrem" 4 Writes ONE Items, "list", lists::lrem, "Removes items of a value from a list.";
    "lset" 4 Grows ONE Args, "list", lists::lset, "Replaces an item of a list.";
    "ltrim" 4 Writes ONE Outside, "list", lists::ltrim, "Keeps a part of a list.";
    "rpop" -2 Writes ONE Count, "list", lists::rpop, "Takes items off the back of a list.";
    "rpoplpush" 3 Grows TWO Edits, "list", lists::rpoplpush, "Moves the last item to the front of a list.";
    "rpush" -3 Grows ONE Edits, "list", lists::rpush, "Puts items at the back of a list.";
    "rpushx" -3 Grows ONE Edits, "list", lists::rpushx, "Puts items at the back of a list that exists.";

    "hdel" -3 Writes ONE Edits, "hash", hashes::hdel, "Deletes fields.";
    "hexists" 3 Reads ONE Args, "hash", hashes::hexists, "Whether a field exists.";
    "hget" 3 Reads ONE Args, "hash", hashes::hget, "The value of a field.";
    "hgetall" 2 Reads ONE Items, "hash", hashes::hgetall, "All fields and values.";
    "hincrby" 4 Grows ONE Edits, "hash", hashes::hincrby, "Adds to the number in a field.";
    "hincrbyfloat" 4 Grows ONE Edits, "hash", hashes::hincrbyfloat, "Adds to the floating point number in a field.";
    "hkeys" 2 Reads ONE Items, "hash", hashes::hkeys, "All fields.";
    "hlen" 2 Reads ONE Args, "hash", hashes::hlen, "How many fields there are.";
    "hmget" -3 Reads ONE Args, "hash", hashes::hmget, "The values of several fields.";
    "hmset" -4 Grows ONE Edits, "hash", hashes::hmset, "Sets several fields.";
    "hscan" -3 Reads ONE Scan, "hash", hashes::hscan, "Goes through the fields in steps.";
    "hset" -4 Grows ONE Edits, "hash", hashes::hset, "Sets fields.";
    "hsetnx" 4 Grows ONE Edits, "hash", hashes::hsetnx, "Sets a field that does not exist.";
    "hstrlen" 3 Reads ONE Args, "hash", hashes::hstrlen, "Length of a field's value.";
    "hvals" 2 Reads ONE Items, "hash", hashes::hvals, "All values.";

    "sadd" -3 Grows ONE Edits, "set", sets::sadd, "Adds members.";
    "scard" 2 Reads ONE Args, "set", sets::scard, "How many members there are.";
    "sismember" 3 Reads ONE Args, "set", sets::sismember, "Whether it is a member.";
    "smembers" 2 Reads ONE Items, "set", sets::smembers, "All members.";
    "smismember" -3 Reads ONE Args, "set", sets::smismember, "Which of these are members.";
    "spop" -2 Writes ONE Count, "set", sets::spop, "Takes some members out.";
    "srem" -3 Writes ONE Edits, "set", sets::srem, "Removes members.";
    "sscan" -3 Reads ONE Scan, "set", sets::sscan, "Goes through the members in steps.";

    "discard" 1 Connection NONE Args, "transactions", transactions::discard, "Forgets a transaction.";
    "exec" 1 Connection NONE Exec, "transactions", transactions::exec, "Carries out a transaction.";
    "multi" 1 Connection NONE Args, "transactions", transactions::multi, "Begins a transaction.";
    "unwatch" 1 Asks NONE Args, "transactions", transactions::unwatch, "Forgets the watched keys.";
    "watch" -2 Connection EVERY Args, "transactions", transactions::watch, "EXEC will fail if these keys change before it.";

    "auth" -2 Asks NONE Args, "connection", introspection::auth, "Says who one is.";
    "client" -2 Barred NONE Args, "connection", introspection::client, "About this connection.";
    "echo" 2 Asks NONE Args, "connection", introspection::echo, "Its argument.";
    "hello" -1 Barred NONE Args, "connection", introspection::hello, "Chooses the version of the protocol.";
    "ping" -1 Asks NONE Args, "connection", introspection::ping, "PONG, or its argument.";
    "quit" -1 Connection NONE Args, "connection", introspection::quit, "Closes the connection.";
    "reset" 1 Connection NONE Args, "connection", transactions::reset, "Makes the connection as new.";
    "select" 2 Asks NONE Args, "connection", introspection::select, "Chooses database 0, the only one.";

    "command" -1 Asks NONE Args, "server", introspection::command, "About the commands.";
    "config" -2 Asks NONE Args, "server", introspection::config, "About the settings.";
    "dbsize" 1 Reads ALL Args, "server", keys::dbsize, "How many keys there are.";
    "flushall" -1 Writes ALL Keyspace, "server", keys::flush, "Deletes all keys.";
    "flushdb" -1 Writes ALL Keyspace, "server", keys::flush, "Deletes all keys.";
    "info" -1 Asks ALL Args, "server", introspection::info, "About the server.";
    "time" 1 Asks NONE Args, "server", introspection::time, "Unix time in seconds and microseconds.";
}

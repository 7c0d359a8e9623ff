//! Two Redis servers: the store that comes with the framework, and commands of our own.

#![forbid(unsafe_code)]

use polywire::{
    Server,
    redis::{self, Commands, Store, Value},
};

/// A key-value store in memory, shared by all connections and shards.
pub fn store() -> Server {
    Server::new().service(redis::service(Store::default()))
}

/// Two custom commands. The commands that `redis-cli` sends by itself (PING, COMMAND) are answered as well.
pub fn own() -> Server {
    let commands = Commands::new()
        // The number of arguments includes the command's name: exactly two here.
        .on("shout", 2, |_, args| Value::from(args[1].to_ascii_uppercase()))
        // A negative number is a minimum.
        .on("sum", -2, |_, args| {
            let number = |arg: &&[u8]| std::str::from_utf8(arg).ok()?.parse::<i64>().ok();
            let sum = args[1..].iter().try_fold(0_i64, |sum, arg| sum.checked_add(number(arg)?));
            sum.map_or(Value::error("ERR value is not an integer or out of range"), Value::Integer)
        });
    Server::new().service(redis::service(commands))
}

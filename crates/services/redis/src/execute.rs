//! Typed commands: the types that can execute one, and the macro that declares them.

use super::{Argument, Command, FromValue};
use std::time::Duration;

/// Executes commands: a [`Client`](super::Client), a [`Pipeline`](super::Pipeline), a
/// [`Session`](super::Session). Methods that [`commands!`](crate::commands) declares exist on all of them.
pub trait Execute: Sized {
    /// The return type of a command's method, if its reply is read as `T`.
    type Returns<T: FromValue>;

    /// Carries out `command`, and reads its reply as `T`.
    fn execute<T: FromValue>(self, command: Command) -> Self::Returns<T>;
}

/// Arguments that belong together, such as the options of a command.
pub trait Arguments {
    /// Appends the arguments to a command.
    fn add_to(&self, command: Command) -> Command;
}

impl Arguments for () {
    fn add_to(&self, command: Command) -> Command {
        command
    }
}

impl<A: Arguments> Arguments for Option<A> {
    fn add_to(&self, command: Command) -> Command {
        match self {
            Some(arguments) => arguments.add_to(command),
            None => command,
        }
    }
}

/// Declares your own commands as a trait, with methods like those of the built-in commands.
///
/// ```
/// use polywire::redis::{self, Client, Pipeline};
///
/// redis::commands! {
///     /// Commands of the module RedisBloom.
///     pub trait Bloom {
///         /// Adds an item; returns whether it is new.
///         fn bf_add(filter: key, item: one) -> bool = "BF.ADD";
///         /// Which of these items may have been added: a list.
///         fn bf_mexists(filter: key, items: list) -> Vec<bool> = "BF.MEXISTS";
///     }
/// }
///
/// async fn example(redis: &Client) -> Result<(), polywire::Status> {
///     let new: bool = redis.bf_add("seen", "Ada").await?;
///     let (_, known): (bool, Vec<bool>) =
///         redis.pipeline().bf_add("seen", "Bob").bf_mexists("seen", ["Ada", "Eve"]).read().await?;
///     # let _ = (new, known);
///     Ok(())
/// }
/// ```
///
/// A row is `fn name(arguments) -> reply = "WORDS OF THE COMMAND";`, with `[T]` before the arguments where
/// the caller chooses the type of the reply; in a pipeline, which decodes all replies at its end, the type
/// given to the method does not matter, as in `.name::<()>(..)`. The reply is any type of [`FromValue`]. Each
/// argument has a kind:
///
/// | kind | what a caller gives | what is sent |
/// | --- | --- | --- |
/// | `key` | an [`Argument`] | itself; a cluster finds the node by it |
/// | `keys` | a list | every item; all are keys |
/// | `counted_keys` | a list | the number of its items, and the items, which are keys |
/// | `key_pairs` | a list of pairs | keys, each with its value |
/// | `one` | an [`Argument`] | itself |
/// | `list` | a list | every item |
/// | `pairs` | a list of pairs | both of each |
/// | `millis` | a `Duration` | milliseconds |
/// | `seconds` | a `Duration` | seconds, with a fraction if there is one |
/// | `streams` | a list of pairs | `STREAMS`, then all keys, then all ids |
/// | `args` | [`Arguments`] | whatever it adds |
#[macro_export]
macro_rules! commands {
    ($(#[$meta:meta])* $vis:vis trait $trait:ident {$(
        $(#[$doc:meta])*
        fn $name:ident $([$read:ident])? ($($arg:ident: $kind:ident),* $(,)?) -> $reply:ty = $words:literal;
    )*}) => {
        $(#[$meta])*
        $vis trait $trait: $crate::Execute {$(
            $(#[$doc])*
            fn $name$(<$read: $crate::FromValue>)?(
                self, $($arg: $crate::__argument!($kind)),*
            ) -> Self::Returns<$reply> {
                self.execute($crate::__command!($words $(, $arg: $kind)*))
            }
        )*}
        impl<E: $crate::Execute> $trait for E {}
    };
}

/// The commands of this crate, as methods of its own types, so that they need no import.
macro_rules! builtin {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $([$read:ident])? ($($arg:ident: $kind:ident),*) -> $reply:ty = $words:literal;
    )*) => {
        impl $crate::Client {$(
            $(#[$doc])*
            pub fn $name$(<$read: $crate::FromValue>)?(
                &self, $($arg: $crate::__argument!($kind)),*
            ) -> $crate::Query<$reply> {
                $crate::Execute::execute(self, $crate::__command!($words $(, $arg: $kind)*))
            }
        )*}
        impl $crate::Pipeline {$(
            $(#[$doc])*
            pub fn $name(self, $($arg: $crate::__argument!($kind)),*) -> Self {
                self.command(&$crate::__command!($words $(, $arg: $kind)*))
            }
        )*}
        impl $crate::Session {$(
            $(#[$doc])*
            pub fn $name$(<$read: $crate::FromValue>)?(
                &mut self, $($arg: $crate::__argument!($kind)),*
            ) -> $crate::SessionQuery<'_, $reply> {
                $crate::Execute::execute(self, $crate::__command!($words $(, $arg: $kind)*))
            }
        )*}
    };
}
pub(crate) use builtin;

#[doc(hidden)]
#[macro_export]
macro_rules! __argument {
    (key) => { impl $crate::Argument };
    (one) => { impl $crate::Argument };
    (keys) => { impl IntoIterator<Item = impl $crate::Argument> };
    (counted_keys) => { impl IntoIterator<Item = impl $crate::Argument> };
    (list) => { impl IntoIterator<Item = impl $crate::Argument> };
    (pairs) => { impl IntoIterator<Item = (impl $crate::Argument, impl $crate::Argument)> };
    (key_pairs) => { impl IntoIterator<Item = (impl $crate::Argument, impl $crate::Argument)> };
    (streams) => { impl IntoIterator<Item = (impl $crate::Argument, impl $crate::Argument)> };
    (millis) => { ::std::time::Duration };
    (seconds) => { ::std::time::Duration };
    (args) => { impl $crate::Arguments };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __command {
    ($words:literal $(, $arg:ident: $kind:ident)*) => {{
        #[allow(unused_imports)]
        use $crate::__Add as _;
        $crate::__words($words)$(.$kind($arg))*
    }};
}

/// A command of these words: `OBJECT ENCODING` is two arguments.
#[doc(hidden)]
pub fn __words(words: &'static str) -> Command {
    let mut words = words.split(' ');
    let first = Command::new(words.next().unwrap_or_default());
    words.fold(first, Command::arg)
}

/// Adds the arguments of a command, by kind.
#[doc(hidden)]
pub trait __Add {
    fn one(self, arg: impl Argument) -> Self;
    fn keys(self, keys: impl IntoIterator<Item = impl Argument>) -> Self;
    fn counted_keys(self, keys: impl IntoIterator<Item = impl Argument>) -> Self;
    fn list(self, args: impl IntoIterator<Item = impl Argument>) -> Self;
    fn pairs(self, pairs: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self;
    fn key_pairs(self, pairs: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self;
    fn streams(self, streams: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self;
    fn millis(self, time: Duration) -> Self;
    fn seconds(self, time: Duration) -> Self;
    fn args(self, args: impl Arguments) -> Self;
}

impl __Add for Command {
    fn one(self, arg: impl Argument) -> Self {
        self.arg(arg)
    }
    fn keys(self, keys: impl IntoIterator<Item = impl Argument>) -> Self {
        keys.into_iter().fold(self, Command::key)
    }
    fn counted_keys(self, keys: impl IntoIterator<Item = impl Argument>) -> Self {
        let keys: Vec<_> = keys.into_iter().collect();
        keys.iter().fold(self.arg(keys.len()), Command::key)
    }
    fn list(self, args: impl IntoIterator<Item = impl Argument>) -> Self {
        self.arg_list(args)
    }
    fn pairs(self, pairs: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self {
        pairs.into_iter().fold(self, |command, (key, value)| command.arg(key).arg(value))
    }
    fn key_pairs(self, pairs: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self {
        pairs.into_iter().fold(self, |command, (key, value)| command.key(key).arg(value))
    }
    fn streams(self, streams: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self {
        let (keys, ids): (Vec<_>, Vec<_>) = streams.into_iter().unzip();
        let with_keys = keys.iter().fold(self.arg("STREAMS"), Command::key);
        ids.iter().fold(with_keys, Command::arg)
    }
    fn millis(self, time: Duration) -> Self {
        self.arg(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }
    fn seconds(self, time: Duration) -> Self {
        self.arg(time.as_secs_f64())
    }
    fn args(self, args: impl Arguments) -> Self {
        args.add_to(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyPlaces;

    fn text(command: &Command) -> String {
        command.wire().escape_ascii().to_string()
    }

    #[test]
    fn each_kind_of_argument_is_sent_as_its_row_says() {
        let command = __words("X Y").key("k").one(1).list(["a", "b"]).pairs([("c", 2)]);
        assert_eq!(text(&command), text(&Command::parse("X Y k 1 a b c 2").expect("a command")));
        let eval = __words("EVAL").one("return 1").counted_keys(["a", "b"]).list(["x"]);
        assert_eq!(text(&eval), text(&Command::parse("EVAL 'return 1' 2 a b x").expect("a command")));
        assert_eq!(eval.key_places(), KeyPlaces { first: 3, step: 1, count: 2 });
        let read = __words("XREAD").streams([("s", "0"), ("t", "$")]);
        assert_eq!(text(&read), text(&Command::parse("XREAD STREAMS s t 0 $").expect("a command")));
        assert_eq!(read.key_places(), KeyPlaces { first: 2, step: 1, count: 2 });
        let mset = __words("MSET").key_pairs([("a", 1), ("b", 2), ("c", 3)]);
        assert_eq!(mset.key_places(), KeyPlaces { first: 1, step: 2, count: 3 });
        let timed =
            __words("T").millis(Duration::from_millis(1500)).seconds(Duration::from_millis(1500)).args(());
        assert_eq!(text(&timed), text(&Command::parse("T 1500 1.5").expect("a command")));
    }
}

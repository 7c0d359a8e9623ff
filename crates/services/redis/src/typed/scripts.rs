//! Scripts: EVALSHA, with EVAL where the server does not have the script.

use crate::{Argument, Client, Command, FromValue, Value, execute::builtin};
use polywire_call::Status;
use std::sync::{Arc, OnceLock};

builtin! {
    /// Runs a script with these keys and arguments.
    fn eval [T] (script: one, keys: counted_keys, args: list) -> T = "EVAL";
    /// Runs the script with this digest.
    fn evalsha [T] (digest: one, keys: counted_keys, args: list) -> T = "EVALSHA";
    /// Runs a script that writes nothing.
    fn eval_ro [T] (script: one, keys: counted_keys, args: list) -> T = "EVAL_RO";
    /// Calls a function of a library.
    fn fcall [T] (function: one, keys: counted_keys, args: list) -> T = "FCALL";
}

/// A script that is sent once to each server, and called by its digest from then on. Cheap to clone.
///
/// ```no_run
/// # async fn example(redis: polywire::redis::Client) -> Result<(), polywire::Status> {
/// use polywire::redis::Script;
///
/// let add = Script::new("return redis.call('INCRBY', KEYS[1], ARGV[1])");
/// let sum: i64 = add.run(&redis, ["counter"], [5]).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Script(Arc<Source>);

struct Source {
    text: Box<str>,
    /// The SHA-1 in hexadecimal, as the first server has reported it.
    digest: OnceLock<Box<str>>,
}

impl Script {
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Script(Arc::new(Source { text: text.into(), digest: OnceLock::new() }))
    }

    /// Runs it: by its digest, or by its text where the server answers NOSCRIPT, which also makes the server
    /// keep it.
    ///
    /// # Errors
    /// The errors of the call, and of the script.
    pub async fn run<T: FromValue>(
        &self,
        redis: &Client,
        keys: impl IntoIterator<Item = impl Argument>,
        args: impl IntoIterator<Item = impl Argument>,
    ) -> Result<T, Status> {
        let Source { text, digest } = &*self.0;
        // The rest is the same for both commands.
        let tail = |command: Command, keys: &[_], args: &[_]| {
            let command = keys.iter().fold(command.arg(keys.len()), Command::key);
            command.arg_list(args)
        };
        let (keys, args): (Vec<_>, Vec<_>) = (keys.into_iter().collect(), args.into_iter().collect());
        if let Some(digest) = digest.get() {
            let by_digest = tail(Command::new("EVALSHA").arg(&**digest), &keys, &args);
            let value = redis.call::<Value>(&by_digest).await?;
            if !is_unknown(&value) {
                return T::from_value(value);
            }
        }
        let by_text = tail(Command::new("EVAL").arg(&**text), &keys, &args);
        if digest.get().is_none() {
            // The digest is the same on every server.
            let load = Command::new("SCRIPT").arg("LOAD").arg(&**text);
            if let Ok(found) = redis.call::<String>(&load).await
                && found.len() == 40
            {
                let _ = digest.set(found.into()); // another caller was told the same
            }
        }
        redis.call(&by_text).await
    }
}

fn is_unknown(value: &Value) -> bool {
    matches!(value, Value::Error(text) if text.starts_with(b"NOSCRIPT"))
}

//! memcached on the command line: operations in words in, values out.

use crate::{
    failure::Failure,
    request::{Asked, Subject, input},
};
use polywire::{Content, Raw, Target, memcache::CommandLine};
use std::sync::{Arc, OnceLock};

/// An operation, as it was typed.
struct Typed {
    protocol: &'static str,
    line: String,
    /// The keys of the requests.
    keys: OnceLock<Vec<u64>>,
}

/// Finds the operation that the user named.
pub fn command_line(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    let line = asked.name.unwrap_or(asked.method).to_owned();
    Ok(Arc::new(Typed { protocol: asked.channel.protocol(), line, keys: OnceLock::new() }))
}

impl Subject for Typed {
    fn target(&self) -> Target {
        Target::fixed("", "")
    }

    fn name(&self) -> String {
        self.line.clone()
    }

    /// The operation itself, or one that replaces it, from a text or a file; its reply is printed like that
    /// of the operation.
    fn requests(&self, input: Option<&str>, _: Content) -> Result<Vec<Vec<u8>>, Failure> {
        let text = input.map_or_else(|| Ok(self.line.clone()), input::text_or_file)?;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.map(|line| CommandLine::parse(line).map_err(Failure::usage));
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        self.keys.get_or_init(|| lines.iter().map(CommandLine::place).collect());
        let body = |line: &CommandLine| line.body(self.protocol).map(|body| body.to_vec());
        lines.iter().map(body).collect::<Result<_, _>>().map_err(|error| Failure::usage(error.to_string()))
    }

    /// The keys as the library's client computes them.
    fn keys(&self) -> Vec<u64> {
        self.keys.get().cloned().unwrap_or_default()
    }

    fn reply(&self, reply: Raw) -> Result<String, String> {
        let line = CommandLine::parse(&self.line)?;
        line.print(self.protocol, reply.body.into_bytes())
    }
}

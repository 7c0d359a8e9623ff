//! Redis on the command line: command lines in, replies as redis-cli prints them.

mod print;

use print::print;

use crate::{
    failure::Failure,
    request::{Asked, Subject, input},
};
use polywire::{
    Content, Raw, Target,
    redis::{Command, Value},
};
use std::sync::Arc;

/// A command line, or several words if they came from a shell.
pub struct CommandLine {
    line: String,
}

/// Finds the command that the user named.
pub fn command_line(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    Ok(Arc::new(CommandLine { line: asked.name.unwrap_or(asked.method).to_owned() }))
}

impl Subject for CommandLine {
    fn target(&self) -> Target {
        Target::fixed("", "")
    }

    fn name(&self) -> String {
        self.line.clone()
    }

    /// One command per line.
    fn requests(&self, input: Option<&str>, _: Content) -> Result<Vec<Vec<u8>>, Failure> {
        let text = input.map_or_else(|| Ok(self.line.clone()), input::text_or_file)?;
        text.lines().filter(|line| !line.trim().is_empty()).map(command).collect()
    }

    fn reply(&self, reply: Raw) -> Result<String, String> {
        let values = Value::parse_all(reply.body.into_bytes()).map_err(|error| error.to_string())?;
        let mut text: String = values.iter().map(print).collect();
        text.truncate(text.trim_end_matches('\n').len());
        Ok(text)
    }

    fn is_redis(&self) -> bool {
        true
    }
}

/// Whether a reply is an error of Redis.
pub fn is_error(reply: &Raw) -> bool {
    matches!(reply.body.front().first(), Some(b'-' | b'!'))
}

/// The wire form of a command line, quoted as for redis-cli, or of a JSON array of its words.
///
/// # Errors
/// A quote that is not closed, no words, an array with items other than texts and numbers.
fn command(line: &str) -> Result<Vec<u8>, Failure> {
    let line = line.trim();
    if line.starts_with('[') {
        return array(line);
    }
    let command = Command::parse(line)
        .ok_or_else(|| Failure::usage(format!("{line:?} is not a redis command: check its quotes")))?;
    Ok(command.wire().to_vec())
}

/// The wire form of a command given as words, as a shell splits them.
pub fn words(words: &[String]) -> Vec<u8> {
    match words {
        [] => Vec::new(),
        [name, rest @ ..] => Command::new(name).arg_list(rest).wire().to_vec(),
    }
}

fn array(line: &str) -> Result<Vec<u8>, Failure> {
    let wrong = |what: String| Failure::usage(format!("{line}: {what}"));
    let items: Vec<serde_json::Value> =
        serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
    let mut given = Vec::new();
    for item in items {
        match item {
            serde_json::Value::String(text) => given.push(text),
            serde_json::Value::Number(number) => given.push(number.to_string()),
            other => return Err(wrong(format!("{other} is neither a text nor a number"))),
        }
    }
    if given.is_empty() {
        return Err(wrong("a command has at least its name".into()));
    }
    Ok(words(&given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_an_array_and_words_make_the_same_command() {
        let wire = b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\na b\r\n";
        assert_eq!(command("SET k \"a b\"").unwrap(), wire);
        assert_eq!(command(r#" ["SET", "k", "a b"]"#).unwrap(), wire);
        assert_eq!(words(&["SET".into(), "k".into(), "a b".into()]), wire);
        assert_eq!(command("[\"EXPIRE\",\"k\",7]").unwrap(), b"*3\r\n$6\r\nEXPIRE\r\n$1\r\nk\r\n$1\r\n7\r\n");
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for wrong in ["", "SET k \"open", "[]", "[\"SET\", {}]", "[\"SET\""] {
            assert!(command(wrong).is_err(), "{wrong}");
        }
    }
}

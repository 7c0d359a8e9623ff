//! Requests to HTTP paths, with unchanged bodies.

use super::{Subject, input};
use crate::failure::Failure;
use polywire::{Content, Raw, Target};

/// `/path`, which means POST, or `VERB /path`.
pub struct Path {
    verb: String,
    path: String,
}

impl Path {
    /// Parses a text as a path; `None` if it is not one. `/package.Service/Method` is a path too, and is used
    /// as one.
    pub fn parse(name: &str) -> Option<Self> {
        let (verb, path) = name.split_once(' ').unwrap_or(("POST", name));
        let is_verb = !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_uppercase());
        (is_verb && path.starts_with('/')).then(|| Path { verb: verb.to_owned(), path: path.to_owned() })
    }
}

impl Subject for Path {
    fn target(&self) -> Target {
        Target::fixed("", self.path.clone().leak())
    }

    fn name(&self) -> String {
        format!("{} {}", self.verb, self.path)
    }

    fn requests(&self, input: Option<&str>, _: Content) -> Result<Vec<Vec<u8>>, Failure> {
        Ok(vec![input.map(input::text_or_file).transpose()?.unwrap_or_default().into_bytes()])
    }

    fn reply(&self, mut reply: Raw) -> Result<String, String> {
        Ok(String::from_utf8_lossy(reply.body.contiguous()).into_owned())
    }

    fn verb(&self) -> Option<&str> {
        Some(&*self.verb).filter(|verb| *verb != "POST")
    }
}

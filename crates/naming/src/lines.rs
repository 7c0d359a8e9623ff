//! Servers written as lines of text, as brpc has them: `ADDRESS [TAG] [#comment]`.

use crate::Server;

/// The server of one line; `None`: the line holds none, being empty or a comment.
pub fn parse(line: &str) -> Option<Server> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let (address, tag) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    (!address.is_empty()).then(|| Server::new(address).tag(tag.trim()))
}

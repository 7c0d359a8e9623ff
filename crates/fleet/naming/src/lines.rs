//! Servers as lines of text, in brpc's form: `[blanks]ADDRESS[blanks TAG][#comment]`.
//!
//! ```text
//! # servers of echo
//! 10.0.0.1:8000
//! 10.0.0.2:8000   2          # twice the work: the tag is "2"
//! [::1]:8000      main zone  # a tag may have blanks
//! unix:/run/echo.sock
//! ```
//!
//! - Blanks are those of ASCII, including the carriage return. An empty line, and one whose first non-blank
//!   character is `#`, has no server.
//! - The address ends at the first blank. A `#` within it is part of it, and makes it invalid.
//! - The tag is the text up to a `#`, without blanks around it.
//! - brpc looks up the names of hosts as it reads them; here they are looked up when a channel connects.
//!
//! Source: docs/naming.md; brpc's `SplitIntoServerAndTag`.
//! Limits: a line that is not UTF-8, or whose address is invalid, is left out and counted. The other limits
//!         are in `accept.rs`.

use crate::{Server, accept::clipped, address};
use std::fmt;

/// The servers of a text, in its order, and the invalid lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// One server for each line, including repeated ones.
    pub servers: Vec<Server>,
    /// Lines that should contain a server, and do not.
    pub bad: Option<BadLines>,
}

/// Lines that should contain a server, and do not.
#[derive(Debug, PartialEq, Eq)]
pub struct BadLines {
    /// Number of such lines.
    pub count: usize,
    /// Number of the first such line, from 1.
    pub first: usize,
    /// The fault of the line, with its address in quotes.
    pub why: String,
}

/// Reads a text, such as that of a file.
pub fn parse_all(text: &[u8]) -> Lines {
    let mut lines = Lines::default();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text); // an editor's byte order mark
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let parsed = match std::str::from_utf8(line) {
            Ok(line) => parse(line),
            Err(_) => Err("it is no UTF-8".to_owned()),
        };
        match (parsed, &mut lines.bad) {
            (Ok(server), _) => lines.servers.extend(server),
            (Err(_), Some(bad)) => bad.count += 1,
            (Err(why), bad) => *bad = Some(BadLines { count: 1, first: number + 1, why }),
        }
    }
    lines
}

/// The server of one line. `None`: the line is empty or a comment.
///
/// # Errors
/// The address is invalid; the text explains why.
pub fn parse(line: &str) -> Result<Option<Server>, String> {
    let line = line.trim_ascii();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (address, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
    address::check(address).map_err(|why| format!("{:?} {why}", clipped(address, 80)))?;
    let tag = rest.split('#').next().unwrap_or_default().trim_ascii();
    Ok(Some(Server::new(address).tag(tag)))
}

impl fmt::Display for BadLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.first, self.why)?;
        match self.count {
            1 => Ok(()),
            count => write!(f, "; {} further lines are wrong", count - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<(String, String)> {
        let server = parse(line).unwrap_or_else(|why| panic!("{line:?}: {why}"))?;
        Some((server.address, server.tag))
    }

    #[test]
    fn lines_are_read_as_brpc_reads_them() {
        for (line, address, tag) in [
            ("a:1", "a:1", ""),
            ("  \t a:1", "a:1", ""),
            ("a:1 x", "a:1", "x"),
            ("a:1\t\tx y  z \r", "a:1", "x y  z"),
            ("a:1 x#comment", "a:1", "x"),
            ("a:1 x  # comment # again", "a:1", "x"),
            ("a:1 #comment", "a:1", ""),
            ("[::1]:80 w=1", "[::1]:80", "w=1"),
            ("unix:/run/a#b tag", "unix:/run/a#b", "tag"),
            ("a:1 日本", "a:1", "日本"),
        ] {
            assert_eq!(of(line), Some((address.to_owned(), tag.to_owned())), "{line:?}");
        }
        for line in ["", " \t\r", "#a:1", "   # a:1", "##"] {
            assert_eq!(of(line), None, "{line:?}");
        }
        assert_eq!(
            parse("a:1#comment").unwrap_err(),
            "\"a:1#comment\" has a port that is not a number from 1 to 65535"
        );
    }

    #[test]
    fn wrong_lines_are_counted_and_the_first_is_shown() {
        let lines = parse_all(b"\xef\xbb\xbfa:1\r\n# b:2\n\nnonsense\nc:3 x\n\xff\xfe:1\nd:0");
        let addresses: Vec<_> = lines.servers.iter().map(|server| &*server.address).collect();
        assert_eq!(addresses, ["a:1", "c:3"]);
        assert_eq!(
            lines.bad.unwrap().to_string(),
            "line 4: \"nonsense\" has no port; 2 further lines are wrong"
        );
        assert_eq!(parse_all(b"\xff").bad.unwrap().to_string(), "line 1: it is no UTF-8");
        assert_eq!(parse_all(b""), Lines::default());
    }
    /// Checks, on random texts, the property of the fuzz target `naming_lines`: every server that is read can
    /// be read again from its line.
    #[test]
    fn whatever_is_read_is_a_server_that_is_read_again_from_its_line() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let pieces: [&[u8]; 14] = [
            b"a:1",
            b"[::1]:80",
            b"unix:/a#b",
            b" ",
            b"\t",
            b"\r",
            b"\n",
            b"#",
            b":",
            b"x y",
            b"\xff",
            b"\xef\xbb\xbf",
            b"0",
            b"\x0b",
        ];
        let mut servers = 0;
        for _ in 0..20_000 {
            let text: Vec<u8> =
                (0..random.usize(..12)).flat_map(|_| pieces[random.usize(..pieces.len())]).copied().collect();
            for server in parse_all(&text).servers {
                let line = format!("  {}\t{} # comment\r", server.address, server.tag);
                assert_eq!(parse(&line), Ok(Some(server)), "{text:?}");
                servers += 1;
            }
        }
        assert!(servers > 1000, "{servers}");
    }
}

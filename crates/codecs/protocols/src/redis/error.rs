//! The errors that a peer can make, and the texts that it gets.
//!
//! | fault | at the server | at the client |
//! | --- | --- | --- |
//! | [`Fault`] | `-ERR Protocol error: ...`, then the connection closes | the connection closes, its calls fail |
//! | [`Fault::Http`] | the connection closes without a word, as redis-server does | |
//! | a command the dispatcher refuses, or a handler's error status | an error line; the connection goes on | |

use bytes::BytesMut;
use polywire_call::{Code, Status};
use polywire_wire::WireError;
use std::borrow::Cow;

/// The errors of a client's commands that end the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// An argument that is not a bulk string, with its first byte.
    NotBulk(u8),
    MultibulkLength,
    BulkLength,
    /// An argument is not followed by CRLF. redis-server does not check this.
    BulkEnd,
    /// More arguments than an unauthenticated peer may send.
    UnauthenticatedMultibulk,
    /// A longer argument than an unauthenticated peer may send.
    UnauthenticatedBulk,
    UnbalancedQuotes,
    InlineTooBig,
    /// The start of an HTTP request, which a page can make a browser send.
    Http,
}

impl Fault {
    /// Writes the error reply; returns the error that closes the connection.
    #[cold]
    pub(super) fn write_reply(self, out: &mut BytesMut) -> WireError {
        let (words, error) = match self {
            Fault::NotBulk(byte) => {
                let shown = if byte.is_ascii_graphic() { char::from(byte) } else { ' ' };
                let line = format!("-ERR Protocol error: expected '$', got '{shown}'\r\n");
                out.extend_from_slice(line.as_bytes());
                return WireError::Malformed("an argument that is not a bulk string");
            }
            Fault::MultibulkLength => ("invalid multibulk length", WireError::Malformed("multibulk length")),
            Fault::BulkLength => ("invalid bulk length", WireError::Malformed("bulk length")),
            Fault::BulkEnd => {
                ("expected CRLF after bulk data", WireError::Malformed("no CRLF after bulk data"))
            }
            Fault::UnauthenticatedMultibulk => ("unauthenticated multibulk length", WireError::TooLarge),
            Fault::UnauthenticatedBulk => ("unauthenticated bulk length", WireError::TooLarge),
            Fault::UnbalancedQuotes => {
                ("unbalanced quotes in request", WireError::Malformed("unbalanced quotes"))
            }
            Fault::InlineTooBig => ("too big inline request", WireError::TooLarge),
            Fault::Http => return WireError::Malformed("an HTTP request"),
        };
        out.extend_from_slice(b"-ERR Protocol error: ");
        out.extend_from_slice(words.as_bytes());
        out.extend_from_slice(b"\r\n");
        error
    }
}

/// Writes an error line: `text` with its code first, control characters made blanks.
pub fn write_error(out: &mut BytesMut, text: &str) {
    out.extend_from_slice(b"-");
    for piece in text.as_bytes().split_inclusive(|b| b.is_ascii_control()) {
        match piece.split_last() {
            Some((last, head)) if last.is_ascii_control() => {
                out.extend_from_slice(head);
                out.extend_from_slice(b" ");
            }
            _ => out.extend_from_slice(piece),
        }
    }
    out.extend_from_slice(b"\r\n");
}

/// The line for a failed call. A message that begins with its own error code (`WRONGTYPE Operation against
/// ...`) is sent unchanged; any other gets the code that redis has for this kind of failure, else `ERR`.
#[cold]
pub fn status_line(status: &Status) -> Cow<'_, str> {
    let message = status.message();
    let code = match status.code() {
        Code::Unauthenticated => "NOAUTH",
        Code::PermissionDenied => "NOPERM",
        _ => "ERR",
    };
    match message {
        "" => format!("{code} {}", status.code().name()).into(),
        coded if has_code(coded) => coded.into(),
        plain => format!("{code} {plain}").into(),
    }
}

/// The status of an error line that a server sent, without its `-`.
pub fn line_status(line: &str) -> Status {
    let code = match line.split(' ').next().unwrap_or("") {
        "NOAUTH" | "WRONGPASS" => Code::Unauthenticated,
        "NOPERM" => Code::PermissionDenied,
        "WRONGTYPE" | "EXECABORT" | "READONLY" | "CROSSSLOT" => Code::FailedPrecondition,
        "OOM" => Code::ResourceExhausted,
        "LOADING" | "TRYAGAIN" | "CLUSTERDOWN" | "MASTERDOWN" | "NOREPLICAS" | "BUSY" => Code::Unavailable,
        _ => Code::Unknown,
    };
    Status::new(code, line).with_origin(polywire_call::Origin::Remote)
}

/// Whether the first word has at least two capital letters, as all codes of redis do.
fn has_code(message: &str) -> bool {
    let word = message.split(' ').next().unwrap_or("");
    word.len() >= 2 && word.bytes().all(|b| b.is_ascii_uppercase()) && word.len() < message.len()
}

/// The text for an unknown command, without its `-`, as redis-server writes it: at most 128 bytes of the name
/// and of the arguments.
#[cold]
pub fn unknown_command<'a>(name: &[u8], args: impl Iterator<Item = &'a [u8]>) -> String {
    let mut line = format!("ERR unknown command '{}', with args beginning with: ", cut_text(name, 128));
    let mut shown = 0;
    for arg in args {
        if shown >= 128 {
            break;
        }
        let text = cut_text(arg, 128 - shown);
        shown += text.len() + 3;
        line.extend(["'", &text, "' "]);
    }
    line
}

/// The text for a known command with too few or too many arguments, without its `-`.
#[cold]
pub fn wrong_arguments(command: &str) -> String {
    format!("ERR wrong number of arguments for '{}' command", command.to_ascii_lowercase())
}

/// Cuts a text from a peer to at most this many bytes.
pub fn cut_text(bytes: &[u8], most: usize) -> Cow<'_, str> {
    String::from_utf8_lossy(&bytes[..bytes.len().min(most)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<u8> {
        let mut out = BytesMut::new();
        write_error(&mut out, text);
        out.to_vec()
    }

    /// The lines are redis-server 7.0's.
    #[test]
    fn what_a_server_cannot_do_for_now_is_unavailable() {
        for line in [
            "NOREPLICAS Not enough good replicas to write.",
            "LOADING Redis is loading the dataset in memory",
            "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
            "CLUSTERDOWN The cluster is down",
        ] {
            assert_eq!(line_status(line).code(), Code::Unavailable, "{line}");
        }
        assert_eq!(line_status("ERR no such key").code(), Code::Unknown);
    }

    #[test]
    fn an_error_is_one_line_whatever_it_says() {
        assert_eq!(line("ERR plain"), b"-ERR plain\r\n");
        assert_eq!(line("ERR a\r\n+OK\r\n\0b\x7f"), b"-ERR a  +OK   b \r\n");
        assert_eq!(line(""), b"-\r\n");
    }

    #[test]
    fn a_status_keeps_the_code_it_brings() {
        assert_eq!(status_line(&Status::internal("broken")), "ERR broken");
        assert_eq!(status_line(&Status::failed_precondition("WRONGTYPE not a list")), "WRONGTYPE not a list");
        assert_eq!(status_line(&Status::unauthenticated("who are you")), "NOAUTH who are you");
        assert_eq!(status_line(&Status::permission_denied("no")), "NOPERM no");
        assert_eq!(status_line(&Status::new(Code::DeadlineExceeded, "")), "ERR DEADLINE_EXCEEDED");
        assert_eq!(status_line(&Status::internal("OK")), "ERR OK");
    }

    #[test]
    fn unknown_commands_are_told_as_redis_server_does() {
        // Captured from redis-server 7.0.15.
        let told =
            |name: &str, args: &[&str]| unknown_command(name.as_bytes(), args.iter().map(|a| a.as_bytes()));
        assert_eq!(told("foo", &["bar"]), "ERR unknown command 'foo', with args beginning with: 'bar' ");
        assert_eq!(told("foo", &[]), "ERR unknown command 'foo', with args beginning with: ");
        let (f, c, d) = ("F".repeat(200), "c".repeat(50), "d".repeat(100));
        assert_eq!(
            told(&f, &["b\r\nb", &c, &d]),
            format!(
                "ERR unknown command '{}', with args beginning with: 'b\r\nb' '{c}' '{}' ",
                "F".repeat(128),
                "d".repeat(68)
            )
        );
    }
}

//! What a client sends before its first call: AUTH, HELLO, SELECT, each sent once and each reply looked at.
//!
//! They are sent apart, though HELLO could carry the credential, so that a server without HELLO still lets us in. Calls
//! wait for the last reply: after a SELECT that failed they would run on another database.
//!
//! Source: docs/wire/redis.md, section 3.

use super::{Command, Value, Version, error::line_status};
use bytes::BytesMut;
use polywire_call::{Code, Origin, Status};
use polywire_wire::ClientSetup;
use std::collections::VecDeque;

/// What the parameter of the protocol's name asks for: `3,db=5` of `redis:3,db=5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Wishes {
    pub(super) version: Version,
    pub(super) database: Option<u32>,
}

impl Wishes {
    /// Reads a list of `2`, `3`, `db=N`, divided by commas.
    ///
    /// # Errors
    /// Names the word that is neither a version nor a database.
    pub(super) fn parse(parameter: &str) -> Result<Wishes, Status> {
        let mut wishes = Wishes::default();
        for word in parameter.split(',').filter(|word| !word.is_empty()) {
            match (word, word.strip_prefix("db=").map(str::parse)) {
                ("2", _) => wishes.version = Version::Resp2,
                ("3", _) => wishes.version = Version::Resp3,
                (_, Some(Ok(database))) => wishes.database = Some(database),
                _ => {
                    let line = format!("redis:{parameter}: `{word}` is none of `2`, `3`, `db=N`");
                    return Err(Status::invalid_argument(line));
                }
            }
        }
        Ok(wishes)
    }
}

/// A command of ours whose reply is on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Auth,
    Hello,
    Select,
}

/// Where the handshake stands.
pub(super) struct Handshake {
    asked: VecDeque<Asked>,
    /// The version of the connection, by the replies so far.
    pub(super) version: Version,
}

impl Handshake {
    /// Writes the commands of the handshake.
    ///
    /// # Errors
    /// The setup asks for something that does not exist.
    pub(super) fn begin(setup: &ClientSetup<'_>, out: &mut BytesMut) -> Result<Handshake, Status> {
        let wishes = Wishes::parse(setup.parameter)?;
        let mut asked = VecDeque::new();
        let mut ask = |what, command: Command| {
            asked.push_back(what);
            command.append(out);
        };
        if let Some(credential) = setup.credential {
            let auth = Command::new("AUTH");
            ask(
                Asked::Auth,
                match credential.split(|&b| b == b':').next() {
                    Some(user) if user.len() < credential.len() => {
                        let password = &credential[user.len() + 1..];
                        // `:password` is a password that may itself have a colon.
                        if user.is_empty() { auth.arg(password) } else { auth.arg(user).arg(password) }
                    }
                    _ => auth.arg(credential),
                },
            );
        }
        if wishes.version == Version::Resp3 {
            ask(Asked::Hello, Command::new("HELLO").arg(3));
        }
        if let Some(database) = wishes.database {
            ask(Asked::Select, Command::new("SELECT").arg(database));
        }
        Ok(Handshake { asked, version: Version::Resp2 })
    }

    /// There is nothing to send.
    pub(super) fn none() -> Handshake {
        Handshake { asked: VecDeque::new(), version: Version::Resp2 }
    }

    pub(super) fn is_over(&self) -> bool {
        self.asked.is_empty()
    }

    /// Takes the next reply.
    ///
    /// # Errors
    /// The server does not want us, or has no such database.
    pub(super) fn reply(&mut self, reply: &Value) -> Result<(), Status> {
        let error = match reply {
            Value::Error(text) | Value::BulkError(text) => Some(String::from_utf8_lossy(text)),
            _ => None,
        };
        match (self.asked.pop_front(), error) {
            (Some(Asked::Hello), None) => self.version = Version::Resp3,
            // A server that knows no RESP3 says so, and we go on in RESP2.
            (Some(Asked::Hello), Some(line)) if !line.starts_with("NOAUTH") => {}
            (Some(Asked::Auth | Asked::Select), None) => {}
            (Some(Asked::Auth), Some(line)) => return Err(refused(Code::Unauthenticated, "AUTH", &line)),
            (Some(asked), Some(line)) => {
                let what = if asked == Asked::Select { "SELECT" } else { "HELLO" };
                return Err(refused(line_status(&line).code(), what, &line));
            }
            (None, _) => {}
        }
        Ok(())
    }
}

fn refused(code: Code, what: &str, line: &str) -> Status {
    let code = if code == Code::Unknown { Code::FailedPrecondition } else { code };
    Status::new(code, format!("{what} failed: {line}")).with_origin(Origin::Remote)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(credential: Option<&[u8]>, parameter: &str) -> String {
        let mut out = BytesMut::new();
        let setup = ClientSetup { credential, parameter, ..ClientSetup::default() };
        assert!(Handshake::begin(&setup, &mut out).is_ok());
        String::from_utf8(out.to_vec()).expect("text").replace("\r\n", " ")
    }

    #[test]
    fn the_setup_says_what_is_sent_first() {
        assert_eq!(said(None, ""), "");
        assert_eq!(said(None, "2"), "");
        assert_eq!(said(Some(b"secret"), ""), "*2 $4 AUTH $6 secret ");
        assert_eq!(said(Some(b"me:secret"), ""), "*3 $4 AUTH $2 me $6 secret ");
        assert_eq!(said(Some(b":se:cret"), ""), "*2 $4 AUTH $7 se:cret ");
        assert_eq!(said(None, "3,db=5"), "*2 $5 HELLO $1 3 *2 $6 SELECT $1 5 ");
        assert_eq!(said(Some(b"p"), "db=0,3"), "*2 $4 AUTH $1 p *2 $5 HELLO $1 3 *2 $6 SELECT $1 0 ");
    }

    #[test]
    fn an_unknown_wish_is_named() {
        let status = Wishes::parse("3,database=1").expect_err("no such wish");
        assert_eq!(status.message(), "redis:3,database=1: `database=1` is none of `2`, `3`, `db=N`");
        assert!(Wishes::parse("db=x").is_err() && Wishes::parse("4").is_err());
    }
}

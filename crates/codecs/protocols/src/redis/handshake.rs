//! The commands that a client sends before its first call: AUTH, HELLO, SELECT. Each is sent once, and each
//! reply is checked.
//!
//! AUTH is a command of its own, although HELLO could carry the credential, so that a server without HELLO
//! can be used too. Calls wait for the last reply, because after a failed SELECT they would run on another
//! database.
//!
//! Source: docs/wire/redis.md, section 3.

use super::{Command, Value, Version, error::line_status};
use bytes::BytesMut;
use polywire_call::{Code, Origin, Status};
use polywire_wire::ClientSetup;
use std::collections::VecDeque;

/// The parameter of the protocol's name: `3,db=5` of `redis:3,db=5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Parameters {
    pub(super) version: Version,
    pub(super) database: Option<u32>,
    /// Whether a replica of a cluster may answer, by READONLY.
    pub(super) read_only: bool,
}

impl Parameters {
    /// Reads a list of `2`, `3`, `db=N`, `readonly`, divided by commas.
    ///
    /// # Errors
    /// Names the word that is neither a version nor a database.
    pub(super) fn parse(parameter: &str) -> Result<Parameters, Status> {
        let mut parameters = Parameters::default();
        for word in parameter.split(',').filter(|word| !word.is_empty()) {
            match (word, word.strip_prefix("db=").map(str::parse)) {
                ("2", _) => parameters.version = Version::Resp2,
                ("3", _) => parameters.version = Version::Resp3,
                ("readonly", _) => parameters.read_only = true,
                (_, Some(Ok(database))) => parameters.database = Some(database),
                _ => {
                    let line =
                        format!("redis:{parameter}: `{word}` is not one of `2`, `3`, `db=N`, `readonly`");
                    return Err(Status::invalid_argument(line));
                }
            }
        }
        Ok(parameters)
    }
}

/// A command of the handshake whose reply has not come yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pending {
    Auth,
    Hello,
    Select,
    ReadOnly,
}

/// The state of the handshake.
pub(super) struct Handshake {
    pending: VecDeque<Pending>,
    /// The version of the connection, by the replies so far.
    pub(super) version: Version,
}

impl Handshake {
    /// Writes the commands of the handshake.
    ///
    /// # Errors
    /// The setup asks for an option that does not exist.
    pub(super) fn begin(setup: &ClientSetup<'_>, out: &mut BytesMut) -> Result<Handshake, Status> {
        let parameters = Parameters::parse(setup.parameter)?;
        let mut pending = VecDeque::new();
        let mut ask = |what, command: Command| {
            pending.push_back(what);
            command.append(out);
        };
        if let Some(credential) = setup.credential {
            let auth = Command::new("AUTH");
            ask(
                Pending::Auth,
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
        if parameters.version == Version::Resp3 {
            ask(Pending::Hello, Command::new("HELLO").arg(3));
        }
        if let Some(database) = parameters.database {
            ask(Pending::Select, Command::new("SELECT").arg(database));
        }
        if parameters.read_only {
            ask(Pending::ReadOnly, Command::new("READONLY"));
        }
        Ok(Handshake { pending, version: Version::Resp2 })
    }

    /// A handshake without commands.
    pub(super) fn none() -> Handshake {
        Handshake { pending: VecDeque::new(), version: Version::Resp2 }
    }

    pub(super) fn is_over(&self) -> bool {
        self.pending.is_empty()
    }

    /// Takes the next reply.
    ///
    /// # Errors
    /// The server refuses the credential, or has no such database.
    pub(super) fn reply(&mut self, reply: &Value) -> Result<(), Status> {
        let error = match reply {
            Value::Error(text) | Value::BulkError(text) => Some(String::from_utf8_lossy(text)),
            _ => None,
        };
        match (self.pending.pop_front(), error) {
            (Some(Pending::Hello), None) => self.version = Version::Resp3,
            // A server that knows no RESP3 says so, and we go on in RESP2.
            (Some(Pending::Hello), Some(line)) if !line.starts_with("NOAUTH") => {}
            (Some(Pending::Auth | Pending::Select), None) => {}
            // A server outside of a cluster refuses it, and has nothing to allow.
            (Some(Pending::ReadOnly), _) => {}
            (Some(Pending::Auth), Some(line)) => return Err(refused(Code::Unauthenticated, "AUTH", &line)),
            (Some(pending), Some(line)) => {
                let what = if pending == Pending::Select { "SELECT" } else { "HELLO" };
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

    fn sent(credential: Option<&[u8]>, parameter: &str) -> String {
        let mut out = BytesMut::new();
        let setup = ClientSetup { credential, parameter, ..ClientSetup::default() };
        assert!(Handshake::begin(&setup, &mut out).is_ok());
        String::from_utf8(out.to_vec()).expect("text").replace("\r\n", " ")
    }

    #[test]
    fn the_setup_says_what_is_sent_first() {
        assert_eq!(sent(None, ""), "");
        assert_eq!(sent(None, "2"), "");
        assert_eq!(sent(Some(b"secret"), ""), "*2 $4 AUTH $6 secret ");
        assert_eq!(sent(Some(b"me:secret"), ""), "*3 $4 AUTH $2 me $6 secret ");
        assert_eq!(sent(Some(b":se:cret"), ""), "*2 $4 AUTH $7 se:cret ");
        assert_eq!(sent(None, "3,db=5"), "*2 $5 HELLO $1 3 *2 $6 SELECT $1 5 ");
        assert_eq!(sent(None, "readonly"), "*1 $8 READONLY ");
        assert_eq!(sent(Some(b"p"), "db=0,3"), "*2 $4 AUTH $1 p *2 $5 HELLO $1 3 *2 $6 SELECT $1 0 ");
    }

    #[test]
    fn an_unknown_wish_is_named() {
        let status = Parameters::parse("3,database=1").expect_err("no such wish");
        assert_eq!(
            status.message(),
            "redis:3,database=1: `database=1` is not one of `2`, `3`, `db=N`, `readonly`"
        );
        assert!(Parameters::parse("db=x").is_err() && Parameters::parse("4").is_err());
    }
}

//! Commands about the connection itself: HELLO, AUTH, CLIENT.
//!
//! The texts are those of redis-server 7.0.15. CLIENT SETINFO came with 7.2, but today's clients send it
//! first.
//!
//! Source: docs/wire/redis.md, section 2, "What real clients send first".

use super::{
    Args, COMPATIBLE_WITH, Version, Writer,
    cursor::{Number, number},
    error::{cut_text, wrong_arguments},
};

pub(super) const CANNOT_DECIDE: &str = "ERR authentication is not possible now";
pub(super) const WRONG_PASSWORD: &str = "WRONGPASS invalid username-password pair or user is disabled.";
pub(super) const NOT_AUTHENTICATED: &str = "NOAUTH Authentication required.";
pub(super) const HELLO_NOT_AUTHENTICATED: &str = "NOAUTH HELLO must be called with the client already \
     authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select \
     the RESP protocol version at the same time";
pub(super) const BAD_NAME: &str = "ERR Client names cannot contain spaces, newlines or special characters.";

/// Commands that concern the connection, in whole or in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    Auth,
    Client,
    Hello,
    Quit,
    /// RESET, which the connection and the application handle: both reset their state of the connection.
    Reset,
    /// MULTI, which the application answers; the machine reads its answer.
    Multi,
    /// EXEC or DISCARD, likewise.
    EndMulti,
    /// `POST`, `Host:`: an HTTP request, which a page can make a browser send.
    Http,
}

impl Special {
    /// The command with this name. Hot: once per command.
    #[inline]
    pub(super) fn of(name: &[u8]) -> Option<Special> {
        let is = |text: &[u8]| name.eq_ignore_ascii_case(text);
        match name.len() {
            4 if is(b"auth") => Some(Special::Auth),
            4 if is(b"quit") => Some(Special::Quit),
            4 if is(b"exec") => Some(Special::EndMulti),
            4 if is(b"post") => Some(Special::Http),
            5 if is(b"hello") => Some(Special::Hello),
            5 if is(b"reset") => Some(Special::Reset),
            5 if is(b"multi") => Some(Special::Multi),
            5 if is(b"host:") => Some(Special::Http),
            6 if is(b"client") => Some(Special::Client),
            7 if is(b"discard") => Some(Special::EndMulti),
            _ => None,
        }
    }
}

/// The arguments of HELLO.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Hello<'a> {
    pub(super) version: Option<Version>,
    pub(super) login: Option<Login<'a>>,
    pub(super) name: Option<&'a [u8]>,
}

impl<'a> Hello<'a> {
    /// Reads `[version [AUTH user password] [SETNAME name]]`.
    ///
    /// # Errors
    /// The error's text, its code first.
    pub(super) fn parse(mut args: Args<'a>) -> Result<Self, String> {
        let mut hello = Hello::default();
        let Some(version) = args.next() else { return Ok(hello) };
        hello.version = match integer(version) {
            Some(2) => Some(Version::Resp2),
            Some(3) => Some(Version::Resp3),
            Some(_) => return Err("NOPROTO unsupported protocol version".into()),
            None => return Err("ERR Protocol version is not an integer or out of range".into()),
        };
        while let Some(option) = args.next() {
            if option.eq_ignore_ascii_case(b"AUTH")
                && args.len() >= 2
                && let (Some(user), Some(password)) = (args.next(), args.next())
            {
                hello.login = Some(Login { user, password });
            } else if option.eq_ignore_ascii_case(b"SETNAME")
                && let Some(name) = args.next()
            {
                hello.name = Some(name);
            } else {
                let option = cut_text(option, 128);
                return Err(format!("ERR Syntax error in HELLO option '{option}'"));
            }
        }
        Ok(hello)
    }

    /// Writes the answer to HELLO.
    pub(super) fn answer(out: &mut Writer<'_>, id: u64) {
        out.map(7);
        let text = |out: &mut Writer<'_>, key: &str, value: &str| {
            out.bulk(key.as_bytes());
            out.bulk(value.as_bytes());
        };
        text(out, "server", "redis");
        text(out, "version", COMPATIBLE_WITH);
        out.bulk(b"proto");
        out.integer(out.version().number());
        out.bulk(b"id");
        out.integer(id as i64);
        text(out, "mode", "standalone");
        text(out, "role", "master");
        out.bulk(b"modules");
        out.array(0);
    }
}

/// The user and password that a peer sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Login<'a> {
    pub(super) user: &'a [u8],
    pub(super) password: &'a [u8],
}

/// A login while the verdict on it is awaited.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) user: Option<Vec<u8>>,
    pub(super) password: Vec<u8>,
}

impl Login<'_> {
    /// `AUTH password` names this user.
    pub(super) const DEFAULT_USER: &'static [u8] = b"default";

    /// Whether the credential is that of the default user, whom an unprotected server lets in with any
    /// password.
    pub(super) fn is_default_user(&self) -> bool {
        self.user == Self::DEFAULT_USER
    }

    /// The credential for the authenticator: user and password, or the password alone for the default user,
    /// in either form of the command.
    pub(super) fn shown(&self) -> Shown {
        let user = (!self.is_default_user()).then(|| self.user.to_vec());
        Shown { user, password: self.password.to_vec() }
    }
}

/// Names are printable and have no blanks, so that lists of connections can be split.
pub(super) fn is_good_name(name: &[u8]) -> bool {
    name.iter().all(u8::is_ascii_graphic)
}

/// A subcommand of CLIENT that the connection answers itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClientCommand<'a> {
    Id,
    GetName,
    SetName(&'a [u8]),
    SetInfo,
}

impl<'a> ClientCommand<'a> {
    /// Reads the arguments of CLIENT. `Ok(None)`: it is for the application.
    ///
    /// # Errors
    /// The error's text, its code first.
    pub(super) fn parse(mut args: Args<'a>) -> Result<Option<Self>, String> {
        let Some(subcommand) = args.next() else { return Err(wrong_arguments("client")) };
        let is = |text: &str| subcommand.eq_ignore_ascii_case(text.as_bytes());
        let rest = (args.next(), args.next(), args.next());
        Ok(Some(match rest {
            (None, ..) if is("ID") => ClientCommand::Id,
            (None, ..) if is("GETNAME") => ClientCommand::GetName,
            (Some(name), None, _) if is("SETNAME") => ClientCommand::SetName(name),
            (Some(attribute), Some(_), None) if is("SETINFO") => {
                let known = ["LIB-NAME", "LIB-VER"];
                if !known.iter().any(|k| attribute.eq_ignore_ascii_case(k.as_bytes())) {
                    return Err(format!("ERR Unrecognized option '{}'", cut_text(attribute, 128)));
                }
                ClientCommand::SetInfo
            }
            _ => {
                return match ["ID", "GETNAME", "SETNAME", "SETINFO"].iter().find(|name| is(name)) {
                    Some(name) => Err(wrong_arguments(&format!("client|{name}"))),
                    None => Ok(None),
                };
            }
        }))
    }
}

/// An argument that is a canonical integer.
fn integer(arg: &[u8]) -> Option<i64> {
    match number(&[arg, b"\r\n"].concat()) {
        Number::Is(value, _) => Some(value),
        Number::Short | Number::Bad => None,
    }
}

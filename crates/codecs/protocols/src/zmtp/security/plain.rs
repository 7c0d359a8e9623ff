//! PLAIN: a name and a password in the clear.
//!
//! ```text
//! HELLO      user length u8 | user | password length u8 | password
//! WELCOME    empty
//! INITIATE   properties
//! READY      properties
//! ```

use super::{Done, LocalSide, Progress, Shown, null};
use crate::zmtp::{
    command::{self, Command, Properties},
    error::Fault,
};
use bytes::{BufMut, BytesMut};
use zeroize::Zeroizing;

/// The client, which sends a name and a password.
pub(crate) struct Client {
    welcomed: bool,
}

impl Client {
    pub fn begin(user: &str, password: &str, out: &mut BytesMut) -> Result<Self, Fault> {
        let mut data = Zeroizing::new(Vec::with_capacity(2 + user.len() + password.len()));
        for text in [user, password] {
            data.put_u8(u8::try_from(text.len()).map_err(|_| Fault::TooLarge)?);
            data.put_slice(text.as_bytes());
        }
        command::put(out, "HELLO", &data);
        Ok(Client { welcomed: false })
    }

    pub fn command(
        &mut self,
        local: &LocalSide<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        match (command.name, self.welcomed) {
            (b"WELCOME", false) => {
                self.welcomed = true;
                let mut properties = BytesMut::new();
                command::put_properties(&mut properties, local.only_kind()?, local.settings);
                command::put(out, "INITIATE", &properties);
                Ok(Progress::Goes)
            }
            (b"READY", true) => {
                let peer = Properties::read(command.data)?;
                local.kind_for(&peer)?;
                Ok(Progress::Done(Done { peer, session: None }))
            }
            _ => Err(Fault::Order),
        }
    }
}

/// The server, which checks them.
pub(crate) struct Server {
    step: Step,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Hello,
    Verdict,
    Initiate,
}

impl Server {
    pub fn begin() -> Self {
        Server { step: Step::Hello }
    }

    pub fn command(
        &mut self,
        local: &LocalSide<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        match (command.name, self.step) {
            (b"HELLO", Step::Hello) => {
                let shown = shown(command.data).ok_or(Fault::Command)?;
                self.step = Step::Verdict;
                if local.authenticate {
                    return Ok(Progress::Asks(shown));
                }
                self.accepted(out);
                Ok(Progress::Goes)
            }
            (b"INITIATE", Step::Initiate) => {
                let peer = Properties::read(command.data)?;
                null::put_ready(out, local.kind_for(&peer)?, local.settings);
                Ok(Progress::Done(Done { peer, session: None }))
            }
            _ => Err(Fault::Order),
        }
    }

    pub fn accepted(&mut self, out: &mut BytesMut) {
        self.step = Step::Initiate;
        command::put(out, "WELCOME", b"");
    }
}

/// Reads user and password, which may both contain colons.
fn shown(data: &[u8]) -> Option<Shown> {
    let (user, rest) = text(data)?;
    let (password, rest) = text(rest)?;
    let shown = || Shown { scheme: "PLAIN", user: Some(user.to_vec()), credential: Some(password.to_vec()) };
    rest.is_empty().then(shown)
}

fn text(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&length, rest) = data.split_first()?;
    rest.split_at_checked(length.into())
}

//! NULL: each side sends READY with its properties. Who is only one socket says so at once, as libzmq does.

use super::{Done, Progress, Shown, Us};
use crate::zmtp::{
    Kind, Settings,
    command::{self, Command, Properties},
    error::Fault,
};
use bytes::BytesMut;

pub(crate) struct Null {
    /// Our READY has been sent.
    said: bool,
    /// The peer's READY, once it is here.
    peer: Option<Properties>,
}

impl Null {
    pub fn begin(us: &Us<'_>, out: &mut BytesMut) -> Self {
        let kind = us.settings.only_kind();
        kind.into_iter().for_each(|kind| put_ready(out, kind, us.settings));
        Null { said: kind.is_some(), peer: None }
    }

    pub fn command(
        &mut self,
        us: &Us<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        if command.name != b"READY" || self.peer.is_some() {
            return Err(Fault::Order);
        }
        self.peer = Some(Properties::read(command.data)?);
        if us.authenticate {
            return Ok(Progress::Asks(Shown { scheme: "NULL", ..Shown::default() }));
        }
        self.accepted(us, out)
    }

    pub fn accepted(&mut self, us: &Us<'_>, out: &mut BytesMut) -> Result<Progress, Fault> {
        let peer = self.peer.take().ok_or(Fault::Order)?;
        let kind = us.kind_for(&peer)?;
        if !std::mem::replace(&mut self.said, true) {
            put_ready(out, kind, us.settings);
        }
        Ok(Progress::Done(Done { peer, session: None }))
    }
}

/// READY in the clear.
pub(super) fn put_ready(out: &mut BytesMut, kind: Kind, settings: &Settings) {
    let mut properties = BytesMut::new();
    command::put_properties(&mut properties, kind, settings);
    command::put(out, "READY", &properties);
}

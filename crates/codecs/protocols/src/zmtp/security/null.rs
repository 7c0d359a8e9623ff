//! NULL: each side sends READY with its properties. A side with a single socket sends it at once, as libzmq
//! does.

use super::{Done, LocalSide, Progress, Shown};
use crate::zmtp::{
    Kind, Settings,
    command::{self, Command, Properties},
    error::Fault,
};
use bytes::BytesMut;

pub(crate) struct Null {
    /// Whether this side's READY has been sent.
    said: bool,
    /// The peer's READY, if it has arrived.
    peer: Option<Properties>,
}

impl Null {
    pub fn begin(local: &LocalSide<'_>, out: &mut BytesMut) -> Self {
        let kind = local.settings.only_kind();
        kind.into_iter().for_each(|kind| put_ready(out, kind, local.settings));
        Null { said: kind.is_some(), peer: None }
    }

    pub fn command(
        &mut self,
        local: &LocalSide<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        if command.name != b"READY" || self.peer.is_some() {
            return Err(Fault::Order);
        }
        self.peer = Some(Properties::read(command.data)?);
        if local.authenticate {
            return Ok(Progress::Asks(Shown { scheme: "NULL", ..Shown::default() }));
        }
        self.accepted(local, out)
    }

    pub fn accepted(&mut self, local: &LocalSide<'_>, out: &mut BytesMut) -> Result<Progress, Fault> {
        let peer = self.peer.take().ok_or(Fault::Order)?;
        let kind = local.kind_for(&peer)?;
        if !std::mem::replace(&mut self.said, true) {
            put_ready(out, kind, local.settings);
        }
        Ok(Progress::Done(Done { peer, session: None }))
    }
}

/// Writes READY, unencrypted.
pub(super) fn put_ready(out: &mut BytesMut, kind: Kind, settings: &Settings) {
    let mut properties = BytesMut::new();
    command::put_properties(&mut properties, kind, settings);
    command::put(out, "READY", &properties);
}

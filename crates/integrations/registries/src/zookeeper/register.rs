//! Registers a server as an ephemeral node, which ZooKeeper keeps for as long as its session.
//!
//! A connection that breaks does not end the session: the next connection continues it, and the node stays.
//! The session expires if this side is silent for the timeout; then the node is created again in another
//! session.

use super::{
    ZooKeeper,
    session::{Access, Failed, Session},
};
use crate::{hosts::split, value};
use polywire_naming::{Accepted, Keeping, Registrar, Server, SourceError, Watching};
use std::{convert::Infallible, sync::PoisonError};

impl Registrar for ZooKeeper {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn keep<'a>(&'a self, server: &'a Server, accepted: &'a Accepted) -> Keeping<'a> {
        Box::pin(async move {
            let node = match self.node(server) {
                Ok(node) => node,
                Err(why) => return why,
            };
            match self.keep_node(&node, server, accepted).await {
                Err(failed) => self.client.failed(&failed),
                Ok(never) => match never {},
            }
        })
    }

    fn withdraw<'a>(&'a self, server: &'a Server) -> Watching<'a> {
        Box::pin(async move {
            let node = self.node(server)?;
            self.remove(&node).await.map_err(|failed| self.client.failed(&failed))
        })
    }
}

impl ZooKeeper {
    /// The node of a server: its name is the address.
    fn node(&self, server: &Server) -> Result<String, SourceError> {
        let address = &server.address;
        if split(address).is_none() || address.contains('/') {
            let text = format!("{address:?} cannot be registered: it is not host:port");
            return Err(SourceError::new(text));
        }
        Ok(format!("{}/{address}", self.path))
    }

    /// The session of the registration, or a new one if it has expired.
    async fn resumed(&self) -> Result<Session, Failed> {
        let ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let session = self.client.session(ticket.as_ref()).await?;
        *self.ticket.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.ticket());
        Ok(session)
    }

    async fn keep_node(
        &self,
        node: &str,
        server: &Server,
        accepted: &Accepted,
    ) -> Result<Infallible, Failed> {
        let mut session = self.resumed().await?;
        match session.owner(node).await? {
            Some(owner) if session.is(owner) => {}
            found => {
                if found.is_some() {
                    // Of the server's last life, whose session has not expired yet.
                    session.delete(node).await?;
                }
                self.create(&mut session, node, &value::of(server)).await?;
            }
        }
        loop {
            if !session.owner(node).await?.is_some_and(|owner| session.is(owner)) {
                return Err(Failed::Lost("the node has disappeared, or is another's".to_owned()));
            }
            accepted.set();
            session.event().await?;
        }
    }

    /// Creates the node of a server, and missing parents.
    async fn create(&self, session: &mut Session, node: &str, data: &[u8]) -> Result<(), Failed> {
        let access = if self.client.user.is_some() { Access::Ours } else { Access::Everybody };
        match session.create(node, data, access, true).await {
            Err(Failed::Refused(Failed::NO_NODE)) => {}
            done => return done,
        }
        let ends = self.path.char_indices().skip(1).filter(|(_, c)| *c == '/').map(|(at, _)| at);
        for end in ends.chain([self.path.len()]) {
            match session.create(&self.path[..end], b"", access, false).await {
                // One that is there may be refused for the rights of the one above it.
                Ok(()) | Err(Failed::Refused(Failed::NODE_EXISTS | Failed::NO_AUTH)) => {}
                Err(failed) => return Err(failed),
            }
        }
        session.create(node, data, access, true).await
    }

    async fn remove(&self, node: &str) -> Result<(), Failed> {
        let mut session = self.resumed().await?;
        session.delete(node).await?;
        *self.ticket.lock().unwrap_or_else(PoisonError::into_inner) = None;
        session.close().await
    }
}

//! Watches the children of a node: they are listed, and the data of new and changed ones is read. Each watch
//! fires once, so that it is set again with every reading.
//!
//! | what happens | what follows |
//! | --- | --- |
//! | a child comes or goes | the children are listed again, and the new ones read |
//! | the data of a child changes | the same, and the child is read again |
//! | the node is deleted | an empty set, until it is there again |
//! | the connection breaks, pings are not answered, or the session expires | another session, with another member: everything is read again |

use super::{
    ZooKeeper, node,
    session::{Failed, Session},
};
use crate::{bounds::LONGEST_ANSWER, entries::Entries};
use polywire_naming::{Server, Source, SourceError, Updates, Watching};
use std::{collections::BTreeMap, convert::Infallible, time::Duration};
use tokio::time::{Instant, sleep_until};

/// Beyond this many children a node is not read.
pub(super) const MAX_CHILDREN: usize = 100_000;
/// The number of nodes whose data is requested at once.
const BATCH: usize = 128;
/// The least time between two lists, so that a node which changes all the time costs little.
const BETWEEN: Duration = Duration::from_millis(100);

impl Source for ZooKeeper {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move { self.follow(updates).await.map(|never| match never {}) })
    }
}

/// The known children by name.
#[derive(Default)]
struct Children(BTreeMap<String, Child>);

struct Child {
    server: Result<Server, String>,
    /// The length of the child's name and data.
    bytes: usize,
}

impl ZooKeeper {
    async fn follow(&self, updates: &Updates) -> Result<Infallible, SourceError> {
        let lost = |failed| self.client.failed(&failed);
        let mut session = self.client.session(None).await.map_err(lost)?;
        let mut children = Children::default();
        loop {
            let begun = Instant::now();
            match session.children(&self.path).await.map_err(lost)? {
                Some(names) => self.read(&mut session, names, &mut children).await.map_err(lost)?,
                None => {
                    updates.warn(format_args!("the node {} does not exist", self.path));
                    children.0.clear();
                }
            }
            children.publish(updates)?;
            sleep_until(begun + BETWEEN).await;
            let mut told = Some(session.event().await.map_err(lost)?);
            while let Some(event) = told {
                if let Some(name) =
                    event.path.strip_prefix(&self.path).and_then(|rest| rest.strip_prefix('/'))
                {
                    children.0.remove(name); // it is read again
                }
                told = session.next_event();
            }
        }
    }

    /// Reads the children that are not known yet.
    async fn read(
        &self,
        session: &mut Session,
        names: Vec<String>,
        children: &mut Children,
    ) -> Result<(), Failed> {
        let mut before = std::mem::take(&mut children.0);
        let mut unread = Vec::new();
        for name in names {
            if let Some(child) = before.remove(&name) {
                children.0.insert(name, child);
            } else if let Some(server) = node::of_url(&name) {
                children.put(name, server, 0);
            } else {
                unread.push(name);
            }
        }
        for names in unread.chunks(BATCH) {
            children.check()?;
            let paths: Vec<_> = names.iter().map(|name| format!("{}/{name}", self.path)).collect();
            for (name, data) in names.iter().zip(session.data(&paths).await?) {
                match data {
                    Ok(data) => children.put(name.clone(), node::server(name, &data), data.len()),
                    Err(Failed::NO_NODE) => {} // it has gone, which is told
                    Err(code) => children.put(name.clone(), Err(Failed::Refused(code).to_string()), 0),
                }
            }
        }
        children.check()
    }
}

impl Children {
    fn put(&mut self, name: String, server: Result<Server, String>, data: usize) {
        let bytes = name.len() + data;
        self.0.insert(name, Child { server, bytes });
    }

    fn check(&self) -> Result<(), Failed> {
        match self.0.values().map(|child| child.bytes).sum::<usize>() > LONGEST_ANSWER as usize {
            true => Err(Failed::too_long()),
            false => Ok(()),
        }
    }

    fn publish(&self, updates: &Updates) -> Result<(), SourceError> {
        let mut entries = Entries::default();
        self.0.values().for_each(|child| entries.add(child.server.clone().map(Some)));
        updates.set(entries.finish(updates)?);
        Ok(())
    }
}

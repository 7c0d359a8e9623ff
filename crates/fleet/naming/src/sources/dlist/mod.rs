//! `dlist://a.test:8000,b.test:8000 2`: a list whose names are looked up again every few seconds.
//!
//! Each item is one server, at one address of its name: the previous address if the name still has it,
//! otherwise the first one. With `list://`, in contrast, a name is looked up when a connection is made, so
//! that a persistent connection stays with the old machine when the name moves.

use super::{
    host::{LookUp, cannot_look_up, system},
    list::items,
};
use crate::{Scheme, Server, Source, SourceError, Updates, Watching};
use polywire_call::ConfigError;
use std::{collections::HashMap, net::SocketAddr, time::Duration};

/// `dlist://A,B`: names that are looked up again and again, as brpc's source of this name does.
pub const SCHEME: Scheme = Scheme { name: "dlist", open };

/// The time between two look-ups of all names: brpc's.
const INTERVAL: Duration = Duration::from_secs(5);

struct DynamicList {
    text: String,
    items: Vec<Server>,
    look_up: LookUp,
}

fn open(rest: &str) -> Result<Box<dyn Source>, ConfigError> {
    Ok(Box::new(DynamicList { text: rest.to_owned(), items: items("dlist", rest)?, look_up: system }))
}

impl DynamicList {
    /// Looks up all names. A name whose lookup fails keeps its previous address, and is left out if it had
    /// none.
    ///
    /// # Errors
    /// No name could be looked up.
    async fn look(
        &self,
        last: &mut HashMap<String, SocketAddr>,
        updates: &Updates,
    ) -> Result<Vec<Server>, SourceError> {
        let mut servers = Vec::with_capacity(self.items.len());
        let mut failed = None;
        for item in &self.items {
            if item.address.starts_with("unix:") || item.address.parse::<SocketAddr>().is_ok() {
                servers.push(item.clone());
                continue;
            }
            let before = last.get(&item.address).copied();
            let at = match (self.look_up)(item.address.clone()).await {
                Ok(found) => before.filter(|at| found.contains(at)).or(found.first().copied()).or(before),
                Err(error) => {
                    failed = Some(cannot_look_up(&item.address, &error));
                    before
                }
            };
            let Some(at) = at else { continue };
            last.insert(item.address.clone(), at);
            servers.push(Server { address: at.to_string(), ..item.clone() });
        }
        match failed {
            Some(error) if servers.is_empty() => return Err(error),
            Some(error) => updates.warn(error),
            None => {}
        }
        Ok(servers)
    }
}

impl Source for DynamicList {
    fn name(&self) -> String {
        format!("dlist://{}", self.text)
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            let mut last = HashMap::new();
            loop {
                updates.set(self.look(&mut last, updates).await?);
                updates.wanted_or(INTERVAL).await;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch;
    use std::{
        io,
        sync::atomic::{AtomicU32, Ordering},
    };

    fn found(set: &[Server]) -> Vec<(&str, &str)> {
        set.iter().map(|server| (&*server.address, &*server.tag)).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn names_are_looked_up_again_and_keep_their_address_while_they_have_it() {
        static ROUND: AtomicU32 = AtomicU32::new(0);
        let look_up: LookUp = |name| {
            Box::pin(async move {
                let found = match (&*name, ROUND.load(Ordering::Relaxed)) {
                    ("a:1", 0) => ["10.0.0.1:1", "10.0.0.2:1"],
                    ("a:1", 1) => ["10.0.0.2:1", "10.0.0.1:1"], // another order, as DNS has it
                    ("a:1", _) => ["10.0.0.2:1", "10.0.0.3:1"],
                    ("b:2", 0 | 1) => ["10.0.1.1:2", "10.0.1.1:2"],
                    _ => return Err(io::Error::other("no such name")),
                };
                Ok(found.map(|at| at.parse().unwrap()).to_vec())
            })
        };
        let text = "a:1 x,b:2,c:3,127.0.0.1:4,unix:/run/d".to_owned();
        let items = items("dlist", &text).unwrap();
        let (mut watched, work) = watch(Box::new(DynamicList { text, items, look_up }));
        tokio::spawn(work);
        let set = watched.first(Duration::from_secs(1)).await.unwrap();
        let first = [("10.0.0.1:1", "x"), ("10.0.1.1:2", ""), ("127.0.0.1:4", ""), ("unix:/run/d", "")];
        assert_eq!(found(&set), first);
        ROUND.store(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert_eq!(found(&watched.set().unwrap()), first, "another order is nothing new");
        ROUND.store(2, Ordering::Relaxed);
        watched.changed().await;
        let third = [("10.0.0.2:1", "x"), ("10.0.1.1:2", ""), ("127.0.0.1:4", ""), ("unix:/run/d", "")];
        assert_eq!(found(&watched.set().unwrap()), third, "b cannot be looked up any more, and stays");
    }

    #[tokio::test(start_paused = true)]
    async fn a_list_of_which_no_name_can_be_looked_up_says_so() {
        let look_up: LookUp = |_| Box::pin(async { Err(io::Error::other("no such name")) });
        let list = DynamicList { text: "a:1".into(), items: items("dlist", "a:1").unwrap(), look_up };
        let (mut watched, work) = watch(Box::new(list));
        tokio::spawn(work);
        let said = watched.first(Duration::from_secs(1)).await.unwrap_err().to_string();
        assert!(said.ends_with("cannot look up a:1: no such name"), "{said}");
    }
}

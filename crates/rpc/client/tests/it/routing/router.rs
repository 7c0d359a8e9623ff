//! A router whose tables a test gives.

use polywire_naming::{Server, SourceError, Watching};
use polywire_routing::{Cluster, PathMatch, Route, RouteTable, Router, TableUpdates};
use tokio::sync::watch;

/// Clusters with one server each: `a` has `a:1`.
pub fn clusters(names: &[&str]) -> Vec<(String, Cluster)> {
    names.iter().map(|name| ((*name).to_owned(), Cluster::of([Server::new(format!("{name}:1"))]))).collect()
}

/// A target for all calls: this cluster.
pub fn all_to(name: &str) -> RouteTable {
    RouteTable::new([Route::new(PathMatch::any(), name)], clusters(&[name])).unwrap()
}

/// A target for all calls: this cluster.
pub fn all_to_cluster(cluster: Cluster) -> RouteTable {
    RouteTable::new([Route::new(PathMatch::any(), "it")], [("it", cluster)]).unwrap()
}

/// What a router says: nothing yet, a table, or why there is none.
pub type Saying = Option<Result<RouteTable, SourceError>>;

pub struct ToldTables(watch::Receiver<Saying>);

impl ToldTables {
    pub fn new() -> (watch::Sender<Saying>, ToldTables) {
        let (tell, told) = watch::channel(None);
        (tell, ToldTables(told))
    }
}

impl Router for ToldTables {
    fn name(&self) -> String {
        "told".to_owned()
    }

    fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a> {
        let mut told = self.0.clone();
        Box::pin(async move {
            loop {
                match told.borrow_and_update().clone() {
                    Some(Ok(table)) => updates.table(table),
                    Some(Err(error)) => updates.failed(error),
                    None => {}
                }
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        })
    }
}

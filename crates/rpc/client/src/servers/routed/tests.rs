//! Tables that are taken over.

use super::*;
use crate::{Channel, NoProtocols, servers::Servers};
use polywire_machine_testing::lab;
use polywire_naming::SourceError;
use polywire_routing::{Cluster as Told, PathMatch, Route as ToldRoute, TableUpdates, router_fn};

type Saying = Result<RouteTable, SourceError>;

fn table() -> RouteTable {
    RouteTable::new([ToldRoute::new(PathMatch::any(), "c")], [("c", Told::of([]))]).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_router_that_fails_leaves_the_clusters_of_its_table_as_they_are() {
    let first = table();
    let (tell, told) = watch::channel::<Saying>(Ok(first.clone()));
    let router = router_fn("told", move |updates: TableUpdates| {
        let mut told = told.clone();
        async move {
            loop {
                match told.borrow_and_update().clone() {
                    Ok(table) => updates.table(table),
                    Err(error) => updates.failed(error),
                }
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        }
    });
    let builder = Channel::<NoProtocols>::builder("shop").protocol_set(lab::PROTOCOLS).protocol("lab");
    let recipe = builder.router(router).recipe().unwrap();
    let core = recipe.0.core(recipe.1);
    let Servers::Routed(routed) = &core.servers else { panic!("it has a router") };
    let clusters = || routed.newest.load().clusters.clone();
    let mut changes = routed.changes.subscribe();
    let before = clusters();
    for (saying, error) in [
        (Err(SourceError::new("lost")), Some("lost")),
        (Err(SourceError::new("still lost")), Some("still lost")),
        (Ok(first), None),
    ] {
        tell.send(saying).unwrap();
        changes.changed().await.unwrap();
        assert_eq!(routed.newest.load().error.as_deref(), error);
        assert!(Arc::ptr_eq(&clusters(), &before), "{error:?}");
    }
    tell.send(Ok(table())).unwrap();
    changes.changed().await.unwrap();
    assert!(!Arc::ptr_eq(&clusters(), &before));
}

//! The interface of all routers.

use crate::RouteTable;
use polywire_naming::{SourceError, Watching};
use std::{future::Future, sync::Arc};
use tokio::sync::watch as channel;

/// A source of the routes for a name.
///
/// ```
/// use polywire_routing::{RouteTable, Router, TableUpdates};
/// use polywire_naming::Watching;
///
/// /// Reads a table from somewhere, again and again.
/// struct Remote;
/// # async fn read() -> Result<RouteTable, polywire_naming::SourceError> { unimplemented!() }
///
/// impl Router for Remote {
///     fn name(&self) -> String {
///         "remote".to_owned()
///     }
///     fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a> {
///         Box::pin(async move {
///             loop {
///                 updates.table(read().await?);
///             }
///         })
///     }
/// }
/// ```
pub trait Router: Send + Sync + 'static {
    /// The router's name in messages: the url that it was made from, without secrets.
    fn name(&self) -> String;

    /// Reports the whole table whenever there is a new one, until the future is dropped. It returns `Ok` once
    /// the table will never change again. After an error it is called again, after a pause that grows from
    /// failure to failure; the last table stays in use meanwhile.
    ///
    /// When a table names a cluster for the first time, its source is started; servers that the source has at
    /// hand are in use before the first call is sent by this table.
    fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a>;
}

impl<R: Router + ?Sized> Router for Box<R> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a> {
        (**self).watch(updates)
    }
}

impl<R: Router + ?Sized> Router for Arc<R> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a> {
        (**self).watch(updates)
    }
}

/// A table is a router whose table never changes.
impl Router for RouteTable {
    fn name(&self) -> String {
        "a fixed table".to_owned()
    }
    fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a> {
        updates.table(self.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

/// A router made from a function that reports tables as they change. It is called like [`Router::watch`].
pub fn router_fn<F, R>(name: impl Into<String>, watch: F) -> impl Router
where
    F: Fn(TableUpdates) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), SourceError>> + Send + 'static,
{
    Function { name: name.into(), watch }
}

struct Function<F> {
    name: String,
    watch: F,
}

impl<F, R> Router for Function<F>
where
    F: Fn(TableUpdates) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), SourceError>> + Send + 'static,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a> {
        Box::pin((self.watch)(updates.clone()))
    }
}

/// The receiver of a router's reports. Clones report to the same watchers.
#[derive(Clone, Debug)]
pub struct TableUpdates(pub(crate) channel::Sender<Known>);

/// The latest report of a router.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The table; `None`: none has arrived yet.
    pub table: Option<RouteTable>,
    /// The error of the router's last attempt; `None` once it has answered.
    pub error: Option<SourceError>,
    /// The number of tables that have arrived.
    pub tables: u64,
}

impl TableUpdates {
    /// Reports the present table. Calls that have found their route already keep it.
    ///
    /// To report that there are no routes any more, use [`RouteTable::failing`].
    pub fn table(&self, table: RouteTable) {
        self.0.send_modify(|known| {
            *known = Known { table: Some(table), error: None, tables: known.tables + 1 };
        });
    }

    /// Reports that the router has no answer at present, and continues to watch. The last table stays in use;
    /// without one, calls fail with this error, unless they wait for their servers to be ready.
    pub fn failed(&self, error: SourceError) {
        self.0.send_if_modified(|known| {
            let is_new = known.error.as_ref() != Some(&error);
            known.error = Some(error);
            is_new
        });
    }
}

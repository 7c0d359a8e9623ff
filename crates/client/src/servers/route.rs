//! Where the attempts of a call go.

use crate::servers::trace::Trace;
use polywire_balance::Endpoint;
use std::sync::Arc;

/// By what a call's servers are chosen, and where its earlier attempts went.
#[derive(Clone, Default)]
pub(crate) struct Route {
    /// Calls of equal keys go to the same server, under balancers that hash.
    pub key: Option<u64>,
    /// The servers of the newest attempts that failed.
    tried: Vec<Arc<Endpoint>>,
    /// Where the call is recorded.
    pub(super) trace: Option<Arc<Trace>>,
}

/// The most servers that a call avoids because it has tried them.
const MOST: usize = 8;

impl Route {
    pub fn new(key: Option<u64>) -> Self {
        Route { key, ..Route::default() }
    }

    pub fn key(&self) -> Option<u64> {
        self.key
    }

    pub fn tried(&self) -> &[Arc<Endpoint>] {
        &self.tried
    }

    /// An attempt on this server has failed: the next one goes elsewhere, if it can.
    #[cold]
    pub fn avoid(&mut self, server: &Arc<Endpoint>) {
        if self.tried.len() >= MOST {
            self.tried.remove(0);
        }
        self.tried.push(server.clone());
    }
}

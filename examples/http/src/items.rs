//! Items in memory. Except for the rest of the path, nothing here depends on HTTP.

use crate::shop::{Item, Items, NewPrice, Query};
use polywire::{Context, Reply, Status};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

#[derive(Default)]
pub struct Shelf {
    items: Mutex<HashMap<String, Item>>,
}

impl Shelf {
    fn items(&self) -> MutexGuard<'_, HashMap<String, Item>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Items for Shelf {
    async fn put(&self, _: &Context, item: Item) -> Result<Reply<Item>, Status> {
        if item.name.is_empty() {
            return Err(Status::invalid_argument("an item needs a name"));
        }
        self.items().insert(item.name.clone(), item.clone());
        Ok(item.into())
    }

    async fn get(&self, cx: &Context, query: Query) -> Result<Reply<Item>, Status> {
        let name = if query.name.is_empty() { cx.unresolved_path() } else { query.name };
        let item = self.items().get(&name).cloned();
        item.map(Reply::new).ok_or_else(|| Status::not_found(format!("no item {name:?}")))
    }
    async fn reprice(&self, _: &Context, new: NewPrice) -> Result<Reply<Item>, Status> {
        if new.price_cents < 0 {
            return Err(Status::invalid_argument("a price is not negative"));
        }
        let mut items = self.items();
        let item = items.get_mut(&new.name);
        let item = item.ok_or_else(|| Status::not_found(format!("no item {:?}", new.name)))?;
        item.price_cents = new.price_cents;
        Ok(item.clone().into())
    }
}

//! A warehouse whose interface is a `.thrift` file.

#![forbid(unsafe_code)]

use polywire::{Context, Server, Status};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};
use warehouse::{Item, OutOfStock, Shelf, Speed, Warehouse};

polywire::include!("warehouse");

/// What is there, by name.
#[derive(Default)]
pub struct House {
    stock: Mutex<BTreeMap<String, i32>>,
    orders: AtomicU32,
}

impl House {
    fn stock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, i32>> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The service that `Warehouse` extends.
impl Shelf for House {
    async fn count(&self, _: &Context, name: String) -> Result<i32, Status> {
        Ok(self.stock().get(&name).copied().unwrap_or(0))
    }
}

impl Warehouse for House {
    async fn store(&self, _: &Context, items: Vec<Item>) -> Result<BTreeMap<String, i32>, Status> {
        let mut stock = self.stock();
        let mut now = BTreeMap::new();
        for item in items {
            let there = stock.entry(item.name.clone()).or_default();
            *there =
                there.checked_add(item.count).ok_or_else(|| Status::out_of_range("no room for so many"))?;
            now.insert(item.name, *there);
        }
        Ok(now)
    }

    async fn order(
        &self,
        _: &Context,
        item: Item,
        speed: Speed,
    ) -> Result<String, warehouse::warehouse::OrderError> {
        let mut stock = self.stock();
        let left = stock.get(&item.name).copied().unwrap_or(0);
        if item.count > left {
            // A declared exception: every client gets it as such.
            return Err(OutOfStock { name: item.name, left }.into());
        }
        stock.insert(item.name, left - item.count);
        let prefix = if speed == Speed::FAST { "express" } else { "parcel" };
        Ok(format!("{prefix}-{}", self.orders.fetch_add(1, Relaxed) + 1))
    }

    async fn note(&self, _: &Context, text: String) -> Result<(), Status> {
        println!("note: {text}"); // `oneway`: nobody waits for an answer
        Ok(())
    }
}

/// A server for clients with frames and without, of the binary and the compact protocol.
pub fn server() -> Server {
    Server::new().service(Warehouse::into_service(House::default()))
}

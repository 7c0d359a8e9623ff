//! The services of the example: JSON by a generated trait, and raw HTTP by a handler.

#![forbid(unsafe_code)]

mod items;
mod label;

use polywire::{Server, Service};
use shop::Items;

polywire::include!("shop"); // mod shop { Item, Query, Items, ItemsClient }

/// The server, without an address yet.
pub fn server() -> Server {
    let items = items::Shelf::default().into_service().method("Get", |get| {
        // A RESTful path replaces /shop.Items/Get, unless both are enabled.
        get.path("GET /v1/items/*").allow_default_url()
    });
    Server::new().service(items).service(Service::new("label", &[]).with(label::method()))
}

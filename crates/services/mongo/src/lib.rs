//! MongoDB's wire protocol at a server: commands in, documents out, for the official drivers of every
//! language.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`MongoService`], [`service`] | the trait of services that answer commands, and how a server gets one |
//! | [`Command`] | a command with its documents |
//! | [`Document`], [`DocumentBuilder`], [`View`], [`Value`], [`array()`] | documents, read in place and written |
//! | [`first_batch`] | the reply to `find`, `aggregate` and the other commands that give documents |
//! | [`Error`], [`ErrorCode`] | failures, as drivers understand them |
//!
//! The requests that a driver sends before its first command (`hello`, `isMaster`), and `ping`, `buildInfo`
//! and `endSessions`, are answered here. All other commands go to the service: there is no database.
//!
//! ```
//! use polywire::{Context, Server, mongo};
//!
//! struct Greetings;
//!
//! impl mongo::MongoService for Greetings {
//!     async fn command(&self, _: &Context, command: mongo::Command) -> Result<mongo::Document, mongo::Error> {
//!         match command.name() {
//!             "find" => {
//!                 let greeting = mongo::Document::builder().put("_id", 1).put("text", "hello").build();
//!                 mongo::first_batch(&command.namespace(), [greeting.view()])
//!             }
//!             _ => Err(mongo::Error::unknown(&command)),
//!         }
//!     }
//! }
//!
//! let server = Server::new().service(mongo::service(Greetings));
//! # let _ = server;
//! ```
//!
//! Not here: bytes on the wire (crate `protocols`), BSON (crate `formats`), a client, a store.

#![forbid(unsafe_code)]

mod command;
mod error;
mod greeting;
mod reply;
mod service;

pub use command::Command;
pub use error::Error;
pub use greeting::{COMPATIBLE_WITH, MAX_DOCUMENT, MAX_WIRE_VERSION};
pub use polywire_formats::bson::{
    Builder as DocumentBuilder, Document, Elements, Error as BsonError, Kind, MAX_DEPTH, Value, View, array,
};
pub use polywire_protocols::mongo::{DATABASE_FIELD, ErrorCode, MAX_MESSAGE, MAX_SECTIONS};
pub use reply::first_batch;
pub use service::{MongoService, service};

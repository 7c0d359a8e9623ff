//! A client of esp: frames of a head of 32 bytes and a body, as in Apache brpc. Their meaning is up to the
//! application.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Client`] | sends frames over a channel of the protocol `esp` |
//! | [`Frame`], [`Head`], [`Address`] | a head and its body |
//! | [`Error`] | a call that failed, with the frame that its server sent in place of a success |
//!
//! ```no_run
//! use polywire::{Channel, esp};
//!
//! # async fn call() -> polywire::Result<()> {
//! let client = esp::Client::new(Channel::builder("127.0.0.1:9000").protocol("esp").build()?);
//! let head = esp::Head { to: esp::Address { stub: 1, ..Default::default() }, msg: 9, msg_id: 10, ..Default::default() };
//! let reply = client.call(&esp::Frame { head, body: "hi".into() }).await?;
//! println!("{} bytes", reply.body.len());
//! # Ok(())
//! # }
//! ```
//!
//! Not here: bytes on the wire (crate `protocols`), a server.

#![forbid(unsafe_code)]

mod client;
mod error;
mod frame;

pub use client::Client;
pub use error::Error;
pub use frame::Frame;
pub use polywire_protocols::esp::{Address, Head};

//! ZeroMQ's sockets in Rust, without libzmq.
//!
//! ```no_run
//! # async fn example() -> Result<(), polywire_zmq::Error> {
//! use polywire_zmq::{Rep, Req};
//!
//! let rep = Rep::new();
//! rep.bind("tcp://127.0.0.1:5555")?;
//! let req = Req::new();
//! req.connect("tcp://127.0.0.1:5555")?;
//!
//! req.send("hello").await?;
//! println!("{}", rep.recv().await?.text());
//! rep.send("world").await?;
//! println!("{}", req.recv().await?.text());
//! # Ok(())
//! # }
//! ```
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Req`], [`Rep`], [`Dealer`], [`Router`], [`Pub`], [`Sub`], [`XPub`], [`XSub`], [`Push`], [`Pull`], [`Pair`] | the sockets |
//! | [`Socket`] | a socket whose kind is chosen at run time |
//! | [`Message`] | one or more frames |
//! | [`Options`], [`Context`] | what libzmq calls socket options; the scope of `inproc://` names |
//! | [`Monitor`] | events of connections |
//! | [`proxy`] | forwards messages between two sockets |
//! | [`Port`] | sockets on the port of a server, given to `Server::service` |
//!
//! Waiting for several sockets is `tokio::select!` over their `recv`. Sockets may be used from several tasks
//! and threads at once. Their connections run on the runtime, or the shard, on which the socket was created.
//!
//! Not here: the wire format (`polywire_protocols::zmtp`), and which peer gets a message (`polywire_hub`).

#![forbid(unsafe_code)]

mod connection;
mod context;
mod core;
mod endpoint;
mod error;
mod kinds;
mod message;
mod monitor;
mod options;
mod port;
mod proxy;
mod server;
mod socket;

pub use context::Context;
pub use error::Error;
pub use kinds::{Dealer, Pair, Pub, Pull, Push, Rep, Req, Router, Sub, XPub, XSub};
pub use message::Message;
pub use monitor::{Event, Monitor};
#[cfg(feature = "curve")]
pub use options::curve_keypair;
pub use options::{Authenticate, Options, WhenFull};
pub use polywire_protocols::zmtp::Kind;
#[cfg(feature = "curve")]
pub use polywire_protocols::zmtp::{NotAKey, PublicKey, SecretKey};
pub use port::Port;
pub use proxy::proxy;
pub use socket::{Request, Socket};

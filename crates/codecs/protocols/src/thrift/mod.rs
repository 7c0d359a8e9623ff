//! Thrift: calls of the services of `.thrift` files, server and client; binary (strict and old) and compact,
//! with frames, with TTHeaders and without.
//!
//! ```text
//!  frame           0          4                                 without a frame: the message alone
//!                  +----------+--- - -
//!                  | length   | message                         all numbers big-endian
//!                  +----------+--- - -
//!
//!  binary, strict  0       2    3      4         8        8+n      12+n
//!                  +-------+----+------+---------+--------+--------+--- - -
//!                  | 80 01 | 00 | type | n       | name   | seqid  | struct
//!                  +-------+----+------+---------+--------+--------+--- - -
//!  binary, old     0         4        4+n    5+n      9+n
//!                  +---------+--------+------+--------+--- - -
//!                  | n       | name   | type | seqid  | struct
//!                  +---------+--------+------+--------+--- - -
//!  compact         0    1             2        ...       ...
//!                  +----+-------------+--------+---------+--------+--- - -
//!                  | 82 | type·32 + 1 | seqid  | n       | name   | struct     seqid, n: 7 bits a byte
//!                  +----+-------------+--------+---------+--------+--- - -
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `form.rs` | the forms of messages, and their names |
//! | `frame.rs` | where a message begins and ends |
//! | `ttheader.rs` | the header of Kitex and volo before a message |
//! | `fields.rs` | what such headers say, as fields of calls and replies |
//! | `message.rs` | heads of messages |
//! | `relays.rs` | how many relays a call has passed, in forms without a place for it |
//! | `sniff.rs` | the form of the first bytes of a connection |
//! | `name.rs` | names of methods, and the numbers that stand for them |
//! | `exception.rs` | TApplicationException, from and to a status |
//! | `biz_status.rs` | an application's failures in Kitex and volo |
//! | `order.rs` | replies in the order of the calls |
//! | `settings.rs` | settings of a server |
//! | `server.rs` | messages to calls, outcomes to messages |
//! | `client.rs` | calls to messages, replies matched by seqid |
//!
//! # Calls
//! A method is identified by the [`method_id`] of its name as it is sent, `add` or `Calculator:add`. At the
//! server an `Open` carries that as [`Target::Bound`](polywire_wire::Target::Bound), and its body is the
//! struct of the arguments (`Content::THRIFT`, `Content::THRIFT_COMPACT`); the outcome's body is the struct
//! of the result, in which declared exceptions are fields. Any other failure is answered by
//! TApplicationException. A client's call names its method by `method`, with `service:` before it if
//! `service` is not empty; with [`ONEWAY`] as `index` it has no reply.
//!
//! The client's parameter is the form of messages, in parts with `+` between: `framed` (default) or
//! `unframed`, `binary` (default), `old` or `compact`: `thrift:unframed+compact`. `ttheader` puts a TTHeader
//! before the message; only this form has fields for metadata, a deadline, a trace and the service, which is
//! then not in the name.
//!
//! Source: docs/wire/thrift.md, docs/wire/ttheader.md
//!
//! A server keeps to the form of the first message of a connection, except that each binary message may be
//! strict or old and is answered alike. Replies are in the order of the calls, unless [`Settings::any_order`]
//! is set.
//!
//! Limits: names have at most [`MAX_NAME`] bytes; `Limits::max_message` holds for a frame, or a message
//!         without one; `Limits::calls` calls may be under way; values are nested 64 deep at most.
//! Errors: see `exception.rs`. A message that cannot be parsed closes the connection.
//!
//! This implementation differs from brpc's in these points: a request of type ONEWAY is not answered; a
//! server without any service of Thrift does not recognise the protocol; where the server requires a
//! credential, its authenticator is called with an empty one, since the protocol has no field for it, except
//! the token of a TTHeader, which is a field of the call.

mod biz_status;
mod client;
mod exception;
mod fields;
mod form;
mod frame;
mod message;
mod name;
mod order;
mod relays;
mod server;
mod settings;
mod sniff;
#[cfg(test)]
mod tests;
mod ttheader;

pub use biz_status::BizStatus;
pub use exception::{ApplicationException, ExceptionType};
pub use form::Form;
pub use name::method_id;
pub use settings::{Named, Settings};

use polywire_wire::{Carrier, Protocol, Setup, Stopping};

/// The entry in a protocol set, for all forms.
pub static PROTOCOL: Protocol = Protocol {
    name: "thrift",
    sniff: sniff::sniff,
    needs_service: true,
    names_methods: true,
    counts_relays: true,
    content: |parameter| Some(Form::named(parameter)?.encoding.content()),
    machine: Some(|setup| match setup {
        Setup::Server(setup) => Box::new(server::Server::new(setup)),
        Setup::Client(setup) => Box::new(client::Client::new(setup)),
    }),
    stopping: Stopping::Serves,
    any_service: false,
    trace: Carrier::W3C, // in a TTHeader; the other forms leave it out, as all metadata
    fields: fields::of_call,
    ..Protocol::DEFAULT
};

/// Longest name of a method, in bytes, with the service before it. brpc's limit.
pub const MAX_NAME: usize = 256;

/// The `index` of a call that has no reply.
pub const ONEWAY: u32 = message::ONEWAY as u32;

/// Number of the method that gets the requests for which the server has no other method.
pub const ANY_METHOD: u64 = u64::MAX;

/// The field of a request that has the name of its method, if the server has [`Named`]: `add`, or
/// `Calculator:add` if the service is named. No field of a peer is taken for it.
pub const METHOD_FIELD: &str = "method";

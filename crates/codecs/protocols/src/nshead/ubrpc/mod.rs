//! ubrpc: a call as an mcpack object over nshead, with names, results and errors.
//!
//! ```text
//!  request   { header: { connection }, content: [ { service_name, id, method, params: { req: { .. } } } ] }
//!  reply     { content: [ { id, result, result_params: { res: { .. } } } ] }
//!  failure   { content: [ { id, error: { code, message } } ] }
//! ```
//!
//! Two protocols, [`MCPACK2`] and [`COMPACK`], which differ in how messages are written; both read either.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `envelope.rs` | the objects above, read and written around a message |
//! | `dialect.rs` | what they mean |
//!
//! | metadata name | place |
//! | --- | --- |
//! | [`REQUEST_NAME`] | of a call: the name of its message in `params`; empty: the message is `params` itself |
//! | [`RESPONSE_NAME`] | of a call and of a reply: the same for `result_params` |
//! | [`RESULT`] | of a reply: `result`, the return value of the IDL's method, decimal |
//!
//! A server's request has its name unless that is the usual one. So has the reply to a call for [`ANY`] name.
//!
//! Source:     docs/wire/ubrpc.md, docs/wire/mcpack.md, docs/wire/nshead.md
//! Limits:     those of [`nshead`](super). Before admission an envelope is bounded by `Limits::max_message`,
//!             because its names may be anywhere in it.
//! Errors:     docs/wire/ubrpc.md, "Server rules" and "Client rules": every error is an envelope, and the
//!             connection stays open.
//! Deviations: whether `params` has exactly one member is found by counting its members, not by its announced
//!             count. A client's head has the provider `polywire-relay-N` if its call has passed N relays. The
//!             reply to a request for an unknown method has the id of that request.
//! Not here:   the message itself, which is delivered to handlers as the body of an object:
//!             [`Content::MCPACK`].

mod dialect;
mod envelope;

#[cfg(test)]
mod tests;

use crate::nshead::{self, Shape, is, protocol};
use dialect::Ubrpc;
use polywire_wire::{Content, Protocol};

/// `ubrpc_mcpack2`: messages in mcpack v2.
pub static MCPACK2: Protocol = Protocol {
    sniff: |bytes| is(Shape::Ubrpc, bytes),
    content: |parameter| parameter.is_empty().then_some(Content::MCPACK),
    ..protocol::<Ubrpc<false>>()
};

/// `ubrpc_compack`: messages in compack. Its requests have the same form as those of [`MCPACK2`], so a server
/// takes them for that protocol unless it serves this one alone.
pub static COMPACK: Protocol = Protocol {
    sniff: |bytes| is(Shape::Ubrpc, bytes),
    shadowed_by: &[nshead::PROTOCOL.name, MCPACK2.name],
    content: |parameter| parameter.is_empty().then_some(Content::COMPACK),
    ..protocol::<Ubrpc<true>>()
};

/// See the module. Default: `req`.
pub const REQUEST_NAME: &str = nshead::REQUEST_NAME;
/// See the module. Default: `res`.
pub const RESPONSE_NAME: &str = "x-bd-idl-response";
/// A value of [`RESPONSE_NAME`] of a call whose caller does not know the name: the message is the only member
/// of `result_params` if that is an object, else `result_params` itself.
pub const ANY: &str = "*";
/// Field of a reply: the return value of the IDL's method, see the module.
pub const RESULT: &str = "x-bd-idl-result";

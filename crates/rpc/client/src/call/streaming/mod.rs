//! Typed streaming calls: options first, then awaited to a handle.
//!
//! ```text
//!  StreamingCall<Streaming<O>>   one message out, a stream back:  awaits the head of the answer
//!  StreamingCall<Upload<I, O>>   a stream out, one message back:  send, send, finish
//!  StreamingCall<Duplex<I, O>>   a stream each way:               send and next in any order, or split
//!  StreamingCall<Stream>         bytes each way, as they come:    for proxies and tools
//! ```
//!
//! On plain threads `blocking()` takes the place of awaiting, and wraps each of these in a `Blocking`.
//!
//! Dropping a handle before its end cancels the call, and notifies the peer.

mod blocking;
mod call;
mod download;
mod duplex;
mod opening;
mod raw;
mod replay;
mod upload;

pub use blocking::Blocking;
pub use call::StreamingCall;
pub use duplex::Duplex;
pub use opening::Shape;
pub use raw::Stream;
pub use upload::Upload;

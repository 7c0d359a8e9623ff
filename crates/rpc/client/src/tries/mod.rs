//! Interceptors of tries: code of the channel's user that runs before and after each try of a call.
//!
//! ```text
//!  call ─► before (interceptors) ─► try ─► try ─► hedge ─► reply is read ─► after (interceptors)
//!                                    │
//!                                    └─ server is chosen ─► before ─► sent ─► ended, failed or given up ─► after
//! ```
//!
//! Interceptors ([`Interceptor`](crate::Interceptor)) see calls; these see each try at a server. A channel
//! without them, and without credentials that are renewed, only checks once per try whether there are any.
//!
//! | file | what it is |
//! | --- | --- |
//! | `mod.rs` | what a user implements |
//! | `open.rs` | the tries of a call, and one that is under way |

mod open;

pub use open::Tally;
pub(crate) use open::{OpenTry, PartOf, Tries, TryError};

use polywire_call::{Metadata, Status};
use polywire_engine::clock;
use polywire_exchange::Request;
use std::{
    any::Any,
    sync::Arc,
    time::{Duration, Instant},
};

/// Sees each try of each call of a channel, whatever its protocol and kind: when its server has been chosen
/// and before it is sent, and once it has ended.
///
/// Both run on the caller's thread and must be quick. The interceptor that was added first runs first before
/// a try, and last after it.
pub trait TryInterceptor: Send + Sync + 'static {
    /// The try is about to be sent. It may get other metadata, or be refused.
    ///
    /// # Errors
    /// The try fails with this status, and nothing is sent. It is not retried unless a retry policy names its
    /// code.
    fn before(&self, _attempt: &mut TryStart<'_>) -> Result<(), Status> {
        Ok(())
    }

    /// The try has ended: it was answered, has failed, or was given up (CANCELLED), as the slower one of two
    /// that are hedged is. Once for each that `before` let pass.
    fn after(&self, _attempt: &TryEnd<'_>) {}
}

/// The interceptors of a channel, in the order in which they run.
pub(crate) type TryInterceptors = Arc<[Arc<dyn TryInterceptor>]>;

/// The reason why a try is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TryKind {
    /// The call's first try.
    First,
    /// An earlier try has failed, or its server did not take the call.
    Retry,
    /// An earlier try takes long and is still under way.
    Hedge,
}

/// A try that is about to be sent, as a [`TryInterceptor`] sees it.
pub struct TryStart<'t> {
    open: &'t mut OpenTry,
    request: &'t mut Request,
}

impl TryStart<'_> {
    /// The full name of the service, `package.Service`.
    pub fn service(&self) -> &str {
        &self.open.service
    }
    pub fn method(&self) -> &str {
        &self.open.method
    }
    /// The name of the channel's protocol.
    pub fn protocol(&self) -> &'static str {
        self.open.spec.protocol.name
    }
    /// The address of the try's server.
    pub fn server(&self) -> &str {
        &self.open.spec.address
    }
    /// Counts the tries of the call, from 1.
    pub fn number(&self) -> u32 {
        self.open.number
    }
    pub fn kind(&self) -> TryKind {
        self.open.kind
    }
    /// The deadline of the call, if it has one.
    pub fn deadline(&self) -> Option<Instant> {
        self.request.deadline
    }
    /// The time until the deadline of the call.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.request.deadline?.saturating_duration_since(clock::now()))
    }
    /// The length of the request in bytes, its attachment included; 0 where it is a stream.
    pub fn request_len(&self) -> usize {
        self.request.body.len()
    }
    /// The fields that are sent with the request: those of the call, and those that other interceptors have
    /// added to this try.
    pub fn metadata(&self) -> &Metadata {
        &self.request.metadata
    }
    /// The fields, to change them for this try only: the next try begins with the call's fields again.
    pub fn metadata_mut(&mut self) -> &mut Metadata {
        &mut self.request.metadata
    }
    /// Leaves a value for [`TryInterceptor::after`], in place of one of the same type.
    pub fn set_extension<T: Any + Send + Sync>(&mut self, value: T) {
        self.open.extensions.insert(Arc::new(value));
    }
}

/// A try that has ended, as a [`TryInterceptor`] sees it.
pub struct TryEnd<'t> {
    open: &'t OpenTry,
    status: &'t Status,
    reply_len: usize,
}

impl TryEnd<'_> {
    /// The full name of the service, `package.Service`.
    pub fn service(&self) -> &str {
        &self.open.service
    }
    pub fn method(&self) -> &str {
        &self.open.method
    }
    /// The name of the channel's protocol.
    pub fn protocol(&self) -> &'static str {
        self.open.spec.protocol.name
    }
    /// The address of the server that it went to.
    pub fn server(&self) -> &str {
        &self.open.spec.address
    }
    /// Counts the tries of the call, from 1.
    pub fn number(&self) -> u32 {
        self.open.number
    }
    pub fn kind(&self) -> TryKind {
        self.open.kind
    }
    pub fn status(&self) -> &Status {
        self.status
    }
    /// The time since [`TryInterceptor::before`]: until the reply had arrived, or the last message of a
    /// stream was taken.
    pub fn elapsed(&self) -> Duration {
        clock::now().saturating_duration_since(self.open.begun)
    }
    /// The length of the request in bytes, its attachment included; 0 where it was a stream.
    pub fn request_len(&self) -> usize {
        self.open.request_len
    }
    /// The length of the received reply in bytes, its attachment included; 0 for a stream.
    pub fn reply_len(&self) -> usize {
        self.reply_len
    }
    /// The value of this type that was stored with [`TryStart::set_extension`].
    pub fn extension<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.open.extensions.get_ref()
    }
}

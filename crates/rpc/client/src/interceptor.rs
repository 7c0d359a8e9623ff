//! Interceptors: code of the application that runs before and after each call of a channel.
//!
//! ```text
//!  options of the call ─► before ─► attempts, until one ends the call ─► reply is read ─► after
//! ```
//!
//! Without interceptors the cost is one check per call.

use crate::{
    call_metrics::{self, Called},
    connection::spec::ConnectSpec,
};
use polywire_call::{Metadata, Origin, Status};
use polywire_engine::clock;
use polywire_exchange::{Name, Request};
use polywire_streams::OnEnd;
use polywire_wire::Extensions;
use std::{
    any::Any,
    sync::Arc,
    time::{Duration, Instant},
};

/// Sees every call of a channel, whatever its protocol and kind: before its first attempt, and once it has
/// ended.
///
/// Both run on the caller's thread and must be quick.
pub trait Interceptor: Send + Sync + 'static {
    /// Called before the call is sent. May add metadata, or refuse the call.
    ///
    /// # Errors
    /// The call fails with this status, and nothing is sent.
    fn before(&self, _call: &mut CallStart<'_>) -> Result<(), Status> {
        Ok(())
    }

    /// Called when the call has ended: its reply was read, its last message was taken, or it failed. The
    /// status is CANCELLED if the caller has dropped the call. Called once for each call that `before` let
    /// pass.
    fn after(&self, _call: &CallEnd<'_>) {}
}

/// The interceptors of a channel, in the order in which they run.
pub(crate) type Interceptors = Arc<[Arc<dyn Interceptor>]>;

/// A call that is about to be sent, as an [`Interceptor`] sees it.
pub struct CallStart<'c> {
    spec: &'c ConnectSpec,
    request: &'c mut Request,
    extensions: &'c mut Extensions,
}

impl CallStart<'_> {
    /// The full name of the service, `package.Service`.
    pub fn service(&self) -> &str {
        &self.request.service
    }
    pub fn method(&self) -> &str {
        &self.request.method
    }
    /// The name of the channel's protocol.
    pub fn protocol(&self) -> &'static str {
        self.spec.protocol.name
    }
    /// The address of the channel.
    pub fn address(&self) -> &str {
        &self.spec.address
    }
    /// The deadline of the call, if it has one.
    pub fn deadline(&self) -> Option<Instant> {
        self.request.deadline
    }
    /// The length of the request in bytes, its attachment included; 0 where it is a stream.
    pub fn request_len(&self) -> usize {
        self.request.body.len()
    }
    /// The fields that travel with the request.
    pub fn metadata(&self) -> &Metadata {
        &self.request.metadata
    }
    /// The request's metadata, to add entries.
    pub fn metadata_mut(&mut self) -> &mut Metadata {
        &mut self.request.metadata
    }
    /// Stores a value for [`Interceptor::after`]; it replaces one of the same type.
    pub fn set_extension<T: Any + Send + Sync>(&mut self, value: T) {
        self.extensions.insert(Arc::new(value));
    }
}

/// A call that has ended, as an [`Interceptor`] sees it.
pub struct CallEnd<'c> {
    call: &'c Watch,
    status: &'c Status,
    reply_len: usize,
}

impl CallEnd<'_> {
    /// The full name of the service, `package.Service`.
    pub fn service(&self) -> &str {
        &self.call.service
    }
    pub fn method(&self) -> &str {
        &self.call.method
    }
    /// The name of the channel's protocol.
    pub fn protocol(&self) -> &'static str {
        self.call.spec.protocol.name
    }
    /// The address of the channel.
    pub fn address(&self) -> &str {
        &self.call.spec.address
    }
    pub fn status(&self) -> &Status {
        self.status
    }
    /// The length of the received reply in bytes, its attachment included; 0 for a stream.
    pub fn reply_len(&self) -> usize {
        self.reply_len
    }
    /// The time since [`Interceptor::before`], further attempts and their pauses included.
    pub fn elapsed(&self) -> Duration {
        clock::now().saturating_duration_since(self.call.begun)
    }
    /// The value of this type that was stored with [`CallStart::set_extension`].
    pub fn extension<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.call.extensions.get_ref()
    }
}

/// A call whose end has to be reported to the interceptors of its channel. Dropping it reports that the call
/// was cancelled.
pub struct Watch {
    interceptors: Interceptors,
    spec: Arc<ConnectSpec>,
    service: Name,
    method: Name,
    begun: Instant,
    extensions: Extensions,
    /// The number of interceptors, from the first, that have let it pass and have not been notified of its
    /// end.
    open: usize,
    /// Where the end of the call is recorded, if metrics are read.
    counted: Option<Arc<Called>>,
}

impl Watch {
    /// Runs the interceptors of the channel, in their order. `None`: there are none, and the call durations
    /// are not read.
    ///
    /// # Errors
    /// One has refused the call.
    #[inline]
    pub(crate) fn begin(
        interceptors: &Interceptors,
        spec: &Arc<ConnectSpec>,
        request: &mut Request,
    ) -> Result<Option<Box<Watch>>, Status> {
        if interceptors.is_empty() && !call_metrics::are_read() {
            return Ok(None);
        }
        Watch::ask(interceptors.clone(), spec.clone(), request).map(Some)
    }

    #[cold]
    fn ask(
        interceptors: Interceptors,
        spec: Arc<ConnectSpec>,
        request: &mut Request,
    ) -> Result<Box<Watch>, Status> {
        let counted = call_metrics::are_read().then(|| {
            call_metrics::called(&spec.address, spec.protocol.system(), &request.service, &request.method)
        });
        let mut watch = Box::new(Watch {
            interceptors,
            spec,
            service: request.service.clone(),
            method: request.method.clone(),
            begun: clock::now(),
            extensions: Extensions::default(),
            open: 0,
            counted,
        });
        while let Some(interceptor) = watch.interceptors.get(watch.open) {
            let (spec, extensions) = (&watch.spec, &mut watch.extensions);
            if let Err(refused) = interceptor.before(&mut CallStart { spec, request, extensions }) {
                watch.end(&refused, 0);
                return Err(refused);
            }
            watch.open += 1;
        }
        Ok(watch)
    }

    /// The call has ended, with a reply of this many bytes. Later ends are not reported.
    pub(crate) fn end(&mut self, status: &Status, reply_len: usize) {
        while self.open > 0 {
            self.open -= 1;
            let ended = CallEnd { call: self, status, reply_len };
            self.interceptors[self.open].after(&ended);
        }
        if let Some(counted) = self.counted.take() {
            counted.ended(status, clock::now().saturating_duration_since(self.begun));
        }
    }

    /// The same at the end of a stream.
    pub(crate) fn on_end(mut self: Box<Self>) -> OnEnd {
        Box::new(move |ending| {
            if let Some(ending) = ending {
                self.end(ending.call, 0);
            }
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.open > 0 || self.counted.is_some() {
            self.end(&Status::cancelled("the caller cancelled the call").with_origin(Origin::Local), 0);
        }
    }
}

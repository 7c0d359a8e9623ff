//! The tries of a call, and a try that is under way.

use super::{TryEnd, TryInterceptors, TryKind, TryStart};
use crate::{
    call_metrics::{self, Called, Progress},
    connection::credentials::Missing,
    connection::{backoff::Patience, home::HomeId, spec::ConnectSpec},
};
use polywire_base::lock;
use polywire_call::{Code, Metadata, Origin, Status};
use polywire_engine::clock;
use polywire_exchange::{Name, Request};
use polywire_trace::{Phase, Side, Span, Start, Within};
use polywire_wire::Extensions;
use std::{
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Instant,
};

/// The state that the tries of one call share, where the channel records or intercepts tries.
pub(crate) struct Tries {
    interceptors: TryInterceptors,
    begun: AtomicU32,
    /// The metadata of the call, kept because each try changes its own copy; set by the first try.
    metadata: Mutex<Option<Metadata>>,
    /// The address that the channel was built with.
    target: Arc<str>,
    /// Where the tries are counted, if metrics are read; the first try sets it.
    counted: OnceLock<Arc<Called>>,
    progress: Mutex<Progress>,
    /// The traced call that this one belongs to, if it is traced.
    pub within: Option<Within>,
    tally: Option<Arc<Tally>>,
}

/// What a call is a part of.
#[derive(Default)]
pub(crate) struct PartOf {
    /// The traced call.
    pub within: Option<Within>,
    /// Where its tries are noted.
    pub tally: Option<Arc<Tally>>,
}

/// How many tries one call took, and where the last one went: for whoever has made it, see
/// [`Call::tally`](crate::Call::tally).
#[derive(Default)]
pub struct Tally {
    tries: AtomicU32,
    server: Mutex<Option<Arc<str>>>,
}

impl Tally {
    /// Tries that have begun, and the address of the last one's server.
    pub fn read(&self) -> (u32, Option<Arc<str>>) {
        (self.tries.load(Relaxed), lock(&self.server).clone())
    }

    fn add(&self, server: &Arc<str>) {
        self.tries.fetch_add(1, Relaxed);
        *lock(&self.server) = Some(server.clone());
    }
}

/// The reason why a try has not begun.
pub(crate) struct TryError {
    pub status: Status,
    /// The call is to wait for a token.
    pub waits: bool,
}

/// A try that is under way and whose end is recorded. Dropping it records that the try was cancelled.
pub(crate) struct OpenTry {
    tries: Arc<Tries>,
    pub(super) spec: Arc<ConnectSpec>,
    pub(super) service: Name,
    pub(super) method: Name,
    pub(super) number: u32,
    pub(super) kind: TryKind,
    pub(super) begun: Instant,
    pub(super) request_len: usize,
    pub(super) extensions: Extensions,
    /// The number of the token that was sent, and where another one is fetched.
    token: Option<(u64, fn() -> HomeId)>,
    /// The number of interceptors, counted from the first, that have accepted the try and have not been
    /// notified of its end.
    open: usize,
    /// The span of the try.
    span: Option<Span>,
    /// Where the end is counted, and whether the call is unary.
    counted: Option<(Arc<Called>, bool)>,
}

impl Tries {
    pub fn new(
        interceptors: TryInterceptors,
        target: Arc<str>,
        within: Option<Within>,
        tally: Option<Arc<Tally>>,
    ) -> Arc<Self> {
        Arc::new(Tries {
            interceptors,
            begun: AtomicU32::new(0),
            metadata: Mutex::default(),
            target,
            counted: OnceLock::new(),
            progress: Mutex::default(),
            within,
            tally,
        })
    }

    /// Changes the metadata of the call, with which further tries begin. `current`: the metadata as the last
    /// try has left it.
    pub fn change_metadata(&self, current: &mut Metadata, change: impl FnOnce(&mut Metadata)) {
        match &mut *lock(&self.metadata) {
            Some(own) => change(own),
            None => change(current),
        }
    }

    /// A try at the server of `spec` begins. `home`: where tokens are fetched.
    ///
    /// # Errors
    /// The try is refused, or there is no token.
    #[cold]
    pub fn begin(
        self: &Arc<Self>,
        request: &mut Request,
        spec: &Arc<ConnectSpec>,
        is_hedge: bool,
        patience: Patience,
        home: fn() -> HomeId,
    ) -> Result<Box<OpenTry>, TryError> {
        // First, so that a call that waits for a token is no try.
        let token = match &spec.credentials {
            None => None,
            Some(credentials) => Some(credentials.renewal().token(patience, home).map_err(missing)?),
        };
        {
            let mut own = lock(&self.metadata);
            match &*own {
                Some(own) => request.metadata.clone_from(own),
                None => *own = Some(request.metadata.clone()),
            }
        }
        let number = self.begun.fetch_add(1, Relaxed).saturating_add(1);
        let mut open = Box::new(OpenTry {
            tries: self.clone(),
            spec: spec.clone(),
            service: request.service.clone(),
            method: request.method.clone(),
            number,
            kind: match (is_hedge, number) {
                (true, _) => TryKind::Hedge,
                (false, 1) => TryKind::First,
                (false, _) => TryKind::Retry,
            },
            begun: clock::now(),
            request_len: request.body.len(),
            extensions: Extensions::default(),
            token: None,
            open: 0,
            span: None,
            counted: None,
        });
        if let Some(tally) = &self.tally {
            tally.add(&spec.address);
        }
        if call_metrics::tries_are_read(spec.protocol) {
            open.count(request);
        }
        if let Some(within) = &self.within {
            open.trace(within, request);
        }
        while let Some(interceptor) = self.interceptors.get(open.open) {
            let mut start = TryStart { open: &mut open, request };
            if let Err(refused) = interceptor.before(&mut start) {
                open.end(&refused, 0);
                return Err(TryError { status: refused, waits: false });
            }
            open.open += 1;
        }
        if let Some(token) = token {
            spec.show(&token, &mut request.metadata);
            open.token = Some((token.number, home));
        }
        Ok(open)
    }
}

#[cold]
fn missing(why: Missing) -> TryError {
    let (text, waits) = match why {
        Missing::Waits => ("the credential is fetched".to_owned(), true),
        Missing::Failed(text) => (text, false),
    };
    TryError { status: Status::unavailable(text).with_origin(Origin::Local).unprocessed(), waits }
}

impl OpenTry {
    /// Records the try, if it is sampled, and adds the trace context to its request, if its protocol can
    /// carry one.
    #[cold]
    fn trace(&mut self, within: &Within, request: &mut Request) {
        let protocol = self.spec.protocol;
        let attempt = within.begin_try(|| Start {
            side: Side::Client,
            service: (&*self.service).into(),
            method: (&*self.method).into(),
            protocol: protocol.name,
            system: protocol.system(),
            target: self.tries.target.to_string(),
            peer: self.spec.address.to_string(),
            at: self.begun,
            request_bytes: self.request_len as u64,
            log_id: request.metadata.get_str("log-id").and_then(|id| id.parse().ok()).unwrap_or(0),
            number: self.number,
            try_kind: match self.kind {
                TryKind::First => "",
                TryKind::Retry => "retry",
                TryKind::Hedge => "hedge",
            },
        });
        protocol.trace.visit(&attempt.context, attempt.parent, &mut |name, value| {
            request.metadata.insert(name, value);
        });
        self.span = attempt.span;
    }

    /// Counts the try for gRPC's metrics.
    #[cold]
    fn count(&mut self, request: &Request) {
        let system = self.spec.protocol.system();
        let called = || call_metrics::called(&self.tries.target, system, &self.service, &self.method);
        let counted = self.tries.counted.get_or_init(called).clone();
        counted.try_began();
        let (is_first, is_hedge) = (self.kind == TryKind::First, self.kind == TryKind::Hedge);
        lock(&self.tries.progress).began(is_first, is_hedge, self.begun);
        self.counted = Some((counted, request.finished && !request.streamed));
    }

    /// A connection has the request.
    pub fn sent(&self) {
        if let Some(span) = &self.span {
            span.phase(Phase::Requested, clock::now());
        }
    }

    /// Records the end of the try, with the length of its reply. Later ends are ignored.
    pub fn end(&mut self, status: &Status, reply_len: usize) {
        while self.open > 0 {
            self.open -= 1;
            self.tries.interceptors[self.open].after(&TryEnd { open: self, status, reply_len });
        }
        if let Some((counted, is_unary)) = self.counted.take() {
            let now = clock::now();
            let bytes = is_unary.then_some((self.request_len, reply_len));
            counted.try_ended(status, now.saturating_duration_since(self.begun), bytes);
            lock(&self.tries.progress).ended(status, now);
        }
        if let Some(span) = self.span.take() {
            span.end(clock::now(), status.into(), reply_len as u64);
        }
        let is_refused = status.code() == Code::Unauthenticated && status.origin() == Origin::Remote;
        if let (Some((number, home)), true, Some(credentials)) =
            (self.token.take(), is_refused, &self.spec.credentials)
        {
            credentials.renewal().refused(number, home);
        }
    }
}

/// The call has ended, and all of its tries have.
impl Drop for Tries {
    fn drop(&mut self) {
        if let Some(counted) = self.counted.get() {
            counted.tried(&lock(&self.progress));
        }
    }
}

impl Drop for OpenTry {
    fn drop(&mut self) {
        if self.open > 0 || self.span.is_some() || self.counted.is_some() {
            self.end(&Status::cancelled("the try was given up").with_origin(Origin::Local), 0);
        }
    }
}

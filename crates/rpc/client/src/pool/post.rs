//! The forms of a request that a pool takes, and what its caller has of it then.

use crate::{
    connection::{backoff::Patience, error, handle::Handle, home::HomeId},
    pool::{
        Pool,
        exclusive::Exclusive,
        homes::For,
        posted::{Attempted, POST_TRIES, Undelivered},
        thread_cache,
    },
};
use polywire_exchange::{Caller, Draft, Request, Sink, Source};
use polywire_wire::Connections;
use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

/// A request in a form that a pool takes.
pub(crate) trait Post: DerefMut<Target = Request> + Sized {
    /// What its caller has of it once a connection has taken it.
    type Posted;
    /// The home whose connections it uses, and where its tokens are fetched.
    const HOME: fn() -> HomeId = HomeId::current;

    /// Gives the request to a connection of the pool; also returns the connection if that serves this call
    /// alone.
    ///
    /// # Errors
    /// There is no connection that takes it.
    fn post_to(
        self,
        pool: &Arc<Pool>,
        patience: Patience,
    ) -> Result<(Self::Posted, Option<Exclusive>), Undelivered<Self>>;
}

/// A call with one request and one reply. Hot: once per call.
impl Post for Draft {
    type Posted = Caller;

    #[inline]
    fn post_to(
        self,
        pool: &Arc<Pool>,
        patience: Patience,
    ) -> Result<(Caller, Option<Exclusive>), Undelivered<Self>> {
        pool.post_from(HomeId::current(), self, patience)
    }
}

/// A call with streams: its source and its sink.
impl Post for &mut Request {
    type Posted = (Source, Sink);

    fn post_to(
        self,
        pool: &Arc<Pool>,
        patience: Patience,
    ) -> Result<((Source, Sink), Option<Exclusive>), Undelivered<Self>> {
        pool.on_a_connection(HomeId::current(), self, patience, For::Stream, |handle, request| {
            handle.post_stream(request.clone(), &pool.spec().config.limits).ok_or(request)
        })
    }
}

/// A call whose draft is posted in another form.
pub(crate) struct DraftAs<F> {
    pub draft: Draft,
    pub form: F,
}

impl<F> Deref for DraftAs<F> {
    type Target = Request;
    fn deref(&self) -> &Request {
        &self.draft
    }
}

impl<F> DerefMut for DraftAs<F> {
    fn deref_mut(&mut self) -> &mut Request {
        &mut self.draft
    }
}

/// A call that offers streams: our ends of them. The offers are made again when it is posted again.
pub(crate) struct Offering {
    /// The number of streams.
    pub streams: usize,
}

impl Post for DraftAs<Offering> {
    type Posted = (Caller, Vec<(Source, Sink)>);

    fn post_to(
        self,
        pool: &Arc<Pool>,
        patience: Patience,
    ) -> Result<(Self::Posted, Option<Exclusive>), Undelivered<Self>> {
        pool.on_a_connection(HomeId::current(), self, patience, For::Call, |handle, mut offering| {
            let offer = |_| handle.offer(&pool.spec().config.limits);
            let (offers, ends): (Vec<_>, _) = (0..offering.form.streams).map(offer).unzip();
            offering.draft.offers = offers.into();
            match handle.post(offering.draft) {
                Ok(caller) => Ok((caller, ends)),
                Err(draft) => Err(DraftAs { draft, ..offering }),
            }
        })
    }
}

/// A call for whose end the calling thread waits: that attempt, which is over.
pub(crate) struct Blocking;

impl Post for DraftAs<Blocking> {
    type Posted = Attempted;
    const HOME: fn() -> HomeId = HomeId::of_waiting;

    fn post_to(
        self,
        pool: &Arc<Pool>,
        patience: Patience,
    ) -> Result<(Attempted, Option<Exclusive>), Undelivered<Self>> {
        let back = |Undelivered { request: draft, why }| {
            let request = DraftAs { draft, form: Blocking };
            Undelivered { request, why }
        };
        if pool.spec().is_bare() {
            let attempted = pool.blocking.call(pool.spec(), self.draft, patience).map_err(back)?;
            return Ok((attempted, None));
        }
        // The connection must live on a shard or runtime: this thread sleeps until the call has ended.
        let (caller, exclusive) = pool.post_from(HomeId::of_waiting(), self.draft, patience).map_err(back)?;
        Ok((Attempted::wait(caller), exclusive))
    }
}

impl Pool {
    #[inline]
    fn post_from(
        self: &Arc<Self>,
        home: HomeId,
        draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Exclusive>), Undelivered<Draft>> {
        if self.kind != Connections::Single {
            return self.find_and_post(home, draft, patience);
        }
        match thread_cache::post(self.id, home, draft) {
            Ok(caller) => Ok((caller, None)),
            Err(draft) => self.find_and_post(home, draft, patience),
        }
    }

    /// This thread has no open connection cached, or calls do not share connections.
    #[cold]
    fn find_and_post(
        self: &Arc<Self>,
        home: HomeId,
        draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Exclusive>), Undelivered<Draft>> {
        self.on_a_connection(home, draft, patience, For::Call, Handle::post)
    }

    /// Offers a request to connections until one takes it, to no more than [`POST_TRIES`]: one that returns
    /// it has ended meanwhile.
    ///
    /// # Errors
    /// There is no connection that takes it.
    fn on_a_connection<P, T>(
        self: &Arc<Self>,
        home: HomeId,
        mut request: P,
        patience: Patience,
        what: For,
        mut post: impl FnMut(&Handle, P) -> Result<T, P>,
    ) -> Result<(T, Option<Exclusive>), Undelivered<P>> {
        for _ in 0..POST_TRIES {
            let (handle, exclusive) = match self.find(home, patience, what) {
                Ok(found) => found,
                Err(why) => return Err(Undelivered { request, why }),
            };
            match post(&handle, request) {
                Ok(posted) => return Ok((posted, exclusive)),
                Err(back) => request = back,
            }
        }
        Err(Undelivered { request, why: error::ended() })
    }
}

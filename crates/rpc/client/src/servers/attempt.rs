//! A single attempt of a call at one server.

use crate::{
    connection::{backoff::Patience, home::HomeId},
    pool::Pool,
    servers::{in_flight::InFlightGuard, post_error::PostError, route::Route},
    tries::OpenTry,
};
use polywire_call::Status;
use polywire_exchange::Request;
use std::{ops::DerefMut, sync::Arc};

/// Why a server did not take an attempt; the request is returned.
pub(super) enum NotTaken<R> {
    /// The attempt was not offered to the server: it is refused, or waits for a token.
    Unoffered(R, PostError),
    /// No connection of the server takes it.
    Refused(R, Status),
}

/// Offers an attempt to the server of a pool, and notifies interceptors and metrics of it. `home`: where
/// tokens are fetched.
///
/// # Errors
/// The server did not take the attempt.
#[inline]
pub(super) fn offer<R: DerefMut<Target = Request>, T>(
    pool: &Arc<Pool>,
    mut request: R,
    patience: Patience,
    route: &Route,
    home: fn() -> HomeId,
    offer: impl FnOnce(&Arc<Pool>, R) -> Result<T, (R, Status)>,
) -> Result<(T, Option<Box<OpenTry>>), NotTaken<R>> {
    let open = match route.begin_try(&mut request, pool.spec(), patience, home) {
        Ok(open) => open,
        Err(why) => return Err(NotTaken::Unoffered(request, why)),
    };
    match offer(pool, request) {
        Ok(taken) => {
            if let Some(open) = &open {
                open.sent();
            }
            Ok((taken, open))
        }
        Err((request, status)) => {
            if open.is_some() {
                end(open, &status);
            }
            Err(NotTaken::Refused(request, status))
        }
    }
}

#[cold]
fn end(open: Option<Box<OpenTry>>, status: &Status) {
    InFlightGuard::new(None, None, open).end(status);
}

impl<R> NotTaken<R> {
    /// The result for channels without another server.
    #[cold]
    pub fn unposted(self) -> (R, PostError) {
        match self {
            NotTaken::Unoffered(request, why) => (request, why),
            NotTaken::Refused(request, status) => (request, PostError::failed(status)),
        }
    }
}

//! A single attempt of a call at one server.
//!
//! | where | what it is |
//! | --- | --- |
//! | `search.rs`, `decision.rs` | what the call looks for its servers by; the cluster that its route has given it |
//! | `server_guard.rs`, `in_flight.rs` | what an attempt holds of its server, and of its call |
//! | `end.rs` | what the end of an attempt says of the server |
//! | `post_error.rs` | attempts that no server has taken |
//! | `trace.rs` | the record of some calls |

pub(super) mod decision;
pub(super) mod end;
pub(super) mod in_flight;
pub(super) mod post_error;
pub(super) mod search;
pub(super) mod server_guard;
pub(super) mod trace;

use crate::{
    connection::backoff::Patience,
    pool::{self, Pool, Post},
    servers::attempt::{
        in_flight::InFlightGuard,
        post_error::{PostError, Undelivered},
        search::Search,
    },
    tries::OpenTry,
};
use polywire_call::Status;
use std::sync::Arc;

/// Why a server did not take an attempt.
pub(in crate::servers) enum AttemptError {
    /// The attempt was not offered to the server: it is refused, or waits for a token.
    Unoffered(PostError),
    /// No connection of the server takes it.
    Refused(Status),
}

/// Offers an attempt to the server of a pool, and notifies interceptors and metrics of it. `connects`:
/// whether the attempt waits out the pause after a failure to connect. What the attempt holds is passed to
/// `then`: returned it would be copied on its way.
///
/// # Errors
/// The server did not take the attempt.
#[inline]
pub(in crate::servers) fn offer<P: Post, T>(
    pool: &Arc<Pool>,
    mut request: P,
    patience: Patience,
    connects: Patience,
    search: &Search,
    then: impl FnOnce(P::Posted, InFlightGuard) -> T,
) -> Result<T, pool::Undelivered<P, AttemptError>> {
    let open = match search.begin_try(&mut request, pool.spec(), patience, P::HOME) {
        Ok(open) => open,
        Err(why) => return Err(pool::Undelivered { request, why: AttemptError::Unoffered(why) }),
    };
    match request.post_to(pool, connects) {
        Ok((posted, exclusive)) => {
            if let Some(open) = &open {
                open.sent();
            }
            Ok(then(posted, InFlightGuard::new(exclusive, open)))
        }
        Err(pool::Undelivered { request, why: status }) => {
            if open.is_some() {
                end(open, &status);
            }
            Err(pool::Undelivered { request, why: AttemptError::Refused(status) })
        }
    }
}

#[cold]
fn end(open: Option<Box<OpenTry>>, status: &Status) {
    InFlightGuard::new(None, open).end(status);
}

/// The result for channels without another server.
#[cold]
pub(in crate::servers) fn undelivered<P>(refused: pool::Undelivered<P, AttemptError>) -> Undelivered<P> {
    let why = match refused.why {
        AttemptError::Unoffered(why) => why,
        AttemptError::Refused(status) => PostError::failed(status),
    };
    Undelivered { request: refused.request, why }
}

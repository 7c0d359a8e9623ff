//! Streams that a call over baidu_std offers: they begin with its reply and go on after it.

use crate::{first::first, limit::UnderWay};
use polywire_call::Status;
use polywire_client::{sleep, spawn};
use polywire_streams::{RawReceiver, RawSender, RawStream};
use std::{future::Future, pin::pin, sync::Arc, time::Duration};

/// Messages that are taken at once.
const BATCH: usize = 64;
/// The longest time in which a side takes nothing of what is left for it when the other one has ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// Passes on what either side of each stream sends, until one of them ends it. Until then the call is under
/// way.
#[cold]
pub fn join(callers: Vec<RawStream>, servers: Vec<RawStream>, under_way: UnderWay) {
    let under_way = under_way.is_counted().then(|| Arc::new(under_way));
    for (caller, server) in callers.into_iter().zip(servers) {
        let under_way = under_way.clone();
        spawn(async move {
            between(caller, server).await;
            drop(under_way);
        });
    }
}

/// The side that ends first decides how the other one ends: in order, behind what was sent; or, if its
/// connection is lost, broken off at once.
async fn between(caller: RawStream, server: RawStream) {
    let ((mut to_caller, mut from_caller), (mut to_server, mut from_server)) =
        (caller.split(), server.split());
    let forth = pass(&mut from_caller, &mut to_server);
    let back = pass(&mut from_server, &mut to_caller);
    match first(forth, back).await {
        (Some(Err(_)), _) => to_server.reset(),
        (_, Some(Err(_))) => to_caller.reset(),
        _ => {}
    }
}

/// Passes messages on, each batch when the last one has found room, until `from` has ended and `to` was sent
/// everything.
///
/// # Errors
/// `from` has not ended in order, or `to` does not take the rest.
async fn pass(from: &mut RawReceiver, to: &mut RawSender) -> Result<(), Status> {
    while let Some(messages) = from.next_batch(BATCH).await {
        let mut sending = pin!(to.send_batch(messages?));
        let sent = match first(sending.as_mut(), from.ended()).await {
            (Some(sent), _) => sent,
            (_, Some(Err(failed))) => return Err(failed),
            _ => within(PATIENCE, sending).await?,
        };
        if sent.is_err() {
            return from.ended().await; // `to` takes no more; how it has ended is for the other direction to say
        }
    }
    let mut left = to.unsent();
    while left > 0 && within(PATIENCE, to.flushed()).await.is_err() {
        if left == std::mem::replace(&mut left, to.unsent()) {
            return Err(Status::cancelled("nothing of the rest is taken"));
        }
    }
    Ok(())
}

async fn within<T>(most: Duration, future: impl Future<Output = T>) -> Result<T, Status> {
    let (done, _) = first(future, sleep(most)).await;
    done.ok_or_else(|| Status::cancelled("the rest is not taken"))
}

//! Messages that are written anew, and where: a long one holds up no shard, and has to find room in the
//! memory budget of the caller's server.

use crate::failure::{self, Reason};
use polywire_base::{IoBuf, lock};
use polywire_call::Status;
use polywire_engine::spawn_blocking;
use polywire_formats::FormatError;
use polywire_server::{Charge, Forwarded};
use std::sync::{Arc, Mutex};

/// Bytes of a message from which on its translation is no work for a shard.
pub(crate) const LONG: usize = 64 << 10;
/// What a long message is charged for while it is translated, in lengths of it: what is written may take more
/// than is left of it in the end.
const WHILE_WRITTEN: usize = 2;

/// What `write` makes of a message, with the charge for it.
///
/// # Errors
/// Those of `write`; RESOURCE_EXHAUSTED: the budget has no room for it.
pub(crate) async fn written<T: Send + 'static>(
    mut forwarded: Forwarded,
    blame: fn(FormatError) -> Status,
    message: IoBuf,
    write: impl FnOnce(IoBuf) -> Result<(IoBuf, T), Status> + Send + 'static,
) -> Result<(IoBuf, T, Option<Charge>), Status> {
    let no_room = |error| failure::unreadable(blame(error));
    if message.len() < LONG {
        let (message, rest) = write(message)?;
        let charge = forwarded.charge(message.len()).map_err(no_room)?;
        return Ok((message, rest, charge));
    }
    let mut charge = forwarded.charge(WHILE_WRITTEN * message.len()).map_err(no_room)?;
    let (message, rest) = on_a_thread(move || write(message)).await?;
    if let Some(charge) = &mut charge {
        charge.change(message.len()).map_err(no_room)?;
    }
    Ok((message, rest, charge))
}

/// Works where nothing waits for it. A caller that gives up takes its message along, even if no thread has
/// come to it yet.
pub(crate) async fn on_a_thread<T: Send + 'static>(
    translate: impl FnOnce() -> Result<T, Status> + Send + 'static,
) -> Result<T, Status> {
    let work = Work(Arc::new(Mutex::new(Some(translate))));
    let (ours, theirs) = (Arc::new(Mutex::new(None)), work.0.clone());
    let result = ours.clone();
    let thread = spawn_blocking(move || {
        let translate = lock(&theirs).take();
        *lock(&result) = translate.map(|translate| translate());
    });
    let _ = thread.await; // without an end, no result
    let translated = lock(&ours).take();
    translated.unwrap_or_else(|| Err(failure::own(Reason::Translate, Status::internal("not translated"))))
}

/// What a thread is to do, unless this is dropped before.
struct Work<F>(Arc<Mutex<Option<F>>>);

impl<F> Drop for Work<F> {
    fn drop(&mut self) {
        drop(lock(&self.0).take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{future::Future, pin::pin, sync::mpsc, task::Context};

    #[test]
    fn a_message_that_waits_for_a_thread_is_given_up_with_its_call() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        let _entered = runtime.enter();
        let (go, wait) = mpsc::channel::<()>();
        spawn_blocking(move || {
            let _ = wait.recv();
        });
        let message = Arc::new(());
        let held = message.clone();
        {
            let mut call = pin!(on_a_thread(move || {
                drop(held);
                Ok(IoBuf::new())
            }));
            let mut cx = Context::from_waker(std::task::Waker::noop());
            assert!(call.as_mut().poll(&mut cx).is_pending());
            assert_eq!(Arc::strong_count(&message), 2);
        }
        assert_eq!(Arc::strong_count(&message), 1);
        drop(go);
    }
}

//! Messages that are written anew, and where: a long one holds up no shard, and none is written for which the
//! memory budget of the caller's server has no room.
//!
//! How long a message becomes is known when it is written: numbers of one byte may be names of forty. So it
//! is written within a bound that is charged before, and if that is too small again within a larger one.

use crate::failure::{self, Reason};
use polywire_base::{IoBuf, lock};
use polywire_call::{Code, Status};
use polywire_engine::spawn_blocking;
use polywire_formats::FormatError;
use polywire_server::{Charge, Forwarded, Room};
use std::sync::{Arc, Mutex};

/// Bytes of a message from which on its translation is no work for a shard.
pub(crate) const LONG: usize = 64 << 10;
/// Bytes that are written without a charge before: each shard works on one such message at a time.
const UNASKED: usize = 1 << 20;
/// How many times as much may be written at the next try.
const GROWTH: usize = 4;
/// What is charged for a byte that may be written: a buffer that grows has up to twice the room that it
/// needs.
const CHARGE: usize = 2;

/// A message that is to be written anew.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    /// Its bytes.
    pub bytes: usize,
    /// Whether the other form is the longer one, as a rule.
    pub grows: bool,
    /// Bytes that may be written at most.
    pub longest: usize,
    /// Whose failure it is if there is no room.
    pub blame: fn(FormatError) -> Status,
}

type Written<T> = Result<(IoBuf, T, Option<Charge>), Status>;

/// What `write` makes of a message, with the charge for it. `write` is told how many bytes it may write, and
/// fails with RESOURCE_EXHAUSTED if these are too few.
///
/// # Errors
/// Those of `write`; RESOURCE_EXHAUSTED: the budget has no room for it.
pub(crate) fn written<T>(
    forwarded: &mut Forwarded,
    size: Size,
    write: impl FnMut(usize) -> Result<(IoBuf, T), Status>,
) -> Written<T> {
    let written = size.write(|bytes| forwarded.room().take(bytes), write)?;
    size.charged(forwarded, written)
}

/// [`written`] where nothing waits for it, if the message is long.
///
/// # Errors
/// As there.
pub(crate) async fn written_anywhere<T: Send + 'static>(
    mut forwarded: Forwarded,
    size: Size,
    write: impl FnMut(usize) -> Result<(IoBuf, T), Status> + Send + 'static,
) -> Written<T> {
    if size.bytes < LONG {
        return written(&mut forwarded, size, write);
    }
    let room: Room = forwarded.room();
    let written = on_a_thread(move || size.write(|bytes| room.take(bytes), write)).await?;
    size.charged(&mut forwarded, written)
}

impl Size {
    fn write<T>(
        self,
        take: impl Fn(usize) -> Result<Option<Charge>, FormatError>,
        mut write: impl FnMut(usize) -> Result<(IoBuf, T), Status>,
    ) -> Written<T> {
        let first = self.bytes.saturating_mul(1 + usize::from(self.grows));
        let mut most = first.max(UNASKED).min(self.longest);
        loop {
            let is_asked = most > UNASKED || self.bytes >= LONG;
            // A long one that becomes shorter needs no more than it had.
            let needed = if most > UNASKED { most } else { most.min(first) };
            let mut charge = match is_asked {
                true => take(CHARGE.saturating_mul(needed)).map_err(|error| self.no_room(error))?,
                false => None,
            };
            match write(most) {
                Err(status) if most < self.longest && status.code() == Code::ResourceExhausted => {
                    most = most.saturating_mul(GROWTH).min(self.longest);
                }
                Err(status) => return Err(status),
                Ok((message, rest)) => {
                    if let Some(charge) = &mut charge {
                        charge.change(message.len()).map_err(|error| self.no_room(error))?;
                    }
                    return Ok((message, rest, charge));
                }
            }
        }
    }

    fn charged<T>(
        self,
        forwarded: &mut Forwarded,
        (message, rest, charge): (IoBuf, T, Option<Charge>),
    ) -> Written<T> {
        let charge = match charge {
            None => forwarded.charge(message.len()).map_err(|error| self.no_room(error))?,
            charge => charge,
        };
        Ok((message, rest, charge))
    }

    #[cold]
    fn no_room(self, error: FormatError) -> Status {
        failure::unreadable((self.blame)(error))
    }
}

/// A message that is charged until it has been sent.
pub(crate) fn kept(mut message: IoBuf, charge: Option<Charge>) -> IoBuf {
    if let Some(charge) = charge {
        charge.attach(&mut message);
    }
    message
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

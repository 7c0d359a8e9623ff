//! Commands for transactions, and for keys that are watched until one. EXEC itself is in `exec.rs`.

use super::{
    call::{Call, Done},
    keyspace::OUT_OF_MEMORY,
    session::{Queue, Session, Watch},
    trash::Charge,
};
use std::{borrow::Cow, sync::Arc};

/// Bytes of keys that a connection may watch.
pub const MAX_WATCHED: usize = 1 << 20;
/// Memory of a watched key in bytes, besides the key.
const WATCHED: usize = 64;

/// The session of the connection. EXEC runs its commands without one.
fn session<'s>(call: &'s mut Call<'_, '_, '_>) -> Result<&'s mut Session, Cow<'static, str>> {
    match &mut call.session {
        Some(session) => Ok(session),
        None => Err("ERR Command not allowed inside a transaction".into()),
    }
}

pub(super) fn multi(call: &mut Call<'_, '_, '_>) -> Done {
    let session = session(call)?;
    if session.is_queueing() {
        return Err("ERR MULTI calls can not be nested".into());
    }
    session.queue = Some(Queue::default());
    call.ok()
}

pub(super) fn discard(call: &mut Call<'_, '_, '_>) -> Done {
    let session = session(call)?;
    if session.queue.take().is_none() {
        return Err("ERR DISCARD without MULTI".into());
    }
    session.watch = None;
    call.ok()
}

pub(super) fn reset(call: &mut Call<'_, '_, '_>) -> Done {
    *session(call)? = Session::default();
    call.out.simple("RESET");
    Ok(())
}

pub(super) fn unwatch(call: &mut Call<'_, '_, '_>) -> Done {
    if let Some(session) = &mut call.session {
        session.watch = None;
    }
    call.ok()
}

pub(super) fn watch(call: &mut Call<'_, '_, '_>) -> Done {
    let now = call.now;
    let session = session(call)?;
    if session.is_queueing() {
        return Err("ERR WATCH inside MULTI is not allowed".into());
    }
    let keyspace = call.keyspace;
    let watch = call.session.as_mut().and_then(|session| session.watch.take());
    let mut watch = watch.unwrap_or_else(|| Watch {
        keys: Vec::new(),
        changed: Arc::default(),
        charge: Charge::new(&keyspace.beside, 0),
    });
    let more: usize = call.args[1..].iter().map(|key| key.len() + WATCHED).sum();
    let done = match watch.charge.bytes() + more {
        bytes if bytes > MAX_WATCHED => Err("ERR too many watched keys".into()),
        _ if !keyspace.has_memory(more) => Err(OUT_OF_MEMORY.into()),
        bytes => {
            watch.charge.set(bytes);
            let changed = Arc::downgrade(&watch.changed);
            for index in 1..call.args.len() {
                let key = call.key(index);
                let stripe = call.stripe(key);
                stripe.find(key, now); // removes the key if it has expired, so that it does not change later
                stripe.watch(key, &changed);
                watch.keys.push(key.bytes.into());
            }
            call.ok()
        }
    };
    if let Some(session) = &mut call.session {
        session.watch = Some(watch);
    }
    done
}

/// Only listed in the table. `exec.rs` runs EXEC, because no stripe is locked when it begins.
pub(super) fn exec(_: &mut Call<'_, '_, '_>) -> Done {
    Err("ERR EXEC without MULTI".into())
}

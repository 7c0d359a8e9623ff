//! Streams that a call over baidu_std offers: they begin with its reply and go on after it.

use polywire_client::spawn;
use polywire_streams::{RawReceiver, RawSender, RawStream};

/// Messages that are taken at once.
const BATCH: usize = 64;

/// Passes on what either side of each stream sends, until one of them ends it.
#[cold]
pub fn join(callers: Vec<RawStream>, servers: Vec<RawStream>) {
    for (caller, server) in callers.into_iter().zip(servers) {
        let ((to_caller, from_caller), (to_server, from_server)) = (caller.split(), server.split());
        spawn(pass(from_caller, to_server));
        spawn(pass(from_server, to_caller));
    }
}

/// Passes messages on, each batch when the last one has found room. The end of one side ends the other one,
/// behind what was sent.
async fn pass(mut from: RawReceiver, mut to: RawSender) {
    while let Some(Ok(messages)) = from.next_batch(BATCH).await {
        if to.send_batch(messages).await.is_err() {
            return; // that side is over
        }
    }
}

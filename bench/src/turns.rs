//! Messages that come back over a socket of their own: the loop of the WebSocket rivals.

use std::collections::VecDeque;
use std::future::Future;
use std::time::Instant;

use crate::Recorder;

/// One connection to an echo.
pub trait Socket {
    /// Sends a binary message of zeros of this length.
    fn send(&mut self, bytes: usize) -> impl Future<Output = bool> + Send;

    /// Receives a message; hands back its length.
    fn receive(&mut self) -> impl Future<Output = Option<usize>> + Send;
}

/// Keeps `ahead` messages under way until `end`: whenever one is back the next is sent. The first failure
/// ends it.
pub async fn turns(mut socket: impl Socket, bytes: usize, ahead: usize, end: Instant) -> Recorder {
    let mut recorder = Recorder::default();
    let mut sent = VecDeque::with_capacity(ahead);
    loop {
        while sent.len() < ahead && Instant::now() < end {
            sent.push_back(Instant::now());
            if !socket.send(bytes).await {
                recorder.failed();
                return recorder;
            }
        }
        let Some(began) = sent.pop_front() else { return recorder };
        if socket.receive().await != Some(bytes) {
            recorder.failed();
            return recorder;
        }
        recorder.answered(began.elapsed());
    }
}

//! The end of a server: its connections are told, and have time for their calls.

use super::{Core, Running};
use crate::{handover::Next, registration};
use polywire_base::later;
use polywire_engine::{ConnectionStats, Peer, Signal, clock, spawn_blocking};
use polywire_metrics::process::{EventKind, event};
use std::{
    collections::{HashMap, HashSet},
    fmt, io,
    pin::Pin,
    sync::{Arc, atomic::Ordering::*},
    time::{Duration, Instant},
};
use tokio::task::JoinHandle;

/// How long a stop waits for the access log to be written.
const LOG_GRACE: Duration = Duration::from_secs(1);
/// How long a stop waits for the connections that it closes.
const CLOSE_GRACE: Duration = Duration::from_millis(500);
/// How often a stop checks for connections whose peers have fallen silent.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// A stop closes a connection without calls whose peer has been silent for this long in the middle of a
/// request or of a handshake.
const SILENCE: Duration = Duration::from_secs(1);

impl Running {
    /// Stops the server: (1) it is withdrawn from the registries to which it is announced, while it still
    /// serves, (2) its health becomes `NotServing` for every service; these two steps are left out if another
    /// process has taken over, which is announced and serves there by now, (3) no new connection is accepted,
    /// (4) new requests are refused with ELOGOFF, over HTTP/2 by GOAWAY once that has reached the client, or
    /// served where the protocol has no refusal ([`Stopping`](polywire_wire::Stopping)), (5) every peer is
    /// notified in the way of its protocol, and its connection closes once its calls have ended, (6) after
    /// the drain limit, the remaining connections are closed; a connection without calls whose peer has sent
    /// a part of a request and then nothing for a second is closed at once. Returns the connections that were
    /// still busy then.
    pub async fn stop(self) -> Vec<AbortedConnection> {
        self.stopping().await
    }

    /// Behind a pointer, which keeps it out of the programs that await it.
    #[inline(never)]
    fn stopping(self) -> Pin<Box<dyn Future<Output = Vec<AbortedConnection>> + Send>> {
        Box::pin(self.stop_in_order())
    }

    async fn stop_in_order(mut self) -> Vec<AbortedConnection> {
        let registered = std::mem::take(&mut self.registered);
        let is_handed_over = self.next.as_ref().is_some_and(|next| next.hand_over.is_handed_over());
        if is_handed_over {
            self.core.health.end();
        } else {
            registration::withdraw(registered).await;
            self.core.health.stop();
        }
        self.accepting.iter().for_each(JoinHandle::abort);
        for accepting in std::mem::take(&mut self.accepting) {
            let _ = accepting.await; // its listener is closed then
        }
        self.member = None; // and no other descriptor of it is left
        if let Some(Next { hand_over, is_alone: true }) = &self.next {
            hand_over.end().await;
        }
        if let Some(accept) = self.accept.take() {
            accept.shutdown_background();
        }
        self.core.shared.begin_stop();
        let connections = self.core.live_connections();
        let began = clock::now();
        tracing::info!(
            connections = connections.len(),
            limit_ms = self.core.drain.load(Relaxed) / 1000,
            "stopping: calls in flight continue"
        );
        event(EventKind::Drain, format!("{} stops: {} connections", self.place(), connections.len()));
        connections.iter().for_each(|c| c.tell(Signal::Drain));
        drop(connections);
        let (left, mut list) = self.core.drained(began).await;
        // the state before they are closed
        list.extend(left.iter().map(|c| AbortedConnection::of(c)));
        tracing::info!(left = list.len(), "stopped");
        event(
            EventKind::Stop,
            format!("{} has stopped: {} connections were still busy", self.place(), list.len()),
        );
        left.iter().for_each(|c| c.tell(Signal::Close));
        drop(left);
        for log in &self.core.shared.access_logs {
            log.flushed(LOG_GRACE).await;
        }
        // The engine may end together with the server, and the connections need a moment to send their final
        // bytes.
        self.core.until_ended(CLOSE_GRACE).await;
        if let Some(dump) = self.core.shared.dump.clone() {
            let _ = spawn_blocking(move || dump.flush()).await; // it does not panic
        }
        if self.core.metric_files.is_some() {
            let core = self.core.clone();
            let finish = move || core.metric_files.iter().for_each(|files| files.finish(&core.shared.stats));
            let _ = spawn_blocking(finish).await; // it does not panic
        }
        if let Some(files) = self.core.shared.span_files.clone() {
            let flush = move || _ = files.flush();
            let _ = spawn_blocking(flush).await; // it does not panic
        }
        list
    }

    /// The server's addresses, for log events.
    fn place(&self) -> String {
        self.addresses
            .first()
            .map_or_else(|| "a server without listeners".to_owned(), |address| address.to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.core.health.stop();
        if let Some(accept) = self.accept.take() {
            accept.shutdown_background();
        }
        self.core.shared.begin_stop();
        self.core.live_connections().iter().for_each(|c| c.tell(Signal::Close));
    }
}

impl Core {
    /// Waits until all connections have ended, but not longer than `limit`. Returns the remaining ones. Only
    /// one task may wait at a time.
    async fn until_ended(&self, limit: Duration) -> Vec<Arc<ConnectionStats>> {
        let until = later(clock::now(), limit).into();
        let mut left = self.live_connections();
        while !left.is_empty() {
            if tokio::time::timeout_at(until, self.ends.notify.notified()).await.is_err() {
                return self.live_connections();
            }
            // Looks at each connection once, however many end one by one.
            while left.last().is_some_and(|connection| connection.is_over()) {
                left.pop();
            }
            if left.is_empty() {
                left = self.live_connections();
            }
        }
        left
    }

    /// Waits for connections that began to drain at `began`, up to the drain limit. Returns the remaining
    /// ones, and those that were closed earlier because their peers had fallen silent.
    async fn drained(&self, began: Instant) -> (Vec<Arc<ConnectionStats>>, Vec<AbortedConnection>) {
        let until = later(began, Duration::from_micros(self.drain.load(Relaxed)));
        let (mut silent, mut told, mut silence) = (Vec::new(), HashSet::new(), Silence::default());
        loop {
            let rest = until.saturating_duration_since(clock::now());
            let left = self.until_ended(rest.min(LOOK_EVERY)).await;
            let now = clock::now();
            if now >= until || (left.is_empty() && self.arriving.load(Acquire) == 0) {
                return (left, silent);
            }
            if left.is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let is_still =
                |c: &&Arc<ConnectionStats>| c.calls() == 0 && c.owed.load(Relaxed) == 0 && !c.lingers();
            for connection in left.iter().filter(is_still) {
                let has_spoken = connection.protocol().is_some() || connection.is_partial();
                let limit = if has_spoken { SILENCE } else { polywire_engine::NEW };
                // A connection that is accepted during the stop has its time, too.
                let since = if has_spoken { connection.last_active().max(began) } else { connection.since };
                if silence.has_lasted(connection.id, since, limit, now) && told.insert(connection.id) {
                    silent.extend(has_spoken.then(|| AbortedConnection::of(connection)));
                    connection.tell(Signal::Close);
                }
            }
        }
    }
}

/// For each silent connection the beginning of its silence, and the number of checks since. On a machine so
/// busy that the checks are late, peers do not get to send either, so the elapsed time alone says nothing
/// about them.
#[derive(Default)]
struct Silence(HashMap<u64, (Instant, u32)>);

impl Silence {
    /// Whether the connection has been silent since `since` for `limit`, and through as many checks as fit in
    /// that time.
    fn has_lasted(&mut self, connection: u64, since: Instant, limit: Duration, now: Instant) -> bool {
        let (at, looks) = self.0.entry(connection).or_insert((since, 0));
        if *at != since {
            (*at, *looks) = (since, 0);
        }
        *looks += 1;
        now.saturating_duration_since(since) >= limit
            && *looks >= (limit.as_millis() / LOOK_EVERY.as_millis()) as u32
    }
}

/// A connection that was still busy at the drain limit, or whose peer had sent a part of a request and then
/// nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AbortedConnection {
    pub peer: Peer,
    /// `None`: no protocol was recognised yet.
    pub protocol: Option<&'static str>,
    /// Number of calls in flight.
    pub calls: u32,
    /// Number of bytes that the peer had not read.
    pub owed: u64,
    /// Whether a request had begun to arrive and was not complete.
    pub partial: bool,
}

impl AbortedConnection {
    fn of(connection_stats: &ConnectionStats) -> Self {
        AbortedConnection {
            peer: connection_stats.peer.clone(),
            protocol: connection_stats.protocol(),
            calls: connection_stats.calls(),
            owed: connection_stats.owed.load(Relaxed),
            partial: connection_stats.is_partial(),
        }
    }
}

impl fmt::Display for AbortedConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = self.protocol.unwrap_or("no protocol yet");
        write!(f, "{} ({protocol}): {} calls in flight, {} bytes unsent", self.peer, self.calls, self.owed)?;
        if self.partial { f.write_str(", part of a request has arrived") } else { Ok(()) }
    }
}

/// Resolves at SIGTERM or Ctrl-C. Signals are caught from the moment this returns.
///
/// # Errors
/// If the system cannot install the signal handler. Outside a tokio runtime it panics, as tokio does.
pub fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_what_was_looked_at_all_the_time() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let first = |looks: &[u64]| {
            let mut silence = Silence::default();
            looks.iter().copied().find(|&ms| silence.has_lasted(1, start, SILENCE, at(ms)))
        };
        assert_eq!(first(&[100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100]), Some(1000));
        assert_eq!(first(&[100, 3000, 3100]), None, "nobody had a processor for three seconds");
        let mut silence = Silence::default();
        let mut looks = (1..=30).map(|n| 100 * n);
        let spoke_at = |ms| if ms >= 500 { at(500) } else { start };
        assert_eq!(looks.find(|&ms| silence.has_lasted(1, spoke_at(ms), SILENCE, at(ms))), Some(1500));
    }
}

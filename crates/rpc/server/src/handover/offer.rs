//! What waits for the next process.

use super::{
    taken::{Taken, trusted},
    words::{HEAD, READY, START},
};
use polywire_base::{LineGate, lock};
use polywire_engine::{
    os::descriptors,
    transport::{Handle, UnixPath, bind_unix},
};
use polywire_metrics::process::{EventKind, event};
use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
    sync::watch,
    time::timeout,
};

/// The listeners that the next process may take over, each with the number of its server and the address that
/// was configured.
pub type Listeners = Arc<Mutex<Vec<(u64, String, Handle)>>>;

/// The listeners that the next process may take over.
pub struct Offer {
    path: PathBuf,
    /// The process before, until it has hung up.
    before: Taken,
    listeners: Listeners,
    /// The file of `listener`, which has to be dropped before it.
    file: UnixPath,
    listener: UnixListener,
    /// Set once another process accepts.
    handed_over: watch::Sender<bool>,
}

impl Offer {
    /// Listens for the next process, then asks the previous one to stop: nothing may fail after this. To be
    /// called inside a runtime.
    ///
    /// # Errors
    /// The path cannot be used, or the previous process has exited. In both cases the previous process is
    /// unaffected.
    pub fn begin(
        path: &Path,
        mut before: Taken,
        listeners: Listeners,
        handed_over: watch::Sender<bool>,
    ) -> io::Result<Offer> {
        let explain = |error: io::Error| {
            io::Error::new(error.kind(), format!("hand-over at {}: {error}", path.display()))
        };
        let mut at = OsString::from(path);
        if before.from.is_some() {
            at.push(format!(".{}", std::process::id()));
        }
        let (file, listener) = listen(Path::new(&at)).map_err(explain)?;
        before.ready().map_err(explain)?;
        Ok(Offer { path: path.to_owned(), before, listeners, file, listener, handed_over })
    }

    /// Waits until the previous process hangs up, then takes its path. This process already serves by then,
    /// so an error is logged and it continues.
    pub fn take_path(&mut self) {
        let before = std::mem::replace(&mut self.before, Taken::nothing());
        if before.from.is_none() {
            return;
        }
        if let Err(error) = before.taken_over() {
            tracing::warn!(%error, "the process before has not said that it stops");
        }
        if let Err(error) = self.file.replace(&self.path) {
            let path = self.path.display();
            tracing::warn!(%error, %path, "no next process can take over: the path of the hand-over cannot be used");
        }
    }

    /// Waits for the next process. Returns when it has taken over.
    pub async fn run(self) {
        loop {
            let next = match self.listener.accept().await {
                Ok((next, _)) => next,
                Err(error) => {
                    static GATE: LineGate = LineGate::one_in(60);
                    if let Some(left_out) = GATE.pass() {
                        tracing::warn!(%error, left_out, "no process can take over: tries again after a pause");
                    }
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    continue;
                }
            };
            match timeout(START, self.hand_over(next)).await {
                Ok(Ok(())) => return,
                Ok(Err(error)) => {
                    static GATE: LineGate = LineGate::new(10, 60);
                    if let Some(left_out) = GATE.pass() {
                        tracing::warn!(%error, left_out, "the next process has not taken over: this one goes on");
                    }
                }
                Err(_) => tracing::warn!("the next process was not ready within a minute: this one goes on"),
            }
        }
    }

    async fn hand_over(&self, mut next: UnixStream) -> io::Result<()> {
        trusted(next.peer_cred()?.uid())?;
        // The buffer of a new socket holds it at once.
        let sender = next.into_std()?;
        self.send(&sender)?;
        next = UnixStream::from_std(sender)?;
        let mut ready = [0; READY.len()];
        next.read_exact(&mut ready).await?;
        if ready != READY {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not ready"));
        }
        // The next process serves from here on: nothing may fail.
        lock(&self.listeners).iter().for_each(|(.., handle)| handle.handed_over());
        self.file.leave(); // the next process replaces it
        tracing::info!(
            pid = next.peer_cred().ok().and_then(|peer| peer.pid()),
            "the next process has taken over"
        );
        event(EventKind::HandOver, "the next process accepts");
        self.handed_over.send_replace(true);
        let _ = next.shutdown().await; // hung up on at the latest when this returns
        Ok(())
    }

    /// Sends all sockets that listen now.
    fn send(&self, next: &std::os::unix::net::UnixStream) -> io::Result<()> {
        let listeners = lock(&self.listeners);
        // Of servers that took the place of others, which end in a moment, the later ones.
        let listeners = &listeners[listeners.len().saturating_sub(descriptors::MOST)..];
        let mut text = HEAD.to_owned();
        listeners.iter().for_each(|(_, address, _)| text.extend([address, "\n"]));
        text.push('\n');
        let sockets: Vec<_> = listeners.iter().map(|(.., handle)| handle.socket()).collect();
        descriptors::send(next, text.as_bytes(), &sockets)
    }
}

/// Listens at `path`, which only this user may connect to.
fn listen(path: &Path) -> io::Result<(UnixPath, UnixListener)> {
    let (file, listener) = bind_unix(path)?;
    // Others may have connected before this: whoever connects is asked for the user.
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    Ok((file, UnixListener::from_std(listener)?))
}

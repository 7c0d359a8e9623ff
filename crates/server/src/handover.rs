//! A server that takes the listening sockets over from the process before it, and hands them to the next.
//!
//! ```text
//!  old process                                      new process
//!   listens at PATH  <----------- connects ----------  start()
//!   "polywire handover 1", a line for each listener,
//!   their sockets (SCM_RIGHTS) ----------------------> binds only what is missing
//!   accepts as before                                  accepts, too: one queue, two processes
//!                    <------------ "ready" ----------
//!   leaves PATH, hangs up ---------------------------> listens at PATH
//!   accepts no more, calls in flight end: stop()
//! ```
//!
//! A new process that fails before `ready` changes nothing for the old one. A connection waits in the queue of a socket that
//! one of both accepts from at any time, so that none is refused or lost.
//!
//! Limits: 64 sockets, 16 KiB of text. A peer of another user is hung up on; one that does not say `ready` within a minute, too.

use polywire_engine::{
    os::descriptors,
    transport::{Handle, Listener},
};
use std::{
    fs,
    io::{self, Read, Write},
    os::{
        fd::OwnedFd,
        unix::{
            fs::{FileTypeExt, MetadataExt, PermissionsExt},
            net::UnixStream as Blocking,
        },
    },
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
    sync::watch,
    time::timeout,
};

const HEAD: &str = "polywire handover 1\n";
const READY: &[u8] = b"ready\n";
/// Bytes of the text with the addresses.
const LONGEST: usize = 16 << 10;
/// How long the new process waits for the old one.
const ANSWER: Duration = Duration::from_secs(5);
/// How long the old process waits for the new one to be ready.
const START: Duration = Duration::from_secs(60);

/// What the process before this one has handed over.
pub(crate) struct Taken {
    from: Option<Blocking>,
    /// Address as it was configured there, and its socket.
    sockets: Vec<(String, OwnedFd)>,
}

impl Taken {
    pub fn nothing() -> Taken {
        Taken { from: None, sockets: Vec::new() }
    }

    /// Asks the process at `path`, if there is one.
    ///
    /// # Errors
    /// A process is there, and what it says is no hand-over.
    pub fn from_process_at(path: &Path) -> io::Result<Taken> {
        let explain = |error: io::Error| {
            io::Error::new(error.kind(), format!("hand-over at {}: {error}", path.display()))
        };
        let mut from = match Blocking::connect(path) {
            Ok(from) => from,
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) =>
            {
                return Ok(Taken::nothing()); // this is the first process, or the one before was killed
            }
            Err(error) => return Err(explain(error)),
        };
        from.set_read_timeout(Some(ANSWER))
            .and_then(|()| from.set_write_timeout(Some(ANSWER)))
            .map_err(explain)?;
        let sockets = receive(&mut from).map_err(explain)?;
        tracing::info!(path = %path.display(), sockets = sockets.len(), "taking over from the process before");
        Ok(Taken { from: Some(from), sockets })
    }

    /// The listener of this address, if the process before had one.
    ///
    /// # Errors
    /// It is none that can be used.
    pub fn listener(&mut self, address: &str) -> io::Result<Option<Listener>> {
        let Some(at) = self.sockets.iter().position(|(taken, _)| taken == address) else { return Ok(None) };
        let (_, socket) = self.sockets.swap_remove(at);
        Listener::from_socket(socket).map(Some)
    }

    /// Says that this process accepts, and waits until the one before has left the path.
    fn ready(&mut self) -> io::Result<()> {
        self.sockets.clear(); // addresses at which nobody listens any more
        let Some(mut from) = self.from.take() else { return Ok(()) };
        from.write_all(READY)?;
        let mut rest = [0; 64];
        while from.read(&mut rest)? > 0 {}
        Ok(())
    }
}

fn receive(from: &mut Blocking) -> io::Result<Vec<(String, OwnedFd)>> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "what is there speaks something else");
    let mut text = vec![0; LONGEST];
    let (mut length, mut sockets) = (0, Vec::new());
    // Descriptors come with the first byte; the text of many addresses may come in several reads.
    let lines = loop {
        let n = descriptors::receive(from, &mut text[length..], &mut sockets)?;
        length += n;
        let text = str::from_utf8(&text[..length]).map_err(|_| wrong())?;
        match text
            .strip_prefix(HEAD)
            .and_then(|rest| rest.strip_suffix("\n\n").or((rest == "\n").then_some("")))
        {
            Some(lines) => break lines.to_owned(),
            None if n == 0 || length == LONGEST => return Err(wrong()),
            None => {}
        }
    };
    let addresses: Vec<&str> = lines.lines().collect();
    if addresses.len() != sockets.len() {
        return Err(wrong());
    }
    Ok(addresses.into_iter().map(str::to_owned).zip(sockets).collect())
}

/// The listeners that the next process may take over.
pub(crate) struct Offer {
    path: PathBuf,
    listeners: Vec<(String, Handle)>,
    listener: UnixListener,
    /// Set once another process accepts.
    handed_over: watch::Sender<bool>,
}

impl Offer {
    /// Tells the process before that this one accepts, then listens at `path`. Inside a runtime.
    ///
    /// # Errors
    /// The path cannot be used, or there are more listeners than can be handed over.
    pub fn begin(
        path: &Path,
        mut taken: Taken,
        listeners: Vec<(String, Handle)>,
        handed_over: watch::Sender<bool>,
    ) -> io::Result<Offer> {
        let explain = |error: io::Error| {
            io::Error::new(error.kind(), format!("hand-over at {}: {error}", path.display()))
        };
        let bytes: usize = listeners.iter().map(|(address, _)| address.len() + 1).sum();
        if listeners.len() > descriptors::MOST || bytes > LONGEST / 2 {
            return Err(explain(io::Error::new(io::ErrorKind::InvalidInput, "too many listeners")));
        }
        taken.ready().map_err(explain)?;
        let listener = listen(path).map_err(explain)?;
        Ok(Offer { path: path.to_owned(), listeners, listener, handed_over })
    }

    /// Waits for the next process. Returns when it has taken over.
    pub async fn run(self) {
        loop {
            let next = match self.listener.accept().await {
                Ok((next, _)) => next,
                Err(error) => {
                    tracing::warn!(%error, "no process can take over: tries again after a pause");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    continue;
                }
            };
            match timeout(START, self.hand_over(next)).await {
                Ok(Ok(())) => return,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "the next process has not taken over: this one goes on")
                }
                Err(_) => tracing::warn!("the next process was not ready within a minute: this one goes on"),
            }
        }
    }

    async fn hand_over(&self, mut next: UnixStream) -> io::Result<()> {
        let owner = fs::symlink_metadata(&self.path)?.uid();
        let peer = next.peer_cred()?.uid();
        if peer != owner && peer != 0 {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!("it belongs to user {peer}"),
            ));
        }
        let mut text = HEAD.to_owned();
        self.listeners.iter().for_each(|(address, _)| text.extend([address, "\n"]));
        text.push('\n');
        let sockets: Vec<_> = self.listeners.iter().map(|(_, handle)| handle.socket()).collect();
        // The buffer of a new socket holds it at once.
        let sender = next.into_std()?;
        descriptors::send(&sender, text.as_bytes(), &sockets)?;
        next = UnixStream::from_std(sender)?;
        let mut ready = [0; READY.len()];
        next.read_exact(&mut ready).await?;
        if ready != READY {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not ready"));
        }
        self.listeners.iter().for_each(|(_, handle)| handle.handed_over());
        fs::remove_file(&self.path)?;
        tracing::info!(
            pid = next.peer_cred().ok().and_then(|peer| peer.pid()),
            "the next process has taken over"
        );
        let _ = self.handed_over.send(true); // whether or not somebody waits for it
        next.shutdown().await
    }
}

impl Drop for Offer {
    fn drop(&mut self) {
        if !*self.handed_over.borrow() {
            let _ = fs::remove_file(&self.path); // the file that this process made; after a hand-over it is the next one's
        }
    }
}

/// Listens at `path`, which only this user may connect to. A socket there belongs to no process: it was connected to before.
fn listen(path: &Path) -> io::Result<UnixListener> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
        && Blocking::connect(path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    {
        fs::remove_file(path)?;
    }
    let listener = std::os::unix::net::UnixListener::bind(path)?;
    // Others may have connected before this: whoever connects is asked for the user.
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    UnixListener::from_std(listener)
}

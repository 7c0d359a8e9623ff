//! A server that takes the listening sockets over from the previous process, and hands them to the next.
//!
//! ```text
//!  old process                                      new process
//!   listens at PATH  <----------- connects ----------  start()
//!   "polywire handover 1", a line for each listener,
//!   their sockets (SCM_RIGHTS) ----------------------> binds only what is missing, and PATH.PID
//!   accepts as before                                  does all else that may fail: Server::before_ready
//!                    <------------ "ready" ----------
//!   accepts as before                                  accepts, too: one queue, two processes
//!   hangs up ----------------------------------------> renames PATH.PID to PATH
//!   accepts no more, calls in flight end: stop()
//! ```
//!
//! If a new process fails before `ready`, the old one is unaffected, and the new one has accepted no
//! connection. Errors after `ready` are logged, and the new process continues. At any time one of the two
//! processes accepts connections from the shared sockets, so no connection is refused or lost.
//!
//! Limits: 64 sockets, 16 KiB of text, 5 s for both. Each side hangs up on a process of another user; the old
//!         one also on one that is not ready within a minute.

use polywire_base::LineGate;
use polywire_engine::{
    Peer,
    os::descriptors,
    transport::{Handle, Listener, UnixPath, bind_unix, for_resolver},
};
use polywire_metrics::process::{EventKind, event};
use std::{
    ffi::OsString,
    fs,
    io::{self, Read, Write},
    net::ToSocketAddrs,
    os::{
        fd::OwnedFd,
        unix::{fs::PermissionsExt, net::UnixStream as Blocking},
    },
    path::{Path, PathBuf},
    time::{Duration, Instant},
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
/// How long the new process waits for the sockets to arrive.
const ANSWER: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 5 });
/// How long the old process waits until the new one is ready, and how long the new one then waits for the old
/// one.
const START: Duration = Duration::from_secs(60);

/// The sockets that the previous process has handed over.
pub(crate) struct Taken {
    from: Option<Blocking>,
    /// The sockets, each with its address as the previous process had it configured.
    sockets: Vec<(String, OwnedFd)>,
    /// The sockets that this process uses.
    used: Vec<Handle>,
}

impl Taken {
    pub fn nothing() -> Taken {
        Taken { from: None, sockets: Vec::new(), used: Vec::new() }
    }

    /// Asks the process at `path`, if there is one.
    ///
    /// # Errors
    /// There is a process, but of another user, or its message is invalid.
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
        let sockets = descriptors::peer_user(&from)
            .and_then(trusted)
            .and_then(|()| from.set_write_timeout(Some(ANSWER)))
            .and_then(|()| receive(&mut from))
            .map_err(explain)?;
        tracing::info!(path = %path.display(), sockets = sockets.len(), "taking over from the process before");
        Ok(Taken { from: Some(from), sockets, used: Vec::new() })
    }

    /// The listener of this address, if the previous process had one.
    ///
    /// # Errors
    /// The socket is unusable, or is bound to another address.
    pub fn listener(&mut self, address: &str) -> io::Result<Option<Listener>> {
        let Some(at) = self.sockets.iter().position(|(taken, _)| taken == address) else { return Ok(None) };
        let (_, socket) = self.sockets.swap_remove(at);
        let explain = |error: io::Error| {
            io::Error::new(error.kind(), format!("the socket handed over for {address}: {error}"))
        };
        let listener = Listener::from_socket(socket).map_err(explain)?;
        let local = listener.local().map_err(explain)?;
        if !is_of(&local, address).map_err(explain)? {
            return Err(explain(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("it is bound to {local}"),
            )));
        }
        self.used.push(listener.handle().map_err(explain)?);
        Ok(Some(listener))
    }

    /// Asks the previous process to stop.
    fn ready(&mut self) -> io::Result<()> {
        self.sockets.clear(); // addresses at which nobody listens any more
        self.from.as_mut().map_or(Ok(()), |from| from.write_all(READY))
    }

    /// Waits until the process before hangs up; its files are this process's then.
    fn taken_over(self) -> io::Result<()> {
        let Some(mut from) = self.from else { return Ok(()) };
        from.set_read_timeout(Some(START))?;
        let mut rest = [0; 64];
        if from.read(&mut rest)? > 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it says more than it should"));
        }
        self.used.iter().for_each(Handle::taken_over);
        Ok(())
    }
}

/// Whether sockets may go to or come from a process of this user.
fn trusted(user: u32) -> io::Result<()> {
    if user == descriptors::user() || user == 0 {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("the other process belongs to user {user}")))
}

/// Whether a socket that is bound to `local` is one of the configured `address`.
fn is_of(local: &Peer, address: &str) -> io::Result<bool> {
    Ok(match (local, address.strip_prefix("unix:")) {
        (Peer::Unix(Some(local)), Some(path)) => local.as_path() == Path::new(path),
        (Peer::Ip(local), None) => {
            let is_it = |wanted: std::net::SocketAddr| {
                wanted.ip() == local.ip() && (wanted.port() == 0 || wanted.port() == local.port())
            };
            for_resolver(address).to_socket_addrs()?.any(is_it)
        }
        _ => false,
    })
}

fn receive(from: &mut Blocking) -> io::Result<Vec<(String, OwnedFd)>> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "what is there speaks something else");
    let mut text = vec![0; LONGEST];
    let (mut length, mut sockets) = (0, Vec::new());
    let until = Instant::now() + ANSWER;
    // Descriptors come with the first byte; the text of many addresses may come in several reads.
    let lines = loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        from.set_read_timeout(Some(left))?;
        let n = descriptors::receive(from, &mut text[length..], &mut sockets)?;
        length += n;
        if sockets.len() > descriptors::MOST {
            return Err(wrong());
        }
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
    /// The process before, until it has hung up.
    before: Taken,
    listeners: Vec<(String, Handle)>,
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
    /// The path cannot be used, there are more listeners than can be handed over, or the previous process has
    /// exited. In all cases the previous process is unaffected.
    pub fn begin(
        path: &Path,
        mut before: Taken,
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
        // The next process serves from here on: nothing may fail.
        self.listeners.iter().for_each(|(_, handle)| handle.handed_over());
        self.file.leave(); // the next process replaces it
        tracing::info!(
            pid = next.peer_cred().ok().and_then(|peer| peer.pid()),
            "the next process has taken over"
        );
        event(EventKind::HandOver, "the next process accepts");
        let _ = self.handed_over.send(true); // whether or not somebody waits for it
        let _ = next.shutdown().await; // hung up on at the latest when this returns
        Ok(())
    }
}

/// Listens at `path`, which only this user may connect to.
fn listen(path: &Path) -> io::Result<(UnixPath, UnixListener)> {
    let (file, listener) = bind_unix(path)?;
    // Others may have connected before this: whoever connects is asked for the user.
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    Ok((file, UnixListener::from_std(listener)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        net::TcpListener,
        os::{fd::AsFd, unix::net::UnixListener as Blocked},
        thread::{self, JoinHandle},
    };

    /// A path for one test, in a folder of its own.
    struct Place(PathBuf);

    impl Place {
        fn new(test: &str) -> Place {
            let folder =
                std::env::temp_dir().join(format!("polywire-handover-{test}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder");
            Place(folder.join("handover"))
        }
        /// A process before, which does this to who connects.
        fn before(&self, does: impl FnOnce(Blocking) + Send + 'static) -> JoinHandle<()> {
            let listener = Blocked::bind(&self.0).expect("free");
            thread::spawn(move || does(listener.accept().expect("it connects").0))
        }
    }
    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(self.0.parent().expect("a folder"));
        }
    }

    fn offer(path: &Path, before: Taken) -> (Offer, watch::Receiver<bool>) {
        let (tell, handed_over) = watch::channel(false);
        (Offer::begin(path, before, Vec::new(), tell).expect("the path is free"), handed_over)
    }

    #[test]
    fn sockets_go_between_processes_of_one_user_and_from_root() {
        assert!(trusted(descriptors::user()).is_ok() && trusted(0).is_ok());
        assert!(trusted(descriptors::user() + 1).is_err());
    }

    #[test]
    fn a_socket_of_another_address_is_not_taken() {
        let place = Place::new("other");
        let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
        let own = socket.local_addr().expect("bound").to_string();
        let text = format!("{HEAD}127.0.0.1:1\n0.0.0.0:0\nunix:/run/calls\nlocalhost:0\n{own}\n\n");
        let before = place.before(move |next| {
            descriptors::send(&next, text.as_bytes(), &[socket.as_fd(); 5]).expect("there is room");
        });
        let mut taken = Taken::from_process_at(&place.0).expect("it is there");
        for address in ["127.0.0.1:1", "0.0.0.0:0", "unix:/run/calls"] {
            let error = taken.listener(address).err().expect("another address").to_string();
            assert!(error.contains(address) && error.contains(&own), "{error}");
        }
        for address in ["localhost:0", &own] {
            assert!(taken.listener(address).expect("its address").is_some());
        }
        assert!(taken.listener("127.0.0.1:2").expect("not there").is_none());
        before.join().expect("no panic");
    }

    #[test]
    fn a_process_that_never_comes_to_an_end_is_given_up() {
        let place = Place::new("slow");
        let before = place.before(|mut next| {
            for byte in HEAD.bytes() {
                thread::sleep(ANSWER / 4);
                if next.write_all(&[byte]).is_err() {
                    return;
                }
            }
        });
        let began = Instant::now();
        assert!(Taken::from_process_at(&place.0).is_err());
        assert!(began.elapsed() < 3 * ANSWER, "{:?}", began.elapsed());
        before.join().expect("no panic");
    }

    #[test]
    fn a_process_that_sends_too_many_sockets_is_given_up() {
        let place = Place::new("many");
        let before = place.before(|next| {
            let sockets = [next.as_fd(); 40];
            for text in [HEAD, "127.0.0.1:1\n"] {
                descriptors::send(&next, text.as_bytes(), &sockets).expect("there is room");
            }
            let _ = (&next).read(&mut [0]); // until it hangs up
        });
        let error = Taken::from_process_at(&place.0).err().expect("more than 64");
        assert!(error.to_string().contains("something else"), "{error}");
        before.join().expect("no panic");
    }

    #[tokio::test]
    async fn a_process_before_that_takes_long_to_stop_is_waited_for() {
        let place = Place::new("long");
        let before = place.before(|mut next| {
            descriptors::send(&next, format!("{HEAD}\n").as_bytes(), &[]).expect("there is room");
            let mut ready = [0; READY.len()];
            next.read_exact(&mut ready).expect("it is ready");
            thread::sleep(ANSWER + ANSWER / 2);
        });
        let taken = Taken::from_process_at(&place.0).expect("it is there");
        let began = Instant::now();
        let (mut offer, _handed_over) = offer(&place.0, taken);
        offer.take_path();
        assert!(began.elapsed() >= ANSWER + ANSWER / 2, "{:?}: it has hung up", began.elapsed());
        before.join().expect("no panic");
        Blocking::connect(&place.0).expect("the path is this process's");
    }

    #[tokio::test]
    async fn a_path_that_is_taken_fails_before_the_process_before_stops() {
        let place = Place::new("taken");
        let before = place.before(|mut next| {
            descriptors::send(&next, format!("{HEAD}\n").as_bytes(), &[]).expect("there is room");
            let mut told = Vec::new();
            next.read_to_end(&mut told).expect("it hangs up");
            assert!(told.is_empty(), "it goes on");
        });
        let taken = Taken::from_process_at(&place.0).expect("it is there");
        let mut next = place.0.clone().into_os_string();
        next.push(format!(".{}", std::process::id()));
        fs::write(next, "precious").expect("a file");
        let (tell, _handed_over) = watch::channel(false);
        assert!(Offer::begin(&place.0, taken, Vec::new(), tell).is_err());
        before.join().expect("it goes on");
    }

    #[tokio::test]
    async fn a_file_that_somebody_has_removed_does_not_keep_a_process_from_stopping() {
        let place = Place::new("removed");
        let (first, mut handed_over) = offer(&place.0, Taken::nothing());
        let first = tokio::spawn(first.run());
        let path = place.0.clone();
        let taken = tokio::task::spawn_blocking(move || Taken::from_process_at(&path));
        let taken = taken.await.expect("no panic").expect("it is there");
        fs::remove_file(&place.0).expect("somebody does");
        let (mut second, _) = offer(&place.0, taken);
        timeout(START / 6, handed_over.wait_for(|yes| *yes)).await.expect("it stops").expect("it is told");
        first.await.expect("no panic");
        second.take_path();
        Blocking::connect(&place.0).expect("the second one's");
        drop(second);
        assert!(!place.0.exists());
    }

    #[tokio::test]
    async fn a_process_that_ends_removes_its_own_file_and_no_other() {
        let place = Place::new("end");
        let (first, _handed_over) = offer(&place.0, Taken::nothing());
        fs::remove_file(&place.0).expect("somebody removes it");
        let _other = Blocked::bind(&place.0).expect("and listens there");
        drop(first);
        Blocking::connect(&place.0).expect("the other one's");
    }
}

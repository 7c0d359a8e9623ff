//! The sockets of the previous process.

use super::words::{ANSWER, HEAD, LONGEST, READY, START};
use polywire_engine::{
    Peer,
    os::descriptors,
    transport::{Handle, Listener, for_resolver},
};
use std::{
    io::{self, Read, Write},
    net::ToSocketAddrs,
    os::{fd::OwnedFd, unix::net::UnixStream},
    path::Path,
    time::Instant,
};

/// The sockets that the previous process has handed over.
pub struct Taken {
    pub from: Option<UnixStream>,
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
        let mut from = match UnixStream::connect(path) {
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
        let (_, socket) = self.sockets.remove(at);
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
    pub fn ready(&mut self) -> io::Result<()> {
        self.sockets.clear(); // addresses at which nobody listens any more
        self.from.as_mut().map_or(Ok(()), |from| from.write_all(READY))
    }

    /// Waits until the process before hangs up; its files are this process's then.
    pub fn taken_over(self) -> io::Result<()> {
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
pub fn trusted(user: u32) -> io::Result<()> {
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

fn receive(from: &mut UnixStream) -> io::Result<Vec<(String, OwnedFd)>> {
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

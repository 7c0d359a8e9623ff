//! Listening sockets that another process has bound: systemd, or the process before this one; or another
//! listener of this one.

use super::{Listener, UnixPath, unix::SocketFile};
use crate::os::descriptors;
use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::Weak,
};

/// The first descriptor that systemd passes (SD_LISTEN_FDS_START).
const FIRST: i32 = 3;

/// A second descriptor of a listening socket, for another process or another listener. Both share one queue
/// of connections, so none is lost, whichever accepts it.
pub struct Handle {
    socket: OwnedFd,
    /// The file of a Unix socket.
    file: Option<Weak<SocketFile>>,
}

impl Handle {
    /// The descriptor to send.
    pub fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Records that another process listens now: the file of a Unix socket is then kept when this process
    /// ends.
    pub fn handed_over(&self) {
        self.set_stays(true);
    }

    /// The process before listens no more: if this is a Unix socket, its file is removed when this process
    /// ends.
    pub fn taken_over(&self) {
        self.set_stays(false);
    }

    fn set_stays(&self, stays: bool) {
        let file = self.file.as_ref().and_then(Weak::upgrade);
        file.iter().for_each(|file| file.set_stays(stays));
    }

    /// Another listener of the same socket in this process. The file of a Unix socket is removed when the
    /// last of them is dropped.
    ///
    /// # Errors
    /// The process has no descriptor left, or the last listener of a Unix socket is gone.
    pub fn listener(&self) -> io::Result<Listener> {
        let socket = self.socket.try_clone()?;
        Ok(match &self.file {
            None => Listener::Tcp(socket.into()),
            Some(file) => {
                let path = UnixPath::again(file).ok_or(io::ErrorKind::NotFound)?;
                Listener::Unix(path, socket.into())
            }
        })
    }
}

impl Listener {
    /// # Errors
    /// The process has no descriptor left.
    pub fn handle(&self) -> io::Result<Handle> {
        let (socket, file) = match self {
            Listener::Tcp(listener) => (listener.as_fd(), None),
            Listener::Unix(path, listener) => (listener.as_fd(), Some(path.file())),
        };
        Ok(Handle { socket: socket.try_clone_to_owned()?, file })
    }

    /// A socket that another process has bound. If it is a Unix socket, its file stays when this process
    /// ends, until [`Handle::taken_over`] records that the other process no longer listens.
    ///
    /// # Errors
    /// The descriptor is not a listening stream socket of TCP or with a path.
    pub fn from_socket(socket: OwnedFd) -> io::Result<Listener> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what.to_owned());
        let socket = socket2::Socket::from(socket);
        if socket.r#type()? != socket2::Type::STREAM || !socket.is_listener()? {
            return Err(wrong("it is no stream socket that listens"));
        }
        socket.set_nonblocking(true)?;
        let local = socket.local_addr()?;
        if local.is_unix() {
            let path = local.as_pathname().ok_or_else(|| wrong("a Unix socket without a path"))?;
            let path = UnixPath::adopt(path)?;
            return Ok(Listener::Unix(path, socket.into()));
        }
        match local.as_socket() {
            Some(_) => Ok(Listener::Tcp(socket.into())),
            None => Err(wrong("it is neither TCP nor a Unix socket")),
        }
    }
}

/// The listening sockets that systemd has passed to this process under this name (`FileDescriptorName=` of
/// the socket unit, by default the unit's name); all of them, if the name is empty. Their files, if they have
/// any, stay when this process ends.
///
/// # Errors
/// None was passed, none has the name, or one is of a kind that is not served here.
pub fn from_systemd(name: &str) -> io::Result<Vec<Listener>> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let passed = Passed {
        process: &variable("LISTEN_PID"),
        many: &variable("LISTEN_FDS"),
        names: &variable("LISTEN_FDNAMES"),
    };
    let mut listeners = Vec::new();
    for number in passed.numbers(name, std::process::id())? {
        let explain = |error: io::Error| {
            io::Error::new(error.kind(), format!("the socket that systemd has passed as {number}: {error}"))
        };
        let listener = descriptors::inherited(number).and_then(Listener::from_socket).map_err(explain)?;
        listeners.push(listener);
    }
    Ok(listeners)
}

/// The sockets that systemd passes in the environment, see sd_listen_fds(3).
struct Passed<'e> {
    process: &'e str,
    many: &'e str,
    names: &'e str,
}

impl Passed<'_> {
    fn numbers(&self, name: &str, process: u32) -> io::Result<Vec<i32>> {
        let wrong = |text: String| Err(io::Error::new(io::ErrorKind::NotFound, text));
        if self.process.parse() != Ok(process) {
            return wrong(format!(
                "systemd has passed no sockets to this process (LISTEN_PID={:?})",
                self.process
            ));
        }
        let many = match self.many.parse::<i32>() {
            Ok(many @ 1..=1024) => many,
            _ => return wrong(format!("systemd has passed no sockets (LISTEN_FDS={:?})", self.many)),
        };
        let mut names = self.names.split(':');
        let numbers: Vec<i32> = (FIRST..FIRST + many)
            .filter(|_| {
                let own = names.next().unwrap_or_default();
                name.is_empty() || own == name
            })
            .collect();
        if numbers.is_empty() {
            return wrong(format!("systemd has passed no socket of the name {name:?}, but {:?}", self.names));
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_chosen_by_their_names() {
        let numbers = |process: &str, many: &str, names: &str, name: &str| {
            Passed { process, many, names }.numbers(name, 7).map_err(|error| error.to_string())
        };
        assert_eq!(numbers("7", "3", "http:admin:http", "http"), Ok(vec![3, 5]));
        assert_eq!(numbers("7", "3", "http:admin:http", ""), Ok(vec![3, 4, 5]));
        assert_eq!(numbers("7", "2", "", ""), Ok(vec![3, 4]));
        for (process, many, names, name) in [
            ("8", "1", "http", "http"),
            ("", "1", "http", "http"),
            ("7", "0", "", ""),
            ("7", "-1", "", ""),
            ("7", "99999999999", "", ""),
            ("7", "1", "http", "htt"),
        ] {
            assert!(numbers(process, many, names, name).is_err(), "{process:?} {many:?} {names:?} {name:?}");
        }
    }

    #[test]
    fn the_file_of_a_taken_socket_stays_until_it_is_taken_over() {
        let folder = std::env::temp_dir().join(format!("polywire-handed-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("socket");
        let socket = std::os::unix::net::UnixListener::bind(&path).expect("free");
        let taken = || Listener::from_socket(socket.try_clone().expect("open").into()).expect("it listens");
        drop(taken());
        assert!(path.exists(), "it belongs to the process before");
        let listener = taken();
        listener.handle().expect("open").taken_over();
        drop(listener);
        assert!(!path.exists(), "it belongs to this process");
        std::fs::remove_dir_all(&folder).expect("ours");
    }

    #[test]
    fn only_listening_stream_sockets_are_listeners() {
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        assert!(Listener::from_socket(OwnedFd::from(tcp)).is_ok());
        let udp = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
        assert!(Listener::from_socket(OwnedFd::from(udp)).is_err());
        let (one, _other) = std::os::unix::net::UnixStream::pair().expect("sockets");
        assert!(Listener::from_socket(OwnedFd::from(one)).is_err());
        let file = std::fs::File::open("/dev/null").expect("it is there");
        assert!(Listener::from_socket(OwnedFd::from(file)).is_err());
    }
}

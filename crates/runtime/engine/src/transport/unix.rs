//! Socket files: which process uses them, and when they may be removed.
//!
//! A process that is killed leaves its socket file, and no other process can bind to that path before the
//! file is removed. Only two kinds of files are removed: at start a socket on which no process listens, and
//! at the end the file that this listener made.

use std::{
    fs, io,
    os::unix::{
        fs::{FileTypeExt, MetadataExt},
        net::UnixListener,
    },
    path::{Path, PathBuf},
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// A socket file that belongs to the listeners of one socket. Dropping the last of them removes the file,
/// unless another file has taken its place.
///
/// It has to be dropped before the listener is closed: until then no other file can have the same inode
/// number.
#[derive(Clone)]
pub struct UnixPath(Arc<SocketFile>);

/// The file itself.
pub(super) struct SocketFile {
    path: Arc<PathBuf>,
    identity: Identity,
    /// Whether the file stays because another process listens there, too.
    stays: AtomicBool,
}

/// Device and inode number of a file.
type Identity = (u64, u64);

impl UnixPath {
    /// The file of a socket that another process has made. It stays, since that process may still listen
    /// there.
    ///
    /// # Errors
    /// The file no longer exists.
    pub(super) fn adopt(path: &Path) -> io::Result<UnixPath> {
        let (identity, stays) = (identity(path)?, AtomicBool::new(true));
        Ok(UnixPath(Arc::new(SocketFile { path: Arc::new(path.to_owned()), identity, stays })))
    }

    /// The same file once more, as long as a listener has it.
    pub(super) fn again(file: &Weak<SocketFile>) -> Option<UnixPath> {
        file.upgrade().map(UnixPath)
    }

    /// Moves the file to `path`, in place of another process's socket.
    ///
    /// # Errors
    /// There is something other than a socket at the path, or a system error occurred. The file is unchanged.
    pub fn replace(&mut self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path).is_ok_and(|found| !found.file_type().is_socket()) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "a file that is no socket is there"));
        }
        let file =
            Arc::get_mut(&mut self.0).ok_or_else(|| io::Error::other("several listeners have the file"))?;
        fs::rename(&*file.path, path)?;
        file.path = Arc::new(path.to_owned());
        Ok(())
    }

    /// Leaves the file where it is when this is dropped.
    pub fn leave(&self) {
        self.0.set_stays(true);
    }

    pub(super) fn file(&self) -> Weak<SocketFile> {
        Arc::downgrade(&self.0)
    }

    pub fn path(&self) -> &Arc<PathBuf> {
        &self.0.path
    }
}

impl SocketFile {
    /// Whether the file stays where it is when its last listener is dropped.
    pub fn set_stays(&self, stays: bool) {
        self.stays.store(stays, Relaxed);
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if !self.stays.load(Relaxed) && identity(&self.path).is_ok_and(|found| found == self.identity) {
            let _ = fs::remove_file(&*self.path);
        }
    }
}

/// Listens at `path`, replacing a socket on which no process listens.
///
/// # Errors
/// `AddrInUse` if another file exists there; otherwise the system's error.
pub fn bind(path: &Path) -> io::Result<(UnixPath, UnixListener)> {
    if let Some(file) = abandoned(path)
        && identity(path)? == file
    {
        fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    let (identity, stays) = (identity(path)?, AtomicBool::new(false));
    listener.set_nonblocking(true)?;
    Ok((UnixPath(Arc::new(SocketFile { path: Arc::new(path.to_owned()), identity, stays })), listener))
}

/// The socket at `path`, if no process listens on it.
fn abandoned(path: &Path) -> Option<Identity> {
    use socket2::{Domain, SockAddr, Socket, Type};
    let found = fs::symlink_metadata(path).ok().filter(|found| found.file_type().is_socket())?;
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None).ok()?;
    // A process that listens but does not accept counts as listening, and is not waited for.
    socket.set_nonblocking(true).ok()?;
    let refused =
        socket.connect(&SockAddr::unix(path).ok()?).err()?.kind() == io::ErrorKind::ConnectionRefused;
    refused.then(|| (found.dev(), found.ino()))
}

/// The identity of the file at `path` itself, not of a link's target.
fn identity(path: &Path) -> io::Result<Identity> {
    let found = fs::symlink_metadata(path)?;
    Ok((found.dev(), found.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Listener;
    use std::os::unix::net::{UnixDatagram, UnixStream};

    /// A path for one test in a temporary folder.
    struct Place(PathBuf);

    impl Place {
        fn new(test: &str) -> Place {
            let folder = std::env::temp_dir().join(format!("polywire-unix-{test}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder");
            Place(folder.join("socket"))
        }
    }
    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(self.0.parent().expect("a folder"));
        }
    }

    #[track_caller]
    fn is_in_use(path: &Path) {
        assert_eq!(bind(path).err().map(|error| error.kind()), Some(io::ErrorKind::AddrInUse));
        assert!(fs::symlink_metadata(path).is_ok(), "what lies there was removed");
    }

    #[test]
    fn a_socket_that_nobody_listens_on_is_replaced() {
        let place = Place::new("left");
        drop(UnixListener::bind(&place.0).expect("free"));
        let (_path, _listener) = bind(&place.0).expect("its owner is gone");
        UnixStream::connect(&place.0).expect("ours");
    }

    #[test]
    fn what_is_no_abandoned_socket_is_not_removed() {
        let place = Place::new("other");
        fs::write(&place.0, "precious").expect("a file");
        is_in_use(&place.0);
        assert_eq!(fs::read(&place.0).expect("still there"), b"precious");
        fs::remove_file(&place.0).expect("ours");

        std::os::unix::fs::symlink("nowhere", &place.0).expect("a link");
        is_in_use(&place.0);
        fs::remove_file(&place.0).expect("ours");

        // connecting fails although the socket is in use
        let _datagrams = UnixDatagram::bind(&place.0).expect("free");
        is_in_use(&place.0);
        fs::remove_file(&place.0).expect("ours");

        let (_path, _listener) = bind(&place.0).expect("free");
        is_in_use(&place.0);
    }

    #[test]
    fn a_listener_that_accepts_nothing_is_neither_replaced_nor_waited_for() {
        let place = Place::new("full");
        let listener =
            socket2::Socket::new(socket2::Domain::UNIX, socket2::Type::STREAM, None).expect("a socket");
        listener.bind(&socket2::SockAddr::unix(&place.0).expect("short")).expect("free");
        listener.listen(0).expect("listening");
        let _waits = UnixStream::connect(&place.0).expect("fills the queue");
        is_in_use(&place.0);
    }

    #[test]
    fn at_its_end_a_listener_removes_its_own_file_and_no_other() {
        let place = Place::new("end");
        drop(bind(&place.0).expect("free"));
        assert!(!place.0.exists());
        let first = bind(&place.0).expect("free");
        fs::remove_file(&place.0).expect("somebody removes it");
        let second = bind(&place.0).expect("and listens there");
        drop(first);
        UnixStream::connect(&place.0).expect("the second one's");
        drop(second);
        assert!(!place.0.exists());
    }

    #[test]
    fn a_file_of_several_listeners_goes_with_the_last_of_them() {
        let place = Place::new("several");
        let (path, listener) = bind(&place.0).expect("free");
        let first = Listener::Unix(path, listener);
        let handle = first.handle().expect("a descriptor");
        let second = handle.listener().expect("a descriptor");
        drop(first);
        UnixStream::connect(&place.0).expect("the second one's");
        drop(second);
        assert!(!place.0.exists());
        assert!(handle.listener().is_err(), "nobody could connect to it");
    }

    #[test]
    fn a_file_that_has_moved_is_removed_where_it_is() {
        let place = Place::new("moved");
        let _before = UnixListener::bind(&place.0).expect("free");
        let next = place.0.with_extension("next");
        let (mut path, listener) = bind(&next).expect("free");
        path.replace(&place.0).expect("a socket is there");
        assert!(!next.exists());
        UnixStream::connect(&place.0).expect("the one that has moved");
        listener.accept().expect("it has the connection");
        drop(path);
        assert!(!place.0.exists());

        fs::write(&place.0, "precious").expect("a file");
        let (mut path, _listener) = bind(&next).expect("free");
        assert!(path.replace(&place.0).is_err());
        assert_eq!(fs::read(&place.0).expect("still there"), b"precious");
    }
}

//! File descriptors from other processes: inherited ones, and those received over a Unix socket.

use std::{
    io,
    mem::MaybeUninit,
    os::{
        fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
        unix::net::UnixStream,
    },
};

/// The maximum number of descriptors in one message; Linux allows 253.
pub const MOST: usize = 64;

/// The user whose rights this process has (`geteuid`).
pub fn user() -> u32 {
    // SAFETY: it has no arguments and cannot fail.
    unsafe { libc::geteuid() }
}

/// The user of the process at the other end (`SO_PEERCRED`): of the listening process, if this end has
/// connected.
///
/// # Errors
/// The system's error.
pub fn peer_user(socket: &UnixStream) -> io::Result<u32> {
    let mut peer = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: `peer` has `length` bytes, of which any value is valid; the descriptor is open as long as
    // `socket` lives.
    let got = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &raw mut length,
        )
    };
    if got == 0 { Ok(peer.uid) } else { Err(io::Error::last_os_error()) }
}

/// A duplicate of a descriptor that this process has inherited, by its number. The number itself stays open,
/// but the programs that this process starts do not inherit it.
///
/// # Errors
/// No descriptor has this number, or the process has no room for one more.
pub fn inherited(number: RawFd) -> io::Result<OwnedFd> {
    if number < 0 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: the number is not -1. It is used for one system call, `fcntl(F_DUPFD_CLOEXEC)`, which says
    // EBADF if no descriptor has it; nothing is read, written or closed by it.
    let inherited = unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned()?;
    // SAFETY: it sets a flag of a descriptor, the only one there is, and touches no memory.
    if unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(inherited)
}

const INT: usize = size_of::<libc::c_int>();

/// Space for a control message with this many descriptors (CMSG_SPACE).
const fn space(descriptors: usize) -> usize {
    HEAD + (descriptors * INT).next_multiple_of(size_of::<usize>())
}

/// Bytes of the head of a control message, which is aligned like its first field.
const HEAD: usize = size_of::<libc::cmsghdr>().next_multiple_of(size_of::<usize>());

/// Sends `text` and these descriptors, in one message.
///
/// # Errors
/// The system's error; there are more than [`MOST`], or the socket took a part of the text.
pub fn send(socket: &UnixStream, text: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    if descriptors.len() > MOST {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "too many descriptors"));
    }
    // `cmsghdr`: its length as `size_t` (`socklen_t` on other systems), level, type, then the descriptors
    let mut control = Vec::with_capacity(space(descriptors.len()));
    let length = HEAD + descriptors.len() * INT;
    control.extend_from_slice(&length.to_ne_bytes());
    control.extend_from_slice(&libc::SOL_SOCKET.to_ne_bytes());
    control.extend_from_slice(&libc::SCM_RIGHTS.to_ne_bytes());
    control.resize(HEAD, 0);
    descriptors.iter().for_each(|d| control.extend_from_slice(&d.as_raw_fd().to_ne_bytes()));
    control.resize(space(descriptors.len()), 0);
    let slices = [io::IoSlice::new(text)];
    let message = socket2::MsgHdr::new().with_buffers(&slices);
    let message = if descriptors.is_empty() { message } else { message.with_control(&control) };
    let sent = socket2::SockRef::from(socket).sendmsg(&message, 0)?;
    if sent == text.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// Receives one message of [`send`]. Returns the length of its text; its descriptors are appended to
/// `descriptors`.
///
/// Of more than [`MOST`] descriptors the system closes the surplus.
///
/// # Errors
/// The system's error.
pub fn receive(socket: &UnixStream, text: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> io::Result<usize> {
    let mut control = [MaybeUninit::<u8>::new(0); space(MOST)];
    let n = text.len();
    let mut received = vec![MaybeUninit::new(0u8); n];
    let (read, length) = {
        let mut slices = [socket2::MaybeUninitSlice::new(&mut received)];
        let mut message = socket2::MsgHdrMut::new().with_buffers(&mut slices).with_control(&mut control);
        let read = socket2::SockRef::from(socket).recvmsg(&mut message, libc::MSG_CMSG_CLOEXEC)?;
        (read, message.control_len())
    };
    // SAFETY: every byte of both was initialised with 0, and the system writes bytes.
    let byte = |byte: &MaybeUninit<u8>| unsafe { byte.assume_init() };
    for (to, from) in text.iter_mut().zip(&received[..read]) {
        *to = byte(from);
    }
    let control: Vec<u8> = control[..length.min(control.len())].iter().map(byte).collect();
    take(&control, descriptors);
    Ok(read)
}

/// Takes the descriptors of all control messages.
fn take(mut control: &[u8], into: &mut Vec<OwnedFd>) {
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, libc::c_int::from_ne_bytes);
    while control.len() >= HEAD {
        let (length, rest) = control.split_at(size_of::<usize>());
        let length = length.try_into().map_or(0, usize::from_ne_bytes);
        if !(HEAD..=control.len()).contains(&length) {
            return;
        }
        if (word(&rest[..INT]), word(&rest[INT..2 * INT])) == (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
            for number in control[HEAD..length].chunks_exact(INT).map(word) {
                // SAFETY: the system has made this descriptor for this process in the `recvmsg` that filled
                // `control`, which is looked through once: nothing else owns it.
                into.push(unsafe { OwnedFd::from_raw_fd(number) });
            }
        }
        control = &control[length.next_multiple_of(size_of::<usize>()).min(control.len())..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Write},
        os::fd::AsFd,
    };

    #[test]
    fn descriptors_go_from_one_socket_to_the_other() {
        let (one, other) = UnixStream::pair().expect("sockets");
        for many in [0, 1, 2, 3, MOST] {
            let pairs: Vec<_> = (0..many).map(|_| UnixStream::pair().expect("sockets")).collect();
            let theirs: Vec<_> = pairs.iter().map(|(theirs, _)| theirs.as_fd()).collect();
            send(&one, b"text", &theirs).expect("there is room");
            let (mut text, mut got) = ([0; 9], Vec::new());
            assert_eq!(receive(&other, &mut text, &mut got).expect("it is there"), 4);
            assert_eq!((&text[..4], got.len()), (&b"text"[..], many));
            for (got, (_, ours)) in got.into_iter().zip(&pairs) {
                UnixStream::from(got).write_all(b"x").expect("it is open");
                let mut byte = [0];
                (&*ours).read_exact(&mut byte).expect("the same socket");
            }
        }
        let all = vec![one.as_fd(); MOST + 1];
        assert!(send(&one, b"text", &all).is_err());
    }

    #[test]
    fn numbers_of_no_descriptor_are_errors() {
        assert!(inherited(-1).is_err() && inherited(i32::MAX).is_err());
        let (one, _other) = UnixStream::pair().expect("sockets");
        assert!(inherited(one.as_raw_fd()).is_ok());
    }

    #[test]
    fn programs_that_this_process_starts_do_not_inherit_what_it_has_inherited() {
        let (one, _other) = UnixStream::pair().expect("sockets");
        let number = one.as_raw_fd();
        // SAFETY: as systemd leaves it; the descriptor is open.
        assert_eq!(unsafe { libc::fcntl(number, libc::F_SETFD, 0) }, 0);
        let own = inherited(number).expect("it is open");
        for number in [number, own.as_raw_fd()] {
            let script = format!("test ! -e /proc/self/fd/{number}");
            let status = std::process::Command::new("sh").args(["-c", &script]).status().expect("a shell");
            assert!(status.success(), "{number} is open there");
        }
    }

    #[test]
    fn the_user_at_the_other_end_is_known() {
        let (one, _other) = UnixStream::pair().expect("sockets");
        assert_eq!(peer_user(&one).expect("it is connected"), user());
    }
}

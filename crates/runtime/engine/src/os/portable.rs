//! For systems without these facilities: handlers have the priority of shards, and wall time is used in place
//! of CPU time.

use std::time::Duration;

pub fn set_nice(_nice: i32) {}

pub fn set_idle() {}

pub fn set_slice(_slice: Duration) {}

pub fn pin_thread(_cpu: usize) {}

pub fn thread_cpu_time() -> Duration {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The system's number of the calling thread, which is not known here: always 0.
pub fn thread_number() -> i32 {
    0
}

/// No flags: a send may wait here.
pub const SEND_NOW: i32 = 0;
pub const RECEIVE_NOW: i32 = 0;

/// Returns at once; the caller tries again.
pub fn wait_writable<T>(socket: &T, limit: Duration) -> std::io::Result<()> {
    wait_readable_or_writable(socket, limit)
}

/// Returns at once; the caller tries again.
pub fn wait_readable_or_writable<T>(_socket: &T, limit: Duration) -> std::io::Result<()> {
    std::thread::sleep(limit.min(Duration::from_millis(1)));
    Ok(())
}

/// What the kernel knows of a TCP connection, which cannot be asked here: always `None`.
pub fn tcp_info<T>(_socket: &T) -> Option<super::TcpInfo> {
    None
}

/// Unknown on these systems: always zero.
pub fn process_cpu_time() -> Duration {
    Duration::ZERO
}

/// Descriptors cannot be received from other processes here.
pub mod descriptors {
    use std::{
        io,
        os::{
            fd::{BorrowedFd, OwnedFd, RawFd},
            unix::net::UnixStream,
        },
    };

    pub const MOST: usize = 0;

    pub fn user() -> u32 {
        u32::MAX
    }

    pub fn peer_user(_: &UnixStream) -> io::Result<u32> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn inherited(_number: RawFd) -> io::Result<OwnedFd> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn send(_: &UnixStream, _text: &[u8], _descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn receive(_: &UnixStream, _text: &mut [u8], _: &mut Vec<OwnedFd>) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Does nothing, since the allocator is unknown.
pub fn trim_heap() {}

//! Linux: nice values and time slices per thread, processor affinity, CPU time of threads and of the process.

use std::{io, os::fd::AsRawFd, time::Duration};

/// Sets the nice value of the calling thread. On Linux it belongs to the thread, not the process. On failure
/// (no permission to go lower) it stays unchanged.
pub fn set_nice(nice: i32) {
    if nice != 0 {
        // SAFETY: no pointers; `PRIO_PROCESS` with 0 means the calling thread.
        unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) };
    }
}

/// Lets the calling thread run only when a processor is otherwise idle, and yield it at once. On failure
/// nothing changes.
pub fn set_idle() {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the parameters live across the call; 0 is the calling thread.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &parameters) };
}

/// Sets the time slice of the calling thread, 0.1 to 100 ms; zero restores the system's default. A thread
/// with a short slice that wakes on a busy processor need not wait until the running thread has used up its
/// slice of some milliseconds. Since Linux 6.12; an older system ignores it, and threads with another
/// scheduling policy keep it.
///
/// Source: sched_setattr(2), Documentation/scheduler/sched-eevdf.rst.
pub fn set_slice(slice: Duration) {
    /// Version 0 of the structure, which every system knows.
    #[repr(C)]
    #[derive(Default)]
    struct SchedAttr {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        /// Default policy: the slice in nanoseconds.
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    const BYTES: usize = size_of::<SchedAttr>();
    let mut attr = SchedAttr::default();
    // SAFETY: the structure is valid for writing and its size is given; 0 is the calling thread.
    let got = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attr, BYTES, 0) };
    if got != 0 || attr.policy != libc::SCHED_OTHER as u32 {
        return;
    }
    attr.runtime = slice.as_nanos() as u64;
    // SAFETY: the structure is valid and says its size; 0 is the calling thread.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attr, 0) };
}

/// Lets the calling thread run on this processor only. A number that the machine does not have changes
/// nothing.
pub fn pin_thread(cpu: usize) {
    // SAFETY: `cpu_set_t` is a plain bit set for which zero is valid.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    if cpu < libc::CPU_SETSIZE as usize {
        // SAFETY: `cpu` is inside the set.
        unsafe { libc::CPU_SET(cpu, &mut set) };
        // SAFETY: the set lives across the call and its size is given.
        unsafe { libc::sched_setaffinity(0, size_of_val(&set), &set) };
    }
}

/// CPU time that the calling thread has used. This is a system call, for cold paths.
pub fn thread_cpu_time() -> Duration {
    read_clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// The system's number of the calling thread.
pub fn thread_number() -> i32 {
    // SAFETY: has no arguments and cannot fail.
    unsafe { libc::gettid() }
}

/// CPU time that all threads of the process have used, including those that have ended.
pub fn process_cpu_time() -> Duration {
    read_clock(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// `None` if the socket is not a TCP socket.
pub fn tcp_info(socket: &impl AsRawFd) -> Option<super::TcpInfo> {
    /// `TCP_ESTABLISHED` of the kernel's states.
    const ESTABLISHED: u8 = 1;
    // SAFETY: all bytes zero is a value of this structure of integers.
    let mut info: libc::tcp_info = unsafe { std::mem::zeroed() };
    let mut bytes = size_of_val(&info) as libc::socklen_t; // some hundred
    let fd = socket.as_raw_fd();
    let into = (&raw mut info).cast();
    // SAFETY: `info` is valid for writing `bytes` bytes, of which the kernel writes at most so many.
    let got = unsafe { libc::getsockopt(fd, libc::IPPROTO_TCP, libc::TCP_INFO, into, &raw mut bytes) };
    let micros = |us: u32| Duration::from_micros(us.into());
    (got == 0).then(|| super::TcpInfo {
        rtt: micros(info.tcpi_rtt),
        rtt_variance: micros(info.tcpi_rttvar),
        retransmits: info.tcpi_total_retrans,
        window: info.tcpi_snd_cwnd,
        unacknowledged: info.tcpi_unacked,
        segment: info.tcpi_snd_mss,
        established: info.tcpi_state == ESTABLISHED,
    })
}

fn read_clock(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writing.
    unsafe { libc::clock_gettime(clock, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Flags of a send that does not wait and raises no signal.
pub const SEND_NOW: i32 = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
/// Flags of a receive that does not wait.
pub const RECEIVE_NOW: i32 = libc::MSG_DONTWAIT;

/// Waits until `socket` can be read or written, or `limit` has passed.
///
/// # Errors
/// The system's error. An interruption by a signal counts as success.
pub fn wait_readable_or_writable(socket: &impl AsRawFd, limit: Duration) -> io::Result<()> {
    wait(socket, libc::POLLIN | libc::POLLOUT, limit)
}

/// Waits until `socket` can be written, or `limit` has passed.
///
/// # Errors
/// The errors of [`wait_readable_or_writable`].
pub fn wait_writable(socket: &impl AsRawFd, limit: Duration) -> io::Result<()> {
    wait(socket, libc::POLLOUT, limit)
}

fn wait(socket: &impl AsRawFd, events: libc::c_short, limit: Duration) -> io::Result<()> {
    let mut entry = libc::pollfd { fd: socket.as_raw_fd(), events, revents: 0 };
    let limit = limit.as_millis().clamp(1, 60_000) as i32;
    // SAFETY: one entry, valid across the call.
    let ready = unsafe { libc::poll(&mut entry, 1, limit) };
    if ready >= 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    if error.kind() == io::ErrorKind::Interrupted { Ok(()) } else { Err(error) }
}

/// Returns the free memory of the C library's allocator to the system; otherwise glibc keeps it below memory
/// that is still in use.
pub fn trim_heap() {
    #[cfg(target_env = "gnu")]
    // SAFETY: `malloc_trim` may be called at any time by any thread, and changes no memory that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}

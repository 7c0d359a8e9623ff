//! Facilities of a single operating system, and a portable substitute for each. `--cfg polywire_portable`
//! selects the substitutes on Linux too, so that CI compiles and tests them.

#[cfg(all(target_os = "linux", not(polywire_portable)))]
pub mod descriptors;
#[cfg(all(target_os = "linux", not(polywire_portable)))]
mod linux;
#[cfg(any(not(target_os = "linux"), polywire_portable))]
mod portable;

#[cfg(all(target_os = "linux", not(polywire_portable)))]
pub use linux::{
    RECEIVE_NOW, SEND_NOW, pin_thread, process_cpu_time, set_idle, set_nice, set_slice, tcp_info,
    thread_cpu_time, thread_number, trim_heap, wait_readable_or_writable, wait_writable,
};
#[cfg(any(not(target_os = "linux"), polywire_portable))]
pub use portable::descriptors;
#[cfg(any(not(target_os = "linux"), polywire_portable))]
pub use portable::{
    RECEIVE_NOW, SEND_NOW, pin_thread, process_cpu_time, set_idle, set_nice, set_slice, tcp_info,
    thread_cpu_time, thread_number, trim_heap, wait_readable_or_writable, wait_writable,
};

/// The system's data about a TCP connection. Linux: `TCP_INFO`.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TcpInfo {
    /// Smoothed time of a round trip, and its variance.
    pub rtt: std::time::Duration,
    pub rtt_variance: std::time::Duration,
    /// Segments that were sent again, since it was opened.
    pub retransmits: u32,
    /// Segments that may be under way at once, and that are.
    pub window: u32,
    pub unacknowledged: u32,
    /// Bytes of the longest segment that is sent.
    pub segment: u32,
    /// Whether the connection is established; otherwise one side has closed it.
    pub established: bool,
}

//! What only one system has, with a portable answer beside it.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;

#[cfg(target_os = "linux")]
pub use linux::{
    RECEIVE_NOW, SEND_NOW, pin_thread, process_cpu_time, set_idle, set_nice, set_slice, thread_cpu_time,
    wait_readable_or_writable, wait_writable,
};
#[cfg(not(target_os = "linux"))]
pub use portable::{
    RECEIVE_NOW, SEND_NOW, pin_thread, process_cpu_time, set_idle, set_nice, set_slice, thread_cpu_time,
    wait_readable_or_writable, wait_writable,
};

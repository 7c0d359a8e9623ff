//! What only one system has, with a portable answer beside it.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;

#[cfg(target_os = "linux")]
pub use linux::{
    SEND_NOW, pin_thread, process_cpu_time, set_nice, thread_cpu_time, wait_readable_or_writable,
};
#[cfg(not(target_os = "linux"))]
pub use portable::{
    SEND_NOW, pin_thread, process_cpu_time, set_nice, thread_cpu_time, wait_readable_or_writable,
};

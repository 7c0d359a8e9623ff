//! What only one system has, with a portable answer beside it.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;

#[cfg(target_os = "linux")]
pub use linux::{pin_thread, set_nice, thread_cpu_time};
#[cfg(not(target_os = "linux"))]
pub use portable::{pin_thread, set_nice, thread_cpu_time};

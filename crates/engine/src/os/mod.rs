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
    RECEIVE_NOW, SEND_NOW, pin_thread, process_cpu_time, set_idle, set_nice, set_slice, thread_cpu_time,
    wait_readable_or_writable, wait_writable,
};
#[cfg(any(not(target_os = "linux"), polywire_portable))]
pub use portable::descriptors;
#[cfg(any(not(target_os = "linux"), polywire_portable))]
pub use portable::{
    RECEIVE_NOW, SEND_NOW, pin_thread, process_cpu_time, set_idle, set_nice, set_slice, thread_cpu_time,
    wait_readable_or_writable, wait_writable,
};

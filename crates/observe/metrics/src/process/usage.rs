//! What a process uses of its machine.

/// Resource usage of this process at one moment; `None` where the system does not provide the figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Seconds of processor time in user code; resolution 10 ms on Linux.
    pub cpu_user_seconds: Option<f64>,
    /// Seconds of processor time in the kernel; resolution 10 ms on Linux.
    pub cpu_system_seconds: Option<f64>,
    pub threads: Option<u64>,
    /// Number of open file descriptors.
    pub fds: Option<u64>,
    /// Bytes of virtual memory.
    pub memory_virtual: Option<u64>,
    /// Bytes in physical memory.
    pub memory_resident: Option<u64>,
    /// Bytes in physical memory that others may share: files and shared memory.
    pub memory_shared: Option<u64>,
    /// The size of the code in bytes.
    pub memory_text: Option<u64>,
    /// Bytes of data and stack.
    pub memory_data_and_stack: Option<u64>,
    /// Page faults served without input since the start.
    pub faults_minor: Option<u64>,
    /// Page faults that waited for input since the start.
    pub faults_major: Option<u64>,
    /// Bytes read by system calls since the start, sockets and files alike.
    pub read_bytes: Option<u64>,
    /// Bytes written by system calls since the start.
    pub written_bytes: Option<u64>,
    pub parent: Option<u64>,
    /// Largest number of file descriptors that may be open.
    pub max_fds: Option<u64>,
    /// Seconds from the beginning of 1970 to the start of the process.
    pub started: Option<f64>,
}

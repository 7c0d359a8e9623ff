//! Takes samples of running threads: a timer of each thread's CPU time, and a signal handler that copies.
//!
//! ```text
//!  timer of a thread's CPU time --SIGPROF, to that thread--> handler: registers + stack, copied into a free slot --> reader
//! ```
//!
//! The handler walks no stack, allocates nothing and takes no lock: unwinding happens later, from the copy,
//! in a normal thread (like `perf record --call-graph dwarf`). It reads the stack through `process_vm_readv`,
//! which stops at unmapped memory where a load would end the process.
//!
//! Invariants: memory that the handler uses is static or never freed, so that a late signal finds it.
//!             The handler stays installed once it was: the default action of SIGPROF ends the process.
//! Limits:     [`STACK`] bytes of a stack; as many slots as [`Slots::new`] says. What finds no free slot is
//!             counted as lost.

use polywire_base::running::method_of;
use std::{
    cell::UnsafeCell,
    io, mem, ptr,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::*},
    },
};

/// Bytes of a stack that are copied, from its top.
pub(super) const STACK: usize = 64 << 10;

const PAGE: usize = 4096;

/// General registers, in the order of [`crate::unwind`].
pub(crate) type Registers = [u64; 17];

const FREE: u8 = 0;
const BUSY: u8 = 1;
const FULL: u8 = 2;

/// Whether the handler takes samples.
static TAKES: AtomicBool = AtomicBool::new(false);
/// The slots, made by the first run and kept.
static SLOTS: OnceLock<Slots> = OnceLock::new();

/// The slots in which the signal handler leaves samples.
pub(super) struct Slots {
    slots: Box<[Slot]>,
    /// The slot at which the next handler begins to look for a free one.
    next: AtomicUsize,
    lost: AtomicU64,
}

struct Slot {
    /// A handler sets `BUSY` and then `FULL`; the reader sets `FREE` again.
    state: AtomicU8,
    /// The sample. It belongs to the handler while `BUSY`, and to the reader while `FULL`.
    taken: UnsafeCell<Taken>,
}

/// A sample as it was taken.
pub(super) struct Taken {
    pub thread: i32,
    /// The method whose handler the thread ran.
    pub method: Option<&'static str>,
    pub registers: Registers,
    /// Bytes of the stack from the stack pointer on.
    pub length: usize,
    pub stack: Box<[u8; STACK]>,
}

// SAFETY: `taken` is used by one side at a time, see `Slot::state`: the exchange to `BUSY` and the store of
// `FREE` hand it over.
unsafe impl Sync for Slots {}

impl Slots {
    /// Eight for each core, 64 to 512: the reader runs fifty times a second, and in that interval each core
    /// takes two samples at 99 a second.
    fn new() -> Slots {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let slot = |_| {
            // Zeroed memory of this size comes from the system and costs nothing until it is written.
            let stack = vec![0_u8; STACK].into_boxed_slice();
            let stack = stack.try_into().unwrap_or_else(|_| unreachable!("it has STACK bytes"));
            let taken = Taken { thread: 0, method: None, registers: [0; 17], length: 0, stack };
            Slot { state: AtomicU8::new(FREE), taken: UnsafeCell::new(taken) }
        };
        let count = (cores * 8).clamp(64, 512);
        Slots { slots: (0..count).map(slot).collect(), next: AtomicUsize::new(0), lost: AtomicU64::new(0) }
    }

    /// Passes each complete sample to `read`.
    pub fn read(&self, mut read: impl FnMut(&Taken)) {
        for slot in &self.slots {
            if slot.state.load(Acquire) == FULL {
                // SAFETY: a full slot is the reader's, and there is one reader: the only run, see `Lease`.
                let taken = unsafe { &mut *slot.taken.get() };
                read(taken);
                taken.stack[..taken.length].fill(0); // what a stack held does not stay
                slot.state.store(FREE, Release);
            }
        }
    }

    /// Samples that found no free slot, since the last call.
    pub fn lost(&self) -> u64 {
        self.lost.swap(0, Relaxed)
    }
}

/// Installs the handler, and lets it take samples until the value is dropped.
pub(super) struct Lease(&'static Slots);

impl Lease {
    /// # Errors
    /// The process has its own handler for SIGPROF, a run is under way, or the system does not let a process
    /// read its own memory.
    pub fn new() -> io::Result<Lease> {
        let slots = SLOTS.get_or_init(Slots::new);
        can_read()?;
        install()?;
        if TAKES.swap(true, AcqRel) {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "a profile is being taken"));
        }
        slots.read(|_| {}); // of handlers that were late the last time
        slots.lost();
        Ok(Lease(slots))
    }

    pub fn slots(&self) -> &'static Slots {
        self.0
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        TAKES.store(false, Release);
    }
}

fn install() -> io::Result<()> {
    // SAFETY: a zeroed sigaction is a valid one.
    let mut before: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: asks, and sets nothing.
    if unsafe { libc::sigaction(libc::SIGPROF, ptr::null(), &mut before) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let ours = handle as *const () as usize;
    if before.sa_sigaction == ours {
        return Ok(());
    }
    if before.sa_sigaction != libc::SIG_DFL && before.sa_sigaction != libc::SIG_IGN {
        let text = "the process has a handler of its own for SIGPROF";
        return Err(io::Error::new(io::ErrorKind::AddrInUse, text));
    }
    // SAFETY: as above.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = ours;
    // The signal's stack where a thread has one (std makes one for each): code on small stacks of its own
    // would overflow.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
    // SAFETY: the handler calls nothing but what POSIX allows in one and system calls, and uses static
    // memory.
    match unsafe { libc::sigaction(libc::SIGPROF, &action, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether the system lets the process read its own memory: some sandboxes do not.
fn can_read() -> io::Result<()> {
    let (from, mut to) = ([1_u8; 16], [0_u8; 16]);
    match copy(from.as_ptr() as usize, &mut to) {
        16 if to == from => Ok(()),
        _ => {
            let text = "the system does not allow process_vm_readv";
            Err(io::Error::new(io::ErrorKind::Unsupported, text))
        }
    }
}

extern "C" fn handle(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    if !TAKES.load(Acquire) {
        return;
    }
    let Some(slots) = SLOTS.get() else { return };
    // SAFETY: the address of this thread's errno, which the interrupted code may be about to read.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    // SAFETY: with SA_SIGINFO the third argument points to the context of the interrupted thread.
    take(slots, unsafe { &*context.cast::<libc::ucontext_t>() });
    // SAFETY: as above.
    unsafe { *errno = before };
}

fn take(slots: &Slots, context: &libc::ucontext_t) {
    let count = slots.slots.len();
    let first = slots.next.fetch_add(1, Relaxed);
    // Few tries: a handler must not take long, and a full table is not going to have room soon.
    let free = (0..4).map(|more| &slots.slots[first.wrapping_add(more) % count]).find(|slot| {
        slot.state.compare_exchange(FREE, BUSY, Acquire, Relaxed).is_ok() // pairs with the release in `read`
    });
    let Some(slot) = free else {
        slots.lost.fetch_add(1, Relaxed);
        return;
    };
    // SAFETY: this handler has made the slot busy, so nobody else uses it.
    let taken = unsafe { &mut *slot.taken.get() };
    taken.registers = registers(context);
    taken.thread = thread_id();
    taken.method = method_of(taken.thread);
    taken.length = copy(taken.registers[crate::unwind::STACK_POINTER] as usize, &mut taken.stack[..]);
    slot.state.store(FULL, Release); // pairs with the acquire in `read`
}

/// The kernel's number of this thread.
pub(super) fn thread_id() -> i32 {
    // SAFETY: has no arguments and cannot fail.
    unsafe { libc::gettid() }
}

/// Copies memory from an address on, as far as it is readable; returns the number of bytes.
fn copy(from: usize, to: &mut [u8]) -> usize {
    // The kernel may leave out a part that is not there whole: parts are pages.
    let mut parts = [libc::iovec { iov_base: ptr::null_mut(), iov_len: 0 }; STACK / PAGE + 1];
    let (mut at, mut left, mut count) = (from, to.len(), 0);
    for part in &mut parts {
        if left == 0 {
            break;
        }
        let length = left.min(PAGE - at % PAGE);
        *part = libc::iovec { iov_base: at as *mut libc::c_void, iov_len: length };
        let Some(next) = at.checked_add(length) else { break };
        (at, left, count) = (next, left - length, count + 1);
    }
    let local = libc::iovec { iov_base: to.as_mut_ptr().cast(), iov_len: to.len() };
    // SAFETY: writes at most `to.len()` bytes to `to`; what it reads is the kernel's to check.
    let copied = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, parts.as_ptr(), count, 0) };
    usize::try_from(copied).unwrap_or(0)
}

#[cfg(target_arch = "x86_64")]
fn registers(context: &libc::ucontext_t) -> Registers {
    use libc::*;
    let all = &context.uc_mcontext.gregs;
    // As framehop numbers them, and the instruction pointer.
    let order = [
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10,
        REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
    ];
    order.map(|register| all[register as usize] as u64)
}

#[cfg(target_arch = "aarch64")]
fn registers(context: &libc::ucontext_t) -> Registers {
    let context = &context.uc_mcontext;
    let mut all = [0; 17];
    all[crate::unwind::STACK_POINTER] = context.sp;
    all[6] = context.regs[29]; // frame pointer
    all[0] = context.regs[30]; // link register
    all[16] = context.pc;
    all
}

/// A timer that sends SIGPROF to a thread each time it has used an interval of CPU time. It ends when
/// dropped.
pub(super) struct Timer(libc::timer_t);

// SAFETY: the kernel's number of a timer, which any thread of the process may use.
unsafe impl Send for Timer {}

impl Timer {
    /// # Errors
    /// The thread has ended, or the process has as many timers as it may (`ulimit -i`).
    pub fn of_thread(thread: i32, nanoseconds: i64) -> io::Result<Timer> {
        // The clock of a thread's CPU time: the kernel's `make_thread_cpuclock(tid, CPUCLOCK_SCHED)`.
        let clock = (!thread << 3) | 6;
        // SAFETY: a zeroed sigevent is a valid one.
        let mut event: libc::sigevent = unsafe { mem::zeroed() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = libc::SIGPROF;
        event.sigev_notify_thread_id = thread;
        let mut timer = ptr::null_mut();
        // SAFETY: both point to values of this function.
        if unsafe { libc::timer_create(clock, &mut event, &mut timer) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let timer = Timer(timer);
        let every = libc::timespec { tv_sec: 0, tv_nsec: nanoseconds };
        let times = libc::itimerspec { it_interval: every, it_value: every };
        // SAFETY: the timer was made above.
        match unsafe { libc::timer_settime(timer.0, 0, &times, ptr::null_mut()) } {
            0 => Ok(timer),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: the timer was made by `of_thread`, and is deleted once.
        unsafe { libc::timer_delete(self.0) };
    }
}

//! The threads of this process.

use std::time::Duration;

/// A thread of this process at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thread {
    /// The system's number of the thread, which debuggers and `top -H` show.
    pub id: u64,
    /// The thread's name, of which Linux keeps 15 bytes.
    pub name: String,
    /// The thread's state in the system's notation: `R` runs or is runnable, `S` sleeps until an event, `D`
    /// waits for a device.
    pub state: char,
    /// The processor time of the thread.
    pub cpu: Duration,
    /// The time in which the thread was runnable and had no processor.
    pub waited: Duration,
}

#[cfg(all(test, target_os = "linux", not(polywire_portable)))]
mod tests {
    use super::*;
    use std::{sync::mpsc, thread};

    #[test]
    fn threads_have_their_names_and_times() {
        let (leave, wait) = mpsc::channel::<()>();
        let idle = thread::Builder::new()
            .name("idle (one) 7".to_owned())
            .spawn(move || wait.recv())
            .expect("a thread");
        let busy = thread::Builder::new().name("busy".to_owned()).spawn(|| {
            let named = |name: &str| Thread::all(1000).into_iter().find(|thread| thread.name == name);
            let begun = named("busy").expect("it is there").cpu;
            while named("busy").expect("it is there").cpu < begun + Duration::from_millis(20) {}
            named("idle (one) 7").expect("it is there, too")
        });
        let found = busy.expect("a thread").join().expect("it ends");
        assert_eq!(found.state, 'S');
        assert!(found.cpu < Duration::from_millis(20), "{found:?}");
        assert_eq!(Thread::all(1).len(), 1);
        drop(leave);
        let _ = idle.join();
    }
}

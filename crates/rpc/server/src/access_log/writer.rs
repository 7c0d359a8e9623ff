//! The queue of records, and the thread that writes them.

use super::{format::LogFormat, record::Record};
use polywire_base::{LineGate, caught};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};
use tokio::sync::oneshot;

pub(super) type Output = Box<dyn io::Write + Send>;
/// Opens the file again.
pub(super) type Open = Box<dyn Fn() -> io::Result<Output> + Send>;

/// Bytes that are gathered before a write.
const BATCH: usize = 64 << 10;
/// How long a pipe that is full is waited for, and how often it is tried meanwhile.
const PATIENCE: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(1);

pub(super) struct Queue {
    sender: SyncSender<Item>,
    counts: Arc<Counts>,
}

enum Item {
    Record(Box<Record>),
    /// To be answered when all before it are written.
    Mark(oneshot::Sender<()>),
}

#[derive(Default)]
struct Counts {
    dropped: AtomicU64,
    reopen: AtomicBool,
}

impl Queue {
    pub fn start(most: usize, format: LogFormat, output: Output, open: Option<Open>) -> io::Result<Queue> {
        let (sender, receiver) = sync_channel(most);
        let counts = Arc::new(Counts::default());
        let writer = Writer {
            format,
            output,
            open,
            counts: counts.clone(),
            lines: String::new(),
            records: 0,
            told_dropped: 0,
            torn: false,
            gate: LineGate::one_in(60),
        };
        // It ends with the last sender.
        thread::Builder::new().name("polywire-access".into()).spawn(move || writer.run(&receiver))?;
        Ok(Queue { sender, counts })
    }

    /// Hands a record to the thread that writes; counts it as dropped where the queue is full.
    pub fn push(&self, record: Record) {
        if self.sender.try_send(Item::Record(Box::new(record))).is_err() {
            self.counts.dropped.fetch_add(1, Relaxed);
        }
    }

    pub fn dropped(&self) -> u64 {
        self.counts.dropped.load(Relaxed)
    }

    pub fn dropped_later(&self) -> impl Fn() -> u64 + Send + Sync + use<> {
        let counts = self.counts.clone();
        move || counts.dropped.load(Relaxed)
    }

    pub fn reopen(&self) {
        self.counts.reopen.store(true, Relaxed);
    }

    /// Resolves when everything is written that was pushed before. `None`: the queue is full.
    pub fn mark(&self) -> Option<oneshot::Receiver<()>> {
        let (told, written) = oneshot::channel();
        self.sender.try_send(Item::Mark(told)).ok()?;
        Some(written)
    }
}

struct Writer {
    format: LogFormat,
    output: Output,
    open: Option<Open>,
    counts: Arc<Counts>,
    /// Lines that are not written, and of how many records.
    lines: String,
    records: u64,
    /// What of the dropped has a line.
    told_dropped: u64,
    /// Whether the last write ended within a line.
    torn: bool,
    /// Of lines about failures.
    gate: LineGate,
}

impl Writer {
    fn run(mut self, receiver: &Receiver<Item>) {
        while let Ok(item) = receiver.recv() {
            let mut next = Some(item);
            while let Some(item) = next {
                match item {
                    Item::Record(record) => {
                        self.format.put(&mut self.lines, &record);
                        self.records += 1;
                    }
                    Item::Mark(told) => {
                        self.write();
                        let _ = told.send(()); // it may not wait any more
                    }
                }
                if self.lines.len() >= BATCH {
                    self.write();
                }
                next = receiver.try_recv().ok();
            }
            self.write();
        }
    }

    fn write(&mut self) {
        if self.counts.reopen.swap(false, Relaxed)
            && let Some(open) = &self.open
        {
            match open() {
                Ok(output) => (self.output, self.torn) = (output, false),
                Err(error) => {
                    self.counts.reopen.store(true, Relaxed); // at the next line
                    self.tell("the access log cannot be opened again", &error);
                }
            }
        }
        if self.lines.is_empty() {
            return;
        }
        let dropped = self.counts.dropped.load(Relaxed);
        let mut before = String::new();
        if self.torn {
            before.push('\n');
        }
        if dropped > self.told_dropped {
            self.format.put_dropped(&mut before, dropped - self.told_dropped);
        }
        self.lines.insert_str(0, &before);
        // An application's: its panic must not end the log.
        let written = caught(|| write_all(&mut self.output, self.lines.as_bytes()));
        match written.unwrap_or_else(|text| Err((0, io::Error::other(format!("it has panicked: {text}"))))) {
            Ok(()) => (self.torn, self.told_dropped) = (false, dropped),
            Err((written, error)) => {
                self.torn = match written {
                    0 => self.torn,
                    n => self.lines.as_bytes()[n - 1] != b'\n',
                };
                self.counts.dropped.fetch_add(self.records, Relaxed);
                self.tell("the access log cannot be written: its lines are dropped", &error);
            }
        }
        self.lines.clear();
        self.records = 0;
    }

    fn tell(&mut self, what: &str, error: &io::Error) {
        if self.gate.pass().is_some() {
            tracing::warn!(%error, dropped = self.counts.dropped.load(Relaxed), "{what}");
        }
    }
}

/// Writes everything, or says how much was written.
fn write_all(output: &mut Output, mut bytes: &[u8]) -> Result<(), (usize, io::Error)> {
    let all = bytes.len();
    let mut waited = Duration::ZERO;
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(0) => return Err((all - bytes.len(), io::ErrorKind::WriteZero.into())),
            Ok(n) => (bytes, waited) = (&bytes[n..], Duration::ZERO),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && waited < PATIENCE => {
                thread::sleep(LOOK);
                waited += LOOK;
            }
            Err(error) => return Err((all - bytes.len(), error)),
        }
    }
    output.flush().map_err(|error| (all, error))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use polywire_call::Code;
    use polywire_engine::Peer;
    use std::sync::{Mutex, mpsc};
    use std::time::{Instant, UNIX_EPOCH};

    pub fn record(method: &'static str) -> Record {
        Record {
            at: UNIX_EPOCH,
            peer: Peer::Memory("test".into()),
            identity: String::new(),
            protocol: "lab",
            service: "s".into(),
            method: method.into(),
            verb: String::new(),
            path: String::new(),
            referer: String::new(),
            agent: String::new(),
            code: Code::Ok,
            status: None,
            bytes_in: Some(0),
            bytes_out: Some(0),
            took: Duration::ZERO,
            passed_on: None,
        }
    }

    fn line(method: &str) -> String {
        format!("memory:test - - [01/Jan/1970:00:00:00 +0000] \"CALL /s/{method} lab\" 200 0\n")
    }

    fn written(queue: &Queue) {
        queue.mark().expect("room").blocking_recv().expect("it is written");
    }

    /// A disk with this much room, which can be given more.
    #[derive(Clone, Default)]
    struct Disk(Arc<Mutex<(Vec<u8>, usize)>>);
    impl io::Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let (written, room) = &mut *self.0.lock().expect("no panic");
            match bytes.len().min(*room) {
                0 => Err(io::Error::from_raw_os_error(28)), // ENOSPC
                n => {
                    *room -= n;
                    written.extend(&bytes[..n]);
                    Ok(n)
                }
            }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_costs_lines_that_are_counted_and_never_half_of_a_later_one() {
        let disk = Disk::default();
        disk.0.lock().unwrap().1 = line("a").len() + 10;
        let queue = Queue::start(100, LogFormat::Common, Box::new(disk.clone()), None).unwrap();
        for method in ["a", "b", "c"] {
            queue.push(record(method));
            written(&queue);
        }
        assert_eq!(queue.dropped(), 2);
        disk.0.lock().unwrap().1 = usize::MAX;
        queue.push(record("d"));
        written(&queue);
        let text = String::from_utf8(disk.0.lock().unwrap().0.clone()).unwrap();
        let expected = format!("{}{}\n# 2 calls have no line\n{}", line("a"), &line("b")[..10], line("d"));
        assert_eq!(text, expected);
    }

    /// Panics in its first write.
    struct Panics(bool, Disk);
    impl io::Write for Panics {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            assert!(std::mem::replace(&mut self.0, true), "of the application");
            self.1.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_writer_that_panics_costs_the_lines_of_that_write_which_are_counted() {
        let disk = Disk::default();
        disk.0.lock().unwrap().1 = usize::MAX;
        let output = Panics(false, disk.clone());
        let queue = Queue::start(100, LogFormat::Common, Box::new(output), None).unwrap();
        for method in ["a", "b"] {
            queue.push(record(method));
            written(&queue);
        }
        assert_eq!(queue.dropped(), 1);
        let text = String::from_utf8(disk.0.lock().unwrap().0.clone()).unwrap();
        assert_eq!(text, format!("# 1 calls have no line\n{}", line("b")));
    }

    /// A pipe whose reader does not read until it is told to.
    struct Pipe(mpsc::Receiver<()>, Disk);
    impl io::Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            self.1.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_pipe_that_nobody_reads_holds_up_no_call_and_no_memory() {
        let (read, waits) = mpsc::channel();
        let disk = Disk::default();
        disk.0.lock().unwrap().1 = usize::MAX;
        let queue = Queue::start(8, LogFormat::Json, Box::new(Pipe(waits, disk.clone())), None).unwrap();
        let began = Instant::now();
        (0..10_000).for_each(|_| queue.push(record("a")));
        assert!(began.elapsed() < Duration::from_secs(5));
        let dropped = queue.dropped();
        assert!((9_000..10_000).contains(&dropped), "{dropped}");
        drop(read); // from here on it reads
        while queue.mark().map(|mark| mark.blocking_recv()).is_none() {
            thread::yield_now();
        }
        queue.push(record("b"));
        written(&queue);
        let text = String::from_utf8(disk.0.lock().unwrap().0.clone()).unwrap();
        let lines = text.lines().filter(|line| line.contains("\"method\"")).count() as u64;
        assert_eq!(lines + queue.dropped(), 10_001);
        let told: u64 = text
            .lines()
            .filter_map(|line| line.strip_prefix("{\"dropped\":")?.strip_suffix('}')?.parse::<u64>().ok())
            .sum();
        assert_eq!(told, queue.dropped(), "{told}");
    }
}

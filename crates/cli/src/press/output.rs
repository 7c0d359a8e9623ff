//! Writes replies to a file, one per line.
//!
//! A separate thread decodes and writes. The queue to it is limited: when it is slower than the arrival of
//! replies, callers wait for it. So this is for looking at replies, not for measuring.

use crate::{failure::Failure, request::Subject};
use polywire::{Raw, Reply};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    sync::Arc,
    thread,
};
use tokio::sync::mpsc;

/// Length of the queue to the writer.
const QUEUE: usize = 1024;

/// The file being written.
pub struct Output {
    pub replies: mpsc::Sender<Reply<Raw>>,
    writer: thread::JoinHandle<std::io::Result<()>>,
}

impl Output {
    /// Creates the file and starts the thread.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path, subject: &Arc<dyn Subject>) -> Result<Output, Failure> {
        let file = File::create(path)
            .map_err(|error| Failure::usage(format!("--output {}: {error}", path.display())))?;
        let (replies, queue) = mpsc::channel(QUEUE);
        let subject = subject.clone();
        let writer = thread::Builder::new()
            .name("press-output".into())
            .spawn(move || write(file, &*subject, queue))?;
        Ok(Output { replies, writer })
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    /// The system's error of a failed write.
    pub fn finish(self) -> Result<(), Failure> {
        drop(self.replies);
        match self.writer.join() {
            Ok(written) => {
                written.map_err(|error| Failure::failed(format!("--output was not written: {error}")))
            }
            Err(_) => Err(Failure::failed("--output was not written: its thread panicked")),
        }
    }
}

fn write(file: File, subject: &dyn Subject, mut queue: mpsc::Receiver<Reply<Raw>>) -> std::io::Result<()> {
    let mut file = BufWriter::new(file);
    while let Some(reply) = queue.blocking_recv() {
        let text = subject.reply(reply.into_message()).unwrap_or_else(|error| format!("# {error}"));
        writeln!(file, "{text}")?;
    }
    file.flush()
}

//! Files that a log is written to, and pipes with a name (FIFO).
//!
//! Opening a pipe waits until somebody has it open to read, and writing to it waits while it is full. Both
//! would hold the writing thread for as long as a stranger likes, SIGHUP or not. So it is opened with
//! `O_NONBLOCK`, which files on disks take no notice of: without a reader that fails with `ENXIO`, and a full
//! pipe with `EAGAIN`, see `writer.rs`.

use super::writer::Output;
use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::Path,
};

/// Opens it to append, without waiting.
pub(super) fn open(path: &Path) -> io::Result<Output> {
    let mut options = OpenOptions::new();
    let file =
        options.append(true).create(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    Ok(Box::new(file))
}

/// What a log begins with whose file cannot be opened with this error: a pipe may have a reader later.
///
/// # Errors
/// The error, if it is no such pipe.
pub(super) fn unread(path: &Path, error: io::Error) -> io::Result<Output> {
    let is_pipe = || fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
    match error.raw_os_error() {
        Some(libc::ENXIO) if is_pipe() => Ok(Box::new(Unread)),
        _ => Err(error),
    }
}

/// A pipe that could not be opened yet.
struct Unread;

impl io::Write for Unread {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::BrokenPipe, "nobody reads the pipe"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::writer::tests::record, *};
    use crate::{AccessLog, LogFormat};
    use std::{
        fs::File,
        io::Read,
        path::PathBuf,
        process::Command,
        time::{Duration, Instant},
    };

    /// A path in a folder of its own, which is removed at the end.
    struct Place(PathBuf);
    impl Place {
        fn new(name: &str) -> Place {
            let folder = std::env::temp_dir().join(format!("polywire-access-{}-{name}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder");
            Place(folder.join("log"))
        }

        fn pipe(&self) {
            assert!(Command::new("mkfifo").arg(&self.0).status().expect("it runs").success());
        }

        fn log(&self) -> AccessLog {
            AccessLog::builder(LogFormat::Common).file(&self.0).expect("a log")
        }

        /// Opens the pipe to read, without waiting for a writer.
        fn reader(&self) -> File {
            OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&self.0).expect("a pipe")
        }
    }
    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(self.0.parent().expect("a folder")); // of a failed test
        }
    }

    /// Logs a call; returns when it is written or dropped.
    fn call(log: &AccessLog, method: &'static str) {
        log.queue.push(record(method));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        assert!(runtime.block_on(log.flushed(Duration::from_secs(20))), "the thread hangs");
    }

    fn read(from: &mut File) -> String {
        let (mut all, mut some) = (Vec::new(), [0; 4096]);
        while let Ok(n @ 1..) = from.read(&mut some) {
            all.extend(&some[..n]);
        }
        String::from_utf8(all).expect("text")
    }

    #[test]
    fn a_pipe_without_a_reader_costs_lines_until_there_is_one() {
        let place = Place::new("unread");
        place.pipe();
        let log = place.log();
        call(&log, "a");
        assert_eq!(log.dropped(), 1);
        let mut reader = place.reader();
        call(&log, "b");
        let text = read(&mut reader);
        assert!(text.starts_with("# 1 calls have no line\n") && text.contains("/s/b lab"), "{text}");
        drop(reader);
        call(&log, "c");
        assert_eq!(log.dropped(), 2);
        let mut reader = place.reader();
        call(&log, "d");
        let text = read(&mut reader);
        assert!(text.contains("# 1 calls") && text.contains("/s/d lab"), "{text}");
    }

    #[test]
    fn a_pipe_in_place_of_the_file_holds_up_nothing_when_that_is_opened_anew() {
        let place = Place::new("replaced");
        let log = place.log();
        let before = place.0.with_extension("1");
        fs::rename(&place.0, &before).expect("a file");
        place.pipe();
        log.reopen();
        call(&log, "a");
        let text = fs::read_to_string(&before).expect("the file before");
        assert!(text.contains("/s/a lab"), "{text}");
        let mut reader = place.reader();
        call(&log, "b");
        let text = read(&mut reader);
        assert!(text.contains("/s/b lab") && !text.contains("/s/a lab"), "{text}");
        assert_eq!(log.dropped(), 0);
    }

    #[test]
    fn a_pipe_that_is_full_is_waited_for_a_second_and_its_lines_are_whole_again_later() {
        let place = Place::new("full");
        place.pipe();
        let mut reader = place.reader();
        let log = place.log();
        (0..2000).for_each(|_| log.queue.push(record("many")));
        let began = Instant::now();
        call(&log, "last");
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        let dropped = log.dropped();
        assert!(dropped > 0);
        let before = read(&mut reader).matches('\n').count() as u64;
        call(&log, "later");
        let text = read(&mut reader);
        let mut lines = text.lines().filter(|line| !line.is_empty());
        let told = lines.next().expect("a line");
        assert_eq!(told, format!("# {dropped} calls have no line"), "{text}");
        assert!(before < 2001 && before + dropped >= 2001, "{before} lines"); // a write that fails counts as a whole
        assert!(lines.next().is_some_and(|line| line.contains("/s/later lab")), "{text}");
    }
}

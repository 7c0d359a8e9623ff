//! A program of ours that runs beside this one, under callgrind or not, and is spoken to in lines.

use crate::marks;
use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

pub struct Program {
    process: Child,
    /// `None` from its end on.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// The longest wait for a line.
const PATIENCE: Duration = Duration::from_secs(120);

impl Program {
    /// This program with other arguments, as it is.
    pub fn native(arguments: &[&str]) -> io::Result<Program> {
        Program::start(Command::new(std::env::current_exe()?).env_clear().args(arguments))
    }

    /// The same under callgrind, with the clock that stands still. Callgrind writes into the folder:
    /// `callgrind.PART-THREAD`, and `log`.
    pub fn counted(arguments: &[&str], folder: &Path) -> io::Result<Program> {
        let mut valgrind = Command::new("valgrind");
        // The environment is on the stack, and its length moves what follows.
        valgrind
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LD_PRELOAD", env!("COST_CLOCK"))
            .args(["--tool=callgrind", "--separate-threads=yes", "--demangle=no"])
            .args(["--dump-instr=yes", "--dump-line=no", "--compress-strings=no", "--compress-pos=no"])
            .arg(format!("--dump-before={}", marks::PATTERN))
            .arg(format!("--callgrind-out-file={}", folder.join("callgrind").display()))
            .arg(format!("--log-file={}", folder.join("log").display()))
            .arg(std::env::current_exe()?)
            .args(arguments);
        Program::start(&mut valgrind)
    }

    fn start(command: &mut Command) -> io::Result<Program> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take();
        let output = process.stdout.take().expect("it is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line); // nobody waits for it any more
            }
        });
        Ok(Program { process, input, lines })
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    pub fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.input.as_mut().expect("it is closed only by `end`"), "{line}")
    }

    /// Its next line.
    pub fn line(&self) -> io::Result<String> {
        self.lines.recv_timeout(PATIENCE).map_err(|_| io::Error::other("a program says nothing more"))
    }

    /// Its next line, if there is one already.
    pub fn line_now(&self) -> Option<String> {
        self.lines.try_recv().ok()
    }

    /// Ends its input, which ends the program.
    pub fn end(mut self) -> io::Result<()> {
        self.input = None;
        match self.process.wait()? {
            status if status.success() => Ok(()),
            status => Err(io::Error::other(format!("a program of ours has failed: {status}"))),
        }
    }
}

/// One that was not ended, because something else failed, does not stay.
impl Drop for Program {
    fn drop(&mut self) {
        if self.input.is_some() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

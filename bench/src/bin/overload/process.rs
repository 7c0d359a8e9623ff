//! Servers and loads, each a process of its own.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use polywire_bench::cpu;
use serde::{Deserialize, Serialize};

use crate::Failure;

/// What a load has seen, per second; latencies of calls that were answered in time, from their planned times.
#[derive(Serialize, Deserialize, Clone, Copy)]
pub struct Figures {
    pub offered: f64,
    /// Answered before the deadline.
    pub good: f64,
    /// Refused with the code for overload.
    pub refused: f64,
    pub late: f64,
    pub failed: f64,
    /// Calls for which the client had no free connection.
    pub unsent: f64,
    pub p50_us: u64,
    pub p99_us: u64,
}

/// A process that is killed when it is dropped.
pub struct Stops(pub Child);
impl Drop for Stops {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended
        let _ = self.0.wait();
    }
}

/// A load under way.
pub struct Calling(Child);

impl Calling {
    /// What it has seen, when it has ended.
    pub fn figures(self) -> Result<Figures, Failure> {
        let output = self.0.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("a load failed: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// A server that listens.
pub struct Server {
    process: Stops,
    /// Read no further, and open as long as the server is: it may write more.
    _output: BufReader<ChildStdout>,
    pub address: String,
}

/// The folder of this program, where the others are, too.
pub fn folder() -> Result<PathBuf, Failure> {
    Ok(std::env::current_exe()?.parent().ok_or("no folder")?.to_owned())
}

impl Server {
    /// Starts a program of this folder, on one processor or on all.
    pub fn start(
        program: &str,
        words: &[&str],
        rounds: u64,
        processor: Option<usize>,
    ) -> Result<Server, Failure> {
        let mut command = Command::new(folder()?.join(program));
        command.args(words).args(["--rounds", &rounds.to_string()]);
        command.stdout(Stdio::piped()).stderr(File::options().append(true).open("/dev/null")?);
        let mut process = Stops(cpu::pinned(processor, || command.spawn())??);
        let mut output = BufReader::new(process.0.stdout.take().ok_or("no output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let address = line.trim().rsplit(' ').next().filter(|word| word.contains(':'));
        let address = address.ok_or_else(|| format!("{program} said {line:?}"))?.to_owned();
        Ok(Server { process, _output: output, address })
    }

    pub fn pid(&self) -> u32 {
        self.process.0.id()
    }

    /// Resident memory in MB.
    pub fn resident_mb(&self) -> f64 {
        cpu::resident(self.pid()).unwrap_or(0) as f64 / 1e6
    }

    /// CPU time used so far.
    pub fn used(&self) -> Duration {
        cpu::used_by(self.pid()).unwrap_or_default()
    }

    /// Calls it from the second processor, to the end.
    pub fn press(&self, protocol: &str, words: &[(&str, f64)]) -> Result<Figures, Failure> {
        self.begin(protocol, words)?.figures()
    }

    /// Begins to call it from the second processor.
    pub fn begin(&self, protocol: &str, words: &[(&str, f64)]) -> Result<Calling, Failure> {
        let mut command = self.load(protocol, words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(Calling(cpu::pinned(Some(1), || command.spawn())??))
    }

    /// Calls it from the second processor, until the load is dropped.
    pub fn press_beside(&self, protocol: &str, words: &[(&str, f64)]) -> Result<Stops, Failure> {
        let mut command = self.load(protocol, words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Stops(cpu::pinned(Some(1), || command.spawn())??))
    }

    fn load(&self, protocol: &str, words: &[(&str, f64)]) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap_or_default());
        command.args(["press", "--server", &self.address, "--protocol", protocol]);
        for (name, value) in words {
            command.args([format!("--{name}"), value.to_string()]);
        }
        command
    }
}

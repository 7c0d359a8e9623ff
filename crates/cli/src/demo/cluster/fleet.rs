//! The server processes, and the file that lists them.

use crate::failure::Failure;
use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    time::{Duration, Instant},
};

/// The server processes. All are ended when it is dropped, and by themselves when this process ends without
/// that.
pub struct Fleet {
    members: Vec<Option<Process>>,
    folder: PathBuf,
}

struct Process {
    child: Child,
    commands: ChildStdin,
    address: String,
    /// When the server was started; `None`: before the first call.
    since: Option<Instant>,
}

/// A channel knows a new server after this time: it takes sets that follow each other within a second
/// together.
const KNOWN_AFTER: Duration = Duration::from_secs(2);

impl Fleet {
    /// Starts `servers` servers, and writes the file that lists them.
    pub fn start(servers: usize) -> Result<Fleet, Failure> {
        let folder = std::env::temp_dir().join(format!("polywire-cluster-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let mut fleet = Fleet { members: Vec::new(), folder };
        for number in 0..servers {
            fleet.members.push(Some(Process { since: None, ..Process::start(number)? }));
        }
        fleet.publish()?;
        Ok(fleet)
    }

    /// The url by which channels find the servers.
    pub fn url(&self) -> String {
        format!("file://{}", self.file().display())
    }

    fn file(&self) -> PathBuf {
        self.folder.join("servers")
    }

    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Ends a server as SIGKILL does. Returns false if it was left running, because no server would remain.
    pub fn kill(&mut self, server: usize) -> io::Result<bool> {
        let Some(mut process) = self.take(server) else { return Ok(false) };
        process.end();
        self.publish()
    }

    /// Asks a server to stop, as SIGTERM does, and waits until it has stopped. Returns false if it was left
    /// running, because no server would remain.
    pub fn stop(&mut self, server: usize) -> io::Result<bool> {
        let Some(mut process) = self.take(server) else { return Ok(false) };
        let stopped = process.command("stop").and_then(|()| process.child.wait());
        process.end();
        stopped.and_then(|_| self.publish())
    }

    /// Makes calls at this server take this long from now on. Returns false if it does not run.
    pub fn slow(&mut self, server: usize, milliseconds: u64) -> io::Result<bool> {
        let Some(process) = &mut self.members[server] else { return Ok(false) };
        process.command(&format!("delay {milliseconds}")).map(|()| true)
    }

    /// Starts a server in place of one that has ended, at another port. Returns false if it is still running.
    pub fn revive(&mut self, server: usize) -> io::Result<bool> {
        if self.members[server].is_some() {
            return Ok(false);
        }
        self.members[server] = Some(Process::start(server)?);
        self.publish()
    }

    /// Takes a server to be ended, unless it is the only one that channels are sure to know.
    fn take(&mut self, server: usize) -> Option<Process> {
        let others = self.members.iter().enumerate().filter(|(number, _)| *number != server);
        let mut known =
            others.filter_map(|(_, process)| process.as_ref()).filter(|process| process.is_known());
        if known.next().is_none() { None } else { self.members[server].take() }
    }

    /// Replaces the file by a new one, so that nobody reads half of it.
    fn publish(&self) -> io::Result<bool> {
        let (file, new) = (self.file(), self.folder.join("servers.new"));
        let lines = self.members.iter().flatten().map(|process| format!("{}\n", process.address));
        fs::write(&new, lines.collect::<String>())?;
        fs::rename(new, file).map(|()| true)
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.members.iter_mut().flatten().for_each(Process::end);
        let _ = fs::remove_dir_all(&self.folder); // of a temporary folder nothing worse than rubbish is left
    }
}

impl Process {
    fn start(number: usize) -> io::Result<Process> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["demo", "--member", &number.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0) // Ctrl-C is for us: we end it when its calls have ended
            .spawn()?;
        let commands = child.stdin.take().expect("it was asked for");
        let stdout = child.stdout.take().expect("it was asked for");
        let mut process = Process { child, commands, address: String::new(), since: Some(Instant::now()) };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        match line.trim_end().strip_prefix("listening on ") {
            Some(address) => process.address = address.to_owned(),
            None => {
                process.end();
                return Err(io::Error::other(format!("server {number} did not start: {line:?}")));
            }
        }
        Ok(process)
    }

    fn command(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.commands, "{line}")
    }

    fn is_known(&self) -> bool {
        self.since.is_none_or(|since| since.elapsed() > KNOWN_AFTER)
    }

    fn end(&mut self) {
        let _ = self.child.kill(); // fails if it has ended already
        let _ = self.child.wait();
    }
}

//! The servers and clients that are measured: where they are, how they are started, and when they are
//! stopped.
//!
//! A server is started when it is first needed and kept for all rounds; idle, it costs nothing. One that is
//! needed on a processor of its own is another process.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use polywire_bench::{Report, cpu};

use crate::figures::Sample;
use crate::options::Options;
use crate::rivals::Rivals;
use crate::words;

const START: Duration = Duration::from_secs(10);

/// Paths of programs, and running servers.
pub struct Fleet {
    /// `polywire`.
    pub program: PathBuf,
    rivals: Rivals,
    /// Command line and processor -> the running server.
    servers: RefCell<HashMap<(Vec<String>, Option<usize>), Rc<Server>>>,
    /// Length of one measurement; known when all have been planned.
    pub time: Duration,
    /// Files with request bodies too long for a command line.
    pub scratch: PathBuf,
}

impl Fleet {
    /// Finds the programs.
    pub fn find(options: &Options) -> Result<Fleet, String> {
        let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = std::env::var_os("POLYWIRE")
            .map_or_else(|| bench.join("../target/release/polywire"), PathBuf::from);
        if !program.is_file() {
            return Err(format!(
                "{} is not there: cargo build --release (or set POLYWIRE)",
                program.display()
            ));
        }
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let beside = own.parent().ok_or("the driver lies nowhere")?.to_owned();
        let scratch = beside.join("bench-scratch");
        std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let rivals = Rivals::new(beside);
        Ok(Fleet { program, rivals, servers: RefCell::default(), time: options.time, scratch })
    }

    /// A rival's program, if it is there or can be built.
    pub fn rival(&self, name: &str) -> Option<String> {
        self.rivals.program(name)
    }

    /// Our program as the first word of a command line.
    pub fn ours(&self) -> String {
        self.program.display().to_string()
    }

    /// Our server's command line.
    pub fn our_server(&self) -> Vec<String> {
        words![self.ours(), "serve", "--listen", "127.0.0.1:0"]
    }

    /// A file, such as a client's requests.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<String, String> {
        let path = self.scratch.join(name);
        std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path.display().to_string())
    }

    /// The server with this command line, on `processor` alone or anywhere; started if it does not run yet.
    pub fn server(&self, command: &[String], processor: Option<usize>) -> Result<Rc<Server>, String> {
        self.kept(command.to_vec(), processor, || Server::start(command, processor))
    }

    /// The server that is known by these words, on `processor` alone or anywhere; `start` starts it if it
    /// does not run yet.
    pub fn kept(
        &self,
        words: Vec<String>,
        processor: Option<usize>,
        start: impl FnOnce() -> Result<Server, String>,
    ) -> Result<Rc<Server>, String> {
        let key = (words, processor);
        if let Some(server) = self.servers.borrow().get(&key) {
            return Ok(Rc::clone(server));
        }
        let server = Rc::new(start()?);
        self.servers.borrow_mut().insert(key, Rc::clone(&server));
        Ok(server)
    }

    /// Runs a client that prints a [`Report`] against `server`.
    pub fn press(
        &self,
        server: &Server,
        command: &[String],
        processor: Option<usize>,
    ) -> Result<Sample, String> {
        server.load(|| {
            let printed = output(command, processor)?;
            let report: Report = serde_json::from_str(printed.trim())
                .map_err(|error| format!("{} printed no report: {error}: {printed:.200}", command[0]))?;
            let sample = Sample {
                value: report.calls_per_s,
                errors: report.errors,
                p50_us: Some(report.p50_us),
                p99_us: Some(report.p99_us),
                client_cpu_us: Some(report.cpu_us_per_call),
                ..Sample::default()
            };
            Ok((sample, report.calls - report.errors))
        })
    }
}

/// A running server; dropping it kills it.
pub struct Server {
    child: Child,
    /// HOST:PORT.
    pub address: String,
}

impl Server {
    /// Starts a server that says `listening on ADDR`.
    pub fn start(command: &[String], processor: Option<usize>) -> Result<Server, String> {
        let mut child = spawn(command, processor, Stdio::piped())?;
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let address = lines.find_map(|line| {
            line.ok()?.split_once("listening on ").map(|(_, address)| address.trim().to_owned())
        });
        // The server may print more later, and must not be killed by a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        match address {
            Some(address) => Ok(Server { child, address }),
            None => {
                let _ = child.kill();
                let _ = child.wait();
                Err(format!("{} did not say where it listens", command.join(" ")))
            }
        }
    }

    /// Starts a server that gets its port as an argument: `command` with `{port}` replaced by one that was
    /// free a moment ago.
    pub fn start_on_port(command: &[&str]) -> Result<Server, String> {
        let address = free_port()?;
        let command: Vec<String> =
            command.iter().map(|word| word.replace("{port}", &address.port().to_string())).collect();
        Server::start_at(&command, address, None)
    }

    /// Starts a server that listens at this address, on `processor` alone or anywhere.
    pub fn start_at(
        command: &[String],
        address: SocketAddr,
        processor: Option<usize>,
    ) -> Result<Server, String> {
        let child = spawn(command, processor, Stdio::null())?;
        let mut server = Server { child, address: address.to_string() };
        let end = Instant::now() + START;
        while TcpStream::connect(address).is_err() {
            let ended = server.child.try_wait().is_ok_and(|status| status.is_some());
            if ended || Instant::now() > end {
                return Err(format!("{} does not listen", command[0]));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Runs a client that returns a sample and how many calls were answered; adds the server's CPU per call.
    pub fn load(&self, client: impl FnOnce() -> Result<(Sample, u64), String>) -> Result<Sample, String> {
        let before = self.cpu();
        let (sample, answered) = client()?;
        let used = self.cpu().saturating_sub(before).as_secs_f64() * 1e6;
        Ok(Sample { server_cpu_us: Some(used / answered.max(1) as f64), ..sample })
    }

    fn cpu(&self) -> Duration {
        cpu::family(self.pid()).into_iter().filter_map(cpu::used_by).sum()
    }

    /// Memory in use, in bytes.
    pub fn resident(&self) -> Option<u64> {
        cpu::family(self.pid()).into_iter().map(cpu::resident).sum()
    }

    pub fn port(&self) -> &str {
        self.address.rsplit(':').next().expect("an address has a port")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let workers = cpu::family(self.pid());
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A master that is killed leaves its workers behind, and starts others for those killed before it.
        for worker in workers.into_iter().skip(1) {
            cpu::kill(worker);
        }
    }
}

/// An address on this machine that was free a moment ago.
pub fn free_port() -> Result<SocketAddr, String> {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    free.map_err(|error| error.to_string())
}

fn spawn(command: &[String], processor: Option<usize>, stdout: Stdio) -> Result<Child, String> {
    let mut starting = Command::new(&command[0]);
    starting.args(&command[1..]).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::null());
    cpu::pinned(processor, || starting.spawn())
        .and_then(|child| child)
        .map_err(|error| format!("cannot start {}: {error}", command[0]))
}

/// Runs a command to its end; returns its output.
pub fn output(command: &[String], processor: Option<usize>) -> Result<String, String> {
    let mut running = Command::new(&command[0]);
    running.args(&command[1..]).stdin(Stdio::null());
    let ran = cpu::pinned(processor, || running.output())
        .and_then(|ran| ran)
        .map_err(|error| format!("cannot run {}: {error}", command[0]))?;
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    // Our press ends with 1 when calls failed, and reports them all the same.
    if printed.is_empty() {
        return Err(format!(
            "{} ended with {}: {}",
            command.join(" "),
            ran.status,
            String::from_utf8_lossy(&ran.stderr).trim()
        ));
    }
    Ok(printed)
}

/// A command line from words of any kind.
#[macro_export]
macro_rules! words {
    ($($word:expr),* $(,)?) => { Vec::from([$($word.to_string()),*]) };
}

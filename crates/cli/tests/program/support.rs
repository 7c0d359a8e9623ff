//! Starts the program and reads its output.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

/// The program, not started yet.
pub fn polywire(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polywire"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn run(args: &[&str]) -> Ran {
    let output = polywire(args).output().expect("the program starts");
    Ran::new(args, output)
}

/// The result of a run.
pub struct Ran {
    what: String,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn new(args: &[&str], output: Output) -> Self {
        Ran {
            what: args.join(" "),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// Checks the exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}{}", self.what, self.stdout, self.stderr);
        self
    }

    /// Checks that it succeeded.
    #[track_caller]
    pub fn succeeds(self) -> Self {
        self.exits(0)
    }

    /// Checks that standard output is one JSON value and nothing else.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{}: {e}: {}", self.what, self.stdout))
    }
}

/// `polywire serve` on a port that the system chose; ended when it is dropped.
pub struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub address: String,
}

impl Server {
    pub fn start() -> Self {
        Server::with(&["--listen", "127.0.0.1:0"])
    }

    /// With these options, which include its address.
    pub fn with(options: &[&str]) -> Self {
        Server::command("serve", options)
    }

    /// Another command that says where it listens.
    pub fn command(name: &str, options: &[&str]) -> Self {
        let mut args = vec![name, "--shards", "1"];
        args.extend(options);
        let mut child = polywire(&args).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let address = listening_on(&mut stdout);
        Server { child, stdout, address }
    }

    /// The address of a further `--listen`.
    pub fn next_address(&mut self) -> String {
        listening_on(&mut self.stdout)
    }

    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Waits for the program's end; returns its exit code and the rest of its standard output.
    pub fn ended(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("it was started").code(), rest)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill(); // fails if it has ended already
        let _ = self.child.wait();
    }
}

/// The calls of `example.EchoService/Echo` that this server has counted.
pub fn counted(server: &Server) -> u64 {
    let status = run(&["call", "-s", &server.address, "-p", "http", "GET /status"]).succeeds().stdout;
    let count = status.split("Echo\ncount: ").nth(1).and_then(|rest| rest.lines().next());
    count.unwrap_or_else(|| panic!("no count in {status}")).parse().unwrap()
}

/// A folder for one test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("polywire-{test}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Of the folder itself.
    pub fn as_str(&self) -> &str {
        self.0.to_str().expect("text")
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file; returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // fails if it was removed already
    }
}

fn listening_on(stdout: &mut impl BufRead) -> String {
    let mut line = String::new();
    stdout.read_line(&mut line).expect("text");
    let address = line.trim_end().strip_prefix("listening on ");
    address.unwrap_or_else(|| panic!("not the line that says it is ready: {line:?}")).to_owned()
}

/// Sends a signal by its name: TERM, INT, HUP.
pub fn signal(child: &Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
}

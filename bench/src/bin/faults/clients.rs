//! The clients that are compared, and their command lines.

use std::path::Path;
use std::process::Command;

pub struct Client {
    /// In the table, and for `--client`.
    pub name: &'static str,
    /// The program beside this one, and its verb and options.
    program: &'static str,
    words: &'static str,
}

const OURS: &str = "faults";
const GO: &str = "grpc_go_echo";

pub const ALL: [Client; 9] = [
    Client { name: "rr", program: OURS, words: "press --balancer rr" },
    Client { name: "rr, outlier detection", program: OURS, words: "press --balancer rr --outliers 1" },
    Client { name: "la", program: OURS, words: "press --balancer la" },
    Client { name: "p2c", program: OURS, words: "press --balancer p2c" },
    Client { name: "p2c, no retries", program: OURS, words: "press --balancer p2c --retries 0" },
    Client { name: "prequal", program: OURS, words: "press --balancer prequal" },
    Client { name: "tonic", program: OURS, words: "press --client tonic" },
    Client { name: "grpc-go", program: GO, words: "open" },
    Client { name: "grpc-go, outlier detection", program: GO, words: "open --outliers 1" },
];

impl Client {
    /// The command line that calls these servers; `None` if the program is not there.
    pub fn command(&self, beside: &Path, servers: &[String], rate: f64, seconds: f64) -> Option<Command> {
        let program = beside.join(self.program);
        if !program.is_file() {
            return None;
        }
        let mut command = Command::new(program);
        command.args(self.words.split(' ')).args(["--servers", &servers.join(",")]);
        command.args(["--rate", &rate.to_string(), "--duration", &seconds.to_string()]);
        Some(command)
    }
}

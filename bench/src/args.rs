//! Command lines of the form `VERB --name value ...`.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::Duration;

/// A verb and its options; [`Args::get`] takes them out one by one.
#[derive(Debug)]
pub struct Args {
    pub verb: String,
    options: HashMap<String, String>,
}

impl Args {
    /// Reads the process's arguments; ends it with exit code 2 and `usage` if they make no sense.
    pub fn from_env(usage: &str) -> Args {
        let mut words = std::env::args().skip(1);
        let verb = words.next().unwrap_or_default();
        let mut options = HashMap::new();
        while let Some(word) = words.next() {
            let (Some(name), Some(value)) = (word.strip_prefix("--"), words.next()) else {
                wrong_use(&format!("`{word}` is no option with a value"), usage)
            };
            options.insert(name.to_owned(), value);
        }
        Args { verb, options }
    }

    /// The option `name`, or `default`; ends the process if it does not parse.
    pub fn get<T: FromStr>(&self, name: &str, default: T) -> T {
        match self.options.get(name) {
            None => default,
            Some(value) => {
                value.parse().unwrap_or_else(|_| wrong_use(&format!("--{name} {value} makes no sense"), ""))
            }
        }
    }
}

/// Says what was wrong and ends the process with exit code 2.
pub fn wrong_use(what: &str, usage: &str) -> ! {
    eprintln!("{what}\n{usage}");
    std::process::exit(2)
}

/// A closed loop: `callers` callers share `connections` connections; each has one call of `bytes` bytes in flight.
#[derive(Debug, Clone)]
pub struct Load {
    pub server: String,
    pub callers: usize,
    pub connections: usize,
    pub bytes: usize,
    pub duration: Duration,
}

impl Load {
    pub fn from_args(args: &Args) -> Load {
        let callers = args.get("callers", 1).max(1);
        Load {
            server: args.get("server", String::new()),
            callers,
            connections: args.get("connections", callers).clamp(1, callers),
            bytes: args.get("bytes", 100),
            duration: Duration::from_secs_f64(args.get("duration", 2.0)),
        }
    }
}

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

/// A method of the demo services, by what streams: `example.EchoService/Echo`, and those of
/// `example.StreamService`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Unary,
    /// The server speaks.
    Repeat,
    /// The client speaks.
    Collect,
    /// Ping-pong: each message is answered before the next.
    Chat,
}

impl Kind {
    /// As `--kind` spells it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unary => "unary",
            Kind::Repeat => "repeat",
            Kind::Collect => "collect",
            Kind::Chat => "chat",
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(name: &str) -> Result<Kind, ()> {
        [Kind::Unary, Kind::Repeat, Kind::Collect, Kind::Chat]
            .into_iter()
            .find(|k| k.name() == name)
            .ok_or(())
    }
}

/// A closed loop: `callers` callers share `connections` connections; each has one call under way, with
/// messages of `bytes` bytes.
#[derive(Debug, Clone)]
pub struct Load {
    pub server: String,
    pub kind: Kind,
    /// Messages of a call that streams, in each direction that does.
    pub messages: u32,
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
            kind: args.get("kind", Kind::Unary),
            messages: args.get("messages", 100),
            callers,
            connections: args.get("connections", callers).clamp(1, callers),
            bytes: args.get("bytes", 100),
            duration: Duration::from_secs_f64(args.get("duration", 2.0)),
        }
    }
}

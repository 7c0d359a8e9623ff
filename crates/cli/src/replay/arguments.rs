//! The arguments of `replay`.

use crate::{
    failure::Failure,
    peer::{ConnectionType, PeerArguments},
    schema::SchemaArguments,
    tls::PeerTls,
    units,
};
use polywire::Channel;
use std::{path::PathBuf, time::Duration};

/// Sends requests that a server has recorded, and reports how they fared
///
/// Without --qps in a closed loop: each caller sends the next request when its last one is answered. With
/// --qps in an open loop: requests are sent at planned times, and latencies count from those. Requests are
/// sent as they were recorded, over the protocol that they came by. With --compare each goes to two servers,
/// and differences of the answers are shown.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folders of dump files, or such files: of `Recording::dump`, of brpc's rpc_dump, or made by
    /// `polywire convert`
    #[arg(required = true, value_name = "DIR")]
    pub paths: Vec<PathBuf>,
    /// host:port, [v6]:port or unix:path; or the url of a naming source
    #[arg(long, short = 's', value_name = "ADDRESS", default_value = "127.0.0.1:8000")]
    pub server: String,
    /// Requests per second in all: open loop
    #[arg(long, short = 'q', value_name = "N", value_parser = rate)]
    pub qps: Option<f64>,
    /// How often each request is sent
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub times: u32,
    /// Requests under way at once; with 1 they are sent in the order of the files [default: 50; with --qps
    /// the most that may be under way, 1000; with --compare 1]
    #[arg(long, short = 'c', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub concurrency: Option<u32>,
    /// Load threads [default: one per core]
    #[arg(long, short = 't', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Time limit of a request: 500ms, 2s; 0: no limit
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    pub timeout: Duration,
    /// How requests share connections [default: the protocol's first choice]
    #[arg(long, value_name = "KIND")]
    pub connection_type: Option<ConnectionType>,
    /// What the first request of a connection carries to be let in, since credentials are not recorded
    #[arg(long, value_name = "TEXT")]
    pub credential: Option<String>,
    /// A second server: every request goes to both, and their answers are compared; exit code 1 if they
    /// differ
    #[arg(long, value_name = "ADDRESS", conflicts_with = "qps")]
    pub compare: Option<String>,
    /// A field that may differ: its name in a message, at any depth, or header:NAME; may be given several
    /// times
    #[arg(long, value_name = "FIELD", requires = "compare")]
    pub ignore: Vec<String>,
    /// Differences that are shown one by one; all of them are counted
    #[arg(long, value_name = "N", default_value_t = 20, requires = "compare")]
    pub show: usize,
    #[command(flatten)]
    pub schema: SchemaArguments,
    #[command(flatten)]
    pub tls: PeerTls,
    /// The summary as one JSON object
    #[arg(long)]
    pub json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let fits = rate.is_finite() && rate > 0.0 && rate <= 1e9;
    fits.then_some(rate).ok_or_else(|| "requests per second are more than 0, at most 1e9".into())
}

/// Callers of a closed loop, as in brpc's rpc_replay.
const CLOSED: u32 = 50;
/// Most calls under way of an open loop.
const OPEN: u32 = 1000;

impl Arguments {
    pub fn callers(&self) -> usize {
        let usual = match (&self.compare, self.qps) {
            (Some(_), _) => 1,
            (None, Some(_)) => OPEN,
            (None, None) => CLOSED,
        };
        self.concurrency.unwrap_or(usual) as usize
    }

    pub fn timeout(&self) -> Option<Duration> {
        Some(self.timeout).filter(|timeout| !timeout.is_zero())
    }

    /// The paths, to be shown.
    pub fn what(&self) -> String {
        let names: Vec<_> = self.paths.iter().map(|path| path.display().to_string()).collect();
        names.join(", ")
    }

    /// The arguments for reaching `server` over a protocol.
    pub fn peer(&self, server: &str, protocol: &str) -> PeerArguments {
        PeerArguments {
            connection_type: self.connection_type,
            credential: self.credential.clone(),
            tls: self.tls.clone(),
            ..PeerArguments::new(server.to_owned(), protocol)
        }
    }

    /// A channel to `server` over a protocol.
    ///
    /// # Errors
    /// An unknown protocol, an invalid address.
    pub fn channel(&self, server: &str, protocol: &str) -> Result<Channel, Failure> {
        self.peer(server, protocol).channel()
    }
}

//! `polywire parallel-http`: fetches many urls at once.
//!
//! Source: brpc's program of this name. Ours has one pool of callers in place of threads that each have their
//!         share.

use crate::{failure::Failure, units};
use bytes::Bytes;
use polywire::{Channel, ClientTls, Content, Raw, Reply, Resilience, Status, Target};
use std::{
    collections::HashMap,
    io::{self, BufRead, BufReader, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};
use tokio::{sync::Semaphore, task::JoinSet};

/// Fetches urls, many at once, and prints their bodies in the order in which they arrive
///
/// One url a line: http:// or https://, or without a scheme. A body follows a line `#### url`; a url that
/// failed or has an empty body is followed by ` ERROR`. The exit code is 1 if one of them failed.
#[derive(clap::Args)]
pub struct Arguments {
    /// File with a url in each line [default: standard input]
    #[arg(value_name = "FILE")]
    urls: Option<PathBuf>,
    /// For each try of a url; connecting may take half of it
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    timeout: Duration,
    /// Further tries of a url whose server could not be reached
    #[arg(long, value_name = "N", default_value_t = 3)]
    retries: u32,
    /// Urls under way at once
    #[arg(long, short = 'c', value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    concurrency: u32,
    /// A line for each url: the url, a space, the body
    #[arg(long)]
    one_line: bool,
    /// Shows the host in place of the url
    #[arg(long)]
    only_host: bool,
}

/// Most bytes of a line.
const LONGEST_URL: u64 = 64 << 10;
/// Most servers to which connections are kept.
const MOST_SERVERS: usize = 10_000;

/// Fetches all; exit code 1 if one failed.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let urls: Box<dyn BufRead> = match &arguments.urls {
        Some(path) => {
            let file = std::fs::File::open(path);
            Box::new(BufReader::new(
                file.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?,
            ))
        }
        None => Box::new(io::stdin().lock()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let good = runtime.block_on(fetch_all(arguments, urls))?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn fetch_all(arguments: &Arguments, mut urls: impl BufRead) -> Result<bool, Failure> {
    let places = Arc::new(Semaphore::new(arguments.concurrency as usize));
    let mut channels: HashMap<String, Channel> = HashMap::new();
    let mut fetching: JoinSet<(String, Option<Bytes>)> = JoinSet::new();
    let mut out = io::stdout().lock();
    let mut good = true;
    let mut line = Vec::new();
    loop {
        line.clear();
        io::Read::take(&mut urls, LONGEST_URL).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if text.is_empty() {
            continue;
        }
        // With all places taken, the next that arrives is printed first.
        while fetching.len() >= arguments.concurrency as usize {
            if let Some(done) = fetching.join_next().await {
                good &= print(arguments, &mut out, done)?;
            }
        }
        let url = Url::parse(&text);
        let shown = if arguments.only_host { url.host.clone() } else { text.clone() };
        if channels.len() >= MOST_SERVERS && !channels.contains_key(&url.origin()) {
            channels.clear();
        }
        let channel = match channels.entry(url.origin()) {
            std::collections::hash_map::Entry::Occupied(known) => Ok(known.get().clone()),
            std::collections::hash_map::Entry::Vacant(new) => {
                channel(&url, arguments).map(|channel| new.insert(channel).clone())
            }
        };
        let places = places.clone();
        let timeout = arguments.timeout;
        fetching.spawn(async move {
            let _place = places.acquire_owned().await;
            let body = match channel {
                Ok(channel) => get(&channel, &url.path, timeout).await.ok(),
                Err(_) => None,
            };
            (shown, body.map(|reply| reply.into_message().body.into_bytes()).filter(|body| !body.is_empty()))
        });
    }
    while let Some(done) = fetching.join_next().await {
        good &= print(arguments, &mut out, done)?;
    }
    out.flush()?;
    Ok(good)
}

fn channel(url: &Url, arguments: &Arguments) -> Result<Channel, polywire::ChannelError> {
    let mut builder = Channel::builder(url.address())
        .protocol("http")
        .timeout(None)
        .connect_timeout(arguments.timeout / 2)
        .resilience(Resilience::default().retries(arguments.retries));
    if url.is_tls {
        builder = builder.tls(ClientTls::new());
    }
    builder.build()
}

async fn get(channel: &Channel, path: &str, timeout: Duration) -> Result<Reply<Raw>, Status> {
    let call = channel.call(Target::named("", path), Bytes::new()).content(Content::RAW);
    call.metadata(":method", "GET").timeout(timeout).await
}

/// Prints the result of a url. Returns false if it failed.
fn print(
    arguments: &Arguments,
    out: &mut impl Write,
    done: Result<(String, Option<Bytes>), tokio::task::JoinError>,
) -> Result<bool, Failure> {
    let (url, body) = done.map_err(|_| Failure::failed("a task panicked"))?;
    match (&body, arguments.one_line) {
        (Some(body), false) => {
            writeln!(out, "#### {url}")?;
            out.write_all(body)?;
            writeln!(out)?;
        }
        (Some(body), true) => {
            write!(out, "{url} ")?;
            let one_line: Vec<u8> =
                body.iter().map(|&b| if matches!(b, b'\n' | b'\r') { b' ' } else { b }).collect();
            out.write_all(&one_line)?;
            writeln!(out)?;
        }
        (None, false) => writeln!(out, "#### {url} ERROR")?,
        (None, true) => writeln!(out, "{url} ERROR")?,
    }
    Ok(body.is_some())
}

/// The parts of a url.
#[derive(Debug, PartialEq, Eq)]
struct Url {
    is_tls: bool,
    /// The host with its port, if there is one.
    host: String,
    /// The path with its query; it begins with a slash.
    path: String,
}

impl Url {
    fn parse(text: &str) -> Url {
        let (is_tls, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (_, rest) => (false, rest.unwrap_or(text)),
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let slash = if path.starts_with('/') { "" } else { "/" };
        Url { is_tls, host: host.to_owned(), path: format!("{slash}{path}") }
    }

    fn origin(&self) -> String {
        format!("{}{}", if self.is_tls { "https://" } else { "http://" }, self.host)
    }

    fn address(&self) -> String {
        let last = self.host.rsplit(']').next().unwrap_or_default();
        if last.contains(':') {
            return self.host.clone();
        }
        format!("{}:{}", self.host, if self.is_tls { 443 } else { 80 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_a_host_a_port_and_a_path() {
        for (text, is_tls, address, path) in [
            ("http://a.b/c?d#e", false, "a.b:80", "/c?d"),
            ("https://a.b:8443", true, "a.b:8443", "/"),
            ("https://[::1]", true, "[::1]:443", "/"),
            ("[::1]:8000/x", false, "[::1]:8000", "/x"),
            ("a?b", false, "a:80", "/?b"),
        ] {
            let url = Url::parse(text);
            assert_eq!((url.is_tls, &*url.address(), &*url.path), (is_tls, address, path), "{text}");
        }
    }
}

//! `polywire view`: the pages of a server that a browser cannot reach, at a port of this machine.
//!
//! | file | what it is |
//! | --- | --- |
//! | `head` | heads of HTTP/1.1, read with bounds, changed and written |
//! | `badge` | the line that says whose page it is |
//!
//! A connection carries one request: it is forwarded as HTTP/1.0, so that the end of the answer is the end of
//! the connection, and bodies pass in both directions as they come, whatever their length.
//!
//! The proxy shows the pages that a server only answers to its own machine to every client of this port, so
//! the same rules hold here: it listens on loopback only, answers under the names that
//! [`head::Head::is_for_this_machine`] has, and refuses pages of other origins
//! ([`head::Head::is_of_another_page`]). The `Origin` of this proxy's own pages is replaced by that of the
//! target. Fields that mark a proxied request are passed on, so that the target treats it as one from
//! elsewhere.
//!
//! Deviation from brpc's rpc_view: the target is not changed by a GET; another target is another `view`.

mod badge;
mod head;

use crate::failure::Failure;
use badge::Badge;
use head::Head;
use std::{io::Write, net::Ipv6Addr, process::ExitCode, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::timeout,
};

/// Shows the pages of a server that a browser cannot reach, at a port of this machine, until SIGTERM or
/// Ctrl-C
///
/// Only programs on this machine can use the port; from elsewhere `ssh -L 8888:127.0.0.1:8888` leads there.
#[derive(clap::Args)]
pub struct Arguments {
    /// The server: host:port or [v6]:port
    #[arg(value_name = "TARGET", value_parser = target)]
    target: String,
    /// Port to listen on, of the loopback address; 0: the system chooses
    #[arg(long, value_name = "PORT", default_value_t = 8888)]
    port: u16,
    /// What the server is shown with each request, as field `authorization`: 'Bearer TOKEN'
    ///
    /// Everyone who reaches the port of this machine then has the rights of the credential.
    #[arg(long, value_name = "CREDENTIAL", value_parser = credential)]
    credential: Option<String>,
    /// How long the server may take to begin an answer, besides the `seconds=` that a profile takes
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = crate::units::duration)]
    timeout: Duration,
}

/// Maximum number of requests at once; further ones wait to be accepted.
const AT_ONCE: usize = 100;
/// The time in which the head of a request has to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Longest pause within a body.
const PAUSE: Duration = Duration::from_secs(300);
/// Most seconds that a profile may ask for in addition.
const MOST_SECONDS: u64 = 3600;

/// Serves until a signal.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let stopping = polywire::stop_signal()?;
        let listener = TcpListener::bind(("127.0.0.1", arguments.port)).await?;
        println!("listening on {}", listener.local_addr()?);
        std::io::stdout().flush()?;
        let (target, credential) = (arguments.target.clone(), arguments.credential.clone());
        let view = Arc::new(View { target, credential, timeout: arguments.timeout });
        tokio::select! {
            () = stopping => {}
            () = view.accept(listener) => {}
        }
        Ok(ExitCode::SUCCESS)
    })
}

struct View {
    target: String,
    credential: Option<String>,
    timeout: Duration,
}

/// Where a connection can be made to; the host is looked up with each request.
fn target(text: &str) -> Result<String, String> {
    let is_host = |host: &str| match host.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(|host| host.parse::<Ipv6Addr>().is_ok()),
        None => !host.is_empty() && !host.contains([':', '/', '@', ' ']),
    };
    match text.rsplit_once(':') {
        Some((host, port)) if is_host(host) && port.parse::<u16>().is_ok_and(|port| port > 0) => {
            Ok(text.to_owned())
        }
        _ => Err("neither host:port nor [v6]:port".to_owned()),
    }
}

/// A value of a field of HTTP.
fn credential(text: &str) -> Result<String, String> {
    match text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !text.trim().is_empty() {
        true => Ok(text.trim().to_owned()),
        false => Err("letters, digits and signs of ASCII are needed".to_owned()),
    }
}

/// A request that is answered by ourselves: status line and text.
type Refused = (&'static str, String);

impl View {
    async fn accept(self: Arc<Self>, listener: TcpListener) {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { return };
            match listener.accept().await {
                Ok((browser, _)) => {
                    let view = self.clone();
                    tokio::spawn(async move {
                        view.serve(browser).await;
                        drop(place);
                    });
                }
                // No descriptor is left, for example: it does not get better at once.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }

    async fn serve(&self, mut browser: TcpStream) {
        if let Err((status, text)) = self.forward(&mut browser).await {
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
                 X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{text}",
                text.len()
            );
            let _ = timeout(HEAD_TIME, browser.write_all(answer.as_bytes())).await; // it may have gone
        }
        let _ = timeout(HEAD_TIME, browser.shutdown()).await;
    }

    async fn forward(&self, browser: &mut TcpStream) -> Result<(), Refused> {
        let read = timeout(HEAD_TIME, Head::read(browser)).await;
        let Ok(read) = read else { return Err(("408 Request Timeout", "no request came".into())) };
        let (mut request, begun) = match read {
            Ok(Some(read)) => read,
            Ok(None) => return Ok(()), // closed without a request
            Err(why) => return Err(("400 Bad Request", why.into())),
        };
        if !request.is_for_this_machine() {
            let text = "this port is reached as localhost or by its address";
            return Err(("421 Misdirected Request", text.into()));
        }
        if request.is_of_another_page() {
            let text = "pages of other origins may follow a link to here, and nothing else";
            return Err(("403 Forbidden", text.into()));
        }
        if request.first("transfer-encoding").is_some() {
            return Err(("411 Length Required", "a body needs a content-length here".into()));
        }
        let length = request.content_length().map_err(|why| ("400 Bad Request", why.to_owned()))?;
        let patience = self.timeout + Duration::from_secs(request.seconds().min(MOST_SECONDS));
        request.address_target(&self.target, self.credential.as_deref());
        let connected = timeout(self.timeout, TcpStream::connect(&self.target)).await;
        let mut server = match connected {
            Ok(Ok(server)) => server,
            Ok(Err(error)) => return Err(("502 Bad Gateway", format!("{}: {error}", self.target))),
            Err(_) => return Err(("504 Gateway Timeout", format!("{}: no connection in time", self.target))),
        };
        let lost = |error: std::io::Error| ("502 Bad Gateway", format!("{}: {error}", self.target));
        server.write_all(&request.write()).await.map_err(lost)?;
        let begun_len = begun.len().min(usize::try_from(length).unwrap_or(usize::MAX));
        server.write_all(&begun[..begun_len]).await.map_err(lost)?;
        let (from_browser, mut to_browser) = browser.split();
        let (mut from_server, mut to_server) = server.split();
        let mut rest = from_browser.take(length - begun_len as u64);
        let upload = async {
            let _ = copy(&mut rest, &mut to_server).await; // the answer tells whether it mattered
            std::future::pending::<()>().await;
        };
        let answer = async {
            let read = timeout(patience, Head::read(&mut from_server)).await;
            let Ok(read) = read else {
                return Err(("504 Gateway Timeout", format!("{}: no answer in time", self.target)));
            };
            let (mut head, begun) = match read {
                Ok(Some(read)) => read,
                Ok(None) => {
                    return Err(("502 Bad Gateway", format!("{} closed the connection", self.target)));
                }
                Err(why) => return Err(("502 Bad Gateway", format!("{}: {why}", self.target))),
            };
            let is_page = head.is_html();
            head.address_browser(&self.target, is_page);
            // From here on the answer has begun, and its end is the connection's.
            let _ = pass(
                &mut from_server,
                &mut to_browser,
                &head,
                &begun,
                is_page.then(|| Badge::new(&self.target)),
            )
            .await;
            Ok(())
        };
        tokio::select! {
            () = upload => Ok(()),
            answered = answer => answered,
        }
    }
}

async fn pass(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    head: &Head,
    begun: &[u8],
    mut badge: Option<Badge>,
) -> std::io::Result<()> {
    to.write_all(&head.write()).await?;
    let mut piece = begun.to_vec();
    loop {
        match &mut badge {
            None => to.write_all(&piece).await?,
            Some(badge) => {
                let out = badge.add(&piece);
                to.write_all(&out).await?;
            }
        }
        piece.resize(PIECE, 0);
        let n = timeout(PAUSE, from.read(&mut piece)).await??;
        piece.truncate(n);
        if n == 0 {
            break;
        }
    }
    if let Some(badge) = badge {
        to.write_all(&badge.end()).await?;
    }
    to.flush().await
}

/// Bytes that are read at once.
const PIECE: usize = 16 << 10;

async fn copy(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
) -> std::io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let n = timeout(PAUSE, from.read(&mut piece)).await??;
        if n == 0 {
            return Ok(());
        }
        to.write_all(&piece[..n]).await?;
    }
}

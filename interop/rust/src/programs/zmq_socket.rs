//! `zmq-socket KIND bind|connect ADDRESS [key=value ...]`: one of our sockets, moved by lines on standard
//! input.
//!
//! interop/zeromq/README.md has the lines.

use polywire_zmq::{Error, Kind, Message, Options, Socket};
use std::time::Duration;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A worker does the I/O while this thread waits for lines.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let _entered = runtime.enter();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, how, address, settings @ ..] = &arguments[..] else {
        return Err("usage: zmq-socket KIND bind|connect ADDRESS [key=value ...]".into());
    };
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind).ok_or("no such kind")?;
    let mut options =
        Options::new().receive_timeout(Duration::from_secs(20)).reconnect(Duration::from_millis(10));
    for setting in settings {
        let (key, value) = setting.split_once('=').ok_or("a setting is key=value")?;
        options = with(options, key, value)?;
    }
    let socket = Socket::with(kind, &options);
    let address = if how == "bind" {
        socket.bind(address)?
    } else {
        socket.connect(address)?;
        address.clone()
    };
    println!("ready {address}");
    for line in std::io::stdin().lines() {
        match runtime.block_on(command(&socket, &line?)) {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("error {error}: {socket:?}"),
        }
    }
    runtime.block_on(socket.close());
    Ok(())
}

fn with(options: Options, key: &str, value: &str) -> Result<Options, Box<dyn std::error::Error>> {
    Ok(match key {
        "identity" => options.identity(value.to_owned()),
        "plain-client" => {
            let (user, password) = value.split_once(':').ok_or("user:password")?;
            options.plain(user, password)
        }
        "plain-server" => {
            let expected = value.to_owned();
            options.plain_server(move |user, password| format!("{user}:{password}") == expected)
        }
        "curve-server" => options.curve_server(value.parse()?),
        "curve-client" => {
            let keys: Vec<&str> = value.split(',').collect();
            let [server, _public, secret] = keys[..] else { return Err("server,public,secret".into()) };
            options.curve(server.parse()?, secret.parse()?)
        }
        "heartbeat" => options.heartbeat(Duration::from_millis(value.parse()?)),
        _ => return Err(format!("no setting {key}").into()),
    })
}

async fn command(socket: &Socket, line: &str) -> Result<String, Error> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("send") => socket.send(Message::of(words.map(unhex))).await.map(|()| "ok".into()),
        Some("recv") => socket.recv().await.map(|message| {
            message.frames().fold("frames".to_owned(), |line, frame| line + " " + &hex(frame))
        }),
        Some("subscribe") => socket.subscribe(unhex(words.next().unwrap_or("-"))).map(|()| "ok".into()),
        Some("state") => Ok(format!("state {socket:?}")),
        Some("unsubscribe") => socket.unsubscribe(unhex(words.next().unwrap_or("-"))).map(|()| "ok".into()),
        _ => Err(Error::Address(format!("no command {line:?}"))),
    }
}

/// `-` is an empty frame; `*N` is one of N bytes `x`.
fn unhex(word: &str) -> Vec<u8> {
    if let Some(count) = word.strip_prefix('*').and_then(|count| count.parse().ok()) {
        return vec![b'x'; count];
    }
    let digits = word.as_bytes().chunks_exact(2);
    digits.filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn hex(frame: &[u8]) -> String {
    if frame.is_empty() {
        return "-".into();
    }
    if frame.len() > 64 && frame.iter().all(|byte| *byte == b'x') {
        return format!("*{}", frame.len());
    }
    frame.iter().map(|byte| format!("{byte:02x}")).collect()
}

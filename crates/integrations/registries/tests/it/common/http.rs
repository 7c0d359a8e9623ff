//! A server of HTTP/1.1 in memory, which answers by a function, and misbehaves if told to.

use bytes::BytesMut;
use polywire_engine::{
    Transport,
    transport::{self, Memory},
};
use polywire_registries::Dial;
use std::{
    collections::BTreeMap,
    future::{Future, poll_fn},
    io::{self, IoSlice},
    pin::Pin,
    sync::{Arc, Mutex},
};
use tokio::sync::watch;

pub struct Request {
    pub verb: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    /// By their names in lower case.
    pub fields: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("a body of JSON")
    }
}

pub enum Reply {
    /// Status, fields, body.
    Whole(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// These bytes, whatever they are; then the connection ends.
    Bytes(Vec<u8>),
    /// A head, and chunks as they come; the connection ends with the channel.
    Chunks(tokio::sync::mpsc::UnboundedReceiver<Vec<u8>>),
    /// The connection is reset.
    Reset,
    /// There is no answer.
    Hang,
}

impl Reply {
    pub fn json(value: impl ToString) -> Reply {
        Reply::Whole(200, vec![("content-type", "application/json".into())], value.to_string().into_bytes())
    }
    pub fn status(code: u16, text: &str) -> Reply {
        Reply::Whole(code, vec![("content-type", "text/plain".into())], text.as_bytes().to_vec())
    }
    pub fn with(self, name: &'static str, value: impl ToString) -> Reply {
        match self {
            Reply::Whole(code, mut fields, body) => {
                fields.push((name, value.to_string()));
                Reply::Whole(code, fields, body)
            }
            other => other,
        }
    }
}

type Answering = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// Servers by address, which can be crashed and brought back.
#[derive(Clone)]
pub struct Web {
    answer: Arc<dyn Fn(Request) -> Answering + Send + Sync>,
    /// The number of the life; none while it is down.
    up: watch::Sender<bool>,
    /// Addresses that were connected to.
    connected: Arc<Mutex<Vec<String>>>,
}

impl Web {
    pub fn new<F: Future<Output = Reply> + Send + 'static>(
        answer: impl Fn(Request) -> F + Send + Sync + 'static,
    ) -> Web {
        let answer: Arc<dyn Fn(Request) -> Answering + Send + Sync> =
            Arc::new(move |request| Box::pin(answer(request)));
        Web { answer, up: watch::Sender::new(true), connected: Arc::default() }
    }

    /// All connections end, and further ones are refused.
    pub fn crash(&self) {
        self.up.send_replace(false);
    }

    pub fn revive(&self) {
        self.up.send_replace(true);
    }

    pub fn connected(&self) -> Vec<String> {
        self.connected.lock().unwrap().clone()
    }

    pub fn dial(&self) -> Dial {
        let web = self.clone();
        Dial::new(move |builder| {
            let web = web.clone();
            builder.connector(move |address| {
                web.connected.lock().unwrap().push(address.to_owned());
                let connected = if *web.up.borrow() {
                    Ok(web.accept())
                } else {
                    Err(io::ErrorKind::ConnectionRefused.into())
                };
                std::future::ready(connected)
            })
        })
    }

    fn accept(&self) -> Memory {
        let (ours, theirs) = transport::duplex("registry", 1 << 20);
        let web = self.clone();
        tokio::spawn(async move {
            let mut up = web.up.subscribe();
            tokio::select! {
                () = serve(&web, theirs) => {}
                _ = up.wait_for(|up| !up) => {}
            }
        });
        ours
    }
}

async fn serve(web: &Web, mut transport: Memory) {
    let mut input = BytesMut::new();
    loop {
        let Some(request) = request(&mut transport, &mut input).await else { return };
        match (web.answer)(request).await {
            Reply::Whole(code, fields, body) => {
                let mut head = format!("HTTP/1.1 {code} X\r\ncontent-length: {}\r\n", body.len());
                for (name, value) in fields {
                    head.push_str(&format!("{name}: {value}\r\n"));
                }
                write(&mut transport, head.as_bytes()).await;
                write(&mut transport, b"\r\n").await;
                write(&mut transport, &body).await;
            }
            Reply::Bytes(bytes) => {
                write(&mut transport, &bytes).await;
                transport.shutdown();
                return;
            }
            Reply::Chunks(mut chunks) => {
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
                write(&mut transport, head.as_bytes()).await;
                while let Some(chunk) = chunks.recv().await {
                    write(&mut transport, format!("{:x}\r\n", chunk.len()).as_bytes()).await;
                    write(&mut transport, &chunk).await;
                    write(&mut transport, b"\r\n").await;
                }
                write(&mut transport, b"0\r\n\r\n").await;
            }
            Reply::Reset => return,
            Reply::Hang => std::future::pending().await,
        }
    }
}

async fn write(transport: &mut Memory, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match poll_fn(|cx| transport.poll_write(cx, &[IoSlice::new(bytes)])).await {
            Ok(n) => bytes = &bytes[n..],
            Err(_) => return, // the client has gone
        }
    }
}

async fn more(transport: &mut Memory, input: &mut BytesMut) -> Option<()> {
    input.reserve(64 << 10);
    let read = poll_fn(|cx| transport.poll_read(cx, input, usize::MAX)).await.unwrap_or(0);
    (read > 0).then_some(())
}

async fn request(transport: &mut Memory, input: &mut BytesMut) -> Option<Request> {
    let head = loop {
        if let Some(end) = input.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = input.split_to(end + 4);
            break String::from_utf8(head.to_vec()).expect("a head of text");
        }
        more(transport, input).await?;
    };
    let mut lines = head.lines();
    let mut first = lines.next().expect("a first line").split(' ');
    let (verb, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let fields: BTreeMap<_, _> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = fields.get("content-length").map_or(0, |length| length.parse().expect("a length"));
    while input.len() < length {
        more(transport, input).await?;
    }
    let body = input.split_to(length).to_vec();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let query = query.split('&').filter(|p| !p.is_empty()).map(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        (name.to_owned(), value.to_owned())
    });
    Some(Request { verb, path: path.to_owned(), query: query.collect(), fields, body })
}

//! A script in the place of a driver: one `find` after the other over each connection. Only servers speak
//! this protocol here, so this is all there is of a client: docs/wire/mongo.md has the frame.

use crate::{failure::Failure, flow::Flowed};
use polywire::mongo::Document;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
    },
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpStream, UnixStream},
};

/// Length, id, the id it answers, and the opcode: each an i32, little-endian. Then flags, and the kind of a
/// section.
const HEAD: usize = 16 + 4 + 1;
const OP_MSG: i32 = 2013;
/// The longest reply that is read.
const LONGEST: usize = 1 << 20;

trait Connection: AsyncRead + AsyncWrite + Unpin + Send {}
impl<C: AsyncRead + AsyncWrite + Unpin + Send> Connection for C {}

/// # Errors
/// There is no connection, or a reply is invalid.
pub async fn run(
    address: &str,
    connections: usize,
    time: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<Flowed, Failure> {
    let (start, cpu) = (Instant::now(), polywire_engine::os::process_cpu_time());
    let mut running = Vec::new();
    for _ in 0..connections {
        let connection: Box<dyn Connection> = match address.strip_prefix("unix:") {
            Some(path) => Box::new(UnixStream::connect(path).await?),
            None => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                Box::new(stream)
            }
        };
        running.push(tokio::spawn(commands(connection, start + time, stop.clone())));
    }
    Flowed::of(running, start, cpu, "a scripted driver panicked").await
}

/// Commands until the time is over: how many were answered, and the bytes of their answers.
async fn commands(
    mut connection: Box<dyn Connection>,
    until: Instant,
    stop: Arc<AtomicBool>,
) -> Result<(u64, u64), Failure> {
    let command = Document::builder().put("find", "demo").put("$db", "demo").build();
    let (mut messages, mut bytes) = (0, 0);
    while Instant::now() < until && !stop.load(Relaxed) {
        let id = (messages + 1) as i32;
        connection.write_all(&frame(id, &command)).await?;
        let reply = reply(&mut connection, id).await?;
        if reply.get("ok").and_then(|ok| ok.as_f64()) != Some(1.0) {
            return Err(Failure::failed("mongo: a command was not answered with success"));
        }
        messages += 1;
        bytes += (HEAD + reply.as_bytes().len()) as u64;
    }
    Ok((messages, bytes))
}

fn frame(id: i32, command: &Document) -> Vec<u8> {
    let length = HEAD + command.as_bytes().len();
    let mut frame = Vec::with_capacity(length);
    for number in [length as i32, id, 0, OP_MSG] {
        frame.extend(number.to_le_bytes());
    }
    frame.extend([0; 5]); // no flags; a section of kind 0: one document
    frame.extend(command.as_bytes());
    frame
}

async fn reply(connection: &mut Box<dyn Connection>, id: i32) -> Result<Document, Failure> {
    let mut head = [0; HEAD];
    connection.read_exact(&mut head).await?;
    let number = |at: usize| i32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let length = usize::try_from(number(0)).ok().filter(|length| (HEAD..LONGEST).contains(length));
    let (Some(length), true) = (length, (number(8), number(12)) == (id, OP_MSG)) else {
        return Err(Failure::failed("mongo: a reply to another command, or none"));
    };
    let mut document = vec![0; length - HEAD];
    connection.read_exact(&mut document).await?;
    Document::from_bytes(document.into()).map_err(|error| Failure::failed(format!("mongo: {error}")))
}

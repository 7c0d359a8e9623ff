//! Bytes of the server, counted by its allocator: of a shard, and of a connection while nothing is said on
//! it. The peers are sockets of this process, and send what is written here.

use crate::{asleep::until_asleep, program::Program};
use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::Duration,
};

/// Over which bytes are averaged.
const CONNECTIONS: usize = 100;
/// How many times so many connections are made. The least counts: a table that grows, or what the server does
/// each second, falls into others.
const BATCHES: usize = 5;

/// How many shards more a server has than another one.
const SHARDS: usize = 63;

/// Bytes by what they are for.
pub fn bytes() -> io::Result<Vec<(String, f64)>> {
    let mut all = vec![("a shard".into(), (of_server(1 + SHARDS)? - of_server(1)?) / SHARDS as f64)];
    for (protocol, requests) in protocols() {
        let (mut server, address) = start(1)?;
        let pid = server.id();
        let spoken = |socket: &mut TcpStream| -> io::Result<()> {
            for (request, reply) in &requests {
                socket.write_all(request)?;
                answer(socket, reply.as_bytes())?;
                until_asleep(pid)?; // so that it has given back what it needed for the call
            }
            Ok(())
        };
        let connect = || -> io::Result<TcpStream> {
            let socket = TcpStream::connect(&address)?;
            socket.set_read_timeout(Some(Duration::from_secs(30)))?;
            Ok(socket)
        };
        // What is allocated once is allocated for this one.
        let mut first = connect()?;
        spoken(&mut first)?;
        let (mut kept, mut silent, mut after) = (Vec::new(), f64::INFINITY, f64::INFINITY);
        for _ in 0..BATCHES {
            let begin = allocated(&mut server)?;
            let mut sockets = (0..CONNECTIONS).map(|_| connect()).collect::<io::Result<Vec<_>>>()?;
            silent = silent.min(allocated(&mut server)? - begin);
            sockets.iter_mut().try_for_each(spoken)?;
            after = after.min(allocated(&mut server)? - begin);
            kept.append(&mut sockets);
        }
        server.end()?;
        if all.len() == 1 {
            all.push(("a connection that has said nothing".into(), silent / CONNECTIONS as f64));
        }
        all.push((format!("a connection, {protocol}, after a call"), after / CONNECTIONS as f64));
    }
    Ok(all)
}

/// A server with so many shards, and its address.
fn start(shards: usize) -> io::Result<(Program, String)> {
    let server = Program::native(&["server", &shards.to_string()])?;
    let address = server.line()?;
    Ok((server, address))
}

/// What a server with so many shards has allocated before anybody connects.
fn of_server(shards: usize) -> io::Result<f64> {
    let (mut server, _) = start(shards)?;
    let bytes = allocated(&mut server)?;
    server.end()?;
    Ok(bytes)
}

fn allocated(server: &mut Program) -> io::Result<f64> {
    until_asleep(server.id())?;
    server.say("bytes")?;
    server.line()?.parse().map_err(io::Error::other)
}

/// Reads until this has come.
fn answer(socket: &mut TcpStream, wanted: &[u8]) -> io::Result<()> {
    let (mut come, mut buffer) = (Vec::new(), [0; 4096]);
    while !come.windows(wanted.len()).any(|window| window == wanted) {
        let n = socket.read(&mut buffer)?;
        if n == 0 {
            return Err(io::Error::other(format!("no answer but {}", come.escape_ascii())));
        }
        come.extend_from_slice(&buffer[..n]);
    }
    Ok(())
}

/// What a peer sends, and what its answer contains before the next is sent.
type Talk = Vec<(Vec<u8>, &'static str)>;

fn protocols() -> Vec<(&'static str, Talk)> {
    let body = "{\"message\":\"hello\"}";
    let http = format!(
        "POST /example.EchoService/Echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let upgrade = "GET /example.StreamService/Chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                   Sec-WebSocket-Protocol: polywire.v1.json\r\n\r\n";
    // A text that is masked with zeros: RFC 6455, section 5.2.
    let mut text = vec![0x81, 0x80 | body.len() as u8, 0, 0, 0, 0];
    text.extend_from_slice(body.as_bytes());
    vec![
        ("baidu_std", vec![(baidu_std(), "hello")]),
        ("grpc", vec![(grpc(), "hello")]),
        ("http", vec![(http.into_bytes(), "hello")]),
        ("redis", vec![(b"*2\r\n$4\r\nECHO\r\n$5\r\nhello\r\n".to_vec(), "hello")]),
        ("websocket", vec![(upgrade.as_bytes().to_vec(), "\r\n\r\n"), (text, "hello")]),
    ]
}

/// docs/wire/baidu_std.md: a call of `example.EchoService.Echo` with the correlation id 1.
fn baidu_std() -> Vec<u8> {
    let service = b"example.EchoService";
    let mut request = vec![0x0a, service.len() as u8]; // service_name = 1
    request.extend_from_slice(service);
    request.extend_from_slice(b"\x12\x04Echo"); // method_name = 2
    let mut meta = vec![0x0a, request.len() as u8]; // request = 1
    meta.append(&mut request);
    meta.extend_from_slice(&[0x20, 1]); // correlation_id = 4
    let body = b"\x0a\x05hello";
    let mut message = b"PRPC".to_vec();
    message.extend_from_slice(&((meta.len() + body.len()) as u32).to_be_bytes());
    message.extend_from_slice(&(meta.len() as u32).to_be_bytes());
    message.append(&mut meta);
    message.extend_from_slice(body);
    message
}

/// docs/wire/grpc.md: the preface, SETTINGS, and a call on stream 1. Names of fields are from HPACK's static
/// table (RFC 7541, appendix A) where it has them.
fn grpc() -> Vec<u8> {
    let mut fields = vec![0x83, 0x86]; // :method POST, :scheme http
    for (index, value) in [(0x44, "/example.EchoService/Echo"), (0x41, "x"), (0x5f, "application/grpc")] {
        fields.extend_from_slice(&[index, value.len() as u8]);
        fields.extend_from_slice(value.as_bytes());
    }
    fields.extend_from_slice(b"\x40\x02te\x08trailers");
    let mut message = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    for (kind, flags, stream, payload) in
        [(4, 0, 0, &[][..]), (1, 4, 1, &fields), (0, 1, 1, b"\0\0\0\0\x07\x0a\x05hello")]
    {
        message.extend_from_slice(&[0, 0, payload.len() as u8, kind, flags, 0, 0, 0, stream]);
        message.extend_from_slice(payload);
    }
    message
}

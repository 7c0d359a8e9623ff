//! What connections without calls cost a proxy: its memory before and after many of them, each of which has
//! made one call. What the proxy keeps towards the server counts, too.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, Server};
use crate::gateway::proxies::Proxy;
use crate::idle::{SPARE_FILES, allow_files};
use crate::options::Options;
use crate::peers::{On, Peer};

const CLIENT: Peer = Peer::Grpc(On::Multi);
const FEW: usize = 1000;
const MOST: usize = 10_000;
/// How long the proxy may take to come to rest.
const REST: Duration = Duration::from_secs(1);

/// Bytes for each of many connections, as many as the open files of this process allow.
pub fn group(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let mut proxies = Proxy::found(fleet)?;
    proxies.retain(|proxy| proxy.takes(CLIENT, false) && !matches!(proxy, Proxy::None | Proxy::Translating));
    // A relay of bytes has two files for each.
    let most = (allow_files(2 * MOST + SPARE_FILES)? - SPARE_FILES) / 2;
    let counts = if options.quick { vec![FEW.min(most)] } else { vec![FEW.min(most), most] };
    let mut entries = Vec::new();
    for count in counts {
        for proxy in proxies.iter().copied() {
            let load = format!("bytes per connection, {count} connections");
            entries.push(Entry::new("gateway-idle", load, proxy.name(), move |fleet| {
                measure(fleet, proxy, count)
            }));
        }
    }
    Ok(entries)
}

fn measure(fleet: &Fleet, proxy: Proxy, connections: usize) -> Result<Sample, String> {
    // Of their own: others have memory left from loads before.
    let server = Server::start(&fleet.our_server(), None)?;
    let proxy = proxy.start(&server.address, CLIENT, fleet)?;
    let open = |count: usize| -> Result<Vec<TcpStream>, String> {
        (0..count).map(|_| connect(&proxy.address).map_err(|error| error.to_string())).collect()
    };
    // Everything that is made once is made before the count.
    let warm = open(50)?;
    sleep(REST);
    let before = proxy.resident().ok_or("the proxy is gone")?;
    let idle = open(connections)?;
    sleep(REST);
    let after = proxy.resident().ok_or("the proxy is gone")?;
    drop((warm, idle));
    Ok(Sample::of(after.saturating_sub(before) as f64 / connections as f64))
}

/// A connection that has made one call of `example.EchoService/Echo` with an empty message.
fn connect(address: &str) -> io::Result<TcpStream> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    sent.extend(frame(SETTINGS, 0, 0, &[]));
    sent.extend(frame(HEADERS, END_HEADERS, 1, &fields(address)));
    sent.extend(frame(DATA, END_STREAM, 1, &[0; 5]));
    socket.write_all(&sent)?;
    loop {
        let mut head = [0; 9];
        socket.read_exact(&mut head)?;
        let [high, middle, low, kind, flags, ..] = head;
        let mut payload = vec![0; usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low)];
        socket.read_exact(&mut payload)?;
        match (kind, flags & END_STREAM != 0) {
            // In both END_STREAM is the flag that it is in DATA.
            (HEADERS | DATA, true) => return Ok(socket),
            (SETTINGS, false) => socket.write_all(&frame(SETTINGS, ACK, 0, &[]))?,
            (RST_STREAM | GOAWAY, _) => return Err(ErrorKind::ConnectionReset.into()),
            _ => {}
        }
    }
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
/// The same bit: the first of DATA and HEADERS, the second of SETTINGS.
const END_STREAM: u8 = 1;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

/// RFC 9113, section 4.1.
fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).expect("it is short");
    [&[0, 0, length, kind, flags, 0, 0, 0, stream], payload].concat()
}

/// A request's fields in HPACK without Huffman: two of the static table, the others literal, not indexed.
fn fields(authority: &str) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).expect("it is short")], text.as_bytes()].concat();
    let (post, http) = (0x83, 0x86);
    let mut fields = vec![post, http];
    fields.extend([&[4], &*text("/example.EchoService/Echo")].concat()); // :path
    fields.extend([&[1], &*text(authority)].concat()); // :authority
    fields.extend([&[15, 16], &*text("application/grpc")].concat()); // content-type
    fields.extend([&[0], &*text("te"), &*text("trailers")].concat());
    fields
}

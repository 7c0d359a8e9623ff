//! What a server records: brpc's records byte for byte, and no credentials.

use polywire::{
    Channel, Content, DumpOptions, Handler, IoBuf, Method, Recording, Running, Server, Service, Started,
    Status, Target,
    handler::{Call, Outcome},
    nshead::{self, Frame, NsheadService},
    redis::{self, Store},
};
use polywire_machine_testing::hex;
use std::{
    io::{Read, Write},
    net::TcpStream,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

/// A folder of its own, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("polywire-dumped-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        Place(std::env::temp_dir().join(name))
    }

    /// All that was recorded, once the server has ended.
    fn bytes(&self) -> Vec<u8> {
        let files = std::fs::read_dir(&self.0).unwrap().map(|file| file.unwrap().path());
        files.flat_map(|file| std::fs::read(file).unwrap()).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Empty;
impl Handler for Empty {
    fn start(&self, _: Call) -> Started {
        Started::Ready(Outcome { content: Content::PROTOBUF, reply: true, ..Outcome::default() })
    }
}

struct Frames;
impl NsheadService for Frames {
    async fn frame(&self, _: &polywire::Context, _: Frame) -> Result<Option<IoBuf>, Status> {
        Ok(Some(IoBuf::from("ok")))
    }
}

fn start(place: &Place, options: impl FnOnce(DumpOptions) -> DumpOptions) -> (Running, String) {
    let echo = Service::new("example.EchoService", &[]).with(Method::new("Echo", || Box::new(Empty)));
    let running = Server::new()
        .service(echo)
        .service(nshead::service(Frames))
        .service(redis::service(Store::default()))
        .recording(Recording::default().dump(options(DumpOptions::new(&place.0))))
        .listen("127.0.0.1:0")
        .start()
        .unwrap();
    let address = running.addresses()[0].to_string();
    (running, address)
}

/// Sends bytes and waits for the first ones of the answer.
fn send(address: &str, bytes: &[u8]) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(bytes).unwrap();
    assert!(stream.read(&mut [0; 1024]).unwrap() > 0, "it is answered");
}

/// Stops the server, and with it the thread that writes.
async fn stop(running: Running) {
    running.stop().await;
}

fn find(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

/// docs/wire/rpc_dump.md, "Worked examples", all three: the requests that brpc would record as these.
#[tokio::test]
async fn requests_become_the_records_that_brpc_writes() {
    let place = Place::new();
    let (running, address) = start(&place, |options| options);
    let channel: Channel = Channel::builder(&address).build().unwrap();
    let target = Target::fixed("example.EchoService", "Echo");
    channel.call(target, b"\x0a\x05hello".to_vec()).attachment(b"ATTACH".to_vec()).await.unwrap();
    // docs/wire/nshead.md, example 1
    send(
        &address,
        &hex("01 00 02 00 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        94 93 70 fb 00 00 00 00 05 00 00 00 68 65 6c 6c 6f"),
    );
    // docs/wire/hulu_pbrpc.md, example 1, without its log id, which brpc does not record
    send(
        &address,
        &hex("48 55 4c 55 26 00 00 00 19 00 00 00 0a 0b 45 63 68 6f 53 65 72 76 69 63 65
        10 00 18 00 20 82 80 80 80 10 60 07 0a 05 68 65 6c 6c 6f 41 54 54 41 43 48"),
    );
    drop(channel);
    stop(running).await;
    let wanted = hex("
        50 52 50 43 00 00 00 30 00 00 00 23 0a 13 65 78
        61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76 69 63
        65 12 04 45 63 68 6f 20 00 28 02 30 06 3a 00 0a
        05 68 65 6c 6c 6f 41 54 54 41 43 48
        50 52 50 43 00 00 00 2d 00 00 00 28 28 0d 4a 24
        01 00 02 00 05 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
        05 00 00 00 68 65 6c 6c 6f
        50 52 50 43 00 00 00 24 00 00 00 17 0a 0b 45 63
        68 6f 53 65 72 76 69 63 65 18 00 20 00 28 04 30
        06 42 00 0a 05 68 65 6c 6c 6f 41 54 54 41 43 48");
    assert_eq!(
        polywire_machine_testing::hex_dump(&place.bytes()),
        polywire_machine_testing::hex_dump(&wanted)
    );
}

#[tokio::test]
async fn credentials_are_recorded_only_if_that_is_asked_for() {
    let request =
        b"POST /example.EchoService/Echo HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer s3cret\r\n\
        X-Own: t0ken\r\nX-Harmless: shown\r\nContent-Length: 2\r\n\r\n{}";
    for (credentials, recorded) in [(false, false), (true, true)] {
        let place = Place::new();
        let (running, address) = start(&place, |options| options.hide("x-own").credentials(credentials));
        send(&address, request);
        send(&address, b"*2\r\n$4\r\nAUTH\r\n$8\r\npassw0rd\r\n");
        send(&address, b"*2\r\n$4\r\nECHO\r\n$4\r\nseen\r\n");
        stop(running).await;
        let bytes = place.bytes();
        for secret in [&b"s3cret"[..], b"t0ken"] {
            assert_eq!(find(&bytes, secret), recorded, "{}", secret.escape_ascii());
        }
        assert!(!find(&bytes, b"passw0rd"), "Redis' passwords never");
        for shown in [&b"POST /example.EchoService/Echo HTTP/1.1\r\n"[..], b"shown", b"seen"] {
            assert!(find(&bytes, shown), "{}", shown.escape_ascii());
        }
    }
}

#[tokio::test]
async fn recording_stops_and_begins_while_the_server_runs() {
    let place = Place::new();
    let (running, address) = start(&place, |options| options.enabled(false));
    let call = |text: &'static [u8]| send(&address, text);
    call(b"*2\r\n$4\r\nECHO\r\n$4\r\nlost\r\n");
    let dump = running.dump().unwrap().clone();
    assert_eq!(dump.stats().taken, 0);
    dump.set_enabled(true);
    call(b"*2\r\n$4\r\nECHO\r\n$4\r\nkept\r\n");
    assert_eq!(dump.stats().taken, 1);
    stop(running).await;
    drop(dump);
    let bytes = place.bytes();
    assert!(find(&bytes, b"kept") && !find(&bytes, b"lost"));
}

//! What peers that never stop sending do to a stop.

use polywire::{
    Channel, Content, Handler, Method, Resilience, Running, Server, Service, Started, Target,
    handler::{Call, Outcome},
    nshead, redis, rest_rpc,
};
use polywire_engine::Engine;
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

/// The drain limit is 10 s.
const SOON: Duration = Duration::from_secs(3);

struct Echo;
impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        let content = call.content;
        Started::Ready(Outcome { body: call.body, content, reply: true, ..Outcome::default() })
    }
}

struct Same;
impl nshead::NsheadService for Same {
    async fn frame(
        &self,
        _: &polywire::Context,
        frame: nshead::Frame,
    ) -> Result<Option<polywire::IoBuf>, polywire::Status> {
        Ok(Some(frame.body))
    }
}

fn start(protocol: &str) -> Running {
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let server = match protocol {
        "nshead" => Server::new().service(nshead::service(Same)),
        _ => Server::new()
            .service(Service::new("test.S", &[]).with(Method::new("M", || Box::new(Echo))))
            .service(rest_rpc::Functions::new().function("echo", |text: String| text))
            .service(redis::service(redis::Store::default())),
    };
    server.engine(&engine).listen("127.0.0.1:0").start().expect("a port is free")
}

/// The bytes of one request, as a client of ours sends them.
fn request(protocol: &str) -> Vec<u8> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound").to_string();
    let asked = protocol.to_owned();
    let client = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let channel = Channel::builder(&address)
                .protocol(&asked)
                .timeout(Duration::from_secs(1))
                .resilience(Resilience::default().retries(0));
            let channel = channel.build().expect("a valid channel");
            match &*asked {
                "redis" => drop(redis::Client::new(channel).ping().await),
                "nshead" => drop(nshead::Client::new(channel).call(&nshead::Frame::default()).await),
                "rest_rpc:a" | "rest_rpc:b" => {
                    drop(rest_rpc::Client::new(channel).call::<_, String>("echo", ("text",)).await);
                }
                "nshead_mcpack" | "ubrpc_mcpack2" => {
                    let call = channel.call(Target::fixed("test.S", "M").at(0), vec![0, 0, 0, 0]);
                    drop(call.content(Content::MCPACK).await);
                }
                _ => drop(channel.call(Target::fixed("test.S", "M").at(0), Vec::new()).await),
            }
        });
    });
    let (mut stream, _) = listener.accept().expect("the client connects");
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a socket");
    let mut bytes = vec![0; 64 << 10];
    let mut n = 0;
    while let Ok(more @ 1..) = stream.read(&mut bytes[n..]) {
        n += more;
    }
    drop(stream);
    client.join().expect("the client ends");
    bytes.truncate(n);
    assert!(n > 0, "{protocol}: no request");
    bytes
}

/// Sends requests without pause, and reads what comes, until the connection ends.
fn pipeline(address: &str, request: &[u8], replies: Arc<AtomicU64>) -> thread::JoinHandle<()> {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let mut reader = stream.try_clone().expect("a descriptor");
    let many = request.repeat(64);
    let over = Arc::new(AtomicBool::new(false));
    let reading = {
        let over = over.clone();
        thread::spawn(move || {
            let mut bytes = vec![0; 64 << 10];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                replies.fetch_add(n as u64, Relaxed);
            }
            over.store(true, Relaxed);
        })
    };
    thread::spawn(move || {
        while !over.load(Relaxed) && stream.write_all(&many).is_ok() {}
        drop(stream);
        reading.join().expect("the reader ends");
    })
}

#[test]
fn peers_that_pipeline_do_not_hold_a_stop() {
    for protocol in [
        "redis",
        "nshead",
        "nova_pbrpc",
        "nshead_mcpack",
        "rest_rpc:a",
        "rest_rpc:b",
        "public_pbrpc",
        "ubrpc_mcpack2",
        "baidu_std",
        "hulu_pbrpc",
        "sofa_pbrpc",
        "http",
    ] {
        let request = request(protocol);
        let server = start(protocol);
        let address = server.addresses()[0].to_string();
        let replies = Arc::new(AtomicU64::new(0));
        let peers: Vec<_> = (0..4).map(|_| pipeline(&address, &request, replies.clone())).collect();
        let began = Instant::now();
        while replies.load(Relaxed) < 10_000 {
            assert!(began.elapsed() < Duration::from_secs(30), "{protocol}: no replies");
            thread::sleep(Duration::from_millis(5));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let began = Instant::now();
        let left = runtime.block_on(server.stop());
        let took = began.elapsed();
        println!("{protocol}: {} ms, {} left", took.as_millis(), left.len());
        peers.into_iter().for_each(|peer| peer.join().expect("the peer ends"));
        assert!(took < SOON, "{protocol}: a stop took {took:?}, left {left:?}");
        assert!(left.is_empty(), "{protocol}: {left:?}");
    }
}

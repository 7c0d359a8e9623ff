//! FlatBuffers over fb_rpc compared with protobuf over baidu_std: `flatbuffers-bench [ADDRESS] [SECONDS]`.
//!
//! Two tables: the cost of encoding and reading a message, and calls per second to a server that runs
//! elsewhere. Both kinds are measured alternately, so that other load on the machine affects both.

use polywire::{Channel, Compression, Content, Message as _, Payload, flatbuffers::Flat};
use polywire_example_flatbuffers::{
    flat::{self, MessageArgs, MessageBuf},
    proto,
};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

const SIZES: [usize; 10] = [0, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

fn flat_message(text: &str) -> MessageBuf {
    Flat::build_with_capacity(128 + text.len(), |builder| {
        let text = Some(builder.create_string(text));
        let args = MessageArgs { opcode: 1, sequence: 2, sent: 3, weight: 4.0, text };
        flat::Message::create(builder, &args)
    })
}

fn proto_message(text: &str) -> proto::Message {
    proto::Message { opcode: 1, sequence: 2, sent: 3, weight: 4.0, text: text.into() }
}

/// Nanoseconds of one run of `work`: the best of five rounds.
fn cost(mut work: impl FnMut()) -> f64 {
    const RUNS: u32 = 20_000;
    let round = |work: &mut dyn FnMut()| {
        let begin = Instant::now();
        (0..RUNS).for_each(|_| work());
        begin.elapsed().as_nanos() as f64 / f64::from(RUNS)
    };
    (0..5).map(|_| round(&mut work)).fold(f64::MAX, f64::min)
}

fn codecs() {
    println!("codec, ns per message: build and encode, then decode, verify and read every field");
    println!("{:>6} {:>12} {:>12} {:>8}", "text", "protobuf", "FlatBuffers", "ratio");
    for size in SIZES {
        let text = "x".repeat(size);
        let protobuf = cost(|| {
            let wire = proto_message(black_box(&text)).to_wire().expect("it is short");
            let read = proto::Message::from_wire(black_box(&wire)).expect("just written");
            black_box((read.opcode, read.sequence, read.sent, read.weight, read.text.len()));
        });
        let flat = cost(|| {
            let options = Default::default();
            let (content, none) = (Content::FLATBUFFERS, Compression::NONE);
            let wire = flat_message(black_box(&text)).encode(content, none, options).expect("its own form");
            let read = MessageBuf::decode(content, none, black_box(wire), (1 << 20).into(), options)
                .expect("just written");
            let read = read.get();
            black_box((
                read.opcode(),
                read.sequence(),
                read.sent(),
                read.weight(),
                read.text().map(str::len),
            ));
        });
        println!("{size:>6} {protobuf:>12.0} {flat:>12.0} {:>8.2}", flat / protobuf);
    }
}

/// Calls per second with this many callers.
async fn rate<F: Future<Output = ()> + 'static>(
    callers: usize,
    time: Duration,
    call: impl Fn() -> F + Clone + 'static,
) -> f64 {
    let begin = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|_| {
            let call = call.clone();
            tokio::task::spawn_local(async move {
                let mut calls = 0u64;
                while begin.elapsed() < time {
                    call().await;
                    calls += 1;
                }
                calls
            })
        })
        .collect();
    let mut calls = 0;
    for task in tasks {
        calls += task.await.expect("a caller does not panic");
    }
    calls as f64 / begin.elapsed().as_secs_f64()
}

async fn calls(address: &str, time: Duration) -> polywire::Result<()> {
    let flat = flat::EchoClient::new(Channel::builder(address).protocol("fb_rpc").build()?);
    let protobuf = proto::EchoClient::new(Channel::connect(address).await?);
    for (callers, attached) in [(1, 0), (64, 0), (1, 4096), (64, 4096)] {
        println!("\ncalls per second, {callers} callers, attachment of {attached} bytes");
        println!("{:>6} {:>12} {:>12} {:>8}", "text", "protobuf", "FlatBuffers", "ratio");
        for size in SIZES {
            // The service refuses empty texts.
            let text = "x".repeat(size.max(1));
            let attachment = polywire::IoBuf::from(vec![7; attached]);
            let mut rates = [Vec::new(), Vec::new()];
            for _ in 0..3 {
                let call = {
                    let (client, text, bytes) = (protobuf.clone(), text.clone(), attachment.clone());
                    move || {
                        let call = client.echo(proto_message(&text)).attachment(bytes.clone());
                        async move { drop(call.await.expect("the server answers")) }
                    }
                };
                rates[0].push(rate(callers, time, call).await);
                let call = {
                    let (client, text, bytes) = (flat.clone(), text.clone(), attachment.clone());
                    move || {
                        let call = client.echo(flat_message(&text)).attachment(bytes.clone());
                        async move { drop(call.await.expect("the server answers")) }
                    }
                };
                rates[1].push(rate(callers, time, call).await);
            }
            rates.iter_mut().for_each(|rates| rates.sort_by(f64::total_cmp));
            let (protobuf, flat) = (rates[0][1], rates[1][1]);
            println!("{size:>6} {protobuf:>12.0} {flat:>12.0} {:>8.2}", flat / protobuf);
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> polywire::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or("127.0.0.1:8000".into());
    let seconds: f64 = arguments.next().map_or(Ok(0.5), |seconds| seconds.parse())?;
    codecs();
    tokio::task::LocalSet::new().run_until(calls(&address, Duration::from_secs_f64(seconds))).await
}

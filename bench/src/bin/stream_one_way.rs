//! Small messages one way over a stream of streaming_rpc, for as long as it is asked: what brpc's
//! `StreamWrite` does, with the same bytes and the same methods, so that either side may be a program of
//! brpc's.
//!
//! `serve` counts what arrives and prints the receiver's figure as a line of JSON when the stream closes;
//! `press` sends, and prints what it has sent. Over `example.EchoService/Echo` messages are bytes; with
//! `--typed 1` each is a `Line` that is encoded and decoded, over `example.StreamService/Collect`.

use std::time::{Duration, Instant};

use polywire::{Channel, Context, IoBuf, RawSender, RawStream, Reply, Server, Status, Streaming};
use polywire_bench::{Args, args::wrong_use, cpu};
use serde_json::json;

polywire::include!();

use example::{
    EchoClient, EchoRequest, EchoResponse, EchoService, Heard, Line, RepeatRequest, StreamClient,
    StreamService,
};

const USAGE: &str = "usage: stream_one_way serve [--port P] [--batch N]
       stream_one_way press --server ADDR [--bytes B] [--seconds S] [--batch N] [--typed 0|1]";

/// Messages between two looks at the clock.
const STRETCH: u64 = 64;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let args = Args::from_env(USAGE);
    match args.verb.as_str() {
        "serve" => serve(&args).await,
        "press" => press(&args).await,
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

async fn serve(args: &Args) -> polywire::Result<()> {
    let sink = Sink { batch: args.get("batch", 128) };
    let address = format!("127.0.0.1:{}", args.get("port", 8412_u16));
    println!("listening on {address}");
    Server::new()
        .service(EchoService::into_service(sink))
        .service(StreamService::into_service(sink))
        .listen(address)
        .run()
        .await?;
    Ok(())
}

/// Counts what it hears.
#[derive(Clone, Copy)]
struct Sink {
    /// Most messages that are taken at once.
    batch: usize,
}

impl EchoService for Sink {
    async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        let stream = cx.accept_stream()?;
        tokio::spawn(count(stream, self.batch));
        Ok(EchoResponse { message: request.message }.into())
    }
}

async fn count(mut stream: RawStream, batch: usize) {
    let mut heard = Count::default();
    while let Some(Ok(messages)) = stream.next_batch(batch).await {
        heard.add(messages.len(), messages.iter().map(IoBuf::len).sum());
    }
    heard.print();
}

impl StreamService for Sink {
    async fn repeat(
        &self,
        _: &Context,
        _: RepeatRequest,
    ) -> Result<impl polywire::Stream<Item = Result<Line, Status>>, Status> {
        Err::<Streaming<Line>, _>(Status::unimplemented("this server only listens"))
    }

    async fn collect(&self, _: &Context, mut lines: Streaming<Line>) -> Result<Reply<Heard>, Status> {
        let mut heard = Count::default();
        while let Some(Ok(line)) = lines.next().await {
            heard.add(1, line.message.len());
        }
        heard.print();
        Ok(Heard { messages: heard.messages, bytes: heard.bytes }.into())
    }

    async fn chat(
        &self,
        _: &Context,
        _: Streaming<Line>,
    ) -> Result<impl polywire::Stream<Item = Result<Line, Status>>, Status> {
        Err::<Streaming<Line>, _>(Status::unimplemented("this server only listens"))
    }
}

#[derive(Default)]
struct Count {
    messages: u64,
    bytes: u64,
    batches: u64,
    /// Of the first message, and the CPU time used until then.
    began: Option<(Instant, Duration)>,
    last: Option<Instant>,
}

impl Count {
    fn add(&mut self, messages: usize, bytes: usize) {
        self.began.get_or_insert_with(|| (Instant::now(), cpu::used()));
        self.messages += messages as u64;
        self.bytes += bytes as u64;
        self.batches += 1;
        if self.batches.is_multiple_of(STRETCH) || messages > 1 {
            self.last = Some(Instant::now());
        }
    }

    fn print(&self) {
        let Some((began, used)) = self.began else { return };
        let seconds = self.last.unwrap_or(began).duration_since(began).as_secs_f64();
        let line = json!({
            "messages": self.messages,
            "bytes": self.bytes,
            "batch": self.messages as f64 / self.batches as f64,
            "seconds": seconds,
            "per_second": self.messages as f64 / seconds,
            "cpu_us_per_message": (cpu::used() - used).as_secs_f64() * 1e6 / self.messages as f64,
        });
        println!("{line}");
    }
}

async fn press(args: &Args) -> polywire::Result<()> {
    let server = args.get("server", String::new());
    let channel = Channel::builder(&*server).protocol("streaming_rpc").build()?;
    let (bytes, batch) = (args.get("bytes", 16), args.get("batch", 1_usize).max(1));
    let (began, used) = (Instant::now(), cpu::used());
    let end = began + Duration::from_secs_f64(args.get("seconds", 5.0));
    let sent = if args.get("typed", 0) != 0 {
        typed(&StreamClient::new(channel), &"x".repeat(bytes), end).await?
    } else {
        let call = EchoClient::new(channel).echo(EchoRequest { message: "stream".into() });
        let (_, stream) = call.with_stream().await?;
        let (mut sender, receiver) = stream.split();
        let sent = raw(&mut sender, &vec![b'x'; bytes], batch, end).await?;
        drop((sender, receiver)); // closes the stream behind what was sent
        sent
    };
    let seconds = began.elapsed().as_secs_f64();
    let cpu_us = (cpu::used() - used).as_secs_f64() * 1e6 / sent as f64;
    let line = json!({
        "sent": sent,
        "seconds": seconds,
        "per_second": sent as f64 / seconds,
        "cpu_us_per_message": cpu_us,
    });
    println!("{line}");
    tokio::time::sleep(Duration::from_millis(200)).await; // what is still to be written
    Ok(())
}

async fn raw(sender: &mut RawSender, text: &[u8], batch: usize, end: Instant) -> Result<u64, Status> {
    let mut sent = 0;
    while Instant::now() < end {
        // As many as brpc's program sends between two looks at the clock; each message is made anew, as
        // there.
        for _ in 0..STRETCH.div_ceil(batch as u64) {
            if batch == 1 {
                sender.send(IoBuf::copy_from_slice(text)).await?;
            } else {
                sender.send_batch((0..batch).map(|_| IoBuf::copy_from_slice(text))).await?;
            }
            sent += batch as u64;
        }
    }
    Ok(sent)
}

async fn typed(streams: &StreamClient, text: &str, end: Instant) -> Result<u64, Status> {
    let mut upload = streams.collect().await?;
    let mut sent = 0;
    while Instant::now() < end {
        for _ in 0..STRETCH {
            upload.send(Line { message: text.to_owned() }).await?;
        }
        sent += STRETCH;
    }
    let heard = upload.finish().await?;
    if heard.messages != sent {
        return Err(Status::internal(format!("{} of {sent} arrived", heard.messages)));
    }
    Ok(sent)
}

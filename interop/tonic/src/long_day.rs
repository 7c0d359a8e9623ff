//! tonic's client with its defaults, for loads that last: `tonic-long-day HOST:PORT SCALE`, `pass NAME` or
//! `FAIL NAME: reason` for each.

use polywire_interop_tonic::demo::{Heard, Line, RepeatRequest, stream_service_client::StreamServiceClient};
use std::{
    process::ExitCode,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};
use tokio::{sync::mpsc, time::sleep};
use tokio_stream::{iter, wrappers::ReceiverStream};
use tonic::{Code, Request, Status, transport::Channel};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A connection, and what was done on it.
struct Day {
    client: StreamServiceClient<Channel>,
    calls: AtomicU64,
    messages: AtomicU64,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, scale] = &arguments[..] else {
        eprintln!("usage: tonic-long-day HOST:PORT SCALE");
        return ExitCode::from(2);
    };
    let scale: usize = scale.parse().unwrap_or(1);
    let (messages, calls) = (10_000 * scale, 1000 * scale);
    let mut failed = false;
    macro_rules! check {
        ($name:expr, $day:ident, $load:expr) => {{
            let $day = &Day::connect(address).await.expect("the server takes connections");
            let (calls, messages) = (&$day.calls, &$day.messages);
            match $load.await {
                Ok(()) => println!(
                    "pass tonic: {} | {} calls | {} messages",
                    $name,
                    calls.load(Relaxed),
                    messages.load(Relaxed)
                ),
                Err::<(), Box<dyn std::error::Error + Send + Sync>>(why) => {
                    failed = true;
                    let why = why.to_string().replace('\n', " ");
                    println!("FAIL tonic: {}: after {calls:?} calls, {messages:?} messages: {why}", $name);
                }
            }
        }};
    }
    check!("ping-pong", day, day.talk(Duration::ZERO, |n| n < messages));
    check!("ping-pong with pauses of 2 ms", day, day.talk(Duration::from_millis(2), |n| n < messages / 10));
    check!("server stream", day, day.server_stream(messages as u32, 0));
    check!("server stream with pauses of 1 ms", day, day.server_stream(messages as u32 / 10, 1));
    check!("client stream", day, day.client_stream(messages));
    check!("metadata of 8, 17 and 40 KB beside a stream", day, day.beside(day.metadata(calls / 10)));
    check!("500 cancels a second beside a stream", day, day.beside(day.cancels(calls)));
    check!("deadlines that expire beside a stream", day, day.beside(day.deadlines(calls / 10)));
    ExitCode::from(u8::from(failed))
}

impl Day {
    async fn connect(address: &str) -> Result<Day> {
        let client = StreamServiceClient::connect(format!("http://{address}")).await?;
        Ok(Day { client, calls: AtomicU64::new(0), messages: AtomicU64::new(0) })
    }

    /// Messages are sent and answered one by one while it goes on.
    async fn talk(&self, pause: Duration, goes_on: impl Fn(usize) -> bool) -> Result {
        let (said, saying) = mpsc::channel(1);
        let mut client = self.client.clone();
        let mut opening = std::pin::pin!(client.chat(ReceiverStream::new(saying)));
        let mut answers = None;
        for n in (0..).take_while(|&n| goes_on(n)) {
            let message = format!("message {n}");
            said.send(Line { message: message.clone() }).await?;
            let answers = match &mut answers {
                Some(answers) => answers,
                opened => opened.insert(opening.as_mut().await?.into_inner()),
            };
            let answer = answers.message().await?.ok_or("the stream has ended")?;
            if answer.message != message {
                return Err(format!("{message} was answered with {}", answer.message).into());
            }
            self.messages.fetch_add(1, Relaxed);
            sleep(pause).await;
        }
        drop(said);
        self.calls.fetch_add(1, Relaxed);
        if let Some(answers) = &mut answers
            && answers.message().await?.is_some()
        {
            return Err("a message too many".into());
        }
        Ok(())
    }

    async fn server_stream(&self, count: u32, interval_ms: u32) -> Result {
        let request = RepeatRequest { message: "x".into(), count, interval_ms };
        let mut lines = self.client.clone().repeat(request).await?.into_inner();
        let mut found = 0;
        while let Some(line) = lines.message().await? {
            if line.message != "x" {
                return Err(format!("{} in place of x", line.message).into());
            }
            found += 1;
            self.messages.fetch_add(1, Relaxed);
        }
        self.calls.fetch_add(1, Relaxed);
        if found == count { Ok(()) } else { Err(format!("{found} messages of {count}").into()) }
    }

    async fn client_stream(&self, count: usize) -> Result {
        let lines = iter((0..count).map(|_| Line { message: "x".into() }));
        let heard: Heard = self.client.clone().collect(lines).await?.into_inner();
        self.messages.fetch_add(heard.messages, Relaxed);
        self.calls.fetch_add(1, Relaxed);
        if heard.messages == count as u64 {
            Ok(())
        } else {
            Err(format!("{} messages of {count}", heard.messages).into())
        }
    }

    /// Something rough, and a ping-pong on the same connection that it must not harm.
    async fn beside(&self, rough: impl Future<Output = Result>) -> Result {
        let over = AtomicBool::new(false);
        let (ended, witness) = tokio::join!(
            async {
                let ended = rough.await;
                over.store(true, Relaxed);
                ended
            },
            self.talk(Duration::from_millis(1), |_| !over.load(Relaxed)),
        );
        ended.and(witness)
    }

    async fn metadata(&self, rounds: usize) -> Result {
        for _ in 0..rounds {
            for (kilobytes, wanted) in
                [(8, Code::Ok), (17, Code::ResourceExhausted), (40, Code::ResourceExhausted)]
            {
                let mut request =
                    Request::new(RepeatRequest { message: "x".into(), count: 1, interval_ms: 0 });
                request.metadata_mut().insert("x-long", "x".repeat(kilobytes * 1000).parse()?);
                let code = self
                    .client
                    .clone()
                    .repeat(request)
                    .await
                    .map_or_else(|status| status.code(), |_| Code::Ok);
                if code != wanted {
                    return Err(format!("{kilobytes} KB: {code:?}").into());
                }
                self.calls.fetch_add(1, Relaxed);
            }
        }
        Ok(())
    }

    async fn cancels(&self, count: usize) -> Result {
        let endless = || RepeatRequest { message: "x".into(), count: 1000, interval_ms: 100 };
        for n in 0..count {
            let mut client = self.client.clone();
            if n % 2 == 0 {
                client.repeat(endless()).await?.into_inner().message().await?;
            } else {
                // dropped before the reply has begun
                let _ = tokio::time::timeout(Duration::from_micros(50), client.repeat(endless())).await;
            }
            self.calls.fetch_add(1, Relaxed);
            sleep(Duration::from_millis(2)).await;
        }
        Ok(())
    }

    async fn deadlines(&self, count: usize) -> Result {
        for _ in 0..count {
            let mut request =
                Request::new(RepeatRequest { message: "x".into(), count: 1000, interval_ms: 100 });
            request.set_timeout(Duration::from_millis(5));
            let ended: std::result::Result<(), Status> = async {
                let mut lines = self.client.clone().repeat(request).await?.into_inner();
                while lines.message().await?.is_some() {}
                Ok(())
            }
            .await;
            let code = ended.map_or_else(|status| status.code(), |()| Code::Ok);
            if !matches!(code, Code::DeadlineExceeded | Code::Cancelled) {
                return Err(format!("a deadline ended with {code:?}").into());
            }
            self.calls.fetch_add(1, Relaxed);
        }
        Ok(())
    }
}

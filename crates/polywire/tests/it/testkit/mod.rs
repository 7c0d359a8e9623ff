//! `polywire::testkit::Net` as tests of users have it: several servers and channels, links and their faults.

mod ages;
mod checks;
mod conversations;
mod faults;
mod findings;
mod idle;
mod load;
mod network;
mod repeats;
mod servers;

use crate::talk::{self, Line, Talk, TalkClient};
use polywire::{Context, Reply, Server, Service, Status, Stream, Streaming, testkit::Net};
use std::time::Duration;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn line(text: &str) -> Line {
    Line { text: text.into(), ..Line::default() }
}

fn number(number: u32) -> Line {
    Line { number, ..Line::default() }
}

/// Answers with what it is sent, after so many milliseconds as that says.
struct Echo;

impl Talk for Echo {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        tokio::time::sleep(ms(request.number.into())).await;
        Ok(request.into())
    }
    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, lines) = polywire::stream(1);
        cx.spawn(async move {
            for n in 0..request.number {
                tokio::time::sleep(ms(1)).await;
                sender.send(number(n)).await?;
            }
            Ok(())
        });
        Ok(lines)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

fn echo() -> Service {
    Echo.into_service()
}

/// A network with one server, `echo:1`, and a client of it.
fn with_echo(seed: u64) -> (Net, TalkClient) {
    let net = Net::seeded(seed);
    net.serve("echo:1", Server::new().service(echo()));
    let client = TalkClient::new(net.channel("echo:1"));
    (net, client)
}

/// Whether so much time has passed since `began`: timers have steps of a millisecond.
#[track_caller]
fn took(began: tokio::time::Instant, expected: Duration) {
    let passed = began.elapsed();
    assert!(passed >= expected && passed <= expected + ms(3), "{passed:?}, not {expected:?}");
}

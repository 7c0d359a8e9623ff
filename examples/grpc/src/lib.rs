//! The services of the example: an echo in each of gRPC's four kinds of calls, and a slow service.

#![forbid(unsafe_code)]

mod patience;

use echo::{Echo, Line, Patience};
use polywire::{Channel, Context, Reply, Server, Status, Stream, Streaming};

polywire::include!("echo"); // mod echo { Line, Echo, EchoClient, Patience, PatienceClient, … }

struct Again;

impl Echo for Again {
    async fn say(&self, _: &Context, line: Line) -> Result<Reply<Line>, Status> {
        Ok(line.into())
    }

    async fn repeat(
        &self,
        cx: &Context,
        line: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        if line.times > 1000 {
            return Err(Status::invalid_argument("a thousand times at most"));
        }
        cx.reply_metadata("x-times", line.times.to_string());
        let (sender, lines) = polywire::stream(16); // bounded: a slow reader slows the task below
        cx.spawn(async move {
            for _ in 0..line.times {
                sender.send(line.clone()).await?;
            }
            Ok(())
        });
        Ok(lines)
    }

    async fn join(&self, _: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        let mut all = Vec::new();
        while let Some(line) = incoming.next().await.transpose()? {
            all.push(line.text);
        }
        Ok(Line { text: all.join(" "), ..Line::default() }.into())
    }

    async fn talk(
        &self,
        cx: &Context,
        mut incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, lines) = polywire::stream(16);
        cx.spawn(async move {
            while let Some(line) = incoming.next().await.transpose()? {
                if line.text.is_empty() {
                    // ends the call, after the messages sent so far
                    return Err(Status::invalid_argument("an empty line"));
                }
                sender.send(line).await?;
            }
            Ok(())
        });
        Ok(lines)
    }
}

/// The server, without an address yet. It calls itself at `address` to relay.
pub fn server(address: &str) -> polywire::Result<Server> {
    let itself = Channel::builder(address).protocol("grpc").timeout(None).build()?;
    Ok(Server::new().service(Again.into_service()).service(patience::Patient::new(itself).into_service()))
}

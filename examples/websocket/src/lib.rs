//! A room whose lines all who are in it hear, browsers over WebSocket and others over gRPC; and a path for
//! sockets of any kind.

#![forbid(unsafe_code)]

mod page;

use polywire::{
    Context, Server, Status, Stream, Streaming,
    websocket::{self, Message, WebSocket},
};
use room::{Line, Room};
use tokio::sync::broadcast::{self, error::RecvError};

polywire::include!("room"); // mod room { Line, Room, RoomClient }

/// Lines that wait for somebody who is slow. Who is slower misses the oldest.
const WAITING: usize = 64;
/// Most bytes of a line, with who says it: as many lines as wait are kept for all.
const LONGEST: usize = 2000;

pub struct Hall {
    said: broadcast::Sender<Line>,
}

impl Room for Hall {
    async fn talk(
        &self,
        cx: &Context,
        mut incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, lines) = polywire::stream(WAITING);
        let (said, mut heard) = (self.said.clone(), self.said.subscribe());
        cx.spawn(async move {
            sender.send(Line { who: "room".into(), text: "welcome".into() }).await?;
            loop {
                tokio::select! {
                    line = incoming.next() => match line.transpose()? {
                        Some(line) if line.who.len() + line.text.len() > LONGEST => {
                            return Err(Status::invalid_argument(format!("more than {LONGEST} bytes")));
                        }
                        Some(line) => drop(said.send(line)), // there is at least this call to hear it
                        None => break,
                    },
                    line = heard.recv() => match line {
                        Ok(line) => sender.send(line).await?,
                        Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => break,
                    },
                }
            }
            while let Ok(line) = heard.try_recv() {
                sender.send(line).await?; // said before the end
            }
            Ok(())
        });
        Ok(lines)
    }
}

/// A socket of a handler: it answers each text with its letters turned round, and bytes with bytes.
async fn backwards(_: Context, mut socket: WebSocket) -> Result<(), Status> {
    while let Some(message) = socket.next().await.transpose()? {
        let answer = match message {
            Message::Text(text) => Message::from(text.chars().rev().collect::<String>()),
            Message::Binary(bytes) => Message::Binary(bytes),
        };
        socket.send(answer).await?;
    }
    Ok(())
}

/// The page is at `/room`.
pub fn server() -> Server {
    let hall = Hall { said: broadcast::Sender::new(WAITING) };
    Server::new()
        .service(hall.into_service())
        .service(websocket::Calls) // methods of services, for browsers
        .service(websocket::route("/backwards", backwards))
        .service(page::service())
}
